//! Damaged files: any error on one line will do, a panic will not. What files may claim is held to in `gltf_errors.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::tiff::{Kind, Tiff};
use crate::support::{self, Folder, Gltf, png};
use hitscan_io::Options;
use hitscan_oracle::Rng;

const ROUNDS: u64 = 4000;

/// Cuts the file, changes bytes, doubles or drops a stretch of it, or makes one of its numbers huge.
fn damage(bytes: &[u8], random: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 | 2 if !bytes.is_empty() => bytes[at] = random.bits() as u8,
            3 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            4 => {
                let end = at + random.below(bytes.len() - at).min(40);
                let stretch = bytes[at..end].to_vec();
                if random.below(2) == 0 {
                    bytes.splice(at..at, stretch);
                } else {
                    bytes.drain(at..end);
                }
            }
            _ => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    let number: &[u8] =
                        [&b"4294967295"[..], b"99999999999999999", b"-1", b"0", b"1e999"][random.below(5)];
                    let digit = digits[random.below(digits.len())];
                    bytes.splice(digit..=digit, number.iter().copied());
                }
            }
        }
    }
    bytes
}

fn withstands(test: &str, extension: &str, seed: u64, mut make: impl FnMut(&mut Rng) -> Vec<u8>) {
    let folder = Folder::new(test);
    let options = match extension {
        "png" => Options { cell: Some(1.0), relief: Some([0.0, 9.0]), ..Options::default() },
        _ => Options::default(),
    };
    let mut random = Rng::new(seed);
    let (mut read, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let bytes = make(&mut random);
        let path = folder.write(&format!("{round}.{extension}"), &bytes);
        let result = catch_unwind(AssertUnwindSafe(|| hitscan_io::open_with(&path, &options)));
        // Overwriting one file again and again would wait for the disk each time.
        std::fs::remove_file(&path).unwrap();
        let kept = || {
            let path = std::env::temp_dir().join(format!("hitscan-io-fuzz.{extension}"));
            std::fs::write(&path, &bytes).unwrap();
            format!("seed {seed}, round {round}, kept as {}", path.display())
        };
        match result {
            Err(_) => panic!("panicked: {}", kept()),
            Ok(Ok(_)) => read += 1,
            Ok(Err(error)) => {
                refused += 1;
                let text = error.to_string();
                assert!(!text.contains(char::is_control), "{text:?}: {}", kept());
            }
        }
    }
    eprintln!("{test}, seed {seed}: {read} read, {refused} refused");
    assert!(read > 0 && refused > 0);
}

/// Two meshes in a tree of nodes, with a sparse accessor, a material with a mask, a skin, an animation and a camera.
fn document() -> Gltf {
    let mut gltf = Gltf::two_triangles();
    let rows = gltf.view(&[1], None);
    let values = gltf.view(&[0, 0, 128, 63, 0, 0, 128, 63, 0, 0, 0, 64], None);
    gltf.accessors[0].insert_str(
        1,
        &format!(
            r#""sparse":{{"count":1,"indices":{{"bufferView":{rows},"componentType":5121}},"values":{{"bufferView":{values}}}}},"#
        ),
    );
    let numbers: Vec<u8> = (0..16u8).flat_map(|i| f32::from(i).to_le_bytes()).collect();
    let numbers = gltf.view(&numbers, None);
    let uvs = gltf.accessor(numbers, 5126, "VEC2", 4, "");
    let weights = gltf.accessor(numbers, 5126, "VEC4", 4, "");
    let (times, turns) =
        (gltf.accessor(numbers, 5126, "SCALAR", 2, ""), gltf.accessor(numbers, 5126, "VEC4", 2, ""));
    let joints = gltf.view(&[0, 1, 0, 0].repeat(4), None);
    let joints = gltf.accessor(joints, 5121, "VEC4", 4, "");
    let image = gltf.view(&png::picture(png::header(2, 1, 8, 4), &[0, 9, 255, 9, 0]), None);
    gltf.mesh(
        "strip",
        &[format!(
            r#""attributes":{{"POSITION":0,"TEXCOORD_0":{uvs},"JOINTS_0":{joints},"WEIGHTS_0":{weights}}},"mode":5,"material":0"#
        )],
    );
    gltf.nodes.push(r#"{"mesh":1,"skin":0,"children":[2],"scale":[1,2,3]}"#.to_owned());
    gltf.nodes.push(r#"{"mesh":0,"camera":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1]}"#.to_owned());
    gltf.more = format!(
        r#","scene":0,"scenes":[{{"nodes":[0,1]}}],"cameras":[{{"type":"perspective","perspective":{{"yfov":0.7,"znear":0.1}}}}],
        "materials":[{{"name":"oak","alphaMode":"MASK","pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
        "textures":[{{"source":0,"sampler":0}}],"images":[{{"bufferView":{image}}}],"samplers":[{{"wrapS":33648}}],
        "skins":[{{"joints":[0,1]}}],"animations":[{{"channels":[{{"sampler":0,"target":{{"node":0,"path":"rotation"}}}}],
        "samplers":[{{"input":{times},"output":{turns}}}]}}]"#
    );
    gltf
}

#[test]
fn damaged_glb() {
    let sound = document().glb();
    withstands("damaged-glb", "glb", 1, |random| damage(&sound, random));
    // Damage behind a sound container gets further.
    let gltf = document();
    let json = gltf.json("");
    withstands("damaged-chunks", "glb", 2, |random| match random.below(2) {
        0 => support::glb(&damage(json.as_bytes(), random), &gltf.data),
        _ => support::glb(json.as_bytes(), &damage(&gltf.data, random)),
    });
    let uri = format!(r#","uri":"data:;base64,{}""#, support::base64(&gltf.data));
    let text = gltf.json(&uri);
    withstands("damaged-gltf", "gltf", 3, |random| damage(text.as_bytes(), random));
}

#[test]
fn damaged_obj() {
    let text = "# a comment\r\nmtllib a.mtl\no one\nv 0 0 0\nv 1 0 0 1 1 1\nv 1 1 0\nv 0 1 -2.5e-1\nvt 0 0\n\
                usemtl oak\nf 1 2 3 4\nf 1/1 2/1 \\\n3/1\no two\nv .5 +7 1e3\ns 1\nf -1//1 -2//1 -3//1\nf 1/1/1 2/1/1 5/1/1\n";
    withstands("damaged-obj", "obj", 4, |random| damage(text.as_bytes(), random));
}

#[test]
fn damaged_stl() {
    let text = "solid a\r\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex .5e0 +1 -2.5\nendloop\nendfacet\nendsolid\n\
                SOLID\n facet\n outer loop\n vertex 0 0 0\n vertex 1 0 7\n vertex 0 1 0\n endloop\n endfacet\nendsolid b\n";
    withstands("damaged-stl-text", "stl", 5, |random| damage(text.as_bytes(), random));
    let mut binary = vec![b' '; 80];
    binary.extend(2u32.to_le_bytes());
    for record in [[0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]; 2] {
        binary.extend(record.iter().flat_map(|value| value.to_le_bytes()));
        binary.extend([0, 0]);
    }
    withstands("damaged-stl-binary", "stl", 6, |random| damage(&binary, random));
}

#[test]
fn damaged_ply() {
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment a\nelement vertex 4\nproperty short x\nproperty char y\nproperty uchar z\n\
             element face 2\nproperty list uchar uchar vertex_indices\nproperty uchar k\nelement tristrips 1\n\
             property list uchar char vertex_indices\nelement other 2\nproperty list uchar double d\nend_header\n"
        )
    };
    let text = header("ascii")
        + "0 0 0\n1 0 0\n0 1 0\n1 1 1\n3 0 1 2 7\n4 0 1 3 2 7\n6 0 1 2 -1 2 3\n1 0.5\n2 1e3 -2\n";
    withstands("damaged-ply-text", "ply", 7, |random| damage(text.as_bytes(), random));
    for (format, seed) in [("binary_little_endian", 8), ("binary_big_endian", 9)] {
        let mut binary = header(format).into_bytes();
        binary.extend([0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1]); // x of either order
        binary.extend([3, 0, 1, 2, 7, 4, 0, 1, 3, 2, 7, 6, 0, 1, 2, 255, 2, 3, 1]);
        binary.extend([[0; 8], [2, 0, 0, 0, 0, 0, 0, 0], [0; 8]].concat());
        withstands(&format!("damaged-{format}"), "ply", seed, |random| damage(&binary, random));
    }
}

#[test]
fn damaged_off() {
    let text = "# a comment\nCOFF 4 3 0\n0 0 0 1 1 1\n1 0 0\n 0 1 -2.5e-1 # b\n\n1 1 .5\n3 0 1 2 255 0 0\n4 0 1 3 2\n3 3 1 0\n";
    withstands("damaged-off", "off", 10, |random| damage(text.as_bytes(), random));
}

#[test]
fn damaged_png() {
    let rows: Vec<u8> = (0..5).flat_map(|row| [row, 10, 20, 40, 90, 70]).collect();
    let (header, data) = (png::header(5, 5, 8, 0), png::zlib(&rows));
    let sound = png::file(&header, &data);
    withstands("damaged-png", "png", 5, |random| damage(&sound, random));
    // Damage behind sound checksums gets further.
    withstands("damaged-pixels", "png", 6, |random| match random.below(2) {
        0 => png::file(&damage(&header, random), &data),
        _ => png::file(&header, &damage(&data, random)),
    });
}

#[test]
fn damaged_geotiff() {
    let samples: Vec<f64> = (0..35).map(|sample| f64::from(sample * sample % 17)).collect();
    let mut strip = Tiff::new(7, 5, Kind::Float(32), &samples).at(500.0, 900.0, 2.0).text(42113, "-9999");
    let tiles = strip.clone().tiled(4, 3).bytes();
    strip.second = Some([(254, support::tiff::Values::Longs(vec![1]))].into());
    let strip = strip.bytes();
    withstands("damaged-strip", "tif", 7, |random| damage(&strip, random));
    withstands("damaged-tiles", "tif", 8, |random| damage(&tiles, random));
    // Damage to the directory alone, which is behind the samples.
    let directory = strip.len() - 400;
    withstands("damaged-directory", "tif", 9, |random| {
        [&strip[..directory], &damage(&strip[directory..], random)].concat()
    });
    let mut lzw = std::io::Cursor::new(Vec::new());
    let values: Vec<f32> = samples.iter().map(|&sample| sample as f32).collect();
    tiff::encoder::TiffEncoder::new_big(&mut lzw)
        .and_then(|encoder| {
            let mut encoder = encoder.with_compression(tiff::encoder::Compression::Lzw);
            let mut image = encoder.new_image::<tiff::encoder::colortype::Gray32Float>(7, 5)?;
            image.rows_per_strip(2)?;
            image.encoder().write_tag(tiff::tags::Tag::Unknown(33550), &[1.0, 1.0, 0.0][..])?;
            image.encoder().write_tag(tiff::tags::Tag::Unknown(33922), &[0.0; 6][..])?;
            image.write_data(&values)
        })
        .unwrap();
    let lzw = lzw.into_inner();
    withstands("damaged-lzw", "tif", 10, |random| damage(&lzw, random));
}

#[cfg(feature = "fbx")]
#[test]
fn damaged_fbx() {
    let text = support::fbx::text(&support::fbx::unit(1.0));
    withstands("damaged-fbx", "fbx", 11, |random| damage(text.as_bytes(), random));
}

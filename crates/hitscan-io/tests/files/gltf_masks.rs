//! glTF materials with `alphaMode: MASK`: the holes that their images cut.

use crate::support::png::{chunk, header, picture, zlib};
use crate::support::{Folder, Gltf, base64, refuses};
use hitscan::{Filter, Ray};
use hitscan_io::{Model, Options};

/// A picture of 8-bit RGBA with this alpha.
fn rgba(columns: u32, alpha: &[u8]) -> Vec<u8> {
    let mut rows = Vec::new();
    for row in alpha.chunks(columns as usize) {
        rows.push(0);
        rows.extend(row.iter().flat_map(|&alpha| [200, 100, 50, alpha]));
    }
    picture(header(columns, alpha.len() as u32 / columns, 8, 6), &rows)
}

/// A row of texels, one opaque of four.
fn stripes() -> Vec<u8> {
    rgba(4, &[255, 0, 0, 0])
}

/// A strip along x from -2 to 2 whose u is x, and v 0.5; with an image in a buffer view, and the members of its material and
/// texture, and further members of the document.
struct Strip {
    gltf: Gltf,
    image: String,
    material: String,
    texture: String,
    samplers: String,
    uvs: String,
}

impl Strip {
    fn new(image: &[u8]) -> Strip {
        let mut gltf = Gltf::default();
        gltf.positions(&[[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [-2.0, 1.0, 0.0]]);
        gltf.indices(&[0u16, 1, 2, 0, 2, 3].map(u16::to_le_bytes), 5123);
        let uvs: Vec<u8> =
            [-2.0f32, 0.5, 2.0, 0.5, 2.0, 0.5, -2.0, 0.5].iter().flat_map(|v| v.to_le_bytes()).collect();
        let view = gltf.view(&uvs, None);
        gltf.accessor(view, 5126, "VEC2", 4, "");
        let view = gltf.view(image, None);
        Strip {
            gltf,
            image: format!(r#""name":"planks","bufferView":{view},"mimeType":"image/png""#),
            material: r#""baseColorTexture":{"index":0}"#.to_owned(),
            texture: r#""source":0,"sampler":0"#.to_owned(),
            samplers: r#"{"magFilter":9728}"#.to_owned(),
            uvs: r#","TEXCOORD_0":2"#.to_owned(),
        }
    }

    /// With these members beside `pbrMetallicRoughness`.
    fn document(&self, more: &str) -> Gltf {
        let mut gltf = self.gltf.clone();
        let Strip { image, material, texture, samplers, uvs, .. } = self;
        gltf.mesh("strip", &[format!(r#""attributes":{{"POSITION":0{uvs}}},"indices":1,"material":0"#)]);
        gltf.more = format!(
            r#","materials":[{{"name":"fence","pbrMetallicRoughness":{{{material}}}{more}}}],"textures":[{{{texture}}}],"images":[{{{image}}}],"samplers":[{samplers}]"#
        );
        gltf
    }

    fn glb(&self) -> Vec<u8> {
        self.document(r#","alphaMode":"MASK""#).glb()
    }

    fn seen(&self, test: &str) -> String {
        seen(&Folder::new(test).open("strip.glb", self.glb()).unwrap())
    }
}

/// What of the strip is there, at the middles of its sixteen texels.
fn seen(model: &Model) -> String {
    let mesh = &model.meshes[0].mesh;
    (0..16)
        .map(|i| Ray::new([-2.0 + (f64::from(i) + 0.5) / 4.0, 0.5, 3.0], [0.0, 0.0, -1.0]).unwrap())
        .map(|ray| if mesh.occluded(&ray, &Filter::ALL) { '#' } else { '.' })
        .collect()
}

#[test]
fn images_in_views_files_and_the_document() {
    let mut strip = Strip::new(&stripes());
    const SEEN: &str = "#...#...#...#...";
    assert_eq!(strip.seen("mask-view"), SEEN);
    let folder = Folder::new("mask-file");
    folder.write("my planks.png", stripes());
    strip.image = r#""uri":"my%20planks.png""#.to_owned();
    let model = folder.open("strip.glb", strip.glb()).unwrap();
    assert_eq!(seen(&model), SEEN);
    assert_eq!(model.files, [std::path::PathBuf::from(folder.path("my planks.png"))]);
    assert_eq!(model.files_read, model.files);
    // Where it cuts nothing, nobody looks at the picture, which need not be there.
    std::fs::remove_file(folder.path("my planks.png")).unwrap();
    let opaque = folder.open("opaque.glb", strip.document("").glb()).unwrap();
    assert_eq!((opaque.files, opaque.files_read), (model.files.clone(), Vec::new()));
    strip.image = format!(r#""uri":"data:image/png;base64,{}""#, base64(&stripes()));
    assert_eq!(strip.seen("mask-uri"), SEEN);
    let cutouts: Vec<u32> = model.meshes[0].mesh.cutouts().map(|(material, _)| material).collect();
    assert_eq!((cutouts, model.materials[1].as_str()), (vec![1], "fence"));
}

#[test]
fn samplers_wrap_and_filter() {
    let mut strip = Strip::new(&stripes());
    for (sampler, expected) in [
        (r#"{"magFilter":9728,"wrapS":10497}"#, "#...#...#...#..."),
        (r#"{"magFilter":9728,"wrapS":33071}"#, "#########......."),
        (r#"{"magFilter":9728,"wrapS":33648}"#, "#......##......#"),
        (r#"{"magFilter":9728,"wrapT":33071}"#, "#...#...#...#..."),
        (r#"{"magFilter":9729}"#, "#...#...#...#..."),
    ] {
        strip.samplers = sampler.to_owned();
        assert_eq!(strip.seen("mask-samplers"), expected, "{sampler}");
    }
    // Half way between two texels the alpha is a half where it is linear, which it is where the file leaves it open.
    let edge = Ray::new([0.25 + 0.0625, 0.5, 3.0], [0.0, 0.0, -1.0]).unwrap();
    for (sampler, cutoff, is_there) in [
        (r#"{"magFilter":9728}"#, 0.25, false),
        (r#"{"magFilter":9729}"#, 0.25, true),
        (r#"{"magFilter":9729}"#, 0.26, false),
        ("{}", 0.25, true),
    ] {
        strip.samplers = sampler.to_owned();
        let glb = strip.document(&format!(r#","alphaMode":"MASK","alphaCutoff":{cutoff}"#)).glb();
        let model = Folder::new("mask-filter").open("strip.glb", glb).unwrap();
        assert_eq!(model.scene().occluded(&edge, &Filter::ALL), is_there, "{sampler}, {cutoff}");
    }
    strip.texture = r#""source":0"#.to_owned();
    assert_eq!(strip.seen("mask-no-sampler"), "#...#...#...#...");
}

#[test]
fn cutoffs_and_factors() {
    let mut strip = Strip::new(&rgba(4, &[255, 204, 102, 51]));
    let open = |strip: &Strip, more: &str| {
        let model = Folder::new("mask-cutoffs").open("strip.glb", strip.document(more).glb()).unwrap();
        (seen(&model)[..4].to_owned(), model.meshes[0].mesh.cutouts().len())
    };
    let whole = |text: &str, cutouts| (text.to_owned(), cutouts);
    assert_eq!(open(&strip, r#","alphaMode":"MASK""#), whole("##..", 1));
    for (cutoff, expected) in [
        ("0", "####"),
        ("0.2", "####"),
        ("0.4", "###."),
        ("0.800001", "#..."),
        ("1", "#..."),
        ("1.5", "...."),
    ] {
        let found = open(&strip, &format!(r#","alphaMode":"MASK","alphaCutoff":{cutoff}"#));
        assert_eq!(found, whole(expected, 1), "{cutoff}");
    }
    for mode in ["", r#","alphaMode":"OPAQUE""#, r#","alphaMode":"BLEND","alphaCutoff":0.5"#] {
        assert_eq!(open(&strip, mode), whole("####", 0), "{mode}");
    }
    strip.material = r#""baseColorTexture":{"index":0},"baseColorFactor":[1,1,1,0.5]"#.to_owned();
    assert_eq!(open(&strip, r#","alphaMode":"MASK""#), whole("#...", 1));
    // A colour without a texture is there or not.
    strip.uvs = String::new();
    for (factor, expected) in [(0.5, whole("####", 0)), (0.25, whole("....", 1))] {
        strip.material = format!(r#""baseColorFactor":[1,1,1,{factor}]"#);
        assert_eq!(open(&strip, r#","alphaMode":"MASK""#), expected, "{factor}");
    }
}

#[test]
fn images_of_every_kind() {
    let depth = |bits: u8, colour: u8, row: &[u8]| picture(header(4, 1, bits, colour), &[&[0], row].concat());
    let sixteen: Vec<u8> =
        [0xffffu16, 0x7f00, 0x8000, 0x10].iter().flat_map(|a| [[9, 9], a.to_be_bytes()].concat()).collect();
    let palette = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header(4, 1, 2, 3)),
        chunk(b"PLTE", &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        chunk(b"tRNS", &[0, 255]),
        chunk(b"IDAT", &zlib(&[0, 0b01_00_10_00])),
        chunk(b"IEND", &[]),
    ];
    for (name, image, expected, cutouts) in [
        ("grey with alpha", depth(8, 4, &[7, 255, 7, 0, 7, 128, 7, 127]), "#.#.", 1),
        ("sixteen bits", depth(16, 4, &sixteen), "#.#.", 1),
        ("a palette", palette.concat(), "#.#.", 1),
        ("opaque", depth(8, 4, &[7, 255, 7, 255, 7, 255, 7, 255]), "####", 0),
        ("RGB", depth(8, 2, &[0; 12]), "####", 0),
        ("grey", depth(8, 0, &[0; 4]), "####", 0),
        ("JPEG", b"\xff\xd8\xff\xe0 and so on".to_vec(), "####", 0),
    ] {
        let model = Folder::new("mask-kinds").open("strip.glb", Strip::new(&image).glb()).unwrap();
        assert_eq!(&seen(&model)[..4], expected, "{name}");
        assert_eq!(model.meshes[0].mesh.cutouts().len(), cutouts, "{name}");
    }
}

#[test]
fn coordinates_of_another_set_moved_and_quantized() {
    let mut strip = Strip::new(&stripes());
    strip.material = r#""baseColorTexture":{"index":0,"texCoord":1}"#.to_owned();
    strip.uvs = r#","TEXCOORD_0":0,"TEXCOORD_1":2"#.to_owned();
    assert_eq!(strip.seen("mask-set"), "#...#...#...#...");
    let transformed = |transform: &str| {
        let mut strip = Strip::new(&stripes());
        strip.material = format!(
            r#""baseColorTexture":{{"index":0,"texCoord":9,"extensions":{{"KHR_texture_transform":{{"texCoord":0{transform}}}}}}}"#
        );
        strip.seen("mask-transform")
    };
    assert_eq!(transformed(""), "#...#...#...#...");
    assert_eq!(transformed(r#","offset":[0.25,0]"#), "...#...#...#...#");
    assert_eq!(transformed(r#","scale":[0.5,1]"#), "##......##......");
    assert_eq!(transformed(r#","offset":[0.5,0],"scale":[0.5,1]"#), "....##......##..");
    // By a quarter turn u runs where v ran, downwards: v is -2 to 2 and u 0.5 all along.
    assert_eq!(transformed(r#","rotation":1.5707963267948966"#), "................");
    assert_eq!(transformed(r#","rotation":1.5707963267948966,"offset":[-0.4,0]"#), "################");
    // A half turn: u from 2 to -2.
    assert_eq!(transformed(r#","rotation":3.141592653589793"#), "...#...#...#...#");

    let mut strip = Strip::new(&stripes());
    let bytes: Vec<u8> =
        [[0u8, 128], [255, 128], [255, 128], [0, 128]].iter().flat_map(|uv| [uv[0], uv[1], 0, 0]).collect();
    let view = strip.gltf.view(&bytes, Some(4));
    let accessor = strip.gltf.accessor(view, 5121, "VEC2", 4, r#","normalized":true"#);
    strip.uvs = format!(r#","TEXCOORD_0":{accessor}"#);
    assert_eq!(strip.seen("mask-bytes"), "####............");
}

/// Primitives on one list of positions, with and without a mask, and with coordinates of their own.
#[test]
fn primitives_that_share_positions() {
    let strip = Strip::new(&stripes());
    let mut gltf = strip.document(r#","alphaMode":"MASK""#);
    let attributes = r#""attributes":{"POSITION":0,"TEXCOORD_0":2}"#;
    gltf.meshes.clear();
    gltf.mesh(
        "both",
        &[
            format!(r#"{attributes},"indices":1"#),
            format!(r#"{attributes},"indices":1,"material":0"#),
            format!(r#"{attributes},"indices":1,"material":0"#),
        ],
    );
    let model = Folder::new("mask-shared").open("both.glb", gltf.glb()).unwrap();
    let mesh = &model.meshes[0].mesh;
    assert_eq!((mesh.vertices().len(), mesh.uvs().len(), mesh.triangles().len()), (8, 8, 6));
    let counts: Vec<usize> = (0..4)
        .map(|i| Ray::new([(f64::from(i) + 0.5) / 4.0, 0.5, 3.0], [0.0, 0.0, -1.0]).unwrap())
        .map(|ray| mesh.all_hits(&ray, &Filter::ALL).len())
        .collect();
    assert_eq!(counts, [3, 1, 1, 1]);
}

#[test]
fn what_is_refused() {
    let strip = |change: &dyn Fn(&mut Strip)| {
        let mut strip = Strip::new(&stripes());
        change(&mut strip);
        strip.glb()
    };
    let image = |bytes: &[u8]| Strip::new(bytes).glb();
    let mut torn = stripes();
    torn.truncate(50);
    let mut wrong = stripes();
    let last = wrong.len() - 14;
    wrong[last] ^= 1;
    let negative = Strip::new(&stripes()).document(r#","alphaMode":"MASK","alphaCutoff":-1"#).glb();
    let mut huge = Strip::new(&stripes());
    let place = huge.gltf.data.windows(4).position(|w| w == b"IHDR").unwrap() + 4;
    let claims = [chunk(b"IHDR", &header(1 << 20, 1 << 20, 8, 6)), chunk(b"IEND", &[])].concat();
    huge.gltf.data[place - 8..].fill(0);
    huge.gltf.data[place - 8..][..claims.len().min(45)].copy_from_slice(&claims[..claims.len().min(45)]);
    refuses(
        "mask-refused",
        [
            (
                "uvs.glb",
                strip(&|strip| strip.uvs = String::new()),
                "uvs.glb: mesh 0 \"strip\", primitive 0: it has no TEXCOORD_0; the mask of material 0 \"fence\" needs texture coordinates",
            ),
            (
                "set.glb",
                strip(&|strip| strip.material = r#""baseColorTexture":{"index":0,"texCoord":3}"#.to_owned()),
                "set.glb: mesh 0 \"strip\", primitive 0: it has no TEXCOORD_3; the mask of material 0 \"fence\" needs texture coordinates",
            ),
            (
                "kind.glb",
                strip(&|strip| strip.uvs = r#","TEXCOORD_0":0"#.to_owned()),
                "kind.glb: accessor 0 has the wrong type; texture coordinates are VEC2 of floats, or of bytes or shorts",
            ),
            (
                "short.glb",
                strip(&|strip| {
                    strip.gltf.accessors[2] = strip.gltf.accessors[2].replace(r#""count":4"#, r#""count":3"#)
                }),
                "short.glb: mesh 0 \"strip\", primitive 0: 4 vertices have 3 texture coordinates; each vertex has a pair",
            ),
            (
                "nan.glb",
                strip(&|strip| {
                    let place =
                        strip.gltf.data.windows(4).rposition(|w| w == (-2.0f32).to_le_bytes()).unwrap();
                    strip.gltf.data[place..place + 4].copy_from_slice(&f32::NAN.to_le_bytes());
                }),
                "nan.glb: mesh \"strip\", accessor 0: vertex 3: the texture coordinate u is NaN; a mesh needs finite ones",
            ),
            (
                "torn.glb",
                image(&torn),
                "torn.glb: image 0 \"planks\": the file ends before its last pixel; the PNG is damaged, save it again",
            ),
            (
                "wrong.glb",
                image(&wrong),
                "wrong.glb: image 0 \"planks\": a checksum is wrong; the PNG is damaged, save it again",
            ),
            (
                "webp.glb",
                image(b"RIFF....WEBP"),
                "webp.glb: image 0 \"planks\" is not read; a mask's image is PNG or JPEG",
            ),
            (
                "huge.glb",
                huge.glb(),
                "huge.glb: 1099511627776 texels in image 0 \"planks\" of a mask are too many; the limit is 67108864",
            ),
            (
                "missing.glb",
                strip(&|strip| strip.image = r#""uri":"gone.png""#.to_owned()),
                "gone.png: no such file; it is image 0 of missing.glb",
            ),
            (
                "data.glb",
                strip(&|strip| strip.image = r#""uri":"data:image/png;base64,?""#.to_owned()),
                "data.glb: image 0 has a data URI that does not decode; such data is in base64",
            ),
            (
                "nowhere.glb",
                strip(&|strip| strip.image = r#""name":"void""#.to_owned()),
                "nowhere.glb: image 0 \"void\" has neither a uri nor a buffer view; an image has one of them",
            ),
            (
                "texture.glb",
                strip(&|strip| strip.material = r#""baseColorTexture":{"index":7}"#.to_owned()),
                "texture.glb: material 0 \"fence\" names texture 7, and there are 1; numbers count from 0",
            ),
            (
                "image.glb",
                strip(&|strip| strip.texture = r#""source":2"#.to_owned()),
                "image.glb: texture 0 names image 2, and there are 1; numbers count from 0",
            ),
            (
                "basis.glb",
                strip(&|strip| {
                    strip.texture = r#""extensions":{"KHR_texture_basisu":{"source":0}}"#.to_owned()
                }),
                "basis.glb: texture 0, which has no PNG or JPEG, is not read; export it with PNG textures",
            ),
            (
                "sampler.glb",
                strip(&|strip| strip.texture = r#""source":0,"sampler":3"#.to_owned()),
                "sampler.glb: sampler 3 is named, and there are 1; numbers count from 0",
            ),
            (
                "wrap.glb",
                strip(&|strip| strip.samplers = r#"{"wrapS":5}"#.to_owned()),
                "wrap.glb: a sampler's wrap is 5; it is 10497, 33071 or 33648",
            ),
            (
                "filter.glb",
                strip(&|strip| strip.samplers = r#"{"magFilter":9984}"#.to_owned()),
                "filter.glb: a sampler's magFilter is 9984; it is 9728 or 9729",
            ),
            (
                "cutoff.glb",
                negative,
                "cutoff.glb: material 0 \"fence\": the threshold is -1; it needs to be finite and at least 0",
            ),
        ],
    );
}

/// Images and textures that no mask uses cannot keep a file from being read.
#[test]
fn what_no_mask_uses_is_not_looked_at() {
    let mut strip = Strip::new(b"no picture");
    strip.uvs = String::new();
    strip.samplers = r#"{"wrapS":5}"#.to_owned();
    let model = Folder::new("mask-unused").open("strip.glb", strip.document("").glb()).unwrap();
    assert_eq!(model.meshes[0].mesh.cutouts().len(), 0);
    assert!(model.meshes[0].mesh.uvs().is_empty());
}

/// What is wrong in a part of the document is an error where the part is used, and nowhere else.
#[test]
fn parts_that_nothing_uses_may_be_broken() {
    let opaque = |change: &dyn Fn(&mut Strip)| {
        let mut strip = Strip::new(&stripes());
        change(&mut strip);
        strip
    };
    let more = r#","animations":[{"channels":[{"sampler":0,"target":{"node":0}}]}],"skins":[{}]"#;
    let mut gltf = Strip::new(&stripes()).document("");
    gltf.more += more;
    let folder = Folder::new("mask-broken");
    assert_eq!(seen(&folder.open("more.glb", gltf.glb()).unwrap()), "#".repeat(16));
    let table = [
        (
            "factor.glb",
            opaque(&|strip| strip.material = r#""baseColorFactor":[1,1,1]"#.to_owned()),
            "factor.glb: material 0 \"fence\": invalid length 3, expected an array of length 4; such parts are as glTF 2.0 lays them out",
        ),
        (
            "sampler.glb",
            opaque(&|strip| strip.samplers = r#"{"wrapS":-1}"#.to_owned()),
            "sampler.glb: sampler 0: invalid value: integer `-1`, expected u32; such parts are as glTF 2.0 lays them out",
        ),
        (
            "texture.glb",
            opaque(&|strip| strip.texture = r#""source":"0""#.to_owned()),
            "texture.glb: texture 0: invalid type: string \"0\", expected usize; such parts are as glTF 2.0 lays them out",
        ),
        (
            "image.glb",
            opaque(&|strip| strip.image = r#""uri":7"#.to_owned()),
            "image.glb: image 0: invalid type: integer `7`, expected a string; such parts are as glTF 2.0 lays them out",
        ),
    ];
    for (name, strip, _) in &table {
        let model = folder.open(name, strip.document("").glb()).unwrap();
        assert_eq!((seen(&model), model.materials[1].as_str()), ("#".repeat(16), "fence"), "{name}");
    }
    refuses("mask-broken-used", table.map(|(name, strip, text)| (name, strip.glb(), text)));
}

/// The extension's colour takes the place of the other, even where it has no texture.
#[test]
fn specular_and_glossy() {
    let mut strip = Strip::new(&stripes());
    let open = |strip: &Strip, extension: &str| {
        let more = format!(
            r#","alphaMode":"MASK","extensions":{{"KHR_materials_pbrSpecularGlossiness":{{{extension}}}}}"#
        );
        seen(&Folder::new("mask-glossy").open("strip.glb", strip.document(&more).glb()).unwrap())
    };
    assert_eq!(open(&strip, ""), "################");
    assert_eq!(open(&strip, r#""diffuseFactor":[1,1,1,0.25]"#), "................");
    strip.material = r#""baseColorFactor":[1,1,1,0.25]"#.to_owned();
    assert_eq!(open(&strip, r#""diffuseTexture":{"index":0}"#), "#...#...#...#...");
    assert_eq!(
        open(&strip, r#""diffuseTexture":{"index":0},"diffuseFactor":[1,1,1,0.4]"#),
        "................"
    );
}

/// An image whose texels would take more than reading may is not decoded.
#[test]
fn texels_count_as_memory() {
    let strip = Strip::new(&picture(header(1024, 1024, 8, 6), &[])).glb();
    let with = |memory: u64| {
        let options = Options { memory: Some(memory), ..Options::new() };
        hitscan_io::read("strip", strip.clone(), &options).unwrap_err().to_string()
    };
    let needs = 5 << 20;
    assert_eq!(
        with(needs - 1),
        format!("strip: the images of masks take up to {needs} bytes of memory; the limit is {}", needs - 1)
    );
    let decoded = with(needs);
    assert!(decoded.ends_with("the PNG is damaged, save it again"), "{decoded}");
}

/// A strip for each of these images, one on the other, each with a mask of its own.
fn strips(images: &[String]) -> Gltf {
    let mut gltf = Strip::new(b"").gltf;
    let each = |one: &dyn Fn(usize) -> String| (0..images.len()).map(one).collect::<Vec<_>>();
    gltf.mesh(
        "strips",
        &each(&|n| format!(r#""attributes":{{"POSITION":0,"TEXCOORD_0":2}},"indices":1,"material":{n}"#)),
    );
    let materials = each(&|n| {
        format!(r#"{{"alphaMode":"MASK","pbrMetallicRoughness":{{"baseColorTexture":{{"index":{n}}}}}}}"#)
    });
    let textures = each(&|n| format!(r#"{{"source":{n}}}"#));
    gltf.more = format!(
        r#","materials":[{}],"textures":[{}],"images":[{}]"#,
        materials.join(","),
        textures.join(","),
        images.join(",")
    );
    gltf
}

/// However many images are of one file, and whatever they call it: its texels are there once.
#[test]
fn a_file_that_many_images_name_is_read_once() {
    let folder = Folder::new("mask-shared");
    let side = 64;
    folder.write("a.png", rgba(side, &[0; 64 * 64]));
    let names = ["a.png", "./a.png", "%61.png", "./././a.png"];
    let images: Vec<String> =
        (0..40).map(|n| format!(r#"{{"name":"{n}","uri":"{}"}}"#, names[n % 4])).collect();
    let name = folder.write("strips.glb", strips(&images).glb());
    let options = Options { memory: Some(100_000), ..Options::new() };
    let model = hitscan_io::open_with(&name, &options).expect("the texels of one take 20 KB");
    assert_eq!(model.meshes[0].mesh.cutouts().len(), 40);
    assert_eq!(model.files_read.len(), 1, "{:?}", model.files_read);
}

/// A JPEG is opaque, and known by how it begins: the rest of it is not read.
#[test]
fn of_a_jpeg_only_the_beginning_is_read() {
    let folder = Folder::new("mask-jpeg");
    let path = folder.write("a.jpg", b"\xff\xd8\xff\xe0");
    std::fs::OpenOptions::new().write(true).open(path).unwrap().set_len(100 << 20).unwrap();
    let name = folder.write("strips.glb", strips(&[r#"{"uri":"a.jpg"}"#.to_owned()]).glb());
    let options = Options { memory: Some(1 << 20), ..Options::new() };
    let model = hitscan_io::open_with(&name, &options).expect("a JPEG takes no memory");
    assert_eq!((model.meshes[0].mesh.cutouts().len(), model.files_read.len()), (0, 1));
}

/// Images that are small each are refused where they are many.
#[test]
fn texels_add_up() {
    let images: Vec<String> = (0..5).map(|n| format!(r#"{{"name":"leaf{n}","bufferView":3}}"#)).collect();
    let mut gltf = strips(&images);
    // Grey, without a texel that is there, since none is asked for.
    gltf.views.pop();
    gltf.view(&picture(header(8192, 8192, 8, 0), &[]), None);
    let error = hitscan_io::read("strips", gltf.glb(), &Options::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "strips: 335544320 texels in the images of masks up to image 4 \"leaf4\" are too many; the limit is 268435456"
    );
}

/// The strip without its picture, with these colours of its vertices.
fn coloured(mode: &str, colours: &[[f32; 4]], kind: &str) -> Vec<u8> {
    coloured_by(&format!(r#""alphaMode":"{mode}""#), &stripes(), colours, kind)
}

/// The strip with these colours of its vertices, and these members of its material, whose texture, if it has one, has this image.
fn coloured_by(material: &str, image: &[u8], colours: &[[f32; 4]], kind: &str) -> Vec<u8> {
    let strip = Strip::new(image);
    let Strip { mut gltf, image, .. } = strip;
    let components = if kind == "VEC3" { 3 } else { 4 };
    let bytes: Vec<u8> = colours
        .iter()
        .flat_map(|colour| &colour[..components])
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let view = gltf.view(&bytes, None);
    let accessor = gltf.accessor(view, 5126, kind, colours.len(), "");
    gltf.mesh(
        "strip",
        &[format!(
            r#""attributes":{{"POSITION":0,"TEXCOORD_0":2,"COLOR_0":{accessor}}},"indices":1,"material":0"#
        )],
    );
    gltf.more =
        format!(r#","materials":[{{{material}}}],"textures":[{{"source":0}}],"images":[{{{image}}}]"#);
    gltf.glb()
}

#[test]
fn the_alpha_of_vertices_is_refused_where_it_would_cut() {
    let opaque = [[0.5, 0.5, 0.5, 1.0]; 4];
    let mut clear = opaque;
    clear[2][3] = 0.25;
    let mut behind = [[0.0, 0.0, 0.0, 1.0]; 5];
    behind[4][3] = 0.0;
    let folder = Folder::new("masks-colours");
    for (mode, colours, kind) in [
        ("MASK", &opaque[..], "VEC4"),
        ("MASK", &clear, "VEC3"),
        ("OPAQUE", &clear, "VEC4"),
        ("BLEND", &clear, "VEC4"),
        // No triangle has the last vertex.
        ("MASK", &behind, "VEC4"),
    ] {
        let model = folder.open("strip.glb", coloured(mode, colours, kind)).unwrap();
        assert_eq!(seen(&model), "#".repeat(16), "{mode} {kind}");
    }
    refuses(
        "masks-colours-errors",
        [
            (
                "clear.glb",
                coloured("MASK", &clear, "VEC4"),
                "clear.glb: mesh 0 \"strip\", primitive 0: an alpha of 0.25 in COLOR_0 below alphaMode MASK is not read; put it into the alpha of the material's texture",
            ),
            (
                "short.glb",
                coloured("MASK", &opaque[..3], "VEC4"),
                "short.glb: mesh 0 \"strip\", primitive 0: vertex 3 has no colour, there are 3; each vertex has one",
            ),
            (
                "type.glb",
                coloured("MASK", &opaque, "SCALAR"),
                "type.glb: accessor 3 has the wrong type; colours are VEC3 or VEC4 of floats, or of unsigned bytes or shorts",
            ),
        ],
    );
}

/// Below a cutoff that it does not cross, an alpha of vertices changes nothing.
#[test]
fn the_alpha_of_vertices_is_passed_over_where_it_cuts_nothing() {
    let material = |cutoff: f32, factor: f32, more: &str| {
        format!(
            r#""alphaMode":"MASK","alphaCutoff":{cutoff},"pbrMetallicRoughness":{{"baseColorFactor":[1,1,1,{factor}]{more}}}"#
        )
    };
    let corners = |alpha: [f32; 4]| alpha.map(|alpha| [1.0, 1.0, 1.0, alpha]);
    const TEXTURE: &str = r#","baseColorTexture":{"index":0}"#;
    const SOLID: &str = "################";
    const NOTHING: &str = "................";
    let opaque = rgba(4, &[255; 4]);
    let folder = Folder::new("masks-colours-harmless");
    let open = |material: &str, image: &[u8], alpha: [f32; 4]| {
        folder
            .open("strip.glb", coloured_by(material, image, &corners(alpha), "VEC4"))
            .map(|model| seen(&model))
            .map_err(|error| folder.text(&error))
    };
    for (cutoff, factor, texture, image, alpha, expected) in [
        (0.5, 1.0, "", &opaque, [0.9; 4], SOLID),
        (0.5, 1.0, "", &opaque, [0.5, 0.9, 1.0, 7.0], SOLID),
        (0.5, 0.625, "", &opaque, [0.8, 1.0, 0.9, 1.0], SOLID),
        (0.5, 1.0, TEXTURE, &opaque, [0.9; 4], SOLID),
        (0.0, 1.0, "", &opaque, [0.0; 4], SOLID),
        (0.0, 1.0, TEXTURE, &stripes(), [0.0; 4], SOLID),
        (0.5, 0.1, "", &opaque, [0.2; 4], NOTHING),
        (0.5, 0.1, TEXTURE, &stripes(), [0.2, 1.0, 0.0, 9.0], NOTHING),
        (1.5, 1.0, "", &opaque, [0.2; 4], NOTHING),
    ] {
        let found = open(&material(cutoff, factor, texture), image, alpha);
        assert_eq!(found.as_deref(), Ok(expected), "{cutoff}, {factor}, {alpha:?}");
    }
    for (cutoff, factor, texture, image, alpha, refused) in [
        (0.5, 1.0, "", &opaque, [0.9, 0.9, 0.25, 0.9], "0.25"),
        (0.5, 0.625, "", &opaque, [0.75; 4], "0.75"),
        (0.5, 1.0, TEXTURE, &opaque, [0.25; 4], "0.25"),
        (0.5, 1.0, TEXTURE, &stripes(), [0.9; 4], "0.9"),
        (0.5, 1.0, "", &opaque, [f32::NAN; 4], "NaN"),
    ] {
        let expected = format!(
            "strip.glb: mesh 0 \"strip\", primitive 0: an alpha of {refused} in COLOR_0 below alphaMode MASK is not read; put it into the alpha of the material's texture"
        );
        let found = open(&material(cutoff, factor, texture), image, alpha);
        assert_eq!(found, Err(expected), "{cutoff}, {factor}, {alpha:?}");
    }
}

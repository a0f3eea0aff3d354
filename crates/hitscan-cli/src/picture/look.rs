//! Colours for materials, by the words in their names: files seldom say more that a plain picture could use.

use hitscan::glam::Vec3;
use hitscan_io::{DEFAULT_MATERIAL, Model, NamedMesh};

use super::film::decode;

/// How a surface looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Part of the light that it gives back, by colour.
    pub albedo: Vec3,
    /// How much of the sky it mirrors, in `[0, 1]`.
    pub mirror: f32,
    /// How far its brightness varies from place to place, in `[0, 1]`.
    pub grain: f32,
    /// Whether what is behind it shows through.
    pub clear: bool,
}

/// Words, the colour of a surface whose material has that word in its name, how much it mirrors, its grain.
/// Earlier rows win, so that materials come before plain colours and compounds before their parts.
const WORDS: [(&[&str], [u8; 3], f32, f32); 35] = [
    (&["glass", "window"], [214, 236, 232], 0.5, 0.0),
    (&["grass", "lawn", "meadow"], [122, 134, 88], 0.0, 0.55),
    (&["gravel", "path", "soil", "dirt", "ground"], [166, 154, 134], 0.0, 0.5),
    (&["sand"], [212, 190, 148], 0.0, 0.3),
    (&["concrete", "cement"], [152, 150, 146], 0.0, 0.22),
    (&["plaster", "wall", "ceiling"], [226, 216, 196], 0.0, 0.08),
    (&["roof", "tile", "terracotta"], [160, 98, 78], 0.0, 0.25),
    (&["brick"], [146, 92, 76], 0.0, 0.3),
    (&["dark wood", "walnut"], [106, 80, 62], 0.02, 0.25),
    (&["wood", "oak", "plank", "parquet", "floor", "table", "chair"], [168, 134, 98], 0.02, 0.25),
    (&["leaf", "leaves", "plant", "tree", "bush"], [90, 128, 62], 0.0, 0.3),
    (&["steel", "chrome", "metal", "iron", "silver"], [128, 134, 142], 0.24, 0.05),
    (&["alumin"], [196, 200, 204], 0.35, 0.0),
    (&["wire", "galvan", "zinc"], [78, 82, 88], 0.06, 0.0),
    (&["brass", "gold"], [200, 166, 104], 0.35, 0.0),
    (&["copper", "bronze"], [184, 115, 80], 0.3, 0.0),
    (&["marble", "porcelain", "ceramic"], [232, 228, 218], 0.04, 0.06),
    (&["stone", "rock", "granite"], [152, 146, 136], 0.0, 0.28),
    (&["water"], [86, 140, 160], 0.4, 0.0),
    (&["skin"], [224, 178, 150], 0.02, 0.0),
    (&["fabric", "cloth", "curtain", "towel", "carpet", "rug"], [188, 164, 150], 0.0, 0.1),
    (&["leather"], [120, 80, 60], 0.05, 0.1),
    (&["rubber", "tyre", "tire"], [58, 58, 60], 0.02, 0.0),
    (&["plastic"], [206, 206, 200], 0.06, 0.0),
    (&["paper", "label"], [236, 230, 214], 0.0, 0.0),
    (&["black"], [46, 48, 52], 0.05, 0.0),
    (&["white"], [238, 236, 230], 0.03, 0.0),
    (&["grey", "gray"], [150, 150, 150], 0.02, 0.0),
    (&["red"], [190, 70, 60], 0.06, 0.0),
    (&["green"], [74, 124, 90], 0.06, 0.0),
    (&["blue"], [72, 108, 168], 0.06, 0.0),
    (&["orange"], [222, 146, 72], 0.06, 0.0),
    (&["yellow"], [236, 200, 82], 0.06, 0.0),
    (&["brown"], [128, 90, 62], 0.03, 0.0),
    (&["purple", "violet"], [128, 92, 160], 0.06, 0.0),
];

/// The looks of a scene.
#[derive(Debug)]
pub struct Looks {
    /// For each row of [`Model::materials`].
    materials: Vec<Look>,
    /// For each mesh, where the file has no materials at all.
    meshes: Vec<Look>,
}

impl Looks {
    /// By the names of materials; in a scene without any, a quiet colour a mesh.
    pub fn of(model: &Model) -> Looks {
        let materials: Vec<Look> = model.materials.iter().map(|name| of(name)).collect();
        let quiet = |mesh: &NamedMesh| Look { albedo: quiet(mesh.name.bytes()), ..of(DEFAULT_MATERIAL) };
        let bare = materials.len() <= 1 && model.meshes.len() > 1;
        Looks { materials, meshes: if bare { model.meshes.iter().map(quiet).collect() } else { Vec::new() } }
    }

    /// The look of a material on a mesh.
    pub fn at(&self, material: u32, mesh: usize) -> Look {
        let by_mesh = self.meshes.get(mesh);
        by_mesh
            .or_else(|| self.materials.get(material as usize))
            .copied()
            .unwrap_or_else(|| of(DEFAULT_MATERIAL))
    }

    /// Whether anything can be seen through.
    pub fn any_clear(&self) -> bool {
        self.materials.iter().any(|look| look.clear)
    }
}

/// The look of a material, by its name.
fn of(name: &str) -> Look {
    if name == DEFAULT_MATERIAL {
        return Look { albedo: decode([184, 178, 168]), mirror: 0.03, grain: 0.0, clear: false };
    }
    let lower = name.to_lowercase();
    let known = WORDS.iter().find(|(words, ..)| words.iter().any(|word| lower.contains(word)));
    match known {
        Some((words, colour, mirror, grain)) => {
            Look { albedo: decode(*colour), mirror: *mirror, grain: *grain, clear: words[0] == "glass" }
        }
        None => {
            Look { albedo: muted(hash(name.bytes().map(u32::from))), mirror: 0.03, grain: 0.0, clear: false }
        }
    }
}

/// A colour for an instance or triangle: far apart for numbers next to each other.
pub fn distinct(number: u32) -> Vec3 {
    let mixed = hash([number].into_iter());
    // The first instance is often the ground; it gets a quiet green.
    let hue = (0.3 + f64::from(number) * 0.618_033_988_75).fract() as f32;
    hsv(hue, 0.30 + 0.36 * (mixed & 0xff) as f32 / 255.0, 0.72 + 0.28 * (mixed >> 8 & 0xff) as f32 / 255.0)
}

/// One of a few paints that go together.
fn quiet(name: impl Iterator<Item = u8>) -> Vec3 {
    const PAINTS: [[u8; 3]; 9] = [
        [214, 204, 186],
        [196, 186, 168],
        [222, 216, 204],
        [168, 178, 164],
        [160, 172, 184],
        [190, 160, 138],
        [182, 176, 172],
        [206, 190, 160],
        [150, 142, 132],
    ];
    decode(PAINTS[hash(name.map(u32::from)) as usize % PAINTS.len()])
}

/// A light colour of little saturation.
fn muted(mixed: u32) -> Vec3 {
    let part = |shift: u32| (mixed >> shift & 0xff) as f32 / 255.0;
    let colour = hsv(part(0), 0.12 + 0.25 * part(8), 0.62 + 0.25 * part(16));
    decode(colour.to_array().map(|c| (c * 255.0) as u8))
}

fn hsv(hue: f32, saturation: f32, value: f32) -> Vec3 {
    let channel = |offset: f32| {
        let k = (offset + hue * 6.0) % 6.0;
        value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0)
    };
    Vec3::new(channel(5.0), channel(3.0), channel(1.0))
}

/// FNV-1a, finished by a mix so that all bits are good.
fn hash(words: impl Iterator<Item = u32>) -> u32 {
    let h = words.fold(0x811c_9dc5u32, |h, word| (h ^ word).wrapping_mul(0x0100_0193));
    let h = (h ^ h >> 15).wrapping_mul(0x2c1b_3c6d);
    h ^ h >> 13
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_of_the_range_has_a_look_of_its_own() {
        let model = hitscan_io::open("builtin:range").unwrap();
        let looks = Looks::of(&model).materials;
        for (i, a) in looks.iter().enumerate() {
            for (j, b) in looks.iter().enumerate().skip(i + 1) {
                assert_ne!(a.albedo, b.albedo, "{} and {}", model.materials[i], model.materials[j]);
            }
        }
        assert_eq!(looks.iter().filter(|look| look.clear).count(), 1);
    }

    #[test]
    fn names_without_a_known_word_still_get_a_colour() {
        assert_ne!(of("Material.001").albedo, of("Material.002").albedo);
        assert!(of("Fenster_Glass_01").clear);
    }
}

//! What of a material decides where a surface is: `alphaMode: MASK`, its cutoff, its texture and where that lies.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hitscan::{Cutout, Sampling, Wrap};
use serde::Deserialize;

use super::buffers::Buffers;
use super::document::Document;
use super::held::Held;
use super::images::{Alpha, decode, is_png};
use super::label;
use crate::reading::Reading;
use crate::{ReadError, limits};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub name: Option<String>,
    alpha_mode: Option<String>,
    alpha_cutoff: Option<Held<f32>>,
    pbr_metallic_roughness: Option<Held<Surface>>,
    extensions: Option<Held<MaterialExtensions>>,
}

#[derive(Deserialize)]
struct MaterialExtensions {
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    specular_glossiness: Option<Diffuse>,
}

/// What takes the place of a [`Surface`] where a material has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Diffuse {
    diffuse_factor: Option<[f32; 4]>,
    diffuse_texture: Option<TextureInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Surface {
    base_color_factor: Option<[f32; 4]>,
    base_color_texture: Option<TextureInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextureInfo {
    index: usize,
    #[serde(default)]
    tex_coord: u32,
    #[serde(default)]
    extensions: TextureExtensions,
}

#[derive(Default, Deserialize)]
struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Option<TextureTransform>,
}

/// What becomes of texture coordinates: scaled, turned, moved.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureTransform {
    #[serde(default)]
    offset: [f64; 2],
    /// In radians, counter-clockwise as the image is looked at, with v pointing down.
    #[serde(default)]
    rotation: f64,
    #[serde(default = "no_scale")]
    scale: [f64; 2],
    tex_coord: Option<u32>,
}

fn no_scale() -> [f64; 2] {
    [1.0; 2]
}

#[derive(Deserialize)]
pub(super) struct Texture {
    sampler: Option<usize>,
    source: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    name: Option<String>,
    pub uri: Option<String>,
    buffer_view: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    mag_filter: Option<u32>,
    wrap_s: Option<u32>,
    wrap_t: Option<u32>,
}

impl TextureTransform {
    /// Where the coordinates are then, rounded once.
    pub fn apply(&self, uv: [f32; 2]) -> [f32; 2] {
        let (sin, cos) = libm::sincos(self.rotation);
        let [u, v] = [f64::from(uv[0]) * self.scale[0], f64::from(uv[1]) * self.scale[1]];
        [(cos * u + sin * v) + self.offset[0], (cos * v - sin * u) + self.offset[1]].map(|c| c as f32)
    }
}

/// A material that is not there everywhere.
pub(super) struct Mask {
    pub cutout: Cutout,
    /// The number of the texture coordinates, and what becomes of them; `None` where no texture is looked at.
    pub coordinates: Option<(u32, Option<TextureTransform>)>,
}

/// The alpha of vertices, which is multiplied into a material's, as far as it leaves a mask as it is without.
#[derive(Clone, Copy)]
pub(super) struct Harmless {
    factor: f32,
    threshold: f32,
}

impl Harmless {
    /// Of a triangle whose corners are all harmless, all is: what is between them is interpolated.
    pub fn holds(self, alpha: f32) -> bool {
        f64::from(self.factor) * f64::from(alpha.clamp(0.0, 1.0)) >= f64::from(self.threshold)
    }
}

/// What is known of a material once a primitive has asked for it.
struct Made {
    mask: Option<Mask>,
    /// `None` where any alpha of vertices is.
    harmless: Option<Harmless>,
}

impl Made {
    const OPAQUE: Made = Made { mask: None, harmless: None };
}

/// The masks of materials, each made when a primitive first asks for it: what no triangle wears is not even looked at.
pub(super) struct Masks<'a> {
    reading: Reading<'a>,
    path: &'a Path,
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    made: HashMap<usize, Made>,
    /// By number; `None` for one that is opaque all over.
    images: HashMap<usize, Option<Alpha>>,
    /// The same of those in files, by where these are: many images may be of one.
    files: HashMap<PathBuf, Option<Alpha>>,
    texels: u64,
}

impl<'a> Masks<'a> {
    pub fn new(reading: &Reading<'a>, document: &'a Document, buffers: &'a Buffers<'a>) -> Masks<'a> {
        Masks {
            reading: *reading,
            path: reading.path,
            document,
            buffers,
            made: HashMap::new(),
            images: HashMap::new(),
            files: HashMap::new(),
            texels: 0,
        }
    }

    /// The mask of a material that exists; `None` where it leaves nothing out.
    pub fn of(&mut self, material: usize) -> Result<Option<&Mask>, ReadError> {
        Ok(self.made(material)?.mask.as_ref())
    }

    /// Which alpha of vertices changes nothing below a material that exists; `None` where any does not.
    pub fn harmless(&mut self, material: usize) -> Result<Option<Harmless>, ReadError> {
        Ok(self.made(material)?.harmless)
    }

    fn made(&mut self, material: usize) -> Result<&Made, ReadError> {
        if !self.made.contains_key(&material) {
            let made = self.make(material)?;
            self.made.insert(material, made);
        }
        Ok(self.made.get(&material).unwrap_or(&Made::OPAQUE))
    }

    /// What becomes of the texture coordinates of a material whose mask was made.
    pub fn transform(&self, material: usize) -> Option<TextureTransform> {
        self.made.get(&material)?.mask.as_ref()?.coordinates?.1
    }

    fn make(&mut self, number: usize) -> Result<Made, ReadError> {
        let (path, document) = (self.path, self.document);
        let material = document.materials[number].get(path, || format!("material {number}"))?;
        if material.alpha_mode.as_deref() != Some("MASK") {
            return Ok(Made::OPAQUE);
        }
        let named = || label("material", number, &material.name);
        let fault =
            |source: hitscan::CutoutError| ReadError::Cutout { path: path.into(), material: named(), source };
        let threshold = match &material.alpha_cutoff {
            Some(cutoff) => *cutoff.get(path, named)?,
            None => 0.5,
        };
        let extensions = material.extensions.as_ref().map(|held| held.get(path, named)).transpose()?;
        let surface = match extensions.and_then(|extensions| extensions.specular_glossiness.as_ref()) {
            Some(diffuse) => (diffuse.diffuse_factor, diffuse.diffuse_texture.as_ref()),
            None => match &material.pbr_metallic_roughness {
                Some(surface) => {
                    let surface = surface.get(path, named)?;
                    (surface.base_color_factor, surface.base_color_texture.as_ref())
                }
                None => (None, None),
            },
        };
        let (factor, texture) = surface;
        let factor = factor.map_or(1.0, |[.., alpha]| alpha);
        let build = |size: [u32; 2], alpha: Arc<[u8]>| {
            Cutout::new(size[0], size[1], alpha, threshold)
                .and_then(|cutout| cutout.factor(factor))
                .map_err(fault)
        };
        let texture = match texture {
            Some(info) => self.texture(info, &named())?,
            None => None,
        };
        // All is there, or nothing is, whatever is multiplied in.
        let is_decided = threshold <= 0.0 || factor < threshold;
        let Some((info, texture, alpha)) = texture else {
            // Of one alpha all over: there or not.
            let cutout = build([1, 1], Arc::from([255]))?;
            let mask = (!cutout.keeps([0.0; 2])).then_some(Mask { cutout, coordinates: None });
            let harmless = (!is_decided).then_some(Harmless { factor, threshold });
            return Ok(Made { mask, harmless });
        };
        let sampler = self.sampler(texture)?;
        let cutout = build(alpha.size, alpha.values)?
            .wrap(sampler.wrap[0], sampler.wrap[1])
            .sampling(sampler.sampling);
        let transform = info.extensions.transform;
        let set = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord);
        let mask = Some(Mask { cutout, coordinates: Some((set, transform)) });
        // An image's own alpha may be no more than it has to be, and then only 1 is.
        let harmless = (!is_decided).then_some(Harmless { factor: 1.0, threshold: 1.0 });
        Ok(Made { mask, harmless })
    }

    /// A texture and its image's alpha; `None` for one that is opaque all over.
    fn texture<'t>(
        &mut self,
        info: &'t TextureInfo,
        material: &str,
    ) -> Result<Option<(&'t TextureInfo, &'a Texture, Alpha)>, ReadError> {
        let textures = &self.document.textures;
        let Some(texture) = textures.get(info.index) else {
            let found = format!("{material} names texture {}, and there are {}", info.index, textures.len());
            return Err(ReadError::invalid(self.path, found, "numbers count from 0"));
        };
        let texture = texture.get(self.path, || format!("texture {}", info.index))?;
        let Some(source) = texture.source else {
            let feature = format!("texture {}, which has no PNG or JPEG,", info.index);
            let remedy = "export it with PNG textures".to_owned();
            return Err(ReadError::Unsupported { path: self.path.into(), feature, remedy });
        };
        if !self.images.contains_key(&source) {
            let alpha = self.image(source, info.index)?;
            self.images.insert(source, alpha);
        }
        let alpha = self.images.get(&source).and_then(Clone::clone);
        Ok(alpha.map(|alpha| (info, texture, alpha)))
    }

    fn image(&mut self, number: usize, texture: usize) -> Result<Option<Alpha>, ReadError> {
        let (path, images) = (self.path, &self.document.images);
        let Some(image) = images.get(number) else {
            let found = format!("texture {texture} names image {number}, and there are {}", images.len());
            return Err(ReadError::invalid(path, found, "numbers count from 0"));
        };
        let image = image.get(path, || format!("image {number}"))?;
        let name = label("image", number, &image.name);
        match (&image.uri, image.buffer_view) {
            (Some(uri), _) => self.image_at(&name, uri),
            (None, Some(view)) => {
                decode(&self.reading, &name, self.buffers.view(view)?.bytes, &mut self.texels)
            }
            (None, None) => {
                let found = format!("{name} has neither a uri nor a buffer view");
                Err(ReadError::invalid(path, found, "an image has one of them"))
            }
        }
    }

    /// The alpha of the image behind a URI, which is read and decoded once where it is a file.
    fn image_at(&mut self, name: &str, uri: &str) -> Result<Option<Alpha>, ReadError> {
        let place = self.buffers.place(uri);
        if let Some(alpha) = place.as_ref().and_then(|place| self.files.get(place)) {
            return Ok(alpha.clone());
        }
        let bytes = self.buffers.fetch(name, uri, limits::MAX_IMAGE_BYTES, is_png)?;
        let alpha = decode(&self.reading, name, &bytes, &mut self.texels)?;
        if let Some(place) = place {
            self.files.insert(place, alpha.clone());
        }
        Ok(alpha)
    }

    fn sampler(&self, texture: &Texture) -> Result<Sampled, ReadError> {
        let none = Sampler::default();
        let sampler = match texture.sampler {
            None => &none,
            Some(number) => {
                let samplers = &self.document.samplers;
                let sampler = samplers.get(number).ok_or_else(|| {
                    let found = format!("sampler {number} is named, and there are {}", samplers.len());
                    ReadError::invalid(self.path, found, "numbers count from 0")
                })?;
                sampler.get(self.path, || format!("sampler {number}"))?
            }
        };
        let fault = |what: &str, found: u32, expected: &str| {
            ReadError::invalid(self.path, format!("a sampler's {what} is {found}"), expected)
        };
        let wrap = |wrap: Option<u32>| match wrap {
            None | Some(10497) => Ok(Wrap::Repeat),
            Some(33648) => Ok(Wrap::MirroredRepeat),
            Some(33071) => Ok(Wrap::ClampToEdge),
            Some(found) => Err(fault("wrap", found, "it is 10497, 33071 or 33648")),
        };
        let sampling = match sampler.mag_filter {
            // Renderers choose this where the file does not.
            None | Some(9729) => Sampling::Linear,
            Some(9728) => Sampling::Nearest,
            Some(found) => return Err(fault("magFilter", found, "it is 9728 or 9729")),
        };
        Ok(Sampled { wrap: [wrap(sampler.wrap_s)?, wrap(sampler.wrap_t)?], sampling })
    }
}

struct Sampled {
    wrap: [Wrap; 2],
    sampling: Sampling,
}

/// The error for a primitive whose material looks at a texture, and whose vertices do not say where.
pub(super) fn missing_coordinates(
    path: &Path,
    place: &str,
    document: &Document,
    material: usize,
    set: u32,
) -> ReadError {
    let name = document.materials[material].sound().and_then(|material| material.name.clone());
    let material = label("material", material, &name);
    let expected = format!("the mask of {material} needs texture coordinates");
    ReadError::invalid(path, format!("{place}: it has no TEXCOORD_{set}"), expected)
}

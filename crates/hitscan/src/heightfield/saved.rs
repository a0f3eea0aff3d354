//! Heightfields in saved scenes.

use std::sync::Arc;

use bytemuck::{Pod, cast_slice};

use super::builder;
use super::ground::{Ground, Up};
use super::holes::Holes;
use super::pyramid::{Pyramid, Ranges};
use super::sample::{HeightScale, Sample};
use super::{Data, Heightfield, Heights, Relief};
use crate::bvh::slab::Frame;
use crate::ray::MAX_COORDINATE;
use crate::saved::bytes::{Flaw, Reader, Writer};
use crate::saved::layout::{Kind, Name};
use crate::saved::read::{Lists, Misfit};
use crate::saved::write::Section;
use crate::simd::Kernel;

/// Bytes that a heightfield takes of the description.
pub(crate) const LEAST: usize = 2 * 4 + 2 * 8 + 2 * 4 + 4 + 4 + 6 * 4;

/// A heightfield as the description tells it, before its lists.
pub(crate) struct Told {
    up: Up,
    /// What samples of 16 bits stand for; `None` of `f32`.
    scale: Option<HeightScale>,
    reach: f32,
    bounds: Option<[[f32; 3]; 2]>,
}

impl Heightfield {
    /// What tells clones of it from others.
    pub(crate) fn identity(&self) -> usize {
        Arc::as_ptr(&self.data).addr()
    }

    /// Writes what is small about it.
    pub(crate) fn save(&self, out: &mut Writer) {
        let Data { ground, heights, reach, bounds, .. } = &*self.data;
        out.u32(match ground.up {
            Up::Y => 0,
            Up::Z => 1,
        });
        let (is_u16, scale) = match heights {
            Heights::U16(relief) => (true, relief.scale),
            Heights::F32(_) => (false, HeightScale::default()),
        };
        out.u32(u32::from(is_u16));
        out.f64s(&[scale.offset, scale.scale]);
        out.u32(u32::from(scale.no_data.is_some()));
        out.u32(u32::from(scale.no_data.unwrap_or(0)));
        out.f32(*reach);
        out.u32(u32::from(bounds.is_some()));
        bounds.unwrap_or_default().as_flattened().iter().for_each(|&c| out.f32(c));
    }

    /// Its lists, as sections.
    pub(crate) fn sections(&self, owner: u32) -> [Section<'_>; 5] {
        let Data { ground, holes, heights, .. } = &*self.data;
        let section = |kind, bytes| Section { name: Name { kind, owner }, bytes };
        let [across, down] = ground.along();
        let (samples, pyramid) = match heights {
            Heights::U16(relief) => (cast_slice(&relief.samples), cast_slice(relief.pyramid.nodes())),
            Heights::F32(relief) => (cast_slice(&relief.samples), cast_slice(relief.pyramid.nodes())),
        };
        [
            section(Kind::Across, cast_slice(across)),
            section(Kind::Down, cast_slice(down)),
            section(Kind::Holes, cast_slice(holes.words())),
            section(Kind::Samples, samples),
            section(Kind::Pyramid, pyramid),
        ]
    }
}

/// Reads what is small about a heightfield.
pub(crate) fn read(from: &mut Reader<'_>) -> Result<Told, Flaw> {
    let up = [Up::Y, Up::Z][from.code("up", 1)? as usize];
    let is_u16 = from.flag("samples of type")?;
    let [offset, scale] = from.f64s()?;
    let (has_no_data, no_data) = (from.flag("no data")?, from.code("sample without data", 0xffff)?);
    let no_data = has_no_data.then_some(no_data as u16);
    if !(offset.is_finite() && scale.is_finite()) {
        return Err(Flaw::new(format_args!("heights of {offset:?} + {scale:?}"), "finite numbers"));
    }
    let scale = is_u16.then_some(HeightScale { offset, scale, no_data });
    let (reach, has_bounds) = (from.f32()?, from.flag("a box")?);
    let [low, high] = [from.f32s()?, from.f32s()?];
    Ok(Told { up, scale, reach, bounds: has_bounds.then_some([low, high]) })
}

impl Told {
    /// The heightfield with its lists; where they are verified, all that follows from the samples is computed anew and
    /// compared.
    pub fn field(self, lists: &Lists<'_>, owner: u32) -> Result<Heightfield, Misfit> {
        let kinds = [Kind::Across, Kind::Down];
        let along = kinds.map(|kind| lists.of::<f32>(Name { kind, owner }));
        let [across, down] = along;
        let misfit = |kind, found: String, expected: &str| Misfit {
            name: Name { kind, owner },
            flaw: Flaw::new(found, expected),
        };
        let along = [across?.to_vec(), down?.to_vec()];
        let size = [along[0].len(), along[1].len()];
        builder::check_size(size).map_err(|error| misfit(Kind::Across, error.to_string(), "another size"))?;
        let ground = Ground::of_coordinates(self.up, along).map_err(|axis| {
            misfit(kinds[axis], "places in disorder".into(), "ascending ones within 2^100")
        })?;
        if !(self.reach >= 0.0 && f64::from(self.reach) <= MAX_COORDINATE) {
            let found = format!("heightfield {owner}: coordinates up to {:?}", self.reach);
            return Err(Misfit::description(Flaw::new(found, "a number from 0 to 2^100")));
        }
        match self.scale {
            Some(scale) => self.with_heights(lists, owner, ground, scale, Heights::U16),
            None => self.with_heights(lists, owner, ground, (), Heights::F32),
        }
    }

    fn with_heights<S: Sample>(
        self,
        lists: &Lists<'_>,
        owner: u32,
        ground: Ground,
        scale: S::Scale,
        heights: impl FnOnce(Relief<S>) -> Heights,
    ) -> Result<Heightfield, Misfit>
    where
        Ranges<S>: Pod,
    {
        let name = |kind| Name { kind, owner };
        let misfit =
            |kind, found: &str, expected: &str| Misfit { name: name(kind), flaw: Flaw::new(found, expected) };
        let samples = lists.of::<S>(name(Kind::Samples))?;
        let [across, down] = ground.cells();
        if samples.len() != ground.columns * ground.rows {
            let found = format!("{} samples", samples.len());
            return Err(misfit(Kind::Samples, &found, "one for each column and row"));
        }
        let holes = Holes::of_words(lists.of(name(Kind::Holes))?, across * down)
            .ok_or_else(|| misfit(Kind::Holes, "another number of them", "a bit for each cell, or none"))?;
        let pyramid = Pyramid::of_nodes(&ground, lists.of(name(Kind::Pyramid))?)
            .ok_or_else(|| misfit(Kind::Pyramid, "another number of nodes", "that of the ground"))?;
        let (reach, bounds) = (self.reach, self.bounds);
        if lists.is_verified() {
            let most = builder::reach(&ground, &samples, &scale);
            if most.as_ref().map(|most| most.to_bits()) != Ok(reach.to_bits()) {
                let found =
                    most.map_or_else(|error| error.to_string(), |most| format!("heights up to {most:?}"));
                return Err(misfit(Kind::Samples, &found, &format!("heights up to {reach:?}")));
            }
            let marks = (!holes.is_empty()).then(|| (holes.clone(), across * down));
            let marked = builder::holes(&ground, marks, &samples, &scale);
            if marked.is_ok_and(|marked| marked.words() != holes.words()) {
                return Err(misfit(Kind::Holes, "a cell with a corner without height", "a hole there"));
            }
            let anew = Pyramid::new(&ground, &holes, &samples);
            if cast_slice::<_, u8>(anew.nodes()) != cast_slice::<_, u8>(pyramid.nodes()) {
                return Err(misfit(Kind::Pyramid, "other ranges than those of the samples", "those"));
            }
        }
        let heights = heights(Relief { samples, scale, pyramid });
        if lists.is_verified() && builder::bounds(&ground, &holes, &heights) != bounds {
            let found = format!("heightfield {owner}: a box {bounds:?}");
            return Err(Misfit::description(Flaw::new(found, "that of its cells")));
        }
        let data = Data { ground, holes, heights, reach, frame: Frame::new(reach), bounds };
        Ok(Heightfield { data: Arc::new(data), kernel: Kernel::best() })
    }
}

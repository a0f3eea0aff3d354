//! Meshes: what is small about them in the description, their lists in sections.

use std::sync::Arc;
use std::vec::Vec;

use bytemuck::cast_slice;

use super::bytes::{Flaw, Reader, Writer};
use super::layout::{Kind, Name};
use super::read::{Lists, Misfit};
use super::tree::{Leaves, check_nodes};
use super::write::{Images, Section};
use crate::bvh::Bvh;
use crate::bvh::Preset;
use crate::bvh::crop::Known;
use crate::bvh::node::{Bounds, Node};
use crate::bvh::slab::Frame;
use crate::bvh::wear::Wear;
use crate::cutout::{Cutout, Sampling, Wrap};
use crate::mesh::{MAX_TRIANGLES, Mesh, MeshCounts, MeshData};
use crate::query::{Boundary, Closed};
use crate::ray::MAX_COORDINATE;
use crate::simd::Kernel;

/// Bytes that a mesh takes of the description at least.
pub(super) const LEAST: usize = 4 + 2 * 8 + 4 + 6 * 4 + 4 + 2 * 8 + 8;

/// Groups of rays name a node and a place in it by 32 bits.
const MOST_NODES: usize = 1 << 29;

/// Bytes of a cutout, its image apart.
const CUTOUT: usize = 7 * 4;

/// Writes what is small about a mesh.
pub(super) fn write(mesh: &MeshData, images: &mut Images, out: &mut Writer) {
    out.f32(mesh.reach);
    out.count(mesh.counts.repeated_corner);
    out.count(mesh.counts.zero_area);
    out.u32(match mesh.preset {
        Preset::Fast => 0,
        Preset::Balanced => 1,
        Preset::Best => 2,
        Preset::Compact => 3,
    });
    let Bounds { low, high } = mesh.tree.bounds;
    low[..3].iter().chain(&high[..3]).for_each(|&c| out.f32(c));
    out.u32(u32::from(mesh.tree.built.is_some()));
    out.f64s(&mesh.tree.built.map_or([0.0; 2], Wear::parts));
    out.count(mesh.cutouts.len());
    for (material, cutout) in &mesh.cutouts {
        out.u32(*material);
        out.u32(images.number(cutout.image()));
        out.u32(cutout.size()[0]);
        out.f32(cutout.threshold());
        out.f32(cutout.strength());
        let [u, v] = cutout.wraps().map(|wrap| match wrap {
            Wrap::Repeat => 0,
            Wrap::MirroredRepeat => 1,
            Wrap::ClampToEdge => 2,
        });
        out.u32(3 * u + v);
        out.u32(match cutout.samples() {
            Sampling::Nearest => 0,
            Sampling::Linear => 1,
        });
    }
}

/// Its lists, as sections.
pub(super) fn sections(owner: u32, mesh: &MeshData) -> [Section<'_>; 7] {
    let section = |kind, bytes| Section { name: Name { kind, owner }, bytes };
    [
        section(Kind::Vertices, cast_slice(&mesh.vertices)),
        section(Kind::Triangles, cast_slice(&mesh.triangles)),
        section(Kind::Materials, cast_slice(&mesh.materials)),
        section(Kind::Uvs, cast_slice(&mesh.uvs)),
        section(Kind::Nodes, cast_slice(&mesh.tree.nodes)),
        section(Kind::Rows, cast_slice(&mesh.tree.rows)),
        section(Kind::Absent, cast_slice(&mesh.tree.absent)),
    ]
}

/// A mesh as the description tells it, before its lists.
pub(super) struct Told {
    reach: f32,
    repeated_corner: usize,
    zero_area: usize,
    preset: Preset,
    bounds: Bounds,
    built: Option<Wear>,
    cutouts: Vec<ToldCutout>,
}

struct ToldCutout {
    material: u32,
    image: u32,
    width: u32,
    threshold: f32,
    factor: f32,
    wrap: [Wrap; 2],
    sampling: Sampling,
}

/// Reads what is small about a mesh.
pub(super) fn read(from: &mut Reader<'_>) -> Result<Told, Flaw> {
    let reach = from.f32()?;
    let most = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let (repeated_corner, zero_area) = (most(from.u64()?), most(from.u64()?));
    let presets = [Preset::Fast, Preset::Balanced, Preset::Best, Preset::Compact];
    let preset = presets[from.code("preset", 3)? as usize];
    let [a, b, c, x, y, z] = from.f32s()?;
    let bounds = Bounds { low: [a, b, c, 0.0], high: [x, y, z, 0.0] };
    let bounds = if bounds.is_empty() { Bounds::EMPTY } else { bounds };
    let (is_moved, wear) = (from.flag("moved")?, from.f64s()?);
    let mut cutouts = Vec::new();
    for _ in 0..from.count("cutouts", CUTOUT)? {
        let (material, image, width) = (from.u32()?, from.u32()?, from.u32()?);
        let (threshold, factor) = (from.f32()?, from.f32()?);
        let wraps = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];
        let code = from.code("wrap", 8)? as usize;
        let wrap = [wraps[code / 3], wraps[code % 3]];
        let sampling = [Sampling::Nearest, Sampling::Linear][from.code("sampling", 1)? as usize];
        cutouts.push(ToldCutout { material, image, width, threshold, factor, wrap, sampling });
    }
    let built = is_moved.then(|| Wear::of_parts(wear));
    Ok(Told { reach, repeated_corner, zero_area, preset, bounds, built, cutouts })
}

impl Told {
    /// The mesh with its lists, all of which are looked at where they are verified.
    pub fn mesh(self, lists: &Lists<'_>, owner: u32, images: &[Arc<[u8]>]) -> Result<Mesh, Misfit> {
        let list = |kind| Name { kind, owner };
        let vertices = lists.of::<[f32; 3]>(list(Kind::Vertices))?;
        let triangles = lists.of::<[u32; 3]>(list(Kind::Triangles))?;
        let materials = lists.of::<u32>(list(Kind::Materials))?;
        let uvs = lists.of::<[f32; 2]>(list(Kind::Uvs))?;
        let nodes = lists.of::<Node>(list(Kind::Nodes))?;
        let rows = lists.of(list(Kind::Rows))?;
        let absent = lists.of::<u32>(list(Kind::Absent))?;
        let misfit = |kind, flaw| Misfit { name: list(kind), flaw };
        let wrong = |found: String, expected: &str| {
            let found = format_args!("mesh {owner}: {found}").to_string();
            Misfit::description(Flaw::new(found, expected))
        };

        if triangles.len() > MAX_TRIANGLES {
            let found = format_args!("{} triangles", triangles.len()).to_string();
            return Err(misfit(Kind::Triangles, Flaw::new(found, format_args!("at most {MAX_TRIANGLES}"))));
        }
        if !materials.is_empty() && materials.len() != triangles.len() {
            let found =
                format_args!("{} materials for {} triangles", materials.len(), triangles.len()).to_string();
            return Err(misfit(Kind::Materials, Flaw::new(found, "one for each, or none")));
        }
        if !uvs.is_empty() && uvs.len() != vertices.len() {
            let found = format_args!("{} pairs for {} vertices", uvs.len(), vertices.len()).to_string();
            return Err(misfit(Kind::Uvs, Flaw::new(found, "one for each, or none")));
        }
        let Told { reach, repeated_corner, zero_area, preset, bounds, built, cutouts: told } = self;
        let is_near = |c: &f32| c.abs() <= reach;
        if !(reach >= 0.0 && f64::from(reach) <= MAX_COORDINATE) {
            return Err(wrong(format!("coordinates up to {reach:?}"), "a number from 0 to 2^100"));
        }
        if !bounds.is_empty() && !bounds.low.iter().chain(&bounds.high).all(is_near) {
            return Err(wrong(format!("a box {bounds:?}"), "one no larger than the coordinates"));
        }
        // A refit may leave no triangle that can be hit, and a tree of boxes around nothing.
        let is_around_nothing =
            |root: &Node| root.occupied().all(|place| root.child_bounds(place).is_empty());
        if bounds.is_empty() != nodes.first().is_none_or(is_around_nothing) {
            let expected = "a box where nodes have some, and none where they have none";
            return Err(wrong(format!("{} nodes in a box {bounds:?}", nodes.len()), expected));
        }
        let degenerate = repeated_corner.saturating_add(zero_area);
        if degenerate > triangles.len() || absent.len() > repeated_corner {
            return Err(wrong(
                format!("{degenerate} degenerate triangles"),
                "no more than triangles, nor less than are absent",
            ));
        }
        // False for what is not a number.
        if !built.is_none_or(|built| built.parts().iter().all(|&part| part >= 0.0)) {
            return Err(wrong("a tree of a cost below 0".to_owned(), "one above"));
        }

        let mut cutouts: Vec<(u32, Cutout)> = Vec::with_capacity(told.len());
        for cutout in told {
            let refused =
                |error| Misfit::description(Flaw::refused(format_args!("a cutout of mesh {owner}"), error));
            let ToldCutout { material, image, width, threshold, factor, wrap: [u, v], sampling } = cutout;
            let is_next = cutouts.last().is_none_or(|&(before, _)| before < material);
            let (true, true, Some(alpha)) =
                (is_next, uvs.len() == vertices.len(), images.get(image as usize))
            else {
                let expected =
                    "materials in ascending order, texture coordinates, and an image that is there";
                return Err(wrong(format!("a cutout of material {material} with image {image}"), expected));
            };
            let height = (alpha.len() / width.max(1) as usize) as u32;
            let cutout = Cutout::new(width, height, alpha.clone(), threshold).map_err(refused)?;
            cutouts.push((material, cutout.wrap(u, v).sampling(sampling).factor(factor).map_err(refused)?));
        }

        let counts = MeshCounts { triangles: triangles.len(), repeated_corner, zero_area };
        let tree = Bvh { nodes, layout: preset.layout(), rows, bounds, absent, built };
        let (frame, closed) = (Frame::new(reach), Closed::default());
        let (boundary, crop) = (Boundary::default(), Known::default());
        let data = MeshData {
            vertices,
            triangles,
            materials,
            uvs,
            cutouts,
            reach,
            counts,
            preset,
            tree,
            frame,
            closed,
            boundary,
            crop,
        };
        if lists.is_verified() {
            verify(&data, lists, owner)?;
        }
        Ok(Mesh { data: Arc::new(data), kernel: Kernel::best() })
    }
}

/// Verifies what the walks rely on. What each piece can tell alone was measured when it was read.
fn verify(data: &MeshData, lists: &Lists<'_>, owner: u32) -> Result<(), Misfit> {
    let name = |kind| Name { kind, owner };
    let misfit = |kind, flaw| Misfit { name: name(kind), flaw };
    let largest = |kind| lists.largest(name(kind));
    if largest(Kind::Vertices) != data.reach.to_bits() {
        let found =
            format_args!("a largest coordinate of {:?}", f32::from_bits(largest(Kind::Vertices))).to_string();
        return Err(misfit(Kind::Vertices, Flaw::new(found, format_args!("{:?}", data.reach))));
    }
    if !data.triangles.is_empty() && largest(Kind::Triangles) as usize >= data.vertices.len() {
        let found = format_args!("vertex {}", largest(Kind::Triangles)).to_string();
        return Err(misfit(
            Kind::Triangles,
            Flaw::new(found, format_args!("one of {}", data.vertices.len())),
        ));
    }
    if !f32::from_bits(largest(Kind::Uvs)).is_finite() {
        return Err(misfit(Kind::Uvs, Flaw::new("a coordinate that is not finite", "finite ones")));
    }
    if f64::from(f32::from_bits(largest(Kind::Rows))) > MAX_COORDINATE
        || f32::from_bits(largest(Kind::Rows)).is_nan()
    {
        return Err(misfit(
            Kind::Rows,
            Flaw::new("a coordinate that is not finite or beyond 2^100", "finite ones"),
        ));
    }
    let tree = &data.tree;
    if tree.nodes.len() >= MOST_NODES {
        let found = format_args!("{} nodes", tree.nodes.len()).to_string();
        return Err(misfit(Kind::Nodes, Flaw::new(found, format_args!("less than {MOST_NODES}"))));
    }
    let mut leaves = Leaves::new(&tree.rows, tree.layout, data.triangles.len(), tree.absent.len());
    let nodes = check_nodes(&tree.nodes, data.reach, &mut |payload| leaves.leaf(payload));
    nodes.and_then(|()| leaves.end()).map_err(|flaw| misfit(Kind::Nodes, flaw))?;
    let is_known = |&prim: &u32| (prim as usize) < data.triangles.len();
    if !tree.absent.is_sorted_by(|a, b| a < b) || !tree.absent.last().is_none_or(is_known) {
        let found = "triangles in disorder, or that are not there";
        return Err(misfit(Kind::Absent, Flaw::new(found, "ascending numbers")));
    }
    Ok(())
}

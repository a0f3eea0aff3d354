//! Primitives to triangles.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use ::gltf::json::Accessor as Colours;
use ::gltf::json::accessor::Type;
use ::gltf::json::mesh::{Mode, Primitive, Semantic};
use ::gltf::json::validation::Checked;
use hitscan::{Cutout, MAX_COORDINATE, MeshError};

use super::accessor::{Accessor, Role};
use super::buffers::Buffers;
use super::document::Document;
use super::influences::{self, Influences};
use super::materials::{Masks, missing_coordinates};
use super::morphs::{self, Moves, Shapes};
use super::{label, name_or};
use crate::error::quoted;
use crate::flattened::Flattened;
use crate::model::{Draft, Node};
use crate::numbering::Numbering;
use crate::reading::Reading;
use crate::{ReadError, limits, mirror};

/// The meshes that nodes show.
pub(super) struct Decoded {
    /// In file order; a mesh that is shown in several shapes, flattened in several ways, or mirrored and not, is one draft for each.
    pub drafts: Vec<Draft>,
    /// With `mesh` changed to the row in that list.
    pub nodes: Vec<Node>,
    /// For each draft, what moves its vertices, if one of its nodes has a skin.
    pub influences: Vec<Option<Influences>>,
    /// For each draft, whether it is a mirror image.
    pub mirrored: Vec<bool>,
}

pub(super) fn decode(
    reading: &Reading<'_>,
    document: &Document,
    buffers: &Buffers<'_>,
    mut nodes: Vec<Node>,
    flattened: &[Option<Flattened>],
    numbers: &[usize],
) -> Result<Decoded, ReadError> {
    let shapes = Shapes::read(reading.path, document, &nodes, numbers)?;
    let shown_as =
        |row: usize, node: &Node| (node.mesh, shapes.of(row), node.transform.mirrored(), flattened[row]);
    let mut rows = BTreeMap::new();
    let mut is_skinned = vec![false; document.meshes.len()];
    for (row, node) in nodes.iter().enumerate() {
        rows.insert(shown_as(row, node), 0);
        is_skinned[node.mesh] |=
            numbers.get(row).is_some_and(|&number| document.nodes[number].skin.is_some());
    }
    let mut decoder = Decoder {
        reading,
        document,
        buffers,
        masks: Masks::new(reading, document, buffers),
        opened: HashMap::new(),
        used: Numbering::default(),
        triangles: 0,
        influences: 0,
        moves: 0,
        visits: 0,
    };
    let mut names = 0u64;
    let (mut drafts, mut influences, mut mirrored) = (Vec::new(), Vec::new(), Vec::new());
    for (&(number, shape, is_mirrored, flattened), row) in &mut rows {
        *row = drafts.len();
        let (mut draft, moved_by) = decoder.mesh(number, shapes.weights(shape), is_skinned[number])?;
        if is_mirrored {
            mirror::mesh(&mut draft);
        }
        if let Some(flattened) = flattened {
            flattened.mesh(&mut draft);
        }
        mirrored.push(is_mirrored);
        names += draft.name.len() as u64;
        limits::check_names(reading.path, names, buffers.bytes_read())?;
        drafts.push(draft);
        influences.push(moved_by);
        limits::check_parts(reading.path, drafts.len(), buffers.bytes_read())?;
    }
    for (row, node) in nodes.iter_mut().enumerate() {
        node.mesh = rows[&shown_as(row, node)];
        if mirrored[node.mesh] {
            node.transform = mirror::placement(&node.transform);
        }
    }
    Ok(Decoded { drafts, nodes, influences, mirrored })
}

struct Decoder<'a> {
    reading: &'a Reading<'a>,
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    masks: Masks<'a>,
    /// By number of the accessor, and what it is used for.
    opened: HashMap<(usize, Role), Accessor<'a>>,
    /// The vertices that the mesh under way uses of one of them. There is one for all: a numbering is as long as its
    /// accessor, and a few bytes can name a thousand accessors of all the file's bytes.
    used: Numbering,
    /// So far, over all meshes.
    triangles: u64,
    influences: u64,
    moves: u64,
    /// To primitives, whether they have triangles or not, and to their targets.
    visits: u64,
}

/// A mesh under way.
#[derive(Default)]
struct Triangles<'w> {
    /// Corners as rows of the positions of their primitive.
    corners: Vec<[u32; 3]>,
    runs: Vec<Run>,
    /// Where vertices are from, and their ranks in order of first use: primitives that share one share its vertices.
    ranks: HashMap<Vertices, usize>,
    /// The masks of its materials, which may be as many as there are primitives.
    cutouts: BTreeMap<u32, Cutout>,
    /// Of its morph targets.
    weights: &'w [f32],
    /// Whether joints move it.
    is_skinned: bool,
}

/// The triangles of one primitive.
struct Run {
    triangles: Range<usize>,
    /// Where its vertices are from, and the rank of that.
    vertices: Vertices,
    rank: usize,
    material: u32,
}

/// The accessors that make vertices.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Vertices {
    positions: usize,
    /// As [`morphs::named`] has them.
    moves: Vec<(usize, u32)>,
    uvs: Option<Uvs>,
    /// Joints and weights, set by set.
    influences: Vec<[usize; 2]>,
}

/// Texture coordinates: their accessor, and the material that moves them, if it does.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Uvs {
    accessor: usize,
    moved_by: Option<usize>,
}

impl<'a> Decoder<'a> {
    fn mesh(
        &mut self,
        number: usize,
        weights: &[f32],
        is_skinned: bool,
    ) -> Result<(Draft, Option<Influences>), ReadError> {
        let mesh = &self.document.meshes[number];
        let mut triangles = Triangles { weights, is_skinned, ..Triangles::default() };
        for (row, primitive) in mesh.primitives.iter().enumerate() {
            self.reading.go_on(0)?;
            let targets = primitive.targets.as_ref().map_or(0, Vec::len).min(weights.len());
            self.visits += 1 + targets as u64;
            limits::check_shapes(self.reading.path, self.visits, self.buffers.bytes_read())?;
            let place = || format!("{}, primitive {row}", label("mesh", number, &mesh.name));
            self.primitive(primitive, &mut triangles, place)?;
        }
        let name = name_or(&mesh.name, || format!("mesh{number}"));
        self.number_vertices(name, triangles)
    }

    /// Adds the triangles of a primitive; none for points, lines, and what has no positions.
    fn primitive(
        &mut self,
        primitive: &Primitive,
        triangles: &mut Triangles<'_>,
        place: impl Fn() -> String,
    ) -> Result<(), ReadError> {
        let path = self.reading.path;
        let fault = |found: String, expected: &str| {
            ReadError::invalid(path, format!("{}: {found}", place()), expected)
        };
        let mode = match primitive.mode {
            Checked::Valid(mode @ (Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)) => mode,
            Checked::Valid(_) => return Ok(()),
            Checked::Invalid => return Err(fault("its mode is unknown".to_owned(), "modes are 0 to 6")),
        };
        let Some(accessor) = primitive.attributes.get(&Checked::Valid(Semantic::Positions)) else {
            return Ok(());
        };
        let accessor = accessor.value();
        let materials = self.document.materials.len();
        let material = match primitive.material {
            Some(material) if material.value() < materials => Some(material.value()),
            Some(material) => {
                let found = format!("it names material {}, and there are {materials}", material.value());
                return Err(fault(found, "numbers count from 0"));
            }
            None => None,
        };
        let open = |accessor, role| Accessor::open(path, self.document, self.buffers, accessor, role);
        let indices = primitive.indices.map(|indices| open(indices.value(), Role::Indices)).transpose()?;
        let positions = match self.opened.entry((accessor, Role::Positions)) {
            Entry::Occupied(known) => known.get().count,
            Entry::Vacant(new) => new.insert(open(accessor, Role::Positions)?).count,
        };

        // Triangles are counted before anything of their size is allocated.
        let corners = indices.as_ref().map_or(positions, |indices| indices.count);
        if mode == Mode::Triangles && corners % 3 != 0 {
            return Err(fault(
                format!("it has {corners} corners"),
                "a list of triangles has a multiple of 3",
            ));
        }
        let count = if mode == Mode::Triangles { corners / 3 } else { corners.saturating_sub(2) };
        self.triangles += count as u64;
        limits::check_triangles(path, self.triangles, self.buffers.bytes_read())?;
        limits::check_mesh(path, triangles.corners.len() + count, &place)?;

        let check = |corners: &[u32]| {
            if corners.iter().max().is_none_or(|&last| (last as usize) < positions) {
                return Ok(());
            }
            let at = corners.iter().position(|&corner| corner as usize >= positions).unwrap_or_default();
            let found = format!("index {at} names vertex {}, and there are {positions}", corners[at]);
            Err(fault(found, "vertices count from 0"))
        };
        let first = triangles.corners.len();
        triangles.corners.reserve(count);
        match (mode, indices) {
            (Mode::Triangles, Some(indices)) => {
                indices.append_triangles(&mut triangles.corners);
                check(triangles.corners[first..].as_flattened())?;
            }
            (_, Some(indices)) => {
                let corners = indices.indices();
                check(&corners)?;
                assemble(mode, &corners, &mut triangles.corners);
            }
            (_, None) => {
                let corners: Vec<u32> = (0..positions as u32).collect(); // at most 3 * MAX_TRIANGLES
                assemble(mode, &corners, &mut triangles.corners);
            }
        }
        let uvs = match material {
            Some(material) => {
                self.check_colours(primitive, material, &triangles.corners[first..], &place)?;
                self.uvs(primitive, material, positions, triangles, &place)?
            }
            None => None,
        };
        let influences = if triangles.is_skinned { influences::named(primitive, fault)? } else { Vec::new() };
        let moves = morphs::named(primitive, triangles.weights);
        let vertices = Vertices { positions: accessor, moves, uvs, influences };
        let next = triangles.ranks.len();
        let rank = *triangles.ranks.entry(vertices.clone()).or_insert(next);
        let rows = first..triangles.corners.len();
        // Materials are fewer than bytes of the file.
        let material = material.map_or(0, |material| material as u32 + 1);
        triangles.runs.push(Run { triangles: rows, vertices, rank, material });
        Ok(())
    }

    /// Refuses vertices whose own alpha would cut holes: it is multiplied into that of a material with a mask.
    fn check_colours(
        &mut self,
        primitive: &Primitive,
        material: usize,
        triangles: &[[u32; 3]],
        place: &dyn Fn() -> String,
    ) -> Result<(), ReadError> {
        let path = self.reading.path;
        let Some(accessor) = primitive.attributes.get(&Checked::Valid(Semantic::Colors(0))) else {
            return Ok(());
        };
        let accessor = accessor.value();
        let has_alpha = |colours: &Colours| colours.type_ != Checked::Valid(Type::Vec3);
        if !self.document.accessors.get(accessor).is_none_or(has_alpha) {
            return Ok(());
        }
        let Some(harmless) = self.masks.harmless(material)? else { return Ok(()) };
        let colours = Accessor::open(path, self.document, self.buffers, accessor, Role::Colours)?;
        for (number, &corner) in triangles.as_flattened().iter().enumerate() {
            self.reading.go_on(number)?;
            if corner as usize >= colours.count {
                let found =
                    format!("{}: vertex {corner} has no colour, there are {}", place(), colours.count);
                return Err(ReadError::invalid(path, found, "each vertex has one"));
            }
            let [.., alpha] = colours.floats::<4>(corner as usize);
            if !harmless.holds(alpha) {
                let feature = format!("{}: an alpha of {alpha} in COLOR_0 below alphaMode MASK", place());
                let remedy = "put it into the alpha of the material's texture".to_owned();
                return Err(ReadError::Unsupported { path: path.into(), feature, remedy });
            }
        }
        Ok(())
    }

    /// The texture coordinates of a primitive of `count` positions whose material has a mask; `None` where it needs none.
    fn uvs(
        &mut self,
        primitive: &Primitive,
        material: usize,
        count: usize,
        triangles: &mut Triangles<'_>,
        place: &dyn Fn() -> String,
    ) -> Result<Option<Uvs>, ReadError> {
        let Some(mask) = self.masks.of(material)? else { return Ok(None) };
        triangles.cutouts.entry(material as u32 + 1).or_insert_with(|| mask.cutout.clone());
        let Some((set, transform)) = mask.coordinates else { return Ok(None) };
        let Some(accessor) = primitive.attributes.get(&Checked::Valid(Semantic::TexCoords(set))) else {
            return Err(missing_coordinates(self.reading.path, &place(), self.document, material, set));
        };
        let accessor = accessor.value();
        let uvs = match self.opened.entry((accessor, Role::TexCoords)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(Accessor::open(
                self.reading.path,
                self.document,
                self.buffers,
                accessor,
                Role::TexCoords,
            )?),
        };
        if uvs.count < count {
            let found = format!("{}: {count} vertices have {} texture coordinates", place(), uvs.count);
            return Err(ReadError::invalid(self.reading.path, found, "each vertex has a pair"));
        }
        Ok(Some(Uvs { accessor, moved_by: transform.map(|_| material) }))
    }

    /// Gathers the vertices that a mesh uses, and makes its corners rows of that list.
    fn number_vertices(
        &mut self,
        name: String,
        triangles: Triangles<'_>,
    ) -> Result<(Draft, Option<Influences>), ReadError> {
        let Triangles { corners: mut triangles, mut runs, cutouts, is_skinned, .. } = triangles;
        let mut moved_by = Influences::default();
        let mut materials = Vec::new();
        if runs.iter().any(|run| run.material != 0) {
            materials.reserve_exact(triangles.len());
            for run in &runs {
                materials.resize(run.triangles.end, run.material);
            }
        }
        runs.sort_by_key(|run| run.rank);
        let (mut vertices, mut uvs) = (Vec::new(), Vec::new());
        for shared in runs.chunk_by(|a, b| a.rank == b.rank) {
            let Vertices { positions: accessor, moves, uvs: painted, influences: sets } =
                shared[0].vertices.clone();
            let Some(positions) = self.opened.get(&(accessor, Role::Positions)) else { continue };
            for run in shared {
                for &corner in triangles[run.triangles.clone()].as_flattened() {
                    self.used.mark(corner);
                }
            }
            let painted = painted.and_then(|Uvs { accessor, moved_by }| {
                let transform = moved_by.and_then(|material| self.masks.transform(material));
                Some((self.opened.get(&(accessor, Role::TexCoords))?, transform))
            });
            let count = positions.count;
            let sets =
                influences::open(self.reading.path, self.document, self.buffers, &sets, (accessor, count))?;
            let moves =
                Moves::open(self.reading.path, self.document, self.buffers, &moves, (accessor, count))?;
            let first = vertices.len();
            // At most 3 * MAX_TRIANGLES, so the number fits.
            let used = self.used.assign(first as u32);
            self.moves = self.moves.saturating_add(moves.len() as u64 * used.len() as u64);
            limits::check_moves(self.reading.path, self.moves, self.buffers.bytes_read())?;
            vertices.reserve(used.len());
            let tight = positions.tight_floats();
            for &row in used {
                self.reading.go_on(vertices.len())?;
                let vertex = match tight {
                    Some(floats) => floats[row as usize].map(f32::from_le_bytes),
                    None => positions.floats(row as usize),
                };
                let vertex = if moves.len() == 0 { vertex } else { moves.apply(row as usize, vertex) };
                if let Some(source) = bad_coordinate(row as usize, vertex) {
                    let mesh = format!("{}, accessor {accessor}", quoted(name.as_bytes()));
                    return Err(ReadError::Mesh { path: self.reading.path.into(), mesh, source });
                }
                vertices.push(vertex);
            }
            if is_skinned {
                self.influences = self.influences.saturating_add(4 * sets.len() as u64 * used.len() as u64);
                limits::check_influences(self.reading.path, self.influences, self.buffers.bytes_read())?;
                used.iter().for_each(|&row| moved_by.push(&sets, row as usize));
            }
            if !cutouts.is_empty() {
                for &row in used {
                    let uv = painted.map_or([0.0; 2], |(accessor, transform)| {
                        let uv = accessor.floats(row as usize);
                        transform.map_or(uv, |transform| transform.apply(uv))
                    });
                    if let Some(axis) = uv.iter().position(|value| !value.is_finite()) {
                        let (vertex, value) = (row as usize, uv[axis]);
                        let mesh = format!("{}, accessor {accessor}", quoted(name.as_bytes()));
                        let source = MeshError::Uv { vertex, axis: ['u', 'v'][axis], value };
                        return Err(ReadError::Mesh { path: self.reading.path.into(), mesh, source });
                    }
                    uvs.push(uv);
                }
            }
            if first > 0 || !self.used.is_identity() {
                for run in shared {
                    for corner in triangles[run.triangles.clone()].as_flattened_mut() {
                        *corner = self.used.number(*corner);
                    }
                }
            }
            self.used.clear();
        }
        triangles.shrink_to_fit();
        // Ascending, as a mesh keeps them: none of them has to make room for the next.
        let cutouts = cutouts.into_iter().collect();
        let draft = Draft { name, vertices, triangles, materials, uvs, cutouts };
        Ok((draft, is_skinned.then_some(moved_by)))
    }
}

/// Triangles of a list, strip or fan of corners, in the order and winding of the specification.
fn assemble(mode: Mode, corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    match mode {
        Mode::TriangleStrip => triangles.extend(corners.windows(3).enumerate().map(|(i, c)| {
            // Every other one is turned, so that all keep the winding of the first.
            if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] }
        })),
        Mode::TriangleFan => {
            triangles.extend(corners.windows(2).skip(1).map(|c| [c[0], c[1], corners[0]]));
        }
        _ => triangles.extend_from_slice(corners.as_chunks().0),
    }
}

/// What [`hitscan::Mesh`] would refuse, told by its place in the file rather than in the mesh.
fn bad_coordinate(vertex: usize, position: [f32; 3]) -> Option<MeshError> {
    let largest = MAX_COORDINATE as f32;
    let axis = position.iter().position(|value| value.is_nan() || value.abs() > largest)?;
    let (value, axis) = (position[axis], ['x', 'y', 'z'][axis]);
    Some(match value.is_finite() {
        true => MeshError::TooFar { vertex, axis, value },
        false => MeshError::NonFinite { vertex, axis, value },
    })
}

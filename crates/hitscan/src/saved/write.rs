//! From a scene to the bytes of a file, the same whenever it is the same scene.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::vec::Vec;

use bytemuck::cast_slice;

use super::bytes::Writer;
use super::error::SaveError;
use super::layout::{ALIGNMENT, Entry, Kind, Name, PIECE, checksum, checksum_of_pieces, head};
use super::notes::Notes;
use super::{mesh, shapes};
use crate::bvh::parallel::in_tasks;
use crate::heightfield::Heightfield;
use crate::mesh::Mesh;
use crate::scene::Scene;
use crate::world::Geometry;

/// A section to be written.
pub(crate) struct Section<'a> {
    pub name: Name,
    pub bytes: &'a [u8],
}

/// Things in the order in which they are first met, each once.
struct Once<T> {
    numbers: HashMap<usize, u32>,
    things: Vec<T>,
}

impl<T> Once<T> {
    fn new() -> Once<T> {
        Once { numbers: HashMap::new(), things: Vec::new() }
    }

    /// The number of the thing that lies at an address.
    fn number(&mut self, address: usize, thing: impl FnOnce() -> T) -> u32 {
        *self.numbers.entry(address).or_insert_with(|| {
            self.things.push(thing());
            self.things.len() as u32 - 1
        })
    }
}

/// The images of all cutouts.
pub(crate) struct Images(Once<Arc<[u8]>>);

impl Images {
    /// The number of an image.
    pub fn number(&mut self, image: &Arc<[u8]>) -> u32 {
        self.0.number(image.as_ptr().addr(), || image.clone())
    }
}

/// What an instance is, in the description.
pub(super) const NOTHING: u32 = 0;
pub(super) const MESH: u32 = 1;
pub(super) const FIELD: u32 = 2;
pub(super) const SHAPE: u32 = 3;

/// Writes a scene and its notes: the checksums first, on all cores, then everything from the first byte to the last.
pub(super) fn write(scene: &Scene, notes: &Notes, out: &mut impl Write) -> Result<(), SaveError> {
    if cfg!(target_endian = "big") {
        return Err(SaveError::BigEndian);
    }
    let slots = scene.top.slots();
    let mut meshes: Once<&Mesh> = Once::new();
    let mut fields: Once<&Heightfield> = Once::new();
    let mut shapes: Once<&Geometry> = Once::new();
    let mut images = Images(Once::new());

    let mut places = Writer::default();
    places.count(slots.len());
    for slot in 0..slots.len() as u32 {
        places.u32(slots.generation(slot));
        let Some((_, instance)) = slots.at(slot) else {
            places.u32(NOTHING);
            // As long as any other, so that few bytes cannot claim many slots.
            [(); 3].iter().for_each(|()| places.u32(0));
            places.f64s(&[0.0; 12]);
            continue;
        };
        let geometry = &instance.geometry;
        let (kind, number) = match geometry {
            Geometry::Mesh(mesh) => (MESH, meshes.number(Arc::as_ptr(&mesh.data).addr(), || mesh)),
            Geometry::Heightfield(field) => (FIELD, fields.number(field.identity(), || field)),
            Geometry::Obb(shared) => (SHAPE, shapes.number(Arc::as_ptr(shared).addr(), || geometry)),
            Geometry::ConvexHull(shared) => (SHAPE, shapes.number(Arc::as_ptr(shared).addr(), || geometry)),
            // Of these each instance has its own.
            Geometry::Sphere(_) | Geometry::Aabb(_) | Geometry::Plane(_) | Geometry::Capsule(_) => {
                (SHAPE, shapes.number(std::ptr::from_ref(geometry).addr(), || geometry))
            }
        };
        places.u32(kind);
        places.u32(number);
        places.u32(instance.mask);
        places.u32(instance.material);
        places.f64s(instance.transform.rows().as_flattened());
        places.f64s(&instance.transform.offset().to_array());
    }

    let mut description = Writer::default();
    description.count(shapes.things.len());
    shapes.things.iter().for_each(|shape| shapes::write(shape, &mut description));
    description.count(meshes.things.len());
    meshes.things.iter().for_each(|mesh| mesh::write(&mesh.data, &mut images, &mut description));
    description.count(images.0.things.len());
    description.count(fields.things.len());
    fields.things.iter().for_each(|field| field.save(&mut description));
    description.count(notes.iter().len());
    for (name, _) in notes.iter() {
        description.count(name.len());
        description.bytes.extend(name.as_bytes());
    }
    description.bytes.extend(places.bytes);

    let single = |kind, bytes| Section { name: Name { kind, owner: 0 }, bytes };
    let mut sections = vec![single(Kind::Description, &description.bytes[..])];
    sections.push(single(Kind::Top, cast_slice(scene.top.nodes())));
    sections.extend((0..).zip(&meshes.things).flat_map(|(owner, mesh)| mesh::sections(owner, &mesh.data)));
    sections.extend((0..).zip(&fields.things).flat_map(|(owner, field)| field.sections(owner)));
    let named = |kind| move |(owner, bytes)| Section { name: Name { kind, owner }, bytes };
    sections.extend((0..).zip(images.0.things.iter().map(|image| &image[..])).map(named(Kind::Alpha)));
    sections.extend((0..).zip(notes.iter().map(|(_, content)| content)).map(named(Kind::Note)));
    if u32::try_from(sections.len()).is_err() {
        return Err(SaveError::TooMany { what: "sections", count: sections.len() });
    }
    Ok(emit(&sections, out)?)
}

/// Writes sections behind a head that knows them.
fn emit(sections: &[Section<'_>], out: &mut impl Write) -> io::Result<()> {
    let checksums = checksums(sections);
    let mut offset = head_length(sections.len());
    let mut entries = Vec::with_capacity(sections.len());
    for (section, checksum) in sections.iter().zip(checksums) {
        let entry = Entry { name: section.name, offset, length: section.bytes.len() as u64, checksum };
        // No memory holds so much that this overflows.
        offset = (offset + entry.length).next_multiple_of(ALIGNMENT as u64);
        entries.push(entry);
    }
    out.write_all(&head(&entries).0)?;
    for section in sections {
        out.write_all(section.bytes)?;
        let rest = section.bytes.len().next_multiple_of(ALIGNMENT) - section.bytes.len();
        out.write_all(&[0; ALIGNMENT][..rest])?;
    }
    Ok(())
}

/// Bytes of the header and the table, up to the first section.
fn head_length(sections: usize) -> u64 {
    use super::layout::{ENTRY, HEADER};
    (HEADER as u64 + sections as u64 * ENTRY as u64).next_multiple_of(ALIGNMENT as u64)
}

/// The checksums of all sections.
fn checksums(sections: &[Section<'_>]) -> Vec<u64> {
    let pieces: Vec<&[u8]> = sections.iter().flat_map(|section| section.bytes.chunks(PIECE)).collect();
    let mut sums = alloc::vec![0; pieces.len()];
    in_tasks(&pieces, &mut sums, 1, &|piece, sum| sum[0] = checksum(piece[0]));
    let mut pieces = sums.into_iter();
    let of =
        |section: &Section<'_>| checksum_of_pieces(pieces.by_ref().take(section.bytes.len().div_ceil(PIECE)));
    sections.iter().map(of).collect()
}

/// Has a file written beside its name, flushed to the disk, and only then given the name; where anything fails, it is
/// removed, and what was there is there still.
pub(super) fn replace(
    path: &Path,
    fill: impl FnOnce(&mut fs::File) -> Result<(), SaveError>,
) -> Result<(), SaveError> {
    // Through a symbolic link, the file it names is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hitscan-").suffix(".tmp");
    let found = fs::metadata(&path).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        let what = "not a regular file; a scene is saved to one, or written to anything";
        return Err(SaveError::Io(io::Error::new(io::ErrorKind::InvalidInput, what)));
    }
    // Others may read what the system lets them; a file that only its owner may read stays so, from the first byte on.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut unfinished = builder.tempfile_in(folder)?;
    if let Some(found) = found {
        unfinished.as_file().set_permissions(found.permissions())?;
    }
    fill(unfinished.as_file_mut())?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(&path).map_err(|error| error.error)?;
    // The name itself is on the disk once its folder is, which not every file system lets us wait for.
    #[cfg(unix)]
    let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

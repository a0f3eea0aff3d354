//! From the bytes of a file to a scene.
//!
//! Where a file is verified, each piece of it is read, its checksum taken and its numbers measured while it is in cache; the trees
//! are walked afterwards, mesh by mesh.

use core::ops::Range;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::vec::Vec;

use bytemuck::Pod;
use glam::DMat3;

use super::bytes::{Flaw, Reader};
use super::error::OpenError;
use super::layout::{Entry, HEADER, Header, Kind, Name, PIECE, checksum, checksum_of_pieces};
use super::notes::Notes;
use super::tree::check_nodes;
use super::write::{FIELD, MESH, NOTHING, SHAPE};
use super::{Saved, mesh, shapes};
use crate::bvh::node::Node;
use crate::bvh::parallel::each;
use crate::heightfield;
use crate::scene::Scene;
use crate::stock::{Region, Stock};
use crate::transform::Transform;
use crate::world::slots::Slots;
use crate::world::top::Top;
use crate::world::{Geometry, Instance};

/// A section that is not what it should be.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub name: Name,
    pub flaw: Flaw,
}

impl Misfit {
    /// The description contradicts itself or the sections.
    pub fn description(flaw: Flaw) -> Misfit {
        Misfit { name: Name { kind: Kind::Description, owner: 0 }, flaw }
    }
}

impl From<Misfit> for OpenError {
    fn from(Misfit { name, flaw: Flaw { found, expected } }: Misfit) -> OpenError {
        OpenError::Invalid { section: name.to_string(), found, expected }
    }
}

/// The lists of a file.
pub(crate) struct Lists<'a> {
    region: &'a Arc<Region>,
    entries: &'a [Entry],
    /// What was measured of each section; `None` where it is trusted.
    largest: Option<&'a [u32]>,
    /// How many there are of meshes and of heightfields, whose sections stand in this order.
    meshes: usize,
}

impl Lists<'_> {
    /// Where a section stands in the table, which was compared with the description.
    fn place(&self, Name { kind, owner }: Name) -> usize {
        let behind = |range: Range<usize>| {
            let kinds = Kind::some(range);
            owner as usize * kinds.len() + kinds.iter().position(|&other| other == kind).unwrap_or(0)
        };
        let of_meshes = Kind::OF_MESH.len() * self.meshes;
        match kind {
            Kind::Description => 0,
            Kind::Top => 1,
            Kind::Across | Kind::Down | Kind::Holes | Kind::Samples | Kind::Pyramid => {
                2 + of_meshes + behind(Kind::OF_FIELD)
            }
            _ => 2 + behind(Kind::OF_MESH),
        }
    }

    /// The list of a section.
    pub fn of<T: Pod>(&self, name: Name) -> Result<Stock<T>, Misfit> {
        let Range { start, end } = self.entries[self.place(name)].range();
        Stock::within(self.region, start, end).ok_or_else(|| {
            let found = format_args!("{} bytes", end - start).to_string();
            Misfit { name, flaw: Flaw::new(found, format_args!("a multiple of {}", size_of::<T>())) }
        })
    }

    /// Whether the lists have to be looked at.
    pub fn is_verified(&self) -> bool {
        self.largest.is_some()
    }

    /// The largest of a verified section's numbers, without signs where they are coordinates; 0 where there are none.
    pub fn largest(&self, name: Name) -> u32 {
        self.largest.map_or(0, |largest| largest[self.place(name)])
    }
}

/// A verified file.
pub(super) fn file(file: &File) -> Result<Saved, OpenError> {
    let found = file.metadata()?;
    if !found.is_file() {
        // A pipe has no length before it ends.
        let mut all = Vec::new();
        Read::take(file, HEADER as u64).read_to_end(&mut all)?;
        if all.len() == HEADER {
            // Nobody's length is that; what the header says itself is.
            let expected = match Header::read(&all, u64::MAX) {
                Err(OpenError::Length { expected, .. }) => expected,
                Err(error) => return Err(error),
                Ok(_) => u64::MAX,
            };
            Read::take(file, expected.saturating_sub(HEADER as u64).saturating_add(1))
                .read_to_end(&mut all)?;
        }
        return bytes(&all);
    }
    verified(&Source::new(file), found.len())
}

/// Verified bytes.
pub(super) fn bytes(bytes: &[u8]) -> Result<Saved, OpenError> {
    verified(&Source::Bytes(bytes), bytes.len() as u64)
}

/// What bytes come from.
enum Source<'a> {
    #[cfg(unix)]
    File(&'a File),
    /// Threads take turns where reading moves the place that all of them read at.
    #[cfg(not(unix))]
    File(std::sync::Mutex<&'a File>),
    Bytes(&'a [u8]),
}

impl<'a> Source<'a> {
    fn new(file: &'a File) -> Source<'a> {
        #[cfg(unix)]
        return Source::File(file);
        #[cfg(not(unix))]
        Source::File(std::sync::Mutex::new(file))
    }

    /// Reads the bytes from `at` on.
    fn read(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Source::File(file) => std::os::unix::fs::FileExt::read_exact_at(*file, into, at),
            #[cfg(not(unix))]
            Source::File(file) => {
                use std::io::Seek;
                let mut file = *file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                file.seek(io::SeekFrom::Start(at))?;
                file.read_exact(into)
            }
            Source::Bytes(bytes) => {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                let found = bytes.get(at..).and_then(|rest| rest.get(..into.len()));
                into.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

fn verified(source: &Source<'_>, length: u64) -> Result<Saved, OpenError> {
    let mut first = [0; HEADER];
    let first = &mut first[..length.min(HEADER as u64) as usize];
    source.read(0, first)?;
    let header = Header::read(first, length)?;
    let too_large = || OpenError::TooLarge { length };
    let mut table = Vec::new();
    table.try_reserve_exact(header.table_length()?).map_err(|_| too_large())?;
    table.resize(header.table_length()?, 0);
    source.read(HEADER as u64, &mut table)?;
    let entries = header.table(&table)?;

    let size = usize::try_from(length).map_err(|_| too_large())?;
    let pieces = pieces(&entries);
    let mut checked = Vec::new();
    let region = Region::filled(size, too_large, |bytes| {
        checked = fill(source, bytes, &entries, &pieces)?;
        Ok(())
    })?;
    let mut largest = vec![0; entries.len()];
    let mut checked = checked.into_iter().peekable();
    for (place, entry) in entries.iter().enumerate() {
        let own =
            core::iter::from_fn(|| checked.next_if(|(section, _)| *section == place).map(|(_, found)| found));
        let mut is_clean = true;
        let sum = checksum_of_pieces(own.map(|found| {
            largest[place] = largest[place].max(found.largest);
            is_clean &= found.is_clean;
            found.checksum
        }));
        if sum != entry.checksum || !is_clean {
            return Err(damaged(entry));
        }
    }
    build(region, &entries, Some(&largest))
}

/// A mapped file, whose large sections are left alone.
pub(super) fn trusted(region: Region) -> Result<Saved, OpenError> {
    let bytes = region.bytes();
    let header = Header::read(bytes, bytes.len() as u64)?;
    let table = &bytes[HEADER..][..header.table_length()?];
    let entries = header.table(table)?;
    for entry in entries.iter().filter(|entry| !entry.name.kind.is_large()) {
        if checksum_of_pieces(bytes[entry.range()].chunks(PIECE).map(checksum)) != entry.checksum {
            return Err(damaged(entry));
        }
    }
    build(region, &entries, None)
}

fn damaged(entry: &Entry) -> OpenError {
    OpenError::Damaged { section: entry.name.to_string(), from: entry.offset }
}

/// A part of a section that one checksum is of.
struct Piece {
    section: usize,
    kind: Kind,
    /// Where it lies in the file, with the zeroes behind the section.
    bytes: Range<u64>,
    /// Without those zeroes.
    length: usize,
}

/// All pieces of all sections, one behind the other.
fn pieces(entries: &[Entry]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (section, entry) in entries.iter().enumerate() {
        let (mut at, end) = (entry.offset, entry.offset + entry.length);
        while at < end {
            let length = (end - at).min(PIECE as u64);
            let next = if at + length == end { entry.next().unwrap_or(end) } else { at + length };
            pieces.push(Piece { section, kind: entry.name.kind, bytes: at..next, length: length as usize });
            at = next;
        }
    }
    pieces
}

/// What a piece says of itself.
struct Found {
    checksum: u64,
    largest: u32,
    /// Whether nothing but zeroes follows.
    is_clean: bool,
}

/// Reads all pieces, and looks at each while it is in cache.
fn fill(
    source: &Source<'_>,
    mut bytes: &mut [u8],
    entries: &[Entry],
    mut pieces: &[Piece],
) -> Result<Vec<(usize, Found)>, OpenError> {
    /// What is read at once, by one thread.
    struct Job<'a> {
        pieces: &'a [Piece],
        bytes: &'a mut [u8],
        found: Vec<(usize, Found)>,
        read: io::Result<()>,
    }
    let first = entries.first().map_or(0, |entry| entry.offset);
    bytes = &mut bytes[first as usize..];
    let mut jobs = Vec::new();
    while let Some(piece) = pieces.first() {
        let together = |other: &Piece| other.bytes.end - piece.bytes.start <= 2 * PIECE as u64;
        let count = pieces.iter().take_while(|other| together(other)).count().max(1);
        let (own, rest) = pieces.split_at(count);
        let length = own[count - 1].bytes.end - piece.bytes.start;
        let (own_bytes, rest_bytes) = bytes.split_at_mut(length as usize);
        jobs.push(Job { pieces: own, bytes: own_bytes, found: Vec::new(), read: Ok(()) });
        (pieces, bytes) = (rest, rest_bytes);
    }
    each(&mut jobs, &|job| {
        let start = job.pieces[0].bytes.start;
        job.read = source.read(start, job.bytes);
        job.found.extend(job.pieces.iter().map(|piece| {
            let own = &job.bytes[(piece.bytes.start - start) as usize..(piece.bytes.end - start) as usize];
            let (own, zeroes) = own.split_at(piece.length);
            let is_clean = zeroes.iter().all(|&zero| zero == 0);
            (piece.section, Found { checksum: checksum(own), largest: measure(piece.kind, own), is_clean })
        }));
    });
    let mut found = Vec::new();
    for job in jobs {
        job.read?;
        found.extend(job.found);
    }
    Ok(found)
}

/// The largest number of a piece, where something depends on it: bits of coordinates without their signs, so that what is no
/// number is larger than all that are, and numbers of vertices.
fn measure(kind: Kind, bytes: &[u8]) -> u32 {
    let words = || bytemuck::try_cast_slice::<u8, u32>(bytes).unwrap_or(&[]);
    match kind {
        // Signed numbers are compared eight at a time on more machines.
        Kind::Vertices | Kind::Uvs | Kind::Rows => {
            words().iter().fold(0i32, |most, &word| most.max((word & (u32::MAX >> 1)) as i32)) as u32
        }
        Kind::Triangles => words().iter().fold(0, |most, &word| most.max(word)),
        _ => 0,
    }
}

/// Puts everything together; `largest` has what was measured of a verified file.
fn build(region: Region, entries: &[Entry], largest: Option<&[u32]>) -> Result<Saved, OpenError> {
    let region = &Arc::new(region);
    let first = entries.first().filter(|entry| entry.name.kind == Kind::Description);
    let missing = || Misfit::description(Flaw::new("another section", "the description in the first place"));
    let told =
        Told::read(&region.bytes()[first.ok_or_else(missing)?.range()]).map_err(Misfit::description)?;
    told.compare(entries).map_err(Misfit::description)?;
    let Told { shapes, meshes, images, fields, notes: names, places } = told;

    let lists = Lists { region, entries, largest, meshes: meshes.len() };
    let behind = 2 + Kind::OF_MESH.len() * meshes.len() + Kind::OF_FIELD.len() * fields.len();
    let rest = entries[behind..].iter().map(|entry| &region.bytes()[entry.range()]);
    let images: Vec<Arc<[u8]>> = rest.clone().take(images).map(Arc::from).collect();
    let mut notes = Notes::new();
    for (name, content) in names.into_iter().zip(rest.skip(images.len())) {
        let refused = |error| Misfit::description(Flaw::refused("a note", error));
        notes.set(name, content).map_err(refused)?;
    }

    let meshes = all(meshes, |owner, told: mesh::Told| told.mesh(&lists, owner, &images))?;
    let fields = all(fields, |owner, told: heightfield::Told| told.field(&lists, owner))?;
    let geometry = |kind: u32, number: usize| match kind {
        MESH => meshes.get(number).map(Geometry::from),
        FIELD => fields.get(number).map(Geometry::from),
        _ => shapes.get(number).cloned(),
    };
    let slots = read_slots(places, geometry).map_err(Misfit::description)?;
    let top = read_top(slots, &lists)?;
    Ok(Saved { scene: Scene::new(Arc::new(top)), notes })
}

/// Makes something of each, several at once; the error is that of the first that fails.
fn all<T: Send, R: Send>(
    told: Vec<T>,
    make: impl Fn(u32, T) -> Result<R, Misfit> + Sync,
) -> Result<Vec<R>, Misfit> {
    let mut work: Vec<_> = (0u32..).zip(told).map(|(owner, told)| (owner, Some(told), None)).collect();
    each(&mut work, &|(owner, told, made)| *made = told.take().map(|told| make(*owner, told)));
    work.into_iter().filter_map(|(.., made)| made).collect()
}

/// The description.
struct Told<'a> {
    shapes: Vec<Geometry>,
    meshes: Vec<mesh::Told>,
    images: usize,
    fields: Vec<heightfield::Told>,
    notes: Vec<&'a str>,
    /// What stands where is told last.
    places: Reader<'a>,
}

impl<'a> Told<'a> {
    fn read(bytes: &'a [u8]) -> Result<Told<'a>, Flaw> {
        let mut from = Reader::new(bytes);
        let shapes = from.count("shapes", shapes::LEAST)?;
        let shapes = (0..shapes).map(|number| shapes::read(number, &mut from)).collect::<Result<_, _>>()?;
        let meshes = from.count("meshes", mesh::LEAST)?;
        let meshes = (0..meshes).map(|_| mesh::read(&mut from)).collect::<Result<_, _>>()?;
        let images = usize::try_from(from.u64()?).unwrap_or(usize::MAX);
        let fields = from.count("heightfields", heightfield::LEAST)?;
        let fields = (0..fields).map(|_| heightfield::read(&mut from)).collect::<Result<_, _>>()?;
        let mut notes: Vec<&str> = Vec::new();
        for _ in 0..from.count("notes", 8)? {
            let length = from.count("bytes of a name", 1)?;
            if !(1..=255).contains(&length) {
                return Err(Flaw::new(format_args!("the name of a note of {length} bytes"), "1 to 255"));
            }
            let name = str::from_utf8(from.take(length)?).map_err(|error| Flaw::refused("a name", error))?;
            if notes.last().is_some_and(|before| *before >= name) {
                return Err(Flaw::new(
                    format_args!("the note {name:?}"),
                    "notes in the order of their names",
                ));
            }
            notes.push(name);
        }
        Ok(Told { shapes, meshes, images, fields, notes, places: from })
    }

    /// Whether the table has the sections that all this needs, and no others.
    fn compare(&self, entries: &[Entry]) -> Result<(), Flaw> {
        let each = |kinds: &'static [Kind], count: usize| {
            (0..count).flat_map(move |owner| kinds.iter().map(move |&kind| (kind, owner)))
        };
        let expected = [(Kind::Description, 0), (Kind::Top, 0)].into_iter();
        let expected = expected.chain(each(Kind::some(Kind::OF_MESH), self.meshes.len()));
        let expected = expected.chain(each(Kind::some(Kind::OF_FIELD), self.fields.len()));
        let expected = expected.chain(each(&[Kind::Alpha], self.images));
        let mut expected = expected.chain(each(&[Kind::Note], self.notes.len()));
        for (row, entry) in entries.iter().enumerate() {
            let is_next = expected.next().is_some_and(|(kind, owner)| {
                entry.name.kind == kind && usize::try_from(entry.name.owner) == Ok(owner)
            });
            if !is_next {
                let found = format_args!("{} in row {row} of the table", entry.name).to_string();
                return Err(Flaw::new(found, "the sections that are described"));
            }
        }
        match expected.next() {
            None => Ok(()),
            Some((kind, owner)) => {
                let name = Name { kind, owner: owner as u32 };
                Err(Flaw::new(format_args!("{name} without a section"), "one"))
            }
        }
    }
}

/// What a slot has behind its generation and its kind: zeroes where there is no instance.
const PLACE: usize = 3 * 4 + 12 * 8;

fn read_slots(
    mut from: Reader<'_>,
    geometry: impl Fn(u32, usize) -> Option<Geometry>,
) -> Result<Slots, Flaw> {
    let mut slots = Slots::default();
    let count = from.count("slots", 2 * 4 + PLACE)?;
    if u32::try_from(count).is_err() {
        return Err(Flaw::new(format_args!("{count} slots"), "less than 2^32"));
    }
    for slot in 0..count {
        let generation = from.u32()?;
        let kind = from.code("an instance of kind", SHAPE)?;
        if kind == NOTHING {
            if from.take(PLACE)?.iter().any(|&byte| byte != 0) {
                return Err(Flaw::new(format_args!("a place in slot {slot}, which is empty"), "zeroes"));
            }
            slots.add(generation, None);
            continue;
        }
        let (number, mask, material) = (from.u32()?, from.u32()?, from.u32()?);
        let (rows, offset) = (from.f64s::<9>()?, from.f64s::<3>()?);
        let transform = Transform::new(DMat3::from_cols_array(&rows).transpose(), offset)
            .map_err(|error| Flaw::refused(format_args!("the instance in slot {slot}"), error))?;
        let Some(geometry) = geometry(kind, number as usize) else {
            let what = ["nothing", "mesh", "heightfield", "shape"][kind as usize];
            let found = format_args!("{what} {number} in slot {slot}").to_string();
            return Err(Flaw::new(found, "one that is described"));
        };
        slots.add(generation, Some(Instance { geometry, transform, mask, material, teleported: false }));
    }
    from.end()?;
    Ok(slots)
}

fn read_top(slots: Slots, lists: &Lists<'_>) -> Result<Top, Misfit> {
    let name = Name { kind: Kind::Top, owner: 0 };
    let misfit = |flaw| Misfit { name, flaw };
    let nodes: Stock<Node> = lists.of(name)?;
    let mut is_in = vec![false; slots.len()];
    check_nodes(&nodes, f32::MAX, &mut |slot| match is_in.get_mut(slot as usize) {
        Some(seen) if !*seen => {
            *seen = true;
            Ok(())
        }
        _ => Err(Flaw::new(
            format_args!("slot {slot}, or twice"),
            format_args!("each of {} once", slots.len()),
        )),
    })
    .map_err(misfit)?;
    let top = Top::of_nodes(slots, nodes.to_vec());
    match (0..is_in.len()).find(|&slot| is_in[slot] != top.has_box(slot)) {
        None => Ok(top),
        Some(slot) if is_in[slot] => {
            Err(misfit(Flaw::new(format_args!("slot {slot}"), "none that has no box")))
        }
        Some(slot) => {
            Err(misfit(Flaw::new(format_args!("no leaf of slot {slot}"), "one for what has a box")))
        }
    }
}

const _: () = assert!(size_of::<Node>() == super::layout::ALIGNMENT * 4);

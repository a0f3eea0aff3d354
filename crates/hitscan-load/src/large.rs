//! One mesh as large as they come.

use std::f64::consts::TAU;
use std::time::Instant;

use hitscan::{Build, Filter, Mesh, MeshError, Ray};
use hitscan_oracle::{Rng, TriMesh, all_hits_of_mesh, rng};

use crate::compare::{all_bits, expected_bits};
use crate::memory;

/// Answers of each kind that are held against brute force, which takes some seconds for each.
const CHECKED: usize = 10;

/// Builds a closed mesh of so many triangles, asks it, and fails where an answer is wrong or the process ever took more than
/// so many bytes.
pub fn run(triangles: usize, bytes: u64, rays: usize) -> Result<(), String> {
    let begin = Instant::now();
    let mesh = ring(triangles);
    let count = mesh.triangles.len();
    println!("{count} triangles, {} vertices: made in {:.1?}", mesh.vertices.len(), begin.elapsed());

    let needs = Build::bytes_for(mesh.vertices.len(), count);
    let refused = Mesh::build(Build::new().memory(needs - 1), mesh.vertices.clone(), mesh.triangles.clone());
    if refused.as_ref().err() != Some(&MeshError::Memory { needs, budget: needs - 1 }) {
        return Err(format!("a build in one byte less than its {needs} was not refused: {refused:?}"));
    }
    let begin = Instant::now();
    let built =
        Mesh::new(mesh.vertices.clone(), mesh.triangles.clone()).map_err(|error| error.to_string())?;
    println!(
        "built in {:.1?}; the process took {}, where a budget asks for {} beforehand, whatever the mesh",
        begin.elapsed(),
        memory::mib(memory::most()),
        memory::mib(Some(needs))
    );
    println!("its tree takes {:.1} bytes a triangle", built.stats().bytes as f64 / count as f64);

    let mut rng = Rng::new(rng::seed(2029));
    let questions: Vec<hitscan_oracle::Ray> = (0..rays).map(|_| question(&mesh, &mut rng)).collect();
    let asked: Vec<Ray> = questions
        .iter()
        .map(|ray| Ray::new(ray.origin, ray.dir).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    let begin = Instant::now();
    let closest = built.closest_batch(&asked, &Filter::ALL);
    let took = begin.elapsed();
    let hits = closest.iter().flatten().count();
    println!("closest: {rays} rays in {took:.1?}, {hits} hits");
    let begin = Instant::now();
    let lists = built.all_hits_batch(&asked, &Filter::ALL);
    println!("all hits: {rays} rays in {:.1?}, {} hits", begin.elapsed(), lists.hits().len());
    let occluded = built.occluded_batch(&asked, &Filter::ALL);

    for (number, ray) in asked.iter().enumerate() {
        let list = lists.get(number);
        if closest[number].as_ref() != list.first() || occluded[number] == list.is_empty() {
            return Err(format!("ray {number}: closest, occluded and all hits are of different minds"));
        }
        // A whole line is outside at both of its ends.
        let line = ray.with_range(f64::NEG_INFINITY, f64::INFINITY).map_err(|error| error.to_string())?;
        if number % 16 == 0 && built.all_hits(&line, &Filter::ALL).len() % 2 == 1 {
            return Err(format!("ray {number}: an odd number of crossings of a closed mesh"));
        }
    }
    let step = (rays / CHECKED).max(1);
    for (number, ray) in questions.iter().enumerate().step_by(step) {
        let expected: Vec<_> = all_hits_of_mesh(&mesh, ray).iter().map(expected_bits).collect();
        let found = all_bits(lists.get(number));
        if found != expected {
            return Err(format!("{ray:?}: {found:?}, by brute force {expected:?}"));
        }
        eprintln!("ray {number}: {} hits, as by brute force", found.len());
    }
    println!("{} rays equal brute force on bits", rays.div_ceil(step));
    let most = memory::most();
    println!("the process never took more than {}", memory::mib(most));
    match most {
        Some(most) if most > bytes => Err(format!("it took {most} bytes, where {bytes} are allowed")),
        Some(_) => Ok(()),
        None => Err("this system does not tell how much memory a process takes; Linux does".to_owned()),
    }
}

/// A ring whose tube is dented all over: closed, with edges that are shared by position.
fn ring(triangles: usize) -> TriMesh {
    let sides = ((triangles as f64 / 4.0).sqrt() as u32).max(3);
    let rings = ((triangles / 2) as u32 / sides).max(3);
    let vertices = (0..rings).flat_map(|ring| {
        (0..sides).map(move |side| {
            let (a, b) = (f64::from(ring) / f64::from(rings), f64::from(side) / f64::from(sides));
            let dent = 1.0
                + 0.1 * (TAU * 37.0 * a).sin() * (TAU * 23.0 * b).cos()
                + 0.003 * (TAU * 911.0 * (a + b)).sin();
            let tube = 0.4 * dent;
            let out = 1.0 + tube * (TAU * b).cos();
            [out * (TAU * a).cos(), out * (TAU * a).sin(), tube * (TAU * b).sin()].map(|x| x as f32)
        })
    });
    let corner = move |ring: u32, side: u32| ring % rings * sides + side % sides;
    let triangles = (0..rings).flat_map(|ring| {
        (0..sides).flat_map(move |side| {
            let [a, b] = [corner(ring, side), corner(ring + 1, side)];
            let [c, d] = [corner(ring + 1, side + 1), corner(ring, side + 1)];
            [[a, b, c], [a, c, d]]
        })
    });
    TriMesh::new("ring", vertices.collect(), triangles.collect())
}

/// A ray from outside or inside the ring's box, half of them exactly at a corner.
fn question(mesh: &TriMesh, rng: &mut Rng) -> hitscan_oracle::Ray {
    let target = if rng.one_in(2) {
        rng.in_cube(1.4)
    } else {
        mesh.vertices[rng.below(mesh.vertices.len())].map(f64::from)
    };
    hitscan_oracle::Ray::towards(rng.in_cube(2.0), target)
}

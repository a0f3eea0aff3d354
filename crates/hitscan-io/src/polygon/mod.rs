//! Polygons to triangles.
//!
//! A polygon of n corners is always n - 2 triangles, wound as it is. It stays the fan of its first corner where all
//! triangles of that face the same way: every convex one does, and so does a quad bent by less than a right angle.
//! Another one is seen along the axis that its area faces most, and ears are cut off it: triangles of three corners in a row
//! with nothing of the rest in them (Meisters: Polygons Have Ears, 1975). Signs are exact (Shewchuk: Adaptive Precision
//! Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997), so that an outline which only touches itself, such as
//! one that runs to a hole and back, is cut as well. Where rounding has moved it across itself, it is cut again with what is that near to
//! an edge on it. Corners on a line with their neighbours go last, as triangles without area.
//!
//! An outline is refused that winds more than once, fan or not, and one that crosses itself so that no ears are left or what is left faces
//! the other way. Another crossing is not told, such as that of the ends of a ring that overlap by less than an edge: what it covers
//! twice has triangles twice. Nor is it told that a polygon winds twice which turns back on itself somewhere.

mod ring;

use std::ops::RangeInclusive;

use hitscan::glam::{DVec2, DVec3};
use ring::{Ring, size};
use robust::{Coord, orient2d};

/// What cutting takes grows by the square of the corners: some 50 to 150 milliseconds for so many.
const MOST_CORNERS: usize = 4096;

/// What cutting may take over a whole file, in squares of corners: of 16 polygons of the longest, and more for each byte, which
/// is half a second for a megabyte. A polygon with vertices of its own has some 30 bytes a corner, and is within that up to 2000 corners.
const ALWAYS_ALLOWED: u64 = 16 * (MOST_CORNERS * MOST_CORNERS) as u64;
const ALLOWED_A_BYTE: u64 = 64;

/// What cutting may still take.
pub(crate) struct Allowance(u64);

impl Allowance {
    /// For all polygons of a file of so many bytes.
    pub fn for_file(bytes: usize) -> Allowance {
        Allowance(ALWAYS_ALLOWED + ALLOWED_A_BYTE * bytes as u64)
    }

    /// Takes what one polygon needs, if it is there.
    fn take(&mut self, corners: usize) -> Result<(), (String, &'static str)> {
        const EXPECTED: &str = "the squares of their corners add up to 2^28 and 64 for each byte of the file at most: cut them into \
            smaller ones";
        let Some(left) = self.0.checked_sub((corners * corners) as u64) else {
            return Err((format!("has {corners} corners and is not convex, as others before it"), EXPECTED));
        };
        self.0 = left;
        Ok(())
    }
}

/// Twice the area of a triangle that counts as none where no ear is left, as a part of the square of the polygon's size, and how near
/// to an edge is on it where no exact cut is left, as a part of the size: rounding a coordinate to `f32` changes no less.
const SLACK: f64 = 1.0 / (1 << 20) as f64;

/// What is expected of an outline.
const ONCE: &str = "it runs around one area, once";

/// Cuts a polygon whose triangles are the fan of its first corner; leaves those that are right as they are. Or what is wrong with
/// it, to be told behind its name, and what was expected.
#[inline]
pub(crate) fn cut(
    fan: &mut [[u32; 3]],
    position: impl Fn(u32) -> [f64; 3],
    allowance: &mut Allowance,
) -> Result<(), (String, &'static str)> {
    let at = |row: u32| DVec3::from(position(row));
    if let [[a, b, c], [_, _, d]] = *fan {
        // Most polygons are such quads.
        let [ab, ac, ad] = [b, c, d].map(|row| at(row) - at(a));
        if ab.cross(ac).dot(ac.cross(ad)) >= 0.0 {
            return Ok(());
        }
    }
    cut_any(fan, at, allowance)
}

fn cut_any(
    fan: &mut [[u32; 3]],
    at: impl Fn(u32) -> DVec3,
    allowance: &mut Allowance,
) -> Result<(), (String, &'static str)> {
    let normal = |&[a, b, c]: &[u32; 3]| (at(b) - at(a)).cross(at(c) - at(a));
    let area: DVec3 = fan.iter().map(normal).sum();
    let faces_one_way = area != DVec3::ZERO && fan.iter().all(|triangle| normal(triangle).dot(area) >= 0.0);
    // Within half a turn around its first corner, an outline does not come around again.
    let [first, second, _] = fan[0];
    let is_within_half =
        || fan.iter().all(|&[_, _, corner]| normal(&[first, second, corner]).dot(area) > 0.0);
    if faces_one_way && is_within_half() {
        return Ok(());
    }
    let size: DVec3 = fan.iter().map(|triangle| normal(triangle).abs()).sum();
    // Where the area is nothing, as that of two triangles that cross, their own areas tell the axis.
    let seen = (area.abs() + size * SLACK).to_array();
    let axis = (0..3).max_by(|&a, &b| seen[a].total_cmp(&seen[b])).unwrap_or_default();
    let (right, up) = match area[axis] < 0.0 {
        true => ((axis + 2) % 3, (axis + 1) % 3),
        false => ((axis + 1) % 3, (axis + 2) % 3),
    };
    let flat = |row: u32| Coord { x: at(row)[right], y: at(row)[up] };
    // What rounding has bent out of a line is no notch.
    let is_fan = fan.iter().all(|triangle| {
        let [a, b, c] = triangle.map(flat);
        orient2d(a, b, c) >= 0.0
    });
    // Where only its plane says otherwise, it is too narrow to be seen there.
    if faces_one_way && !is_fan {
        return Ok(());
    }
    let corners: Vec<u32> = fan[0].into_iter().chain(fan[1..].iter().map(|&[_, _, corner]| corner)).collect();
    let turns = turns(corners.iter().map(|&row| flat(row)).collect());
    if !turns.contains(&1) && is_flat(fan, &at) {
        let found = if *turns.start() > 1 { "winds more than once" } else { "crosses itself" };
        return Err((format!("has an outline that {found}"), ONCE));
    }
    if is_fan {
        return Ok(());
    }
    if corners.len() > MOST_CORNERS {
        let found = format!("has {} corners and is not convex", corners.len());
        return Err((found, "those with notches have 4096 at most: cut it into smaller ones"));
    }
    let mut cut = |slack| {
        allowance.take(corners.len())?;
        Ok(Ring::new(corners.iter().map(|&row| flat(row)).collect(), slack).cut())
    };
    let triangles = match cut(0.0)? {
        Some(triangles) => triangles,
        // Bent as far as that, it has no side to be seen from; one surface over its corners is as good as another.
        None if !is_flat(fan, &at) => return Ok(()),
        None => cut(SLACK)?.ok_or_else(|| ("has an outline that crosses itself".to_owned(), ONCE))?,
    };
    for (triangle, cut) in fan.iter_mut().zip(triangles) {
        *triangle = cut.map(|corner| corners[corner]);
    }
    Ok(())
}

/// Whether all corners are within a thousandth of the polygon's size from one plane.
fn is_flat(fan: &[[u32; 3]], at: impl Fn(u32) -> DVec3) -> bool {
    let normals = fan.iter().map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)));
    let normal = normals.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())).unwrap_or_default();
    let from_first = || fan.iter().flat_map(|&[a, b, c]| [at(b) - at(a), at(c) - at(a)]);
    let size = from_first().map(DVec3::length).fold(0.0, f64::max);
    from_first().all(|offset| offset.dot(normal).abs() <= 0.001 * size * normal.length())
}

/// How many turns an outline makes from its first edge to its first edge, at least and at most: one where it surrounds an area
/// once. Where it turns back on itself, as far as rounding tells, it may do so to either side.
fn turns(mut points: Vec<Coord<f64>>) -> RangeInclusive<i64> {
    points.dedup();
    while points.len() > 1 && points.first() == points.last() {
        points.pop();
    }
    let (near, count) = (size(&points) * SLACK, points.len());
    if count == 1 {
        return 1..=1; // nothing that would turn twice
    }
    // Whether a direction is one of the half turn that begins with +x; a turn is whole when it comes to that half again.
    let is_upper = |edge: DVec2| edge.y > 0.0 || (edge.y == 0.0 && edge.x > 0.0);
    let (mut most, mut tips) = (0, 0);
    for at in 0..count {
        let [a, b, c] = [0, 1, 2].map(|more| points[(at + more) % count]);
        let [before, behind] = [[a, b], [b, c]].map(|[from, to]| DVec2::new(to.x - from.x, to.y - from.y));
        let turn = orient2d(a, b, c);
        most += match (is_upper(before), is_upper(behind)) {
            (false, true) if turn >= 0.0 => 1,
            (true, false) if turn < 0.0 => -1,
            _ => 0,
        };
        if turn.abs() <= near * (before.length() + behind.length()) && before.dot(behind) < 0.0 {
            // To the left instead of to the right it is a whole turn more.
            most += i64::from(turn < 0.0);
            tips += 1;
        }
    }
    most - tips..=most
}

#[cfg(test)]
mod tests {
    use super::{Allowance, MOST_CORNERS};
    use hitscan_oracle::Rng;

    /// As the only polygon of a file.
    fn cut(fan: &mut [[u32; 3]], position: impl Fn(u32) -> [f64; 3]) -> Result<(), (String, &'static str)> {
        super::cut(fan, position, &mut Allowance::for_file(0))
    }

    /// Cuts an outline of x and y, and holds what every cut has to be: as many triangles as there should be, all wound as the
    /// outline is, with its area in total.
    fn cut_flat(outline: &[[f64; 2]]) -> Vec<[u32; 3]> {
        cut_within(outline, 1e-9)
    }

    /// The same where rounding has moved corners.
    fn cut_rounded(outline: &[[f64; 2]]) -> Vec<[u32; 3]> {
        cut_within(outline, 1e-4)
    }

    fn cut_within(outline: &[[f64; 2]], error: f64) -> Vec<[u32; 3]> {
        let mut fan: Vec<[u32; 3]> =
            (2..outline.len() as u32).map(|corner| [0, corner - 1, corner]).collect();
        let twice = |corners: [u32; 3]| twice_area(corners.map(|row| outline[row as usize]));
        let area: f64 = fan.iter().map(|&triangle| twice(triangle)).sum();
        let done = cut(&mut fan, |row| [outline[row as usize][0], outline[row as usize][1], 0.5]);
        assert_eq!(done, Ok(()), "{outline:?}");
        assert_eq!(fan.len(), outline.len() - 2);
        let areas: Vec<f64> = fan.iter().map(|&triangle| twice(triangle) * area.signum()).collect();
        assert!(areas.iter().all(|&area| area >= -error), "{outline:?}: {fan:?} have the areas {areas:?}");
        let sum: f64 = areas.iter().sum();
        assert!((sum - area.abs()).abs() <= error * area.abs(), "{outline:?}: {sum} for {area}");
        fan
    }

    #[test]
    fn what_a_fan_covers_stays_a_fan() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let arrow = [[0.0, 0.0], [2.0, -2.0], [0.0, 3.0], [-2.0, -2.0]];
        let with_middles = [[0.0, 0.0], [0.1, 0.0], [0.3, 0.0], [0.3, 0.3], [0.1, 0.3], [0.0, 0.3]];
        for outline in [&square[..], &arrow, &with_middles] {
            let fan = cut_flat(outline);
            assert!(
                fan.iter()
                    .enumerate()
                    .all(|(row, &[a, b, c])| [a, b, c] == [0, row as u32 + 1, row as u32 + 2])
            );
        }
        // Turned by a corner, the arrow is cut along its other diagonal.
        assert_eq!(cut_flat(&[arrow[1], arrow[2], arrow[3], arrow[0]]), [[3, 0, 1], [1, 2, 3]]);
    }

    /// Outlines that run along themselves, or come back to where they were.
    fn touching() -> Vec<Vec<[f64; 2]>> {
        // A square with a square hole, joined by a slit; the same with the slit along an edge of the hole.
        let hole = |bridge: [f64; 2], first: [f64; 2]| {
            let [x, y] = first;
            vec![
                [0.0, 0.0],
                [9.0, 0.0],
                [9.0, 9.0],
                [0.0, 9.0],
                bridge,
                first,
                [x, y + 3.0],
                [x + 3.0, y + 3.0],
                [x + 3.0, y],
                first,
                bridge,
            ]
        };
        vec![
            hole([0.0, 9.0], [3.0, 3.0]),
            hole([0.0, 3.0], [3.0, 3.0]),
            hole([0.0, 4.5], [0.0, 4.5]),
            // Whiskers to the outside and to the inside, a corner twice, a touch of an edge.
            vec![[0.0, 0.0], [4.0, 0.0], [6.0, -1.0], [4.0, 0.0], [4.0, 4.0], [3.0, 1.0], [0.0, 4.0]],
            vec![[0.0, 0.0], [4.0, 0.0], [2.0, 1.0], [4.0, 0.0], [4.0, 4.0], [3.0, 1.0], [0.0, 4.0]],
            vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [4.0, 4.0], [3.0, 1.0], [0.0, 4.0], [0.0, 4.0]],
            vec![[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [3.0, 4.0], [2.0, 0.0], [1.0, 4.0], [0.0, 4.0]],
        ]
    }

    #[test]
    fn outlines_that_touch_themselves_are_cut() {
        for outline in touching() {
            for first in 0..outline.len() {
                let mut turned = outline.clone();
                turned.rotate_left(first);
                cut_flat(&turned);
                turned.reverse();
                cut_flat(&turned);
            }
        }
    }

    /// Turned by so many degrees, and written with six decimals.
    fn turned(outline: &[[f64; 2]], degrees: u32) -> Vec<[f64; 2]> {
        let (sin, cos) = libm::sincos(f64::from(degrees).to_radians());
        let round = |value: f64| libm::round(value * 1e6) / 1e6;
        outline.iter().map(|&[x, y]| [x * cos - y * sin, x * sin + y * cos].map(round)).collect()
    }

    #[test]
    fn outlines_that_touch_themselves_but_for_rounding_are_cut() {
        let house = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [5.0, -1e-7], [0.0, 10.0]];
        let dart = [[0.0, 0.0], [10.0, 0.0], [10.0, 1.0], [5.0, -1e-7]];
        assert_eq!(cut_rounded(&house), [[1, 2, 3], [3, 4, 0], [0, 1, 3]]);
        assert_eq!(cut_rounded(&dart), [[1, 2, 3], [3, 0, 1]]);
        for degrees in 1..90 {
            for outline in [&house[..], &dart].into_iter().chain(touching().iter().map(Vec::as_slice)) {
                for first in 0..outline.len() {
                    let mut turned = turned(outline, degrees);
                    turned.rotate_left(first);
                    cut_rounded(&turned);
                }
            }
        }
    }

    #[test]
    fn stars_combs_and_spirals_are_cut() {
        let mut rng = Rng::new(41);
        for corners in [4, 5, 6, 9, 17, 60, 300] {
            for _ in 0..200 / corners + 3 {
                // Seen from the middle once around, at any distance; on a coarse grid, where many corners are on one line.
                let whole = rng.range(0.0, 1.0) < 0.5;
                let star: Vec<[f64; 2]> = (0..corners)
                    .map(|corner| {
                        let (sin, cos) = libm::sincos(corner as f64 / corners as f64 * std::f64::consts::TAU);
                        let radius = rng.range(1.0, 9.0);
                        let [x, y] = [cos, sin].map(|c| c * radius);
                        if whole { [x, y].map(|c| (c * 64.0).round()) } else { [x, y] }
                    })
                    .collect();
                if !whole || corners < 20 {
                    cut_flat(&star);
                }
                let tooth = |i: i32| [f64::from(i / 2), f64::from(i % 2) * rng.range(1.0, 4.0)];
                let comb: Vec<[f64; 2]> =
                    (0..corners).map(tooth).chain([[f64::from(corners), 9.0], [-1.0, 9.0]]).collect();
                cut_flat(&comb);
            }
            let arm = |i: i32, width: f64| {
                let (sin, cos) = libm::sincos(f64::from(i) * 0.4);
                [cos, sin].map(|c| c * (f64::from(i) + width))
            };
            let spiral: Vec<[f64; 2]> =
                (0..corners).map(|i| arm(i, 5.0)).chain((0..corners).rev().map(|i| arm(i, 0.0))).collect();
            cut_flat(&spiral);
        }
    }

    fn twice_area([a, b, c]: [[f64; 2]; 3]) -> f64 {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    /// Whether two triangles have no area in common, but for this error.
    fn are_apart(one: [[f64; 2]; 3], other: [[f64; 2]; 3], error: f64) -> bool {
        let is_behind = |triangle: [[f64; 2]; 3], side: usize, point: [f64; 2]| {
            twice_area([triangle[side], triangle[(side + 1) % 3], point]) <= error
        };
        [(one, other), (other, one)]
            .iter()
            .any(|&(a, b)| (0..3).any(|side| b.iter().all(|&point| is_behind(a, side, point))))
    }

    #[test]
    fn whatever_triangles_laid_side_by_side_make_is_cut_into_as_many() {
        let mut rng = Rng::new(7);
        for case in 0..4000 {
            // On grids so coarse that outlines touch themselves all the time.
            let point = |rng: &mut Rng| [(); 2].map(|()| rng.int(0, [3, 4, 6, 9][case % 4]) as f64);
            let first = [(); 3].map(|()| point(&mut rng));
            if twice_area(first) <= 0.0 {
                continue;
            }
            let (mut laid, mut outline) = (vec![first], first.to_vec());
            for _ in 0..rng.below(60) {
                let side = rng.below(outline.len());
                let new = [outline[(side + 1) % outline.len()], outline[side], point(&mut rng)];
                if twice_area(new) > 0.0 && laid.iter().all(|&other| are_apart(new, other, 0.0)) {
                    laid.push(new);
                    outline.insert(side + 1, new[2]);
                }
            }
            let turn = rng.below(outline.len());
            outline.rotate_left(turn);
            let is_apart = |cut: &[[u32; 3]], outline: &[[f64; 2]], error: f64| {
                let cut = cut.iter().map(|corners| corners.map(|row| outline[row as usize]));
                let cut: Vec<_> = cut.filter(|&one| twice_area(one) > error).collect();
                (0..cut.len()).all(|row| cut[..row].iter().all(|&other| are_apart(cut[row], other, error)))
            };
            assert!(is_apart(&cut_flat(&outline), &outline, 0.0), "{outline:?}");
            let turned = turned(&outline, 1 + case as u32 % 89);
            assert!(is_apart(&cut_rounded(&turned), &turned, 1e-4), "{turned:?}");
        }
    }

    fn cut_quad(corners: [[f64; 3]; 4]) -> Result<[[u32; 3]; 2], String> {
        let mut fan = [[0, 1, 2], [0, 2, 3]];
        cut(&mut fan, |row| corners[row as usize]).map(|()| fan).map_err(|(found, _)| found)
    }

    #[test]
    fn crossings_are_refused_where_there_is_a_plane_to_cross_in() {
        let fan = Ok([[0, 1, 2], [0, 2, 3]]);
        let crossing = Err("has an outline that crosses itself".to_owned());
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [4.0, 4.0, 1.0], [0.0, 4.0, 0.0]];
        assert_eq!(cut_quad([a, b, c, d]), fan);
        assert_eq!(cut_quad([a, c, b, d]), crossing);
        assert_eq!(cut_quad([a, b, d, c]), crossing);
        // Folded along both diagonals by more than a right angle.
        assert_eq!(cut_quad([a, [4.0, 0.0, 9.0], [0.5, 0.5, 0.0], [0.0, 4.0, 9.0]]), fan);
        // Without an area, and with one that rounding made.
        assert_eq!(cut_quad([a, a, a, a]), fan);
        assert!(cut_quad([a, [0.1, 0.1, 0.1], [0.3, 0.3, 0.3], [0.2, 0.2, 0.2]]).is_ok());
        assert!(cut_quad([a, [0.1, 0.2, 0.3], [0.3, 0.6, 0.9], [0.2, 0.4, 0.6]]).is_ok());
    }

    #[test]
    fn outlines_that_wind_twice_are_refused() {
        let square = |low: f64, high: f64| [[low, low], [high, low], [high, high], [low, high]];
        let [whole, shared, inner, around] =
            [(0.0, 9.0), (0.0, 4.0), (3.0, 6.0), (-1.0, 10.0)].map(|(low, high)| square(low, high));
        let ring = |corners: u32, step: u32| {
            let at = move |corner: u32| {
                libm::sincos(f64::from(corner * step) * std::f64::consts::TAU / f64::from(corners))
            };
            (0..corners).map(move |corner| [at(corner).1, at(corner).0]).collect::<Vec<_>>()
        };
        for outline in [
            // From a corner around a smaller square, inside and at that corner, and around a larger one.
            [&whole[..], &whole[..1], &inner, &inner[..1]].concat(),
            [whole, shared].concat(),
            [&whole[..], &whole[..1], &around, &around[..1]].concat(),
            [whole, whole].concat(),
            // Stars drawn in one go, and a circle twice.
            ring(5, 2),
            ring(7, 2),
            ring(9, 2),
            ring(11, 3),
            [ring(8, 1), ring(8, 1)].concat(),
        ] {
            let fan: Vec<[u32; 3]> =
                (2..outline.len() as u32).map(|corner| [0, corner - 1, corner]).collect();
            for first in 0..outline.len() {
                for degrees in [0, 31] {
                    let mut turned = turned(&outline, degrees);
                    turned.rotate_left(first);
                    let done =
                        cut(&mut fan.clone(), |row| [turned[row as usize][0], turned[row as usize][1], 0.5]);
                    assert!(
                        done.is_err_and(|(found, _)| found == "has an outline that winds more than once"),
                        "{turned:?}"
                    );
                }
            }
        }
        let point = [[1.0, 2.0, 3.0]; 5];
        assert_eq!(cut(&mut [[0, 1, 2], [0, 2, 3], [0, 3, 4]], |row| point[row as usize]), Ok(()));
        // The smaller square the other way around is a hole.
        cut_flat(&[&whole[..], &whole[..1], &[inner[0], inner[3], inner[2], inner[1]], &inner[..1]].concat());
    }

    #[test]
    fn the_longest_are_cut_in_time_and_longer_ones_refused() {
        for corners in [MOST_CORNERS, MOST_CORNERS + 1] {
            let outline: Vec<[f64; 3]> = (0..corners - 2)
                .map(|i| [(i / 2) as f64, (i % 2 * (1 + i % 7)) as f64, 0.0])
                .chain([[corners as f64, 99.0, 0.0], [-1.0, 99.0, 0.0]])
                .collect();
            let mut fan: Vec<[u32; 3]> = (2..corners as u32).map(|corner| [0, corner - 1, corner]).collect();
            let start = std::time::Instant::now();
            let done = cut(&mut fan, |row| outline[row as usize]);
            eprintln!("{corners} corners in {:?}", start.elapsed());
            assert_eq!(done.is_ok(), corners == MOST_CORNERS);
        }
    }
}

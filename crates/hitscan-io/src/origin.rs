//! Coordinates far from the origin: each mesh is stored around an `f64` origin of its own, where that keeps digits.
//!
//! A survey in UTM has northings of 5,000,000 m and details of 1 cm. As `f32` its coordinates would be off by 0.25 m;
//! around the middle of the survey they keep their centimetres, and the node's translation, in `f64`, gives the file's
//! coordinates back.
//!
//! Meshes near the origin, by the measure of their size, stay as the file has them. The meshes of one file share
//! its origin unless they are small beside their distance from it, so that pieces which touch still touch. What lies
//! together far from the file's origin, such as the tiles of a survey beside a marker at 0, shares one of its own, unless something else
//! reaches into it. A single mesh that has both the marker and the survey keeps 24 bits of how far they are apart.

use hitscan::{MAX_COORDINATE, Transform};

/// How many times its own size a file may lie away from 0 before it gets an origin, and what is far from that before it gets another:
/// 4 of the 24 bits of an `f32`. A survey of 300 km is past it by its northing of 5,000 km.
const FILE_REACH: f64 = 16.0;

/// The same for one mesh and the origin that it would share: 10 bits.
const MESH_REACH: f64 = 1024.0;

/// The box around some points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    low: [f64; 3],
    high: [f64; 3],
}

impl Extent {
    /// Of no point.
    pub const EMPTY: Extent = Extent { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// The box that holds this one and a point.
    pub fn include(&mut self, point: [f64; 3]) {
        for axis in 0..3 {
            // One instruction each, where `f64::min` takes three to keep a NaN out; readers let none in.
            self.low[axis] = if point[axis] < self.low[axis] { point[axis] } else { self.low[axis] };
            self.high[axis] = if point[axis] > self.high[axis] { point[axis] } else { self.high[axis] };
        }
    }

    /// The box of these points.
    pub fn of(points: impl IntoIterator<Item = [f64; 3]>) -> Extent {
        let mut extent = Extent::EMPTY;
        points.into_iter().for_each(|point| extent.include(point));
        extent
    }

    /// The box that holds all of these.
    pub fn around(boxes: impl IntoIterator<Item = Extent>) -> Extent {
        // An empty box has its low end above its high end, so that neither moves the sum.
        Extent::of(boxes.into_iter().filter(|one| *one != Extent::EMPTY).flat_map(|one| [one.low, one.high]))
    }

    /// Its longest side; 0 or less for a box without extent.
    fn size(&self) -> f64 {
        (0..3).map(|axis| self.high[axis] - self.low[axis]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// How far it reaches from a point along any axis.
    fn farthest(&self, from: [f64; 3]) -> f64 {
        (0..3).map(|axis| self.farthest_along(axis, from)).fold(f64::NEG_INFINITY, f64::max)
    }

    fn farthest_along(&self, axis: usize, from: [f64; 3]) -> f64 {
        (self.low[axis] - from[axis]).abs().max((self.high[axis] - from[axis]).abs())
    }

    /// Whether two boxes have a point in common.
    fn meets(&self, other: &Extent) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    /// An origin for coordinates that lie within this box, near `base`: `base` itself on each axis along which the
    /// box reaches no farther than `reach` times its size from it.
    fn origin(&self, base: [f64; 3], reach: f64) -> [f64; 3] {
        let size = self.size();
        if !(size > 0.0 && size.is_finite()) {
            return base;
        }
        // Whole steps of a power of two no smaller than the box: the origin has few digits, so that subtracting it
        // from a coordinate with few digits is exact. No smaller than 2^-200, which no `f32` tells from 0, so that 2^100
        // is a finite number of steps.
        let step = libm::exp2(libm::ceil(libm::log2(size)).max(-200.0));
        std::array::from_fn(|axis| {
            if self.farthest_along(axis, base) <= reach * size {
                return base[axis];
            }
            let middle = self.low[axis] + (self.high[axis] - self.low[axis]) * 0.5;
            libm::round(middle / step) * step
        })
    }
}

/// Where the coordinates of one mesh are counted from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Origin([f64; 3]);

impl Origin {
    /// For the only mesh of a file.
    pub fn of(mesh: &Extent) -> Origin {
        Origin(mesh.origin([0.0; 3], FILE_REACH))
    }

    /// For each mesh of a file.
    pub fn of_all(meshes: &[Extent]) -> Vec<Origin> {
        let file = Extent::around(meshes.iter().copied());
        let near = file.origin([0.0; 3], FILE_REACH);
        // What is small and near by the measure of the file is no part of what is far: a marker a few metres from 0.
        let is_far = |mesh: &Extent| {
            mesh.farthest(near) > FILE_REACH * mesh.size() && FILE_REACH * mesh.farthest(near) > file.size()
        };
        let (away, rest): (Vec<Extent>, Vec<Extent>) = meshes.iter().partition(|mesh| is_far(mesh));
        let group = Extent::around(away);
        let is_apart = !rest.iter().any(|mesh| mesh.meets(&group));
        let far = if is_apart { group.origin(near, FILE_REACH) } else { near };
        let of = |mesh: &Extent| mesh.origin(if is_far(mesh) { far } else { near }, MESH_REACH);
        meshes.iter().map(|mesh| Origin(of(mesh))).collect()
    }

    /// A point of the file in the frame of the mesh.
    pub fn local(self, point: [f64; 3]) -> [f32; 3] {
        std::array::from_fn(|axis| (point[axis] - self.0[axis]) as f32)
    }

    /// From the frame of the mesh to that of the file.
    pub fn transform(self) -> Transform {
        // Readers let no coordinate beyond 2^100 in; that is a whole number of steps, which no origin rounds beyond.
        debug_assert!(self.0.iter().all(|c| c.abs() <= MAX_COORDINATE), "{self:?}");
        Transform::translation(self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(low: [f64; 3], high: [f64; 3]) -> Origin {
        let extent = Extent::of([low, high]);
        let origin = Origin::of(&extent);
        assert_eq!(Origin::of_all(&[extent]), [origin]);
        origin
    }

    #[test]
    fn what_is_near_stays_as_it_is() {
        assert_eq!(alone([-1.0; 3], [1.0; 3]), Origin([0.0; 3]));
        assert_eq!(alone([9.0; 3], [10.0; 3]), Origin([0.0; 3]));
        assert_eq!(alone([5e6; 3], [5e6; 3]), Origin([0.0; 3]), "a point has no size to measure by");
    }

    #[test]
    fn a_survey_keeps_its_millimetres() {
        let (low, high) = ([466_000.0, 5_244_000.0, 120.0], [467_000.0, 5_245_000.0, 480.0]);
        let origin = alone(low, high);
        assert_eq!(origin, Origin([466_944.0, 5_244_928.0, 0.0]));
        for point in [low, high, [466_123.456, 5_244_321.987, 233.125]] {
            let back = origin.transform().point(origin.local(point).map(f64::from)).to_array();
            for axis in 0..3 {
                assert!((back[axis] - point[axis]).abs() < 1e-4, "{back:?} for {point:?}");
            }
        }
    }

    #[test]
    fn pieces_of_a_file_share_its_origin_unless_they_are_tiny() {
        let file = Extent::of([[500_000.0, 0.0, 0.0], [501_000.0, 900.0, 50.0]]);
        let wall = Extent::of([[500_003.0, 20.0, 1.0], [500_009.0, 20.5, 4.0]]);
        let screw = Extent::of([[500_003.0, 20.0, 1.0], [500_003.01, 20.0, 1.0]]);
        let origins = Origin::of_all(&[file, wall, screw]);
        assert_eq!(origins[..2], [Origin([500_736.0, 0.0, 0.0]); 2]);
        let Origin([x, y, z]) = origins[2];
        assert!((x - 500_003.005).abs() < 0.02 && (y - 20.0).abs() < 0.02 && z == 0.0, "{x} {y} {z}");
    }

    #[test]
    fn surveys_beside_a_marker_keep_their_millimetres_however_wide() {
        for side in [1e3, 1e4, 2e4, 3e4, 1e5] {
            let marker = Extent::of([[20.0, 30.0, 0.0], [21.0, 31.0, 1.0]]);
            let tile = |number: f64| {
                let west = 466_000.0 + side * number;
                Extent::of([[west, 5_244_000.0, 120.0], [west + side, 5_244_000.0 + side, 480.0]])
            };
            // A mesh of one point in the midst holds nothing.
            let point = Extent::of([[466_500.0, 5_244_500.0, 200.0]]);
            for tiles in [vec![tile(0.0)], vec![tile(0.0), point], [0.0, 1.0, 2.0].map(tile).to_vec()] {
                let origins = Origin::of_all(&[&[marker], &tiles[..]].concat());
                assert_eq!(origins[0], Origin([0.0; 3]), "{side}");
                assert_eq!(
                    origins[1..],
                    vec![Origin::of(&Extent::around(tiles)); origins.len() - 1],
                    "{side}"
                );
            }
        }
    }

    #[test]
    fn what_reaches_into_a_group_that_is_far_holds_it_at_the_origin() {
        // A hall from the origin on, a wall and a chair in it, and a shed beyond.
        let hall = Extent::of([[0.0; 3], [1000.0, 30.0, 9.0]]);
        let [wall, chair, shed] = [(960.0, 30.0), (980.0, 1.0), (3000.0, 30.0)]
            .map(|(x, size)| Extent::of([[x, 0.0, 0.0], [x + size, size, 1.0]]));
        assert_eq!(Origin::of_all(&[hall, wall, chair]), [Origin([0.0; 3]); 3]);
        assert_ne!(Origin::of_all(&[hall, shed])[1], Origin([0.0; 3]));
    }

    #[test]
    fn extremes_have_origins() {
        let huge = MAX_COORDINATE;
        for (low, high) in [
            ([-huge; 3], [huge; 3]),
            ([huge * (1.0 - 1e-9), 0.0, 0.0], [huge, 1.0, 1.0]),
            ([1e-300; 3], [1.1e-300; 3]),
            ([1.0; 3], [1.0 + 1e-16, 1.0 + 3e-16, 1.0]),
            ([huge, 0.0, -huge], [huge, 5e-324, -huge]),
            ([1e30, 0.0, 0.0], [1e30, 1e-300, 1e-300]),
        ] {
            let origin = alone(low, high);
            assert_eq!(origin.transform().offset().to_array(), origin.0, "{low:?} {high:?}");
            assert!(origin.local(low).iter().all(|c| c.is_finite()), "{low:?} {high:?}: {origin:?}");
        }
    }
}

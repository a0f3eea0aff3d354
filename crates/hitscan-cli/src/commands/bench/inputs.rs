//! Rays, triangles and frames of solids, from a seed: the same on every platform.

use hitscan::Ray;
use hitscan::glam::{DMat3, DVec3};
use hitscan::shape::Triangle;

/// What the inputs are made to be hard in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Random,
    Edges,
    Grazing,
    Slivers,
    Far,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Kind; 5] = [Kind::Random, Kind::Edges, Kind::Grazing, Kind::Slivers, Kind::Far];

    /// The head of its column.
    pub fn name(self) -> &'static str {
        ["random", "edges", "grazing", "slivers", "far"][self as usize]
    }

    /// Where the shapes lie, whose size is about 1.
    pub fn place(self, rng: &mut Rng) -> DVec3 {
        rng.vector() * if self == Kind::Far { 1e6 } else { 1.0 }
    }
}

/// How thin slivers are.
pub const THIN: f64 = 1e-9;

/// Random numbers (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `[low, high)`.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// 1 or -1.
    pub fn sign(&mut self) -> f64 {
        if self.bits() & 1 == 0 { 1.0 } else { -1.0 }
    }

    /// 0, 1 or 2.
    pub fn axis(&mut self) -> usize {
        (self.bits() % 3) as usize
    }

    /// A point in the cube from -1 to 1.
    pub fn vector(&mut self) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|_| self.range(-1.0, 1.0)))
    }

    /// A direction, of length 1 up to rounding.
    pub fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (1e-4..=1.0).contains(&v.length_squared()) {
                return v / v.length();
            }
        }
    }
}

/// A ray towards a place, from a few units away.
pub fn towards(target: DVec3, rng: &mut Rng) -> Option<Ray> {
    let origin = target + rng.unit() * rng.range(2.0, 6.0);
    Ray::new(origin, target - origin).ok()
}

/// A triangle that is hard, in the way asked for, for a ray that was made by [`towards`] with this target.
pub fn triangle(kind: Kind, ray: &Ray, target: DVec3, rng: &mut Rng) -> Option<Triangle> {
    // Near the target, so that the line passes it at another t each time.
    let through = target + ray.dir() * rng.range(-0.2, 0.2);
    let near = |rng: &mut Rng| through + rng.vector();
    let corners = match kind {
        Kind::Random => passed(near(rng), near(rng), through, rng),
        Kind::Edges | Kind::Far => {
            let a = near(rng);
            [a, through + (through - a) * rng.range(0.2, 2.0), near(rng)]
        }
        Kind::Grazing => {
            // All corners almost in one plane with the ray.
            let (along, across) = (ray.dir() / ray.dir().length(), rng.unit());
            let tilt = along.cross(across) * 2f64.powi(-(rng.range(20.0, 50.0) as i32));
            let corner = |rng: &mut Rng| {
                let way = rng.vector();
                through + along * way.x + across * way.y + tilt * way.z
            };
            passed(corner(rng), corner(rng), through, rng)
        }
        Kind::Slivers => {
            let a = rng.unit();
            let c = a * rng.range(-1.0, 1.0) + rng.vector() * THIN;
            [through + a, through - a * rng.range(0.2, 2.0) + rng.vector() * THIN, through + c]
        }
    };
    let [a, b, c] = corners;
    Triangle::new(a, b, c).ok()
}

/// Corners A and B, and C such that a place lies within the triangle, or beside it: its weights are below 0 in two corners
/// half of the time.
fn passed(a: DVec3, b: DVec3, through: DVec3, rng: &mut Rng) -> [DVec3; 3] {
    let (u, v) = (rng.range(0.1, 0.5), rng.range(0.1, 0.5));
    let w = (1.0 - u - v).max(0.1) * rng.sign();
    [a, b, through + ((through - a) * u + (through - b) * v) / w]
}

/// A box in space: what boxes and hulls are made of, and where rays and points are aimed at them.
pub struct Frame {
    pub centre: DVec3,
    pub axes: DMat3,
    pub half: DVec3,
}

impl Frame {
    /// A frame; its axes are those of space, or turned.
    pub fn new(kind: Kind, turned: bool, rng: &mut Rng) -> Frame {
        let mut half = DVec3::from_array(std::array::from_fn(|_| rng.range(0.3, 1.0)));
        if kind == Kind::Slivers {
            half[rng.axis()] = THIN;
        }
        let axes = if turned {
            let x = rng.unit();
            let side = x.cross(rng.unit());
            let y = side / side.length();
            DMat3::from_cols(x, y, x.cross(y))
        } else {
            DMat3::IDENTITY
        };
        Frame { centre: kind.place(rng), axes, half }
    }

    /// A point by its coordinates along the axes, in units of half the size.
    pub fn point(&self, local: DVec3) -> DVec3 {
        self.centre + self.axes * (local * self.half)
    }

    /// A point on an edge, as it is rounded; of its middle, which corner planes leave.
    pub fn on_edge(&self, rng: &mut Rng) -> DVec3 {
        let along = rng.axis();
        let mut local = DVec3::from_array(std::array::from_fn(|_| rng.sign()));
        local[along] = rng.range(-0.3, 0.3);
        self.point(local)
    }

    /// A point of a face's plane, inside the face or not, as it is rounded, and the face's axis.
    pub fn on_face(&self, reach: f64, rng: &mut Rng) -> (DVec3, usize) {
        let axis = rng.axis();
        let mut local = rng.vector() * reach;
        local[axis] = rng.sign();
        (self.point(local), axis)
    }

    /// A ray at the box.
    pub fn ray(&self, kind: Kind, rng: &mut Rng) -> Option<Ray> {
        match kind {
            Kind::Random => towards(self.point(rng.vector() * 1.6), rng),
            Kind::Grazing => {
                let (origin, axis) = self.on_face(4.0, rng);
                let mut way = rng.vector() * 4.0;
                way[axis] = 0.0;
                Ray::new(origin, self.axes * way).ok()
            }
            _ => towards(self.on_edge(rng), rng),
        }
    }

    /// A point at the box.
    pub fn aimed(&self, kind: Kind, rng: &mut Rng) -> DVec3 {
        match kind {
            Kind::Random => self.point(rng.vector() * 1.2),
            Kind::Grazing => self.on_face(1.0, rng).0,
            _ => self.on_edge(rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_published_sequence() {
        let mut rng = Rng::new(1234567);
        assert_eq!([rng.bits(), rng.bits()], [6457827717110365317, 3203168211198807973]);
    }

    #[test]
    fn aimed_rays_pass_within_rounding_of_edges() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let target = rng.vector();
            let ray = towards(target, &mut rng).expect("a ray");
            let triangle = triangle(Kind::Edges, &ray, target, &mut rng).expect("a triangle");
            let weights = crate::truth::ray_triangle(&ray, &triangle).weights;
            assert!(weights[2].abs() < 1e-13, "{weights:?}");
        }
    }
}

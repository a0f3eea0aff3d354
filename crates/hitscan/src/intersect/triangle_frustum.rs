//! Triangle and frustum: whether they share a point.
//!
//! On the triangle, the height over each plane is linear in the weights of the corners, so that planes and edges alike are
//! half-planes of the weights: nine of them at most. What they leave is a convex polygon, and one that is not empty has a corner
//! where two of the lines cross. So the crossings of all pairs are tried against the others, a determinant each, with its exact sign. It
//! needs no corners of the frustum, which may have no end.

use core::cell::OnceCell;

use glam::DVec3;

use crate::exact::{Big, Bounded, Number, Vector, cross, dot, sign};
use crate::shape::frustum::{SIDES, height};
use crate::shape::{Frustum, Triangle};

/// Whether a triangle and a solid frustum have a point in common. Touching counts, and so does a triangle inside. Exact for the
/// planes as `f64` has them; a triangle whose corners lie on a line is the segment, or the point, that they are.
///
/// ```
/// use hitscan::Camera;
/// use hitscan::intersect::triangle_frustum;
/// use hitscan::shape::Triangle;
/// let view = Camera::look_at([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 90.0)?.view([480, 480])?;
/// let right = view.frustum([240.0, 0.0], [480.0, 480.0])?; // where 0 <= x <= depth
/// let pane = |x: f64| Triangle::new([x, 0.0, -4.0], [x - 1.0, 0.5, -4.0], [x - 1.0, -0.5, -4.0]);
/// assert!(triangle_frustum(&pane(0.0)?, &right)); // touches it
/// assert!(!triangle_frustum(&pane(-1e-300)?, &right));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn triangle_frustum(triangle: &Triangle, frustum: &Frustum) -> bool {
    triangle_frustum_from(triangle, frustum, frustum.about())
}

/// The same of a triangle as seen from a point that stands for the frustum's own.
pub(crate) fn triangle_frustum_from(triangle: &Triangle, frustum: &Frustum, from: DVec3) -> bool {
    let corners = triangle.corners();
    let quick = Weights::<Bounded>::new(corners, frustum, from);
    let weights = Exact { corners, frustum, from, quick, exact: OnceCell::new() };
    let mut is_out = [false; 3];
    for plane in 3..3 + frustum.planes().len() {
        let quick = weights.quick.lines[plane];
        let below =
            [0, 1, 2].map(|corner| sign(quick[corner], || weights.exact().lines[plane][corner]).is_lt());
        if below == [true; 3] {
            return false;
        }
        is_out = [0, 1, 2].map(|corner| is_out[corner] || below[corner]);
    }
    if is_out != [true; 3] {
        return true;
    }
    let count = 3 + frustum.planes().len();
    (0..count).any(|i| (i + 1..count).any(|j| weights.crossing_is_inside(i, j, count)))
}

/// Half-planes of the weights of a triangle's corners: the three edges, then the planes of a frustum. Each is a linear function, by
/// its values at the corners, that is not below 0 inside.
struct Weights<N> {
    lines: [Vector<N>; 3 + SIDES],
}

impl<N: Number> Weights<N> {
    fn new(corners: [DVec3; 3], frustum: &Frustum, from: DVec3) -> Weights<N> {
        let planes = frustum.planes();
        Weights {
            lines: core::array::from_fn(|line| {
                core::array::from_fn(|corner| match line.checked_sub(3) {
                    None => N::from(if line == corner { 1.0 } else { 0.0 }),
                    Some(plane) => match planes.get(plane) {
                        Some(plane) => height(plane, corners[corner], from),
                        None => N::from(0.0),
                    },
                })
            }),
        }
    }

    /// The weights where two lines cross, times a factor.
    fn crossing(&self, i: usize, j: usize) -> Vector<N> {
        cross(&self.lines[i], &self.lines[j])
    }

    /// How far inside of a line a crossing lies, times its factor.
    fn inside(&self, line: usize, crossing: &Vector<N>) -> N {
        dot(&self.lines[line], crossing)
    }
}

/// The factor of a crossing: what the weights add up to.
fn factor<N: Number>([a, b, c]: &Vector<N>) -> N {
    (*a + *b) + *c
}

/// The same with exact signs.
struct Exact<'a> {
    corners: [DVec3; 3],
    frustum: &'a Frustum,
    from: DVec3,
    quick: Weights<Bounded>,
    exact: OnceCell<Weights<Big>>,
}

impl Exact<'_> {
    fn exact(&self) -> &Weights<Big> {
        self.exact.get_or_init(|| Weights::new(self.corners, self.frustum, self.from))
    }

    /// Whether two lines cross at a point that all the others have inside.
    fn crossing_is_inside(&self, i: usize, j: usize, count: usize) -> bool {
        let quick = self.quick.crossing(i, j);
        let without_rounding = OnceCell::new();
        let exact = || without_rounding.get_or_init(|| self.exact().crossing(i, j));
        let side_of_factor = sign(factor(&quick), || factor(exact()));
        side_of_factor.is_ne()
            && (0..count).filter(|&line| line != i && line != j).all(|line| {
                let side = sign(self.quick.inside(line, &quick), || self.exact().inside(line, exact()));
                side.is_eq() || side == side_of_factor
            })
    }
}

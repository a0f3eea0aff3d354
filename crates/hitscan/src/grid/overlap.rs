//! The cells that a triangle touches, by halving the box of cells around it and leaving out the halves that some plane parts
//! from it.
//!
//! The planes are those of Akenine-Moeller, Fast 3D Triangle-Box Overlap Testing, 2001: the box's own sides, the
//! triangle's plane, and those that hold an edge and run along an axis. A touch must never be missed, while one too many
//! only costs time, so boxes are taken a little larger than they are.

use core::ops::Range;

use super::axes::Axes;

/// By how much boxes grow on each side, in units of the grid's longest side: 2^-24. It covers the rounding of the box's middle,
/// at most 2^-53 of the largest coordinate, since two `f32` that differ do so by 2^-25 of themselves or more, and that
/// of products along an edge, 2^-51 of the longest side.
const GROWTH: f64 = 1.0 / (1u32 << 24) as f64;

/// A normal below this part of the square of the longest edge is not trusted: 2^-24. Above, its rounding, 2^-52 of that square,
/// moves a plane by less than [`GROWTH`].
const THIN: f64 = 1.0 / (1u32 << 24) as f64;

type Layers = [Range<usize>; 3];

pub(super) struct Overlap<'a> {
    axes: &'a Axes,
    growth: f64,
}

struct Shape {
    corners: [[f64; 3]; 3],
    edges: [[f64; 3]; 3],
    /// None for a sliver.
    normal: Option<[f64; 3]>,
}

impl<'a> Overlap<'a> {
    pub fn new(axes: &'a Axes) -> Self {
        let side = |axis: usize| match axes.planes(axis) {
            [low, .., high] => f64::from(*high) - f64::from(*low),
            _ => 0.0,
        };
        Overlap { axes, growth: GROWTH * side(0).max(side(1)).max(side(2)) }
    }

    /// Calls `visit` for each cell that the triangle may touch, until it says no; gives what it said last.
    pub fn each_cell(&self, corners: [[f32; 3]; 3], visit: &mut dyn FnMut(usize) -> bool) -> bool {
        let shape = Shape::new(corners.map(|corner| corner.map(f64::from)));
        let layers: Layers = core::array::from_fn(|axis| {
            let of = |i: usize| shape.corners[i][axis];
            let (low, high) = (of(0).min(of(1)).min(of(2)), of(0).max(of(1)).max(of(2)));
            let planes = self.axes.planes(axis);
            let ends_below = planes[1..].partition_point(|&plane| f64::from(plane) + self.growth < low);
            let begin =
                planes[..planes.len() - 1].partition_point(|&plane| f64::from(plane) - self.growth <= high);
            ends_below..begin
        });
        self.descend(&shape, layers, visit)
    }

    fn descend(&self, shape: &Shape, layers: Layers, visit: &mut dyn FnMut(usize) -> bool) -> bool {
        if layers.iter().any(Range::is_empty) || self.is_apart(shape, &layers) {
            return true;
        }
        let longest =
            (1..3).fold(0, |best, axis| if layers[axis].len() > layers[best].len() { axis } else { best });
        let Range { start, end } = layers[longest];
        if end - start == 1 {
            return visit(self.axes.number([layers[0].start, layers[1].start, layers[2].start]));
        }
        let middle = start + (end - start) / 2;
        [start..middle, middle..end].into_iter().all(|half| {
            let mut layers = layers.clone();
            layers[longest] = half;
            self.descend(shape, layers, visit)
        })
    }

    /// Whether a plane runs between the triangle and the box of these cells.
    fn is_apart(&self, shape: &Shape, layers: &Layers) -> bool {
        let (mut middle, mut half) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let planes = self.axes.planes(axis);
            let (low, high) = (f64::from(planes[layers[axis].start]), f64::from(planes[layers[axis].end]));
            middle[axis] = low + (high - low) * 0.5;
            half[axis] = (high - low) * 0.5 + self.growth;
        }
        let corners = shape.corners.map(|corner| sub(corner, middle));
        for axis in 0..3 {
            let along = corners.map(|corner| corner[axis]);
            if apart(along, half[axis]) {
                return true;
            }
        }
        if let Some(normal) = shape.normal {
            let reach = (0..3).map(|axis| half[axis] * normal[axis].abs()).sum::<f64>();
            if dot(normal, corners[0]).abs() > reach {
                return true;
            }
        }
        shape.edges.iter().any(|edge| {
            (0..3).any(|axis| {
                let (k, l) = ((axis + 1) % 3, (axis + 2) % 3);
                let across = corners.map(|corner| edge[k] * corner[l] - edge[l] * corner[k]);
                apart(across, half[l] * edge[k].abs() + half[k] * edge[l].abs())
            })
        })
    }
}

impl Shape {
    fn new(corners: [[f64; 3]; 3]) -> Shape {
        let [a, b, c] = corners;
        let edges = [sub(b, a), sub(c, b), sub(a, c)];
        let [e, _, g] = edges;
        let normal = [g[1] * e[2] - g[2] * e[1], g[2] * e[0] - g[0] * e[2], g[0] * e[1] - g[1] * e[0]];
        let largest = |v: &[f64]| v.iter().fold(0.0f64, |m, c| m.max(c.abs()));
        let longest = largest(edges.as_flattened());
        let is_sound = largest(&normal) > THIN * (longest * longest);
        Shape { corners, edges, normal: is_sound.then_some(normal) }
    }
}

/// Whether three numbers all lie beyond `reach` on one side of zero.
fn apart([a, b, c]: [f64; 3], reach: f64) -> bool {
    a.min(b).min(c) > reach || a.max(b).max(c) < -reach
}

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

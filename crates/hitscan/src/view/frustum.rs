//! From a part of a picture to the part of the world that is drawn there.

use alloc::vec::Vec;

use glam::DVec3;

use super::{Linear, View, finite};
use crate::error::PickError;
use crate::shape::Frustum;
use crate::shape::frustum::Far;

/// A straight line in a picture: `a x + b y + c`, above 0 on its inner side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    a: f64,
    b: f64,
    c: f64,
}

impl Line {
    /// Positive where `x` is above a number.
    pub fn right_of(x: f64) -> Line {
        Line { a: 1.0, b: 0.0, c: -x }
    }

    /// Positive where `y` is above a number: further down.
    pub fn below(y: f64) -> Line {
        Line { a: 0.0, b: 1.0, c: -y }
    }

    /// Positive where the way from one point to another has turned right for: below a line from left to right.
    pub fn through(from: [f64; 2], to: [f64; 2]) -> Line {
        let (a, b) = (from[1] - to[1], to[0] - from[0]);
        Line { a, b, c: -(a * from[0] + b * from[1]) }
    }

    /// Positive ahead of a point, on the way to another.
    pub fn ahead(from: [f64; 2], to: [f64; 2]) -> Line {
        let (a, b) = (to[0] - from[0], to[1] - from[1]);
        Line { a, b, c: -(a * from[0] + b * from[1]) }
    }

    pub fn turned(self) -> Line {
        Line { a: -self.a, b: -self.b, c: -self.c }
    }
}

impl View {
    /// What is drawn in the rectangle between two opposite corners, in the unit of cursors, from the near plane to the far one, if
    /// there is one; that of the whole window is what the view shows at all, for culling.
    ///
    /// # Errors
    /// As [`View::ray`], and [`PickError::Area`] for corners on one vertical or horizontal line.
    ///
    /// ```
    /// use hitscan::Camera;
    /// let view = Camera::look_at([0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0)?.view([640, 480])?;
    /// let window = view.frustum([0.0, 0.0], [640.0, 480.0])?;
    /// assert!(window.contains([0.0, 4.9, 0.0]) && !window.contains([0.0, 5.1, 0.0]));
    /// let error = view.frustum([9.0, 9.0], [9.0, 80.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "both corners have the same x; a selection needs an area");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frustum(&self, corner: [f64; 2], opposite: [f64; 2]) -> Result<Frustum, PickError> {
        finite(corner)?;
        finite(opposite)?;
        let [left, top] = [0, 1].map(|i| corner[i].min(opposite[i]));
        let [right, bottom] = [0, 1].map(|i| corner[i].max(opposite[i]));
        if left == right {
            return Err(PickError::Area { what: "both corners have the same x" });
        }
        if top == bottom {
            return Err(PickError::Area { what: "both corners have the same y" });
        }
        let lines = [
            Line::right_of(left),
            Line::right_of(right).turned(),
            Line::below(top),
            Line::below(bottom).turned(),
        ];
        self.piece([[left, top], [right, top], [right, bottom], [left, bottom]], lines)
    }

    /// What is drawn between up to four lines, at four corners where they meet.
    pub(super) fn piece(
        &self,
        corners: [[f64; 2]; 4],
        lines: impl IntoIterator<Item = Line>,
    ) -> Result<Frustum, PickError> {
        let sides = lines.into_iter().map(|line| self.plane(line));
        let (near, far) = self.edges(corners)?;
        Ok(Frustum::new(
            self.eye,
            sides.chain([self.lens.near]).chain(self.lens.far),
            near,
            far,
            self.lens.near,
        ))
    }

    /// The wall that is drawn as the line between two points: without thickness.
    pub(super) fn wall(&self, from: [f64; 2], to: [f64; 2]) -> Result<Frustum, PickError> {
        let line = Line::through(from, to);
        let lines = [line, line.turned(), Line::ahead(from, to), Line::ahead(to, from)];
        self.piece([from, to, to, from], lines)
    }

    /// The part of the near plane, or of the far one, that ends a piece.
    pub(super) fn caps(&self, piece: &Frustum) -> Vec<Frustum> {
        let ends = [Some(self.lens.near), self.lens.far];
        let sides = piece.planes().iter().copied();
        ends.into_iter()
            .zip([0, 4])
            .filter_map(|(plane, first)| {
                let plane = plane?;
                let corners = piece.corners(0.0);
                let [a, b, d, c] = [0, 1, 2, 3].map(|i| corners[first + i]);
                let end = [a, b, c, d];
                let inner =
                    sides.clone().filter(|side| *side != self.lens.near && Some(*side) != self.lens.far);
                let planes = inner.chain([plane, plane.mixed(-1.0, plane, 0.0)]);
                Some(Frustum::new(self.eye, planes, end, Far::Corners(end), self.lens.near))
            })
            .collect()
    }

    /// The plane that is drawn as a line.
    fn plane(&self, line: Line) -> Linear {
        self.lens.x.mixed(line.a, self.lens.y, line.b).mixed(1.0, self.lens.w, line.c)
    }

    /// Where the rays of four pixels begin and end, as seen from the eye.
    fn edges(&self, pixels: [[f64; 2]; 4]) -> Result<([DVec3; 4], Far), PickError> {
        let (mut near, mut far, mut along) = ([DVec3::ZERO; 4], [DVec3::ZERO; 4], [DVec3::ZERO; 4]);
        for (i, pixel) in pixels.into_iter().enumerate() {
            let ray = self.ray(pixel)?;
            near[i] = ray.origin() - self.eye;
            far[i] = near[i] + ray.dir() * ray.t_max();
            along[i] = ray.dir() / self.lens.near.slope.dot(ray.dir());
        }
        let ends = if self.lens.far.is_some() { Far::Corners(far) } else { Far::Endless(along) };
        Ok((near, ends))
    }
}

//! What the corners of a triangle say of a point on it: colours, texture coordinates, temperatures.

use glam::{DVec2, DVec3, DVec4, Vec2, Vec3, Vec4};

use crate::error::AttributeError;
use crate::hit::Hit;
use crate::mesh::Mesh;
use crate::shape::plane::unit;

/// A value that is given for each corner of a triangle and has one between them: `f32`, `f64`, vectors and arrays of such.
///
/// ```
/// use hitscan::Attribute;
/// assert_eq!(Attribute::mix([[1.0f32, 0.0], [0.0, 8.0], [0.0, 0.0]], [0.5, 0.25, 0.25]), [0.5, 2.0]);
/// ```
pub trait Attribute: Copy {
    /// What comes out: the same in `f64`.
    type Mixed;
    /// `(w0 * a + w1 * b) + w2 * c` in `f64`, component by component.
    fn mix(corners: [Self; 3], weights: [f64; 3]) -> Self::Mixed;
}

impl Attribute for f64 {
    type Mixed = f64;
    fn mix([a, b, c]: [f64; 3], [w, u, v]: [f64; 3]) -> f64 {
        (w * a + u * b) + v * c
    }
}

impl Attribute for f32 {
    type Mixed = f64;
    fn mix(corners: [f32; 3], weights: [f64; 3]) -> f64 {
        f64::mix(corners.map(f64::from), weights)
    }
}

impl<T: Attribute, const N: usize> Attribute for [T; N] {
    type Mixed = [T::Mixed; N];
    fn mix(corners: [[T; N]; 3], weights: [f64; 3]) -> [T::Mixed; N] {
        core::array::from_fn(|i| T::mix(corners.map(|corner| corner[i]), weights))
    }
}

macro_rules! attribute_vectors {
    ($($vector:ty => $mixed:ty),* $(,)?) => {$(
        impl Attribute for $vector {
            type Mixed = $mixed;
            fn mix(corners: [$vector; 3], weights: [f64; 3]) -> $mixed {
                Attribute::mix(corners.map(|corner| corner.to_array()), weights).into()
            }
        }
    )*};
}

attribute_vectors!(
    Vec2 => DVec2, Vec3 => DVec3, Vec4 => DVec4, DVec2 => DVec2, DVec3 => DVec3, DVec4 => DVec4,
);

impl Hit {
    /// The value at the hit between those at the corners A, B and C of its triangle, by its barycentrics:
    /// `((1 - u - v) a + u b) + v c` in `f64`, the same formula as the hit's position. On a shape, which has no corners, that of A.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]])?;
    /// let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -1.0])?;
    /// let hit = mesh.closest(&ray, &Filter::ALL).expect("there is a triangle");
    /// assert_eq!(hit.interpolate([0.0, 8.0, 16.0]), 10.0);
    /// assert_eq!(hit.interpolate([[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0]]), [0.25, 0.5]); // texture coordinates
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "barycentric interpolation")]
    pub fn interpolate<T: Attribute>(&self, corners: [T; 3]) -> T::Mixed {
        T::mix(corners, [(1.0 - self.u) - self.v, self.u, self.v])
    }
}

impl Mesh {
    /// The value at a hit on this mesh between those of its vertices, which `per_vertex` holds in their order. The hit may come
    /// from a scene: `scene.get(hit.instance)` has the mesh.
    ///
    /// # Errors
    /// [`AttributeError::Count`] for a list that is not as long as that of the vertices, and [`AttributeError::Prim`] for a
    /// hit on a triangle that this mesh does not have.
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let quad = Mesh::new(
    ///     [[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]],
    ///     [[0u32, 1, 2], [0, 2, 3]],
    /// )?;
    /// let hit = quad.closest(&Ray::new([1.0, 3.0, 6.0], [0.0, 0.0, -1.0])?, &Filter::ALL).expect("the quad is there");
    /// let texture = [[0.0f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    /// assert_eq!(quad.interpolate(&hit, &texture)?, [0.25, 0.75]);
    /// let error = quad.interpolate(&hit, &texture[..3]).unwrap_err().to_string();
    /// assert_eq!(error, "3 values for a mesh of 4 vertices; each vertex needs one");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "vertex attributes")]
    pub fn interpolate<T: Attribute>(&self, hit: &Hit, per_vertex: &[T]) -> Result<T::Mixed, AttributeError> {
        Ok(hit.interpolate(self.at_corners(hit, per_vertex)?))
    }

    /// The unit vector along which the first texture coordinate grows and the second stays at a hit, in the mesh's own frame: the tangent
    /// of normal maps, for [`Hit::frame_along`]. Of a hit in a scene, the instance's matrix takes it to the world. `None` where the triangle
    /// has no area, in space or in the texture.
    ///
    /// # Errors
    /// As [`Mesh::interpolate`].
    ///
    /// ```
    /// use hitscan::{Filter, Mesh, Ray};
    /// let quad = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0]], [[0u32, 1, 2]])?;
    /// let hit = quad.closest(&Ray::new([3.0, 1.0, 6.0], [0.0, 0.0, -1.0])?, &Filter::ALL).expect("the triangle is there");
    /// let sideways = [[0.0f32, 0.0], [0.0, -1.0], [1.0, -1.0]]; // u runs upwards
    /// let tangent = quad.tangent(&hit, &sideways)?.expect("the texture has an area");
    /// assert_eq!(tangent.to_array(), [0.0, 1.0, 0.0]);
    /// assert_eq!(hit.frame_along(tangent).bitangent.to_array(), [-1.0, 0.0, 0.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tangent(&self, hit: &Hit, texture: &[[f32; 2]]) -> Result<Option<DVec3>, AttributeError> {
        let [p, q, r] = self.at_corners(hit, texture)?.map(|uv| uv.map(f64::from));
        let [a, b, c] = self.at_corners(hit, self.vertices())?.map(|p| DVec3::from(p.map(f64::from)));
        let (second, third) = (r[1] - p[1], q[1] - p[1]);
        let area = (q[0] - p[0]) * second - (r[0] - p[0]) * third;
        let along = (b - a) * second - (c - a) * third;
        let along = if area < 0.0 { -along } else { along };
        let (flat, sound) = ((b - a).cross(c - a) == DVec3::ZERO, area != 0.0 && area.is_finite());
        if flat || !sound || !along.is_finite() {
            return Ok(None);
        }
        Ok(unit(along).ok())
    }

    /// What a list has for the corners of a hit's triangle.
    fn at_corners<T: Copy>(&self, hit: &Hit, per_vertex: &[T]) -> Result<[T; 3], AttributeError> {
        let (found, expected) = (per_vertex.len(), self.vertices().len());
        if found != expected {
            return Err(AttributeError::Count { found, expected });
        }
        let triangles = self.triangles();
        let triangle = triangles.get(hit.prim as usize);
        let triangle = triangle.ok_or(AttributeError::Prim { prim: hit.prim, triangles: triangles.len() })?;
        // The mesh has checked its indices.
        Ok(triangle.map(|index| per_vertex[index as usize]))
    }
}

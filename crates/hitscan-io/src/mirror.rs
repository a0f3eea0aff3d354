//! Nodes that mirror what they show.
//!
//! glTF 2.0 (The Khronos Group, 2021, 3.7.4) turns the winding of a mesh around where its node's global transform has a negative determinant, and
//! FBX is shown so as well: a solid whose one half is the mirrored other is seen from outside on both. Hits call that side the front from which
//! corners run counter-clockwise in the world, so such a node shows a mesh of its own: the other's mirror image in x = 0, wound so that its outside is
//! outside, and placed by what is left of the transform, which mirrors no more. Every vertex stands in the world where it stood, to the bit.

use hitscan::Transform;
use hitscan::glam::{DAffine3, DMat3, DVec3};

use crate::model::Draft;

/// From a mirror image to what it is the image of, and back.
pub(crate) const MIRROR: DAffine3 =
    DAffine3 { matrix3: DMat3::from_cols(DVec3::NEG_X, DVec3::Y, DVec3::Z), translation: DVec3::ZERO };

/// Makes a mesh its mirror image. The order of its triangles and vertices stays; each triangle has its second and third corner swapped.
pub(crate) fn mesh(draft: &mut Draft) {
    for [x, _, _] in &mut draft.vertices {
        *x = 0.0 - *x; // never -0
    }
    for [_, b, c] in &mut draft.triangles {
        std::mem::swap(b, c);
    }
}

/// Where the mirror image of a mesh has to stand.
pub(crate) fn placement(of_mesh: &Transform) -> Transform {
    let placed = DAffine3 { matrix3: of_mesh.matrix(), translation: of_mesh.offset() } * MIRROR;
    // Other signs in a column change nothing that is checked.
    Transform::try_from(placed).unwrap_or(*of_mesh)
}

//! The law sentence by sentence, each with a case made by hand.

use hitscan_oracle::brute::{Hit, Placed, all_hits, all_hits_of_mesh};
use hitscan_oracle::entry::Placement;
use hitscan_oracle::{Ray, TriMesh};

fn mesh(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> TriMesh {
    TriMesh::new("case", vertices.to_vec(), triangles.to_vec())
}

/// Two triangles of the square from 0 to 4 in the plane z = 0; 0 is below the diagonal, 1 above.
fn square() -> TriMesh {
    mesh(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]], &[[0, 1, 2], [0, 2, 3]])
}

fn down(x: f64, y: f64) -> Ray {
    Ray::new([x, y, 1.0], [0.0, 0.0, -1.0])
}

fn prims(hits: &[Hit]) -> Vec<u32> {
    hits.iter().map(|hit| hit.prim).collect()
}

fn prims_of(mesh: &TriMesh, ray: &Ray) -> Vec<u32> {
    prims(&all_hits_of_mesh(mesh, ray))
}

#[test]
fn the_recipe_gives_t_and_barycentrics() {
    let hits = all_hits_of_mesh(&square(), &Ray::new([3.0, 1.0, 6.0], [0.0, 0.0, -2.0]));
    assert_eq!(hits, [Hit { t: 3.0, u: 0.5, v: 0.25, prim: 0, instance: 0, front: true }]);
}

#[test]
fn t_is_never_minus_zero() {
    for dir in [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]] {
        let hits = all_hits_of_mesh(&square(), &Ray::new([3.0, 1.0, 0.0], dir));
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].t.to_bits(), 0);
    }
}

#[test]
fn a_shared_edge_is_hit_once_by_the_ray_moved_along_x_then_y() {
    // Downwards kz = 2 with a negative direction: kx = 1, so the ray moves along +y, above the diagonal.
    assert_eq!(prims_of(&square(), &down(2.0, 2.0)), [1]);
    // Upwards kx = 0: it moves along +x, below the diagonal.
    assert_eq!(prims_of(&square(), &Ray::new([2.0, 2.0, -1.0], [0.0, 0.0, 1.0])), [0]);
}

#[test]
fn the_second_step_decides_where_the_first_runs_along_the_edge() {
    // Halves of a strip that meet in the line y = 1; upwards kx = x runs along it, so ky = y decides: the upper.
    let strip =
        mesh(&[[0.0, 1.0, 0.0], [4.0, 1.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0]], &[[0, 2, 1], [0, 1, 3]]);
    assert_eq!(prims_of(&strip, &Ray::new([2.0, 1.0, -1.0], [0.0, 0.0, 1.0])), [1]);
}

#[test]
fn the_largest_axis_is_the_lowest_on_ties() {
    // Along (1, 1, 0) kz = 0 and kx = 1: the sheared plane is (y, z), and the ray moves along +y. The triangles meet in
    // a vertical edge through it.
    let wall = mesh(
        &[[2.0, 2.0, -1.0], [2.0, 2.0, 1.0], [2.0, 6.0, 0.0], [2.0, -2.0, 0.0]],
        &[[0, 2, 1], [0, 1, 3]],
    );
    assert_eq!(prims_of(&wall, &Ray::new([0.0, 0.0, 0.0], [1.0, 1.0, 0.0])), [0]);
}

#[test]
fn det_zero_is_never_accepted() {
    let ray = Ray::new([-1.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(prims_of(&square(), &ray), []);
}

#[test]
fn a_ray_inside_a_border_edge_hits() {
    for (x, y, prim) in [(2.0, 0.0, 0), (4.0, 1.0, 0), (1.0, 4.0, 1), (0.0, 3.0, 1)] {
        assert_eq!(prims_of(&square(), &down(x, y)), [prim], "({x}, {y})");
        for outside in [1.0 + 1e-6, 1.0 - 1e-6] {
            let (x, y) = (2.0 + (x - 2.0) * outside, 2.0 + (y - 2.0) * outside);
            assert_eq!(prims_of(&square(), &down(x, y)).is_empty(), outside > 1.0, "({x}, {y})");
        }
    }
}

#[test]
fn a_border_edge_belongs_to_all_copies_of_its_triangle() {
    let mut copies = square();
    copies.triangles.push([2, 1, 0]);
    assert_eq!(prims_of(&copies, &down(2.0, 0.0)), [0, 2]);
    assert_eq!(prims_of(&copies, &down(4.0, 0.0)), [0, 2], "its corner too");
    assert_eq!(prims_of(&copies, &down(3.0, 1.0)), [0, 2]);
    assert_eq!(
        prims_of(&copies, &down(2.0, 2.0)),
        [1],
        "the diagonal is no border, and is decided by the move"
    );
}

#[test]
fn an_edge_is_known_by_its_positions() {
    let apart = square().unshared();
    for (x, y) in [(2.0, 2.0), (0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (2.0, 0.0)] {
        assert_eq!(prims_of(&apart, &down(x, y)), prims_of(&square(), &down(x, y)), "({x}, {y})");
    }
}

#[test]
fn a_triangle_that_repeats_a_corner_does_not_count_as_a_neighbour() {
    let mut mesh = square();
    mesh.triangles.push([0, 1, 0]);
    assert_eq!(prims_of(&mesh, &down(2.0, 0.0)), [0]);
    assert_eq!(prims_of(&mesh, &down(0.0, 0.0)), prims_of(&square(), &down(0.0, 0.0)));
}

#[test]
fn a_zero_area_triangle_counts_as_a_neighbour() {
    // The upper rim is stitched to a collinear triangle, which is seen from its side and cannot be hit itself.
    let mut mesh = square();
    mesh.vertices.push([2.0, 4.0, 0.0]);
    mesh.triangles.push([3, 4, 2]);
    assert_eq!(prims_of(&square(), &down(1.0, 4.0)), [1]);
    assert_eq!(prims_of(&mesh, &down(1.0, 4.0)), [], "no border: the stitch uses the edge too");
    assert_eq!(prims_of(&mesh, &down(0.0, 4.0)), [1], "an end of the stitch's own borders");
    assert_eq!(prims_of(&mesh, &down(2.0, 4.0)), [], "no triangle with an area has this corner");
}

#[test]
fn a_border_corner_is_hit_once_by_the_lowest() {
    // Downwards the ray moves along +y and then +x: off the square at (4, 4), where both triangles meet.
    assert_eq!(prims_of(&square(), &down(4.0, 4.0)), [0]);
    let mut swapped = square();
    swapped.triangles.swap(0, 1);
    assert_eq!(prims_of(&swapped, &down(4.0, 4.0)), [0]);
    assert_eq!(prims_of(&square(), &down(4.0, 0.0)), [0]);
    assert_eq!(prims_of(&square(), &down(0.0, 4.0)), [1]);
}

#[test]
fn nothing_is_added_on_a_corner_where_the_moved_ray_hits() {
    // At (0, 0) the ray moves into triangle 1 of the square; triangle 0 has the same corner and gets nothing.
    assert_eq!(prims_of(&square(), &down(0.0, 0.0)), [1]);
}

#[test]
fn geometry_is_decided_before_the_interval() {
    // Two sheets meet in a border corner; the moved ray takes the far one, which the interval then leaves out.
    let sheets = mesh(
        &[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, -4.0], [-4.0, 0.0, 1.0], [-4.0, -4.0, 1.0]],
        &[[0, 3, 4], [0, 1, 2]],
    );
    let ray = down(0.0, 0.0);
    let all = prims_of(&sheets, &ray);
    assert_eq!(all.len(), 1);
    assert_eq!(prims_of(&sheets, &ray.within(2.0, 3.0)), []);
}

#[test]
fn a_silhouette_gives_none_or_a_pair() {
    // A roof whose ridge y = 2 the ray along x grazes: it belongs to two triangles on the same side of it.
    let roof = |low: f32| {
        mesh(&[[1.0, 2.0, -4.0], [1.0, 2.0, 4.0], [0.0, low, 0.0], [3.0, low, 0.0]], &[[0, 1, 2], [1, 0, 3]])
    };
    let ray = Ray::new([-5.0, 2.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(prims_of(&roof(0.0), &ray), [], "moved along +y, above the roof");
    assert_eq!(prims_of(&roof(4.0), &ray).len(), 2, "moved along +y, into the gutter");
}

#[test]
fn the_interval_is_closed() {
    let at = |low: f64, high: f64| prims_of(&square(), &down(3.0, 1.0).within(low, high)).len();
    assert_eq!((at(0.0, 1.0), at(1.0, 2.0), at(1.0, 1.0)), (1, 1, 1));
    assert_eq!((at(0.0, 1.0f64.next_down()), at(1.0f64.next_up(), 2.0)), (0, 0));
    assert_eq!((at(-2.0, -1.0), at(f64::NEG_INFINITY, f64::INFINITY)), (0, 1));
}

#[test]
fn hits_are_ordered_by_t_then_instance_then_prim() {
    let two = square().with(&square());
    let at_depth = |z: f64| Placement { translation: [0.0, 0.0, z], ..Placement::IDENTITY };
    let world =
        [at_depth(-1.0), at_depth(0.0), at_depth(0.0)].map(|placement| Placed { mesh: &two, placement });
    let order: Vec<(u32, u32, f64)> =
        all_hits(&world, &down(3.0, 1.0)).iter().map(|hit| (hit.instance, hit.prim, hit.t)).collect();
    let expected = [(1, 0, 1.0), (1, 2, 1.0), (2, 0, 1.0), (2, 2, 1.0), (0, 0, 2.0), (0, 2, 2.0)];
    assert_eq!(order, expected);
}

#[test]
fn a_mirror_keeps_the_winding_of_the_world() {
    let mirror =
        Placement { matrix: [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ..Placement::IDENTITY };
    let square = square();
    let hits = all_hits(&[Placed { mesh: &square, placement: mirror }], &down(-3.0, 1.0));
    // In world space the corners now run clockwise seen from above.
    assert_eq!(prims(&hits), [0]);
    assert!(!hits[0].front);
}

#[test]
fn unused_vertices_count_for_the_reach() {
    // From 100 away the square's own reach moves the origin; a stray vertex at 1000 does not.
    let ray = Ray::new([1.0 / 3.0, 0.1, 100.0], [0.01, 0.02, -1.0]);
    let mut stray = square();
    stray.vertices.push([1000.0, 0.0, 0.0]);
    let t = |mesh: &TriMesh| all_hits_of_mesh(mesh, &ray)[0].t;
    assert_eq!(t(&stray), 100.0);
    assert!((t(&square()) - 100.0).abs() < 1e-4);
}

//! From a cursor to a ray: a point that is drawn at a cursor lies on that cursor's ray, whatever the projection.

use hitscan::glam::dcamera::{lh, rh};
use hitscan::glam::{DMat4, DVec3};
use hitscan::{Camera, CameraError, DepthRange, PickError, Viewport};
use hitscan_oracle::rng::{Rng, seed};

const LEFT_TOP: [f64; 2] = [30.0, 7.0];
const SIZE: [f64; 2] = [1280.0, 720.0];

/// A projection with its name, its depth range, which hand it is for, and whether its far plane is finite.
struct Lens {
    name: &'static str,
    depth: DepthRange,
    left_handed: bool,
    finite: bool,
    matrix: DMat4,
}

const NEAR: f64 = 0.25;
const FAR: f64 = 400.0;

fn lenses() -> Vec<Lens> {
    use DepthRange::{MinusOneToOne, OneToZero, ZeroToOne};
    let (fov, aspect) = (1.1, SIZE[0] / SIZE[1]);
    let lens = |name, depth, left_handed, finite, matrix| Lens { name, depth, left_handed, finite, matrix };
    vec![
        lens(
            "perspective_rh",
            ZeroToOne,
            false,
            true,
            rh::proj::directx::perspective(fov, aspect, NEAR, FAR),
        ),
        lens("perspective_lh", ZeroToOne, true, true, lh::proj::directx::perspective(fov, aspect, NEAR, FAR)),
        lens(
            "perspective_rh_gl",
            MinusOneToOne,
            false,
            true,
            rh::proj::opengl::perspective(fov, aspect, NEAR, FAR),
        ),
        lens(
            "infinite_rh",
            ZeroToOne,
            false,
            false,
            rh::proj::directx::perspective_infinite(fov, aspect, NEAR),
        ),
        lens(
            "infinite_lh",
            ZeroToOne,
            true,
            false,
            lh::proj::directx::perspective_infinite(fov, aspect, NEAR),
        ),
        lens(
            "infinite_reverse_rh",
            OneToZero,
            false,
            false,
            rh::proj::directx::perspective_infinite_reverse(fov, aspect, NEAR),
        ),
        lens(
            "infinite_reverse_lh",
            OneToZero,
            true,
            false,
            lh::proj::directx::perspective_infinite_reverse(fov, aspect, NEAR),
        ),
        lens("reverse_rh", OneToZero, false, true, rh::proj::directx::perspective(fov, aspect, FAR, NEAR)),
        lens(
            "frustum_rh",
            ZeroToOne,
            false,
            true,
            rh::proj::directx::frustum(-0.1, 0.3, -0.2, 0.1, NEAR, FAR),
        ),
        lens(
            "orthographic_rh",
            ZeroToOne,
            false,
            true,
            rh::proj::directx::orthographic(-8.0, 9.0, -5.0, 6.0, NEAR, FAR),
        ),
        lens(
            "orthographic_lh",
            ZeroToOne,
            true,
            true,
            lh::proj::directx::orthographic(-8.0, 9.0, -5.0, 6.0, NEAR, FAR),
        ),
        lens(
            "orthographic_rh_gl",
            MinusOneToOne,
            false,
            true,
            rh::proj::opengl::orthographic(-8.0, 9.0, -5.0, 6.0, NEAR, FAR),
        ),
        lens(
            "orthographic reversed",
            OneToZero,
            false,
            true,
            rh::proj::directx::orthographic(-8.0, 9.0, -5.0, 6.0, FAR, NEAR),
        ),
    ]
}

fn viewport(depth: DepthRange) -> Viewport {
    Viewport::new(LEFT_TOP, SIZE, depth).expect("a sound viewport")
}

/// A camera somewhere within `reach`, turned at random, that also mirrors the world where it is left-handed.
fn view(rng: &mut Rng, reach: f64, left_handed: bool) -> DMat4 {
    let eye = DVec3::from(rng.in_cube(reach));
    let (dir, up) = (DVec3::from(rng.direction()), DVec3::from(rng.direction()));
    if left_handed { lh::view::look_to_mat4(eye, dir, up) } else { rh::view::look_to_mat4(eye, dir, up) }
}

/// A point in the picture between both planes, in the camera's frame, and how far it lies from the near plane.
fn seen(rng: &mut Rng, lens: &Lens) -> (DVec3, f64) {
    let depth = NEAR * (FAR / NEAR).powf(rng.unit());
    let forward = if lens.left_handed { 1.0 } else { -1.0 };
    let wide = if lens.matrix.w_axis.w == 0.0 { depth } else { 5.0 };
    let aside = |rng: &mut Rng| rng.range(-0.9, 0.9) * wide;
    (DVec3::new(aside(rng), aside(rng), forward * depth), depth - NEAR)
}

/// Where a point of the camera's frame is drawn.
fn cursor_of(lens: &Lens, point: DVec3) -> [f64; 2] {
    let drawn = lens.matrix.project_point3(point);
    [LEFT_TOP[0] + (drawn.x + 1.0) / 2.0 * SIZE[0], LEFT_TOP[1] + (1.0 - drawn.y) / 2.0 * SIZE[1]]
}

#[test]
fn the_ray_of_a_cursor_passes_through_what_is_drawn_there() {
    let mut rng = Rng::new(seed(41));
    for lens in lenses() {
        for round in 0..500 {
            let view = view(&mut rng, 20.0, lens.left_handed);
            let (point, ahead) = seen(&mut rng, &lens);
            let ray = viewport(lens.depth).ray(cursor_of(&lens, point), &view, &lens.matrix);
            let ray = ray.unwrap_or_else(|error| panic!("{} {round}: {error}", lens.name));
            let world = view.inverse().transform_point3(point);
            let t = (world - ray.origin()).dot(ray.dir());
            let off = (ray.at(t) - world).length();
            assert!(off <= 1e-9, "{} {round}: {off:e} beside {point}", lens.name);
            assert!(t >= ahead - 1e-9 && t <= ray.t_max() + 1e-9, "{} {round}: t = {t}", lens.name);
            assert!((ray.dir().length() - 1.0).abs() < 1e-15 && ray.t_min() == 0.0, "{}", lens.name);
        }
    }
}

#[test]
fn the_bound_holds_far_from_the_origin_of_coordinates() {
    let mut rng = Rng::new(seed(42));
    for reach in [1.0, 1e6, 1e12] {
        for lens in lenses() {
            for round in 0..200 {
                let view = view(&mut rng, reach, lens.left_handed);
                let (point, _) = seen(&mut rng, &lens);
                let ray = viewport(lens.depth).ray(cursor_of(&lens, point), &view, &lens.matrix);
                let ray = ray.unwrap_or_else(|error| panic!("{} {round}: {error}", lens.name));
                // In the camera's frame, where the place of the point is not rounded.
                let origin = view.transform_point3(ray.origin());
                let dir = view.transform_vector3(ray.dir());
                let off = (point - origin).cross(dir).length();
                let bound = point.length() * 2f64.powi(-45) + reach * 2f64.powi(-50);
                assert!(off <= bound, "{} {round} from {reach:e}: {off:e}, not {bound:e}", lens.name);
            }
        }
    }
}

#[test]
fn a_point_is_drawn_where_its_ray_is_from() {
    let mut rng = Rng::new(seed(45));
    for lens in lenses() {
        for round in 0..200 {
            let reach = rng.pick(&[1.0, 1e3, 1e6]);
            let seen_from = view(&mut rng, reach, lens.left_handed);
            let (point, _) = seen(&mut rng, &lens);
            let world = seen_from.inverse().transform_point3(point);
            let view = viewport(lens.depth).view(&seen_from, &lens.matrix).expect("sound matrices");
            let drawn =
                view.project(world).unwrap_or_else(|| panic!("{} {round}: {point} is seen", lens.name));
            let expected = cursor_of(&lens, point);
            let off = (drawn[0] - expected[0]).hypot(drawn[1] - expected[1]);
            assert!(off <= 1e-6 * (1.0 + reach * 1e-3), "{} {round}: {off:e} pixels off", lens.name);
            let ray = view.ray(expected).expect("a sound cursor");
            assert_eq!(Ok(ray), viewport(lens.depth).ray(expected, &seen_from, &lens.matrix));
        }
        let view = viewport(lens.depth).view(&DMat4::IDENTITY, &lens.matrix).expect("sound matrices");
        let forward = if lens.left_handed { 1.0 } else { -1.0 };
        let at = |depth: f64| view.project([0.0, 0.0, forward * depth]);
        assert!(
            at(NEAR * 0.99).is_none() && at(-NEAR).is_none() && at(NEAR * 1.01).is_some(),
            "{}",
            lens.name
        );
        assert_eq!(at(FAR * 1.01).is_none(), lens.finite, "{}", lens.name);
    }
}

#[test]
fn rays_begin_on_the_near_plane_and_end_on_the_far_one() {
    for lens in lenses() {
        let ray =
            viewport(lens.depth).ray([500.0, 300.0], &DMat4::IDENTITY, &lens.matrix).expect("a sound lens");
        let forward = if lens.left_handed { 1.0 } else { -1.0 };
        assert!((ray.origin().z * forward - NEAR).abs() < 1e-12, "{}: {}", lens.name, ray.origin());
        assert!(ray.dir().z * forward > 0.0, "{}", lens.name);
        if lens.finite {
            let end = ray.at(ray.t_max()).z * forward;
            assert!((end - FAR).abs() < 1e-9 * FAR, "{}: {end}", lens.name);
        } else {
            assert!(ray.t_max() > 1e12, "{}: {}", lens.name, ray.t_max());
        }
    }
}

#[test]
fn a_camera_and_its_matrices_aim_alike() {
    let (eye, target) = (DVec3::new(3.0, 4.0, 5.0), DVec3::new(0.5, -1.0, 0.25));
    let camera = Camera::look_at(eye, target, [0.0, 1.0, 0.0], 50.0).expect("a sound camera");
    let view = rh::view::look_at_mat4(eye, target, DVec3::Y);
    let projection =
        rh::proj::directx::perspective_infinite_reverse(50f64.to_radians(), SIZE[0] / SIZE[1], 0.1);
    let window = Viewport::new([0.0; 2], SIZE, DepthRange::OneToZero).expect("a sound viewport");
    let views = [camera.view([1280, 720]), window.view(&view, &projection)].map(|view| view.expect("sound"));
    let behind = eye * 2.0 - target;
    assert_eq!(views.map(|view| view.project(behind)), [None; 2]);
    for cursor in [[0.5, 0.5], [640.0, 360.0], [1279.5, 0.5], [3.25, 700.0]] {
        let shown = camera.ray(cursor, [1280, 720]).expect("a sound cursor").at(7.0);
        for view in views {
            let back = view.project(shown).expect("it is in front of the camera");
            assert!((back[0] - cursor[0]).hypot(back[1] - cursor[1]) < 1e-10, "{cursor:?}: {back:?}");
        }
        let by_matrices = window.ray(cursor, &view, &projection).expect("sound matrices").dir();
        let by_camera = camera.ray(cursor, [1280, 720]).expect("a sound cursor").dir().normalize();
        assert!((by_matrices - by_camera).length() < 1e-14, "{cursor:?}");
    }
}

/// The sample of the DirectX SDK: the cursor divided by the projection's first two diagonal entries, the eye as origin.
#[test]
fn the_sample_of_the_sdk_sees_the_same_line() {
    let mut rng = Rng::new(seed(43));
    let lens = &lenses()[1];
    for _ in 0..100 {
        let view = view(&mut rng, 10.0, true);
        let cursor = [rng.range(0.0, 1280.0), rng.range(0.0, 720.0)];
        let x = (2.0 * cursor[0] / SIZE[0] - 1.0) / lens.matrix.x_axis.x;
        let y = -(2.0 * cursor[1] / SIZE[1] - 1.0) / lens.matrix.y_axis.y;
        let back = view.inverse();
        let (eye, dir) = (back.w_axis.truncate(), back.transform_vector3(DVec3::new(x, y, 1.0)).normalize());
        let window = Viewport::new([0.0; 2], SIZE, DepthRange::ZeroToOne).expect("a sound viewport");
        let ray = window.ray(cursor, &view, &lens.matrix).expect("sound matrices");
        assert!((ray.dir() - dir).length() < 1e-13);
        assert!((ray.origin() - eye).cross(dir).length() < 1e-13, "the near plane is on the sample's line");
    }
}

#[test]
fn what_gives_no_ray_is_told_by_name() {
    let view = rh::view::look_at_mat4(DVec3::ONE, DVec3::ZERO, DVec3::Y);
    let lens = &lenses()[0].matrix;
    let of = |cursor: [f64; 2], view: &DMat4, lens: &DMat4, depth: DepthRange| {
        viewport(depth).ray(cursor, view, lens).expect_err("refused").to_string()
    };
    let zero_to_one = DepthRange::ZeroToOne;
    let no_inverse =
        |which| format!("the {which} matrix has no inverse; picking needs one that can be undone");
    let flat = DMat4::from_scale(DVec3::new(1.0, 0.0, 1.0));
    assert_eq!(of([1.0, 1.0], &flat, lens, zero_to_one), no_inverse("view"));
    assert_eq!(of([1.0, 1.0], &view, &flat, zero_to_one), no_inverse("projection"));
    // Singular, with a determinant that rounding has made other than 0.
    let rows = DMat4::from_cols_array(&[
        0.1, 0.2, 0.3, 0.0, 0.4, 0.5, 0.6, 0.0, 0.7, 0.8, 0.9, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]);
    assert_eq!(of([1.0, 1.0], &rows, lens, zero_to_one), no_inverse("view"));
    let nan = DMat4::from_scale(DVec3::new(1.0, f64::NAN, 1.0));
    assert_eq!(
        of([1.0, 1.0], &nan, lens, zero_to_one),
        "the view matrix is or holds NaN; picking needs finite numbers"
    );
    assert_eq!(
        of([1.0, f64::INFINITY], &view, lens, zero_to_one),
        "the cursor's y is or holds inf; picking needs finite numbers"
    );
    assert_eq!(
        of([1.0, 1.0], &view.transpose(), lens, zero_to_one),
        "the view matrix's last row is not 0 0 0 1; a view turns, moves and scales, and is stored by columns"
    );
    // Depths of another convention: the near plane would lie behind the far one, or at infinity.
    for (lens, depth) in [
        (*lens, DepthRange::OneToZero),
        (rh::proj::directx::perspective_infinite_reverse(1.0, 1.0, 0.1), zero_to_one),
        (rh::proj::directx::perspective_infinite(1.0, 1.0, 0.1), DepthRange::OneToZero),
    ] {
        let refused = viewport(depth).ray([1.0, 1.0], &view, &lens);
        assert!(matches!(refused, Err(PickError::Depth { .. })), "{refused:?}");
    }
    for size in [[0.0, 1.0], [1.0, -1.0]] {
        assert!(matches!(Viewport::new([0.0; 2], size, zero_to_one), Err(PickError::Size { .. })));
    }
    assert!(matches!(Viewport::new([f64::NAN, 0.0], SIZE, zero_to_one), Err(PickError::NonFinite { .. })));
}

/// As engines do: the inverse of the camera's placement, in `f32`.
#[test]
fn inverses_in_f32_aim_as_well_as_f32_can() {
    let mut rng = Rng::new(seed(44));
    let mut not_one = 0;
    for lens in lenses() {
        for round in 0..200 {
            let placement = view(&mut rng, 20.0, lens.left_handed).inverse();
            let (point, _) = seen(&mut rng, &lens);
            let seen_by = placement.as_mat4().inverse().as_dmat4();
            not_one += usize::from(seen_by.row(3).w != 1.0);
            let ray = viewport(lens.depth).ray(
                cursor_of(&lens, point),
                &seen_by,
                &lens.matrix.as_mat4().as_dmat4(),
            );
            let ray = ray.unwrap_or_else(|error| panic!("{} {round}: {error}", lens.name));
            let world = placement.transform_point3(point);
            let off = (world - ray.origin()).cross(ray.dir()).length();
            assert!(off <= 1e-6 * (point.length() + 20.0), "{} {round}: {off:e}", lens.name);
        }
    }
    assert!(not_one > 100, "{not_one} views whose last entry is not 1");
}

#[test]
fn a_view_may_hold_a_common_factor() {
    let lens = &lenses()[0];
    let view = rh::view::look_at_mat4(DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO, DVec3::Y);
    let plain = viewport(lens.depth).ray([99.0, 44.0], &view, &lens.matrix).expect("sound matrices");
    let twice = viewport(lens.depth).ray([99.0, 44.0], &(view * 2.0), &lens.matrix).expect("sound matrices");
    assert_eq!(plain, twice);
}

#[test]
fn whole_numbers_give_whole_numbers() {
    let view = rh::view::look_at_mat4(DVec3::new(0.0, 0.0, 8.0), DVec3::ZERO, DVec3::Y);
    let projection = rh::proj::directx::orthographic(-8.0, 8.0, -4.0, 4.0, 0.0, 16.0);
    let window = Viewport::new([0.0; 2], [16.0, 8.0], DepthRange::ZeroToOne).expect("a sound viewport");
    for (cursor, x, y) in [([0.0, 0.0], -8.0, 4.0), ([16.0, 8.0], 8.0, -4.0), ([9.0, 3.0], 1.0, 1.0)] {
        let ray = window.ray(cursor, &view, &projection).expect("sound matrices");
        assert_eq!(ray.origin().to_array(), [x, y, 8.0]);
        assert_eq!((ray.dir().to_array(), ray.t_max()), ([0.0, 0.0, -1.0], 16.0));
    }
}

#[test]
fn forward_and_up_on_one_line_are_refused_and_beside_it_the_axes_are_sound() {
    // Multiples, which rounding leaves beside the line.
    for i in 1..10 {
        for (j, k) in [(2, 7), (3, 9), (4, 1), (9, 5)] {
            for (shrunk, times) in [(1.0, 3.0), (10.0, 7.0), (100.0, 1.0), (100.0, -5.0)] {
                let whole = [f64::from(i), f64::from(j), f64::from(k)];
                let (forward, up) = (whole.map(|c| c / shrunk), whole.map(|c| c * times));
                let camera = Camera::new([0.0; 3], forward, up, 60.0);
                assert_eq!(camera, Err(CameraError::NoDirection), "{forward:?} {up:?}");
            }
        }
    }
    let mut rng = Rng::new(seed(46));
    for round in 0..2000 {
        let forward = DVec3::from(rng.direction());
        let up = forward + DVec3::from(rng.direction()) * 2f64.powi(-(round % 39));
        let Ok(camera) = Camera::new([0.0; 3], forward, up, 60.0) else {
            assert!(forward.cross(up).length() < 1e-11 * up.length(), "{round}");
            continue;
        };
        let axes = [camera.forward(), camera.right(), camera.up()];
        assert_eq!(Camera::from_axes([0.0; 3], axes, camera.tan_half_fov()), Ok(camera), "{round}");
        for (axis, other) in [(0, 1), (1, 2), (2, 0)] {
            assert!((axes[axis].length() - 1.0).abs() < 1e-15, "{round}: {}", axes[axis].length());
            assert!(axes[axis].dot(axes[other]).abs() < 1e-12, "{round}: {}", axes[axis].dot(axes[other]));
        }
        assert!(camera.up().dot(up) > 0.0, "{round}");
    }
}

#[test]
fn a_camera_may_stand_anywhere_up_to_the_end_of_the_world() {
    let mut rng = Rng::new(seed(47));
    let window = viewport(DepthRange::OneToZero);
    let lens = rh::proj::directx::perspective_infinite_reverse(1.0, 4.0 / 3.0, 0.5);
    for reach in [1e13, 1e15, 1e20, 1e29] {
        for round in 0..200 {
            let (eye, dir) = (DVec3::from(rng.direction()) * reach, DVec3::from(rng.direction()));
            let view = rh::view::look_to_mat4(eye, dir, DVec3::from(rng.direction()));
            let middle = [LEFT_TOP[0] + 0.5 * SIZE[0], LEFT_TOP[1] + 0.5 * SIZE[1]];
            let ray = window.ray(middle, &view, &lens);
            let ray = ray.unwrap_or_else(|error| panic!("{reach:e} {round}: {error}"));
            let off = (ray.origin() - eye).cross(dir).length();
            assert!(off <= reach * 2f64.powi(-50) + 1.0, "{reach:e} {round}: {off:e}");
            assert!((ray.dir() - dir).length() < 1e-14, "{reach:e} {round}");
            assert!(window.view(&view, &lens).is_ok(), "{reach:e} {round}");
            // Nothing of this excuses a turn that cannot be undone.
            let mut flat = view;
            flat.z_axis = flat.x_axis * -0.5;
            let refused = window.ray(middle, &flat, &lens);
            assert_eq!(refused, Err(PickError::Singular { which: "view" }), "{reach:e} {round}");
        }
    }
}

#[test]
fn a_camera_looks_along_vectors_of_any_length() {
    let plain = Camera::new([0.0; 3], [3.0, -1.0, 0.25], [0.0, 1.0, 0.5], 60.0);
    for power in [-1070, -540, -500, 500, 540, 1020] {
        let size = 2f64.powi(power / 2) * 2f64.powi(power - power / 2);
        let forward = [3.0 * size, -size, 0.25 * size];
        for up in [[0.0, 1.0, 0.5], [0.0, size, 0.5 * size]] {
            assert_eq!(Camera::new([0.0; 3], forward, up, 60.0), plain, "2^{power}");
        }
    }
    assert!(plain.is_ok());
    assert_eq!(Camera::new([0.0; 3], [0.0; 3], [0.0, 1.0, 0.0], 60.0), Err(CameraError::NoDirection));
}

/// So narrow that nothing is left of half of it, or that a picture of it has no pixels.
#[test]
fn a_field_of_view_that_no_number_can_draw_is_refused() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]];
    let camera = |degrees: f64| Camera::new([0.0; 3], axes[0], axes[2], degrees);
    for degrees in [1e-323, 1e-310, 1e-307, 1e-300] {
        assert_eq!(camera(degrees), Err(CameraError::FieldOfView { degrees }));
        let tangent = (0.5 * degrees.to_radians()).tan();
        assert!(Camera::from_axes([0.0; 3], axes, tangent).is_err(), "{degrees:e}");
    }
    for degrees in [1e-290, 1e-100, 1e-3] {
        let camera = camera(degrees).expect("a sound camera");
        let size = [u32::MAX; 2];
        let middle = [f64::from(u32::MAX) * 0.5; 2];
        assert_eq!(camera.project([2.0, 0.0, 0.0], size), Some((middle, 2.0)), "{degrees:e}");
    }
}

#[test]
fn what_is_not_a_place_is_drawn_nowhere() {
    let camera = Camera::new([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 60.0).expect("a sound camera");
    let slanted = Camera::new([0.0; 3], [1.0, 2.0, -1.0], [0.0, 1.0, 0.0], 60.0).expect("a sound camera");
    let narrow = Camera::new([0.0; 3], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0], 1e-296).expect("a sound camera");
    let nowhere = [
        [f64::NAN, 0.0, -1.0],
        [0.0, f64::NAN, -1.0],
        [0.0, 0.0, f64::NAN],
        [0.0, 0.0, f64::NEG_INFINITY],
        [f64::INFINITY, 0.0, -1.0],
        [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY],
    ];
    let straight = DMat4::IDENTITY;
    for point in nowhere {
        for camera in [camera, slanted] {
            let view = camera.view([640, 480]).expect("a sound camera");
            assert_eq!((camera.project(point, [640, 480]), view.project(point)), (None, None), "{point:?}");
        }
        for lens in lenses() {
            let view = viewport(lens.depth).view(&straight, &lens.matrix).expect("sound matrices");
            let drawn = view.project(point);
            assert_eq!(drawn, None, "{} {point:?}", lens.name);
        }
    }
    // Too far beside the picture for a number, and too large to have a depth.
    for (camera, point) in [(narrow, [1e30, 0.0, -1.0]), (slanted, [f64::MAX, f64::MAX, -f64::MAX])] {
        let view = camera.view([640, 480]).expect("a sound camera");
        assert_eq!((camera.project(point, [640, 480]), view.project(point)), (None, None), "{point:?}");
    }
    assert_eq!(camera.project([0.0, 0.0, -2.0], [640, 480]), Some(([320.0, 240.0], 2.0)));
}

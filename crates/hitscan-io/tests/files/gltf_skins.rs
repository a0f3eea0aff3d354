//! glTF skins and animations: an arm of two bones that bends, and what is said of broken ones.

use crate::support::{Folder, Gltf, refuses};
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::{Filter, Mesh, Ray};
use hitscan_io::Model;

/// Seconds, and the angle of the elbow then, in turns.
const KEYS: [(f32, f64); 3] = [(0.5, 0.0), (1.0, 0.25), (2.0, -0.25)];

/// An arm along x: the shoulder at the origin, the elbow at x = 1, the hand at x = 2; a node of its own, moved and scaled.
struct Arm {
    gltf: Gltf,
    attributes: String,
    node: String,
    skin: String,
    animations: String,
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn about_z(turns: f64) -> [f32; 4] {
    let q = DQuat::from_rotation_z(turns * std::f64::consts::TAU);
    [q.x, q.y, q.z, q.w].map(|c| c as f32)
}

const CORNERS: [[f32; 3]; 6] =
    [[0.0, -0.1, 0.0], [0.0, 0.1, 0.0], [1.0, -0.1, 0.0], [1.0, 0.1, 0.0], [2.0, -0.1, 0.0], [2.0, 0.1, 0.0]];
const TRIANGLES: [[u32; 3]; 4] = [[0, 2, 1], [1, 2, 3], [2, 4, 3], [3, 4, 5]];

impl Arm {
    /// Its times and rotations are accessors 5 and 6.
    fn new() -> Arm {
        let mut gltf = Gltf::default();
        gltf.positions(&CORNERS);
        gltf.indices(
            &TRIANGLES.as_flattened().iter().map(|i| (*i as u16).to_le_bytes()).collect::<Vec<_>>(),
            5123,
        );
        let joints = gltf.view(&[[0u8, 1, 0, 0]; 6].concat(), None);
        gltf.accessor(joints, 5121, "VEC4", 6, "");
        let weights = [[1.0f32, 0.0], [1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.0, 1.0], [0.0, 3.0]];
        let weights = gltf.view(&floats(weights.iter().flat_map(|w| [w[0], w[1], 0.0, 0.0])), None);
        gltf.accessor(weights, 5126, "VEC4", 6, "");
        // Column by column; the elbow is taken to the origin.
        let mut binds = [0.0f32; 32];
        for diagonal in [0, 5, 10, 15, 16, 21, 26, 31] {
            binds[diagonal] = 1.0;
        }
        binds[16 + 12] = -1.0;
        let binds = gltf.view(&floats(binds), None);
        gltf.accessor(binds, 5126, "MAT4", 2, "");
        let times = gltf.view(&floats(KEYS.map(|(time, _)| time)), None);
        gltf.accessor(times, 5126, "SCALAR", 3, "");
        let turns = gltf.view(&floats(KEYS.iter().flat_map(|&(_, turns)| about_z(turns))), None);
        gltf.accessor(turns, 5126, "VEC4", 3, "");
        gltf.nodes = vec![
            r#"{"name":"root","children":[1,2],"translation":[0,5,0]}"#.to_owned(),
            String::new(),
            r#"{"name":"shoulder","children":[3]}"#.to_owned(),
            r#"{"name":"elbow","translation":[1,0,0]}"#.to_owned(),
        ];
        Arm {
            gltf,
            attributes: r#""POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3"#.to_owned(),
            node: r#""name":"arm","mesh":0,"skin":0,"translation":[7,8,9],"scale":[2,2,2]"#.to_owned(),
            skin: r#""name":"bones","joints":[2,3],"inverseBindMatrices":4"#.to_owned(),
            animations: Arm::animation(r#""interpolation":"LINEAR""#),
        }
    }

    fn animation(sampler: &str) -> String {
        format!(
            r#"{{"name":"wave","channels":[{{"sampler":0,"target":{{"node":3,"path":"rotation"}}}},{{"sampler":0,"target":{{"node":1,"path":"weights"}}}}],"samplers":[{{"input":5,"output":6,{sampler}}}]}}"#
        )
    }

    fn glb(&self) -> Vec<u8> {
        let Arm { attributes, node, skin, animations, .. } = self;
        let mut gltf = self.gltf.clone();
        gltf.mesh("arm", &[format!(r#""attributes":{{{attributes}}},"indices":1"#)]);
        gltf.nodes[1] = format!("{{{node}}}");
        gltf.more = format!(
            r#","scene":0,"scenes":[{{"nodes":[0]}}],"skins":[{{{skin}}}],"animations":[{animations}]"#
        );
        gltf.glb()
    }

    fn open(&self, test: &str) -> Model {
        Folder::new(test).open("arm.glb", self.glb()).unwrap()
    }
}

/// The vertices of the arm's mesh at a time.
fn posed(model: &Model, time: f64) -> Vec<[f32; 3]> {
    let skin = &model.rig.skins()[0];
    skin.skin.pose(&model.pose(skin, model.rig.animations().first(), time)).unwrap()
}

/// Where the hand is in the world, between its two vertices.
fn hand(model: &Model, time: f64) -> DVec3 {
    let vertices = posed(model, time);
    let place = |vertex: usize| model.nodes[0].transform.point(vertices[vertex].map(f64::from));
    (place(4) + place(5)) / 2.0
}

/// A hand that is this far around an elbow at `(1, 5, 0)`.
fn around(turns: f64) -> DVec3 {
    let angle = turns * std::f64::consts::TAU;
    DVec3::new(1.0 + angle.cos(), 5.0 + angle.sin(), 0.0)
}

fn assert_near(found: DVec3, expected: DVec3, what: &str) {
    assert!((found - expected).length() < 1e-5, "{what}: {found}, not {expected}");
}

#[test]
fn an_arm_that_bends() {
    let model = Arm::new().open("skin-arm");
    let rig = &model.rig;
    let names: Vec<(&str, Option<usize>)> =
        rig.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(names, [("root", None), ("arm", Some(0)), ("shoulder", Some(0)), ("elbow", Some(2))]);
    let (skin, wave) = (&rig.skins()[0], &rig.animations()[0]);
    assert_eq!((skin.name.as_str(), skin.node, &skin.joints[..]), ("bones", 0, &[2, 3][..]));
    assert_eq!((wave.name.as_str(), wave.duration), ("wave", 2.0));

    // The joints decide where it is, and the node's own place does not.
    let rest = model.pose(skin, None, 9.0);
    let still = skin.skin.pose(&rest).unwrap();
    let world = model.nodes[0].transform.point(still[4].map(f64::from));
    assert_near(world, DVec3::new(2.0, 4.9, 0.0), "at rest");
    for (time, turns) in [
        (f64::NEG_INFINITY, 0.0),
        (0.0, 0.0),
        (0.5, 0.0),
        (0.6, 0.05),
        (0.75, 0.125),
        (1.0, 0.25),
        (1.2, 0.15),
        (1.5, 0.0),
        (2.0, -0.25),
        (77.0, -0.25),
        (f64::NAN, 0.0),
    ] {
        assert_near(hand(&model, time), around(turns), &format!("at {time}"));
    }
    // The elbow's vertices follow both bones alike; weights of 3 and of 1 are the same.
    let bent = posed(&model, 1.0);
    let place = |vertex: usize| model.nodes[0].transform.point(bent[vertex].map(f64::from));
    assert_near(place(2), DVec3::new(1.05, 4.95, 0.0), "the elbow");
    assert_near(place(5), DVec3::new(0.9, 6.0, 0.0), "the hand");
}

/// The refitted mesh is a new one of the same vertices, on every bit, and in the world it is where its joints are.
#[test]
fn a_refit_of_a_pose_is_a_new_mesh() {
    let model = Arm::new().open("skin-refit");
    let mut mesh = model.meshes[0].mesh.clone();
    let mut hits = 0;
    for step in 0..40 {
        let time = f64::from(step) * 0.05;
        let vertices = posed(&model, time);
        mesh.refit(vertices.iter().copied()).unwrap();
        let anew = Mesh::new(vertices, mesh.triangles().iter().copied()).unwrap();
        let mut world = model.to_world();
        let arm = hitscan::InstanceId::first(0);
        world.set_geometry(arm, &mesh).unwrap();
        let scene = world.commit();
        for i in 0..400 {
            let at = [f64::from(i % 20) * 0.125, 3.8 + f64::from(i / 20) * 0.125, 4.0];
            let at = DAffine3::from(model.nodes[0].transform).inverse().transform_point3(at.into());
            let local = Ray::new(at, [0.0, 0.0, -1.0]).unwrap();
            let found = mesh.all_hits(&local, &Filter::ALL);
            assert_eq!(found, anew.all_hits(&local, &Filter::ALL));
            hits += found.len();
        }
        // A shot along z, through the arm near its hand, and one beside it.
        let (elbow, hand) = (DVec3::new(1.0, 5.0, 0.0), hand(&model, time));
        let shot = |at: DVec3| Ray::between(at + DVec3::Z, at - DVec3::Z).unwrap();
        assert!(scene.occluded(&shot(hand + (elbow - hand) * 0.1), &Filter::ALL), "at {time}");
        assert!(!scene.occluded(&shot(hand + (hand - elbow) * 0.1), &Filter::ALL), "at {time}");
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn steps_and_splines() {
    let mut arm = Arm::new();
    arm.animations = Arm::animation(r#""interpolation":"STEP""#);
    let model = arm.open("skin-step");
    for (time, turns) in [(0.4, 0.0), (0.99, 0.0), (1.0, 0.25), (1.99, 0.25), (2.0, -0.25), (3.0, -0.25)] {
        assert_near(hand(&model, time), around(turns), &format!("a step at {time}"));
    }
    // A spline of the shoulder's place: tangents are per second, and scaled by the seconds between two keys.
    let mut arm = Arm::new();
    let keys: [[f32; 3]; 6] = [
        [9.0, 9.0, 9.0],
        [0.0, 0.0, 0.0],
        [4.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [1.0, 0.0, 0.0],
        [9.0, 9.0, 9.0],
    ];
    let values = arm.gltf.positions(&keys);
    let times = arm.gltf.view(&floats([1.0, 3.0]), None);
    let times = arm.gltf.accessor(times, 5126, "SCALAR", 2, "");
    arm.animations = format!(
        r#"{{"channels":[{{"sampler":0,"target":{{"node":2,"path":"translation"}}}}],"samplers":[{{"input":{times},"output":{values},"interpolation":"CUBICSPLINE"}}]}}"#
    );
    let model = arm.open("skin-spline");
    assert_eq!(model.rig.animations()[0].name, "animation0");
    // At a quarter, t = 0.25: 0.15625 of the end, 2 * 0.140625 of the tangent out, 2 * -0.046875 of that in.
    let shoulder = |time: f64| model.rig.places(model.rig.animations().first(), time)[2].translation;
    for (time, expected) in [
        (0.0, [0.0, 0.0]),
        (1.0, [0.0, 0.0]),
        (1.5, [0.15625 + 2.0 * 0.140625 * 4.0, 2.0 * -0.046875 * 2.0]),
        (2.0, [0.5 + 2.0 * 0.125 * 4.0, 2.0 * -0.125 * 2.0]),
        (3.0, [1.0, 0.0]),
        (9.0, [1.0, 0.0]),
    ] {
        assert_eq!(shoulder(time), DVec3::new(expected[0], 5.0 + expected[1], 0.0), "{time}");
    }
}

#[test]
fn an_arm_below_a_mirror_bends_as_its_joints_do() {
    let mut arm = Arm::new();
    let expected = arm.open("skin-upright");
    arm.node = arm.node.replace("[2,2,2]", "[2,-2,2]");
    let model = arm.open("skin-mirrored");
    assert!(!model.nodes[0].transform.mirrored());
    for time in [0.0, 0.6, 1.0, 2.0] {
        let place = |model: &Model, vertex: usize| {
            model.nodes[0].transform.point(posed(model, time)[vertex].map(f64::from))
        };
        for vertex in 0..6 {
            assert_near(place(&model, vertex), place(&expected, vertex), &format!("{vertex} at {time}"));
        }
    }
}

/// Quantized rotations and weights, two sets of joints, scales that move, and a vertex without weights.
#[test]
fn other_kinds_of_numbers() {
    let mut arm = Arm::new();
    let turns: Vec<u8> = KEYS
        .iter()
        .flat_map(|&(_, turns)| about_z(turns).map(|c| (c * 32767.0).round() as i16))
        .flat_map(i16::to_le_bytes)
        .collect();
    let view = arm.gltf.view(&turns, None);
    arm.gltf.accessors[6] =
        format!(r#"{{"bufferView":{view},"componentType":5122,"type":"VEC4","count":3,"normalized":true}}"#);
    // The second set has the elbow, and the first only where the shoulder has a part; the last vertex has none at all.
    let first = [[255u8, 0], [255, 0], [128, 0], [128, 0], [0, 0], [0, 0]];
    let second = [[0u8, 0], [0, 0], [128, 0], [128, 0], [255, 0], [0, 0]];
    let mut accessor = |bytes: Vec<u8>, more: &str| {
        let view = arm.gltf.view(&bytes, None);
        arm.gltf.accessor(view, 5121, "VEC4", 6, more)
    };
    let pad = |w: &[[u8; 2]; 6]| w.iter().flat_map(|w| [w[0], w[1], 0, 0]).collect::<Vec<u8>>();
    let weights =
        [accessor(pad(&first), r#","normalized":true"#), accessor(pad(&second), r#","normalized":true"#)];
    // What has no weight may name any joint.
    let joints =
        [accessor([[0u8, 1, 99, 99]; 6].concat(), ""), accessor([[1u8, 99, 99, 99]; 6].concat(), "")];
    arm.attributes = format!(
        r#""POSITION":0,"JOINTS_0":{},"WEIGHTS_0":{},"JOINTS_1":{},"WEIGHTS_1":{}"#,
        joints[0], weights[0], joints[1], weights[1]
    );
    let model = arm.open("skin-sets");
    let vertices = posed(&model, 1.0);
    let place = |vertex: usize| model.nodes[0].transform.point(vertices[vertex].map(f64::from));
    let near = |found: DVec3, expected: DVec3| {
        assert!((found - expected).length() < 1e-3, "{found}, not {expected}")
    };
    near(place(4), DVec3::new(1.1, 6.0, 0.0));
    near(place(2), DVec3::new(1.05, 4.95, 0.0));
    near(place(5), DVec3::new(2.0, 5.1, 0.0)); // with the shoulder, which it names first

    let mut arm = Arm::new();
    let sizes = arm.gltf.positions(&[[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [1.0, 1.0, 0.0]]);
    arm.animations = arm
        .animations
        .replace(r#""path":"rotation""#, r#""path":"scale""#)
        .replace(r#""output":6"#, &format!(r#""output":{sizes}"#));
    let model = arm.open("skin-scale");
    assert_near(hand(&model, 0.75), DVec3::new(3.0, 5.0, 0.0), "twice as long");
    assert_near(hand(&model, 2.0), DVec3::new(2.0, 5.0, 0.0), "flat");
}

#[test]
fn without_a_skin_there_is_no_rig() {
    let mut arm = Arm::new();
    arm.node = arm.node.replace(r#""skin":0,"#, "");
    arm.animations = r#"{"channels":[{"sampler":9,"target":{"node":3,"path":"rotation"}}]}"#.to_owned();
    let model = arm.open("skin-none");
    assert!(
        model.rig.skins().is_empty() && model.rig.animations().is_empty() && model.rig.joints().is_empty()
    );
}

#[test]
fn what_is_refused() {
    let arm = |change: &dyn Fn(&mut Arm)| {
        let mut arm = Arm::new();
        change(&mut arm);
        arm.glb()
    };
    let replaced =
        |what: &'static str, by: &'static str| arm(&|arm| arm.animations = arm.animations.replace(what, by));
    let data = |from: [f32; 2], to: [f32; 2]| {
        arm(&|arm| {
            let (from, to) = (floats(from), floats(to));
            let place = arm.gltf.data.windows(8).rposition(|w| w == from).unwrap();
            arm.gltf.data[place..place + 8].copy_from_slice(&to);
        })
    };
    refuses(
        "skin-refused",
        [
            (
                "skin.glb",
                arm(&|arm| arm.node = arm.node.replace(r#""skin":0"#, r#""skin":4"#)),
                "skin.glb: node 1 \"arm\" names skin 4, and there are 1; numbers count from 0",
            ),
            (
                "joint.glb",
                arm(&|arm| arm.skin = r#""name":"bones","joints":[2,8]"#.to_owned()),
                "joint.glb: skin 0 \"bones\" names node 8, and there are 4; numbers count from 0",
            ),
            (
                "few.glb",
                arm(&|arm| arm.skin = r#""joints":[2,3,0],"inverseBindMatrices":4"#.to_owned()),
                "few.glb: skin 0 has 3 joints and 2 inverse bind matrices; each joint has one",
            ),
            (
                "range.glb",
                arm(&|arm| arm.skin = r#""joints":[2]"#.to_owned()),
                "range.glb: skin 0: vertex 2 follows joint 1; the skin has 1 (0 to 0)",
            ),
            (
                "bind.glb",
                data([0.0, -1.0], [0.0, f32::INFINITY]),
                "bind.glb: skin 0 \"bones\": the inverse bind matrix of joint 1 has numbers that are not finite; a skin needs finite ones",
            ),
            (
                "weight.glb",
                data([0.0, 3.0], [0.0, -3.0]),
                "weight.glb: skin 0 \"bones\": vertex 5: the weight of joint 1 is -3; it needs to be finite and at least 0",
            ),
            (
                "none.glb",
                arm(&|arm| arm.attributes = r#""POSITION":0,"JOINTS_0":2"#.to_owned()),
                "none.glb: mesh 0 \"arm\", primitive 0: it has no JOINTS_0 and WEIGHTS_0; the skin of its mesh needs both",
            ),
            (
                "kind.glb",
                arm(&|arm| arm.attributes = r#""POSITION":0,"JOINTS_0":3,"WEIGHTS_0":3"#.to_owned()),
                "kind.glb: accessor 3 has the wrong type; joints are VEC4 of unsigned bytes or shorts",
            ),
            (
                "short.glb",
                arm(&|arm| {
                    arm.gltf.accessors[3] = arm.gltf.accessors[3].replace(r#""count":6"#, r#""count":5"#)
                }),
                "short.glb: accessor 3 has joints or weights of 5 vertices; their positions, accessor 0, are 6",
            ),
            (
                "circle.glb",
                arm(&|arm| {
                    arm.gltf.nodes[0] = r#"{"children":[1]}"#.to_owned();
                    arm.gltf.nodes[3] = r#"{"name":"elbow","children":[2]}"#.to_owned();
                }),
                "circle.glb: node 2 \"shoulder\" is reached twice; a node has one parent and is not its own ancestor",
            ),
            (
                "sampler.glb",
                replaced(r#""sampler":0"#, r#""sampler":5"#),
                "sampler.glb: animation 0 \"wave\", channel 0: it names sampler 5, and there are 1; numbers count from 0",
            ),
            (
                "node.glb",
                replaced(r#""node":3"#, r#""node":9"#),
                "node.glb: animation 0 \"wave\", channel 0: it names node 9, and there are 4; numbers count from 0",
            ),
            (
                "way.glb",
                replaced("LINEAR", "BEZIER"),
                "way.glb: animation 0 \"wave\", channel 0: its interpolation is \"BEZIER\"; it is LINEAR, STEP or CUBICSPLINE",
            ),
            (
                "spline.glb",
                replaced("LINEAR", "CUBICSPLINE"),
                "spline.glb: animation 0 \"wave\", channel 0: it has 3 times and 3 values; each time has its value, and a spline's two tangents beside it",
            ),
            (
                "matrix.glb",
                arm(&|arm| {
                    arm.gltf.nodes[3] =
                        r#"{"name":"elbow","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,1,0,0,1]}"#.to_owned();
                }),
                "matrix.glb: animation 0 \"wave\", channel 0: node 3 \"elbow\" has a matrix; what moves has a translation, a rotation and a scale",
            ),
            (
                "times.glb",
                data([1.0, 2.0], [1.0, 1.0]),
                "times.glb: animation 0 \"wave\", channel 0: its times do not ascend; keys are in order, at finite times",
            ),
            (
                "still.glb",
                arm(&|arm| {
                    let zeros = arm.gltf.view(&[0; 48], None);
                    let zeros = arm.gltf.accessor(zeros, 5126, "VEC4", 3, "");
                    arm.animations = arm.animations.replace(r#""output":6"#, &format!(r#""output":{zeros}"#));
                }),
                "still.glb: animation 0 \"wave\", channel 0: a rotation is 0; a rotation is a unit quaternion x y z w",
            ),
        ],
    );
}

/// A long name of a skin, and its joints, are told again for each node that has it; a few bytes a node must not ask for more
/// than the file can be meant to hold.
#[test]
fn many_nodes_with_one_skin() {
    let shared = |skin: &str, nodes: usize, what: &str| {
        let mut arm = Arm::new();
        arm.skin = skin.to_owned();
        arm.gltf.nodes[0] = format!(
            r#"{{"children":[1,2{}]}}"#,
            (4..4 + nodes).map(|node| format!(",{node}")).collect::<String>()
        );
        arm.gltf.nodes.extend((0..nodes).map(|_| r#"{"mesh":0,"skin":0}"#.to_owned()));
        let folder = Folder::new(what);
        folder
            .open("arm.glb", arm.glb())
            .map(|model| model.rig.skins().len())
            .map_err(|error| folder.text(&error))
    };
    let name = "x".repeat(1 << 18);
    let named = format!(r#""name":"{name}","joints":[2,3]"#);
    assert_eq!(shared(&named, 14, "skin-names"), Ok(15));
    assert_eq!(
        shared(&named, 16, "skin-names"),
        Err("arm.glb: 4456448 bytes of names, told again for each node or shape, are more than the file can hold; the limit is 4194304"
            .to_owned())
    );
    let joints = format!(r#""joints":[2,3{}]"#, ",3".repeat((1 << 16) - 2));
    assert_eq!(shared(&joints, 30, "skin-joints"), Ok(31));
    let error = shared(&joints, 32, "skin-joints").unwrap_err();
    assert!(
        error.ends_with("influences of joints are more than the file can hold; the limit is 16777216"),
        "{error}"
    );
}

#[test]
fn many_nodes_with_one_camera() {
    let shared = |nodes: usize| {
        let mut gltf = Gltf::two_triangles();
        gltf.nodes.extend((0..nodes).map(|_| r#"{"camera":0}"#.to_owned()));
        let name = "x".repeat(1 << 18);
        gltf.more =
            format!(r#","cameras":[{{"name":"{name}","type":"perspective","perspective":{{"yfov":1}}}}]"#);
        let folder = Folder::new("camera-names");
        folder.open("c.glb", gltf.glb()).map(|model| model.cameras.len()).map_err(|error| folder.text(&error))
    };
    assert_eq!(shared(15), Ok(15));
    assert_eq!(
        shared(17),
        Err("c.glb: 4456448 bytes of names, told again for each node or shape, are more than the file can hold; the limit is 4194304"
            .to_owned())
    );
}

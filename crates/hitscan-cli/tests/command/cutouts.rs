//! A fence whose gaps are painted: what `info`, `cast` and `explain` say of it.

use crate::common::Folder;
use serde_json::{Value, json};

/// A quad of 2 x 1 metres, opaque on its left half: buffer and picture are in the document.
const FENCE: &str = r#"{"asset":{"version":"2.0"},
"buffers":[{"byteLength":92,"uri":"data:;base64,AAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAQAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AACAPwAAgD8AAAAAAAAAAAAAAAAAAAEAAgAAAAIAAwA="}],
"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":32},{"buffer":0,"byteOffset":80,"byteLength":12}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5126,"type":"VEC2","count":4},
{"bufferView":2,"componentType":5123,"type":"SCALAR","count":6}],
"meshes":[{"name":"fence","primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"indices":2,"material":0}]}],
"nodes":[{"name":"fence","mesh":0}],
"materials":[{"name":"boards","alphaMode":"MASK","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
"textures":[{"source":0,"sampler":0}],"samplers":[{"magFilter":9728}],
"images":[{"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAQAAABeK7cBAAAADUlEQVR4nGPg/M/JAAADOAESba83RAAAAABJRU5ErkJggg=="}]}"#;

#[test]
fn rays_go_through_what_is_painted_clear() {
    let folder = Folder::new("cutouts");
    folder.write("fence.gltf", FENCE);
    let answer = |line: &[&str]| -> Value {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line:?}");
        serde_json::from_str(&ran.out).expect("it is JSON")
    };
    assert_eq!(answer(&["info", "fence.gltf", "--json"])["cutouts"], json!(1));
    let text = folder.run(&["info", "fence.gltf"]).out;
    assert!(text.contains("  cutouts    1 image with holes, where rays go through\n"), "{text}");

    let explain =
        |from: &str| answer(&["explain", "fence.gltf", "--from", from, "--dir", "0,0,-1", "--json"]);
    let (board, gap) = (explain("0.5,0.25,3"), explain("1.5,0.25,3"));
    assert_eq!((&board["hit"]["t"], &board["crossings"][0]["outcome"]), (&json!(3.0), &json!("hit")));
    let outcome = json!("through a hole of the triangle's cutout");
    assert_eq!(
        (&gap["hit"], &gap["near_miss"], &gap["crossings"][0]["outcome"]),
        (&Value::Null, &Value::Null, &outcome)
    );
}

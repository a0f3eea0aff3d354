//! What `--json` prints is what the schemas in docs/ say, field by field.

use std::collections::BTreeSet;

use crate::common::{CUBE, Folder, glb};
use serde_json::{Map, Value, json};

/// A schema, and which of its fields were seen.
struct Schema {
    whole: Value,
    seen: BTreeSet<String>,
}

impl Schema {
    fn open(name: &str) -> Schema {
        let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the schema is there");
        Schema { whole: serde_json::from_str(&text).expect("a schema is JSON"), seen: BTreeSet::new() }
    }

    /// Asserts that a value is what the schema says.
    fn assert_holds(&mut self, value: &Value) {
        let whole = self.whole.clone();
        if let Err(wrong) = self.holds(&whole, "$", value) {
            panic!("{wrong}");
        }
    }

    fn holds(&mut self, schema: &Value, at: &str, value: &Value) -> Result<(), String> {
        let keywords = schema.as_object().expect("a schema is an object");
        for (keyword, expected) in keywords {
            let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
            let length = || value.as_array().map_or(0, Vec::len) as f64;
            let good = match keyword.as_str() {
                "description" | "title" | "$schema" | "$defs" => true,
                "$ref" => {
                    let name = expected.as_str().and_then(|path| path.strip_prefix("#/$defs/"));
                    let referred = self.whole["$defs"][name.expect("a definition of this file")].clone();
                    self.holds(&referred, at, value)?;
                    true
                }
                "type" => types(expected).any(|name| is_of_type(value, name)),
                "enum" => expected.as_array().expect("a list").contains(value),
                "minimum" => value.is_null() || number(value) >= number(expected),
                "exclusiveMinimum" => number(value) > number(expected),
                "exclusiveMaximum" => number(value) < number(expected),
                "minItems" => length() >= number(expected),
                "maxItems" => length() <= number(expected),
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        self.holds(expected, &format!("{at}[]"), item)?;
                    }
                    true
                }
                "properties" => {
                    let fields = value.as_object().cloned().unwrap_or_default();
                    self.fields(expected.as_object().expect("an object"), at, &fields)?;
                    true
                }
                "required" => expected
                    .as_array()
                    .expect("a list")
                    .iter()
                    .all(|name| value.get(name.as_str().expect("a name")).is_some()),
                // What `fields` asserts.
                "additionalProperties" => expected == &json!(false),
                other => panic!("{at}: this test does not know '{other}'"),
            };
            if !good {
                return Err(format!("{at}: {value} breaks {keyword}: {expected}"));
            }
        }
        Ok(())
    }

    fn fields(
        &mut self,
        known: &Map<String, Value>,
        at: &str,
        fields: &Map<String, Value>,
    ) -> Result<(), String> {
        for (name, value) in fields {
            let at = format!("{at}.{name}");
            let schema = known.get(name).ok_or_else(|| format!("{at}: not in the schema"))?;
            self.seen.insert(at.clone());
            self.holds(schema, &at, value)?;
        }
        Ok(())
    }
}

fn types(expected: &Value) -> impl Iterator<Item = &str> {
    let one = expected.as_str().into_iter();
    one.chain(expected.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("this test does not know the type '{other}'"),
    }
}

/// Scenes with everything that a schema speaks of.
fn scenes(folder: &Folder) -> [&'static str; 6] {
    folder.write("box.obj", CUBE);
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0], [1.0, 0.0, 9.0]];
    let indices = [0, 1, 2, 0, 1, 2, 1, 0, 2, 0, 1, 1, 0, 2, 3, 0, 1, 4, 0, 1, 3];
    folder.write("odd.glb", glb(&corners, &indices, &[[0.0; 3], [-7.0, 0.0, 0.5]]));
    folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n");
    ["box.obj", "odd.glb", "flat.obj", "builtin:range", "builtin:terrain:1k", "builtin:sphere:1k"]
}

fn told(folder: &Folder, args: &[&str]) -> Value {
    let ran = folder.run(args);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&ran.out).expect("JSON")
}

/// Each field of a schema, by its path.
fn paths(whole: &Value, schema: &Value, at: &str, into: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
        paths(whole, &whole["$defs"][name], at, into);
    }
    if schema["items"].is_object() {
        paths(whole, &schema["items"], &format!("{at}[]"), into);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        into.insert(format!("{at}.{name}"));
        paths(whole, field, &format!("{at}.{name}"), into);
    }
}

fn assert_schema_of(command: &str) {
    let folder = Folder::new(&format!("schema-{command}"));
    let mut schema = Schema::open(&format!("{command}.schema.json"));
    for scene in scenes(&folder) {
        schema.assert_holds(&told(&folder, &[command, scene, "--json"]));
    }
    let mut described = BTreeSet::new();
    paths(&schema.whole, &schema.whole, "$", &mut described);
    assert_eq!(schema.seen, described, "each field that is described is told for some scene");
    // A test that lets everything pass would not notice these.
    let mut other = told(&folder, &[command, "box.obj", "--json"]);
    other["triangles"] = json!(-1);
    assert!(schema.holds(&schema.whole.clone(), "$", &other).is_err());
    other["triangles"] = json!(1);
    other["more"] = json!(1);
    assert!(schema.holds(&schema.whole.clone(), "$", &other).is_err());
    other.as_object_mut().expect("an object").remove("more");
    assert_eq!(schema.holds(&schema.whole.clone(), "$", &other), Ok(()));
    other.as_object_mut().expect("an object").remove("scene");
    assert!(schema.holds(&schema.whole.clone(), "$", &other).is_err());
}

#[test]
fn info() {
    assert_schema_of("info");
}

#[test]
fn check() {
    assert_schema_of("check");
    // Each kind of finding occurs among the scenes, with its places.
    let folder = Folder::new("schema-kinds");
    let mut kinds = BTreeSet::new();
    for scene in scenes(&folder) {
        let told = told(&folder, &["check", scene, "--json"]);
        for mesh in told["meshes"].as_array().expect("a list") {
            let places = mesh["places"].as_array().expect("a list");
            kinds.extend(places.iter().map(|place| place["kind"].as_str().expect("a name").to_owned()));
        }
        assert_eq!(told["sound"], json!(told["findings"].as_object().unwrap().values().all(|n| n == 0)));
    }
    let known = Schema::open("check.schema.json");
    let place = &known.whole["properties"]["meshes"]["items"]["properties"]["places"]["items"];
    let known = place["properties"]["kind"]["enum"].as_array().expect("a list").iter();
    assert_eq!(kinds, known.map(|kind| kind.as_str().expect("a name").to_owned()).collect());
}

//! FBX as text.

/// A node `left` with a mesh `panel` of a triangle and a quad, 2 by 1 units large, and a node `right` below it.
/// `settings` are lines of GlobalSettings.
pub fn text(settings: &str) -> String {
    format!(
        r#"; FBX 7.4.0 project file
FBXHeaderExtension:  {{
    FBXVersion: 7400
}}
GlobalSettings:  {{
    Properties70:  {{
{settings}
    }}
}}
Objects:  {{
    Geometry: 10, "Geometry::panel", "Mesh" {{
        Vertices: *18 {{
            a: 0,0,0,200,0,0,200,100,0,0,100,0,0,200,0,9,9,9
        }}
        PolygonVertexIndex: *7 {{
            a: 0,1,2,-4,3,2,-5
        }}
        LayerElementMaterial: 0 {{
            MappingInformationType: "ByPolygon"
            ReferenceInformationType: "IndexToDirect"
            Materials: *2 {{
                a: 1,0
            }}
        }}
        Layer: 0 {{
            LayerElement:  {{
                Type: "LayerElementMaterial"
                TypedIndex: 0
            }}
        }}
    }}
    Model: 20, "Model::left", "Mesh" {{
        Properties70:  {{
            P: "Lcl Translation", "Lcl Translation", "", "A",1000,2000,3000
            P: "Lcl Scaling", "Lcl Scaling", "", "A",1,2,1
        }}
    }}
    Model: 21, "Model::right", "Mesh" {{
        Properties70:  {{
            P: "Lcl Translation", "Lcl Translation", "", "A",-1000,0,0
            P: "GeometricTranslation", "Vector3D", "Vector", "",5,0,0
        }}
    }}
    Material: 30, "Material::steel", "" {{
        ShadingModel: "lambert"
    }}
    Material: 31, "Material::oak", "" {{
        ShadingModel: "lambert"
    }}
}}
Connections:  {{
    C: "OO",20,0
    C: "OO",21,20
    C: "OO",10,20
    C: "OO",10,21
    C: "OO",30,20
    C: "OO",31,20
    C: "OO",30,21
    C: "OO",31,21
}}
"#
    )
}

/// Axes for [`text`]: right, up and front as 0 to 2 for X to Z, with signs.
pub fn axes(right: (u8, i8), up: (u8, i8), front: (u8, i8)) -> String {
    [("Coord", right), ("Up", up), ("Front", front)]
        .map(|(name, (axis, sign))| {
            format!(
                "P: \"{name}Axis\", \"int\", \"Integer\", \"\",{axis}\nP: \"{name}AxisSign\", \"int\", \"Integer\", \"\",{sign}\n"
            )
        })
        .concat()
}

/// Centimetres in a unit, for [`text`].
pub fn unit(centimetres: f64) -> String {
    format!("P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{centimetres}\n")
}

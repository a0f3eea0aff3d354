//! Which columns of a file are what, and a row as a ray.

use hitscan::Ray;

use super::flaw::Flaw;
use super::subject::Subject;
use crate::table::printable;

/// Characters of a header that are shown.
const SHOWN: usize = 60;

/// The columns of a file that matter, by their number in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    /// What the rows are.
    pub of: Subject,
    /// In the order of [`Subject::needed`].
    needed: Vec<usize>,
    t_min: Option<usize>,
    t_max: Option<usize>,
    /// Those that are carried over to the answer, in the order asked for.
    pub kept: Vec<usize>,
    /// Columns that nobody reads, though others call the limits of a ray so.
    pub stray: Vec<String>,
}

/// What Embree, Open3D and others call the two limits, without regard to capitals and strokes.
const STRAY: [(&str, [&str; 2]); 2] = [("t_min", ["tmin", "tnear"]), ("t_max", ["tmax", "tfar"])];

/// The limit that others call so, where it is not ours.
pub fn limit_of_others(name: &str) -> Option<&'static str> {
    let plain = name.trim().replace(['_', '-', ' '], "").to_ascii_lowercase();
    let found = STRAY.into_iter().find(|(_, names)| names.contains(&plain.as_str()))?;
    (name.trim() != found.0).then_some(found.0)
}

/// The numbers of one row.
pub trait Row {
    /// The number in a column; `None` where there is none.
    fn number(&self, column: usize) -> Option<f64>;

    /// Whether there is nothing in a column: it is empty or null.
    fn is_missing(&self, column: usize) -> bool;

    /// What stands in a column, for messages.
    fn text(&self, column: usize) -> String;
}

impl Fields {
    /// Finds the columns by name. The error reads `WHAT; WHAT WAS EXPECTED`.
    pub fn find<S: AsRef<str>>(of: Subject, names: &[S], keep: &[String]) -> Result<Fields, String> {
        let find = |wanted: &str| -> Result<Option<usize>, String> {
            let named = |(at, name): (usize, &S)| (name.as_ref().trim() == wanted).then_some(at);
            let mut found = names.iter().enumerate().filter_map(named);
            match (found.next(), found.next()) {
                (at, None) => Ok(at),
                _ => Err(format!("two columns are named '{wanted}'; {} needs each name once", of.file())),
            }
        };
        let needed = of.needed().iter().map(|wanted| {
            find(wanted)?.ok_or_else(|| {
                let all = of.needed().join(",");
                let there =
                    names.iter().map(|name| printable(name.as_ref().trim())).collect::<Vec<_>>().join(",");
                let there: String = there.chars().take(SHOWN).collect();
                let file = of.file();
                format!(
                    "there is no column '{wanted}' in '{there}'; {file} names its columns, {all} among them"
                )
            })
        });
        let needed = needed.collect::<Result<_, _>>()?;
        let limit = |wanted: &str| if of.limits().contains(&wanted) { find(wanted) } else { Ok(None) };
        let (t_min, t_max) = (limit("t_min")?, limit("t_max")?);
        let mut kept = Vec::new();
        for name in keep {
            let at = find(name.trim())?.ok_or_else(|| {
                format!("there is no column '{name}'; --keep needs names of columns in this file")
            })?;
            kept.push(at);
        }
        let stray = |at: usize| match names.get(at).and_then(|name| limit_of_others(name.as_ref())) {
            Some("t_min") => t_min.is_none() && !kept.contains(&at),
            Some(_) => t_max.is_none() && !kept.contains(&at),
            None => false,
        };
        let stray = (0..names.len()).filter(|&at| of == Subject::Rays && stray(at));
        let stray = stray.map(|at| names[at].as_ref().trim().to_owned()).collect();
        Ok(Fields { of, needed, t_min, t_max, kept, stray })
    }

    /// The columns that make a ray: each one's place in `ox oy oz dx dy dz t_min t_max`, and its number in the file. A point
    /// has the first three.
    pub fn of_ray(&self) -> impl Iterator<Item = (usize, usize)> {
        let needed = self.needed.iter().copied().enumerate();
        needed.chain(self.t_min.map(|at| (6, at))).chain(self.t_max.map(|at| (7, at)))
    }

    /// The ray of a row.
    pub fn ray(&self, row: &impl Row) -> Result<Ray, Flaw> {
        let mut numbers = [0.0; 6];
        for ((number, &at), column) in numbers.iter_mut().zip(&self.needed).zip(self.of.needed()) {
            *number = row.number(at).filter(|number| number.is_finite()).ok_or_else(|| Flaw::Number {
                of: self.of,
                column,
                text: row.text(at),
            })?;
        }
        // A limit that is missing is none.
        let limit = |at: Option<usize>, column, default| match at.filter(|&at| !row.is_missing(at)) {
            Some(at) => row
                .number(at)
                .filter(|number| !number.is_nan())
                .ok_or_else(|| Flaw::Limit { column, text: row.text(at) }),
            None => Ok(default),
        };
        let t_min = limit(self.t_min, "t_min", 0.0);
        let t_max = limit(self.t_max, "t_max", f64::INFINITY);
        // A direction of zero is told before limits that are none.
        let ray = self.of_numbers(numbers, 0.0, f64::INFINITY)?;
        ray.with_range(t_min?, t_max?).map_err(Flaw::Ray)
    }

    /// The ray of finite numbers `ox oy oz dx dy dz`, of which a point has the first three, and of limits that are
    /// numbers; the limits count where the file has them.
    #[inline]
    pub fn of_numbers(&self, numbers: [f64; 6], t_min: f64, t_max: f64) -> Result<Ray, Flaw> {
        let ray = self.of.ray(numbers)?;
        if self.t_min.is_none() && self.t_max.is_none() {
            return Ok(ray);
        }
        ray.with_range(t_min, t_max).map_err(Flaw::Ray)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words<'a>(Vec<&'a str>);

    impl Row for Words<'_> {
        fn number(&self, column: usize) -> Option<f64> {
            self.0[column].parse().ok()
        }
        fn is_missing(&self, column: usize) -> bool {
            self.0[column].is_empty()
        }
        fn text(&self, column: usize) -> String {
            self.0[column].to_owned()
        }
    }

    #[test]
    fn columns_are_found_by_name() {
        let fields = Fields::find(
            Subject::Rays,
            &["id", "dz", "dy", "dx", " ox", "oy ", "oz", "t_max"],
            &["id".into()],
        )
        .unwrap();
        let of_ray = [(0, 4), (1, 5), (2, 6), (3, 3), (4, 2), (5, 1), (7, 7)];
        assert_eq!(fields.of_ray().collect::<Vec<_>>(), of_ray);
        assert_eq!(fields.kept, [0]);
        let ray = fields.ray(&Words(vec!["a", "-1", "0", "0.5", "1", "2", "3e1", "inf"])).unwrap();
        assert_eq!((ray.origin().to_array(), ray.dir().to_array()), ([1.0, 2.0, 30.0], [0.5, 0.0, -1.0]));
        assert_eq!((ray.t_min(), ray.t_max()), (0.0, f64::INFINITY));
        let limited = ["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
        let limited = Fields::find(Subject::Rays, &limited, &[]).unwrap();
        let ray = limited.ray(&Words(vec!["1", "2", "3", "0", "0", "1", "", ""])).unwrap();
        assert_eq!((ray.t_min(), ray.t_max()), (0.0, f64::INFINITY));
    }

    #[test]
    fn names_that_others_give_limits_are_told() {
        let stray = |names: &str, keep: &[String]| {
            let names = format!("ox,oy,oz,dx,dy,dz,{names}");
            Fields::find(Subject::Rays, &names.split(',').collect::<Vec<_>>(), keep).unwrap().stray
        };
        assert_eq!(stray("tmax,T_Min,id", &[]), ["tmax", "T_Min"]);
        assert_eq!(stray("t_max,tfar,tnear", &[]), ["tnear"]);
        assert_eq!(stray("tfar,tmin,t_min", &["tfar".into()]), [""; 0]);
        let points = Fields::find(Subject::Points, &["x", "y", "z", "tmax"], &[]).unwrap();
        assert_eq!(points.stray, [""; 0]);
    }

    #[test]
    fn flaws_name_the_column() {
        let fields =
            Fields::find(Subject::Rays, &["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"], &[])
                .unwrap();
        for (row, message) in [
            ("0,0,0,0,nan,1,0,1", "dy is nan; a ray needs finite numbers"),
            ("0,-INF,0,0,0,1,0,1", "oy is -INF; a ray needs finite numbers"),
            ("0,,0,0,0,1,0,1", "oy is empty; a ray needs finite numbers"),
            ("0,0,one,0,0,1,0,1", "oz is 'one'; a ray needs finite numbers"),
            ("0,0,0,0,0,-0.0,0,1", "dx, dy and dz are 0; a ray needs a direction of any length but zero"),
            ("0,0,0,0,0,1,3,2", "t_min is 3 and t_max is 2; a ray needs t_min <= t_max"),
            ("0,0,0,0,0,1,0,nan", "t_max is nan; expected a number, -inf or inf"),
            ("0,0,0,0,0,1,x,1", "t_min is 'x'; expected a number, -inf or inf"),
        ] {
            let flaw = fields.ray(&Words(row.split(',').collect())).unwrap_err();
            assert_eq!(flaw.to_string(), message);
        }
    }

    #[test]
    fn headers_are_refused() {
        let find = |names: &str, keep: &[String]| {
            Fields::find(Subject::Rays, &names.split(',').collect::<Vec<_>>(), keep)
        };
        assert!(find("ox,oy,oz,dx,dy", &[]).unwrap_err().starts_with("there is no column 'dz'"));
        assert!(find("ox,oy,oz,dx,dy,dz,ox", &[]).unwrap_err().starts_with("two columns"));
        assert!(find("ox,oy,oz,dx,dy,dz", &["id".into()]).unwrap_err().contains("--keep"));
    }

    #[test]
    fn points_are_origins() {
        let find = |names: &[&str]| Fields::find(Subject::Points, names, &[]);
        let fields = find(&["z", "t_max", "x", "y"]).unwrap();
        assert_eq!(fields.of_ray().collect::<Vec<_>>(), [(0, 2), (1, 3), (2, 0)]);
        let point = |row: &str| fields.ray(&Words(row.split(',').collect()));
        let ray = point("-3,no limit,1,2.5").unwrap();
        assert_eq!((ray.origin().to_array(), ray.t_max()), ([1.0, 2.5, -3.0], f64::INFINITY));
        for (row, message) in [
            ("0,,0,inf", "y is inf; a point needs finite numbers"),
            ("-1e31,,0,0", "z is -1e31; a point needs coordinates of at most 2^100"),
        ] {
            assert_eq!(point(row).unwrap_err().to_string(), message);
        }
        let expected =
            "there is no column 'z' in 'x,y'; a file of points names its columns, x,y,z among them";
        assert_eq!(find(&["x", "y"]).unwrap_err(), expected);
    }
}

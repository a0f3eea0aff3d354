//! Lines without quotes, the usual kind: numbers are read where they stand, without being cut into fields first.

use std::ops::Range;

use hitscan::Ray;

use crate::rays::fields::Fields;
use crate::rays::flaw::Flaw;

/// Where limits stand among the numbers of a ray.
const LIMITS: usize = 6;

/// What the columns of a file are.
#[derive(Clone, Debug)]
pub struct Roles(Vec<Role>);

/// What one column is; it may be both, or neither.
#[derive(Clone, Debug, Default, PartialEq)]
struct Role {
    /// Place among the numbers of a ray.
    number: Option<usize>,
    /// Places among the columns that are carried over.
    kept: Vec<usize>,
}

impl Roles {
    /// The roles of a file's columns.
    pub fn new(fields: &Fields, width: usize) -> Roles {
        let mut roles = vec![Role::default(); width];
        for (place, column) in fields.of_ray() {
            roles[column].number = Some(place);
        }
        for (place, &column) in fields.kept.iter().enumerate() {
            roles[column].kept.push(place);
        }
        Roles(roles)
    }

    /// The ray of a line without its end, and where in it the fields stand that are carried over; `None` where the
    /// line is not plain, so that it has to be read with care: it may be a ray nevertheless.
    pub fn ray(&self, line: &[u8], fields: &Fields, kept: &mut [Range<usize>]) -> Option<Result<Ray, Flaw>> {
        // `ox oy oz dx dy dz t_min t_max`, with the limits of a ray without limits.
        let mut numbers = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, f64::INFINITY];
        let (mut at, last) = (0, self.0.len() - 1);
        for (column, role) in self.0.iter().enumerate() {
            let rest = line.get(at..)?;
            let length = match role.number {
                // A limit that is missing is none.
                Some(LIMITS..) if matches!(rest.first(), None | Some(b',')) => 0,
                Some(place) => {
                    let (number, length) = fast_float2::parse_partial::<f64, _>(rest).ok()?;
                    // Only limits may be infinite.
                    if number.is_nan() || (place < LIMITS && number.is_infinite()) {
                        return None;
                    }
                    numbers[place] = number;
                    length
                }
                None => memchr::memchr(b',', rest).unwrap_or(rest.len()),
            };
            for &place in &role.kept {
                kept[place] = at..at + length;
            }
            at += length;
            match (line.get(at), column == last) {
                (Some(b','), false) => at += 1,
                (None, true) => {}
                _ => return None,
            }
        }
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = numbers;
        Some(fields.of_numbers([ox, oy, oz, dx, dy, dz], t_min, t_max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::subject::Subject;

    #[test]
    fn plain_lines_are_rays() {
        let fields = Fields::find(
            Subject::Rays,
            &["id", "ox", "oy", "oz", "dx", "dy", "dz"],
            &["id".into(), "oz".into()],
        );
        let fields = fields.unwrap();
        let roles = Roles::new(&fields, 7);
        let mut kept = vec![0..0; 2];
        let line = b"a b,1,-2.5,3e-1,0,.5,1.";
        let ray = roles.ray(line, &fields, &mut kept).unwrap().unwrap();
        assert_eq!((ray.origin().to_array(), ray.dir().to_array()), ([1.0, -2.5, 0.3], [0.0, 0.5, 1.0]));
        assert_eq!([&line[kept[0].clone()], &line[kept[1].clone()]], [&b"a b"[..], b"3e-1"]);
        for line in
            ["", "a", "a,1,2,3,4,5", "a,1,2,3,4,5,6,7", "a,1, 2,3,4,5,6", "a,1,2,3,4,5,nan", "a,1,2,3,4,5,6 "]
        {
            assert!(roles.ray(line.as_bytes(), &fields, &mut vec![0..0; 2]).is_none(), "{line}");
        }
        let names = ["ox", "oy", "oz", "dx", "dy", "dz", "t_max"];
        let limited = Fields::find(Subject::Rays, &names, &[]).unwrap();
        let limit = |line: &[u8]| Roles::new(&limited, 7).ray(line, &limited, &mut []);
        assert_eq!(limit(b"1,2,3,4,5,6,inf").unwrap().unwrap().t_max(), f64::INFINITY);
        assert_eq!(limit(b"1,2,3,4,5,6,").unwrap().unwrap().t_max(), f64::INFINITY);
        assert!(limit(b"1,2,3,4,5,6").is_none() && limit(b"1,2,3,4,5,,7").is_none());
        assert!(limit(b"1,2,3,4,5,6,nan").is_none() && limit(b"1,2,3,4,5,inf,1").is_none());
        assert!(matches!(roles.ray(b"a,1,2,3,0,0,0", &fields, &mut vec![0..0; 2]), Some(Err(Flaw::Ray(_)))));
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..100_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let x = f64::from_bits(bits);
            let texts =
                [format!("{x}"), format!("{x:e}"), format!("{:.20}", x % 1e3), format!("{}", x as f32)];
            for text in texts.iter().filter(|_| x.is_finite()) {
                let Ok((number, length)) = fast_float2::parse_partial::<f64, _>(text) else {
                    panic!("'{text}' is a number");
                };
                assert_eq!(
                    (number.to_bits(), length),
                    (text.parse::<f64>().unwrap().to_bits(), text.len()),
                    "{text}"
                );
            }
        }
    }
}

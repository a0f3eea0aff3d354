//! Whether a rival answers as we do.

use hitscan::Ray;

use hitscan_bench::forms::Query;

/// Depths count as the same within this share of them, and of the scene's size: peers answer in `f32`.
const DEPTH: f64 = 1e-4;
const SIZE: f64 = 1e-5;

/// Rays that hit, or hits of lists.
pub fn hits(query: Query, answers: &[f64]) -> u64 {
    match query {
        Query::Closest | Query::Occluded => answers.iter().filter(|t| t.is_finite()).count() as u64,
        Query::AllHits | Query::First => answers.iter().sum::<f64>() as u64,
    }
}

/// How many answers are not ours: a hit for a miss, another depth, another number of hits. `size` is the scene's.
pub fn differ(query: Query, rays: &[Ray], size: f64, ours: &[f64], theirs: &[f64]) -> usize {
    let same = |((ray, &a), &b): ((&Ray, &f64), &f64)| {
        a == b
            || (query == Query::Closest
                && (a - b).abs() <= DEPTH * a.abs() + SIZE * size / ray.dir().length())
    };
    rays.iter().zip(ours).zip(theirs).filter(|&row| !same(row)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_agree_within_rounding() {
        let ray = Ray::new([0.0; 3], [2.0, 0.0, 0.0]).unwrap();
        let differ = |a: f64, b: f64| differ(Query::Closest, &[ray], 100.0, &[a], &[b]);
        assert_eq!([differ(5.0, 5.0004), differ(5.0, 5.01), differ(5.0, f64::INFINITY)], [0, 1, 1]);
        assert_eq!(differ(f64::INFINITY, f64::INFINITY), 0);
    }

    #[test]
    fn hits_are_rays_or_crossings() {
        assert_eq!(hits(Query::Closest, &[1.0, f64::INFINITY]), 1);
        assert_eq!(hits(Query::AllHits, &[3.0, 0.0, 2.0]), 5);
    }
}

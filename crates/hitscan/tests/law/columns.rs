//! Raw columns: each sound row is answered as its ray alone, on every bit, and each bad one says so.

use hitscan::{Columns, Filter, HitLists, Number, RayError, Status};
use hitscan_oracle::meshes::all_solids;
use hitscan_oracle::rays::{KINDS, Shooter};
use hitscan_oracle::{Rng, rng};

use crate::support::{kernels, mesh, on_kernel, ray};

/// What makes a row none: the column, and what stands there.
const BAD: [(usize, f64); 9] = [
    (0, f64::NAN),
    (1, f64::INFINITY),
    (2, 1e31),
    (3, f64::NAN),
    (4, f64::NEG_INFINITY),
    (5, 1e300),
    (6, f64::NAN),
    (7, f64::NAN),
    (7, f64::NEG_INFINITY),
];

/// Rays of all hostile kinds, some of which are spoilt, and whether each is.
fn rows(shooter: &Shooter<'_>, count: usize, rng: &mut Rng) -> Vec<([f64; 8], bool)> {
    (0..count)
        .map(|row| {
            let ray = ray(&shooter.ray(KINDS[row % KINDS.len()], rng));
            let (o, d) = (ray.origin(), ray.dir());
            let mut numbers = [o.x, o.y, o.z, d.x, d.y, d.z, ray.t_min(), ray.t_max()];
            let is_bad = rng.one_in(7);
            if is_bad {
                let (column, value) = rng.pick(&BAD);
                numbers[column] = value;
            }
            (numbers, is_bad)
        })
        .collect()
}

fn check<N: Number>(columns: &Columns<'_, N>, is_bad: &[bool], targets: &[hitscan::Mesh]) {
    let filter = &Filter::ALL;
    for target in targets {
        let context = target.isa();
        let (mut records, mut blocked) = (Vec::new(), vec![Status::Miss; 3]);
        let (mut lists, mut some) = (HitLists::default(), HitLists::default());
        let (mut statuses, mut of_some) = (Vec::new(), Vec::new());
        target.closest_columns(columns, filter, &mut records);
        target.occluded_columns(columns, filter, &mut blocked);
        target.all_hits_columns(columns, filter, &mut lists, &mut statuses);
        target.first_n_columns(columns, filter, 2, &mut some, &mut of_some);
        assert_eq!(
            (records.len(), blocked.len(), lists.len(), some.len()),
            (is_bad.len(), is_bad.len(), is_bad.len(), is_bad.len())
        );
        assert_eq!((&blocked, &of_some), (&statuses, &statuses), "{context}");
        let count = |status| statuses.iter().filter(|&&other| other == status).count();
        let bad = is_bad.iter().filter(|&&is_bad| is_bad).count();
        assert_eq!(count(Status::Invalid), bad, "{context}");
        assert!(is_bad.len() - bad < 50 || count(Status::Hit) > 10 && count(Status::Miss) > 10, "{context}");
        for row in 0..columns.len() {
            assert_eq!(records[row].status(), statuses[row], "{context}, row {row}");
            let Ok(ray) = columns.ray(row) else {
                assert!(is_bad[row] && statuses[row] == Status::Invalid, "{context}, row {row}");
                assert!(lists.get(row).is_empty() && some.get(row).is_empty(), "{context}, row {row}");
                continue;
            };
            assert!(!is_bad[row], "{context}, row {row}");
            assert_eq!(records[row], target.closest_record(&ray, filter), "{context}, row {row}");
            let hits: Vec<_> =
                lists.get(row).iter().map(|record| target.describe(&ray, record).unwrap()).collect();
            assert_eq!(hits, target.all_hits(&ray, filter), "{context}, row {row}");
            assert_eq!(some.get(row), &lists.get(row)[..hits.len().min(2)], "{context}, row {row}");
        }
    }
}

#[test]
fn sound_rows_are_answered_and_bad_ones_are_told() {
    let mut rng = Rng::new(rng::seed(1251));
    let solid = all_solids().swap_remove(0).mesh;
    let targets: Vec<_> = kernels().map(|isa| on_kernel(&mesh(&solid), isa)).collect();
    // One task, several, none, and tasks all of whose rows are bad.
    for count in [0, 1, 100, 1024, 2500] {
        let rows = rows(&Shooter::new(&solid), count, &mut rng);
        let is_bad: Vec<bool> = rows.iter().map(|&(_, is_bad)| is_bad).collect();
        let column = |at: usize| rows.iter().map(|(numbers, _)| numbers[at]).collect::<Vec<f64>>();
        let columns: [Vec<f64>; 8] = std::array::from_fn(column);
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = columns.each_ref().map(Vec::as_slice);
        let rays = Columns::new([ox, oy, oz, dx, dy, dz]).unwrap().with_range(t_min, t_max).unwrap();
        check(&rays, &is_bad, &targets);
    }
    let nothing = [0.0f64; 3000];
    let rays = Columns::new([&nothing[..]; 6]).unwrap();
    assert_eq!(rays.ray(0), Err(RayError::ZeroDirection));
    check(&rays, &[true; 3000], &targets);
}

/// Of `f32` and without a range: as the same numbers in `f64`, from 0 on.
#[test]
fn columns_of_f32_are_taken_exactly() {
    let mut rng = Rng::new(rng::seed(1252));
    let solid = all_solids().swap_remove(0).mesh;
    let targets: Vec<_> = kernels().map(|isa| on_kernel(&mesh(&solid), isa)).collect();
    let columns: [Vec<f32>; 6] = std::array::from_fn(|at| {
        (0..700).map(|_| rng.range(-3.0, 3.0) as f32 * if at < 3 { 2.0 } else { -1.0 }).collect()
    });
    let rays = Columns::new(columns.each_ref().map(Vec::as_slice)).unwrap();
    check(&rays, &[false; 700], &targets);
    let wide: [Vec<f64>; 6] = columns.each_ref().map(|column| column.iter().map(|&c| f64::from(c)).collect());
    let (zero, ever) = ([0.0; 700], [f64::INFINITY; 700]);
    let same = Columns::new(wide.each_ref().map(Vec::as_slice)).unwrap().with_range(&zero, &ever).unwrap();
    assert!((0..700).all(|row| rays.ray(row) == same.ray(row) && rays.ray(row).is_ok()));
}

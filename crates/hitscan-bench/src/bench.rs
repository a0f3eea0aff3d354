//! The order of work on one scene.

use std::error::Error;

use hitscan::{Filter, Ray};
use hitscan_bench::rays::{Workload, record};
use hitscan_bench::scenes::Loaded;

use crate::agree::{differ, hits};
use crate::counts::{key, stated};
use crate::options::{Options, QUICK_SIDE, SIDE};
use crate::rows::{BuildMeasured, BuildRow, Measured, Row, Rows};
use hitscan_bench::forms::{FIRST, Form, Query, forms};
use hitscan_bench::measure::Run;
use hitscan_bench::peers::embree::Embree;
use hitscan_bench::peers::{Builder, Peers, Team, builds};

/// What all scenes share.
pub struct Bench<'a> {
    pub options: &'a Options,
    pub embree: Option<&'static Embree>,
    /// One thread, and all where there are more.
    pub teams: &'a [Team],
}

impl Bench<'_> {
    /// Adds the rows of a scene; how many counts of hits were wrong.
    pub fn scene(&self, scene: &Loaded, rows: &mut Rows) -> Result<usize, Box<dyn Error>> {
        let options = self.options;
        if "build".contains(&options.form) {
            for team in self.teams {
                rows.builds.push(self.build(scene, team)?);
            }
        }
        let mut wrong = 0;
        let mut peers = None;
        for workload in Workload::ALL {
            let wanted =
                |form: &Form| format!("{}, {}", workload.name(), form.name()).contains(&options.form);
            let forms: Vec<Form> = forms(workload, options.quick).into_iter().filter(wanted).collect();
            let mut sides: Vec<u32> = forms.iter().map(|form| form.side(options.side())).collect();
            sides.dedup();
            for side in sides {
                let rays = record(workload, scene, side);
                if rays.is_empty() {
                    eprintln!("{}: no rays for {}, skipped", scene.name, workload.name());
                    continue;
                }
                let peers = match &mut peers {
                    Some(peers) => &*peers,
                    none => &*none.insert(Peers::new(&scene.mesh, options.forced, self.embree)?),
                };
                for &form in forms.iter().filter(|form| form.side(options.side()) == side) {
                    let teams = if form.is_single() { &self.teams[..1] } else { self.teams };
                    for team in teams {
                        let row = self.row(scene, workload, &rays, form, peers, team);
                        wrong += usize::from(!is_stated(&row, side));
                        say(&row);
                        rows.queries.push(row);
                    }
                }
            }
        }
        Ok(wrong)
    }

    fn row(
        &self,
        scene: &Loaded,
        workload: Workload,
        rays: &[Ray],
        form: Form,
        peers: &Peers,
        team: &Team,
    ) -> Row {
        let mut rivals = peers.rivals(rays, form);
        let size = scene.mesh.bounds().map_or(0.0, |(low, high)| f64::from((high - low).length()));
        let mut runs: Vec<&mut dyn Run> =
            rivals.iter_mut().map(|rival| &mut *rival.session as &mut dyn Run).collect();
        let timings = team.rounds(&mut runs, &self.options.plan());
        // Those of the last round: what was measured is what is held against each other.
        let ours = rivals[0].session.answers();
        let measured = rivals.iter().zip(timings).map(|(rival, timing)| {
            let answers = rival.session.answers();
            Measured {
                name: rival.name,
                rate: rays.len() as f64 / 1e6 / timing.seconds,
                ratio: timing.ratio,
                hits: hits(form.query, &answers),
                differ: differ(form.query, rays, size, &ours, &answers),
            }
        });
        let rivals = measured.collect();
        Row { scene: scene.name, workload, form, threads: team.threads, rays: rays.len(), rivals }
    }

    fn build(&self, scene: &Loaded, team: &Team) -> Result<BuildRow, Box<dyn Error>> {
        let mut rivals = builds(&scene.mesh, self.options.forced, self.embree, team.threads)?;
        let mut runs: Vec<&mut dyn Run> =
            rivals.iter_mut().map(|rival| &mut *rival.build as &mut dyn Run).collect();
        let timings = team.rounds(&mut runs, &self.options.plan_of_builds());
        let triangles = scene.mesh.triangles().len();
        let measured = rivals.iter().zip(timings).map(|(Builder { name, build }, timing)| {
            let bytes = build.bytes().map_err(|error| format!("{name}: {error}"))?;
            Ok(BuildMeasured {
                name,
                rate: triangles as f64 / 1e6 / timing.seconds,
                ratio: timing.ratio,
                bytes: bytes.map(|bytes| bytes as f64 / triangles as f64),
            })
        });
        let rivals = measured.collect::<Result<Vec<_>, String>>()?;
        let row = BuildRow { scene: scene.name, threads: team.threads, triangles, rivals };
        let rates: Vec<String> =
            row.rivals.iter().map(|rival| format!("{} {:.2}", rival.name, rival.rate)).collect();
        eprintln!("{}: build, {} threads, Mtriangles/s: {}", row.scene, row.threads, rates.join(", "));
        Ok(row)
    }
}

/// Whether ours counts what is stated; says so where not.
fn is_stated(row: &Row, side: u32) -> bool {
    let key = key(row.scene, row.workload.name(), side, row.form.query);
    let (counted, stated) = (row.ours().hits, stated(&key));
    if stated != Some(counted) {
        let expected = stated.map_or("nothing is".to_owned(), |count| format!("{count} are"));
        eprintln!("{}: {}: {counted} hits; {expected} stated in counts.csv", row.scene, row.name());
    }
    stated == Some(counted)
}

/// Prints what counts.csv has to state about a scene.
pub fn count(scene: &Loaded, options: &Options) {
    for workload in Workload::ALL {
        let mut asked = Vec::new();
        for quick in [true, false] {
            let side = if quick { QUICK_SIDE } else { SIDE };
            asked.extend(forms(workload, quick).into_iter().map(|form| (form.side(side), form.query)));
        }
        asked.retain(|(_, query)| format!("{}, {}", workload.name(), query.name()).contains(&options.form));
        asked.sort_by_key(|&(side, query)| (side, query as u8));
        asked.dedup();
        let mut rays = (0, Vec::new());
        for (side, query) in asked {
            if rays.0 != side {
                rays = (side, record(workload, scene, side));
            }
            let (mesh, rays, filter) = (&scene.mesh, &rays.1, &Filter::ALL);
            let hits = match query {
                Query::Closest => mesh.closest_batch(rays, filter).iter().flatten().count(),
                Query::Occluded => {
                    mesh.occluded_batch(rays, filter).iter().filter(|&&blocked| blocked).count()
                }
                Query::AllHits => mesh.all_hits_batch(rays, filter).hits().len(),
                Query::First => mesh.first_n_batch(rays, filter, FIRST).hits().len(),
            };
            println!("{}{hits}", key(scene.name, workload.name(), side, query));
        }
    }
}

/// Progress.
fn say(row: &Row) {
    let rates: Vec<String> = row
        .rivals
        .iter()
        .map(|rival| {
            let differ =
                if rival.differ == 0 { String::new() } else { format!(" ({} differ)", rival.differ) };
            format!("{} {:.2}{differ}", rival.name, rival.rate)
        })
        .collect();
    eprintln!("{}: {}, {} threads, Mrays/s: {}", row.scene, row.name(), row.threads, rates.join(", "));
}

//! Ours: `Mesh`, by the calls that a user writes.

use hitscan::{Filter, HitLists, HitRecord, Mesh, Ray};

use super::per_ray::PerRay;
use super::{Build, Built, Session};
use crate::forms::{Calls, FIRST, Form, Query};
use crate::measure::Run;

/// A mesh that is asked.
pub struct Ours(pub Mesh);

impl Ours {
    /// A form of a question, by the call that it names.
    pub fn session<'a>(&'a self, rays: &'a [Ray], form: Form) -> Box<dyn Session + 'a> {
        let (mesh, filter) = (&self.0, Filter::ALL);
        if form.calls != Calls::Single {
            return Box::new(Batches { mesh, rays, form, answers: Vec::new(), spare: Default::default() });
        }
        match form.query {
            Query::Closest => {
                PerRay::boxed(rays.to_vec(), form, move |ray| mesh.closest_record(ray, &filter).t)
            }
            Query::Occluded => PerRay::boxed(rays.to_vec(), form, move |ray| {
                if mesh.occluded(ray, &filter) { 0.0 } else { f64::INFINITY }
            }),
            Query::AllHits => {
                PerRay::boxed(rays.to_vec(), form, move |ray| mesh.all_hits(ray, &filter).len() as f64)
            }
            Query::First => {
                PerRay::boxed(rays.to_vec(), form, move |ray| mesh.first_n(ray, &filter, FIRST).len() as f64)
            }
        }
    }
}

/// The batch forms, called with so many rays at a time.
struct Batches<'a> {
    mesh: &'a Mesh,
    rays: &'a [Ray],
    form: Form,
    answers: Vec<Answer>,
    /// Lists whose memory is used again, as Embree's rays are.
    spare: (Vec<Vec<HitRecord>>, Vec<HitLists<HitRecord>>),
}

/// What one batch gives.
enum Answer {
    Closest(Vec<HitRecord>),
    Occluded(Vec<bool>),
    Lists(HitLists<HitRecord>),
}

impl Run for Batches<'_> {
    fn reset(&mut self) {
        for answer in self.answers.drain(..) {
            match answer {
                Answer::Closest(records) => self.spare.0.push(records),
                Answer::Lists(lists) => self.spare.1.push(lists),
                Answer::Occluded(_) => {}
            }
        }
    }

    fn run(&mut self) {
        let (mesh, filter) = (self.mesh, Filter::ALL);
        for rays in self.rays.chunks(self.form.batch_size(self.rays.len())) {
            let mut records = self.spare.0.pop().unwrap_or_default();
            let mut lists = self.spare.1.pop().unwrap_or_default();
            self.answers.push(match self.form.query {
                Query::Closest => {
                    mesh.closest_records(rays, &filter, &mut records);
                    Answer::Closest(records)
                }
                Query::Occluded => Answer::Occluded(mesh.occluded_batch(rays, &filter)),
                Query::AllHits => {
                    mesh.all_hits_records(rays, &filter, &mut lists);
                    Answer::Lists(lists)
                }
                Query::First => {
                    mesh.first_n_records(rays, &filter, FIRST, &mut lists);
                    Answer::Lists(lists)
                }
            });
        }
    }
}

impl Session for Batches<'_> {
    fn answers(&self) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.rays.len());
        for answer in &self.answers {
            match answer {
                Answer::Closest(records) => all.extend(records.iter().map(|record| record.t)),
                Answer::Occluded(blocked) => {
                    all.extend(blocked.iter().map(|&blocked| if blocked { 0.0 } else { f64::INFINITY }));
                }
                Answer::Lists(lists) => all.extend(lists.iter().map(|hits| hits.len() as f64)),
            }
        }
        all
    }
}

/// The tree from the same lists.
pub fn build<'a>(mesh: &'a Mesh) -> Box<dyn Build + 'a> {
    let make = || {
        Mesh::new(mesh.vertices().iter().copied(), mesh.triangles().iter().copied())
            .expect("the lists of a mesh are a mesh")
    };
    Built::boxed(make, |mesh: &Mesh| {
        Some(mesh.stats().bytes + 12 * (mesh.vertices().len() + mesh.triangles().len()))
    })
}

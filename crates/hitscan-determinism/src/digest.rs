//! The hash of answers: all their bits, in one order of bytes.

use hitscan::{Face, Hit, Interval};
use twox_hash::XxHash3_128;

/// XXH3 with 128 bits over answers, field by field in the order of their declaration. Floats count as their bits, the lowest
/// byte first, as all numbers do; what may be absent, and lists, begin with how many there are.
pub struct Digest {
    hash: XxHash3_128,
    /// How many answers to the closest hit were one.
    pub hits: u64,
    /// How many crossings the lists of all hits have.
    pub crossings: u64,
}

/// The bytes of a hit.
const HIT: usize = 10 * 8 + 4 * 4 + 1;

impl Digest {
    pub fn new() -> Digest {
        Digest { hash: XxHash3_128::new(), hits: 0, crossings: 0 }
    }

    pub fn value(&self) -> u128 {
        self.hash.finish_128()
    }

    pub fn closest(&mut self, hit: Option<&Hit>) {
        self.hits += u64::from(hit.is_some());
        self.count(usize::from(hit.is_some()));
        if let Some(hit) = hit {
            self.hit(hit);
        }
    }

    pub fn occluded(&mut self, occluded: bool) {
        self.hash.write(&[u8::from(occluded)]);
    }

    pub fn hits(&mut self, hits: &[Hit]) {
        self.crossings += hits.len() as u64;
        self.count(hits.len());
        hits.iter().for_each(|hit| self.hit(hit));
    }

    pub fn intervals(&mut self, pieces: &[Interval]) {
        self.count(pieces.len());
        for piece in pieces {
            let Interval { enter, exit, thickness, instance, material, .. } = *piece;
            for float in [enter, exit, thickness] {
                self.hash.write(&float.to_bits().to_le_bytes());
            }
            for number in [instance.slot(), instance.generation(), material] {
                self.hash.write(&number.to_le_bytes());
            }
        }
    }

    /// Another digest's value.
    pub fn nested(&mut self, value: u128) {
        self.hash.write(&value.to_le_bytes());
    }

    /// As many bytes on a machine of 32 bits.
    fn count(&mut self, count: usize) {
        self.hash.write(&(count as u64).to_le_bytes());
    }

    fn hit(&mut self, hit: &Hit) {
        let Hit { t, distance, position, u, v, prim, instance, material, normal, facing, .. } = *hit;
        let [[px, py, pz], [nx, ny, nz]] = [position, normal].map(|v| v.to_array());
        let floats = [t, distance, px, py, pz, u, v, nx, ny, nz];
        let numbers = [prim, instance.slot(), instance.generation(), material];
        let mut bytes = [0; HIT];
        let (of_floats, rest) = bytes.split_at_mut(8 * floats.len());
        let (of_numbers, of_facing) = rest.split_at_mut(4 * numbers.len());
        for (place, float) in of_floats.chunks_exact_mut(8).zip(floats) {
            place.copy_from_slice(&float.to_bits().to_le_bytes());
        }
        for (place, number) in of_numbers.chunks_exact_mut(4).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        of_facing[0] = u8::from(facing == Face::Back);
        self.hash.write(&bytes);
    }
}

#[cfg(test)]
mod tests {
    use hitscan::{Filter, Mesh, Ray};

    use super::*;

    fn of(write: impl Fn(&mut Digest)) -> u128 {
        let mut digest = Digest::new();
        write(&mut digest);
        digest.value()
    }

    #[test]
    fn every_field_counts() {
        let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]).unwrap();
        let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0]).unwrap();
        let hit = mesh.closest(&ray, &Filter::ALL).unwrap();
        let changes: [fn(&mut Hit); 11] = [
            |_| (),
            |hit| hit.t = hit.t.next_up(),
            |hit| hit.distance = -hit.distance,
            |hit| hit.position.y = hit.position.y.next_down(),
            |hit| hit.u = 0.5,
            |hit| hit.v = -0.0,
            |hit| hit.prim = 1,
            |hit| hit.instance = hitscan::InstanceId::first(1),
            |hit| hit.material = 1,
            |hit| hit.normal.x = -0.0,
            |hit| hit.facing = Face::Back,
        ];
        let changed = changes.map(|change| {
            let mut hit = hit;
            change(&mut hit);
            of(|digest| digest.closest(Some(&hit)))
        });
        for (i, value) in changed.iter().enumerate() {
            assert!(!changed[..i].contains(value), "change {i}");
        }
    }

    #[test]
    fn a_list_is_not_its_parts() {
        let mesh = Mesh::new([[0.0f32, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]], [[0u32, 1, 2]]).unwrap();
        let ray = Ray::new([1.0, 2.0, 6.0], [0.0, 0.0, -2.0]).unwrap();
        let hits = mesh.all_hits(&ray, &Filter::ALL);
        let orders = [
            of(|digest| [&hits[..], &[]].iter().for_each(|hits| digest.hits(hits))),
            of(|digest| [&[], &hits[..]].iter().for_each(|hits| digest.hits(hits))),
            of(|digest| digest.hits(&hits)),
        ];
        assert!(orders[0] != orders[1] && orders[1] != orders[2] && orders[0] != orders[2]);
    }
}

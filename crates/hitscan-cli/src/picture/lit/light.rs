//! Where the light comes from: a sun with a sky, or a lamp where the camera stands in a room.

use hitscan::glam::{DVec3, Vec3};
use hitscan::{Filter, Ray};

use crate::picture::View;

/// The light of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Light {
    up: DVec3,
    /// Towards the sun, a unit vector.
    sun: DVec3,
    /// Where the lamp is, in a room.
    lamp: Option<DVec3>,
    /// The typical distance of what is seen; the unit of haze and grain.
    unit: f64,
}

impl Light {
    /// The light for a view whose things are about `unit` away.
    pub fn of(view: &View<'_>, unit: f64) -> Light {
        let up = view.up.try_normalize().unwrap_or(DVec3::Y);
        // The sun stands behind the camera on the left, so that shadows fall to the right and backwards.
        let level = |v: DVec3| (v - up * v.dot(up)).try_normalize();
        let right = level(view.camera.right()).unwrap_or(DVec3::X);
        let back = right.cross(up);
        let sun = (up * 0.95 - right * 0.85 + back * 0.35).normalize();
        Light { up, sun, lamp: room_lamp(view, up, right), unit }
    }

    /// The unit of haze and grain.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Whether shadow rays end at a lamp.
    pub fn is_lamp(&self) -> bool {
        self.lamp.is_some()
    }

    /// From a point towards the sun, or all the way to the lamp, and the light that comes from there.
    pub fn at(&self, p: DVec3) -> (DVec3, Vec3) {
        match self.lamp {
            None => (self.sun, Vec3::new(2.75, 2.45, 2.02)),
            Some(lamp) => {
                let to = lamp - p;
                let far = (to.length() / self.unit) as f32;
                (to, Vec3::new(1.75, 1.6, 1.38) / (0.55 + 0.45 * far * far))
            }
        }
    }

    /// Light from the camera itself, so that nothing is quite flat, by the cosine to it.
    pub fn headlight(&self, cosine: f32) -> Vec3 {
        let strength = if self.lamp.is_some() { 0.34 } else { 0.10 };
        Vec3::splat(strength * cosine.max(0.0))
    }

    /// Light of the sky and of the ground below on a surface with this normal.
    pub fn ambient(&self, normal: DVec3) -> Vec3 {
        let up = 0.5 + 0.5 * normal.dot(self.up) as f32;
        match self.lamp {
            None => Vec3::new(0.34, 0.31, 0.26).lerp(Vec3::new(0.62, 0.74, 0.95), up),
            Some(_) => Vec3::new(0.40, 0.37, 0.33).lerp(Vec3::new(0.56, 0.56, 0.56), up),
        }
    }

    /// The sky in a direction; below the horizon a plain ground.
    pub fn sky(&self, towards: DVec3) -> Vec3 {
        let height = towards.dot(self.up) as f32;
        if self.lamp.is_some() {
            return Vec3::new(0.55, 0.55, 0.55).lerp(Vec3::new(0.82, 0.84, 0.86), 0.5 + 0.5 * height);
        }
        let horizon = Vec3::new(0.98, 1.28, 1.75);
        let base = if height >= 0.0 {
            horizon.lerp(Vec3::new(0.05, 0.27, 1.15), height.powf(0.42))
        } else {
            horizon.lerp(Vec3::new(0.62, 0.63, 0.66), (-height * 2.2).min(1.0).powf(0.7))
        };
        let glow = (towards.dot(self.sun).max(0.0) as f32).powf(8.0);
        base + Vec3::new(0.30, 0.24, 0.15) * glow
    }

    /// How much of what is this far away is lost in haze.
    pub fn haze(&self, distance: f64) -> f32 {
        if self.lamp.is_some() {
            return 0.0;
        }
        let far = distance / (14.0 * self.unit);
        0.75 * (1.0 - (-far * far).exp()) as f32
    }
}

/// A lamp below the ceiling, where most directions upwards from the camera end in the scene.
fn room_lamp(view: &View<'_>, up: DVec3, right: DVec3) -> Option<DVec3> {
    let eye = view.camera.eye();
    let closed = (0..64).filter(|&i| {
        let ray = Ray::new(eye, hemisphere_of(up, i % 8, i / 8));
        ray.is_ok_and(|ray| view.scene.occluded(&ray, &Filter::ALL))
    });
    if closed.count() < 44 {
        return None;
    }
    let room = |towards: DVec3| {
        let ray = Ray::new(eye, towards).ok()?;
        view.scene.closest(&ray, &Filter::ALL).map(|hit| hit.distance)
    };
    let above = room(up).unwrap_or(1.0);
    let aside = room(-right).unwrap_or(above).min(above);
    let ahead = room(view.camera.forward()).unwrap_or(above).min(2.0 * above);
    Some(eye + up * (0.7 * above) - right * (0.5 * aside) + view.camera.forward() * (0.25 * ahead))
}

/// One of sixteen directions around a normal, more of them near it, as light from all sides is weighed.
pub fn hemisphere(normal: DVec3, direction: usize) -> DVec3 {
    // An order in which neighbouring pixels look to different sides.
    const ORDER: [usize; 16] = [0, 9, 3, 14, 6, 12, 5, 10, 2, 15, 1, 8, 13, 4, 11, 7];
    let place = ORDER[direction % 16];
    hemisphere_of(normal, place % 4 * 2, place / 4 * 2)
}

/// The direction of a cell of an 8 x 8 grid, warped so that each covers the same share of a surface's light.
fn hemisphere_of(normal: DVec3, ring: usize, sector: usize) -> DVec3 {
    let side = if normal.x.abs() < 0.7 { DVec3::X } else { DVec3::Y };
    let (x, z) = (normal.cross(side).normalize(), normal);
    let y = z.cross(x);
    let share = (ring as f64 + 1.0) / 9.0;
    let angle = (sector as f64 + 0.37 * ring as f64) / 8.0 * std::f64::consts::TAU;
    (x * angle.cos() + y * angle.sin()) * share.sqrt() + z * (1.0 - share).sqrt()
}

/// A factor around 1 that varies with the place, in patches of a few sizes.
pub fn grain(p: DVec3, strength: f32, unit: f64) -> f32 {
    if strength == 0.0 {
        return 1.0;
    }
    let mut sum = 0.0;
    for (size, weight) in [(0.17, 0.5), (0.031, 0.3), (0.006, 0.2)] {
        sum += weight * value_noise(p / (size * unit));
    }
    1.0 + strength * (sum - 0.5)
}

/// Smooth noise in `[0, 1]`.
fn value_noise(p: DVec3) -> f32 {
    let cell = p.floor();
    let part = p - cell;
    let part = part * part * (DVec3::splat(3.0) - part * 2.0);
    let corner = |x: i64, y: i64, z: i64| {
        let mut h = (cell.x as i64 + x).wrapping_mul(0x9e37_79b9)
            ^ (cell.y as i64 + y).wrapping_mul(0x85eb_ca6b)
            ^ (cell.z as i64 + z).wrapping_mul(0xc2b2_ae35);
        h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
        ((h ^ (h >> 12)) & 0xffff) as f64 / 65535.0
    };
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let layer = |z: i64| {
        let near = mix(corner(0, 0, z), corner(1, 0, z), part.x);
        let far = mix(corner(0, 1, z), corner(1, 1, z), part.x);
        mix(near, far, part.y)
    };
    mix(layer(0), layer(1), part.z) as f32
}

/// Brings light of any strength into `[0, 1]`, with a soft shoulder (Narkowicz's fit of the ACES curve).
pub fn tone(light: Vec3) -> Vec3 {
    let x = light * 0.48;
    let curve = ((x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14)).clamp(Vec3::ZERO, Vec3::ONE);
    // The curve works on each channel alone and so deepens colours; some of that is taken back.
    curve.lerp(Vec3::splat(curve.dot(Vec3::new(0.21, 0.72, 0.07))), 0.10)
}

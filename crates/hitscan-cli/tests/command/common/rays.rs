//! Random rays around the unit cube, and the files that hold them.

/// Six numbers a ray: an origin within 8 units, aimed near the unit cube. The same ones for the same seed.
pub fn rays(count: usize, seed: u64) -> Vec<[f64; 6]> {
    let mut state = seed;
    let mut uniform = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let ray = |_| {
        let origin: [f64; 3] = std::array::from_fn(|_| uniform() * 8.0 - 2.0);
        let [x, y, z] = origin.map(|start| uniform() * 1.5 - 0.25 - start);
        [origin[0], origin[1], origin[2], x, y, z]
    };
    (0..count).map(ray).collect()
}

/// Every digit of them.
pub fn csv(rays: &[[f64; 6]]) -> String {
    let row = |ray: &[f64; 6]| ray.map(|number| format!("{number:?}")).join(",") + "\n";
    "ox,oy,oz,dx,dy,dz\n".to_owned() + &rays.iter().map(row).collect::<String>()
}

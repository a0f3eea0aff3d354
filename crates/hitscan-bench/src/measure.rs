//! Paired, alternating runs of two rivals, and the median of their ratios.

use std::hint::black_box;
use std::time::Instant;

/// Pairs of runs; an odd number has a median.
const PAIRS: usize = 15;

/// One question asked of both rivals; each counts the rays that hit.
pub struct Form<'a> {
    pub name: &'static str,
    /// How many rays hit, which ours has to count.
    pub hits: usize,
    pub ours: &'a dyn Fn() -> usize,
    pub peers: &'a dyn Fn() -> usize,
}

/// Mrays/s of the median run, and the ratio ours over the peer's.
pub struct Comparison {
    pub hits: usize,
    pub peer_hits: usize,
    pub ours: f64,
    pub peers: f64,
    pub ratio: f64,
    pub range: [f64; 2],
}

/// Runs both once to warm up, then in pairs whose order alternates.
pub fn compare(form: &Form<'_>, rays: usize) -> Comparison {
    let rate = |run: &dyn Fn() -> usize| {
        let start = Instant::now();
        black_box(run());
        rays as f64 / 1e6 / start.elapsed().as_secs_f64()
    };
    let hits = (form.ours)();
    let peer_hits = (form.peers)();
    let mut pairs: Vec<[f64; 2]> = (0..PAIRS)
        .map(|pair| {
            if pair % 2 == 0 {
                let ours = rate(form.ours);
                [ours, rate(form.peers)]
            } else {
                let peers = rate(form.peers);
                [rate(form.ours), peers]
            }
        })
        .collect();
    let mut median = |key: &dyn Fn(&[f64; 2]) -> f64| {
        pairs.sort_by(|a, b| key(a).total_cmp(&key(b)));
        [PAIRS / 2, 0, PAIRS - 1].map(|i| key(&pairs[i]))
    };
    let [ratio, low, high] = median(&|pair| pair[0] / pair[1]);
    Comparison {
        hits,
        peer_hits,
        ours: median(&|pair| pair[0])[0],
        peers: median(&|pair| pair[1])[0],
        ratio,
        range: [low, high],
    }
}

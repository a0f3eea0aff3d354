//! Which rays of a list go together: neighbours in it, or, where it is a picture line by line, squares of four lines, which stay closer
//! together than sixteen rays of one line.

use alloc::vec::Vec;
use core::ops::Range;

use super::RAYS;
use crate::ray::Ray;

/// Rays of a group that stand side by side in the list, and how many of such runs there are.
pub(super) const RUN: usize = 4;
pub(super) const RUNS: usize = RAYS / RUN;

/// Fewest rays that are worth a group.
pub(super) const FEW: usize = 4;

/// Fewest rays of a line that is worth squares.
const LINE: usize = 16;

/// The square of how far apart rays of a picture may be that are neighbours in a line or down it, over that of the first two.
const NEAR: f64 = 16.0;

/// The same of how far the end of a line is from the beginning of the next, at least.
const BACK: f64 = 64.0;

/// Up to sixteen rays of a list, in runs of four.
#[derive(Clone, Copy)]
pub(crate) struct Chosen<'a> {
    list: &'a [Ray],
    /// The number of the first.
    first: usize,
    /// From the beginning of one run to that of the next; where they are neighbours, the length of one.
    apart: usize,
    count: usize,
}

/// The rays of a group, of which there is one; where they are fewer than sixteen, behind the last that one again and again.
#[derive(Clone, Copy)]
pub(crate) struct Together<'a>([&'a [Ray; RUN]; RUNS]);

impl<'a> Together<'a> {
    #[inline(always)]
    pub fn ray(&self, i: usize) -> &'a Ray {
        &self.0[i / RUN % RUNS][i % RUN]
    }
}

impl<'a> Chosen<'a> {
    pub const NONE: Chosen<'a> = Chosen { list: &[], first: 0, apart: RUN, count: 0 };

    #[inline(always)]
    fn neighbours(list: &'a [Ray], first: usize, count: usize) -> Chosen<'a> {
        Chosen { list, first, apart: RUN, count }
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count
    }

    /// A bit for each.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// The number of a ray in the list.
    #[inline(always)]
    pub fn number(&self, i: usize) -> usize {
        self.first + i / RUN * self.apart + i % RUN
    }

    /// The numbers of a run, of which the last may have fewer than four, or none.
    #[inline(always)]
    pub fn run(&self, run: usize) -> Range<usize> {
        let count = self.count.saturating_sub(run * RUN).min(RUN);
        // Of none, where the list may not reach to.
        let first = if count == 0 { 0 } else { self.first + run * self.apart };
        first..first + count
    }

    /// The rays of a run.
    #[inline(always)]
    pub fn rays_of(&self, run: usize) -> &'a [Ray] {
        &self.list[self.run(run)]
    }

    /// The rays.
    #[inline(always)]
    pub fn rays(&self) -> impl Iterator<Item = &'a Ray> + use<'a> {
        let chosen = *self;
        (0..chosen.count).map(move |i| &chosen.list[chosen.number(i)])
    }

    /// All of them, `room` being for those that are repeated.
    #[inline(always)]
    pub fn together<'b>(&self, room: &'b mut Option<[Ray; RAYS]>) -> Together<'b>
    where
        'a: 'b,
    {
        if self.count == RAYS {
            return Together([self.whole(0), self.whole(1), self.whole(2), self.whole(3)]);
        }
        let all = room.insert(self.repeated());
        let [a, b, c, d] = all.as_chunks().0 else { unreachable!("sixteen are four times four") };
        Together([a, b, c, d])
    }

    #[inline(always)]
    fn whole(&self, run: usize) -> &'a [Ray; RUN] {
        self.list[self.first + run * self.apart..].first_chunk().expect("runs end within the list")
    }

    #[cold]
    fn repeated(&self) -> [Ray; RAYS] {
        core::array::from_fn(|i| self.list[self.number(i.min(self.count - 1))])
    }

    /// Those that come next, if they are chosen alike: where they stand in memory.
    #[inline(always)]
    pub fn behind(&self, i: usize) -> *const Ray {
        let ahead = if self.apart == RUN { RAYS } else { RUN };
        self.list.as_ptr().wrapping_add(self.number(i) + ahead)
    }

    #[inline(always)]
    fn is_of_one_octant(&self) -> bool {
        let octant = self.list[self.first].dir().is_negative_bitmask();
        let mut same = true;
        for i in 1..self.count {
            same &= self.list[self.number(i)].dir().is_negative_bitmask() == octant;
        }
        same
    }
}

/// Rays in pieces that run through one octant each.
pub(super) struct Blocks<'a> {
    rays: &'a [Ray],
    /// How long their four lines are, or 0; and how far squares have come along them.
    line: usize,
    column: usize,
    /// Where neighbours begin that are yet to be looked at: the end, where there are lines.
    start: usize,
    /// Ranges of those that are no group.
    pub others: Vec<Range<usize>>,
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    pub fn new(rays: &'a [Ray]) -> Blocks<'a> {
        let (line, start) = if is_four_lines(rays) { (rays.len() / RUNS, rays.len()) } else { (0, 0) };
        Blocks { rays, line, column: 0, start, others: Vec::new() }
    }

    /// The next piece that may be a group.
    #[inline(always)]
    pub fn next(&mut self) -> Option<Chosen<'a>> {
        while self.column < self.line {
            let Blocks { rays, line, column, .. } = *self;
            let square = Chosen { list: rays, first: column, apart: line, count: RAYS };
            self.column += RUN;
            if self.column <= line && square.is_of_one_octant() {
                return Some(square);
            }
            for begin in (0..RUNS).map(|run| run * line) {
                self.others.push(begin + column..begin + self.column.min(line));
            }
        }
        while self.start < self.rays.len() {
            // Groups keep to whole sixteens of the list, as tiles of pictures do.
            let first = self.start;
            let block = &self.rays[first..self.rays.len().min((first / RAYS + 1) * RAYS)];
            let count = side_by_side(block);
            if count >= FEW {
                self.start += count;
                return Some(Chosen::neighbours(self.rays, first, count));
            }
            self.start += block.len();
            match self.others.last_mut() {
                Some(last) if last.end == first => last.end = self.start,
                _ => self.others.push(first..self.start),
            }
        }
        None
    }

    /// A piece is none.
    #[inline(always)]
    pub fn refuse(&mut self, group: Chosen<'_>) {
        self.others.extend((0..RUNS).map(|run| group.run(run)));
    }
}

/// How many of the first rays run through the same octant.
#[inline(always)]
pub(super) fn side_by_side(rays: &[Ray]) -> usize {
    let octant = rays[0].dir().is_negative_bitmask();
    let mut count = 1;
    while count < rays.len() && rays[count].dir().is_negative_bitmask() == octant {
        count += 1;
    }
    count
}

/// How far one ray is from another: by their directions, if those of the list differ, else by their origins.
struct Steps {
    by_dir: bool,
    /// The square of the first step.
    first: f64,
}

impl Steps {
    fn of(a: &Ray, b: &Ray) -> Steps {
        let by_dir = a.dir() != b.dir();
        let steps = Steps { by_dir, first: 0.0 };
        Steps { first: steps.between(a, b), ..steps }
    }

    /// Squared.
    fn between(&self, a: &Ray, b: &Ray) -> f64 {
        if self.by_dir {
            (b.dir() - a.dir()).length_squared()
        } else {
            (b.origin() - a.origin()).length_squared()
        }
    }

    /// Whether rays are as near to each other as neighbours are.
    fn are_near(&self, a: &Ray, b: &Ray) -> bool {
        self.between(a, b) <= NEAR * self.first
    }

    /// Whether a line ends between them.
    fn are_ends(&self, a: &Ray, b: &Ray) -> bool {
        self.between(a, b) > BACK * self.first
    }
}

/// How many rays the first line of a picture has, if a list begins with four lines of one.
pub(crate) fn line_length(rays: &[Ray]) -> Option<usize> {
    let (first, second) = (rays.first()?, rays.get(1)?);
    let steps = Steps::of(first, second);
    let end = rays.windows(2).position(|pair| !steps.are_near(&pair[0], &pair[1]))? + 1;
    is_four_lines(rays.get(..RUNS * end)?).then_some(end)
}

/// Whether rays are four lines of a picture, by what a few of them say: steps along a line are small, so is the way from one line's
/// beginning to the next one's, and that from its end is large.
fn is_four_lines(rays: &[Ray]) -> bool {
    let line = rays.len() / RUNS;
    if line < LINE || !rays.len().is_multiple_of(RUNS) {
        return false;
    }
    let (steps, middle) = (Steps::of(&rays[0], &rays[1]), line / 2);
    // What most others fail comes first, since each look waits for memory.
    let begins = [0, line, 2 * line, 3 * line];
    begins.windows(2).all(|pair| steps.are_near(&rays[pair[0]], &rays[pair[1]]))
        && begins[1..].iter().all(|&begin| steps.are_ends(&rays[begin - 1], &rays[begin]))
        && steps.are_near(&rays[middle], &rays[middle + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(x: f64, y: f64) -> Ray {
        Ray::new([0.0, 0.0, 3.0], [x + 0.001, y + 0.001, -1.0]).unwrap()
    }

    fn picture(width: usize, height: usize) -> Vec<Ray> {
        (0..width * height).map(|i| ray((i % width) as f64 / 256.0, (i / width) as f64 / 200.0)).collect()
    }

    /// The numbers of all groups, and of what is in none.
    fn blocks(rays: &[Ray]) -> (Vec<Vec<usize>>, Vec<usize>) {
        let (mut blocks, mut groups) = (Blocks::new(rays), Vec::new());
        while let Some(group) = blocks.next() {
            groups.push((0..group.len()).map(|i| group.number(i)).collect::<Vec<_>>());
            assert!(group.rays().zip(groups.last().unwrap()).all(|(a, &b)| core::ptr::eq(a, &rays[b])));
        }
        (groups, blocks.others.into_iter().flatten().collect())
    }

    fn assert_each_once(rays: &[Ray]) -> Vec<Vec<usize>> {
        let (groups, others) = blocks(rays);
        let mut all: Vec<usize> = groups.iter().flatten().copied().chain(others).collect();
        all.sort_unstable();
        assert_eq!(all, (0..rays.len()).collect::<Vec<_>>());
        groups
    }

    #[test]
    fn four_lines_are_squares() {
        let groups = assert_each_once(&picture(40, 4));
        assert_eq!(groups.len(), 10);
        assert_eq!(groups[1], [4, 5, 6, 7, 44, 45, 46, 47, 84, 85, 86, 87, 124, 125, 126, 127]);
        // What does not fit, and what is no four lines of sixteen.
        assert_eq!(assert_each_once(&picture(42, 4)).len(), 10);
        assert_eq!(assert_each_once(&picture(12, 4))[0], (0..16).collect::<Vec<_>>());
        assert_eq!(assert_each_once(&picture(40, 3))[1], (16..32).collect::<Vec<_>>());
        assert_eq!(assert_each_once(&picture(160, 1))[9], (144..160).collect::<Vec<_>>());
        assert!(assert_each_once(&[]).is_empty() && assert_each_once(&[ray(0.0, 0.0)]).is_empty());
    }

    #[test]
    fn squares_of_two_octants_are_none() {
        let mut rays = picture(32, 4);
        for ray in rays.iter_mut().skip(70) {
            *ray = Ray::new(ray.origin(), -ray.dir()).unwrap();
        }
        let groups = assert_each_once(&rays);
        assert!(groups.iter().all(|group| group.iter().all(|&i| (i < 70) == (group[0] < 70))));
    }

    #[test]
    fn lines_of_a_picture_are_found() {
        assert_eq!(line_length(&picture(40, 4)), Some(40));
        assert_eq!(line_length(&picture(17, 30)), Some(17));
        // Too short, too few, no picture, a line begun, lines far apart.
        let apart: Vec<Ray> =
            (0..160).map(|i| ray((i % 40) as f64 / 256.0, (i / 40) as f64 / 40.0)).collect();
        let same = alloc::vec![ray(0.1, 0.1); 300];
        for rays in
            [&picture(15, 9)[..], &picture(40, 3), &picture(400, 1), &picture(40, 9)[7..], &apart, &same, &[]]
        {
            assert_eq!(line_length(rays), None);
        }
        // By origins, where all look one way.
        let down = |i: usize| Ray::new([(i % 50) as f64, 0.0, (i / 50) as f64], [0.0, -1.0, 0.0]).unwrap();
        assert_eq!(line_length(&(0..500).map(down).collect::<Vec<_>>()), Some(50));
    }
}

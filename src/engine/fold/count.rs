//! Counting: how many boards of a block can occur, how many of them are finished, how many have each code, and how many
//! boxes and beads that makes.
//!
//! With symmetry, a class of boards is one box, and moves that a symmetry of the board exchanges are one bead. Blocks
//! are folded already, so this only matters where symmetries leave a block as it is. Burnside's lemma: the number of
//! classes is the average number of boards that such a symmetry leaves as they are, and that of beads the average number
//! of boards and moves that both stay.

use super::beads::Fixed;
use super::fill::Step;
use super::network::TILE;
use super::tier::Tier;
use super::work::Work;
use crate::engine::counts::Counts;
use crate::engine::scale::Detail;
use crate::position::Side;

/// What is counted of some blocks, and of one block before it is added.
pub struct BlockTally {
    /// The sums over blocks.
    pub counts: Counts,
    boards: u64,
    rows: u64,
    /// The boards and beads of the block, and those that symmetries leave as they are.
    all: Boxes,
    fixed: Boxes,
}

/// Boxes and beads.
struct Boxes {
    open: u64,
    /// Of the open boards, those of each plane that are in none before.
    planes: Vec<u64>,
    beads: u64,
}

impl Boxes {
    fn new(tier: &Tier<'_>) -> Boxes {
        Boxes { open: 0, planes: vec![0; tier.planes()], beads: 0 }
    }

    /// Counts the verdicts of open boards.
    #[inline(always)]
    fn count_codes(&mut self, tier: &Tier<'_>, start: usize, planes: &[u64], open: &mut [u64]) {
        self.open += count(open);
        for (plane, tally) in planes.chunks_exact(tier.words()).zip(&mut self.planes) {
            let plane = &plane[start..start + open.len()];
            *tally += count_both(plane, open);
            if tier.fold.detail == Detail::Depth {
                open.iter_mut().zip(plane).for_each(|(open, word)| *open &= !word);
            }
        }
    }

    fn clear(&mut self) {
        (self.open, self.beads) = (0, 0);
        self.planes.fill(0);
    }
}

impl BlockTally {
    #[inline(always)]
    pub fn new(tier: &Tier<'_>) -> BlockTally {
        let counts = Counts::new(tier.scale());
        BlockTally { counts, boards: 0, rows: 0, all: Boxes::new(tier), fixed: Boxes::new(tier) }
    }

    /// Adds the block to the sums, and begins with the next. `symmetries` is how many leave the block as it is; none if
    /// all boards have a box.
    #[inline(always)]
    pub fn end_block(&mut self, tier: &Tier<'_>, class_size: u64, symmetries: Option<u64>) {
        let BlockTally { counts, boards, rows, all, fixed } = self;
        counts.boards += *boards * class_size;
        counts.rows += *rows * class_size;
        if tier.stones < tier.fold.cells() {
            let (times, shares) = symmetries.map_or((class_size, 1), |symmetries| (1, symmetries));
            let mut add = |code: usize, boards: u64, same: u64| {
                counts.codes[code] += boards * class_size;
                counts.boxes[code] += (boards + same) * times / shares;
            };
            let (mut drawn, mut same_drawn) = (all.open, fixed.open);
            for (number, (&boards, &same)) in all.planes.iter().zip(&fixed.planes).enumerate() {
                add(code(tier, number), boards, same);
                drawn -= boards;
                same_drawn -= same;
            }
            add(0, drawn, same_drawn);
            counts.beads += (all.beads + fixed.beads) * times / shares;
        }
        (*boards, *rows) = (0, 0);
        all.clear();
        fixed.clear();
    }

    /// Counts the moves to a place that lead from some boards to a bit, after `flip` inverts it, and overwrites it.
    #[inline(always)]
    pub fn add_read(&mut self, place: u32, read: &mut [u64], flip: u64, boards: &[u64], fixed: &[Fixed]) {
        for (word, boards) in read.iter_mut().zip(boards) {
            *word = (*word ^ flip) & boards;
        }
        self.add_beads(place, read, fixed);
    }

    /// Counts moves that lead from some boards to a bit, after `flip` inverts it.
    #[inline(always)]
    pub fn add_reads(&mut self, read: &[u64], flip: u64, boards: &[u64]) {
        let mut sum = 0;
        for (word, boards) in read.iter().zip(boards) {
            sum += u64::from(((word ^ flip) & boards).count_ones());
        }
        self.all.beads += sum;
    }

    /// Counts moves to a place that stay in their boxes: the boards on which the move does.
    #[inline(always)]
    pub fn add_beads(&mut self, place: u32, boards: &[u64], fixed: &[Fixed]) {
        self.all.beads += count(boards);
        for fixed in fixed {
            if fixed.keeps(place) {
                self.fixed.beads += count_both(boards, fixed.tile(boards.len()));
            }
        }
    }
}

/// The code of open boards that are in a plane and in none before.
#[inline(always)]
fn code(tier: &Tier<'_>, plane: usize) -> usize {
    match tier.fold.detail {
        Detail::Winner => 1 + usize::from(Side::BOTH[plane] != tier.mover()),
        Detail::Depth => plane,
    }
}

/// Finds the boards of a tile on which nobody has a row, and counts them and, without gravity, the finished ones that
/// can occur.
#[inline(always)]
pub fn find_open(step: &Step<'_>, start: usize, work: &mut Work<'_>, tally: &mut BlockTally) {
    let Work { open, row_tile, rows, other_rows, doubles, buffers, .. } = work;
    let painted = &mut buffers.words[0][..open.len()];
    painted.fill(0);
    for row in &*other_rows {
        row.paint(start, painted);
    }
    let right = &step.right[start.count_ones() as usize];
    for ((open, other), right) in open.iter_mut().zip(&*painted).zip(right) {
        *open = right & !*other;
    }
    if !rows.is_empty() {
        painted.fill(0);
        for double in &*doubles {
            double.paint(start, painted);
        }
        for ((open, finished), rows) in open.iter_mut().zip(&mut *painted).zip(&*row_tile) {
            *finished = *open & rows & !*finished;
            *open &= !rows;
        }
        let rows = count(painted);
        tally.rows += rows;
        tally.boards += rows;
    }
    tally.boards += count(open);
}

/// Counts the verdicts of a tile's open boards that can occur.
#[inline(always)]
pub fn count_tile(tier: &Tier<'_>, start: usize, planes: &[u64], work: &Work<'_>, tally: &mut BlockTally) {
    let mut open = [0; TILE];
    let open = &mut open[..work.occurring.len()];
    open.copy_from_slice(&work.occurring);
    tally.all.count_codes(tier, start, planes, open);
    for fixed in &work.fixed {
        let fixed = fixed.tile(open.len()).iter().zip(&work.occurring);
        open.iter_mut().zip(fixed).for_each(|(open, (fixed, all))| *open = fixed & all);
        tally.fixed.count_codes(tier, start, planes, open);
    }
}

/// How many bits are set.
#[inline(always)]
pub fn count(words: &[u64]) -> u64 {
    let mut sum = 0;
    for word in words {
        sum += u64::from(word.count_ones());
    }
    sum
}

/// How many bits are set in both.
#[inline(always)]
pub fn count_both(a: &[u64], b: &[u64]) -> u64 {
    let mut sum = 0;
    for (a, b) in a.iter().zip(b) {
        sum += u64::from((a & b).count_ones());
    }
    sum
}

//! The fast step: the planes of some blocks from those of the blocks that their moves lead to, a word at a time.
//!
//! This is where the time goes. Everything is inlined into one function that is compiled for several processors; the
//! best one is chosen when the program runs. Three moves in four lead to a set that is the lowest of its class as it
//! is: there the source has the same coordinates and one more, and a half of it is taken. The others go through a
//! network.

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use super::beads::{Fixed, Wins, count_beads, count_wins};
use super::blocks::{class_size, coordinate};
use super::count::{Tally, count_tile, find_open};
use super::fill::Step;
use super::half::{Half, both_halves};
use super::network::{Buffers, Merge, Network, TILE, blend};
use super::pack::{Squeeze, pack_tile};
use super::pull::{Digits, Origin, Pull, Source};
use super::rows::Cube;
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::counts::Counts;
use crate::engine::digits::{used_bits, words};
use crate::engine::pack::Groups;
#[cfg(target_arch = "x86_64")]
use crate::engine::vector::pext;
use crate::engine::vector::{fetch, squeeze};
use crate::position::Side;

/// Solves some blocks of a tier, the first of which has this number.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn step(step: &Step<'_>, first: usize, sets: &[Mask], planes: &mut [u64]) -> (Counts, Groups) {
    match_target! {
        "x86_64+avx512f+bmi2" => solve(step, first, sets, planes, pext!()),
        "x86_64+vpclmulqdq+bmi2" => solve(step, first, sets, planes, pext!()),
        _ => solve(step, first, sets, planes, squeeze),
    }
}

#[inline(always)]
fn solve(step: &Step<'_>, first: usize, sets: &[Mask], planes: &mut [u64], squeeze: impl Squeeze) -> (Counts, Groups) {
    let tier = &step.tier;
    let mut work = Work::new(tier);
    let (mut tally, mut groups) = (Tally::new(tier), Groups::default());
    for ((&set, planes), number) in sets.iter().zip(planes.chunks_exact_mut(tier.block_words())).zip(first..) {
        work.enter(step, set);
        for start in (0..tier.words()).step_by(TILE) {
            merge_moves(tier, start, planes, &mut work);
            decide_rows(tier, start, planes, &mut work);
            if let Some(census) = step.census {
                find_open(step, start, &mut work, &mut tally);
                let length = work.open.len();
                let from = number * tier.words() + start;
                work.occurring.copy_from_slice(match step.reached {
                    Some(reached) => &reached[from..from + length],
                    None => &work.open,
                });
                for fixed in &mut work.fixed {
                    fixed.paint(start, length);
                }
                count_wins(start, &mut work, &mut tally);
                pack_tile(tier, start, planes, &mut work, &mut groups, squeeze);
                count_tile(tier, start, planes, &work, &mut tally);
                count_beads(tier, census.aim, start, planes, &mut work, &mut tally);
            }
        }
        if let Some(census) = step.census {
            let symmetries = census.symmetry.then(|| 1 + work.fixed.len() as u64);
            tally.end_block(tier, class_size(&tier.fold.places, tier.part, set), symmetries);
        }
    }
    (tally.counts, groups)
}

/// What a move reads: the planes of a source, and how many words each has.
#[derive(Clone, Copy)]
struct Read<'a> {
    words: &'a [u64],
    length: usize,
    /// The place that the move fills.
    place: u32,
}

impl<'a> Read<'a> {
    #[inline(always)]
    fn plane(self, number: usize) -> &'a [u64] {
        &self.words[number * self.length..(number + 1) * self.length]
    }

    /// Fetches words of a plane, or of the next if there are not as many.
    #[inline(always)]
    fn fetch(self, plane: usize, at: usize, length: usize) {
        let at = plane * self.length + at;
        if let Some(words) = self.words.get(at..at + length) {
            fetch(words);
        }
    }
}

/// The memory for working on a block, besides its planes.
pub struct Work<'a> {
    /// For each move without a turn, its coordinate in the source, and the source; in ascending order.
    halves: SmallVec<[(u32, Read<'a>); 64]>,
    /// The sources of moves that fill a place above all others.
    above: SmallVec<[Read<'a>; 64]>,
    /// The sources of moves with a turn. The networks that read them are kept, so that they can be built again.
    turned: Vec<Read<'a>>,
    networks: Vec<Network>,
    pub pulls: Vec<Pull>,
    /// Whether there is no move.
    pub is_full: bool,
    /// The rows of the player who moved last, those of the other one, and the doubles of the former.
    pub rows: Vec<Cube>,
    pub other_rows: Vec<Cube>,
    pub doubles: Vec<Cube>,
    /// Where the side to move could make a row, and where the other side could.
    pub wins: Wins,
    pub threats: Vec<Cube>,
    /// The symmetries of the block, if classes of boards are counted.
    pub fixed: Vec<Fixed>,
    /// A tile of the colourings in which the player who moved last has a row.
    pub row_tile: Vec<u64>,
    /// A tile of the boards on which nobody has a row.
    pub open: Vec<u64>,
    /// Those of them that can occur.
    pub occurring: Vec<u64>,
    /// Those of them on which nobody can win at once.
    pub quiet: Vec<u64>,
    /// A tile of the boards on which the side to move can win at once.
    pub at_hand: Vec<u64>,
    /// Two tiles of a source that are merged before half of them is taken.
    sum: Vec<u64>,
    pub buffers: Buffers,
}

impl<'a> Work<'a> {
    fn new(tier: &Tier<'_>) -> Work<'a> {
        let length = tier.words().min(TILE);
        Work {
            halves: SmallVec::new(),
            above: SmallVec::new(),
            turned: Vec::new(),
            networks: Vec::new(),
            pulls: Vec::new(),
            is_full: false,
            rows: Vec::new(),
            other_rows: Vec::new(),
            doubles: Vec::new(),
            wins: Wins::default(),
            threats: Vec::new(),
            fixed: Vec::new(),
            row_tile: vec![0; length],
            open: vec![0; length],
            occurring: vec![0; length],
            quiet: vec![0; length],
            at_hand: vec![0; length],
            sum: vec![0; 2 * length],
            buffers: Buffers::new(),
        }
    }

    /// Finds the moves and the rows of a block.
    #[inline(always)]
    fn enter(&mut self, step: &Step<'a>, set: Mask) {
        let tier = &step.tier;
        self.halves.clear();
        self.above.clear();
        self.turned.clear();
        let mut pulls = std::mem::take(&mut self.pulls);
        tier.list_pulls(set, &mut pulls);
        for pull in &pulls {
            self.enter_pull(step, set, pull);
        }
        self.is_full = pulls.is_empty();
        self.pulls = pulls;
        self.enter_rows(step, set);
    }

    #[inline(always)]
    fn enter_pull(&mut self, step: &Step<'a>, set: Mask, pull: &Pull) {
        let tier = &step.tier;
        let length = if pull.from == Origin::Own { words(tier.free) } else { tier.words() };
        let source = Read { words: block(step.source(pull.from), pull.source), length, place: pull.filled };
        let is_turned = pull.from != Origin::Own || pull.source != set | 1 << pull.filled;
        if is_turned || tier.coordinates() < 6 {
            if self.networks.len() == self.turned.len() {
                self.networks.push(Network::new());
            }
            let digits = cheapest(tier, set, pull);
            self.networks[self.turned.len()].build(&digits, tier.coordinates());
            self.turned.push(source);
        } else if set >> pull.filled == 0 {
            self.above.push(source);
        } else {
            self.halves.push((coordinate(set, pull.filled), source));
        }
    }

    #[inline(always)]
    fn enter_rows(&mut self, step: &Step<'_>, set: Mask) {
        let tier = &step.tier;
        let lines = &tier.fold.lines;
        let is_one = tier.mover() == Side::Second;
        enter_cubes(&mut self.rows, tier, set, lines, (is_one, u32::MAX));
        let Some(census) = step.census else { return };
        if census.symmetry {
            Fixed::all(tier, set, &mut self.fixed);
        }
        // The rest only serves boards with the right number of X, so a player cannot have more stones than turns.
        let (fewer, more) = (tier.stones / 2, tier.stones.div_ceil(2));
        enter_cubes(&mut self.other_rows, tier, set, lines, (!is_one, fewer));
        if step.reached.is_none() {
            enter_cubes(&mut self.doubles, tier, set, tier.fold.doubles(), (is_one, more));
        }
        self.enter_threats(tier, set);
    }

    /// Finds the places with which a row can be made.
    #[inline(always)]
    fn enter_threats(&mut self, tier: &Tier<'_>, set: Mask) {
        self.wins.clear();
        self.threats.clear();
        let occupied = tier.occupied(set);
        let is_one = tier.mover() == Side::First;
        let mut places = tier.winning_places(set);
        while places != 0 {
            let (place, bit) = (places.trailing_zeros(), places & places.wrapping_neg());
            places &= places - 1;
            let first = self.wins.cubes.len();
            for &line in &tier.fold.lines {
                if line & !occupied == bit {
                    self.wins.cubes.extend(Cube::new(tier, set, line & occupied, is_one));
                    self.threats.extend(Cube::new(tier, set, line & occupied, !is_one));
                }
            }
            self.wins.end(place, first);
        }
    }
}

/// Finds where sets of stones have one colour: all sets up to a size, the smallest first.
#[inline(always)]
fn enter_cubes(cubes: &mut Vec<Cube>, tier: &Tier<'_>, set: Mask, stones: &[Mask], (is_one, most): (bool, u32)) {
    cubes.clear();
    for &stones in stones {
        if stones.count_ones() > most {
            return;
        }
        if let Some(cube) = Cube::new(tier, set, stones, is_one) {
            cubes.push(cube);
        }
    }
}

/// The coordinates of a source under the symmetry whose network takes least.
#[inline(always)]
fn cheapest(tier: &Tier<'_>, set: Mask, pull: &Pull) -> Digits {
    let mut best = pull.digits(tier, set, pull.turns.trailing_zeros());
    let mut rest = pull.turns & (pull.turns - 1);
    while rest != 0 {
        let digits = pull.digits(tier, set, rest.trailing_zeros());
        rest &= rest - 1;
        if Network::cost(&digits) < Network::cost(&best) {
            best = digits;
        }
    }
    best
}

/// The planes of a block.
#[inline(always)]
fn block(source: Source<'_>, set: Mask) -> &[u64] {
    let length = source.planes.len() / source.blocks.len();
    let number = source.blocks.find(set).expect("a move leads to a block");
    &source.planes[number * length..(number + 1) * length]
}

/// Fills a tile of a block's planes from the moves: the mover wins if one move wins, the opponent if all moves lose.
#[inline(always)]
fn merge_moves(tier: &Tier<'_>, start: usize, planes: &mut [u64], work: &mut Work<'_>) {
    let own = tier.own_planes();
    let count = tier.planes();
    for (number, plane) in planes.chunks_exact_mut(tier.words()).enumerate() {
        let tile = &mut plane[start..start + work.row_tile.len()];
        tile.fill(0);
        if number >= own && !work.is_full {
            let ahead = if number + 1 < count { (start, number + 1 - own) } else { (start + TILE, 0) };
            fetch_ahead(tier, work, ahead, tile.len());
            let flip = flip(tier, number);
            merge_plane(tier, start, tile, work, number - own, |old, new| old | new ^ flip);
        }
    }
}

/// Fetches what the next tile will read: a tile of the next plane, or the next tile of the first. Where a network reads
/// is only roughly known.
#[inline(always)]
fn fetch_ahead(tier: &Tier<'_>, work: &Work<'_>, (start, plane): (usize, usize), length: usize) {
    for &(coordinate, source) in &work.halves {
        let run = if coordinate < 6 { 1 } else { 1 << (coordinate - 6) };
        if run < length {
            source.fetch(plane, 2 * start, 2 * length);
        } else {
            let half = if tier.mover() == Side::First { run } else { 0 };
            source.fetch(plane, 2 * start - (start & (run - 1)) + half, length);
        }
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        source.fetch(plane, network.begin(start), 2 * length);
    }
}

/// What inverts a plane while moves are merged. For the opponent's planes, AND is done as OR of the complements. So both kinds
/// of planes are merged alike.
#[inline(always)]
fn flip(tier: &Tier<'_>, plane: usize) -> u64 {
    if tier.player(plane) == tier.mover() { 0 } else { u64::MAX }
}

#[inline(always)]
fn merge_plane(tier: &Tier<'_>, start: usize, tile: &mut [u64], work: &mut Work<'_>, number: usize, merge: impl Merge) {
    let is_one = tier.mover() == Side::First;
    // Places between the same two stones are the same coordinate: their halves are squeezed together.
    for same in work.halves.chunk_by(|a, b| a.0 == b.0) {
        let half = Half { coordinate: same[0].0, is_one };
        if same.len() > 1 && half.is_inside_words() {
            work.sum.fill(0);
            for &(_, source) in same {
                let more = both_halves(source.plane(number), start, tile.len());
                work.sum.iter_mut().zip(more).for_each(|(word, &more)| *word = merge(*word, more));
            }
            half.squeeze_out(tile, &work.sum, |old, new| old | new);
        } else {
            for &(_, source) in same {
                half.take(start, tile, source.plane(number), merge);
            }
        }
    }
    for &source in &work.above {
        merge_above(tier, start, tile, source.plane(number), merge);
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        network.take(start, tile, source.plane(number), &mut work.buffers, merge);
    }
}

/// Counts the moves that lead from some boards of a tile to a bit of the sources' planes, turned round with `flip`.
#[inline(always)]
pub fn count_moves(
    tier: &Tier<'_>,
    start: usize,
    work: &mut Work<'_>,
    number: usize,
    (boards, flip): (&[u64], u64),
    tally: &mut Tally,
) {
    let is_one = tier.mover() == Side::First;
    let mut read = [0; TILE];
    let read = &mut read[..boards.len()];
    for same in work.halves.chunk_by(|a, b| a.0 == b.0) {
        let half = Half { coordinate: same[0].0, is_one };
        if half.is_inside_words() && work.fixed.is_empty() {
            // Rather than squeezing what each move reads, the boards are spread out once.
            work.sum.fill(0);
            half.add(0, &mut work.sum, boards);
            for &(_, source) in same {
                tally.add_reads(both_halves(source.plane(number), start, boards.len()), flip, &work.sum);
            }
        } else {
            for &(_, source) in same {
                half.take(start, read, source.plane(number), |_, new| new);
                tally.add_read(source.place, read, flip, boards, &work.fixed);
            }
        }
    }
    for &source in &work.above {
        merge_above(tier, start, read, source.plane(number), |_, new| new);
        tally.add_read(source.place, read, flip, boards, &work.fixed);
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        network.take(start, read, source.plane(number), &mut work.buffers, |_, new| new);
        tally.add_read(source.place, read, flip, boards, &work.fixed);
    }
}

/// The new stone is the highest and has no coordinate; the one that was the highest has one now, and its colour is the
/// parity of the others.
#[inline(always)]
fn merge_above(tier: &Tier<'_>, start: usize, tile: &mut [u64], source: &[u64], merge: impl Merge) {
    let (zero, one) = source.split_at(source.len() / 2);
    let (even, odd) = if tier.is_parity_one() { (one, zero) } else { (zero, one) };
    let mut words = [0; TILE];
    let words = &mut words[..tile.len()];
    words.copy_from_slice(&even[start..start + tile.len()]);
    blend(start, words, &odd[start..start + tile.len()]);
    tile.iter_mut().zip(words).for_each(|(word, new)| *word = merge(*word, *new));
}

/// Where the player who moved last has a row, the game is over, and the moves do not matter.
#[inline(always)]
fn decide_rows(tier: &Tier<'_>, start: usize, planes: &mut [u64], work: &mut Work<'_>) {
    let Work { rows, row_tile, is_full, .. } = work;
    row_tile.fill(0);
    for row in &*rows {
        row.paint(start, row_tile);
    }
    let (winner, used) = (tier.winner(tier.stones), used_bits(tier.coordinates()));
    for (number, plane) in planes.chunks_exact_mut(tier.words()).enumerate() {
        let is_merged = number >= tier.own_planes() && !*is_full;
        let flip = if is_merged { flip(tier, number) } else { 0 };
        let won = if tier.player(number) == winner { used } else { 0 };
        for (word, rows) in plane[start..start + row_tile.len()].iter_mut().zip(&*row_tile) {
            *word = (*word ^ flip) & !rows & used | rows & won;
        }
    }
}

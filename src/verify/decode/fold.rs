//! The layout `fold`, for all row games that are not laid out in tiles.
//!
//! Cells are numbered anew, as places. In this file a set is always one of places, unless it says cells. A block has the boards
//! with the same places occupied, and its boards are numbered by the colours of their stones:
//!
//! ```text
//!   occupied  1 0 1 1 0 1      places 5, 3, 2, 0
//!   X         0 . 0 1 . 1      colours 0011, of which the highest follows from the others: colouring 011
//! ```
//!
//! In a block the same lines are full and the same lines lack one stone. So a board is stored if none of these sets of stones
//! has one colour, and only those few sets are tested.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::choose::{Choose, next_with_as_many_ones};
use super::places::{lines, orbits, turns_of_cells};
use super::sight::{Cells, Sight, Stones, each};
use super::spread::Spread;
use super::{Part, Place};

/// How many colourings a group has.
const GROUP: u64 = 1024;

/// The layout of a game.
pub struct Fold {
    /// The rules.
    pub sight: Sight,
    /// For ranks of colours.
    pub choose: Choose,
    /// By place, its cell.
    cells: Vec<Cells>,
    to_places: Spread,
    to_cells: Spread,
    /// The turns and mirror images.
    pub turns: Vec<Spread>,
    /// All lines, as places.
    lines: Vec<u64>,
    anchors: u64,
    free: u64,
    parts: Vec<FoldPart>,
    /// What stands on the anchors, the part it belongs to, and the turns that make it that part.
    part_of: HashMap<Stones, (usize, SmallVec<[u8; 8]>)>,
}

struct FoldPart {
    stones: Stones,
    /// The turns that leave it as it is.
    turns: SmallVec<[u8; 8]>,
}

/// A tier: its blocks.
pub struct FoldTier {
    part: usize,
    /// The stones on the anchors, as places.
    anchors: Stones,
    /// The free places that are occupied, for each block in order.
    pub sets: Vec<u64>,
    /// How many stones are on free places.
    pub stones: u32,
    /// How many of them are X.
    pub x_count: u32,
    /// How many groups a block has.
    pub groups_per_block: u64,
}

/// The boards with the same places occupied.
pub struct FoldBlock {
    /// The free places that are occupied.
    pub set: u64,
    /// Puts the colours of the stones on the cells of the board.
    pub to_cells: Spread,
    /// The cells of the anchors with an X.
    pub anchors_x: Cells,
    /// The occupied cells.
    pub occupied: Cells,
    /// Sets of stones that are a row if they have one colour.
    pub full: Vec<Line>,
    /// Sets of stones that lack one stone, on a cell that can be played.
    pub open: Vec<Line>,
}

/// Stones of a line: those on free places, by their number among the stones of the block, and the colours of the others.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    stones: u64,
    can_be_x: bool,
    can_be_o: bool,
}

impl Line {
    #[inline]
    fn has_one_colour(self, colours: u64) -> bool {
        let x = colours & self.stones;
        self.can_be_x && x == self.stones || self.can_be_o && x == 0
    }
}

impl FoldBlock {
    /// Whether colours give no row.
    #[inline]
    pub fn has_no_row(&self, colours: u64) -> bool {
        !self.full.iter().any(|line| line.has_one_colour(colours))
    }

    /// Whether neither side can make a row at once.
    #[inline]
    pub fn is_quiet(&self, colours: u64) -> bool {
        !self.open.iter().any(|line| line.has_one_colour(colours))
    }

    /// The board with these colours.
    #[inline]
    pub fn board(&self, colours: u64) -> Stones {
        let x = self.to_cells.apply(colours) | self.anchors_x;
        Stones { x, o: self.occupied & !x }
    }
}

impl Fold {
    /// The layout with these anchors, if they make sense and there are at most this many parts.
    pub fn new(sight: Sight, anchors: &[u32], most_parts: u64) -> Option<Fold> {
        let turns = turns_of_cells(&sight);
        let orbits = orbits(&sight, &turns);
        let is_ascending = anchors.is_sorted_by(|a, b| a < b);
        let has_orbits = anchors.iter().all(|&orbit| (orbit as usize) < orbits.len());
        if !is_ascending || !has_orbits || sight.has_gravity && !anchors.is_empty() {
            return None;
        }
        // Cells here are numbers, not bits.
        let cells: Vec<u32> = orbits.concat();
        let mut places = vec![0; cells.len()];
        (0..).zip(&cells).for_each(|(place, &cell)| places[cell as usize] = place);
        let turns =
            turns.iter().map(|turn| Spread::new(cells.iter().map(|&cell| 1 << places[turn[cell as usize] as usize])));
        let to_places = Spread::new(places.iter().map(|&place| 1 << place));
        let is_anchor = |(orbit, cells): (u32, &Vec<u32>)| vec![anchors.contains(&orbit); cells.len()];
        let is_anchor: Vec<bool> = (0..).zip(&orbits).flat_map(is_anchor).collect();
        let anchors = (0..).zip(is_anchor).map(|(place, is_anchor)| u64::from(is_anchor) << place).sum::<u64>();
        if 3u128.checked_pow(anchors.count_ones()).is_none_or(|all| all / 8 > u128::from(most_parts)) {
            return None;
        }
        let all = to_places.apply(sight.all);
        let mut fold = Fold {
            choose: Choose::new(),
            to_cells: Spread::new(cells.iter().map(|&cell| 1 << cell)),
            cells: cells.iter().map(|&cell| 1 << cell).collect(),
            lines: lines(&sight).into_iter().map(|line| to_places.apply(line)).collect(),
            turns: turns.collect(),
            to_places,
            free: all & !anchors,
            anchors,
            parts: Vec::new(),
            part_of: HashMap::new(),
            sight,
        };
        fold.find_parts();
        Some(fold)
    }

    fn find_parts(&mut self) {
        // All ways to put stones on the anchors.
        let mut all = vec![Stones::default()];
        for place in each(self.anchors) {
            let with = |stones: Stones| {
                [stones, Stones { x: stones.x | place, ..stones }, Stones { o: stones.o | place, ..stones }]
            };
            all = all.into_iter().flat_map(with).collect();
        }
        let key = |stones: Stones| (stones.occupied(), stones.x);
        let mut lowest: Vec<Stones> = Vec::new();
        for &stones in &all {
            if self.turns.iter().all(|turn| key(stones) <= key(turned(turn, stones))) {
                lowest.push(stones);
            }
        }
        lowest.sort_by_key(|&stones| (std::cmp::Reverse(stones.count()), key(stones)));
        let number: HashMap<Stones, usize> = lowest.iter().enumerate().map(|(part, &stones)| (stones, part)).collect();
        for stones in all {
            let images = self.turns.iter().map(|turn| turned(turn, stones));
            let lowest = images.clone().min_by_key(|&image| key(image)).unwrap_or(stones);
            let turns = images.zip(0..).filter(|&(image, _)| image == lowest).map(|(_, turn)| turn).collect();
            self.part_of.insert(stones, (number[&lowest], turns));
        }
        let part = |stones: Stones| FoldPart { stones, turns: self.part_of[&stones].1.clone() };
        self.parts = lowest.into_iter().map(part).collect();
    }

    /// How many parts there are.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// A part and its tiers.
    pub fn part(&self, part: usize) -> Part {
        let stones = self.parts[part].stones;
        let last = self.free.count_ones();
        let first = (0..=last).find(|&free| free_x(stones, free).is_some_and(|x_count| x_count <= free));
        // The number of X on free places grows more slowly than that of stones, so later tiers exist too.
        Part { tiers: first.unwrap_or(last + 1)..last + 1, anchor_stones: stones.count() }
    }

    /// How many blocks a tier can have at most, before turns and mirror images are left out.
    pub fn most_blocks(&self, number: u32) -> u64 {
        if !self.sight.has_gravity {
            return self.choose.of(self.free.count_ones(), number);
        }
        // By number of stones: in how many ways they fill some columns.
        let (height, number) = (self.sight.height as usize, number as usize);
        let mut ways = vec![0; number + 1];
        ways[0] = 1;
        for _ in 0..self.sight.width {
            ways = (0..=number).map(|stones| ways[stones.saturating_sub(height)..=stones].iter().sum()).collect();
        }
        ways[number]
    }

    /// How many colourings of a group in a tier have the right number of X, on average.
    pub fn colourings(&self, part: usize, number: u32) -> u64 {
        let x_count = free_x(self.parts[part].stones, number).unwrap_or(0);
        self.choose.of(number, x_count).div_ceil((colourings(number) / GROUP).max(1))
    }

    /// A tier.
    pub fn tier(&self, part: usize, number: u32) -> FoldTier {
        let anchors = self.parts[part].stones;
        let mut sets = self.all_sets(number);
        let turns: Vec<&Spread> = self.parts[part].turns[1..].iter().map(|&turn| &self.turns[turn as usize]).collect();
        sets.retain(|&set| turns.iter().all(|turn| set <= turn.apply(set)));
        FoldTier {
            part,
            anchors,
            sets,
            stones: number,
            x_count: free_x(anchors, number).unwrap_or(0),
            groups_per_block: (colourings(number) / GROUP).max(1),
        }
    }

    /// All sets of free places that can be occupied by this many stones, in ascending order.
    fn all_sets(&self, stones: u32) -> Vec<u64> {
        if self.sight.has_gravity {
            let mut sets = Vec::new();
            self.fill_columns(0, stones, 0, &mut sets);
            sets.sort_unstable();
            return sets;
        }
        // The free places in order, so that binary numbers of as many digits become sets of them.
        let to_free = Spread::new(each(self.free));
        let mut number = if stones == 64 { u64::MAX } else { (1 << stones) - 1 };
        let count = self.choose.of(self.free.count_ones(), stones);
        let mut sets = Vec::with_capacity(count as usize);
        for _ in 0..count {
            sets.push(to_free.apply(number));
            number = next_with_as_many_ones(number);
        }
        sets
    }

    /// With gravity: fills the columns from `column` on.
    fn fill_columns(&self, column: u32, stones: u32, cells: Cells, sets: &mut Vec<u64>) {
        let Sight { width, height, .. } = self.sight;
        if column == width {
            sets.push(self.to_places.apply(cells));
            return;
        }
        let left = (width - 1 - column) * height;
        for filled in stones.saturating_sub(left)..=height.min(stones) {
            let full = self.sight.column(0) & ((1u128 << filled) - 1) as u64;
            self.fill_columns(column + 1, stones - filled, cells | full << (column * height), sets);
        }
    }

    /// Where a board is stored.
    pub fn place(&self, board: Stones) -> Place {
        self.place_and_turn(board).0
    }

    /// Where a board is stored, and the turn that brings it there.
    pub fn place_and_turn(&self, board: Stones) -> (Place, &Spread) {
        let places = self.places(board);
        let on_anchors = Stones { x: places.x & self.anchors, o: places.o & self.anchors };
        let (part, turns) = &self.part_of[&on_anchors];
        let set = places.occupied() & self.free;
        let turns = turns.iter().map(|&turn| &self.turns[turn as usize]);
        let turn = turns.min_by_key(|turn| turn.apply(set)).expect("a part is an image of what belongs to it");
        let board = turned(&self.to_cells, turned(turn, places));
        (Place { part: *part, number: set.count_ones(), board }, turn)
    }

    /// The free places that are occupied on a board.
    pub fn free_set(&self, board: Stones) -> u64 {
        self.places(board).occupied() & self.free
    }

    /// A board as places.
    pub fn places(&self, board: Stones) -> Stones {
        turned(&self.to_places, board)
    }

    /// The block of a board in its place, and the colours of its stones. None if there is no such block.
    pub fn colours_of(&self, tier: &FoldTier, board: Stones) -> Option<(usize, u64)> {
        let places = self.places(board);
        let set = places.occupied() & self.free;
        let block = tier.sets.binary_search(&set).ok()?;
        Some((block, (0..).zip(each(set)).map(|(stone, place)| u64::from(places.x & place != 0) << stone).sum()))
    }

    /// The number of the group of a board in its place. None if the tier has no such group.
    pub fn group_of(&self, tier: &FoldTier, board: Stones) -> Option<u64> {
        let (block, colours) = self.colours_of(tier, board)?;
        Some(block as u64 * tier.groups_per_block + (colours & (colourings(tier.stones) - 1)) / GROUP)
    }

    /// A block of a tier.
    pub fn block(&self, tier: &FoldTier, block: usize) -> FoldBlock {
        let set = tier.sets[block];
        let occupied = set | tier.anchors.occupied();
        let occupied_cells = self.to_cells.apply(occupied);
        let playable = self.to_places.apply(self.sight.playable(occupied_cells));
        let line = |line: u64| {
            let on_anchors = |stones: u64| line & stones != 0;
            let stones = (0..).zip(each(set)).map(|(stone, place)| u64::from(line & place != 0) << stone).sum();
            Line { stones, can_be_x: !on_anchors(tier.anchors.o), can_be_o: !on_anchors(tier.anchors.x) }
        };
        let full = self.lines.iter().filter(|&&line| line & !occupied == 0);
        let is_open = |&&line: &&u64| (line & !occupied).count_ones() == 1 && line & !occupied & !playable == 0;
        let open = self.lines.iter().filter(is_open).filter(|_| !self.sight.is_misere);
        FoldBlock {
            set,
            to_cells: Spread::new(each(set).map(|place| self.cells[place.ilog2() as usize])),
            anchors_x: self.to_cells.apply(tier.anchors.x),
            occupied: occupied_cells,
            full: full.map(|&full| line(full)).collect(),
            open: open.map(|&open| line(open)).collect(),
        }
    }

    /// The turns that leave a block as it is: its part and its set.
    pub fn turns_of(&self, tier: &FoldTier, set: u64) -> SmallVec<[u8; 8]> {
        let turns = self.parts[tier.part].turns.iter().copied();
        turns.filter(|&turn| self.turns[turn as usize].apply(set) == set).collect()
    }

    /// The board after a turn.
    pub fn turn(&self, turn: u8, board: Stones) -> Stones {
        let turn = |cells| self.to_cells.apply(self.turns[turn as usize].apply(self.to_places.apply(cells)));
        Stones { x: turn(board.x), o: turn(board.o) }
    }

    /// The stored boards of a group, in order.
    pub fn boards(&self, tier: &FoldTier, group: u64) -> Vec<Stones> {
        let block = self.block(tier, (group / tier.groups_per_block) as usize);
        let mut boards = Vec::new();
        tier.for_each_stored(&self.sight, &block, group % tier.groups_per_block, |colours| {
            boards.push(block.board(colours));
        });
        boards
    }
}

impl FoldTier {
    /// How many groups there are.
    pub fn groups(&self) -> u64 {
        self.sets.len() as u64 * self.groups_per_block
    }

    /// The colours of the stored boards of a group of a block, in order.
    #[inline]
    pub fn for_each_stored(&self, sight: &Sight, block: &FoldBlock, group: u64, mut visit: impl FnMut(u64)) {
        if block.occupied == sight.all {
            return;
        }
        self.for_each_colours(group, |colours| {
            if block.has_no_row(colours) && block.is_quiet(colours) {
                visit(colours);
            }
        });
    }

    /// All colours with the right number of X whose colourings are in a group of a block, in order.
    #[inline]
    pub fn for_each_colours(&self, group: u64, mut visit: impl FnMut(u64)) {
        let end = colourings(self.stones).min((group + 1) * GROUP);
        let highest = if self.stones == 0 { 0 } else { 1 << (self.stones - 1) };
        for colouring in group * GROUP..end {
            match self.x_count.wrapping_sub(colouring.count_ones()) {
                0 => visit(colouring),
                1 => visit(colouring | highest),
                _ => {}
            }
        }
    }

    /// The bytes that it takes in memory.
    pub fn bytes(&self) -> usize {
        8 * self.sets.len()
    }
}

/// How many colourings a block has.
fn colourings(stones: u32) -> u64 {
    1 << stones.saturating_sub(1)
}

/// How many of the stones on free places are X.
fn free_x(anchors: Stones, free: u32) -> Option<u32> {
    (anchors.count() + free).div_ceil(2).checked_sub(anchors.x.count_ones())
}

fn turned(turn: &Spread, stones: Stones) -> Stones {
    Stones { x: turn.apply(stones.x), o: turn.apply(stones.o) }
}

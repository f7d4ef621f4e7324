//! A slow, obvious writer of packed tables, version 3, from the description of the format alone.
//!
//! It goes through every board of a small game, solves it by plain recursion, and sorts boards into parts, tiers, blocks and groups
//! as docs/format.md says. The bytes of a real table must be equal to these, counts included.
//!
//! A board is a list of digits here, row by row from the top left: 0 empty, 1 X, 2 O.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use menace::{Aim, Board, Game, Move, Outcome, Position, Side, Verdict};

use super::game;

/// What a table is made from.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub game: &'static str,
    pub aim: Aim,
    pub depths: bool,
    pub symmetry: bool,
    pub machines: &'static str,
    /// Empty for none, whatever the layout.
    pub anchors: Vec<u32>,
}

impl Wanted {
    pub fn new(game: &'static str, aim: Aim, depths: bool) -> Wanted {
        Wanted { game, aim, depths, symmetry: false, machines: "both", anchors: Vec::new() }
    }
}

/// The bytes of a table of a solved game, not compressed.
pub fn bytes_of(solved: &Solved, wanted: &Wanted) -> Vec<u8> {
    let world = World::new(solved, wanted);
    let aim = match wanted.aim {
        Aim::Safe => "safe",
        Aim::Win => "win",
        Aim::Fastest => "fastest",
        Aim::Trap => panic!("tables with this aim are not packed"),
    };
    let anchors: Vec<String> = world.anchors.iter().map(u32::to_string).collect();
    let description = format!(
        r#"{{"aim":"{aim}","anchors":[{}],"compressed":false,"depths":{},"game":"{}","layout":"{}","machines":"{}","symmetry":{}}}"#,
        anchors.join(","),
        wanted.depths,
        wanted.game,
        if solved.is_tiles { "tiles" } else { "fold" },
        wanted.machines,
        wanted.symmetry,
    );
    let mut bytes = b"MENACE\x1a\n".to_vec();
    bytes.extend(3u32.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    seal(&mut bytes, 0);
    if solved.is_tiles {
        let parts = tiles::parts(&world);
        let counts = world.counts(&parts, |board| tiles::part_of(&world, board));
        parts.iter().zip(&counts).for_each(|(part, counts)| write_part(&world, &part.tiers, counts, &mut bytes));
    } else {
        let places = fold::Places::new(&world);
        let parts = fold::parts(&world, &places);
        let counts = world.counts(&parts, |board| places.part_of(&world, board));
        parts.iter().zip(&counts).for_each(|(part, counts)| write_part(&world, &part.tiers, counts, &mut bytes));
    }
    bytes
}

/// Appends the checksum of all bytes from `start` on.
fn seal(bytes: &mut Vec<u8>, start: usize) {
    let sum = crc32fast::hash(&bytes[start..]);
    bytes.extend(sum.to_le_bytes());
}

/// The digits of a board.
type Digits = Vec<i8>;

/// A part: by what parts are compared, and its tiers from the highest number down.
struct Part<K> {
    key: K,
    tiers: Vec<Tier>,
}

/// A tier: the boards of each group that would have a place, in order, whether stored or not.
struct Tier {
    lowest_stones: usize,
    groups: Vec<Vec<Digits>>,
}

fn write_part(world: &World, tiers: &[Tier], counts: &[u64], bytes: &mut Vec<u8>) {
    let (mut payload, mut batches) = (Vec::new(), Vec::new());
    for tier in tiers {
        for batch in tier.groups.chunks(64) {
            batches.push(payload.len() as u64);
            let stored: Vec<Vec<&Digits>> =
                batch.iter().map(|group| group.iter().filter(|board| world.is_stored(board)).collect()).collect();
            stored.iter().for_each(|boards| payload.extend((boards.len() as u16).to_le_bytes()));
            for boards in &stored {
                let codes: Vec<u64> = boards.iter().map(|board| world.code(world.verdict(board))).collect();
                let digits = world.code_bits(tier.lowest_stones);
                let bits: Vec<u64> =
                    (0..digits).flat_map(|digit| codes.iter().map(move |code| code >> digit & 1)).collect();
                let byte = |bits: &[u64]| (0..).zip(bits).map(|(at, bit)| (*bit as u8) << at).sum::<u8>();
                payload.extend(bits.chunks(8).map(byte));
            }
        }
    }
    let mut record = (payload.len() as u64).to_le_bytes().to_vec();
    tiers.iter().for_each(|tier| record.extend((tier.groups.len() as u64).to_le_bytes()));
    batches.iter().for_each(|start| record.extend(start.to_le_bytes()));
    payload.chunks(16384).for_each(|chunk| record.extend(crc32fast::hash(chunk).to_le_bytes()));
    counts.iter().for_each(|count| record.extend(count.to_le_bytes()));
    seal(&mut record, 0);
    let start = bytes.len();
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend((record.len() as u64).to_le_bytes());
    seal(bytes, start);
    bytes.extend(payload);
    bytes.extend(record);
}

/// A game, solved.
pub struct Solved {
    game: std::sync::Arc<dyn Game>,
    width: usize,
    height: usize,
    is_gravity: bool,
    is_misere: bool,
    is_tiles: bool,
    /// For every turn and mirror image, the cell that each cell goes to.
    turns: Vec<Vec<usize>>,
    /// Every board on which the players have taken turns and no stone floats, and what comes after it.
    verdicts: HashMap<Digits, Verdict>,
    /// For each of them, whether it can occur.
    occurs: HashMap<Digits, bool>,
}

impl Solved {
    pub fn new(name: &str) -> Solved {
        let game = game(name);
        let [width, height] = [game.shape().width(), game.shape().height()].map(usize::from);
        let k: usize = name.split(['x', '+']).nth(2).unwrap().parse().unwrap();
        let is_gravity = name.contains("+gravity");
        let inner = width.saturating_sub(2);
        let is_tiles = is_gravity && k < width && height <= 7 && inner <= 16 && inner * height <= 36;
        let shape = game.shape();
        let image = |symmetry: menace::board::Symmetry| {
            Board::empty(shape).cells().map(|cell| symmetry.cell(cell).index()).collect()
        };
        let turns = game.symmetries().into_iter().map(image).collect();
        let is_misere = name.contains("+misere");
        let (verdicts, occurs) = (HashMap::new(), HashMap::new());
        let mut solved = Solved { game, width, height, is_gravity, is_misere, is_tiles, turns, verdicts, occurs };
        for board in solved.boards() {
            solved.solve(&board);
            solved.find_whether_it_occurs(&board);
        }
        solved
    }

    /// The verdicts of all boards on which the game goes on, whether they can occur or not.
    pub fn verdicts(&self) -> impl Iterator<Item = (Board, Verdict)> {
        let open = self.verdicts.iter().filter(|(board, _)| board.contains(&0) && !self.has_any_row(board));
        open.map(|(board, &verdict)| (self.at(board).board, verdict))
    }

    /// How many boards can occur on which the game goes on.
    pub fn occurring(&self) -> usize {
        let is_open = |board: &Digits| board.contains(&0) && !self.has_any_row(board);
        self.occurs.iter().filter(|(board, occurs)| **occurs && is_open(board)).count()
    }

    fn cells(&self) -> usize {
        self.width * self.height
    }

    /// Every board on which the players have taken turns and no stone floats.
    fn boards(&self) -> Vec<Digits> {
        let all = std::iter::successors(Some(vec![0; self.cells()]), |board: &Digits| {
            let mut next = board.clone();
            let at = next.iter().rposition(|&digit| digit < 2)?;
            next[at] += 1;
            next[at + 1..].fill(0);
            Some(next)
        });
        all.filter(|board| self.took_turns(board) && !self.floats(board)).collect()
    }

    fn took_turns(&self, board: &Digits) -> bool {
        let [x, o] = [1, 2].map(|mark| count(board, mark));
        x == o || x == o + 1
    }

    fn floats(&self, board: &Digits) -> bool {
        let is_hanging = |cell: usize| board[cell] != 0 && board.get(cell + self.width) == Some(&0);
        self.is_gravity && (0..board.len()).any(is_hanging)
    }

    fn at(&self, board: &Digits) -> Position {
        let board = Board::from_digits(board, self.game.shape()).unwrap();
        Position::new(board, Side::after_stones(board.stone_count()))
    }

    fn has_row(&self, board: &Digits, mark: i8) -> bool {
        let side = if mark == 1 { Side::First } else { Side::Second };
        let board = self.at(board).board;
        let result = self.game.result(Position::new(board, side.other()));
        result.is_some_and(|outcome| outcome != Outcome::Draw)
    }

    fn has_any_row(&self, board: &Digits) -> bool {
        self.has_row(board, 1) || self.has_row(board, 2)
    }

    /// The cells on which a stone can be placed.
    fn playable(&self, board: &Digits) -> Vec<usize> {
        let is_playable = |&cell: &usize| {
            board[cell] == 0 && (!self.is_gravity || board.get(cell + self.width).is_none_or(|&below| below != 0))
        };
        (0..board.len()).filter(is_playable).collect()
    }

    fn is_stored(&self, board: &Digits) -> bool {
        let is_quiet = || {
            let wins = |cell: usize, mark| self.has_row(&with(board, cell, mark), mark);
            !self.playable(board).into_iter().any(|cell| wins(cell, 1) || wins(cell, 2))
        };
        self.took_turns(board)
            && !self.floats(board)
            && !self.has_any_row(board)
            && board.contains(&0)
            && (self.is_misere || is_quiet())
    }

    fn solve(&mut self, board: &Digits) -> Verdict {
        if let Some(&verdict) = self.verdicts.get(board) {
            return verdict;
        }
        let at = self.at(board);
        let verdict = match self.game.result(at) {
            Some(outcome) => Verdict::finished(outcome),
            None => {
                let next = |&cell: &usize| with(board, cell, mark_to_move(board));
                let next: Vec<Digits> = self.playable(board).iter().map(next).collect();
                next.iter().map(|next| self.solve(next).before_move()).max().unwrap()
            }
        };
        self.verdicts.insert(board.clone(), verdict);
        verdict
    }

    fn verdict(&self, board: &Digits) -> Verdict {
        self.verdicts[board]
    }

    /// A board can occur if taking off a stone of the side that moved last leaves a board without a row that can occur.
    fn find_whether_it_occurs(&mut self, board: &Digits) -> bool {
        if let Some(&occurs) = self.occurs.get(board) {
            return occurs;
        }
        let last = 3 - mark_to_move(board);
        let is_on_top = |cell: usize| !self.is_gravity || cell < self.width || board[cell - self.width] == 0;
        let earlier = (0..board.len()).filter(|&cell| board[cell] == last && is_on_top(cell));
        let earlier: Vec<Digits> = earlier.map(|cell| with(board, cell, 0)).collect();
        let occurs = count(board, 0) == board.len()
            || earlier.iter().any(|earlier| !self.has_any_row(earlier) && self.find_whether_it_occurs(earlier));
        self.occurs.insert(board.clone(), occurs);
        occurs
    }
}

/// A solved game and the table that is made of it.
struct World<'a> {
    solved: &'a Solved,
    wanted: &'a Wanted,
    anchors: Vec<u32>,
}

impl std::ops::Deref for World<'_> {
    type Target = Solved;

    fn deref(&self) -> &Solved {
        self.solved
    }
}

impl<'a> World<'a> {
    fn new(solved: &'a Solved, wanted: &'a Wanted) -> World<'a> {
        let anchors = match wanted.anchors.is_empty() && solved.is_tiles {
            true => vec![0; solved.width - 2],
            false => wanted.anchors.clone(),
        };
        World { solved, wanted, anchors }
    }

    fn code(&self, verdict: Verdict) -> u64 {
        match (verdict.outcome, self.wanted.depths) {
            (Outcome::Draw, _) => 0,
            (_, true) => verdict.depth.unwrap().into(),
            (Outcome::Win, false) => 1,
            (Outcome::Loss, false) => 2,
        }
    }

    fn code_count(&self, stones: usize) -> usize {
        if self.wanted.depths { self.cells() - stones + 1 } else { 3 }
    }

    fn code_bits(&self, lowest_stones: usize) -> usize {
        match self.wanted.depths {
            true => format!("{:b}", self.cells() - lowest_stones).len(),
            false => 2,
        }
    }

    /// The counts of each part. A board belongs to the part that `part_of` names, with its turns and mirror images.
    fn counts<K: PartialEq + Eq + std::hash::Hash>(
        &self,
        parts: &[Part<K>],
        part_of: impl Fn(&Digits) -> K,
    ) -> Vec<Vec<u64>> {
        let none: Vec<Vec<u64>> =
            (0..=self.cells()).map(|stones| vec![0; 2 + 2 * self.code_count(stones) + 1]).collect();
        let mut counts = vec![none; parts.len()];
        let numbers: HashMap<&K, usize> = parts.iter().zip(0..).map(|(part, number)| (&part.key, number)).collect();
        for board in self.occurs.iter().filter(|(_, occurs)| **occurs).map(|(board, _)| board) {
            let stones = board.len() - count(board, 0);
            let counts = &mut counts[numbers[&part_of(board)]][stones];
            counts[0] += 1;
            if self.has_any_row(board) {
                counts[1] += 1;
            } else if stones < self.cells() {
                let code = self.code(self.verdict(board)) as usize;
                counts[2 + code] += 1;
                let images: Vec<Digits> = self.turns.iter().map(|turn| turned(turn, board)).collect();
                if !self.wanted.symmetry || images.iter().all(|image| board <= image) {
                    counts[2 + self.code_count(stones) + code] += 1;
                    *counts.last_mut().unwrap() += self.beads(board);
                }
            }
        }
        counts.into_iter().map(|counts| counts.concat()).collect()
    }

    /// How many moves stay in the box of a board.
    fn beads(&self, board: &Digits) -> u64 {
        let at = self.at(board);
        let mut moves: Vec<usize> = self.playable(board);
        if self.wanted.symmetry {
            let mirrors: Vec<_> = self.turns.iter().filter(|turn| turned(turn, board) == *board).collect();
            moves.retain(|&cell| mirrors.iter().all(|turn| cell <= turn[cell]));
        }
        let after = |cell: usize| self.verdict(&with(board, cell, mark_to_move(board))).before_move();
        let wins_at_once = |cell: usize| {
            let cell = Board::empty(self.game.shape()).cells().nth(cell).unwrap();
            self.game.result(at.play(Move::place(at.to_move.mark(), cell))) == Some(Outcome::Loss)
        };
        if moves.iter().any(|&cell| wins_at_once(cell)) {
            return moves.iter().filter(|&&cell| wins_at_once(cell)).count() as u64;
        }
        moves.retain(|&cell| after(cell).outcome != Outcome::Loss);
        if self.wanted.aim != Aim::Safe && moves.iter().any(|&cell| after(cell).outcome == Outcome::Win) {
            moves.retain(|&cell| after(cell).outcome == Outcome::Win);
            if self.wanted.aim == Aim::Fastest {
                let fastest = moves.iter().map(|&cell| after(cell)).max().unwrap();
                moves.retain(|&cell| after(cell) == fastest);
            }
        }
        moves.len() as u64
    }
}

fn count(board: &Digits, mark: i8) -> usize {
    board.iter().filter(|&&digit| digit == mark).count()
}

fn mark_to_move(board: &Digits) -> i8 {
    if count(board, 1) == count(board, 2) { 1 } else { 2 }
}

fn with(board: &Digits, cell: usize, mark: i8) -> Digits {
    let mut board = board.clone();
    board[cell] = mark;
    board
}

/// The board after a turn.
fn turned(turn: &[usize], board: &Digits) -> Digits {
    let mut turned = vec![0; board.len()];
    board.iter().zip(turn).for_each(|(&digit, &cell)| turned[cell] = digit);
    turned
}

/// The layout `tiles`.
mod tiles {
    use super::*;

    /// A column from the bottom up: the marks of its stones.
    type Column = Vec<i8>;

    fn columns(world: &World, board: &Digits) -> Vec<Column> {
        let column = |column| {
            let cells = (0..world.height).rev().map(|row| board[row * world.width + column]);
            cells.take_while(|&digit| digit != 0).collect()
        };
        (0..world.width).map(column).collect()
    }

    fn board_of(world: &World, columns: &[Column]) -> Digits {
        let mut board = vec![0; world.cells()];
        for (column, stones) in columns.iter().enumerate() {
            for (height, &mark) in stones.iter().enumerate() {
                board[(world.height - 1 - height) * world.width + column] = mark;
            }
        }
        board
    }

    /// All ways to fill a column to one of these heights.
    fn ways(heights: std::ops::RangeInclusive<usize>) -> Vec<Column> {
        let longer = |ways: Vec<Column>| -> Vec<Column> {
            ways.iter().flat_map(|way| [2, 1].map(|mark| [&way[..], &[mark]].concat())).collect()
        };
        heights.flat_map(|height| (0..height).fold(vec![vec![]], |ways, _| longer(ways))).collect()
    }

    /// All ways to choose one of each.
    fn products(choices: &[Vec<Column>]) -> Vec<Vec<Column>> {
        choices.iter().fold(vec![vec![]], |all: Vec<Vec<Column>>, choices| {
            let with = |chosen: &Vec<Column>| {
                choices.iter().map(|choice| [&chosen[..], std::slice::from_ref(choice)].concat()).collect::<Vec<_>>()
            };
            all.iter().flat_map(with).collect()
        })
    }

    fn mirrored(columns: &[Column]) -> Vec<Column> {
        columns.iter().rev().cloned().collect()
    }

    fn stones(columns: &[Column]) -> usize {
        columns.iter().map(Vec::len).sum()
    }

    fn x_count(columns: &[Column]) -> usize {
        columns.iter().flatten().filter(|&&mark| mark == 1).count()
    }

    /// Stones as a binary number: the first stone has the lowest digit, 1 for X.
    fn number<'a>(stones: impl Iterator<Item = &'a i8>) -> u64 {
        (0..).zip(stones).map(|(digit, &mark)| u64::from(mark == 1) << digit).sum()
    }

    /// How parts are compared: a digit for each anchor, from the bottom of the leftmost column on.
    pub type Key = Vec<u8>;

    fn part_key(world: &World, part: &[Column]) -> Key {
        let digit = |stone: Option<&i8>| stone.map_or(2, |&mark| u8::from(mark == 1));
        let anchors =
            |(column, &count): (&Column, &u32)| (0..count as usize).map(|row| digit(column.get(row))).collect();
        part.iter().zip(&world.anchors).map(anchors).collect::<Vec<Vec<u8>>>().concat()
    }

    /// The part that a board belongs to.
    pub fn part_of(world: &World, board: &Digits) -> Key {
        let inner = &columns(world, board)[1..world.width - 1];
        let filled = |(column, &count): (&Column, &u32)| column.iter().copied().take(count as usize).collect();
        let part: Vec<Column> = inner.iter().zip(&world.anchors).map(filled).collect();
        part_key(world, &part).min(part_key(world, &mirrored(&part)))
    }

    pub fn parts(world: &World) -> Vec<Part<Key>> {
        let anchors = &world.anchors;
        let ways: Vec<Vec<Column>> = anchors.iter().map(|&count| ways(0..=count as usize)).collect();
        let mut parts = products(&ways);
        parts.retain(|part| part_key(world, part) <= part_key(world, &mirrored(part)));
        parts.sort_by_key(|part| part_key(world, part));
        parts.into_iter().map(|part| make_part(world, part)).collect()
    }

    fn make_part(world: &World, part: Vec<Column>) -> Part<Key> {
        let full = |(column, &anchors): (&Column, &u32)| column.len() == anchors as usize;
        let highest = |pair: (&Column, &u32)| if full(pair) { world.height } else { pair.0.len() };
        let heights: Vec<(usize, usize)> =
            part.iter().zip(&world.anchors).map(|pair| (pair.0.len(), highest(pair))).collect();
        let (low, high) = (heights.iter().map(|h| h.0).sum::<usize>(), heights.iter().map(|h| h.1).sum::<usize>());
        let tiers = (low..=high).rev().map(|inner| make_tier(world, &part, &heights, inner)).collect();
        Part { key: part_key(world, &part), tiers }
    }

    fn make_tier(world: &World, part: &[Column], heights: &[(usize, usize)], inner: usize) -> Tier {
        // All stones above the filled anchors, in every colour.
        let choices: Vec<Vec<Column>> = heights.iter().map(|&(low, high)| ways(0..=high - low)).collect();
        let is_own_mirror = part == mirrored(part);
        let mut blocks: BTreeMap<Vec<usize>, Vec<Vec<Column>>> = BTreeMap::new();
        for free in products(&choices) {
            let heights: Vec<usize> = part.iter().zip(&free).map(|(low, high)| low.len() + high.len()).collect();
            let is_lowest = !is_own_mirror || heights.iter().le(heights.iter().rev());
            if heights.iter().sum::<usize>() == inner && is_lowest {
                blocks.entry(heights).or_default().push(free);
            }
        }
        let mut groups = Vec::new();
        for (_, mut colours) in blocks {
            colours.sort_by_key(|free| (x_count(free), number(free.iter().flatten())));
            for free in colours {
                let inner: Vec<Column> = part.iter().zip(&free).map(|(low, high)| [&low[..], high].concat()).collect();
                groups.extend(make_group(world, &inner));
            }
        }
        Tier { lowest_stones: inner, groups }
    }

    /// The boards of a group that have a place; none if there is no group.
    fn make_group(world: &World, inner: &[Column]) -> Option<Vec<Digits>> {
        let alone = [&[vec![]], inner, &[vec![]]].concat();
        let surplus = 2 * x_count(inner) as i64 - stones(inner) as i64;
        let most = 2 * world.height as i64;
        if world.has_any_row(&board_of(world, &alone)) || surplus < -most || surplus > most + 1 {
            return None;
        }
        let edges = ways(0..=world.height);
        let mut boards = Vec::new();
        for (left, right) in edges.iter().flat_map(|left| edges.iter().map(move |right| (left, right))) {
            let board = board_of(world, &[std::slice::from_ref(left), inner, std::slice::from_ref(right)].concat());
            if world.took_turns(&board) {
                let colours = number(left.iter().chain(right));
                let key = (mark_to_move(&board), Reverse(left.len() + right.len()), left.len(), colours);
                boards.push((key, board));
            }
        }
        boards.sort();
        // Nothing is lost or doubled on the way.
        assert!(boards.iter().all(|(_, board)| columns(world, board)[1..world.width - 1] == *inner));
        Some(boards.into_iter().map(|(_, board)| board).collect())
    }
}

/// The layout `fold`.
mod fold {
    use super::*;

    /// What stands where, by place.
    pub struct Places {
        /// By place, its cell.
        cells: Vec<usize>,
        /// By place, whether it is an anchor.
        is_anchor: Vec<bool>,
    }

    impl Places {
        pub fn new(world: &World) -> Places {
            let mut orbits: Vec<Vec<usize>> = Vec::new();
            for cell in 0..world.cells() {
                if !orbits.iter().any(|orbit| orbit.contains(&cell)) {
                    let mut orbit: Vec<usize> = world.turns.iter().map(|turn| turn[cell]).collect();
                    orbit.sort();
                    orbit.dedup();
                    orbits.push(orbit);
                }
            }
            orbits.sort_by_key(|orbit| (orbit.len() % 4 != 0, orbit.len(), orbit[0]));
            let is_anchor =
                (0..).zip(&orbits).map(|(number, orbit)| vec![world.anchors.contains(&number); orbit.len()]);
            Places { is_anchor: is_anchor.collect::<Vec<_>>().concat(), cells: orbits.concat() }
        }

        /// The set of anchors or free places that have some mark.
        fn set(&self, board: &Digits, on_anchors: bool, marks: &[i8]) -> u64 {
            let places = (0..).zip(&self.cells).zip(&self.is_anchor);
            let chosen = places.filter(|&((_, &cell), &is)| is == on_anchors && marks.contains(&board[cell]));
            chosen.map(|((place, _), _)| 1u64 << place).sum()
        }

        /// How parts are compared.
        fn part_key(&self, board: &Digits) -> (u64, u64) {
            (self.set(board, true, &[1, 2]), self.set(board, true, &[1]))
        }

        /// The part that a board belongs to.
        pub fn part_of(&self, world: &World, board: &Digits) -> (u64, u64) {
            world.turns.iter().map(|turn| self.part_key(&turned(turn, board))).min().unwrap()
        }

        fn free_key(&self, board: &Digits) -> u64 {
            self.set(board, false, &[1, 2])
        }
    }

    pub fn parts(world: &World, places: &Places) -> Vec<Part<(u64, u64)>> {
        let is_anchor = |place: &usize| places.is_anchor[*place];
        let (anchors, free): (Vec<usize>, Vec<usize>) = (0..world.cells()).partition(is_anchor);
        let [anchors, free] =
            [anchors, free].map(|all| all.iter().map(|&place| places.cells[place]).collect::<Vec<_>>());
        let mut parts = fillings(world, &anchors, &[0, 1, 2]);
        parts.retain(|part| places.part_key(part) == places.part_of(world, part));
        parts.sort_by_key(|part| (Reverse(world.cells() - count(part, 0)), places.part_key(part)));
        let tier = |part: &Digits, stones| make_tier(world, places, part, &free, stones);
        let tiers = |part: &Digits| (0..=free.len()).rev().filter_map(|stones| tier(part, stones)).collect();
        parts.iter().map(|part| Part { key: places.part_key(part), tiers: tiers(part) }).collect()
    }

    /// All ways to put some digits on some cells of the empty board.
    fn fillings(world: &World, cells: &[usize], digits: &[i8]) -> Vec<Digits> {
        cells.iter().fold(vec![vec![0; world.cells()]], |boards: Vec<Digits>, &cell| {
            boards.iter().flat_map(|board| digits.iter().map(move |&digit| with(board, cell, digit))).collect()
        })
    }

    fn make_tier(world: &World, places: &Places, part: &Digits, free: &[usize], stones: usize) -> Option<Tier> {
        let all_stones = world.cells() - count(part, 0) + stones;
        let free_x = all_stones.div_ceil(2).checked_sub(count(part, 1)).filter(|&free_x| free_x <= stones)?;
        // The occupied cells of each block, as X.
        let mut blocks = fillings(world, free, &[0, 1]);
        blocks.retain(|block| count(block, 1) == stones && !world.floats(block));
        let stays = |turn: &&Vec<usize>| places.part_key(&turned(turn, part)) == places.part_key(part);
        let turns: Vec<&Vec<usize>> = world.turns.iter().filter(stays).collect();
        blocks.retain(|block| turns.iter().all(|turn| places.free_key(block) <= places.free_key(&turned(turn, block))));
        blocks.sort_by_key(|block| places.free_key(block));
        let mut groups = Vec::new();
        for block in blocks {
            // The occupied free cells from the lowest place up.
            let occupied: Vec<usize> = places.cells.iter().copied().filter(|&cell| block[cell] != 0).collect();
            let colourings: Vec<u64> = (0..1 << stones.saturating_sub(1)).collect();
            for group in colourings.chunks(1024) {
                let board = |&colouring: &u64| colour(part, &occupied, colouring, free_x);
                groups.push(group.iter().filter_map(board).collect());
            }
        }
        Some(Tier { lowest_stones: all_stones, groups })
    }

    /// The board with a colouring; none if the number of X cannot be right.
    fn colour(part: &Digits, occupied: &[usize], colouring: u64, free_x: usize) -> Option<Digits> {
        let mut board = part.clone();
        let mark = |is_x: bool| if is_x { 1 } else { 2 };
        for (digit, &cell) in occupied.iter().enumerate() {
            board[cell] = mark(colouring >> digit & 1 == 1);
        }
        let x_count = colouring.count_ones() as usize;
        if let Some(&highest) = occupied.last() {
            board[highest] = mark(x_count + 1 == free_x);
        }
        let is_right = x_count == free_x || x_count + 1 == free_x && !occupied.is_empty();
        is_right.then_some(board)
    }
}

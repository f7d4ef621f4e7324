//! What a board is worth by the rules and the next boards, and what is counted of it.

use super::{Codes, Counts, Decoder, Seen, Sight, Stones, Worth, each};
use crate::aim::Aim;
use crate::verify::VerifyError;
use crate::verify::decode::{Cells, DecodeError, Misfit, seen};

/// Judges boards by their next boards.
pub struct Judge {
    sight: Sight,
    codes: Codes,
    aim: Aim,
    has_symmetry: bool,
}

/// What is found about a board.
#[derive(Clone, Copy)]
pub struct Judged {
    /// What the next boards make it worth.
    pub worth: Worth,
    /// How many beads its box has.
    pub beads: u64,
}

/// How many boards and boxes a board stands for, and the moves that its box can have.
#[derive(Clone, Copy)]
pub struct Share {
    /// How many boards: itself with its turns and mirror images.
    pub boards: u64,
    /// How many boxes; none if another board stands for it.
    pub boxes: u64,
    /// One of each set of moves that mirror each other.
    pub moves: Cells,
}

/// A board without a row.
#[derive(Clone, Copy)]
pub struct At {
    pub board: Stones,
    /// The cells on which the side to move and the other side could make a row.
    pub threats: (Cells, Cells),
    /// Whether it can occur.
    pub occurs: bool,
    /// How much it stands for.
    pub share: Share,
    /// Its code, if it is stored.
    pub stored: Option<u8>,
}

/// A stored board whose code is wrong.
#[derive(Clone, Copy)]
pub struct Wrong {
    pub board: Stones,
    pub code: u8,
    pub due: Worth,
}

/// What was found in some groups.
pub struct Found {
    /// How many stored boards were checked.
    pub checked: u64,
    /// Boards, stored or not, that could not be judged because a next board has a code without meaning.
    pub unjudged: u64,
    /// How many groups are not filled up with zeros.
    pub unfilled: u64,
    /// How many of the checked boards are wrong.
    pub faults: u64,
    /// The first of these with the most stones: all boards after it are right, so that its line of play can be followed.
    pub first: Option<Wrong>,
    /// The first group that does not fit the game. It ends the check after its tier, since no board before it can be judged.
    pub misfit: Option<Misfit>,
    /// What was counted.
    pub tally: Tally,
}

impl Found {
    fn add_wrong(&mut self, wrong: Option<Wrong>) {
        let stones = |wrong: &Option<Wrong>| wrong.map(|wrong| wrong.board.count());
        if stones(&wrong) > stones(&self.first) {
            self.first = wrong;
        }
    }

    /// Turns a misfit into a finding. Other errors stay errors.
    pub fn note<T>(&mut self, made: Result<T, VerifyError>) -> Result<Option<T>, VerifyError> {
        match made {
            Err(VerifyError::Decode(DecodeError::Wrong(misfit))) => {
                self.misfit.get_or_insert(misfit);
                Ok(None)
            }
            made => made.map(Some),
        }
    }

    /// What both found.
    pub fn and(mut self, other: Found) -> Found {
        self.checked += other.checked;
        self.unjudged += other.unjudged;
        self.unfilled += other.unfilled;
        self.faults += other.faults;
        self.add_wrong(other.first);
        self.misfit = self.misfit.or(other.misfit);
        self.tally.add(&other.tally);
        self
    }
}

/// The counts of the format, counted again.
pub struct Tally {
    counts: Vec<Counts>,
    /// By number of stones: for each number of ways to make the row, how often a board with a row was met.
    rows: Vec<Vec<u64>>,
}

impl Tally {
    fn new(codes: Codes) -> Tally {
        let counts: Vec<Counts> = (0..=codes.cells).map(|stones| Counts::none(codes.count(stones))).collect();
        Tally { rows: vec![Vec::new(); counts.len()], counts }
    }

    fn add(&mut self, other: &Tally) {
        fn add(counts: &mut [u64], more: &[u64]) {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        for (counts, more) in self.counts.iter_mut().zip(&other.counts) {
            counts.boards += more.boards;
            counts.beads += more.beads;
            add(&mut counts.codes, &more.codes);
            add(&mut counts.boxes, &more.boxes);
        }
        for (rows, more) in self.rows.iter_mut().zip(&other.rows) {
            rows.resize(rows.len().max(more.len()), 0);
            add(rows, more);
        }
    }

    /// The counts by number of stones. A board with a row is met once for each stone that can have been the last.
    pub fn counts(&self) -> Vec<Counts> {
        let with_rows = |(counts, met): (&Counts, &Vec<u64>)| {
            let rows = (0..).zip(met).skip(1).map(|(ways, times): (u64, &u64)| times / ways).sum::<u64>();
            Counts { boards: counts.boards + rows, rows, ..counts.clone() }
        };
        self.counts.iter().zip(&self.rows).map(with_rows).collect()
    }

    /// How many boards were counted on which the game goes on.
    pub fn going_on(&self) -> u64 {
        self.counts.iter().flat_map(|counts| &counts.codes).sum()
    }
}

impl Judge {
    pub fn new(decoder: &Decoder<'_>) -> Judge {
        let (sight, codes, aim) = (decoder.sight().clone(), decoder.codes(), decoder.aim());
        Judge { sight, codes, aim, has_symmetry: decoder.about().symmetry }
    }

    /// Nothing found yet.
    pub fn nothing(&self) -> Found {
        let tally = Tally::new(self.codes);
        Found { checked: 0, unjudged: 0, unfilled: 0, faults: 0, first: None, misfit: None, tally }
    }

    /// How much a board stands for. `turns` gives its images under the turns, other than the identity, that leave its block as it is.
    pub fn share(&self, board: Stones, weight: u64, turns: &[&dyn Fn(Stones) -> Stones]) -> Share {
        let all = Share { boards: weight, boxes: weight, moves: self.sight.all };
        if !self.has_symmetry {
            return all;
        }
        let mut share = Share { boxes: 1, ..all };
        for turn in turns {
            let image = turn(board);
            if (image.x, image.o) < (board.x, board.o) {
                share.boxes = 0;
            } else if image == board {
                let is_lowest = |&cell: &Cells| cell <= turn(Stones { x: cell, o: 0 }).x;
                share.moves = each(share.moves).filter(is_lowest).sum();
            }
        }
        share
    }

    /// Judges a board, and counts it. `quick` gives the code of the board after a move if that is stored, and `look_up` that of any
    /// stored board.
    #[inline]
    pub fn judge(
        &self,
        At { board, threats, occurs, share, stored }: At,
        quick: impl FnMut(Cells) -> Option<u8>,
        look_up: impl Fn(Stones) -> Option<u8>,
        found: &mut Found,
    ) {
        let stones = board.count();
        let counts = &mut found.tally.counts[stones as usize];
        if occurs && board.occupied() == self.sight.all {
            counts.boards += share.boards;
        }
        if board.occupied() == self.sight.all {
            return;
        }
        found.checked += u64::from(stored.is_some());
        let Some(judged) = self.worth(board, threats, share.moves, quick, look_up) else {
            found.unjudged += 1;
            return;
        };
        let code = self.codes.code(judged.worth);
        if occurs {
            counts.boards += share.boards;
            counts.codes[usize::from(code)] += share.boards;
            counts.boxes[usize::from(code)] += share.boxes;
            counts.beads += share.boxes * judged.beads;
            for cell in each(threats.0) {
                let ways = self.sight.ways_to(board.play(cell), cell) as usize;
                let rows = &mut found.tally.rows[stones as usize + 1];
                rows.resize(rows.len().max(ways + 1), 0);
                rows[ways] += share.boards;
            }
        }
        if let Some(stored) = stored.filter(|&stored| stored != code) {
            found.faults += 1;
            found.add_wrong(Some(Wrong { board, code: stored, due: judged.worth }));
        }
    }

    #[inline]
    fn worth(
        &self,
        board: Stones,
        threats: (Cells, Cells),
        moves: Cells,
        mut quick: impl FnMut(Cells) -> Option<u8>,
        look_up: impl Fn(Stones) -> Option<u8>,
    ) -> Option<Judged> {
        let (own, _) = threats;
        let next_stones = board.count() + 1;
        let mut after = |cell: Cells| {
            // In misère, the row loses.
            if own & cell != 0 {
                return Some(Worth::win(0).before(1));
            }
            match quick(cell) {
                Some(code) => self.codes.worth(code, next_stones).map(|worth| worth.before(1)),
                None => self.settled(board.play(cell), &look_up).map(|worth| worth.before(1)),
            }
        };
        match if self.sight.is_misere { Seen::Quiet } else { seen(threats) } {
            Seen::Decided(worth) => {
                let beads = if worth.is_win() { (own & moves).count_ones() } else { 0 };
                Some(Judged { worth: self.codes.known(worth), beads: beads.into() })
            }
            Seen::Forced(cell) => {
                let worth = self.codes.known(after(cell)?);
                Some(Judged { worth, beads: u64::from(!worth.is_loss()) })
            }
            Seen::Quiet => {
                let mut best = Worth::NONE;
                let (mut safe, mut wins, mut best_count) = (0, 0, 0);
                for cell in each(self.sight.playable(board.occupied())) {
                    let worth = self.codes.known(after(cell)?);
                    let one = u64::from(moves & cell != 0);
                    safe += if worth.is_loss() { 0 } else { one };
                    wins += if worth.is_win() { one } else { 0 };
                    if worth > best {
                        (best, best_count) = (worth, 0);
                    }
                    best_count += if worth == best { one } else { 0 };
                }
                let beads = match self.aim {
                    Aim::Win if best.is_win() => wins,
                    Aim::Fastest | Aim::Trap if best.is_win() => best_count,
                    _ => safe,
                };
                Some(Judged { worth: best, beads })
            }
        }
    }

    /// What a board is worth after forced moves.
    fn settled(&self, board: Stones, look_up: impl Fn(Stones) -> Option<u8>) -> Option<Worth> {
        let (settled, worth, moves) = self.sight.settle(board);
        let worth = match worth {
            Some(worth) => worth,
            None => self.codes.worth(look_up(settled)?, settled.count())?,
        };
        Some(worth.before(moves))
    }
}

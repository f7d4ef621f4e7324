//! A matchbox: the beads of one board, those that stay and those that went.

use hashbrown::HashMap;

use crate::board::{Board, Id, Move, Shape};
use crate::game::Moves;

/// All boxes of one machine, by the id of their board.
pub type Boxes = HashMap<Id, Matchbox>;

/// The board that a box is kept under.
pub(crate) fn board_of(id: Id, shape: Shape) -> Board {
    Board::from_id(id, shape).expect("a box is kept under the id of a board of its game")
}

/// Why a bead went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The move loses at once, or this reply to it wins at once.
    Loses(Option<Move>),
    /// This reply leads to a banned board.
    Banned(Move),
    /// Another bead wins at once.
    Win,
    /// The move gives a forced win away.
    Draws,
    /// The move wins later than another.
    Slow,
    /// Another bead has better odds against an opponent who moves by chance.
    Odds,
}

impl Why {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Why::Loses(_) => "loses",
            Why::Banned(_) => "banned",
            Why::Win => "win",
            Why::Draws => "draws",
            Why::Slow => "slow",
            Why::Odds => "odds",
        }
    }

    /// The reply that proves it, where there is one.
    pub fn reply(self) -> Option<Move> {
        match self {
            Why::Loses(reply) => reply,
            Why::Banned(reply) => Some(reply),
            Why::Win | Why::Draws | Why::Slow | Why::Odds => None,
        }
    }
}

/// When something happened to a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// Nothing tells: packed tables without depths keep no rounds.
    Unrecorded,
    /// In this round; 0 is before the first.
    Round(u32),
}

impl When {
    /// The round, if it is on record.
    pub fn round(self) -> Option<u32> {
        match self {
            When::Unrecorded => None,
            When::Round(round) => Some(round),
        }
    }

    /// Whether both can be the same; what is not on record can be any round.
    pub fn agrees_with(self, other: When) -> bool {
        self == other || self == When::Unrecorded || other == When::Unrecorded
    }
}

/// When a bead went, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The round it went in.
    pub when: When,
    /// The reason.
    pub why: Why,
}

impl Removal {
    /// How long the machine lasts with a bead that went, compared with others: by rounds, and where those are the same or not on
    /// record, longer if no reply wins at once, and longer with a reply than without.
    pub fn lasts(self) -> (When, bool, bool) {
        (self.when, matches!(self.why, Why::Banned(_)), self.why.reply().is_some())
    }

    /// Whether both say the same. Which of several replies is named follows from the rounds, so without them any will do.
    pub fn agrees_with(self, other: Removal) -> bool {
        let is_on_record = self.when != When::Unrecorded && other.when != When::Unrecorded;
        self.when.agrees_with(other.when)
            && if is_on_record { self.why == other.why } else { self.why.name() == other.why.name() }
    }
}

/// What became of a bead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is in the box, this many times.
    Stays(u32),
    /// It was taken out.
    Went(Removal),
}

impl Fate {
    /// Whether both say the same, as far as they are on record.
    pub fn agrees_with(self, other: Fate) -> bool {
        match (self, other) {
            (Fate::Went(a), Fate::Went(b)) => a.agrees_with(b),
            (a, b) => a == b,
        }
    }
}

/// A move of the box's board, and whether it is still allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bead {
    /// The move.
    pub mv: Move,
    /// What became of it.
    pub fate: Fate,
}

/// The moves still allowed on one board, and what became of the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matchbox {
    beads: Box<[Bead]>,
    banned: Option<When>,
}

impl Matchbox {
    /// A full box: one bead for each move.
    pub fn new(moves: &Moves) -> Matchbox {
        Matchbox { beads: moves.iter().map(|&mv| Bead { mv, fate: Fate::Stays(1) }).collect(), banned: None }
    }

    /// A box as it was found in a file. The beads are put in the order of their moves.
    pub fn from_parts(mut beads: Vec<Bead>, banned: Option<When>) -> Matchbox {
        beads.sort_by_key(|bead| bead.mv);
        Matchbox { beads: beads.into(), banned }
    }

    /// Every bead that is or was in the box, in the order of their moves.
    pub fn all(&self) -> &[Bead] {
        &self.beads
    }

    /// Of the beads that went, the one with which the machine lasts longest, and of several the first.
    pub fn last_to_go(&self) -> Option<(Move, Removal)> {
        self.removed().reduce(|last, bead| if bead.1.lasts() > last.1.lasts() { bead } else { last })
    }

    /// The beads in the box: move and number.
    pub fn beads(&self) -> impl Iterator<Item = (Move, u32)> {
        self.beads.iter().filter_map(|bead| match bead.fate {
            Fate::Stays(number) => Some((bead.mv, number)),
            Fate::Went(_) => None,
        })
    }

    /// The beads that went, and why.
    pub fn removed(&self) -> impl Iterator<Item = (Move, Removal)> {
        self.beads.iter().filter_map(|bead| match bead.fate {
            Fate::Stays(_) => None,
            Fate::Went(removal) => Some((bead.mv, removal)),
        })
    }

    /// What became of a move, if the box ever had a bead for it.
    pub fn fate(&self, mv: Move) -> Option<Fate> {
        self.beads.iter().find(|bead| bead.mv == mv).map(|bead| bead.fate)
    }

    /// The round in which the box ran empty, 0 if it was banned from the start.
    pub fn banned(&self) -> Option<When> {
        self.banned
    }

    /// Whether both boxes hold the same beads, and the same became of the others, as far as it is on record.
    pub fn agrees_with(&self, other: &Matchbox) -> bool {
        let agree = |(a, b): (&Bead, &Bead)| a.mv == b.mv && a.fate.agrees_with(b.fate);
        let same_ban = match (self.banned, other.banned) {
            (Some(a), Some(b)) => a.agrees_with(b),
            (a, b) => a == b,
        };
        same_ban && self.beads.len() == other.beads.len() && self.beads.iter().zip(&other.beads).all(agree)
    }

    /// Whether no bead is left.
    pub fn is_empty(&self) -> bool {
        self.beads().next().is_none()
    }

    /// What a pass changes: the beads, and the round of the ban.
    pub(crate) fn parts_mut(&mut self) -> (&mut [Bead], &mut Option<When>) {
        (&mut self.beads, &mut self.banned)
    }

    /// Leaves out moves as if the box had never had them.
    pub(crate) fn retain(&mut self, keeps: impl Fn(Move) -> bool) {
        self.beads = self.beads.iter().copied().filter(|bead| keeps(bead.mv)).collect();
    }

    /// Marks the box as banned in a round.
    pub(crate) fn ban(&mut self, round: u32) {
        self.banned = Some(When::Round(round));
    }

    /// The box as it stood after a round.
    #[must_use]
    pub fn after_round(&self, round: u32) -> Matchbox {
        let put_back = |bead: &Bead| match bead.fate {
            Fate::Went(removal) if removal.when > When::Round(round) => Bead { fate: Fate::Stays(1), ..*bead },
            _ => *bead,
        };
        Matchbox {
            beads: self.beads.iter().map(put_back).collect(),
            banned: self.banned.filter(|&banned| banned <= When::Round(round)),
        }
    }
}

//! A matchbox: the beads of one board, those that stay and those that went.

use crate::board::{Board, Move, Symmetry};
use crate::game::Moves;
use crate::learn::Why;

/// When a board was banned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ban {
    /// Before the first round, because it was asked for.
    AtStart,
    /// In this round.
    Round(u32),
    /// Not known: packed tables without depths keep no rounds.
    Unrecorded,
}

impl Ban {
    /// The round, if it was banned in one that is on record.
    pub fn round(self) -> Option<u32> {
        match self {
            Ban::Round(round) => Some(round),
            Ban::AtStart | Ban::Unrecorded => None,
        }
    }

    /// Whether two bans can be the same; an unrecorded round matches any.
    pub fn agrees_with(self, other: Ban) -> bool {
        self == other || self == Ban::Unrecorded || other == Ban::Unrecorded
    }

    /// Whether the ban was there after a round.
    fn is_there_after(self, round: u32) -> bool {
        self.round().is_none_or(|banned| banned <= round)
    }
}

/// When a bead went, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The round it went in; none if that is not on record.
    pub round: Option<u32>,
    /// The reason.
    pub why: Why,
}

impl Removal {
    /// How long the machine lasts with a bead that went, for comparison with other beads. A later round lasts longer;
    /// if the rounds are the same or not on record, a bead lasts longer if no reply wins at once, and longer with a
    /// reply than without.
    fn lasts(self) -> (Option<u32>, bool, bool) {
        (self.round, matches!(self.why, Why::Banned(_)), self.why.reply().is_some())
    }

    /// Whether two removals say the same. The rounds decide which of several replies is named, so without rounds any
    /// reply will do.
    pub fn agrees_with(self, other: Removal) -> bool {
        match (self.round, other.round) {
            (Some(a), Some(b)) => a == b && self.why == other.why,
            _ => self.why.name() == other.why.name(),
        }
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
    /// Whether two fates are the same, as far as they are on record.
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
    banned: Option<Ban>,
}

impl Matchbox {
    /// A full box: one bead for each move.
    pub fn full(moves: &Moves) -> Matchbox {
        Matchbox { beads: moves.iter().map(|&mv| Bead { mv, fate: Fate::Stays(1) }).collect(), banned: None }
    }

    /// A box with these beads, which are put in the order of their moves.
    pub fn new(mut beads: Vec<Bead>, banned: Option<Ban>) -> Matchbox {
        beads.sort_by_key(|bead| bead.mv);
        Matchbox { beads: beads.into(), banned }
    }

    /// Every bead that is or was in the box.
    pub fn all(&self) -> &[Bead] {
        &self.beads
    }

    /// Of the beads that went, those with which the machine lasts longest.
    pub fn last_to_go(&self) -> impl Iterator<Item = (Move, Removal)> {
        let longest = self.removed().map(|(_, removal)| removal.lasts()).max();
        self.removed().filter(move |(_, removal)| Some(removal.lasts()) == longest)
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

    /// Whether and when the box was banned.
    pub fn banned(&self) -> Option<Ban> {
        self.banned
    }

    /// Whether both boxes hold the same beads, and the others went for the same reasons, as far as these are on record.
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

    /// What a pass changes: the beads, and the ban.
    pub(crate) fn parts_mut(&mut self) -> (&mut [Bead], &mut Option<Ban>) {
        (&mut self.beads, &mut self.banned)
    }

    /// The same box without some moves, as if it had never had them.
    #[must_use]
    pub(crate) fn retain(&self, keeps: impl Fn(Move) -> bool) -> Matchbox {
        Matchbox { beads: self.beads.iter().copied().filter(|bead| keeps(bead.mv)).collect(), ..*self }
    }

    /// Bans the box before the first round.
    pub(crate) fn ban_at_start(&mut self) {
        self.banned = Some(Ban::AtStart);
    }

    /// The box with its moves and replies turned. Their order does not change, since seeded draws depend on it.
    #[must_use]
    pub(crate) fn turned(&self, turn: &Symmetry) -> Matchbox {
        let turned = |bead: &Bead| {
            let fate = match bead.fate {
                Fate::Went(Removal { round, why }) => {
                    Fate::Went(Removal { round, why: why.map_reply(|reply| turn.mv(reply)) })
                }
                stays => stays,
            };
            Bead { mv: turn.mv(bead.mv), fate }
        };
        Matchbox { beads: self.beads.iter().map(turned).collect(), banned: self.banned }
    }

    /// The box as it stood after a round.
    #[must_use]
    pub fn after_round(&self, round: u32) -> Matchbox {
        let put_back = |bead: &Bead| match bead.fate {
            Fate::Went(removal) if removal.round.is_some_and(|went| went > round) => {
                Bead { fate: Fate::Stays(1), ..*bead }
            }
            _ => *bead,
        };
        Matchbox {
            beads: self.beads.iter().map(put_back).collect(),
            banned: self.banned.filter(|banned| banned.is_there_after(round)),
        }
    }
}

/// All boxes of one machine, in the order of their boards, which is that of their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boxes {
    sorted: Vec<(Board, Matchbox)>,
}

impl Boxes {
    /// The given boxes; no board may be there twice.
    pub fn from_unsorted(mut boxes: Vec<(Board, Matchbox)>) -> Boxes {
        if !boxes.is_sorted_by_key(|(board, _)| board) {
            boxes.sort_unstable_by_key(|(board, _)| *board);
        }
        Boxes { sorted: boxes }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// The box that is kept under a board.
    pub fn get(&self, board: Board) -> Option<&Matchbox> {
        let place = self.sorted.binary_search_by_key(&board, |(board, _)| *board).ok()?;
        Some(&self.sorted[place].1)
    }

    /// The same, mutable.
    pub(crate) fn get_mut(&mut self, board: Board) -> Option<&mut Matchbox> {
        let place = self.sorted.binary_search_by_key(&board, |(board, _)| *board).ok()?;
        Some(&mut self.sorted[place].1)
    }

    /// Whether there is a box for a board.
    pub fn contains(&self, board: Board) -> bool {
        self.get(board).is_some()
    }

    /// The boxes in order, each with its board.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Board, &Matchbox)> {
        self.sorted.iter().map(|(board, matchbox)| (*board, matchbox))
    }

    /// The boxes as they lie in memory.
    pub(crate) fn as_slice(&self) -> &[(Board, Matchbox)] {
        &self.sorted
    }

    /// The same, mutable.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [(Board, Matchbox)] {
        &mut self.sorted
    }

    /// Keeps some boxes and leaves out the others.
    pub(crate) fn retain(&mut self, keeps: impl FnMut(&(Board, Matchbox)) -> bool) {
        self.sorted.retain(keeps);
    }
}

impl FromIterator<(Board, Matchbox)> for Boxes {
    fn from_iter<I: IntoIterator<Item = (Board, Matchbox)>>(boxes: I) -> Boxes {
        Boxes::from_unsorted(boxes.into_iter().collect())
    }
}

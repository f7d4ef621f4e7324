//! Why each bead of a box is there or gone.
//!
//! A bead that went has a reply that refutes it; the reply leads to a banned board, whose beads have gone for reasons of their own,
//! and so on to a finished board. Where a bead went because another is better, or stayed, best play shows what would come of
//! it. The reasons are those of the table; what boards are worth is worked out apart from it.

mod show;

use num_rational::BigRational;

use crate::board::{Board, Id, Mask, Move, Player};
use crate::cabinet::{Cabinet, Opened};
use crate::chances::Chances;
use crate::game::{Game, NotInPlay, Outcome, sides_to_move};
use crate::learn::Aim;
use crate::matchbox::{Fate, Matchbox, Removal, When, Why};
use crate::packed::{Packed, PackedError};
use crate::verdict::{Value, Verdicts};

/// Whoever knows what boards are worth.
pub trait Values {
    /// What a board is worth to the player who is to move, also where the game is over.
    fn value(&self, board: Board, player: Player) -> Result<Value, PackedError>;
}

impl Values for Verdicts<'_> {
    fn value(&self, board: Board, player: Player) -> Result<Value, PackedError> {
        Ok(self.of_board(board, player).value())
    }
}

impl Values for Packed {
    fn value(&self, board: Board, player: Player) -> Result<Value, PackedError> {
        match self.game().result(board, player) {
            Some(outcome) => Ok(Value { outcome, depth: (outcome != Outcome::Draw).then_some(0) }),
            None => Packed::value(self, board)?.ok_or(PackedError::NoVerdict(board)),
        }
    }
}

/// Why a board cannot be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The game is over there, or no game leads there.
    #[error(transparent)]
    NotInPlay(#[from] NotInPlay),
    /// The table is for the other machine.
    #[error("{} is to move on board {board}, and the table has no boxes for the {} machine; choose a board of the other", .machine.mark(), .machine.name())]
    OtherMachine {
        /// The board.
        board: Board,
        /// Who has to move there.
        machine: Player,
    },
    /// The table has no such box.
    #[error("the table has no box {id} for board {board}: no game leads there, or the table is not whole")]
    NoBox {
        /// The id of the box.
        id: Id,
        /// The board.
        board: Board,
    },
    /// The table cannot be trusted.
    #[error(transparent)]
    Table(#[from] PackedError),
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is over: who has won, if anybody, and with which row, in games that are won by rows.
    Over(Option<Player>, Mask),
    /// With a board that is banned from the start.
    BannedAtStart,
    /// With a board that has come up before.
    Repeats,
    /// With a board on which the table gives no reason any more.
    Open,
}

/// A move, what became of its bead, and a line of play that shows why.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The move.
    pub mv: Move,
    /// What became of its bead.
    pub fate: Fate,
    /// What the board after it is worth to the machine.
    pub worth: Value,
    /// The line, from the bead on. For a bead that stays it is best play.
    pub line: Vec<Move>,
    /// How the line ends.
    pub end: End,
    /// How likely the machine is to win after it against a random opponent, if the aim compares that.
    pub chance: Option<BigRational>,
}

/// A box, explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The board that was asked for.
    pub asked: Board,
    /// The board of the box, which is a turn or mirror image of it.
    pub board: Board,
    /// Whose box it is.
    pub machine: Player,
    /// What the board is worth to the machine.
    pub value: Value,
    /// What is in the box.
    pub matchbox: Matchbox,
    /// The moves that it has or had a bead for, in ascending order.
    pub moves: Vec<Explained>,
    /// The moves that it has no bead for, though nothing tells that it ever had one, as in a trained box.
    pub missing: Vec<Move>,
}

/// Explains the box that stands for a board on which a machine is to move.
pub fn explain(
    boxes: &dyn Cabinet,
    values: &dyn Values,
    board: Board,
    machine: Player,
) -> Result<Explanation, ExplainError> {
    let game = &**boxes.game();
    let opened = open_box(boxes, board, machine)?;
    let lowest = opened.board(game);
    let matchbox = opened.matchbox.into_owned();
    let play = Play { boxes, values, game, machine };
    let mut moves = Vec::new();
    let mut chances = Chances::none(game, machine, boxes.classes());
    let weighed = boxes.as_whole().and_then(|run| run.table(machine)).filter(|_| boxes.aim() == Aim::Trap);
    for bead in matchbox.all() {
        let after = lowest.play(bead.mv);
        let (line, end) = match bead.fate {
            Fate::Went(removal) if removal.why.reply().is_some() || removal.why == Why::Loses(None) => {
                play.refutation(lowest, bead.mv, removal)?
            }
            Fate::Went(_) | Fate::Stays(_) => play.best(lowest, bead.mv)?,
        };
        let worth = play.value(after, machine.other())?.for_the_other();
        let chance = weighed.filter(|_| worth.outcome == Outcome::Draw);
        let chance = chance.map(|table| chances.find(lowest, bead.mv, &table.boxes));
        moves.push(Explained { mv: bead.mv, fate: bead.fate, worth, line, end, chance });
    }
    let mut missing = boxes.classes().distinct(lowest, game.moves(lowest, machine)).to_vec();
    missing.retain(|&mv| matchbox.fate(mv).is_none());
    let value = play.value(lowest, machine)?;
    Ok(Explanation { asked: board, board: lowest, machine, value, matchbox, moves, missing })
}

/// Opens the box that stands for a board on which a machine is to move, or tells why there is none.
pub fn open_box(boxes: &dyn Cabinet, board: Board, machine: Player) -> Result<Opened<'_>, ExplainError> {
    sides_to_move(&**boxes.game(), board)?;
    if !boxes.machines().contains(&machine) {
        return Err(ExplainError::OtherMachine { board, machine });
    }
    let opened = boxes.open(machine, board)?;
    opened.ok_or_else(|| ExplainError::NoBox { id: boxes.classes().lowest(board).id(), board })
}

/// What the lines are made from.
struct Play<'a> {
    boxes: &'a dyn Cabinet,
    values: &'a dyn Values,
    game: &'a dyn Game,
    machine: Player,
}

impl Play<'_> {
    /// What a board is worth; a draw lasts as long as best play does, unless it goes in circles.
    fn value(&self, board: Board, player: Player) -> Result<Value, PackedError> {
        let value = self.values.value(board, player)?;
        if value.outcome != Outcome::Draw || self.game.goes_in_circles() {
            return Ok(value);
        }
        let (mut board, mut player, mut moves) = (board, player, 0);
        while let Some(mv) = self.best_move(board, player)? {
            (board, player, moves) = (board.play(mv), player.other(), moves + 1);
        }
        Ok(Value { depth: Some(moves), ..value })
    }

    /// The line that refutes a bead, as the boxes have it: the reply, then the bead that went last from the box it leads to.
    fn refutation(&self, board: Board, mv: Move, removal: Removal) -> Result<(Vec<Move>, End), PackedError> {
        let (mut line, mut board, mut mv, mut removal) = (Vec::new(), board, mv, removal);
        loop {
            line.push(mv);
            board = board.play(mv);
            if let Some(end) = self.end(board, self.machine.other()) {
                return Ok((line, end));
            }
            let Some(reply) = removal.why.reply() else { return Ok((line, End::Open)) };
            line.push(reply);
            board = board.play(reply);
            if let Some(end) = self.end(board, self.machine) {
                return Ok((line, end));
            }
            let Some(opened) = self.boxes.open(self.machine, board)? else { return Ok((line, End::Open)) };
            if opened.matchbox.banned() == Some(When::Round(0)) {
                return Ok((line, End::BannedAtStart));
            }
            let back = opened.symmetry.inverse();
            // A table whose reasons lead round in circles proves nothing.
            let Some((next, why)) = opened.matchbox.last_to_go().filter(|_| line.len() <= 2 * self.longest()) else {
                return Ok((line, End::Open));
            };
            let turned = |mv| back.mv(mv);
            let why_here = match why.why {
                Why::Loses(reply) => Why::Loses(reply.map(turned)),
                Why::Banned(reply) => Why::Banned(turned(reply)),
                other => other,
            };
            (mv, removal) = (turned(next), Removal { why: why_here, ..why });
        }
    }

    /// A proof that is longer than this goes round: more moves than cells, or in games that go in circles more than any that is
    /// known takes.
    fn longest(&self) -> usize {
        let cells = usize::from(self.game.shape().cells());
        if self.game.goes_in_circles() { cells * 1000 } else { cells }
    }

    /// A bead and best play after it.
    fn best(&self, board: Board, mv: Move) -> Result<(Vec<Move>, End), PackedError> {
        let (mut line, mut board, mut player) = (vec![mv], board.play(mv), self.machine.other());
        let mut seen = vec![(board, player)];
        loop {
            if let Some(end) = self.end(board, player) {
                return Ok((line, end));
            }
            let Some(mv) = self.best_move(board, player)? else { return Ok((line, End::Open)) };
            line.push(mv);
            (board, player) = (board.play(mv), player.other());
            if seen.contains(&(board, player)) {
                return Ok((line, End::Repeats));
            }
            seen.push((board, player));
        }
    }

    /// A best move: a win as soon as can be, else a draw, else a loss as late as can be; none if the game is over.
    fn best_move(&self, board: Board, player: Player) -> Result<Option<Move>, PackedError> {
        if self.game.result(board, player).is_some() {
            return Ok(None);
        }
        let mut best: Option<(Value, Move)> = None;
        for mv in self.game.moves(board, player) {
            let worth = self.values.value(board.play(mv), player.other())?.for_the_other();
            if best.is_none_or(|(known, _)| worth.is_better_than(known)) {
                best = Some((worth, mv));
            }
        }
        Ok(best.map(|(_, mv)| mv))
    }

    fn end(&self, board: Board, to_move: Player) -> Option<End> {
        let winner = self.game.result(board, to_move)?.winner(to_move);
        Some(End::Over(winner, self.game.row(board)))
    }
}

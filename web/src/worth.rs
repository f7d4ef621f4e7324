//! What moves are worth, by the solved game.

use menace::{Move, Outcome, Position, Table, TableError, Verdict};

/// What a move is worth to the side that makes it: the verdict on the board after it, seen from that side.
pub fn of_move(solved: &Table, at: Position, mv: Move) -> Result<Verdict, TableError> {
    let verdict = solved.verdict(at.play(mv))?;
    Ok(Verdict { outcome: verdict.outcome.for_the_other(), ..verdict })
}

/// Whether a move loses although another does not.
pub fn throws_away(solved: &Table, at: Position, mv: Move) -> Result<bool, TableError> {
    Ok(solved.verdict(at)?.outcome != Outcome::Loss && of_move(solved, at, mv)?.outcome == Outcome::Loss)
}

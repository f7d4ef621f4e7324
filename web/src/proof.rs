//! Why a bead is there or gone, and which move lost a game: lines of play, board by board, as `menace explain` has them.

use menace::explain::{End, Explained, explain};
use menace::game::{is_losing_row, player_name};
use menace::{Fate, Game, Matchbox, Move, Outcome, Position, Side, Table, TableError, Verdict, Why};
use serde::Serialize;

use crate::contest::Contest;
use crate::drawer::MoveView;
use crate::{words, worth};

/// A move of a line of play, and what it leads to.
#[derive(Debug, Serialize)]
pub struct Step {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveView,
    /// Who makes it.
    pub player: &'static str,
    /// The board after it.
    pub board: String,
    /// The cells of the row that ends the game there, and whether it wins.
    pub row: Vec<u8>,
    pub row_wins: bool,
    /// What is to be known about the board, such as that it is banned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A sentence and the line of play that proves it.
#[derive(Debug, Serialize)]
pub struct Proof {
    /// What is claimed.
    pub sentence: String,
    /// The line; empty if the sentence needs none.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: String,
}

/// Why a bead of a box is there or gone. The box is the one that the page shows, as it was after a round; the reasons are those of
/// the whole table.
pub fn why(table: &Table, shown: &Table, at: Position, mv: Move) -> Result<Proof, TableError> {
    let game = &**table.game();
    let explanation = explain(table, at)?;
    let turn = table.classes().fold(at.board).1;
    let back = turn.inverse();
    let in_box = in_box(table, at, turn.mv(mv), &explanation.matchbox);
    let here = table.matchbox(at)?;
    let Some(explained) = explanation.moves.iter().find(|explained| explained.mv == in_box) else {
        return Ok(Proof {
            sentence: "There is no bead for this move.".to_owned(),
            steps: Vec::new(),
            end: String::new(),
        });
    };
    let line: Vec<Move> = explained.line.iter().map(|&mv| back.mv(mv)).collect();
    let still = shown.matchbox(at)?.and_then(|matchbox| matchbox.fate(back.mv(in_box)));
    let sentence = match here.and_then(|matchbox| matchbox.fate(back.mv(in_box))) {
        Some(Fate::Went(removal)) => {
            let reason = menace::words::reason(removal, game.notation());
            match still {
                Some(Fate::Stays(_)) => format!("Still there, but it will be removed: {reason}."),
                _ => format!("Removed: {reason}."),
            }
        }
        _ => format!("Stays: {}.", outlook(game, at.to_move, explained.worth)),
    };
    Ok(Proof { sentence, steps: steps(table, at, &line, explained)?, end: end(game, explained.end) })
}

/// What the rules say about a move of a machine that learns, with best play after it.
pub fn by_the_rules(solved: &Table, at: Position, mv: Move) -> Result<Proof, TableError> {
    let proof = why(solved, solved, at, mv)?;
    let outlook = outlook(&**solved.game(), at.to_move, worth::of_move(solved, at, mv)?);
    Ok(Proof { sentence: format!("If both play well: {outlook}."), ..proof })
}

/// The move of a box that stands for a move: of moves that mirror each other on its board, the box has one.
fn in_box(table: &Table, at: Position, mv: Move, matchbox: &Matchbox) -> Move {
    let kept = table.classes().lowest(at.board);
    let mut images = table.classes().mirrors(kept).map(|mirror| mirror.mv(mv));
    images.find(|&image| matchbox.fate(image).is_some()).unwrap_or(mv)
}

fn outlook(game: &dyn Game, side: Side, worth: Verdict) -> String {
    let [us, them] = [side, side.other()].map(|side| player_name(game, side));
    menace::words::outlook(us, them, worth)
}

fn steps(table: &Table, at: Position, line: &[Move], explained: &Explained) -> Result<Vec<Step>, TableError> {
    let (game, machine, mut at) = (&**table.game(), at.to_move, at);
    let is_refuted = match explained.fate {
        Fate::Went(removal) => removal.why.reply().is_some() || removal.why == Why::Loses(None),
        Fate::Stays(_) => false,
    };
    let mut steps = Vec::new();
    for &mv in line {
        let player = player_name(game, at.to_move);
        let mv = (mv, MoveView::new(game, mv));
        at = at.play(mv.0);
        let row = if game.result(at).is_some() { game.row(at.board) } else { 0 };
        let is_box = is_refuted && at.to_move == machine && game.result(at).is_none();
        let matchbox = if is_box { table.matchbox(at)? } else { None };
        let note = matchbox
            .and_then(|matchbox| matchbox.banned())
            .map(|ban| format!("box {}, {}", table.classes().lowest(at.board).id(), menace::words::ban(Some(ban))));
        let row = at.board.cells_of(row).map(|cell| cell.number()).collect();
        let row_wins = !is_losing_row(game, at);
        steps.push(Step { mv: mv.1, player, board: at.board.to_string(), row, row_wins, note });
    }
    Ok(steps)
}

fn end(game: &dyn Game, end: End) -> String {
    match end {
        End::Over(Some(winner), _) => format!("{} wins.", menace::words::capital(player_name(game, winner))),
        End::Over(None, _) => "A draw.".to_owned(),
        End::BannedAtStart => "That board is banned from the start.".to_owned(),
        End::Repeats => "That board has come up before, so nobody wins.".to_owned(),
        End::Open => "The table gives no further reason.".to_owned(),
    }
}

/// The move with which a side threw a game away that it has lost, and the proof from that move on.
pub fn review(solved: &Table, contest: &Contest, loser: Side) -> Result<Proof, TableError> {
    let game = &**solved.game();
    let mut last = None;
    for (at, mv) in contest.made().filter(|(at, _)| at.to_move == loser) {
        if worth::throws_away(solved, at, mv)? {
            last = Some((at, mv, solved.verdict(at)?));
        }
    }
    let Some((at, mv, before)) = last else {
        let sentence = "No move of yours lost it: against perfect play, this game is lost from the start.".to_owned();
        return Ok(Proof { sentence, steps: Vec::new(), end: String::new() });
    };
    let proof = why(solved, solved, at, mv)?;
    let mut better = Vec::new();
    for mv in game.moves(at) {
        if worth::of_move(solved, at, mv)?.outcome == before.outcome {
            better.push(words::mv(game, mv));
        }
    }
    let was = match before.outcome {
        Outcome::Win => "a win for you",
        Outcome::Draw | Outcome::Loss => "a draw",
    };
    let sentence = format!(
        "This move lost it: {}. Until then it was {was}; {} would have kept it.",
        words::mv(game, mv),
        one_of(&better)
    );
    Ok(Proof { sentence, ..proof })
}

/// Some names, as a choice.
fn one_of(names: &[String]) -> String {
    match names {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [rest @ .., last] if rest.len() < 4 => format!("{} or {last}", rest.join(", ")),
        [first, second, ..] => format!("{first}, {second} and {} other moves", names.len() - 2),
    }
}

//! A table in memory against backward induction.

use std::collections::BTreeSet;

use num_rational::BigRational;

use super::graph::{Graph, Lost, Place};
use super::{Fault, Report};
use crate::aim::Aim;
use crate::board::{Board, Move};
use crate::game::{Game, Moves};
use crate::learn::Why;
use crate::matchbox::{Ban, Fate, Matchbox, Removal};
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::prune::Round;
use crate::table::{MachineBoxes, Table};
use crate::verdict::Outcome;
use crate::words;

/// Proves the machines of a table.
///
/// A machine with a record of rounds is checked completely: every board has a box, every move is a bead or has a true
/// reason and round, the banned boards are the lost ones. A machine without a record, such as a trained one, is checked
/// only on what it plays: it has a box for every board that it can meet and that leaves a choice, and no bead in those
/// boxes loses.
pub fn verify(table: &Table, progress: &dyn Progress) -> Result<Report, Stopped> {
    let game = &**table.game();
    let graph = Graph::new(game, progress)?;
    let mut report = Report::new(game);
    for side in table.machines().iter() {
        if let Some(machine) = table.boxes(side) {
            Check::new(table, side, machine, &graph).run(&mut report, progress)?;
        }
    }
    Ok(report)
}

struct Check<'a> {
    table: &'a Table,
    game: &'a dyn Game,
    side: Side,
    machine: &'a MachineBoxes,
    graph: &'a Graph<'a>,
    /// The boards that are lost for the machine.
    lost: Lost,
    /// The boards that are lost for the opponent.
    won: Lost,
    /// How likely the machine is to win from each board, if the aim asks for it.
    chances: Vec<BigRational>,
    /// The round in which the aim takes out more than the learn rule.
    last_round: u32,
    /// Whether the machine's rounds are on record.
    has_record: bool,
}

/// What should have become of a move.
struct Due {
    mv: Move,
    after: Place,
    fate: DueFate,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DueFate {
    Stays,
    Loses,
    Banned { round: u32 },
    Win,
    Draws,
    Slow,
    Odds,
}

impl<'a> Check<'a> {
    fn new(table: &'a Table, side: Side, machine: &'a MachineBoxes, graph: &'a Graph<'a>) -> Check<'a> {
        let is_banned = |board| table.banned_at_start().binary_search(&table.classes().lowest(board)).is_ok();
        let positions = graph.positions.iter().zip(0..);
        let banned = positions.filter(|(at, _)| at.to_move == side && is_banned(at.board));
        let banned: Vec<Place> =
            banned.map(|(_, place)| place).filter(|&place| graph.result(place).is_none()).collect();
        let banned = if table.banned_at_start().is_empty() { Vec::new() } else { banned };
        let lost = graph.lost(side, &banned, &[]);
        let won = graph.lost(side.other(), &[], &banned);
        let has_record = !machine.rounds.is_empty();
        let (game, chances) = (graph.game, Vec::new());
        let mut check = Check { table, game, side, machine, graph, lost, won, chances, last_round: 0, has_record };
        if check.aim() == Aim::Trap {
            check.chances = graph.chances(side, |place| check.refuted(place).is_some());
        }
        check
    }

    /// The aim that the machine has to meet; a trained one only has to avoid losing.
    fn aim(&self) -> Aim {
        let is_trained = !self.machine.lessons.is_empty();
        self.table.aim().filter(|_| !is_trained).unwrap_or(Aim::Safe)
    }

    /// The board that a position's box is kept under.
    fn kept(&self, at: Position) -> Board {
        self.table.classes().lowest(at.board)
    }

    /// The place of the board that a box is kept under.
    fn place(&self, board: Board) -> Option<Place> {
        self.graph.place(Position::new(board, self.side))
    }

    fn run(mut self, report: &mut Report, progress: &dyn Progress) -> Result<(), Stopped> {
        let boards = if self.has_record { self.all_boards() } else { self.met_boards() };
        let kept: BTreeSet<Board> =
            boards.iter().copied().chain(self.machine.boxes.iter().map(|(board, _)| board)).collect();
        let mut steps = Steps::start(progress, Stage::Check, 2 * kept.len() as u128);
        let mut rounds = Vec::new();
        for &board in &boards {
            self.count_rounds(board, &mut rounds);
            steps.tick()?;
        }
        self.last_round = rounds.len() as u32 + 2;
        report.is_play_only |= !self.has_record;
        for &board in &kept {
            report.checked += u64::from(self.has_record || boards.contains(&board));
            if let Err((fault, line)) = self.check_box(board, boards.contains(&board)) {
                let before = self.place(board).map(|place| self.graph.line_to(place)).unwrap_or_default();
                report.add(Fault { machine: Some(self.side), id: Some(board.id()), fault, line, before });
            }
            steps.tick()?;
        }
        if self.has_record
            && let Some(fault) = self.check_record(&boards, rounds)
        {
            report.add(Fault { machine: Some(self.side), id: None, fault, line: Vec::new(), before: Vec::new() });
        }
        Ok(())
    }

    /// Every board on which the machine is to move, or the board that its box is kept under.
    fn all_boards(&self) -> BTreeSet<Board> {
        let ours = self.graph.positions.iter().zip(0..).filter(|(at, _)| at.to_move == self.side);
        let open = ours.filter(|&(_, place)| self.graph.result(place).is_none());
        open.map(|(at, _)| self.kept(*at)).collect()
    }

    /// The boards that the machine meets while it plays its own beads, or the boards that their boxes are kept under. A
    /// board with only one move needs no box.
    fn met_boards(&self) -> BTreeSet<Board> {
        let (mut met, mut seen, mut open) = (BTreeSet::new(), vec![false; self.graph.positions.len()], vec![0]);
        seen[0] = true;
        while let Some(place) = open.pop() {
            let at = self.graph.positions[place as usize];
            let next = self.graph.next(place);
            let mut follow: Vec<Place> = next.to_vec();
            if at.to_move == self.side && self.graph.result(place).is_none() {
                let (kept, turn) = self.table.classes().fold(at.board);
                let opened = self.machine.boxes.get(kept);
                if opened.is_some() || next.len() > 1 {
                    met.insert(kept);
                }
                if let Some(matchbox) = opened {
                    let back = turn.inverse();
                    let beads: Vec<Position> = matchbox.beads().map(|(mv, _)| at.play(back.mv(mv))).collect();
                    follow.retain(|&next| beads.contains(&self.graph.positions[next as usize]));
                }
            }
            open.extend(follow.into_iter().filter(|&next| !std::mem::replace(&mut seen[next as usize], true)));
        }
        met
    }

    /// What should have become of the moves of a box.
    fn due(&self, place: Place) -> Vec<Due> {
        let at = self.graph.positions[place as usize];
        let moves = self.game.moves(at);
        let distinct: Moves = self.table.classes().distinct(at.board, moves.clone());
        let next = moves.iter().copied().zip(self.graph.next(place).iter().copied());
        let next: Vec<(Move, Place)> = next.filter(|(mv, _)| distinct.contains(mv)).collect();
        let wins = |place: Place| self.graph.result(place) == Some(Outcome::Loss);
        if next.iter().any(|&(_, after)| wins(after)) {
            let fate = |after| if wins(after) { DueFate::Stays } else { DueFate::Win };
            return next.into_iter().map(|(mv, after)| Due { mv, after, fate: fate(after) }).collect();
        }
        let hurries = self.aim() >= Aim::Fastest || self.game.goes_in_circles();
        let wins_in = |after| if self.graph.result(after).is_some() { None } else { self.won.round(after) };
        let safe = next.iter().filter(|&&(_, after)| self.refuted(after).is_none());
        let soonest = safe.filter_map(|&(_, after)| wins_in(after)).min().filter(|_| self.aim() != Aim::Safe);
        let safe = || next.iter().map(|&(_, after)| after).filter(|&after| self.refuted(after).is_none());
        let best = safe().filter_map(|after| self.chances.get(after as usize)).max();
        let has_worse_odds = |after: Place| self.chances.get(after as usize) < best;
        let fate = |after| match (self.refuted(after), soonest, wins_in(after)) {
            (Some(1), _, _) => DueFate::Loses,
            (Some(round), _, _) => DueFate::Banned { round },
            (None, Some(_), None) => DueFate::Draws,
            (None, Some(soonest), Some(moves)) if hurries && moves > soonest => DueFate::Slow,
            (None, None, _) if has_worse_odds(after) => DueFate::Odds,
            (None, _, _) => DueFate::Stays,
        };
        next.into_iter().map(|(mv, after)| Due { mv, after, fate: fate(after) }).collect()
    }

    /// The round in which a move to a board is refuted.
    fn refuted(&self, after: Place) -> Option<u32> {
        match self.graph.result(after) {
            Some(Outcome::Win) => Some(1),
            Some(_) => None,
            None => self.lost.round(after),
        }
    }

    /// Adds up what the learn rule does in each round.
    fn count_rounds(&self, board: Board, rounds: &mut Vec<(u64, u64)>) {
        let Some(place) = self.place(board) else { return };
        let mut add = |round: u32, beads: u64, boards: u64| {
            let length = rounds.len().max(round as usize);
            rounds.resize(length, (0, 0));
            let (removed, banned) = &mut rounds[round as usize - 1];
            (*removed, *banned) = (*removed + beads, *banned + boards);
        };
        for due in self.due(place) {
            match due.fate {
                DueFate::Loses | DueFate::Win => add(1, 1, 0),
                DueFate::Banned { round } => add(round, 1, 0),
                DueFate::Stays | DueFate::Draws | DueFate::Slow | DueFate::Odds => {}
            }
        }
        if let Some(round) = self.lost.round(place).filter(|&round| round > 0) {
            add(round, 0, 1);
        }
    }

    /// Compares the record of the rounds with what should be in it.
    fn check_record(&self, boards: &BTreeSet<Board>, mut rounds: Vec<(u64, u64)>) -> Option<String> {
        rounds.push((0, 0));
        if self.aim() != Aim::Safe {
            let places = boards.iter().filter_map(|&board| self.place(board));
            let sharpened = |due: &Due| matches!(due.fate, DueFate::Draws | DueFate::Slow | DueFate::Odds);
            let removed = places.map(|place| self.due(place).iter().filter(|due| sharpened(due)).count() as u64).sum();
            rounds.push((removed, 0));
            if removed > 0 {
                rounds.push((0, 0));
            }
        }
        let due = (1..).zip(&rounds).map(|(round, &(beads_removed, boards_banned))| Round {
            round,
            beads_removed,
            boards_banned,
        });
        let due: Vec<Round> = due.collect();
        let text = |rounds: &[Round]| {
            let text =
                rounds.iter().map(|round| format!("{} beads and {} boards", round.beads_removed, round.boards_banned));
            text.collect::<Vec<_>>().join(", ")
        };
        (due != self.machine.rounds).then(|| {
            format!("its rounds on record are {}, but they should be {}", text(&self.machine.rounds), text(&due))
        })
    }

    fn check_box(&self, board: Board, is_met: bool) -> Result<(), (String, Vec<Move>)> {
        let Some(place) = self.place(board) else {
            return Err(("there is a box for this board, but no game leads there".to_owned(), Vec::new()));
        };
        let Some(matchbox) = self.machine.boxes.get(board) else {
            let line = self.best_line(place);
            return Err(("there is no box for this board, but the machine can meet it".to_owned(), line));
        };
        if !self.has_record {
            return if is_met { self.check_play(place, matchbox) } else { Ok(()) };
        }
        for due in self.due(place) {
            self.check_fate(place, &due, matchbox.fate(due.mv))?;
        }
        self.check_ban(place, matchbox)
    }

    /// Checks the play of a machine without a record: if the board is not lost, the box has a bead and none loses.
    fn check_play(&self, place: Place, matchbox: &Matchbox) -> Result<(), (String, Vec<Move>)> {
        if self.lost.round(place).is_some() {
            return Ok(());
        }
        for due in self.due(place).iter().filter(|due| matches!(matchbox.fate(due.mv), Some(Fate::Stays(_)))) {
            if self.refuted(due.after).is_some() {
                return Err((format!("bead {} loses", self.text(due.mv)), self.line_after(due)));
            }
            if matches!(due.fate, DueFate::Win | DueFate::Draws | DueFate::Slow | DueFate::Odds)
                && self.aim() != Aim::Safe
            {
                return Err((
                    format!("bead {} does not keep the aim {}", self.text(due.mv), self.aim().name()),
                    self.line_after(due),
                ));
            }
        }
        if matchbox.is_empty() {
            return Err(("it has no bead left, but the board is not lost".to_owned(), self.best_line(place)));
        }
        Ok(())
    }

    fn check_ban(&self, place: Place, matchbox: &Matchbox) -> Result<(), (String, Vec<Move>)> {
        let due = self.lost.round(place).map(|round| if round == 0 { Ban::AtStart } else { Ban::Round(round) });
        if matchbox.banned() == due {
            return Ok(());
        }
        let fault = format!("it is {}, but should be {}", words::ban(matchbox.banned()), words::ban(due));
        Err((fault, self.best_line(place)))
    }

    fn check_fate(&self, place: Place, due: &Due, found: Option<Fate>) -> Result<(), (String, Vec<Move>)> {
        let is_true = match (due.fate, found) {
            (DueFate::Stays, Some(Fate::Stays(number))) => number == 1,
            (_, Some(Fate::Went(removal))) => self.is_true(due, removal),
            _ => false,
        };
        if is_true {
            return Ok(());
        }
        let mv = self.text(due.mv);
        let found_text = match found {
            None => format!("move {mv} is neither a bead nor removed"),
            Some(Fate::Stays(1)) => format!("bead {mv} is there"),
            Some(Fate::Stays(number)) => format!("bead {mv} is there {number} times, but a pruned box has it once"),
            Some(Fate::Went(removal)) => {
                format!("bead {mv} went ({})", words::reason(removal, self.game.notation()))
            }
        };
        let due_text = match due.fate {
            DueFate::Stays => "it does not lose and has to stay".to_owned(),
            DueFate::Loses => "it loses to a reply that wins at once, in round 1".to_owned(),
            DueFate::Banned { round } => format!("it loses to a reply to a banned board, in round {round}"),
            DueFate::Win => "another bead wins at once, so it has to go in round 1".to_owned(),
            DueFate::Draws => format!("it gives a forced win away and has to go in round {}", self.last_round),
            DueFate::Slow => format!("it wins later than another and has to go in round {}", self.last_round),
            DueFate::Odds => {
                format!(
                    "another has better odds against a random opponent, so it has to go in round {}",
                    self.last_round
                )
            }
        };
        let line = match due.fate {
            // The bead that wins at once is the proof.
            DueFate::Win => self
                .due(place)
                .iter()
                .filter(|other| other.fate == DueFate::Stays)
                .map(|other| other.mv)
                .take(1)
                .collect(),
            _ => self.line_after(due),
        };
        Err((format!("{found_text}; {due_text}"), line))
    }

    /// Whether a reason is the right one for a move, and the reply that it names proves it.
    fn is_true(&self, due: &Due, removal: Removal) -> bool {
        let after = self.graph.positions[due.after as usize];
        let led_to = |reply: Move| self.graph.place(after.play(reply));
        let wins_at_once = |reply: Move| self.game.result(after.play(reply)) == Some(Outcome::Loss);
        let (round, holds) = match (due.fate, removal.why) {
            (DueFate::Loses, Why::Loses(None)) => (1, self.game.result(after) == Some(Outcome::Win)),
            (DueFate::Loses, Why::Loses(Some(reply))) => (1, wins_at_once(reply)),
            // With --ban, a board can be banned before the first round.
            (DueFate::Loses, Why::Banned(reply)) => {
                let is_banned = led_to(reply).and_then(|place| self.lost.round(place)) == Some(0);
                let can_win = self.game.moves(after).into_iter().any(wins_at_once);
                (1, is_banned && !can_win)
            }
            (DueFate::Banned { round }, Why::Banned(reply)) => {
                (round, led_to(reply).and_then(|place| self.lost.round(place)) == Some(round - 1))
            }
            (DueFate::Win, Why::Win) => (1, true),
            (DueFate::Draws, Why::Draws) | (DueFate::Slow, Why::Slow) | (DueFate::Odds, Why::Odds) => {
                (self.last_round, true)
            }
            _ => return false,
        };
        holds && removal.round == Some(round)
    }

    /// A bead and best play after it.
    fn line_after(&self, due: &Due) -> Vec<Move> {
        std::iter::once(due.mv).chain(self.best_line(due.after)).collect()
    }

    /// Best play of both sides from a board.
    fn best_line(&self, place: Place) -> Vec<Move> {
        self.graph.best_line(place, self.side, &self.lost, &self.won)
    }

    fn text(&self, mv: Move) -> String {
        self.game.notation().text(mv).to_string()
    }
}

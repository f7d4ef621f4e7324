//! A table in memory against backward induction.

use std::collections::BTreeSet;

use num_rational::BigRational;

use super::graph::{Graph, Lost, Place};
use super::quality::Quality;
use super::{Fault, Report};
use crate::board::{Id, Move, Player};
use crate::game::{Moves, Outcome};
use crate::learn::Aim;
use crate::matchbox::{Fate, Matchbox, Removal, When, Why, board_of};
use crate::progress::{Progress, Steps};
use crate::prune::Round;
use crate::show;
use crate::table::{Run, Table};

/// Proves the tables of a run.
///
/// A table with a record of rounds is held to all of it: every board has a box, every move is a bead or has a true reason and
/// round, the banned boards are the lost ones. A table without, such as one that was trained, is held to what it plays: it has a
/// box for every board that it can meet and that leaves a choice, and no bead in those loses.
pub fn verify(run: &Run, progress: &dyn Progress) -> Report {
    let graph = Graph::new(&*run.game, progress);
    let mut report = Report::new(&*run.game);
    for (machine, table) in run.tables() {
        Check::new(run, machine, table, &graph).run(&mut report, progress);
        if table.rounds.is_empty() {
            report.quality.push(Quality::of(run, machine, &graph));
        }
    }
    report
}

struct Check<'a> {
    run: &'a Run,
    machine: Player,
    table: &'a Table,
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

/// What has to become of a move.
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
    fn new(run: &'a Run, machine: Player, table: &'a Table, graph: &'a Graph<'a>) -> Check<'a> {
        let is_banned = |id: Id| run.banned_at_start.binary_search(&id).is_ok();
        let states = graph.states.iter().zip(0..);
        let banned = states.filter(|((board, player), _)| *player == machine && is_banned(run.key(*board)));
        let banned: Vec<Place> =
            banned.map(|(_, place)| place).filter(|&place| graph.result(place).is_none()).collect();
        let banned = if run.banned_at_start.is_empty() { Vec::new() } else { banned };
        let lost = graph.lost(machine, &banned, &[]);
        let won = graph.lost(machine.other(), &[], &banned);
        let has_record = !table.rounds.is_empty();
        let mut check = Check { run, machine, table, graph, lost, won, chances: Vec::new(), last_round: 0, has_record };
        if run.aim == Aim::Trap {
            check.chances = graph.chances(machine, |place| check.refuted(place).is_some());
        }
        check
    }

    fn run(mut self, report: &mut Report, progress: &dyn Progress) {
        let boards = if self.has_record { self.all_boards() } else { self.met_boards() };
        let ids: BTreeSet<Id> = boards.iter().copied().chain(self.table.boxes.keys().copied()).collect();
        let mut steps = Steps::start(progress, "checking boxes", 2 * ids.len() as u128);
        let mut rounds = Vec::new();
        for &id in &boards {
            self.count_rounds(id, &mut rounds);
            steps.tick();
        }
        self.last_round = rounds.len() as u32 + 2;
        report.is_play_only |= !self.has_record;
        for &id in &ids {
            report.checked += u64::from(self.has_record || boards.contains(&id));
            if let Err((fault, line)) = self.check_box(id, boards.contains(&id)) {
                let place = self.graph.place(board_of(id, self.run.game.shape()), self.machine);
                let before = place.map(|place| self.graph.line_to(place)).unwrap_or_default();
                report.add(Fault { machine: self.machine, id: Some(id), fault, line, before });
            }
            steps.tick();
        }
        if self.has_record
            && let Some(fault) = self.check_record(&boards, rounds)
        {
            report.add(Fault { machine: self.machine, id: None, fault, line: Vec::new(), before: Vec::new() });
        }
    }

    /// Every board on which the machine is to move, by the id of its box.
    fn all_boards(&self) -> BTreeSet<Id> {
        let ours = self.graph.states.iter().zip(0..).filter(|((_, player), _)| *player == self.machine);
        let open = ours.filter(|&(_, place)| self.graph.result(place).is_none());
        open.map(|((board, _), _)| self.run.key(*board)).collect()
    }

    /// The boards that the machine meets while it plays its own beads, by the ids of their boxes. Where there is just
    /// one move, there need be no box.
    fn met_boards(&self) -> BTreeSet<Id> {
        let (mut met, mut seen, mut open) = (BTreeSet::new(), vec![false; self.graph.states.len()], vec![0]);
        seen[0] = true;
        while let Some(place) = open.pop() {
            let (board, player) = self.graph.states[place as usize];
            let next = self.graph.next(place);
            let mut follow: Vec<Place> = next.to_vec();
            if player == self.machine && self.graph.result(place).is_none() {
                let opened = self.run.find(self.machine, board);
                if opened.is_some() || next.len() > 1 {
                    met.insert(self.run.key(board));
                }
                if let Some((_, matchbox, symmetry)) = opened {
                    let back = symmetry.inverse();
                    let beads: Vec<_> = matchbox.beads().map(|(mv, _)| board.play(back.mv(mv))).collect();
                    follow.retain(|&next| beads.contains(&self.graph.states[next as usize].0));
                }
            }
            open.extend(follow.into_iter().filter(|&next| !std::mem::replace(&mut seen[next as usize], true)));
        }
        met
    }

    /// What has to become of the moves of a box.
    fn due(&self, place: Place) -> Vec<Due> {
        let (board, player) = self.graph.states[place as usize];
        let moves = self.run.game.moves(board, player);
        let distinct: Moves = self.run.classes().distinct(board, moves.clone());
        let next = moves.iter().copied().zip(self.graph.next(place).iter().copied());
        let next: Vec<(Move, Place)> = next.filter(|(mv, _)| distinct.contains(mv)).collect();
        let wins = |place: Place| self.graph.result(place) == Some(Outcome::Loss);
        if next.iter().any(|&(_, after)| wins(after)) {
            let fate = |after| if wins(after) { DueFate::Stays } else { DueFate::Win };
            return next.into_iter().map(|(mv, after)| Due { mv, after, fate: fate(after) }).collect();
        }
        let hurries = self.run.aim >= Aim::Fastest || self.run.game.goes_in_circles();
        let wins_in = |after| if self.graph.result(after).is_some() { None } else { self.won.round(after) };
        let safe = next.iter().filter(|&&(_, after)| self.refuted(after).is_none());
        let soonest = safe.filter_map(|&(_, after)| wins_in(after)).min().filter(|_| self.run.aim != Aim::Safe);
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
    fn count_rounds(&self, id: Id, rounds: &mut Vec<(u64, u64)>) {
        let Some(place) = self.graph.place(board_of(id, self.run.game.shape()), self.machine) else { return };
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

    /// Compares the record of the rounds with what has to be in it.
    fn check_record(&self, boards: &BTreeSet<Id>, mut rounds: Vec<(u64, u64)>) -> Option<String> {
        rounds.push((0, 0));
        if self.run.aim != Aim::Safe {
            let places =
                boards.iter().filter_map(|&id| self.graph.place(board_of(id, self.run.game.shape()), self.machine));
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
        (due != self.table.rounds).then(|| {
            format!("its rounds on record are {}, and they have to be {}", text(&self.table.rounds), text(&due))
        })
    }

    fn check_box(&self, id: Id, is_met: bool) -> Result<(), (String, Vec<Move>)> {
        let board = board_of(id, self.run.game.shape());
        let Some(place) = self.graph.place(board, self.machine) else {
            return Err(("there is a box for this board, and no game leads there".to_owned(), Vec::new()));
        };
        let Some(matchbox) = self.table.boxes.get(&id) else {
            let line = self.best_line(place);
            return Err(("there is no box for this board, and the machine can meet it".to_owned(), line));
        };
        if !self.has_record {
            return if is_met { self.check_play(place, matchbox) } else { Ok(()) };
        }
        for due in self.due(place) {
            self.check_fate(place, &due, matchbox.fate(due.mv))?;
        }
        self.check_ban(place, matchbox)
    }

    /// What a machine without a record is held to: where the board is not lost, no bead loses, and there is one.
    fn check_play(&self, place: Place, matchbox: &Matchbox) -> Result<(), (String, Vec<Move>)> {
        if self.lost.round(place).is_some() {
            return Ok(());
        }
        for due in self.due(place).iter().filter(|due| matches!(matchbox.fate(due.mv), Some(Fate::Stays(_)))) {
            if self.refuted(due.after).is_some() {
                return Err((format!("bead {} loses", self.text(due.mv)), self.line_after(due)));
            }
            if matches!(due.fate, DueFate::Win | DueFate::Draws | DueFate::Slow | DueFate::Odds)
                && self.run.aim != Aim::Safe
            {
                return Err((
                    format!("bead {} does not keep the aim {}", self.text(due.mv), self.run.aim.name()),
                    self.line_after(due),
                ));
            }
        }
        if matchbox.is_empty() {
            return Err(("it has no bead left, and the board is not lost".to_owned(), self.best_line(place)));
        }
        Ok(())
    }

    fn check_ban(&self, place: Place, matchbox: &Matchbox) -> Result<(), (String, Vec<Move>)> {
        let due = self.lost.round(place).map(When::Round);
        if matchbox.banned() == due {
            return Ok(());
        }
        let fault = format!("it is {}, and has to be {}", show::ban(matchbox.banned()), show::ban(due));
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
            Some(Fate::Stays(number)) => format!("bead {mv} is there {number} times, and once in a pruned box"),
            Some(Fate::Went(removal)) => {
                format!("bead {mv} went ({})", show::reason(removal, self.run.game.notation()))
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

    /// Whether a reason says what has become of a move, and the reply it names is one that does it.
    fn is_true(&self, due: &Due, removal: Removal) -> bool {
        let opponent = self.machine.other();
        let (after, _) = self.graph.states[due.after as usize];
        let led_to = |reply: Move| self.graph.place(after.play(reply), self.machine);
        let wins_at_once = |reply: Move| self.run.game.result(after.play(reply), self.machine) == Some(Outcome::Loss);
        let (round, holds) = match (due.fate, removal.why) {
            (DueFate::Loses, Why::Loses(None)) => (1, self.run.game.result(after, opponent) == Some(Outcome::Win)),
            (DueFate::Loses, Why::Loses(Some(reply))) => (1, wins_at_once(reply)),
            // With --ban, a board can be banned before the first round.
            (DueFate::Loses, Why::Banned(reply)) => {
                let is_banned = led_to(reply).and_then(|place| self.lost.round(place)) == Some(0);
                let can_win = self.run.game.moves(after, opponent).into_iter().any(wins_at_once);
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
        holds && removal.when == When::Round(round)
    }

    /// A bead and what comes of it.
    fn line_after(&self, due: &Due) -> Vec<Move> {
        std::iter::once(due.mv).chain(self.best_line(due.after)).collect()
    }

    /// What comes of a board that both sides play as well as they can.
    fn best_line(&self, place: Place) -> Vec<Move> {
        self.graph.best_line(place, self.machine, &self.lost, &self.won)
    }

    fn text(&self, mv: Move) -> String {
        self.run.game.notation().text(mv).to_string()
    }
}

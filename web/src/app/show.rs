//! What the page shows now, and what it is told when it asks.

use std::collections::{BTreeMap, HashSet};

use menace::game::forced_move;
use menace::search::count_up_to;
use menace::table::{self, Lesson};
use menace::train::{PERSON, SELF};
use menace::words::counted;
use menace::{Board, Graded, Move, Outcome, Policy, Position, Progress, Side, Table, games};

use super::{Answer, App, Machine, told, value};
use crate::contest::Ending;
use crate::drawer::{Drawer, MoveView};
use crate::learner::Learner;
use crate::proof::{self, Proof};
use crate::settings::{Mode, short};
use crate::view::{Rounds, Saved, Standing, Turn, View};
use crate::words::{self, Who};
use crate::{cabinet, worth};

impl App {
    /// Why a bead is there or gone: by the table, or for a machine that learns by the rules.
    pub(super) fn why(&self, at: Position, mv: Move, progress: &dyn Progress) -> Result<Proof, String> {
        match &self.machine {
            Machine::Fixed { whole, after_round, .. } if whole.has_rounds() && self.graded.is_none() => {
                proof::why(whole, after_round, at, mv)
            }
            Machine::Fixed { .. } | Machine::Learns(_) => proof::by_the_rules(self.solved(progress)?, at, mv),
        }
        .map_err(told)
    }

    /// The solved game, if beads that lose are ringed.
    pub(super) fn ringed_by(&self, progress: &dyn Progress) -> Result<Option<&Table>, String> {
        if self.settings.shows_rings { self.solved(progress).map(Some) } else { Ok(None) }
    }

    /// The drawer that the machine opens in a position; none if it needs none for the only move there.
    pub(super) fn drawer(&self, at: Position, progress: &dyn Progress) -> Result<Option<Drawer>, String> {
        if forced_move(&*self.game, at).is_some() {
            return Ok(None);
        }
        if let Some(graded) = &self.graded {
            let choice = graded.choose(&*self.game, at).map_err(told)?;
            return Ok(Some(Drawer::of_choice(&*self.game, at, &choice)));
        }
        Drawer::new(self.table(), at, self.ringed_by(progress)?).map_err(told)
    }

    /// The table as a file.
    pub(super) fn saved(&self) -> Result<Saved, String> {
        let mut text = Vec::new();
        self.table().write_json(&mut text, &()).map_err(told)?;
        let learned = self.learner().map(|_| format!("-trained-{}", self.table().machines())).unwrap_or_default();
        let file = format!("{}{learned}.json", games::file_name(&*self.game));
        Ok(Saved { text: String::from_utf8(text).map_err(told)?, file })
    }

    pub(super) fn cabinet(&self, side: Side, progress: &dyn Progress) -> Answer {
        let arena = self.arena(progress)?;
        let fold = |(at, _): (Position, Move)| self.table().classes().lowest(at.board);
        let is_opened = |at: Position| at.to_move == side && self.graded.is_none();
        let opened = self.contest.made().filter(|(at, _)| is_opened(*at)).map(fold).collect();
        let (other, means) = match &self.machine {
            Machine::Learns(learner) if learner.table().machine(side).is_some() => {
                (Some(learner.start()), Some("changed since the start"))
            }
            Machine::Learns(_) => (None, None),
            Machine::Fixed { whole, round, .. } if *round < whole.last_round() => {
                (Some(whole), Some("changed by later rounds"))
            }
            Machine::Fixed { .. } => (self.before.as_ref(), self.before.as_ref().map(|_| "different from before")),
        };
        let changed: HashSet<Board> = match other {
            Some(other) => cabinet::differing(self.table(), other, &arena, side).map_err(told)?,
            None => HashSet::new(),
        };
        let notes = cabinet::Notes { opened, changed, changed_means: means, solved: self.solved(progress)? };
        value(&cabinet::cabinet(self.table(), &arena, side, &notes).map_err(told)?)
    }

    pub(super) fn view(&self, progress: &dyn Progress) -> Result<View, String> {
        let (contest, at, game) = (&self.contest, self.contest.at(), &*self.game);
        let ending = contest.ending();
        let turn = match ending {
            Some(_) => Turn::Over,
            None if self.machines().contains(at.to_move) => Turn::Machine,
            None => Turn::You,
        };
        let mut moves: Vec<MoveView> = contest
            .legal()
            .into_iter()
            .map(|mv| MoveView { also: words::falls_to(game, at.board, mv), ..MoveView::new(game, mv) })
            .collect();
        let mut worth: BTreeMap<u8, Outcome> = BTreeMap::new();
        if self.settings.shows_values && turn == Turn::You {
            let solved = self.solved(progress)?;
            for (mv, view) in contest.legal().into_iter().zip(&mut moves) {
                let outcome = worth::of_move(solved, at, mv).map_err(told)?.outcome;
                view.worth = Some(outcome.name());
                let best = worth.entry(mv.from.unwrap_or(mv.to).number()).or_insert(outcome);
                *best = outcome.max(*best);
            }
        }
        let (row, row_wins) = contest.row();
        let opened = self.opened(turn);
        let drawer = match opened {
            Some((at, _)) => self.drawer(at, progress)?,
            None => None,
        };
        // At a level the machine opens no box.
        let opens = |at: Position| self.machines().contains(at.to_move) && self.graded.is_none();
        let of_machine = contest.made().filter(|(at, _)| opens(*at) && forced_move(game, *at).is_none());
        let number = |at: Position| self.table().classes().lowest(at.board).id().to_string();
        let boxes = self.box_count(progress)?;
        Ok(View {
            mode: self.settings.mode,
            plays: Side::BOTH.map(|side| self.machines().contains(side)),
            heading: self.heading(boxes),
            board: at.board.to_string(),
            turn,
            moves,
            worth: worth.into_iter().map(|(cell, outcome)| (cell, outcome.name())).collect(),
            last: contest.moves().last().map(|&mv| MoveView::new(game, mv)),
            row: if ending.is_some() { row } else { Vec::new() },
            row_wins,
            status: self.status(turn, ending),
            level: self.level(),
            drawer,
            drawn: opened.and_then(|(_, mv)| mv).map(|mv| game.notation().text(mv).to_string()),
            opened: of_machine.map(|(at, _)| number(at)).collect(),
            can_go_back: self.last_of_a_person().is_some(),
            score: self.learner().map_or(self.score, Learner::score),
            history: contest.moves().iter().map(|&mv| game.notation().text(mv).to_string()).collect(),
            learned: self.learned.clone(),
            review: self.review(ending, progress)?,
            progress: self.learner().map(Standing::of),
            rounds: self.rounds(),
            origin: self.origin(),
            compared: self.compared.clone(),
        })
    }

    /// The position of the last box that the machine opened in this game or, if it is its turn, of the one it opens now; and what it
    /// drew there.
    pub(super) fn opened(&self, turn: Turn) -> Option<(Position, Option<Move>)> {
        if turn == Turn::Machine || turn == Turn::You && self.machines().is_empty() {
            return Some((self.contest.at(), None));
        }
        let mut made = self.contest.made().rev();
        made.find(|(at, _)| self.machines().contains(at.to_move)).map(|(at, mv)| (at, Some(mv)))
    }

    pub(super) fn box_count(&self, progress: &dyn Progress) -> Result<usize, String> {
        if let Some(&boxes) = self.boxes.get() {
            return Ok(boxes);
        }
        let side = self.settings.side();
        let boxes = match &self.machine {
            Machine::Learns(learner) => learner.arena().box_count(side),
            Machine::Fixed { whole, .. } => {
                let has_box = |board| whole.matchbox(Position::new(board, side)).is_ok_and(|found| found.is_some());
                self.arena(progress)?.boxes(side).filter(|&(board, _)| has_box(board)).count()
            }
        };
        Ok(*self.boxes.get_or_init(|| boxes))
    }

    pub(super) fn heading(&self, boxes: usize) -> String {
        let boxes = counted(boxes as u64, "matchbox");
        let level = self.graded.as_ref().map(Graded::level);
        match (level, self.settings.mode, self.machines().len()) {
            (_, _, 0) => "Play both sides, and look into every box".to_owned(),
            (Some(level), _, 1) => format!("Can you beat level {level}?"),
            (Some(level), _, _) => format!("Watch level {level} play itself"),
            (None, _, 2) => "Watch the matchboxes play".to_owned(),
            (None, Mode::Learns, _) => format!("Can you beat {boxes}?"),
            (None, Mode::Knows, _) => format!("{boxes} that know everything"),
        }
    }

    /// The level that the machine plays at, and a sentence about it.
    fn level(&self) -> Option<(String, String)> {
        let level = self.graded.as_ref()?.level();
        let about = format!("At this level it opens no box. It chooses from {}.", menace::words::level(level));
        Some((level.to_string(), about))
    }

    pub(super) fn status(&self, turn: Turn, ending: Option<Ending>) -> String {
        let game = &*self.game;
        let now = match (turn, ending) {
            (Turn::You, _) => match Who::plays(game, self.contest.at().to_move, self.machines()) {
                Who::You => match (self.contest.moves().len(), game.mark(self.contest.at().to_move)) {
                    (0 | 1, Some(mark)) => format!("Your turn: you play {}.", mark.letter()),
                    _ => "Your turn.".to_owned(),
                },
                who => format!("{} to move.", who.subject()),
            },
            (Turn::Machine, _) => String::new(),
            (Turn::Over, Some(Ending::Repeated)) => "The same board for the third time: a draw.".to_owned(),
            (Turn::Over, ending) => match ending.and_then(Ending::winner) {
                None => "A draw.".to_owned(),
                Some(winner) => match Who::plays(game, winner, self.machines()) {
                    Who::You => "You won!".to_owned(),
                    who => format!("{} won.", who.subject()),
                },
            },
        };
        [&*self.said, &now].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Which move of a person lost the game, if one did.
    pub(super) fn review(&self, ending: Option<Ending>, progress: &dyn Progress) -> Result<Option<Proof>, String> {
        let winner = ending.and_then(Ending::winner).filter(|&winner| self.machines().contains(winner));
        match winner.filter(|_| self.machines().len() == 1 && self.is_quick_to_solve()) {
            Some(winner) => {
                proof::review(self.solved(progress)?, &self.contest, winner.other()).map(Some).map_err(told)
            }
            None => Ok(None),
        }
    }

    /// Whether the game is solved, or will be before anybody notices.
    pub(super) fn is_quick_to_solve(&self) -> bool {
        const QUICK: u64 = 200_000;
        self.solved.get().is_some() || count_up_to(&*self.game, QUICK).is_some()
    }

    pub(super) fn rounds(&self) -> Option<Rounds> {
        let Machine::Fixed { whole, round, .. } = &self.machine else { return None };
        let last = whole.last_round();
        if last == 0 {
            return None;
        }
        let of_round = |machine: table::Machine<'_>| machine.rounds()?.get(*round as usize - 1).copied();
        let about = match *round {
            0 => "Before the first round, every legal move has a bead.".to_owned(),
            _ => {
                let machine = whole.machine(self.settings.side()).or(whole
                    .machines()
                    .iter()
                    .next()
                    .and_then(|side| whole.machine(side)));
                match machine.and_then(of_round) {
                    None => "This machine had no more to remove.".to_owned(),
                    Some(found) if found.beads_removed == 0 => "This round found nothing more to remove.".to_owned(),
                    Some(found) => format!(
                        "This round removed {}{}.",
                        counted(found.beads_removed, "bead"),
                        match found.boards_banned {
                            0 => String::new(),
                            1 => "; 1 box ran empty and is banned".to_owned(),
                            boxes => format!("; {} ran empty and are banned", counted(boxes, "box")),
                        }
                    ),
                }
            }
        };
        Some(Rounds { now: *round, last, about })
    }

    /// The machine that is shown, in a few words.
    pub(super) fn origin(&self) -> String {
        match &self.machine {
            Machine::Learns(learner) => {
                let lessons =
                    learner.table().machine(learner.machine()).map(|machine| machine.lessons()).unwrap_or_default();
                let games = |lesson: &Lesson| {
                    let opponent = short(&lesson.opponent);
                    let name = match &*opponent {
                        "perfect" => "a perfect player",
                        "random" => "a random player",
                        SELF => "itself",
                        PERSON => "you",
                        other => other,
                    };
                    format!("{} against {name}", counted(lesson.tally.games(), "game"))
                };
                let played: Vec<String> = lessons.iter().filter(|lesson| lesson.tally.games() > 0).map(games).collect();
                if played.is_empty() {
                    "It has played no game yet.".to_owned()
                } else {
                    format!("It has played {}.", played.join(", then "))
                }
            }
            Machine::Fixed { whole, name, .. } => {
                let aim = whole.aim().map(|aim| format!("aim {}", aim.name())).unwrap_or_default();
                match name {
                    Some(name) => format!("From {}{}{aim}.", short(name), if aim.is_empty() { "" } else { ", " }),
                    None => format!("{}.", menace::words::capital(&aim)),
                }
            }
        }
    }

    /// How a table that was loaded differs from the one before it.
    pub(super) fn compare(&self, before: Option<&Table>, progress: &dyn Progress) -> Result<Option<String>, String> {
        let (Machine::Fixed { whole, name: Some(_), .. }, Some(before)) = (&self.machine, before) else {
            return Ok(None);
        };
        let arena = self.arena(progress)?;
        let mut parts = Vec::new();
        for side in whole.machines().and(before.machines()).iter() {
            let other = cabinet::differing(whole, before, &arena, side).map_err(told)?.len();
            let all = counted(arena.box_count(side) as u64, "box");
            parts.push(format!("{other} of {all} of the {side} machine have other beads"));
        }
        Ok(Some(match parts.is_empty() {
            true => "The two tables have no machine in common.".to_owned(),
            false => format!("Compared with the machine before it, {}.", parts.join(", and ")),
        }))
    }
}

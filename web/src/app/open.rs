//! Setting everything up: the game, the machine, and what the page has to know about them.

use std::cell::OnceCell;
use std::sync::Arc;

use menace::board::Notation;
use menace::draw::{check_map, colour};
use menace::game::player_name;
use menace::search::count_up_to;
use menace::{Aim, Cell, Game, Mark, Move, Outcome, Plan, Progress, Side, Sides, Table, games};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{App, Brain, sentence, solved, told};
use crate::contest::Contest;
use crate::learner::Learner;
use crate::settings::{Mode, Settings, Texts, short};
use crate::view::Scene;
use crate::words;

/// The most boards a game may have.
const MOST_BOARDS: u64 = 1_000_000;

/// With more boards than this, the side that the machine plays is not chosen by solving the game first.
const MOST_TO_CHOOSE: u64 = 5_000;

/// Games to choose from without typing their names.
const GAMES: [&str; 11] = [
    "tictactoe",
    "hexapawn",
    "morris",
    "pong-hau-ki",
    "notakto",
    "wild",
    "tictactoe+misere",
    "4x3x3",
    "4x4x3+gravity",
    "5x3x3+gravity",
    "hexapawn:4x4",
];

impl App {
    pub(super) fn open(
        texts: &Texts,
        draws: u32,
        file: Option<(String, String)>,
        progress: &dyn Progress,
    ) -> Result<App, String> {
        let mut settings = Settings::read(texts)?;
        let table = file.map(|(text, name)| read_table(text, &name).map(|table| (table, name))).transpose()?;
        let game = match &table {
            Some((table, _)) => table.game().clone(),
            None => games::find(&settings.game).map_err(|error| sentence(&error))?,
        };
        check_size(&*game)?;
        let solved = OnceCell::new();
        let brain = match table {
            Some((table, name)) => {
                let one = |machines: Sides| settings.machines.filter(|asked| machines.and(*asked) == *asked);
                settings.machines = Some(one(table.machines()).unwrap_or(first_of(table.machines())));
                settings.mode = if table.is_trained() { Mode::Learns } else { Mode::Knows };
                match settings.mode {
                    Mode::Learns => {
                        settings.machines = Some(first_of(settings.machines()));
                        let taught =
                            table.machine(settings.side()).and_then(|machine| machine.lessons().last().cloned());
                        settings.teaching = taught.map_or(settings.teaching, |lesson| lesson.teaching);
                        let learner = Learner::new(&game, &settings, Some(table), progress).map_err(told)?;
                        Brain::Learner(Box::new(learner))
                    }
                    Mode::Knows => Brain::fixed(table.unpacked(progress).map_err(told)?, Some(name)),
                }
            }
            None => {
                if settings.machines.is_none() {
                    settings.machines = Some(worth_playing(&game, &solved, progress)?.into());
                }
                match settings.mode {
                    Mode::Learns => {
                        Brain::Learner(Box::new(Learner::new(&game, &settings, None, progress).map_err(told)?))
                    }
                    Mode::Knows => {
                        let plan = Plan { symmetry: true, aim: settings.aim, ..Plan::default() };
                        Brain::fixed(Table::generate_boxes(game.clone(), &plan, progress).map_err(told)?, None)
                    }
                }
            }
        };
        settings.game = game.name();
        Ok(App {
            settings,
            contest: Contest::new(&game),
            game,
            brain,
            solved,
            arena: OnceCell::new(),
            rng: Pcg64Mcg::seed_from_u64(draws.into()),
            said: String::new(),
            learned: None,
            score: (0, 0, 0),
            before: None,
            boxes: OnceCell::new(),
        })
    }

    /// Brings a game in progress back.
    pub(super) fn replay(&mut self, moves: &[String]) -> Result<(), String> {
        for text in moves {
            let mv = self.game.notation().find(text, &self.contest.legal());
            let mv =
                mv.ok_or_else(|| format!("The game in the address has a move that cannot be made: {}.", short(text)))?;
            self.contest.play(mv);
        }
        if self.contest.ending().is_some() {
            // A game that is over was learned from when it ended.
            self.contest = Contest::new(&self.game);
        }
        Ok(())
    }

    pub(super) fn scene(&self) -> Scene {
        let (game, diagram) = (&*self.game, self.game.diagram());
        let name = game.name();
        let cells: Vec<Cell> = game.start().board.cells().collect();
        Scene {
            title: words::sentence(games::title(&name)),
            rules: words::sentence(&games::rules(game).unwrap_or_default()),
            size: diagram.size,
            points: diagram.points,
            lines: diagram.lines.iter().map(|(a, b)| (a.number(), b.number())).collect(),
            cells: cells.iter().map(|&cell| cell_name(game, cell)).collect(),
            places: cells.iter().map(|&cell| words::place(game, cell)).collect(),
            columns: game.shape().width(),
            rows: game.shape().height(),
            has_gravity: words::has_gravity(game),
            players: Side::BOTH.map(|side| player_name(game, side)),
            can_trap: Aim::Trap.suits(game),
            has_map: check_map(game).is_ok(),
            machines: self.shown().machines().iter().map(Side::name).collect(),
            colours: (0..9).map(|index| colour(index).0.hex()).collect(),
            short: games::short_name(&name).replace([':', '+'], "-"),
            games: GAMES.iter().map(|name| listed(name)).collect(),
            name,
        }
    }
}

/// The side that is worth playing for a machine: the first, unless the game is lost for it from the start.
pub(super) fn worth_playing(
    game: &Arc<dyn Game>,
    place: &OnceCell<Table>,
    progress: &dyn Progress,
) -> Result<Side, String> {
    if count_up_to(&**game, MOST_TO_CHOOSE).is_none() {
        return Ok(Side::First);
    }
    let verdict = solved(game, place, progress)?.verdict(game.start()).map_err(told)?;
    Ok(if verdict.outcome == Outcome::Loss { Side::Second } else { Side::First })
}

/// A table from a file, or why it cannot be shown.
pub(super) fn read_table(text: String, name: &str) -> Result<Table, String> {
    let name = short(name);
    let table =
        Table::read(text.into_bytes(), None).map_err(|error| format!("{name} is no table of menace: {error}."))?;
    let mut machines = table.machines().iter().filter_map(|side| table.machine(side));
    if machines.all(|machine| machine.box_count() == Some(0)) {
        return Err(format!("{name} has no boxes."));
    }
    Ok(table)
}

/// Refuses a game that is too large for a page.
pub(super) fn check_size(game: &dyn Game) -> Result<(), String> {
    if game.boards_at_most() <= MOST_BOARDS.into() || count_up_to(game, MOST_BOARDS).is_some() {
        return Ok(());
    }
    let name = game.name();
    let name = games::title(&name);
    Err(format!("This page holds games of up to a million boards, and {name} has more. The program menace solves it."))
}

/// A game to choose from: its name, and its title.
pub(super) fn listed(name: &str) -> (String, String) {
    let title = games::find(name).map_or(name.to_owned(), |game| {
        let full = game.name();
        match games::title(&full) {
            title if title != full => words::sentence(title),
            _ => words::row_game(name),
        }
    });
    (name.to_owned(), title)
}

pub(super) fn first_of(sides: Sides) -> Sides {
    sides.iter().next().map_or(Sides::FIRST, Sides::from)
}

/// What a cell is called when it is typed.
pub(super) fn cell_name(game: &dyn Game, cell: Cell) -> String {
    match game.notation() {
        Notation::CellsAndMarks => cell.to_string(),
        notation => notation.text(Move::place(Mark::X, cell)).to_string(),
    }
}

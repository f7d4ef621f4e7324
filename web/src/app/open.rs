//! Setting everything up: the game, the machine, and what the page has to know about them.

use std::cell::OnceCell;
use std::sync::Arc;

use menace::board::Notation;
use menace::search::{MOST_BOARDS, count_up_to};
use menace::{Cell, Game, Graded, Level, Mark, Move, Outcome, Plan, Progress, Side, Sides, Table, games};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::{App, Machine, solved, told};
use crate::contest::Contest;
use crate::learner::Learner;
use crate::settings::{Mode, Settings, Texts, short};
use crate::view::{Scene, Score};
use crate::words;

/// With more boards than this, the side that the machine plays is not chosen by solving the game first.
const MOST_TO_CHOOSE: u64 = 5_000;

/// Games to choose from without typing their names: those that are well known or quick to play.
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
    /// The machine of the settings, or of a table with the name of its file.
    pub(super) fn open(
        texts: &Texts,
        draws: u32,
        file: Option<(String, String)>,
        progress: &dyn Progress,
    ) -> Result<App, String> {
        let settings = Settings::read(texts)?;
        match file {
            Some((text, name)) => App::of_table(settings, draws, read_table(text, &name)?, name, progress),
            None => App::of_settings(settings, draws, progress),
        }
    }

    fn of_settings(mut settings: Settings, draws: u32, progress: &dyn Progress) -> Result<App, String> {
        let game = games::find(&settings.game).map_err(told)?;
        check_size(&*game)?;
        let solved = OnceCell::new();
        if settings.machines.is_none() {
            settings.machines = Some(worth_playing(&game, &solved, progress)?.into());
        }
        let machine = match settings.mode {
            Mode::Learns => Machine::Learns(Box::new(Learner::new(&game, &settings, None, progress).map_err(told)?)),
            Mode::Knows => {
                let plan = Plan { symmetry: true, aim: settings.aim, ..Plan::default() };
                Machine::fixed(Table::generate_boxes(game.clone(), &plan, progress).map_err(told)?, None)
            }
        };
        App::new(settings, game, machine, solved, draws, progress)
    }

    fn of_table(
        mut settings: Settings,
        draws: u32,
        table: Table,
        name: String,
        progress: &dyn Progress,
    ) -> Result<App, String> {
        let (game, solved) = (table.game().clone(), OnceCell::new());
        check_size(&*game)?;
        let present = table.machines();
        let asked = settings.machines.filter(|asked| !asked.is_empty() && present.and(*asked) == *asked);
        settings.machines = Some(match asked {
            Some(asked) => asked,
            None if present == Sides::BOTH => worth_playing(&game, &solved, progress)?.into(),
            None => first_of(present),
        });
        let machine = if table.is_trained() {
            settings.mode = Mode::Learns;
            settings.machines = settings.machines.map(first_of);
            let lesson = table.machine(settings.side()).and_then(|machine| machine.lessons().last().cloned());
            settings.teaching = lesson.map_or(settings.teaching, |lesson| lesson.teaching);
            Machine::Learns(Box::new(Learner::new(&game, &settings, Some(table), progress).map_err(told)?))
        } else {
            settings.mode = Mode::Knows;
            Machine::fixed(table.unpacked(progress).map_err(told)?, Some(name))
        };
        App::new(settings, game, machine, solved, draws, progress)
    }

    fn new(
        settings: Settings,
        game: Arc<dyn Game>,
        machine: Machine,
        solved: OnceCell<Table>,
        draws: u32,
        progress: &dyn Progress,
    ) -> Result<App, String> {
        let graded = match settings.level.filter(|_| settings.mode == Mode::Knows) {
            Some(level) => Some(Graded::new(super::solved(&game, &solved, progress)?, level).map_err(told)?),
            None => None,
        };
        Ok(App {
            settings: Settings { game: address_name(&*game), ..settings },
            contest: Contest::new(&game),
            game,
            machine,
            graded,
            solved,
            arena: OnceCell::new(),
            rng: Pcg64Mcg::seed_from_u64(draws.into()),
            said: String::new(),
            learned: None,
            score: Score::default(),
            before: None,
            compared: None,
            boxes: OnceCell::new(),
        })
    }

    /// Brings a game in progress back.
    pub(super) fn replay(&mut self, moves: &[String]) -> Result<(), String> {
        for text in moves {
            let mv = self.game.notation().find(text, &self.contest.legal());
            let mv = mv.ok_or_else(|| {
                format!("The game in the address has a move that cannot be made: {}. Begin another.", short(text))
            })?;
            self.contest.play(mv);
        }
        if self.contest.ending().is_some() {
            // A game that is over was learned from when it ended.
            self.contest = Contest::new(&self.game);
        }
        Ok(())
    }

    /// The levels to choose from: all of the game, if it is solved in a moment.
    fn levels(&self, progress: &dyn Progress) -> Result<Vec<Level>, String> {
        let mut levels = match self.settings.mode == Mode::Knows && self.is_quick_to_solve() {
            true => self.solved(progress)?.levels(progress).map_err(told)?,
            false => Level::NAMED.to_vec(),
        };
        levels.extend(self.settings.level.filter(|level| !levels.contains(level)));
        Ok(levels)
    }

    pub(super) fn scene(&self, progress: &dyn Progress) -> Result<Scene, String> {
        let (game, diagram) = (&*self.game, self.game.diagram());
        let name = game.name();
        let cells: Vec<Cell> = game.start().board.cells().collect();
        let start = game.start().board.to_string();
        let listed = |name: &&'static str| Some((*name, words::title(&*games::find(name).ok()?, name)));
        Ok(Scene {
            title: words::title(game, &name),
            rules: menace::words::capital(&games::rules(game).unwrap_or_default()),
            size: diagram.size,
            points: diagram.points,
            lines: diagram.lines.iter().map(|(a, b)| (a.number(), b.number())).collect(),
            cells: cells.iter().map(|&cell| cell_name(game, cell)).collect(),
            places: cells.iter().map(|&cell| words::place(game, cell)).collect(),
            start: start
                .chars()
                .map(|digit| match digit {
                    '1' => 'X',
                    '2' => 'O',
                    _ => '.',
                })
                .collect(),
            shares_marks: game.mark(Side::First).is_none(),
            machines: self.table().machines().iter().map(Side::name).collect(),
            levels: self.levels(progress)?.iter().map(Level::to_string).collect(),
            games: GAMES.iter().filter_map(listed).collect(),
            settings: self.settings.texts(),
            usual: Settings::read(&Texts::new())?.texts(),
            name,
        })
    }
}

/// What a game is called in the address: as in the list of games, if it is there.
fn address_name(game: &dyn Game) -> String {
    let name = game.name();
    let is_it = |listed: &&&str| games::find(listed).is_ok_and(|found| found.name() == name);
    GAMES.iter().find(is_it).map_or(games::short_name(&name).to_owned(), |listed| (*listed).to_owned())
}

/// The side that is worth playing for a machine: the first, unless the game is lost for it from the start.
fn worth_playing(game: &Arc<dyn Game>, place: &OnceCell<Table>, progress: &dyn Progress) -> Result<Side, String> {
    if count_up_to(&**game, MOST_TO_CHOOSE).is_none() {
        return Ok(Side::First);
    }
    let verdict = solved(game, place, progress)?.verdict(game.start()).map_err(told)?;
    Ok(if verdict.outcome == Outcome::Loss { Side::Second } else { Side::First })
}

/// A table from a file, or why it cannot be shown.
fn read_table(text: String, name: &str) -> Result<Table, String> {
    let name = short(name);
    let table =
        Table::read(text.into_bytes(), None).map_err(|error| format!("{name} is no table of menace: {error}."))?;
    let mut machines = table.machines().iter().filter_map(|side| table.machine(side));
    if machines.all(|machine| machine.box_count() == 0) {
        return Err(format!("{name} has no boxes; choose another table."));
    }
    Ok(table)
}

/// Refuses a game that is too large for a page.
fn check_size(game: &dyn Game) -> Result<(), String> {
    if game.boards_at_most() <= MOST_BOARDS.into() || count_up_to(game, MOST_BOARDS).is_some() {
        return Ok(());
    }
    let name = game.name();
    let name = games::title(&name);
    Err(format!("This page holds games of up to a million boards, and {name} has more. The program menace solves it."))
}

fn first_of(sides: Sides) -> Sides {
    sides.iter().next().map_or(Sides::FIRST, Sides::from)
}

/// What a cell is called when it is typed.
fn cell_name(game: &dyn Game, cell: Cell) -> String {
    match game.notation() {
        Notation::CellsAndMarks => cell.to_string(),
        notation => notation.text(Move::place(Mark::X, cell)).to_string(),
    }
}

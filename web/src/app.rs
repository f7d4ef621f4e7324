//! What the page shows and does: the machine, the game in progress, and the answers to requests.

mod open;
mod play;
mod show;

use std::cell::OnceCell;
use std::fmt::Display;
use std::sync::Arc;

use menace::train::{Arena, Seat};
use menace::{Board, BySide, Game, Graded, Plan, Position, Progress, Sides, Table};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use crate::build;
use crate::contest::Contest;
use crate::drawer::{Drawer, MoveView};
use crate::learner::Learner;
use crate::request::Request;
use crate::settings::{Settings, short};
use crate::view::{Learned, Scene, Score, View};

/// What the page shows and does.
pub struct App {
    settings: Settings,
    game: Arc<dyn Game>,
    machine: Machine,
    /// How a machine that knows everything plays at a level; none if it plays its beads.
    graded: Option<Graded>,
    contest: Contest,
    /// The solved game: both machines, one box a class.
    solved: OnceCell<Table>,
    /// Every box of the machine that is shown, with the number of its move.
    arena: OnceCell<Arc<Arena>>,
    rng: Pcg64Mcg,
    /// What was said of the last move.
    said: String,
    learned: Option<Learned>,
    /// How the games of a machine that does not learn went for it.
    score: Score,
    /// The table that was shown before this one, for comparing.
    before: Option<Table>,
    /// How the table differs from that one, in a sentence.
    compared: Option<String>,
    /// How many boxes the machine has, without those of boards with a single move.
    boxes: OnceCell<usize>,
}

/// The machine.
enum Machine {
    /// One that learns.
    Learns(Box<Learner>),
    /// One that does not change.
    Fixed {
        /// The table.
        whole: Table,
        /// The table as it was after a round.
        after_round: Table,
        round: u32,
        /// The file it comes from, if it was not made here.
        name: Option<String>,
    },
}

/// The answer when the machine has drawn a bead.
#[derive(Serialize)]
struct Drawn {
    /// The drawer it opened, as it was before the game ended.
    drawer: Option<Drawer>,
    /// The move it drew; none if it resigned.
    mv: Option<MoveView>,
    view: View,
}

/// The answer to the first request.
#[derive(Serialize)]
struct Opened {
    scene: Scene,
    view: View,
}

/// An answer as JSON, or an error in a sentence.
type Answer = Result<Vec<u8>, String>;

impl App {
    /// Answers a request, which is JSON, with JSON: the answer, or an error in a sentence.
    pub fn answer(app: &mut Option<App>, request: &[u8], progress: &dyn Progress) -> Vec<u8> {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => App::handle(app, request, progress),
            Err(error) => {
                Err(format!("The page asked for something that the library does not know: {error}. Reload the page."))
            }
        };
        match answer {
            Ok(answer) => [br#"{"ok":"#, &answer[..], b"}"].concat(),
            Err(error) => [br#"{"error":"#, &serde_json::to_vec(&error).unwrap_or_default()[..], b"}"].concat(),
        }
    }

    fn handle(app: &mut Option<App>, request: Request, progress: &dyn Progress) -> Answer {
        if let Request::Open { settings, draws, table, name, moves } = request {
            let before = app.as_ref().map(|app| app.table().clone());
            let mut opened = App::open(&settings, draws, table.map(|text| (text, name)), progress)?;
            opened.replay(&moves)?;
            let before = before.filter(|before| before.game().name() == opened.game.name());
            opened.compared = opened.compare(before.as_ref(), progress)?;
            opened.before = before;
            let scene = opened.scene(progress)?;
            let view = opened.view(progress)?;
            *app = Some(opened);
            return value(&Opened { scene, view });
        }
        let app = app.as_mut().ok_or("There is no machine yet.")?;
        app.handle_opened(request, progress)
    }

    fn handle_opened(&mut self, request: Request, progress: &dyn Progress) -> Answer {
        match request {
            Request::View => {}
            Request::Open { .. } => return Err("A machine is opened before anything else.".to_owned()),
            Request::Show { settings } => {
                let Settings { shows_values, shows_rings, .. } = Settings::read(&settings)?;
                (self.settings.shows_values, self.settings.shows_rings) = (shows_values, shows_rings);
            }
            Request::Play { mv } => self.play(&mv)?,
            Request::Draw => return self.draw(progress),
            Request::Back => self.back(),
            Request::New => self.begin(),
            Request::Train { games, opponent } => self.train(games, &opponent, progress)?,
            Request::Why { board, side, mv } => {
                let at = self.position(&board, &side)?;
                let mv = self.game.notation().find(&mv, &self.game.moves(at)).ok_or_else(|| no_move(&mv))?;
                return value(&self.why(at, mv, progress)?);
            }
            Request::Cabinet { side } => return self.cabinet(parse(&side)?, progress),
            Request::Drawer { board, side } => {
                let at = self.position(&board, &side)?;
                let drawer = Drawer::new(self.table(), at, self.ringed_by(progress)?).map_err(told)?;
                return value(&drawer.ok_or("The machine has no box for this board; open another.")?);
            }
            Request::Round { round } => self.show_round(round)?,
            Request::Map { side } => return value(&build::draw_map(self.table(), parse(&side)?)?),
            Request::Labels { side, paper, kits } => {
                let side = parse(&side)?;
                let kit = kits.map(|kits| build::kit_of(&kits, self.table(), side)).transpose()?;
                return value(&build::draw_labels(kit.as_ref().unwrap_or(self.table()), side, &paper)?);
            }
            Request::Find { board, side } => {
                let arena = self.arena(progress)?;
                let teaching = self.learner().map(Learner::teaching);
                return value(&build::find(self.table(), &arena, &board, parse(&side)?, teaching)?);
            }
            Request::Save => {
                return value(&self.saved()?);
            }
        }
        value(&self.view(progress)?)
    }

    fn learner(&self) -> Option<&Learner> {
        match &self.machine {
            Machine::Learns(learner) => Some(learner),
            Machine::Fixed { .. } => None,
        }
    }

    /// The table that the machine plays by.
    fn table(&self) -> &Table {
        match &self.machine {
            Machine::Learns(learner) => learner.table(),
            Machine::Fixed { after_round, .. } => after_round,
        }
    }

    /// The solved game.
    fn solved(&self, progress: &dyn Progress) -> Result<&Table, String> {
        solved(&self.game, &self.solved, progress)
    }

    /// The boxes of the machine with the numbers of their moves.
    fn arena(&self, progress: &dyn Progress) -> Result<Arc<Arena>, String> {
        if let Some(arena) = self.arena.get() {
            return Ok(arena.clone());
        }
        let seats = BySide { first: Seat::Learner, second: Seat::Learner };
        let arena = Arena::new(&self.game, self.table().classes(), seats, progress).map_err(told)?;
        Ok(self.arena.get_or_init(|| arena).clone())
    }

    fn machines(&self) -> Sides {
        self.settings.machines()
    }

    fn position(&self, board: &str, side: &str) -> Result<Position, String> {
        let board = Board::parse(board, self.game.shape()).map_err(told)?;
        Ok(Position::new(board, parse(side)?))
    }
}

impl Machine {
    fn fixed(whole: Table, name: Option<String>) -> Machine {
        Machine::Fixed { after_round: whole.clone(), round: whole.last_round(), whole, name }
    }
}

/// The solved game, which is worked out when it is first needed.
fn solved<'a>(game: &Arc<dyn Game>, place: &'a OnceCell<Table>, progress: &dyn Progress) -> Result<&'a Table, String> {
    if let Some(solved) = place.get() {
        return Ok(solved);
    }
    let plan = Plan { symmetry: true, ..Plan::default() };
    let table = Table::generate_boxes(game.clone(), &plan, progress).map_err(told)?;
    table.solve(progress).map_err(told)?;
    Ok(place.get_or_init(|| table))
}

fn value(answer: &impl Serialize) -> Answer {
    serde_json::to_vec(answer).map_err(told)
}

fn parse<T: std::str::FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(told)
}

/// An error as a sentence.
pub(crate) fn told(error: impl Display) -> String {
    let text = menace::words::capital(&error.to_string());
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}

/// That a move cannot be made.
fn no_move(text: &str) -> String {
    format!("There is no move {} on this board; choose another.", short(text))
}

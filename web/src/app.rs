//! What the page shows and does: the machine, the game in progress, and the answers to requests.

mod open;
mod play;
mod show;

use std::cell::OnceCell;
use std::fmt::Display;
use std::sync::Arc;

use menace::train::{Arena, Seat};
use menace::{Board, BySide, Game, Plan, Position, Progress, Sides, Table};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use crate::contest::Contest;
use crate::drawer::{Drawer, MoveView};
use crate::learner::Learner;
use crate::request::Request;
use crate::settings::Settings;
use crate::view::{Learned, Scene, View};
use crate::{build, words};

/// What the page shows and does.
pub struct App {
    settings: Settings,
    game: Arc<dyn Game>,
    brain: Brain,
    contest: Contest,
    /// The solved game: both machines, one box a class.
    solved: OnceCell<Table>,
    /// Every box of the machine that is shown, with the number of its move.
    arena: OnceCell<Arc<Arena>>,
    rng: Pcg64Mcg,
    /// What was said of the last move.
    said: String,
    learned: Option<Learned>,
    /// Games of a machine that does not learn: won by the person, drawn, won by the machine.
    score: (u64, u64, u64),
    /// The table that was shown before this one, for comparing.
    before: Option<Table>,
    /// How many boxes the machine has, without those of boards with a single move.
    boxes: OnceCell<usize>,
}

/// The machine.
enum Brain {
    /// One that learns.
    Learner(Box<Learner>),
    /// One that does not change.
    Fixed {
        /// The table.
        whole: Table,
        /// The table as it was after a round.
        shown: Table,
        round: u32,
        /// The file it comes from, if it was not made here.
        name: Option<String>,
    },
}

/// The answer to a move of the machine.
#[derive(Serialize)]
struct Reply {
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
            Err(error) => Err(format!("The page asked for something that makes no sense: {error}.")),
        };
        match answer {
            Ok(answer) => [br#"{"ok":"#, &answer[..], b"}"].concat(),
            Err(error) => [br#"{"error":"#, &serde_json::to_vec(&error).unwrap_or_default()[..], b"}"].concat(),
        }
    }

    fn handle(app: &mut Option<App>, request: Request, progress: &dyn Progress) -> Answer {
        if let Request::Open { settings, draws, table, name, moves } = request {
            let before = app.as_ref().map(|app| app.shown().clone());
            let mut opened = App::open(&settings, draws, table.map(|text| (text, name)), progress)?;
            opened.before = before.filter(|before| before.game().name() == opened.game.name());
            opened.replay(&moves)?;
            let scene = opened.scene();
            let view = opened.view(progress)?;
            *app = Some(opened);
            return value(&Opened { scene, view });
        }
        let app = app.as_mut().ok_or("There is no machine yet.")?;
        app.handle_opened(request, progress)
    }

    fn handle_opened(&mut self, request: Request, progress: &dyn Progress) -> Answer {
        match request {
            Request::Open { .. } | Request::View => {}
            Request::Show { settings } => {
                let Settings { values, rings, .. } = Settings::read(&settings)?;
                (self.settings.values, self.settings.rings) = (values, rings);
            }
            Request::Play { mv } => self.play(&mv, progress)?,
            Request::Reply => return self.reply(progress),
            Request::Back => self.back(),
            Request::New => self.begin(),
            Request::Train { games, opponent } => self.train(games, &opponent, progress)?,
            Request::Why { board, side, mv } => {
                let at = self.position(&board, &side)?;
                let mv = self.game.notation().find(&mv, &self.game.moves(at)).ok_or("There is no such move.")?;
                return value(&self.why(at, mv, progress)?);
            }
            Request::Cabinet { side } => return self.cabinet(parse(&side)?, progress),
            Request::Drawer { board, side } => {
                let at = self.position(&board, &side)?;
                let drawer = Drawer::new(self.shown(), at, self.marks(progress)?).map_err(told)?;
                return value(&drawer.ok_or("The machine has no box for this board.")?);
            }
            Request::Round { round } => self.show_round(round)?,
            Request::Map { side } => return value(&build::draw_map(self.shown(), parse(&side)?)?),
            Request::Labels { side, paper, table } => {
                let table = table.map(|text| open::read_table(text, "The kit")).transpose()?;
                return value(&build::draw_labels(table.as_ref().unwrap_or(self.shown()), parse(&side)?, &paper)?);
            }
            Request::Find { board, side } => {
                let arena = self.arena(progress)?;
                let teaching = self.learner().map(Learner::teaching);
                return value(&build::find(self.shown(), &arena, &board, parse(&side)?, teaching)?);
            }
            Request::Save => {
                let mut text = Vec::new();
                self.shown().write_json(&mut text, &()).map_err(told)?;
                return value(&String::from_utf8(text).map_err(told)?);
            }
        }
        value(&self.view(progress)?)
    }

    fn learner(&self) -> Option<&Learner> {
        match &self.brain {
            Brain::Learner(learner) => Some(learner),
            Brain::Fixed { .. } => None,
        }
    }

    /// The table that the machine plays by.
    fn shown(&self) -> &Table {
        match &self.brain {
            Brain::Learner(learner) => learner.table(),
            Brain::Fixed { shown, .. } => shown,
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
        let arena = Arena::new(&self.game, self.shown().classes(), seats, progress).map_err(told)?;
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

impl Brain {
    fn fixed(whole: Table, name: Option<String>) -> Brain {
        Brain::Fixed { shown: whole.clone(), round: whole.last_round(), whole, name }
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
    text.parse().map_err(|error: T::Err| sentence(&error))
}

fn told(error: impl Display) -> String {
    sentence(&error)
}

/// An error as a sentence.
fn sentence(error: &dyn Display) -> String {
    let text = words::sentence(&error.to_string());
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}

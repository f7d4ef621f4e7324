//! What the page shows and does: the machine, the game in progress, and the answers to requests.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::sync::Arc;

use menace::draw::{bead_colour, check_map, colour};
use menace::game::player_name;
use menace::search::count_up_to;
use menace::train::{Arena, Seat, Taught};
use menace::{
    Board, BySide, Choice, Game, Matchbox, Move, Outcome, Perfect, Plan, Policy, Position, Progress, Side, Sides,
    Table, games,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use crate::contest::{Contest, Ending};
use crate::drawer::{Drawer, MoveView, Shown};
use crate::learner::Learner;
use crate::proof::{self, Review};
use crate::request::Request;
use crate::settings::{Mode, Opponent, Settings, Texts, short};
use crate::view::{ChangeView, Learned, Lessons, Rounds, Scene, Turn, View};
use crate::{build, cabinet, words};

/// The most boards a game may have.
const MOST_BOARDS: u64 = 1_000_000;

/// With more boards than this, the side that the machine plays is not chosen by solving the game first.
const MOST_TO_CHOOSE: u64 = 20_000;

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
                let table = table.map(|text| read_table(text, "The kit")).transpose()?;
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

    fn open(texts: &Texts, draws: u32, file: Option<(String, String)>, progress: &dyn Progress) -> Result<App, String> {
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
    fn replay(&mut self, moves: &[String]) -> Result<(), String> {
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

    /// A person makes a move.
    fn play(&mut self, text: &str, progress: &dyn Progress) -> Result<(), String> {
        let mv = self.game.notation().find(text, &self.contest.legal());
        let mv = mv.ok_or_else(|| format!("{} is no move now.", short(text)))?;
        self.said = String::new();
        self.contest.play(mv);
        self.finish(progress)
    }

    /// The machine makes a move: it opens its box and draws a bead.
    fn reply(&mut self, progress: &dyn Progress) -> Answer {
        let at = self.contest.at();
        if self.contest.ending().is_some() || !self.machines().contains(at.to_move) {
            return Err("It is not the machine's turn.".to_owned());
        }
        let drawer = Drawer::new(self.shown(), at, self.marks(progress)?).map_err(told)?;
        let choice = match self.shown().choose(&*self.game, at) {
            Ok(choice) => choice,
            Err(error) => return Err(format!("The machine cannot move: {error}.")),
        };
        let mv = self.draw(&choice);
        let subject = words::sentence(words::who(&*self.game, at.to_move, self.machines()));
        let name = |mv: Move| words::mv(&*self.game, mv);
        self.said = match (&choice, mv) {
            (Choice::Draw(_), Some(mv)) => {
                let text = self.game.notation().text(mv).to_string();
                let bead = drawer.iter().flat_map(|drawer| &drawer.beads).find(|bead| bead.mv.text == text);
                match bead {
                    Some(bead) => format!("{subject} drew {}: {}.", bead.colour, name(mv)),
                    None => format!("{subject} played {}.", name(mv)),
                }
            }
            (Choice::Forced(_), Some(mv)) => format!("{subject} has one move left: {}.", name(mv)),
            (_, Some(mv)) => format!("Its box is empty, so it plays what lasts longest: {}.", name(mv)),
            (_, None) => match self.contest.moves().len() < 2 {
                true => "The first box is empty: each of its moves lost too often. The machine resigns.".to_owned(),
                false => "This box is empty, so the machine resigns.".to_owned(),
            },
        };
        match mv {
            Some(mv) => self.contest.play(mv),
            None => self.contest.resign(),
        }
        self.finish(progress)?;
        let mv = mv.map(|mv| MoveView::new(&*self.game, mv));
        value(&Reply { drawer, mv, view: self.view(progress)? })
    }

    /// Draws one of the moves of a choice, each as likely as its number says.
    fn draw(&mut self, choice: &Choice) -> Option<Move> {
        let moves = choice.moves();
        let all: u64 = moves.iter().map(|&(_, number)| number).sum();
        let mut ticket = if all == 0 { return None } else { self.rng.random_range(0..all) };
        moves.into_iter().find_map(|(mv, number)| match ticket.checked_sub(number) {
            Some(left) => {
                ticket = left;
                None
            }
            None => Some(mv),
        })
    }

    /// Counts a game that has ended, and lets the machine learn from it.
    fn finish(&mut self, _progress: &dyn Progress) -> Result<(), String> {
        let Some(ending) = self.contest.ending() else { return Ok(()) };
        let (winner, machines) = (ending.winner(), self.machines());
        match &mut self.brain {
            Brain::Learner(learner) => {
                let before = learner.table().clone();
                let taught = learner.learn_from(self.contest.moves(), winner).map_err(told)?;
                self.learned = Some(learned(&before, &taught, winner, learner.machine()));
            }
            Brain::Fixed { .. } if machines.len() == 1 => match winner {
                Some(winner) if machines.contains(winner) => self.score.2 += 1,
                Some(_) => self.score.0 += 1,
                None => self.score.1 += 1,
            },
            Brain::Fixed { .. } => {}
        }
        Ok(())
    }

    /// Takes back the last move of a person, and what the machine replied to it.
    fn back(&mut self) {
        if let Some(moves) = self.last_of_a_person() {
            self.contest.back_to(moves);
            self.said = "Taken back.".to_owned();
        }
    }

    /// How many moves were made before the last one of a person; none if nothing can be taken back.
    fn last_of_a_person(&self) -> Option<usize> {
        let is_learned = self.learner().is_some() && self.contest.ending().is_some();
        let made: Vec<Side> = self.contest.made().map(|(at, _)| at.to_move).collect();
        let last = made.iter().rposition(|&side| !self.machines().contains(side));
        last.filter(|_| !is_learned)
    }

    /// Begins another game.
    fn begin(&mut self) {
        self.contest = Contest::new(&self.game);
        (self.said, self.learned) = (String::new(), None);
    }

    fn train(&mut self, games: u64, opponent: &str, progress: &dyn Progress) -> Result<(), String> {
        const MOST_AT_ONCE: u64 = 1_000_000;
        let opponent: Opponent = parse(opponent)?;
        let perfect = match opponent {
            Opponent::Perfect => Some(Perfect::by_verdicts(self.solved(progress)?)),
            Opponent::Random | Opponent::Itself => None,
        };
        let Brain::Learner(learner) = &mut self.brain else {
            return Err("This machine does not learn.".to_owned());
        };
        learner.train(games.min(MOST_AT_ONCE), opponent, perfect.as_ref(), progress).map_err(told)?;
        self.begin();
        Ok(())
    }

    fn show_round(&mut self, asked: u32) -> Result<(), String> {
        let Brain::Fixed { whole, shown, round, .. } = &mut self.brain else {
            return Err("A machine that learns has no rounds.".to_owned());
        };
        *shown = whole.after_round(asked).ok_or("There is no such round.")?;
        *round = asked;
        Ok(())
    }

    /// Why a bead is there or gone: by the table, or for a machine that learns by the rules.
    fn why(&self, at: Position, mv: Move, progress: &dyn Progress) -> Result<proof::Proof, String> {
        match &self.brain {
            Brain::Fixed { whole, shown, .. } if whole.has_rounds() => proof::why(whole, shown, at, mv),
            Brain::Fixed { .. } | Brain::Learner(_) => proof::by_the_rules(self.solved(progress)?, at, mv),
        }
        .map_err(|error| sentence(&error))
    }

    fn marks(&self, progress: &dyn Progress) -> Result<Shown<'_>, String> {
        let solved = if self.settings.rings { Some(self.solved(progress)?) } else { None };
        Ok(Shown { solved })
    }

    fn cabinet(&self, side: Side, progress: &dyn Progress) -> Answer {
        let arena = self.arena(progress)?;
        let fold = |(at, _): (Position, Move)| self.shown().classes().lowest(at.board);
        let opened = self.contest.made().filter(|(at, _)| at.to_move == side).map(fold).collect();
        let (other, means) = match &self.brain {
            Brain::Learner(learner) if learner.table().machine(side).is_some() => {
                (Some(learner.start().clone()), Some("changed since the start"))
            }
            Brain::Learner(_) => (None, None),
            Brain::Fixed { whole, round, .. } if *round < whole.last_round() => {
                (Some(whole.clone()), Some("changed by later rounds"))
            }
            Brain::Fixed { .. } => (self.before.clone(), self.before.as_ref().map(|_| "other than before")),
        };
        let changed: HashSet<Board> = match &other {
            Some(other) => cabinet::differing(self.shown(), other, &arena, side).map_err(told)?,
            None => HashSet::new(),
        };
        let marks = cabinet::Marks { opened, changed, changed_means: means, solved: self.solved(progress)? };
        value(&cabinet::cabinet(self.shown(), &arena, side, &marks).map_err(told)?)
    }

    fn scene(&self) -> Scene {
        let (game, diagram) = (&*self.game, self.game.diagram());
        let name = game.name();
        let cells: Vec<menace::Cell> = game.start().board.cells().collect();
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
            can_trap: menace::Aim::Trap.suits(game),
            has_map: check_map(game).is_ok(),
            machines: self.shown().machines().iter().map(Side::name).collect(),
            colours: (0..9).map(|index| colour(index).0.hex()).collect(),
            short: games::short_name(&name).replace([':', '+'], "-"),
            games: GAMES.iter().map(|name| listed(name)).collect(),
            name,
        }
    }

    fn view(&self, progress: &dyn Progress) -> Result<View, String> {
        let (contest, at, game) = (&self.contest, self.contest.at(), &*self.game);
        let ending = contest.ending();
        let turn = match ending {
            Some(_) => Turn::Over,
            None if self.machines().contains(at.to_move) => Turn::Machine,
            None => Turn::You,
        };
        let mut moves: Vec<MoveView> = contest.legal().into_iter().map(|mv| MoveView::new(game, mv)).collect();
        let mut worth: BTreeMap<u8, Outcome> = BTreeMap::new();
        if self.settings.values && turn == Turn::You {
            let solved = self.solved(progress)?;
            for (mv, view) in contest.legal().into_iter().zip(&mut moves) {
                let outcome = solved.verdict(at.play(mv)).map_err(told)?.outcome.for_the_other();
                view.worth = Some(outcome.name());
                let best = worth.entry(mv.from.unwrap_or(mv.to).number()).or_insert(outcome);
                *best = outcome.max(*best);
            }
        }
        let (row, row_wins) = contest.row();
        let opened = self.opened(turn);
        let drawer = match opened {
            Some((at, _)) => Drawer::new(self.shown(), at, self.marks(progress)?).map_err(told)?,
            None => None,
        };
        let of_machine = contest.made().filter(|(at, _)| self.machines().contains(at.to_move));
        let number = |at: Position| self.shown().classes().lowest(at.board).id().to_string();
        let boxes = self.box_count(progress)?;
        Ok(View {
            mode: self.settings.mode,
            plays: Side::BOTH.map(|side| self.machines().contains(side)),
            heading: self.heading(boxes),
            boxes,
            board: at.board.to_string(),
            to_move: at.to_move.name(),
            turn,
            moves,
            worth: worth.into_iter().map(|(cell, outcome)| (cell, outcome.name())).collect(),
            last: contest.moves().last().map(|&mv| MoveView::new(game, mv)),
            row: if ending.is_some() { row } else { Vec::new() },
            row_wins,
            status: self.status(turn, ending),
            drawer,
            drawn: opened.and_then(|(_, mv)| mv).map(|mv| game.notation().text(mv).to_string()),
            opened: of_machine.map(|(at, _)| number(at)).collect(),
            can_go_back: self.last_of_a_person().is_some(),
            score: self.learner().map_or(self.score, Learner::score),
            history: contest.moves().iter().map(|&mv| game.notation().text(mv).to_string()).collect(),
            learned: self.learned.clone(),
            review: self.review(ending, progress)?,
            progress: self.learner().map(Lessons::of),
            rounds: self.rounds(),
            origin: self.origin(),
            compared: self.compared(progress)?,
        })
    }

    /// The position of the last box that the machine opened in this game or, if it is its turn, of the one it opens now; and what it
    /// drew there.
    fn opened(&self, turn: Turn) -> Option<(Position, Option<Move>)> {
        if turn == Turn::Machine {
            return Some((self.contest.at(), None));
        }
        let mut made = self.contest.made().rev();
        made.find(|(at, _)| self.machines().contains(at.to_move)).map(|(at, mv)| (at, Some(mv)))
    }

    fn box_count(&self, progress: &dyn Progress) -> Result<usize, String> {
        if let Some(&boxes) = self.boxes.get() {
            return Ok(boxes);
        }
        let side = self.settings.side();
        let boxes = match &self.brain {
            Brain::Learner(learner) => learner.arena().box_count(side),
            Brain::Fixed { whole, .. } => {
                let has_box = |board| whole.matchbox(Position::new(board, side)).is_ok_and(|found| found.is_some());
                self.arena(progress)?.boxes(side).filter(|&(board, _)| has_box(board)).count()
            }
        };
        Ok(*self.boxes.get_or_init(|| boxes))
    }

    fn heading(&self, boxes: usize) -> String {
        let boxes = words::counted(boxes as u64, "matchbox");
        match (self.settings.mode, self.machines().len()) {
            (_, 0) => "Play it yourself, and open any box".to_owned(),
            (_, 2) => "Watch the matchboxes play".to_owned(),
            (Mode::Learns, _) => format!("Can you beat {boxes}?"),
            (Mode::Knows, _) => format!("{boxes} that know everything"),
        }
    }

    fn status(&self, turn: Turn, ending: Option<Ending>) -> String {
        let game = &*self.game;
        let now = match (turn, ending) {
            (Turn::You, _) => match words::who(game, self.contest.at().to_move, self.machines()) {
                "you" => "Your turn.".to_owned(),
                who => format!("{} to move.", words::sentence(who)),
            },
            (Turn::Machine, _) => String::new(),
            (Turn::Over, Some(Ending::Repeated)) => "The same board for the third time: a draw.".to_owned(),
            (Turn::Over, ending) => match ending.and_then(Ending::winner) {
                None => "A draw.".to_owned(),
                Some(winner) => match words::who(game, winner, self.machines()) {
                    "you" => "You won!".to_owned(),
                    who => format!("{} won.", words::sentence(who)),
                },
            },
        };
        [&*self.said, &now].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// Which move of a person lost the game, if one did.
    fn review(&self, ending: Option<Ending>, progress: &dyn Progress) -> Result<Option<Review>, String> {
        let winner = ending.and_then(Ending::winner).filter(|&winner| self.machines().contains(winner));
        match winner.filter(|_| self.machines().len() == 1 && self.is_quick_to_solve()) {
            Some(winner) => {
                proof::review(self.solved(progress)?, &self.contest, winner.other()).map(Some).map_err(told)
            }
            None => Ok(None),
        }
    }

    /// Whether the game is solved, or will be before anybody notices.
    fn is_quick_to_solve(&self) -> bool {
        const QUICK: u64 = 200_000;
        self.solved.get().is_some() || count_up_to(&*self.game, QUICK).is_some()
    }

    fn rounds(&self) -> Option<Rounds> {
        let Brain::Fixed { whole, round, .. } = &self.brain else { return None };
        let last = whole.last_round();
        if last == 0 {
            return None;
        }
        let of_round = |machine: menace::table::Machine<'_>| machine.rounds()?.get(*round as usize - 1).copied();
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
                        "This round removed {}; {} ran empty and {} banned.",
                        words::counted(found.beads_removed, "bead"),
                        words::counted(found.boards_banned, "box"),
                        if found.boards_banned == 1 { "is" } else { "are" }
                    ),
                }
            }
        };
        Some(Rounds { now: *round, last, about })
    }

    /// The machine that is shown, in a few words.
    fn origin(&self) -> String {
        match &self.brain {
            Brain::Learner(learner) => {
                let lessons =
                    learner.table().machine(learner.machine()).map(|machine| machine.lessons()).unwrap_or_default();
                let games = |lesson: &menace::table::Lesson| {
                    let opponent = short(&lesson.opponent);
                    let name = match &*opponent {
                        "perfect" => "a perfect player",
                        "random" => "a random player",
                        "self" => "itself",
                        "person" => "you",
                        other => other,
                    };
                    format!("{} against {name}", words::counted(lesson.tally.games(), "game"))
                };
                let played: Vec<String> = lessons.iter().filter(|lesson| lesson.tally.games() > 0).map(games).collect();
                if played.is_empty() {
                    "It has played no game yet.".to_owned()
                } else {
                    format!("It has played {}.", played.join(", then "))
                }
            }
            Brain::Fixed { whole, name, .. } => {
                let aim = whole.aim().map(|aim| format!("aim {}", aim.name())).unwrap_or_default();
                match name {
                    Some(name) => format!("From {}{}{aim}.", short(name), if aim.is_empty() { "" } else { ", " }),
                    None => format!("{}.", words::sentence(&aim)),
                }
            }
        }
    }

    /// How a table that was loaded differs from the one before it.
    fn compared(&self, progress: &dyn Progress) -> Result<Option<String>, String> {
        let (Brain::Fixed { shown, name: Some(_), .. }, Some(before)) = (&self.brain, &self.before) else {
            return Ok(None);
        };
        let arena = self.arena(progress)?;
        let mut parts = Vec::new();
        for side in shown.machines().and(before.machines()).iter() {
            let other = cabinet::differing(shown, before, &arena, side).map_err(told)?.len();
            let all = words::counted(arena.box_count(side) as u64, "box");
            parts.push(format!("{other} of {all} of the {side} machine play otherwise"));
        }
        Ok(match parts.is_empty() {
            true => Some("The two tables have no machine in common.".to_owned()),
            false => Some(format!("Compared with the machine before it, {}.", parts.join(", and "))),
        })
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
    if machines.all(|machine| machine.box_count() == Some(0)) {
        return Err(format!("{name} has no boxes."));
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

/// A game to choose from: its name, and its title.
fn listed(name: &str) -> (String, String) {
    let title = games::find(name).map_or(name.to_owned(), |game| {
        let full = game.name();
        match games::title(&full) {
            title if title != full => words::sentence(title),
            _ => words::row_game(name),
        }
    });
    (name.to_owned(), title)
}

fn first_of(sides: Sides) -> Sides {
    sides.iter().next().map_or(Sides::FIRST, Sides::from)
}

/// What a machine learned from a game, in words and numbers. The boxes are those before the game.
fn learned(before: &Table, taught: &[Taught], winner: Option<Side>, machine: Side) -> Learned {
    let game = &**before.game();
    let changes = taught.iter().filter(|taught| taught.before != taught.after).map(|taught| {
        let at = Position::new(taught.board, taught.machine);
        let full = Matchbox::full(&before.classes().moves(game, at));
        let index = bead_colour(&full, taught.mv);
        let (found, rings) = colour(index);
        ChangeView {
            number: taught.board.id().to_string(),
            board: taught.board.to_string(),
            side: taught.machine.name(),
            mv: MoveView::new(game, taught.mv),
            colour: words::colour(index),
            fill: found.hex(),
            ink: found.ink(),
            rings,
            before: taught.before,
            after: taught.after,
        }
    });
    let changes: Vec<ChangeView> = changes.collect();
    let (who, what) = match winner {
        Some(winner) if winner == machine => ("The machine won.", "It gets more of the beads it played:"),
        Some(_) => ("You won.", "The machine takes out beads that it played:"),
        None => ("A draw.", "The beads that the machine played change:"),
    };
    let what = if changes.is_empty() { "Its beads stay as they are." } else { what };
    Learned { sentence: format!("{who} {what}"), changes }
}

/// What a cell is called when it is typed.
fn cell_name(game: &dyn Game, cell: menace::Cell) -> String {
    match game.notation() {
        menace::board::Notation::CellsAndMarks => cell.to_string(),
        notation => notation.text(Move::place(menace::Mark::X, cell)).to_string(),
    }
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

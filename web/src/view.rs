//! What the page shows of a game: the board, the drawer, the status line, the score and what was learned.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::drawer::{Drawer, MoveView};
use crate::learner::{Learner, Went};
use crate::proof::Review;
use crate::words::counted;

/// How a board is drawn, and what the page says about the game. It changes only with the game.
#[derive(Serialize)]
pub struct Scene {
    pub name: String,
    pub title: String,
    pub rules: String,
    /// Width and height in cells, the middle of each cell, and the lines that join cells; no lines for a grid.
    pub size: (f64, f64),
    pub points: Vec<(f64, f64)>,
    pub lines: Vec<(u8, u8)>,
    /// What each cell is called when it is typed, and where it is.
    pub cells: Vec<String>,
    pub places: Vec<String>,
    pub columns: u8,
    pub rows: u8,
    pub has_gravity: bool,
    /// What players are called.
    pub players: [&'static str; 2],
    /// The colours of beads.
    pub colours: Vec<String>,
    pub can_trap: bool,
    pub has_map: bool,
    /// The machines that there are boxes for.
    pub machines: Vec<&'static str>,
    /// The name that files get.
    pub short: String,
    /// Games to choose from: what they are called in the address, and their titles.
    pub games: Vec<(String, String)>,
}

/// What the page shows now.
#[derive(Serialize)]
pub struct View {
    pub mode: crate::settings::Mode,
    /// Whether the machine plays the first side, and the second.
    pub plays: [bool; 2],
    pub heading: String,
    /// How many boxes the machine has.
    pub boxes: usize,
    pub board: String,
    pub to_move: &'static str,
    /// Whose turn it is.
    pub turn: Turn,
    pub moves: Vec<MoveView>,
    /// What each cell is worth from which a person can move, or on which one can place a mark, if that is shown.
    pub worth: BTreeMap<u8, &'static str>,
    pub last: Option<MoveView>,
    pub row: Vec<u8>,
    /// Whether the row wins; in misere it loses.
    pub row_wins: bool,
    pub status: String,
    pub drawer: Option<Drawer>,
    /// The move that was drawn from it.
    pub drawn: Option<String>,
    /// The numbers of the boxes that were opened in this game.
    pub opened: Vec<String>,
    pub can_go_back: bool,
    /// Games won by the person, drawn, and won by the machine.
    pub score: (u64, u64, u64),
    pub history: Vec<String>,
    pub learned: Option<Learned>,
    pub review: Option<Review>,
    pub progress: Option<Lessons>,
    pub rounds: Option<Rounds>,
    /// The machine that is shown, in a few words.
    pub origin: String,
    /// How it differs from the one that was shown before it.
    pub compared: Option<String>,
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    You,
    Machine,
    Over,
}

/// What a machine learned from the last game.
#[derive(Clone, Debug, Serialize)]
pub struct Learned {
    pub sentence: String,
    pub changes: Vec<ChangeView>,
}

/// How the beads of one move changed.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeView {
    pub number: String,
    pub board: String,
    pub side: &'static str,
    #[serde(flatten)]
    pub mv: MoveView,
    pub colour: String,
    pub fill: String,
    pub ink: &'static str,
    pub rings: usize,
    pub before: u32,
    pub after: u32,
}

/// How the games of a machine that learns went.
#[derive(Serialize)]
pub struct Lessons {
    /// All games, with those of an earlier table.
    pub games: u64,
    /// The last ten, each as won, drawn or lost by the machine.
    pub last: Vec<&'static str>,
    /// Points of the curve: games, and the share that was won, drawn and lost in the games before.
    pub curve: Vec<(usize, f64, f64, f64)>,
    /// Over how many games each share is taken.
    pub window: usize,
    pub milestones: Vec<String>,
    pub unbeatable: bool,
}

/// The rounds of a machine that knows everything.
#[derive(Serialize)]
pub struct Rounds {
    pub now: u32,
    pub last: u32,
    pub about: String,
}

impl Lessons {
    /// How the games of a machine went.
    pub fn of(learner: &Learner) -> Lessons {
        let went = learner.went();
        let window = (went.len() / 10).clamp(10, 1000).min(went.len().max(1));
        let points = went.len().min(60);
        let at = |point: usize| went.len() * point / points.max(1);
        let curve = (1..=points).map(at).map(|end| {
            let games = &went[end.saturating_sub(window)..end];
            let share = |wanted| games.iter().filter(|&&went| went == wanted).count() as f64 / games.len() as f64;
            (end, share(Went::Won), share(Went::Drawn), share(Went::Lost))
        });
        Lessons {
            games: learner.games(),
            last: went[went.len().saturating_sub(10)..].iter().map(|went| went.name()).collect(),
            curve: curve.collect(),
            window,
            milestones: milestones(learner),
            unbeatable: learner.unbeatable_after().is_some(),
        }
    }
}

impl Went {
    fn name(self) -> &'static str {
        match self {
            Went::Won => "won",
            Went::Drawn => "drawn",
            Went::Lost => "lost",
        }
    }
}

/// What the machine has reached, the latest first.
fn milestones(learner: &Learner) -> Vec<String> {
    const RUN: usize = 10;
    let went = learner.went();
    let mut said = Vec::new();
    if let Some(game) = learner.unbeatable_after() {
        said.push(match game {
            0 => "It cannot be beaten.".to_owned(),
            game => format!("Unbeatable since game {game}: no way is left to make it lose."),
        });
    }
    let lost = |games: &[Went]| games.iter().filter(|&&went| went == Went::Lost).count();
    if went.len() >= 2 * RUN {
        let (first, last) = (lost(&went[..RUN]), lost(&went[went.len() - RUN..]));
        said.push(format!("It lost {first} of its first {RUN} games and {last} of the last {RUN}."));
    }
    if let Some(at) = went.windows(RUN).position(|games| lost(games) == 0) {
        said.push(format!("Ten games without a loss: {} to {}.", at + 1, at + RUN));
    }
    for (wanted, name) in [(Went::Won, "win"), (Went::Drawn, "draw")] {
        if let Some(at) = went.iter().position(|&went| went == wanted) {
            said.push(format!("Its first {name} was in game {}.", at + 1));
        }
    }
    if said.is_empty() && !went.is_empty() {
        said.push(format!("It has lost {} so far.", counted(went.len() as u64, "game")));
    }
    said
}

//! What the page shows of a game: the board, the drawer, the status line, the score and what was learned.

use std::collections::BTreeMap;

use menace::Outcome;
use menace::words::counted;
use serde::Serialize;

use crate::drawer::{Drawer, MoveView};
use crate::learner::Learner;
use crate::proof::Proof;
use crate::settings::Texts;

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
    /// The board at the start, a letter or a dot for each cell.
    pub start: String,
    /// Whether both players place the same marks.
    pub shares_marks: bool,
    /// The machines that there are boxes for.
    pub machines: Vec<&'static str>,
    /// Games to choose from: what they are called in the address, and their titles.
    pub games: Vec<(&'static str, String)>,
    /// Levels to choose from.
    pub levels: Vec<String>,
    /// The settings in force, and what they would be if nothing were said.
    pub settings: Texts,
    pub usual: Texts,
}

/// What the page shows now.
#[derive(Serialize)]
pub struct View {
    pub mode: crate::settings::Mode,
    /// Whether the machine plays the first side, and the second.
    pub plays: [bool; 2],
    pub heading: String,
    pub board: String,
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
    /// The level that the machine plays at instead of drawing beads: its name, and a sentence about it.
    pub level: Option<(String, String)>,
    pub drawer: Option<Drawer>,
    /// The move that was drawn from it.
    pub drawn: Option<String>,
    /// The numbers of the boxes that were opened in this game.
    pub opened: Vec<String>,
    pub can_go_back: bool,
    pub score: Score,
    pub history: Vec<String>,
    pub learned: Option<Learned>,
    /// Which move of a person lost the game, with the proof.
    pub review: Option<Proof>,
    pub progress: Option<Standing>,
    pub rounds: Option<Rounds>,
    /// The machine that is shown, in a few words.
    pub origin: String,
    /// How it differs from the one that was shown before it.
    pub compared: Option<String>,
}

/// Games against a person: won by the person, drawn, and won by the machine.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Score {
    pub you: u64,
    pub drawn: u64,
    pub machine: u64,
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
pub struct Standing {
    /// All games, with those of an earlier table, and how many those are.
    pub games: u64,
    pub earlier: u64,
    /// The last ten, each as a win, draw or loss of the machine.
    pub last: Vec<&'static str>,
    /// Points of the curve: games, and the share that was won, drawn and lost in the games before.
    pub curve: Vec<(usize, f64, f64, f64)>,
    /// Over how many games each share is taken.
    pub window: usize,
    pub milestones: Vec<String>,
}

/// The rounds of a machine that knows everything.
#[derive(Serialize)]
pub struct Rounds {
    pub now: u32,
    pub last: u32,
    pub about: String,
}

impl Standing {
    /// How the games of a machine went.
    pub fn of(learner: &Learner) -> Standing {
        let went = learner.went();
        let window = (went.len() / 10).clamp(10, 1000).min(went.len().max(1));
        let points = went.len().min(60);
        let at = |point: usize| went.len() * point / points.max(1);
        let curve = (1..=points).map(at).map(|end| {
            let games = &went[end.saturating_sub(window)..end];
            let share = |wanted| games.iter().filter(|&&went| went == wanted).count() as f64 / games.len() as f64;
            (end, share(Outcome::Win), share(Outcome::Draw), share(Outcome::Loss))
        });
        Standing {
            games: learner.games(),
            earlier: learner.earlier_games(),
            last: went[went.len().saturating_sub(10)..].iter().map(|went| went.name()).collect(),
            curve: curve.collect(),
            window,
            milestones: milestones(learner),
        }
    }
}

/// What the machine has reached. Games are numbered from the first that it ever played.
fn milestones(learner: &Learner) -> Vec<String> {
    const RUN: usize = 10;
    let (went, earlier) = (learner.went(), learner.earlier_games());
    let lost = |games: &[Outcome]| games.iter().filter(|&&went| went == Outcome::Loss).count();
    let number = |at: usize| earlier + at as u64 + 1;
    let mut said = Vec::new();
    for (wanted, name) in [(Outcome::Draw, "draw"), (Outcome::Win, "win")] {
        if let Some(at) = went.iter().position(|&went| went == wanted).filter(|_| earlier == 0) {
            said.push((number(at), format!("Its first {name} was in game {}.", number(at))));
        }
    }
    if let Some(at) = went.windows(RUN).position(|games| lost(games) == 0) {
        said.push((number(at + RUN - 1), format!("It lost none of games {} to {}.", number(at), number(at + RUN - 1))));
    }
    if went.len() >= 2 * RUN {
        let (first, last) = (lost(&went[..RUN]), lost(&went[went.len() - RUN..]));
        let which = if earlier == 0 { "its first" } else { "the first" };
        said.push((learner.games(), format!("It lost {first} of {which} {RUN} games and {last} of the last {RUN}.")));
    }
    if let Some(game) = learner.unbeatable_after() {
        said.push((game, format!("No way is left to make it lose, since game {game}: it is unbeatable.")));
    }
    said.sort_by_key(|&(game, _)| game);
    match (said.is_empty(), went.len() as u64) {
        (true, games @ 1..) => vec![format!("It has lost {} so far.", counted(games, "game"))],
        _ => said.into_iter().map(|(_, words)| words).collect(),
    }
}

/// A table as a file.
#[derive(Serialize)]
pub struct Saved {
    pub text: String,
    pub file: String,
}

//! From an error of the library to a sentence for people: what was expected and found, and what to do about it.
//!
//! The library says the first half; what to do is said here, in the words of the command line.

use menace::diff::DiffError;
use menace::draw::{LabelsError, MapError, PageError};
use menace::game::NotInPlay;
use menace::games::GameError;
use menace::kit::KitError;
use menace::odds::OddsError;
use menace::progress::Stopped;
use menace::table::{JsonError, PackedError, PlanError, ResumeError, TableError};
use menace::train::TrainError;

use crate::play::PlayError;

/// An error as one sentence, with what to do where that is known.
pub fn sentence(error: &anyhow::Error) -> String {
    let told = format!("{error:#}");
    match error.chain().find_map(advice) {
        Some(advice) if told.ends_with('?') => format!("{told} {advice}"),
        Some(advice) => format!("{told}; {advice}"),
        None => told,
    }
}

/// Whether an error says that the work was stopped.
pub fn is_stop(error: &(dyn std::error::Error + 'static)) -> bool {
    let table = error.downcast_ref::<TableError>().is_some_and(|error| matches!(error, TableError::Stopped(_)));
    let odds = error.downcast_ref::<OddsError>().is_some_and(|error| matches!(error, OddsError::Stopped(_)));
    let train = error.downcast_ref::<TrainError>().is_some_and(|error| matches!(error, TrainError::Stopped(_)));
    table || odds || train || error.is::<Stopped>() || error.is::<Interrupted>()
}

/// A packed table whose making was stopped.
#[derive(Debug, thiserror::Error)]
#[error("the work was stopped; what is finished stays in {0}, and the same command resumes")]
pub struct Interrupted(pub String);

fn advice(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    None.or_else(|| error.downcast_ref().and_then(of_table))
        .or_else(|| error.downcast_ref().and_then(of_json))
        .or_else(|| error.downcast_ref().and_then(of_packed))
        .or_else(|| error.downcast_ref().and_then(of_plan))
        .or_else(|| error.downcast_ref().and_then(of_resume))
        .or_else(|| error.downcast_ref().and_then(of_position))
        .or_else(|| error.downcast_ref().and_then(of_kit))
        .or_else(|| error.downcast_ref().and_then(of_picture))
        .or_else(|| error.downcast_ref().and_then(of_labels))
        .or_else(|| error.downcast_ref().and_then(of_page))
        .or_else(|| error.downcast_ref().and_then(of_training))
        .or_else(|| error.downcast_ref::<OddsError>().and_then(of_odds))
        .or_else(|| error.downcast_ref::<GameError>().and_then(of_game))
        .or_else(|| error.downcast_ref::<PlayError>().and_then(of_play))
        .or_else(|| error.downcast_ref::<DiffError>().and_then(of_diff))
        .or_else(|| error.downcast_ref::<Stopped>().map(|_| NOTHING_LEFT))
}

const NOTHING_LEFT: &str = "nothing half made was left behind";
const MAKE_AGAIN: &str = "make the table again with `menace generate`";

fn of_table(error: &TableError) -> Option<&'static str> {
    match error {
        TableError::Json(error) => of_json(error),
        TableError::Packed(error) => of_packed(error),
        TableError::Plan(error) => of_plan(error),
        TableError::Resume(error) => of_resume(error),
        TableError::NotInPlay(error) => of_position(error),
        TableError::NotReached(_) => Some("choose a board that can be reached"),
        TableError::NoBox { .. } => Some(
            "trained tables and kits leave out boxes that their play never needs; otherwise choose a board that can be reached, or make the table again",
        ),
        TableError::NoMachine(_) => Some("choose a board on which the other is to move, or make a table of both"),
        TableError::Wrong(_) => Some("`menace verify` says more"),
        TableError::Stopped(_) => Some(NOTHING_LEFT),
        TableError::Io(_) => None,
    }
}

fn of_json(error: &JsonError) -> Option<&'static str> {
    match error {
        JsonError::Empty | JsonError::CutShort { .. } => Some(MAKE_AGAIN),
        JsonError::Json(_) => Some("tables are made with `menace generate` or `menace train`"),
        JsonError::Version { .. } => Some("use a program that knows it, or make the table again"),
        JsonError::TrapInCircles { .. } => Some("make the table again with another aim"),
        JsonError::Lessons { .. } => Some("train it again"),
        JsonError::Game(error) => of_game(error),
        _ => None,
    }
}

fn of_packed(error: &PackedError) -> Option<&'static str> {
    match error {
        PackedError::Magic => Some("tables are made with `menace generate`"),
        PackedError::Version(_) => Some("use a program that knows it, or make the table again"),
        PackedError::Game(error) => of_game(error),
        PackedError::NoRowGame(_) | PackedError::OtherGame { .. } | PackedError::Io(_) => None,
        PackedError::Header(_)
        | PackedError::Length { .. }
        | PackedError::Record { .. }
        | PackedError::Chunk { .. }
        | PackedError::CutShort => Some(MAKE_AGAIN),
    }
}

fn of_plan(error: &PlanError) -> Option<&'static str> {
    match error {
        PlanError::NotInPlay(error) => of_position(error),
        PlanError::TrapInCircles(_) => Some("choose the aim fastest"),
        PlanError::OtherMachine { .. } => Some("choose that machine with --machine, or both"),
        PlanError::NotPacked(_) => Some("choose a .json file"),
        PlanError::TooLarge(_) => Some("choose a smaller game"),
        PlanError::NoMachines => Some("choose first, second or both with --machine"),
        PlanError::NotReached { .. } => None,
    }
}

fn of_resume(error: &ResumeError) -> Option<&'static str> {
    match error {
        ResumeError::Another { .. } => Some("finish it with the command that began it, or remove it"),
        ResumeError::NoTable { .. } => Some("move it away, or choose another file with -o"),
        ResumeError::Locked { .. } => Some("wait for it, or choose another file with -o"),
        ResumeError::Write { .. } => Some("what is finished stays there, and the same command resumes"),
    }
}

fn of_position(error: &NotInPlay) -> Option<&'static str> {
    match error {
        NotInPlay::Impossible { .. } => None,
        NotInPlay::Over { .. } => Some("choose a board where it goes on"),
        NotInPlay::NotReached { .. } => Some("choose one that can be reached"),
        NotInPlay::OtherSide { .. } => Some("leave --to-move out"),
        NotInPlay::EitherSide { .. } => Some("add --to-move first or second"),
    }
}

fn of_game(error: &GameError) -> Option<&'static str> {
    match error {
        GameError::Unknown { .. } => Some("`menace games` lists them"),
        GameError::Senseless { .. } => None,
    }
}

fn of_kit(error: &KitError) -> Option<&'static str> {
    match error {
        KitError::Lost { .. } => Some("try the other one with --machine"),
        KitError::NotFirst => Some("leave --opening out, or choose --machine first"),
        KitError::Unsolved(_) => Some("choose a smaller game"),
        KitError::Table(error) => of_table(error),
        KitError::Opening { .. } => None,
    }
}

fn of_picture(error: &MapError) -> Option<&'static str> {
    match error {
        MapError::OtherMachine(_) | MapError::Lost { .. } => Some("choose the other with --machine"),
        MapError::Moves(_) => Some("try `menace draw page`"),
        MapError::TooMany { .. } => Some("choose a smaller game, or a table with one bead per box"),
        MapError::NoBead { .. } => Some("choose another table"),
        MapError::Table(error) => of_table(error),
    }
}

fn of_labels(error: &LabelsError) -> Option<&'static str> {
    match error {
        LabelsError::OtherMachine(_) => Some("choose the other with --machine"),
        LabelsError::None => Some("--all prints labels for those, too"),
        LabelsError::Table(error) => of_table(error),
        LabelsError::TooMany | LabelsError::Size { .. } => None,
    }
}

fn of_page(error: &PageError) -> Option<&'static str> {
    match error {
        PageError::TooManyBoards { .. } => Some("choose a smaller game"),
        PageError::TooManyBoxes { .. } => None,
        PageError::Data(_) => Some(MAKE_AGAIN),
        PageError::Table(error) => of_table(error),
    }
}

fn of_training(error: &TrainError) -> Option<&'static str> {
    match error {
        TrainError::NoChoice(_) => Some("choose another game or machine"),
        TrainError::OtherBoxes { .. } | TrainError::NotTrained(_) | TrainError::NoBox { .. } => {
            Some("start without --from")
        }
        TrainError::Table(error) => of_table(error),
        TrainError::Stopped(_) => Some(NOTHING_LEFT),
        TrainError::Beads { .. } => None,
    }
}

fn of_play(error: &PlayError) -> Option<&'static str> {
    match error {
        PlayError::Table(error) => of_table(error),
        PlayError::Read(_) | PlayError::Write(_) => None,
    }
}

fn of_diff(error: &DiffError) -> Option<&'static str> {
    match error {
        DiffError::Table(error) => of_table(error),
        DiffError::Games { .. } => None,
        DiffError::Machines { .. } => Some("make them with the same --machine"),
    }
}

fn of_odds(error: &OddsError) -> Option<&'static str> {
    match error {
        OddsError::GoesInCircles(_) => Some("choose a game that ends"),
        OddsError::Table(error) => of_table(error),
        OddsError::Stopped(_) => Some(NOTHING_LEFT),
        OddsError::Illegal { .. } => None,
    }
}

//! Errors as sentences for people: what went wrong, and what to do about it.
//!
//! The library says what went wrong. This file adds what to do, in terms of the command line.

use std::io;

use menace::diff::DiffError;
use menace::draw::{LabelsError, MapError, PageError};
use menace::game::NotInPlay;
use menace::games::GameError;
use menace::kit::KitError;
use menace::level::NoDepths;
use menace::odds::OddsError;
use menace::progress::Stopped;
use menace::table::{JsonError, PackedError, PlanError, ResumeError, ShelfError, TableError};
use menace::train::TrainError;
use menace::verify::{DecodeError, VerifyError};

use crate::play::PlayError;

/// An error as one sentence, followed by advice if there is any.
pub fn sentence(error: &anyhow::Error) -> String {
    let told = format!("{error:#}");
    match error.chain().find_map(advice) {
        Some(advice) if told.ends_with('?') => format!("{told} {advice}"),
        Some(advice) => format!("{told}; {advice}"),
        None => told,
    }
}

/// The making of a packed table was stopped.
#[derive(Debug, thiserror::Error)]
#[error(
    "the work was stopped; run the same command again: it resumes after the last complete part in {0}, if there is one"
)]
pub struct Interrupted(pub String);

fn advice(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    None.or_else(|| error.downcast_ref().and_then(of_table))
        .or_else(|| error.downcast_ref().and_then(of_json))
        .or_else(|| error.downcast_ref().and_then(of_packed))
        .or_else(|| error.downcast_ref().and_then(of_verifying))
        .or_else(|| error.downcast_ref().and_then(of_plan))
        .or_else(|| error.downcast_ref().and_then(of_resume))
        .or_else(|| error.downcast_ref().and_then(of_shelf))
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
        .or_else(|| error.downcast_ref::<NoDepths>().map(|_| WITH_DEPTHS))
        .or_else(|| error.downcast_ref::<Stopped>().map(|_| NOTHING_LEFT))
        .or_else(|| error.downcast_ref::<io::Error>().and_then(of_file))
}

const WITH_DEPTHS: &str = "make the table again with --depths, or choose random, safe or perfect";
const NOTHING_LEFT: &str = "no unfinished file was left behind";
const MAKE_AGAIN: &str =
    "make the table again with `menace generate`; for a table on a shelf, `menace join` lists the parts to make again";
const RESUMES: &str = "run the same command again: it resumes after the last complete part, if there is one";
const MAKE_ROOM: &str =
    "make room, and run the same command again: it resumes after the last complete part, if there is one";
const NO_PERMISSION: &str = "check who may use it, or choose another place";
const RAISE_LIMIT: &str = "raise the limit on file sizes, or choose another place with -o";

fn of_table(error: &TableError) -> Option<&'static str> {
    match error {
        TableError::Json(error) => of_json(error),
        TableError::Packed(error) => of_packed(error),
        TableError::Plan(error) => of_plan(error),
        TableError::Resume(error) => of_resume(error),
        TableError::Shelf(error) => of_shelf(error),
        TableError::NotInPlay(error) => of_position(error),
        TableError::NotReached(_) => Some("choose a board that can occur"),
        TableError::NoBox { .. } => Some(
            "trained tables and kits leave out the boxes that they never open; for any other table, choose a board that can occur or make the table again",
        ),
        TableError::NoMachine(_) => Some("choose a board where the other machine is to move, or make a table of both"),
        TableError::Wrong(_) => Some("`menace verify` shows what is wrong"),
        TableError::Stopped(_) => Some(NOTHING_LEFT),
        TableError::Io(_) => None,
    }
}

fn of_json(error: &JsonError) -> Option<&'static str> {
    match error {
        JsonError::Empty | JsonError::CutShort { .. } => Some(MAKE_AGAIN),
        JsonError::Json(_) => Some("tables are made with `menace generate` or `menace train`"),
        JsonError::Version { .. } => Some("use a version of menace that can read it, or make the table again"),
        JsonError::TrapInCircles { .. } => Some("make the table again with another aim"),
        JsonError::Lessons { .. } => Some("train it again"),
        JsonError::Game(error) => of_game(error),
        _ => None,
    }
}

fn of_packed(error: &PackedError) -> Option<&'static str> {
    match error {
        PackedError::Magic => Some("tables are made with `menace generate`"),
        PackedError::Version(1 | 2) => Some("run the `menace generate` that made it again"),
        PackedError::Version(_) => Some("use a version of menace that can read it, or make the table again"),
        PackedError::Unfinished => Some("run the `menace generate` that started it again to finish it"),
        PackedError::Compressed | PackedError::OnPage => None,
        PackedError::Game(error) => of_game(error),
        PackedError::OtherGame { .. } | PackedError::Io(_) => None,
        PackedError::Header(_)
        | PackedError::NoRowGame(_)
        | PackedError::Incomplete { .. }
        | PackedError::Length { .. }
        | PackedError::Wrong { .. }
        | PackedError::Record { .. }
        | PackedError::Chunk { .. }
        | PackedError::CutShort => Some(MAKE_AGAIN),
    }
}

fn of_verifying(error: &VerifyError) -> Option<&'static str> {
    match error {
        VerifyError::Table(error) => of_table(error),
        VerifyError::Decode(error) => of_decoder(error),
        VerifyError::Stopped(_) => Some(NOTHING_LEFT),
    }
}

fn of_decoder(error: &DecodeError) -> Option<&'static str> {
    match error {
        DecodeError::Magic => Some("tables are made with `menace generate`"),
        DecodeError::Version(1 | 2) => Some("run the `menace generate` that made it again"),
        DecodeError::Version(_) => Some("use a version of menace that can read it, or make the table again"),
        DecodeError::Memory { .. } => Some("check some of its boards with --sample"),
        DecodeError::Game(error) => of_game(error),
        DecodeError::Io(_) => None,
        _ => Some(MAKE_AGAIN),
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
        ResumeError::Another { .. } => Some("finish it with the command that started it, or remove it"),
        ResumeError::NoTable { .. } => Some("move it away, or choose another file with -o"),
        ResumeError::Locked { .. } => Some("wait for it, or choose another file with -o"),
        ResumeError::Write { source, .. } | ResumeError::Border { source, .. } => Some(match source.kind() {
            io::ErrorKind::StorageFull => MAKE_ROOM,
            io::ErrorKind::FileTooLarge | io::ErrorKind::QuotaExceeded => RAISE_LIMIT,
            io::ErrorKind::PermissionDenied => NO_PERMISSION,
            _ => RESUMES,
        }),
    }
}

fn of_shelf(error: &ShelfError) -> Option<&'static str> {
    match error {
        ShelfError::NoPlan { .. } => Some("make the plan with `menace generate --plan --shelf FOLDER`"),
        ShelfError::Plan { .. } | ShelfError::Version { .. } => {
            Some("choose an empty folder, and make the plan again with `menace generate --plan --shelf FOLDER`")
        }
        ShelfError::Another { .. } => Some("choose another folder with --shelf"),
        ShelfError::Missing { .. } | ShelfError::Incomplete { .. } => {
            Some("make them with `menace part NUMBER --shelf FOLDER`")
        }
        ShelfError::NoPart { .. } => None,
        ShelfError::File { .. } => Some("what is complete stays there; put that right, and run the same command again"),
    }
}

/// A file that is not there, or a folder. Where a folder is missing, the library says so itself.
fn of_file(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        io::ErrorKind::NotFound if error.raw_os_error().is_some() => Some("check the name"),
        io::ErrorKind::NotFound => Some("make it first, or choose another place"),
        io::ErrorKind::IsADirectory => Some("choose a file"),
        io::ErrorKind::PermissionDenied => Some(NO_PERMISSION),
        io::ErrorKind::StorageFull => Some("make room, or choose another place"),
        io::ErrorKind::InvalidInput if error.raw_os_error().is_none() => Some("choose another place"),
        _ => None,
    }
}

fn of_position(error: &NotInPlay) -> Option<&'static str> {
    match error {
        NotInPlay::Impossible { .. } => None,
        NotInPlay::Over { .. } => Some("choose a board where it is not over"),
        NotInPlay::NotReached { .. } => Some("choose a board that can occur"),
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
        KitError::Lost { .. } => Some("try the other machine with --machine"),
        KitError::NotFirst => Some("leave --opening out, or choose --machine first"),
        KitError::Unsolved(_) => Some("choose a smaller game"),
        KitError::Table(error) => of_table(error),
        KitError::Opening { .. } => None,
    }
}

fn of_picture(error: &MapError) -> Option<&'static str> {
    match error {
        MapError::OtherMachine(_) | MapError::Lost { .. } => Some("choose the other machine with --machine"),
        MapError::Moves(_) => Some("`menace draw box` draws one of its boxes"),
        MapError::TooMany { .. } => Some("choose a smaller game"),
        MapError::NoBead { .. } => Some("choose another table"),
        MapError::Table(error) => of_table(error),
    }
}

fn of_labels(error: &LabelsError) -> Option<&'static str> {
    match error {
        LabelsError::OtherMachine(_) => Some("choose the other machine with --machine"),
        LabelsError::None => Some("--all prints labels for those boards, too"),
        LabelsError::Table(error) => of_table(error),
        LabelsError::TooMany | LabelsError::Size { .. } => None,
    }
}

fn of_page(error: &PageError) -> Option<&'static str> {
    match error {
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
        TrainError::Beads { .. } | TrainError::Illegal { .. } | TrainError::NotOver { .. } => None,
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
    }
}

fn of_odds(error: &OddsError) -> Option<&'static str> {
    match error {
        OddsError::GoesInCircles(_) => Some("choose a game that always ends"),
        OddsError::Table(error) => of_table(error),
        OddsError::Stopped(_) => Some(NOTHING_LEFT),
        OddsError::Illegal { .. } => None,
    }
}

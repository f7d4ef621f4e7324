//! Long work can be stopped: it ends soon, reports that it was stopped, and damages nothing.

mod common;

use std::fs;
use std::path::Path;

use common::game;
use common::learner::{LEARNERS, course, seats};
use common::packed_file::ends;
use common::stopping::{StopAfter, StopIn};
use menace::diff::{Diff, DiffError};
use menace::kit::{KitError, KitPlan, kit};
use menace::odds::{OddsError, odds};
use menace::progress::{Stage, Stopped};
use menace::quality::quality;
use menace::search::for_each_position;
use menace::stats::Stats;
use menace::table::Classes;
use menace::train::{Arena, Teaching, TrainError, Training};
use menace::verify::{Report, Sample, VerifyError, verify};
use menace::{Aim, BySide, Perfect, Plan, Progress, Random, Side, Sides, Table, TableError};
use tempfile::TempDir;

/// Asserts that work can be stopped early, late and in between. `work` returns whether it was stopped.
fn assert_stops(what: &str, work: impl Fn(&dyn Progress) -> bool) {
    let listener = StopAfter::never();
    assert!(!work(&listener), "{what} stopped without being asked to");
    let all = listener.reports();
    assert!(all > 10, "{what} reports only {all} times");
    for reports in [0, 1, 5, all / 2] {
        let listener = StopAfter::new(reports);
        assert!(work(&listener), "{what} was not stopped after {reports} of {all} reports");
        assert!(listener.reports() < all, "{what} was stopped after {reports} of {all} reports but ran to the end");
    }
}

/// Whether work on tables was stopped. Panics if it failed for another reason.
fn is_stopped<T>(ended: Result<T, TableError>) -> bool {
    match ended {
        Ok(_) => false,
        Err(TableError::Stopped(_)) => true,
        Err(error) => panic!("{error}"),
    }
}

/// The same for verifying.
fn is_verify_stopped(ended: Result<Report, VerifyError>) -> bool {
    match ended {
        Ok(_) => false,
        Err(VerifyError::Stopped(_)) => true,
        Err(error) => panic!("{error}"),
    }
}

fn generate(name: &str, plan: &Plan, progress: &dyn Progress) -> Result<Table, TableError> {
    Table::generate_boxes(game(name), plan, progress)
}

fn pack(name: &str, progress: &dyn Progress) -> Result<Table, TableError> {
    Table::generate_packed(game(name), &Plan::default(), progress)
}

#[test]
fn making_a_table_can_be_stopped() {
    for aim in Aim::ALL {
        let plan = Plan { aim, ..Plan::default() };
        assert_stops("generate_boxes", |progress| is_stopped(generate("4x3x3", &plan, progress)));
    }
    assert_stops("generate_boxes by moves", |progress| {
        is_stopped(generate("4x4x4+gravity", &Plan::default(), progress))
    });
    assert_stops("generate", |progress| is_stopped(Table::generate(game("4x4x4"), &Plan::default(), progress)));
    assert_stops("generate_packed", |progress| is_stopped(pack("4x4x4", progress)));
    assert_stops("for_each_position", |progress| for_each_position(&*game("4x3x3"), progress, |_| ()) == Err(Stopped));
}

#[test]
fn planning_a_table_can_be_stopped() {
    let game = game("5x4x4+gravity");
    assert_stops("a plan", |progress| is_stopped(Plan::default().schedule(&*game, progress)));
}

#[test]
fn examining_a_table_can_be_stopped() {
    let fresh = || generate("4x3x3", &Plan::default(), &()).unwrap();
    let (boxes, packed) = (fresh(), pack("4x4x4+gravity", &()).unwrap());
    assert_stops("verify", |progress| is_verify_stopped(verify(&boxes, None, progress)));
    assert_stops("verify, packed", |progress| is_verify_stopped(verify(&packed, None, progress)));
    let sample = Some(Sample { boards: 2_000_000, seed: 1 });
    assert_stops("verify, a sample", |progress| is_verify_stopped(verify(&packed, sample, progress)));
    assert_stops("stats", |progress| is_stopped(Stats::of(&boxes, progress)));
    assert_stops("quality", |progress| is_stopped(quality(&boxes, progress)));
    assert_stops("unpacked", |progress| is_stopped(packed.unpacked(progress)));
    assert_stops("solve", |progress| is_stopped(fresh().solve(progress)));
    assert_stops("perfect play", |progress| is_stopped(Perfect::of(&game("4x4x4"), progress)));
    assert_stops("write_json", |progress| {
        is_stopped(boxes.write_json(std::io::sink(), progress).map_err(TableError::from))
    });
}

#[test]
fn comparing_tables_can_be_stopped() {
    let safe = generate("4x3x3", &Plan::default(), &()).unwrap();
    let win = generate("4x3x3", &Plan { aim: Aim::Win, ..Plan::default() }, &()).unwrap();
    let packed = pack("4x3x3", &()).unwrap();
    // Two packed tables are compared group by group, and these have the same.
    let large = pack("4x4x4", &()).unwrap();
    for (a, b) in [(&safe, &win), (&safe, &packed), (&packed, &win), (&large, &large)] {
        assert_stops("diff", |progress| match Diff::new(a, b, progress) {
            Ok(_) => false,
            Err(DiffError::Table(TableError::Stopped(_))) => true,
            Err(error) => panic!("{error}"),
        });
    }
}

#[test]
fn odds_can_be_stopped() {
    let game = game("4x3x3");
    assert_stops("odds", |progress| match odds(&*game, BySide { first: &Random, second: &Random }, progress) {
        Ok(_) => false,
        Err(OddsError::Stopped(_) | OddsError::Table(TableError::Stopped(_))) => true,
        Err(error) => panic!("{error}"),
    });
}

/// Whether training was stopped. Panics if it failed for another reason.
fn is_training_stopped<T>(ended: Result<T, TrainError>) -> bool {
    match ended {
        Ok(_) => false,
        Err(TrainError::Stopped(_) | TrainError::Table(TableError::Stopped(_))) => true,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn stopped_training_keeps_what_it_has_learned() {
    let game = game("tictactoe");
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let (teaching, course) = (Teaching::default(), course(200, 10));
    assert_stops("train", |progress| {
        let mut training = Training::begin(&arena, &teaching, 1).unwrap();
        let ended = course.train(&mut training, progress, |_| Ok::<(), TrainError>(()));
        is_training_stopped(ended)
    });
    assert_stops("train_all", |progress| is_training_stopped(course.train_all(&arena, &teaching, 1..9, progress)));
    let mut stopped = Training::begin(&arena, &teaching, 1).unwrap();
    let ended = course.train(&mut stopped, &StopAfter::new(3), |_| Ok::<(), Stopped>(()));
    assert_eq!((ended.err(), stopped.games()), (Some(Stopped), 40));
    let mut same = Training::begin(&arena, &teaching, 1).unwrap();
    same.play(40);
    assert_eq!(stopped.boxes(Side::First, &[], "random"), same.boxes(Side::First, &[], "random"));
}

#[test]
fn preparing_to_train_and_choosing_a_kit_can_be_stopped() {
    let game = game("4x3x3");
    let classes = Classes::new(&*game, true);
    assert_stops("an arena", |progress| is_stopped(Arena::new(&game, &classes, LEARNERS, progress)));
    let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: None };
    for reports in [0, 1, 5] {
        let ended = kit(game.clone(), &plan, &StopAfter::new(reports));
        assert!(matches!(ended, Err(KitError::Table(TableError::Stopped(_)))), "after {reports} reports");
    }
}

#[cfg(feature = "zstd")]
#[test]
fn expanding_a_compressed_table_can_be_stopped() {
    let plan = Plan { compress: true, ..Plan::default() };
    let table = Table::generate_packed(game("5x4x4+gravity"), &plan, &()).unwrap();
    assert_stops("taking a compressed table into memory", |progress| is_stopped(table.in_memory(progress)));
    let all = StopAfter::never();
    table.in_memory(&all).unwrap();
    assert_eq!(all.stages(), [Stage::Checksums; 2], "those of the file, and those of what was expanded");
    let early = StopAfter::new(0);
    assert!(is_stopped(table.in_memory(&early)));
    assert_eq!(early.stages(), [Stage::Checksums], "stopped before it was expanded");
}

/// The names of all files in a folder.
fn files_in(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

#[test]
fn a_stopped_packed_file_resumes_and_ends_with_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let make = |name: &str, progress: &dyn Progress| {
        let (path, plan) = (folder.path().join(name), Plan { depths: true, ..Plan::default() });
        Table::generate_to(&path, game("6x4x4+gravity"), &plan, progress).map(|_| fs::read(&path).unwrap())
    };
    let listener = StopAfter::never();
    let whole = make("whole.menace", &listener).unwrap();
    let (all, ends) = (listener.reports(), ends(&whole));
    let mut resumed = 0;
    for reports in [0, 1, 5, all / 4, all / 2, 3 * all / 4, all - 1] {
        let name = format!("{reports}.menace");
        let stopped = make(&name, &StopAfter::new(reports)).err().unwrap();
        assert!(matches!(stopped, TableError::Stopped(_)), "{stopped}");
        let part = fs::read(folder.path().join(format!("{name}.part"))).unwrap();
        let complete = ends.iter().filter(|&&end| part.get(..end) == Some(&whole[..end])).count().saturating_sub(1);
        assert!(!folder.path().join(&name).exists(), "there is no table until it is complete");
        let listener = StopAfter::never();
        assert!(make(&name, &listener).unwrap() == whole, "resumed after {reports} reports");
        assert_eq!(listener.resumed(), (complete > 0).then_some(complete), "after {reports} reports");
        resumed += u32::from(complete > 0);
    }
    assert!(resumed >= 2, "some were stopped after a complete part");
    assert!(files_in(folder.path()).iter().all(|name| name.ends_with(".menace")), "no part is left behind");
}

#[test]
fn a_file_that_is_stopped_repeatedly_is_eventually_finished() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.menace");
    let make = |progress: &dyn Progress| Table::generate_to(&path, game("4x4x3"), &Plan::default(), progress);
    let whole = Table::generate_packed(game("4x4x3"), &Plan::default(), &()).unwrap();
    // One more report each time, so that each run gets a little further.
    let runs = (0..1000).take_while(|&reports| is_stopped(make(&StopAfter::new(reports)))).count();
    assert!(runs > 5 && runs < 1000, "{runs} runs");
    assert!(fs::read(&path).unwrap() == whole.packed_bytes().unwrap().unwrap());
}

#[test]
fn a_stopped_json_file_leaves_nothing_behind() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.json");
    let make = |progress: &dyn Progress| Table::generate_to(&path, game("4x3x3"), &Plan::default(), progress);
    for reports in [0, 1, 5, 50] {
        assert!(is_stopped(make(&StopAfter::new(reports))), "after {reports} reports");
        assert_eq!(files_in(folder.path()), [""; 0], "after {reports} reports");
    }
    let writing = StopIn::new(Stage::Write);
    assert!(is_stopped(make(&writing)) && writing.is_reached(), "while writing");
    assert_eq!(files_in(folder.path()), [""; 0]);
    fs::write(&path, "what was there before").unwrap();
    assert!(is_stopped(make(&StopIn::new(Stage::Write))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "what was there before");
    assert_eq!(files_in(folder.path()), ["t.json"]);
}

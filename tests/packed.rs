//! The engine and packed tables, compared board by board with the general path; and packed tables as files.

mod common;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Once};

use common::packed_file::{ends, parts};
use common::stopping::StopAfter;
use common::{game, small_row_games};
use menace::diff::{Diff, DiffError};
use menace::progress::{Progress, Stage};
use menace::search::for_each_position;
use menace::stats::{BoardStats, Counts};
use menace::table::{PackedError, ResumeError};
use menace::verify::{VerifyError, verify};
use menace::{Aim, Board, Game, Matchbox, Outcome, Plan, Position, Side, Sides, Table, TableError, Verdict};
use rayon::prelude::*;
use tempfile::TempDir;

fn plan(aim: Aim, symmetry: bool) -> Plan {
    Plan { aim, symmetry, ..Plan::default() }
}

fn pack(name: &str, plan: &Plan) -> Table {
    Table::generate_packed(game(name), plan, &()).unwrap()
}

fn bytes_of(name: &str, plan: &Plan) -> Vec<u8> {
    pack(name, plan).packed_bytes().unwrap().unwrap()
}

fn read(bytes: Vec<u8>) -> Result<Table, TableError> {
    Table::read(bytes, None)
}

/// The lost boards of a row game, found by passes of the learn rule, without the engine.
struct General {
    game: Arc<dyn Game>,
    lost: HashMap<Position, u32>,
}

impl General {
    fn of(name: &str) -> General {
        let game = game(name);
        // The winner makes the last move; in misère the loser does.
        let loser_ends = u32::from(game.as_rows().unwrap().is_misere());
        let mut lost = HashMap::new();
        for side in Side::BOTH {
            let plan = Plan { machines: side.into(), ..Plan::default() };
            let table = Table::generate_boxes(game.clone(), &plan, &()).unwrap();
            let boxes = table.machine(side).unwrap().to_boxes().unwrap();
            let rounds = boxes.iter().filter_map(|(board, matchbox)| Some((board, matchbox.banned()?.round()?)));
            lost.extend(rounds.map(|(board, round)| (Position::new(board, side), 2 * round - loser_ends)));
        }
        General { game, lost }
    }

    fn verdict(&self, at: Position) -> Verdict {
        if let Some(outcome) = self.game.result(at) {
            return Verdict::finished(outcome);
        }
        if let Some(&depth) = self.lost.get(&at) {
            return Verdict::loss(depth);
        }
        let wins = self.game.moves(at).into_iter().filter_map(|mv| match self.game.result(at.play(mv)) {
            Some(outcome) => (outcome == Outcome::Loss).then_some(1),
            None => self.lost.get(&at.play(mv)).map(|depth| depth + 1),
        });
        wins.min().map_or(Verdict::DRAW, Verdict::win)
    }
}

/// Compares the set of boards, every verdict and depth, and the counts by number of stones.
fn assert_same_verdicts(name: &str) {
    let (game, general) = (game(name), General::of(name));
    let (winners, depths) = (pack(name, &plan(Aim::Safe, false)), pack(name, &plan(Aim::Fastest, false)));
    let mut tiers = BTreeMap::<u32, Counts>::new();
    let walk = for_each_position(&*game, &(), |at| {
        let (expected, is_finished) = (general.verdict(at), game.result(at).is_some());
        let without_depth = Verdict { depth: expected.depth.filter(|_| is_finished), ..expected };
        assert_eq!(winners.verdict(at).unwrap(), without_depth, "{name} {}", at.board);
        assert_eq!(depths.verdict(at).unwrap(), expected, "{name} {}", at.board);
        let tier = tiers.entry(at.board.stone_count()).or_default();
        tier.total += 1;
        tier.finished += u64::from(is_finished);
        *match expected.outcome {
            Outcome::Win => &mut tier.win,
            Outcome::Draw => &mut tier.draw,
            Outcome::Loss => &mut tier.loss,
        } += 1;
    });
    walk.unwrap();
    for table in [&winners, &depths] {
        let stats = BoardStats::of(table, &()).unwrap();
        let found = stats.by_stones.iter().filter(|tier| tier.counts.total > 0);
        assert!(found.map(|tier| (tier.stones, tier.counts)).eq(tiers.clone()), "{name} {stats:?}\n{tiers:?}");
    }
}

/// Compares the set of boxes, and the beads and reasons in each. Only the boxes of the general path are all in memory.
fn assert_same_boxes(name: &str, aim: Aim, symmetry: bool) {
    let plan = plan(aim, symmetry);
    let (table, packed) = (Table::generate_boxes(game(name), &plan, &()).unwrap(), pack(name, &plan));
    for machine in Side::BOTH {
        let boxes = table.machine(machine).unwrap().to_boxes().unwrap();
        let boxes: Vec<(Board, &Matchbox)> = boxes.iter().collect();
        let mut is_found = vec![false; boxes.len()];
        let visited = packed.machine(machine).unwrap().for_each_batch(&mut |batch| {
            let compare = |(board, found): &(Board, Cow<'_, Matchbox>)| {
                let place = boxes.binary_search_by_key(board, |(board, _)| *board);
                let place = place.unwrap_or_else(|_| panic!("{name} {aim:?} {machine} has no box for {board}"));
                let (_, matchbox) = boxes[place];
                assert!(matchbox.agrees_with(found), "{name} {aim:?} {board}\n{matchbox:?}\n{found:?}");
                place
            };
            for place in batch.par_iter().map(compare).collect::<Vec<_>>() {
                assert!(!is_found[place], "{} of {name} comes twice", boxes[place].0);
                is_found[place] = true;
            }
            Ok(true)
        });
        visited.unwrap();
        let missing = is_found.iter().position(|is_found| !is_found).map(|place| boxes[place].0);
        assert_eq!(missing, None, "a box of {name} {aim:?} {machine}, symmetry {symmetry}");
    }
}

/// The aims that a packed table can have. It stores no odds, so `trap` is not among them.
const PACKED_AIMS: [Aim; 3] = [Aim::Safe, Aim::Win, Aim::Fastest];

#[test]
fn verdicts_of_every_small_row_game_match_the_general_path() {
    let names = small_row_games();
    assert!(names.len() >= 200);
    names.par_iter().for_each(|name| assert_same_verdicts(name));
}

#[test]
fn boxes_of_every_small_row_game_match_the_general_path() {
    small_row_games().par_iter().for_each(|name| {
        for aim in PACKED_AIMS {
            assert_same_boxes(name, aim, false);
            assert_same_boxes(name, aim, true);
        }
    });
}

#[test]
fn verdicts_of_larger_games_match_the_general_path() {
    for name in ["4x4x4+gravity", "5x3x3+gravity+misere", "2x7x2", "7x2x3+misere", "4x4x3", "4x4x4", "5x3x4"] {
        assert_same_verdicts(name);
    }
    for name in ["5x4x4+gravity", "4x5x4+gravity", "4x5x3+gravity", "6x4x3+gravity"] {
        assert_same_verdicts(name);
    }
}

/// Games of three to ten million boards.
const LARGER: [&str; 5] = ["4x4x4", "4x4x3", "5x3x4", "5x4x4+gravity", "4x5x4+gravity"];

/// Of the aims, only `fastest` takes out beads for every reason. With symmetry there is a box for each class; the other boxes
/// of the three largest games are left to the test below.
#[test]
fn boxes_of_larger_games_match_the_general_path() {
    for aim in PACKED_AIMS {
        assert_same_boxes("4x4x4+gravity", aim, false);
        assert_same_boxes("4x4x4+gravity", aim, true);
    }
    for name in LARGER {
        assert_same_boxes(name, Aim::Fastest, true);
    }
    for name in ["4x4x3", "4x5x4+gravity"] {
        assert_same_boxes(name, Aim::Fastest, false);
    }
}

#[test]
#[ignore = "takes some six CPU minutes and 2 GB"]
fn all_boxes_of_larger_games_match_the_general_path() {
    for name in LARGER {
        for aim in PACKED_AIMS {
            assert_same_boxes(name, aim, false);
            assert_same_boxes(name, aim, true);
        }
    }
}

#[test]
fn connect_four_on_five_by_five_has_the_known_totals() {
    let table = pack("5x5x4+gravity", &Plan::default());
    let all = BoardStats::of(&table, &()).unwrap().all;
    assert_eq!((all.total, all.draw, all.loss, all.win), (69_763_700, 14_419_273, 28_047_793, 27_296_634));
    let wins = Side::BOTH.map(|side| table.machine(side).unwrap().outcome_count(Outcome::Win).unwrap());
    assert_eq!(wins.iter().sum::<u64>(), all.win, "a finished board is never won for the side to move");
    assert_eq!(table.verdict(table.game().start()).unwrap(), Verdict::DRAW);
}

#[test]
fn a_packed_table_has_boxes_only_for_its_machines() {
    let table = pack("3x3x3", &Plan { machines: Sides::SECOND, ..Plan::default() });
    let start = table.game().start();
    assert_eq!(table.matchbox(start).unwrap(), None);
    assert!(table.machine(Side::First).is_none());
    let after = Position::new(Board::parse("X........", table.game().shape()).unwrap(), Side::Second);
    assert!(table.matchbox(after).unwrap().is_some());
    assert_eq!(table.verdict(start).unwrap(), Verdict::DRAW, "a verdict is a fact of the game");
}

#[test]
fn a_flipped_bit_anywhere_is_detected() {
    for (name, aim) in [("3x3x3", Aim::Safe), ("3x2x3+gravity", Aim::Fastest), ("4x3x3+misere", Aim::Win)] {
        let bytes = bytes_of(name, &plan(aim, false));
        let check = |bytes| verify(&read(bytes)?, None, &());
        assert!(check(bytes.clone()).unwrap().is_correct());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(check(damaged).is_err(), "byte {at} of {name}");
        }
    }
}

#[test]
fn looking_up_a_board_in_a_damaged_chunk_fails() {
    let mut bytes = bytes_of("4x4x4", &Plan::default());
    // The last byte of the payload is the empty board: a group of one board.
    let last = parts(&bytes).unwrap()[0].payload.end - 1;
    bytes[last] ^= 1;
    let table = read(bytes).unwrap();
    let start = table.game().start();
    let is_damage = |error| matches!(error, TableError::Packed(PackedError::Chunk { part: 0, chunk: 1.. }));
    assert!(is_damage(table.verdict(start).unwrap_err()));
    assert!(is_damage(table.matchbox(start).unwrap_err()));
    let other = Board::parse("XOXO/XOXO/OXOX/....", table.game().shape()).unwrap();
    let other = Position::new(other, Side::First);
    assert!(table.matchbox(other).unwrap().is_some(), "other chunks are unaffected");
}

#[test]
fn files_that_are_not_packed_tables_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.menace");
    let bytes = bytes_of("3x3x3", &Plan::default());
    let refusal = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Table::open(&path).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(refusal(&bytes), "");
    assert!(refusal(b"{\"format\"").contains("not a packed table"));
    let (long, short) = (bytes.len(), bytes.len() - 1);
    assert!(refusal(&bytes[..short]).contains("cut short: it has 0 of 1 parts"));
    let longer = format!("should have {long} bytes and has {}", long + 1);
    assert!(refusal(&[&bytes[..], b"x"].concat()).contains(&longer));
    assert!(refusal(&bytes[..20]).contains("cut short"));
    assert!(refusal(&bytes[..9]).contains("cut short"));
    for version in [1, 2, 4] {
        let mut other = bytes.clone();
        other[8] = version;
        assert!(refusal(&other).contains(&format!("version 3 was expected, found {version}")));
    }
    let mut long = bytes.clone();
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(&long).contains("would have 4294967295 bytes where at most 4076 were expected"));
    for (from, to, why) in [
        ("\"aim\":\"safe\"", "\"aim\":\"trap\"", "has the aim \"trap\" where safe, win or fastest was expected"),
        ("\"both\"", "\"none\"", "has the machines \"none\" where first, second or both was expected"),
        ("\"fold\"", "\"pile\"", "has the layout \"pile\" where fold or tiles was expected"),
    ] {
        let told = refusal(&with_description(&bytes, from, to));
        assert!(told.ends_with(why), "{told}");
    }
}

/// A table with a text in its description changed.
fn with_description(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let end = 16 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let description = std::str::from_utf8(&bytes[16..end]).unwrap();
    assert!(description.contains(from), "{description}");
    let description = description.replacen(from, to, 1);
    let start = [&bytes[..12], &(description.len() as u32).to_le_bytes(), description.as_bytes()].concat();
    [&start[..], &crc32fast::hash(&start).to_le_bytes(), &bytes[end + 4..]].concat()
}

/// A folder for one table and for what an earlier run left of it.
struct Workplace {
    folder: TempDir,
}

impl Workplace {
    fn with_part(bytes: &[u8]) -> Workplace {
        let place = Workplace { folder: TempDir::new().unwrap() };
        fs::write(place.part(), bytes).unwrap();
        place
    }

    fn table(&self) -> PathBuf {
        self.folder.path().join("t.menace")
    }

    fn part(&self) -> PathBuf {
        self.folder.path().join("t.menace.part")
    }

    fn borders(&self) -> PathBuf {
        self.folder.path().join("t.menace.part.borders")
    }

    /// Makes the table. Returns how many parts of the earlier run were kept, if it was resumed.
    fn generate(&self, name: &str, plan: &Plan) -> Result<Option<usize>, TableError> {
        Ok(self.resume(name, plan)?.map(|(parts, _)| parts))
    }

    /// Makes the table. Returns how many parts of the earlier run were kept and how many were made again, if it was resumed.
    fn resume(&self, name: &str, plan: &Plan) -> Result<Option<(usize, usize)>, TableError> {
        let listener = StopAfter::never();
        Table::generate_to(self.table(), game(name), plan, &listener)?;
        let files = fs::read_dir(self.folder.path()).unwrap().count();
        assert_eq!(files, 1, "a finished table leaves nothing else behind");
        Ok(listener.stages().into_iter().find_map(|stage| match stage {
            Stage::Resume { parts, again } => Some((parts, again)),
            _ => None,
        }))
    }
}

#[test]
fn a_run_resumes_from_wherever_it_was_interrupted() {
    for (name, plan) in [
        ("6x4x4+gravity", Plan { depths: true, compress: cfg!(feature = "zstd"), ..Plan::default() }),
        ("6x4x4+gravity+misere", plan(Aim::Fastest, true)),
    ] {
        let bytes = bytes_of(name, &plan);
        let all = StopAfter::never();
        Table::generate_packed(game(name), &plan, &all).unwrap();
        let place = Workplace { folder: TempDir::new().unwrap() };
        let mut kept = 0;
        for step in 1..=10 {
            let listener = StopAfter::new(all.reports() / 3);
            match Table::generate_to(place.table(), game(name), &plan, &listener) {
                Ok(_) => break,
                Err(error) => assert!(matches!(error, TableError::Stopped(_)), "{error}"),
            }
            let resumed = listener.resumed().unwrap_or(0);
            assert!(resumed >= kept, "{name}: run {step} kept {resumed} parts, the one before {kept}");
            kept = resumed;
        }
        assert!(kept > 0, "{name} was resumed");
        if !place.table().exists() {
            place.generate(name, &plan).unwrap();
        }
        assert!(fs::read(place.table()).unwrap() == bytes, "{name}");
    }
}

/// Its borders are in memory, since it takes a fraction of a second.
#[test]
fn an_interrupted_run_of_a_small_game_starts_over() {
    let (name, plan) = ("5x4x4+gravity", Plan::default());
    let (place, _) = interrupted(name, &plan);
    assert!(!place.borders().exists());
    assert_eq!(place.generate(name, &plan).unwrap(), None);
    assert!(fs::read(place.table()).unwrap() == bytes_of(name, &plan));
}

/// An unfinished run that has some parts, and how many.
fn interrupted(name: &str, plan: &Plan) -> (Workplace, usize) {
    let all = StopAfter::never();
    Table::generate_packed(game(name), plan, &all).unwrap();
    let place = Workplace { folder: TempDir::new().unwrap() };
    Table::generate_to(place.table(), game(name), plan, &StopAfter::new(all.reports() * 3 / 4)).err().unwrap();
    let bytes = fs::read(place.part()).unwrap();
    let complete = bytes_of(name, plan);
    let kept = ends(&complete).iter().filter(|&&end| bytes.get(..end) == Some(&complete[..end])).count() - 1;
    assert!(kept > 2, "{name}: {kept} parts are complete");
    (place, kept)
}

/// Whether a file has the name of a border that is complete.
fn is_border(path: &Path) -> bool {
    path.file_name().unwrap().to_str().unwrap().starts_with(|first: char| first.is_ascii_digit())
}

#[test]
fn a_damaged_part_or_border_of_an_unfinished_run_is_made_again() {
    let (name, plan) = ("6x4x4+gravity", Plan { depths: true, ..Plan::default() });
    let bytes = bytes_of(name, &plan);
    let damage = |path: &Path, at: usize| {
        let mut bytes = fs::read(path).unwrap();
        bytes[at] ^= 4;
        fs::write(path, bytes).unwrap();
    };
    let (place, kept) = interrupted(name, &plan);
    damage(&place.part(), ends(&bytes)[kept - 1] + 30);
    let resumed = place.generate(name, &plan).unwrap().unwrap_or(0);
    assert!(resumed < kept, "{resumed} of {kept} parts");
    assert!(fs::read(place.table()).unwrap() == bytes);
    let (place, kept) = interrupted(name, &plan);
    let mut files = fs::read_dir(place.borders()).unwrap().map(|entry| entry.unwrap().path());
    let border = files.find(|path| is_border(path)).unwrap();
    damage(&border, 3);
    let (resumed, again) = place.resume(name, &plan).unwrap().unwrap();
    assert!(resumed < kept && resumed + again == kept, "{resumed} of {kept} parts, {border:?}");
    assert!(fs::read(place.table()).unwrap() == bytes);
    // The border of another part in its place.
    let (place, kept) = interrupted(name, &plan);
    let files = fs::read_dir(place.borders()).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = files.filter(|path| is_border(path)).collect();
    fs::copy(&files[0], &files[1]).unwrap();
    let resumed = place.generate(name, &plan).unwrap().unwrap_or(0);
    assert!(resumed < kept, "{resumed} of {kept} parts, {files:?}");
    assert!(fs::read(place.table()).unwrap() == bytes);
}

/// Testing what an earlier run has left can take minutes.
#[test]
fn a_run_can_be_stopped_while_it_tests_what_there_is() {
    let (name, plan) = ("6x4x4+gravity", Plan { depths: true, ..Plan::default() });
    let (place, kept) = interrupted(name, &plan);
    let listener = StopAfter::never();
    let files = || {
        let borders = fs::read_dir(place.borders()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            borders.chain([place.part()]).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    for reports in [0, 1, 20] {
        let listener = StopAfter::new(reports);
        let stopped = Table::generate_to(place.table(), game(name), &plan, &listener).err().unwrap();
        assert!(matches!(stopped, TableError::Stopped(_)), "{stopped}");
        assert_eq!(listener.stages(), [Stage::Checksums], "after {reports} reports");
        assert!(files() == before, "after {reports} reports");
    }
    Table::generate_to(place.table(), game(name), &plan, &listener).unwrap();
    assert_eq!(listener.stages()[..2], [Stage::Checksums, Stage::Resume { parts: kept, again: 0 }]);
    assert!(fs::read(place.table()).unwrap() == bytes_of(name, &plan));
}

/// Changes a text in the list at the end of a border, and its checksum, so that the border is still whole.
fn edit_list(path: &Path, from: &str, to: &str) {
    let bytes = fs::read(path).unwrap();
    let (rest, tail) = bytes.split_at(bytes.len() - 12);
    let length = u64::from_le_bytes(tail[..8].try_into().unwrap()) as usize;
    let (tiers, list) = rest.split_at(rest.len() - length);
    let list = std::str::from_utf8(list).unwrap();
    assert!(list.contains(from), "{list}");
    let list = list.replacen(from, to, 1).into_bytes();
    let (length, sum) = ((list.len() as u64).to_le_bytes(), crc32fast::hash(&list).to_le_bytes());
    fs::write(path, [tiers, &list, &length, &sum].concat()).unwrap();
}

/// Whether the border is made again, and what is done to it.
type Edit<'a> = (bool, &'a dyn Fn(&Path));

#[test]
fn a_border_of_another_version_or_another_table_is_made_again() {
    let (name, plan) = ("6x4x4+gravity", Plan { depths: true, ..Plan::default() });
    let bytes = bytes_of(name, &plan);
    let version = concat!("\"program\":\"", env!("CARGO_PKG_VERSION"), "\"");
    let (other, _) = interrupted(name, &Plan { aim: Aim::Win, ..plan.clone() });
    let edits: [Edit<'_>; 3] = [
        (false, &|border| edit_list(border, version, version)),
        (true, &|border| edit_list(border, version, "\"program\":\"0.1.9\"")),
        (true, &|border| {
            fs::copy(other.borders().join(border.file_name().unwrap()), border).unwrap();
        }),
    ];
    for (number, (is_made_again, edit)) in edits.into_iter().enumerate() {
        let (place, kept) = interrupted(name, &plan);
        let mut files = fs::read_dir(place.borders()).unwrap().map(|entry| entry.unwrap().path());
        let is_in_both = |path: &Path| is_border(path) && other.borders().join(path.file_name().unwrap()).exists();
        edit(&files.find(|path| is_in_both(path)).unwrap());
        let (resumed, again) = place.resume(name, &plan).unwrap().unwrap();
        assert_eq!(resumed + again, kept, "edit {number}");
        assert_eq!(again > 0, is_made_again, "edit {number}");
        assert!(fs::read(place.table()).unwrap() == bytes, "edit {number}");
    }
}

#[test]
fn a_border_that_is_damaged_during_a_run_is_not_reported_as_a_failed_write() {
    let (name, plan) = ("6x4x4+gravity", Plan { depths: true, ..Plan::default() });
    let place = Workplace { folder: TempDir::new().unwrap() };
    let damage = DamageBorders(place.folder.path().join("t.menace.part.borders"));
    let failed = Table::generate_to(place.table(), game(name), &plan, &damage).err().unwrap();
    assert!(matches!(failed, TableError::Resume(ResumeError::Border { .. })), "{failed}");
    assert!(failed.to_string().ends_with("could not be finished"), "{failed}");
    place.generate(name, &plan).unwrap();
    assert!(fs::read(place.table()).unwrap() == bytes_of(name, &plan));
}

/// Damages every border in a folder that is complete, whenever work is reported.
struct DamageBorders(PathBuf);

impl Progress for DamageBorders {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, _steps: u64) -> ControlFlow<()> {
        for file in fs::read_dir(&self.0).into_iter().flatten().map(|entry| entry.unwrap()) {
            if is_border(&file.path()) {
                // It may just have been removed.
                let _ = File::options().write(true).open(file.path()).and_then(|file| file.set_len(20));
            }
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn a_table_made_with_little_memory_has_the_same_bytes() {
    // With many threads, which all need memory of their own, these games would take less in memory.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    for (name, plan, is_outside) in [
        ("5x4x4", plan(Aim::Win, true), true),
        ("5x4x3", Plan { depths: true, compress: cfg!(feature = "zstd"), ..Plan::default() }, true),
        ("5x4x5+gravity", plan(Aim::Safe, false), false),
        ("5x5x4+gravity", Plan::default(), false),
    ] {
        let (workplace, little) = (Workplace::with_part(&[]), Plan { memory: Some(0), ..plan.clone() });
        // Tiers are kept in files, if the layout can do that and it takes less memory.
        let needed = |plan: &Plan| plan.estimate_packed(&*game(name)).unwrap().memory;
        pool.install(|| {
            assert_eq!(needed(&little) < needed(&plan), is_outside, "{name}");
            workplace.generate(name, &little).unwrap();
        });
        assert!(fs::read(workplace.table()).unwrap() == bytes_of(name, &plan), "{name}");
    }
}

#[test]
fn a_file_is_no_larger_than_was_estimated() {
    for (name, depths) in [("3x3x3", false), ("4x4x4", false), ("4x4x4", true), ("4x4x3+misere", false)]
        .into_iter()
        .chain([("5x4x4+gravity", false), ("5x5x4+gravity", true), ("5x5x5+gravity", false), ("6x4x3+gravity", false)])
    {
        for compress in [false, cfg!(feature = "zstd")] {
            let plan = Plan { depths, compress, ..Plan::default() };
            let estimate = plan.estimate_packed(&*game(name)).unwrap();
            let size = bytes_of(name, &plan).len() as u128;
            assert!(size <= estimate.disk, "{name}: {size} bytes, estimated {}", estimate.disk);
        }
    }
}

#[test]
fn a_table_whose_unfinished_file_is_replaced_does_not_report_success() {
    let place = Workplace { folder: TempDir::new().unwrap() };
    let replace = ReplaceFile { path: place.part(), is_done: Once::new() };
    let made = Table::generate_to(place.table(), game("5x4x4+gravity"), &Plan::default(), &replace);
    assert!(made.err().unwrap().to_string().contains("could not be written"));
    assert!(!place.table().exists());
}

/// Puts another file in the place of one as soon as work is reported.
struct ReplaceFile {
    path: PathBuf,
    is_done: Once,
}

impl Progress for ReplaceFile {
    fn start(&self, _: Stage, _: Option<u64>) {}

    fn advance(&self, _: u64) -> ControlFlow<()> {
        self.is_done.call_once(|| {
            fs::write(self.path.with_extension("new"), "something else").unwrap();
            fs::rename(self.path.with_extension("new"), &self.path).unwrap();
        });
        ControlFlow::Continue(())
    }
}

#[test]
fn an_unfinished_table_of_another_run_is_left_alone() {
    let bytes = bytes_of("4x3x3", &plan(Aim::Win, false));
    let part = &bytes[..bytes.len() / 2];
    let place = Workplace::with_part(part);
    let refusal = place.generate("4x3x3", &Plan::default()).unwrap_err();
    assert!(matches!(refusal, TableError::Resume(ResumeError::Another { .. })));
    assert!(refusal.to_string().contains("an unfinished table of 4x3x3, aim win"), "{refusal}");
    assert!(fs::read(place.part()).unwrap() == part);
    let bytes = bytes_of("4x3x3", &Plan::default());
    fs::write(place.part(), with_description(&bytes, "\"anchors\":[]", "\"anchors\":[9]")).unwrap();
    let refusal = place.generate("4x3x3", &Plan::default()).unwrap_err().to_string();
    assert!(refusal.ends_with("whose parts are divided differently: another version began it"), "{refusal}");
    fs::write(place.part(), "somebody's notes").unwrap();
    let refusal = place.generate("4x3x3", &Plan::default()).unwrap_err();
    assert!(matches!(refusal, TableError::Resume(ResumeError::NoTable { .. })), "{refusal}");
    assert_eq!(fs::read(place.part()).unwrap(), b"somebody's notes");
}

/// Set only in the child process whose files cannot grow: the folder that it writes to.
const SMALL_DISK: &str = "MENACE_TEST_SMALL_DISK";

/// Runs in the child process of the test below, which can write only a few thousand bytes.
#[test]
fn generating_on_a_full_disk_fails() {
    let Some(folder) = std::env::var_os(SMALL_DISK) else { return };
    let full = Table::generate_to(Path::new(&folder).join("t.menace"), game("4x3x3"), &Plan::default(), &());
    assert!(matches!(full, Err(TableError::Resume(ResumeError::Write { .. }))), "{:?}", full.err());
}

#[cfg(unix)]
#[test]
fn a_failed_write_ends_the_run_and_loses_nothing() {
    let place = Workplace { folder: TempDir::new().unwrap() };
    // A limit on file sizes stands in for a full disk; the signal that comes with it is ignored.
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --exact generating_on_a_full_disk_fails";
    let child = std::process::Command::new("sh")
        .args(["-c", limited])
        .arg(std::env::current_exe().unwrap())
        .env(SMALL_DISK, place.folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout).into_owned();
    assert!(child.status.success() && said.contains("1 passed"), "{said}");
    let bytes = bytes_of("4x3x3", &Plan::default());
    let written = fs::metadata(place.part()).unwrap().len() as usize;
    assert!(written < bytes.len() && !place.table().exists(), "the run ended in the middle");
    place.generate("4x3x3", &Plan::default()).unwrap();
    assert!(fs::read(place.table()).unwrap() == bytes);
}

#[test]
fn four_by_four_takes_at_most_a_fifth_of_a_bit_per_box() {
    let table = pack("4x4x4", &Plan::default());
    let boxes: u64 = Side::BOTH.map(|side| table.machine(side).unwrap().box_count()).iter().sum();
    assert_eq!(boxes, 9_062_619);
    let bytes = table.packed_bytes().unwrap().unwrap();
    assert!(bytes.len() as f64 * 8.0 / boxes as f64 <= 0.2);
}

/// How often an open table answered, and how often it refused, after its file was changed.
#[derive(Default)]
struct Asked {
    answers: usize,
    refusals: usize,
}

/// Looks up every position. Each lookup must give the correct answer or an error of packed tables.
fn ask_everything(table: &Table, truth: &Table) -> Asked {
    let mut asked = Asked::default();
    let mut note = |is_answer: Option<bool>, at: Position| match is_answer {
        Some(is_true) => {
            assert!(is_true, "a wrong answer on {}", at.board);
            asked.answers += 1;
        }
        None => asked.refusals += 1,
    };
    let walk = for_each_position(&**truth.game(), &(), |at| {
        match table.verdict(at) {
            Ok(verdict) => note(Some(verdict == truth.verdict(at).unwrap()), at),
            Err(TableError::Packed(_)) => note(None, at),
            Err(error) => panic!("{error}"),
        }
        match table.matchbox(at) {
            Ok(matchbox) => note(Some(matchbox == truth.matchbox(at).unwrap()), at),
            Err(TableError::Packed(_)) => note(None, at),
            Err(error) => panic!("{error}"),
        }
    });
    walk.unwrap();
    asked
}

/// Something that happens to an open file.
type Accident = fn(&mut File, u64);

#[test]
fn a_file_changed_while_open_gives_errors_but_never_a_wrong_answer() {
    let cut_to_nothing: Accident = |file, _| file.set_len(0).unwrap();
    let cut_in_half: Accident = |file, size| file.set_len(size / 2).unwrap();
    let overwrite: Accident = |file, size| {
        file.seek(SeekFrom::Start(0)).unwrap();
        file.write_all(&vec![0x5a; size as usize]).unwrap();
    };
    let (name, plan) = ("4x4x4+gravity", plan(Aim::Fastest, false));
    let (truth, bytes) = (pack(name, &plan), bytes_of(name, &plan));
    for accident in [cut_to_nothing, cut_in_half, overwrite] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("t.menace");
        fs::write(&path, &bytes).unwrap();
        let (table, asked_before) = (Table::open(&path).unwrap(), Table::open(&path).unwrap());
        let start = table.game().start();
        let known = truth.verdict(start).unwrap();
        assert_eq!(asked_before.verdict(start).unwrap(), known, "read while the file is intact");
        accident(&mut File::options().write(true).open(&path).unwrap(), bytes.len() as u64);
        assert_eq!(asked_before.verdict(start).unwrap(), known, "what was read before is still known");
        let asked = ask_everything(&table, &truth);
        assert!(asked.refusals > 1000 && asked.answers > 0, "{} {}", asked.refusals, asked.answers);
        assert!(matches!(verify(&table, None, &()), Err(VerifyError::Decode(_))));
        assert!(matches!(table.unpacked(&()), Err(TableError::Packed(_))));
        assert!(matches!(Diff::new(&truth, &table, &()), Err(DiffError::Table(TableError::Packed(_)))));
        assert!(Table::open(&path).is_err(), "the changed file cannot be opened again");
    }
}

#[test]
fn an_open_table_is_unaffected_when_its_file_is_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("t.menace");
    let (safe, win) = (plan(Aim::Safe, false), plan(Aim::Win, false));
    Table::generate_to(&path, game("4x3x3"), &safe, &()).unwrap();
    let table = Table::open(&path).unwrap();
    Table::generate_to(&path, game("4x3x3"), &win, &()).unwrap();
    let asked = ask_everything(&table, &pack("4x3x3", &safe));
    assert_eq!(asked.refusals, 0);
    assert_eq!(Table::open(&path).unwrap().aim(), Some(Aim::Win));
}

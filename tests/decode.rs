//! The second decoder of packed tables against a slow writer and plain recursion.

mod common;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use common::slow_table::{Solved, Wanted, bytes_of};
use menace::table::ReadAt;
use menace::verify::decode::{Decoder, Layout};
use menace::verify::{Report, Sample, verify_packed};
use menace::{Aim, Board, Move, Plan, Position, Table, Verdict};
use rayon::prelude::*;

const GAMES: &[&str] = &[
    "1x1x1",
    "1x1x1+misere",
    "1x3x2",
    "2x2x2",
    "3x1x2",
    "3x3x3",
    "3x3x2",
    "3x3x3+misere",
    "4x3x3",
    "2x4x3+gravity",
    "3x3x3+gravity",
    "3x3x3+gravity+misere",
    "2x3x1+gravity",
    "2x3x1+gravity+misere",
    "3x3x2+gravity",
    "3x2x2+gravity+misere",
    "4x3x3+gravity",
    "4x3x3+gravity+misere",
    "5x2x4+gravity",
    "5x3x3+gravity",
    "6x2x3+gravity",
    "3x4x2+gravity",
];

/// Anchors for some games. The parts of the others are whole games.
const ANCHORS: &[(&str, &[u32])] = &[
    ("3x3x3", &[0]),
    ("3x3x3", &[1]),
    ("3x3x3", &[0, 2]),
    ("3x3x3+misere", &[0, 1, 2]),
    ("4x3x3", &[0]),
    ("4x3x3", &[0, 1]),
    ("3x3x2+gravity", &[2]),
    ("4x3x3+gravity", &[1, 1]),
    ("4x3x3+gravity+misere", &[2, 2]),
    ("5x3x3+gravity", &[1, 2, 1]),
];

/// Tables of a game, with every choice at least once but compression, which the slow writer lacks.
fn tables(name: &'static str) -> Vec<Wanted> {
    let mut tables = vec![
        Wanted::new(name, Aim::Safe, false),
        Wanted { symmetry: true, machines: "first", ..Wanted::new(name, Aim::Win, false) },
        Wanted { symmetry: true, machines: "second", ..Wanted::new(name, Aim::Fastest, true) },
    ];
    for (_, anchors) in ANCHORS.iter().filter(|(game, _)| *game == name) {
        let anchors = anchors.to_vec();
        tables.push(Wanted { anchors: anchors.clone(), ..Wanted::new(name, Aim::Safe, false) });
        tables.push(Wanted { anchors, symmetry: true, ..Wanted::new(name, Aim::Win, true) });
    }
    tables
}

fn report(bytes: &Vec<u8>, sample: Option<Sample>) -> Report {
    verify_packed(bytes, None, sample, &()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_board_is_decoded_as_plain_recursion_has_it_and_every_table_is_correct() {
    GAMES.par_iter().for_each(|name| {
        let solved = Solved::new(name);
        let truth: HashMap<Board, Verdict> = solved.verdicts().collect();
        for wanted in tables(name) {
            let bytes = bytes_of(&solved, &wanted);
            let decoder = Decoder::open(&bytes).unwrap_or_else(|error| panic!("{wanted:?}: {error}"));
            assert_eq!(matches!(decoder.layout(), Layout::Tiles(_)), is_tiles(wanted.game));
            compare(&decoder, &wanted, &truth);
            let report = report(&bytes, None);
            assert!(report.is_correct(), "{wanted:?}: {report:?}");
            assert!(report.checked > 0 || name.contains("x1"), "{wanted:?}: nothing was checked");
        }
    });
}

fn compare(decoder: &Decoder<'_>, wanted: &Wanted, truth: &HashMap<Board, Verdict>) {
    let known = |verdict: Verdict| Verdict { depth: verdict.depth.filter(|_| wanted.depths), ..verdict };
    for (&board, &verdict) in truth {
        assert_eq!(decoder.verdict(board).unwrap(), Some(known(verdict)), "{wanted:?} {board}");
    }
    // Whole groups say the same as single look-ups.
    for part in 0..decoder.part_count() {
        for number in decoder.layout().part(part).tiers {
            for group in 0..decoder.tier(part, number).unwrap().groups() {
                for (stones, code) in decoder.group(part, number, group).unwrap() {
                    let (board, codes) = (decoder.sight().board(stones), decoder.codes());
                    let found = codes.verdict(codes.worth(code, stones.count()).unwrap());
                    assert_eq!(found, known(truth[&board]), "{wanted:?} {board}");
                }
            }
        }
    }
}

fn is_tiles(name: &str) -> bool {
    let [width, k] = [0, 2].map(|at| name.split(['x', '+']).nth(at).unwrap().parse::<u32>().unwrap());
    name.contains("+gravity") && k < width
}

#[test]
fn a_sample_has_as_many_boards_as_were_asked_for() {
    for (name, aim) in [("4x3x3", Aim::Win), ("5x3x3+gravity", Aim::Fastest), ("4x3x3+gravity+misere", Aim::Fastest)] {
        let bytes = bytes_of(&Solved::new(name), &Wanted::new(name, aim, true));
        let report = report(&bytes, Some(Sample { boards: 3000, seed: 7 }));
        assert!(report.is_correct() && report.is_sample && report.checked == 3000, "{name}: {report:?}");
        // Most boards have few empty cells, and a search that plays by other rules would contradict the table.
        assert!(report.searched > 1500 && report.groups > 0, "{name}: {report:?}");
    }
}

/// Such files used to be of version 0, or to have a description that is too long.
#[test]
fn a_description_that_cannot_be_used_is_named() {
    let bytes = bytes_of(&Solved::new("2x2x2"), &Wanted::new("2x2x2", Aim::Safe, false));
    let refused = |bytes: &[u8]| Decoder::open(&bytes).err().unwrap().to_string();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    for end in 0..length + 20 {
        let expected = if end < 8 { "this is not a packed table" } else { "its description is cut short" };
        assert!(refused(&bytes[..end]).ends_with(expected), "{end}: {}", refused(&bytes[..end]));
    }
    let with = |at: usize, new: &[u8]| [&bytes[..at], new, &bytes[at + new.len()..]].concat();
    assert!(refused(&with(8, &[2])).contains("of version 3 was expected, found 2"));
    assert!(refused(&with(12, &4077u32.to_le_bytes())).ends_with("would have 4077 bytes, and 4076 is the most"));
    let machines = bytes.windows(6).position(|text| text == br#""both""#).unwrap();
    let mut unknown = with(machines, br#""bath""#);
    let sum = crc32fast::hash(&unknown[..16 + length]).to_le_bytes();
    unknown[16 + length..20 + length].copy_from_slice(&sum);
    assert!(refused(&unknown).ends_with(r#"has the machines "bath" where first, second or both was expected"#));
}

/// A file that is cut short while it is read.
struct Shrinking {
    bytes: Vec<u8>,
    asked: AtomicBool,
}

impl ReadAt for Shrinking {
    fn size(&self) -> std::io::Result<u64> {
        Ok(if self.asked.swap(true, Ordering::Relaxed) { 50 } else { self.bytes.len() as u64 })
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        (&self.bytes[..]).read_exact_at(buffer, offset)
    }
}

/// Used to panic, where the size was asked again for each part.
#[test]
fn a_file_that_becomes_shorter_is_no_reason_to_panic() {
    let wanted = Wanted { anchors: vec![0], ..Wanted::new("3x3x3", Aim::Safe, false) };
    let source = Shrinking { bytes: bytes_of(&Solved::new("3x3x3"), &wanted), asked: AtomicBool::new(false) };
    assert!(Decoder::open(&source).is_ok_and(|decoder| decoder.part_count() > 1));
}

/// The decoder in Python has a third list of boards and groups, so a mistake would have to be made three times.
#[test]
fn the_decoder_in_python_reads_every_table() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cli/tests/format/decode.py");
    let version = Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).output();
    if !Path::new(script).exists() || !version.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: Python 3.10 or later and the decoder's script were expected");
        return;
    }
    // Python takes long for larger games.
    let games = GAMES.iter().filter(|name| !["5x3x3+gravity", "4x3x3"].contains(name)).collect::<Vec<_>>();
    games.par_iter().for_each(|name| {
        let solved = Solved::new(name);
        let truth: HashMap<String, Verdict> =
            solved.verdicts().map(|(board, verdict)| (board.to_string(), verdict)).collect();
        for wanted in tables(name) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.menace");
            std::fs::write(&path, bytes_of(&solved, &wanted)).unwrap();
            let output = Command::new("python3").arg(script).arg(&path).output().unwrap();
            assert!(output.status.success(), "{wanted:?}: {}", String::from_utf8_lossy(&output.stderr));
            let mut lines = 0;
            for line in String::from_utf8(output.stdout).unwrap().lines() {
                let (board, found) = line.split_once(' ').unwrap();
                let Verdict { outcome, depth } = truth[board];
                let depth = depth.filter(|_| wanted.depths).map_or(String::new(), |depth| format!(" {depth}"));
                assert_eq!(found, format!("{}{depth}", outcome.name()), "{wanted:?} {board}");
                lines += 1;
            }
            assert_eq!(lines, solved.occurring(), "{wanted:?}");
        }
    });
}

/// A byte of the payload or of the counts is changed, and the checksums are made to match again, as a forger would.
#[test]
fn every_forged_code_and_count_is_caught() {
    for (name, depths) in [("3x3x3", false), ("3x3x3", true), ("4x3x3+gravity", true), ("3x3x3+misere", true)] {
        let whole = bytes_of(&Solved::new(name), &Wanted::new(name, Aim::Win, depths));
        let sealed = Sealed::new(&whole);
        let codes = sealed.codes.clone().map(|at| (at, 1 << (at % 8)));
        let counts = sealed.counts.clone().step_by(8).map(|at| (at, 1));
        for (at, change) in codes.chain(counts).collect::<Vec<_>>() {
            let mut forged = whole.clone();
            forged[at] ^= change;
            sealed.reseal(&mut forged);
            let report = report(&forged, None);
            assert!(!report.is_correct(), "{name}: byte {at}");
            assert_true_line(name, &report);
        }
    }
}

/// The places of a file that has one part and one chunk.
struct Sealed {
    codes: Range<usize>,
    sum: usize,
    counts: Range<usize>,
    record: Range<usize>,
}

impl Sealed {
    fn new(bytes: &Vec<u8>) -> Sealed {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let head = 20 + number(12) % (1 << 32);
        let codes = head + 20..head + 20 + number(head);
        assert!(codes.len() <= 16384, "one chunk");
        let record = codes.end..codes.end + number(head + 8) - 4;
        let decoder = Decoder::open(bytes).unwrap();
        let numbers = decoder.counts().iter().map(|counts| 3 + 2 * counts.codes.len()).sum::<usize>();
        let counts = record.end - 8 * numbers..record.end;
        Sealed { codes, sum: counts.start - 4, counts, record }
    }

    fn reseal(&self, bytes: &mut [u8]) {
        let sum = crc32fast::hash(&bytes[self.codes.clone()]).to_le_bytes();
        bytes[self.sum..self.sum + 4].copy_from_slice(&sum);
        let sum = crc32fast::hash(&bytes[self.record.clone()]).to_le_bytes();
        bytes[self.record.end..self.record.end + 4].copy_from_slice(&sum);
    }
}

/// Asserts that a line that shows a fault has only legal moves and reaches the end of the game.
fn assert_true_line(name: &str, report: &Report) {
    let Some(first) = report.first.as_ref().filter(|first| first.id.is_some()) else { return };
    let game = common::game(name);
    let replay = |at: Position, line: &[Move]| {
        line.iter().fold(at, |at, mv| {
            assert_eq!(game.result(at), None, "the game is over on {}", at.board);
            assert!(game.moves(at).contains(mv), "{mv:?} on {}", at.board);
            at.play(*mv)
        })
    };
    let at = Position::new(Board::from_id(first.id.unwrap(), game.shape()).unwrap(), first.machine.unwrap());
    if !first.before.is_empty() {
        assert_eq!(replay(game.start(), &first.before), at);
    }
    assert!(game.result(replay(at, &first.line)).is_some(), "{first:?}");
}

/// The bytes of real tables, counts included.
#[test]
fn tables_are_equal_to_those_of_the_slow_writer() {
    GAMES.par_iter().for_each(|name| {
        let solved = Solved::new(name);
        for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
            for (depths, symmetry) in [(false, false), (false, true), (true, false), (true, true)] {
                let depths = depths || aim == Aim::Fastest;
                let plan = Plan { aim, depths, symmetry, ..Plan::default() };
                let table = Table::generate_packed(common::game(name), &plan, &()).unwrap();
                let found = table.packed_bytes().unwrap().unwrap();
                let expected = bytes_of(&solved, &Wanted { symmetry, ..Wanted::new(name, aim, depths) });
                assert!(found == expected, "{name} {plan:?}: {}", first_difference(&expected, &found));
            }
        }
    });
}

fn first_difference(expected: &[u8], found: &[u8]) -> String {
    let at = expected.iter().zip(found).position(|(a, b)| a != b);
    let lengths = (expected.len(), found.len());
    let around = |bytes: &[u8]| at.map(|at| bytes[at / 8 * 8..].iter().take(24).copied().collect::<Vec<u8>>());
    format!("lengths {lengths:?}, byte {at:?}, {:?} and {:?}", around(expected), around(found))
}

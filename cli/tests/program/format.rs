//! Our files can be read without our sources: a decoder in Python, written from docs/format.md alone, reads every kind
//! of table that we write, and each board and box that it finds is compared with what the library says.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use menace::table::Removal;
use menace::{Ban, Board, Matchbox, Outcome, Position, Side, Table, Verdict};

use crate::common::{Folder, stderr};

const PACKED: &[&str] = &[
    "generate --game 3x3x3",
    "generate --game 3x3x3 --depths",
    "generate --game 3x3x3 --aim win",
    "generate --game 3x3x3 --aim win --depths --machine first",
    "generate --game 3x3x3 --aim fastest",
    "generate --game 3x3x3 --aim fastest --symmetry",
    "generate --game 3x3x3 --symmetry --machine second",
    "generate --game 3x3x3+misere",
    "generate --game 3x3x3+misere --depths",
    "generate --game 2x2x2 --depths",
    "generate --game 4x3x3",
    "generate --game 4x3x3 --depths --symmetry",
    "generate --game 3x4x3 --aim fastest",
    "generate --game 4x3x3+misere",
    "generate --game 4x3x3+misere --depths",
    "generate --game 4x3x3+gravity",
    "generate --game 4x3x3+gravity --depths",
    "generate --game 3x4x3+gravity --aim fastest",
    "generate --game 4x3x3+gravity+misere",
    "generate --game 4x3x3+gravity+misere --depths --symmetry",
    "generate --game 4x4x4+gravity --depths",
    "generate --game 5x3x4+gravity",
    "generate --game 5x3x4+gravity --aim fastest --machine second",
];

const JSON: &[&str] = &[
    "generate",
    "generate --symmetry",
    "generate --aim win",
    "generate --aim win --symmetry",
    "generate --aim fastest",
    "generate --aim fastest --symmetry",
    "generate --aim trap",
    "generate --aim trap --symmetry",
    "generate --machine first",
    "generate --machine second --symmetry",
    // A board that is not lost, one that is, and one of each side.
    "generate --ban 101201002",
    "generate --ban 002112211 --symmetry",
    "generate --ban 000000000 --ban 100000000 --aim fastest",
    "generate --game 3x3x3+misere",
    "generate --game 4x3x3 --symmetry",
    "generate --game 4x3x3+gravity --aim fastest",
    "generate --game 4x3x3+gravity+misere --aim trap --symmetry",
    "generate --game hexapawn",
    "generate --game hexapawn --aim trap --symmetry",
    "generate --game hexapawn:4x4 --aim fastest",
    "generate --game hexapawn:3x5 --symmetry",
    "generate --game morris",
    "generate --game morris --aim fastest --symmetry",
    "generate --game pong-hau-ki",
    "generate --game pong-hau-ki --aim win --symmetry",
    "generate --game notakto",
    "generate --game notakto --aim fastest --symmetry",
    "generate --game wild",
    "generate --game wild --aim trap --symmetry",
    "kit",
    "kit --machine both --aim trap",
    "kit --game notakto",
    "kit --game hexapawn --machine second",
    "train --seed 1",
    "train --seed 1 --opponent self --all-boards",
    "train --seed 1 --opponent perfect --machine second --beads scroggs --empty resign",
    "train --seed 1 --game wild",
    "train --seed 1 --game morris",
    "train --seed 1 --game hexapawn --machine second",
];

/// Whether there is a Python that can run the decoder. If not, the reader is told that a test was skipped.
fn has_python(test: &str) -> bool {
    let check = Command::new("python3").args(["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).output();
    let found = check.is_ok_and(|output| output.status.success());
    if !found {
        // Not with `eprintln!`, whose text is not shown if the test passes.
        let _ = writeln!(std::io::stderr(), "skipped: {test}, because there is no python3 of version 3.10 or later");
    }
    found
}

fn decoder(folder: &Folder, file: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/format/decode.py")).arg(file).current_dir(folder.path());
    command
}

/// Calls `visit` with each line that the decoder prints, and asserts that it found nothing wrong.
fn for_each_line(folder: &Folder, file: &str, mut visit: impl FnMut(&str)) {
    let mut child = decoder(folder, file).stdout(Stdio::piped()).spawn().expect("python3 starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it has a standard output"));
    let mut line = String::new();
    while lines.read_line(&mut line).expect("the lines are text") > 0 {
        visit(line.trim_end());
        line.clear();
    }
    assert!(child.wait().expect("python3 ends").success(), "the decoder refuses {file}");
}

/// What a line of a packed table says: `102020001 win 3`.
fn read_verdict(line: &str, table: &Table) -> (Board, Verdict) {
    let words: Vec<&str> = line.split(' ').collect();
    let board = Board::parse(words[0], table.game().shape()).expect("the digits of a board");
    let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss].into_iter().find(|outcome| outcome.name() == words[1]);
    let depth = words.get(2).map(|depth| depth.parse().expect("a number"));
    (board, Verdict { outcome: outcome.expect("a verdict"), depth })
}

/// Makes a packed table and compares all verdicts, each of which must come exactly once.
fn compare_packed(command: &str) {
    let folder = Folder::new();
    folder.succeeds(&format!("{command} -o t.menace"));
    let table = Table::open(folder.join("t.menace")).unwrap();
    let mut seen = vec![false; table.game().shape().ids() as usize];
    let mut count = 0;
    for_each_line(&folder, "t.menace", |line| {
        let (board, verdict) = read_verdict(line, &table);
        let at = Position::new(board, Side::after_stones(board.stone_count()));
        assert_eq!(table.verdict(at).unwrap(), verdict, "{command}: {line}");
        assert!(!std::mem::replace(&mut seen[board.id().0 as usize], true), "{command}: {board} comes twice");
        count += 1;
    });
    assert_eq!(count, table.packed_open_count(), "{command}: boards");
}

/// A box as the decoder prints it, from what the library says.
fn box_line(table: &Table, side: Side, board: Board, matchbox: &Matchbox) -> String {
    let text = |mv| table.game().notation().text(mv).to_string();
    let list = |parts: Vec<String>| if parts.is_empty() { "-".to_owned() } else { parts.join(",") };
    let removal = |Removal { round, why }: Removal| {
        let reply = why.reply().map_or(String::new(), |reply| format!(":{}", text(reply)));
        format!("{}:{}{reply}", round.expect("JSON tables record rounds"), why.name())
    };
    let beads = matchbox.beads().map(|(mv, number)| format!("{}={number}", text(mv))).collect();
    let removed = matchbox.removed().map(|(mv, went)| format!("{}={}", text(mv), removal(went))).collect();
    let banned = match matchbox.banned() {
        None => "-".to_owned(),
        Some(Ban::AtStart) => "0".to_owned(),
        Some(ban) => ban.round().expect("JSON tables record rounds").to_string(),
    };
    let id = board.id();
    format!("{side} {id} {board} beads {} removed {} banned {banned}", list(beads), list(removed))
}

/// Makes a JSON table and compares all boxes.
fn compare_json(command: &str) {
    let folder = Folder::new();
    folder.succeeds(&format!("{command} -o t.json"));
    let table = Table::open(folder.join("t.json")).unwrap();
    let mut expected = Vec::new();
    for side in table.machines().iter() {
        let boxes = table.machine(side).unwrap().to_boxes().unwrap();
        expected.extend(boxes.iter().map(|(board, matchbox)| box_line(&table, side, board, matchbox)));
    }
    assert!(!expected.is_empty(), "{command}: no boxes");
    let mut expected = expected.into_iter();
    for_each_line(&folder, "t.json", |line| assert_eq!(Some(line), expected.next().as_deref(), "{command}"));
    assert_eq!(expected.next(), None, "{command}: the decoder stops early");
}

#[test]
fn the_decoder_reads_every_packed_table() {
    if has_python("every packed table against the decoder") {
        PACKED.iter().for_each(|command| compare_packed(command));
    }
}

#[test]
fn the_decoder_reads_every_json_table() {
    if has_python("every JSON table against the decoder") {
        JSON.iter().for_each(|command| compare_json(command));
    }
}

/// Writes a file and asserts that the decoder refuses it with one sentence.
fn assert_damaged(folder: &Folder, file: &str, bytes: &[u8], what: &str) {
    folder.write(file, bytes);
    let output: Output = decoder(folder, file).output().expect("python3 starts");
    assert_eq!(output.status.code(), Some(1), "{what}: {}", stderr(&output));
    assert_eq!(stderr(&output).lines().count(), 1, "{what}: {}", stderr(&output));
    assert!(!stderr(&output).contains("Traceback"), "{what}: {}", stderr(&output));
}

#[test]
fn the_decoder_notices_a_flipped_bit_in_every_part_of_a_packed_table() {
    if !has_python("damaged packed tables against the decoder") {
        return;
    }
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    let whole = folder.read("t.menace");
    let number = |at: usize| u64::from_le_bytes(whole[at..at + 8].try_into().expect("eight bytes")) as usize;
    let head = 20 + number(12) % (1 << 32);
    let record = head + 20 + number(head);
    let parts = [
        ("the first eight bytes", 3),
        ("the version", 8),
        ("the length of the description", 12),
        ("the description", 40),
        ("the checksum of the description", head - 1),
        ("the length of the payload", head),
        ("the length of the record", head + 8),
        ("the checksum of the head", head + 16),
        ("a number of boards", head + 20),
        ("the codes", record - 9),
        ("the size of the payload", record),
        ("the groups of a tier", record + 8),
        ("where a batch begins", record + 8 + 8 * 10),
        ("a count", whole.len() - 12),
        ("the last byte", whole.len() - 1),
    ];
    for (what, at) in parts {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        assert_damaged(&folder, "d.menace", &damaged, what);
    }
    assert_damaged(&folder, "d.menace", &whole[..whole.len() - 1], "a byte less");
    assert_damaged(&folder, "d.menace", &whole[..10], "ten bytes");
    assert_damaged(&folder, "d.menace", &[&whole[..], b"\n"].concat(), "a byte more");
    let mut first = whole.clone();
    first[8] = 1;
    folder.write("first.menace", &first);
    let output = decoder(&folder, "first.menace").output().expect("python3 starts");
    assert!(stderr(&output).contains("run the same `menace generate` again"), "{}", stderr(&output));
}

/// JSON tables have no checksum, but much of what they say is there twice.
#[test]
fn the_decoder_notices_damage_in_a_json_table() {
    if !has_python("damaged JSON tables against the decoder") {
        return;
    }
    let folder = Folder::new();
    folder.succeeds("generate -o t.json");
    let whole = folder.read_text("t.json");
    let changes = [
        ("menace-table", "menace-cable"),
        ("\"version\":1", "\"version\":2"),
        ("\"machines\":{", "\"machine\":{"),
        ("\"beads_removed\":4572", "\"beads_removed\":4573"),
        ("\"boards_banned\":116", "\"boards_banned\":115"),
        ("\"id\":5,", "\"id\":7,"),
        ("\"000000012\"", "\"000000013\""),
        ("\"000000012\"", "\"000000021\""),
        ("\"1\":1", "\"1\":0"),
        ("\"1\":1,\"2\":1", "\"1\":1,\"1\":1"),
        ("\"round\":3,\"why\"", "\"round\":4,\"why\""),
        ("\"round\":3,\"why\"", "\"round\":9,\"why\""),
        ("\"reply\"", "\"repli\""),
        ("\"removed\"", "\"gone\""),
        ("}}}\n", "}}\n"),
        ("}}}\n", "}}}\n}"),
    ];
    for (from, to) in changes {
        let damaged = whole.replacen(from, to, 1);
        assert_ne!(damaged, whole, "{from}");
        assert_damaged(&folder, "d.json", damaged.as_bytes(), to);
    }
}

//! Entry points for hostile input, shared by `tests/hostile.rs` and the targets in `fuzz/`.
//!
//! Whatever the bytes are, none of these functions may panic, hang or use unbounded memory. Each asserts what must hold for
//! the input it accepts.
#![allow(dead_code, reason = "each fuzz target uses its own part")]

#[path = "packed_file.rs"]
pub mod packed_file;

use std::sync::LazyLock;

use menace::board::Board;
use menace::game::sides_to_move;
use menace::table::Lesson;
use menace::train::{Arena, Seat, Training};
use menace::verify::{Sample, VerifyError, verify};
use menace::{BySide, Plan, Position, Random, Side, Table, games};
use packed_file::reseal;

/// A table as JSON. An accepted table can be written, read again and played from.
pub fn json_table(bytes: &[u8]) {
    let Ok(table) = Table::read(bytes.to_vec(), None) else { return };
    if table.is_packed() {
        return;
    }
    assert_same(&table, &read_again(&table));
    open_boxes(&table);
    if table.game().boards_at_most() < 10_000 {
        assert_has_report(&table, None);
        table.machines().iter().for_each(|side| train_on(&table, side));
    }
}

fn read_again(table: &Table) -> Table {
    let mut text = Vec::new();
    table.write_json(&mut text, &()).expect("writing to a vector cannot fail");
    Table::read(text, None).expect("what was written can be read")
}

fn assert_same(table: &Table, again: &Table) {
    assert_eq!(table.machines(), again.machines());
    for side in table.machines().iter() {
        let (Some(machine), Some(same)) = (table.machine(side), again.machine(side)) else { unreachable!() };
        assert_eq!(machine.rounds(), same.rounds());
        assert_eq!(machine.lessons(), same.lessons());
        let (boxes, same) = (machine.to_boxes(), same.to_boxes());
        assert!(boxes.expect("boxes in memory") == same.expect("boxes in memory"));
    }
}

/// Asserts that verifying gives a report, whatever is wrong with the table, or says why its bytes cannot be decoded. Returns
/// whether the table is correct.
fn assert_has_report(table: &Table, sample: Option<Sample>) -> bool {
    match verify(table, sample, &()) {
        Ok(report) => {
            assert_eq!(report.is_correct(), report.first.is_none());
            report.is_correct()
        }
        Err(VerifyError::Decode(_)) => false,
        Err(error) => panic!("no checksum is wrong: {error}"),
    }
}

/// Continues training if the table allows it.
fn train_on(table: &Table, machine: Side) {
    let lessons = table.machine(machine).map(|machine| machine.lessons()).unwrap_or_default();
    let Some(lesson) = lessons.last() else { return };
    let seat = |side| if side == machine { Seat::Learner } else { Seat::Opponent(&Random) };
    let arena = Arena::new(table.game(), table.classes(), BySide::from_fn(seat), &())
        .expect("a random opponent can always play");
    if let Ok(mut training) = Training::resume(&arena, &lesson.teaching, lesson.seed.unwrap_or(1), table) {
        training.play(8);
        let (_, taught) = training.boxes(machine, lessons, &lesson.opponent);
        let games = |lessons: &[Lesson]| lessons.iter().map(|lesson| lesson.tally.games()).sum::<u64>();
        assert_eq!(games(&taught), games(lessons) + 8);
    }
}

/// A packed table. If it is accepted, boards can be looked up in it.
pub fn packed_table(bytes: &[u8]) {
    // A fuzzer cannot guess checksums, so its bytes also go into a table with a valid description and valid checksums.
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let game = games::find("2x2x2").expect("a game");
        let table = Table::generate_packed(game, &Plan::default(), &()).expect("a row game");
        table.packed_bytes().expect("bytes in memory").expect("it is packed")
    });
    let few = Some(Sample { boards: 64, seed: bytes.len() as u64 });
    if let Ok(table) = Table::read(bytes.to_vec(), None)
        && table.is_packed()
    {
        open_boxes(&table);
        // Damage is found only when the damaged bytes are read.
        let _ = verify(&table, few, &());
    }
    let middle = SOUND.len().saturating_sub(bytes.len());
    let mut forged = SOUND[..middle].to_vec();
    forged.extend_from_slice(&bytes[..bytes.len().min(SOUND.len())]);
    if reseal(&mut forged).is_some()
        && let Ok(table) = Table::read(forged, None)
        && table.is_packed()
    {
        open_boxes(&table);
        // Verifying all of a correct table takes too long for a fuzzer.
        if !assert_has_report(&table, few) {
            assert!(!assert_has_report(&table, None));
        }
    }
}

/// A game and a board as typed, separated by a newline. What is accepted can be written and read again.
pub fn boards_and_games(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, board) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(game) = games::find(name) else { return };
    assert_eq!(games::find(&game.name()).map(|again| again.name()).ok(), Some(game.name()));
    let Ok(board) = Board::parse(board, game.shape()) else { return };
    assert_eq!(Board::parse(&board.to_string(), game.shape()), Ok(board));
    assert_eq!(Board::from_id(board.id(), game.shape()), Some(board));
    assert_eq!(Board::parse(&format!("id:{}", board.id()), game.shape()), Ok(board));
    if let Ok(sides) = sides_to_move(&*game, board) {
        assert!(sides.iter().all(|side| !game.moves(Position::new(board, side)).is_empty()));
    }
}

/// Opens the boxes of some boards near the start.
fn open_boxes(table: &Table) {
    let game = &**table.game();
    let mut open = vec![game.start()];
    for _ in 0..64 {
        let Some(at) = open.pop() else { return };
        if game.result(at).is_some() {
            continue;
        }
        let moves = game.moves(at);
        if let Ok(Some(matchbox)) = table.matchbox(at) {
            assert!(matchbox.beads().all(|(mv, _)| moves.contains(&mv)));
        }
        open.extend(moves.into_iter().map(|mv| at.play(mv)));
    }
}

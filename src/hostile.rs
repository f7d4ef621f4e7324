//! What somebody who means no good could hand over, and what is done with it: entry points for fuzzers and for the tests that
//! stand in for them.
//!
//! None of these functions may panic, hang or take memory without bound, whatever the bytes are; each asserts what must hold
//! for the input it accepts.

use std::sync::LazyLock;

use crate::board::{Board, Player};
use crate::cabinet::Cabinet;
use crate::chooser::Chooser;
use crate::games;
use crate::lesson::Lesson;
use crate::packed::{Packed, reseal};
use crate::play::{Setup, play};
use crate::table::{Plan, Run, read, write};
use crate::train::{Arena, Side, Training};
use crate::verify::{Sample, verify, verify_packed};

/// A table as JSON. What is accepted can be written, read again and played from.
pub fn json_table(bytes: &[u8]) {
    let Ok(run) = read(bytes) else { return };
    let mut text = Vec::new();
    write(&run, &mut text, &()).expect("a vector takes everything");
    let again = read(&text).expect("what was written can be read");
    for (machine, table) in run.tables() {
        let same = again.table(machine).expect("the machine is still there");
        assert!(table.sorted() == same.sorted() && table.rounds == same.rounds && table.lessons == same.lessons);
    }
    open_boxes(&run);
    if run.game.boards_at_most() < 10_000 {
        // Whatever it is, there is a report.
        let report = verify(&run, &());
        assert_eq!(report.is_correct(), report.first.is_none());
        run.machines().for_each(|machine| train_on(&run, machine));
    }
}

/// Goes on with training, if the table is one that it can go on from.
fn train_on(run: &Run, machine: Player) {
    let lessons = run.table(machine).map(|table| &table.lessons[..]).unwrap_or_default();
    let Some(lesson) = lessons.last() else { return };
    let sides = Player::BOTH.map(|player| match player == machine {
        true => Side::Learner,
        false => Side::Opponent(Chooser::Random),
    });
    let arena = Arena::new(&*run.game, run.classes(), &sides, &()).expect("chance can always play");
    if let Ok(mut training) = Training::resume(&arena, &lesson.teaching, lesson.seed, run) {
        training.play(8);
        let table = training.table(machine, lessons, &lesson.opponent);
        let games = |lessons: &[Lesson]| lessons.iter().map(|lesson| lesson.tally.games()).sum::<u64>();
        assert_eq!(games(&table.lessons), games(lessons) + 8);
    }
}

/// A packed table. What is accepted can be looked up.
pub fn packed_table(bytes: &[u8]) {
    // A fuzzer does not find checksums, so its bytes also go into a table whose description and checksums are sound.
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let game = games::find("2x2x2").expect("a game");
        Packed::make(&*game, &Plan::default(), &()).expect("a row game").to_bytes()
    });
    let middle = SOUND.len().saturating_sub(bytes.len());
    let mut forged = SOUND[..middle].to_vec();
    forged.extend_from_slice(&bytes[..bytes.len().min(SOUND.len())]);
    // What cannot be forged, since its description is none, is just looked at.
    let _ = reseal(&mut forged);
    for candidate in [bytes.to_vec(), forged] {
        if let Ok(packed) = Packed::from_bytes(candidate)
            && packed.check(&()).is_ok()
        {
            open_boxes(&packed);
            let few = Sample { boards: 64, seed: bytes.len() as u64 };
            let report = verify_packed(&packed, Some(few), &()).expect("no checksum is wrong");
            assert_eq!(report.is_correct(), report.first.is_none());
        }
    }
}

/// A board and a game, as somebody typed them, separated by a line end. What is accepted can be written and read again.
pub fn boards_and_games(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, board) = text.split_once('\n').unwrap_or((&text, ""));
    let Ok(game) = games::find(name) else { return };
    assert_eq!(games::find(&game.name()).map(|again| again.name()).ok(), Some(game.name()));
    let Ok(board) = Board::parse(board, game.shape()) else { return };
    assert_eq!(Board::parse(&board.to_string(), game.shape()), Ok(board));
    assert_eq!(Board::from_id(board.id(), game.shape()), Some(board));
    assert_eq!(Board::parse(&format!("id:{}", board.id()), game.shape()), Ok(board));
    if let Ok(sides) = crate::game::sides_to_move(&*game, board) {
        assert!(sides.iter().all(|&side| !game.moves(board, side).is_empty()));
    }
}

/// What a person types in a game, after a byte that chooses it. The game ends, and the machine does not lose it.
pub fn play_prompt(bytes: &[u8]) {
    static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| {
        let run = |name| Run::generate(games::find(name).expect("a game"), &Plan::default(), &()).expect("a run");
        ["3x3x3", "hexapawn", "wild", "pong-hau-ki"].map(run).into()
    });
    let Some((&choice, mut typed)) = bytes.split_first() else { return };
    let run = &RUNS[usize::from(choice) % RUNS.len()];
    let machines = match choice >> 6 {
        0 => vec![Player::One],
        1 => vec![Player::Two],
        2 => vec![],
        _ => vec![Player::One, Player::Two],
    };
    let setup = Setup {
        game: &*run.game,
        boxes: Some(run),
        machines: machines.clone(),
        board: run.game.start(),
        to_move: Player::One,
        seed: choice.into(),
        echo: true,
    };
    let mut shown = Vec::new();
    let ending = play(&setup, &mut typed, &mut shown).expect("boxes are there for every board");
    // From boards that are not banned the machine never loses.
    for player in machines.iter().filter(|player| machines.len() == 1 && !is_lost(run, **player)) {
        assert_ne!(ending, crate::play::Ending::Won(player.other()));
    }
}

/// Whether the side that does not begin, or the one that does, has lost before the first move.
fn is_lost(run: &Run, machine: Player) -> bool {
    let start = run.game.start();
    let boards = match machine {
        Player::One => vec![start],
        Player::Two => run.game.moves(start, Player::One).into_iter().map(|mv| start.play(mv)).collect(),
    };
    boards.into_iter().any(|board| run.find(machine, board).is_some_and(|(_, matchbox, _)| matchbox.banned().is_some()))
}

/// Opens the boxes of some boards near the start.
fn open_boxes(boxes: &dyn Cabinet) {
    let game = &**boxes.game();
    let mut boards = vec![(game.start(), Player::One)];
    for _ in 0..64 {
        let Some((board, player)) = boards.pop() else { return };
        if game.result(board, player).is_some() {
            continue;
        }
        let moves = game.moves(board, player);
        if let Ok(Some(opened)) = boxes.open(player, board) {
            let here = opened.symmetry.inverse();
            assert!(opened.matchbox.beads().all(|(mv, _)| moves.contains(&here.mv(mv))));
        }
        boards.extend(moves.into_iter().map(|mv| (board.play(mv), player.other())));
    }
}

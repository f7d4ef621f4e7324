//! Verifying tables: every generated table is accepted, every damaged one is not.

mod common;

use common::damage::{Damaged, damage};
use common::packed_file::{batches, codes, hollow, parts, reseal, with_a_long_batch, with_counts};
use common::{game, small_row_games};
use menace::diff::Diff;
use menace::table::PlanError;
use menace::verify::{MOST_WHOLE, Report, Sample, boards_to_check, verify};
use menace::words::counted;
use menace::{Aim, Board, Game, Mark, Move, Outcome, Plan, Position, Side, Sides, Table, TableError, Verdict};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use serde_json::Value as Json;

fn generate(name: &str, plan: &Plan) -> Table {
    Table::generate_boxes(game(name), plan, &()).unwrap()
}

/// The packed table of a plan, if the plan allows one.
fn pack(name: &str, plan: &Plan) -> Option<Table> {
    match Table::generate_packed(game(name), plan, &()) {
        Err(TableError::Plan(PlanError::NotPacked(_))) => None,
        table => Some(table.unwrap()),
    }
}

fn json_of(table: &Table) -> String {
    let mut text = Vec::new();
    table.write_json(&mut text, &()).unwrap();
    String::from_utf8(text).unwrap()
}

fn report(table: &Table) -> Report {
    verify(table, None, &()).unwrap()
}

fn assert_correct(report: &Report, what: &str) {
    assert!(report.is_correct() && report.first.is_none(), "{what}: {report:?}");
    assert!(report.checked > 0, "{what}: nothing was checked");
}

const NAMED: [&str; 8] =
    ["hexapawn", "hexapawn:4x3", "hexapawn:3x4", "morris", "pong-hau-ki", "notakto", "wild", "4x4x4+gravity"];

#[test]
fn every_generated_table_is_correct() {
    let names: Vec<String> = small_row_games().into_iter().chain(NAMED.map(str::to_owned)).collect();
    names.par_iter().for_each(|name| {
        let aims = Aim::ALL.into_iter().filter(|aim| aim.suits(&*game(name)));
        // Odds take long; `tests/games.rs` compares them with plain ones on all boards.
        let both = aims.flat_map(|aim| [(aim, false), (aim, true)]).filter(|&kind| kind != (Aim::Trap, false));
        for (aim, symmetry) in both {
            let plan = Plan { aim, symmetry, ..Plan::default() };
            assert_correct(&report(&generate(name, &plan)), &format!("{name} {aim:?} {symmetry}"));
            let packed = pack(name, &plan);
            assert_eq!(packed.is_some(), game(name).as_rows().is_some() && aim != Aim::Trap, "{name} {aim:?}");
            if let Some(packed) = packed {
                let report = report(&packed);
                // If one stone is a row, no board is quiet, and nothing is stored.
                assert!(report.is_correct() && (report.checked > 0 || name.contains("x1")), "packed {name} {report:?}");
            }
        }
    });
}

#[test]
fn tables_with_one_machine_or_with_bans_are_correct() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for name in ["3x3x3", "3x3x3+misere", "3x2x2+gravity", "hexapawn", "morris", "pong-hau-ki"] {
        for machines in [Sides::FIRST, Sides::SECOND] {
            assert_correct(&report(&generate(name, &Plan { machines, ..Plan::default() })), name);
        }
        let whole = generate(name, &Plan::default());
        let boards_of =
            |side| whole.machine(side).unwrap().to_boxes().unwrap().iter().map(|(board, _)| board).collect();
        let boards: Vec<Board> = Side::BOTH.map(boards_of).into_iter().flat_map(|boards: Vec<Board>| boards).collect();
        for round in 0..12 {
            let ban = (0..3).map(|_| *boards.choose(&mut rng).unwrap()).collect();
            let aim = Aim::ALL[round % 4];
            let aim = if aim.suits(&**whole.game()) { aim } else { Aim::Safe };
            let plan = Plan { aim, symmetry: round % 2 == 1, ban, ..Plan::default() };
            assert_correct(&report(&generate(name, &plan)), &format!("{name} {plan:?}"));
        }
    }
}

/// Plays a line and asserts that every move is legal. Returns the position at its end.
fn replay(game: &dyn Game, at: Position, line: &[Move]) -> Position {
    line.iter().fold(at, |at, mv| {
        assert_eq!(game.result(at), None, "the game is over on {}", at.board);
        assert!(game.moves(at).contains(mv), "{mv:?} on {}", at.board);
        at.play(*mv)
    })
}

/// Asserts that the reported fault is where the damage is, and that its line shows what it claims.
fn assert_true_counterexample(damaged: &Damaged, table: &Table, report: &Report) {
    let first = report.first.as_ref().unwrap_or_else(|| panic!("{} was not found", damaged.how));
    let (machine, id) = damaged.place.unwrap();
    assert_eq!(
        (first.machine, first.id.map(|id| id.0 as u64)),
        (Some(machine), Some(id)),
        "{}: {first:?}",
        damaged.how
    );
    let game = &**table.game();
    let at = Position::new(Board::from_id(first.id.unwrap(), game.shape()).unwrap(), machine);
    assert_eq!(replay(game, game.start(), &first.before), at, "the moves before it lead to the box");
    let end = replay(game, at, &first.line);
    let result = game.result(end);
    let has_lost = result.is_some_and(|outcome| outcome.winner(end.to_move) == Some(machine.other()));
    if first.fault.contains("; it loses") {
        assert!(has_lost, "{}: {first:?}", damaged.how);
    }
    if first.fault.contains("; it does not lose") {
        assert!(!has_lost, "{}: {first:?}", damaged.how);
    }
    // The line is best play by both sides: a bead that gives a win away does not win, and one that wins later does.
    let has_won = result.is_some_and(|outcome| outcome != Outcome::Draw) && !has_lost;
    if first.fault.contains("; it gives a forced win away") {
        assert!(!has_won && !has_lost, "{}: {first:?}", damaged.how);
    }
    if first.fault.contains("; it wins later") {
        assert!(has_won, "{}: {first:?}", damaged.how);
    }
    if first.fault.contains("; another bead wins at once") {
        assert!(first.line.len() == 1 && result.is_some() && !has_lost, "{first:?}");
    }
    assert!(result.is_some() || game.goes_in_circles(), "{}: {first:?} ends on {}", damaged.how, end.board);
}

/// Asserts that a diff names only the damaged box.
fn assert_diff_names_it(damaged: &Damaged, whole: &Table, table: &Table) {
    let diff = Diff::new(whole, table, &()).unwrap();
    assert!(!diff.is_same(), "{}", damaged.how);
    let mut out = Vec::new();
    diff.write_json(&[], &mut out).unwrap();
    let json: Json = serde_json::from_slice(&out).unwrap();
    let listed = |field: &str| json[field].as_array().unwrap().iter().filter_map(Json::as_u64).collect::<Vec<_>>();
    let changed: Vec<u64> =
        json["changed"].as_array().unwrap().iter().map(|change| change["id"].as_u64().unwrap()).collect();
    let (_, id) = damaged.place.unwrap();
    if damaged.how == "a missing box" {
        assert_eq!((listed("boxes_only_in_a"), changed), (vec![id], vec![]));
    } else {
        assert_eq!(
            (listed("boxes_only_in_a"), listed("boxes_only_in_b"), changed),
            (vec![], vec![], vec![id]),
            "{}",
            damaged.how
        );
    }
}

#[test]
fn verify_and_diff_find_the_damage_in_ten_thousand_tables() {
    let tables = [
        ("3x3x3", 900),
        ("3x3x3+misere", 300),
        ("3x2x2", 2900),
        ("2x3x3+gravity+misere", 2900),
        ("3x3x2+gravity", 2900),
        ("hexapawn", 2900),
        ("pong-hau-ki", 2900),
    ];
    let caught: usize = tables.par_iter().map(|&(name, times)| caught(name, times)).sum();
    assert!(caught >= 10_000, "only {caught} tables were damaged");
}

fn caught(name: &str, times: usize) -> usize {
    let mut rng = Pcg64Mcg::seed_from_u64(times as u64);
    let aims: Vec<Aim> = Aim::ALL.into_iter().filter(|aim| aim.suits(&*game(name))).collect();
    let wholes: Vec<(Table, String)> = Vec::from_iter(aims.into_iter().map(|aim| {
        let whole = generate(name, &Plan { aim, ..Plan::default() });
        let text = json_of(&whole);
        (whole, text)
    }));
    let mut caught = 0;
    for time in 0..times {
        // The odds of the last aim take long to recompute, and little of the damage concerns them.
        let (whole, text) = if time % 10 == 9 { &wholes[wholes.len() - 1] } else { &wholes[time % 3] };
        let Some(damaged) = damage(text, &mut rng) else { continue };
        // A round that is not on record is refused when the table is read.
        let Ok(table) = Table::read(damaged.text.clone().into_bytes(), None) else { continue };
        assert_true_counterexample(&damaged, &table, &report(&table));
        assert_diff_names_it(&damaged, whole, &table);
        caught += 1;
    }
    caught
}

#[test]
fn every_flipped_bit_of_a_json_table_is_caught() {
    let games = ["2x2x2", "2x2x2+gravity+misere", "hexapawn:2x3", "3x2x3"];
    for (name, aim) in games.into_iter().zip(Aim::ALL) {
        let whole = generate(name, &Plan { aim, ..Plan::default() });
        let text = json_of(&whole).into_bytes();
        (0..8 * text.len()).into_par_iter().for_each(|bit| {
            let mut flipped = text.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let around = String::from_utf8_lossy(&flipped[(bit / 8).saturating_sub(9)..bit / 8 + 1]).into_owned();
            if let Ok(table) = Table::read(flipped, None) {
                // Another reply that also refutes the bead is just as correct; only a diff shows the change.
                let is_other_reply = around.starts_with("\"reply\":\"");
                let is_caught = !report(&table).is_correct();
                assert!(is_caught || is_other_reply, "bit {} of byte {}: {around}", bit % 8, bit / 8);
                assert!(!is_other_reply || !Diff::new(&whole, &table, &()).unwrap().is_same(), "{around}");
            }
        });
    }
}

/// Every board that has a place in a packed table, reachable or not: sides take turns, and with gravity no stone has an empty
/// cell below it.
fn every_place(game: &dyn Game) -> Vec<Position> {
    let has_gravity = game.as_rows().unwrap().has_gravity();
    let boards = std::iter::successors(Some(Board::empty(game.shape())), |board| board.next());
    let has_place = |board: &Board| {
        let [x, o] = Mark::BOTH.map(|mark| board.count(mark));
        let floating = board.occupied() & board.vacant() << game.shape().width();
        (x == o || x == o + 1) && (!has_gravity || floating == 0)
    };
    boards.filter(has_place).map(|board| Position::new(board, Side::after_stones(board.stone_count()))).collect()
}

/// What a packed table says about a board: its verdict or, if the game is over, whether the board has a box anyway.
fn said_of(table: &Table, at: Position) -> (Option<Verdict>, bool) {
    match table.game().result(at) {
        None => (table.verdict(at).ok(), false),
        Some(_) => (None, table.matchbox(at).unwrap().is_some()),
    }
}

#[test]
fn forged_packed_tables_are_caught_with_a_legal_line() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for (name, aim) in
        [("3x3x3", Aim::Safe), ("3x3x3", Aim::Fastest), ("4x3x3+gravity", Aim::Win), ("3x3x3+misere", Aim::Fastest)]
    {
        let whole = pack(name, &Plan { aim, ..Plan::default() }).unwrap();
        let bytes = whole.packed_bytes().unwrap().unwrap();
        let said: Vec<_> = every_place(&**whole.game()).into_iter().map(|at| (at, said_of(&whole, at))).collect();
        let part = parts(&bytes).unwrap().remove(0);
        let mut caught = 0;
        for _ in 0..200 {
            let mut forged = bytes.clone();
            forged[rng.random_range(part.payload.start..part.counts.end)] ^= 1 << rng.random_range(0..8);
            reseal(&mut forged).unwrap();
            let same_counts = forged[part.counts.clone()] == bytes[part.counts.clone()];
            // Impossible counts are refused when the table is opened.
            let Ok(table) = Table::read(forged, None) else { continue };
            let report = report(&table);
            let is_same = said.par_iter().all(|&(at, said)| said_of(&table, at) == said);
            // Bits that belong to no board do not matter, and neither do boards that are stored twice; all others do.
            assert!(is_same && same_counts || !report.is_correct(), "{name} {aim:?} {report:?}");
            caught += usize::from(!report.is_correct());
            assert_true_line(&**table.game(), &report);
        }
        assert!(caught > 50, "{name}: only {caught} were caught");
    }
}

/// The bytes of a compressed table.
#[cfg(feature = "zstd")]
fn compressed(name: &str, plan: &Plan) -> Vec<u8> {
    pack(name, &Plan { compress: true, ..plan.clone() }).unwrap().packed_bytes().unwrap().unwrap()
}

#[cfg(feature = "zstd")]
#[test]
fn a_compressed_table_is_correct_and_a_flipped_bit_anywhere_is_detected() {
    for (name, aim) in [("3x3x3", Aim::Safe), ("4x3x3", Aim::Fastest), ("4x3x3+gravity", Aim::Win)] {
        let bytes = compressed(name, &Plan { aim, ..Plan::default() });
        assert_correct(&report(&Table::read(bytes.clone(), None).unwrap()), name);
        (0..bytes.len()).into_par_iter().for_each(|at| {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let found = Table::read(damaged, None).map(|table| verify(&table, None, &()));
            assert!(!matches!(found, Ok(Ok(_))), "byte {at} of {name}");
        });
    }
}

#[cfg(feature = "zstd")]
#[test]
fn forged_compressed_tables_are_caught() {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    for (name, aim) in [("4x4x3", Aim::Safe), ("5x4x4+gravity", Aim::Fastest)] {
        let bytes = compressed(name, &Plan { aim, ..Plan::default() });
        let whole = Table::read(bytes.clone(), None).unwrap();
        let part = parts(&bytes).unwrap().into_iter().max_by_key(|part| part.ends.len()).unwrap();
        assert!(part.ends.len() > 8, "{name}: several chunks are needed");
        let mut caught = 0;
        for round in 0..30 {
            let mut forged = bytes.clone();
            let range = match round % 3 {
                0 => part.ends.clone(),
                1 => part.payload.clone(),
                _ => part.payload.start..part.counts.end,
            };
            forged[rng.random_range(range)] ^= 1 << rng.random_range(0..8);
            // Chunks that lie outside the payload have no checksum.
            if reseal(&mut forged).is_none() {
                assert!(Table::read(forged, None).is_err(), "{name}");
                continue;
            }
            // Impossible counts, and chunks that do not add up to the payload, are refused when the table is opened.
            let Ok(table) = Table::read(forged.clone(), None) else { continue };
            match verify(&table, None, &()) {
                Ok(report) if report.is_correct() => {
                    // Some bits of a compressed chunk mean nothing, and some bits of a payload belong to no board.
                    assert!(forged[part.counts.clone()] == bytes[part.counts.clone()], "{name}");
                    assert!(Diff::new(&whole, &table, &()).unwrap().is_same(), "{name}");
                }
                Ok(_) | Err(menace::verify::VerifyError::Decode(_)) => caught += 1,
                Err(error) => panic!("{name}: {error}"),
            }
        }
        assert!(caught > 10, "{name}: only {caught} were caught");
    }
}

/// Asserts that a line that shows a fault has only legal moves, and reaches the end of the game if it is best play.
fn assert_true_line(game: &dyn Game, report: &Report) {
    let Some(first) = report.first.as_ref().filter(|first| first.id.is_some()) else { return };
    if !first.before.is_empty() {
        assert_eq!(Some(replay(game, game.start(), &first.before).board.id()), first.id);
    }
    let board = Board::from_id(first.id.unwrap(), game.shape()).unwrap();
    let end = replay(game, Position::new(board, first.machine.unwrap()), &first.line);
    let is_whole_line = first.fault.contains("the next boards make it");
    assert!(!is_whole_line || game.result(end).is_some(), "{first:?}");
}

/// Used to be an error, as if the file could not be read.
#[test]
fn groups_that_do_not_fit_are_reported() {
    for (name, depths) in [("4x3x3", false), ("4x3x3", true), ("5x3x3+gravity", false), ("5x3x3+gravity", true)] {
        let bytes = pack(name, &Plan { depths, ..Plan::default() }).unwrap().packed_bytes().unwrap().unwrap();
        let part = parts(&bytes).unwrap().remove(0);
        // The first group says that it has a board more.
        let mut forged = bytes.clone();
        forged[part.payload.start] += 1;
        reseal(&mut forged).unwrap();
        let table = Table::read(forged, None).unwrap();
        let whole = verify(&table, None, &()).unwrap();
        assert_file_is_wrong(&whole, &["does not end where", "boards and has"]);
        assert!(whole.checked < 100, "{name} {depths}: {whole:?}");
    }
}

/// With compression, a batch can claim far more than the file has, and the program died because that did not fit in memory.
#[test]
fn a_batch_that_is_too_long_is_refused_before_it_is_read() {
    let whole = pack("4x4x4+misere", &Plan { depths: true, ..Plan::default() }).unwrap();
    let bytes = whole.packed_bytes().unwrap().unwrap();
    // The first tier has 32 groups, and codes of one bit.
    assert!(parts(&bytes).unwrap()[0].payload.len() > 32 * (2 + 65535_usize.div_ceil(8)));
    let forged = Table::read(with_a_long_batch(&bytes), None).unwrap();
    for sample in [None, Some(Sample { boards: 10, seed: 1 })] {
        assert_file_is_wrong(&verify(&forged, sample, &()).unwrap(), &["does not end where"]);
    }
    for (a, b) in [(&whole, &forged), (&forged, &whole)] {
        let error = Diff::new(a, b, &()).err().unwrap().to_string();
        assert!(error.contains("a batch has another length"), "{error}");
    }
}

/// Each group of a table says that it has a board more, or each that has room for one in its last byte.
fn with_a_board_more(bytes: &[u8], only_with_room: bool) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    for (numbers, _) in batches(bytes) {
        for at in numbers.step_by(2) {
            let number = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
            // Four codes without depths fill a byte.
            let more = u16::from(!only_with_room || !number.is_multiple_of(4));
            forged[at..at + 2].copy_from_slice(&(number + more).to_le_bytes());
        }
    }
    reseal(&mut forged).unwrap();
    forged
}

/// A fault of the file used to be called one of the first machine.
fn assert_file_is_wrong(report: &Report, faults: &[&str]) {
    let first = report.first.as_ref().unwrap_or_else(|| panic!("{report:?}"));
    assert!(report.faults == 1 && faults.iter().any(|fault| first.fault.contains(fault)), "{report:?}");
    assert_eq!((first.machine, first.id, first.line.len()), (None, None, 0), "{report:?}");
    assert_eq!(serde_json::to_value(report).unwrap()["first"]["machine"], Json::Null);
}

#[test]
fn a_sample_reports_groups_that_do_not_fit() {
    for name in ["4x3x3", "5x3x3+gravity"] {
        let bytes = pack(name, &Plan::default()).unwrap().packed_bytes().unwrap().unwrap();
        for (only_with_room, fault) in [(false, "does not end where"), (true, "boards and has")] {
            let table = Table::read(with_a_board_more(&bytes, only_with_room), None).unwrap();
            for seed in 0..5 {
                let sample = verify(&table, Some(Sample { boards: 100, seed }), &()).unwrap();
                assert_file_is_wrong(&sample, &[fault]);
            }
        }
    }
}

/// A file without boards used to pass as a sample in which no fault was found.
#[test]
fn a_sample_of_no_boards_is_a_fault() {
    for name in ["4x3x3", "5x3x3+gravity"] {
        let bytes = pack(name, &Plan::default()).unwrap().packed_bytes().unwrap().unwrap();
        let table = Table::read(hollow(&bytes), None).unwrap();
        let sample = verify(&table, Some(Sample { boards: 100, seed: 1 }), &()).unwrap();
        assert_file_is_wrong(&sample, &["boards and has 0"]);
        assert_eq!(sample.checked, 0);
    }
}

/// Nearly all groups of such a table have no boards, because nearly every board can be won at once.
#[test]
fn a_sample_of_a_table_with_few_boards_is_correct() {
    for name in ["4x4x2", "5x4x2+gravity"] {
        let table = pack(name, &Plan::default()).unwrap();
        let sample = verify(&table, Some(Sample { boards: 10, seed: 1 }), &()).unwrap();
        assert_correct(&sample, name);
    }
}

/// Boards whose next boards have such codes used not to count as checked.
#[test]
fn a_code_without_meaning_leaves_no_board_unchecked() {
    let table = pack("4x3x3", &Plan::default()).unwrap();
    let mut forged = table.packed_bytes().unwrap().unwrap();
    let at: Vec<usize> = codes(&forged).into_iter().flatten().collect();
    let due = report(&table).checked;
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    for _ in 0..20 {
        let byte = *at.choose(&mut rng).unwrap();
        let whole = forged[byte];
        forged[byte] = 0xff;
        reseal(&mut forged).unwrap();
        let found = report(&Table::read(forged.clone(), None).unwrap());
        assert_eq!(found.checked, due, "{found:?}");
        forged[byte] = whole;
    }
}

/// A sample used to count such boards as checked, without judging them.
#[test]
fn a_sample_reports_boards_whose_next_boards_have_a_code_without_meaning() {
    let mut forged = pack("4x3x3", &Plan::default()).unwrap().packed_bytes().unwrap().unwrap();
    for codes in codes(&forged) {
        forged[codes].fill(0xff);
    }
    reseal(&mut forged).unwrap();
    let table = Table::read(forged, None).unwrap();
    let found = verify(&table, Some(Sample { boards: 500, seed: 1 }), &()).unwrap();
    assert_eq!((found.checked, found.faults), (500, 500), "{found:?}");
    let faults = (0..50).map(|seed| verify(&table, Some(Sample { boards: 1, seed }), &()).unwrap().first.unwrap());
    let unjudged = faults.filter(|fault| fault.fault.contains("has no verdict") && fault.line.len() == 1);
    assert!(unjudged.count() > 20);
}

/// A table that claims to have no boards used to be checked whole, whatever sample was asked for.
#[test]
fn wrong_counts_do_not_decide_what_is_checked() {
    for (name, count) in [("4x3x3", 0), ("5x3x3+gravity", 0), ("4x3x3", 1 << 40), ("5x3x3+gravity", 1 << 40)] {
        let bytes = pack(name, &Plan::default()).unwrap().packed_bytes().unwrap().unwrap();
        let stored = report(&Table::read(bytes.clone(), None).unwrap()).checked;
        let table = Table::read(with_counts(&bytes, count), None).unwrap();
        let boards = boards_to_check(&table).unwrap().unwrap();
        assert!((stored..MOST_WHOLE).contains(&boards), "{name} {count}: {boards}, {stored} are stored");
        let sample = verify(&table, Some(Sample { boards: 1000, seed: 1 }), &()).unwrap();
        assert!(sample.is_sample && sample.is_correct() && sample.checked == 1000, "{name}: {sample:?}");
        // A sample of more boards than the game has is no sample.
        for sample in [None, Some(Sample { boards: 1 << 30, seed: 1 })] {
            let whole = verify(&table, sample, &()).unwrap();
            let fault = whole.first.unwrap().fault;
            let start = format!("it counts {} with ", counted(4 * count, "board"));
            assert!(fault.starts_with(&start) && fault.contains("but there are "), "{name}: {fault}");
        }
    }
}

#[test]
fn a_sample_finds_widespread_damage() {
    let table = pack("4x3x3", &Plan::default()).unwrap();
    let sample = Sample { boards: 5000, seed: 1 };
    assert_correct(&verify(&table, Some(sample), &()).unwrap(), "4x3x3");
    let mut forged = table.packed_bytes().unwrap().unwrap();
    for codes in codes(&forged) {
        forged[codes].fill(0);
    }
    reseal(&mut forged).unwrap();
    let forged = Table::read(forged, None).unwrap();
    let report = verify(&forged, Some(sample), &()).unwrap();
    assert!(report.faults > 50 && report.is_sample, "{report:?}");
}

#[test]
fn a_machine_without_a_record_is_judged_only_by_what_it_plays() {
    let whole = generate("3x3x3", &Plan { machines: Sides::FIRST, ..Plan::default() });
    let mut json: Json = serde_json::from_str(&json_of(&whole)).unwrap();
    json["machines"]["first"]["rounds"] = Json::Array(Vec::new());
    let boxes = json["machines"]["first"]["boxes"].as_array_mut().unwrap();
    for matchbox in boxes.iter_mut() {
        // One bead per box, as a machine that learned may have; no reasons are given for the missing ones.
        let first = matchbox["beads"].as_object().unwrap().keys().next().cloned();
        matchbox["beads"] = first.map_or(serde_json::json!({}), |mv| serde_json::json!({mv: 4}));
        matchbox["removed"] = serde_json::json!({});
        matchbox.as_object_mut().unwrap().remove("banned");
    }
    let read = |json: &Json| Table::read(json.to_string().into_bytes(), None).unwrap();
    let correct = report(&read(&json));
    assert_correct(&correct, "one bead per box");
    assert!(correct.is_play_only);
    // X in the corner, O in the centre: the machine meets this box. A move beside the corner would be fine; an empty box is not.
    let board = Board::parse("X...O....", whole.game().shape()).unwrap();
    let boxes = json["machines"]["first"]["boxes"].as_array().unwrap();
    let at = boxes.iter().position(|matchbox| matchbox["id"] == board.id().0 as u64).unwrap();
    let mut empty = json.clone();
    empty["machines"]["first"]["boxes"][at]["beads"] = serde_json::json!({});
    assert!(report(&read(&empty)).first.unwrap().fault.contains("no bead left"));
    let mut gone = json.clone();
    gone["machines"]["first"]["boxes"].as_array_mut().unwrap().remove(at);
    assert!(report(&read(&gone)).first.unwrap().fault.contains("no box for this board"));
}

//! Verifying tables: all that are made are accepted, all that are damaged are not.

mod common;

use std::sync::Arc;

use common::damage::{Damaged, damage};
use common::{assert_refused, menace, small_row_games, stdout};
use menace::diff::Diff;
use menace::packed::{Packed, reseal};
use menace::verify::{Report, Sample, verify, verify_packed};
use menace::{Aim, Board, Cabinet, Game, Machines, Move, Outcome, Plan, Player, Run, games};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use serde_json::Value as Json;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).unwrap_or_else(|error| panic!("{error}"))
}

fn generate(name: &str, plan: &Plan) -> Run {
    Run::generate(game(name), plan, &()).unwrap()
}

fn assert_correct(report: &Report, what: &str) {
    assert!(report.is_correct() && report.first.is_none(), "{what}: {report:?}");
    assert!(report.checked > 0, "{what}: nothing was looked at");
}

const NAMED: [&str; 8] =
    ["hexapawn", "hexapawn:4x3", "hexapawn:3x4", "morris", "pong-hau-ki", "notakto", "wild", "4x4x4+gravity"];

#[test]
fn every_table_that_is_made_is_correct() {
    let names: Vec<String> = small_row_games().into_iter().chain(NAMED.map(str::to_owned)).collect();
    names.par_iter().for_each(|name| {
        let aims = Aim::ALL.into_iter().filter(|aim| aim.suits(&*game(name)));
        // Odds take long, and are compared with plain ones for all boards elsewhere.
        let both = aims.flat_map(|aim| [(aim, false), (aim, true)]).filter(|&kind| kind != (Aim::Trap, false));
        for (aim, symmetry) in both {
            let plan = Plan { aim, symmetry, ..Plan::default() };
            assert_correct(&verify(&generate(name, &plan), &()), &format!("{name} {aim:?} {symmetry}"));
            if let Some(packed) = Packed::make(&*game(name), &plan, &()) {
                let report = verify_packed(&packed, None, &()).unwrap();
                assert_correct(&report, &format!("packed {name} {aim:?} {symmetry}"));
            }
        }
    });
}

#[test]
fn tables_of_one_machine_and_with_bans_are_correct() {
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    for name in ["3x3x3", "3x3x3+misere", "3x2x2+gravity", "hexapawn", "morris", "pong-hau-ki"] {
        for machines in [Machines::First, Machines::Second] {
            assert_correct(&verify(&generate(name, &Plan { machines, ..Plan::default() }), &()), name);
        }
        let whole = generate(name, &Plan::default());
        let ids: Vec<_> = whole.tables().flat_map(|(_, table)| table.boxes.keys().copied()).collect();
        for round in 0..12 {
            let ban =
                (0..3).map(|_| Board::from_id(*ids.choose(&mut rng).unwrap(), whole.game.shape()).unwrap()).collect();
            let aim = Aim::ALL[round % 4];
            let aim = if aim.suits(&*whole.game) { aim } else { Aim::Safe };
            let plan = Plan { aim, symmetry: round % 2 == 1, ban, ..Plan::default() };
            assert_correct(&verify(&generate(name, &plan), &()), &format!("{name} {plan:?}"));
        }
    }
}

/// Plays a line and asserts that every move is legal; the board and the side to move at its end.
fn replay(game: &dyn Game, board: Board, player: Player, line: &[Move]) -> (Board, Player) {
    line.iter().fold((board, player), |(board, player), mv| {
        assert_eq!(game.result(board, player), None, "the game is over on {board}");
        assert!(game.moves(board, player).contains(mv), "{mv:?} on {board}");
        (board.play(*mv), player.other())
    })
}

/// A fault has to be where the damage is, and what it shows has to be so.
fn assert_true_counterexample(damaged: &Damaged, run: &Run, report: &Report) {
    let first = report.first.as_ref().unwrap_or_else(|| panic!("{} was not found", damaged.how));
    let (machine, id) = damaged.place.unwrap();
    assert_eq!((first.machine, first.id.map(|id| id.0 as u64)), (machine, Some(id)), "{}: {first:?}", damaged.how);
    let game = &*run.game;
    let board = Board::from_id(first.id.unwrap(), game.shape()).unwrap();
    let (reached, to_move) = replay(game, game.start(), Player::One, &first.before);
    assert_eq!((reached, to_move), (board, machine), "a game leads to the box");
    let (end, to_move) = replay(game, board, machine, &first.line);
    let result = game.result(end, to_move);
    let has_lost = match result {
        Some(Outcome::Win) => to_move != machine,
        Some(Outcome::Loss) => to_move == machine,
        _ => false,
    };
    if first.fault.contains("; it loses") {
        assert!(has_lost, "{}: {first:?}", damaged.how);
    }
    if first.fault.contains("; it does not lose") {
        assert!(!has_lost, "{}: {first:?}", damaged.how);
    }
    // Best play of both sides: what gives a win away is not won, and what wins later is.
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
    assert!(result.is_some() || game.goes_in_circles(), "{}: {first:?} ends on {end}", damaged.how);
}

/// A diff names the damaged box and no other.
fn assert_diff_names_it(damaged: &Damaged, whole: &Run, run: &Run) {
    let diff = Diff::new(whole, run, &()).unwrap();
    assert!(!diff.is_same(), "{}", damaged.how);
    let mut out = Vec::new();
    diff.write_json(&[], &mut out).unwrap();
    let json: Json = serde_json::from_slice(&out).unwrap();
    let listed = |field: &str| json[field].as_array().unwrap().iter().filter_map(Json::as_u64).collect::<Vec<_>>();
    let changed: Vec<u64> =
        json["changed"].as_array().unwrap().iter().map(|change| change["id"].as_u64().unwrap()).collect();
    let (_, id) = damaged.place.unwrap();
    if damaged.how == "a box gone" {
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
fn ten_thousand_damaged_tables_are_caught_and_diffed() {
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
    let wholes: Vec<(Run, String)> = Vec::from_iter(aims.into_iter().map(|aim| {
        let whole = generate(name, &Plan { aim, ..Plan::default() });
        let mut text = Vec::new();
        menace::write(&whole, &mut text, &()).unwrap();
        (whole, String::from_utf8(text).unwrap())
    }));
    let mut caught = 0;
    for time in 0..times {
        // The odds of the last aim take long to work out again, and few damages have to do with them.
        let (whole, text) = if time % 10 == 9 { &wholes[wholes.len() - 1] } else { &wholes[time % 3] };
        let Some(damaged) = damage(text, &mut rng) else { continue };
        // A round that no record has is found when the table is read.
        let Ok(run) = menace::read(damaged.text.as_bytes()) else { continue };
        let report = verify(&run, &());
        assert_true_counterexample(&damaged, &run, &report);
        assert_diff_names_it(&damaged, whole, &run);
        caught += 1;
    }
    caught
}

#[test]
fn every_flipped_bit_of_a_json_table_is_caught() {
    let games = ["2x2x2", "2x2x2+gravity+misere", "hexapawn:2x3", "3x2x3"];
    for (name, aim) in games.into_iter().zip(Aim::ALL) {
        let mut text = Vec::new();
        let whole = generate(name, &Plan { aim, ..Plan::default() });
        menace::write(&whole, &mut text, &()).unwrap();
        (0..8 * text.len()).into_par_iter().for_each(|bit| {
            let mut flipped = text.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(run) = menace::read(&flipped) {
                let around = String::from_utf8_lossy(&flipped[(bit / 8).saturating_sub(9)..bit / 8 + 1]).into_owned();
                // Another reply that refutes the bead as well is as true as the first; a diff tells them apart.
                let is_other_reply = around.starts_with("\"reply\":\"");
                assert!(
                    !verify(&run, &()).is_correct() || is_other_reply,
                    "bit {} of byte {}: {around}",
                    bit % 8,
                    bit / 8
                );
                assert!(!is_other_reply || !Diff::new(&whole, &run, &()).unwrap().is_same(), "{around}");
            }
        });
    }
}

#[test]
fn forged_packed_tables_are_caught_with_a_true_line() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    for (name, aim) in
        [("3x3x3", Aim::Safe), ("3x3x3", Aim::Fastest), ("4x3x3+gravity", Aim::Win), ("3x3x3+misere", Aim::Fastest)]
    {
        let game = game(name);
        let bytes = Packed::make(&*game, &Plan { aim, ..Plan::default() }, &()).unwrap().to_bytes();
        let whole = Packed::from_bytes(bytes.clone()).unwrap();
        for _ in 0..200 {
            let mut forged = bytes.clone();
            forged[rng.random_range(200..bytes.len())] ^= 1 << rng.random_range(0..8);
            reseal(&mut forged).unwrap();
            // Counts that cannot be are found when the table is opened.
            let Ok(packed) = Packed::from_bytes(forged) else { continue };
            let is_same = (0..packed.board_count()).all(|place| {
                let board = packed.board_at(place);
                packed.value(board).unwrap() == whole.value(board).unwrap()
            });
            let same_counts = packed.counts().eq(whole.counts());
            let report = verify_packed(&packed, None, &()).unwrap();
            // Bits that belong to no board say nothing; all others do.
            assert_eq!(report.is_correct(), is_same && same_counts, "{name} {aim:?} {report:?}");
            if let Some(first) = report.first.filter(|first| first.id.is_some()) {
                if !first.before.is_empty() {
                    let (reached, _) = replay(&*game, game.start(), Player::One, &first.before);
                    assert_eq!(Some(reached.id()), first.id);
                }
                let board = Board::from_id(first.id.unwrap(), game.shape()).unwrap();
                let (end, to_move) = replay(&*game, board, first.machine, &first.line);
                let is_whole_line = first.fault.contains("the next boards make it");
                assert!(!is_whole_line || game.result(end, to_move).is_some(), "{first:?}");
            }
        }
    }
}

#[test]
fn a_table_that_knows_no_board_is_not_correct() {
    for aim in [Aim::Safe, Aim::Fastest] {
        let whole = Packed::make(&*game("2x2x2"), &Plan { aim, ..Plan::default() }, &()).unwrap();
        // The last tier is the empty board: its code, a checksum, two counts and one for each code, a checksum.
        let mut bytes = whole.to_bytes();
        let codes = if aim == Aim::Safe { 4 } else { 6 };
        let record = bytes.len() - 4 - 8 * (2 + codes);
        let planes = if aim == Aim::Safe { 2 } else { 3 };
        let no_box = if aim == Aim::Safe { 3 } else { 0 };
        bytes[record - 4 - planes..record - 4].fill(if aim == Aim::Safe { 0xff } else { 0 });
        let counts: Vec<u64> = [0, 0].into_iter().chain((0..codes).map(|code| u64::from(code == no_box))).collect();
        let end = bytes.len() - 4;
        bytes[record..end].copy_from_slice(&counts.into_iter().flat_map(u64::to_le_bytes).collect::<Vec<_>>());
        reseal(&mut bytes).unwrap();
        let forged = Packed::from_bytes(bytes).unwrap();
        for sample in [None, Some(Sample { boards: 10, seed: 1 })] {
            let report = verify_packed(&forged, sample, &()).unwrap();
            assert!(report.first.unwrap().fault.contains("the game starts there"), "{aim:?}");
        }
    }
}

#[test]
fn a_sample_finds_what_is_everywhere() {
    let game = game("4x3x3");
    let packed = Packed::make(&*game, &Plan::default(), &()).unwrap();
    let sample = Sample { boards: 5000, seed: 1 };
    assert_correct(&verify_packed(&packed, Some(sample), &()).unwrap(), "4x3x3");
    let bytes = packed.to_bytes();
    // A stretch of codes: where counts were changed, the table cannot be opened.
    let forged = (500..bytes.len() - 3000).step_by(500).find_map(|start| {
        let mut forged = bytes.clone();
        forged[start..start + 2500].iter_mut().step_by(3).for_each(|byte| *byte ^= 0x55);
        reseal(&mut forged).unwrap();
        Packed::from_bytes(forged).ok()
    });
    let report = verify_packed(&forged.unwrap(), Some(sample), &()).unwrap();
    assert!(report.faults > 50 && report.checked == 5000, "{report:?}");
}

#[test]
fn a_machine_without_a_record_is_held_to_what_it_plays() {
    let whole = generate("3x3x3", &Plan { machines: Machines::First, ..Plan::default() });
    let mut text = Vec::new();
    menace::write(&whole, &mut text, &()).unwrap();
    let mut json: Json = serde_json::from_slice(&text).unwrap();
    json["machines"]["first"]["rounds"] = Json::Array(Vec::new());
    let boxes = json["machines"]["first"]["boxes"].as_array_mut().unwrap();
    for matchbox in boxes.iter_mut() {
        // One bead a box, as a machine may have that learned; nothing is said of the others.
        let first = matchbox["beads"].as_object().unwrap().keys().next().cloned();
        matchbox["beads"] = first.map_or(serde_json::json!({}), |mv| serde_json::json!({mv: 4}));
        matchbox["removed"] = serde_json::json!({});
        matchbox.as_object_mut().unwrap().remove("banned");
    }
    let read = |json: &Json| menace::read(json.to_string().as_bytes()).unwrap();
    assert_correct(&verify(&read(&json), &()), "one bead a box");
    // X in the corner, O in the centre: a box the machine meets. To go beside the corner would be fine, to leave it empty is not.
    let board = Board::parse("X...O....", whole.game.shape()).unwrap();
    let at = json["machines"]["first"]["boxes"]
        .as_array()
        .unwrap()
        .iter()
        .position(|b| b["id"] == board.id().0 as u64)
        .unwrap();
    let mut empty = json.clone();
    empty["machines"]["first"]["boxes"][at]["beads"] = serde_json::json!({});
    let report = verify(&read(&empty), &());
    assert!(report.first.unwrap().fault.contains("no bead left"));
    let mut gone = json.clone();
    gone["machines"]["first"]["boxes"].as_array_mut().unwrap().remove(at);
    let report = verify(&read(&gone), &());
    assert!(report.first.unwrap().fault.contains("no box for this board"));
}

#[test]
fn the_command_tells_right_from_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |arguments: &str| menace().current_dir(folder.path()).args(arguments.split_whitespace()).output().unwrap();
    assert!(run("generate -o t.json").status.success());
    let correct = run("verify t.json");
    assert_eq!((correct.status.code(), stdout(&correct)), (Some(0), "Correct: t.json, all 4,520 boxes.\n".to_owned()));
    let text = std::fs::read_to_string(folder.path().join("t.json")).unwrap();
    let forged = text.replacen(
        r#""beads":{"7":1},"removed":{"2":{"round":1,"why":"win"}"#,
        r#""beads":{"2":1,"7":1},"removed":{"#,
        1,
    );
    assert_ne!(text, forged.replace("\"removed\":{,", "\"removed\":{"));
    std::fs::write(folder.path().join("f.json"), forged.replace("\"removed\":{,", "\"removed\":{")).unwrap();
    let wrong = run("verify f.json");
    assert_eq!(wrong.status.code(), Some(1), "{}", stdout(&wrong));
    assert!(stdout(&wrong).contains("bead 2 is there; another bead wins at once"), "{}", stdout(&wrong));
    let json: Json = serde_json::from_str(&stdout(&run("verify --json f.json"))).unwrap();
    assert_eq!((&json["correct"], &json["faults"]), (&Json::Bool(false), &1.into()), "{json}");
    assert_eq!(json["first"]["line"], serde_json::json!(["7"]));
    let json: Json = serde_json::from_str(&stdout(&run("verify --json t.json"))).unwrap();
    assert_eq!((&json["correct"], &json["faults"], &json["first"]), (&Json::Bool(true), &0.into(), &Json::Null));
    assert_refused(&run("verify --sample 5 t.json"), &["--sample is for packed tables"]);
    assert!(run("generate -o t.menace").status.success());
    let sample = run("verify --sample 50 --seed 4 t.menace");
    assert!(stdout(&sample).contains("50 boards chosen by chance; --seed 4"), "{}", stdout(&sample));
    let boxes: &dyn Cabinet = &generate("3x3x3", &Plan::default());
    assert_eq!(boxes.box_count(Player::One), Some(2423));
}

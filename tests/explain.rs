//! Explaining boxes: every line is replayed with nothing but the rules.

mod common;

use std::sync::Arc;

use common::{assert_refused, menace, stdout};
use menace::explain::{End, Explained, Explanation, Values, explain};
use menace::packed::Packed;
use menace::{Aim, Board, Cabinet, Fate, Game, Outcome, Plan, Player, Run, Verdicts, When, Why, games};
use serde_json::Value as Json;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).unwrap_or_else(|error| panic!("{error}"))
}

fn explain_all(boxes: &dyn Cabinet, values: &dyn Values, mut visit: impl FnMut(Explanation)) {
    for machine in boxes.machines() {
        let mut boards = Vec::new();
        let listed = boxes.for_each_batch(machine, &mut |boxes| {
            boards.extend(boxes.iter().map(|(board, _)| *board));
            Ok(true)
        });
        listed.unwrap();
        boards.into_iter().for_each(|board| visit(explain(boxes, values, board, machine).unwrap()));
    }
}

/// Plays a line of an explanation move by move and asserts that it ends as it says, and proves what it is to prove.
fn assert_line_proves(game: &dyn Game, explanation: &Explanation, explained: &Explained) {
    let machine = explanation.machine;
    let (mut board, mut player) = (explanation.board, machine);
    assert_eq!(explained.line[0], explained.mv);
    for mv in &explained.line {
        assert_eq!(game.result(board, player), None);
        assert!(game.moves(board, player).contains(mv), "{mv:?} on {board}");
        (board, player) = (board.play(*mv), player.other());
    }
    let result = game.result(board, player);
    let winner = match result {
        Some(Outcome::Win) => Some(player),
        Some(Outcome::Loss) => Some(player.other()),
        _ => None,
    };
    match explained.end {
        End::Over(told, _) => assert!(result.is_some() && told == winner, "{explained:?} ends on {board}"),
        End::Repeats => assert!(game.goes_in_circles()),
        End::BannedAtStart | End::Open => panic!("{explained:?} proves nothing"),
    }
    let outcome = explained.worth.outcome;
    let due = match explained.fate {
        Fate::Stays(_) => outcome,
        Fate::Went(removal) => match removal.why {
            Why::Loses(_) | Why::Banned(_) => Outcome::Loss,
            Why::Draws | Why::Odds => Outcome::Draw,
            Why::Slow => Outcome::Win,
            Why::Win => outcome,
        },
    };
    assert_eq!(outcome, due, "{explained:?}");
    let won_by = match due {
        Outcome::Win => Some(machine),
        Outcome::Draw => None,
        Outcome::Loss => Some(machine.other()),
    };
    assert!(winner == won_by || explained.end == End::Repeats, "{explained:?}");
}

#[test]
fn every_line_of_every_box_of_tic_tac_toe_ends_on_a_finished_board() {
    let game = game("3x3x3");
    let verdicts = Verdicts::of(&*game, &());
    for (aim, symmetry) in Aim::ALL.into_iter().flat_map(|aim| [(aim, false), (aim, true)]) {
        let plan = Plan { aim, symmetry, ..Plan::default() };
        let run = Run::generate(game.clone(), &plan, &()).unwrap();
        let mut lines = 0;
        explain_all(&run, &verdicts, |explanation| {
            for explained in &explanation.moves {
                assert_line_proves(&*game, &explanation, explained);
                let End::Over(winner, row) = explained.end else { panic!("tic-tac-toe ends") };
                assert_eq!(winner.is_some(), row.count_ones() == 3, "the row is marked where there is one");
                assert!(winner.is_some() || row == 0);
                lines += 1;
            }
        });
        assert_eq!(lines, if symmetry { 1121 + 975 } else { 8631 + 7536 });
    }
}

#[test]
fn packed_tables_explain_as_json_does() {
    for name in ["3x3x3", "3x3x3+misere", "3x3x3+gravity", "4x3x3+gravity"] {
        let game = game(name);
        for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
            let plan = Plan { aim, ..Plan::default() };
            let run = Run::generate(game.clone(), &plan, &()).unwrap();
            let packed = Packed::make(&*game, &plan, &()).unwrap();
            let depths = Packed::make(&*game, &Plan { depths: true, ..plan.clone() }, &()).unwrap();
            explain_all(&packed, &packed, |explanation| {
                explanation.moves.iter().for_each(|explained| assert_line_proves(&*game, &explanation, explained));
                let whole = explain(&run, &depths, explanation.board, explanation.machine).unwrap();
                assert_eq!(whole.value.outcome, explanation.value.outcome);
                assert!(whole.matchbox.agrees_with(&explanation.matchbox), "{name} {}", explanation.board);
            });
        }
    }
}

#[test]
fn other_games_are_explained_to_their_ends() {
    for name in ["hexapawn", "morris", "pong-hau-ki", "notakto", "3x3x3+misere"] {
        let game = game(name);
        let verdicts = Verdicts::of(&*game, &());
        for aim in Aim::ALL.into_iter().filter(|aim| aim.suits(&*game)) {
            let run = Run::generate(game.clone(), &Plan { aim, ..Plan::default() }, &()).unwrap();
            explain_all(&run, &verdicts, |explanation| {
                explanation.moves.iter().for_each(|explained| assert_line_proves(&*game, &explanation, explained));
            });
        }
    }
}

#[test]
fn a_line_to_a_board_banned_from_the_start_ends_there() {
    let game = game("3x3x3");
    let verdicts = Verdicts::of(&*game, &());
    let ban = vec![Board::parse("X...O....", game.shape()).unwrap()];
    let run = Run::generate(game.clone(), &Plan { ban, ..Plan::default() }, &()).unwrap();
    let explanation = explain(&run, &verdicts, game.start(), Player::One).unwrap();
    let corner = &explanation.moves[0];
    assert!(matches!(corner.fate, Fate::Went(removal) if removal.when == When::Round(1)));
    assert_eq!((corner.end, corner.line.len()), (End::BannedAtStart, 2));
}

#[test]
fn a_board_that_is_turned_onto_its_box_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |arguments: &str| menace().current_dir(folder.path()).args(arguments.split_whitespace()).output().unwrap();
    assert!(run("generate --symmetry -o t.json").status.success());
    let told = stdout(&run("explain 201020101 t.json"));
    assert!(told.contains("Your board 201020101 is a turn or mirror image"), "{told}");
    let json: Json = serde_json::from_str(&stdout(&run("explain --json 201020101 t.json"))).unwrap();
    assert_eq!((&json["asked"], &json["board"]), (&"201020101".into(), &"101020102".into()));
    assert!(!stdout(&run("explain 101020102 t.json")).contains("mirror image"));
}

#[test]
fn without_depths_a_lost_machine_still_stops_what_wins_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |arguments: &str| menace().current_dir(folder.path()).args(arguments.split_whitespace()).output().unwrap();
    assert!(run("generate --aim win -o t.menace").status.success());
    let json: Json = serde_json::from_str(&stdout(&run("explain --json X../.../..O t.menace"))).unwrap();
    let line: Vec<&str> = json["lines"]["2"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    assert_eq!(line[..3], ["2", "3", "6"], "X stops the column");
    let banned: Json = serde_json::from_str(&stdout(&run("explain --json 101020102 t.menace"))).unwrap();
    assert_eq!(banned["banned"], true);
}

fn run(arguments: &str) -> std::process::Output {
    menace().args(arguments.split_whitespace()).output().unwrap()
}

#[test]
fn programs_are_told_the_contract() {
    let json: Json = serde_json::from_str(&stdout(&run("explain --json 101020102"))).unwrap();
    assert_eq!(json["board"], "101020102");
    assert_eq!(json["id"], 7463);
    assert_eq!(json["machine"], "second");
    assert_eq!((&json["verdict"], &json["depth"], &json["banned"]), (&"loss".into(), &2.into(), &1.into()));
    assert_eq!(json["beads"], serde_json::json!({}));
    assert_eq!(json["removed"]["2"], serde_json::json!({"round": 1, "why": "loses", "reply": "4"}));
    assert_eq!(json["lines"]["2"], serde_json::json!(["2", "4"]));
    let start: Json = serde_json::from_str(&stdout(&run("explain --json 000000000"))).unwrap();
    assert_eq!((&start["verdict"], &start["depth"], start.get("banned")), (&"draw".into(), &9.into(), None));
    assert_eq!(start["outlook"]["5"], serde_json::json!({"verdict": "draw", "depth": 8}));
}

#[test]
fn the_second_round_is_drawn_with_its_row() {
    let told = stdout(&run("explain X.X/.../..O"));
    for part in [
        "box 7292 of the second machine, O to move: lost in 4 moves, banned in round 2",
        "- 2  went: round 2, reply 7 leads to a banned board",
        "X  O [X]",
        "X wins; the row is 3 5 7",
        "- 8  went: round 1, reply 2 wins at once",
    ] {
        assert!(told.contains(part), "{part:?} is not in\n{told}");
    }
    assert!(told.lines().all(|line| line.len() < 100 && line.trim_end() == line));
    assert!(stdout(&run("explain X.O/.OX/..X")).contains("- 2  went: round 1, another bead wins at once: 7"));
    assert!(stdout(&run("explain X.O/.OX/..X")).contains("+ 7  stays; O wins at once"));
}

#[test]
fn what_is_no_box_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("first.json");
    assert!(menace().args(["generate", "--machine", "first", "-o"]).arg(&table).output().unwrap().status.success());
    assert_refused(&run("explain XXX/OO./..."), &["the game is over", "X has won"]);
    assert_refused(&run("explain XX./.../..."), &["cannot occur", "take turns"]);
    assert_refused(&run("explain XXXX"), &["9 cells"]);
    assert_refused(&run(&format!("explain X........ {}", table.display())), &["O is to move", "second machine"]);
    assert_refused(&run("explain --game 4x4x4+gravity X.../..../..../...."), &["cannot occur", "fall down"]);
    // The marks rest on each other, but O would have had to begin.
    assert_refused(&run("explain --game 3x3x3+gravity X../X../O.O"), &["no game leads to board"]);
}

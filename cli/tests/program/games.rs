//! The commands on games other than tic-tac-toe.

use menace::games;
use menace::search::for_each_position;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::common::{Folder, TICTACTOE, assert_refused, menace, run_with_input, stderr, stdout};

/// Everything that could be a move in a game, in random order, many times over.
fn random_answers(name: &str, rng: &mut Pcg64Mcg) -> String {
    let game = games::find(name).unwrap();
    let mut texts = std::collections::BTreeSet::new();
    let reached = for_each_position(&*game, &(), |at| {
        if game.result(at).is_none() {
            texts.extend(game.moves(at).iter().map(|&mv| game.notation().text(mv).to_string()));
        }
    });
    reached.unwrap();
    let mut texts: Vec<String> = texts.into_iter().collect();
    let mut answers = String::new();
    for _ in 0..40 {
        texts.shuffle(rng);
        answers += &(texts.join("\n") + "\n");
    }
    answers
}

#[test]
fn the_machine_never_loses_from_a_start_that_is_not_lost() {
    let mut rng = Pcg64Mcg::seed_from_u64(1962);
    for (name, machine, aim, person, must_win) in [
        ("hexapawn", "second", "safe", "X", true),
        ("hexapawn:4x4", "first", "safe", "O", false),
        ("morris", "first", "win", "O", true),
        ("pong-hau-ki", "first", "safe", "O", false),
        ("pong-hau-ki", "second", "safe", "X", false),
        ("notakto", "first", "win", "O", true),
        ("wild", "first", "fastest", "O", true),
        ("3x3x3+misere", "first", "safe", "O", false),
        ("4x3x3+gravity", "first", "win", "O", false),
    ] {
        for seed in 0..10 {
            let mut command = menace();
            command.args(["play", "--game", name, "--machine", machine, "--aim", aim, "--seed", &seed.to_string()]);
            let output = run_with_input(&mut command, &random_answers(name, &mut rng));
            let text = stdout(&output);
            let ending = text.lines().last().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert!(ending.ends_with(" wins.") || ending.starts_with("A draw"), "{name}: {text}");
            assert_ne!(ending, format!("{person} wins."), "{name}: {text}");
            assert!(!must_win || ending.ends_with(" wins."), "{name}: {text}");
        }
    }
}

#[test]
fn a_board_that_comes_up_for_the_third_time_is_a_draw() {
    let there_and_back = "4-3\n1-4\n3-1\n4-3\n1-4\n3-1\n".repeat(6);
    let output = run_with_input(menace().args(["play", "--game", "pong-hau-ki", "--machine", "none"]), &there_and_back);
    let text = stdout(&output);
    assert!(text.ends_with("A draw: this board has come up for the third time.\n"), "{text}");
    let boards: Vec<&str> = text.split("\n\n").filter(|block| block.contains("4-------5")).collect();
    // Both sides return every six moves, so the start comes up for the third time after twelve.
    assert_eq!(boards.len(), 13, "{text}");
    assert_eq!([boards[0], boards[6]], [boards[12]; 2], "{text}");
}

#[test]
fn men_that_move_along_lines_are_played_on_points_and_lines() {
    let play = |game: &str, answers: &str| {
        stdout(&run_with_input(menace().args(["play", "--game", game, "--machine", "none"]), answers))
    };
    let pong = play("pong-hau-ki", "4-3\n");
    let boards = "
 O       O     1       2
 | \\   / |     | \\   / |
 |   .   |     |   3   |
 | /   \\ |     | /   \\ |
 X-------X     4-------5

X, your move: 4-3

 O       O     1       2
 | \\   / |     | \\   / |
 |   X   |     |   3   |
 | /   \\ |     | /   \\ |
 .-------X     4-------5
";
    assert!(pong.contains(boards), "{pong}");
    // While men are placed, empty points show their numbers; when they move, every point needs one.
    let morris = play("morris", "5\n1\n9\n2\n3\n7\n");
    let placing = "
 1---2---3
 | \\ | / |
 4---X---6
 | / | \\ |
 7---8---9
";
    let moving = "
 O---O---X     1---2---3
 | \\ | / |     | \\ | / |
 .---X---.     4---5---6
 | / | \\ |     | / | \\ |
 O---.---X     7---8---9
";
    assert!(morris.contains(placing) && morris.contains(moving), "{morris}");
}

#[test]
fn explain_and_diff_draw_points_and_lines() {
    let folder = Folder::new();
    folder.succeeds("generate --game pong-hau-ki -o t.json");
    let explained = stdout(&folder.succeeds("explain XOO.X t.json --to-move first"));
    // Boards side by side have no room for lines, but their points are in place.
    let expected = "
  X       O
  | \\   / |
  |   O   |
  | /   \\ |
  .-------X

+ 1-4  stays; O gets a draw at best

- 5-4  removed: round 1, reply 2-5 wins at once
      X 5-4      O 2-5
     X     O    X     .
        O          O
     X     .    X     O
    O wins
";
    assert!(explained.ends_with(expected), "{explained}");
    let changed = stdout(&folder.run("diff t.json@0 t.json"));
    let expected = "
box 208 of the second machine
  O       X   beads in A: 1-4 3-4; in B: 1-4
  | \\   / |   - 3-4  out in B: round 1, another bead wins at once
  |   O   |
  | /   \\ |
  .-------X
";
    assert!(changed.ends_with(expected), "{changed}");
}

#[test]
fn two_people_need_no_boxes_so_no_game_is_too_large_for_them() {
    let output = run_with_input(menace().args(["play", "--game", "connect4", "--machine", "none"]), "42\n41\n35\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("O, your move: "), "{}", stdout(&output));
}

#[test]
fn moves_are_written_in_the_notation_of_their_game() {
    let folder = Folder::new();
    for (game, board, key) in [
        ("Hexapawn:3X3", "222000111", "a1a2"),
        ("hexapawn", "222000111", "a1a2"),
        ("wild", "000000000", "5O"),
        ("pong-hau-ki", "22011", "4-3"),
        ("morris", "000000000", "5"),
        ("4x2x3+gravity", "00000000", "8"),
    ] {
        let output = folder.run(&format!("generate --game {game} -o x.json"));
        assert!(output.status.success(), "{}", stderr(&output));
        let table: Value = serde_json::from_slice(&folder.read("x.json")).unwrap();
        let boxes = table["machines"]["first"]["boxes"].as_array().unwrap();
        let start =
            boxes.iter().find(|found| found["board"] == board).unwrap_or_else(|| panic!("{game} starts on {board}"));
        assert!(start["beads"].get(key).or(start["removed"].get(key)).is_some(), "{game}: {start}");
        let same = folder.run("diff x.json x.json");
        assert_eq!(same.status.code(), Some(0), "{game} is read back: {}", stderr(&same));
    }
}

#[test]
fn impossible_games_are_refused_with_the_reason() {
    let folder = Folder::new();
    for (name, told) in [
        ("0x3x3", "1 to 64 cells"),
        ("3x3x0", "at least 1"),
        ("9x9x5", "9 by 9 would have 81"),
        ("300x300x5", "300 by 300 would have 90000"),
        ("3x3", "width x height x how many in a row"),
        ("3x3x", "width x height x how many in a row"),
        ("3x3x3+gravity+gravity", "+gravity and +misere are allowed, once each"),
        ("3x3x3+", "+gravity and +misere are allowed"),
        ("chess", "`menace games` lists them"),
        ("tiktaktoe", "did you mean tictactoe?"),
        ("99999999999x3x3", "the number 99999999999 is too large"),
        ("3x3x99999999999", "the number 99999999999 is too large"),
        ("hexapawn:2x2", "at least 3 rows"),
        ("hexapawn:x", "width x height"),
        ("7x7x5", "of memory"),
        ("8x7x4+gravity", "with up to 2,037,274,512,282,035,867 boards it would take"),
        ("8x8x8", "of memory"),
    ] {
        let title = menace::games::title(name);
        assert_refused(&folder.run(&format!("generate --game {name}")), &[title, told]);
        assert_refused(&folder.run(&format!("play --game {name}")), &[title, told]);
    }
    assert_eq!(folder.names(), [""; 0], "nothing was written");
}

#[test]
fn a_row_longer_than_the_board_is_legal_and_always_drawn() {
    let folder = Folder::new();
    assert!(folder.run("generate --game 3x2x4000000000 -o x.json").status.success());
    let stats: Value = serde_json::from_slice(&folder.run("stats --json x.json").stdout).unwrap();
    assert_eq!(stats["boards"]["total"], stats["boards"]["draw"]);
}

#[test]
fn games_with_few_boards_are_not_called_large() {
    let folder = Folder::new();
    for (game, boards) in [("8x8x1", 65), ("64x1x1", 65), ("1x64x3+gravity", 65), ("hexapawn:6x3", 64_074)] {
        let output = folder.run(&format!("generate --game {game} -o x.json"));
        assert!(output.status.success(), "{}", stderr(&output));
        let stats: Value = serde_json::from_slice(&folder.run("stats --json x.json").stdout).unwrap();
        assert_eq!(stats["boards"]["total"], boards, "{game}");
    }
}

#[test]
fn a_table_of_a_game_that_is_too_large_has_no_stats() {
    let table = r#"{"format":"menace-table","version":1,"game":"7x6x4+gravity","aim":"safe","symmetry":false,
        "banned_at_start":[],"machines":{"first":{"rounds":[],"boxes":[]}}}"#;
    assert_refused(
        &run_with_input(menace().args(["stats", "-"]), table),
        &["Connect Four is too large for this computer"],
    );
}

#[test]
fn unreachable_boards_cannot_be_banned() {
    let folder = Folder::new();
    for (game, ban) in [("hexapawn", "id:1"), ("hexapawn", "O.O/.X./X.X"), ("1x4x3+gravity", "..XO")] {
        assert_refused(&folder.run(&format!("generate --game {game} --ban {ban}")), &["no game leads there"]);
    }
    assert_eq!(folder.names(), [""; 0], "nothing was written");
}

#[test]
fn default_files_are_named_after_their_games() {
    let folder = Folder::new();
    for (game, file) in [("hexapawn", "hexapawn.json"), ("hexapawn:4x3", "hexapawn-4x3.json"), ("2x2x2", "2x2x2.json")]
    {
        assert!(folder.run(&format!("generate --game {game}")).status.success());
        assert!(folder.join("output").join(file).is_file(), "{file}");
    }
}

#[test]
fn every_game_is_listed_with_rules_size_and_ids() {
    let listed = stdout(&menace().arg("games").output().unwrap());
    for told in ["tictactoe", "connect4", "hexapawn", "morris", "pong-hau-ki", "notakto", "wild", "19683 ids", "7 by 6"]
    {
        assert!(listed.contains(told), "{told} is not in {listed}");
    }
}

#[test]
fn stats_have_the_fields_that_programs_read() {
    let output = menace().args(["stats", "--json", TICTACTOE]).output().unwrap();
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["game"], "3x3x3");
    assert_eq!(stats["boards"], json!({"total": 5478, "win": 2836, "draw": 1068, "loss": 1574, "finished": 958}));
    let empty = json!({"stones": 0, "total": 1, "win": 0, "draw": 1, "loss": 0, "finished": 0});
    assert_eq!(stats["by_stones"][0], empty);
    assert_eq!(stats["by_stones"].as_array().unwrap().len(), 10);
    for (machine, boxes, beads, banned) in [("first", 2423, 3735, [116, 36]), ("second", 2097, 2132, [392, 88])] {
        let table = &stats["machines"][machine];
        assert_eq!(
            (&table["boxes"], &table["beads"], &table["banned"]),
            (&json!(boxes), &json!(beads), &json!(banned))
        );
    }
    let text = stdout(&menace().args(["stats", TICTACTOE]).output().unwrap());
    assert!(
        text.contains("tic-tac-toe: a draw")
            && text.contains("    all       5478       2836       1068       1574        958")
    );
}

#[test]
fn a_board_that_does_not_show_who_is_to_move_needs_an_option() {
    let play = |args: &[&str]| {
        run_with_input(menace().args(["play", "--game", "hexapawn", "--machine", "none"]).args(args), "q\n")
    };
    assert!(stdout(&play(&["--from", "OOO/.X./X.X"])).contains("O, your move"), "only O can be to move there");
    assert_refused(&play(&["--from", "O.O/.X./X.X", "--to-move", "second"]), &["no game leads to board 202010101"]);
    let morris = |args: &[&str]| {
        run_with_input(menace().args(["play", "--game", "morris", "--machine", "none"]).args(args), "q\n")
    };
    let board = "XXO/OX./.O.";
    assert_refused(&morris(&["--from", board]), &["either side may be to move", "--to-move"]);
    assert!(stdout(&morris(&["--from", board, "--to-move", "second"])).contains("O, your move"));
    assert_refused(&play(&["--from", "X.O/.../..X", "--to-move", "second"]), &["game is over", "X has won"]);
}

#[test]
fn flags_can_follow_the_short_name_of_a_game() {
    let folder = Folder::new();
    folder.succeeds("generate --game tictactoe+misere -o name.json");
    folder.succeeds("generate --game 3x3x3+misere -o size.json");
    assert!(folder.read("name.json") == folder.read("size.json"));
    folder.succeeds("kit --game tictactoe+misere");
    assert_refused(&folder.run("generate --game tictactoe+missere"), &["tictactoe+missere"]);
    assert_refused(&folder.run("generate --game hexapawn+misere"), &["hexapawn+misere"]);
}

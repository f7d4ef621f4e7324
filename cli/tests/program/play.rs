//! Games typed into `menace play`, as a person would.

use std::fs;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::common::{
    Folder, TICTACTOE, assert_refused, assert_says, committed, menace, run_with_input, stderr, stdout,
};

/// Random answers, some of them nonsense: every cell comes up again and again until the game has ended.
fn random_answers(rng: &mut Pcg64Mcg) -> String {
    let mut answers = Vec::new();
    for _ in 0..6 {
        let mut cells: Vec<String> = (1..=9).map(|cell| cell.to_string()).collect();
        cells.push(["", "10", "-1", "x5", "?", "five", "1 2"][rng.random_range(0..7)].to_owned());
        cells.shuffle(rng);
        answers.extend(cells);
    }
    answers.join("\n") + "\n"
}

#[test]
fn the_machine_loses_none_of_a_hundred_random_games() {
    let mut rng = Pcg64Mcg::seed_from_u64(1961);
    let mut endings = std::collections::BTreeMap::<String, u32>::new();
    for game in 0..100 {
        let (machine, person) = [("first", "O"), ("second", "X")][game % 2];
        let seed = game.to_string();
        let mut command = menace();
        command.args(["play", "--machine", machine, "--seed", &seed]);
        let output = run_with_input(&mut command, &random_answers(&mut rng));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let text = stdout(&output);
        let ending = text.lines().last().unwrap().to_owned();
        assert!(ending.ends_with(" wins.") || ending == "A draw.", "{text}");
        assert_ne!(ending, format!("{person} wins."), "{text}");
        *endings.entry(ending).or_default() += 1;
    }
    assert!(endings.len() == 3, "random play should lose and draw: {endings:?}");
}

#[test]
fn the_same_seed_repeats_a_game_and_another_seed_does_not() {
    let game = |seed: &str| {
        stdout(&menace().args(["play", "--machine", "both", "--seed", seed]).output().unwrap())
            .lines()
            .filter(|line| line.contains("opens box"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(game("7"), game("7"));
    assert!((0..20).any(|seed| game(&seed.to_string()) != game("7")));
    assert_eq!(game("7").len(), 9, "perfect play fills the board");
}

#[test]
fn invalid_answers_are_explained_and_the_question_is_repeated() {
    let output = run_with_input(menace().args(["play", "--seed", "3"]), "5\n5\n0\nseven\n?\nu\nu\n1\nq\n");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0));
    for told in [
        "Cell 5 is taken by X; type one of",
        "\"0\" is not a move here; type one of",
        "\"seven\" is not a move here",
        "u takes back your last move",
        "You have no move to take back.",
        "The game ends here.",
    ] {
        assert!(text.contains(told), "{told:?} is missing in:\n{text}");
    }
}

#[test]
fn taking_back_returns_to_the_persons_last_turn() {
    let output = run_with_input(menace().args(["play", "--seed", "3"]), "5\nu\n");
    let text = stdout(&output);
    let boards: Vec<&str> = text.split("\n\n").filter(|part| part.contains("---+---")).collect();
    assert_eq!(boards.len(), 4, "{text}");
    assert_eq!(boards[0].trim(), boards[3].trim());
}

#[test]
fn the_end_of_the_input_ends_the_game_cleanly() {
    for input in ["", "5", "5\n", "5\n?"] {
        let output = run_with_input(menace().arg("play"), input);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).ends_with("The input ended, so the game ends here.\n"), "{}", stdout(&output));
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn two_people_can_play_each_other() {
    let output = run_with_input(menace().args(["play", "--machine", "none"]), "1\n4\n2\nu\n2\n5\n3\n");
    assert!(stdout(&output).ends_with("X wins.\n"), "{}", stdout(&output));
    assert!(!stdout(&output).contains("opens box"));
}

#[test]
fn on_a_banned_board_the_machine_says_so_and_loses_as_late_as_it_can() {
    let fork = ["play", "--from", "X.X/.../..O", "--machine", "second", "--seed", "1"];
    let output = run_with_input(menace().args(fork), "7\n4\n5\n");
    let text = stdout(&output);
    assert!(
        text.contains("opens box 7292, which is empty. The board is lost; it plays the move that loses latest: 2.")
    );
    assert!(text.ends_with("X wins.\n"), "{text}");
}

#[test]
fn a_game_can_start_on_any_legal_board_and_on_no_illegal_one() {
    let from = |board: &str| run_with_input(menace().args(["play", "--from", board]), "q\n");
    assert_eq!(from("X.X/.O./...").status.code(), Some(0));
    assert_eq!(from("id:7805").status.code(), Some(0));
    assert_refused(&from("XX......."), &["board 110000000 cannot occur", "take turns"]);
    assert_refused(&from("XXX/OO./..."), &["game is over", "X has won"]);
    assert_refused(&from("XXXX"), &["9 cells was expected", "has 4"]);
    assert_refused(&from("id:19683"), &["0 to 19682"]);
}

#[test]
fn an_edited_table_is_played_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.json");
    let table = committed();
    let edit = |from: &str, to: &str| {
        assert!(table.contains(from), "{from}");
        fs::write(&path, table.replacen(from, to, 1)).unwrap();
    };
    let play = |input: &str| run_with_input(menace().arg("play").arg(&path).args(["--seed", "1"]), input);
    let centre = r#"{"id":81,"board":"000010000","beads":{"1":1,"3":1,"7":1,"9":1}"#;

    edit(centre, &centre.replace(r#"{"1":1,"3":1,"7":1,"9":1}"#, r#"{"9":1000}"#));
    assert!(stdout(&play("5\n")).contains("opens box 81, beads 9 (1000 times), and plays 9."));

    let line = table.lines().find(|line| line.contains(r#""id":81,"#)).unwrap();
    edit(&format!("{line}\n"), "");
    let output = play("5\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no box 81 for the second machine on board 000010000"), "{}", stderr(&output));
    assert!(stderr(&output).contains("edited.json"));

    edit(centre, &centre.replace(r#""3":1"#, r#""5":1"#));
    assert_refused(&play("5\n"), &["edited.json", "box 81", "bead 5 is not a legal move on board 000010000"]);

    edit(line.trim(), r#"{"id":81,"board":"000010000","beads":{},"removed":{}},"#);
    let output = play("5\n");
    assert!(stdout(&output).ends_with("It has no bead left and resigns. X wins.\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn boxes_of_classes_are_turned_onto_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("classes.json");
    assert!(menace().args(["generate", "--symmetry", "-o"]).arg(&path).output().unwrap().status.success());
    let mut rng = Pcg64Mcg::seed_from_u64(304);
    let mut turned = 0;
    for seed in 0..20 {
        let mut command = menace();
        command.arg("play").arg(&path).args(["--seed", &seed.to_string()]);
        let text = stdout(&run_with_input(&mut command, &random_answers(&mut rng)));
        assert!(text.ends_with("O wins.\n") || text.ends_with("A draw.\n"), "{text}");
        turned += text.matches("turned or mirrored").count();
    }
    assert!(turned > 0);
}

#[test]
fn a_table_of_one_side_is_played_by_that_side() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("first.json");
    assert!(menace().args(["generate", "--machine", "first", "-o"]).arg(&path).output().unwrap().status.success());
    let output = run_with_input(menace().arg("play").arg(&path), "q\n");
    assert!(stdout(&output).contains("X is the machine, O is a person"));
    let output = run_with_input(menace().arg("play").arg(&path).args(["--machine", "second"]), "q\n");
    assert_refused(&output, &["first.json has no boxes for the second machine"]);
}

#[test]
fn a_board_banned_from_the_start_is_called_banned() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("banned.json");
    assert!(menace().args(["generate", "--ban", "X........", "-o"]).arg(&path).output().unwrap().status.success());
    let output = run_with_input(menace().arg("play").arg(&path), "1\nq\n");
    assert!(stdout(&output).contains("opens box 6561, which is banned, beads 5, and plays 5."), "{}", stdout(&output));
}

#[test]
fn a_table_as_it_stood_after_a_round_can_be_played() {
    let output = run_with_input(menace().args(["play", &format!("{TICTACTOE}@0"), "--seed", "1"]), "1\nq\n");
    assert!(stdout(&output).contains("opens box 6561, beads 2 3 4 5 6 7 8 9, and plays"), "{}", stdout(&output));
}

/// Some programs put one before what they pipe, and the first move used to be refused.
#[test]
fn a_byte_order_mark_before_the_first_move_is_ignored() {
    let output = run_with_input(menace().args(["play", "--machine", "none"]), "\u{feff}5\nq\n");
    let text = stdout(&output);
    assert!(text.contains("X, your move: 5\n") && text.contains("O, your move: q\n"), "{text}");
    assert!(!text.contains("no move here"), "{text}");
}

#[test]
fn players_who_share_the_marks_are_named_by_their_side() {
    for game in ["notakto", "wild"] {
        let moves = if game == "wild" { "1X\n5O\n2X\n6O\n3X\n" } else { "1\n2\n4\n3\n" };
        let output = run_with_input(menace().args(["play", "--machine", "none", "--game", game]), moves);
        let text = stdout(&output);
        assert_says(
            &text,
            &["the first player is a person, the second player is a person", "The first player, your move"],
        );
        // A row loses at notakto and wins at wild tic-tac-toe.
        assert!(text.ends_with("The first player wins.\n"), "{text}");
        assert!(!text.contains("X wins") && !text.contains("O wins"), "{text}");
    }
    let output = run_with_input(menace().args(["play", "--machine", "none", "--game", "notakto"]), "1\n2\n3\n");
    assert!(stdout(&output).ends_with("The second player wins.\n"), "{}", stdout(&output));
}

/// The row of the player who loses by completing it used to stand out like a winner's.
#[test]
fn a_row_that_loses_does_not_look_like_one_that_wins() {
    const INVERTED: &str = "\u{1b}[1m\u{1b}[7mX\u{1b}[0m";
    const STRUCK_OUT: &str = "\u{1b}[9m\u{1b}[31mX\u{1b}[0m";
    for (game, moves, winning, losing, told) in [
        ("tictactoe", "1\n4\n2\n5\n3\n", 3, 0, "X wins."),
        ("3x3x3+misere", "1\n4\n2\n5\n3\n", 0, 3, "X made a row and loses. O wins."),
        ("notakto", "1\n2\n3\n", 0, 3, "The first player made a row and loses. The second player wins."),
    ] {
        let mut command = menace();
        command.args(["play", "--machine", "none", "--game", game]);
        let plain = stdout(&run_with_input(&mut command, moves));
        assert!(plain.ends_with(&format!("{told}\n")), "{game}: {plain}");
        let coloured = stdout(&run_with_input(command.env("CLICOLOR_FORCE", "1"), moves));
        let counts = [INVERTED, STRUCK_OUT].map(|style| coloured.matches(style).count());
        assert_eq!(counts, [winning, losing], "{game}: {coloured:?}");
    }
}

#[test]
fn a_game_that_is_too_large_is_refused_because_of_memory_not_disk() {
    for (game, title) in [("connect4", "Connect Four"), ("7x7x5", "7x7x5"), ("6x5x4", "6x5x4")] {
        let output = menace().args(["play", "--game", game]).output().unwrap();
        assert_refused(&output, &[title, "is too large for this computer", "of memory"]);
        assert!(!stderr(&output).contains("disk"), "nothing would be written: {}", stderr(&output));
    }
}

/// A lesson may name an opponent of any length.
#[test]
fn an_opponents_name_that_would_fill_the_screen_is_refused_or_shortened() {
    let folder = Folder::new();
    folder.succeeds("train --games 10 --seed 1 -o t.json");
    let long = "a".repeat(100_000);
    folder.write(
        "t.json",
        folder.read_text("t.json").replace(r#""opponent":"random""#, &format!(r#""opponent":"{long}""#)),
    );
    folder.succeeds("generate -o pruned.json");
    for arguments in [
        "play t.json --machine first --seed 1",
        "diff --stat t.json pruned.json",
        "stats t.json",
        "verify t.json",
        "draw page t.json -o -",
        "draw box ......... t.json",
        "explain ......... t.json",
        "odds t.json random",
        "train --from t.json --games 1",
        "train --from t.json --games 1 --opponent random -o other.json --replace --curve -",
    ] {
        let output = folder.run(arguments);
        let told = stderr(&output);
        assert!(told.len() < 5000, "{arguments}: {} characters", told.len());
        assert!(arguments.contains("page") || !stdout(&output).contains(&long[..1000]), "{arguments}");
        assert!(output.status.code().is_some(), "{arguments}");
    }
}

/// Gardner's machine: one bead for each move, and the bead that lost is taken out.
const GARDNER: &str = "--beads flat:1 --reward 0,0,all --blame last --empty resign";

#[test]
fn a_machine_that_learns_does_not_lose_to_the_same_trick_twice() {
    let folder = Folder::new();
    let learn = |arguments: &str| {
        let mut command = folder.command(&format!("play --learn --machine second --seed 3 --save t.json {arguments}"));
        run_with_input(&mut command, "b1b2\na1b2\nc1c2\nc2c3\nq\n")
    };
    let first = learn(&format!("--game hexapawn {GARDNER}"));
    assert_says(&stdout(&first), &["box 6435, beads b3c2 c3b2, and plays c3b2", "X wins."]);
    assert_says(
        &stdout(&first),
        &["The machine lost.", "box 6435, bead c3b2: 1 \u{2192} 0", "You 1, drawn 0, machine 0."],
    );
    assert_says(&stderr(&first), &["written to t.json"]);
    assert_says(
        &folder.read_text("t.json"),
        &[r#""lessons":[{"opponent":"person","teaching""#, r#""tally":{"won":0,"drawn":0,"lost":1,"#],
    );
    let second = learn("t.json");
    assert_says(&stdout(&second), &["trained in 1 game against a person", "box 6435, beads b3c2, and plays b3c2"]);
    assert!(!stdout(&second).contains("X wins."), "{}", stdout(&second));
    // Training goes on from it, but only against an opponent that is named.
    assert_refused(&folder.run("train --from t.json --games 5 -o u.json"), &["a person", "--opponent"]);
    folder.succeeds("train --from t.json --opponent random --games 5 --seed 1 -o u.json");
    assert_says(&folder.read_text("u.json"), &[r#""opponent":"person""#, r#"{"opponent":"random","seed":1,"#]);
}

#[test]
fn learning_is_refused_in_one_sentence_where_it_makes_no_sense() {
    let folder = Folder::new();
    folder.succeeds("generate -o pruned.json");
    folder.succeeds("train --games 10 --seed 1 -o trained.json");
    for (arguments, told) in [
        ("--learn pruned.json", "was not trained"),
        ("--learn --machine both", "plays one side"),
        ("--learn trained.json --machine second", "no boxes for the second machine"),
        ("--learn --save trained.json", "is a trained table"),
        ("--learn --save x.menace", "always JSON"),
        ("--learn --save -", "needs a file"),
        ("--learn --game 5x4x4", "up to a million boards"),
        ("--learn --beads 9,9", "numbers of beads were expected"),
        ("--learn trained.json --beads scroggs", "--beads is for the start"),
        ("--beads michie", "add --learn"),
        ("--save x.json", "--learn"),
    ] {
        assert_refused(&folder.run(&format!("play {arguments}")), &[told]);
    }
    assert_refused(&folder.run("train --opponent person"), &["play --learn"]);
    let without = r#""opponent":"random","seed":1,"#;
    let text = folder.read_text("trained.json");
    assert!(text.contains(without));
    folder.write("no-seed.json", text.replace(without, r#""opponent":"random","#));
    assert_refused(&folder.run("stats no-seed.json"), &["has no seed"]);
}

/// The lines on which the machine moves.
fn choices(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.contains("plays") || line.contains("has only one move")).skip(1).collect()
}

#[test]
fn a_machine_at_a_level_says_what_it_chooses_from_and_opens_no_box() {
    let play = |level: &str, from: &str, typed: &str| {
        let arguments = ["play", "--seed", "1", "--level", level, "--from", from];
        let output = run_with_input(menace().args(arguments), typed);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        let text = stdout(&output);
        assert!(!text.contains("box ") || level.starts_with(|first: char| first.is_ascii_digit()), "{text}");
        assert!(!text.contains("opens") && !text.contains("bead"), "{text}");
        text
    };
    assert_says(
        &play("random", "X.X/.../..O", "q\n"),
        &[
            "The machine plays at level random and chooses from all legal moves; --seed 1 repeats its choices.\n",
            "O chooses from 2 4 5 6 7 8, and plays ",
        ],
    );
    // After round 1 only the block is left; in round 2 that goes as well.
    assert_says(
        &play("1", "X.X/.../..O", "q\n"),
        &["moves that stay in a box after round 1", "O has only one move at this level: 2.\n"],
    );
    assert_says(&play("2", "X.X/.../..O", "q\n"), &["Every move of O loses; it plays one that loses latest: 2.\n"]);
    assert_says(
        &play("0.25", "X.X/.../..O", "q\n"),
        &["O chooses from 2 (37.5 %), 4 (12.5 %), 5 (12.5 %), 6 (12.5 %), 7 (12.5 %), 8 (12.5 %), and plays "],
    );
    assert_says(&play("0.001", "X.X/.../..O", "q\n"), &["all legal moves, or with a chance of 0.1 %"]);
    let last = ["play", "--machine", "first", "--level", "safe", "--from", "XOX/OXO/OX."];
    assert_says(&stdout(&menace().args(last).output().unwrap()), &["X has only one move: 9.\n"]);
    assert!(play("fastest", "X../.../...", "q\n").contains("O has only one move at this level: 5.\n"));
}

#[test]
fn a_level_plays_either_side_with_any_table_or_none() {
    let folder = Folder::new();
    folder.succeeds("generate -o first.json --machine first --symmetry");
    folder.succeeds("generate -o banned.json --ban X........");
    folder.succeeds("generate -o depths.menace --depths");
    folder.succeeds("train --games 10 --seed 1 -o trained.json");
    let play = |arguments: &str| {
        let output = folder.succeeds(&format!("play --seed 5 {arguments}"));
        assert_eq!(stderr(&output), "");
        choices(&stdout(&output)).join("\n")
    };
    for level in ["0.5", "2", "2.5", "perfect"] {
        let none = play(&format!("--level {level} --machine both"));
        assert!(none.lines().count() >= 5, "{none}");
        for table in ["first.json", "banned.json", "depths.menace", "trained.json", "banned.json@1"] {
            assert_eq!(play(&format!("{table} --level {level} --machine both")), none, "{table}, level {level}");
        }
    }
    let start = |arguments: &str| stdout(&folder.succeeds(&format!("play --seed 5 --level 1 {arguments}")));
    assert_says(&start("first.json"), &["X is the machine, O is a person"]);
    assert_says(&start("first.json --machine second"), &["X is a person, O is the machine"]);
    assert_says(&start("--game hexapawn"), &["X is a person, O is the machine"]);
}

#[test]
fn a_low_level_can_be_beaten_and_a_high_one_cannot() {
    let mut rng = Pcg64Mcg::seed_from_u64(1963);
    let mut beaten = |level: &str| {
        let lost = (0..40).filter(|seed| {
            let mut command = menace();
            command.args(["play", "--level", level, "--seed", &seed.to_string()]);
            stdout(&run_with_input(&mut command, &random_answers(&mut rng))).ends_with("X wins.\n")
        });
        lost.count()
    };
    let [random, one, safe, fastest] = ["random", "1", "safe", "fastest"].map(&mut beaten);
    assert!(random > one && safe == 0 && fastest == 0, "{random} {one} {safe} {fastest}");
}

#[test]
fn levels_that_make_no_sense_are_refused_in_one_sentence() {
    let folder = Folder::new();
    folder.succeeds("generate -o plain.menace");
    for (arguments, parts) in [
        ("--level best", &["a level is random, safe, perfect, fastest or a number", "found \"best\""][..]),
        ("--level -1", &["found \"-1\""]),
        ("--level 1e9", &["found \"1e9\""]),
        ("--level 2 --learn", &["'--level <LEVEL>' cannot be used with '--learn'"]),
        ("--level 2 --aim win", &["'--level <LEVEL>' cannot be used with '--aim <AIM>'"]),
        ("--level 2 --machine none", &["there is no machine", "leave one out"]),
        ("--level 2 plain.menace", &["plain.menace", "level 2 needs depths", "--depths"]),
        ("--level fastest plain.menace", &["choose random, safe or perfect"]),
        ("--level safe --game connect4", &["Connect Four is too large"]),
    ] {
        assert_refused(&folder.run(&format!("play {arguments}")), parts);
    }
    // These need no depths, and random play not even a game that can be solved.
    let safe = folder.succeeds("play plain.menace --level safe --machine both --seed 1");
    assert_says(&stderr(&safe), &["plain.menace stores no depths"]);
    assert_eq!(stderr(&folder.succeeds("play plain.menace --level random --seed 1")), "");
    assert_says(
        &stdout(&folder.succeeds("play --game connect4 --level random --machine both")),
        &["chooses from 36 37"],
    );
}

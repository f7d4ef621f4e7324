//! The command `kit`: the table it writes, how it plays, and what it refuses.

use crate::common::{Folder, assert_refused, assert_says, run_with_input, stderr, stdout};

#[test]
fn a_kit_plays_forced_moves_without_boxes() {
    let folder = Folder::new();
    let made = folder.succeeds("kit -o kit.json");
    assert!(stderr(&made).starts_with("tic-tac-toe, first machine: 19 boxes"), "{}", stderr(&made));
    let mut forced = 0;
    for seed in 0..30 {
        let mut play = folder.command(&format!("play kit.json --seed {seed}"));
        let answers: String = (1..=9).map(|cell| format!("{}\n", (cell * 7 + seed) % 9 + 1)).collect();
        let told = stdout(&run_with_input(&mut play, &answers.repeat(3)));
        assert!(told.trim_end().ends_with("A draw.") || told.trim_end().ends_with("X wins."), "{told}");
        forced += usize::from(told.contains("X has only one move and needs no box for it"));
    }
    assert!(forced > 0, "some games last nine moves");
    for (arguments, parts) in [
        ("kit --game hexapawn", &["can always be beaten", "--machine"][..]),
        ("kit --opening 0", &["\"0\"", "1 2 5"]),
        ("kit -o kit.menace", &["kit.menace", ".json"]),
        ("kit --game 4x4x4", &["4x4x4", "smaller game"]),
    ] {
        assert_refused(&folder.run(arguments), parts);
    }
}

#[test]
fn verify_and_odds_accept_a_kit() {
    let folder = Folder::new();
    folder.succeeds("kit --machine both -o kit.json");
    assert_says(&stdout(&folder.succeeds("verify kit.json")), &["Correct: kit.json", "meets in play"]);
    let output = run_with_input(&mut folder.command("verify -"), &folder.read_text("kit.json"));
    assert_says(&stdout(&output), &["Correct: standard input"]);
    assert_eq!(folder.json("odds --json kit.json perfect")["b_wins"]["fraction"], "0");
}

/// The search used to start over at every short step and got no further.
#[test]
fn a_search_that_takes_more_than_a_moment_finishes() {
    let folder = Folder::new();
    let told = stderr(&folder.succeeds("kit --game 3x3x99 --seconds 20 -o k.json"));
    assert!(told.starts_with("3x3x99, first machine: 21 boxes, one bead in each"), "{told}");
    assert!(!told.contains("Time ran out"), "{told}");
}

/// Games with few boards, although the cells could be filled in many more ways.
#[test]
fn games_with_few_boards_are_not_called_too_large() {
    let folder = Folder::new();
    for game in ["4x4x2", "5x3x2"] {
        folder.succeeds(&format!("kit --game {game} -o kit.json"));
        folder.succeeds("verify kit.json");
        folder.succeeds(&format!("train --game {game} --games 10 --seed 1 -o trained.json --replace"));
        let odds = folder.json(&format!("odds --json random random --game {game}"));
        assert!(odds["a_wins"]["decimal"].as_f64() > Some(0.5), "{game}: {odds}");
        folder.succeeds(&format!("generate --aim trap --game {game}"));
        assert!(folder.join(format!("output/{game}.json")).is_file(), "{game} is JSON by default");
    }
    let odds = folder.json("odds --json random random --game 6x3x3+gravity");
    assert_eq!(odds["a_wins"]["fraction"], "60617562127358538749/97955205120000000000");
}

//! The command `kit`: the table it writes, how it plays, and what it refuses.

use crate::common::{Folder, assert_refused, assert_says, run_with_input, stderr, stdout};

#[test]
fn the_command_writes_a_table_that_plays_without_boxes_for_forced_moves() {
    let folder = Folder::new();
    let made = folder.succeeds("kit -o kit.json");
    assert!(stderr(&made).starts_with("3x3x3, first machine: 19 boxes"), "{}", stderr(&made));
    let mut forced = 0;
    for seed in 0..30 {
        let mut play = folder.command(&format!("play kit.json --seed {seed}"));
        let answers: String = (1..=9).map(|cell| format!("{}\n", (cell * 7 + seed) % 9 + 1)).collect();
        let told = stdout(&run_with_input(&mut play, &answers.repeat(3)));
        assert!(told.trim_end().ends_with("A draw.") || told.trim_end().ends_with("X wins."), "{told}");
        forced += usize::from(told.contains("X has one move and needs no box for it"));
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
fn the_one_move_of_each_box_is_proved_and_counted() {
    let folder = Folder::new();
    folder.succeeds("kit --machine both -o kit.json");
    assert_says(&stdout(&folder.succeeds("verify kit.json")), &["Correct: kit.json", "meets in play"]);
    let output = run_with_input(&mut folder.command("verify -"), &folder.read_text("kit.json"));
    assert_says(&stdout(&output), &["Correct: standard input"]);
    assert_eq!(folder.json("odds --json kit.json perfect")["b_wins"]["fraction"], "0");
}

/// A search in short steps that began anew with every step came no further.
#[test]
fn a_search_that_takes_more_than_a_moment_comes_to_its_end() {
    let folder = Folder::new();
    let told = stderr(&folder.succeeds("kit --game 3x3x99 --seconds 20 -o k.json"));
    assert!(told.starts_with("3x3x99, first machine: 21 boxes, one bead in each"), "{told}");
    assert!(!told.contains("Time was up"), "{told}");
}

/// Games whose boards are few, though the cells could be filled in many more ways.
#[test]
fn games_of_few_boards_are_not_called_too_large() {
    let folder = Folder::new();
    for game in ["4x4x2", "5x3x2"] {
        folder.succeeds(&format!("kit --game {game} -o kit.json"));
        folder.succeeds("verify kit.json");
        folder.succeeds(&format!("train --game {game} --games 10 --seed 1 -o trained.json --replace"));
        let odds = folder.json(&format!("odds --json random random --game {game}"));
        assert!(odds["a_wins"]["decimal"].as_f64() > Some(0.5), "{game}: {odds}");
        folder.succeeds(&format!("generate --aim trap --game {game}"));
        assert!(folder.join(format!("output/{game}.json")).is_file(), "{game} is JSON if nobody says otherwise");
    }
    let odds = folder.json("odds --json random random --game 6x3x3+gravity");
    assert_eq!(odds["a_wins"]["fraction"], "60617562127358538749/97955205120000000000");
}

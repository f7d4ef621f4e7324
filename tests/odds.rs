//! Exact odds: against published figures, against a plain recursion in floating point, and against what must hold of any table.

mod common;

use common::{Nine, after, assert_refused, empty_cells, is_over, menace, side_to_move, stdout, winner};
use menace::odds::{Odds, odds};
use menace::{Aim, Cabinet, Chooser, Plan, Player, Run, Verdicts, games};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

fn run(game: &str, aim: Aim, symmetry: bool) -> Run {
    Run::generate(games::find(game).unwrap(), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

fn texts(found: &Odds) -> [String; 3] {
    [&found.wins[0], &found.wins[1], &found.draw].map(BigRational::to_string)
}

#[test]
fn chance_against_chance_has_the_known_odds() {
    let game = games::find("tictactoe").unwrap();
    let found = odds(&*game, &[Chooser::Random, Chooser::Random], &()).unwrap();
    assert_eq!(texts(&found), ["737/1260", "121/420", "8/63"]);
}

#[test]
fn a_table_of_any_aim_loses_with_probability_zero() {
    let game = games::find("tictactoe").unwrap();
    let verdicts = Verdicts::of(&*game, &());
    for symmetry in [false, true] {
        // How often chance is beaten, for each aim in the order of their strictness.
        let mut wins: [Vec<BigRational>; 2] = [Vec::new(), Vec::new()];
        for aim in Aim::ALL {
            let run = run("tictactoe", aim, symmetry);
            for machine in Player::BOTH {
                let boxes = || Chooser::Boxes(&run as &dyn Cabinet);
                let against = |other: Chooser<'_>| {
                    let choosers = if machine == Player::One { [boxes(), other] } else { [other, boxes()] };
                    odds(&*game, &choosers, &()).unwrap()
                };
                let chance = against(Chooser::Random);
                assert_eq!(chance.wins[machine.other() as usize], BigRational::zero(), "{aim:?} {machine:?}");
                assert_eq!(&chance.wins[0] + &chance.wins[1] + &chance.draw, BigRational::one());
                assert_eq!(texts(&against(Chooser::Perfect(&verdicts))), ["0", "0", "1"], "{aim:?} {machine:?}");
                wins[machine as usize].push(chance.wins[machine as usize].clone());
            }
        }
        for wins in &wins {
            assert!(wins.is_sorted(), "a stricter aim wins no less often: {wins:?}");
        }
        // The last are the best that can be had without ever losing.
        let expected = [
            ["14806243/16329600", "75257/77760", "75257/77760", "191/192"],
            ["12961/17010", "2645/3402", "2645/3402", "866/945"],
        ];
        // With one box a class, moves that mirror each other share a bead, and only best odds stay the same.
        let from = if symmetry { 3 } else { 0 };
        for (wins, expected) in wins.iter().zip(expected) {
            assert_eq!(wins[from..].iter().map(BigRational::to_string).collect::<Vec<_>>(), expected[from..]);
        }
    }
}

#[test]
fn trap_is_no_worse_than_fastest_nor_fastest_than_win_in_any_game() {
    for name in
        ["3x3x3+misere", "4x3x3+gravity", "4x4x4+gravity", "hexapawn", "hexapawn:4x3", "wild", "notakto", "5x2x3"]
    {
        let game = games::find(name).unwrap();
        for machine in Player::BOTH {
            let won = [Aim::Win, Aim::Fastest, Aim::Trap].map(|aim| {
                let run = run(name, aim, true);
                let boxes = Chooser::Boxes(&run as &dyn Cabinet);
                let choosers = if machine == Player::One { [boxes, Chooser::Random] } else { [Chooser::Random, boxes] };
                odds(&*game, &choosers, &()).unwrap().wins[machine as usize].clone()
            });
            assert!(won.is_sorted(), "{name} {machine:?}: {won:?}");
        }
    }
}

/// The odds of chance against chance by plain recursion, for the side that plays first.
fn slow(board: &Nine) -> [f64; 3] {
    if is_over(board) {
        return match winner(board) {
            Some(1) => [1.0, 0.0, 0.0],
            Some(_) => [0.0, 1.0, 0.0],
            None => [0.0, 0.0, 1.0],
        };
    }
    let free = empty_cells(board);
    let parts: Vec<[f64; 3]> = free.iter().map(|&cell| slow(&after(board, cell))).collect();
    [0, 1, 2].map(|at| parts.iter().map(|part| part[at]).sum::<f64>() / free.len() as f64)
}

#[test]
fn a_plain_recursion_finds_the_same() {
    let found = odds(&*games::find("tictactoe").unwrap(), &[Chooser::Random, Chooser::Random], &()).unwrap();
    let plain = slow(&[0; 9]);
    assert_eq!(side_to_move(&[0; 9]), 1);
    for (exact, plain) in [&found.wins[0], &found.wins[1], &found.draw].into_iter().zip(plain) {
        assert!((exact.to_f64().unwrap() - plain).abs() < 1e-12, "{exact} is not {plain}");
    }
}

#[test]
fn beads_weigh_by_their_number() {
    // On two cells nobody makes a row of two.
    let game = games::find("2x1x2").unwrap();
    assert_eq!(texts(&odds(&*game, &[Chooser::Random, Chooser::Random], &()).unwrap()), ["0", "0", "1"]);
    // A table before the first round has all beads, and plays by chance.
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.json");
    assert!(menace().args(["generate", "-o"]).arg(&table).status().unwrap().success());
    let at_start = |side: &str| {
        let all = format!("{}@0", table.display());
        stdout(&menace().args(["odds", "--json", "--a", side, &all, "random"]).output().unwrap())
    };
    let chance: serde_json::Value = serde_json::from_str(&at_start("first")).unwrap();
    assert_eq!(chance["a_wins"]["fraction"], "737/1260");
    assert_eq!(chance["draw"]["fraction"], "8/63");
    assert_eq!(chance["a_wins"]["decimal"], 737.0 / 1260.0);
    let chance: serde_json::Value = serde_json::from_str(&at_start("second")).unwrap();
    assert_eq!(chance["a_wins"]["fraction"], "121/420");
    // From the centre alone, and from the centre five times as often as from the corner.
    let opened = |beads: &str| -> BigRational {
        let text = std::fs::read_to_string(&table).unwrap();
        let (head, rest) = text.split_once(r#""beads":{"#).unwrap();
        let (_, tail) = rest.split_once('}').unwrap();
        let file = folder.path().join("edited.json");
        std::fs::write(&file, format!(r#"{head}"beads":{{{beads}}}{tail}"#)).unwrap();
        let told = menace().args(["odds", "--json"]).arg(&file).arg("random").output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        json["a_wins"]["fraction"].as_str().unwrap().parse().unwrap()
    };
    let (centre, corner) = (opened(r#""5":1"#), opened(r#""1":1"#));
    let six = BigRational::from_integer(6.into());
    let five = BigRational::from_integer(5.into());
    assert_ne!(centre, corner);
    assert_eq!(opened(r#""1":1,"5":5"#), (corner + five * centre) / six);
}

#[test]
fn odds_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let make = |args: &[&str]| {
        assert!(menace().arg("generate").args(args).current_dir(folder.path()).status().unwrap().success())
    };
    make(&["-o", "t.json", "--machine", "first"]);
    make(&["-o", "h.json", "--game", "hexapawn"]);
    for (args, parts) in [
        (&["t.json", "h.json"][..], &["one game", "3x3x3", "hexapawn"][..]),
        (&["random", "t.json"], &["t.json", "second machine", "--a"]),
        (&["t.json", "random", "--game", "hexapawn"], &["leave --game out"]),
        (&["random", "random", "--game", "morris"], &["goes in circles"]),
        (&["random", "random", "--game", "4x4x4"], &["4x4x4", "smaller game"]),
        (&["random", "perfekt"], &["perfekt"]),
    ] {
        assert_refused(&menace().arg("odds").args(args).current_dir(folder.path()).output().unwrap(), parts);
    }
    let second =
        menace().args(["odds", "random", "t.json", "--a", "second"]).current_dir(folder.path()).output().unwrap();
    assert!(stdout(&second).contains("A wins  0.000000  0\n"), "{}", stdout(&second));
}

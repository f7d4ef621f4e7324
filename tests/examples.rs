//! The examples run and print what they should. Every figure was computed independently of this crate, by plain recursion over
//! all games; some are also in `tests/odds.rs`.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// Where cargo puts an example: beside the folder of this test.
fn path(example: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let path = profile.join("examples").join(example).with_extension(env::consts::EXE_EXTENSION);
    assert!(path.exists(), "{} is missing; `cargo test` and `cargo build --examples` build it", path.display());
    path
}

fn output(example: &str, arguments: &[&str]) -> String {
    let output = Command::new(path(example)).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn lookup_shows_the_beads_that_stay_and_why_the_others_went() {
    let expected = "\
board    100020001, O to move
verdict  draw
beads    2 4 6 8
went     3: round 2, reply 7 leads to a banned board
went     7: round 2, reply 3 leads to a banned board
";
    assert_eq!(output("lookup", &[]), expected);
}

#[test]
fn lookup_opens_a_table_of_either_kind() {
    let folder = tempfile::tempdir().unwrap();
    for (name, rounds) in [("t.json", ["round 1, ", "round 2, "]), ("t.menace", ["", ""])] {
        let path = folder.path().join(name);
        let game = menace::games::find("tictactoe").unwrap();
        let made = menace::Table::generate_to(&path, game, &menace::Plan::default(), &()).unwrap();
        let [first, second] = rounds;
        let depth = if made.is_packed() { "" } else { " in 4 moves" };
        let expected = format!(
            "\
board    101000002, O to move
verdict  loss{depth}
beads    none
went     2: {second}reply 7 leads to a banned board
went     4: {first}reply 2 wins at once
went     5: {first}reply 2 wins at once
went     6: {first}reply 2 wins at once
went     7: {first}reply 2 wins at once
went     8: {first}reply 2 wins at once
"
        );
        assert_eq!(output("lookup", &[path.to_str().unwrap(), "X.X/.../..O"]), expected);
    }
}

#[test]
fn own_game_finds_the_only_winning_opening_of_treblecross() {
    let expected = "\
verdict   win in 7 moves
openings  7
";
    assert_eq!(output("own_game", &[]), expected);
}

#[test]
fn policy_odds_are_exact() {
    let expected = "\
plays   against     wins    draws    loses
first   random     41/64   13/128   33/128
first   perfect        0        0        1
second  random    64/189   11/189    38/63
second  perfect        0   13/378  365/378
";
    assert_eq!(output("policy_odds", &[]), expected);
}

#[test]
fn levels_climb_from_random_to_perfect() {
    let expected = "\
tic-tac-toe    --------------- against random ---------------  against perfect
side   level                wins            draws       loses            score
first  random           737/1260             8/63     121/420         757/6804
first  0.5             6883/9072       4759/45360   1031/7560      16073/68040
first  1                 506/567           73/810      11/630          263/630
first  1.5             1091/1215         605/6804   149/11340          181/420
first  2               7684/8505         746/8505       5/567              4/9
first  2.5       4222789/4665600 2955677/32659200      5/1134            17/36
first  safe    14806243/16329600 1523357/16329600           0              1/2
first  perfect       75257/77760       2503/77760           0              1/2
first  fastest       75257/77760       2503/77760           0              1/2
second random            121/420             8/63    737/1260      2503/155520
second 0.5             1261/2592       8053/45360 30479/90720   344921/6967296
second 1               1952/2835          209/945    256/2835       2921/25920
second 1.5           19273/27216       7633/34020  3061/45360     32657/241920
second 2             49499/68040      15517/68040        2/45          107/672
second 2.5           33811/45360      10559/45360      11/504         881/2688
second safe          12961/17010       4049/17010           0              1/2
second perfect         2645/3402         757/3402           0              1/2
second fastest         2645/3402         757/3402           0              1/2
";
    assert_eq!(output("levels", &[]), expected);
}

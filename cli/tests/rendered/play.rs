//! Playing on the page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use menace::{Aim, Choice, Plan, Policy, games};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::Value;

use crate::Test;
use crate::browser::Page;
use crate::common::{empty_cells, nine, side_to_move};
use crate::made::{Made, settled};

/// All tests of play.
pub const TESTS: &[Test] = &[
    ("a_game_can_be_played_by_mouse_against_each_machine", a_game_can_be_played_by_mouse_against_each_machine),
    ("a_game_can_be_played_by_keyboard_against_each_machine", a_game_can_be_played_by_keyboard_against_each_machine),
    ("the_machines_never_lose_against_random_play", the_machines_never_lose_against_random_play),
    ("other_games_can_be_played_on_their_pages", other_games_can_be_played_on_their_pages),
    ("with_an_empty_box_the_page_plays_like_the_table", with_an_empty_box_the_page_plays_like_the_table),
    ("moves_can_be_taken_back_and_sides_changed", moves_can_be_taken_back_and_sides_changed),
    ("the_page_shows_how_the_board_is_turned_onto_its_box", the_page_shows_how_the_board_is_turned_onto_its_box),
    (
        "a_bead_flies_to_its_cell_unless_the_system_prefers_reduced_motion",
        a_bead_flies_to_its_cell_unless_the_system_prefers_reduced_motion,
    ),
];

/// Plays a whole game to its end, choosing cells by a seed.
fn play_through(page: &Page, seed: u64, choose: impl Fn(&Page, usize)) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    for _ in 0..9 {
        let board = nine(&settled(page));
        if page.value("menace.state().over") != Value::Null {
            break;
        }
        let free = empty_cells(&board);
        let cell = free[rng.random_range(0..free.len())];
        choose(page, cell + 1);
        let now = nine(&settled(page));
        assert_eq!(now[cell], side_to_move(&board), "the mark is in cell {}", cell + 1);
    }
    let status = page.text("#status");
    assert!(status.ends_with("wins.") || status.ends_with("A draw."), "{status}");
}

fn against_each_machine(chromium: &Path, choose: impl Fn(&Page, usize)) {
    let made = Made::tictactoe();
    let page = made.open(chromium, "");
    for (machine, person) in [(2, "X"), (1, "O")] {
        for seed in 0..2 {
            page.click("#new");
            page.click(&format!("input[name=machine][value=\"{machine}\"]"));
            play_through(&page, seed, &choose);
            let status = page.text("#status");
            assert!(!status.ends_with(&format!("{person} wins.")), "{status}");
        }
    }
    page.screenshot("after-a-game");
    page.close();
}

fn a_game_can_be_played_by_mouse_against_each_machine(chromium: PathBuf) {
    against_each_machine(&chromium, |page, cell| page.click(&format!(".cell[data-cell=\"{cell}\"]")));
}

fn a_game_can_be_played_by_keyboard_against_each_machine(chromium: PathBuf) {
    against_each_machine(&chromium, |page, cell| page.press(&cell.to_string()));
}

/// Plays games on the page by clicking random cells that can be played, and counts how they end for the machine.
const RANDOM_GAMES: &str = r##"(async (machine, games) => {
  const ends = { win: 0, draw: 0, loss: 0 };
  const rest = () => new Promise((done) => setTimeout(done, 0));
  document.querySelector(`input[name=machine][value="${machine}"]`).click();
  for (let game = 0; game < games; game += 1) {
    document.getElementById("new").click();
    for (let moves = 0; ; moves += 1) {
      while (menace.state().isMachineToMove && !menace.state().over && !/A draw/.test(document.getElementById("status").textContent)) await rest();
      const cells = [...document.querySelectorAll(".cell.usable")];
      if (menace.state().over || /A draw/.test(document.getElementById("status").textContent)) break;
      if (!cells.length) throw new Error(`no side can move on ${menace.state().board}`);
      cells[Math.floor(Math.random() * cells.length)].click();
      const offered = document.querySelectorAll("#choice:not([hidden]) button");
      if (offered.length) offered[Math.floor(Math.random() * offered.length)].click();
    }
    const { over, player } = menace.state();
    const isMachine = player === machine;
    ends[!over || over === "draw" ? "draw" : (over === "win") === isMachine ? "win" : "loss"] += 1;
  }
  return ends;
})"##;

fn the_machines_never_lose_against_random_play(chromium: PathBuf) {
    for (symmetry, games) in [(true, 120), (false, 30)] {
        let made = Made::new("tictactoe", Aim::Safe, symmetry);
        let page = made.open(&chromium, "");
        for machine in [1, 2] {
            let ends = page.value(&format!("{RANDOM_GAMES}({machine}, {games})"));
            assert_eq!(ends["loss"], 0, "machine {machine}: {ends}");
            assert!(ends["win"].as_u64() > Some(games / 3), "random play should lose often: {ends}");
        }
        page.close();
    }
}

fn other_games_can_be_played_on_their_pages(chromium: PathBuf) {
    for (game, machines, games) in [
        ("hexapawn", &[2][..], 15),
        ("wild", &[1], 15),
        ("notakto", &[1], 15),
        ("3x3x3+misere", &[1, 2], 15),
        ("3x3x3+gravity", &[1, 2], 15),
        ("pong-hau-ki", &[1, 2], 6),
        ("morris", &[1], 6),
    ] {
        let made = Made::new(game, Aim::Win, true);
        let page = made.open(&chromium, "");
        for machine in machines {
            let ends = page.value(&format!("{RANDOM_GAMES}({machine}, {games})"));
            assert_eq!(ends["loss"], 0, "{game}, machine {machine}: {ends}");
            let ended = ["win", "draw"].iter().filter_map(|end| ends[end].as_u64()).sum::<u64>();
            assert_eq!(ended, games, "{game}: {ends}");
        }
        page.screenshot(game);
        page.close();
    }
}

/// With every reply banned, the first box runs empty although the board is not lost. Only the table's own policy knows what its
/// machine plays then: any of the nine moves, which all went in the same round.
fn with_an_empty_box_the_page_plays_like_the_table(chromium: PathBuf) {
    let game = games::find("tictactoe").unwrap();
    let start = game.start();
    let replies = game.moves(start).into_iter().map(|mv| start.play(mv));
    let ban = replies.flat_map(|at| game.moves(at).into_iter().map(move |reply| at.play(reply).board)).collect();
    let made = Made::of_plan("tictactoe", &Plan { ban, ..Plan::default() });
    let expected = made.table.choose(&*game, start).unwrap();
    assert!(matches!(expected, Choice::LosesLatest(_)), "{expected:?}");
    let expected: BTreeSet<String> = expected.moves().iter().map(|(mv, _)| start.play(*mv).board.to_string()).collect();
    assert_eq!(expected.len(), 9);
    let page = made.open(&chromium, "");
    page.click("input[name=machine][value=\"1\"]");
    let mut played = BTreeSet::new();
    for _ in 0..200 {
        page.click("#new");
        played.insert(settled(&page));
        assert!(page.text("#status").contains("which is empty, and plays what lasts longest"));
        if played.len() == expected.len() {
            break;
        }
    }
    assert_eq!(played, expected);
    page.close();
}

fn moves_can_be_taken_back_and_sides_changed(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "");
    assert_eq!(page.value("document.getElementById('back').disabled"), true, "there is nothing to take back");
    page.press("5");
    let first = settled(&page);
    let cell = empty_cells(&nine(&first))[0] + 1;
    page.press(&cell.to_string());
    settled(&page);
    page.click("#back");
    assert_eq!(settled(&page), first);
    page.click("#back");
    assert_eq!(settled(&page), "000000000");
    // The machine moves first, and a person cannot take its move back.
    page.click("input[name=machine][value=\"1\"]");
    let opened = settled(&page);
    assert_eq!(opened.matches('1').count(), 1);
    assert_eq!(page.value("document.getElementById('back').disabled"), true);
    page.click("input[name=machine][value=\"3\"]");
    page.wait("menace.state().over === 'draw'");
    page.click("input[name=machine][value=\"0\"]");
    page.click("#new");
    for key in ["1", "2", "3"] {
        page.press(key);
    }
    assert_eq!(settled(&page), "121000000", "two people play");
    // If a cell can take either mark, the page asks which, and drops the question when the sides change.
    let wild = Made::new("wild", Aim::Safe, true);
    page.go(&wild.file(), "");
    page.press("1");
    assert_eq!(page.count("#choice:not([hidden]) button"), 2);
    page.click("input[name=machine][value=\"1\"]");
    settled(&page);
    assert_eq!(page.count("#choice:not([hidden]) button"), 0);
    page.close();
}

fn the_page_shows_how_the_board_is_turned_onto_its_box(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "#000000001");
    assert!(page.value("document.getElementById('turn').hidden").as_bool().unwrap(), "this board is not turned");
    for (board, how) in [
        ("100000000", "turned half round"),
        ("001000000", "mirrored top to bottom"),
        ("000000100", "mirrored left to right"),
    ] {
        page.go(&made.file(), &format!("#{board}"));
        assert_eq!(page.text("#turn .quiet"), format!("The board, {how}, is the box."));
        assert!(page.text("#drawer-about").starts_with("Box 1 "));
    }
    page.close();
}

fn a_bead_flies_to_its_cell_unless_the_system_prefers_reduced_motion(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "");
    page.press("5");
    assert_eq!(page.count(".flying"), 0);
    settled(&page);
    page.emulate(&[("prefers-reduced-motion", "no-preference")]);
    page.click("#new");
    page.press("1");
    page.wait("document.querySelector('#tray .drawn') !== null");
    page.wait("document.querySelector('.flying') !== null");
    page.screenshot("flying");
    settled(&page);
    assert_eq!(page.count(".flying"), 0);
    page.close();
}

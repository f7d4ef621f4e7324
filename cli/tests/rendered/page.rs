//! Exploring, comparing and sharing on the page.

use std::fs;
use std::path::PathBuf;

use menace::explain::explain;
use menace::kit::{KitPlan, kit};
use menace::train::{Arena, Seat, Teaching, Training};
use menace::{Aim, Board, BySide, Fate, Outcome, Position, Side, Sides, Table, Why, games};
use serde_json::{Value, json};

use crate::Test;
use crate::browser::Page;
use crate::common::{after, minimax, nine};
use crate::made::{Made, settled};

/// All tests of what the page shows.
pub const TESTS: &[Test] = &[
    (
        "the_reason_for_a_missing_bead_is_shown_down_to_the_winning_row",
        the_reason_for_a_missing_bead_is_shown_down_to_the_winning_row,
    ),
    ("every_reason_on_the_page_matches_explain", every_reason_on_the_page_matches_explain),
    ("the_slider_empties_the_drawers", the_slider_empties_the_drawers),
    ("a_dropped_table_is_compared_with_the_page", a_dropped_table_is_compared_with_the_page),
    ("tables_with_and_without_symmetry_can_be_compared", tables_with_and_without_symmetry_can_be_compared),
    ("files_that_are_not_tables_of_the_game_are_refused", files_that_are_not_tables_of_the_game_are_refused),
    ("a_link_reopens_the_board", a_link_reopens_the_board),
    ("the_page_works_by_keyboard_and_fits_every_screen", the_page_works_by_keyboard_and_fits_every_screen),
];

fn the_reason_for_a_missing_bead_is_shown_down_to_the_winning_row(chromium: PathBuf) {
    let made = Made::new("tictactoe", Aim::Safe, false);
    let page = made.open(&chromium, "#101000002");
    assert_eq!(page.text("#drawer-about"), "Box 7292 of the second machine, O to move: lost, banned in round 2.");
    page.click("#tray .hole[data-move=\"2\"]");
    assert_eq!(page.text("#reason p"), "Bead 2 went in round 2: reply 7 leads to a banned board.");
    for shown in 1..4 {
        assert_eq!(page.count("#reason .steps li"), shown);
        assert_eq!(page.text("#reason .end"), "");
        page.click("#reason .buttons button");
    }
    assert_eq!(page.count("#reason .steps li"), 4);
    assert_eq!(page.text("#reason .end"), "X wins. The row is 3 5 7.");
    assert_eq!(page.count("#reason .steps li:last-child .row"), 1, "the row is struck through");
    assert_eq!(page.count("#reason .steps .row"), 1);
    assert!(page.text("#reason .steps li:nth-child(2)").contains("banned in round 1"));
    page.screenshot("reason");
    // A drawer of the cabinet opens too, and a bead that stays shows where it leads.
    page.click("input[name=cabinet][value=\"1\"]");
    page.click(".drawer[data-board=\"000000000\"]");
    assert_eq!(page.text("#drawer-about"), "Box 0 of the first machine, X to move: a draw.");
    page.click("#tray .bead[data-move=\"5\"]");
    assert!(page.text("#reason").contains("a draw"), "{}", page.text("#reason"));
    page.close();
}

/// Compares the line that the page shows for every removed bead with the library's.
fn every_reason_on_the_page_matches_explain(chromium: PathBuf) {
    let mut compared = 0;
    for (game, aim, symmetry) in [
        ("tictactoe", Aim::Safe, true),
        ("tictactoe", Aim::Trap, false),
        ("3x3x3+misere", Aim::Win, true),
        ("hexapawn", Aim::Fastest, true),
        ("morris", Aim::Win, true),
        ("notakto", Aim::Fastest, false),
        ("pong-hau-ki", Aim::Safe, false),
    ] {
        let made = Made::new(game, aim, symmetry);
        let page = made.open(&chromium, "");
        let lines = page.value(
            "menace.removed().map(([board, player, text]) => [board, player, text, menace.line(board, player, text)])",
        );
        let rules = &**made.table.game();
        let mut last = None;
        for line in lines.as_array().unwrap() {
            let board = Board::parse(line[0].as_str().unwrap(), rules.shape()).unwrap();
            let at = Position::new(board, Side::BOTH[line[1].as_u64().unwrap() as usize - 1]);
            if last.as_ref().is_none_or(|&(known, _)| known != at) {
                last = Some((at, explain(&made.table, at).unwrap()));
            }
            let told = &last.as_ref().unwrap().1;
            let notation = rules.notation();
            let bead = told.moves.iter().find(|bead| json!(notation.text(bead.mv).to_string()) == line[2]).unwrap();
            let Fate::Went(removal) = bead.fate else { panic!("{line} is not removed") };
            let texts: Vec<String> = bead.line.iter().map(|&mv| notation.text(mv).to_string()).collect();
            match removal.why {
                // The page shows the bead that wins instead.
                Why::Win => {
                    let [Value::String(wins)] = &line[3].as_array().unwrap()[..] else { panic!("{game}: {line}") };
                    let mv = notation.find(wins, &rules.moves(at)).unwrap();
                    assert_eq!(rules.result(at.play(mv)), Some(Outcome::Loss), "{game}: {line}");
                }
                _ => assert_eq!(line[3], json!(texts), "{game}: {line}"),
            }
            compared += 1;
        }
        let machines = made.table.machines().iter().filter_map(|side| made.table.machine(side));
        let boxes = machines.map(|machine| machine.to_boxes().unwrap());
        let in_boxes = |boxes: &menace::table::Boxes| -> usize {
            boxes.iter().map(|(_, matchbox)| matchbox.removed().count()).sum()
        };
        assert_eq!(lines.as_array().unwrap().len(), boxes.map(|boxes| in_boxes(&boxes)).sum::<usize>());
        page.close();
    }
    assert!(compared > 15_000, "{compared}");
}

fn the_slider_empties_the_drawers(chromium: PathBuf) {
    let made = Made::new("tictactoe", Aim::Safe, false);
    let page = made.open(&chromium, "");
    page.click("input[name=cabinet][value=\"1\"]");
    // Beads and sealed drawers of the first machine after each round.
    for (round, beads, sealed) in [(0, 8631, 0), (1, 4059, 116), (2, 3835, 152), (3, 3735, 152), (4, 3735, 152)] {
        page.value(&format!("(() => {{ const s = document.getElementById('round'); s.value = {round}; s.dispatchEvent(new Event('input')); }})()"));
        let about = page.text("#round-about");
        assert!(about.contains(&format!("first machine: {beads} beads, {sealed} of 2423 drawers sealed")), "{about}");
        assert_eq!(page.count(".drawer.banned"), sealed);
        assert_eq!(page.count(".drawer .dot"), beads);
    }
    assert_eq!(page.count(".drawer"), 2423);
    // With the keyboard: one step back.
    page.value("document.getElementById('round').focus()");
    page.press("ArrowLeft");
    assert!(page.text("#round-label").contains("round 3"), "{}", page.text("#round-label"));
    page.press("Home");
    assert!(page.text("#round-label").contains("all beads"));
    page.screenshot("all-beads");
    page.close();
}

/// A table of machines that played each other: with numbers of beads and losing beads, without rounds and reasons.
fn trained(pruned: &Table, seed: u64) -> Value {
    let game = pruned.game();
    let seats = BySide { first: Seat::Learner, second: Seat::Learner };
    let arena = Arena::new(game, pruned.classes(), seats, &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, seed).unwrap();
    training.play(5000);
    let mut table = Table::builder(game.clone()).symmetry(pruned.symmetry());
    for machine in Side::BOTH {
        let (boxes, lessons) = training.boxes(machine, &[], "self");
        table = table.machine(machine, boxes, lessons);
    }
    serde_json::from_slice(&bytes_of(&table.build())).unwrap()
}

/// A table as JSON.
fn bytes_of(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write_json(&mut bytes, &()).unwrap();
    bytes
}

fn a_dropped_table_is_compared_with_the_page(chromium: PathBuf) {
    let made = Made::new("tictactoe", Aim::Safe, false);
    let table = trained(&made.table, 3);
    let file = made.folder.path().join("trained.json");
    fs::write(&file, table.to_string()).unwrap();
    let page = made.open(&chromium, "");
    page.drop_file(&file);
    page.wait("!document.getElementById('compared').hidden");
    assert_eq!(page.text("#other-name"), "trained.json");
    let values = minimax();
    let mut words = Vec::new();
    for (machine, side) in [("first", Side::First), ("second", Side::Second)] {
        let (mut differ, mut losing, mut rings) = (0, 0, 0);
        let boxes = table["machines"][machine]["boxes"].as_array().unwrap();
        let pruned = made.table.machine(side).unwrap().to_boxes().unwrap();
        for found in boxes {
            let board = nine(found["board"].as_str().unwrap());
            let beads = found["beads"].as_object().unwrap();
            let kept = Board::parse(found["board"].as_str().unwrap(), made.table.game().shape()).unwrap();
            let same = pruned.get(kept).unwrap().beads();
            let same: serde_json::Map<_, _> =
                same.map(|(mv, number)| (mv.to.number().to_string(), json!(number))).collect();
            differ += usize::from(*beads != same);
            let loses = |text: &String| values[&after(&board, text.parse::<usize>().unwrap() - 1)].score == 1;
            let lost = if values[&board].score == -1 { 0 } else { beads.keys().filter(|text| loses(text)).count() };
            losing += usize::from(lost > 0);
            rings += lost;
        }
        // A board that leaves no choice has no box in a trained table.
        let missing = match pruned.len() - boxes.len() {
            0 => String::new(),
            number => format!(", {number} of the page's boxes are not in it"),
        };
        words.push(format!(
            "{machine} machine: {differ} of {} boxes play otherwise, {losing} have beads that lose{missing}",
            boxes.len()
        ));
        page.click(&format!("input[name=cabinet][value=\"{}\"]", if side == Side::First { 1 } else { 2 }));
        assert_eq!(page.count(".drawer.differs"), differ as u64);
        assert_eq!(page.count(".drawer .losing"), rings as u64);
    }
    let told = page.text("#differences");
    assert!(told.starts_with(&words.join("; ")), "{told}");
    // The drawer shows the numbers of beads, and rings around those that lose.
    page.click("input[name=cabinet][value=\"1\"]");
    page.click(".drawer:has(.losing)");
    assert!(page.count("#tray .bead.losing") > 0 && page.count("#tray .number") > 0);
    page.screenshot("trained");
    assert!(page.text("#summary").starts_with("Trained in 5000 games against self: "), "{}", page.text("#summary"));
    page.click("input[name=table][value=\"0\"]");
    assert_eq!(page.count("#tray .bead.losing"), 0);
    page.close();
}

/// Boxes of a table with one box per class are turned onto those of a table with one box per board.
fn tables_with_and_without_symmetry_can_be_compared(chromium: PathBuf) {
    let made = Made::new("tictactoe", Aim::Safe, true);
    let page = made.open(&chromium, "");
    let drop = |table: &Table, name: &str| {
        let file = made.folder.path().join(name);
        fs::write(&file, bytes_of(table)).unwrap();
        page.drop_file(&file);
        page.wait(&format!("document.getElementById('other-name').textContent === '{name}'"));
        page.wait("menace.state() !== null");
    };
    drop(&Made::new("tictactoe", Aim::Safe, false).table, "whole.json");
    assert!(
        page.text("#differences").contains("first machine: 0 of 2423 boxes play otherwise, 0 have beads that lose;"),
        "{}",
        page.text("#differences")
    );
    assert_eq!(page.count(".drawer.differs"), 0);
    assert!(page.text("#summary").contains("2423 boxes"));
    let fastest = Made::new("tictactoe", Aim::Fastest, false).table;
    drop(&fastest, "fastest.json");
    let safe = Made::new("tictactoe", Aim::Safe, false).table;
    let [a, b] = [&safe, &fastest].map(|table| table.machine(Side::First).unwrap().to_boxes().unwrap());
    let differ = a.iter().zip(b.iter()).filter(|(a, b)| a.1.beads().ne(b.1.beads())).count();
    let words = format!("first machine: {differ} of 2423 boxes play otherwise");
    assert!(differ > 0 && page.text("#differences").contains(&words), "{words}: {}", page.text("#differences"));
    let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: None };
    drop(&kit(games::find("tictactoe").unwrap(), &plan, &()).unwrap().table, "kit.json");
    assert!(
        page.text("#differences").contains("319 of the page's boxes are not in it"),
        "{}",
        page.text("#differences")
    );
    assert!(page.text("#summary").contains("19 boxes"));
    page.close();
}

fn files_that_are_not_tables_of_the_game_are_refused(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "");
    let hexapawn = Made::new("hexapawn", Aim::Safe, false);
    let bytes = bytes_of(&hexapawn.table);
    // A table that was altered in one place.
    let altered = |alter: &dyn Fn(&mut Value)| {
        let mut table = trained(&made.table, 1);
        alter(&mut table);
        table.to_string().into_bytes()
    };
    let in_box = |field: &'static str, value: Value| {
        altered(&move |table| table["machines"]["first"]["boxes"][0][field] = value.clone())
    };
    let script = "0\"><img src=x onerror=document.title=1>";
    for (content, part) in [
        (bytes, "of hexapawn:3x3, and this page is of 3x3x3"),
        (b"no table".to_vec(), "is not JSON"),
        (b"{}".to_vec(), "is not a table of menace"),
        (b"null".to_vec(), "is not a table of menace"),
        (altered(&|table| table["version"] = json!(2)), "version 2"),
        (altered(&|table| table["machines"] = json!({})), "has no boxes"),
        (altered(&|table| table["machines"]["first"]["rounds"] = Value::Null), "no rounds and boxes"),
        (altered(&|table| table["machines"]["first"]["boxes"] = json!({})), "no rounds and boxes"),
        (
            altered(&|table| table["machines"]["first"]["boxes"][1] = table["machines"]["first"]["boxes"][0].clone()),
            "twice",
        ),
        (altered(&|table| table["machines"]["first"]["boxes"][0] = Value::Null), "never has to move"),
        (in_box("board", json!("111111111")), "never has to move"),
        (in_box("id", json!(script)), "under another id than 0"),
        (in_box("beads", json!({"10": 1})), "no move there"),
        (in_box("beads", json!({"1": 0})), "not counted"),
        (in_box("beads", json!({"1": -3})), "not counted"),
        (in_box("beads", json!({"1": "x"})), "not counted"),
        (in_box("removed", json!({"1": null})), "for no reason"),
        (in_box("removed", json!({"1": {"round": 1, "why": "whim"}})), "for no reason"),
        (in_box("removed", json!({"1": {"round": 1, "why": "loses", "reply": script}})), "for no reason"),
        (in_box("banned", json!("soon")), "makes no sense"),
    ] {
        let file = made.folder.path().join("dropped.json");
        fs::write(&file, content).unwrap();
        page.value("document.getElementById('file-error').hidden = true");
        page.drop_file(&file);
        page.wait("!document.getElementById('file-error').hidden");
        let told = page.text("#file-error");
        assert!(told.contains(part), "{told}");
        assert!(page.value("document.getElementById('compared').hidden").as_bool().unwrap(), "nothing is compared");
    }
    page.close();
}

fn a_link_reopens_the_board(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "");
    page.press("5");
    let board = settled(&page);
    let address = page.value("location.hash");
    assert_eq!(address, format!("#{board}"));
    page.go(&made.file(), address.as_str().unwrap());
    assert_eq!(settled(&page), board);
    assert_eq!(page.text("#status"), "X to move.");
    assert_eq!(page.value("menace.state().player"), 1);
    // On a shared board it is the person's turn, so the machine does not change the board.
    page.go(&made.file(), "#100000000");
    assert_eq!(settled(&page), "100000000");
    assert_eq!(page.text("#status"), "O to move.");
    assert!(page.text("#drawer-about").contains("second machine"));
    page.go(&made.file(), "#111220000");
    assert_eq!(page.text("#status"), "X wins.");
    for wrong in ["#111111111", "#12", "#board"] {
        page.go(&made.file(), wrong);
        assert_eq!(page.text("#status"), "The address held no board of this game. X to move.");
        assert_eq!(page.value("location.hash"), "#000000000");
        assert_eq!(page.value("menace.state().board"), "000000000");
    }
    page.close();
}

fn the_page_works_by_keyboard_and_fits_every_screen(chromium: PathBuf) {
    let made = Made::tictactoe();
    let page = made.open(&chromium, "#100020000");
    let nameless = "[...document.querySelectorAll('button')].filter((b) => !(b.getAttribute('aria-label') || b.textContent.trim())).length";
    assert_eq!(page.value(nameless), 0, "every button has a label");
    page.value("document.querySelector('.cell').focus()");
    page.press("ArrowRight");
    page.press("Enter");
    assert_eq!(&settled(&page)[..2], "11", "cell 2 is beside cell 1");
    page.click("#tray .hole, #tray .bead");
    for scheme in ["light", "dark"] {
        page.emulate(&[("prefers-reduced-motion", "reduce"), ("prefers-color-scheme", scheme)]);
        assert_readable(&page, scheme);
        for (width, height) in [(320, 640), (390, 844), (768, 1024), (1400, 900)] {
            page.resize(width, height);
            let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
            assert!(wide <= width.into(), "{wide} pixels on a screen of {width}");
            // Sections do not overlap.
            let overlaps = page.value(
                "(() => { const boxes = [...document.querySelectorAll('main > section, body > section')].map((s) => s.getBoundingClientRect()); \
                 return boxes.some((a, i) => boxes.some((b, j) => i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)); })()",
            );
            assert_eq!(overlaps, false);
            page.screenshot(&format!("{scheme}-{width}"));
        }
    }
    page.close();
}

/// Asserts that letters contrast enough with their background to be read, and marks enough to be seen.
fn assert_readable(page: &Page, scheme: &str) {
    let brightness = |name: &str| {
        let hex =
            page.value(&format!("getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()"));
        let hex = hex.as_str().unwrap().trim_start_matches('#').to_owned();
        let channels = [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0);
        let linear = channels.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let contrast = |a: &str, b: &str| {
        let (a, b) = (brightness(a), brightness(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    };
    for (letters, ground) in [
        ("ink", "card"),
        ("ink", "paper"),
        ("quiet", "card"),
        ("quiet", "paper"),
        ("warn", "card"),
        ("card", "quiet"),
        ("quiet", "sealed"),
        ("quiet", "tray-floor"),
    ] {
        let found = contrast(letters, ground);
        assert!(found >= 4.5, "{letters} on {ground}, {scheme}: {found:.1}");
    }
    for (marks, ground) in [
        ("x", "card"),
        ("o", "card"),
        ("x", "tray-floor"),
        ("o", "tray-floor"),
        ("row", "card"),
        ("accent", "card"),
        ("warn", "tray-floor"),
    ] {
        let found = contrast(marks, ground);
        assert!(found >= 3.0, "{marks} on {ground}, {scheme}: {found:.1}");
    }
}

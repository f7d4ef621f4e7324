//! `train` as people type it: tables, curves, resumed training, and what is refused.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value as Json;

use crate::common::{Folder, assert_refused, assert_says, menace, stderr, stdout};

fn train(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = menace();
    command.arg("train").args(args).current_dir(folder);
    command
}

/// How many games a machine of a trained table has played.
pub fn games_in(table: &[u8]) -> u64 {
    let table: Json = serde_json::from_slice(table).expect("the file is complete");
    let machines = &table["machines"];
    let lessons = machines.get("first").or(machines.get("second")).expect("it has a machine")["lessons"].as_array();
    let played =
        |tally: &Json| -> u64 { ["won", "drawn", "lost"].iter().map(|part| tally[part].as_u64().unwrap()).sum() };
    lessons.expect("it was trained").iter().map(|lesson| played(&lesson["tally"])).sum()
}

/// Trains with `--replace` and returns what the program prints on standard error.
fn told(folder: &Path, args: &[&str]) -> String {
    let output = train(folder, &[args, &["--replace"]].concat());
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stderr(&output)
}

#[test]
fn a_trained_table_can_be_used_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let text = told(at, &["--seed", "7"]);
    for part in [
        "tic-tac-toe, first machine, 304 boxes: 1,000 games against random, seed 7",
        "█ won  ▒ drawn  · lost",
        "first box",
        "It can still be beaten",
        "written to output/tictactoe-trained-first.json",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let table = "output/tictactoe-trained-first.json";
    let run = |args: &[&str]| menace().args(args).current_dir(at).output().unwrap();
    assert!(run(&["generate"]).status.success());
    let verified = run(&["verify", table]);
    assert_eq!(verified.status.code(), Some(1));
    for part in [
        "The first machine can be beaten",
        "The shortest line that beats it: ",
        "  move   boxes         beads        losing   share",
    ] {
        assert!(stdout(&verified).contains(part), "{}", stdout(&verified));
    }
    let diff = run(&["diff", table, "output/tictactoe.json"]);
    assert_eq!(diff.status.code(), Some(1), "{}", stderr(&diff));
    for part in [
        "trained in 1,000 games against random",
        "How good is A? The first machine can be beaten",
        "boards banned only in B         22",
    ] {
        assert!(stdout(&diff).contains(part), "{}", stdout(&diff));
    }
    let json: Json = serde_json::from_slice(&run(&["diff", "--json", table, "output/tictactoe.json"]).stdout).unwrap();
    assert_eq!(json["quality_a"][0]["machine"], "first");
    assert_eq!(json["boxes_only_in_b"].as_array().unwrap().len(), 0, "boards with one move need no box");
    assert!(json.get("quality_b").is_none());
    let json: Json = serde_json::from_slice(&run(&["verify", "--json", table]).stdout).unwrap();
    let quality = &json["quality"][0];
    assert_eq!(quality["by_move"].as_array().unwrap().len(), 4);
    assert!(!quality["can_lose_from"].as_array().unwrap().is_empty());
    assert!(quality["shortest_loss"].as_array().unwrap().len() >= 4);
    let whole: Json = serde_json::from_slice(&fs::read(at.join(table)).unwrap()).unwrap();
    assert_eq!(whole["aim"], Json::Null, "it was not pruned");
    let played = run(&["play", table, "--machine", "first", "--seed", "1"]);
    assert!(stdout(&played).contains("The boxes: trained in 1,000 games against random;"), "{}", stdout(&played));
    for args in [
        &["draw", "box", ".........", table][..],
        &["draw", "labels", table, "-o", "l.pdf"],
        &["stats", table],
        &["explain", ".........", table],
        &["odds", table, "perfect"],
        &["draw", "map", table, "-o", "m.svg"],
        &["draw", "page", table, "-o", "p.html"],
    ] {
        assert!(run(args).status.success(), "{args:?}: {}", stderr(&run(args)));
    }
}

#[test]
fn resumed_training_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let read = |name: &str| fs::read(at.join(name)).unwrap();
    for options in [
        &["--beads", "scroggs"][..],
        &["--opponent", "self", "--empty", "refill"],
        &["--machine", "both", "--opponent", "perfect"],
        &["--game", "hexapawn", "--machine", "second", "--all-boards", "--reward", "1,0,all", "--blame", "last"],
    ] {
        let with = |more: &[&'static str]| [options, more].concat();
        told(at, &with(&["--seed", "3", "--games", "2000", "-o", "whole.json"]));
        told(at, &with(&["--seed", "3", "--games", "700", "-o", "part.json"]));
        told(at, &["--from", "part.json", "--games", "300"]);
        told(at, &["--from", "part.json", "--until", "2000", "-o", "rest.json"]);
        assert_eq!(read("rest.json"), read("whole.json"), "{options:?}");
        assert_ne!(read("part.json"), read("whole.json"));
    }
    // One machine is further than the other, as after a power cut while both are trained.
    let options = ["--machine", "both", "--seed", "3", "--games"];
    for (games, name) in [("2000", "whole.json"), ("2000", "far.json"), ("300", "near.json")] {
        told(at, &[&options[..], &[games, "-o", name]].concat());
    }
    let [mut far, near] = ["far.json", "near.json"].map(|name| serde_json::from_slice::<Json>(&read(name)).unwrap());
    far["machines"]["second"] = near["machines"]["second"].clone();
    fs::write(at.join("uneven.json"), far.to_string()).unwrap();
    told(at, &["--from", "uneven.json", "--until", "2000"]);
    assert_eq!(read("uneven.json"), read("whole.json"));
    // Having nothing to do is not a failure, and changes nothing.
    let text = told(at, &["--from", "uneven.json", "--until", "2000"]);
    assert_eq!(text, "Nothing to do: the machine has already played 2,000 games.\n");
    assert_eq!(read("uneven.json"), read("whole.json"));
    // A different opponent starts a new lesson.
    told(at, &["--from", "part.json", "--opponent", "perfect", "--games", "10"]);
    let table: Json = serde_json::from_slice(&read("part.json")).unwrap();
    let lessons = table["machines"]["second"]["lessons"].as_array().unwrap();
    assert_eq!(
        lessons.iter().map(|lesson| lesson["opponent"].as_str().unwrap()).collect::<Vec<_>>(),
        ["random", "perfect"]
    );
}

#[test]
fn a_machine_that_ran_out_of_beads_can_be_refilled() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    told(at, &["--opponent", "perfect", "--empty", "resign", "--seed", "2", "--games", "500", "-o", "t.json"]);
    let text = told(at, &["--from", "t.json", "--games", "500"]);
    assert!(text.contains("lost 500\nempty boxes: 500 games resigned"), "{text}");
    let text = told(at, &["--from", "t.json", "--games", "500", "--empty", "refill"]);
    assert!(text.contains("empty boxes: 0 games resigned") && !text.contains(" 0 boxes refilled"), "{text}");
}

#[test]
fn killed_training_leaves_a_table_that_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let table = at.join("t.json");
    let endless = ["--seed", "5", "--games", "1000000000000", "--save-every", "0", "-o", "t.json"];
    let mut child = command(at, &endless).stderr(std::process::Stdio::null()).spawn().unwrap();
    while !table.exists() {
        assert!(child.try_wait().unwrap().is_none(), "it does not end on its own");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let saved = fs::read(&table).unwrap();
    let games = games_in(&saved);
    assert!(games > 0);
    let end = (games + 1000).to_string();
    told(at, &["--from", "t.json", "--until", &end]);
    told(at, &["--seed", "5", "--games", &end, "-o", "whole.json"]);
    assert_eq!(fs::read(&table).unwrap(), fs::read(at.join("whole.json")).unwrap());
}

#[test]
fn curves_are_written_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let args = [
        "--runs", "30", "--seed", "1", "--games", "200", "--every", "50", "--curve", "c.csv", "--curve", "c.svg",
        "--curve", "c.png", "--curve", "c.pdf",
    ];
    let text = told(at, &args);
    assert!(text.contains("30 machines, each 200 games against random, seeds 1 to 30"), "{text}");
    assert!(text.contains("All 30 machines can still be beaten."), "{text}");
    assert_eq!(fs::read_to_string(at.join("c.csv")).unwrap().lines().count(), 1 + 30 * 5);
    let svg = fs::read_to_string(at.join("c.svg")).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let classes: Vec<&str> = svg.descendants().filter_map(|node| node.attribute("class")).collect();
    let expected =
        ["won", "drawn", "lost", "beads", "unbeatable"].map(|name| [format!("band {name}"), format!("line {name}")]);
    let samples = ["lost", "drawn", "won"].map(|name| format!("sample {name}"));
    let expected = [&expected[..3].concat()[..], &samples, &expected[3..].concat()].concat();
    assert_eq!(classes, expected, "bands and lines, and the legend of the first panel");
    let line = svg.descendants().find(|node| node.attribute("class") == Some("line won")).unwrap();
    assert_eq!(line.attribute("d").unwrap().matches(['M', 'L']).count(), 4, "a point for every 50 games");
    assert!(fs::read(at.join("c.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read(at.join("c.pdf")).unwrap().starts_with(b"%PDF"));
    assert!(!at.join("output").exists(), "training many machines writes no table");
    let csv = train(at, &["--seed", "1", "--games", "100", "--every", "100", "--curve", "-", "-o", "t.json"]);
    assert_eq!(stdout(&csv).lines().count(), 3, "{}", stdout(&csv));
    let table = train(at, &["--seed", "1", "--games", "100", "-o", "-"]);
    assert_eq!(table.stdout, fs::read(at.join("t.json")).unwrap());
}

#[test]
fn impossible_training_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for args in [
        &["generate", "--machine", "first", "-o", "t.json"][..],
        &["generate", "--game", "hexapawn", "-o", "h.json"],
        &["generate", "-o", "p.menace"],
    ] {
        assert!(menace().args(args).current_dir(at).status().unwrap().success());
    }
    told(at, &["--games", "10", "--seed", "1", "-o", "trained.json"]);
    let before = fs::read(at.join("trained.json")).unwrap();
    for (args, parts) in [
        (&["--games", "-5"][..], &["-5", "--games", "a whole number from 0 to"][..]),
        (&["--games", "many"], &["many", "--games"]),
        (&["--opponent", "h.json"], &["opponent for tic-tac-toe", "h.json is a table of hexapawn"]),
        (&["--opponent", "t.json"], &["t.json has no boxes for the second machine"]),
        (&["--opponent", "nobody"], &["random, perfect, self or a table", "nobody"]),
        (&["--opponent", "-"], &["name of the opponent is kept"]),
        (&["--opponent", "self", "--machine", "first"], &["both sides", "leave --machine out"]),
        (&["--beads", "4,3,2"], &["4 numbers of beads were expected", "found 3"]),
        (&["--beads", "4,3,2,1,1"], &["4 numbers of beads were expected", "found 5"]),
        (&["--beads", "4,3,0,1"], &["4,3,0,1", "from 1 to"]),
        (&["--reward", "3,1"], &["win, a draw and a loss", "3,1"]),
        (&["--empty", "panic"], &["resign, keep", "panic"]),
        (&["--blame", "nobody"], &["every or last", "nobody"]),
        (&["--game", "4x4x4"], &["up to a million boards", "4x4x4"]),
        (&["--game", "1x1x1"], &["nothing to learn"]),
        (&["--from", "t.json"], &["t.json was not trained"]),
        (&["--from", "p.menace"], &["p.menace was not trained"]),
        (&["--from", "trained.json", "--game", "hexapawn"], &["--from", "--game"]),
        (&["--from", "trained.json", "--beads", "1,2", "--empty", "refill"], &["4 numbers of beads", "found 2"]),
        (&["--from", "trained.json", "--beads", "scroggs"], &["--beads is for the start"]),
        (&["--from", "trained.json", "--opponent", "self"], &["both sides", "start without --from"]),
        (&["--from", "trained.json@0"], &["leave the @ out"]),
        (&["--machine", "both", "--game", "2x1x2"], &["second machine", "nothing to learn"]),
        (&["--every", "1", "--games", "1000000"], &["1000000 points", "--every"]),
        (&["--every", "-1"], &["--every", "-1"]),
        (&["--seed", "-1"], &["--seed", "-1"]),
        (&["--runs", "3", "--save-every", "1"], &["--runs", "--save-every"]),
        (&["-o", "a.csv", "--curve", "a.csv"], &["a.csv", "more than one thing"]),
        (&["--curve", "a.csv", "--curve", "a.csv"], &["a.csv", "more than one thing"]),
        (&["--machine", "second", "--opponent", "t.json", "-o", "t.json"], &["is the opponent", "would be replaced"]),
        (&["--runs", "5", "-o", "x.json"], &["--runs", "--output"]),
        (&["--runs", "2", "--seed", "18446744073709551615"], &["18446744073709551615", "lower"]),
        (&["-o", "x.menace"], &["x.menace", "JSON"]),
        (&["-o", "nowhere/x.json"], &["nowhere"]),
        (&["--curve", "c.txt"], &["c.txt", ".csv"]),
        (&["--curve", "-", "-o", "-"], &["more than one thing"]),
        (&["--until", "10", "--games", "10"], &["--until", "--games"]),
    ] {
        assert_refused(&train(at, args), parts);
    }
    assert_eq!(fs::read(at.join("trained.json")).unwrap(), before, "nothing is lost");
    let text = String::from_utf8(before).unwrap();
    for (from, to, parts) in [
        ("\"won\":", "\"wins\":1,\"won\":", &["wins"][..]),
        ("\"won\":", "\"won\":1844674407370955161", &["more games than there can be"]),
        ("\"opponent\":\"random\"", "\"opponent\":\"\\u001b[31mX\"", &["not a line of text"]),
        ("\"beads\":\"michie\"", "\"beads\":\"nobody\"", &["michie, scroggs, flat", "nobody"]),
        ("\"teaching\":{", "\"teaching\":[],\"x\":{", &["an object"]),
    ] {
        let altered = text.replacen(from, to, 1);
        assert_ne!(altered, text);
        fs::write(at.join("altered.json"), altered).unwrap();
        assert_refused(&train(at, &["--from", "altered.json"]), &[&["altered.json"], parts].concat());
    }
    // One box is missing.
    let line = text.lines().find(|line| line.contains("\"id\":5,")).unwrap();
    fs::write(at.join("altered.json"), text.replacen(&format!("{line}\n"), "", 1)).unwrap();
    assert_refused(&train(at, &["--from", "altered.json"]), &["altered.json", "no box 5 for the first machine"]);
}

#[test]
fn tables_that_share_no_machine_or_no_boards_are_not_called_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |args: &[&str]| menace().args(args).current_dir(at).output().unwrap();
    for args in [
        &["-o", "first.json"][..],
        &["--machine", "second", "-o", "second.json"],
        &["--all-boards", "-o", "all.json"],
        &["--opponent", "self", "-o", "both.json"],
    ] {
        told(at, &[&["--seed", "1", "--games", "200"], args].concat());
    }
    for args in [&["--machine", "second", "-o", "pruned2.json"][..], &["-o", "pruned.json"], &["-o", "pruned.menace"]] {
        assert!(run(&[&["generate"], args].concat()).status.success());
    }
    for other in ["second.json", "pruned2.json"] {
        let compared = run(&["diff", "first.json", other]);
        assert_eq!(compared.status.code(), Some(1));
        assert_says(
            &stdout(&compared),
            &["Only A has the first machine", "Only B has the second", "no machine in common"],
        );
    }
    // A packed table is compared like any other.
    let json =
        |args: &[&str]| -> Json { serde_json::from_slice(&run(&[&["diff", "--json"], args].concat()).stdout).unwrap() };
    let [whole, packed] = ["pruned.json", "pruned.menace"].map(|other| json(&["first.json", other]));
    for field in ["boxes_only_in_a", "boxes_only_in_b", "beads_only_in_a", "beads_only_in_b", "quality_a"] {
        assert_eq!(whole[field], packed[field], "{field}");
    }
    assert_eq!(whole["boxes_only_in_b"].as_array().unwrap().len(), 0);
    // Boxes of one class that learned separately are not merged.
    let apart = run(&["diff", "--stat", "all.json", "pruned.json"]);
    let text = stdout(&apart);
    assert!(
        text.contains("first 2201 boxes")
            && text.contains("first 2201 boxes\nB")
            && text.contains("reduced to what A can contain"),
        "{text}"
    );
    let mixed = stdout(&run(&["diff", "--stat", "first.json", "all.json"]));
    assert!(mixed.contains("mirror images") && mixed.contains("The lessons differ."), "{mixed}");
    // Only the machines that are compared are judged.
    let text = stdout(&run(&["diff", "--stat", "both.json", "pruned2.json"]));
    assert!(!text.contains("How good is A? The first machine"), "{text}");
}

#[test]
fn a_board_with_one_move_needs_no_box_even_if_it_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |args: &[&str]| menace().args(args).current_dir(at).output().unwrap();
    for (game, machine) in [
        ("hexapawn", "first"),
        ("hexapawn", "second"),
        ("hexapawn:4x4", "first"),
        ("3x3x3+misere", "first"),
        ("4x3x3+gravity", "second"),
    ] {
        told(at, &["--game", game, "--machine", machine, "--seed", "1", "-o", "t.json"]);
        let json: Json = serde_json::from_slice(&run(&["verify", "--json", "t.json"]).stdout).unwrap();
        assert!(
            !json["first"]["fault"].as_str().unwrap_or_default().contains("there is no box"),
            "{game} {machine}: {json}"
        );
        assert_eq!(json["checked"], json["quality"][0]["boxes_met"], "{game} {machine}");
    }
    // X cannot avoid losing hexapawn, and the report says so.
    told(at, &["--game", "hexapawn:2x3", "--games", "100", "--seed", "1", "-o", "t.json"]);
    let text = stdout(&run(&["verify", "t.json"]));
    assert!(text.contains("The first machine can be beaten, as can any machine on its side."), "{text}");
}

#[test]
fn trained_boxes_are_explained_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    told(at, &["--seed", "7", "-o", "t.json"]);
    told(at, &["--seed", "1", "--opponent", "perfect", "--empty", "resign", "-o", "empty.json"]);
    let run = |args: &[&str]| menace().args(args).current_dir(at).output().unwrap();
    let text = stdout(&run(&["explain", ".........", "t.json"]));
    assert!(text.contains("+ 5  stays with 1570 beads; O gets a draw at best"), "{text}");
    let text = stdout(&run(&["draw", "box", ".........", "empty.json"]));
    assert!(text.contains("the box is empty, and the machine resigns here"), "{text}");
    let text = stdout(&run(&["explain", ".........", "empty.json"]));
    assert!(text.contains("There is no bead for 1 2 5, so the machine resigns here."), "{text}");
    let stats: Json = serde_json::from_slice(&run(&["stats", "--json", "t.json"]).stdout).unwrap();
    let table: Json = serde_json::from_slice(&fs::read(at.join("t.json")).unwrap()).unwrap();
    let boxes = table["machines"]["first"]["boxes"].as_array().unwrap();
    let beads: u64 = boxes
        .iter()
        .flat_map(|found| found["beads"].as_object().unwrap().values())
        .map(|number| number.as_u64().unwrap())
        .sum();
    assert_eq!(stats["machines"]["first"]["beads"], beads);
    assert_refused(&run(&["draw", "map", "empty.json"]), &["no bead for board 000000000"]);
    assert!(stdout(&run(&["verify", "empty.json"])).contains("it has no bead for the first move"));
}

#[test]
fn nouns_agree_with_their_numbers() {
    let folder = Folder::new();
    let runs = stderr(&folder.succeeds("train --runs 20 --games 50 --seed 1"));
    assert_says(&runs, &["Median of 20 machines (10th to 90th percentile), last 10 games."]);
    let runs = stderr(&folder.succeeds("train --runs 20 --games 5 --every 1 --seed 1"));
    assert_says(&runs, &["last 1 game."]);
    let resigned = |games: u32| {
        let options = "--opponent perfect --empty resign --seed 1 --replace -o t.json";
        stderr(&folder.succeeds(&format!("train --games {games} {options}")))
    };
    assert_says(&resigned(22), &["empty boxes: 0 games resigned, 0 last beads kept, 0 boxes refilled"]);
    assert_says(&resigned(23), &["empty boxes: 1 game resigned, "]);
    assert_says(&resigned(24), &["empty boxes: 2 games resigned, "]);
    assert_says(&resigned(1), &["1 game against perfect, seed 1"]);
    let gardner = "--game hexapawn --machine second --beads flat:1 --reward 0,0,all --blame last --empty resign";
    assert_says(&stderr(&folder.succeeds(&format!("train {gardner} --seed 1 -o h.json"))), &["Unbeatable since game "]);
}

/// What the program prints in a terminal of this width, which `script` provides; `None` if there is no `script`.
#[cfg(unix)]
fn in_terminal(folder: &Folder, columns: u32, arguments: &str) -> Option<String> {
    let program = menace().get_program().display().to_string();
    let script = format!("stty cols {columns} rows 30; '{program}' {arguments}");
    let mut command = Command::new("script");
    command.args(["-qec", &script, "/dev/null"]).current_dir(folder.path()).env("TERM", "xterm");
    let output = command.stdin(std::process::Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(output.status.success(), "{arguments}: {text}{}", stderr(&output));
    Some(text)
}

/// A text without its colour codes.
#[cfg(unix)]
fn plain(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        plain + part.split_once(|end: char| end.is_ascii_alphabetic()).map_or("", |(_, rest)| rest)
    })
}

#[cfg(unix)]
#[test]
fn the_chart_fits_a_narrow_terminal() {
    let folder = Folder::new();
    for columns in [40, 60, 100] {
        let Some(text) = in_terminal(&folder, columns, &format!("train --seed 1 -o {columns}.json")) else {
            return println!("skipped: there is no `script` that makes a terminal");
        };
        assert!(text.contains('\u{1b}'), "a terminal has colours: {text}");
        let text = plain(&text);
        let chart: Vec<&str> = text.lines().skip_while(|line| !line.contains("100 %")).take(12).collect();
        assert_eq!(chart.len(), 12, "{text}");
        assert_says(chart[10], &["first box"]);
        assert_says(chart[11], &["1000 games"]);
        for line in chart {
            let width = line.chars().count();
            assert!(width <= columns as usize, "{width} columns in a terminal of {columns}: {line}");
        }
    }
}

#[test]
fn no_games_save_the_machine_as_it_is_at_the_start() {
    let folder = Folder::new();
    let output = folder.succeeds("train --games 0 --seed 1 -o start.json");
    assert_says(&stderr(&output), &["tic-tac-toe, first machine, 304 boxes: as at the start, with no game played"]);
    assert_says(&folder.read_text("start.json"), &[r#""board":"000000000","beads":{"1":4,"2":4,"5":4}"#]);
    folder.succeeds("train --from start.json --games 100 -o resumed.json");
    folder.succeeds("train --games 100 --seed 1 -o at-once.json");
    assert!(
        folder.read_text("resumed.json") == folder.read_text("at-once.json"),
        "it learns as if it had not been saved"
    );
    assert_refused(&folder.run("train --games 0 --runs 3"), &["--games 0", "--runs saves none"]);
    assert_refused(&folder.run("train --games 0 --curve c.csv -o c.json"), &["a curve needs games"]);
    assert!(!folder.read_text("resumed.json").contains(r#"{"won":0,"drawn":0,"lost":0"#), "no lesson without a game");
}

//! The command `probe`: what it answers, how it behaves on a pipe, and that no line harms it.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use menace::{Game, Plan, Position, Table, Verdict, games};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::common::oracle::Oracle;
use crate::common::{Folder, assert_refused, assert_says, menace, stderr, stdout};

/// Runs a command with bytes as its standard input, which are written while the output is read.
fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        scope.spawn(move || _ = stdin.write_all(input));
        child.wait_with_output().expect("the program ends")
    })
}

fn answers(output: &Output) -> Vec<Json> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
}

/// The answers to some lines, in a folder with tables.
fn probe_in(folder: &Folder, arguments: &str, input: &str) -> Vec<Json> {
    answers(&feed(&mut folder.command(&format!("probe {arguments}")), input.as_bytes()))
}

fn probe(arguments: &str, input: &str) -> Vec<Json> {
    probe_in(&Folder::new(), arguments, input)
}

/// All positions of a game and the lines that ask for them.
fn all(game: &dyn Game, oracle: &Oracle) -> (Vec<Position>, String) {
    let mut positions: Vec<Position> = oracle.verdicts.keys().copied().collect();
    positions.sort_unstable();
    // Where the board shows who is to move, the side may be left out.
    let needs_side = game.as_rows().is_none();
    let line =
        |at: &Position| if needs_side { format!("{} {}\n", at.board, at.to_move) } else { format!("{}\n", at.board) };
    let lines = positions.iter().map(line).collect();
    (positions, lines)
}

/// The fields of a verdict.
fn verdict_json(verdict: Verdict, has_depths: bool) -> Json {
    json!({"verdict": verdict.outcome.name(), "depth": verdict.depth.filter(|_| has_depths)})
}

/// The answer that the oracle and the boxes of a table give, without what the machine plays.
fn expected(table: &Table, oracle: &Oracle, at: Position) -> Json {
    let (game, notation) = (&**table.game(), table.game().notation());
    let is_over = game.result(at).is_some();
    let mut answer = verdict_json(oracle.get(at), true);
    answer["board"] = at.board.to_string().into();
    answer["to_move"] = at.to_move.name().into();
    answer["over"] = is_over.into();
    answer["moves"] = json!({});
    let matchbox = table.matchbox(at).unwrap();
    for mv in if is_over { Default::default() } else { game.moves(at) } {
        let mut after = verdict_json(oracle.get(at.play(mv)).for_the_other(), true);
        let beads = matchbox.as_ref().unwrap().beads().find(|bead| bead.0 == mv).map_or(0, |bead| bead.1);
        after["beads"] = beads.into();
        answer["moves"][notation.text(mv).to_string()] = after;
    }
    answer
}

#[test]
fn every_board_of_four_games_is_answered_as_by_the_oracle() {
    for name in ["3x3x3", "4x3x3", "hexapawn", "morris"] {
        let game = games::find(name).unwrap();
        let oracle = Oracle::new(&*game);
        let table = Table::generate_boxes(game.clone(), &Plan::default(), &()).unwrap();
        let (positions, lines) = all(&*game, &oracle);
        let answers = probe(&format!("--moves --game {name}"), &lines);
        assert_eq!(answers.len(), positions.len());
        for (at, answer) in positions.into_iter().zip(answers) {
            assert_eq!(answer, expected(&table, &oracle, at), "{name} {at:?}");
        }
    }
}

#[test]
fn every_kind_of_table_gives_the_same_verdicts() {
    let folder = Folder::new();
    let game = games::find("4x3x3").unwrap();
    let (_, lines) = all(&*game, &Oracle::new(&*game));
    let probe = |make: &str, table: &str| {
        folder.succeeds(&format!("generate --game 4x3x3 {make} -o {table}"));
        probe_in(&folder, &format!("--moves {table}"), &lines)
    };
    let boxes = probe("", "t.json");
    assert!(probe("--depths", "d.menace") == boxes);
    let symmetric = probe("--symmetry", "s.json");
    assert!(probe("--symmetry --depths", "sd.menace") == symmetric);
    let (banned, plain) = (probe("--ban O....X......", "b.json"), probe("--aim win", "w.menace"));
    let one = probe("--machine second", "one.json");
    let without = |answer: &Json, fields: &[&str]| {
        let mut answer = answer.clone();
        let moves = answer["moves"].as_object_mut().unwrap().values_mut().map(|after| after.as_object_mut().unwrap());
        moves.for_each(|after| fields.iter().for_each(|&field| _ = after.remove(field)));
        if fields.contains(&"depth") {
            answer["depth"] = Json::Null;
        }
        answer
    };
    for (at, answer) in boxes.iter().enumerate() {
        let facts = without(answer, &["beads"]);
        assert_eq!(without(&symmetric[at], &["beads"]), facts);
        assert_eq!(without(&banned[at], &["beads"]), facts, "bans do not change verdicts");
        assert_eq!(without(&one[at], &["beads"]), facts);
        let has_box = answer["to_move"] == "second";
        let beads = |answer: &Json| {
            answer["moves"].as_object().unwrap().values().map(|mv| mv["beads"].clone()).collect::<Vec<_>>()
        };
        assert!(beads(&one[at]).iter().all(|beads| beads.is_null() != has_box), "{}", one[at]);
        if answer["over"] == false {
            assert_eq!(without(&plain[at], &["beads", "depth"]), without(answer, &["beads", "depth"]));
        }
    }
    assert!(boxes != banned, "the beads differ");
}

/// The table is read into memory after a number of lines that depends on its size; it used to be looked up in the file only.
#[test]
fn answers_are_the_same_before_and_after_the_table_is_read_into_memory() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 -o t.menace");
    let answers =
        probe_in(&folder, "--moves --play --level perfect --seed 1 t.menace", &"X.../.O../....\n".repeat(500));
    assert_eq!(answers.len(), 500);
    let facts = |answer: &Json| (answer["verdict"].clone(), answer["moves"].clone());
    assert!(answers.iter().all(|answer| facts(answer) == facts(&answers[0])));
}

#[test]
fn an_engine_on_a_pipe_answers_each_line_at_once() {
    for arguments in ["probe", "probe --csv --moves", "probe --play --level 1"] {
        let mut child =
            menace().args(arguments.split(' ')).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (send, receive) = mpsc::channel();
        let reader = thread::spawn(move || stdout.lines().try_for_each(|line| send.send(line.unwrap())));
        let answer = || receive.recv_timeout(Duration::from_secs(20)).expect("an answer without more input");
        if arguments.contains("csv") {
            assert_says(&answer(), &["board,to_move,verdict,depth,over,moves,error"]);
        }
        for line in ["X........\n", "rubbish\n", "\n", "XXX/OO./...\r\n"].repeat(10) {
            // A line may arrive in pieces.
            for part in [&line[..line.len() / 2], &line[line.len() / 2..]] {
                stdin.write_all(part.as_bytes()).unwrap();
                stdin.flush().unwrap();
            }
            let is_bad = line.len() < 10 && !line.starts_with('X');
            assert_eq!(answer().contains("cell"), is_bad, "{line}");
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
        reader.join().unwrap().unwrap();
    }
}

/// The programs of docs/probe.md, each run if its language is there.
#[test]
fn the_engines_of_the_guide_work() {
    let page = std::fs::read_to_string("../docs/probe.md").unwrap();
    let program = menace().get_program().to_owned();
    let folders = std::path::Path::new(&program).parent().into_iter().map(std::path::Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(folders.chain(std::env::split_paths(&path))).unwrap();
    for (language, start) in [("python3", "import json"), ("node", "const {")] {
        let block =
            page.split("\n```text\n").find(|block| block.starts_with(start)).expect("the guide has the program");
        let (program, _) = block.split_once("\n```").unwrap();
        match Command::new(language).arg("-").env("PATH", &path).stdin(Stdio::null()).output() {
            Err(_) => println!("skipped: {language} is not there"),
            Ok(_) => {
                let output = feed(Command::new(language).arg("-").env("PATH", &path), program.as_bytes());
                assert_eq!(stdout(&output), "draw\n", "{language}: {}", stderr(&output));
            }
        }
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child =
        menace().arg("probe").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    stdin.write_all(b"X........\nbad\n").unwrap();
    stdout.read_line(&mut String::new()).unwrap();
    drop(stdout);
    // It stops reading at some point, and then this fails.
    while stdin.write_all(b".........\n").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}

#[test]
fn lines_are_taken_as_people_and_systems_write_them() {
    let digits = |input: &str| {
        let answers = probe("", input);
        answers.iter().map(|answer| answer["board"].as_str().unwrap_or("error").to_owned()).collect::<Vec<_>>()
    };
    let board = "101201002";
    assert_eq!(digits("101201002\r\nX.X/O.X/..O\r\nid:7805"), [board; 3]);
    assert_eq!(digits("\u{feff}x xo x  o\n  101201002 \n101201002 second\n101201002\tsecond\n"), [board; 4]);
    assert_eq!(digits("\n         \nid:19683\n101201002 first\n"), ["error", "000000000", "error", "error"]);
    assert_eq!(digits(""), [""; 0]);
}

#[test]
fn errors_say_what_is_wrong_and_what_to_do() {
    for (game, line, parts) in [
        ("tictactoe", "", &["9 cells was expected", "has 0", "write each cell"][..]),
        ("tictactoe", "XXX/OOO/...", &["cannot occur"]),
        ("tictactoe", "100000000 first", &["X is not to move", "leave the side out"]),
        ("tictactoe", "id:x", &["an id from 0 to 19682 was expected"]),
        ("morris", "111000000", &["cannot occur"]),
        ("morris", "121010202", &["either side may be to move", "end the line in first or second"]),
        ("3x3x3+gravity", "X../X../O.O", &["no game leads to board", "choose a board that can occur"]),
    ] {
        let output = feed(menace().args(["probe", "--game", game]), line.as_bytes());
        let output = if line.is_empty() { feed(menace().args(["probe", "--game", game]), b"\n") } else { output };
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()), "{game} {line}");
        let answer = &answers(&output)[0];
        assert_says(answer["error"].as_str().unwrap_or_else(|| panic!("{answer}")), parts);
        assert_eq!(answer.as_object().unwrap().len(), 1);
    }
}

#[test]
fn csv_has_a_column_for_each_field() {
    let output = feed(
        menace().args(["probe", "--csv", "--moves", "--play", "--seed", "1"]),
        b"X.X/.../..O\nsay \"X\"\nXXX/OO./...\n",
    );
    let lines = stdout(&output);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines[0], "board,to_move,verdict,depth,over,moves,play,error");
    assert_eq!(
        lines[1],
        "101000002,second,loss,4,false,2:loss:3:0 4:loss:1:0 5:loss:1:0 6:loss:1:0 7:loss:1:0 8:loss:1:0,2,"
    );
    assert!(lines[2].starts_with(",,,,,,,\"character 1 of \"\"say \"\"X\"\"\"\" is 's'"), "{}", lines[2]);
    assert_eq!(lines[3], "111220000,second,loss,0,true,,,");
    assert_eq!(stdout(&feed(menace().args(["probe", "--csv"]), b"")), "board,to_move,verdict,depth,over,error\n");
}

#[test]
fn the_same_seed_and_lines_give_the_same_moves() {
    let lines = ".........\nX........\n".repeat(50);
    let play = |arguments: &str| probe(&format!("--play {arguments}"), &lines);
    let random = play("--level random --seed 7");
    assert_eq!(random, play("--level random --seed 7"));
    assert_ne!(random, play("--level random --seed 8"));
    let mut counts = HashMap::<&str, u32>::new();
    random.iter().step_by(2).for_each(|answer| *counts.entry(answer["play"].as_str().unwrap()).or_default() += 1);
    assert!(counts.len() > 6, "a random first move is any cell: {counts:?}");
    let perfect = play("--level perfect --seed 7");
    assert!(perfect.iter().skip(1).step_by(2).all(|answer| answer["play"] == "5"), "only the centre holds the draw");
    assert_ne!(play(""), play(""), "without a seed, each run is another");
}

#[test]
fn the_machine_plays_from_the_beads_of_its_table() {
    let folder = Folder::new();
    folder.succeeds("generate --machine first -o first.json");
    let answers = probe_in(&folder, "--play --moves first.json", "X.O/.../X.O\nX........\nXXX/OO./...\n");
    assert_eq!((&answers[0]["play"], &answers[0]["moves"]["4"]["beads"]), (&"4".into(), &1.into()));
    assert_says(answers[1]["error"].as_str().unwrap(), &["no boxes for the second machine"]);
    assert_eq!((&answers[2]["play"], &answers[2]["over"]), (&Json::Null, &true.into()));
    // At a level, verdicts are enough.
    assert_eq!(probe_in(&folder, "--play --level perfect first.json", "X........\n")[0]["play"], "5");
    // Before the first round every bead is there.
    let whole = probe_in(&folder, "--moves first.json@0", "X.O/.../X.O\n");
    assert!(whole[0]["moves"].as_object().unwrap().values().all(|mv| mv["beads"] == 1), "{}", whole[0]);
}

#[test]
fn a_trained_machine_with_an_empty_box_resigns() {
    let folder = Folder::new();
    folder.succeeds("train --games 0 -o m.json");
    let text = folder.read_text("m.json");
    let line = text.lines().find(|line| line.contains("\"id\":0,")).unwrap();
    let (start, beads) = line.split_once("\"beads\":{").unwrap();
    let emptied = format!("{start}\"beads\":{{{}", &beads[beads.find('}').unwrap()..]);
    folder.write("m.json", text.replace(line, &emptied));
    let answer = &probe_in(&folder, "--play --moves m.json", ".........\n")[0];
    assert_eq!((&answer["play"], &answer["moves"]["5"]["beads"]), (&Json::Null, &0.into()), "{answer}");
}

#[test]
fn what_cannot_be_answered_at_all_is_refused() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    for (arguments, parts) in [
        ("probe -", &["boards are read from standard input", "must be a file"][..]),
        ("probe --level 2", &["--play"]),
        ("probe --seed 2", &["--play"]),
        ("probe --play --level best", &["a level is random, safe, perfect, fastest"]),
        ("probe --play --level 2 t.menace", &["t.menace", "level 2 needs depths", "stores none", "--depths"]),
        ("probe --game 3x3x3 t.menace", &["--game"]),
        ("probe --game 9x9x5", &["9x9x5"]),
        ("probe --game connect4", &["too large"]),
        ("probe missing.json", &["missing.json"]),
    ] {
        assert_refused(&folder.run(arguments), parts);
    }
}

/// The line is skipped while it is read, so it takes no memory.
#[cfg(target_os = "linux")]
#[test]
fn a_line_of_a_hundred_megabytes_is_one_error() {
    let folder = Folder::new();
    let script = "ulimit -v 90000; { head -c 100000000 /dev/zero; echo; echo .........; head -c 100000000 /dev/zero; } | RAYON_NUM_THREADS=1 menace probe";
    let output = folder.shell(script);
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
    let answers = answers(&output);
    assert_eq!(answers.len(), 3);
    for at in [0, 2] {
        assert_says(answers[at]["error"].as_str().unwrap(), &["at most 1000 bytes", "longer"]);
    }
    assert_eq!(answers[1]["verdict"], "draw");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn noise_gets_one_answer_per_line(
        lines in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..40),
            "[XO.12 /_-]{7,13}( first| second|)".prop_map(String::into_bytes),
            "id:[0-9]{1,6}".prop_map(String::into_bytes),
        ], 0..40),
        game in prop_oneof![Just("3x3x3"), Just("hexapawn"), Just("morris"), Just("pong-hau-ki"), Just("wild")],
        csv: bool,
    ) {
        let input = lines.join(&b'\n');
        let count = input.split_inclusive(|&byte| byte == b'\n').count();
        let mut command = menace();
        command.args(["probe", "--moves", "--play", "--level", "1.5", "--game", game]).args(csv.then_some("--csv"));
        let output = feed(&mut command, &input);
        prop_assert_eq!(stderr(&output), "");
        let told = stdout(&output);
        prop_assert!(!told.contains(|found: char| found != '\n' && menace::board::is_invisible(found)), "{:?}", told);
        prop_assert_eq!(told.lines().count(), count + usize::from(csv));
        let is_error = |line: &str| if csv { line.starts_with(",,,,,,,\"") } else { line.starts_with("{\"error\":\"") };
        let failed = told.lines().any(is_error);
        prop_assert_eq!(output.status.code(), Some(i32::from(failed)));
        if !csv {
            for answer in answers(&output) {
                prop_assert!(answer.get("error").is_some() != answer.get("verdict").is_some());
            }
        }
    }
}

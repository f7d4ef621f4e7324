//! What several tests share: the program, and a plain minimax that knows nothing of boxes, passes or this crate.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod damage;
pub mod learner;
pub mod oracle;

use std::collections::HashMap;
use std::process::{Command, Output, Stdio};

/// A board as nine digits: 0 empty, 1 X, 2 O.
pub type Nine = [u8; 9];

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

pub fn nine(text: &str) -> Nine {
    let digits: Vec<u8> = text.bytes().map(|byte| byte - b'0').collect();
    digits.try_into().expect("nine digits")
}

pub fn winner(board: &Nine) -> Option<u8> {
    LINES
        .iter()
        .map(|line| line.map(|cell| board[cell]))
        .find(|[a, b, c]| *a != 0 && a == b && b == c)
        .map(|row| row[0])
}

pub fn side_to_move(board: &Nine) -> u8 {
    1 + (board.iter().filter(|&&digit| digit != 0).count() % 2) as u8
}

pub fn is_over(board: &Nine) -> bool {
    winner(board).is_some() || board.iter().all(|&digit| digit != 0)
}

pub fn empty_cells(board: &Nine) -> Vec<usize> {
    (0..9).filter(|&cell| board[cell] == 0).collect()
}

pub fn after(board: &Nine, cell: usize) -> Nine {
    let mut next = *board;
    next[cell] = side_to_move(board);
    next
}

/// The eight ways to turn and mirror nine cells: for each cell, where it goes.
pub fn turns() -> [[usize; 9]; 8] {
    let turn = |image: fn(usize, usize) -> (usize, usize)| {
        std::array::from_fn(|cell| {
            let (column, row) = image(cell % 3, cell / 3);
            3 * row + column
        })
    };
    [
        turn(|c, r| (c, r)),
        turn(|c, r| (2 - c, r)),
        turn(|c, r| (c, 2 - r)),
        turn(|c, r| (2 - c, 2 - r)),
        turn(|c, r| (r, c)),
        turn(|c, r| (2 - r, c)),
        turn(|c, r| (r, 2 - c)),
        turn(|c, r| (2 - r, 2 - c)),
    ]
}

pub fn turned(board: &Nine, turn: &[usize; 9]) -> Nine {
    let mut image = [0; 9];
    (0..9).for_each(|cell| image[turn[cell]] = board[cell]);
    image
}

/// For the side to move: 1 win, 0 draw, -1 loss, and in how many moves of both sides the game ends under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub score: i8,
    pub depth: u32,
}

/// The value of every board that can be reached.
pub fn minimax() -> HashMap<Nine, Value> {
    let mut values = HashMap::new();
    solve(&[0; 9], &mut values);
    values
}

fn solve(board: &Nine, values: &mut HashMap<Nine, Value>) -> Value {
    if let Some(value) = values.get(board) {
        return *value;
    }
    let value = if winner(board).is_some() {
        Value { score: -1, depth: 0 }
    } else if is_over(board) {
        Value { score: 0, depth: 0 }
    } else {
        let children: Vec<Value> =
            empty_cells(board).into_iter().map(|cell| solve(&after(board, cell), values)).collect();
        let score = children.iter().map(|child| -child.score).max().unwrap();
        let depths = children.iter().filter(|child| -child.score == score).map(|child| child.depth + 1);
        // The winner hurries, everybody else delays.
        let depth = if score == 1 { depths.min() } else { depths.max() };
        Value { score, depth: depth.unwrap() }
    };
    values.insert(*board, value);
    value
}

/// The program, ready to be given arguments.
pub fn menace() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_menace"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs a command with a text as its standard input.
pub fn run_with_input(command: &mut Command, input: &str) -> Output {
    use std::io::Write;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that stops reading early closes the pipe, and that is its right.
    let _ = child.stdin.take().expect("it has an input").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("standard error is text")
}

/// Asserts that a command could not run, said so in one sentence and gave nothing else away.
pub fn assert_refused(output: &Output, parts: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told.trim_end().lines().count(), 1, "one sentence: {told}");
    assert!(told.starts_with("menace: "), "{told}");
    assert_eq!(stdout(output), "", "nothing on standard output");
    for part in parts {
        assert!(told.contains(part), "{part:?} is not in {told:?}");
    }
}

/// All row games with up to 12 cells, up to 4 wide and high, with every length of row that makes a difference.
pub fn small_row_games() -> Vec<String> {
    let mut names = Vec::new();
    for (width, height) in (1..=4).flat_map(|width: u8| (1..=4).map(move |height| (width, height))) {
        for k in (1..=width.max(height) + 1).filter(|_| width * height <= 12) {
            for flags in ["", "+gravity", "+misere", "+gravity+misere"] {
                names.push(format!("{width}x{height}x{k}{flags}"));
            }
        }
    }
    names
}

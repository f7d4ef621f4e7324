//! A plain minimax for tic-tac-toe that knows nothing about boxes, passes or this crate.

use std::collections::HashMap;

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

/// For the side to move: 1 win, 0 draw, -1 loss; and the number of moves by both sides until the game ends under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub score: i8,
    pub depth: u32,
}

/// The value of every reachable board.
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

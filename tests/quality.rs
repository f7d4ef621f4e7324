//! How good a machine is, compared with plain recursion over its beads and all replies.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use common::learner::{beads_of, seats, table_of, teaching};
use common::{Nine, Value, after, empty_cells, is_over, minimax, nine, side_to_move, turned, turns, winner};
use menace::quality::{Quality, quality};
use menace::table::Classes;
use menace::train::{Arena, Training};
use menace::{Board, Position, Random, Side, Table, games};

/// The digit of a side's mark.
fn number(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

/// What can happen to a machine on boards of nine digits, by plain recursion over its beads and all replies.
struct Followed<'a> {
    table: &'a Table,
    machine: Side,
    met: BTreeMap<Nine, bool>,
}

impl Followed<'_> {
    /// Whether the machine can lose from a board. Notes every unfinished board on the way.
    fn can_lose(&mut self, board: &Nine) -> bool {
        if is_over(board) {
            return winner(board) == Some(number(self.machine.other()));
        }
        if let Some(&known) = self.met.get(board) {
            return known;
        }
        let next: Vec<Nine> = self.next(board).into_iter().map(|cell| after(board, cell)).collect();
        let mut can_lose = next.is_empty();
        for next in next {
            can_lose |= self.can_lose(&next);
        }
        self.met.insert(*board, can_lose);
        can_lose
    }

    fn next(&self, board: &Nine) -> Vec<usize> {
        let free = empty_cells(board);
        if side_to_move(board) != number(self.machine) || free.len() == 1 {
            return free;
        }
        let text: String = board.iter().map(|digit| char::from(b'0' + digit)).collect();
        let board = Board::parse(&text, self.table.game().shape()).unwrap();
        let matchbox = self.table.matchbox(Position::new(board, self.machine)).unwrap().unwrap();
        matchbox.beads().map(|(mv, _)| mv.to.index()).collect()
    }

    /// The fewest moves in which the machine can be beaten.
    fn shortest(&self, board: &Nine) -> usize {
        if is_over(board) {
            return if winner(board) == Some(number(self.machine.other())) { 0 } else { 100 };
        }
        self.next(board).into_iter().map(|cell| 1 + self.shortest(&after(board, cell))).min().unwrap_or(0)
    }
}

#[test]
fn quality_agrees_with_plain_recursion() {
    let game = games::find("tictactoe").unwrap();
    let values = minimax();
    for (machine, games, empty) in [
        (Side::First, 300, "resign"),
        (Side::First, 30_000, "keep"),
        (Side::Second, 500, "resign"),
        (Side::Second, 20_000, "refill"),
    ] {
        let arena = Arena::new(&game, &Classes::new(&*game, true), seats(machine, &Random), &()).unwrap();
        let teaching = teaching("michie", "3,1,all", "last", empty);
        let mut training = Training::begin(&arena, &teaching, 6).unwrap();
        training.play(games);
        let table = table_of(&training, "tictactoe", true);
        let found = &quality(&table, &()).unwrap()[0];
        let mut followed = Followed { table: &table, machine, met: BTreeMap::new() };
        let can_lose = followed.can_lose(&[0; 9]);
        assert_eq!(found.shortest.is_some(), can_lose);
        assert_eq!(training.unbeatable_after(machine).is_none(), can_lose);
        if let Some(line) = &found.shortest {
            assert_eq!(line.len(), followed.shortest(&[0; 9]), "{line:?}");
        }
        let boxes = |wanted: &dyn Fn(bool) -> bool| {
            let ours = followed.met.iter().filter(|(board, can_lose)| {
                side_to_move(board) == number(machine) && empty_cells(board).len() > 1 && wanted(**can_lose)
            });
            let lowest = ours.map(|(board, _)| turns().iter().map(|turn| turned(board, turn)).min().unwrap());
            lowest.collect::<BTreeSet<Nine>>()
        };
        let met = boxes(&|_| true);
        assert_eq!(found.met.len(), met.len());
        assert_eq!(found.can_lose.len(), boxes(&|can_lose| can_lose).len());
        assert_beads_by_move(found, &table, machine, &met, &values);
    }
}

fn assert_beads_by_move(
    found: &Quality,
    table: &Table,
    machine: Side,
    met: &BTreeSet<Nine>,
    values: &HashMap<Nine, Value>,
) {
    let mut expected: BTreeMap<usize, (u64, u64, u64)> = BTreeMap::new();
    for (board, beads) in beads_of(table, machine) {
        let board = nine(&board);
        if !met.contains(&board) || values[&board].score == -1 {
            continue;
        }
        let stones = board.iter().filter(|&&digit| digit != 0).count();
        let counts = expected.entry(stones / 2 + 1).or_default();
        counts.0 += 1;
        for (cell, number) in beads {
            let next = after(&board, cell.parse::<usize>().unwrap() - 1);
            counts.1 += u64::from(number);
            counts.2 += if values[&next].score == 1 { number.into() } else { 0 };
        }
    }
    let found: BTreeMap<usize, (u64, u64, u64)> =
        found.by_move.iter().map(|beads| (beads.number, (beads.boxes, beads.beads, beads.losing))).collect();
    assert_eq!(found, expected);
}

//! The smallest machines: compared with known sizes and with a plain search for fewer boxes, and tested in play.

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use common::game;
use menace::game::forced_move;
use menace::kit::{Kit, KitError, KitPlan, kit};
use menace::verify::verify;
use menace::{Aim, Board, Plan, Position, Side, Sides, Table};

fn find(name: &str, side: Side, opening: Option<&str>) -> Kit {
    let plan = KitPlan { machines: side.into(), aim: Aim::Safe, opening: opening.map(str::to_owned), limit: None };
    kit(game(name), &plan, &()).unwrap()
}

#[test]
fn the_smallest_machines_of_tic_tac_toe_have_the_known_sizes() {
    let sizes = [
        (Side::First, None, 19),
        (Side::First, Some("5"), 19),
        (Side::First, Some("1"), 24),
        (Side::First, Some("9"), 24),
        (Side::First, Some("2"), 37),
        (Side::First, Some("8"), 37),
        (Side::Second, None, 71),
    ];
    for (side, opening, size) in sizes {
        let Kit { table, is_smallest } = find("tictactoe", side, opening);
        let boxes = table.machine(side).unwrap().to_boxes().unwrap();
        assert_eq!((boxes.len(), is_smallest), (size, true), "{side} {opening:?}");
        assert!(boxes.iter().all(|(_, matchbox)| matchbox.all().len() == 1 && !matchbox.is_empty()));
        let report = verify(&table, None, &()).unwrap();
        assert!(report.is_correct() && report.is_play_only, "{:?}", report.first);
        assert_eq!(report.checked, size as u64);
    }
}

/// Plays every reply against a machine and asserts that it never loses and never lacks a box.
fn never_loses(table: &Table, machine: Side, at: Position, seen: &mut BTreeSet<Position>) {
    let game = &**table.game();
    if !seen.insert(at) {
        return;
    }
    if let Some(outcome) = game.result(at) {
        let winner = outcome.winner(at.to_move);
        assert_ne!(winner, Some(machine.other()), "{} {machine} loses on {}", game.name(), at.board);
        return;
    }
    let moves: Vec<_> = match table.matchbox(at).unwrap() {
        _ if at.to_move != machine => game.moves(at).to_vec(),
        Some(matchbox) => matchbox.beads().map(|(mv, _)| mv).collect(),
        None => vec![forced_move(game, at).expect("a board without a box leaves no choice")],
    };
    for mv in moves {
        never_loses(table, machine, at.play(mv), seen);
    }
}

#[test]
fn kits_of_all_games_never_lose_and_verify_accepts_them() {
    let games = [
        ("tictactoe", Side::First),
        ("tictactoe", Side::Second),
        ("3x3x3+misere", Side::First),
        ("hexapawn", Side::Second),
        ("morris", Side::First),
        ("pong-hau-ki", Side::First),
        ("pong-hau-ki", Side::Second),
        ("notakto", Side::First),
        ("wild", Side::First),
        ("3x3x3+gravity", Side::First),
        ("4x3x3", Side::First),
        ("2x3x3", Side::Second),
    ];
    for (name, machine) in games {
        let table = find(name, machine, None).table;
        never_loses(&table, machine, table.game().start(), &mut BTreeSet::new());
        assert!(verify(&table, None, &()).unwrap().is_correct(), "{name} {machine}");
    }
}

/// Finds the fewest boxes by trying every bead of one undecided box after another.
struct Slow<'a> {
    table: &'a Table,
    machine: Side,
    best: usize,
}

impl Slow<'_> {
    fn smallest(name: &str, machine: Side, opening: Option<u8>) -> usize {
        let table = Table::generate_boxes(game(name), &Plan { symmetry: true, ..Plan::default() }, &()).unwrap();
        let mut slow = Slow { table: &table, machine, best: usize::MAX };
        let open = slow.met(table.game().start());
        slow.search(&mut BTreeSet::new(), open, opening);
        slow.best
    }

    /// The boxes that are opened next, as the boards they are kept under.
    fn met(&self, at: Position) -> Vec<Board> {
        let game = self.table.game();
        if game.result(at).is_some() {
            return Vec::new();
        }
        let moves = game.moves(at);
        if at.to_move == self.machine && moves.len() > 1 {
            return vec![self.table.classes().lowest(at.board)];
        }
        moves.into_iter().flat_map(|mv| self.met(at.play(mv))).collect()
    }

    fn search(&mut self, decided: &mut BTreeSet<Board>, mut open: Vec<Board>, opening: Option<u8>) {
        open.retain(|board| !decided.contains(board));
        open.sort_unstable();
        open.dedup();
        if decided.len() + open.len() >= self.best {
            return;
        }
        // The box with the most stones has the fewest beads to try.
        let Some(&board) = open.iter().max_by_key(|board| board.stone_count()) else {
            self.best = decided.len();
            return;
        };
        let at = Position::new(board, self.machine);
        let matchbox = self.table.matchbox(at).unwrap().unwrap();
        decided.insert(board);
        for (mv, _) in matchbox.beads() {
            if at == self.table.game().start() && opening.is_some_and(|cell| cell != mv.to.number()) {
                continue;
            }
            let next = self.met(at.play(mv));
            self.search(decided, open.iter().copied().chain(next).collect(), opening);
        }
        decided.remove(&board);
    }
}

#[test]
fn a_plain_search_does_not_find_fewer_boxes() {
    let games = [
        ("tictactoe", Side::First, Some(5)),
        ("tictactoe", Side::First, Some(1)),
        ("hexapawn", Side::Second, None),
        ("notakto", Side::First, None),
        ("3x2x3", Side::Second, None),
        ("3x3x3+gravity", Side::First, None),
    ];
    for (name, machine, opening) in games {
        let text = opening.map(|cell: u8| cell.to_string());
        let size = find(name, machine, text.as_deref()).table.machine(machine).unwrap().box_count();
        assert_eq!(size, Slow::smallest(name, machine, opening) as u64, "{name} {machine} {opening:?}");
    }
}

#[test]
fn impossible_kits_are_refused() {
    let refusal = |name: &str, machines, opening: Option<&str>| {
        let plan = KitPlan { machines, aim: Aim::Safe, opening: opening.map(str::to_owned), limit: None };
        kit(game(name), &plan, &()).err().expect("there is no such kit")
    };
    assert!(matches!(refusal("hexapawn", Sides::FIRST, None), KitError::Lost { .. }));
    for (name, machines) in
        [("1x1x1+misere", Sides::FIRST), ("1x1x1", Sides::SECOND), ("2x1x1", Sides::BOTH), ("1x3x1", Sides::SECOND)]
    {
        assert!(
            matches!(refusal(name, machines, None), KitError::Lost { .. }),
            "{name} is lost before there is a choice"
        );
    }
    assert!(matches!(refusal("tictactoe", Sides::SECOND, Some("5")), KitError::NotFirst));
    assert!(matches!(refusal("tictactoe", Sides::FIRST, Some("10")), KitError::Opening { .. }));
    assert!(matches!(refusal("3x3x3+misere", Sides::FIRST, Some("1")), KitError::Opening { .. }));
}

#[test]
fn a_kit_made_under_a_time_limit_never_loses() {
    let plan =
        KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: Some(Duration::from_millis(500)) };
    let Kit { table, is_smallest } = kit(game("4x3x4+gravity"), &plan, &()).unwrap();
    assert!(!is_smallest, "proving it takes minutes");
    never_loses(&table, Side::First, table.game().start(), &mut BTreeSet::new());
}

#[test]
fn a_kit_with_aim_trap_is_refused_for_a_game_without_odds() {
    let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Trap, opening: None, limit: None };
    let refusal = kit(game("morris"), &plan, &()).err().unwrap().to_string();
    assert!(refusal.contains("goes in circles"), "{refusal}");
}

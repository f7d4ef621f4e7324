//! The smallest machines: against the known sizes, against a plain search for fewer boxes, and in play.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use common::{assert_refused, menace, run_with_input, stderr, stdout};
use menace::kit::{Kit, KitError, KitPlan, kit};
use menace::verify::verify;
use menace::{Aim, Board, Game, Id, Machines, Plan, Player, Run, forced_move, games};

fn find(game: &str, machine: Player, opening: Option<&str>) -> Kit {
    let plan =
        KitPlan { machines: Machines::only(machine), aim: Aim::Safe, opening: opening.map(str::to_owned), limit: None };
    kit(games::find(game).unwrap(), &plan, &()).unwrap()
}

#[test]
fn the_smallest_machines_of_tic_tac_toe_have_the_known_sizes() {
    let sizes = [
        (Player::One, None, 19),
        (Player::One, Some("5"), 19),
        (Player::One, Some("1"), 24),
        (Player::One, Some("9"), 24),
        (Player::One, Some("2"), 37),
        (Player::One, Some("8"), 37),
        (Player::Two, None, 71),
    ];
    for (machine, opening, size) in sizes {
        let Kit { run, is_smallest } = find("tictactoe", machine, opening);
        let table = run.table(machine).unwrap();
        assert_eq!((table.boxes.len(), is_smallest), (size, true), "{machine:?} {opening:?}");
        assert!(table.boxes.values().all(|matchbox| matchbox.all().len() == 1 && !matchbox.is_empty()));
        let report = verify(&run, &());
        assert!(report.is_correct() && report.is_play_only, "{:?}", report.first);
        assert_eq!(report.checked, size as u64);
    }
}

/// Plays every reply against a machine and asserts that it never loses and never lacks a box.
fn never_loses(run: &Run, machine: Player, board: Board, to_move: Player, seen: &mut BTreeSet<(Board, Player)>) {
    let game = &*run.game;
    if !seen.insert((board, to_move)) {
        return;
    }
    if let Some(outcome) = game.result(board, to_move) {
        let lost = if to_move == machine { menace::Outcome::Loss } else { menace::Outcome::Win };
        assert_ne!(outcome, lost, "{} {machine:?} loses on {board}", game.name());
        return;
    }
    let moves: Vec<_> = match run.find(machine, board) {
        _ if to_move != machine => game.moves(board, to_move).to_vec(),
        Some((_, matchbox, symmetry)) => matchbox.beads().map(|(mv, _)| symmetry.inverse().mv(mv)).collect(),
        None => vec![forced_move(game, board, machine).expect("a board without a box leaves no choice")],
    };
    for mv in moves {
        never_loses(run, machine, board.play(mv), to_move.other(), seen);
    }
}

#[test]
fn kits_of_all_games_never_lose_and_verify_accepts_them() {
    let games = [
        ("tictactoe", Player::One),
        ("tictactoe", Player::Two),
        ("3x3x3+misere", Player::One),
        ("hexapawn", Player::Two),
        ("morris", Player::One),
        ("pong-hau-ki", Player::One),
        ("pong-hau-ki", Player::Two),
        ("notakto", Player::One),
        ("wild", Player::One),
        ("3x3x3+gravity", Player::One),
        ("4x3x3", Player::One),
        ("2x3x3", Player::Two),
    ];
    for (name, machine) in games {
        let run = find(name, machine, None).run;
        never_loses(&run, machine, run.game.start(), Player::One, &mut BTreeSet::new());
        assert!(verify(&run, &()).is_correct(), "{name} {machine:?}");
    }
}

/// Finds the fewest boxes by trying every bead of the next box that lacks one.
struct Slow<'a> {
    run: &'a Run,
    machine: Player,
    best: usize,
}

impl Slow<'_> {
    fn smallest(game: &str, machine: Player, opening: Option<u8>) -> usize {
        let game: Arc<dyn Game> = games::find(game).unwrap();
        let run = Run::generate(game, &Plan { symmetry: true, ..Plan::default() }, &()).unwrap();
        let mut slow = Slow { run: &run, machine, best: usize::MAX };
        let open = slow.met(run.game.start(), Player::One);
        slow.search(&mut BTreeSet::new(), open, opening);
        slow.best
    }

    /// The boxes that are opened next.
    fn met(&self, board: Board, to_move: Player) -> Vec<Id> {
        let game = &*self.run.game;
        if game.result(board, to_move).is_some() {
            return Vec::new();
        }
        let moves = game.moves(board, to_move);
        if to_move == self.machine && moves.len() > 1 {
            return vec![self.run.key(board)];
        }
        moves.into_iter().flat_map(|mv| self.met(board.play(mv), to_move.other())).collect()
    }

    fn search(&mut self, decided: &mut BTreeSet<Id>, mut open: Vec<Id>, opening: Option<u8>) {
        open.retain(|id| !decided.contains(id));
        open.sort_unstable();
        open.dedup();
        if decided.len() + open.len() >= self.best {
            return;
        }
        // The last box has the most stones, and the fewest beads to try.
        let stones = |id: &Id| Board::from_id(*id, self.run.game.shape()).unwrap().stone_count();
        let Some(&id) = open.iter().max_by_key(|id| stones(id)) else {
            self.best = decided.len();
            return;
        };
        let board = Board::from_id(id, self.run.game.shape()).unwrap();
        let matchbox = &self.run.table(self.machine).unwrap().boxes[&id];
        decided.insert(id);
        for (mv, _) in matchbox.beads() {
            if board == self.run.game.start() && opening.is_some_and(|cell| cell != mv.to.number()) {
                continue;
            }
            let next = self.met(board.play(mv), self.machine.other());
            self.search(decided, open.iter().copied().chain(next).collect(), opening);
        }
        decided.remove(&id);
    }
}

#[test]
fn no_plain_search_finds_fewer_boxes() {
    let games = [
        ("tictactoe", Player::One, Some(5)),
        ("tictactoe", Player::One, Some(1)),
        ("hexapawn", Player::Two, None),
        ("notakto", Player::One, None),
        ("3x2x3", Player::Two, None),
        ("3x3x3+gravity", Player::One, None),
    ];
    for (name, machine, opening) in games {
        let text = opening.map(|cell: u8| cell.to_string());
        let size = find(name, machine, text.as_deref()).run.table(machine).unwrap().boxes.len();
        assert_eq!(size, Slow::smallest(name, machine, opening), "{name} {machine:?} {opening:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refusal = |game: &str, machines, opening: Option<&str>| {
        let plan = KitPlan { machines, aim: Aim::Safe, opening: opening.map(str::to_owned), limit: None };
        kit(games::find(game).unwrap(), &plan, &()).err().expect("there is no such kit")
    };
    assert!(matches!(refusal("hexapawn", Machines::First, None), KitError::Lost { .. }));
    for (game, machines) in [
        ("1x1x1+misere", Machines::First),
        ("1x1x1", Machines::Second),
        ("2x1x1", Machines::Both),
        ("1x3x1", Machines::Second),
    ] {
        assert!(
            matches!(refusal(game, machines, None), KitError::Lost { .. }),
            "{game} is lost before there is a choice"
        );
    }
    assert!(matches!(refusal("tictactoe", Machines::Second, Some("5")), KitError::NotFirst));
    assert!(matches!(refusal("tictactoe", Machines::First, Some("10")), KitError::Opening { .. }));
    assert!(matches!(refusal("3x3x3+misere", Machines::First, Some("1")), KitError::Opening { .. }));
}

#[test]
fn a_limit_leaves_a_machine_that_holds() {
    let plan =
        KitPlan { machines: Machines::First, aim: Aim::Safe, opening: None, limit: Some(Duration::from_millis(500)) };
    let Kit { run, is_smallest } = kit(games::find("4x3x4+gravity").unwrap(), &plan, &()).unwrap();
    assert!(!is_smallest, "that takes minutes to prove");
    never_loses(&run, Player::One, run.game.start(), Player::One, &mut BTreeSet::new());
}

#[test]
fn the_command_writes_a_table_that_plays_without_boxes_for_forced_moves() {
    let folder = tempfile::tempdir().unwrap();
    let kit = folder.path().join("kit.json");
    let made = menace().args(["kit", "-o"]).arg(&kit).output().unwrap();
    assert!(stderr(&made).starts_with("3x3x3, first machine: 19 boxes"), "{}", stderr(&made));
    let mut forced = 0;
    for seed in 0..30 {
        let mut play = menace();
        play.arg("play").arg(&kit).args(["--seed", &seed.to_string()]);
        let answers: String = (1..=9).map(|cell| format!("{}\n", (cell * 7 + seed) % 9 + 1)).collect();
        let told = stdout(&run_with_input(&mut play, &answers.repeat(3)));
        assert!(told.trim_end().ends_with("A draw.") || told.trim_end().ends_with("X wins."), "{told}");
        forced += usize::from(told.contains("X has one move and needs no box for it"));
    }
    assert!(forced > 0, "some games last nine moves");
    assert_refused(
        &menace().args(["kit", "--game", "hexapawn"]).output().unwrap(),
        &["can be beaten", "--machine second"],
    );
    assert_refused(&menace().args(["kit", "--opening", "0"]).output().unwrap(), &["\"0\"", "1 2 5"]);
    assert_refused(&menace().args(["kit", "-o", "kit.menace"]).output().unwrap(), &["kit.menace", ".json"]);
    assert_refused(&menace().args(["kit", "--game", "4x4x4"]).output().unwrap(), &["4x4x4", "smaller game"]);
}

#[test]
fn a_kit_for_odds_that_there_are_not_is_refused() {
    let plan = KitPlan { machines: Machines::First, aim: Aim::Trap, opening: None, limit: None };
    let refusal = kit(games::find("morris").unwrap(), &plan, &()).err().unwrap().to_string();
    assert!(refusal.contains("goes in circles"), "{refusal}");
}

//! Training, compared with a slow, obvious machine that keeps its boxes in a map, and with exact odds.

mod common;

use std::collections::BTreeMap;

use common::learner::{LEARNERS, beads_of, course, seats, table_of, teaching};
use common::{Nine, after, empty_cells, is_over, minimax, nine, side_to_move, turned, turns, winner};
use menace::kit::{KitPlan, kit};
use menace::odds::odds;
use menace::progress::Stopped;
use menace::table::Classes;
use menace::train::{
    Arena, Blame, Change, Empty, Reward, Spread, StartBeads, Tally, Teaching, Training, spread, write_csv,
};
use menace::verify::verify;
use menace::{Aim, BySide, Cell, Mark, Move, Perfect, Plan, Policy, Random, Side, Sides, Table, games};
use num_traits::ToPrimitive;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

#[test]
fn michies_machine_has_304_boxes_and_its_beads_depend_on_the_move_number() {
    let game = games::find("tictactoe").unwrap();
    let reached = minimax();
    let with_a_choice = |player: u8| {
        let is_box = |board: &&Nine| !is_over(board) && side_to_move(board) == player && empty_cells(board).len() > 1;
        reached.keys().filter(is_box).count()
    };
    for (symmetry, boxes) in [(true, [304, 289]), (false, [with_a_choice(1), with_a_choice(2)])] {
        let arena = Arena::new(&game, &Classes::new(&*game, symmetry), LEARNERS, &()).unwrap();
        assert_eq!(Side::BOTH.map(|side| arena.box_count(side)), boxes);
        for (beads, numbers) in
            [("michie", [4, 3, 2, 1]), ("scroggs", [8, 4, 2, 1]), ("flat", [3; 4]), ("9,8,7,6", [9, 8, 7, 6])]
        {
            let teaching = teaching(beads, "3,1,-1", "every", "resign");
            let table = table_of(&Training::begin(&arena, &teaching, 1).unwrap(), "tictactoe", symmetry);
            for machine in Side::BOTH {
                for (board, beads) in beads_of(&table, machine) {
                    let stones = board.bytes().filter(|&digit| digit != b'0').count();
                    assert!(beads.iter().all(|&(_, number)| number == numbers[stones / 2]), "{board}: {beads:?}");
                }
            }
        }
    }
}

/// Michie's machine on nine digits, with its boxes in a map and nothing computed in advance.
struct SlowMachine {
    player: u8,
    teaching: Teaching,
    boxes: BTreeMap<Nine, BTreeMap<usize, u32>>,
    tally: Tally,
}

impl SlowMachine {
    fn at_start(&self, board: &Nine) -> u32 {
        self.teaching.beads.numbers(4)[board.iter().filter(|&&digit| digit != 0).count() / 2]
    }

    /// The beads of a new box. Of cells that mirror each other, only the first has beads.
    fn full(&self, lowest: &Nine) -> BTreeMap<usize, u32> {
        let mirrors: Vec<[usize; 9]> = turns().into_iter().filter(|turn| turned(lowest, turn) == *lowest).collect();
        let first = |cell: &usize| mirrors.iter().all(|mirror| mirror[*cell] >= *cell);
        empty_cells(lowest).into_iter().filter(first).map(|cell| (cell, self.at_start(lowest))).collect()
    }

    /// Plays a game against a random opponent and learns from it. Returns the cells that were played.
    fn play(&mut self, rng: &mut Pcg64Mcg) -> Vec<usize> {
        let (mut board, mut drawn, mut resigned) = ([0; 9], Vec::new(), false);
        let mut played = Vec::new();
        while !is_over(&board) {
            let free = empty_cells(&board);
            if side_to_move(&board) != self.player || free.len() == 1 {
                played.push(free[rng.random_range(0..free.len() as u32) as usize]);
                board = after(&board, played[played.len() - 1]);
                continue;
            }
            let lowest = turns().iter().map(|turn| turned(&board, turn)).min().unwrap();
            let full = self.full(&lowest);
            let beads = self.boxes.entry(lowest).or_insert(full);
            let all: u64 = beads.values().map(|&number| u64::from(number)).sum();
            if all == 0 {
                resigned = true;
                break;
            }
            let mut left = rng.random_range(0..all);
            let cell = *beads
                .iter()
                .find(|&(_, &number)| {
                    let is_it = left < u64::from(number);
                    left = left.saturating_sub(number.into());
                    is_it
                })
                .unwrap()
                .0;
            drawn.push((lowest, cell));
            // The first turn that takes the board to the box, so that the random opponent meets the same board.
            let turn = turns().into_iter().find(|turn| turned(&board, turn) == lowest).unwrap();
            played.push((0..9).find(|&from| turn[from] == cell).unwrap());
            board = after(&board, played[played.len() - 1]);
        }
        self.learn(&drawn, if resigned { Some(3 - self.player) } else { winner(&board) }, resigned);
        played
    }

    fn learn(&mut self, drawn: &[(Nine, usize)], winner: Option<u8>, resigned: bool) {
        let Teaching { reward: Reward { win, draw, loss }, blame, empty, .. } = self.teaching.clone();
        self.tally.resigned += u64::from(resigned);
        let (change, is_lost) = match winner {
            Some(winner) if winner == self.player => (win, false),
            Some(_) => (loss, true),
            None => (draw, false),
        };
        *[&mut self.tally.won, &mut self.tally.lost, &mut self.tally.drawn]
            [if winner.is_none() { 2 } else { usize::from(is_lost) }] += 1;
        let blamed = if is_lost && blame == Blame::Last { drawn.len().saturating_sub(1) } else { 0 };
        for (lowest, cell) in &drawn[blamed..] {
            let (full, move_number) = (self.full(lowest), 1 + lowest.iter().filter(|&&digit| digit != 0).count() / 2);
            let beads = self.boxes.get_mut(lowest).unwrap();
            let number = beads.get_mut(cell).unwrap();
            *number = match change {
                Change::By(more) => (i64::from(*number) + i64::from(more)).max(0) as u32,
                Change::TakeOut => 0,
            };
            if beads.values().all(|&number| number == 0) {
                match empty {
                    Empty::Refill => (*beads, self.tally.refilled) = (full, self.tally.refilled + 1),
                    Empty::Keep(early) if move_number <= early.unwrap_or(2) as usize => {
                        beads.insert(*cell, 1);
                        self.tally.kept += 1;
                    }
                    _ => {}
                }
            }
        }
    }
}

fn placed((&cell, mark): (&usize, Mark)) -> Move {
    Move::place(mark, Cell::new(cell as u8 + 1).unwrap())
}

#[test]
fn a_game_that_is_told_says_how_the_beads_changed() {
    let game = games::find("tictactoe").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, 0).unwrap();
    let game = |cells: &[usize]| -> Vec<Move> {
        cells.iter().zip([Mark::X, Mark::O].into_iter().cycle()).map(placed).collect()
    };
    // X opens in the corner 9 and loses to the diagonal 7, 5, 3. The box of the empty board has the corner as cell 1.
    let taught = training.learn_from(&game(&[8, 4, 0, 2, 1, 6])).unwrap();
    let changes: Vec<(u8, u32, u32)> =
        taught.iter().map(|taught| (taught.mv.to.number(), taught.before, taught.after)).collect();
    assert_eq!(changes.len(), 3);
    assert_eq!(changes[0], (1, 4, 3));
    assert_eq!(changes.iter().map(|&(_, before, after)| (before, after)).collect::<Vec<_>>(), [(4, 3), (3, 2), (2, 1)]);
    assert!(taught.iter().all(|taught| taught.machine == Side::First));
    assert_eq!(training.tally(Side::First), Tally { lost: 1, ..Tally::default() });
    // A game with an illegal move, or that stops in the middle, teaches nothing.
    for (cells, what) in [(&[0, 0][..], "not legal"), (&[0, 4], "not over"), (&[8, 4, 0, 2, 1, 6, 5], "not legal")] {
        let error = training.learn_from(&game(cells)).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
    assert_eq!(training.games(), 1);
}

#[test]
fn a_slow_obvious_machine_ends_with_the_same_beads() {
    const GAMES: u64 = 3000;
    // Every game has its own seed, this far from the previous one.
    const APART: u64 = 0x9e37_79b9_7f4a_7c15;
    let game = games::find("tictactoe").unwrap();
    let classes = Classes::new(&*game, true);
    let taught = [
        teaching("michie", "3,1,-1", "every", "resign"),
        teaching("scroggs", "3,1,-1", "every", "keep"),
        teaching("flat:1", "0,0,all", "last", "refill"),
        teaching("2,2,2,1", "1,-1,all", "every", "keep:3"),
        teaching("flat:2", "2,0,-2", "last", "resign"),
    ];
    let cases: Vec<(Side, Teaching)> =
        Side::BOTH.into_iter().flat_map(|machine| taught.clone().map(|taught| (machine, taught))).collect();
    cases.par_iter().for_each(|(machine, teaching)| {
        let arena = Arena::new(&game, &classes, seats(*machine, &Random), &()).unwrap();
        let mut training = Training::begin(&arena, teaching, 5).unwrap();
        let player = if *machine == Side::First { 1 } else { 2 };
        let mut slow =
            SlowMachine { player, teaching: teaching.clone(), boxes: BTreeMap::new(), tally: Tally::default() };
        // The same games told to a machine move by move, as if a person had played them.
        let mut told = Training::begin(&arena, teaching, 0).unwrap();
        for number in 0..GAMES {
            let cells = slow.play(&mut Pcg64Mcg::seed_from_u64(5u64.wrapping_add(number.wrapping_mul(APART))));
            let moves: Vec<Move> = cells.iter().zip([Mark::X, Mark::O].into_iter().cycle()).map(placed).collect();
            told.learn_from(&moves).unwrap();
        }
        training.play(GAMES);
        assert_eq!(training.tally(*machine), slow.tally, "{machine:?} {teaching:?}");
        assert_eq!((told.tally(*machine), told.games()), (slow.tally, GAMES), "{machine:?} {teaching:?}");
        let [drawn, told] = [&training, &told].map(|found| beads_of(&table_of(found, "tictactoe", true), *machine));
        assert_eq!(drawn, told, "{machine:?} {teaching:?}");
        for (board, beads) in beads_of(&table_of(&training, "tictactoe", true), *machine) {
            let board = nine(&board);
            let expected = slow.boxes.get(&board).cloned().unwrap_or_else(|| slow.full(&board));
            let expected = expected.into_iter().filter(|&(_, number)| number > 0);
            let expected: Vec<(String, u32)> =
                expected.map(|(cell, number)| ((cell + 1).to_string(), number)).collect();
            assert_eq!(beads, expected, "{machine:?} {teaching:?} {board:?}");
        }
    });
}

#[test]
fn results_of_many_games_match_the_exact_odds() {
    const GAMES: u64 = 400_000;
    for name in ["tictactoe", "hexapawn", "4x3x3", "3x3x3+misere", "wild"] {
        let game = games::find(name).unwrap();
        let classes = Classes::new(&*game, true);
        // A table that is neither random nor perfect: it learns from some games, and its beads are frozen after that.
        let mut learned = Table::builder(game.clone()).symmetry(true);
        for machine in Side::BOTH {
            let arena = Arena::new(&game, &classes, seats(machine, &Random), &()).unwrap();
            let teaching = teaching("flat:2", "3,1,-1", "every", "resign");
            let mut training = Training::begin(&arena, &teaching, 2).unwrap();
            training.play(300);
            let (boxes, lessons) = training.boxes(machine, &[], "random");
            learned = learned.machine(machine, boxes, lessons);
        }
        let learned = learned.build();
        let frozen = teaching("flat:2", "0,0,0", "every", "resign");
        let perfect = Perfect::of(&game, &()).unwrap();
        let opponents: [(&str, &dyn Policy); 3] = [("random", &Random), ("perfect", &perfect), ("table", &learned)];
        for (opponent, policy) in opponents {
            let exact = odds(&*game, BySide { first: &learned, second: policy }, &()).unwrap();
            let arena = Arena::new(&game, &classes, seats(Side::First, policy), &()).unwrap();
            let mut training = Training::resume(&arena, &frozen, 9, &learned).unwrap();
            training.play(GAMES);
            let Tally { won, drawn, lost, .. } = training.tally(Side::First);
            for (games, exact) in [(won, &exact.wins.first), (lost, &exact.wins.second), (drawn, &exact.draw)] {
                let (share, exact) = (games as f64 / GAMES as f64, exact.to_f64().unwrap());
                let deviation = (exact * (1.0 - exact) / GAMES as f64).sqrt();
                assert!((share - exact).abs() <= 5.0 * deviation, "{name} {opponent}: {share} is not {exact}");
            }
        }
    }
}

#[test]
fn resumed_training_gives_the_same_boxes_as_uninterrupted_training() {
    for name in ["tictactoe", "hexapawn", "morris", "pong-hau-ki", "4x3x3+gravity"] {
        let game = games::find(name).unwrap();
        for (symmetry, empty) in [(true, "resign"), (false, "keep"), (true, "refill")] {
            let classes = Classes::new(&*game, symmetry);
            let teaching = teaching("flat:2", "2,1,-1", "every", empty);
            for seats in [seats(Side::Second, &Random), LEARNERS] {
                let arena = Arena::new(&game, &classes, seats, &()).unwrap();
                let mut whole = Training::begin(&arena, &teaching, 3).unwrap();
                whole.play(1000);
                let mut first = Training::begin(&arena, &teaching, 3).unwrap();
                first.play(437);
                let stopped = table_of(&first, name, symmetry);
                let mut rest = Training::resume(&arena, &teaching, 3, &stopped).unwrap();
                rest.play(563);
                assert_eq!(rest.games(), 1000);
                for machine in arena.learners().iter() {
                    let lessons = stopped.machine(machine).unwrap().lessons();
                    let expected = whole.boxes(machine, &[], "somebody");
                    assert_eq!(rest.boxes(machine, lessons, "somebody"), expected, "{name} {machine}");
                }
            }
        }
    }
}

#[test]
fn each_machine_depends_only_on_its_seed_and_not_on_the_number_of_threads() {
    let game = games::find("tictactoe").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let (teaching, course) = (Teaching::default(), course(500, 30));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| course.train_all(&arena, &teaching, 11..43, &()).unwrap())
    };
    let curves = on(1);
    assert_eq!(curves, on(7));
    for curve in &curves {
        let mut training = Training::begin(&arena, &teaching, curve.seed).unwrap();
        let alone = course.train(&mut training, &(), |_| Ok::<(), Stopped>(())).unwrap();
        assert_eq!(alone, std::slice::from_ref(curve));
        assert_eq!(curve.points.len(), 1 + 500usize.div_ceil(30));
        assert_eq!(curve.points.iter().map(|point| point.since.games()).sum::<u64>(), 500);
    }
    let mut csv = Vec::new();
    write_csv(&curves, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    assert_eq!(csv.lines().count(), 1 + 32 * 18);
    assert_eq!(csv.lines().nth(1), Some("first,11,0,0,0,0,0,12,false"));
    let won: u64 = csv.lines().skip(1).map(|line| line.split(',').nth(3).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(won, curves.iter().map(|curve| curve.tally.won).sum::<u64>());
}

#[test]
fn a_spread_has_the_low_middle_high_and_mean_of_its_values() {
    let values: Vec<f64> = (0..=10).rev().map(f64::from).collect();
    assert_eq!(Spread::of(values), Spread { low: 1.0, middle: 5.0, high: 9.0, mean: 5.0 });
    assert_eq!(Spread::of(vec![1.0, 3.0]).middle, 2.0, "between the two");
    assert_eq!(Spread::of(vec![7.0]), Spread { low: 7.0, middle: 7.0, high: 7.0, mean: 7.0 });
    assert_eq!(spread(&[], |_| 1.0), []);
}

#[test]
fn refilled_boxes_or_punished_draws_can_make_an_unbeatable_machine_beatable_again() {
    let game = games::find("tictactoe").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let mut undone = 0;
    for (seed, empty) in [1, 2, 3, 4, 5, 6].into_iter().flat_map(|seed| [(seed, "refill"), (seed, "resign")]) {
        let teaching = teaching("michie", "0,-1,all", "last", empty);
        let mut training = Training::begin(&arena, &teaching, seed).unwrap();
        let mut was = false;
        for _ in 0..60 {
            training.play(1000);
            let is = training.unbeatable_after(Side::First).is_some();
            let report = verify(&table_of(&training, "tictactoe", true), None, &()).unwrap();
            assert_eq!(is, report.is_correct(), "seed {seed}, {empty}");
            undone += usize::from(was && !is);
            was = is;
        }
    }
    assert!(undone > 0, "the case occurred");
}

#[test]
fn a_machine_with_an_empty_box_resigns_keeps_a_bead_or_refills_it() {
    let game = games::find("tictactoe").unwrap();
    let perfect = Perfect::of(&game, &()).unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::Second, &perfect), &()).unwrap();
    let learn = |empty: &str| {
        let teaching = teaching("michie", "3,1,all", "every", empty);
        let mut training = Training::begin(&arena, &teaching, 1).unwrap();
        training.play(2000);
        let table = table_of(&training, "tictactoe", true);
        let empty: Vec<usize> = beads_of(&table, Side::Second)
            .into_iter()
            .filter(|(_, beads)| beads.is_empty())
            .map(|(board, _)| 1 + board.bytes().filter(|&digit| digit != b'0').count() / 2)
            .collect();
        (training.tally(Side::Second), empty)
    };
    let (tally, empty) = learn("resign");
    assert!(tally.resigned > 0 && tally.kept == 0 && tally.refilled == 0 && !empty.is_empty(), "{tally:?}");
    let (tally, empty) = learn("keep:1");
    assert!(tally.kept > 0 && tally.refilled == 0 && empty.iter().all(|&number| number > 1), "{tally:?} {empty:?}");
    let (tally, empty) = learn("refill");
    assert!(tally.refilled > 0 && tally.resigned == 0 && tally.kept == 0 && empty.is_empty(), "{tally:?}");
}

#[test]
fn an_opponent_needs_boxes_only_where_it_plays() {
    let game = games::find("tictactoe").unwrap();
    let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: None };
    let opponent = kit(game.clone(), &plan, &()).unwrap().table;
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::Second, &opponent), &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, 1).unwrap();
    training.play(5000);
    let Tally { won, drawn, lost, .. } = training.tally(Side::Second);
    assert!(won == 0 && drawn > 0 && lost > 0, "19 boxes cannot be beaten: {won} {drawn} {lost}");
    let plan = Plan { machines: Sides::SECOND, ..Plan::default() };
    let learner = Table::generate_boxes(game.clone(), &plan, &()).unwrap();
    let refusal = |table: &Table| Training::resume(&arena, &teaching, 1, table).err().unwrap().to_string();
    let reduced = learner.reduced_to(&table_of(&training, "tictactoe", true)).unwrap();
    assert!(refusal(&reduced).contains("was not trained"), "{}", refusal(&reduced));
    let otherwise = "3x3x3, one per class were expected, found 3x3x3, one per board";
    assert!(refusal(&learner).contains(otherwise), "{}", refusal(&learner));
}

#[test]
fn beads_that_do_not_fit_the_game_are_refused() {
    let game = games::find("tictactoe").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    for length in [1, 3, 5] {
        let teaching = Teaching { beads: StartBeads::List(vec![1; length]), ..Teaching::default() };
        let error = Training::begin(&arena, &teaching, 1).err().unwrap().to_string();
        assert!(error.contains("4 numbers") && error.ends_with(&format!("found {length}")), "{error}");
    }
    // With one empty cell there is no choice, so here the first machine has six moves with a choice and the second five. A list
    // for both machines also fits the second.
    let game = games::find("4x3x3").unwrap();
    let fits = |machine: Side, length: usize| {
        let arena = Arena::new(&game, &Classes::new(&*game, true), seats(machine, &Random), &()).unwrap();
        let teaching = Teaching { beads: StartBeads::List(vec![1; length]), ..Teaching::default() };
        Training::begin(&arena, &teaching, 1).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!([5, 6, 7].map(|length| fits(Side::First, length).is_ok()), [false, true, false]);
    assert_eq!([4, 5, 6, 7].map(|length| fits(Side::Second, length).is_ok()), [false, true, true, false]);
    assert!(
        fits(Side::Second, 4)
            .unwrap_err()
            .starts_with("5 numbers of beads were expected, one for each move of the second machine")
    );
    let game = games::find("1x1x1").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let error = Training::begin(&arena, &Teaching::default(), 1).err().unwrap().to_string();
    assert!(error.contains("nothing to learn"), "{error}");
}

#[test]
fn every_kind_of_small_game_can_be_learned() {
    for name in ["tictactoe", "3x3x3+misere", "4x3x3", "hexapawn:4x3", "morris", "pong-hau-ki", "notakto", "wild"] {
        let game = games::find(name).unwrap();
        let arena = Arena::new(&game, &Classes::new(&*game, true), LEARNERS, &()).unwrap();
        let teaching = Teaching::default();
        let mut training = Training::begin(&arena, &teaching, 1).unwrap();
        training.play(2000);
        let [first, second] = Side::BOTH.map(|side| training.tally(side));
        assert_eq!((first.won, first.drawn, first.lost), (second.lost, second.drawn, second.won), "{name}");
        assert_eq!(first.games(), 2000, "{name}");
        let table = table_of(&training, name, true);
        let mut text = Vec::new();
        table.write_json(&mut text, &()).unwrap();
        let read = Table::read(text.clone(), None).unwrap();
        assert!(read.is_trained() && read.aim().is_none(), "{name}");
        let mut again = Vec::new();
        read.write_json(&mut again, &()).unwrap();
        assert_eq!(text, again, "{name}");
    }
}

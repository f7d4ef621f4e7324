//! Results of training many machines: those published about Michie's and Gardner's, and the figures in the documentation.

mod common;

use common::learner::{course, seats, table_of, teaching};
use menace::table::Classes;
use menace::train::{Arena, Course, Curve, Spread, Training, spread};
use menace::verify::verify;
use menace::{Perfect, Policy, Random, Side, games};
use rayon::prelude::*;

/// How many machines lose at most two of the hundred games before a point.
fn nearly_never_lose(curves: &[Curve], at: usize) -> usize {
    curves.iter().filter(|curve| curve.points[at].since.lost <= 2).count()
}

/// How many machines have no bead left in the first box.
fn out_of_beads(curves: &[Curve]) -> usize {
    curves.iter().filter(|curve| curve.points.last().unwrap().first_box == 0).count()
}

/// The documentation quotes these figures.
#[test]
fn most_machines_learn_to_draw_against_perfect_play_but_none_becomes_unbeatable_against_random_play() {
    let game = games::find("tictactoe").unwrap();
    let (classes, perfect) = (Classes::new(&*game, true), Perfect::of(&game, &()).unwrap());
    let learn_for = |course: Course, opponent: &dyn Policy, beads: &str, empty: &str| {
        let arena = Arena::new(&game, &classes, seats(Side::First, opponent), &()).unwrap();
        course.train_all(&arena, &teaching(beads, "3,1,-1", "every", empty), 1..1001, &()).unwrap()
    };
    let learn = |opponent: &dyn Policy, beads: &str, empty: &str| learn_for(course(1000, 100), opponent, beads, empty);
    let kept = learn(&perfect, "4,3,2,1", "keep");
    assert_eq!((nearly_never_lose(&kept, 5), out_of_beads(&kept)), (777, 0));
    assert!(kept.iter().all(|curve| curve.tally.won == 0), "no machine beats perfect play");
    let refilled = learn(&perfect, "4,3,2,1", "refill");
    assert_eq!((nearly_never_lose(&refilled, 5), out_of_beads(&refilled)), (940, 0));
    // With Michie's own rule, the first box of most machines runs empty and they resign from then on.
    let resigned = learn(&perfect, "4,3,2,1", "resign");
    assert_eq!((nearly_never_lose(&resigned, 5), out_of_beads(&resigned)), (360, 614));
    let scroggs = learn(&perfect, "8,4,2,1", "resign");
    assert_eq!((nearly_never_lose(&scroggs, 5), out_of_beads(&scroggs)), (785, 157));
    let random = learn(&Random, "4,3,2,1", "keep");
    assert!(random.iter().all(|curve| curve.unbeatable_after.is_none()));
    assert!(nearly_never_lose(&random, 10) < 50);
    let long = learn_for(course(20_000, 20_000), &Random, "4,3,2,1", "keep");
    assert!(long.iter().all(|curve| curve.unbeatable_after.is_none()), "not even in 20,000 games");
    let won = |at: usize| spread(&random, |point| point.since.won as f64)[at].1.mean;
    assert!(won(10) > won(1) + 10.0, "but they learn: {} after {}", won(10), won(1));
}

#[test]
fn taking_out_the_bead_that_lost_eventually_makes_every_machine_unbeatable() {
    let game = games::find("tictactoe").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::First, &Random), &()).unwrap();
    let taught = teaching("michie", "0,0,all", "last", "keep");
    let curves = course(50_000, 50_000).train_all(&arena, &taught, 1..1001, &()).unwrap();
    let after: Vec<f64> = curves.iter().filter_map(|curve| Some(curve.unbeatable_after? as f64)).collect();
    assert_eq!(after.len(), 1000);
    assert_eq!(Spread::of(after).mean.round(), 15_808.0);
}

#[test]
fn gardners_machine_becomes_unbeatable_at_hexapawn_and_verify_agrees_when() {
    let game = games::find("hexapawn").unwrap();
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(Side::Second, &Random), &()).unwrap();
    let gardner = teaching("flat:1", "0,0,all", "last", "resign");
    let curves = course(2000, 2000).train_all(&arena, &gardner, 1..10_001, &()).unwrap();
    let after: Vec<f64> = curves.iter().filter_map(|curve| Some(curve.unbeatable_after? as f64)).collect();
    assert_eq!(after.len(), 10_000, "all of them");
    assert_eq!(format!("{:.1}", Spread::of(after).mean), "128.5", "games on average");
    curves[..100].par_iter().for_each(|curve| {
        let after = curve.unbeatable_after.unwrap();
        let mut training = Training::begin(&arena, &gardner, curve.seed).unwrap();
        let is_correct =
            |training: &Training| verify(&table_of(training, "hexapawn", true), None, &()).unwrap().is_correct();
        training.play(after - 1);
        assert!(!is_correct(&training), "seed {}", curve.seed);
        training.play(1);
        assert!(is_correct(&training), "seed {}", curve.seed);
        let lost = training.tally(Side::Second).lost;
        training.play(1000);
        assert_eq!(training.tally(Side::Second).lost, lost, "it never loses again");
    });
}

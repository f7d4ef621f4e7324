//! The fast step against the plain one, bit by bit, and parts against the whole.

use super::sweep::{Kernel, Made, Room, make};
use super::*;
use crate::games::find;

/// The planes of a game in one part, tier by tier, with what was counted.
fn tiers(name: &str, detail: Detail, kernel: Kernel) -> Vec<(Vec<u64>, Counts)> {
    let fold = Fold::new(find(name).unwrap().as_rows().unwrap(), detail);
    let reached = fold.rows.has_gravity().then(|| reach::Reached::new(&fold));
    let (mut room, mut tiers) = (Room::new(&fold), Vec::new());
    let mut keep = |made: Made<'_>| tiers.push((made.planes.to_vec(), made.counts));
    make(&fold, 0, &[], reached.as_ref(), (kernel, &mut room), &(), &mut keep).unwrap();
    tiers
}

#[test]
fn the_fast_step_gives_the_bits_of_the_plain_one() {
    for name in
        ["3x3x3", "4x3x3+misere", "13x1x3", "2x7x3", "4x4x4+gravity", "3x5x2+misere", "4x4x3", "5x3x4", "3x6x4+gravity"]
    {
        for detail in [Detail::Winner, Detail::Depth] {
            for (stones, (fast, plain)) in
                tiers(name, detail, step::step).iter().zip(&tiers(name, detail, plain::step)).rev().enumerate()
            {
                assert_eq!(fast.1, plain.1, "counts of {name} with {stones} stones");
                assert!(fast.0 == plain.0, "planes of {name} with {stones} stones");
            }
        }
    }
}

#[test]
fn parts_count_what_the_whole_counts() {
    for (name, detail, orbits) in
        [("4x4x3", Detail::Winner, &[0][..]), ("4x4x4", Detail::Winner, &[0, 1]), ("5x3x3+misere", Detail::Depth, &[0])]
    {
        let game = find(name).unwrap();
        let rows = game.as_rows().unwrap();
        let parts = Solved::new(Fold::with_anchors(rows, detail, orbits), &()).unwrap();
        assert_eq!(parts.counts(), count(&Fold::new(rows, detail), &()).unwrap(), "{name}");
    }
}

//! The moves in the edge columns of a record: from a band of one sheet to the next larger band of the other sheet.

use std::ops::Range;

use super::beads::{kept, not_won, winning_planes};
use super::pull::{Gather, Pull};
use crate::aim::Aim;

/// The moves in the edge columns from a band.
pub struct EdgeMoves<'a> {
    /// Where they lead.
    pub pull: &'a Pull,
    /// The words of the band.
    pub words: Range<usize>,
    /// The planes that they are added to.
    pub own: &'a mut [Vec<u64>],
    /// The planes of the sheet that they lead to.
    pub other: &'a [Vec<u64>],
    /// What the machine aims at; none if beads are not counted.
    pub aim: Option<Aim>,
    /// The boxes in which no move wins at once.
    pub calm: &'a [u64],
    /// The beads that stay, by word.
    pub beads: &'a mut [u64],
}

impl EdgeMoves<'_> {
    /// Adds them to the planes of who wins.
    #[inline(always)]
    pub fn add_winners(self, gather: impl Gather) {
        let EdgeMoves { pull, words, own, other, aim, calm, beads } = self;
        let [any, all] = own.get_disjoint_mut([0, 1]).expect("there are two planes");
        for word in words {
            let [left, right] = pull.both(word, [&other[1], &other[0]], gather);
            let bad = [left[1] | pull.without(word)[0], right[1] | pull.without(word)[1]];
            any[word] |= left[0] | right[0];
            all[word] &= bad[0] & bad[1];
            if let Some(aim) = aim {
                let stay = [kept(aim, any[word], left[0], bad[0]), kept(aim, any[word], right[0], bad[1])];
                beads[word] += count_moves(calm[word], stay);
            }
        }
    }

    /// Adds them to the planes of depths, of which the band has this many. Two are done at a time: the boards that are lost
    /// after an odd number of steps, and those that are won after one more.
    #[inline(always)]
    pub fn add_depths(self, planes: usize, gather: impl Gather) {
        let EdgeMoves { pull, words, own, other, aim, calm, beads } = self;
        for lost in (1..planes.saturating_sub(1)).step_by(2) {
            let won = lost + 1;
            let wins = aim.filter(|&aim| winning_planes(aim, planes).any(|winning| winning == won));
            let draws = aim.filter(|_| won == planes - 1);
            for word in words.clone() {
                let [left, right] = pull.both(word, [&other[lost - 1], &other[lost]], gather);
                let bad = [left[0] | pull.without(word)[0], right[0] | pull.without(word)[1]];
                own[lost][word] &= bad[0] & bad[1];
                own[won][word] |= left[1] | right[1];
                if let Some(aim) = wins {
                    let sooner = if aim == Aim::Win { 0 } else { own[won - 2][word] };
                    beads[word] += count_moves(calm[word] & own[won][word] & !sooner, [left[1], right[1]]);
                }
                if let Some(aim) = draws {
                    beads[word] += count_moves(not_won(aim, calm[word], own[won][word]), [!bad[0], !bad[1]]);
                }
            }
        }
        match planes {
            0 => {}
            1 => {
                for word in words {
                    let ([left, right], Some(aim)) = (pull.without(word), aim) else { return };
                    beads[word] += count_moves(not_won(aim, calm[word], own[0][word]), [!left, !right]);
                }
            }
            _ if planes.is_multiple_of(2) => {
                let lost = planes - 1;
                for word in words {
                    let [[left], [right]] = pull.both(word, [&other[lost - 1]], gather);
                    let bad = [left | pull.without(word)[0], right | pull.without(word)[1]];
                    own[lost][word] &= bad[0] & bad[1];
                    if let Some(aim) = aim {
                        beads[word] += count_moves(not_won(aim, calm[word], own[lost - 1][word]), [!bad[0], !bad[1]]);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The ones of two words that are in a mask.
#[inline(always)]
fn count_moves(mask: u64, moves: [u64; 2]) -> u64 {
    u64::from((mask & moves[0]).count_ones() + (mask & moves[1]).count_ones())
}

//! How the machine chooses: a bead from its box, and what it does without one.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::board::Move;
use crate::matchbox::Matchbox;

/// What the machine does with a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It plays a bead it drew.
    Bead(Move),
    /// The box is empty: it plays the bead that went last, since that one loses latest.
    LosesLatest(Move),
    /// The box is empty, and nothing is known of the beads that were in it.
    Resign,
}

/// Draws a bead, each as likely as its number says.
pub fn choose(matchbox: &Matchbox, rng: &mut impl Rng) -> Choice {
    let beads: Vec<(Move, u32)> = matchbox.beads().collect();
    if let Ok(&(mv, _)) = beads.choose_weighted(rng, |&(_, number)| u64::from(number)) {
        return Choice::Bead(mv);
    }
    matchbox.last_to_go().map_or(Choice::Resign, |(mv, _)| Choice::LosesLatest(mv))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;

    use super::*;
    use crate::board::{Cell, Player};
    use crate::matchbox::{Bead, Fate, Removal, When, Why};

    fn bead(number: u8, fate: Fate) -> Bead {
        Bead { mv: Move::place(Player::One, Cell::new(number).unwrap()), fate }
    }

    #[test]
    fn beads_are_drawn_as_often_as_their_numbers_say() {
        let matchbox = Matchbox::from_parts(vec![bead(1, Fate::Stays(1)), bead(9, Fate::Stays(99))], None);
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let drawn = (0..10_000).filter(|_| choose(&matchbox, &mut rng) == Choice::Bead(bead(1, Fate::Stays(1)).mv));
        let drawn = drawn.count();
        assert!((50..200).contains(&drawn), "1 of 100 beads was drawn {drawn} times in 10000");
    }

    #[test]
    fn a_lost_machine_plays_what_went_last_and_not_what_loses_at_once() {
        let went = |round, why| Fate::Went(Removal { when: When::Round(round), why });
        let reply = Move::place(Player::Two, Cell::new(5).unwrap());
        let beads = vec![
            bead(1, went(1, Why::Loses(None))),
            bead(2, went(1, Why::Loses(Some(reply)))),
            bead(3, went(1, Why::Loses(None))),
        ];
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let choice = choose(&Matchbox::from_parts(beads.clone(), Some(When::Round(1))), &mut rng);
        assert_eq!(choice, Choice::LosesLatest(beads[1].mv));
        let later = [beads, vec![bead(4, went(2, Why::Banned(reply)))]].concat();
        assert_eq!(
            choose(&Matchbox::from_parts(later.clone(), Some(When::Round(2))), &mut rng),
            Choice::LosesLatest(later[3].mv)
        );
        assert_eq!(choose(&Matchbox::from_parts(Vec::new(), Some(When::Round(2))), &mut rng), Choice::Resign);
    }
}

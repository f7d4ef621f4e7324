//! Plain backward induction over all positions of a game: no boxes, no passes, no ids, nothing but the rules.

use std::collections::HashMap;

use menace::{Game, Outcome, Position, Verdict};

/// Every reachable position with its verdict.
pub struct Oracle {
    pub verdicts: HashMap<Position, Verdict>,
}

impl Oracle {
    pub fn new(game: &dyn Game) -> Oracle {
        let mut index = HashMap::new();
        let mut positions = Vec::new();
        let mut add = |at: Position, positions: &mut Vec<Position>| {
            *index.entry(at).or_insert_with(|| {
                positions.push(at);
                positions.len() - 1
            })
        };
        add(game.start(), &mut positions);
        let mut children: Vec<Vec<usize>> = Vec::new();
        while let Some(&at) = positions.get(children.len()) {
            let moves = match game.result(at) {
                Some(_) => Default::default(),
                None => game.moves(at),
            };
            children.push(moves.iter().map(|&mv| add(at.play(mv), &mut positions)).collect());
        }
        let verdicts = induce(game, &positions, &children);
        Oracle { verdicts: positions.into_iter().zip(verdicts).collect() }
    }

    pub fn get(&self, at: Position) -> Verdict {
        self.verdicts[&at]
    }

    /// The positions where the game is not over.
    pub fn unfinished(&self, game: &dyn Game) -> impl Iterator<Item = Position> {
        self.verdicts.keys().copied().filter(|&at| game.result(at).is_none())
    }
}

/// Works up from depth 1: a position is won in `depth` if a child is lost in `depth - 1`, and lost in `depth` if all children are
/// won, the slowest in `depth - 1`.
fn induce(game: &dyn Game, positions: &[Position], children: &[Vec<usize>]) -> Vec<Verdict> {
    let finished = positions.iter().map(|&at| match game.result(at) {
        Some(Outcome::Win) => Verdict::win(0),
        Some(Outcome::Loss) => Verdict::loss(0),
        Some(Outcome::Draw) | None => Verdict::DRAW,
    });
    let mut verdicts: Vec<Verdict> = finished.collect();
    let mut open: Vec<usize> = (0..positions.len()).filter(|&at| !children[at].is_empty()).collect();
    for depth in 1.. {
        let decide = |&at: &usize| {
            let verdicts = &verdicts;
            let of_children = || children[at].iter().map(move |&child| verdicts[child]);
            let is_won = |child: Verdict| child.outcome == Outcome::Win && child.depth.is_some_and(|won| won < depth);
            if of_children().any(|child| child == Verdict::loss(depth - 1)) {
                Some((at, Verdict::win(depth)))
            } else if of_children().all(is_won) {
                Some((at, Verdict::loss(depth)))
            } else {
                None
            }
        };
        let decided: Vec<(usize, Verdict)> = open.iter().filter_map(decide).collect();
        // Each decision follows from one at the previous depth, so there are no more.
        if decided.is_empty() {
            break;
        }
        for &(at, verdict) in &decided {
            verdicts[at] = verdict;
        }
        open.retain(|&at| verdicts[at] == Verdict::DRAW);
    }
    verdicts
}

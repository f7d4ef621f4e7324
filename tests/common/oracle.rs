//! Plain backward induction over all states of a game: no boxes, no passes, no ids, nothing but the rules.

use std::collections::HashMap;

use menace::{Board, Game, Outcome, Player, Verdict};

pub type State = (Board, Player);

/// Every state that can be reached, with its verdict.
pub struct Oracle {
    pub verdicts: HashMap<State, Verdict>,
}

impl Oracle {
    pub fn new(game: &dyn Game) -> Oracle {
        let mut index = HashMap::new();
        let mut states = Vec::new();
        let mut add = |state: State, states: &mut Vec<State>| {
            *index.entry(state).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        add((game.start(), Player::One), &mut states);
        let mut children: Vec<Vec<usize>> = Vec::new();
        while let Some(&(board, player)) = states.get(children.len()) {
            let moves = match game.result(board, player) {
                Some(_) => Default::default(),
                None => game.moves(board, player),
            };
            children.push(moves.iter().map(|&mv| add((board.play(mv), player.other()), &mut states)).collect());
        }
        let verdicts = induce(game, &states, &children);
        Oracle { verdicts: states.into_iter().zip(verdicts).collect() }
    }

    pub fn get(&self, board: Board, player: Player) -> Verdict {
        self.verdicts[&(board, player)]
    }
}

/// Depth by depth: won if a child is lost one move earlier, lost if all children are won and the last of them one move earlier.
fn induce(game: &dyn Game, states: &[State], children: &[Vec<usize>]) -> Vec<Verdict> {
    let finished = states.iter().map(|&(board, player)| match game.result(board, player) {
        Some(Outcome::Win) => Verdict::Win(0),
        Some(Outcome::Loss) => Verdict::Loss(0),
        Some(Outcome::Draw) | None => Verdict::Draw,
    });
    let mut verdicts: Vec<Verdict> = finished.collect();
    let mut open: Vec<usize> = (0..states.len()).filter(|&at| !children[at].is_empty()).collect();
    for depth in 1.. {
        let decide = |&at: &usize| {
            let verdicts = &verdicts;
            let of_children = || children[at].iter().map(move |&child| verdicts[child]);
            if of_children().any(|child| child == Verdict::Loss(depth - 1)) {
                Some((at, Verdict::Win(depth)))
            } else if of_children().all(|child| matches!(child, Verdict::Win(d) if d < depth)) {
                Some((at, Verdict::Loss(depth)))
            } else {
                None
            }
        };
        let decided: Vec<(usize, Verdict)> = open.iter().filter_map(decide).collect();
        // Each decision rests on one of the depth before it.
        if decided.is_empty() {
            break;
        }
        for &(at, verdict) in &decided {
            verdicts[at] = verdict;
        }
        open.retain(|&at| verdicts[at] == Verdict::Draw);
    }
    verdicts
}

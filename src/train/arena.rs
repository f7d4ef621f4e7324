//! A game as training plays it: every board numbered, with the numbers of the boards one move on, so that a game is a walk over
//! arrays.
//!
//! The boards are those of the game, not of classes: where boards share a box, the turn onto the box and back is worked out here,
//! once. A board that leaves no choice has no box. The walk over all boards is its own, as is that of [`verify`](crate::verify), which
//! shares nothing with what it proves.

use hashbrown::HashMap;

use crate::board::{Board, Move, Player};
use crate::chooser::{ChooseError, Chooser};
use crate::classes::Classes;
use crate::game::{Game, Moves};
use crate::progress::{Progress, Steps};

/// Who plays a side.
pub enum Side<'a> {
    /// The machine that learns.
    Learner,
    /// Somebody who stays as he is.
    Opponent(Chooser<'a>),
}

/// The place of a state.
pub(super) type Place = u32;

/// A board with the side that is to move.
///
/// ```text
///   next   ... the states that moves lead to, those that are drawn before the others ...
///              ^ next                         ^ next + drawn                ^ next + all
///   beads  ... a number for each that is drawn ...
///              ^ beads                         ^ beads + drawn
/// ```
#[derive(Clone, Copy)]
pub(super) struct State {
    pub next: u32,
    pub beads: u32,
    pub drawn: u16,
    pub all: u16,
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The game is over, and this side has won, or nobody.
    Over(Option<Player>),
    /// Each move is as likely as any other.
    Even(Player),
    /// Moves are drawn by the beads of an opponent who stays as he is.
    Weighed(Player),
    /// Moves are drawn by the beads of the learner.
    Boxed(Player),
}

/// A box of the learner.
pub(super) struct BoxOfLearner {
    pub player: Player,
    /// The board it is kept under.
    pub board: Board,
    /// Its moves, in the order of their beads.
    pub moves: Moves,
    /// Where its beads begin.
    pub start: u32,
    /// Which of the machine's moves it is for, from 1.
    pub move_number: usize,
}

impl BoxOfLearner {
    /// Where its beads are.
    pub fn beads(&self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.moves.len()
    }
}

/// A game with the sides that play it, numbered.
pub struct Arena<'a> {
    pub(super) game: &'a dyn Game,
    pub(super) sides: &'a [Side<'a>; 2],
    /// For how many boards a box stands at most.
    pub(super) images: usize,
    pub(super) states: Vec<State>,
    pub(super) next: Vec<Place>,
    /// The beads of an opponent.
    pub(super) weights: Vec<u32>,
    /// The boxes of the learner.
    pub(super) boxes: Vec<BoxOfLearner>,
    /// For each bead of the learner, its box.
    pub(super) box_of: Vec<u32>,
    /// How many moves leave a choice to the side that has more of them, whoever plays it.
    pub(super) most_choices: usize,
}

impl<'a> Arena<'a> {
    /// Follows all moves of a game from the start. `classes` says which boards share a box.
    pub fn new(
        game: &'a dyn Game,
        classes: &Classes,
        sides: &'a [Side<'a>; 2],
        progress: &dyn Progress,
    ) -> Result<Arena<'a>, ChooseError> {
        let mut walk = Walk::new(game, classes, sides);
        let mut steps = Steps::start(progress, "following moves", game.boards_at_most());
        while walk.arena.states.len() < walk.boards.len() {
            walk.follow();
            steps.tick();
        }
        walk.choose()?;
        Ok(walk.arena)
    }

    /// How many moves of the learner leave a choice.
    pub fn moves_with_a_choice(&self) -> usize {
        self.boxes.iter().map(|found| found.move_number).max().unwrap_or(0)
    }

    /// How many boxes a side has.
    pub fn box_count(&self, player: Player) -> usize {
        self.boxes.iter().filter(|found| found.player == player).count()
    }

    /// The sides that learn.
    pub fn learners(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|&player| matches!(self.sides[player as usize], Side::Learner))
    }

    /// The states that moves of a state lead to.
    pub(super) fn next(&self, state: &State) -> &[Place] {
        &self.next[state.next as usize..][..usize::from(state.all)]
    }
}

/// An arena that is being made.
struct Walk<'a, 'b> {
    arena: Arena<'a>,
    classes: &'b Classes,
    /// The boards found so far, and how many moves they are from the start.
    boards: Vec<(Board, Player, usize)>,
    places: HashMap<(Board, Player), Place>,
    boxes: HashMap<(Board, Player), u32>,
}

impl<'a, 'b> Walk<'a, 'b> {
    fn new(game: &'a dyn Game, classes: &'b Classes, sides: &'a [Side<'a>; 2]) -> Walk<'a, 'b> {
        let (states, next, weights, boxes, box_of) = (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let start = (game.start(), Player::One);
        Walk {
            arena: Arena {
                game,
                sides,
                images: classes.images(),
                states,
                next,
                weights,
                boxes,
                box_of,
                most_choices: 0,
            },
            classes,
            boards: vec![(start.0, start.1, 0)],
            places: [(start, 0)].into_iter().collect(),
            boxes: HashMap::new(),
        }
    }

    /// Follows the moves of the next board.
    fn follow(&mut self) {
        let (board, player, depth) = self.boards[self.arena.states.len()];
        let next = self.arena.next.len() as u32;
        let mut state = State { next, beads: 0, drawn: 0, all: 0, kind: Kind::Even(player) };
        if let Some(outcome) = self.arena.game.result(board, player) {
            state.kind = Kind::Over(outcome.winner(player));
            self.arena.states.push(state);
            return;
        }
        let mut moves = self.arena.game.moves(board, player);
        if moves.len() > 1 {
            self.arena.most_choices = self.arena.most_choices.max(depth / 2 + 1);
        }
        if matches!(self.arena.sides[player as usize], Side::Learner) && moves.len() > 1 {
            let back = self.classes.symmetry(board).inverse();
            let found = self.open(board, player, depth);
            (state.kind, state.beads) = (Kind::Boxed(player), found.start);
            moves = found.moves.iter().map(|&mv| back.mv(mv)).collect();
        }
        state.all = moves.len() as u16;
        state.drawn = state.all;
        for mv in moves {
            let place = self.place(board.play(mv), player.other(), depth + 1);
            self.arena.next.push(place);
        }
        self.arena.states.push(state);
    }

    /// The place of a board, which may be new.
    fn place(&mut self, board: Board, player: Player, depth: usize) -> Place {
        let new = Place::try_from(self.boards.len()).expect("no machine has memory for so many boards");
        let place = *self.places.entry((board, player)).or_insert(new);
        if place == new {
            self.boards.push((board, player, depth));
        }
        place
    }

    /// The box that stands for a board, which may be new. Boards are met in the order of their depths, so the first tells the move number.
    fn open(&mut self, board: Board, player: Player, depth: usize) -> &BoxOfLearner {
        let (lowest, arena) = (self.classes.lowest(board), &mut self.arena);
        let new = arena.boxes.len() as u32;
        let at = *self.boxes.entry((lowest, player)).or_insert(new);
        if at == new {
            let moves = self.classes.distinct(lowest, arena.game.moves(lowest, player));
            let start = arena.box_of.len() as u32;
            arena.box_of.extend(moves.iter().map(|_| new));
            arena.boxes.push(BoxOfLearner { player, board: lowest, moves, start, move_number: depth / 2 + 1 });
        }
        &self.arena.boxes[at as usize]
    }

    /// Asks the opponent for the moves that he makes, on the boards that he can come to.
    fn choose(&mut self) -> Result<(), ChooseError> {
        let (mut open, mut seen) = (vec![0], vec![false; self.arena.states.len()]);
        seen[0] = true;
        while let Some(place) = open.pop() {
            let state = self.arena.states[place];
            if let Kind::Even(player) = state.kind
                && let Side::Opponent(chooser) = &self.arena.sides[player as usize]
                && !matches!(chooser, Chooser::Random)
            {
                let (board, ..) = self.boards[place];
                let chosen = chooser.moves(self.arena.game, board, player)?;
                self.set_choice(place, player, &chosen);
            }
            let state = self.arena.states[place];
            let drawn = self.arena.next(&state)[..state.drawn.into()].iter().map(|&next| next as usize);
            open.extend(drawn.filter(|&next| !std::mem::replace(&mut seen[next], true)));
        }
        Ok(())
    }

    fn set_choice(&mut self, place: usize, player: Player, chosen: &[(Move, u32)]) {
        let ((board, ..), beads) = (self.boards[place], self.arena.weights.len() as u32);
        let drawn = chosen.iter().map(|&(mv, _)| self.places[&(board.play(mv), player.other())]);
        let drawn: Vec<Place> = drawn.collect();
        let state = &mut self.arena.states[place];
        let next = &mut self.arena.next[state.next as usize..][..usize::from(state.all)];
        let others: Vec<Place> = next.iter().copied().filter(|place| !drawn.contains(place)).collect();
        next.iter_mut().zip(drawn.iter().chain(&others)).for_each(|(next, &place)| *next = place);
        (state.drawn, state.beads) = (chosen.len() as u16, beads);
        let is_even = chosen.windows(2).all(|pair| pair[0].1 == pair[1].1) && !chosen.is_empty();
        state.kind = if is_even { Kind::Even(player) } else { Kind::Weighed(player) };
        self.arena.weights.extend(chosen.iter().map(|&(_, weight)| weight));
    }
}

//! The smallest machine that cannot be beaten: one bead a box, and no box that its own play never needs.
//!
//! Which bead to keep in which box is an integer program. Each bead of the pruned table is a variable, 1 if it is kept:
//!
//! - every board that the machine meets first has a box: its beads add up to at least one;
//! - a kept bead needs a box for every board that the replies to it lead to: the beads there add up to at least this bead;
//! - as few beads as can be are kept, and so as few boxes.
//!
//! The trap: where there is one move and no other, the machine needs no box, and play goes on behind it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolutionStatus, SolveOptions, SolveOutcome, Variable,
};

use crate::board::{Board, Id, Move, Player};
use crate::game::{Game, Outcome, forced_move};
use crate::learn::Aim;
use crate::matchbox::{Bead, Boxes, Fate, Matchbox, board_of};
use crate::progress::Progress;
use crate::table::{Machines, Plan, PlanError, Run, Table};

/// Why there is no kit.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// The boxes to choose from cannot be made.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The other side can force a win.
    #[error("the {} machine of {game} can be beaten whatever it plays; try --machine {}", .machine.name(), .machine.other().name())]
    Lost {
        /// The game.
        game: String,
        /// The machine.
        machine: Player,
    },
    /// An opening for the machine that does not begin.
    #[error("an opening is for the first machine, which begins; leave --opening out, or choose --machine first")]
    NotFirst,
    /// An opening that is no move, or none that holds.
    #[error("\"{opening}\" is no opening that holds; these are: {those}")]
    Opening {
        /// What was given.
        opening: String,
        /// The openings there are.
        those: String,
    },
    /// The integer program could not be solved.
    #[error("the smallest machine could not be found ({0}); choose a smaller game")]
    Unsolved(#[from] microlp::Error),
    /// The solver stopped without an answer.
    #[error("the solver stopped without an answer; choose a smaller game")]
    Stopped,
}

/// What the smallest machine is asked for.
#[derive(Clone, Debug)]
pub struct KitPlan {
    /// The sides to make machines for.
    pub machines: Machines,
    /// How strict the beads are pruned that are chosen from.
    pub aim: Aim,
    /// The first move of the first machine, as it is written; if none is given, the one that needs the fewest boxes.
    pub opening: Option<String>,
    /// How long to look for a smaller machine; without a limit until none is left to be found.
    pub limit: Option<Duration>,
}

/// The machines that were found.
#[derive(Clone)]
pub struct Kit {
    /// Their boxes.
    pub run: Run,
    /// Whether it is proved that no machine of them has fewer.
    pub is_smallest: bool,
}

/// Finds the smallest machines of a game that cannot be beaten, one box a class and one bead a box.
///
/// ```
/// use menace::kit::{KitPlan, kit};
/// use menace::{Aim, Machines, Player, games};
///
/// let plan = KitPlan { machines: Machines::First, aim: Aim::Safe, opening: None, limit: None };
/// let found = kit(games::find("tictactoe")?, &plan, &())?;
/// assert_eq!(found.run.table(Player::One).unwrap().boxes.len(), 19);
/// assert!(found.is_smallest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn kit(game: Arc<dyn Game>, plan: &KitPlan, progress: &dyn Progress) -> Result<Kit, KitError> {
    if plan.opening.is_some() && plan.machines != Machines::First {
        return Err(KitError::NotFirst);
    }
    let whole = Plan { machines: plan.machines, aim: plan.aim, symmetry: true, ..Plan::default() };
    let run = Run::generate(game, &whole, progress)?;
    let mut kit = Kit { run: Run::without_tables(run.game.clone(), plan.aim, true), is_smallest: true };
    for (machine, table) in run.tables() {
        let choice = Choice { run: &run, boxes: &table.boxes, machine, progress };
        progress.start(&format!("choosing beads of the {} machine", machine.name()), 0);
        let (boxes, is_smallest) = choice.smallest(choice.opening(plan.opening.as_deref())?, plan.limit)?;
        kit.run.set_table(machine, Table { rounds: Vec::new(), lessons: Vec::new(), boxes });
        kit.is_smallest &= is_smallest;
    }
    Ok(kit)
}

/// A bead that can be chosen, and the boxes that the machine has to have if it is.
struct Offer {
    mv: Move,
    needs: BTreeSet<Id>,
}

/// The boxes that are opened in play, each with its chosen bead.
fn opened<'a>(roots: &BTreeSet<Id>, kept: impl Fn(&Id) -> Option<&'a Offer>) -> Boxes {
    let (mut boxes, mut open) = (Boxes::new(), Vec::from_iter(roots.iter().copied()));
    while let Some(id) = open.pop() {
        if let Some(bead) = kept(&id).filter(|_| !boxes.contains_key(&id)) {
            boxes.insert(id, Matchbox::from_parts(vec![Bead { mv: bead.mv, fate: Fate::Stays(1) }], None));
            open.extend(&bead.needs);
        }
    }
    boxes
}

/// The beads to choose from.
struct Choice<'a> {
    run: &'a Run,
    boxes: &'a Boxes,
    machine: Player,
    progress: &'a dyn Progress,
}

impl Choice<'_> {
    /// The opening that a text means, turned as the first box has it.
    fn opening(&self, text: Option<&str>) -> Result<Option<Move>, KitError> {
        let Some(text) = text else { return Ok(None) };
        let notation = self.run.game.notation();
        let start = board_of(self.run.key(self.run.game.start()), self.run.game.shape());
        let beads: Vec<Move> = self.beads(start.id()).collect();
        let moves = self.run.game.moves(start, self.machine);
        let asked = notation.find(text, &moves);
        let found = asked
            .and_then(|mv| self.run.classes().mirrors(start).map(|mirror| mirror.mv(mv)).find(|mv| beads.contains(mv)));
        match found {
            Some(mv) => Ok(Some(mv)),
            None => Err(KitError::Opening { opening: text.to_owned(), those: notation.list(beads) }),
        }
    }

    /// The boxes of the smallest machine, and whether it is proved to be that.
    fn smallest(&self, opening: Option<Move>, limit: Option<Duration>) -> Result<(Boxes, bool), KitError> {
        let lost = || KitError::Lost { game: self.run.game.name(), machine: self.machine };
        let roots = self.needed(self.run.game.start(), Player::One).ok_or_else(lost)?;
        let offers = self.offers(&roots, opening);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables: BTreeMap<Id, Vec<Variable>> = offers
            .iter()
            .map(|(&id, beads)| (id, beads.iter().map(|_| problem.add_binary_var(1.0)).collect()))
            .collect();
        let sum = |id: &Id| {
            let mut sum = LinearExpr::empty();
            variables[id].iter().for_each(|&variable| sum.add(variable, 1.0));
            sum
        };
        for id in &roots {
            if offers[id].is_empty() {
                return Err(lost());
            }
            problem.add_constraint(sum(id), ComparisonOp::Ge, 1.0);
        }
        for (id, beads) in &offers {
            for (bead, &variable) in beads.iter().zip(&variables[id]) {
                // A bead that leads back to its own box needs no other there.
                for needed in bead.needs.iter().filter(|needed| *needed != id) {
                    let mut at_least = sum(needed);
                    at_least.add(variable, -1.0);
                    problem.add_constraint(at_least, ComparisonOp::Ge, 0.0);
                }
            }
        }
        let mut options = SolveOptions::default();
        options.time_limit = limit;
        // Any machine will do to begin with.
        let any = opened(&roots, |id| offers[id].first());
        let is_first = |id: &Id, at: usize| f64::from(u8::from(at == 0 && any.contains_key(id)));
        let start = variables
            .iter()
            .flat_map(|(id, beads)| beads.iter().enumerate().map(move |(at, &variable)| (variable, is_first(id, at))));
        options.warm_start = Some(start.collect());
        let Ok(solution) = self.solve(&problem, options)?.into_solution() else { return Ok((any, false)) };
        let kept = |id: &Id| {
            let mut beads = offers[id].iter().zip(&variables[id]);
            beads.find(|(_, variable)| solution.var_value(**variable) > 0.5).map(|(bead, _)| bead)
        };
        Ok((opened(&roots, kept), solution.status() == SolutionStatus::Optimal))
    }

    /// Solves a program, and tells now and then that it is still under way.
    fn solve(&self, problem: &Problem, options: SolveOptions) -> Result<SolveOutcome, KitError> {
        const NOW_AND_THEN: Duration = Duration::from_millis(100);
        let (solved, waiting) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || solved.send(problem.solve_with(options)));
            loop {
                match waiting.recv_timeout(NOW_AND_THEN) {
                    Ok(outcome) => return Ok(outcome?),
                    Err(RecvTimeoutError::Timeout) => self.progress.advance(0),
                    Err(RecvTimeoutError::Disconnected) => return Err(KitError::Stopped),
                }
            }
        })
    }

    /// The beads of all boxes that some choice of beads leads to.
    fn offers(&self, roots: &BTreeSet<Id>, opening: Option<Move>) -> BTreeMap<Id, Vec<Offer>> {
        let (mut offers, mut open) = (BTreeMap::new(), Vec::from_iter(roots.iter().copied()));
        while let Some(id) = open.pop() {
            if offers.contains_key(&id) {
                continue;
            }
            let board = board_of(id, self.run.game.shape());
            let is_start = id == self.run.key(self.run.game.start());
            let is_allowed = |mv: &Move| !is_start || opening.is_none_or(|opening| *mv == opening);
            let offer = |mv| Some(Offer { mv, needs: self.needed(board.play(mv), self.machine.other())? });
            let beads: Vec<Offer> = self.beads(id).filter(is_allowed).filter_map(offer).collect();
            open.extend(beads.iter().flat_map(|bead| &bead.needs));
            offers.insert(id, beads);
        }
        offers
    }

    fn beads(&self, id: Id) -> impl Iterator<Item = Move> {
        self.boxes.get(&id).into_iter().flat_map(|matchbox| matchbox.beads().map(|(mv, _)| mv))
    }

    /// The boxes that the machine has to have for the boards it meets next; none if it can lose before it has a choice.
    fn needed(&self, board: Board, to_move: Player) -> Option<BTreeSet<Id>> {
        let game = &*self.run.game;
        let (mut boxes, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![(board, to_move)]);
        while let Some((board, to_move)) = open.pop() {
            let lost = if to_move == self.machine { Outcome::Loss } else { Outcome::Win };
            match game.result(board, to_move) {
                Some(outcome) if outcome == lost => return None,
                None if seen.insert((board, to_move)) => {}
                _ => continue,
            }
            let next = |mv| (board.play(mv), to_move.other());
            match forced_move(game, board, to_move) {
                _ if to_move != self.machine => open.extend(game.moves(board, to_move).into_iter().map(next)),
                Some(mv) => open.push(next(mv)),
                None => drop(boxes.insert(self.run.key(board))),
            }
        }
        Some(boxes)
    }
}

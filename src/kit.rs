//! The smallest machine that cannot be beaten: one bead per box, and no box that its own play never needs.
//!
//! Which bead to keep in which box is an integer program. Each bead of the pruned table is a variable, 1 if it is kept:
//!
//! - every board that the machine meets first has a box: its beads add up to at least one;
//! - a kept bead needs a box for every board that the replies to it lead to: the beads there add up to at least this bead;
//! - as few beads as possible are kept, and so as few boxes.
//!
//! The trap: where there is only one move, the machine needs no box, but it may need some for the boards after that
//! move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use microlp::{
    ComparisonOp, LinearExpr, OptimizationDirection, Problem, SolutionStatus, SolveOptions, SolveOutcome, Variable,
};

use crate::aim::Aim;
use crate::board::{Board, Move};
use crate::game::{Game, forced_move};
use crate::games;
use crate::matchbox::{Bead, Boxes, Fate, Matchbox};
use crate::position::{Position, Side, Sides};
use crate::progress::{Progress, Stage};
use crate::table::{Plan, Table, TableError};

/// Why a kit could not be made.
#[derive(Debug, thiserror::Error)]
pub enum KitError {
    /// The boxes to choose from cannot be made.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The other side can force a win.
    #[error("the {machine} machine of {game} can always be beaten")]
    Lost {
        /// The game.
        game: String,
        /// The machine.
        machine: Side,
    },
    /// An opening for the machine that does not begin.
    #[error("an opening is for the first machine, which begins")]
    NotFirst,
    /// An opening that is not a legal move, or that loses.
    #[error("\"{opening}\" is not an opening that holds; these are: {those}")]
    Opening {
        /// What was given.
        opening: String,
        /// The openings there are.
        those: String,
    },
    /// The integer program could not be solved.
    #[error("the smallest machine could not be found ({0})")]
    Unsolved(#[from] microlp::Error),
}

/// Which smallest machines to find.
#[derive(Clone, Debug)]
pub struct KitPlan {
    /// The sides to make machines for.
    pub machines: Sides,
    /// Only beads that this aim keeps are considered.
    pub aim: Aim,
    /// The first move of the first machine, as it is written; if none is given, the one that needs the fewest boxes.
    pub opening: Option<String>,
    /// How long to look for a smaller machine; without a limit, until it is proved that there is none. The [`Progress`]
    /// can end the search at any time; the result is then the smallest machine found so far.
    pub limit: Option<Duration>,
}

/// The machines that were found.
#[derive(Clone)]
pub struct Kit {
    /// Their boxes.
    pub table: Table,
    /// Whether it is proved that neither machine can have fewer.
    pub is_smallest: bool,
}

/// Finds the smallest machines of a game that cannot be beaten, one box per class and one bead per box.
///
/// ```
/// use menace::kit::{KitPlan, kit};
/// use menace::{Aim, Side, Sides, games};
///
/// let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: None };
/// let found = kit(games::find("tictactoe")?, &plan, &())?;
/// assert_eq!(found.table.machine(Side::First).unwrap().box_count(), 19);
/// assert!(found.is_smallest);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn kit(game: Arc<dyn Game>, plan: &KitPlan, progress: &dyn Progress) -> Result<Kit, KitError> {
    if plan.opening.is_some() && plan.machines != Sides::FIRST {
        return Err(KitError::NotFirst);
    }
    let whole = Plan { machines: plan.machines, aim: plan.aim, symmetry: true, ..Plan::default() };
    let table = Table::generate_boxes(game, &whole, progress)?;
    let mut kit = Table::builder(table.game().clone()).aim(Some(plan.aim)).symmetry(true);
    let mut all_smallest = true;
    for machine in plan.machines.iter() {
        let boxes = &table.boxes(machine).ok_or(TableError::NoMachine(machine))?.boxes;
        let selection = Selection { table: &table, boxes, machine, progress };
        progress.start(Stage::Choose(machine), None);
        let (boxes, is_smallest) = selection.smallest(selection.opening(plan.opening.as_deref())?, plan.limit)?;
        kit = kit.machine(machine, boxes, Vec::new());
        all_smallest &= is_smallest;
    }
    Ok(Kit { table: kit.build(), is_smallest: all_smallest })
}

/// A bead that can be chosen, and the boxes that the machine then needs.
struct Offer {
    mv: Move,
    needs: BTreeSet<Board>,
}

/// The boxes that are opened in play, each with its chosen bead.
fn opened<'a>(roots: &BTreeSet<Board>, kept: impl Fn(&Board) -> Option<&'a Offer>) -> BTreeMap<Board, Matchbox> {
    let (mut boxes, mut open) = (BTreeMap::new(), Vec::from_iter(roots.iter().copied()));
    while let Some(board) = open.pop() {
        if let Some(bead) = kept(&board).filter(|_| !boxes.contains_key(&board)) {
            boxes.insert(board, Matchbox::new(vec![Bead { mv: bead.mv, fate: Fate::Stays(1) }], None));
            open.extend(&bead.needs);
        }
    }
    boxes
}

/// The beads to choose from.
struct Selection<'a> {
    table: &'a Table,
    boxes: &'a Boxes,
    machine: Side,
    progress: &'a dyn Progress,
}

impl Selection<'_> {
    fn game(&self) -> &dyn Game {
        &**self.table.game()
    }

    /// The opening with this text, turned to match the first box.
    fn opening(&self, text: Option<&str>) -> Result<Option<Move>, KitError> {
        let Some(text) = text else { return Ok(None) };
        let (notation, classes) = (self.game().notation(), self.table.classes());
        let start = classes.lowest(self.game().start().board);
        let beads: Vec<Move> = self.beads(start).collect();
        let moves = self.game().moves(Position::new(start, self.machine));
        let asked = notation.find(text, &moves);
        let found =
            asked.and_then(|mv| classes.mirrors(start).map(|mirror| mirror.mv(mv)).find(|mv| beads.contains(mv)));
        match found {
            Some(mv) => Ok(Some(mv)),
            None => Err(KitError::Opening { opening: text.to_owned(), those: notation.list(beads) }),
        }
    }

    /// The boxes of the smallest machine found, and whether it is proved to be the smallest.
    fn smallest(&self, opening: Option<Move>, limit: Option<Duration>) -> Result<(Boxes, bool), KitError> {
        let lost = || KitError::Lost { game: games::titled(self.game()), machine: self.machine };
        let roots = self.needed(self.game().start()).ok_or_else(lost)?;
        let offers = self.offers(&roots, opening);
        let mut problem = Problem::new(OptimizationDirection::Minimize);
        let variables: BTreeMap<Board, Vec<Variable>> = offers
            .iter()
            .map(|(&board, beads)| (board, beads.iter().map(|_| problem.add_binary_var(1.0)).collect()))
            .collect();
        let sum = |board: &Board| {
            let mut sum = LinearExpr::empty();
            variables[board].iter().for_each(|&variable| sum.add(variable, 1.0));
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
        // Any machine will do to begin with.
        let any = opened(&roots, |id| offers[id].first());
        let is_first = |id: &Board, at: usize| f64::from(u8::from(at == 0 && any.contains_key(id)));
        let start = variables
            .iter()
            .flat_map(|(id, beads)| beads.iter().enumerate().map(move |(at, &variable)| (variable, is_first(id, at))));
        options.warm_start = Some(start.collect());
        let Ok(solution) = self.solve(&problem, options, limit)?.into_solution() else {
            return Ok((any.into_iter().collect(), false));
        };
        let kept = |id: &Board| {
            let mut beads = offers[id].iter().zip(&variables[id]);
            beads.find(|(_, variable)| solution.var_value(**variable) > 0.5).map(|(bead, _)| bead)
        };
        let is_smallest = solution.status() == SolutionStatus::Optimal;
        Ok((opened(&roots, kept).into_iter().collect(), is_smallest))
    }

    /// Solves a program in steps, until the best answer is proved, the time is up or the work is stopped. A step that
    /// runs out of time loses its last piece of work, so each one gets twice as long as the one before.
    fn solve(
        &self,
        problem: &Problem,
        mut options: SolveOptions,
        limit: Option<Duration>,
    ) -> Result<SolveOutcome, KitError> {
        const FIRST_STEP: Duration = Duration::from_millis(100);
        let (begun, limit, mut step) = (Instant::now(), limit.unwrap_or(Duration::MAX), FIRST_STEP);
        options.time_limit = Some(step.min(limit));
        let mut outcome = problem.solve_with(options)?;
        while !outcome.is_optimal() && begun.elapsed() < limit && self.progress.advance(0).is_continue() {
            step = step.saturating_mul(2);
            let mut options = outcome.last_resume_options();
            options.time_limit = Some(step.min(limit.saturating_sub(begun.elapsed())));
            outcome = outcome.resume_with(options)?;
        }
        Ok(outcome)
    }

    /// The beads of all boxes that some choice of beads leads to.
    fn offers(&self, roots: &BTreeSet<Board>, opening: Option<Move>) -> BTreeMap<Board, Vec<Offer>> {
        let (mut offers, mut open) = (BTreeMap::new(), Vec::from_iter(roots.iter().copied()));
        let start = self.table.classes().lowest(self.game().start().board);
        while let Some(board) = open.pop() {
            if offers.contains_key(&board) {
                continue;
            }
            let at = Position::new(board, self.machine);
            let is_start = board == start;
            let is_allowed = |mv: &Move| !is_start || opening.is_none_or(|opening| *mv == opening);
            let offer = |mv| Some(Offer { mv, needs: self.needed(at.play(mv))? });
            let beads: Vec<Offer> = self.beads(board).filter(is_allowed).filter_map(offer).collect();
            open.extend(beads.iter().flat_map(|bead| &bead.needs));
            offers.insert(board, beads);
        }
        offers
    }

    fn beads(&self, board: Board) -> impl Iterator<Item = Move> {
        self.boxes.get(board).into_iter().flat_map(|matchbox| matchbox.beads().map(|(mv, _)| mv))
    }

    /// The boxes that the machine needs for the boards it meets next; none if it can lose before it has a choice.
    fn needed(&self, from: Position) -> Option<BTreeSet<Board>> {
        let game = self.game();
        let (mut boxes, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![from]);
        while let Some(at) = open.pop() {
            match game.result(at) {
                Some(outcome) if outcome.winner(at.to_move) == Some(self.machine.other()) => return None,
                None if seen.insert(at) => {}
                _ => continue,
            }
            match forced_move(game, at) {
                _ if at.to_move != self.machine => open.extend(game.moves(at).into_iter().map(|mv| at.play(mv))),
                Some(mv) => open.push(at.play(mv)),
                None => drop(boxes.insert(self.table.classes().lowest(at.board))),
            }
        }
        Some(boxes)
    }
}

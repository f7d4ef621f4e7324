//! How long-running work reports its progress and can be stopped, without knowing who listens.

use std::ops::ControlFlow;

use crate::position::Side;

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Looking for the boards that can occur.
    Search,
    /// A pass over the boxes of a side; the number is that of its round.
    Round(Side, u32),
    /// Following all moves of a game from the start.
    Walk,
    /// Finding verdicts.
    Solve,
    /// Measuring on parts of a table how long all of it takes.
    Measure,
    /// Working out odds.
    Odds,
    /// Writing a table.
    Write,
    /// Comparing tables.
    Compare,
    /// Testing checksums.
    Checksums,
    /// Checking boards or boxes.
    Check,
    /// Choosing the fewest boxes for a side.
    Choose(Side),
    /// Playing games to learn from.
    Train,
    /// Resuming an unfinished packed table.
    Resume {
        /// How many of its parts are complete and need not be made again.
        parts: usize,
        /// How many were complete, but are made again, because a border that later parts read is missing or damaged.
        again: usize,
    },
}

/// Follows long-running work and can stop it.
///
/// ```
/// use std::ops::ControlFlow;
/// use menace::progress::{Progress, Stage};
/// use menace::{Plan, Table, games};
///
/// /// Stops the work as soon as it begins.
/// struct Never;
///
/// impl Progress for Never {
///     fn start(&self, _stage: Stage, _steps: Option<u64>) {}
///     fn advance(&self, _steps: u64) -> ControlFlow<()> {
///         ControlFlow::Break(())
///     }
/// }
///
/// let stopped = Table::generate(games::find("4x3x3")?, &Plan::default(), &Never);
/// assert!(matches!(stopped, Err(menace::TableError::Stopped(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Progress: Sync {
    /// A stage begins that takes at most this many steps; none if the number is not known.
    fn start(&self, stage: Stage, steps: Option<u64>);

    /// This many more steps of the stage are done, or 0 if it is merely still running. A break stops the work, which
    /// then ends with [`Stopped`]; what has been written stays valid.
    fn advance(&self, steps: u64) -> ControlFlow<()>;
}

/// Ignores the progress, and never stops the work.
impl Progress for () {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, _steps: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The work was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was stopped")]
pub struct Stopped;

/// Passes steps on, and turns a break into an error.
pub(crate) fn advance(progress: &dyn Progress, steps: u64) -> Result<(), Stopped> {
    match progress.advance(steps) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stopped),
    }
}

/// Counts single steps and passes on thousands at a time, since passing one on can take as long as the step itself.
pub(crate) struct Steps<'a> {
    progress: &'a dyn Progress,
    untold: u64,
}

impl<'a> Steps<'a> {
    const AT_ONCE: u64 = 4096;

    /// Begins a stage of at most this many steps.
    pub fn start(progress: &'a dyn Progress, stage: Stage, steps: u128) -> Steps<'a> {
        progress.start(stage, u64::try_from(steps).ok().filter(|&steps| steps > 0));
        Steps { progress, untold: 0 }
    }

    /// One more step is done.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        self.untold += 1;
        if self.untold < Steps::AT_ONCE { Ok(()) } else { advance(self.progress, std::mem::take(&mut self.untold)) }
    }
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        // At the end of a stage, it no longer matters whether to go on.
        let _ = self.progress.advance(self.untold);
    }
}

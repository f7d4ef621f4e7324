//! Listeners that follow long work and stop it.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use menace::Progress;
use menace::progress::Stage;

/// Lets the work report a number of times and stops it at the next report.
pub struct StopAfter {
    reports: u64,
    seen: AtomicU64,
    stages: Mutex<Vec<Stage>>,
}

impl StopAfter {
    pub fn new(reports: u64) -> StopAfter {
        StopAfter { reports, seen: AtomicU64::new(0), stages: Mutex::default() }
    }

    /// A listener that never stops the work.
    pub fn never() -> StopAfter {
        StopAfter::new(u64::MAX)
    }

    /// How often the work has reported.
    pub fn reports(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    /// The stages that were started, in order.
    pub fn stages(&self) -> Vec<Stage> {
        self.stages.lock().unwrap().clone()
    }

    /// How many parts of a resumed table were complete; `None` if nothing was resumed.
    pub fn resumed(&self) -> Option<usize> {
        self.stages().into_iter().find_map(|stage| match stage {
            Stage::Resume { parts, .. } => Some(parts),
            _ => None,
        })
    }
}

impl Progress for StopAfter {
    fn start(&self, stage: Stage, _steps: Option<u64>) {
        self.stages.lock().unwrap().push(stage);
    }

    fn advance(&self, _steps: u64) -> ControlFlow<()> {
        if self.seen.fetch_add(1, Ordering::Relaxed) < self.reports {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Stops the work at the first report of a stage.
pub struct StopIn {
    stage: Stage,
    is_reached: AtomicBool,
}

impl StopIn {
    pub fn new(stage: Stage) -> StopIn {
        StopIn { stage, is_reached: AtomicBool::new(false) }
    }

    /// Whether the work reached that stage.
    pub fn is_reached(&self) -> bool {
        self.is_reached.load(Ordering::Relaxed)
    }
}

impl Progress for StopIn {
    fn start(&self, stage: Stage, _steps: Option<u64>) {
        self.is_reached.fetch_or(stage == self.stage, Ordering::Relaxed);
    }

    fn advance(&self, _steps: u64) -> ControlFlow<()> {
        if self.is_reached() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

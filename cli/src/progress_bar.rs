//! A progress bar for work that takes longer than about a second. It also stops the work when a signal arrives.

use std::fmt;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use menace::Progress;
use menace::progress::Stage;

use crate::signals::{Work, note_stop};
use crate::tell;

/// How long work may take before the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar for work with a known number of steps, and for other work.
const MEASURED: &str = "{msg:16} {wide_bar} {percent:>3} %  {rate}, {eta} left";
const UNMEASURED: &str = "{msg} {spinner} {elapsed}";

/// The bar of one command, on standard error if that is a terminal.
pub struct Bar {
    started: Instant,
    bar: ProgressBar,
    work: Work,
}

impl Bar {
    /// A bar that is still hidden.
    pub fn new() -> Bar {
        Bar { started: Instant::now(), bar: ProgressBar::hidden(), work: Work::begin() }
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether a signal has stopped the work. If so, the program will end by that signal.
    pub fn is_stopped(&self) -> bool {
        let is_stopped = self.work.is_stopped();
        if is_stopped {
            note_stop();
        }
        is_stopped
    }
}

impl Progress for Bar {
    fn start(&self, stage: Stage, steps: Option<u64>) {
        if let Stage::Resume { parts, again } = stage {
            return tell(&resuming(parts, again));
        }
        if let Ok(style) = ProgressStyle::with_template(if steps.is_none() { UNMEASURED } else { MEASURED }) {
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
                // A rate that cannot be written is not worth stopping for.
                let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
            };
            self.bar.set_style(style.with_key("rate", rate));
        }
        self.bar.set_length(steps.unwrap_or(0));
        self.bar.set_message(name(stage));
        self.bar.reset();
    }

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        self.bar.inc(steps);
        self.bar.tick();
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if self.work.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

/// What is kept of an unfinished table, and what is not.
fn resuming(parts: usize, again: usize) -> String {
    const WHY: &str = "because borders that later parts need are missing or damaged";
    let done = match parts {
        0 if again == 1 => return format!("starting an unfinished table over: its complete part is made again, {WHY}"),
        0 => return format!("starting an unfinished table over: its {again} complete parts are made again, {WHY}"),
        1 => "resuming an unfinished table: 1 part is done".to_owned(),
        _ => format!("resuming an unfinished table: {parts} parts are done"),
    };
    match again {
        0 => done,
        1 => format!("{done}; 1 more is made again, {WHY}"),
        _ => format!("{done}; {again} more are made again, {WHY}"),
    }
}

/// The name of a stage, in a word or two.
fn name(stage: Stage) -> String {
    match stage {
        Stage::Search => "searching".to_owned(),
        Stage::Round(side, round) => format!("{side} round {round}"),
        Stage::Walk => "following moves".to_owned(),
        Stage::Solve => "solving".to_owned(),
        Stage::Measure => "measuring".to_owned(),
        Stage::Odds => "working out odds".to_owned(),
        Stage::Write => "writing".to_owned(),
        Stage::Compare => "comparing".to_owned(),
        Stage::Checksums => "checksums".to_owned(),
        Stage::Check => "checking".to_owned(),
        Stage::Choose(side) => format!("choosing beads of the {side} machine"),
        Stage::Train => "training".to_owned(),
        _ => "working".to_owned(),
    }
}

//! A progress bar for runs that take longer than about a second; shorter ones stay quiet.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use menace::Progress;

/// How long a run may take before the bar appears.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is shown of work whose steps are known, and of work that takes as long as it takes.
const MEASURED: &str = "{msg:16} {wide_bar} {percent:>3} %  {rate}, {eta} left";
const UNMEASURED: &str = "{msg} {spinner} {elapsed}";

/// The bar of one run, on standard error if that is a terminal.
pub struct Bar {
    started: Instant,
    bar: ProgressBar,
}

impl Bar {
    /// A bar that does not show yet.
    pub fn new() -> Bar {
        Bar { started: Instant::now(), bar: ProgressBar::hidden() }
    }

    /// Takes the bar off the screen.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn start(&self, stage: &str, steps: u128) {
        if let Ok(style) = ProgressStyle::with_template(if steps == 0 { UNMEASURED } else { MEASURED }) {
            let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
                // A rate that cannot be written is not worth stopping for.
                let _ = write!(out, "{}/s", HumanCount(state.per_sec() as u64));
            };
            self.bar.set_style(style.with_key("rate", rate));
        }
        self.bar.set_length(u64::try_from(steps).unwrap_or(u64::MAX));
        self.bar.set_message(stage.to_owned());
        self.bar.reset();
    }

    fn advance(&self, steps: u64) {
        self.bar.inc(steps);
        self.bar.tick();
        if self.bar.is_hidden() && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.clear();
    }
}

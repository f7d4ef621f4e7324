//! How long work tells how far it is, without knowing who listens.

/// Somebody who follows a long run.
pub trait Progress: Sync {
    /// A stage begins that takes this many steps; 0 if nobody knows how many.
    fn start(&self, stage: &str, steps: u128);

    /// So many more steps of the stage are done; 0 if it is just still under way.
    fn advance(&self, steps: u64);
}

/// Nobody follows.
impl Progress for () {
    fn start(&self, _stage: &str, _steps: u128) {}

    fn advance(&self, _steps: u64) {}
}

/// Counts single steps and passes them on by the thousands, since a step may take no longer than telling of it.
pub struct Steps<'a> {
    progress: &'a dyn Progress,
    untold: u64,
}

impl<'a> Steps<'a> {
    const AT_ONCE: u64 = 4096;

    /// Begins a stage.
    pub fn start(progress: &'a dyn Progress, stage: &str, steps: u128) -> Steps<'a> {
        progress.start(stage, steps);
        Steps { progress, untold: 0 }
    }

    /// One more step is done.
    pub fn tick(&mut self) {
        self.untold += 1;
        if self.untold == Steps::AT_ONCE {
            self.tell();
        }
    }

    fn tell(&mut self) {
        self.progress.advance(self.untold);
        self.untold = 0;
    }
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}

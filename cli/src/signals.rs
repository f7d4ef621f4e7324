//! Ctrl-C and other signals: long work is stopped in order, so that nothing half written stays behind.
//!
//! While a progress bar is there, the first signal only sets a flag, which the bar passes on; the second ends the program. At
//! other times, such as at a prompt, a signal does what it always does.

#[cfg(unix)]
pub use unix::{Work, die_if_stopped, note_stop, prepare};

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
    use std::sync::{Arc, LazyLock};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};

    /// The signals that stop long work.
    const STOPPING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

    /// Whether a signal ends the program at once.
    static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

    /// How much work is under way.
    static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

    /// For each of those signals, whether it came.
    static CAME: LazyLock<[Arc<AtomicBool>; 3]> = LazyLock::new(|| STOPPING.map(|_| Arc::new(AtomicBool::new(false))));

    /// The signal that the work was stopped for, so that the program ends by it.
    static STOPPED: AtomicI32 = AtomicI32::new(0);

    /// Decides what signals do.
    pub fn prepare() {
        // What the program that started this one ignores, as nohup does, stays ignored.
        let ignored = ignored();
        for (signal, came) in STOPPING.into_iter().zip(&*CAME).filter(|(signal, _)| ignored >> (signal - 1) & 1 == 0) {
            // Where a signal cannot be caught, it does what it always does.
            let _ = flag::register_conditional_default(signal, came.clone());
            let _ = flag::register_conditional_default(signal, AT_ONCE.clone());
            let _ = flag::register(signal, came.clone());
        }
        // A file that may not grow any more is an error like any other.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    /// The signals that are ignored, as bits, where the system says so.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    /// Long work that can be stopped, while this is there.
    pub struct Work;

    impl Work {
        pub fn begin() -> Work {
            UNDER_WAY.fetch_add(1, Ordering::SeqCst);
            AT_ONCE.store(false, Ordering::SeqCst);
            Work
        }

        /// Whether a signal asked for the end of the work.
        pub fn is_stopped(&self) -> bool {
            CAME.iter().any(|came| came.load(Ordering::Relaxed))
        }
    }

    /// Notes that the work ended because of a signal, if one came.
    pub fn note_stop() {
        let signal = STOPPING.into_iter().zip(&*CAME).find(|(_, came)| came.load(Ordering::Relaxed));
        if let Some((signal, _)) = signal {
            STOPPED.store(signal, Ordering::SeqCst);
        }
    }

    impl Drop for Work {
        fn drop(&mut self) {
            if UNDER_WAY.fetch_sub(1, Ordering::SeqCst) == 1 {
                AT_ONCE.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Ends the program by the signal that its work was stopped for, now that everything is in order.
    pub fn die_if_stopped() {
        let signal = STOPPED.load(Ordering::SeqCst);
        if signal != 0 {
            // If that fails, the program ends with its exit code.
            let _ = low_level::emulate_default_handler(signal);
        }
    }
}

#[cfg(not(unix))]
pub use elsewhere::{Work, die_if_stopped, note_stop, prepare};

#[cfg(not(unix))]
mod elsewhere {
    pub fn prepare() {}

    pub fn die_if_stopped() {}

    pub fn note_stop() {}

    /// Long work, which ends with the program.
    pub struct Work;

    impl Work {
        pub fn begin() -> Work {
            Work
        }

        pub fn is_stopped(&self) -> bool {
            false
        }
    }
}

//! Ctrl-C and other signals: long work stops cleanly, so that no half-written file is left behind.
//!
//! During long work the first signal only sets a flag, which the work checks; the second ends the program. At other times, such as
//! at a prompt, a signal does what it does by default.

#[cfg(unix)]
pub use unix::{Work, die_if_stopped, note_stop, prepare};

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
    use std::sync::{Arc, LazyLock};

    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};

    /// The signals that stop long work.
    const STOPPING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

    /// Whether a signal ends the program at once.
    static AT_ONCE: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));

    /// How many pieces of long work are under way.
    static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);

    /// For each of those signals, whether it has arrived.
    static CAME: LazyLock<[Arc<AtomicBool>; 3]> = LazyLock::new(|| STOPPING.map(|_| Arc::new(AtomicBool::new(false))));

    /// The signal that stopped the work, so that the program can end by it.
    static STOPPED: AtomicI32 = AtomicI32::new(0);

    /// Sets up what signals do.
    pub fn prepare() {
        // A signal that the parent process ignores, as under nohup, stays ignored.
        let ignored = ignored();
        for (signal, came) in STOPPING.into_iter().zip(&*CAME).filter(|(signal, _)| ignored >> (signal - 1) & 1 == 0) {
            // A signal that cannot be caught does what it does by default.
            let _ = flag::register_conditional_default(signal, came.clone());
            let _ = flag::register_conditional_default(signal, AT_ONCE.clone());
            let _ = flag::register(signal, came.clone());
        }
        // When memory runs out, Rust prints a sentence and aborts. The exit code then says that the command could not run.
        let _ = flag::register_conditional_shutdown(SIGABRT, crate::TROUBLE.into(), Arc::new(AtomicBool::new(true)));
        // Without this, a file at its size limit would end the program; now it is an error like any other.
        let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }

    /// The ignored signals as bits, if the system lists them.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    /// Long work. While a value of this type exists, a signal stops the work instead of the program.
    pub struct Work;

    impl Work {
        pub fn begin() -> Work {
            UNDER_WAY.fetch_add(1, Ordering::SeqCst);
            AT_ONCE.store(false, Ordering::SeqCst);
            Work
        }

        /// Whether a signal has asked the work to stop.
        pub fn is_stopped(&self) -> bool {
            CAME.iter().any(|came| came.load(Ordering::Relaxed))
        }
    }

    /// Notes that a signal ended the work, if one has arrived.
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

    /// Ends the program by the signal that stopped its work, now that all files are in order.
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

    /// Long work. Here, a signal always ends the program.
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

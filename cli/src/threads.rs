//! Starts the threads of the library, as many as the system allows.

use std::sync::mpsc;
use std::thread;

use rayon::ThreadPoolBuilder;

/// Starts as many threads as were asked for, or one for each core, or as many as the system allows. For a single one, or if it
/// allows none, all work runs on the main thread.
pub fn prepare(asked: Option<usize>) {
    let builder = match can_start(asked) {
        0 | 1 => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
        number => ThreadPoolBuilder::new().num_threads(number),
    };
    // If this fails after all, the library reports it when it first needs a thread.
    let _ = builder.build_global();
}

/// How many threads can be started at once, up to the number that is wanted. The library tries only once, so this tries it
/// beforehand.
fn can_start(asked: Option<usize>) -> usize {
    let in_environment = || std::env::var("RAYON_NUM_THREADS").ok()?.parse().ok();
    let wanted = asked
        .or_else(in_environment)
        .filter(|&number| number > 0)
        .or(thread::available_parallelism().ok().map(usize::from));
    let start = |_| {
        let (stop, stopped) = mpsc::channel::<()>();
        let thread = thread::Builder::new().spawn(move || stopped.recv()).ok()?;
        Some((stop, thread))
    };
    let started: Vec<_> = (0..wanted.unwrap_or(1)).map_while(start).collect();
    let number = started.len();
    for (stop, thread) in started {
        drop(stop);
        // The thread returns nothing.
        let _ = thread.join();
    }
    number
}

//! Long work: without the interpreter's lock, on all cores, with progress on request, and stopped by Ctrl-C.
//!
//! The trap: threads do not survive a fork. A child that used the pool of its parent would wait for ever, so each process has
//! its own pool, and nothing may use the library's default one: whatever may use threads runs in here.

use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use menace::Progress;
use menace::progress::Stage;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::ControlFlow;

/// How often signals are looked at, and progress is shown.
const BEAT: Duration = Duration::from_millis(50);

/// How long work may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// The threads of a process, with its id.
static POOL: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// The threads of this process.
fn pool() -> PyResult<&'static ThreadPool> {
    let mut kept = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    match *kept {
        Some((id, pool)) if id == process::id() => Ok(pool),
        _ => {
            let pool = ThreadPoolBuilder::new().build();
            let pool = pool.map_err(no_threads)?;
            // The pool of a parent is never dropped: its threads are not there to be waited for.
            let pool: &'static ThreadPool = Box::leak(Box::new(pool));
            *kept = Some((process::id(), pool));
            Ok(pool)
        }
    }
}

/// That the system starts no more threads.
fn no_threads(error: impl std::fmt::Display) -> PyErr {
    PyOSError::new_err(format!("threads could not be started: {error}"))
}

/// Who is told how far the work is.
pub enum Report {
    /// Nobody.
    None,
    /// Whoever reads standard error.
    Text,
    /// A Python function, which gets the stage, the steps done and, if they are known, all steps.
    Function(Py<PyAny>),
}

impl Report {
    /// What the argument `progress` of a function means.
    pub fn of(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Report> {
        match progress {
            None => Ok(Report::None),
            Some(function) if function.is_callable() => Ok(Report::Function(function.clone().unbind())),
            Some(flag) => Ok(if flag.is_truthy()? { Report::Text } else { Report::None }),
        }
    }
}

/// How far work is, and whether it should stop.
#[derive(Default)]
struct Watch {
    stopped: AtomicBool,
    is_done: AtomicBool,
    stage: Mutex<(&'static str, Option<u64>)>,
    done: AtomicU64,
}

impl Progress for Watch {
    fn start(&self, stage: Stage, steps: Option<u64>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (name(stage), steps);
        self.done.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        self.done.fetch_add(steps, Ordering::Relaxed);
        if self.stopped.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The name of a stage.
fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Search | Stage::Walk => "searching",
        Stage::Round(..) => "pruning",
        Stage::Solve => "solving",
        Stage::Measure => "measuring",
        Stage::Odds => "working out odds",
        Stage::Write => "writing",
        Stage::Train => "training",
        Stage::Checksums | Stage::Check => "checking",
        _ => "working",
    }
}

/// Does long work on all cores, and returns what it returns unless Ctrl-C or a failing report stops it.
pub fn run<T: Send>(py: Python<'_>, report: &Report, work: impl FnOnce(&dyn Progress) -> T + Send) -> PyResult<T> {
    run_in(py, pool()?, report, work)
}

/// Does long work on this many threads.
pub fn run_on<T: Send>(py: Python<'_>, threads: usize, work: impl FnOnce(&dyn Progress) -> T + Send) -> PyResult<T> {
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().map_err(no_threads)?;
    run_in(py, &pool, &Report::None, work)
}

fn run_in<T: Send>(
    py: Python<'_>,
    pool: &ThreadPool,
    report: &Report,
    work: impl FnOnce(&dyn Progress) -> T + Send,
) -> PyResult<T> {
    let (watch, started) = (Watch::default(), Instant::now());
    let mut raised = None;
    let mut shown = false;
    let done = thread::scope(|scope| {
        let waiting = thread::current();
        let watch = &watch;
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            let done = pool.install(|| work(watch));
            watch.is_done.store(true, Ordering::Release);
            waiting.unpark();
            done
        });
        let worker = worker.map_err(no_threads)?;
        // A thread that has panicked is finished without having said so.
        while !(watch.is_done.load(Ordering::Acquire) || worker.is_finished()) {
            py.detach(|| thread::park_timeout(BEAT));
            let is_shown = started.elapsed() > PATIENCE || matches!(report, Report::Function(_));
            let told = if is_shown && !worker.is_finished() { tell(py, report, watch) } else { Ok(()) };
            shown |= is_shown;
            if let Err(error) = told.and_then(|()| py.check_signals()) {
                watch.stopped.store(true, Ordering::Relaxed);
                raised.get_or_insert(error);
            }
        }
        Ok::<_, PyErr>(worker.join())
    })?;
    if shown && matches!(report, Report::Text) {
        write(py, "\r\x1b[K")?;
    }
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => Ok(done),
        (None, Err(panic)) => std::panic::resume_unwind(panic),
    }
}

/// Does short work that may still use threads.
pub fn quick<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let pool = pool()?;
    Ok(py.detach(|| pool.install(work)))
}

/// Tells how far the work is.
fn tell(py: Python<'_>, report: &Report, watch: &Watch) -> PyResult<()> {
    let (stage, steps) = *watch.stage.lock().unwrap_or_else(PoisonError::into_inner);
    let done = watch.done.load(Ordering::Relaxed);
    match report {
        // Nothing has begun yet.
        _ if stage.is_empty() => Ok(()),
        Report::None => Ok(()),
        Report::Function(function) => function.call1(py, (stage, done, steps)).map(|_| ()),
        Report::Text => match steps {
            Some(steps) if steps > 0 => write(py, &format!("\r\x1b[K{stage}: {} %", 100 * done.min(steps) / steps)),
            _ => write(py, &format!("\r\x1b[K{stage}")),
        },
    }
}

fn write(py: Python<'_>, text: &str) -> PyResult<()> {
    let out = py.import("sys")?.getattr("stderr")?;
    if out.is_none() {
        return Ok(());
    }
    out.call_method1("write", (text,))?;
    out.call_method0("flush").map(|_| ())
}

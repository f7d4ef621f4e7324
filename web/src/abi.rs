//! The door to the browser: the page writes a request into memory, asks for the answer, and reads it from there.
//!
//! ```text
//!   room(n)        memory for a request of n bytes
//!   answer()       answers that request; returns the size of the answer
//!   answer_at()    where the answer begins
//! ```
//!
//! A panic ends the worker that the page runs this in; the page then starts another.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use menace::Progress;
use menace::progress::Stage;

use crate::app::App;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static APP: RefCell<Option<App>> = const { RefCell::new(None) };
}

/// Makes room for a request, and returns where it goes.
#[allow(unsafe_code, reason = "the page calls it by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn room(size: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(size, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request that was written, and returns the size of the answer.
#[allow(unsafe_code, reason = "the page calls it by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = REQUEST.take();
    let answer = APP.with_borrow_mut(|app| App::answer(app, &request, &Reports::default()));
    ANSWER.with_borrow_mut(|place| {
        *place = answer;
        place.len()
    })
}

/// Where the answer begins.
#[allow(unsafe_code, reason = "the page calls it by this name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// Passes progress on to the page. Work is stopped by ending the worker, since no message reaches it while it works.
#[derive(Default)]
struct Reports {
    done: AtomicU64,
    all: AtomicU64,
}

impl Progress for Reports {
    fn start(&self, _stage: Stage, steps: Option<u64>) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(steps.unwrap_or(0), Ordering::Relaxed);
        report(0, 0);
    }

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        report(done, self.all.load(Ordering::Relaxed));
        ControlFlow::Continue(())
    }
}

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code, reason = "a function of the page")]
fn report(done: u64, all: u64) {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        safe fn progress(done: f64, all: f64);
    }
    progress(done as f64, all as f64);
}

#[cfg(not(target_arch = "wasm32"))]
fn report(_done: u64, _all: u64) {}

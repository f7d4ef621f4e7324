//! The page's half of `menace`: a request comes in as JSON, and what the page draws goes out as JSON.
//!
//! The page itself is HTML, CSS and scripts that draw and listen; it knows no rule, no reason and no learning step. Everything it
//! shows is worked out here, by the library: whose turn it is, which moves there are, what the machine draws and why, how the beads
//! change after a game, and every sentence that says so.
//!
//! [`App`] holds what the page shows: the settings, the machine and the game in progress. `abi.rs` is the door to the browser.

mod abi;
mod app;
mod build;
mod cabinet;
mod contest;
mod drawer;
mod learner;
mod proof;
mod request;
mod settings;
mod view;
mod words;

pub use app::App;
pub use request::Request;

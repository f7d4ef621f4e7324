//! The page's half of `menace`: a request comes in as JSON, and what the page draws goes out as JSON.
//!
//! The page itself is HTML, CSS and scripts that draw, listen and label what they draw. It knows no rule, no reason and no learning
//! step. Whatever is true of a game or a machine is worked out here, by the library: whose turn it is, which moves there are, what the
//! machine draws and why, how the beads change after a game, and the sentences that say so.
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
mod worth;

pub use app::App;
pub use request::Request;

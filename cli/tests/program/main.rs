//! The program, run as people run it: what it prints, what it writes, what it refuses and with which exit code.

#[path = "../common/mod.rs"]
mod common;

#[cfg(unix)]
mod cluster;
mod commands;
mod diff;
mod docs;
mod draw;
mod explain;
#[cfg(unix)]
mod files;
mod format;
mod games;
mod generate;
mod kit;
#[cfg(target_os = "linux")]
mod limits;
mod man;
mod odds;
mod packed;
mod play;
mod probe;
#[cfg(unix)]
mod shelf;
#[cfg(unix)]
mod signals;
mod tables;
mod train;
mod verify;

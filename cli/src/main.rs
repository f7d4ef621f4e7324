//! The command line over the library: parse, run one command, turn its answer into an exit code.

mod advice;
mod commands;
mod files;
mod memory;
mod play;
mod progress_bar;
mod show;
mod signals;
mod threads;
mod words;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use commands::Cli;

/// The command could not run.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    signals::prepare();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse_arguments(&error),
    };
    threads::prepare();
    let code = cli.run().unwrap_or_else(|error| {
        if error.chain().any(advice::is_stop) {
            signals::note_stop();
        }
        complain(&advice::sentence(&error))
    });
    signals::die_if_stopped();
    code
}

/// Says one sentence, in which nothing that came from a file can steer the terminal.
fn complain(sentence: &str) -> ExitCode {
    tell(&format!("menace: {}", show::visible(sentence)));
    ExitCode::from(TROUBLE)
}

/// Writes a line to standard error. If that fails, there is nobody to say so to.
fn tell(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Help and version go out as they are; anything else becomes one sentence.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // If this fails, there is nobody to say so to.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { TROUBLE } else { 0 });
    }
    let text = error.render().to_string();
    let told = text.split("\n\nUsage:").next().unwrap_or(&text);
    let told = told.split("\n\nFor more information").next().unwrap_or(told);
    let lines: Vec<&str> =
        told.trim_start_matches("error:").lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    complain(&format!("{}; `--help` says more", lines.join("; ").replace(":;", ":")))
}

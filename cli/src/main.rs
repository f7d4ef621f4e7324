//! The program: parse the command line, run one command of the library, turn its answer into an exit code.

mod advice;
mod commands;
mod files;
mod play;
mod probe;
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

/// The exit code of a command that could not run.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    signals::prepare();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse_arguments(&error),
    };
    threads::prepare(cli.threads());
    let code = cli.run().unwrap_or_else(|error| {
        signals::note_stop();
        complain(&advice::sentence(&error))
    });
    signals::die_if_stopped();
    code
}

/// Prints one sentence. Control characters are replaced, so that text from a file cannot steer the terminal.
fn complain(sentence: &str) -> ExitCode {
    tell(&format!("menace: {}", show::visible(sentence)));
    ExitCode::from(TROUBLE)
}

/// Writes a line to standard error. If that fails, there is nowhere left to report it.
fn tell(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Prints help and version as they are, and anything else as one sentence.
fn refuse_arguments(error: &clap::Error) -> ExitCode {
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    ) {
        // If this fails, there is nowhere left to report it.
        let _ = error.print();
        return ExitCode::from(if error.use_stderr() { TROUBLE } else { 0 });
    }
    let text = error.render().to_string();
    let told = text.split("\n\nUsage:").next().unwrap_or(&text);
    let told = told.split("\n\nFor more information").next().unwrap_or(told);
    let lines: Vec<&str> =
        told.trim_start_matches("error:").lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    complain(&format!("{}; see `--help`", lines.join("; ").replace(":;", ":")))
}

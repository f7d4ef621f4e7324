//! `menace completions`: scripts that let a shell complete commands and options.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  menace completions bash > ~/.local/share/bash-completion/completions/menace
  menace completions zsh > ~/.zfunc/_menace
  menace completions fish > ~/.config/fish/completions/menace.fish";

/// Print shell completions
///
/// Prints a script that lets your shell complete the commands, options and games.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Shell to print the script for
    shell: Shell,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "menace", &mut script);
        crate::files::written_to_stdout(io::stdout().lock().write_all(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}

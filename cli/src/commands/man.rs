//! `menace man`: the manual pages.
//!
//! They are made from the arguments and help texts of the commands, so no page can be out of date. The trap: a help text ends in
//! examples set in columns, which a page would run together. Here each gets a paragraph of its own.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use super::picture::write_bytes;
use crate::files::{self, Destination};
use crate::show;
use crate::tell;
use crate::words::counted;

const EXAMPLES: &str = "\
Examples:
  menace man | man -l -                    read the page of the program
  menace man draw labels | man -l -        read the page of a command
  menace man -o ~/.local/share/man/man1    install all pages";

/// Print manual pages
///
/// Prints the page of the program or of one command to standard output, as roff. With --output, writes all pages into a folder:
/// menace.1, menace-generate.1, menace-draw-labels.1 and so on.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Command whose page to print, such as generate or draw labels [default: the program itself]
    command: Vec<String>,

    /// Write all pages into this folder, which is made if it is missing
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output: Option<PathBuf>,

    /// Overwrite any existing file, even one that menace did not write
    #[arg(long, requires = "output")]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut program = super::Cli::command().disable_help_subcommand(true);
        program.build();
        match self.output {
            Some(folder) => write_pages(&program, &folder, self.replace)?,
            None => {
                let page = page(find(&program, &self.command)?)?;
                files::written_to_stdout(io::stdout().lock().write_all(&page))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The command with this name, word by word.
fn find<'a>(program: &'a Command, words: &[String]) -> anyhow::Result<&'a Command> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let (word, parent) = (show::short(word), command.get_bin_name().unwrap_or("menace"));
            let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
            match names.split_last() {
                Some((last, names)) => {
                    anyhow!("\"{word}\" is not a command of `{parent}`; expected {} or {last}", names.join(", "))
                }
                None => anyhow!("`{parent}` has no commands of its own; leave \"{word}\" out"),
            }
        })
    })
}

/// Writes all pages into a folder, or none as far as can be told beforehand.
fn write_pages(program: &Command, folder: &Path, may_replace: bool) -> anyhow::Result<()> {
    if files::is_stdio(folder) {
        bail!("several pages need a folder; for standard output choose one page and leave -o out");
    }
    let name = show::visible(folder);
    fs::create_dir_all(folder).with_context(|| format!("the folder \"{name}\" could not be made"))?;
    let mut pages = Vec::new();
    for command in with_subcommands(program) {
        let path = folder.join(format!("{}.1", page_name(command)));
        pages.push((Destination::picture(path).replacing(may_replace).check()?, page(command)?));
    }
    for (destination, page) in &pages {
        write_bytes(destination, page)?;
    }
    tell(&format!("{} written to {name}", counted(pages.len() as u64, "page")));
    Ok(())
}

/// A command and all below it.
fn with_subcommands(command: &Command) -> Vec<&Command> {
    let below = command.get_subcommands().flat_map(with_subcommands);
    [command].into_iter().chain(below).collect()
}

/// What a page is called: `menace-draw-labels`.
fn page_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command, as roff.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let bare = command
        .clone()
        .after_help(Resettable::Reset)
        .subcommand_help_heading("COMMANDS")
        .subcommand_value_name("command");
    let mut page = Vec::new();
    Man::new(bare)
        // No date, so that the same program gives the same bytes; an argument that is empty is written with its quotes.
        .date("\"\"")
        .source(concat!("menace ", env!("CARGO_PKG_VERSION")))
        .manual("menace manual")
        .render(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    if let Some(help) = command.get_after_help() {
        // The page defines Aq as an apostrophe that stays straight.
        page += &notes(&help.to_string()).to_roff().replace('\'', r"\*(Aq");
    }
    // Left as they are, these would be printed as accents, and examples could not be copied.
    Ok(page.replace('`', r"\(ga").replace('~', r"\(ti").replace('^', r"\(ha").into_bytes())
}

/// The end of a help text: examples, remarks and exit codes.
fn notes(help: &str) -> Roff {
    let mut roff = Roff::new();
    let mut is_in_paragraph = false;
    for line in help.lines() {
        let continues = std::mem::replace(&mut is_in_paragraph, !line.is_empty() && !line.starts_with(' '));
        if line.is_empty() {
            continue;
        }
        if line == "Examples:" {
            roff.control("SH", ["EXAMPLES"]);
        } else if let Some(continued) = line.strip_prefix("    ") {
            roff.control("br", []).text([bold(format!("    {continued}"))]);
        } else if let Some(example) = line.strip_prefix("  ") {
            let (command, meaning) = example.split_once("  ").unwrap_or((example, ""));
            roff.control("PP", []).text([bold(command)]);
            if !meaning.is_empty() {
                roff.control("RS", ["4"]).text([roman(meaning.trim())]).control("RE", []);
            }
        } else if let Some(codes) = line.strip_prefix("Exit codes: ") {
            roff.control("SH", ["EXIT STATUS"]).text([roman(codes)]);
        } else if continues {
            roff.text([roman(line)]);
        } else {
            roff.control("PP", []).text([roman(line)]);
        }
    }
    roff
}

//! `menace draw`: pictures of boxes and tables.

mod labels;
mod map;
mod matchbox;
mod page;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use menace::draw::Paper;
use menace::{Aim, Plan, Side, Table, games};

use super::GameName;
use super::picture::{Format, PictureArgs, Target, Wanted, write_bytes};
use crate::files;

const EXAMPLES: &str = "\
Examples:
  menace draw page                        a page to play on in a browser
  menace draw map --machine second        everything that O plays, as SVG
  menace draw labels -o labels.pdf        label sheets for real matchboxes
  menace draw labels --beads michie       those of a machine that learns
  menace draw box X.X/.../..O             one box, in the terminal
  menace draw map output/tictactoe.json -o map.png";

/// Draw a page, a map, labels or a box
///
/// Draws from a table, or from boxes made on the spot. Each file is self-contained and loads nothing. The ending of its name chooses
/// the format: .svg, .png or .pdf, and .html for the page.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Page(page::Args),
    Map(map::Args),
    Labels(labels::Args),
    Box(matchbox::Args),
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.what {
            What::Page(args) => args.run(),
            What::Map(args) => args.run(),
            What::Labels(args) => args.run(),
            What::Box(args) => args.run(),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The table to draw.
#[derive(clap::Args)]
struct TableArgs {
    /// Table to draw, or TABLE@ROUND for that table as it was after a round; - is standard input [default: boxes made on the spot]
    table: Option<OsString>,

    /// Game to draw, if no table is given; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// Which beads stay, if no table is given; `menace help generate` explains the aims [default: safe, for `draw map` fastest]
    #[arg(long, value_name = "AIM", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Option<Aim>,
}

impl TableArgs {
    /// Reads the table, or makes one by this plan with the chosen game and aim.
    fn load(&self, plan: Plan) -> anyhow::Result<Table> {
        match &self.table {
            Some(table) => files::load(table),
            None => {
                let aim = self.aim.unwrap_or(plan.aim);
                super::make(games::find(&self.game)?, &Plan { aim, ..plan })
            }
        }
    }
}

/// The machine that was asked for, or else the first one in the table.
fn machine_of(table: &Table, asked: Option<Side>) -> Side {
    asked.or_else(|| table.machines().iter().next()).unwrap_or(Side::First)
}

/// The default name of a picture of a game.
fn default_name(table: &Table, what: &str, machine: Option<Side>, ending: &str) -> String {
    let machine = machine.map(|machine| format!("-{machine}")).unwrap_or_default();
    format!("{}{what}{machine}.{ending}", super::file_name(&**table.game()))
}

/// Parses a size of paper by its name.
fn paper_parser() -> impl TypedValueParser<Value = Paper> {
    PossibleValuesParser::new(Paper::ALL.map(Paper::name))
        .map(|name| Paper::from_name(&name).expect("only names of papers are possible"))
}

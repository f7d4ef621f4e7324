//! `menace draw`: pictures of boxes and tables.

mod labels;
mod map;
mod matchbox;
mod page;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Subcommand;
use menace::{Aim, Plan, Side, Table, games};

use super::GameName;
use super::picture::{Format, PictureArgs, Target, Wanted, write_bytes};
use crate::files;

const EXAMPLES: &str = "\
Examples:
  menace draw page                        output/tictactoe.html, to play in a browser
  menace draw map --machine second        all that O plays, as SVG
  menace draw labels -o labels.pdf        sheets for real matchboxes
  menace draw box X.X/.../..O             one box, in the terminal
  menace draw map output/tictactoe.json -o map.png";

/// Draw boxes and tables: a page, a map, labels, a box
///
/// Pictures are made from a table, or from boxes made on the spot. Each is one file that loads nothing from anywhere; the ending
/// of its name says what it is: .svg, .png, .pdf, and .html for the page.
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

/// The table that a picture is of.
#[derive(clap::Args)]
struct TableArgs {
    /// The table; TABLE@ROUND is the table as it stood after a round, and without one the boxes are made on the spot
    table: Option<OsString>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given [default: safe; fastest for a map]
    #[arg(long, value_name = "AIM", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Option<Aim>,
}

impl TableArgs {
    /// Reads the table, or makes one by a plan, with the game and aim that were asked for.
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

/// The machine that was asked for, or the first that there are boxes for.
fn machine_of(table: &Table, asked: Option<Side>) -> Side {
    asked.or_else(|| table.machines().iter().next()).unwrap_or(Side::First)
}

/// A file of a game's picture.
fn default_name(table: &Table, what: &str, machine: Option<Side>, ending: &str) -> String {
    let machine = machine.map(|machine| format!("-{machine}")).unwrap_or_default();
    format!("{}{what}{machine}.{ending}", super::file_name(&**table.game()))
}

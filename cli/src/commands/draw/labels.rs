//! `menace draw labels`: label sheets for real matchboxes.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use menace::draw::{Labels, LabelsError, LabelsPlan, Paper, check_labels, labels};
use menace::search::count_up_to;
use menace::{Plan, Side, Table, games};

use super::{Format, PictureArgs, TableArgs, Target, Wanted, default_name, machine_of, paper_parser};
use crate::commands::{MOST_BOARDS, side_parser};
use crate::tell;
use crate::words::counted;

const EXAMPLES: &str = "\
Examples:
  menace draw labels                                the 304 boxes of tic-tac-toe
  menace draw labels --paper letter --face 40x16    other paper, larger drawers
  menace draw labels -o labels.svg                  labels-01.svg, and so on
  menace kit && menace draw labels output/tictactoe-kit-first.json
  menace train --games 0 -o start.json && menace draw labels start.json";

/// Draw labels for real matchboxes
///
/// Each label shows the board, its number and the beads to put in, by colour, with lines to cut and fold along and tabs to glue. After
/// the labels come an index that finds the box of a board, and a shopping list. Print the sheets at 100 %.
///
/// A board with only one legal move needs no box. In tic-tac-toe the first machine has 338 boxes, one for each class of rotations and
/// mirror images. 34 of them have only one legal move, which leaves 304, as in Michie's machine.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Machine to build [default: first, or the only one in the table]
    #[arg(long, value_name = "MACHINE", value_parser = side_parser())]
    machine: Option<Side>,

    /// Paper size
    #[arg(long, default_value = "a4", value_parser = paper_parser())]
    paper: Paper,

    /// Width and height of the front of a drawer, in millimetres
    #[arg(long, value_name = "WxH", default_value = "36x14", value_parser = parse_face, allow_hyphen_values = true)]
    face: (f64, f64),

    /// Height of the tabs, in millimetres; 0 leaves them out
    #[arg(long, value_name = "MM", default_value = "4", value_parser = parse_millimetres, allow_hyphen_values = true)]
    tab: f64,

    /// Also draw labels for boards with only one legal move
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    picture: PictureArgs,

    /// File to write: .pdf, or .svg or .png for a numbered file per sheet; - is standard output, as PDF [default:
    /// output/GAME-labels-MACHINE.pdf]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        if self.table.table.is_none() {
            check_labels(&*games::find(&self.table.game)?)
                .map_err(|error| anyhow!("{error}; choose a smaller game"))?;
        }
        let machines = self.machine.unwrap_or(Side::First).into();
        let table = self.table.load(Plan { machines, symmetry: true, ..Plan::default() })?;
        let machine = machine_of(&table, self.machine);
        let target = Target::new(Wanted {
            path: self.path,
            default: default_name(&table, "-labels", Some(machine), "pdf"),
            width: self.picture.width,
            on_stdout: Format::Pdf,
            may_replace: self.picture.replace,
        })?;
        let asked = LabelsPlan { machine, paper: self.paper, face: self.face, tab: self.tab, with_forced: self.all };
        let Labels { sheets, count, left_out } = match labels(&table, &asked) {
            Err(error @ LabelsError::TooMany) => bail!("{error}; {}", smaller(&table)),
            made => made?,
        };
        target.save(&sheets)?;
        let sheets = counted(sheets.len() as u64, "sheet");
        tell(&format!("{}, the index and the shopping list: {sheets}", counted(count as u64, "label")));
        if left_out > 0 {
            tell(&format!(
                "Boxes with only one legal move need no label: {left_out} are left out; --all draws those as well"
            ));
        }
        Ok(())
    }
}

/// What to print instead of a table with too many boxes.
fn smaller(table: &Table) -> &'static str {
    match count_up_to(&**table.game(), MOST_BOARDS) {
        Some(_) if table.symmetry() => "draw the labels of a kit, which `menace kit` makes",
        Some(_) => "make a smaller one with --symmetry, or a kit",
        None => "choose a smaller game",
    }
}

fn parse_face(text: &str) -> anyhow::Result<(f64, f64)> {
    let sides = text.split_once(['x', 'X']).ok_or_else(|| anyhow!("width and height were expected, such as 36x14"))?;
    Ok((parse_millimetres(sides.0)?, parse_millimetres(sides.1)?))
}

fn parse_millimetres(text: &str) -> anyhow::Result<f64> {
    let number: Option<f64> = text.trim().parse().ok();
    number
        .filter(|number| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| anyhow!("millimetres were expected, 0 or more, such as 14 or 14.5"))
}

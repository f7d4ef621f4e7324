//! `menace draw labels`: label sheets for real matchboxes.

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use menace::draw::{LabelsError, LabelsPlan, Paper, check_labels, labels};
use menace::search::{MOST_BOARDS, count_up_to};
use menace::{Plan, Side, Table, games};

use super::{Format, PictureArgs, TableArgs, Target, Wanted, default_name, machine_of, paper_parser};
use crate::commands::teaching::{TeachingArgs, untrained};
use crate::commands::{check_small, side_parser};
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace draw labels                                the 304 boxes of tic-tac-toe
  menace draw labels --beads michie                 Michie's machine, which learns
  menace draw labels --paper letter --face 40x16    other paper, larger drawers
  menace draw labels -o labels.svg                  labels-01.svg, and so on
  menace kit && menace draw labels output/tictactoe-kit-first.json
  menace draw labels output/tictactoe-trained-first.json

Gardner's hexapawn machine, which removes the bead that lost:
  menace draw labels --game hexapawn --beads 1 --reward 0,0,all \\
    --blame last --empty resign";

/// Draw labels for real matchboxes
///
/// Each label shows the board, its number and the beads to put in, by colour, with lines to cut and fold along and tabs to glue. After
/// the labels come an index that finds the box of a board, and a shopping list. Print the sheets at 100 %.
///
/// Without --beads, these are the labels of the finished machine, which does not learn. --beads draws those of a machine that has
/// played no game and is going to learn, as do --reward, --blame and --empty. Its labels begin a new sheet for each of its moves, so that
/// you can print each on paper of another colour, and two more sheets hold the rules of learning and a table for the score. A trained
/// table gives the same sheets.
///
/// A board with only one legal move needs no box. In tic-tac-toe the first machine has 338 boxes, one for each class of rotations and
/// mirror images. 34 of them have only one legal move, which leaves 304, as in Michie's machine.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Machine to build [default: first, or second if the game is lost for the first; with a table, the first that it has]
    #[arg(long, value_name = "MACHINE", value_parser = side_parser())]
    machine: Option<Side>,

    #[command(flatten)]
    teaching: TeachingArgs,

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
        self.check_teaching()?;
        let table = self.load()?;
        let machine = machine_of(&table, self.machine);
        let target = Target::new(Wanted {
            path: self.path,
            default: default_name(&table, "-labels", Some(machine), "pdf"),
            width: self.picture.width,
            on_stdout: Format::Pdf,
            may_replace: self.picture.replace,
        })?;
        let asked = LabelsPlan { machine, paper: self.paper, face: self.face, tab: self.tab, with_forced: self.all };
        let made = match labels(&table, &asked) {
            Err(error @ LabelsError::TooMany) => bail!("{error}; {}", smaller(&table)),
            made => made?,
        };
        target.save(&made.sheets)?;
        tell(&made.about());
        let left_out = made.left_out;
        if left_out > 0 {
            tell(&format!(
                "Boxes with only one legal move need no label: {left_out} are left out; --all draws those as well"
            ));
        }
        Ok(())
    }

    /// Refuses options that say how a new machine learns, if they could have no effect.
    fn check_teaching(&self) -> anyhow::Result<()> {
        if !self.teaching.is_given() {
            return Ok(());
        }
        let what = "--beads, --reward, --blame and --empty are for a new machine that learns";
        if self.table.table.is_some() {
            bail!("{what}, and a table has its own beads; leave out either them or the table");
        }
        if self.table.aim.is_some() {
            bail!("{what}, and --aim is for one that does not; leave out either them or --aim");
        }
        if self.all {
            bail!("{what}, which has no box for a board with only one legal move; leave out --all");
        }
        Ok(())
    }

    /// The table that was given, or one made on the spot.
    fn load(&self) -> anyhow::Result<Table> {
        if self.table.table.is_some() {
            return self.table.load(Plan::default());
        }
        let game = games::find(&self.table.game)?;
        check_labels(&*game).map_err(|error| anyhow!("{error}; choose a smaller game"))?;
        let is_learner = self.teaching.is_given();
        if is_learner {
            check_small(&*game, "learning is", "a smaller game")?;
        }
        let plan = |machine: Side| Plan { machines: machine.into(), symmetry: true, ..Plan::default() };
        let (machine, pruned) = match self.machine {
            Some(machine) => (machine, None),
            None => {
                let first = self.table.load(plan(Side::First))?;
                match is_lost(&first)? {
                    false => (Side::First, Some(first)),
                    true => {
                        tell(&format!(
                            "The first machine of {} loses against best play, so these are the labels of the second; --machine first draws the others",
                            games::title(&game.name())
                        ));
                        (Side::Second, None)
                    }
                }
            }
        };
        match pruned {
            _ if is_learner => untrained(game, machine, &self.teaching.over(None)?),
            Some(table) => Ok(table),
            None => self.table.load(plan(machine)),
        }
    }
}

/// Whether the first machine of a table is lost from the start.
fn is_lost(table: &Table) -> anyhow::Result<bool> {
    let start = table.matchbox(table.game().start())?;
    Ok(start.is_some_and(|matchbox| matchbox.banned().is_some()))
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

//! `menace stats`: counts of a table and its game.

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use menace::show::BOLD;
use menace::stats::{Counts, Start, Stats, TableStats};

use crate::files::{self, Kept, Source};
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace stats output/tictactoe.json
  menace stats --json output/tictactoe.json
  menace generate --game morris -o - | menace stats -";

/// Count boards, boxes and beads
///
/// The boards of the table's game that can be reached, by number of stones, by verdict for the side to move and by the number
/// of moves in which they are decided; and the boxes, beads and banned boards of the table. A finished board counts as won or
/// lost for the side that would move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    table: String,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let stats = match files::load(&Source::parse(&self.table)?)? {
            Kept::Whole(run) => {
                super::check_size(&*run.game)?;
                Stats::of(&run, &Bar::new())
            }
            Kept::Packed(packed) => Stats::of_packed(&packed, &Bar::new()).with_context(|| self.table.clone())?,
        };
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = if self.json { print_json(&stats, &mut out) } else { print(&stats, &mut out) };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn print_json(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, stats)?;
    writeln!(out)
}

fn print(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let start = match stats.start {
        Start { verdict, depth: Some(1) } => format!("a {verdict} for X in 1 move"),
        Start { verdict, depth: Some(depth) } => format!("a {verdict} for X in {depth} moves"),
        Start { verdict, depth: None } => format!("a {verdict}"),
    };
    writeln!(out, "{BOLD}{}{BOLD:#}: {start}\n", stats.game)?;
    writeln!(
        out,
        "{BOLD}{:>7} {:>10} {:>10} {:>10} {:>10} {:>10}{BOLD:#}",
        "stones", "boards", "won", "drawn", "lost", "finished"
    )?;
    for tier in stats.boards.by_stones.iter().filter(|tier| tier.counts.total > 0) {
        print_counts(&tier.stones.to_string(), &tier.counts, out)?;
    }
    print_counts("all", &stats.boards.all, out)?;
    if !stats.boards.by_depth.is_empty() {
        writeln!(out, "\n{BOLD}{:>7} {:>10} {:>10}{BOLD:#}", "moves", "won", "lost")?;
    }
    for depth in &stats.boards.by_depth {
        writeln!(out, "{:>7} {:>10} {:>10}", depth.moves, depth.win, depth.loss)?;
    }
    writeln!(out, "\n{BOLD}{:>7} {:>10} {:>10}  banned by round{BOLD:#}", "machine", "boxes", "beads")?;
    let machines = [("first", &stats.machines.first), ("second", &stats.machines.second)];
    for (name, table) in machines.into_iter().filter_map(|(name, table)| Some((name, table.as_ref()?))) {
        let TableStats { boxes, beads, banned, banned_at_start, banned_in_all } = table;
        let mut rounds: Vec<String> = match banned {
            Some(banned) => banned.iter().map(u64::to_string).collect(),
            None => vec![format!("{banned_in_all} in all, rounds are not on record")],
        };
        if rounds.is_empty() {
            rounds.push("none".to_owned());
        }
        if *banned_at_start > 0 {
            rounds.push(format!("and {banned_at_start} from the start"));
        }
        writeln!(out, "{name:>7} {boxes:>10} {beads:>10}  {}", rounds.join(" "))?;
    }
    Ok(())
}

fn print_counts(name: &str, counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
    let Counts { total, win, draw, loss, finished } = counts;
    writeln!(out, "{name:>7} {total:>10} {win:>10} {draw:>10} {loss:>10} {finished:>10}")
}

//! `menace stats`: counts boards, boxes and beads.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use menace::game::player_name;
use menace::stats::{Counts, MachineStats, Start, Stats};
use menace::{Game, Side, games};

use crate::files::{self, Source};
use crate::progress_bar::Bar;
use crate::show::BOLD;
use crate::words::counted;

const EXAMPLES: &str = "\
Examples:
  menace stats output/tictactoe.json
  menace stats output/tictactoe.json@1         as it was after round 1
  menace stats --json output/tictactoe.json    one JSON object, for programs
  menace generate --game morris -o - | menace stats -";

/// Count boards, boxes and beads
///
/// Counts the boards that can occur in the game: by number of stones, by verdict for the side to move, and by how many moves the
/// win or loss takes. Then counts the boxes, beads and banned boards of the table. A finished board counts as won or lost for the
/// side that would move next.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Table to count, or TABLE@ROUND; - is standard input
    #[arg(allow_hyphen_values = true)]
    table: OsString,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let source = Source::parse(&self.table)?;
        let table = source.load()?;
        if !table.is_packed() {
            super::check_size(&**table.game())?;
        }
        let stats = Stats::of(&table, &Bar::new()).with_context(|| source.name())?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = match self.json {
            true => print_json(&stats, &mut out),
            false => print(&stats, &**table.game(), &mut out),
        };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn print_json(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, stats)?;
    writeln!(out)
}

fn print(stats: &Stats, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
    let first = player_name(game, Side::First);
    let start = match stats.start {
        Start { verdict, depth: Some(depth) } => {
            format!("a {verdict} for {first} in {}", counted(depth.into(), "move"))
        }
        Start { verdict: "draw", depth: None } => "a draw".to_owned(),
        Start { verdict, depth: None } => format!("a {verdict} for {first}"),
    };
    writeln!(out, "{BOLD}{}{BOLD:#}: {start}\n", games::title(&stats.game))?;
    writeln!(
        out,
        "{BOLD}{:>7} {:>10} {:>10} {:>10} {:>10} {:>10}{BOLD:#}",
        "stones", "boards", "won", "drawn", "lost", "finished"
    )?;
    for tier in stats.boards.by_stones.iter().filter(|tier| tier.counts.total > 0) {
        print_counts(&tier.stones.to_string(), &tier.counts, out)?;
    }
    print_counts("all", &stats.boards.all, out)?;
    if stats.boards.by_depth.is_some() {
        writeln!(out, "\n{BOLD}{:>7} {:>10} {:>10}{BOLD:#}", "moves", "won", "lost")?;
    }
    for depth in stats.boards.by_depth.iter().flatten() {
        writeln!(out, "{:>7} {:>10} {:>10}", depth.moves, depth.win, depth.loss)?;
    }
    writeln!(out, "\n{BOLD}{:>7} {:>10} {:>10}  banned by round{BOLD:#}", "machine", "boxes", "beads")?;
    for (side, machine) in stats.machines.iter().filter_map(|(side, machine)| Some((side, machine.as_ref()?))) {
        let MachineStats { boxes, beads, banned, banned_at_start, banned_in_all } = machine;
        let mut rounds: Vec<String> = match banned {
            Some(banned) => banned.iter().map(u64::to_string).collect(),
            None => vec![format!("{banned_in_all} in total, the rounds are not on record")],
        };
        if rounds.is_empty() {
            rounds.push("none".to_owned());
        }
        if *banned_at_start > 0 {
            rounds.push(format!("plus {banned_at_start} from the start"));
        }
        writeln!(out, "{side:>7} {boxes:>10} {beads:>10}  {}", rounds.join(" "))?;
    }
    Ok(())
}

fn print_counts(name: &str, counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
    let Counts { total, win, draw, loss, finished } = counts;
    writeln!(out, "{name:>7} {total:>10} {win:>10} {draw:>10} {loss:>10} {finished:>10}")
}

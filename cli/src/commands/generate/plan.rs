//! `menace generate --plan`: what making a table takes, part by part, before anything is made.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use indicatif::HumanBytes;
use menace::table::{OutsidePlan, Schedule, Shelf};
use menace::{Game, Plan, games};

use super::super::human_count;
use crate::files;
use crate::progress_bar::Bar;
use crate::show::BOLD;
use crate::words::counted;

/// Prints the plan of a table, and puts it on a shelf if there is one.
pub fn print_plan(
    game: Arc<dyn Game>,
    plan: &Plan,
    shelf: Option<&Path>,
    computers: usize,
    is_json: bool,
) -> anyhow::Result<()> {
    let title = games::title(&game.name()).to_owned();
    let boards = human_count(game.boards_at_most());
    let bar = Bar::new();
    let schedule = match shelf {
        Some(folder) => Shelf::create(folder, game, plan, &bar)?.schedule().clone(),
        None => plan.schedule(&*game, &bar)?,
    };
    drop(bar);
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    let printed = match is_json {
        true => serde_json::to_writer(&mut out, &schedule).map_err(io::Error::from).and_then(|()| writeln!(out)),
        false => print(&schedule, &title, &boards, computers, &mut out),
    };
    files::written_to_stdout(printed.and_then(|()| out.flush()))
}

fn print(schedule: &Schedule, title: &str, boards: &str, computers: usize, out: &mut dyn Write) -> io::Result<()> {
    let Schedule { memory, table, borders, borders_in_waves, traffic, seconds, waves, parts, .. } = schedule;
    let (parts_of, waves_of) = (counted(parts.len() as u64, "part"), counted(waves.len() as u64, "wave"));
    writeln!(out, "{BOLD}{title}{BOLD:#}: up to {boards} boards in {parts_of} and {waves_of}")?;
    writeln!(out)?;
    writeln!(out, "memory   {}, for the largest part", HumanBytes(*memory))?;
    if let Some(OutsidePlan { memory, disk }) = schedule.outside {
        writeln!(
            out,
            "         or {}, with two of its tiers in {} of disk, besides the table",
            HumanBytes(memory),
            HumanBytes(disk)
        )?;
    }
    writeln!(out, "disk     {} of table, and borders that wait to be read:", HumanBytes(*table))?;
    writeln!(
        out,
        "         up to {} part by part, {} wave by wave",
        HumanBytes(*borders),
        HumanBytes(*borders_in_waves)
    )?;
    writeln!(out, "traffic  {} of borders and parts, each border written and read once", HumanBytes(*traffic))?;
    writeln!(out, "time     about {} on this computer", duration(*seconds))?;
    if computers > 1 {
        let on_all = duration(schedule.seconds_on(computers));
        writeln!(out, "         about {on_all} on {computers} such computers, with a network that is fast enough")?;
    }
    writeln!(out)?;
    writeln!(out, "wave   parts   memory each     read in all  written in all        time")?;
    for (number, wave) in waves.iter().enumerate() {
        let of = || wave.iter().map(|&part| &parts[part]);
        let memory = HumanBytes(of().map(|part| part.memory).max().unwrap_or(0)).to_string();
        let reads = HumanBytes(total(of().map(|part| part.reads))).to_string();
        let written = total(of().flat_map(|part| part.borders.values().copied().chain([part.payload])));
        let (written, time) = (HumanBytes(written).to_string(), duration(of().map(|part| part.seconds).sum()));
        writeln!(out, "{number:4} {:7} {memory:>13} {reads:>15} {written:>15} {time:>11}", wave.len())?;
    }
    Ok(())
}

/// A sum of bytes. Those of a plan that was edited can be any numbers.
fn total(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(0, u64::saturating_add)
}

/// A time as people say it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

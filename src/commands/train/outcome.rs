//! What is told of training, and where its curve goes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::HumanCount;
use menace::draw::draw_curves;
use menace::show::BOLD;
use menace::train::{Arena, Curve, Spread, write_csv, write_curves};
use menace::{Player, Tally};

use super::setup::Setup;
use crate::commands::picture::{Format, Target, WIDTH};
use crate::files::{Destination, Saved};

/// Tells how training went, on standard error.
pub fn tell(setup: &Setup, arenas: &[Arena<'_>], curves: &[Curve], saved: Option<&Saved>) {
    let mut out = io::BufWriter::new(anstream::stderr().lock());
    for arena in arenas {
        for machine in arena.learners() {
            let curves: Vec<Curve> = curves.iter().filter(|curve| curve.machine == machine).cloned().collect();
            // If that cannot be written to, nobody is there to be told.
            let _ = tell_machine(setup, machine, arena.box_count(machine), &curves, &mut out);
        }
    }
    if let Some(saved) = saved {
        let _ = writeln!(out, "{saved}");
    }
    let _ = out.flush();
}

fn tell_machine(setup: &Setup, machine: Player, boxes: usize, curves: &[Curve], out: &mut dyn Write) -> io::Result<()> {
    let name = machine.name();
    writeln!(out, "{BOLD}{}, {name} machine, {boxes} boxes{BOLD:#}: {}", setup.run.game.name(), what(setup, curves))?;
    let all = curves.iter().fold(Tally::default(), |all, curve| all.and(&curve.tally));
    let Tally { won, drawn, lost, resigned, kept, refilled } = all;
    let [won, drawn, lost, resigned, kept, refilled] = [won, drawn, lost, resigned, kept, refilled].map(HumanCount);
    writeln!(out, "won {won}, drawn {drawn}, lost {lost}")?;
    writeln!(out, "empty boxes: {resigned} games resigned, {kept} last beads kept, {refilled} boxes refilled\n")?;
    write_curves(curves, out)?;
    writeln!(out, "\n{}", unbeatable(curves))
}

/// Which games were played.
fn what(setup: &Setup, curves: &[Curve]) -> String {
    let games = |curve: &Curve| HumanCount(curve.tally.games());
    let against = setup.against();
    match curves {
        [curve] => format!("{} games against {against}, seed {}", games(curve), curve.seed),
        [first, .., last] => {
            let machines = HumanCount(curves.len() as u64);
            format!(
                "{machines} machines, each {} games against {against}, seeds {} to {}",
                games(first),
                first.seed,
                last.seed
            )
        }
        [] => String::new(),
    }
}

/// Whether and when no line of play was left in which the machine loses.
fn unbeatable(curves: &[Curve]) -> String {
    let after: Vec<f64> = curves.iter().filter_map(|curve| Some(curve.unbeatable_after? as f64)).collect();
    match (curves, &after[..]) {
        ([_], [0.0]) => "It cannot be beaten, whatever it plays.".to_owned(),
        ([_], [games]) => format!("After {games} games it could not be beaten any more."),
        ([_], _) => "It can still be beaten; `menace verify` tells how.".to_owned(),
        (many, []) => format!("All {} machines can still be beaten.", HumanCount(many.len() as u64)),
        (many, some) => {
            let Spread { low, middle, high, mean } = Spread::of(some.to_vec());
            format!(
                "{} of {} machines could not be beaten any more, after {mean:.1} games on average; half of them after {middle}, eight in ten after {low} to {high}.",
                HumanCount(some.len() as u64),
                HumanCount(many.len() as u64)
            )
        }
    }
}

/// A file that a curve goes to.
pub enum CurveFile {
    Csv(PathBuf),
    Picture(Target),
}

impl CurveFile {
    pub fn parse_all(paths: &[PathBuf]) -> anyhow::Result<Vec<CurveFile>> {
        paths.iter().map(|path| CurveFile::parse(path)).collect()
    }

    fn parse(path: &Path) -> anyhow::Result<CurveFile> {
        let ends_in = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        if path != Path::new("-") && !["csv", "svg", "png", "pdf"].into_iter().any(ends_in) {
            bail!("\"{}\" has to end in .csv, .svg, .png or .pdf", path.display());
        }
        if path == Path::new("-") || ends_in("csv") {
            Destination::new(path.to_owned()).check()?;
            return Ok(CurveFile::Csv(path.to_owned()));
        }
        Ok(CurveFile::Picture(Target::new(Some(path.to_owned()), String::new(), WIDTH, Format::Svg)?))
    }

    pub fn is_stdout(&self) -> bool {
        matches!(self, CurveFile::Csv(path) if path == Path::new("-"))
    }

    pub fn save(&self, setup: &Setup, curves: &[Curve]) -> anyhow::Result<()> {
        match self {
            CurveFile::Csv(path) => {
                let saved = Destination::new(path.clone()).save(|mut out| write_csv(curves, &mut out))?;
                crate::tell(&saved.to_string());
            }
            CurveFile::Picture(target) => {
                let of = |machine| curves.iter().filter(move |curve| curve.machine == machine).cloned().collect();
                let machines = setup.machines.players().iter();
                let pictures = machines.map(|&machine| {
                    let curves: Vec<Curve> = of(machine);
                    draw_curves(&curves, &heading(setup, machine))
                });
                target.save(&pictures.collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }
}

fn heading(setup: &Setup, machine: Player) -> String {
    let against = setup.against();
    let beads = setup.teaching.beads.to_string();
    format!("{}: the {} machine learns against {against}, beads {beads}", setup.run.game.name(), machine.name())
}

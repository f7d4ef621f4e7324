//! What is told of training, and where its curve goes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::HumanCount;
use menace::Side;
use menace::draw::draw_curves;
use menace::train::{Arena, Curve, Spread, Tally, write_csv};

use super::setup::Setup;
use crate::commands::picture::{Format, Target, WIDTH, Wanted};
use crate::files::{Destination, Saved};
use crate::show::{self, BOLD};
use crate::words::{counted, write_curves};

/// The curves of a machine, one for each run.
pub struct Found {
    pub machine: Side,
    pub boxes: usize,
    pub curves: Vec<Curve>,
}

impl Found {
    /// The curves of an arena, sorted by machine.
    pub fn all(arena: &Arena<'_>, mut curves: Vec<Curve>) -> Vec<Found> {
        let of = |machine| {
            let curves = curves.extract_if(.., |curve| curve.machine == machine).collect();
            Found { machine, boxes: arena.box_count(machine), curves }
        };
        arena.learners().iter().map(of).collect()
    }

    /// Which games were played.
    fn games(&self, setup: &Setup) -> String {
        let games = |curve: &Curve| counted(curve.tally.games(), "game");
        let against = setup.against();
        match &self.curves[..] {
            [curve] => format!("{} against {against}, seed {}", games(curve), curve.seed),
            [first, .., last] => {
                let machines = HumanCount(self.curves.len() as u64);
                let (from, to) = (first.seed, last.seed);
                format!("{machines} machines, each {} against {against}, seeds {from} to {to}", games(first))
            }
            [] => String::new(),
        }
    }

    /// Whether and since when no line of play is left in which the machine loses.
    fn unbeatable(&self) -> String {
        let after: Vec<f64> = self.curves.iter().filter_map(|curve| Some(curve.unbeatable_after? as f64)).collect();
        let machines = HumanCount(self.curves.len() as u64);
        match (&self.curves[..], &after[..]) {
            ([curve], [_]) if curve.points[0].is_unbeatable => "Unbeatable, as it was before these games.".to_owned(),
            ([_], [games]) => format!("Unbeatable since game {games}."),
            ([_], _) => "It can still be beaten; `menace verify` shows how.".to_owned(),
            (_, []) => format!("All {machines} machines can still be beaten."),
            (_, some) => {
                let Spread { low, middle, high, mean } = Spread::of(some.to_vec());
                format!(
                    "{} of {machines} machines are unbeatable, after {mean:.1} games on average; half of them after {middle:.0}, eight in ten after {low:.0} to {high:.0}.",
                    HumanCount(some.len() as u64),
                )
            }
        }
    }

    fn tell(&self, setup: &Setup, out: &mut dyn Write) -> io::Result<()> {
        let (game, name) = (setup.game.name(), self.machine.name());
        writeln!(out, "{BOLD}{game}, {name} machine, {} boxes{BOLD:#}: {}", self.boxes, self.games(setup))?;
        let all = self.curves.iter().fold(Tally::default(), |all, curve| all.and(&curve.tally));
        let Tally { won, drawn, lost, resigned, kept, refilled } = all;
        let [won, drawn, lost] = [won, drawn, lost].map(HumanCount);
        writeln!(out, "won {won}, drawn {drawn}, lost {lost}")?;
        let (resigned, kept) = (counted(resigned, "game"), counted(kept, "last bead"));
        let refilled = if refilled == 1 { "1 box".to_owned() } else { format!("{} boxes", HumanCount(refilled)) };
        writeln!(out, "empty boxes: {resigned} resigned, {kept} kept, {refilled} refilled\n")?;
        write_curves(&self.curves, out)?;
        writeln!(out, "\n{}", self.unbeatable())
    }
}

/// Tells how training went, on standard error.
pub fn tell(setup: &Setup, found: &[Found], saved: Option<&Saved>) {
    let mut out = io::BufWriter::new(anstream::stderr().lock());
    let told = found.iter().try_for_each(|found| found.tell(setup, &mut out));
    let told = told.and_then(|()| saved.map_or(Ok(()), |saved| writeln!(out, "{saved}")));
    // If that cannot be written to, nobody is there to be told.
    let _ = told.and_then(|()| out.flush());
}

/// A file that a curve goes to.
pub enum CurveFile {
    Csv(Destination),
    Picture(Target),
}

impl CurveFile {
    /// What the names of files ask for.
    pub fn parse_all(paths: &[PathBuf], may_replace: bool) -> anyhow::Result<Vec<CurveFile>> {
        paths.iter().map(|path| CurveFile::parse(path, may_replace)).collect()
    }

    fn parse(path: &Path, may_replace: bool) -> anyhow::Result<CurveFile> {
        let destination = Destination::picture(path.to_owned()).replacing(may_replace);
        let ends_in = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        if destination.is_stdout() || ends_in("csv") {
            return Ok(CurveFile::Csv(destination.check()?));
        }
        if !["svg", "png", "pdf"].into_iter().any(ends_in) {
            bail!(
                "a file that ends in .csv, .svg, .png or .pdf was expected for the curve, found \"{}\"",
                show::visible(path)
            );
        }
        Ok(CurveFile::Picture(Target::new(Wanted {
            path: Some(path.to_owned()),
            default: String::new(),
            width: WIDTH,
            on_stdout: Format::Svg,
            may_replace,
        })?))
    }

    pub fn save(&self, setup: &Setup, found: &[Found]) -> anyhow::Result<()> {
        match self {
            CurveFile::Csv(destination) => {
                let curves = found.iter().flat_map(|found| &found.curves);
                let saved = destination.save(|mut out| write_csv(curves, &mut out))?;
                crate::tell(&saved.to_string());
            }
            CurveFile::Picture(target) => {
                let taught = format!("beads {}", setup.teaching);
                let pictures = found.iter().map(|found| draw_curves(&found.curves, &heading(setup, found), &taught));
                target.save(&pictures.collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }
}

fn heading(setup: &Setup, found: &Found) -> String {
    format!("{}: the {} machine learns against {}", setup.game.name(), found.machine.name(), setup.against())
}

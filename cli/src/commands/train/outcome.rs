//! The report after training, and the files its curve is written to.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::HumanCount;
use menace::draw::draw_curves;
use menace::train::{Arena, Curve, Spread, Tally, write_csv};
use menace::{Side, games, words};

use super::setup::Setup;
use crate::commands::picture::{Format, Target, WIDTH, Wanted};
use crate::files::{self, Destination, Saved};
use crate::show::{self, BOLD};
use crate::words::{counted, write_curves};

/// The curves of a machine, one for each run.
pub struct Found {
    pub machine: Side,
    pub boxes: usize,
    pub curves: Vec<Curve>,
}

impl Found {
    /// Sorts the curves of an arena by machine.
    pub fn all(arena: &Arena, mut curves: Vec<Curve>) -> Vec<Found> {
        let of = |machine| {
            let curves = curves.extract_if(.., |curve| curve.machine == machine).collect();
            Found { machine, boxes: arena.box_count(machine), curves }
        };
        arena.learners().iter().map(of).collect()
    }

    /// The games that were played, in words.
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

    /// Whether the machine can still be beaten, and if not, since which game.
    fn unbeatable(&self) -> String {
        let after: Vec<f64> = self.curves.iter().filter_map(|curve| Some(curve.unbeatable_after? as f64)).collect();
        let machines = HumanCount(self.curves.len() as u64);
        match (&self.curves[..], &after[..]) {
            ([curve], [_]) if curve.points[0].is_unbeatable => "Unbeatable, as before these games.".to_owned(),
            ([_], [games]) => format!("Unbeatable since game {games}."),
            ([_], _) => "It can still be beaten; `menace verify` shows how.".to_owned(),
            (_, []) => format!("All {machines} machines can still be beaten."),
            (_, some) => {
                let Spread { low, middle, high, mean } = Spread::of(some.to_vec());
                format!(
                    "{} of {machines} machines are unbeatable, after {mean:.1} games on average (median {middle:.0}, 10th to 90th percentile {low:.0} to {high:.0}).",
                    HumanCount(some.len() as u64),
                )
            }
        }
    }

    fn tell(&self, setup: &Setup, out: &mut dyn Write) -> io::Result<()> {
        let (game, name) = (setup.game.name(), self.machine.name());
        let game = games::title(&game);
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

/// Reports on standard error how the training went.
pub fn tell(setup: &Setup, found: &[Found], saved: Option<&Saved>) {
    let mut out = io::BufWriter::new(anstream::stderr().lock());
    let told = found.iter().try_for_each(|found| found.tell(setup, &mut out));
    let told = told.and_then(|()| saved.map_or(Ok(()), |saved| writeln!(out, "{saved}")));
    // If that fails, there is nowhere left to report it.
    let _ = told.and_then(|()| out.flush());
}

/// A file that a curve goes to.
pub enum CurveFile {
    Csv(Destination),
    Picture(Target),
}

impl CurveFile {
    /// The files, in the formats that the endings of their names choose.
    pub fn parse_all(paths: &[PathBuf], may_replace: bool) -> anyhow::Result<Vec<CurveFile>> {
        paths.iter().map(|path| CurveFile::parse(path, may_replace)).collect()
    }

    fn parse(path: &Path, may_replace: bool) -> anyhow::Result<CurveFile> {
        let destination = Destination::picture(path.to_owned()).replacing(may_replace);
        let ends_in = |ending: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending));
        let is_picture = ["svg", "png", "pdf"].into_iter().any(ends_in);
        if ends_in("csv") || files::is_stream(path) && !is_picture {
            return Ok(CurveFile::Csv(destination.check()?));
        }
        if !is_picture {
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
    let game = words::capital(games::title(&setup.game.name()));
    format!("{game}: the {} machine learns against {}", found.machine.name(), setup.against())
}

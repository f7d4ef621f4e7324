//! `menace train`: Michie's machine, which learns by playing.

mod outcome;
mod setup;

use std::cell::LazyCell;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::{StringValueParser, TypedValueParser};
use menace::train::{Arena, Course, Side, TrainError, Training};
use menace::{Blame, Empty, Machines, Progress, Reward, Run, StartBeads, Verdicts};

use crate::files::{Destination, Saved, Source};
use crate::progress_bar::Bar;
use crate::tell;
use outcome::{CurveFile, Found};
use setup::Setup;

const EXAMPLES: &str = "\
Examples:
  menace train                                        1,000 games of tic-tac-toe against chance
  menace train --opponent perfect --games 500 --seed 7
  menace train --machine second --opponent output/tictactoe.json
  menace train --opponent self --games 100000         one set of boxes, playing both sides
  menace train --from output/tictactoe-trained-first.json --games 500
  menace train --runs 1000 --curve curve.svg          how 1,000 machines learn, and how far they lie apart
  menace train --game hexapawn --machine second --beads flat:1 --reward 0,0,all --blame last --empty resign";

/// Train a machine by playing, as Michie did
///
/// Boxes with beads for every move, as many as --beads says. The machine draws a bead, plays it, and after the game the beads it has
/// played are rewarded or punished. What comes out is a table with numbers of beads, to play against, draw, verify and compare with
/// the pruned one, and a curve of how it went. The same seed gives the same table.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game [default: tictactoe]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// The machine that learns [default: first; both if it plays itself]
    #[arg(long, value_name = "MACHINE", value_parser = super::machines_parser())]
    machine: Option<Machines>,

    /// Whom it plays: random, perfect, self or a table [default: random]
    #[arg(long, value_name = "WHO", allow_hyphen_values = true)]
    opponent: Option<String>,

    /// How many games are played now
    #[arg(long, value_name = "N", default_value_t = 1000, allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    games: u64,

    /// Play until the boxes have seen this many games, those of --from included
    #[arg(long, value_name = "N", conflicts_with = "games", allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    until: Option<u64>,

    /// Draw the same beads again [default: chosen by chance]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = number_parser(0, u64::MAX))]
    seed: Option<u64>,

    /// Beads of each kind at the start, by the number of the machine's move: michie (4,3,2,1), scroggs (8,4,2,1), flat (3 everywhere),
    /// flat:N, or a list [default: michie]
    #[arg(long, value_name = "BEADS", allow_hyphen_values = true)]
    beads: Option<StartBeads>,

    /// Beads put in after a win, a draw and a loss; all takes every bead of the kind out [default: 3,1,-1]
    #[arg(long, value_name = "W,D,L", allow_hyphen_values = true)]
    reward: Option<Reward>,

    /// Which moves of a lost game are punished: every, or the last [default: every]
    #[arg(long, value_name = "WHICH")]
    blame: Option<Blame>,

    /// What becomes of a box that runs empty: resign there, keep the last bead in the boxes of early moves (keep:N for the first N, keep
    /// for the first half), or refill it [default: keep]
    #[arg(long, value_name = "WHAT")]
    empty: Option<Empty>,

    /// A box for every board, not one for all that are turns or mirror images of each other
    #[arg(long)]
    all_boards: bool,

    /// Go on with the boxes of this table, taught as before unless options say otherwise
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["game", "machine", "all_boards", "runs"])]
    from: Option<String>,

    /// Train this many machines side by side, with seeds S, S+1 and so on, for their curves alone
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_parser(1, 1_000_000))]
    runs: Option<u64>,

    /// Games from one point of the curve to the next [default: a fiftieth of all]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    every: Option<u64>,

    /// Write the curve, as .csv, .svg, .png or .pdf; - is standard output, as CSV. May be given more than once; pictures of both machines
    /// get numbers
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    curve: Vec<PathBuf>,

    /// Save the table about this often while training goes on
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_hyphen_values = true, conflicts_with = "runs", value_parser = number_parser(0, MOST_GAMES))]
    save_every: u64,

    /// Where the table goes; - is standard output [default: the table of --from, or output/GAME-trained-MACHINE.json]
    #[arg(short, long, value_name = "PATH", conflicts_with = "runs")]
    output: Option<PathBuf>,
}

/// Points of a curve, if nobody says otherwise.
const POINTS: u64 = 50;

/// A curve has no more points than can be drawn, and all curves together no more than fit into memory.
const MOST_POINTS: u64 = 10_000;
const MOST_POINTS_IN_ALL: u64 = 10_000_000;

/// More games than this nobody can play.
const MOST_GAMES: u64 = 1_000_000_000_000_000;

/// Parses a whole number between two.
fn number_parser(least: u64, most: u64) -> impl TypedValueParser<Value = u64> {
    StringValueParser::new().try_map(move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("a whole number from {least} to {most} was expected"))
    })
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let setup = Setup::new(&self)?;
        let destination = self.runs.is_none().then(|| self.destination(&setup)).transpose()?;
        let table = destination.as_ref().map(Destination::path);
        if table.is_some_and(|table| table == Path::new(setup.opponent.name())) {
            bail!("the table would replace its opponent {}; choose another file with -o", setup.opponent.name());
        }
        let curves = CurveFile::parse_all(&self.curve, &table.into_iter().collect::<Vec<_>>())?;
        let bar = Bar::new();
        let verdicts = LazyCell::new(|| Verdicts::of(&*setup.run.game, &bar));
        let groups: Vec<[Side<'_>; 2]> = setup.groups(&verdicts);
        let arenas = groups.iter().map(|sides| Arena::new(&*setup.run.game, setup.run.classes(), sides, &bar));
        let arenas: Vec<Arena<'_>> = arenas.collect::<Result<_, _>>().context(setup.opponent.name().to_owned())?;
        let (found, saved) = match (&destination, self.runs) {
            (Some(destination), _) => match self.train_one(&setup, &arenas, destination, &bar)? {
                Some((found, saved)) => (found, Some(saved)),
                None => return Ok(ExitCode::SUCCESS),
            },
            (None, runs) => (self.train_many(&setup, &arenas, runs.unwrap_or(1), &bar)?, None),
        };
        bar.clear();
        outcome::tell(&setup, &found, saved.as_ref());
        curves.iter().try_for_each(|file| file.save(&setup, &found))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Where the table goes.
    fn destination(&self, setup: &Setup) -> anyhow::Result<Destination> {
        let destination = match (&self.output, &self.from) {
            (Some(path), _) => Destination::new(path.clone()),
            (None, Some(from)) => Destination::new(Source::parse(from)?.whole()?.to_owned()),
            (None, None) => {
                let (game, machines) = (super::file_name(&*setup.run.game), setup.machines.name());
                Destination::default_for(&format!("{game}-trained-{machines}.json"))
            }
        };
        super::check_json(&destination, "a trained table")?;
        destination.check()?;
        Ok(destination)
    }

    /// What a machine plays that has played some games.
    fn course(&self, before: u64, runs: u64) -> anyhow::Result<Course> {
        let games = self.until.map_or(self.games, |until| until.saturating_sub(before));
        let every = NonZeroU64::new(self.every.unwrap_or(games.div_ceil(POINTS))).unwrap_or(NonZeroU64::MIN);
        let points = games.div_ceil(every.get());
        if points > MOST_POINTS || points.saturating_mul(runs) > MOST_POINTS_IN_ALL {
            bail!(
                "the curve would have {points} points for each of {runs} machines; choose a larger --every or fewer --runs"
            );
        }
        Ok(Course { games, every })
    }

    /// Trains machines side by side.
    fn train_many(&self, setup: &Setup, arenas: &[Arena<'_>], runs: u64, bar: &Bar) -> anyhow::Result<Vec<Found>> {
        let (mut found, course) = (Vec::new(), self.course(0, runs)?);
        let Some(end) = setup.seed.checked_add(runs) else {
            bail!("--seed {} is too high for {runs} machines with seeds of their own; choose a lower one", setup.seed);
        };
        bar.start("training", u128::from(course.games) * u128::from(runs) * arenas.len() as u128);
        for arena in arenas {
            found.extend(Found::all(arena, course.train_all(arena, &setup.teaching, setup.seed..end, bar)?));
        }
        Ok(found)
    }

    /// Trains one machine, or both one after the other, and saves the table at the end and from time to time; none if there is
    /// nothing to do.
    fn train_one(
        &self,
        setup: &Setup,
        arenas: &[Arena<'_>],
        destination: &Destination,
        bar: &Bar,
    ) -> anyhow::Result<Option<(Vec<Found>, Saved)>> {
        let mut run = setup.run.clone();
        let begin = |arena| match &setup.before {
            Some(before) => Training::resume(arena, &setup.teaching, setup.seed, before),
            None => Training::begin(arena, &setup.teaching, setup.seed),
        };
        let trainings: Result<Vec<Training<'_>>, TrainError> = arenas.iter().map(begin).collect();
        let mut trainings = match &self.from {
            Some(from) => trainings.with_context(|| from.clone())?,
            None => trainings?,
        };
        let courses = trainings.iter().map(|training| self.course(training.games(), 1));
        let courses: Vec<Course> = courses.collect::<anyhow::Result<_>>()?;
        if courses.iter().all(|course| course.games == 0) {
            let games = trainings.iter().map(Training::games).min().unwrap_or(0);
            tell(&format!("Nothing to do: the boxes have seen {games} games."));
            return Ok(None);
        }
        trainings.iter().for_each(|training| setup.put(training, &mut run));
        bar.start("training", courses.iter().map(|course| u128::from(course.games)).sum());
        let (mut found, mut saved_at) = (Vec::new(), Instant::now());
        for (training, course) in trainings.iter_mut().zip(&courses) {
            let curves = course.train(training, bar, |training| {
                if saved_at.elapsed() >= Duration::from_secs(self.save_every) && !destination.is_stdout() {
                    setup.put(training, &mut run);
                    save(destination, &run)?;
                    saved_at = Instant::now();
                }
                anyhow::Ok(())
            })?;
            setup.put(training, &mut run);
            found.extend(Found::all(training.arena(), curves));
        }
        Ok(Some((found, save(destination, &run)?)))
    }
}

fn save(destination: &Destination, run: &Run) -> anyhow::Result<Saved> {
    destination.clone().save(|out| menace::write(run, out, &()))
}

//! `menace train`: Michie's machine, which learns by playing.

mod outcome;
mod setup;

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::{StringValueParser, TypedValueParser};
use menace::progress::{Stage, Stopped};
use menace::train::{Arena, Blame, Course, Empty, Reward, Seat, StartBeads, TrainError, Training};
use menace::{BySide, Progress, Sides, Table};

use super::GameName;
use crate::files::{Destination, Saved, Source, is_same};
use crate::progress_bar::Bar;
use crate::show;
use crate::signals::note_stop;
use crate::tell;
use crate::words::counted;
use outcome::{CurveFile, Found};
use setup::Setup;

const EXAMPLES: &str = "\
Examples:
  menace train                                        1,000 games of tic-tac-toe against a random player
  menace train --opponent perfect --games 500 --seed 7
  menace train --machine second --opponent output/tictactoe.json
  menace train --opponent self --games 100000         one set of boxes, playing both sides
  menace train --from output/tictactoe-trained-first.json --games 500
  menace train --runs 1000 --curve curve.svg          how 1,000 machines learn, and how much they differ
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
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,

    /// The machine that learns [default: first; both if it plays itself]
    #[arg(long, value_name = "MACHINE", value_parser = super::machines_parser())]
    machine: Option<Sides>,

    /// Whom it plays: random, perfect, self or a table [default: random]
    #[arg(long, value_name = "WHO", allow_hyphen_values = true)]
    opponent: Option<OsString>,

    /// How many games are played now
    #[arg(long, value_name = "N", default_value_t = 1000, allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    games: u64,

    /// Play until the boxes have seen this many games, those of --from included
    #[arg(long, value_name = "N", conflicts_with = "games", allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    until: Option<u64>,

    /// Draw the same beads again [default: chosen at random]
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

    /// Continue with the boxes of this table, taught as before unless options say otherwise. An opponent that is a table has to be
    /// named again
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["game", "machine", "all_boards", "runs"])]
    from: Option<OsString>,

    /// Train N machines with seeds S, S+1, and so on; show their curves, save no table
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_parser(1, 1_000_000))]
    runs: Option<u64>,

    /// Games from one point of the curve to the next [default: a fiftieth of all, at least 10]
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

    /// Replace whatever is there, even what cannot be made again in a moment
    #[arg(long)]
    replace: bool,
}

/// Points of a curve, if nobody says otherwise, and the fewest games that say something about a machine.
const POINTS: u64 = 50;
const FEWEST_GAMES: u64 = 10;

/// A curve has no more points than can be drawn, and all curves together no more than fit into memory.
const MOST_POINTS: u64 = 10_000;
const MOST_POINTS_IN_ALL: u64 = 10_000_000;

/// Nobody can play more games than this.
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
        let from = self.from.as_deref().map(Source::parse).transpose()?;
        // A table that is continued is locked before it is read, so that no other run's games are lost.
        let is_own = self.runs.is_none() && self.output.as_deref().is_none_or(|output| self.is_own(output));
        let own = from.as_ref().filter(|_| is_own);
        let own = own.map(|from| Ok::<_, anyhow::Error>(Destination::table(from.whole()?.to_owned()).continuing()));
        let own = own.transpose()?.map(Destination::check).transpose()?;
        let own_lock = own.as_ref().map(Destination::lock).transpose()?.flatten();
        let setup = Setup::new(&self, from.as_ref())?;
        let destination = match (self.runs, own) {
            (Some(_), _) => None,
            (None, Some(own)) => Some(own),
            (None, None) => Some(self.destination(&setup)?),
        };
        let _other_lock = match (&destination, &own_lock) {
            (Some(destination), None) => destination.lock()?,
            _ => None,
        };
        let table = destination.as_ref().map(Destination::path);
        self.check_names(table)?;
        let curves = CurveFile::parse_all(&self.curve, self.replace)?;
        let bar = Bar::new();
        let policy = setup.opponent.policy(&setup.game, &bar)?;
        let seats: Vec<BySide<Seat<'_>>> = setup.seats(policy.as_deref());
        let arenas = seats.into_iter().map(|seats| Arena::new(&*setup.game, &setup.classes, seats, &bar));
        let arenas: Vec<Arena<'_>> = arenas.collect::<Result<_, _>>().with_context(|| setup.against().to_owned())?;
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

    /// Refuses to write one file for two things, or over the opponent.
    fn check_names(&self, table: Option<&Path>) -> anyhow::Result<()> {
        let opponent = self.opponent.as_deref().map(Path::new);
        let written: Vec<&Path> = table.into_iter().chain(self.curve.iter().map(PathBuf::as_path)).collect();
        for (at, path) in written.iter().enumerate() {
            let name = show::visible(path);
            if opponent.is_some_and(|opponent| is_same(opponent, path)) {
                bail!("\"{name}\" is the opponent, and would be replaced; choose another file");
            }
            if written[..at].iter().any(|other| is_same(other, path)) {
                bail!("\"{name}\" is named for more than one thing; give every file a name of its own");
            }
        }
        Ok(())
    }

    /// Where a new table goes.
    fn destination(&self, setup: &Setup) -> anyhow::Result<Destination> {
        let destination = match &self.output {
            Some(path) => Destination::table(path.clone()),
            None => {
                let (game, machines) = (super::file_name(&*setup.game), setup.machines);
                Destination::table(format!("{game}-trained-{machines}.json").into()).in_default_folder()
            }
        };
        super::check_json(&destination, "a trained table")?;
        match self.is_own(destination.path()) {
            true => destination.continuing().check(),
            false => destination.replacing(self.replace).check(),
        }
    }

    /// Whether a path is the table that training continues from, which is no replacement.
    fn is_own(&self, path: &Path) -> bool {
        self.from.as_deref().is_some_and(|from| is_same(Path::new(from), path))
    }

    /// What a machine plays that has played some games.
    fn course(&self, before: u64, runs: u64) -> anyhow::Result<Course> {
        let games = self.until.map_or(self.games, |until| until.saturating_sub(before));
        let default = games.div_ceil(POINTS).max(FEWEST_GAMES.min(games));
        let every = NonZeroU64::new(self.every.unwrap_or(default)).unwrap_or(NonZeroU64::MIN);
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
        bar.start(Stage::Train, Some(course.games.saturating_mul(runs).saturating_mul(arenas.len() as u64)));
        for arena in arenas {
            found.extend(Found::all(arena, course.train_all(arena, &setup.teaching, setup.seed..end, bar)?));
        }
        Ok(found)
    }

    /// Trains one machine, or both one after the other, and saves the table at the end, from time to time and when the work is
    /// stopped; none if there is nothing to do.
    fn train_one(
        &self,
        setup: &Setup,
        arenas: &[Arena<'_>],
        destination: &Destination,
        bar: &Bar,
    ) -> anyhow::Result<Option<(Vec<Found>, Saved)>> {
        let begin = |arena| match &setup.before {
            Some(before) => Training::resume(arena, &setup.teaching, setup.seed, before),
            None => Training::begin(arena, &setup.teaching, setup.seed),
        };
        let trainings: Result<Vec<Training<'_>>, TrainError> = arenas.iter().map(begin).collect();
        let mut trainings = match &self.from {
            Some(from) => trainings.with_context(|| show::visible(from))?,
            None => trainings?,
        };
        let courses = trainings.iter().map(|training| self.course(training.games(), 1));
        let courses: Vec<Course> = courses.collect::<anyhow::Result<_>>()?;
        if courses.iter().all(|course| course.games == 0) {
            let games = trainings.iter().map(Training::games).min().unwrap_or(0);
            tell(&format!("Nothing to do: the boxes have seen {}.", counted(games, "game")));
            // Another file was asked for, and gets the table as it is.
            if let Some(before) = setup.before.as_ref().filter(|_| !self.is_own(destination.path())) {
                tell(&save(destination, before)?.to_string());
            }
            return Ok(None);
        }
        let mut machines = BySide::default();
        // The first is put there when it is first saved; the others have to be there by then.
        trainings.iter().skip(1).for_each(|training| setup.put(training, &mut machines));
        bar.start(Stage::Train, Some(courses.iter().map(|course| course.games).sum()));
        let (mut found, mut saved_at) = (Vec::new(), Instant::now());
        for (training, course) in trainings.iter_mut().zip(&courses) {
            let trained = course.train(training, bar, |training| {
                if saved_at.elapsed() >= Duration::from_secs(self.save_every) && !destination.is_stdout() {
                    setup.put(training, &mut machines);
                    save(destination, &setup.table(&machines))?;
                    saved_at = Instant::now();
                }
                anyhow::Ok(())
            });
            setup.put(training, &mut machines);
            match trained {
                Ok(curves) => found.extend(Found::all(training.arena(), curves)),
                Err(error) if error.is::<Stopped>() => {
                    note_stop();
                    bar.clear();
                    let (games, saved) = (training.games(), save(destination, &setup.table(&machines))?);
                    tell(&format!("Stopped after {}; what was learned is kept.\n{saved}", counted(games, "game")));
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Some((found, save(destination, &setup.table(&machines))?)))
    }
}

fn save(destination: &Destination, table: &Table) -> anyhow::Result<Saved> {
    destination.save(|out| table.write_json(out, &()))
}

//! `menace train`: Michie's machine, which learns by playing.

mod outcome;
mod setup;

use std::ffi::OsString;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::builder::{StringValueParser, TypedValueParser};
use menace::progress::{Stage, Stopped};
use menace::train::{Arena, Course, Seat, TrainError, Training};
use menace::{BySide, Progress, Sides, Table, games};

use super::GameName;
use super::teaching::TeachingArgs;
use crate::files::{self, Destination, Saved, Source, is_same};
use crate::progress_bar::Bar;
use crate::show;
use crate::signals::note_stop;
use crate::tell;
use crate::words::counted;
use outcome::{CurveFile, Found};
use setup::Setup;

const EXAMPLES: &str = "\
Examples:
  menace train                                    1,000 games of tic-tac-toe
  menace train --opponent perfect --seed 7        against perfect play
  menace train --opponent self --games 100000     both machines learn
  menace train --runs 1000 --curve curve.svg      how 1,000 machines learn
  menace train --machine second --opponent output/tictactoe.json
  menace train --from output/tictactoe-trained-first.json --games 500

Gardner's hexapawn machine, which removes the bead that lost:
  menace train --game hexapawn --machine second --beads flat:1 \\
    --reward 0,0,all --blame last --empty resign";

/// Train a machine by playing, as Michie did
///
/// Each box starts with beads for every legal move, as many as --beads says. To move, the machine draws a bead from its box and plays
/// that move. After each game, beads are added or removed for the moves it played. The result is a table with numbers of beads, which
/// you can play against, draw, verify and compare with one made by `generate`, and a curve of wins, draws and losses. The same seed gives the
/// same table.
///
/// In tic-tac-toe the first machine has 304 boxes, as Michie's had: one for each class of rotations and mirror images, and none for
/// boards with only one legal move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game to learn; `menace games` lists them [default: tictactoe]
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,

    /// Machine that learns [default: first, or both with --opponent self]
    #[arg(long, value_name = "MACHINE", value_parser = super::machines_parser())]
    machine: Option<Sides>,

    /// Opponent to play: random, perfect, self, a table or TABLE@ROUND [default: random, or as before with --from]
    #[arg(long, value_name = "WHO", allow_hyphen_values = true)]
    opponent: Option<OsString>,

    /// Games to play now; 0 saves the machine as it is at the start
    #[arg(long, value_name = "N", default_value_t = 1000, allow_hyphen_values = true, value_parser = number_parser(0, MOST_GAMES))]
    games: u64,

    /// Play until the machine has played N games in total, including those of --from; replaces --games
    #[arg(long, value_name = "N", conflicts_with = "games", allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    until: Option<u64>,

    /// Random seed; the same seed trains the same machine again [default: a new one, or as before with --from]
    #[arg(long, value_name = "S", allow_hyphen_values = true, value_parser = number_parser(0, u64::MAX))]
    seed: Option<u64>,

    #[command(flatten)]
    teaching: TeachingArgs,

    /// Give each board a box of its own, instead of one box for all its rotations and mirror images
    #[arg(long)]
    all_boards: bool,

    /// Continue to train this table, with the same options as before unless you give others. If the opponent was a table, name it again
    /// with --opponent
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["game", "machine", "all_boards", "runs"])]
    from: Option<OsString>,

    /// Train N machines with seeds S, S+1, and so on; show their curves, save no table. Cannot be used with -o, --from or --save-every
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_parser(1, 1_000_000))]
    runs: Option<u64>,

    /// Games per point of the curve [default: a fiftieth of all games, at least 10]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = number_parser(1, MOST_GAMES))]
    every: Option<u64>,

    /// Write the curve to a .csv, .svg, .png or .pdf file; - is standard output, as CSV. Can be repeated. With two machines, pictures
    /// become numbered files
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    curve: Vec<PathBuf>,

    /// Seconds between two saves of the table during training
    #[arg(long, value_name = "SECONDS", default_value_t = 10, allow_hyphen_values = true, conflicts_with = "runs", value_parser = number_parser(0, MOST_GAMES))]
    save_every: u64,

    /// File to write, .json; - is standard output [default: the table of --from, or output/GAME-trained-MACHINE.json]
    #[arg(short, long, value_name = "PATH", conflicts_with = "runs")]
    output: Option<PathBuf>,

    /// Overwrite any existing file, even a trained table or a file that menace did not make
    #[arg(long)]
    replace: bool,
}

/// The default number of points on a curve, and the fewest games between two of them.
const POINTS: u64 = 50;
const FEWEST_GAMES: u64 = 10;

/// One curve has no more points than can be drawn, and all curves together no more than fit in memory.
const MOST_POINTS: u64 = 10_000;
const MOST_POINTS_IN_ALL: u64 = 10_000_000;

/// More games than this take longer than anyone can wait.
const MOST_GAMES: u64 = 1_000_000_000_000_000;

/// Parses a whole number within bounds.
fn number_parser(least: u64, most: u64) -> impl TypedValueParser<Value = u64> {
    StringValueParser::new().try_map(move |text| {
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| format!("a whole number from {least} to {most} was expected"))
    })
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        self.check_names(self.output.as_deref())?;
        let from = self.from.as_deref().map(Source::parse).transpose()?;
        // A table to continue is locked before it is read, so that the games of another run are not lost.
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
        let arenas = seats.into_iter().map(|seats| Arena::new(&setup.game, &setup.classes, seats, &bar));
        let arenas: Vec<Arc<Arena>> = arenas.collect::<Result<_, _>>().with_context(|| setup.against().to_owned())?;
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

    /// Refuses to write two things to one file, or to overwrite the opponent or the table that training continues from.
    fn check_names(&self, table: Option<&Path>) -> anyhow::Result<()> {
        let opponent = self.opponent.as_deref().map(Path::new);
        if let Some(curve) = self.curve.iter().find(|curve| !files::is_stdio(curve) && self.is_own(curve)) {
            bail!("\"{}\" is the table of --from and would be replaced; choose another file", show::visible(curve));
        }
        let curves = self.curve.iter().map(PathBuf::as_path);
        let spelled = |path| if files::is_stdio(path) { Path::new("/dev/stdout") } else { path };
        let written: Vec<&Path> = table.into_iter().chain(curves).map(spelled).collect();
        for (at, path) in written.iter().enumerate() {
            let name = show::visible(path);
            if opponent.is_some_and(|opponent| is_same(opponent, path)) {
                bail!("\"{name}\" is the opponent and would be replaced; choose another file");
            }
            if written[..at].iter().any(|other| is_same(other, path)) {
                bail!("\"{name}\" would be used for more than one thing; give each file its own name");
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

    /// Whether a path is the table that training continues from; writing to it is not a replacement.
    fn is_own(&self, path: &Path) -> bool {
        self.from.as_deref().is_some_and(|from| is_same(Path::new(from), path))
    }

    /// How many games a machine still has to play after `before` games.
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
    fn train_many(&self, setup: &Setup, arenas: &[Arc<Arena>], runs: u64, bar: &Bar) -> anyhow::Result<Vec<Found>> {
        let (mut found, course) = (Vec::new(), self.course(0, runs)?);
        if course.games == 0 {
            bail!("--games 0 saves a machine as it is at the start, but --runs saves none; leave one of them out");
        }
        let Some(end) = setup.seed.checked_add(runs) else {
            bail!(
                "--seed {} is too high: each of the {runs} machines needs a seed of its own; choose a lower one",
                setup.seed
            );
        };
        bar.start(Stage::Train, Some(course.games.saturating_mul(runs).saturating_mul(arenas.len() as u64)));
        for arena in arenas {
            found.extend(Found::all(arena, course.train_all(arena, &setup.teaching, setup.seed..end, bar)?));
        }
        Ok(found)
    }

    /// Trains one machine, or both one after the other. Saves the table from time to time, at the end, and when a signal stops the
    /// work. Returns none if there is nothing left to report.
    fn train_one(
        &self,
        setup: &Setup,
        arenas: &[Arc<Arena>],
        destination: &Destination,
        bar: &Bar,
    ) -> anyhow::Result<Option<(Vec<Found>, Saved)>> {
        let begin = |arena| match &setup.before {
            Some(before) => Training::resume(arena, &setup.teaching, setup.seed, before),
            None => Training::begin(arena, &setup.teaching, setup.seed),
        };
        let trainings: Result<Vec<Training>, TrainError> = arenas.iter().map(begin).collect();
        let mut trainings = match &self.from {
            Some(from) => trainings.with_context(|| show::visible(from))?,
            None => trainings?,
        };
        let courses = trainings.iter().map(|training| self.course(training.games(), 1));
        let courses: Vec<Course> = courses.collect::<anyhow::Result<_>>()?;
        if courses.iter().all(|course| course.games == 0) {
            if !self.curve.is_empty() {
                bail!("a curve needs games, and none would be played; leave --curve out, or choose a larger --games");
            }
            if setup.before.is_none() {
                return save_untrained(setup, &trainings, destination).map(|()| None);
            }
            let games = trainings.iter().map(Training::games).min().unwrap_or(0);
            tell(&format!("Nothing to do: the machine has already played {}.", counted(games, "game")));
            // If another file was asked for, it gets the table unchanged.
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
                    tell(&format!("Stopped after {}; the training so far is saved.\n{saved}", counted(games, "game")));
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Some((found, save(destination, &setup.table(&machines))?)))
    }
}

/// Saves machines that have played no game.
fn save_untrained(setup: &Setup, trainings: &[Training], destination: &Destination) -> anyhow::Result<()> {
    let mut machines = BySide::default();
    for training in trainings {
        setup.put(training, &mut machines);
        for side in training.arena().learners().iter() {
            let (game, boxes) = (setup.game.name(), training.arena().box_count(side));
            let game = games::title(&game);
            tell(&format!("{game}, {side} machine, {boxes} boxes: as at the start, with no game played"));
        }
    }
    tell(&save(destination, &setup.table(&machines))?.to_string());
    Ok(())
}

fn save(destination: &Destination, table: &Table) -> anyhow::Result<Saved> {
    destination.save(|out| table.write_json(out, &()))
}

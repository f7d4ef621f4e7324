//! `menace odds`: the exact odds of one player against another, or of every level of a game.

mod ladder;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use menace::odds::{Odds, Probability, odds};
use menace::{BySide, Game, Side, Table, games};
use serde::Serialize;

use super::GameName;
use super::player::Player;
use crate::files::{self, is_stdio};
use crate::progress_bar::Bar;
use crate::show::{self, BOLD};
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace odds random random                              two random players
  menace odds output/tictactoe.json random               the first machine
  menace odds output/tictactoe.json@1 random             as it was after round 1
  menace odds --a second output/tictactoe.json random    the second machine
  menace odds 2 perfect                                  level 2, see below
  menace odds random perfect --game hexapawn --json
  menace odds --levels                                   all levels, and how good
  menace odds --levels --game 4x3x3 --json

Levels are rungs of skill: random; a number, where 2 is a machine as it was
after round 2 and 2.5 is half of round 2 and half of round 3; safe, which does
not lose; perfect, which gives no forced win away; and fastest, which wins as
soon as it can. A file with such a name is given with its folder: ./2";

/// Compute exact odds between two players
///
/// Each player is a table or a level, such as random or perfect. Every line of play counts, with each move weighted by its number of
/// beads; nothing is sampled. A moves first, unless its table has only the second machine. With no bead left, a machine plays one of the moves that
/// lose latest, all with the same odds; a trained machine resigns.
///
/// With --levels there are no players: it lists every level of a game, with its odds against a random player and its score against a
/// perfect one.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "menace odds [OPTIONS] <A> <B>\n       menace odds [OPTIONS] --levels [TABLE]")]
pub struct Args {
    /// One player: a level, a table or TABLE@ROUND; - is a table on standard input. With --levels: a table of the game
    #[arg(value_name = "A", required_unless_present = "levels")]
    first: Option<OsString>,

    /// Other player: a level, a table or TABLE@ROUND; - is a table on standard input
    #[arg(value_name = "B", required_unless_present = "levels", conflicts_with = "levels")]
    second: Option<OsString>,

    /// List every level of the game, for each side: its odds against a random player, and its score against a perfect one, which is
    /// wins plus half of the draws
    #[arg(long, conflicts_with = "a")]
    levels: bool,

    /// Side that A plays [default: first, or the only one in its table]
    #[arg(long, value_name = "SIDE", value_parser = super::side_parser())]
    a: Option<Side>,

    /// Game to play, if no table is given; `menace games` lists them [default: tictactoe]
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = match (&self.first, &self.second) {
            (Some(first), Some(second)) => self.compare([first, second], &mut out)?,
            _ => ladder::run(&self, &mut out)?,
        };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Works out the odds of A against B, and prints them.
    fn compare(&self, names: [&OsStr; 2], out: &mut dyn Write) -> anyhow::Result<io::Result<()>> {
        if names.iter().all(|path| is_stdio(path.as_ref())) {
            bail!("standard input can be only one of the two tables; give a file for the other");
        }
        let [a, b] = names.map(Player::parse_with_levels);
        let (a, b) = (a?, b?);
        let game = self.find_game(Some(&a), Some(&b))?;
        super::check_small(&*game, "odds are", "a smaller game")?;
        let side = self.a.unwrap_or(if a.plays(Side::First) { Side::First } else { Side::Second });
        for (player, name, side) in [(&a, names[0], side), (&b, names[1], side.other())] {
            if !player.plays(side) {
                bail!(
                    "{} has no boxes for the {side} machine; choose another side for A with --a, or another table",
                    show::visible(name)
                );
            }
            if player.table().is_some_and(|table| table.is_packed() && !table.has_rounds()) {
                tell(&format!("{} {UNKNOWN_ROUNDS}", show::visible(name)));
            }
        }
        let (bar, solved) = (Bar::new(), Table::builder(game).build());
        let (a, b) = (a.policy(&solved, &bar)?, b.policy(&solved, &bar)?);
        let policies = match side {
            Side::First => BySide { first: &*a, second: &*b },
            Side::Second => BySide { first: &*b, second: &*a },
        };
        let found = odds(&**solved.game(), policies, &bar)?;
        Ok(if self.json { print_json(&found, side, out) } else { print(names, &found, side, out) })
    }

    /// The game of the tables, or the one that was asked for.
    fn find_game(&self, a: Option<&Player>, b: Option<&Player>) -> anyhow::Result<Arc<dyn Game>> {
        match (a.and_then(Player::game), b.and_then(Player::game), &self.game) {
            (Some(a), Some(b), _) if a.name() != b.name() => {
                let names = [a, b].map(|game| game.name());
                let [a, b] = names.each_ref().map(|name| games::title(name));
                bail!("tables of the same game were expected; A is of {a}, B of {b}")
            }
            (Some(game), _, None) | (None, Some(game), None) => Ok(game.clone()),
            (None, None, name) => Ok(games::find(name.as_deref().unwrap_or("tictactoe"))?),
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => bail!("the table already has its game; leave --game out"),
        }
    }
}

fn print(names: [&OsStr; 2], found: &Odds, side: Side, out: &mut dyn Write) -> io::Result<()> {
    let (a, b) = (side.name(), side.other().name());
    let [first, second] = names.map(show::visible);
    writeln!(out, "A  {first}, {a} player\nB  {second}, {b} player\n")?;
    let rows = [("A wins", &found.wins[side]), ("B wins", &found.wins[side.other()]), ("a draw", &found.draw)];
    for (name, probability) in rows {
        writeln!(out, "{name}  {BOLD}{:.6}{BOLD:#}  {probability}", Probability(probability).decimal())?;
    }
    Ok(())
}

/// What `play` and `odds` say of a packed table without depths.
pub const UNKNOWN_ROUNDS: &str =
    "stores no depths: on a lost board it plays any move that does not lose at once, all with the same odds";

fn print_json(found: &Odds, side: Side, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct OddsJson<'a> {
        a_wins: Probability<'a>,
        b_wins: Probability<'a>,
        draw: Probability<'a>,
    }
    let odds = OddsJson {
        a_wins: Probability(&found.wins[side]),
        b_wins: Probability(&found.wins[side.other()]),
        draw: Probability(&found.draw),
    };
    serde_json::to_writer(&mut *out, &odds)?;
    writeln!(out)
}

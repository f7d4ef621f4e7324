//! `menace odds`: the exact odds of one player against another.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use menace::odds::{Odds, Probability, odds};
use menace::{BySide, Game, Side, games};
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
  menace odds random perfect --game hexapawn --json";

/// Compute exact odds between two players
///
/// Each player is a table, random or perfect. Every line of play counts, with each move weighted by its number of beads; nothing is
/// sampled. A moves first, unless its table has only the second machine. With no bead left, a machine plays one of the moves that
/// lose latest, all with the same odds; a trained machine resigns.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// One player: a table or TABLE@ROUND, random or perfect; - is a table on standard input
    #[arg(value_name = "A")]
    first: OsString,

    /// Other player: a table or TABLE@ROUND, random or perfect; - is a table on standard input
    #[arg(value_name = "B")]
    second: OsString,

    /// Side that A plays [default: first, or the only one in its table]
    #[arg(long, value_name = "SIDE", value_parser = super::side_parser())]
    a: Option<Side>,

    /// Game to play, if neither player is a table; `menace games` lists them [default: tictactoe]
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true)]
    game: Option<String>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if [&self.first, &self.second].iter().all(|path| is_stdio(path.as_ref())) {
            bail!("standard input can be only one of the two tables; give a file for the other");
        }
        let (a, b) = (Player::parse(&self.first)?, Player::parse(&self.second)?);
        let game = self.find_game(&a, &b)?;
        super::check_small(&*game, "odds are", "a smaller game")?;
        let side = self.a.unwrap_or(if a.plays(Side::First) { Side::First } else { Side::Second });
        for (player, name, side) in [(&a, &self.first, side), (&b, &self.second, side.other())] {
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
        let bar = Bar::new();
        let (a, b) = (a.policy(&game, &bar)?, b.policy(&game, &bar)?);
        let policies = match side {
            Side::First => BySide { first: &*a, second: &*b },
            Side::Second => BySide { first: &*b, second: &*a },
        };
        let found = odds(&*game, policies, &bar)?;
        drop(bar);
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = if self.json { print_json(&found, side, &mut out) } else { self.print(&found, side, &mut out) };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The game of the tables, or the one that was asked for.
    fn find_game(&self, a: &Player, b: &Player) -> anyhow::Result<Arc<dyn Game>> {
        match (a.game(), b.game(), &self.game) {
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

    fn print(&self, found: &Odds, side: Side, out: &mut dyn Write) -> io::Result<()> {
        let (a, b) = (side.name(), side.other().name());
        let [first, second] = [&self.first, &self.second].map(show::visible);
        writeln!(out, "A  {first}, {a} player\nB  {second}, {b} player\n")?;
        let rows = [("A wins", &found.wins[side]), ("B wins", &found.wins[side.other()]), ("a draw", &found.draw)];
        for (name, probability) in rows {
            writeln!(out, "{name}  {BOLD}{:.6}{BOLD:#}  {probability}", Probability(probability).decimal())?;
        }
        Ok(())
    }
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

//! `menace odds`: the exact odds of one side against another.

use std::cell::LazyCell;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use menace::odds::{Odds, odds};
use menace::show::BOLD;
use menace::{Game, Player, Probability, Verdicts, games};
use serde::Serialize;

use super::asked::Asked;
use crate::files;
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace odds random random                        two players who move by chance
  menace odds output/tictactoe.json random         the first machine of a table against chance
  menace odds --a second output/tictactoe.json random
  menace odds random perfect --game hexapawn --json";

/// Work out the exact odds of one side against another
///
/// Each side is a table, random or perfect. Every line of play is worked out, with each move weighed by its number of beads; nothing
/// is sampled. A plays first, unless its table has boxes for the second machine alone.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A table, random or perfect
    #[arg(value_name = "A")]
    first: String,

    /// What it plays against: a table, random or perfect
    #[arg(value_name = "B")]
    second: String,

    /// The side that A plays [default: first, or the one that its table has]
    #[arg(long, value_name = "SIDE", value_parser = super::player_parser())]
    a: Option<Player>,

    /// The game, if neither is a table [default: tictactoe]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (a, b) = (Asked::parse(&self.first)?, Asked::parse(&self.second)?);
        let game = self.find_game(&a, &b)?;
        super::check_small(&*game, "odds are", "a smaller game")?;
        let side = self.a.unwrap_or(if a.plays(Player::One) { Player::One } else { Player::Two });
        for (asked, name, side) in [(&a, &self.first, side), (&b, &self.second, side.other())] {
            if !asked.plays(side) {
                bail!(
                    "{name} has no boxes for the {} machine; choose the side that A plays with --a, or another table",
                    side.name()
                );
            }
        }
        let bar = Bar::new();
        let verdicts = LazyCell::new(|| Verdicts::of(&*game, &bar));
        let choosers = match side {
            Player::One => [a.chooser(|| &verdicts), b.chooser(|| &verdicts)],
            Player::Two => [b.chooser(|| &verdicts), a.chooser(|| &verdicts)],
        };
        let found = odds(&*game, &choosers, &bar)?;
        drop(bar);
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let printed = if self.json { print_json(&found, side, &mut out) } else { self.print(&found, side, &mut out) };
        files::written_to_stdout(printed.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The game of the tables, or the one that was asked for.
    fn find_game(&self, a: &Asked, b: &Asked) -> anyhow::Result<Arc<dyn Game>> {
        match (a.game(), b.game(), &self.game) {
            (Some(a), Some(b), _) if a.name() != b.name() => {
                bail!("tables of one game were expected; A is of {}, B of {}", a.name(), b.name())
            }
            (Some(game), _, None) | (None, Some(game), None) => Ok(game.clone()),
            (None, None, name) => Ok(games::find(name.as_deref().unwrap_or("tictactoe"))?),
            (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => bail!("the table says which game it is; leave --game out"),
        }
    }

    fn print(&self, found: &Odds, side: Player, out: &mut dyn Write) -> io::Result<()> {
        let (a, b) = (side.name(), side.other().name());
        writeln!(out, "A  {}, {a} player\nB  {}, {b} player\n", self.first, self.second)?;
        let rows = [
            ("A wins", &found.wins[side as usize]),
            ("B wins", &found.wins[side.other() as usize]),
            ("a draw", &found.draw),
        ];
        for (name, probability) in rows {
            writeln!(out, "{name}  {BOLD}{:.6}{BOLD:#}  {probability}", Probability(probability).decimal())?;
        }
        Ok(())
    }
}

fn print_json(found: &Odds, side: Player, out: &mut dyn Write) -> io::Result<()> {
    #[derive(Serialize)]
    struct OddsJson<'a> {
        a_wins: Probability<'a>,
        b_wins: Probability<'a>,
        draw: Probability<'a>,
    }
    let odds = OddsJson {
        a_wins: Probability(&found.wins[side as usize]),
        b_wins: Probability(&found.wins[side.other() as usize]),
        draw: Probability(&found.draw),
    };
    serde_json::to_writer(&mut *out, &odds)?;
    writeln!(out)
}

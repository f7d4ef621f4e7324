//! `menace odds --levels`: every level of a game, with how good it is.

use std::ffi::OsStr;
use std::io::{self, Write};

use anyhow::bail;
use menace::odds::{Odds, Probability, odds};
use menace::{BySide, Game, Graded, Level, Policy, Progress, Random, Side, Table, games};
use num_rational::BigRational;
use serde::Serialize;

use super::Args;
use crate::commands::player::Player;
use crate::files;
use crate::progress_bar::Bar;
use crate::show::BOLD;

/// A level on one side, with how good it is.
struct Rung {
    side: Side,
    level: Level,
    against_random: Odds,
    /// Wins and half of the draws against perfect play.
    score: BigRational,
}

/// Works out the ladder of the game that was asked for.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<io::Result<()>> {
    if let Some(name) = args.first.as_deref().and_then(OsStr::to_str).filter(|name| name.parse::<Level>().is_ok()) {
        bail!("--levels lists all levels, so it takes a table or --game; leave {name} out");
    }
    let table = args.first.as_ref().map(files::load).transpose()?.map(Player::Table);
    let game = args.find_game(table.as_ref(), None)?;
    crate::commands::check_small(&*game, "odds are", "a smaller game")?;
    // Levels are a fact of the game: verdicts from the rules are those of any of its tables, with all depths.
    let table = Table::builder(game).build();
    let ladder = climb(&table, &Bar::new())?;
    let game = &**table.game();
    Ok(if args.json { print_json(game, &ladder, out) } else { print(game, &ladder, out) })
}

/// All levels of both sides, the weakest first.
fn climb(table: &Table, progress: &dyn Progress) -> anyhow::Result<Vec<Rung>> {
    let game = &**table.game();
    let perfect = Graded::new(table, Level::Perfect)?;
    let mut ladder = Vec::new();
    for side in Side::BOTH {
        for level in table.levels(progress)? {
            let graded = Graded::new(table, level)?;
            let against = |other: &dyn Policy| {
                odds(game, BySide::from_fn(|player| if player == side { &graded } else { other }), progress)
            };
            let (against_random, score) = (against(&Random)?, against(&perfect)?.score(side));
            ladder.push(Rung { side, level, against_random, score });
        }
    }
    Ok(ladder)
}

fn print(game: &dyn Game, ladder: &[Rung], out: &mut dyn Write) -> io::Result<()> {
    let decimal = |probability| Probability(probability).decimal();
    writeln!(out, "{BOLD}{}{BOLD:#}: odds of each level against a random player,", games::title(&game.name()))?;
    writeln!(out, "and its score (wins plus half of the draws) against a perfect player\n")?;
    writeln!(out, "{:<8}{:<8}{:>10}{:>10}{:>10}{:>10}", "side", "level", "wins", "draws", "loses", "score")?;
    for Rung { side, level, against_random, score } in ladder {
        let Odds { wins, draw } = against_random;
        write!(out, "{side:<8}{BOLD}{level:<8}{BOLD:#}{:>10.6}", decimal(&wins[*side]))?;
        writeln!(out, "{:>10.6}{:>10.6}{:>10.6}", decimal(draw), decimal(&wins[side.other()]), decimal(score))?;
    }
    Ok(())
}

/// The ladder for programs.
#[derive(Serialize)]
struct LadderJson<'a> {
    game: String,
    levels: Vec<RungJson<'a>>,
}

#[derive(Serialize)]
struct RungJson<'a> {
    side: &'static str,
    level: String,
    against_random: AgainstJson<'a>,
    score_against_perfect: Probability<'a>,
}

#[derive(Serialize)]
struct AgainstJson<'a> {
    win: Probability<'a>,
    draw: Probability<'a>,
    loss: Probability<'a>,
}

impl<'a> From<&'a Rung> for RungJson<'a> {
    fn from(Rung { side, level, against_random, score }: &'a Rung) -> RungJson<'a> {
        let Odds { wins, draw } = against_random;
        RungJson {
            side: side.name(),
            level: level.to_string(),
            against_random: AgainstJson {
                win: Probability(&wins[*side]),
                draw: Probability(draw),
                loss: Probability(&wins[side.other()]),
            },
            score_against_perfect: Probability(score),
        }
    }
}

fn print_json(game: &dyn Game, ladder: &[Rung], out: &mut dyn Write) -> io::Result<()> {
    let levels = ladder.iter().map(RungJson::from).collect();
    serde_json::to_writer(&mut *out, &LadderJson { game: game.name(), levels })?;
    writeln!(out)
}

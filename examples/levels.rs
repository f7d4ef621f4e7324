//! The levels of tic-tac-toe: a ladder of opponents from random to perfect.
//! For each side and level: the exact odds against a random opponent, and the score against a perfect one.

use menace::odds::odds;
use menace::{BySide, Graded, Level, Plan, Policy, Random, Side, Table, games};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    let perfect = Graded::new(&table, Level::Perfect)?;

    println!("{:<15}{:-^46}  against perfect", "tic-tac-toe", " against random ");
    println!("side   level   {:>17}{:>17}{:>12}{:>17}", "wins", "draws", "loses", "score");
    for side in Side::BOTH {
        for level in table.levels(&())? {
            let player = Graded::new(&table, level)?;
            let against = |opponent: &dyn Policy| {
                odds(&**table.game(), BySide::from_fn(|seat| if seat == side { &player } else { opponent }), &())
            };
            let (random, perfect) = (against(&Random)?, against(&perfect)?);
            print!("{side:<6} {level:<8}{:>17}{:>17}", random.wins[side], random.draw);
            println!("{:>12}{:>17}", random.wins[side.other()], perfect.score(side));
        }
    }
    Ok(())
}

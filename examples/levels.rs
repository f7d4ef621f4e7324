//! The table of tic-tac-toe as it stood after each round of pruning: a ladder of opponents from random to unbeatable.
//! For each side and round: the beads left, and the exact odds against a random and a perfect opponent.

use menace::odds::odds;
use menace::{BySide, Perfect, Plan, Policy, Random, Side, Table, games};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let table = Table::generate_boxes(games::find("tictactoe")?, &Plan::default(), &())?;
    let perfect = Perfect::of(table.game(), &())?;

    println!("{:<20}{:-^45}  {:-^23}", "tic-tac-toe", " against random ", " against perfect ");
    println!("side   round  beads{:>18}{:>18}{:>10}  {:>10}{:>13}", "wins", "draws", "loses", "draws", "loses");
    for side in Side::BOTH {
        for round in 0..=table.last_round() {
            let level = table.after_round(round).ok_or("the table keeps its rounds")?;
            let beads = level.machine(side).ok_or("the table is for both sides")?.bead_count()?;
            let against = |opponent| {
                let policies = BySide::from_fn(|player| if player == side { &level as &dyn Policy } else { opponent });
                odds(&**table.game(), policies, &())
            };
            let (random, perfect) = (against(&Random)?, against(&perfect)?);
            print!("{side:<6} {round:>5} {beads:>6}{:>18}{:>18}", random.wins[side], random.draw);
            println!("{:>10}  {:>10}{:>13}", random.wins[side.other()], perfect.draw, perfect.wins[side.other()]);
        }
    }
    Ok(())
}

//! A policy of your own, and its exact odds in tic-tac-toe against random and perfect play.
//! This one takes the centre, or else the lowest empty cell.

use menace::odds::odds;
use menace::{BySide, Choice, Game, Perfect, Policy, Position, Random, Side, TableError, games};

struct CentreFirst;

impl Policy for CentreFirst {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        let moves = game.moves(at);
        let centre = moves.iter().find(|mv| mv.to.number() == 5);
        Ok(Choice::Draw(vec![(*centre.unwrap_or(&moves[0]), 1)]))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = games::find("tictactoe")?;
    let perfect = Perfect::of(&game, &())?;
    let opponents: [(&str, &dyn Policy); 2] = [("random", &Random), ("perfect", &perfect)];

    println!("{:<6}  {:<7}  {:>7}  {:>7}  {:>7}", "plays", "against", "wins", "draws", "loses");
    for side in Side::BOTH {
        for (name, opponent) in opponents {
            let policies = BySide::from_fn(|player| if player == side { &CentreFirst } else { opponent });
            let found = odds(&*game, policies, &())?;
            let (wins, loses) = (&found.wins[side], &found.wins[side.other()]);
            println!("{side:<6}  {name:<7}  {wins:>7}  {:>7}  {loses:>7}", found.draw);
        }
    }
    Ok(())
}

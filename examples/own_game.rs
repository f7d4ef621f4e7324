//! A game of your own: treblecross. Both sides place X on a row of 13 cells, and the side that gets three in a row wins.
//! Its table is made, written to a file, read back, and asked for the openings that win.

use menace::game::{Impossible, Moves};
use menace::{Board, Game, Mark, Move, Outcome, Plan, Position, Shape, Side, Sides, Table, words};

struct Treblecross;

impl Game for Treblecross {
    fn name(&self) -> String {
        "treblecross".to_owned()
    }
    fn shape(&self) -> Shape {
        Shape::new(13, 1).expect("a board has up to 64 cells")
    }
    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        let to_move = Side::after_stones(board.stone_count());
        if board.count(Mark::O) == 0 { Ok(to_move.into()) } else { Err(Impossible("both sides place X")) }
    }
    fn moves(&self, at: Position) -> Moves {
        at.board.cells_of(at.board.vacant()).map(|cell| Move::place(Mark::X, cell)).collect()
    }
    fn result(&self, at: Position) -> Option<Outcome> {
        at.board.to_string().contains("111").then_some(Outcome::Loss)
    }
    fn mark(&self, _side: Side) -> Option<Mark> {
        None
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (game, file) = (std::sync::Arc::new(Treblecross), tempfile::tempfile()?);
    Table::generate_boxes(game.clone(), &Plan::default(), &())?.write_json(&file, &())?;
    let table = Table::read(file, Some(game.clone()))?;
    let (verdict, matchbox) = (table.verdict(game.start())?, table.matchbox(game.start())?.ok_or("no box")?);
    println!("verdict   {} in {} moves", verdict.outcome.name(), verdict.depth.unwrap_or(0));
    println!("openings  {}", words::beads(&matchbox, game.notation()));
    Ok(())
}

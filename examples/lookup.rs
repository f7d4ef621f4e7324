//! Looks up a board in a table: what it is worth, the beads in its box, and why each other bead went.
//! `cargo run --example lookup -- TABLE BOARD` opens your table; without arguments, it makes one of tic-tac-toe.

use std::error::Error;

use menace::{Board, Plan, Table, game, games, search, words};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (table, board) = match &arguments[..] {
        [path, board] => (Table::open(path)?, board.as_str()),
        _ => (tictactoe()?, "X../.O./..X"),
    };
    let game = &**table.game();
    let at = search::position(game, Board::parse(board, game.shape())?, None)?;
    let matchbox = table.matchbox(at)?.ok_or("the table has no box for this board")?;
    let (verdict, notation) = (table.verdict(at)?, game.notation());
    let depth = verdict.depth.map(|moves| format!(" in {moves} moves")).unwrap_or_default();

    println!("board    {}, {} to move", at.board, game::player_name(game, at.to_move));
    println!("verdict  {}{depth}", verdict.outcome.name());
    println!("beads    {}", words::beads(&matchbox, notation));
    for (mv, removal) in matchbox.removed() {
        println!("went     {}: {}", notation.text(mv), words::reason(removal, notation));
    }
    Ok(())
}

/// Makes the table as a file, and opens it like any other.
fn tictactoe() -> Result<Table, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tictactoe.json");
    Table::generate_to(&path, games::find("tictactoe")?, &Plan::default(), &())?;
    Ok(Table::open(&path)?)
}

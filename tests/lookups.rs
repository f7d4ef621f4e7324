//! Looking boards up: one, many, every move. All tables of a game give the same verdicts, and the plain oracle agrees.

mod common;

use common::game;
use common::oracle::Oracle;
use menace::board::Id;
use menace::explain::explain;
use menace::table::{PackedError, Prospect};
use menace::{Board, Game, Plan, Position, Shape, Side, Sides, Table, TableError, Verdict};

/// The positions of a game, finished ones included, and then each board with the other side to move.
fn positions(oracle: &Oracle) -> Vec<Position> {
    let mut found: Vec<Position> = oracle.verdicts.keys().copied().collect();
    found.sort_unstable();
    let other = found.iter().map(|at| Position::new(at.board, at.to_move.other())).collect::<Vec<_>>();
    [found, other].concat()
}

/// The verdict on a position where the game goes on.
fn open(game: &dyn Game, oracle: &Oracle, at: Position) -> Option<Verdict> {
    oracle.verdicts.get(&at).copied().filter(|_| game.result(at).is_none())
}

fn assert_all_found(table: &Table, oracle: &Oracle, what: &str) {
    let (game, positions) = (&**table.game(), positions(oracle));
    let mut found = vec![None; positions.len()];
    table.verdicts(&positions, &mut found).unwrap();
    for (&at, found) in positions.iter().zip(found) {
        let expected = open(game, oracle, at);
        let known =
            if table.has_depths() { expected } else { expected.map(|verdict| Verdict { depth: None, ..verdict }) };
        assert_eq!(found, known, "{}, {what}, {at:?}", game.name());
    }
}

#[test]
fn many_verdicts_at_once_are_those_of_the_oracle() {
    for name in
        ["3x3x3", "3x3x3+misere", "4x3x3", "4x3x3+gravity", "3x4x3+gravity+misere", "hexapawn", "morris", "notakto"]
    {
        let game = game(name);
        let oracle = Oracle::new(&*game);
        let first = Plan { machines: Sides::FIRST, symmetry: true, ..Plan::default() };
        assert_all_found(&Table::generate_boxes(game.clone(), &first, &()).unwrap(), &oracle, "boxes");
        if game.as_rows().is_none() {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        for (depths, symmetry) in [(false, false), (true, false), (true, true)] {
            let plan = Plan { depths, symmetry, ..Plan::default() };
            let path = folder.path().join(format!("{depths}{symmetry}.menace"));
            Table::generate_to(&path, game.clone(), &plan, &()).unwrap();
            let file = Table::open(&path).unwrap();
            assert_all_found(&file, &oracle, "a file");
            assert!(file.bytes_in_file() > 0);
            let memory = file.in_memory(&()).unwrap();
            assert_eq!(memory.bytes_in_file(), 0);
            assert_all_found(&memory, &oracle, "in memory");
            assert_all_found(&Table::read(std::fs::read(&path).unwrap(), None).unwrap(), &oracle, "untested bytes");
        }
    }
}

#[test]
fn a_probe_agrees_with_an_explanation_on_every_board() {
    for name in ["3x3x3", "4x3x3", "hexapawn", "morris"] {
        let game = game(name);
        let oracle = Oracle::new(&*game);
        let table = Table::generate_boxes(game.clone(), &Plan::default(), &()).unwrap();
        for (&at, &verdict) in &oracle.verdicts {
            assert_eq!(table.probe(at.board, Some(at.to_move)).unwrap(), (at, verdict), "{name} {at:?}");
            let prospects = table.prospects(at).unwrap();
            if game.result(at).is_some() {
                assert_eq!(prospects, []);
                continue;
            }
            let explanation = explain(&table, at).unwrap();
            assert_eq!(explanation.verdict, verdict);
            let beads = |mv| explanation.matchbox.beads().find(|bead| bead.0 == mv).map_or(0, |bead| bead.1);
            let explained = explanation.moves.iter().map(|explained| Prospect {
                mv: explained.mv,
                after: explained.worth,
                beads: Some(beads(explained.mv)),
            });
            assert_eq!(prospects, explained.collect::<Vec<_>>(), "{name} {at:?}");
            for Prospect { mv, after, .. } in prospects {
                assert_eq!(after, oracle.get(at.play(mv)).for_the_other());
            }
        }
    }
}

#[test]
fn banned_boards_do_not_change_what_is_found() {
    let game = game("3x3x3");
    let oracle = Oracle::new(&*game);
    let ban = vec![Board::parse("X...O....", game.shape()).unwrap()];
    let table = Table::generate_boxes(game.clone(), &Plan { ban: ban.clone(), ..Plan::default() }, &()).unwrap();
    assert_all_found(&table, &oracle, "with a ban");
    let at = Position::new(ban[0], Side::First);
    assert_eq!(table.probe(at.board, None).unwrap(), (at, Verdict::DRAW));
    let corner = table.prospects(game.start()).unwrap()[0];
    assert_eq!((corner.after, corner.beads), (Verdict::DRAW, Some(0)), "only the bead is gone");
}

/// The place of such a board would be outside of the table.
#[test]
fn boards_of_another_shape_have_no_verdict() {
    let (small, large) = (game("3x3x3"), Shape::new(8, 8).unwrap());
    for name in ["3x3x3", "3x3x3+gravity"] {
        let packed = Table::generate_packed(game(name), &Plan::default(), &()).unwrap().in_memory(&()).unwrap();
        let ids = (0..64).map(|cell| 3u128.pow(cell)).chain([3u128.pow(64) - 1]);
        let boards = ids.map(|id| Board::from_id(Id(id), large).unwrap());
        let positions: Vec<Position> =
            boards.map(|board| Position::new(board, Side::after_stones(board.stone_count()))).collect();
        let mut found = vec![None; positions.len()];
        packed.verdicts(&positions, &mut found).unwrap();
        assert!(found[9..].iter().all(Option::is_none), "{name}: {found:?}");
        for at in &positions[9..] {
            assert!(packed.verdict(*at).is_err() || small.result(*at).is_some());
        }
    }
}

#[test]
fn a_damaged_table_is_not_taken_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.menace");
    Table::generate_to(&path, game("4x3x3"), &Plan::default(), &()).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let codes = bytes.len() / 2;
    bytes[codes] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    let table = Table::open(&path).unwrap();
    assert!(matches!(table.in_memory(&()), Err(TableError::Packed(PackedError::Chunk { .. }))));
    let positions = positions(&Oracle::new(&**table.game()));
    let mut found = vec![None; positions.len()];
    for table in [table, Table::read(bytes, None).unwrap()] {
        let refused = table.verdicts(&positions, &mut found);
        assert!(matches!(refused, Err(TableError::Packed(PackedError::Chunk { .. }))));
    }
}

#[test]
fn tables_of_boxes_are_in_memory() {
    let table = Table::generate_boxes(game("hexapawn"), &Plan::default(), &()).unwrap();
    assert_eq!(table.bytes_in_file(), 0);
    assert_eq!(table.in_memory(&()).unwrap().machines(), table.machines());
}

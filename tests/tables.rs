//! The same table gives the same answers however it is stored: as JSON or packed, turned or not.

mod common;

use common::game;
use common::oracle::Oracle;
use menace::odds::{Odds, odds};
use menace::{
    Aim, Ban, Board, BySide, Fate, Game, Matchbox, Outcome, Perfect, Plan, Policy, Position, Random, Side, Table,
    TableError, Why,
};

const ROW_GAMES: [&str; 4] = ["3x3x3", "4x3x3+gravity", "3x3x3+misere", "4x2x3"];

/// The plans that suit both kinds of table.
fn plans() -> impl Iterator<Item = Plan> {
    let aims = [Aim::Safe, Aim::Win, Aim::Fastest];
    let both = aims.into_iter().flat_map(|aim| [(aim, false), (aim, true)]);
    both.map(|(aim, symmetry)| Plan { aim, symmetry, ..Plan::default() })
}

/// The table of a plan as JSON, written and read back.
fn json(name: &str, plan: &Plan) -> Table {
    let mut text = Vec::new();
    Table::generate_boxes(game(name), plan, &()).unwrap().write_json(&mut text, &()).unwrap();
    Table::read(text, None).unwrap()
}

fn packed(name: &str, plan: &Plan, depths: bool) -> Table {
    let plan = Plan { depths, ..plan.clone() };
    let bytes = Table::generate_packed(game(name), &plan, &()).unwrap().packed_bytes().unwrap().unwrap();
    let table = Table::read(bytes, None).unwrap();
    assert_eq!(table.has_rounds(), depths || plan.aim == Aim::Fastest);
    table
}

/// Every position of a game, including finished ones.
fn positions(game: &dyn Game) -> Vec<Position> {
    Oracle::new(game).verdicts.into_keys().collect()
}

#[test]
fn json_and_packed_tables_give_the_same_answers() {
    for name in ROW_GAMES {
        let positions = positions(&*game(name));
        for plan in plans() {
            let json = json(name, &plan);
            for depths in [false, true] {
                let packed = packed(name, &plan, depths);
                let what = format!("{name} {:?}, symmetry {}, depths {depths}", plan.aim, plan.symmetry);
                assert_eq!(facts(&json), facts(&packed), "{what}");
                for &at in &positions {
                    assert_same_answers(&json, &packed, at, &format!("{what}, {}", at.board));
                }
            }
        }
    }
}

/// Facts about a table as a whole.
fn facts(table: &Table) -> (String, Option<Aim>, bool, Vec<(u64, u64)>) {
    let counts = |side| {
        let machine = table.machine(side).unwrap();
        (machine.bead_count().unwrap(), machine.banned_count().unwrap())
    };
    (table.game().name(), table.aim(), table.symmetry(), Side::BOTH.map(counts).to_vec())
}

fn assert_same_answers(json: &Table, packed: &Table, at: Position, what: &str) {
    let (ours, theirs) = (json.verdict(at).unwrap(), packed.verdict(at).unwrap());
    assert_eq!(ours.outcome, theirs.outcome, "{what}");
    assert!(ours.depth == theirs.depth || !packed.has_rounds() && theirs.depth.is_none(), "{what}");
    match (json.matchbox(at).unwrap(), packed.matchbox(at).unwrap()) {
        (Some(ours), Some(theirs)) => {
            assert_same_box(&ours, &theirs, packed.has_rounds(), what);
            assert_same_choice(json, packed, at, ours.banned().is_some(), what);
        }
        (None, None) => assert!(json.game().result(at).is_some(), "{what}: an unfinished board has no box"),
        _ => panic!("{what}: only one of them has a box"),
    }
}

fn assert_same_box(json: &Matchbox, packed: &Matchbox, has_rounds: bool, what: &str) {
    assert!(json.beads().eq(packed.beads()), "{what}: the beads");
    assert!(json.agrees_with(packed) && packed.agrees_with(json), "{what}");
    let ban = json.banned().map(|ban| if has_rounds { ban } else { Ban::Unrecorded });
    assert_eq!(packed.banned(), ban, "{what}: the ban");
    assert_eq!(json.all().len(), packed.all().len(), "{what}");
    for (mv, removal) in json.removed() {
        let Some(Fate::Went(same)) = packed.fate(mv) else { panic!("{what}: {mv:?} is still there") };
        assert_eq!(removal.why.name(), same.why.name(), "{what}: {mv:?}");
        assert_eq!(removal.why.reply().is_some(), same.why.reply().is_some(), "{what}: {mv:?}");
        match removal.why {
            // The round in which an aim takes out more than the learn rule depends on all boards, and is not stored.
            Why::Draws | Why::Slow => assert_eq!(same.round, None, "{what}: {mv:?}"),
            _ if !has_rounds => assert_eq!(same.round, None, "{what}: {mv:?}"),
            _ => assert_eq!(removal, same, "{what}: {mv:?}"),
        }
    }
}

/// A table without depths does not know which move loses latest; otherwise both choose alike.
fn assert_same_choice(json: &Table, packed: &Table, at: Position, is_lost: bool, what: &str) {
    let choice = |table: &Table| table.choose(&**table.game(), at).unwrap();
    if packed.has_rounds() || !is_lost {
        assert_eq!(choice(json), choice(packed), "{what}");
    } else {
        let candidates = choice(packed).moves();
        assert!(choice(json).moves().iter().all(|mv| candidates.contains(mv)), "{what}");
    }
}

fn odds_of(game: &dyn Game, side: Side, table: &dyn Policy, opponent: &dyn Policy) -> Odds {
    odds(game, BySide::from_fn(|of| if of == side { table } else { opponent }), &()).unwrap()
}

#[test]
fn json_and_packed_tables_with_depths_have_the_same_odds() {
    for name in ROW_GAMES {
        let game = game(name);
        let perfect = Perfect::of(&game, &()).unwrap();
        for plan in plans() {
            let (json, packed) = (json(name, &plan), packed(name, &plan, true));
            for side in Side::BOTH {
                for (opponent, policy) in [("random", &Random as &dyn Policy), ("perfect", &perfect)] {
                    let (ours, theirs) = (odds_of(&*game, side, &json, policy), odds_of(&*game, side, &packed, policy));
                    assert_eq!(ours, theirs, "{name} {plan:?} {side} against {opponent}");
                }
            }
        }
    }
}

#[test]
fn a_packed_table_unpacks_to_the_same_json() {
    for name in ROW_GAMES {
        for plan in plans() {
            let text = |table: &Table| {
                let mut text = Vec::new();
                table.write_json(&mut text, &()).unwrap();
                text
            };
            assert!(text(&json(name, &plan)) == text(&packed(name, &plan, false)), "{name} {plan:?}");
        }
    }
}

/// Asserts that the moves of a box and the replies to them are legal on the board it was opened for.
fn assert_legal(game: &dyn Game, at: Position, matchbox: &Matchbox) {
    let moves = game.moves(at);
    for bead in matchbox.all() {
        assert!(moves.contains(&bead.mv), "{:?} on {}", bead.mv, at.board);
        let Fate::Went(removal) = bead.fate else { continue };
        let Some(reply) = removal.why.reply() else { continue };
        let after = at.play(bead.mv);
        assert!(game.result(after).is_none() && game.moves(after).contains(&reply), "{reply:?} on {}", after.board);
        let led_to = game.result(after.play(reply));
        match removal.why {
            Why::Loses(_) => assert_eq!(led_to, Some(Outcome::Loss), "{reply:?} wins at once on {}", after.board),
            _ => assert_eq!(led_to, None, "{reply:?} leads to a banned board from {}", after.board),
        }
    }
}

#[test]
fn an_opened_box_has_moves_and_replies_that_are_legal_on_its_board() {
    for name in ["3x3x3", "hexapawn"] {
        let game = game(name);
        let oracle = Oracle::new(&*game);
        for aim in [Aim::Safe, Aim::Fastest] {
            let plan = Plan { aim, symmetry: true, ..Plan::default() };
            let mut tables = vec![json(name, &plan)];
            if game.as_rows().is_some() {
                tables.extend([packed(name, &plan, false), packed(name, &plan, true)]);
            }
            for table in tables {
                let mut turned = 0;
                for at in oracle.unfinished(&*game) {
                    let matchbox = table.matchbox(at).unwrap().unwrap_or_else(|| panic!("{name} {}", at.board));
                    assert_legal(&*game, at, &matchbox);
                    turned += usize::from(table.classes().lowest(at.board) != at.board);
                }
                assert!(turned > 0, "{name}: no board was turned");
            }
        }
    }
}

#[test]
fn a_turned_box_has_the_same_beads_as_the_boards_own_box() {
    for name in ["3x3x3", "hexapawn"] {
        let game = game(name);
        let (every, class) = (json(name, &Plan::default()), json(name, &Plan { symmetry: true, ..Plan::default() }));
        for at in Oracle::new(&*game).unfinished(&*game) {
            let (every, class) = (every.matchbox(at).unwrap().unwrap(), class.matchbox(at).unwrap().unwrap());
            assert_eq!(class.banned(), every.banned(), "{name} {}", at.board);
            for bead in class.all() {
                let fate = |fate| match fate {
                    Fate::Stays(number) => (Some(number), None, ""),
                    Fate::Went(removal) => (None, removal.round, removal.why.name()),
                };
                assert_eq!(fate(bead.fate), fate(every.fate(bead.mv).unwrap()), "{name} {} {:?}", at.board, bead.mv);
            }
        }
    }
}

#[test]
fn json_and_packed_tables_answer_and_refuse_alike_on_every_board() {
    for name in ["3x3x3", "3x3x3+misere", "4x2x3", "3x3x3+gravity"] {
        let (json, packed) = (json(name, &Plan::default()), packed(name, &Plan::default(), true));
        let boards = std::iter::successors(Some(Board::empty(json.game().shape())), |board| board.next());
        for at in boards.flat_map(|board| Side::BOTH.map(|side| Position::new(board, side))) {
            assert_eq!(json.verdict(at).ok(), packed.verdict(at).ok(), "{name} {at:?}");
            if json.game().result(at).is_none() {
                let boxes = [&json, &packed].map(|table| table.matchbox(at).unwrap().is_some());
                assert_eq!(boxes, [json.verdict(at).is_ok(); 2], "{name} {at:?}: a board with a verdict has a box");
            }
        }
    }
}

#[test]
fn an_unreachable_position_has_no_verdict() {
    let refusal = |table: &Table, text: &str, side| {
        let board = Board::parse(text, table.game().shape()).unwrap();
        table.verdict(Position::new(board, side)).unwrap_err()
    };
    for table in [json("3x3x3", &Plan::default()), packed("3x3x3", &Plan::default(), true)] {
        assert!(
            matches!(refusal(&table, ".........", Side::Second), TableError::NotReached(_)),
            "the first side begins"
        );
        for side in Side::BOTH {
            assert!(matches!(refusal(&table, "XX.......", side), TableError::NotInPlay(_)), "O has not moved");
        }
    }
    let morris = json("morris", &Plan::default());
    assert!(matches!(refusal(&morris, "X........", Side::First), TableError::NotReached(_)));
}

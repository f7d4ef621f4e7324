//! Exact odds, compared with published figures, with plain recursion in floating point, and with what must hold for any table.

mod common;

use common::oracle::Oracle;
use common::{Nine, after, empty_cells, game, is_over, side_to_move, winner};
use menace::odds::{Odds, OddsError, odds};
use menace::{Aim, BySide, Choice, Game, Move, Perfect, Plan, Policy, Position, Random, Side, Table, TableError};
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

fn table(name: &str, aim: Aim, symmetry: bool) -> Table {
    Table::generate_boxes(game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

fn packed(name: &str, aim: Aim) -> Table {
    Table::generate_packed(game(name), &Plan { aim, depths: true, ..Plan::default() }, &()).unwrap()
}

fn perfect(name: &str) -> Perfect {
    Perfect::of(&game(name), &()).unwrap()
}

/// The odds of a game in which a policy plays one side.
fn against(name: &str, side: Side, policy: &dyn Policy, opponent: &dyn Policy) -> Odds {
    let policies = BySide::from_fn(|player| if player == side { policy } else { opponent });
    odds(&*game(name), policies, &()).unwrap()
}

/// The odds that the first side wins, that the second side wins, and that the game is a draw.
fn texts(found: &Odds) -> [String; 3] {
    [&found.wins.first, &found.wins.second, &found.draw].map(BigRational::to_string)
}

#[test]
fn random_against_random_has_the_known_odds() {
    assert_eq!(texts(&against("tictactoe", Side::First, &Random, &Random)), ["737/1260", "121/420", "8/63"]);
}

#[test]
fn a_table_of_any_aim_loses_with_probability_zero() {
    let perfect = perfect("tictactoe");
    for symmetry in [false, true] {
        // How often each aim beats a random opponent, from the least strict aim to the strictest.
        let mut wins = BySide::<Vec<BigRational>>::default();
        for aim in Aim::ALL {
            let table = table("tictactoe", aim, symmetry);
            for side in Side::BOTH {
                let chance = against("tictactoe", side, &table, &Random);
                assert_eq!(chance.wins[side.other()], BigRational::zero(), "{aim:?} {side}");
                assert_eq!(&chance.wins.first + &chance.wins.second + &chance.draw, BigRational::one());
                assert_eq!(texts(&against("tictactoe", side, &table, &perfect)), ["0", "0", "1"], "{aim:?} {side}");
                wins[side].push(chance.wins[side].clone());
            }
        }
        // The last are the best possible odds without ever losing.
        let expected = BySide {
            first: ["14806243/16329600", "75257/77760", "75257/77760", "191/192"],
            second: ["12961/17010", "2645/3402", "2645/3402", "866/945"],
        };
        // With one box per class, moves that mirror each other share a bead, and only the best odds stay the same.
        let from = if symmetry { 3 } else { 0 };
        for (side, wins) in wins.iter() {
            assert!(wins.is_sorted(), "a stricter aim wins no less often: {wins:?}");
            assert_eq!(wins[from..].iter().map(BigRational::to_string).collect::<Vec<_>>(), expected[side][from..]);
        }
    }
}

#[test]
fn trap_wins_at_least_as_often_as_fastest_and_fastest_as_often_as_win() {
    for name in
        ["3x3x3+misere", "4x3x3+gravity", "4x4x4+gravity", "hexapawn", "hexapawn:4x3", "wild", "notakto", "5x2x3"]
    {
        for side in Side::BOTH {
            let won = [Aim::Win, Aim::Fastest, Aim::Trap].map(|aim| {
                let table = table(name, aim, true);
                against(name, side, &table, &Random).wins[side].clone()
            });
            assert!(won.is_sorted(), "{name} {side}: {won:?}");
        }
    }
}

/// The odds of random play on both sides by plain recursion: the first side wins, the second side wins, draw.
fn slow(board: &Nine) -> [f64; 3] {
    if is_over(board) {
        return match winner(board) {
            Some(1) => [1.0, 0.0, 0.0],
            Some(_) => [0.0, 1.0, 0.0],
            None => [0.0, 0.0, 1.0],
        };
    }
    let free = empty_cells(board);
    let parts: Vec<[f64; 3]> = free.iter().map(|&cell| slow(&after(board, cell))).collect();
    [0, 1, 2].map(|at| parts.iter().map(|part| part[at]).sum::<f64>() / free.len() as f64)
}

#[test]
fn plain_recursion_finds_the_same_odds() {
    let found = against("tictactoe", Side::First, &Random, &Random);
    let plain = slow(&[0; 9]);
    assert_eq!(side_to_move(&[0; 9]), 1);
    for (exact, plain) in [&found.wins.first, &found.wins.second, &found.draw].into_iter().zip(plain) {
        assert!((exact.to_f64().unwrap() - plain).abs() < 1e-12, "{exact} is not {plain}");
    }
}

#[test]
fn a_move_with_more_beads_is_played_more_often() {
    // On two cells neither side can make a row of two.
    assert_eq!(texts(&against("2x1x2", Side::First, &Random, &Random)), ["0", "0", "1"]);
    // A table before the first round has all beads, and plays at random.
    let whole = table("tictactoe", Aim::Safe, false);
    for side in Side::BOTH {
        let at_start = whole.after_round(0).unwrap();
        assert_eq!(texts(&against("tictactoe", side, &at_start, &Random)), ["737/1260", "121/420", "8/63"]);
    }
    let mut text = Vec::new();
    whole.write_json(&mut text, &()).unwrap();
    let text = String::from_utf8(text).unwrap();
    // Opens only in the centre, only in the corner, or in the centre five times as often as in the corner.
    let opened = |beads: &str| {
        let (head, rest) = text.split_once(r#""beads":{"#).unwrap();
        let (_, tail) = rest.split_once('}').unwrap();
        let edited = Table::read(format!(r#"{head}"beads":{{{beads}}}{tail}"#).into_bytes(), None).unwrap();
        against("tictactoe", Side::First, &edited, &Random).wins.first
    };
    let (centre, corner) = (opened(r#""5":1"#), opened(r#""1":1"#));
    let (five, six) = (BigRational::from_integer(5.into()), BigRational::from_integer(6.into()));
    assert_ne!(centre, corner);
    assert_eq!(opened(r#""1":1,"5":5"#), (corner + five * centre) / six);
}

#[test]
fn a_lost_table_has_the_same_odds_as_json_and_packed_with_depths() {
    let name = "4x3x3+gravity";
    for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
        let (json, packed) = (table(name, aim, false), packed(name, aim));
        for side in Side::BOTH {
            let [json, packed] = [&json, &packed].map(|table| against(name, side, table, &Random));
            assert_eq!(json, packed, "{aim:?} {side}");
        }
    }
}

#[test]
fn a_lost_table_plays_like_perfect_and_chooses_evenly_between_ties() {
    let name = "4x3x3+gravity";
    let (game, perfect) = (game(name), perfect(name));
    let start = game.start();
    let of_perfect = against(name, Side::Second, &perfect, &Random);
    assert_eq!(texts(&against(name, Side::Second, &perfect, &perfect)), ["1", "0", "0"], "the second side is lost");
    for table in [table(name, Aim::Fastest, false), packed(name, Aim::Fastest)] {
        assert_eq!(against(name, Side::Second, &table, &perfect), against(name, Side::Second, &perfect, &perfect));
        assert_eq!(against(name, Side::Second, &table, &Random), of_perfect);
        let opening = game.moves(start).into_iter().map(|mv| start.play(mv));
        let chosen = opening.map(|at| (table.choose(&*game, at).unwrap(), perfect.choose(&*game, at).unwrap()));
        assert!(
            chosen.filter(|(choice, _)| matches!(choice, Choice::LosesLatest(moves) if moves.len() > 1)).count() > 0
        );
    }
}

/// The moves of a choice, in order. Asserts that all are equally likely.
fn even_moves(choice: &Choice) -> Vec<Move> {
    let mut moves = choice.moves();
    moves.sort_unstable();
    assert!(moves.iter().all(|&(_, number)| number == 1), "{moves:?}");
    moves.into_iter().map(|(mv, _)| mv).collect()
}

#[test]
fn a_table_with_aim_fastest_chooses_like_perfect_on_every_board() {
    for name in
        ["3x3x3", "3x3x3+misere", "4x3x3+gravity", "4x3x3", "hexapawn", "notakto", "wild", "morris", "pong-hau-ki"]
    {
        let (game, perfect) = (game(name), perfect(name));
        let oracle = Oracle::new(&*game);
        let best = |at: Position| {
            let worth = |mv| oracle.get(at.play(mv)).before_move();
            let best = game.moves(at).into_iter().map(worth).max();
            game.moves(at).into_iter().filter(|&mv| Some(worth(mv)) == best).collect::<Vec<_>>()
        };
        let mut tables = vec![table(name, Aim::Fastest, false)];
        if game.as_rows().is_some() {
            tables.push(packed(name, Aim::Fastest));
        }
        for at in oracle.unfinished(&*game) {
            assert_eq!(even_moves(&perfect.choose(&*game, at).unwrap()), best(at), "{name} {}", at.board);
            for table in &tables {
                assert_eq!(even_moves(&table.choose(&*game, at).unwrap()), best(at), "{name} {}", at.board);
            }
        }
    }
}

/// Always places X on the first cell.
struct Cheat;

impl Policy for Cheat {
    fn choose(&self, game: &dyn Game, _at: Position) -> Result<Choice, TableError> {
        Ok(Choice::Draw(vec![(game.moves(game.start())[0], 1)]))
    }
}

#[test]
fn odds_that_cannot_be_computed_are_refused() {
    let refusal = |name: &str, first: &dyn Policy, second: &dyn Policy| {
        odds(&*game(name), BySide { first, second }, &()).unwrap_err()
    };
    assert!(matches!(refusal("morris", &Random, &Random), OddsError::GoesInCircles(_)));
    let illegal = refusal("tictactoe", &Cheat, &Random);
    assert!(matches!(illegal, OddsError::Illegal { side: Side::First, .. }), "{illegal}");
    let first = Plan { machines: Side::First.into(), ..Plan::default() };
    let table = Table::generate_boxes(game("tictactoe"), &first, &()).unwrap();
    let no_box = refusal("tictactoe", &Random, &table);
    assert!(matches!(no_box, OddsError::Table(TableError::NoBox { .. })), "{no_box}");
}

/// Never moves.
struct Resigns;

impl Policy for Resigns {
    fn choose(&self, _game: &dyn Game, _at: Position) -> Result<Choice, TableError> {
        Ok(Choice::Resign)
    }
}

#[test]
fn a_side_that_resigns_loses() {
    assert_eq!(texts(&against("tictactoe", Side::First, &Resigns, &Random)), ["0", "1", "0"]);
    assert_eq!(texts(&against("tictactoe", Side::Second, &Resigns, &Random)), ["1", "0", "0"]);
}

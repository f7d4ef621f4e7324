//! Exact measures of players, against known figures and against a slow walk over all games.

mod common;

use common::game;
use menace::odds::odds;
use menace::score::{Answers, best_response, judge, questions, score};
use menace::table::Classes;
use menace::{
    BySide, Choice, Game, Graded, Level, Outcome, Plan, Policy, Position, Random, Side, Sides, Table, TableError,
};
use num_rational::BigRational;
use num_traits::{One, Zero};

fn table(name: &str) -> Table {
    Table::generate(game(name), &Plan::default(), &()).unwrap()
}

fn fraction(text: &str) -> BigRational {
    text.parse().unwrap()
}

/// Always makes the first legal move.
struct First;

impl Policy for First {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        Ok(Choice::Draw(vec![(game.moves(at)[0], 1)]))
    }
}

/// Prefers low cells, but not always.
struct Leaning;

impl Policy for Leaning {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        Ok(Choice::Draw(game.moves(at).into_iter().rev().zip(1..).collect()))
    }
}

/// Names a move that is never legal.
struct Wrong;

impl Policy for Wrong {
    fn choose(&self, game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        let mut mv = game.moves(at)[0];
        mv.from = Some(mv.to);
        Ok(Choice::Draw(vec![(mv, 1)]))
    }
}

/// What a player gets against the best opponent, by walking all games instead of all boards.
fn slow_value(game: &dyn Game, player: &dyn Policy, side: Side, at: Position) -> f64 {
    if let Some(outcome) = game.result(at) {
        return match outcome.winner(at.to_move) {
            None => 0.0,
            Some(winner) if winner == side => 1.0,
            Some(_) => -1.0,
        };
    }
    if at.to_move != side {
        let next = game.moves(at).into_iter().map(|mv| slow_value(game, player, side, at.play(mv)));
        return next.fold(f64::INFINITY, f64::min);
    }
    let choice = player.choose(game, at).unwrap();
    let share = |number: u64| number as f64 / choice.total() as f64;
    choice.moves().into_iter().map(|(mv, n)| share(n) * slow_value(game, player, side, at.play(mv))).sum()
}

#[test]
fn the_uniform_player_has_the_published_exploitability() {
    let table = table("3x3x3");
    let exploitability = |sides| score(&table, &Random, sides, &()).unwrap().exploitability;
    assert_eq!(exploitability(Sides::BOTH), fraction("191/192") + fraction("874/945"));
    let mut single = Side::BOTH.map(|side| exploitability(side.into()));
    single.sort();
    assert_eq!(single, [fraction("874/945"), fraction("191/192")]);
}

#[test]
fn values_agree_with_a_walk_over_all_games() {
    for name in ["3x3x3", "3x3x3+misere", "3x3x3+gravity", "hexapawn", "notakto", "4x2x2+gravity"] {
        let table = table(name);
        let game = &**table.game();
        let level = Graded::new(&table, "1.5".parse().unwrap()).unwrap();
        for player in [&Random as &dyn Policy, &First, &Leaning, &level] {
            for side in Side::BOTH {
                let found = score(&table, player, side.into(), &()).unwrap();
                let value: f64 = num_traits::ToPrimitive::to_f64(&found.value).unwrap();
                assert!((value - slow_value(game, player, side, game.start())).abs() < 1e-9, "{name} {side}");
            }
        }
    }
}

#[test]
fn perfect_players_cannot_be_exploited_and_make_no_mistake() {
    for name in ["3x3x3", "4x3x3+gravity", "3x3x3+misere", "hexapawn:4x3", "wild"] {
        let table = table(name);
        for level in [Level::Perfect, Level::Fastest] {
            let found = score(&table, &Graded::new(&table, level).unwrap(), Sides::BOTH, &()).unwrap();
            assert!(found.exploitability.is_zero(), "{name} {level}");
            assert!(found.boards.good.is_one() && found.boards.mistakes.is_empty(), "{name} {level}");
            // In wild tic-tac-toe, every move that keeps a forced win wins soonest.
            let is_best = level == Level::Fastest || name == "wild";
            assert_eq!(found.boards.best.unwrap().is_one(), is_best, "{name} {level}");
        }
    }
}

#[test]
fn a_player_that_names_no_legal_move_loses_and_is_counted() {
    let table = table("3x3x3");
    let found = score(&table, &Wrong, Sides::BOTH, &()).unwrap();
    assert_eq!((found.boards.illegal, found.boards.boards), (4520, 4520));
    assert_eq!(found.value, BigRational::from_integer((-2).into()));
    assert!(found.random.loss.is_one() && found.boards.good.is_zero());
    assert_eq!(found.refutation, Some(Vec::new()), "it is beaten before its first move");
}

#[test]
fn the_refutation_is_a_shortest_game_that_beats_the_player() {
    /// The fewest moves after which the player has lost, by trying all games.
    fn fewest(game: &dyn Game, player: &dyn Policy, side: Side, at: Position) -> Option<usize> {
        if let Some(outcome) = game.result(at) {
            return (outcome.winner(at.to_move) == Some(side.other())).then_some(0);
        }
        let own = || player.choose(game, at).unwrap().moves().into_iter().map(|(mv, _)| mv).collect::<Vec<_>>();
        let moves = if at.to_move == side { own() } else { game.moves(at).to_vec() };
        moves.into_iter().filter_map(|mv| fewest(game, player, side, at.play(mv))).min().map(|moves| moves + 1)
    }
    for name in ["3x3x3", "hexapawn", "3x3x3+misere"] {
        let table = table(name);
        let game = &**table.game();
        for (side, player) in Side::BOTH.into_iter().flat_map(|side| [(side, &First as &dyn Policy), (side, &Random)]) {
            let found = score(&table, player, side.into(), &()).unwrap().refutation;
            assert_eq!(found.as_ref().map(Vec::len), fewest(game, player, side, game.start()), "{name}");
            let Some(line) = found else { continue };
            let end = line.iter().fold(game.start(), |at, &mv| {
                assert!(game.moves(at).contains(&mv));
                at.play(mv)
            });
            assert_eq!(game.result(end).unwrap().winner(end.to_move), Some(side.other()));
        }
    }
}

#[test]
fn mistakes_are_the_moves_that_give_something_away_worst_first() {
    let table = table("4x3x3+gravity");
    let found = score(&table, &Random, Sides::BOTH, &()).unwrap().boards;
    let mut expected = 0;
    for at in questions(&**table.game(), &Classes::new(&**table.game(), false), Sides::BOTH, &()).unwrap() {
        let before = table.verdict(at).unwrap().outcome;
        let after = |mv| table.verdict(at.play(mv)).unwrap().outcome.for_the_other();
        expected += table.game().moves(at).into_iter().filter(|&mv| after(mv) < before).count();
    }
    assert_eq!(found.mistakes.len(), expected);
    let drop = |outcome: Outcome| outcome as i32;
    assert!(found.mistakes.is_sorted_by_key(|mistake| drop(mistake.after.outcome) - drop(mistake.before.outcome)));
}

#[test]
fn the_best_response_gets_what_the_score_says() {
    for name in ["3x3x3", "hexapawn", "4x3x3+gravity"] {
        let table = table(name);
        for side in Side::BOTH {
            let response = best_response(&table, &Leaning, side.other(), &()).unwrap();
            let policies = BySide::from_fn(|player| if player == side { &Leaning as &dyn Policy } else { &response });
            let found = odds(&**table.game(), policies, &()).unwrap();
            let value = &found.wins[side] - &found.wins[side.other()];
            assert_eq!(value, score(&table, &Leaning, side.into(), &()).unwrap().value, "{name} {side}");
            let mut text = Vec::new();
            response.write_json(&mut text, &()).unwrap();
            assert_eq!(Table::read(text, None).unwrap().machines(), Sides::from(side.other()));
        }
    }
}

#[test]
fn one_answer_for_a_class_serves_all_its_boards() {
    let table = table("3x3x3");
    let game = &**table.game();
    let perfect = Graded::new(&table, Level::Perfect).unwrap();
    for symmetry in [false, true] {
        let classes = Classes::new(game, symmetry);
        let asked = questions(game, &classes, Sides::BOTH, &()).unwrap();
        assert_eq!(asked.len(), if symmetry { 627 } else { 4520 });
        let answers = asked.into_iter().map(|at| (at, perfect.choose(game, at).unwrap().moves()));
        let found = score(&table, &Answers::new(classes, answers), Sides::BOTH, &()).unwrap();
        assert_eq!((found.boards.boards, found.boards.illegal), (4520, 0));
        assert!(found.exploitability.is_zero());
    }
    let few: Vec<Position> = questions(game, &Classes::new(game, true), Sides::FIRST, &()).unwrap();
    let found = judge(&table, &perfect, &few, &()).unwrap();
    assert_eq!((found.boards, found.good), (338, BigRational::one()));
}

#[test]
fn games_that_go_in_circles_have_no_score() {
    let table = table("morris");
    assert!(score(&table, &Random, Sides::BOTH, &()).unwrap_err().to_string().contains("goes in circles"));
    assert!(best_response(&table, &Random, Side::First, &()).is_err());
}

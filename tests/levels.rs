//! The ladder of levels: the rounds of pruning, box by box, and never a step down.

use std::sync::Arc;

use menace::level::NoDepths;
use menace::odds::odds;
use menace::search::for_each_position;
use menace::{
    Aim, Board, BySide, Choice, Game, Graded, Level, Move, Plan, Policy, Position, Random, Side, Table, games,
};
use num_rational::BigRational;

fn table(name: &str, aim: Aim) -> Table {
    Table::generate_boxes(games::find(name).unwrap(), &Plan { aim, ..Plan::default() }, &()).unwrap()
}

fn open_positions(game: &dyn Game) -> Vec<Position> {
    let mut open = Vec::new();
    for_each_position(game, &(), |at| open.extend(game.result(at).is_none().then_some(at))).unwrap();
    open
}

/// The moves of a choice, each as likely as the others.
fn moves(choice: Choice) -> Vec<Move> {
    let mut moves: Vec<Move> = choice.moves().into_iter().map(|(mv, _)| mv).collect();
    moves.sort_unstable();
    moves
}

fn assert_same(table: &dyn Policy, level: &dyn Policy, game: &Arc<dyn Game>, what: &str) {
    for at in open_positions(&**game) {
        let [a, b] = [table, level].map(|policy| moves(policy.choose(&**game, at).unwrap()));
        assert_eq!(a, b, "{}, {what}, board {}", game.name(), at.board);
    }
}

const GAMES: [&str; 10] = [
    "3x3x3",
    "3x3x3+misere",
    "4x3x3+gravity",
    "3x4x3+gravity+misere",
    "4x2x2",
    "hexapawn",
    "hexapawn:4x3",
    "morris",
    "notakto",
    "wild",
];

#[test]
fn a_level_is_the_machine_as_it_stood_after_that_round() {
    for name in GAMES {
        let table = table(name, Aim::Safe);
        for round in 0..=table.last_round() {
            let level = Graded::new(&table, Level::Round(round)).unwrap();
            assert_same(&table.after_round(round).unwrap(), &level, table.game(), &format!("round {round}"));
        }
    }
}

#[test]
fn the_upper_levels_are_the_aims() {
    for name in GAMES {
        for (aim, level) in [(Aim::Safe, Level::Safe), (Aim::Win, Level::Perfect), (Aim::Fastest, Level::Fastest)] {
            let table = table(name, aim);
            assert_same(&table, &Graded::new(&table, level).unwrap(), table.game(), aim.name());
        }
    }
}

#[test]
fn packed_tables_with_depths_have_the_same_ladder() {
    for name in ["3x3x3", "3x3x3+misere", "4x3x3+gravity"] {
        let game = games::find(name).unwrap();
        let packed = Table::generate_packed(game.clone(), &Plan { depths: true, ..Plan::default() }, &()).unwrap();
        let boxes = table(name, Aim::Safe);
        let levels = packed.levels(&()).unwrap();
        assert_eq!(levels, boxes.levels(&()).unwrap());
        for level in levels {
            let [a, b] = [&boxes, &packed].map(|table| Graded::new(table, level).unwrap());
            assert_same(&a, &b, &game, &level.to_string());
        }
    }
}

#[test]
fn without_depths_a_table_has_the_levels_that_need_none() {
    let game = games::find("4x3x3+gravity").unwrap();
    let packed = Table::generate_packed(game.clone(), &Plan::default(), &()).unwrap();
    assert_eq!(packed.levels(&()).unwrap(), [Level::Random, Level::Safe, Level::Perfect]);
    for level in [Level::Fastest, Level::Round(2), Level::Between { round: 2, thousandths: 1 }] {
        assert_eq!(Graded::new(&packed, level).err(), Some(NoDepths(level)));
    }
    for (level, aim) in [(Level::Safe, Aim::Safe), (Level::Perfect, Aim::Win)] {
        let plan = Plan { aim, ..Plan::default() };
        let table = Table::generate_packed(game.clone(), &plan, &()).unwrap();
        assert_same(&table, &Graded::new(&packed, level).unwrap(), &game, aim.name());
    }
}

/// What a level scores against another player on a side: wins and half of the draws.
fn score(game: &dyn Game, side: Side, level: &Graded, other: &dyn Policy) -> BigRational {
    let policies = BySide::from_fn(|player| if player == side { level as &dyn Policy } else { other });
    let found = odds(game, policies, &()).unwrap();
    &found.wins[side] + &found.draw / BigRational::from_integer(2.into())
}

#[test]
fn against_perfect_play_no_level_does_worse_than_the_one_below_it() {
    for name in [
        "3x3x3",
        "3x3x3+misere",
        "4x3x3",
        "4x3x3+gravity",
        "3x4x3+gravity+misere",
        "hexapawn",
        "hexapawn:4x4",
        "notakto",
        "wild",
    ] {
        let table = Table::generate(games::find(name).unwrap(), &Plan::default(), &()).unwrap();
        let game = &**table.game();
        let graded = |level| Graded::new(&table, level).unwrap();
        let perfect = graded(Level::Perfect);
        for side in Side::BOTH {
            let mut below = None;
            for level in table.levels(&()).unwrap() {
                let scored = score(game, side, &graded(level), &perfect);
                assert!(below.is_none_or(|below| below <= scored), "{name}, {side}, level {level}");
                below = Some(scored);
            }
        }
    }
}

#[test]
fn safe_play_gives_wins_away() {
    let table = table("4x3x3", Aim::Safe);
    let [safe, perfect] = [Level::Safe, Level::Perfect].map(|level| Graded::new(&table, level).unwrap());
    let found = odds(&**table.game(), BySide { first: &safe, second: &perfect }, &()).unwrap();
    assert_eq!(format!("{:.3}", num_traits::ToPrimitive::to_f64(&found.wins.first).unwrap()), "0.498");
}

#[test]
fn against_random_play_a_higher_level_can_do_worse() {
    let table = table("wild", Aim::Safe);
    let [lower, higher] = [1, 2].map(|round| Graded::new(&table, Level::Round(round)).unwrap());
    let [lower, higher] = [lower, higher].map(|level| score(&**table.game(), Side::Second, &level, &Random));
    assert!(higher < lower, "level 2 is better against perfect play, and still scores less here");
}

#[test]
fn mixtures_are_exact() {
    let table = table("3x3x3", Aim::Safe);
    let game = &**table.game();
    let graded = |text: &str| Graded::new(&table, text.parse().unwrap()).unwrap();
    let at = Position::new(Board::parse("X.X/.../..O", game.shape()).unwrap(), Side::Second);
    let numbers = |text: &str| {
        let choice = graded(text).choose(game, at).unwrap();
        let total = choice.total();
        let share = |(mv, number): (Move, u64)| (mv.to.number(), BigRational::new(number.into(), total.into()));
        choice.moves().into_iter().map(share).collect::<Vec<_>>()
    };
    // After round 1 only the reply at 2 is left; before it, all six.
    assert_eq!(numbers("1").len(), 1);
    let quarter = numbers("0.25");
    assert_eq!(quarter.len(), 6);
    let fraction = |a: i32, b: i32| BigRational::new(a.into(), b.into());
    assert_eq!(quarter[0], (2, fraction(1, 4) + fraction(3, 4) * fraction(1, 6)));
    assert!(quarter[1..].iter().all(|(_, share)| *share == fraction(3, 4) * fraction(1, 6)));
}

#[test]
fn a_number_is_read_to_the_nearest_thousandth() {
    for (text, level) in [
        ("0", "random"),
        ("0.0", "random"),
        ("00002", "2"),
        ("2.", "2"),
        ("2.5", "2.5"),
        ("2.50", "2.5"),
        ("0.001", "0.001"),
        ("0.0004", "random"),
        ("0.0005", "0.001"),
        ("2.9996", "3"),
        ("1000000", "1000000"),
    ] {
        assert_eq!(text.parse::<Level>().unwrap().to_string(), level, "{text}");
        assert_eq!(text.parse::<f64>().ok().and_then(Level::after), text.parse().ok(), "{text}");
    }
    for text in
        ["", ".", ".5", "-1", "+1", "1e3", "1.2.3", "1000000.001", "5000000", "99999999999999999999", "２", "nan"]
    {
        assert!(text.parse::<Level>().is_err(), "{text}");
    }
}

#[test]
fn safe_is_reached_in_the_round_in_which_the_last_bead_goes() {
    for name in GAMES {
        let table = table(name, Aim::Safe);
        let removing = |side| {
            let rounds = table.machine(side).unwrap().rounds().unwrap();
            rounds.iter().filter(|round| round.beads_removed > 0).map(|round| round.round).max().unwrap_or(0)
        };
        let last = Side::BOTH.map(removing).into_iter().max().unwrap();
        let levels = table.levels(&()).unwrap();
        let whole: Vec<u32> = levels
            .iter()
            .filter_map(|level| if let Level::Round(round) = level { Some(*round) } else { None })
            .collect();
        assert_eq!(whole, (1..last).collect::<Vec<_>>(), "{name}");
    }
}

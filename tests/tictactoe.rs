//! Tic-tac-toe, compared with known figures and with a plain minimax that shares no code with the pruner.

mod common;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use common::{Nine, Value, after, empty_cells, is_over, minimax, nine, side_to_move, winner};
use menace::board::Id;
use menace::search::for_each_position;
use menace::table::{Boxes, Classes, Machine};
use menace::{
    Aim, Ban, Board, Cell, Fate, Game, Mark, Matchbox, Move, Outcome, Plan, Position, Side, Sides, Table, Why, games,
};

fn tictactoe() -> Arc<dyn Game> {
    games::find("tictactoe").unwrap()
}

fn generate(aim: Aim, symmetry: bool) -> Table {
    Table::generate_boxes(tictactoe(), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

fn generate_with_bans(machines: Sides, aim: Aim, ban: &[&str]) -> Table {
    let ban = ban.iter().map(|text| board(text)).collect();
    Table::generate_boxes(tictactoe(), &Plan { machines, aim, ban, ..Plan::default() }, &()).unwrap()
}

fn board(text: &str) -> Board {
    Board::parse(text, tictactoe().shape()).unwrap()
}

fn machines(table: &Table) -> [Machine<'_>; 2] {
    Side::BOTH.map(|side| table.machine(side).unwrap())
}

fn boxes(table: &Table, side: Side) -> Boxes {
    table.machine(side).unwrap().to_boxes().unwrap().into_owned()
}

fn rounds(machine: Machine<'_>) -> Vec<(u64, u64)> {
    machine.rounds().unwrap().iter().map(|round| (round.beads_removed, round.boards_banned)).collect()
}

fn digits(board: Board) -> Nine {
    nine(&board.to_string())
}

/// A board of nine digits as a `Board` of the library.
fn real(board: &Nine) -> Board {
    let text: String = board.iter().map(|digit| char::from(b'0' + digit)).collect();
    self::board(&text)
}

fn cells(matchbox: &Matchbox) -> BTreeSet<usize> {
    matchbox.beads().map(|(mv, _)| mv.to.index()).collect()
}

fn find(table: &Table, side: Side, text: &str) -> Matchbox {
    table.matchbox(Position::new(board(text), side)).unwrap().unwrap()
}

fn number(side: Side) -> u8 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

#[test]
fn exactly_the_reachable_boards_are_possible() {
    let game = tictactoe();
    let values = minimax();
    let boards = (0..19683).map(|id| Board::from_id(Id(id), game.shape()).unwrap());
    let possible: Vec<Board> = boards.filter(|&board| game.sides(board).is_ok()).collect();
    assert!(possible.iter().all(|board| values.contains_key(&nine(&board.to_string()))));
    let by_stones = (0..=9).map(|stones| possible.iter().filter(|b| (9 - b.vacant().count_ones()) == stones).count());
    assert_eq!(by_stones.collect::<Vec<_>>(), [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!(values.len(), 5478);
    let finished = |side: Option<u8>| values.keys().filter(|board| is_over(board) && winner(board) == side).count();
    assert_eq!([Some(1), Some(2), None].map(finished), [626, 316, 16]);
    let score = |score: i8| values.values().filter(|value| value.score == score).count();
    assert_eq!([1, 0, -1].map(score), [2836, 1068, 1574]);
    assert_eq!(values[&[0; 9]], Value { score: 0, depth: 9 });
}

#[test]
fn boxes_rounds_and_beads_have_the_known_figures() {
    let safe = generate(Aim::Safe, false);
    let [first, second] = machines(&safe);
    assert_eq!((first.box_count(), second.box_count()), (2423, 2097));
    assert_eq!(rounds(first), [(4572, 116), (224, 36), (100, 0), (0, 0)]);
    assert_eq!(rounds(second), [(4760, 392), (548, 88), (96, 0), (0, 0)]);
    assert_eq!((first.banned_count().unwrap(), second.banned_count().unwrap()), (152, 480));
    let left = [[3735, 2132], [3243, 2008], [3211, 2008], [2950, 1844]];
    for (aim, left) in Aim::ALL.into_iter().zip(left) {
        let table = generate(aim, false);
        assert_eq!(machines(&table).map(|machine| machine.bead_count().unwrap()), left, "{aim:?}");
    }
}

#[test]
fn the_rules_lead_to_the_known_number_of_games_and_finished_classes() {
    let game = tictactoe();
    /// The index of a result in the counts: the first side won, the second side won, draw.
    fn place(outcome: Outcome, at: Position) -> usize {
        match outcome.winner(at.to_move) {
            Some(Side::First) => 0,
            Some(Side::Second) => 1,
            None => 2,
        }
    }
    fn count(game: &dyn Game, at: Position, games: &mut [u64; 3]) {
        match game.result(at) {
            None => game.moves(at).iter().for_each(|&mv| count(game, at.play(mv), games)),
            Some(outcome) => games[place(outcome, at)] += 1,
        }
    }
    let mut games = [0; 3];
    count(&*game, game.start(), &mut games);
    assert_eq!((games, games.iter().sum::<u64>()), ([131_184, 77_904, 46_080], 255_168));
    let (classes, mut finished) = (Classes::new(&*game, true), [0; 3]);
    let walk = for_each_position(&*game, &(), |at| match game.result(at) {
        Some(outcome) if classes.lowest(at.board) == at.board => finished[place(outcome, at)] += 1,
        _ => {}
    });
    walk.unwrap();
    assert_eq!(finished, [91, 44, 3]);
}

#[test]
fn stricter_aims_add_one_round_of_removals_and_one_empty_round() {
    let (win, fastest) = (generate(Aim::Win, false), generate(Aim::Fastest, false));
    assert_eq!(rounds(win.machine(Side::First).unwrap()), [(4572, 116), (224, 36), (100, 0), (0, 0), (492, 0), (0, 0)]);
    assert_eq!(rounds(fastest.machine(Side::First).unwrap())[4..], [(524, 0), (0, 0)]);
    let boxes_that_drew = |machine| {
        let drew = |matchbox: &Matchbox| matchbox.removed().any(|(_, removal)| removal.why == Why::Draws);
        boxes(&win, machine).iter().filter(|(_, matchbox)| drew(matchbox)).count()
    };
    assert_eq!(Side::BOTH.map(boxes_that_drew), [200, 48]);
}

#[test]
fn classes_have_the_known_figures() {
    let table = generate(Aim::Safe, true);
    let [first, second] = machines(&table);
    assert_eq!((first.box_count(), second.box_count()), (338, 289));
    let beads_at_start = |side| boxes(&table, side).iter().map(|(_, matchbox)| matchbox.all().len()).sum::<usize>();
    assert_eq!(Side::BOTH.map(beads_at_start), [1121, 975]);
    assert_eq!((first.banned_count().unwrap(), second.banned_count().unwrap()), (22, 67));
    assert_eq!(first.rounds().unwrap()[0].boards_banned, 17);
    let has_two_empty = |board: &Board| empty_cells(&digits(*board)).len() >= 2;
    assert_eq!(boxes(&table, Side::First).iter().filter(|(board, _)| has_two_empty(board)).count(), 304);
}

#[test]
fn a_class_has_the_same_beads_as_its_boards() {
    for aim in Aim::ALL {
        let (every, class) = (generate(aim, false), generate(aim, true));
        for machine in Side::BOTH {
            let every = boxes(&every, machine);
            for (board, matchbox) in boxes(&class, machine).iter() {
                let whole = every.get(board).unwrap();
                assert_eq!(matchbox.banned(), whole.banned(), "box {board}");
                for bead in matchbox.all() {
                    let round = |fate: Option<Fate>| match fate {
                        Some(Fate::Went(removal)) => Some((removal.round, removal.why.name())),
                        _ => None,
                    };
                    assert_eq!(round(Some(bead.fate)), round(whole.fate(bead.mv)), "box {board}, bead {:?}", bead.mv);
                }
            }
        }
    }
}

#[test]
fn banned_boards_are_the_lost_ones_and_their_rounds_match_the_depths() {
    let values = minimax();
    let table = generate(Aim::Safe, false);
    for machine in Side::BOTH {
        let lost = values
            .iter()
            .filter(|(board, value)| !is_over(board) && side_to_move(board) == number(machine) && value.score == -1);
        let lost: HashMap<Nine, u32> = lost.map(|(board, value)| (*board, value.depth / 2)).collect();
        let boxes = boxes(&table, machine);
        let banned = boxes.iter().filter_map(|(board, matchbox)| Some((digits(board), matchbox.banned()?.round()?)));
        assert_eq!(banned.collect::<HashMap<_, _>>(), lost, "{machine}");
    }
}

/// The cells that an aim keeps, worked out from the values alone. `tests/games.rs` compares what `trap` keeps with plain odds.
fn expected(aim: Aim, board: &Nine, values: &HashMap<Nine, Value>) -> BTreeSet<usize> {
    let children: Vec<(usize, Value)> =
        empty_cells(board).into_iter().map(|cell| (cell, values[&after(board, cell)])).collect();
    let soonest = children.iter().filter(|(_, child)| child.score == -1).map(|(_, child)| child.depth).min();
    let keeps = |child: &Value| match (aim, soonest) {
        (_, Some(0)) => child.score == -1 && child.depth == 0,
        (Aim::Safe, _) | (_, None) => child.score <= 0,
        (Aim::Win, Some(_)) => child.score == -1,
        (Aim::Fastest | Aim::Trap, Some(soonest)) => child.score == -1 && child.depth == soonest,
    };
    children.iter().filter(|(_, child)| keeps(child)).map(|(cell, _)| *cell).collect()
}

#[test]
fn safe_win_and_fastest_keep_exactly_the_beads_that_minimax_allows() {
    let values = minimax();
    for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
        let table = generate(aim, false);
        for machine in Side::BOTH {
            let boxes = boxes(&table, machine);
            let reachable = values.keys().filter(|board| !is_over(board) && side_to_move(board) == number(machine));
            assert_eq!(reachable.count(), boxes.len());
            for (board, matchbox) in boxes.iter() {
                let board = digits(board);
                assert_eq!(cells(matchbox), expected(aim, &board, &values), "{aim:?} {machine} {board:?}");
            }
        }
    }
}

#[test]
fn no_opponent_beats_the_table() {
    for (aim, symmetry) in Aim::ALL.into_iter().flat_map(|aim| [(aim, false), (aim, true)]) {
        let table = generate(aim, symmetry);
        for machine in Side::BOTH {
            let boards = boards_without_a_loss(&table, machine);
            assert!(boards > 100, "checked only {boards} boards");
        }
    }
}

/// Plays every bead of a machine against every reply and asserts that it never loses. Returns the number of boards.
fn boards_without_a_loss(table: &Table, machine: Side) -> usize {
    let mut seen = BTreeSet::new();
    let mut open = vec![[0; 9]];
    while let Some(board) = open.pop() {
        if !seen.insert(board) {
            continue;
        }
        assert_ne!(winner(&board), Some(3 - number(machine)), "{:?} {machine} lost {board:?}", table.aim());
        if is_over(&board) {
            continue;
        }
        if side_to_move(&board) == number(machine) {
            let matchbox = table.matchbox(Position::new(real(&board), machine)).unwrap().unwrap();
            assert!(!matchbox.is_empty(), "{:?} {machine} has no move on {board:?}", table.aim());
            open.extend(cells(&matchbox).into_iter().map(|cell| after(&board, cell)));
        } else {
            open.extend(empty_cells(&board).into_iter().map(|cell| after(&board, cell)));
        }
    }
    seen.len()
}

#[test]
fn the_worked_examples_come_out_as_documented() {
    let table = generate(Aim::Safe, false);
    let beads = |text| table.game().notation().list(find(&table, Side::Second, text).beads().map(|(mv, _)| mv));
    assert_eq!(beads("102021001"), "7");
    assert_eq!(beads("102021100"), "4");
    assert_eq!(find(&table, Side::Second, "101020102").banned(), Some(Ban::Round(1)));
    let fork = find(&table, Side::Second, "101000002");
    assert_eq!(fork.banned(), Some(Ban::Round(2)));
    for (mv, removal) in fork.removed() {
        match mv.to.number() {
            2 => {
                assert_eq!(removal.round, Some(2));
                assert!(matches!(removal.why, Why::Banned(reply) if reply.to.number() == 7));
            }
            _ => {
                assert!(removal.round == Some(1) && matches!(removal.why, Why::Loses(Some(_))), "{mv:?}: {removal:?}")
            }
        }
    }
}

#[test]
fn every_reason_is_true() {
    let (table, safe) = (generate(Aim::Trap, false), generate(Aim::Safe, false));
    let values = minimax();
    for machine in Side::BOTH {
        for (board, matchbox) in boxes(&table, machine).iter() {
            let board = digits(board);
            for (mv, removal) in matchbox.removed() {
                let next = after(&board, mv.to.index());
                match removal.why {
                    Why::Loses(reply) => {
                        assert_eq!(winner(&after(&next, reply.unwrap().to.index())), Some(3 - number(machine)));
                    }
                    Why::Banned(reply) => {
                        let led_to = Position::new(real(&after(&next, reply.to.index())), machine);
                        let banned = safe.matchbox(led_to).unwrap().unwrap().banned().unwrap();
                        assert_eq!(banned.round().unwrap() + 1, removal.round.unwrap());
                    }
                    Why::Win => {
                        assert!(matchbox.beads().all(|(mv, _)| winner(&after(&board, mv.to.index())).is_some()))
                    }
                    Why::Draws => assert!(values[&board].score == 1 && values[&next].score == 0),
                    Why::Odds => assert!(values[&board].score == 0 && values[&next].score == 0),
                    Why::Slow => assert!(values[&next].score == -1 && values[&next].depth + 1 > values[&board].depth),
                }
            }
        }
    }
}

#[test]
fn a_board_banned_from_the_start_is_avoided_like_a_lost_one() {
    let centre = "000010000";
    let plain = generate_with_bans(Sides::SECOND, Aim::Safe, &[]);
    let banned = generate_with_bans(Sides::SECOND, Aim::Safe, &[centre]);
    assert_eq!(banned.banned_at_start(), [board(centre)]);
    let centre_box = find(&banned, Side::Second, centre);
    assert_eq!(centre_box.banned(), Some(Ban::AtStart));
    let plain_box = find(&plain, Side::Second, centre);
    assert_eq!(cells(&centre_box), cells(&plain_box), "its own beads follow the usual rule");
    // O can answer X in the corner with the centre. That board is banned for X, so X must not open in the corner.
    let corner = generate_with_bans(Sides::FIRST, Aim::Safe, &["100020000"]);
    let start = find(&corner, Side::First, "000000000");
    assert!(matches!(
        start.fate(Move::place(Mark::X, Cell::new(1).unwrap())),
        Some(Fate::Went(removal)) if matches!(removal.why, Why::Banned(reply) if reply.to.number() == 5)
    ));
}

/// Minimax where entering one of the machine's banned boards counts as lost for the machine.
fn minimax_with_bans(machine: u8, banned: &[Nine]) -> HashMap<Nine, i8> {
    fn solve(board: &Nine, machine: u8, banned: &[Nine], scores: &mut HashMap<Nine, i8>) -> i8 {
        if let Some(&score) = scores.get(board) {
            return score;
        }
        let children: Vec<i8> = if is_over(board) {
            Vec::new()
        } else {
            empty_cells(board).into_iter().map(|cell| -solve(&after(board, cell), machine, banned, scores)).collect()
        };
        let score = match winner(board) {
            Some(_) => -1,
            None if banned.contains(board) && side_to_move(board) == machine => -1,
            None => children.into_iter().max().unwrap_or(0),
        };
        scores.insert(*board, score);
        score
    }
    let mut scores = HashMap::new();
    solve(&[0; 9], machine, banned, &mut scores);
    scores
}

#[test]
fn forced_wins_avoid_boards_banned_from_the_start() {
    let bans = ["120000000", "100020000", "102010200", "121020000"];
    let machines = [Sides::FIRST, Sides::BOTH];
    for (aim, machines) in [Aim::Safe, Aim::Win].into_iter().flat_map(|aim| machines.map(|machines| (aim, machines))) {
        let table = generate_with_bans(machines, aim, &bans);
        let scores = minimax_with_bans(1, &bans.map(nine));
        for (board, matchbox) in boxes(&table, Side::First).iter() {
            let board = digits(board);
            let children: HashMap<usize, i8> =
                empty_cells(&board).into_iter().map(|cell| (cell, -scores[&after(&board, cell)])).collect();
            let wins_at_once = |cell: &usize| winner(&after(&board, *cell)).is_some();
            let best = *children.values().max().unwrap();
            let expected: BTreeSet<usize> = if children.keys().any(wins_at_once) {
                children.keys().copied().filter(wins_at_once).collect()
            } else {
                let least = if aim == Aim::Win && best == 1 { 1 } else { 0 };
                children.iter().filter(|(_, score)| **score >= least).map(|(cell, _)| *cell).collect()
            };
            assert_eq!(cells(matchbox), expected, "{aim:?} {board:?}");
        }
    }
}

//! Tic-tac-toe against known figures, and against a plain minimax that shares no code with the pruner.

mod common;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use common::{Nine, Value, after, empty_cells, is_over, minimax, nine, side_to_move, winner};
use menace::{
    Aim, Board, Classes, Fate, Game, Id, Machines, Matchbox, Outcome, Plan, Player, Run, Table, When, Why,
    for_each_board, games,
};

fn tictactoe() -> Arc<dyn Game> {
    games::find("tictactoe").unwrap()
}

fn run(aim: Aim, symmetry: bool) -> Run {
    Run::generate(tictactoe(), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

fn run_with_bans(machines: Machines, aim: Aim, ban: &[&str]) -> Run {
    let game = tictactoe();
    let ban = ban.iter().map(|text| Board::parse(text, game.shape()).unwrap()).collect();
    Run::generate(game, &Plan { machines, aim, ban, ..Plan::default() }, &()).unwrap()
}

fn rounds(table: &Table) -> Vec<(u64, u64)> {
    table.rounds.iter().map(|round| (round.beads_removed, round.boards_banned)).collect()
}

fn digits(id: Id) -> Nine {
    nine(&Board::from_id(id, tictactoe().shape()).unwrap().to_string())
}

fn cells(matchbox: &Matchbox) -> BTreeSet<usize> {
    matchbox.beads().map(|(mv, _)| mv.to.index()).collect()
}

fn find<'a>(run: &'a Run, machine: Player, board: &str) -> &'a Matchbox {
    let board = Board::parse(board, run.game.shape()).unwrap();
    run.find(machine, board).unwrap().1
}

fn number(player: Player) -> u8 {
    player as u8 + 1
}

#[test]
fn reachable_boards_are_those_that_the_game_calls_possible() {
    let game = tictactoe();
    let values = minimax();
    let boards = (0..19683).map(|id| Board::from_id(Id(id), game.shape()).unwrap());
    let possible: Vec<Board> = boards.filter(|&board| game.turn(board).is_ok()).collect();
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
    let safe = run(Aim::Safe, false);
    let [first, second] = Player::BOTH.map(|machine| safe.table(machine).unwrap());
    assert_eq!((first.boxes.len(), second.boxes.len()), (2423, 2097));
    assert_eq!(rounds(first), [(4572, 116), (224, 36), (100, 0), (0, 0)]);
    assert_eq!(rounds(second), [(4760, 392), (548, 88), (96, 0), (0, 0)]);
    assert_eq!((first.banned_count(), second.banned_count()), (152, 480));
    let left = [[3735, 2132], [3243, 2008], [3211, 2008], [2950, 1844]];
    for (aim, left) in Aim::ALL.into_iter().zip(left) {
        let run = run(aim, false);
        assert_eq!(Player::BOTH.map(|machine| run.table(machine).unwrap().bead_count()), left, "{aim:?}");
    }
}

#[test]
fn the_rules_lead_to_the_known_number_of_games_and_finished_classes() {
    let game = games::find("tictactoe").unwrap();
    // Games by who has won: the first player, the second, nobody.
    fn count(game: &dyn Game, board: Board, player: Player, games: &mut [u64; 3]) {
        match game.result(board, player) {
            None => game.moves(board, player).iter().for_each(|&mv| count(game, board.play(mv), player.other(), games)),
            Some(Outcome::Draw) => games[2] += 1,
            Some(outcome) => games[if outcome == Outcome::Win { player } else { player.other() } as usize] += 1,
        }
    }
    let mut games = [0; 3];
    count(&*game, game.start(), Player::One, &mut games);
    assert_eq!((games, games.iter().sum::<u64>()), ([131_184, 77_904, 46_080], 255_168));
    let (classes, mut finished) = (Classes::new(&*game, true), [0; 3]);
    for_each_board(&*game, &(), |board, player| match game.result(board, player) {
        Some(outcome) if classes.lowest(board) == board => {
            let winner = if outcome == Outcome::Win { player } else { player.other() };
            finished[if outcome == Outcome::Draw { 2 } else { winner as usize }] += 1;
        }
        _ => {}
    });
    assert_eq!(finished, [91, 44, 3]);
}

#[test]
fn what_sharper_aims_remove_goes_in_one_more_round_that_another_closes() {
    let win = run(Aim::Win, false);
    let fastest = run(Aim::Fastest, false);
    let first = win.table(Player::One).unwrap();
    assert_eq!(rounds(first), [(4572, 116), (224, 36), (100, 0), (0, 0), (492, 0), (0, 0)]);
    assert_eq!(rounds(fastest.table(Player::One).unwrap())[4..], [(524, 0), (0, 0)]);
    let boxes_that_drew = |machine| {
        let table = win.table(machine).unwrap();
        let drew = |matchbox: &&Matchbox| matchbox.removed().any(|(_, removal)| removal.why == Why::Draws);
        table.boxes.values().filter(drew).count()
    };
    assert_eq!(Player::BOTH.map(boxes_that_drew), [200, 48]);
}

#[test]
fn classes_have_the_known_figures() {
    let run = run(Aim::Safe, true);
    let [first, second] = Player::BOTH.map(|machine| run.table(machine).unwrap());
    assert_eq!((first.boxes.len(), second.boxes.len()), (338, 289));
    let beads_at_start = |table: &Table| table.boxes.values().map(|matchbox| matchbox.all().len()).sum::<usize>();
    assert_eq!((beads_at_start(first), beads_at_start(second)), (1121, 975));
    assert_eq!((first.banned_count(), second.banned_count()), (22, 67));
    assert_eq!(first.rounds[0].boards_banned, 17);
    let two_empty = first.boxes.keys().filter(|&&id| digits(id).iter().filter(|&&digit| digit == 0).count() >= 2);
    assert_eq!(two_empty.count(), 304);
}

#[test]
fn a_class_has_the_beads_that_its_boards_have() {
    for aim in Aim::ALL {
        let (every, class) = (run(aim, false), run(aim, true));
        for (machine, table) in class.tables() {
            for (id, matchbox) in &table.boxes {
                let whole = &every.table(machine).unwrap().boxes[id];
                assert_eq!(matchbox.banned(), whole.banned(), "box {id}");
                for bead in matchbox.all() {
                    let round = |fate: Option<Fate>| match fate {
                        Some(Fate::Went(removal)) => Some((removal.when, removal.why.name())),
                        _ => None,
                    };
                    assert_eq!(round(Some(bead.fate)), round(whole.fate(bead.mv)), "box {id}, bead {:?}", bead.mv);
                }
            }
        }
    }
}

#[test]
fn the_banned_boards_are_the_lost_ones_and_the_round_is_the_depth() {
    let values = minimax();
    let run = run(Aim::Safe, false);
    for (machine, table) in run.tables() {
        let lost = values
            .iter()
            .filter(|(board, value)| !is_over(board) && side_to_move(board) == number(machine) && value.score == -1);
        let lost: HashMap<Nine, u32> = lost.map(|(board, value)| (*board, value.depth / 2)).collect();
        let banned = table.boxes.iter().filter_map(|(&id, matchbox)| Some((digits(id), matchbox.banned()?.round()?)));
        assert_eq!(banned.collect::<HashMap<_, _>>(), lost, "{machine:?}");
    }
}

/// The cells that an aim keeps, from the values alone. What `trap` keeps is compared with plain odds for this and other games.
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
fn every_bead_of_every_aim_is_the_one_that_minimax_allows() {
    let values = minimax();
    for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
        for (machine, table) in run(aim, false).tables() {
            let reachable = values.keys().filter(|board| !is_over(board) && side_to_move(board) == number(machine));
            assert_eq!(reachable.count(), table.boxes.len());
            for (&id, matchbox) in &table.boxes {
                let board = digits(id);
                assert_eq!(cells(matchbox), expected(aim, &board, &values), "{aim:?} {machine:?} {board:?}");
            }
        }
    }
}

#[test]
fn no_opponent_beats_the_table() {
    for aim in Aim::ALL {
        for symmetry in [false, true] {
            let run = run(aim, symmetry);
            for machine in Player::BOTH {
                let mut boards = 0;
                let mut seen = BTreeSet::new();
                let mut open = vec![[0; 9]];
                while let Some(board) = open.pop() {
                    if !seen.insert(board) {
                        continue;
                    }
                    boards += 1;
                    assert_ne!(winner(&board), Some(3 - number(machine)), "{aim:?} {machine:?} lost {board:?}");
                    if is_over(&board) {
                        continue;
                    }
                    if side_to_move(&board) == number(machine) {
                        let text: String = board.iter().map(|digit| char::from(b'0' + digit)).collect();
                        let real = Board::parse(&text, run.game.shape()).unwrap();
                        let (_, matchbox, turn) = run.find(machine, real).unwrap();
                        assert!(!matchbox.is_empty(), "{aim:?} {machine:?} has no move on {board:?}");
                        let back = turn.inverse();
                        open.extend(matchbox.beads().map(|(mv, _)| after(&board, back.mv(mv).to.index())));
                    } else {
                        open.extend(empty_cells(&board).into_iter().map(|cell| after(&board, cell)));
                    }
                }
                assert!(boards > 100, "only {boards} boards were looked at");
            }
        }
    }
}

#[test]
fn the_worked_examples_come_out_as_the_readme_tells() {
    let run = run(Aim::Safe, false);
    let beads = |board| run.game.notation().list(find(&run, Player::Two, board).beads().map(|(mv, _)| mv));
    assert_eq!(beads("102021001"), "7");
    assert_eq!(beads("102021100"), "4");
    assert_eq!(find(&run, Player::Two, "101020102").banned(), Some(When::Round(1)));
    let fork = find(&run, Player::Two, "101000002");
    assert_eq!(fork.banned(), Some(When::Round(2)));
    for (mv, removal) in fork.removed() {
        match mv.to.number() {
            2 => {
                assert_eq!(removal.when, When::Round(2));
                assert!(matches!(removal.why, Why::Banned(reply) if reply.to.number() == 7));
            }
            _ => assert!(
                removal.when == When::Round(1) && matches!(removal.why, Why::Loses(Some(_))),
                "{mv:?}: {removal:?}"
            ),
        }
    }
}

#[test]
fn every_reason_is_true() {
    let run = run(Aim::Trap, false);
    let values = minimax();
    let safe = self::run(Aim::Safe, false);
    for (machine, table) in run.tables() {
        for (&id, matchbox) in &table.boxes {
            let board = digits(id);
            for (mv, removal) in matchbox.removed() {
                let next = after(&board, mv.to.index());
                match removal.why {
                    Why::Loses(reply) => {
                        assert_eq!(winner(&after(&next, reply.unwrap().to.index())), Some(3 - number(machine)));
                    }
                    Why::Banned(reply) => {
                        let led_to: String =
                            after(&next, reply.to.index()).iter().map(|digit| char::from(b'0' + digit)).collect();
                        assert_eq!(
                            find(&safe, machine, &led_to).banned().unwrap().round().unwrap() + 1,
                            removal.when.round().unwrap()
                        );
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
    let plain = run_with_bans(Machines::Second, Aim::Safe, &[]);
    let banned = run_with_bans(Machines::Second, Aim::Safe, &[centre]);
    let shape = plain.game.shape();
    assert_eq!(banned.banned_at_start, [Board::parse(centre, shape).unwrap().id()]);
    let centre_box = find(&banned, Player::Two, centre);
    assert_eq!(centre_box.banned(), Some(When::Round(0)));
    assert_eq!(cells(centre_box), cells(find(&plain, Player::Two, centre)), "its own beads follow the rule as ever");
    // X can force its way to a board that O was told to avoid, so O is lost wherever X can do so.
    let corner = run_with_bans(Machines::First, Aim::Safe, &["100020000"]);
    let start = find(&corner, Player::One, "000000000");
    assert!(matches!(
        start.fate(menace::Move::place(Player::One, menace::Cell::new(1).unwrap())),
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
fn forced_wins_do_not_lead_through_boards_banned_from_the_start() {
    let bans = ["120000000", "100020000", "102010200", "121020000"];
    let machines = [Machines::First, Machines::Both];
    for (aim, machines) in [Aim::Safe, Aim::Win].into_iter().flat_map(|aim| machines.map(|machines| (aim, machines))) {
        let run = run_with_bans(machines, aim, &bans);
        let scores = minimax_with_bans(1, &bans.map(nine));
        for (&id, matchbox) in &run.table(Player::One).unwrap().boxes {
            let board = digits(id);
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

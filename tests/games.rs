//! Every game against known figures, and hundreds of small ones against plain backward induction.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use common::oracle::Oracle;
use common::small_row_games;
use menace::stats::Stats;
use menace::{
    Aim, Board, Boards, Classes, Game, Machines, Move, Outcome, Plan, Player, Run, Verdict, When, for_each_board, games,
};
use num_rational::BigRational;
use rayon::prelude::*;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).unwrap_or_else(|error| panic!("{error}"))
}

fn generate(name: &str, aim: Aim, symmetry: bool) -> Run {
    Run::generate(game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

const NAMED: [&str; 7] = ["hexapawn", "hexapawn:4x3", "hexapawn:3x4", "morris", "pong-hau-ki", "notakto", "wild"];

/// A row of the known figures: boards, classes, won, lost and drawn for the side to move, and the verdict on the start.
type Figures = (&'static str, u64, Option<u64>, Option<[u64; 3]>, Option<Verdict>);

const FIGURES: [Figures; 10] = [
    ("3x3x3", 5478, Some(765), Some([2836, 1574, 1068]), Some(Verdict::Draw)),
    ("3x3x3+misere", 5478, Some(765), Some([3054, 1444, 980]), Some(Verdict::Draw)),
    ("4x3x3", 111_973, Some(28_275), Some([64_738, 44_175, 3060]), Some(Verdict::Win(7))),
    ("4x4x4+gravity", 161_029, Some(80_541), Some([38_675, 32_234, 90_120]), Some(Verdict::Draw)),
    ("hexapawn", 135, None, Some([55, 80, 0]), Some(Verdict::Loss(6))),
    ("morris", 5390, Some(744), Some([2997, 1185, 1208]), Some(Verdict::Win(9))),
    ("pong-hau-ki", 56, None, Some([8, 4, 44]), Some(Verdict::Draw)),
    ("notakto", 450, Some(87), Some([377, 73, 0]), None),
    ("wild", 18_753, None, None, None),
    ("4x4x3", 6_036_001, Some(756_387), Some([3_199_406, 2_835_273, 1322]), Some(Verdict::Win(5))),
];

#[test]
fn boards_classes_and_verdicts_have_the_known_figures() {
    for (name, boards, classes, verdicts, start) in FIGURES {
        assert_figures(name, boards, classes, verdicts, start);
    }
    for name in ["notakto", "wild"] {
        let run = Run::generate(game(name), &Plan::default(), &()).unwrap();
        assert_eq!(Stats::of(&run, &()).start.verdict, "win", "{name}");
    }
}

fn assert_figures(name: &str, boards: u64, classes: Option<u64>, verdicts: Option<[u64; 3]>, start: Option<Verdict>) {
    let game = game(name);
    let empty = Run::generate(game.clone(), &Plan { machines: Machines::First, ..Plan::default() }, &()).unwrap();
    let stats = Stats::of(&empty, &());
    assert_eq!(stats.boards.all.total, boards, "{name}");
    if let Some(expected) = classes {
        let of_game = Classes::new(&*game, true);
        let mut found = 0;
        for_each_board(&*game, &(), |board, _| found += u64::from(of_game.lowest(board) == board));
        assert_eq!(found, expected, "classes of {name}");
    }
    if let Some(expected) = verdicts {
        assert_eq!([stats.boards.all.win, stats.boards.all.loss, stats.boards.all.draw], expected, "{name}");
    }
    if let Some(expected) = start {
        let found = (stats.start.verdict, stats.start.depth);
        let expected = match expected {
            Verdict::Win(depth) => ("win", Some(depth)),
            Verdict::Draw => ("draw", None),
            Verdict::Loss(depth) => ("loss", Some(depth)),
        };
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn four_in_a_row_on_four_by_four_has_the_known_figures() {
    assert_figures("4x4x4", 9_722_011, Some(1_217_977), Some([2_730_266, 960_556, 6_031_189]), Some(Verdict::Draw));
}

#[test]
fn finished_boards_and_boxes_have_the_known_figures() {
    for (name, finished, boxes) in [("hexapawn", 65, [33, 37]), ("wild", 7660, [5563, 5530])] {
        let run = generate(name, Aim::Safe, false);
        assert_eq!(Stats::of(&run, &()).boards.all.finished, finished, "{name}");
        assert_eq!(Player::BOTH.map(|machine| run.table(machine).unwrap().boxes.len()), boxes, "{name}");
    }
    let classes = generate("hexapawn", Aim::Safe, true);
    assert_eq!(Player::BOTH.map(|machine| classes.table(machine).unwrap().boxes.len()), [18, 19]);
}

#[test]
fn hundreds_of_small_games_agree_with_backward_induction() {
    let larger = ["4x4x4+gravity", "5x3x3+gravity+misere", "hexapawn:4x4"];
    let names = small_row_games().into_iter().chain(NAMED.into_iter().chain(larger).map(str::to_owned));
    let names: Vec<String> = names.collect();
    assert!(names.len() >= 200, "only {} games", names.len());
    names.par_iter().for_each(|name| agrees_with_backward_induction(name));
}

fn agrees_with_backward_induction(name: &str) {
    let game = game(name);
    let oracle = Oracle::new(&*game);
    for aim in Aim::ALL.into_iter().filter(|aim| aim.suits(&*game)) {
        let run = generate(name, aim, false);
        for (machine, table) in run.tables() {
            let mut chances = Chances { game: &*game, oracle: &oracle, machine, known: HashMap::new() };
            let unfinished =
                |(board, player): &(Board, Player)| *player == machine && game.result(*board, machine).is_none();
            let reached = oracle.verdicts.keys().filter(|state| unfinished(state));
            let ids: BTreeSet<_> = reached.map(|(board, _)| board.id()).collect();
            assert_eq!(table.boxes.keys().copied().collect::<BTreeSet<_>>(), ids, "boxes of {name}");
            for (&id, matchbox) in &table.boxes {
                let board = Board::from_id(id, game.shape()).unwrap();
                let banned = match oracle.get(board, machine) {
                    Verdict::Loss(depth) => Some(depth.div_ceil(2)),
                    _ => None,
                };
                assert_eq!(matchbox.banned(), banned.map(When::Round), "{name} {machine:?} {board}");
                let kept: BTreeSet<Move> = matchbox.beads().map(|(mv, _)| mv).collect();
                assert_eq!(kept, expected_beads(aim, board, &mut chances), "{name} {aim:?} {machine:?} {board}");
            }
        }
    }
}

/// How likely a machine is to win that never makes a losing move, has the best odds there are, and meets replies by chance.
struct Chances<'a> {
    game: &'a dyn Game,
    oracle: &'a Oracle,
    machine: Player,
    known: HashMap<Board, BigRational>,
}

impl Chances<'_> {
    fn of_box(&mut self, board: Board) -> BigRational {
        if let Some(known) = self.known.get(&board) {
            return known.clone();
        }
        let loses = |mv: &Move| matches!(self.oracle.get(board.play(*mv), self.machine.other()), Verdict::Win(_));
        let safe: Vec<Move> = self.game.moves(board, self.machine).into_iter().filter(|mv| !loses(mv)).collect();
        let best = safe.into_iter().map(|mv| self.of_move(board, mv)).max().unwrap_or_else(|| sure(false));
        self.known.insert(board, best.clone());
        best
    }

    fn of_move(&mut self, board: Board, mv: Move) -> BigRational {
        let (after, opponent) = (board.play(mv), self.machine.other());
        if let Some(outcome) = self.game.result(after, opponent) {
            return sure(outcome == Outcome::Loss);
        }
        let replies = self.game.moves(after, opponent);
        let number = BigRational::from_integer(replies.len().into());
        let of_reply = |reply| match self.game.result(after.play(reply), self.machine) {
            Some(outcome) => sure(outcome == Outcome::Win),
            None => self.of_box(after.play(reply)),
        };
        replies.into_iter().map(of_reply).sum::<BigRational>() / number
    }
}

fn sure(wins: bool) -> BigRational {
    BigRational::from_integer(u8::from(wins).into())
}

/// The moves that an aim keeps, worked out from verdicts and depths, and for `trap` from odds.
fn expected_beads(aim: Aim, board: Board, chances: &mut Chances<'_>) -> BTreeSet<Move> {
    let (game, oracle, machine) = (chances.game, chances.oracle, chances.machine);
    let moves = game.moves(board, machine);
    let children: BTreeMap<Move, Verdict> =
        moves.into_iter().map(|mv| (mv, oracle.get(board.play(mv), machine.other()))).collect();
    let soonest =
        children.values().filter_map(|child| if let Verdict::Loss(depth) = child { Some(*depth) } else { None }).min();
    let keeps = |child: &Verdict| match (aim, soonest, child) {
        (_, Some(0), child) => *child == Verdict::Loss(0),
        (Aim::Safe, _, child) | (_, None, child) => !matches!(child, Verdict::Win(_)),
        (Aim::Win, Some(soonest), Verdict::Loss(depth)) => {
            // Nearer: after any reply the win is fewer moves away than it is now.
            !game.goes_in_circles() || *depth <= soonest + 1
        }
        (Aim::Fastest | Aim::Trap, Some(soonest), Verdict::Loss(depth)) => *depth == soonest,
        (_, Some(_), _) => false,
    };
    let mut kept: BTreeSet<Move> = children.iter().filter(|(_, child)| keeps(child)).map(|(mv, _)| *mv).collect();
    if aim == Aim::Trap && soonest.is_none() {
        let best = chances.of_box(board);
        kept.retain(|&mv| chances.of_move(board, mv) == best);
    }
    kept
}

#[test]
fn classes_have_the_rounds_and_beads_of_their_boards() {
    let names = ["3x3x3+misere", "4x2x3", "3x3x2+gravity", "4x3x3+gravity+misere"].into_iter().chain(NAMED);
    for (name, aim) in
        names.flat_map(|name| Aim::ALL.map(|aim| (name, aim))).filter(|(name, aim)| aim.suits(&*game(name)))
    {
        let (every, class) = (generate(name, aim, false), generate(name, aim, true));
        let game = &*every.game;
        for (machine, table) in every.tables() {
            let lowest = Classes::new(game, true);
            for (&id, matchbox) in &table.boxes {
                let board = Board::from_id(id, game.shape()).unwrap();
                let (key, folded, symmetry) = class.find(machine, board).unwrap_or_else(|| panic!("{name} {board}"));
                assert_eq!(key, lowest.lowest(board).id());
                assert_eq!(folded.banned(), matchbox.banned(), "{name} {board}");
                let turned: BTreeSet<Move> = matchbox.beads().map(|(mv, _)| symmetry.mv(mv)).collect();
                let kept: BTreeSet<Move> = folded.beads().map(|(mv, _)| mv).collect();
                assert!(kept.is_subset(&turned), "{name} {board}");
                let distinct = lowest.distinct(lowest.lowest(board), turned.iter().copied().collect());
                assert_eq!(kept, distinct.into_iter().collect(), "{name} {board}");
            }
        }
    }
}

#[test]
fn the_winner_of_morris_begins_in_the_centre_and_never_goes_in_circles() {
    for aim in [Aim::Win, Aim::Fastest] {
        let run = generate("morris", aim, false);
        let start = run.game.start();
        let (_, first, _) = run.find(Player::One, start).unwrap();
        assert_eq!(run.game.notation().list(first.beads().map(|(mv, _)| mv)), "5");
        let mut lengths = BTreeMap::new();
        assert_eq!(longest_game(&run, start, &mut lengths), 9, "won in 9, whatever the replies");
    }
}

/// The longest game that the first machine plays against any replies from a board, all of them won.
fn longest_game(run: &Run, board: Board, lengths: &mut BTreeMap<Board, Option<u32>>) -> u32 {
    match lengths.get(&board) {
        Some(Some(length)) => return *length,
        Some(None) => panic!("board {board} comes up again"),
        None => {}
    }
    lengths.insert(board, None);
    let game = &*run.game;
    let (_, matchbox, _) = run.find(Player::One, board).unwrap();
    let mut longest = 0;
    for (mv, _) in matchbox.beads() {
        let after = board.play(mv);
        longest = longest.max(1);
        if game.result(after, Player::Two).is_some() {
            assert_eq!(game.result(after, Player::Two), Some(menace::Outcome::Loss));
            continue;
        }
        for reply in game.moves(after, Player::Two) {
            let next = after.play(reply);
            assert_eq!(game.result(next, Player::One), None, "the machine lost on {next}");
            longest = longest.max(2 + longest_game(run, next, lengths));
        }
    }
    lengths.insert(board, Some(longest));
    longest
}

#[test]
fn only_the_centre_holds_misere_tic_tac_toe() {
    let run = generate("3x3x3+misere", Aim::Safe, false);
    let (_, start, _) = run.find(Player::One, run.game.start()).unwrap();
    assert_eq!(run.game.notation().list(start.beads().map(|(mv, _)| mv)), "5");
    let run = generate("notakto", Aim::Win, false);
    let (_, start, _) = run.find(Player::One, run.game.start()).unwrap();
    assert_eq!(run.game.notation().list(start.beads().map(|(mv, _)| mv)), "5");
}

#[test]
fn every_listed_game_is_found_under_its_name_and_keeps_its_promises() {
    for name in games::families().iter().flat_map(|family| family.names) {
        let found = game(name);
        assert_eq!(game(&found.name()).name(), found.name());
        assert_eq!(found.symmetries()[0].board(found.start()), found.start(), "the identity comes first");
        assert!(found.turn(found.start()).unwrap().is_of(Player::One));
        if found.boards_at_most() > 1_000_000 {
            continue;
        }
        let mut boards = 0u128;
        for_each_board(&*found, &(), |board, player| {
            boards += 1;
            assert!(found.turn(board).unwrap().is_of(player), "{name} {board}");
            if found.result(board, player).is_none() {
                let moves = found.moves(board, player);
                assert!(!moves.is_empty(), "{name}: who cannot move has lost, or it is a draw");
                assert!(moves.is_sorted(), "{name}: moves come in ascending order");
                let texts: BTreeSet<String> = moves.iter().map(|&mv| found.notation().text(mv).to_string()).collect();
                assert_eq!(texts.len(), moves.len(), "{name}: every move has a text of its own");
            }
            for symmetry in found.symmetries() {
                let turned = symmetry.board(board);
                assert_eq!(found.result(turned, player), found.result(board, player), "{name} {board}");
            }
        });
        assert!(boards <= found.boards_at_most(), "{name} has {boards} boards");
    }
}

#[test]
fn gravity_games_are_searched_by_moves_and_the_others_by_counting() {
    assert_eq!(game("4x4x4").boards(), Boards::Counted);
    assert_eq!(game("4x4x4+gravity").boards(), Boards::Reached);
    assert_eq!(game("hexapawn").boards(), Boards::Reached);
}

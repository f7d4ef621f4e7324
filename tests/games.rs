//! Every game is compared with known figures, and hundreds of small ones with plain backward induction.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use common::oracle::Oracle;
use common::{game, small_row_games};
use menace::game::{Diagram, Enumerate};
use menace::search::for_each_position;
use menace::stats::Stats;
use menace::table::Classes;
use menace::{
    Aim, Ban, Cell, Game, Matchbox, Move, Outcome, Plan, Position, Shape, Side, Sides, Table, Verdict, games,
};
use num_rational::BigRational;
use rayon::prelude::*;

fn generate(name: &str, aim: Aim, symmetry: bool) -> Table {
    Table::generate_boxes(game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

/// The first machine's box on the start board.
fn first_box(table: &Table) -> Matchbox {
    table.matchbox(table.game().start()).unwrap().unwrap()
}

/// The beads of a box, in the game's notation.
fn beads(table: &Table, matchbox: &Matchbox) -> String {
    table.game().notation().list(matchbox.beads().map(|(mv, _)| mv))
}

const NAMED: [&str; 7] = ["hexapawn", "hexapawn:4x3", "hexapawn:3x4", "morris", "pong-hau-ki", "notakto", "wild"];

/// A row of the known figures: boards, classes, won, lost and drawn for the side to move, and the verdict on the start.
type Figures = (&'static str, u64, Option<u64>, Option<[u64; 3]>, Option<Verdict>);

const FIGURES: [Figures; 10] = [
    ("3x3x3", 5478, Some(765), Some([2836, 1574, 1068]), Some(Verdict::DRAW)),
    ("3x3x3+misere", 5478, Some(765), Some([3054, 1444, 980]), Some(Verdict::DRAW)),
    ("4x3x3", 111_973, Some(28_275), Some([64_738, 44_175, 3060]), Some(Verdict::win(7))),
    ("4x4x4+gravity", 161_029, Some(80_541), Some([38_675, 32_234, 90_120]), Some(Verdict::DRAW)),
    ("hexapawn", 135, None, Some([55, 80, 0]), Some(Verdict::loss(6))),
    ("morris", 5390, Some(744), Some([2997, 1185, 1208]), Some(Verdict::win(9))),
    ("pong-hau-ki", 56, None, Some([8, 4, 44]), Some(Verdict::DRAW)),
    ("notakto", 450, Some(87), Some([377, 73, 0]), None),
    ("wild", 18_753, None, None, None),
    ("4x4x3", 6_036_001, Some(756_387), Some([3_199_406, 2_835_273, 1322]), Some(Verdict::win(5))),
];

#[test]
fn boards_classes_and_verdicts_have_the_known_figures() {
    for (name, boards, classes, verdicts, start) in FIGURES {
        assert_figures(name, boards, classes, verdicts, start);
    }
    for name in ["notakto", "wild"] {
        let table = generate(name, Aim::Safe, false);
        assert_eq!(Stats::of(&table, &()).unwrap().start.verdict, "win", "{name}");
    }
}

fn assert_figures(name: &str, boards: u64, classes: Option<u64>, verdicts: Option<[u64; 3]>, start: Option<Verdict>) {
    let game = game(name);
    let plan = Plan { machines: Sides::FIRST, ..Plan::default() };
    let table = Table::generate_boxes(game.clone(), &plan, &()).unwrap();
    let stats = Stats::of(&table, &()).unwrap();
    assert_eq!(stats.boards.all.total, boards, "{name}");
    if let Some(expected) = classes {
        let of_game = Classes::new(&*game, true);
        let mut found = 0;
        for_each_position(&*game, &(), |at| found += u64::from(of_game.lowest(at.board) == at.board)).unwrap();
        assert_eq!(found, expected, "classes of {name}");
    }
    if let Some(expected) = verdicts {
        assert_eq!([stats.boards.all.win, stats.boards.all.loss, stats.boards.all.draw], expected, "{name}");
    }
    if let Some(expected) = start {
        assert_eq!((stats.start.verdict, stats.start.depth), (expected.outcome.name(), expected.depth), "{name}");
    }
}

#[test]
fn four_in_a_row_on_four_by_four_has_the_known_figures() {
    assert_figures("4x4x4", 9_722_011, Some(1_217_977), Some([2_730_266, 960_556, 6_031_189]), Some(Verdict::DRAW));
}

#[test]
fn finished_boards_and_boxes_have_the_known_figures() {
    let boxes = |table: &Table| Side::BOTH.map(|machine| table.machine(machine).unwrap().box_count());
    for (name, finished, of_machines) in [("hexapawn", 65, [33, 37]), ("wild", 7660, [5563, 5530])] {
        let table = generate(name, Aim::Safe, false);
        assert_eq!(Stats::of(&table, &()).unwrap().boards.all.finished, finished, "{name}");
        assert_eq!(boxes(&table), of_machines, "{name}");
    }
    assert_eq!(boxes(&generate("hexapawn", Aim::Safe, true)), [18, 19]);
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
        let table = generate(name, aim, false);
        for machine in Side::BOTH {
            let mut chances = Chances { game: &*game, oracle: &oracle, machine, known: HashMap::new() };
            let reached = oracle.unfinished(&*game).filter(|at| at.to_move == machine);
            let boards: BTreeSet<_> = reached.map(|at| at.board).collect();
            let boxes = table.machine(machine).unwrap().to_boxes().unwrap();
            assert!(boxes.iter().map(|(board, _)| board).eq(boards), "boxes of {name}");
            for (board, matchbox) in boxes.iter() {
                let at = Position::new(board, machine);
                let banned = oracle.get(at).round().map(Ban::Round);
                assert_eq!(matchbox.banned(), banned, "{name} {machine} {board}");
                let kept: BTreeSet<Move> = matchbox.beads().map(|(mv, _)| mv).collect();
                assert_eq!(kept, expected_beads(aim, at, &mut chances), "{name} {aim:?} {machine} {board}");
            }
        }
    }
}

/// How likely a machine is to win against random replies if it never makes a losing move and always takes the best odds.
struct Chances<'a> {
    game: &'a dyn Game,
    oracle: &'a Oracle,
    machine: Side,
    known: HashMap<Position, BigRational>,
}

impl Chances<'_> {
    fn of_box(&mut self, at: Position) -> BigRational {
        if let Some(known) = self.known.get(&at) {
            return known.clone();
        }
        let loses = |mv: &Move| self.oracle.get(at.play(*mv)).outcome == Outcome::Win;
        let safe: Vec<Move> = self.game.moves(at).into_iter().filter(|mv| !loses(mv)).collect();
        let best = safe.into_iter().map(|mv| self.of_move(at, mv)).max().unwrap_or_else(|| sure(false));
        self.known.insert(at, best.clone());
        best
    }

    fn of_move(&mut self, at: Position, mv: Move) -> BigRational {
        let after = at.play(mv);
        if let Some(outcome) = self.game.result(after) {
            return sure(outcome.winner(after.to_move) == Some(self.machine));
        }
        let replies = self.game.moves(after);
        let number = BigRational::from_integer(replies.len().into());
        let of_reply = |reply| match self.game.result(after.play(reply)) {
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
fn expected_beads(aim: Aim, at: Position, chances: &mut Chances<'_>) -> BTreeSet<Move> {
    let (game, oracle) = (chances.game, chances.oracle);
    let children: BTreeMap<Move, Verdict> =
        game.moves(at).into_iter().map(|mv| (mv, oracle.get(at.play(mv)))).collect();
    let lost_in = |child: &Verdict| child.depth.filter(|_| child.outcome == Outcome::Loss);
    let soonest = children.values().filter_map(lost_in).min();
    let keeps = |child: &Verdict| match (aim, soonest) {
        (_, Some(0)) => *child == Verdict::loss(0),
        (Aim::Safe, _) | (_, None) => child.outcome != Outcome::Win,
        // Nearer: after any reply the win is fewer moves away than it is now.
        (Aim::Win, Some(soonest)) => {
            lost_in(child).is_some_and(|depth| !game.goes_in_circles() || depth <= soonest + 1)
        }
        (Aim::Fastest | Aim::Trap, Some(soonest)) => lost_in(child) == Some(soonest),
    };
    let mut kept: BTreeSet<Move> = children.iter().filter(|(_, child)| keeps(child)).map(|(mv, _)| *mv).collect();
    if aim == Aim::Trap && soonest.is_none() {
        let best = chances.of_box(at);
        kept.retain(|&mv| chances.of_move(at, mv) == best);
    }
    kept
}

#[test]
fn classes_have_the_same_rounds_and_beads_as_their_boards() {
    let names = ["3x3x3+misere", "4x2x3", "3x3x2+gravity", "4x3x3+gravity+misere"].into_iter().chain(NAMED);
    for (name, aim) in
        names.flat_map(|name| Aim::ALL.map(|aim| (name, aim))).filter(|(name, aim)| aim.suits(&*game(name)))
    {
        let (every, class) = (generate(name, aim, false), generate(name, aim, true));
        for machine in Side::BOTH {
            assert_same_class_boxes(name, machine, &every, &class);
        }
    }
}

/// Asserts that the box of every board has the same ban as the box of its class, and that the latter has one bead for each set of
/// beads that mirror each other: the lowest.
fn assert_same_class_boxes(name: &str, machine: Side, every: &Table, class: &Table) {
    let classes = Classes::new(&**every.game(), true);
    let kept_boxes = class.machine(machine).unwrap().to_boxes().unwrap();
    for (board, matchbox) in every.machine(machine).unwrap().to_boxes().unwrap().iter() {
        let (lowest, turn) = class.classes().fold(board);
        assert_eq!(lowest, classes.lowest(board));
        let folded = kept_boxes.get(lowest).unwrap_or_else(|| panic!("{name} {board}"));
        assert_eq!(folded.banned(), matchbox.banned(), "{name} {board}");
        let turned: BTreeSet<Move> = matchbox.beads().map(|(mv, _)| turn.mv(mv)).collect();
        let kept: BTreeSet<Move> = folded.beads().map(|(mv, _)| mv).collect();
        assert!(kept.is_subset(&turned), "{name} {board}");
        let distinct = classes.distinct(lowest, turned.iter().copied().collect());
        assert_eq!(kept, distinct.into_iter().collect(), "{name} {board}");
        let opened = class.matchbox(Position::new(board, machine)).unwrap().unwrap();
        let turned_back: BTreeSet<Move> = opened.beads().map(|(mv, _)| turn.mv(mv)).collect();
        assert_eq!(turned_back, kept, "{name} {board}: an opened box has the beads of its class, turned back");
    }
}

#[test]
fn the_winner_of_morris_begins_in_the_centre_and_never_goes_in_circles() {
    for aim in [Aim::Win, Aim::Fastest] {
        let table = generate("morris", aim, false);
        assert_eq!(beads(&table, &first_box(&table)), "5");
        let mut lengths = BTreeMap::new();
        assert_eq!(longest_game(&table, table.game().start(), &mut lengths), 9, "won in 9, whatever the replies");
    }
}

/// The length of the longest game from a position that the first machine can play. Asserts that it wins all of them.
fn longest_game(table: &Table, at: Position, lengths: &mut BTreeMap<Position, Option<u32>>) -> u32 {
    match lengths.get(&at) {
        Some(Some(length)) => return *length,
        Some(None) => panic!("board {} comes up twice in a game", at.board),
        None => {}
    }
    lengths.insert(at, None);
    let game = &**table.game();
    let matchbox = table.matchbox(at).unwrap().unwrap();
    let mut longest = 0;
    for (mv, _) in matchbox.beads() {
        let after = at.play(mv);
        longest = longest.max(1);
        if let Some(outcome) = game.result(after) {
            assert_eq!(outcome, Outcome::Loss);
            continue;
        }
        for reply in game.moves(after) {
            let next = after.play(reply);
            assert_eq!(game.result(next), None, "the machine lost on {}", next.board);
            longest = longest.max(2 + longest_game(table, next, lengths));
        }
    }
    lengths.insert(at, Some(longest));
    longest
}

#[test]
fn misere_tic_tac_toe_has_to_start_in_the_centre() {
    for (name, aim) in [("3x3x3+misere", Aim::Safe), ("notakto", Aim::Win)] {
        let table = generate(name, aim, false);
        assert_eq!(beads(&table, &first_box(&table)), "5", "{name}");
    }
}

#[test]
fn every_listed_game_is_found_under_its_name_and_keeps_its_promises() {
    for name in games::families().iter().flat_map(|family| family.names) {
        let found = game(name);
        assert_eq!(game(&found.name()).name(), found.name());
        let start = found.start();
        assert_eq!(found.symmetries()[0].board(start.board), start.board, "the identity comes first");
        assert!(start.to_move == Side::First && found.sides(start.board).unwrap().contains(Side::First));
        assert_can_be_drawn(name, &*found);
        if found.boards_at_most() > 1_000_000 {
            continue;
        }
        let mut boards = 0u128;
        let count = for_each_position(&*found, &(), |at| {
            boards += 1;
            assert_keeps_promises(name, &*found, at);
        });
        count.unwrap();
        assert!(boards <= found.boards_at_most(), "{name} has {boards} boards");
    }
}

fn assert_keeps_promises(name: &str, game: &dyn Game, at: Position) {
    let board = at.board;
    assert!(game.sides(board).unwrap().contains(at.to_move), "{name} {board}");
    if game.result(at).is_none() {
        let moves = game.moves(at);
        assert!(!moves.is_empty(), "{name}: a player who cannot move has lost, or it is a draw");
        assert!(moves.is_sorted(), "{name}: moves come in ascending order");
        let texts: BTreeSet<String> = moves.iter().map(|&mv| game.notation().text(mv).to_string()).collect();
        assert_eq!(texts.len(), moves.len(), "{name}: every move has its own text");
    }
    for symmetry in game.symmetries() {
        let turned = Position::new(symmetry.board(board), at.to_move);
        assert_eq!(game.result(turned), game.result(at), "{name} {board}");
    }
}

fn assert_can_be_drawn(name: &str, game: &dyn Game) {
    let Diagram { size: (width, height), points, lines } = game.diagram();
    assert_eq!(points.len(), usize::from(game.shape().cells()), "{name}: every cell has a place");
    for (at, &(x, y)) in points.iter().enumerate() {
        assert!((0.5..=width - 0.5).contains(&x) && (0.5..=height - 0.5).contains(&y), "{name}: {x}, {y} is inside");
        let is_clear = |other: &(f64, f64)| (x - other.0).hypot(y - other.1) >= 1.0;
        assert!(points[..at].iter().all(is_clear), "{name}: cells do not overlap");
    }
    let drawn: BTreeSet<(Cell, Cell)> = lines.iter().copied().collect();
    assert_eq!(drawn.len(), lines.len(), "{name}: every line is drawn once");
    assert!(lines.iter().all(|(a, b)| a < b && b.index() < points.len()), "{name}: lines join two cells");
    for symmetry in game.symmetries() {
        let turned = |&(a, b): &(Cell, Cell)| {
            let (a, b) = (symmetry.cell(a), symmetry.cell(b));
            (a.min(b), a.max(b))
        };
        assert_eq!(lines.iter().map(turned).collect::<BTreeSet<_>>(), drawn, "{name}: lines turn with the board");
    }
}

#[test]
fn pieces_move_along_the_lines_of_the_board_and_along_every_line() {
    for (name, count) in [("morris", 16), ("pong-hau-ki", 7)] {
        let game = game(name);
        let mut used = BTreeSet::new();
        let walk = for_each_position(&*game, &(), |at| {
            if game.result(at).is_none() {
                let ways = game.moves(at).into_iter().filter_map(|mv| Some((mv.from?, mv.to)));
                used.extend(ways.map(|(from, to)| (from.min(to), from.max(to))));
            }
        });
        walk.unwrap();
        let lines: BTreeSet<(Cell, Cell)> = game.diagram().lines.into_iter().collect();
        assert_eq!((used.len(), &used), (count, &lines), "{name}");
    }
}

#[test]
fn points_that_a_line_joins_are_neighbours_on_the_drawing() {
    let steps = |name: &str| -> Vec<(f64, f64)> {
        let Diagram { points, lines, .. } = game(name).diagram();
        let step = |(a, b): (Cell, Cell)| {
            let ((x, y), (to_x, to_y)) = (points[a.index()], points[b.index()]);
            ((to_x - x).abs(), (to_y - y).abs())
        };
        lines.into_iter().map(step).collect()
    };
    let count = |name, wanted| steps(name).into_iter().filter(|&step| step == wanted).count();
    assert_eq!([(1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|step| count("morris", step)), [6, 6, 4]);
    assert_eq!([(2.0, 0.0), (0.0, 2.0), (1.0, 1.0)].map(|step| count("pong-hau-ki", step)), [1, 2, 4]);
    let top: Vec<(f64, f64)> = game("pong-hau-ki").diagram().points[..2].to_vec();
    assert_eq!(top, [(0.5, 0.5), (2.5, 0.5)], "the open side is at the top");
}

#[test]
fn boards_without_lines_are_grids() {
    for name in ["tictactoe", "4x3x3", "connect4", "hexapawn", "hexapawn:4x3", "notakto", "wild"] {
        let game = game(name);
        let diagram = game.diagram();
        assert!(diagram.is_grid(), "{name}");
        assert_eq!(diagram, Diagram::grid(game.shape()), "{name}");
    }
    let diagram = Diagram::grid(Shape::new(3, 2).unwrap());
    assert_eq!(diagram.size, (3.0, 2.0));
    assert_eq!(diagram.points, [(0.5, 0.5), (1.5, 0.5), (2.5, 0.5), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5)]);
}

#[test]
fn row_games_without_gravity_are_enumerated_by_id_and_others_by_moves() {
    assert_eq!(game("4x4x4").enumerate(), Enumerate::Ids);
    assert_eq!(game("4x4x4+gravity").enumerate(), Enumerate::Moves);
    assert_eq!(game("hexapawn").enumerate(), Enumerate::Moves);
}

#[test]
fn a_number_that_is_too_large_is_refused_instead_of_wrapping_around() {
    for name in ["3x3x99999999999", "99999999999x3x3", "3x4294967299x3", "3x3x4294967299", "hexapawn:99999999999x3"] {
        let refused = games::find(name).err().unwrap_or_else(|| panic!("{name} became {}", game(name).name()));
        assert!(refused.to_string().starts_with(&format!("\"{name}\" is not a game: ")), "{refused}");
        assert!(refused.to_string().contains("too large"), "{refused}");
    }
}

#[test]
fn a_short_name_can_have_flags_after_it() {
    assert_eq!(game("tictactoe+misere").name(), "3x3x3+misere");
    assert_eq!(game("connect4+misere").name(), "7x6x4+gravity+misere");
    assert!(game("tictactoe+misere").as_rows().unwrap().is_misere());
    assert!(games::find("tictactoe+mystery").is_err());
    assert!(games::find("connect4+gravity").is_err(), "connect4 has gravity already");
}

#[test]
fn the_rules_of_pong_hau_ki_list_its_seven_lines() {
    let game = game("pong-hau-ki");
    let mut lines = BTreeSet::new();
    let walk = for_each_position(&*game, &(), |at| {
        if game.result(at).is_none() {
            let ends = |mv: Move| [mv.from.unwrap(), mv.to].map(|cell| cell.number());
            lines.extend(game.moves(at).into_iter().map(ends).map(|[a, b]| format!("{}-{}", a.min(b), a.max(b))));
        }
    });
    walk.unwrap();
    assert_eq!(lines.len(), 7);
    let rules = games::rules(&*game).unwrap();
    let named = rules.split(|part: char| !part.is_ascii_digit() && part != '-').filter(|word| word.contains('-'));
    let named: BTreeSet<String> = named.filter(|word| word.len() == 3).map(str::to_owned).collect();
    assert_eq!(named, lines, "{rules}");
}

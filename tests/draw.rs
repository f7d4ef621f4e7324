//! Pictures are parsed and checked: maps against the rules, printed labels and boxes against their tables.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::learner::{course, seats, table_of, teaching};
use common::{Nine, after, empty_cells, game, is_over, winner};
use menace::board::Id;
use menace::draw::{
    LabelsError, LabelsPlan, MapError, Paper, Picture, check_labels, draw_box, draw_curves, labels, map, map_on,
};
use menace::game::Diagram;
use menace::kit::{KitPlan, kit};
use menace::table::Classes;
use menace::train::{Arena, Curve, Training};
use menace::{Aim, Board, Cell, Move, Plan, Position, Random, Side, Sides, Table, games};
use roxmltree::{Document, Node};

/// The palette, with the meaning of each colour.
const INK: &str = "#23201C";
const WINS: &str = "#1B7A36";
const LOSES: &str = "#B4122B";
const OWN: &str = "#9A3A12";
const REPLY: &str = "#14507F";

fn table(name: &str, aim: Aim, symmetry: bool) -> Table {
    Table::generate_boxes(game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

fn kit_of(name: &str, machines: Sides) -> Table {
    kit(game(name), &KitPlan { machines, aim: Aim::Safe, opening: None, limit: None }, &()).unwrap().table
}

/// The groups one level below a node that show a board.
fn boards<'a>(node: Node<'a, 'a>) -> Vec<Node<'a, 'a>> {
    node.children().filter(|child| child.attribute("data-board").is_some()).collect()
}

fn cell(node: Node, attribute: &str) -> Option<usize> {
    node.attribute(attribute).map(|text| text.parse::<usize>().unwrap() - 1)
}

/// A square on the map: left, top, side.
type Square = (f64, f64, f64);

/// Where a map draws the board after a reply: in its cell, a little smaller.
fn inside((x, y, side): Square, cell: usize) -> Square {
    let third = side / 3.0;
    let (column, row) = ((cell % 3) as f64, (cell / 3) as f64);
    (x + (column + 0.07) * third, y + (row + 0.07) * third, third * 0.86)
}

/// The marks drawn on a board, by cell, and the cells of the machine's move and of the reply. Marks of boards inside it are left
/// out.
fn marks(node: Node, (x, y, side): Square) -> (Nine, [Vec<usize>; 2]) {
    let (mut board, mut moves) = ([0; 9], [Vec::new(), Vec::new()]);
    let third = side / 3.0;
    for shape in node.children().filter(Node::is_element) {
        let number = |name| shape.attribute(name).unwrap().parse::<f64>().unwrap();
        let (digit, (left, top)) = match shape.tag_name().name() {
            "circle" => (2, (number("cx"), number("cy"))),
            // A cross is two strokes; the lines of the board and of a winning row have other colours.
            "path" if matches!(shape.attribute("stroke"), Some(INK | OWN | REPLY)) => {
                (1, cross(shape.attribute("d").unwrap()))
            }
            _ => continue,
        };
        let (column, row) = (((left - x) / third).floor(), ((top - y) / third).floor());
        assert!((0.0..3.0).contains(&column) && (0.0..3.0).contains(&row), "({left}, {top}) is not in its square");
        let cell = (row * 3.0 + column) as usize;
        assert_eq!(board[cell], 0, "one mark per cell");
        board[cell] = digit;
        for (ink, moves) in [OWN, REPLY].into_iter().zip(&mut moves) {
            if shape.attribute("stroke") == Some(ink) {
                moves.push(cell);
            }
        }
    }
    (board, moves)
}

/// The middle of a cross, which is drawn as `Mx yLx yMx yLx y`.
fn cross(path: &str) -> (f64, f64) {
    let numbers: Vec<f64> =
        path.split(['M', 'L', ' ']).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect();
    let [x1, y1, x2, y2, ..] = numbers[..] else { panic!("{path} is not a cross") };
    ((x1 + x2) / 2.0, (y1 + y2) / 2.0)
}

/// Walks a map. Asserts that each drawing matches its board, that every reply is there, and that every move of the machine is a
/// bead. Counts the finished games.
fn walk(
    node: Node,
    board: &Nine,
    table: &Table,
    machine: Side,
    square: Square,
    endings: &mut BTreeMap<Option<u8>, usize>,
) {
    assert_eq!(node.attribute("data-board").unwrap(), text(board));
    let (drawn, moves) = marks(node, square);
    assert_eq!(drawn, *board, "the drawing matches the board");
    let told = ["data-move", "data-reply"].map(|told| Vec::from_iter(cell(node, told)));
    assert_eq!(moves, told, "the machine's move and the reply have their colours");
    let replies = boards(node);
    if is_over(board) {
        assert!(replies.is_empty(), "nothing follows a finished board");
        *endings.entry(winner(board)).or_default() += 1;
        return;
    }
    let shown: Vec<usize> = replies.iter().map(|reply| cell(*reply, "data-reply").unwrap()).collect();
    assert_eq!(shown, empty_cells(board), "every reply to {} is shown once", text(board));
    for reply in replies {
        let to = cell(reply, "data-reply").unwrap();
        let met = after(board, to);
        let next = match cell(reply, "data-move") {
            None => {
                assert!(is_over(&met), "the machine has to answer {}", text(&met));
                met
            }
            Some(mv) => {
                assert_is_bead(table, machine, &met, mv);
                after(&met, mv)
            }
        };
        walk(reply, &next, table, machine, inside(square, to), endings);
    }
}

fn text(board: &Nine) -> String {
    board.iter().map(|digit| digit.to_string()).collect()
}

fn assert_is_bead(table: &Table, machine: Side, board: &Nine, mv: usize) {
    assert!(!is_over(board));
    let parsed = Board::parse(&text(board), table.game().shape()).unwrap();
    let Some(matchbox) = table.matchbox(Position::new(parsed, machine)).unwrap() else {
        return assert_eq!(empty_cells(board), [mv], "without a box there is no choice");
    };
    let beads: Vec<usize> = matchbox.beads().map(|(bead, _)| bead.to.index()).collect();
    assert!(beads.contains(&mv), "{mv} is not a bead on {}: {beads:?}", text(board));
}

#[test]
fn the_map_shows_every_reply_and_only_beads() {
    let mut tables = vec![kit_of("tictactoe", Sides::BOTH)];
    for aim in Aim::ALL {
        tables.extend([table("tictactoe", aim, false), table("tictactoe", aim, true)]);
    }
    for table in &tables {
        for machine in Side::BOTH {
            let picture = map(table, machine).unwrap();
            let document = Document::parse(picture.svg()).unwrap();
            let [root] = boards(document.root_element())[..] else { panic!("a map has one board at the top") };
            let mut start = [0; 9];
            if let Some(mv) = cell(root, "data-move") {
                assert_is_bead(table, machine, &start, mv);
                start = after(&start, mv);
            }
            assert_eq!(machine == Side::First, start != [0; 9], "the first machine opens");
            let mut endings = BTreeMap::new();
            walk(root, &start, table, machine, (6.0, 20.0, 240.0), &mut endings);
            let lost = if machine == Side::First { 2 } else { 1 };
            assert_eq!(endings.get(&Some(lost)), None, "the machine never loses");
            assert!(endings[&None] > 0 && endings.values().sum::<usize>() > 50, "{endings:?}");
        }
    }
}

/// A machine that has played no game.
fn untrained(name: &str, machine: Side, beads: &str) -> Table {
    learner(name, machine, &[beads, "3,1,-1", "every", "keep"], 0)
}

/// A machine after some games against a random opponent, taught with these beads, rewards, blame and rule for empty boxes.
fn learner(name: &str, machine: Side, taught: &[&str; 4], played: u64) -> Table {
    let game = game(name);
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(machine, &Random), &()).unwrap();
    let teaching = teaching(taught[0], taught[1], taught[2], taught[3]);
    let mut training = Training::begin(&arena, &teaching, 1).unwrap();
    training.play(played);
    table_of(&training, name, true)
}

/// All words of a picture.
fn words(picture: &Picture) -> Vec<String> {
    let document = Document::parse(picture.svg()).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| Some(node.text()?.to_owned())).collect()
}

/// The legend used to leave out the colour of lost boards, and to name the colour of drawn ones where there are none.
#[test]
fn the_legend_of_a_map_names_exactly_the_endings_that_occur() {
    let mut seen = BTreeSet::new();
    for (table, machine) in [
        (untrained("tictactoe", Side::First, "michie"), Side::First),
        (untrained("tictactoe", Side::Second, "flat:1"), Side::Second),
        (table("tictactoe", Aim::Fastest, false), Side::First),
    ] {
        let picture = map(&table, machine).unwrap();
        let document = Document::parse(picture.svg()).unwrap();
        let [root] = boards(document.root_element())[..] else { panic!("a map has one board at the top") };
        let start = cell(root, "data-move").map_or([0; 9], |mv| after(&[0; 9], mv));
        let mut endings = BTreeMap::new();
        walk(root, &start, &table, machine, (6.0, 20.0, 240.0), &mut endings);
        let own = if machine == Side::First { 1 } else { 2 };
        let occurring = [("won", Some(own)), ("drawn", None), ("lost", Some(3 - own))]
            .into_iter()
            .filter(|(_, winner)| endings.contains_key(winner))
            .map(|(name, _)| name.to_owned());
        let occurring: Vec<String> = occurring.collect();
        let named: Vec<String> =
            words(&picture).into_iter().filter(|word| ["won", "drawn", "lost"].contains(&&**word)).collect();
        assert_eq!(named, occurring);
        seen.insert(named);
    }
    // Without draws: the first player of 4x3x3 wins against every reply.
    let won = words(&map(&table("4x3x3", Aim::Fastest, false), Side::First).unwrap());
    assert!(won.contains(&"won".to_owned()) && !won.contains(&"drawn".to_owned()), "{won:?}");
    assert!(seen.len() > 1, "{seen:?}");
}

/// The row of the player who loses by completing it used to look like a winner's.
#[test]
fn a_row_that_loses_is_dashed_and_not_in_the_colour_of_winning() {
    for (name, machine, loses) in [
        ("3x3x3+misere", Side::Second, true),
        ("notakto", Side::First, true),
        ("tictactoe", Side::First, false),
        ("4x3x3", Side::First, false),
    ] {
        let picture = map(&table(name, Aim::Fastest, false), machine).unwrap();
        let document = Document::parse(picture.svg()).unwrap();
        let count = |ink, is_dashed: bool| {
            let strokes = document.descendants().filter(|node| node.attribute("stroke") == Some(ink));
            strokes.filter(|node| node.attribute("stroke-dasharray").is_some() == is_dashed).count()
        };
        let [winning, losing] = [count(WINS, false), count(LOSES, true)];
        assert_eq!((winning == 0, losing > 1), (loses, loses), "{name}: {winning} winning and {losing} losing rows");
        assert_eq!(count(WINS, true) + count(LOSES, false), 0, "{name}");
        let told = words(&picture).iter().any(|words| words.contains("row loses"));
        assert_eq!(told, loses, "{name}");
    }
}

#[test]
fn a_map_on_paper_fills_it_upright_or_sideways() {
    for (name, machine, is_upright) in
        [("tictactoe", Side::First, true), ("4x3x3", Side::First, false), ("2x4x2", Side::First, true)]
    {
        let table = table(name, Aim::Fastest, false);
        let free = map(&table, machine).unwrap();
        for paper in Paper::ALL {
            let picture = map_on(&table, machine, paper).unwrap();
            let (width, height) = paper.size();
            let size = if is_upright { (width, height) } else { (height, width) };
            assert_eq!(picture.size(), size, "{name} on {}", paper.name());
            let written = format!(r#"width="{}mm" height="{}mm" viewBox="0 0 {0} {1}""#, size.0, size.1);
            assert!(picture.svg().contains(&written), "{written}");
            // The lines of the largest board reach from margin to margin one way, and stay within the other.
            let document = Document::parse(picture.svg()).unwrap();
            let root = boards(document.root_element())[0];
            let lines = root.children().find_map(|node| node.attribute("d")).unwrap();
            let line = |letter: char| {
                let (from, to) = lines.split('M').find_map(|line| line.split_once(letter)).unwrap();
                let (x, y) = from.split_once(' ').unwrap();
                let [x, y, to] = [x, y, to].map(|number| number.parse::<f64>().unwrap());
                if letter == 'H' { (x, to) } else { (y, to) }
            };
            let ((left, right), (top, bottom)) = (line('H'), line('V'));
            assert!(left >= 9.99 && size.0 - right >= 9.99 && top >= 20.0 && size.1 - bottom >= 9.99, "{name}");
            let gaps = (left - 10.0).min(size.1 - bottom - 10.0);
            assert!(gaps < 0.01, "{name} on {}: {gaps} mm are left", paper.name());
            let boards = |picture: &Picture| picture.svg().matches("data-board").count();
            assert_eq!(boards(&picture), boards(&free), "the map is the same");
        }
    }
}

/// Colours have one meaning, so there are no others. Beads have Michie's colours.
#[test]
fn pictures_use_the_palette_and_nothing_else() {
    const PALETTE: [&str; 16] = [
        INK, WINS, LOSES, OWN, REPLY, "#5A5248", "#857A6C", "#E2DCD2", "#fff", "#8A5A1E", "#F4EADA", "#F1EEE8",
        "#6B5B00", "#DDEFE1", "#F1ECCB", "#F7DCE0",
    ];
    const BEADS: [&str; 10] =
        ["#ffffff", "#c8a2dc", "#b7bec6", "#222222", "#e2be2e", "#228054", "#ff8014", "#cc2030", "#ffa4c8", "#222"];
    let pruned = table("tictactoe", Aim::Safe, true);
    let learning = untrained("tictactoe", Side::First, "michie");
    let mut pictures = vec![
        map(&pruned, Side::First).unwrap(),
        map(&learning, Side::First).unwrap(),
        map(&table("3x3x3+misere", Aim::Safe, false), Side::Second).unwrap(),
        draw_curves(&curves(1, 200), "one", "taught"),
        draw_curves(&curves(5, 200), "five", "taught"),
    ];
    for table in [&pruned, &learning] {
        pictures.extend(labels(table, &default_labels()).unwrap().sheets);
    }
    let start = pruned.game().start();
    pictures.push(draw_box(&**pruned.game(), start, start.board, &pruned.matchbox(start).unwrap().unwrap()));
    for picture in pictures {
        for colour in picture.svg().split("=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            let colour = format!("#{colour}");
            assert!(PALETTE.contains(&&*colour) || BEADS.contains(&&*colour), "{colour} means nothing");
        }
    }
}

/// The curves of machines that learn tic-tac-toe, with a point after every ten games.
fn curves(machines: u64, games: u64) -> Vec<Curve> {
    let tictactoe = game("tictactoe");
    let arena = Arena::new(&tictactoe, &Classes::new(&*tictactoe, true), seats(Side::First, &Random), &()).unwrap();
    course(games, 10).train_all(&arena, &teaching("michie", "3,1,-1", "every", "keep"), 1..1 + machines, &()).unwrap()
}

/// The values of a line in the upper panel of a picture of curves.
fn plotted(document: &Document, class: &str) -> Vec<f64> {
    let line = document.descendants().find(|node| node.attribute("class") == Some(class)).unwrap();
    let points = line.attribute("d").unwrap().split(['M', 'L']).filter(|point| !point.is_empty());
    // The panel begins at 22 mm and is 52 mm high.
    points.map(|point| (74.0 - point.split(' ').nth(1).unwrap().parse::<f64>().unwrap()) / 0.52).collect()
}

#[test]
fn the_curve_of_one_machine_is_a_moving_mean_with_its_points_behind_it() {
    let curves = curves(1, 400);
    let picture = draw_curves(&curves, "heading", "taught");
    assert!(words(&picture).contains(&"results, mean of the last 40 games".to_owned()), "{:?}", words(&picture));
    let document = Document::parse(picture.svg()).unwrap();
    for (class, count) in [
        ("won", (|tally| tally.won) as fn(&menace::train::Tally) -> u64),
        ("drawn", |tally| tally.drawn),
        ("lost", |tally| tally.lost),
    ] {
        let plotted = plotted(&document, &format!("line {class}"));
        assert_eq!(plotted.len(), 40, "a mean after every ten games");
        for (at, plotted) in plotted.iter().enumerate() {
            // Four points of ten games each; fewer at the beginning.
            let points = &curves[0].points[(at + 1).saturating_sub(3).max(1)..=at + 1];
            let sum: u64 = points.iter().map(|point| count(&point.since)).sum();
            let mean = 100.0 * sum as f64 / (10 * points.len()) as f64;
            assert!((plotted - mean).abs() < 0.01, "{class} at {at}: {plotted}, not {mean}");
        }
        let class = format!("points {class}");
        let points = document.descendants().find(|node| node.attribute("class") == Some(&class)).unwrap();
        assert_eq!(points.attribute("d").unwrap().matches('M').count(), 40);
        assert!(points.attribute("stroke-opacity").unwrap().parse::<f64>().unwrap() < 0.5, "they are faint");
    }
}

#[test]
fn the_curves_of_many_machines_have_bands_and_no_points() {
    let picture = draw_curves(&curves(20, 400), "heading", "taught");
    assert!(words(&picture).contains(&"results, 10 games at a time".to_owned()));
    assert!(!picture.svg().contains("class=\"points") && picture.svg().matches("class=\"band").count() == 5);
    // With few points there is nothing to smooth.
    assert!(words(&draw_curves(&curves(1, 50), "", "")).contains(&"results, 10 games at a time".to_owned()));
}

/// Readers who cannot tell the colours apart see which line is which.
#[test]
fn lines_of_a_curve_differ_in_more_than_colour_also_in_the_legend() {
    for machines in [1, 5] {
        let picture = draw_curves(&curves(machines, 400), "heading", "taught");
        let document = Document::parse(picture.svg()).unwrap();
        let style = |class: &str| {
            let line = document.descendants().find(|node| node.attribute("class") == Some(class)).unwrap();
            ["stroke", "stroke-width", "stroke-dasharray"].map(|name| line.attribute(name).map(str::to_owned))
        };
        for name in ["won", "drawn", "lost"] {
            assert_eq!(style(&format!("line {name}")), style(&format!("sample {name}")));
        }
        let [won, drawn, lost] = ["line won", "line drawn", "line lost"].map(style);
        assert_eq!(won[2], None, "won is solid");
        assert!(drawn[2].is_some() && lost[2].is_some() && drawn[2] != lost[2], "dotted and dashed");
        assert!(drawn[1] < lost[1] && lost[1] < won[1], "drawn is thin");
    }
}

#[test]
fn maps_of_other_games_are_drawn_or_refused_with_a_reason() {
    for (name, machine) in [
        ("4x3x3", Side::First),
        ("notakto", Side::First),
        ("3x3x3+misere", Side::Second),
        ("3x3x3+gravity", Side::First),
    ] {
        let picture = map(&table(name, Aim::Fastest, false), machine).unwrap();
        Document::parse(picture.svg()).unwrap();
    }
    let refusal = |name: &str, machine| map(&table(name, Aim::Safe, false), machine).unwrap_err();
    assert!(matches!(refusal("hexapawn", Side::Second), MapError::Moves(_)));
    assert!(matches!(refusal("wild", Side::First), MapError::Moves(_)));
    assert!(matches!(refusal("4x3x3", Side::Second), MapError::Lost { .. }));
}

/// The numbers in one attribute of all elements of a sheet.
fn numbers(document: &Document, attribute: &str) -> Vec<usize> {
    document.descendants().filter_map(|node| node.attribute(attribute)?.parse().ok()).collect()
}

fn default_labels() -> LabelsPlan {
    LabelsPlan { machine: Side::First, paper: Paper::A4, face: (36.0, 14.0), tab: 4.0, with_forced: false }
}

#[test]
fn each_of_the_304_boxes_has_a_label_and_an_index_entry() {
    let table = table("tictactoe", Aim::Safe, true);
    let sheets = labels(&table, &default_labels()).unwrap().sheets;
    let documents: Vec<Document> = sheets.iter().map(|sheet| Document::parse(sheet.svg()).unwrap()).collect();
    let numbers =
        |attribute| -> Vec<usize> { documents.iter().flat_map(|document| numbers(document, attribute)).collect() };
    let [mut boxes, mut entries] = ["data-box", "data-entry"].map(numbers);
    let stones = |id: &usize| Board::from_id(Id(*id as u128), table.game().shape()).unwrap().stone_count();
    assert!(boxes.is_sorted_by_key(|id| (stones(id), *id)), "labels are sorted by stones, then by id");
    boxes.sort_unstable();
    entries.sort_unstable();
    assert_eq!((boxes.len(), &boxes), (304, &entries), "each box is in the index once");
    let labelled: BTreeSet<Id> = numbers("data-box").into_iter().map(|id| Id(id as u128)).collect();
    let boxes = table.machine(Side::First).unwrap().to_boxes().unwrap();
    let kept: BTreeSet<Id> = boxes.iter().map(|(board, _)| board.id()).collect();
    assert!(labelled.len() == 304 && labelled.is_subset(&kept));
    // The list asks for as many beads as the labels show.
    let of_labels = boxes.iter().filter(|(board, _)| labelled.contains(&board.id()));
    let beads: u64 = of_labels.map(|(_, matchbox)| matchbox.beads().count() as u64).sum();
    let list: Vec<&str> = documents
        .last()
        .unwrap()
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    let total = list.iter().position(|text| *text == "beads in total").unwrap();
    assert_eq!(list[total - 1].parse::<u64>().unwrap(), beads);
    let with_forced = labels(&table, &LabelsPlan { with_forced: true, ..default_labels() }).unwrap().sheets;
    let faces: usize = with_forced.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
    assert_eq!(faces, 338);
}

#[test]
fn labels_of_other_games_are_printed() {
    for (name, machine) in
        [("hexapawn", Side::Second), ("notakto", Side::First), ("wild", Side::First), ("morris", Side::First)]
    {
        let table = table(name, Aim::Safe, true);
        let sheets = labels(&table, &LabelsPlan { machine, ..default_labels() }).unwrap().sheets;
        let faces: usize = sheets.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
        let boxes = table.machine(machine).unwrap().to_boxes().unwrap();
        let has_choice = |board| table.game().moves(Position::new(board, machine)).len() > 1;
        assert_eq!(faces, boxes.iter().filter(|&(board, _)| has_choice(board)).count(), "{name}");
        #[cfg(feature = "render")]
        assert!(menace::draw::pdf(&sheets).unwrap().starts_with(b"%PDF-"));
    }
}

#[test]
fn labels_that_are_too_small_or_too_large_are_refused() {
    let table = table("tictactoe", Aim::Safe, true);
    let refusal = |asked: LabelsPlan| labels(&table, &asked).err().unwrap();
    for face in [(0.0, 14.0), (36.0, 3.0), (300.0, 14.0), (36.0, 400.0), (f64::NAN, 14.0)] {
        assert!(matches!(refusal(LabelsPlan { face, ..default_labels() }), LabelsError::Size { .. }), "{face:?}");
    }
    assert!(matches!(refusal(LabelsPlan { tab: -1.0, ..default_labels() }), LabelsError::Size { .. }));
}

#[cfg(feature = "render")]
#[test]
fn a_png_has_the_requested_width() {
    let picture = map(&table("tictactoe", Aim::Fastest, false), Side::First).unwrap();
    let png = picture.png(400).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    let height = u32::from_be_bytes(png[20..24].try_into().unwrap());
    assert_eq!((width, height), (400, 422), "252 by 266 mm");
    assert!(picture.png(0).is_err() && picture.png(1_000_000).is_err());
}

/// Draws the box of a position.
fn box_picture(table: &Table, at: Position) -> String {
    let matchbox = table.matchbox(at).unwrap().unwrap();
    draw_box(&**table.game(), at, at.board, &matchbox).svg().to_owned()
}

#[test]
fn a_drawn_box_shows_its_beads_and_a_hole_for_each_removed_one() {
    let table = table("tictactoe", Aim::Safe, false);
    let board = Board::parse(".../.X./...", table.game().shape()).unwrap();
    let svg = box_picture(&table, Position::new(board, Side::Second));
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"1 amber bead") && texts.contains(&"box 81 of the second machine"), "{texts:?}");
    assert_eq!(svg.matches("stroke-dasharray").count(), 8, "four holes in the tray, four in the list");
}

#[test]
fn beads_that_share_a_cell_are_drawn_side_by_side() {
    let table = table("wild", Aim::Safe, false);
    let svg = box_picture(&table, table.game().start());
    let document = Document::parse(&svg).unwrap();
    let circles = document.descendants().filter(|node| node.has_tag_name("circle"));
    let distinct: BTreeSet<_> =
        circles.map(|node| (node.attribute("cx").unwrap(), node.attribute("cy").unwrap())).collect();
    // A bead of the tenth colour or later has a ring around the same place.
    assert_eq!(distinct.len(), 36, "18 moves in the tray and 18 in the list");
}

/// The numbers of a path, in pairs.
fn places(path: &str) -> Vec<(f64, f64)> {
    let numbers: Vec<f64> =
        path.split(['M', 'L', 'Z', ' ']).filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The open tray of a box: 46 mm wide, with its top left corner here.
const TRAY: (f64, f64) = (10.0, 25.0);

/// The middle of each cell in the tray, and the size of a cell.
fn cells_in_tray(diagram: &Diagram) -> (Vec<(f64, f64)>, f64) {
    let (width, height) = diagram.size;
    let cell = 46.0 / width.max(height);
    let (left, top) = (TRAY.0 + (46.0 - cell * width) / 2.0, TRAY.1 + (46.0 - cell * height) / 2.0);
    (diagram.points.iter().map(|(x, y)| (left + x * cell, top + y * cell)).collect(), cell)
}

/// The lines between the points of a board, and how many points are left clear.
fn lines_and_points(svg: &str) -> (Vec<[(f64, f64); 2]>, usize) {
    let document = Document::parse(svg).unwrap();
    let ruled = document.descendants().filter(|node| node.attribute("class") == Some("lines"));
    let ends = ruled.flat_map(|node| places(node.attribute("d").unwrap()));
    let lines = ends.collect::<Vec<_>>().chunks(2).map(|ends| [ends[0], ends[1]]).collect();
    (lines, document.descendants().filter(|node| node.attribute("class") == Some("point")).count())
}

#[test]
fn boards_of_points_are_drawn_with_the_lines_of_the_game() {
    // The start of Pong Hau K'i has two arrows, each instead of a line, and one empty point.
    for (name, board, side, clear, arrows) in [
        ("pong-hau-ki", "OO.XX", Side::First, 1, 2),
        ("morris", "XXO/OX./.O.", Side::First, 3, 3),
        // Where marks are placed, a bead or a hole is on every empty point.
        ("morris", "X../.O./...", Side::First, 0, 0),
    ] {
        let table = table(name, Aim::Safe, false);
        let (board, diagram) = (Board::parse(board, table.game().shape()).unwrap(), table.game().diagram());
        let (lines, points) = lines_and_points(&box_picture(&table, Position::new(board, side)));
        assert_eq!((lines.len(), points), (diagram.lines.len() - arrows, clear), "{name}");
        let (centres, cell) = cells_in_tray(&diagram);
        for [start, end] in lines {
            let is_it = |&&(a, b): &&(Cell, Cell)| {
                let (from, to) = (centres[a.index()], centres[b.index()]);
                let gaps = [(distance(from, start), board.at(a)), (distance(end, to), board.at(b))];
                let is_straight =
                    (distance(from, start) + distance(start, end) + distance(end, to) - distance(from, to)).abs()
                        < 0.01;
                is_straight
                    && gaps.iter().all(|(gap, mark)| *gap < 0.45 * cell && (mark.is_none() || *gap > 0.3 * cell))
            };
            assert_eq!(diagram.lines.iter().filter(is_it).count(), 1, "{name}: {start:?} to {end:?}");
        }
    }
    let table = table("tictactoe", Aim::Safe, false);
    let svg = box_picture(&table, table.game().start());
    assert!(svg.contains("M25.333 25V71M40.667 25V71M10 40.333H56M10 55.667H56"), "cells are ruled");
    assert!(!svg.contains("class=\"point\""), "and have no points");
}

#[test]
fn every_arrow_leads_to_its_cell_and_no_bead_hides_another_or_a_head() {
    for name in ["hexapawn", "hexapawn:4x3", "morris", "pong-hau-ki"] {
        let table = table(name, Aim::Win, true);
        let (centres, cell) = cells_in_tray(&table.game().diagram());
        for side in Side::BOTH {
            for (board, matchbox) in table.machine(side).unwrap().to_boxes().unwrap().iter() {
                let svg = box_picture(&table, Position::new(board, side));
                let document = Document::parse(&svg).unwrap();
                let heads = document.descendants().filter(|node| node.attribute("class") == Some("head"));
                let heads: Vec<Vec<(f64, f64)>> = heads.map(|node| places(node.attribute("d").unwrap())).collect();
                let moves: Vec<Move> =
                    matchbox.all().iter().map(|bead| bead.mv).filter(|mv| mv.from.is_some()).collect();
                assert_eq!(heads.len(), moves.len(), "{name} {board}: an arrow for each move of a piece");
                for (mv, head) in moves.iter().zip(&heads) {
                    let (from, to) = (centres[mv.from.unwrap().index()], centres[mv.to.index()]);
                    assert!(distance(head[0], to) < 0.45 * cell, "{name} {board}: the tip is in the cell");
                    let behind = |place: &(f64, f64)| distance(*place, from) < distance(head[0], from);
                    assert!(head[1..].iter().all(behind), "{name} {board}: it points away from the piece");
                }
                let number = |node: Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
                let circles = document.descendants().filter(|node| node.has_tag_name("circle"));
                let beads: Vec<((f64, f64), f64)> = circles
                    .map(|node| ((number(node, "cx"), number(node, "cy")), number(node, "r")))
                    .filter(|&((x, _), r)| x < TRAY.0 + 46.0 && (r - 0.16 * cell).abs() < 0.01)
                    .collect();
                assert_eq!(beads.len(), moves.len(), "{name} {board}");
                for (at, &(place, radius)) in beads.iter().enumerate() {
                    let overlaps = |other: &((f64, f64), f64)| distance(place, other.0) < 2.0 * radius - 0.01;
                    assert!(!beads[..at].iter().any(overlaps), "{name} {board}: beads lie beside each other");
                    assert!(heads.iter().flatten().all(|&corner| distance(place, corner) > radius), "{name} {board}");
                }
            }
        }
    }
}

#[test]
fn labels_and_their_index_show_points_and_lines() {
    let table = table("pong-hau-ki", Aim::Safe, true);
    let sheets = labels(&table, &default_labels()).unwrap().sheets;
    for (sheet, attribute) in [(&sheets[0], "data-box"), (&sheets[1], "data-entry")] {
        let document = Document::parse(sheet.svg()).unwrap();
        let boards: Vec<Node> = document.descendants().filter(|node| node.has_attribute(attribute)).collect();
        assert!(!boards.is_empty());
        for board in boards {
            let points = board.children().filter(|node| node.attribute("class") == Some("point")).count();
            assert_eq!(points, 1, "four of the five points have men on them");
            let heads = board.children().filter(|node| node.attribute("class") == Some("head")).count();
            let lines = board.children().find(|node| node.attribute("class") == Some("lines")).unwrap();
            assert_eq!(places(lines.attribute("d").unwrap()).len() / 2 + heads, 7, "seven lines, or arrows along them");
            assert_eq!(heads == 0, attribute == "data-entry", "labels have arrows, the index has none");
        }
    }
}

/// The texts of a sheet with their coordinates and font sizes.
fn texts<'a>(document: &'a Document) -> Vec<(f64, f64, f64, &'a str)> {
    let number = |node: Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let nodes =
        document.descendants().filter(|node| node.has_tag_name("text") && node.attribute("text-anchor").is_none());
    nodes
        .filter_map(|node| Some((number(node, "x"), number(node, "y"), number(node, "font-size"), node.text()?)))
        .collect()
}

#[test]
fn index_keys_do_not_overlap_their_boards() {
    for (name, machine) in [("tictactoe", Side::First), ("hexapawn", Side::Second), ("4x3x3", Side::First)] {
        let table = kit_of(name, machine.into());
        for sheet in labels(&table, &LabelsPlan { machine, ..default_labels() }).unwrap().sheets {
            let document = Document::parse(sheet.svg()).unwrap();
            let boards: Vec<(f64, f64)> = document
                .descendants()
                .filter(|node| node.attribute("data-entry").is_some())
                .filter_map(|node| {
                    let rule = node.first_element_child()?.attribute("d")?.strip_prefix('M')?;
                    let (x, rest) = rule.split_once(' ')?;
                    Some((x.parse().unwrap(), rest.split(['V', 'H']).next()?.parse().unwrap()))
                })
                .collect();
            for (x, y, size, text) in texts(&document) {
                // A letter is about half as wide as it is high.
                let right = x + 0.5 * size * text.len() as f64;
                let hits = |&(left, top): &(f64, f64)| left < right && left > x && y > top && y - size < top + 7.0;
                assert!(!boards.iter().any(hits), "{name}: {text:?} overlaps a board");
            }
        }
    }
}

/// Most boards of these games are finished, and need no label.
#[test]
fn games_with_many_finished_boards_still_get_labels() {
    for name in ["6x3x2", "9x2x2", "tictactoe"] {
        check_labels(&*games::find(name).unwrap()).unwrap();
    }
    assert!(matches!(check_labels(&*games::find("5x4x4").unwrap()), Err(LabelsError::TooMany)));
}

/// The sheet used to say "turn the board" for every game; hexapawn boards may only be mirrored.
#[test]
fn the_sheets_say_how_a_board_may_be_turned_to_find_its_label() {
    for (game, machine, symmetry, said) in [
        ("tictactoe", Side::First, true, "turn the board, or look at it in a mirror"),
        ("hexapawn", Side::Second, true, "or of its image in a mirror"),
        ("tictactoe", Side::First, false, "find the label with the same board"),
    ] {
        let asked = LabelsPlan { machine, ..default_labels() };
        let sheets = labels(&table(game, Aim::Safe, symmetry), &asked).unwrap().sheets;
        assert!(sheets.last().unwrap().svg().contains(said), "{game}");
    }
}

/// The words of a sheet, without its heading.
fn sheet_with(sheets: &[Picture], title: &str) -> Vec<String> {
    let found = sheets.iter().map(words).find(|words| words[0].ends_with(&format!("machine: {title}")));
    found.unwrap_or_else(|| panic!("no sheet is headed {title}"))
}

/// The labels of a machine that learns, as words.
fn learner_sheets(table: &Table, machine: Side, paper: Paper) -> Vec<Picture> {
    let made = labels(table, &LabelsPlan { machine, paper, ..default_labels() }).unwrap();
    assert!(made.is_learner);
    made.sheets
}

#[test]
fn labels_of_a_machine_that_learns_begin_a_new_sheet_for_each_move() {
    for (name, machine, expected) in [
        ("tictactoe", Side::First, &[1, 12, 108, 183][..]),
        ("tictactoe", Side::Second, &[3, 38, 153, 95]),
        ("hexapawn", Side::Second, &[2, 9, 6]),
    ] {
        let table = untrained(name, machine, "scroggs");
        let sheets = learner_sheets(&table, machine, Paper::A4);
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for sheet in &sheets {
            let document = Document::parse(sheet.svg()).unwrap();
            let boxes = numbers(&document, "data-box");
            let Some((_, number)) =
                words(sheet)[0].split_once("machine: move ").map(|(a, b)| (a.to_owned(), b.to_owned()))
            else {
                assert!(boxes.is_empty(), "all sheets of labels are headed by their move");
                continue;
            };
            let number: usize = number.parse().unwrap();
            assert!(found.keys().all(|before| *before <= number), "the moves are in order");
            // Scroggs' machine has half as many beads with every move, so the beads tell the move.
            let beads = 1u32 << (expected.len() - number);
            for id in &boxes {
                let board = Board::from_id(Id(*id as u128), table.game().shape()).unwrap();
                let matchbox = table.matchbox(Position::new(board, machine)).unwrap().unwrap();
                assert!(matchbox.beads().all(|(_, found)| found == beads), "box {id} is not for move {number}");
            }
            let on_labels =
                words(sheet).into_iter().filter(|word| word.starts_with('\u{d7}') || word.contains(" \u{d7}"));
            assert!(on_labels.into_iter().all(|word| word.ends_with(&format!("\u{d7}{beads}"))));
            found.entry(number).or_default().extend(boxes);
        }
        let counts: Vec<usize> = found.values().map(Vec::len).collect();
        assert_eq!(counts, expected, "{name}, {machine}");
    }
}

#[test]
fn the_shopping_list_of_a_machine_that_learns_counts_beads_by_move_and_in_total() {
    let table = untrained("tictactoe", Side::First, "michie");
    let list = sheet_with(&learner_sheets(&table, Side::First, Paper::A4), "shopping list");
    let row = |name: &str| -> Vec<u64> {
        let at = list.iter().position(|word| word == name).unwrap_or_else(|| panic!("{name}: {list:?}"));
        list[at + 1..at + 6].iter().map(|number| number.parse().unwrap()).collect()
    };
    assert_eq!(row("matchboxes"), [1, 12, 108, 183, 304]);
    let mut all = [0; 5];
    for (index, colour) in
        ["white", "lilac", "silver", "black", "gold", "green", "amber", "red", "pink"].iter().enumerate()
    {
        let mut expected = [0; 5];
        for (board, matchbox) in table.machine(Side::First).unwrap().to_boxes().unwrap().iter() {
            let beads = matchbox.beads().filter(|(mv, _)| mv.to.index() == index).map(|(_, number)| u64::from(number));
            let beads: u64 = beads.sum();
            expected[board.stone_count() as usize / 2] += beads;
            expected[4] += beads;
        }
        assert_eq!(row(&format!("{colour} beads, for cell {}", index + 1)), expected);
        all.iter_mut().zip(expected).for_each(|(all, beads)| *all += beads);
    }
    assert_eq!(row("beads in total"), all);
    assert_eq!(all[4], table.machine(Side::First).unwrap().bead_count().unwrap());
    assert!(list.iter().any(|line| line.contains("wins adds up to 12 more")), "3 for each of 4 moves: {list:?}");
}

#[test]
fn the_rules_are_those_that_the_machine_is_taught_by() {
    let keeps = "A box for moves 1 and 2 never runs empty";
    let cases = [
        (
            "tictactoe",
            Side::First,
            ["michie", "3,1,-1", "every", "keep"],
            0,
            &[
                "plays X and moves first",
                "It won Put it back, with 3 more",
                "A draw Put it back, with 1 more",
                "It lost Keep it out.",
                keeps,
            ][..],
        ),
        (
            "tictactoe",
            Side::Second,
            ["3", "1,0,-2", "every", "keep:1"],
            7,
            &[
                "plays O and moves second",
                "has learned from 7 games",
                "It won Put it back, with 1 more",
                "A draw Put it back.",
                "It lost Keep it out, and take out 1 more of its colour",
                "A box for move 1 never runs empty",
            ],
        ),
        (
            "hexapawn",
            Side::Second,
            ["1", "0,0,all", "last", "resign"],
            0,
            &[
                "Find the box of the board, or of its image in a mirror",
                "It won Put it back.",
                "Only the last bead counts: keep it out, and take out all others of its colour. Put the beads of earlier moves back.",
                "It stays empty. On its board, the machine resigns and has lost the game.",
            ],
        ),
        (
            "tictactoe",
            Side::First,
            ["8,4,2,1", "3,1,-1", "every", "refill"],
            0,
            &[
                "8 beads in a box for move 1, 4 beads in a box for move 2, 2 beads in a box for move 3, 1 bead in a box for move 4",
            ],
        ),
        ("tictactoe", Side::First, ["5", "3,1,-1", "every", "refill"], 0, &["for each possible move: 5 beads."]),
        ("tictactoe", Side::First, ["5", "3,1,-1", "every", "keep:4"], 0, &["That never happens"]),
    ];
    for (name, machine, taught, games, told) in cases {
        let table = learner(name, machine, &taught, games);
        for paper in Paper::ALL {
            let sheets = learner_sheets(&table, machine, paper);
            let text = sheet_with(&sheets, "the rules of learning").join(" ");
            for told in told {
                assert!(text.contains(told), "{told:?} is not in {text:?}");
            }
        }
    }
}

/// The rules show how boards are turned: all boards that share a box, each once, with the same bead on the turned cell.
#[test]
fn the_rules_draw_the_boards_that_share_a_box() {
    for (name, machine, count) in [("tictactoe", Side::First, 8), ("hexapawn", Side::Second, 2)] {
        let table = untrained(name, machine, "michie");
        let sheets = learner_sheets(&table, machine, Paper::A4);
        let sheet = sheets.iter().find(|sheet| sheet.svg().contains("data-image")).unwrap();
        let document = Document::parse(sheet.svg()).unwrap();
        let images: BTreeSet<String> =
            document.descendants().filter_map(|node| node.attribute("data-image")).map(str::to_owned).collect();
        let boards = images.iter().map(|text| Board::parse(text, table.game().shape()).unwrap());
        let classes: BTreeSet<Board> = boards.map(|board| table.classes().lowest(board)).collect();
        assert_eq!((images.len(), classes.len()), (count, 1), "{name}");
        let id = classes.first().unwrap().id();
        assert!(words(sheet).join(" ").contains(&format!("These boards share box {id},")), "{name}");
    }
}

#[test]
fn the_score_sheet_has_room_for_fifty_games_on_every_paper() {
    for paper in Paper::ALL {
        for (machine, played, beads) in
            [(Side::First, 0, Some("12")), (Side::First, 9, None), (Side::Second, 0, Some("48"))]
        {
            let table = learner("tictactoe", machine, &["4,3,2,1", "3,1,-1", "every", "keep"], played);
            let sheets = learner_sheets(&table, machine, paper);
            let document = Document::parse(sheets.last().unwrap().svg()).unwrap();
            let anchored = |anchor: &str| -> Vec<&str> {
                let texts = document.descendants().filter(|node| node.attribute("text-anchor") == Some(anchor));
                texts.filter_map(|node| node.text()).collect()
            };
            let games: Vec<u64> = anchored("end").into_iter().filter_map(|text| text.parse().ok()).collect();
            assert!(games.len() >= 50 && games.is_sorted() && games[0] == played + 1, "{games:?}");
            assert_eq!(games[games.len() - 1], played + games.len() as u64, "no game is left out");
            let middle = anchored("middle");
            for title in ["game", "result", "score"] {
                assert_eq!(middle.iter().filter(|text| **text == title).count(), 2, "{title} in both halves");
            }
            let start = middle.iter().position(|text| *text == "start").unwrap();
            assert!(beads.is_none_or(|beads| middle[start + 1] == beads), "beads for the first move: {middle:?}");
            assert_eq!(middle[start + 2], "0", "the score");
        }
    }
}

#[test]
fn machines_that_do_not_learn_get_no_rules_and_no_score() {
    for table in [table("tictactoe", Aim::Safe, true), kit_of("tictactoe", Sides::FIRST)] {
        let made = labels(&table, &default_labels()).unwrap();
        assert!(!made.is_learner);
        let headings: Vec<String> = made.sheets.iter().map(|sheet| words(sheet)[0].clone()).collect();
        let titles: BTreeSet<&str> = headings.iter().filter_map(|heading| heading.split(": ").nth(1)).collect();
        assert_eq!(titles, BTreeSet::from(["labels", "index", "shopping list"]));
    }
}

/// A table can claim to be trained at a game that is far too large to walk.
#[test]
fn a_trained_table_of_a_huge_game_is_drawn_without_walking_it() {
    let small = untrained("tictactoe", Side::First, "michie");
    let lessons = small.machine(Side::First).unwrap().lessons().to_vec();
    let connect4 = game("connect4");
    let start = connect4.start();
    let beads = connect4.moves(start).into_iter().map(|mv| menace::Bead { mv, fate: menace::Fate::Stays(1) }).collect();
    let boxes = [(start.board, menace::Matchbox::new(beads, None))].into_iter().collect();
    let table = Table::builder(connect4).symmetry(true).machine(Side::First, boxes, lessons).build();
    let made = labels(&table, &default_labels()).unwrap();
    assert_eq!((made.count, made.is_learner), (1, false));
}

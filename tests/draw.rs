//! Pictures are parsed and checked: maps against the rules, printed labels and boxes against their tables.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Nine, after, empty_cells, game, is_over, winner};
use menace::board::Id;
use menace::draw::{LabelsError, LabelsPlan, MapError, Paper, check_labels, draw_box, labels, map, page};
use menace::game::Diagram;
use menace::kit::{KitPlan, kit};
use menace::{Aim, Board, Cell, Move, Plan, Position, Side, Sides, Table, games};
use roxmltree::{Document, Node};

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

/// The marks drawn on a board, by cell, and the cells of the red ones. Marks of boards inside it are left out.
fn marks(node: Node, (x, y, side): Square) -> (Nine, Vec<usize>) {
    let (mut board, mut red) = ([0; 9], Vec::new());
    let third = side / 3.0;
    for shape in node.children().filter(Node::is_element) {
        let number = |name| shape.attribute(name).unwrap().parse::<f64>().unwrap();
        let (digit, (left, top)) = match shape.tag_name().name() {
            "circle" => (2, (number("cx"), number("cy"))),
            // A cross is two strokes; the lines of the board and of a winning row have other colours.
            "path" if matches!(shape.attribute("stroke"), Some("#222" | "#c8102e")) => {
                (1, cross(shape.attribute("d").unwrap()))
            }
            _ => continue,
        };
        let (column, row) = (((left - x) / third).floor(), ((top - y) / third).floor());
        assert!((0.0..3.0).contains(&column) && (0.0..3.0).contains(&row), "({left}, {top}) is not in its square");
        let cell = (row * 3.0 + column) as usize;
        assert_eq!(board[cell], 0, "one mark per cell");
        board[cell] = digit;
        if shape.attribute("stroke") == Some("#c8102e") {
            red.push(cell);
        }
    }
    (board, red)
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
    let (drawn, red) = marks(node, square);
    assert_eq!(drawn, *board, "the drawing matches the board");
    assert_eq!(red, Vec::from_iter(cell(node, "data-move")), "the machine's move is red");
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
    let ruled = document.descendants().filter(|node| node.attribute("stroke") == Some("#9a938a"));
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
            let lines = board.children().find(|node| node.attribute("stroke") == Some("#9a938a")).unwrap();
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

/// Such a box used to make the page panic.
#[test]
fn a_page_ignores_an_empty_box_of_a_board_that_no_game_leads_to() {
    let game = games::find("hexapawn:1x5").unwrap();
    let mut text = Vec::new();
    Table::generate(game, &Plan::default(), &()).unwrap().write_json(&mut text, &()).unwrap();
    let text = String::from_utf8(text).unwrap();
    let forged = r#"{"id":171,"board":"20100","beads":{},"removed":{"a3a4":{"round":1,"why":"win"}},"banned":1}"#;
    let (rounds, rest) = text.split_once("\"boxes\":[\n").unwrap();
    let (first, others) = rest.split_once("]}").unwrap();
    // The boxes stay in the order of their ids, and the first round has a bead and a ban more.
    let mut boxes: Vec<&str> = first.lines().map(|line| line.trim().trim_end_matches(',')).collect();
    boxes.push(forged);
    boxes
        .sort_by_key(|line| line.strip_prefix("{\"id\":").unwrap().split(',').next().unwrap().parse::<u128>().unwrap());
    let altered = format!("{rounds}\"boxes\":[\n{}]}}{others}", boxes.join(",\n"));
    match Table::read(altered.into_bytes(), None) {
        Ok(table) => assert!(page(&table, &()).is_ok()),
        Err(error) => panic!("{error}"),
    }
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

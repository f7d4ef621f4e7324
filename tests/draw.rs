//! Pictures, taken apart again: the map against the rules, printed labels against the ruler, boxes against their tables.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Nine, after, assert_refused, empty_cells, is_over, menace, stderr, stdout, winner};
use menace::draw::{Labels, LabelsError, MapError, Paper, Picture, labels, map, pdf};
use menace::kit::{KitPlan, kit};
use menace::{Aim, Board, Machines, Plan, Player, Run, games};
use roxmltree::{Document, Node};

fn run(game: &str, aim: Aim, symmetry: bool) -> Run {
    Run::generate(games::find(game).unwrap(), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
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

/// The points that the marks of a board are drawn at, without those of boards inside.
fn points(node: Node) -> Vec<(f64, f64)> {
    let number = |text: Option<&str>| text.unwrap().parse().unwrap();
    let shapes = node.children().filter(Node::is_element);
    shapes
        .filter_map(|shape| match shape.tag_name().name() {
            "circle" => Some((number(shape.attribute("cx")), number(shape.attribute("cy")))),
            "path" => {
                let start = shape.attribute("d")?.strip_prefix('M')?;
                let end = start.find(|c: char| c.is_ascii_uppercase())?;
                let (x, y) = start[..end].split_once(' ')?;
                Some((x.parse().unwrap(), y.parse().unwrap()))
            }
            _ => None,
        })
        .collect()
}

/// Walks a map: every reply is there, every move of the machine is a bead, nothing else is drawn. Counts the finished games.
fn walk(
    node: Node,
    board: &Nine,
    run: &Run,
    machine: Player,
    square: Square,
    endings: &mut BTreeMap<Option<u8>, usize>,
) {
    assert_eq!(node.attribute("data-board").unwrap(), text(board));
    let (x, y, side) = square;
    for (left, top) in points(node) {
        let is_inside = left >= x - 0.01 && left <= x + side + 0.01 && top >= y - 0.01 && top <= y + side + 0.01;
        assert!(is_inside, "({left}, {top}) is not in {square:?} of board {}", text(board));
    }
    let replies = boards(node);
    if is_over(board) {
        assert!(replies.is_empty(), "nothing follows a finished board");
        *endings.entry(winner(board)).or_default() += 1;
        return;
    }
    let shown: Vec<usize> = replies.iter().map(|reply| cell(*reply, "data-reply").unwrap()).collect();
    assert_eq!(shown, empty_cells(board), "every reply to {} once", text(board));
    for reply in replies {
        let to = cell(reply, "data-reply").unwrap();
        let met = after(board, to);
        let next = match cell(reply, "data-move") {
            None => {
                assert!(is_over(&met), "the machine has to answer {}", text(&met));
                met
            }
            Some(mv) => {
                assert_is_bead(run, machine, &met, mv);
                after(&met, mv)
            }
        };
        walk(reply, &next, run, machine, inside(square, to), endings);
    }
}

fn text(board: &Nine) -> String {
    board.iter().map(|digit| digit.to_string()).collect()
}

fn assert_is_bead(run: &Run, machine: Player, board: &Nine, mv: usize) {
    assert!(!is_over(board));
    let parsed = Board::parse(&text(board), run.game.shape()).unwrap();
    let Some((_, matchbox, symmetry)) = run.find(machine, parsed) else {
        return assert_eq!(empty_cells(board), [mv], "without a box there is no choice");
    };
    let beads: Vec<usize> = matchbox.beads().map(|(bead, _)| symmetry.inverse().mv(bead).to.index()).collect();
    assert!(beads.contains(&mv), "{mv} is no bead on {}: {beads:?}", text(board));
}

#[test]
fn the_map_shows_every_reply_and_only_beads() {
    let mut runs: Vec<Run> = Vec::new();
    for aim in Aim::ALL {
        runs.extend([run("tictactoe", aim, false), run("tictactoe", aim, true)]);
    }
    let plan = KitPlan { machines: Machines::Both, aim: Aim::Safe, opening: None, limit: None };
    runs.push(kit(games::find("tictactoe").unwrap(), &plan, &()).unwrap().run);
    for run in &runs {
        for machine in Player::BOTH {
            let picture = map(run, machine).unwrap();
            let document = Document::parse(picture.svg()).unwrap();
            let [root] = boards(document.root_element())[..] else { panic!("a map has one board at the top") };
            let mut start = [0; 9];
            if let Some(mv) = cell(root, "data-move") {
                assert_is_bead(run, machine, &start, mv);
                start = after(&start, mv);
            }
            assert_eq!(machine == Player::One, start != [0; 9], "the first machine opens");
            let mut endings = BTreeMap::new();
            walk(root, &start, run, machine, (6.0, 16.0, 240.0), &mut endings);
            let lost = if machine == Player::One { 2 } else { 1 };
            assert_eq!(endings.get(&Some(lost)), None, "the machine never loses");
            assert!(endings[&None] > 0 && endings.values().sum::<usize>() > 50, "{endings:?}");
        }
    }
}

#[test]
fn maps_of_other_games_are_drawn_or_refused_with_the_reason() {
    for (game, machine) in [
        ("4x3x3", Player::One),
        ("notakto", Player::One),
        ("3x3x3+misere", Player::Two),
        ("3x3x3+gravity", Player::One),
    ] {
        let picture = map(&run(game, Aim::Fastest, false), machine).unwrap();
        Document::parse(picture.svg()).unwrap();
    }
    let refusal = |game: &str, machine| map(&run(game, Aim::Safe, false), machine).unwrap_err();
    assert!(matches!(refusal("hexapawn", Player::Two), MapError::Moves(_)));
    assert!(matches!(refusal("wild", Player::One), MapError::Moves(_)));
    assert!(matches!(refusal("4x3x3", Player::Two), MapError::Lost { .. }));
}

/// The numbers that the elements of a sheet carry.
fn numbers(document: &Document, attribute: &str) -> Vec<usize> {
    document.descendants().filter_map(|node| node.attribute(attribute)?.parse().ok()).collect()
}

fn default_labels() -> Labels {
    Labels { machine: Player::One, paper: Paper::A4, face: (36.0, 14.0), tab: 4.0, with_forced: false }
}

#[test]
fn there_is_a_label_for_each_of_the_304_boxes_and_the_index_finds_it() {
    let run = run("tictactoe", Aim::Safe, true);
    let sheets = labels(&run, &default_labels()).unwrap();
    let documents: Vec<Document> = sheets.iter().map(|sheet| Document::parse(sheet.svg()).unwrap()).collect();
    let numbers =
        |attribute| -> Vec<usize> { documents.iter().flat_map(|document| numbers(document, attribute)).collect() };
    assert_eq!(numbers("data-number"), (1..=304).collect::<Vec<_>>());
    let mut entries = numbers("data-entry");
    entries.sort_unstable();
    assert_eq!(entries, (1..=304).collect::<Vec<_>>(), "each is in the index once");
    let boxes: BTreeSet<usize> = numbers("data-box").into_iter().collect();
    let table = run.table(Player::One).unwrap();
    assert!(boxes.len() == 304 && boxes.iter().all(|&id| table.boxes.contains_key(&menace::Id(id as u128))));
    // The list asks for as many beads as the labels show.
    let beads: u64 = table
        .sorted()
        .iter()
        .filter(|(id, _)| boxes.contains(&(id.0 as usize)))
        .map(|(_, b)| b.beads().count() as u64)
        .sum();
    let list: Vec<&str> = documents
        .last()
        .unwrap()
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .filter_map(|node| node.text())
        .collect();
    let total = list.iter().position(|text| *text == "beads in all").unwrap();
    assert_eq!(list[total - 1].parse::<u64>().unwrap(), beads);
    let with_forced = labels(&run, &Labels { with_forced: true, ..default_labels() }).unwrap();
    let faces: usize = with_forced.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
    assert_eq!(faces, 338);
}

#[test]
fn labels_of_other_games_and_kits_are_printed() {
    for (game, machine, count) in
        [("hexapawn", Player::Two, 17), ("notakto", Player::One, 25), ("morris", Player::One, 0)]
    {
        let sheets = labels(&run(game, Aim::Safe, true), &Labels { machine, ..default_labels() }).unwrap();
        let faces: usize = sheets.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
        assert!(faces == count || count == 0 && faces > 100, "{game}: {faces}");
        assert!(pdf(&sheets).unwrap().starts_with(b"%PDF-"));
    }
    let refusal = |asked: Labels| labels(&run("tictactoe", Aim::Safe, true), &asked).unwrap_err();
    for face in [(0.0, 14.0), (36.0, 3.0), (300.0, 14.0), (36.0, 400.0), (f64::NAN, 14.0)] {
        assert!(matches!(refusal(Labels { face, ..default_labels() }), LabelsError::Size { .. }), "{face:?}");
    }
    assert!(matches!(refusal(Labels { tab: -1.0, ..default_labels() }), LabelsError::Size { .. }));
}

#[test]
fn every_picture_can_be_turned_into_png() {
    let picture: Picture = map(&run("tictactoe", Aim::Fastest, false), Player::One).unwrap();
    let png = picture.png(400).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    let height = u32::from_be_bytes(png[20..24].try_into().unwrap());
    assert_eq!((width, height), (400, 416), "252 by 262 mm");
    assert!(picture.png(0).is_err() && picture.png(1_000_000).is_err());
}

#[test]
fn a_box_is_shown_in_the_terminal_and_as_a_file() {
    let told = stdout(&menace().args(["draw", "box", ".../.X./..."]).output().unwrap());
    let expected = "\
box 81 of the second machine, O to move, not banned

   1  (2)  3 
  (4)  X  (6)
   7  (8)  9 

   1   1 white bead
  (2)  went, round 3, reply 1 leads to a banned board
   3   1 silver bead
";
    assert!(told.starts_with(expected), "{told}");
    let coloured = menace().args(["draw", "box", ".../.X./..."]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(stdout(&coloured).contains("\u{1b}[38;2;34;34;34m\u{1b}[48;2;255;128;20m 7 "), "{:?}", stdout(&coloured));
    let svg = stdout(&menace().args(["draw", "box", ".../.X./...", "-o", "-"]).output().unwrap());
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    assert!(texts.contains(&"1 amber bead") && texts.contains(&"box 81 of the second machine"), "{texts:?}");
    // Four beads in the tray and four in the list.
    assert_eq!(svg.matches("stroke-dasharray").count(), 8, "four holes in the tray, four in the list");
}

#[test]
fn files_are_named_and_refused_as_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let draw = |args: &[&str]| menace().arg("draw").args(args).current_dir(folder.path()).output().unwrap();
    for (args, files) in [
        (&["page"][..], &["output/tictactoe.html"][..]),
        (&["map"], &["output/tictactoe-map-first.svg"]),
        (&["map", "--machine", "second", "-o", "o.png", "--width", "200"], &["o.png"]),
        (&["labels"], &["output/tictactoe-labels-first.pdf"]),
        (
            &["labels", "--game", "hexapawn", "--machine", "second", "-o", "l.svg"],
            &["l-01.svg", "l-02.svg", "l-03.svg"],
        ),
        (&["box", ".........", "-o", "b.pdf"], &["b.pdf"]),
    ] {
        let output = draw(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        for file in files {
            assert!(folder.path().join(file).exists(), "{file}: {}", stderr(&output));
            assert!(stderr(&output).contains(file), "{}", stderr(&output));
        }
    }
    let table = folder.path().join("t.json");
    menace().args(["generate", "--machine", "first", "-o"]).arg(&table).output().unwrap();
    for (args, parts) in [
        (&["map", "-o", "x.gif"][..], &[".svg, .png or .pdf", "x.gif"][..]),
        (&["map", "t.json", "--machine", "second"], &["second machine", "--machine"]),
        (&["labels", "--face", "36"], &["36x14"]),
        (&["labels", "--face", "10x10"], &["10 by 10", "20 by 8"]),
        (&["labels", "--paper", "a5"], &["a4", "letter"]),
        (&["map", "--width", "4"], &["16"]),
        (&["box", "XXX......"], &["cannot occur"]),
        (&["box", "O........", "t.json"], &["cannot occur"]),
        (&["box", "X........", "t.json"], &["second machine"]),
        (&["page", "t.menace"], &["t.menace"]),
        (&["page", "--game", "4x4x4"], &["packed"]),
        (&["page", "-o", "nowhere/x.html"], &["nowhere"]),
        (&["map", "--game", "hexapawn"], &["a cell of its own"]),
    ] {
        assert_refused(&draw(args), parts);
    }
}

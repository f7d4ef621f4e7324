//! Pictures, taken apart again: the map against the rules, printed labels against the ruler, boxes against their tables.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{Nine, after, assert_refused, empty_cells, is_over, menace, stderr, stdout, winner};
use menace::draw::{LabelsError, LabelsPlan, MapError, Paper, Picture, labels, map, pdf};
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

/// The marks that are drawn on a board, by cell, and the cells of those in red; without those of boards inside.
fn marks(node: Node, (x, y, side): Square) -> (Nine, Vec<usize>) {
    let (mut board, mut red) = ([0; 9], Vec::new());
    let third = side / 3.0;
    for shape in node.children().filter(Node::is_element) {
        let number = |name| shape.attribute(name).unwrap().parse::<f64>().unwrap();
        let (digit, (left, top)) = match shape.tag_name().name() {
            "circle" => (2, (number("cx"), number("cy"))),
            // A cross is two strokes; the lines of a board and of a row are of other colours.
            "path" if matches!(shape.attribute("stroke"), Some("#222" | "#c8102e")) => {
                (1, cross(shape.attribute("d").unwrap()))
            }
            _ => continue,
        };
        let (column, row) = (((left - x) / third).floor(), ((top - y) / third).floor());
        assert!((0.0..3.0).contains(&column) && (0.0..3.0).contains(&row), "({left}, {top}) is not in its square");
        let cell = (row * 3.0 + column) as usize;
        assert_eq!(board[cell], 0, "one mark a cell");
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
    let [x1, y1, x2, y2, ..] = numbers[..] else { panic!("{path} is no cross") };
    ((x1 + x2) / 2.0, (y1 + y2) / 2.0)
}

/// Walks a map: what is drawn is what it says, every reply is there, every move of the machine is a bead. Counts the finished games.
fn walk(
    node: Node,
    board: &Nine,
    run: &Run,
    machine: Player,
    square: Square,
    endings: &mut BTreeMap<Option<u8>, usize>,
) {
    assert_eq!(node.attribute("data-board").unwrap(), text(board));
    let (drawn, red) = marks(node, square);
    assert_eq!(drawn, *board, "what is drawn is the board");
    assert_eq!(red, Vec::from_iter(cell(node, "data-move")), "the machine's move is red");
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
            walk(root, &start, run, machine, (6.0, 20.0, 240.0), &mut endings);
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

fn default_labels() -> LabelsPlan {
    LabelsPlan { machine: Player::One, paper: Paper::A4, face: (36.0, 14.0), tab: 4.0, with_forced: false }
}

#[test]
fn there_is_a_label_for_each_of_the_304_boxes_and_the_index_finds_it() {
    let run = run("tictactoe", Aim::Safe, true);
    let sheets = labels(&run, &default_labels()).unwrap().sheets;
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
    let with_forced = labels(&run, &LabelsPlan { with_forced: true, ..default_labels() }).unwrap().sheets;
    let faces: usize = with_forced.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
    assert_eq!(faces, 338);
}

#[test]
fn labels_of_other_games_are_printed() {
    for (game, machine) in
        [("hexapawn", Player::Two), ("notakto", Player::One), ("wild", Player::One), ("morris", Player::One)]
    {
        let run = run(game, Aim::Safe, true);
        let sheets = labels(&run, &LabelsPlan { machine, ..default_labels() }).unwrap().sheets;
        let faces: usize = sheets.iter().map(|sheet| sheet.svg().matches("class=\"face\"").count()).sum();
        let boards = run.table(machine).unwrap().boxes.keys().map(|&id| Board::from_id(id, run.game.shape()).unwrap());
        let choices = boards.filter(|&board| run.game.moves(board, machine).len() > 1).count();
        assert_eq!(faces, choices, "{game}");
        assert!(pdf(&sheets).unwrap().starts_with(b"%PDF-"));
    }
    let refusal = |asked: LabelsPlan| labels(&run("tictactoe", Aim::Safe, true), &asked).err().unwrap();
    for face in [(0.0, 14.0), (36.0, 3.0), (300.0, 14.0), (36.0, 400.0), (f64::NAN, 14.0)] {
        assert!(matches!(refusal(LabelsPlan { face, ..default_labels() }), LabelsError::Size { .. }), "{face:?}");
    }
    assert!(matches!(refusal(LabelsPlan { tab: -1.0, ..default_labels() }), LabelsError::Size { .. }));
}

#[test]
fn a_picture_is_turned_into_png_of_the_width_that_was_asked_for() {
    let picture: Picture = map(&run("tictactoe", Aim::Fastest, false), Player::One).unwrap();
    let png = picture.png(400).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    let height = u32::from_be_bytes(png[20..24].try_into().unwrap());
    assert_eq!((width, height), (400, 422), "252 by 266 mm");
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
    menace().args(["generate", "-o"]).arg(folder.path().join("packed.menace")).output().unwrap();
    std::fs::create_dir(folder.path().join("taken-02.svg")).unwrap();
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
        (&["page", "packed.menace"], &["packed", "x.json"]),
        (&["page", "--game", "4x4x4"], &["4x4x4", "smaller game"]),
        (&["page", "-o", "x.png"], &["x.png", ".html"]),
        (&["labels", "--tab=-1"], &["0 or more"]),
        (&["labels", "-o", "taken.svg"], &["taken-02.svg", "folder"]),
        (&["page", "-o", "nowhere/x.html"], &["nowhere"]),
        (&["map", "--game", "hexapawn"], &["a cell of its own"]),
    ] {
        assert_refused(&draw(args), parts);
    }
    assert!(!folder.path().join("taken-01.svg").exists(), "no sheet is written if one cannot be");
}

/// The texts of a sheet with their places.
fn texts<'a>(document: &'a Document) -> Vec<(f64, f64, f64, &'a str)> {
    let number = |node: Node, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    let nodes =
        document.descendants().filter(|node| node.has_tag_name("text") && node.attribute("text-anchor").is_none());
    nodes
        .filter_map(|node| Some((number(node, "x"), number(node, "y"), number(node, "font-size"), node.text()?)))
        .collect()
}

#[test]
fn keys_of_the_index_do_not_run_into_their_boards() {
    for (game, machine) in [("tictactoe", Player::One), ("hexapawn", Player::Two), ("4x3x3", Player::One)] {
        let plan = KitPlan { machines: Machines::only(machine), aim: Aim::Safe, opening: None, limit: None };
        let run = kit(games::find(game).unwrap(), &plan, &()).unwrap().run;
        for sheet in labels(&run, &LabelsPlan { machine, ..default_labels() }).unwrap().sheets {
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
                // A letter is about half as wide as high.
                let right = x + 0.5 * size * text.len() as f64;
                let hits = |&(left, top): &(f64, f64)| left < right && left > x && y > top && y - size < top + 7.0;
                assert!(!boards.iter().any(hits), "{game}: {text:?} runs into a board");
            }
        }
    }
}

#[test]
fn beads_that_share_a_cell_lie_side_by_side() {
    let svg = stdout(&menace().args(["draw", "box", "--game", "wild", ".........", "-o", "-"]).output().unwrap());
    let document = Document::parse(&svg).unwrap();
    let places: Vec<(&str, &str)> = document
        .descendants()
        .filter(|node| node.has_tag_name("circle"))
        .map(|node| (node.attribute("cx").unwrap(), node.attribute("cy").unwrap()))
        .collect();
    let distinct: BTreeSet<_> = places.iter().collect();
    // A bead of the tenth colour or later has a ring around the same place.
    assert_eq!(distinct.len(), 36, "18 moves in the tray and 18 in the list");
}

//! The command `draw`: what it shows in the terminal, the files it writes, and what it refuses.

use std::collections::BTreeSet;
use std::fs;

use roxmltree::Document;

use crate::common::{Folder, assert_refused, menace, stderr, stdout};

#[test]
fn a_box_is_shown_in_the_terminal_and_as_a_file() {
    let told = stdout(&menace().args(["draw", "box", ".../.X./..."]).output().unwrap());
    let expected = "\
box 81 of the second machine, O to move, not banned

   1  (2)  3 
  (4)  X  (6)
   7  (8)  9 

   1   1 white bead
  (2)  removed, round 3, reply 1 leads to a banned board
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
fn a_box_of_points_and_lines_is_shown_in_the_terminal() {
    let shown = |board: &str, game: &str| {
        let arguments = ["draw", "box", "--game", game, board, "--to-move", "first"];
        stdout(&menace().args(arguments).output().unwrap())
    };
    let placing = "\
box 6723 of the first machine, X to move, not banned

   X ---(2)--- 3 
   |  \\  |  /  |
  (4)--- O ---(6)
   |  /  |  \\  |
   7 ---(8)---(9)

  (2)  removed, round 3, reply 3 leads to a banned board
";
    assert!(shown("X../.O./...", "morris").starts_with(placing), "{}", shown("X../.O./...", "morris"));
    let moving = "\
box 220 of the first machine, X to move, not banned

  O       O
  | \\   / |
  |   .   |
  | /   \\ |
  X-------X

   4-3   1 white bead
   5-3   1 lilac bead
";
    assert_eq!(shown("OO.XX", "pong-hau-ki"), moving);
}

#[test]
fn pictures_get_default_names_and_impossible_ones_are_refused() {
    let folder = Folder::new();
    let draw = |args: &[&str]| menace().arg("draw").args(args).current_dir(folder.path()).output().unwrap();
    for (args, files) in [
        (&["page"][..], &["output/menace.html"][..]),
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
            assert!(folder.join(file).exists(), "{file}: {}", stderr(&output));
            assert!(stderr(&output).contains(file), "{}", stderr(&output));
        }
    }
    folder.succeeds("generate --machine first -o t.json");
    fs::create_dir(folder.join("taken-02.svg")).unwrap();
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
        (&["page", "--game", "4x4x4"], &["4x4x4", "smaller game"]),
        (&["page", "-o", "x.png"], &["x.png", ".html"]),
        (&["labels", "--tab=-1"], &["0 or more"]),
        (&["labels", "-o", "taken.svg"], &["taken-02.svg", "folder"]),
        (&["page", "-o", "nowhere/x.html"], &["nowhere"]),
        (&["map", "--game", "hexapawn"], &["fills a different cell"]),
    ] {
        assert_refused(&draw(args), parts);
    }
    assert!(!folder.join("taken-01.svg").exists(), "no sheet is written if one cannot be");
}

#[test]
fn a_map_on_paper_has_exactly_its_size() {
    let folder = Folder::new();
    for (paper, game, svg, points) in [
        ("a4", "tictactoe", "width=\"210mm\" height=\"297mm\"", "0 0 595.2756 841.8898"),
        ("a3", "tictactoe", "width=\"297mm\" height=\"420mm\"", "0 0 841.8898 1190.5511"),
        ("letter", "4x3x3", "width=\"279.4mm\" height=\"215.9mm\"", "0 0 792 612"),
    ] {
        folder.succeeds(&format!("draw map --game {game} --paper {paper} -o m.svg"));
        assert!(folder.read_text("m.svg").contains(svg), "{game} on {paper}");
        folder.succeeds(&format!("draw map --game {game} --paper {paper} -o m.pdf"));
        let pdf = String::from_utf8_lossy(&folder.read("m.pdf")).into_owned();
        assert_eq!(media_box(&pdf), points, "{game} on {paper}");
    }
    assert_refused(&folder.run("draw map --paper a5 -o m.svg"), &["a4", "a3", "letter"]);
    folder.succeeds("draw map -o m.svg");
    assert!(folder.read_text("m.svg").contains("width=\"252mm\" height=\"266mm\""), "as ever without paper");
}

/// The size of the first page of a PDF, in points.
fn media_box(pdf: &str) -> String {
    let (_, rest) = pdf.split_once("/MediaBox").unwrap();
    let (_, rest) = rest.split_once('[').unwrap();
    rest.split_once(']').unwrap().0.trim().to_owned()
}

#[test]
fn beads_that_share_a_cell_are_drawn_side_by_side() {
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

#[test]
fn a_packed_table_gives_the_same_page_as_json() {
    let folder = Folder::new();
    for options in ["", "--symmetry", "--machine second", "--aim win --symmetry", "--aim fastest"] {
        for name in ["t.json", "t.menace --depths"] {
            folder.succeeds(&format!("generate {options} -o {name}"));
        }
        folder.succeeds("draw page t.json -o json.html");
        folder.succeeds("draw page t.menace -o packed.html");
        assert!(folder.read("json.html") == folder.read("packed.html"), "{options}");
    }
    // A table without depths gives a page too.
    folder.succeeds("generate -o plain.menace");
    folder.succeeds("draw page plain.menace -o plain.html");
    assert!(folder.read_text("plain.html").contains("<title>menace"));
}

#[test]
fn a_packed_table_gives_the_same_pictures_as_json() {
    let folder = Folder::new();
    for name in ["t.json", "t.menace --depths"] {
        folder.succeeds(&format!("generate --symmetry --aim fastest -o {name}"));
    }
    for what in ["map", "labels --paper letter", "labels --machine second", "box X........"] {
        for (table, picture) in [("t.json", "json.pdf"), ("t.menace", "packed.pdf")] {
            folder.succeeds(&format!("draw {what} {table} -o {picture}"));
        }
        assert!(folder.read("json.pdf") == folder.read("packed.pdf"), "{what}");
    }
}

#[test]
fn refusing_to_draw_a_large_table_gives_only_advice_that_works() {
    let folder = Folder::new();
    for (arguments, told) in [("draw labels --game 4x4x4", "smaller game"), ("draw page --game 4x4x4", "smaller game")]
    {
        let output = folder.run(arguments);
        assert_refused(&output, &[told]);
        for cannot in ["kit", "--symmetry", "one machine", "--machine", "packed", ".menace"] {
            assert!(!stderr(&output).contains(cannot), "{arguments}: {}", stderr(&output));
        }
    }
    // The advice works, and was not already followed.
    folder.succeeds("generate --game 4x3x3 --symmetry -o classes.json");
    let output = folder.run("draw page classes.json -o p.html");
    assert_refused(&output, &["of one machine"]);
    assert!(!stderr(&output).contains("--symmetry"), "{}", stderr(&output));
    folder.succeeds("generate --game 4x3x3 --symmetry --machine first -o one.json");
    folder.succeeds("draw page one.json -o p.html");
    folder.succeeds("generate --game 4x3x3 -o whole.json");
    assert_refused(&folder.run("draw labels whole.json -o l.pdf"), &["--symmetry", "kit"]);
    folder.succeeds("kit --game 4x3x3 --seconds 10 -o kit.json");
    folder.succeeds("draw labels kit.json -o l.pdf");
}

#[test]
fn labels_of_an_untrained_machine_are_those_of_the_table_that_train_saves() {
    let folder = Folder::new();
    for (options, spelled) in [
        ("--beads michie", "--beads michie"),
        ("--beads scroggs --machine second", "--beads scroggs --machine second"),
        ("--beads 3", "--beads flat:3"),
        ("--beads 6,4,2,1", "--beads 6,4,2,1"),
        ("--game hexapawn --machine second --beads 1", "--game hexapawn --machine second --beads flat:1"),
        ("--game notakto --beads flat:2 --reward 2,0,all", "--game notakto --beads flat:2 --reward 2,0,all"),
    ] {
        folder.succeeds(&format!("train --games 0 {spelled} -o start.json --replace"));
        folder.succeeds("draw labels start.json -o table.pdf");
        let told = folder.run(&format!("draw labels {options} -o beads.pdf"));
        assert_eq!(told.status.code(), Some(0), "{}", stderr(&told));
        assert!(stderr(&told).contains("the index, the shopping list, the rules and the score"), "{}", stderr(&told));
        assert!(folder.read("table.pdf") == folder.read("beads.pdf"), "{options}");
    }
    let told = folder.run("draw labels --beads michie -o x.svg");
    assert!(stderr(&told).contains("304 labels"), "{}", stderr(&told));
    assert!(folder.read_text("x-01.svg").contains("Tic-tac-toe, first machine: move 1"));
    assert!(folder.read_text("x-02.svg").contains("Tic-tac-toe, first machine: move 2"));
}

#[test]
fn options_of_a_machine_that_learns_are_refused_where_they_mean_nothing() {
    let folder = Folder::new();
    folder.succeeds("train --games 0 -o start.json");
    for (options, parts) in [
        ("start.json --beads 3", &["--beads", "table"][..]),
        ("start.json --reward 1,1,1", &["--reward", "table"]),
        ("--beads 3 --aim win", &["--beads", "--aim"]),
        ("--beads 3 --all", &["--beads", "--all"]),
        ("--beads none", &["michie", "none"]),
        ("--beads 0", &["from 1 to", "0"]),
        ("--beads 4,3,2", &["4 numbers of beads were expected", "found 3"]),
        ("--beads 3 --game 4x4x4", &["smaller game"]),
    ] {
        assert_refused(&folder.run(&format!("draw labels {options} -o l.pdf")), parts);
    }
    assert!(!folder.join("l.pdf").exists());
}

/// The first machine of hexapawn loses, so nobody would build it.
#[test]
fn labels_are_drawn_for_the_machine_that_is_worth_building() {
    let folder = Folder::new();
    let why = "The first machine of hexapawn loses against best play, so these are the labels of the second";
    folder.succeeds("generate --game hexapawn --symmetry -o both.json");
    for (options, file, is_told) in [
        ("--game hexapawn", "output/hexapawn-labels-second.pdf", true),
        ("--game hexapawn --beads 1", "output/hexapawn-labels-second.pdf", true),
        ("--game hexapawn --machine first", "output/hexapawn-labels-first.pdf", false),
        ("--game hexapawn --machine second", "output/hexapawn-labels-second.pdf", false),
        ("both.json", "output/hexapawn-labels-first.pdf", false),
        ("", "output/tictactoe-labels-first.pdf", false),
        ("--game 4x3x3+gravity", "output/4x3x3+gravity-labels-first.pdf", false),
        ("--game notakto --beads 2", "output/notakto-labels-first.pdf", false),
    ] {
        let output = folder.run(&format!("draw labels {options}"));
        assert_eq!(output.status.code(), Some(0), "{options}: {}", stderr(&output));
        assert!(stderr(&output).contains(file), "{options}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains(why), is_told, "{options}: {}", stderr(&output));
    }
}

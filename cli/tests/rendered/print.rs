//! Label sheets, rendered as pictures and measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use menace::draw::{LabelsPlan, Paper, labels, pdf};
use menace::table::Classes;
use menace::train::{Arena, Blame, Empty, Seat, Teaching, Training};
use menace::{BySide, Plan, Random, Side, Table, games};
use roxmltree::{Document, Node};

use crate::Test;

/// All tests of what is printed.
pub const TESTS: &[Test] = &[("printed_labels_have_the_requested_size", printed_labels_have_the_requested_size)];

/// The faces on a sheet: left, top, width, height.
fn faces(document: &Document) -> Vec<(f64, f64, f64, f64)> {
    let number = |node: Node, name| node.attribute(name).unwrap().parse().unwrap();
    let rects = document.descendants().filter(|node| node.attribute("class") == Some("face"));
    rects.map(|node| (number(node, "x"), number(node, "y"), number(node, "width"), number(node, "height"))).collect()
}

/// A page of a PDF as grey values, ten pixels per millimetre.
struct Scan {
    width: usize,
    height: usize,
    grey: Vec<u8>,
}

const SCALE: f64 = 10.0;

/// The pages of a PDF.
fn scan(pdftoppm: &Path, bytes: &[u8]) -> Vec<Scan> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("labels.pdf");
    fs::write(&file, bytes).unwrap();
    let dots = (SCALE * 25.4).to_string();
    let status =
        Command::new(pdftoppm).args(["-gray", "-r", &dots]).arg(&file).arg(folder.path().join("page")).status();
    assert!(status.unwrap().success());
    let mut pages: Vec<PathBuf> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|ending| ending == "pgm"));
    pages.sort();
    pages.iter().map(|page| Scan::read(&fs::read(page).unwrap())).collect()
}

impl Scan {
    /// Reads a grey picture as pdftoppm writes it: `P5`, width, height and 255 as words, then the pixels.
    fn read(bytes: &[u8]) -> Scan {
        let mut words =
            bytes.splitn(4, |byte| byte.is_ascii_whitespace()).map(|word| str::from_utf8(word).unwrap_or(""));
        assert_eq!(words.next(), Some("P5"));
        let [width, height] = [(); 2].map(|()| words.next().unwrap().parse::<usize>().unwrap());
        let grey = bytes[bytes.len() - width * height..].to_vec();
        Scan { width, height, grey }
    }

    fn at(&self, x: usize, y: usize) -> u8 {
        self.grey[y * self.width + x]
    }

    /// Where a dark line crosses a short stretch, in millimetres. The stretch runs along x at a fixed y, or the other way round.
    fn line(&self, about: f64, fixed: f64, along_x: bool) -> Option<f64> {
        const NEAR: f64 = 0.4;
        let steps = ((about - NEAR) * SCALE) as usize..=((about + NEAR) * SCALE) as usize;
        let fixed = (fixed * SCALE) as usize;
        let dark: Vec<(f64, f64)> = steps
            .map(|at| {
                let grey = if along_x { self.at(at, fixed) } else { self.at(fixed, at) };
                ((at as f64 + 0.5) / SCALE, f64::from(255 - grey))
            })
            .filter(|(_, dark)| *dark > 40.0)
            .collect();
        let weight: f64 = dark.iter().map(|(_, dark)| dark).sum();
        (weight > 0.0).then(|| dark.iter().map(|(at, dark)| at * dark).sum::<f64>() / weight)
    }

    /// The same for a dashed line: tries several places and takes the first where it is drawn.
    fn dashed(&self, about: f64, from: f64, to: f64) -> f64 {
        let places = (0..20).map(|step| from + (to - from) * (f64::from(step) + 0.5) / 20.0);
        places.filter_map(|x| self.line(about, x, false)).next().expect("a fold is drawn")
    }
}

/// Michie's machine, which has played no game; its empty boxes are filled again, so that its rules are long.
fn untrained() -> Table {
    let game = games::find("tictactoe").unwrap();
    let seats = BySide { first: Seat::Learner, second: Seat::Opponent(&Random) };
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats, &()).unwrap();
    let teaching = Teaching { empty: Empty::Refill, blame: Blame::Last, ..Teaching::default() };
    let (boxes, lessons) = Training::begin(&arena, &teaching, 0).unwrap().boxes(Side::First, &[], "random");
    Table::builder(game.clone()).symmetry(true).machine(Side::First, boxes, lessons).build()
}

fn printed_labels_have_the_requested_size(pdftoppm: PathBuf) {
    const OFF: f64 = 0.12;
    let plan = Plan { symmetry: true, ..Plan::default() };
    let pruned = Table::generate_boxes(games::find("tictactoe").unwrap(), &plan, &()).unwrap();
    let untrained = untrained();
    let cases = [
        (&pruned, Paper::A4, (36.0, 14.0), 4.0),
        (&pruned, Paper::Letter, (40.5, 16.0), 5.0),
        (&pruned, Paper::A4, (52.0, 20.0), 0.0),
        (&untrained, Paper::A4, (36.0, 14.0), 4.0),
        (&untrained, Paper::Letter, (40.5, 16.0), 5.0),
        (&untrained, Paper::A3, (36.0, 14.0), 4.0),
    ];
    for (table, paper, face, tab) in cases {
        let asked = LabelsPlan { machine: Side::First, paper, face, tab, with_forced: false };
        let sheets = labels(table, &asked).unwrap().sheets;
        let scans = scan(&pdftoppm, &pdf(&sheets).unwrap());
        assert_eq!(scans.len(), sheets.len());
        let mut count = 0;
        for (sheet, scan) in sheets.iter().zip(&scans) {
            assert_eq!(sheet.size(), paper.size());
            let pixels = (scan.width as f64 / SCALE - paper.size().0, scan.height as f64 / SCALE - paper.size().1);
            assert!(pixels.0.abs() < 0.2 && pixels.1.abs() < 0.2, "the page has the size of the paper: {pixels:?}");
            assert_white_edge(scan);
            let document = Document::parse(sheet.svg()).unwrap();
            for (x, y, width, height) in faces(&document) {
                assert_eq!((width, height), face);
                let middle = y + height / 2.0;
                // Neighbouring labels do not share a line, and the board is farther away.
                let sides = [x, x + width].map(|side| scan.line(side, middle, true).expect("a cut is drawn"));
                let folds = [y, y + height].map(|fold| scan.dashed(fold, x + 2.0, x + width - 2.0));
                assert!((sides[1] - sides[0] - width).abs() < OFF, "{} wide", sides[1] - sides[0]);
                assert!((folds[1] - folds[0] - height).abs() < OFF, "{} high", folds[1] - folds[0]);
                count += 1;
            }
        }
        assert_eq!(count, 304);
    }
}

/// Asserts that nothing is printed within five millimetres of the edge.
fn assert_white_edge(scan: &Scan) {
    const EDGE: usize = 50;
    for y in 0..scan.height {
        for x in 0..scan.width {
            let is_edge = x < EDGE || y < EDGE || x >= scan.width - EDGE || y >= scan.height - EDGE;
            assert!(
                !is_edge || scan.at(x, y) == 255,
                "something is printed at {x} {y} of {} by {}",
                scan.width,
                scan.height
            );
        }
    }
}

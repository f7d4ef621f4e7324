//! The rules of learning: how the machine moves, and what becomes of its beads after a game.

use super::learning::Learning;
use super::{HEADER, Labelled, LabelsPlan, MARGIN, Sheet};
use crate::board::{Board, Move, Symmetry};
use crate::draw::canvas::{Anchor, Canvas, Pen, Type, wrapped};
use crate::draw::colour::{DRAW, INK, LOSES, WINS, bead_colour, bead_name};
use crate::draw::frame::Frame;
use crate::game::{Game, player_name};
use crate::lesson::Empty;
use crate::matchbox::Matchbox;
use crate::position::Side;
use crate::table::Table;
use crate::words;

/// The font size, the distance between lines, and the room above a heading, in millimetres.
const TEXT: f64 = 4.2;
const STEP: f64 = 6.1;
const ABOVE: f64 = 7.0;

/// The sheet with the rules of a machine.
pub fn sheet(boxes: &[Labelled], table: &Table, asked: &LabelsPlan, learning: &Learning<'_>) -> Sheet {
    let (game, symmetries) = (&**table.game(), table.classes().symmetries());
    let mut flow = Flow::new(asked.paper.size().0);
    flow.heading("The rules of learning");
    flow.paragraph(&introduction(game, asked.machine, learning.games));

    flow.heading("To make a move");
    flow.steps(&to_move(game, symmetries.len()));

    flow.heading("After the game");
    flow.paragraph("For each bead that lies in front of a drawer:");
    flow.y += STEP * 0.3;
    let [won, drawn, lost] = words::after_a_game(learning.teaching);
    flow.result("It won", WINS, &won);
    flow.result("A draw", DRAW, &drawn);
    flow.result("It lost", LOSES, &lost);
    flow.paragraph("Then close the drawers. Beads that stay out go back to the spare ones.");

    flow.heading("When a box runs empty");
    flow.paragraph(&when_empty(learning));

    // Of the boards with the most images, the last one here is the first in the cabinet.
    let turned = boxes.iter().filter(|_| symmetries.len() > 1).rev();
    if let Some(example) = turned.max_by_key(|entry| images(entry.board, symmetries).len()) {
        flow.heading("Boards that share a box");
        flow.images(game, example, symmetries);
    }
    Sheet { canvas: flow.canvas, title: "the rules of learning".to_owned() }
}

fn introduction(game: &dyn Game, machine: Side, games: u64) -> String {
    let plays = game.mark(machine).map(|_| format!("plays {} and ", player_name(game, machine))).unwrap_or_default();
    let knows = match games {
        0 => "It has played no game yet.".to_owned(),
        1 => "It has learned from 1 game.".to_owned(),
        games => format!("It has learned from {games} games."),
    };
    format!("The machine {plays}moves {machine}. {knows}")
}

fn to_move(game: &dyn Game, symmetries: usize) -> Vec<String> {
    let is_three_by_three = game.shape().width() == 3 && game.shape().height() == 3;
    let (find, back) = match symmetries {
        1 => (
            "Find the box with the same board on its label. The index is sorted by the number of marks on the board.",
            "",
        ),
        2 => (
            "Find the box of the board, or of its image in a mirror. The index is sorted by the number of marks on the board.",
            ", mirrored back onto your board if needed",
        ),
        _ if is_three_by_three => (
            "Turn the board, or look at it in a mirror, until it looks like the label of a box. The index helps: count the marks on the corners, on the edges and in the centre. Turning does not change these numbers.",
            ", turned or mirrored back onto your board",
        ),
        _ => (
            "Turn the board, or look at it in a mirror, until it looks like the label of a box. The index helps: count the marks on the board, then those on each set of cells that turning brings onto each other.",
            ", turned or mirrored back onto your board",
        ),
    };
    vec![
        find.to_owned(),
        format!("Shake the drawer and take out a bead without looking. Play its move{back}."),
        "Leave the drawer open and the bead in front of it until the game is over.".to_owned(),
        "A board with only one possible move has no box: play that move.".to_owned(),
    ]
}

fn when_empty(learning: &Learning<'_>) -> String {
    const RESIGNS: &str = "the machine resigns and has lost the game";
    let (early, moves) = (learning.early(), learning.moves());
    match learning.teaching.empty {
        Empty::Resign => format!("It stays empty. On its board, {RESIGNS}."),
        Empty::Keep(_) if early >= moves => {
            "That never happens: if the bead that you would keep out is the last one of its box, put it back."
                .to_owned()
        }
        Empty::Keep(_) => {
            let which = match early {
                1 => "move 1".to_owned(),
                2 => "moves 1 and 2".to_owned(),
                early => format!("moves 1 to {early}"),
            };
            format!(
                "A box for {which} never runs empty: if the bead that you would keep out is its last one, put it back. A box for a later move may run empty. On its board, {RESIGNS}."
            )
        }
        Empty::Refill => format!("Fill it as at the start, for each possible move: {}.", filling(&learning.at_start())),
    }
}

/// The beads at the start, in words.
fn filling(numbers: &[u32]) -> String {
    let beads = |number: u32| if number == 1 { "1 bead".to_owned() } else { format!("{number} beads") };
    match numbers {
        [first, others @ ..] if others.iter().all(|number| number == first) => beads(*first),
        _ => {
            let each = numbers.iter().zip(1..).map(|(&number, of)| format!("{} in a box for move {of}", beads(number)));
            each.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The different boards that turning and mirroring make of one, each with a symmetry that does.
fn images(board: Board, symmetries: &[Symmetry]) -> Vec<(Board, &Symmetry)> {
    let mut images: Vec<(Board, &Symmetry)> = Vec::new();
    for symmetry in symmetries {
        let image = symmetry.board(board);
        if images.iter().all(|(other, _)| *other != image) {
            images.push((image, symmetry));
        }
    }
    images
}

/// Text that flows down the sheet.
struct Flow {
    canvas: Canvas,
    width: f64,
    y: f64,
}

impl Flow {
    fn new(paper: f64) -> Flow {
        Flow { canvas: Canvas::default(), width: paper - 2.0 * MARGIN, y: MARGIN + HEADER }
    }

    fn heading(&mut self, text: &str) {
        self.y += ABOVE;
        self.canvas.text((MARGIN, self.y), text, Type::new(5.0).bold());
        self.y += STEP * 1.3;
    }

    /// Text with a margin on the left.
    fn text(&mut self, indent: f64, text: &str) {
        for line in wrapped(text, (self.width - indent) / TEXT) {
            self.canvas.text((MARGIN + indent, self.y), line, Type::new(TEXT));
            self.y += STEP;
        }
    }

    fn paragraph(&mut self, text: &str) {
        self.text(0.0, text);
    }

    fn steps(&mut self, steps: &[String]) {
        for (step, number) in steps.iter().zip(1..) {
            self.canvas.text((MARGIN + 4.0, self.y), number, Type::new(TEXT).bold().at(Anchor::End));
            self.text(8.0, step);
            self.y += STEP * 0.25;
        }
    }

    /// What to do after a result, with a bar in its colour.
    fn result(&mut self, name: &str, ink: &'static str, text: &str) {
        const INDENT: f64 = 26.0;
        let top = self.y - STEP / 2.0;
        self.canvas.text((MARGIN + 5.0, self.y), name, Type::new(TEXT).ink(ink).bold());
        self.text(INDENT, text);
        self.canvas.rect((MARGIN, top + 0.4), (1.6, self.y - STEP / 2.0 - top - 0.8), ink);
        self.y += STEP * 0.25;
    }

    /// The boards that share a box, each with the same bead.
    fn images(&mut self, game: &dyn Game, example: &Labelled, symmetries: &[Symmetry]) {
        const WIDEST: f64 = 24.0;
        const GAP: f64 = 7.0;
        let Labelled { board, matchbox, .. } = example;
        let images = images(*board, symmetries);
        let bead = example_bead(matchbox);
        let with_bead = bead.map(|mv| {
            let name = bead_name(bead_colour(matchbox, mv), "bead");
            format!(", and its {name} is the same move on all of them")
        });
        self.paragraph(&format!(
            "These boards share box {}{}. The first is the one on the label.",
            board.id(),
            with_bead.unwrap_or_default()
        ));
        let (count, diagram) = (images.len() as f64, game.diagram());
        let (top, side) = (self.y, WIDEST.min((self.width - GAP * (count - 1.0)) / count));
        for (at, (image, symmetry)) in images.into_iter().enumerate() {
            let frame = Frame::fit(MARGIN + at as f64 * (side + GAP), top, side, side, &diagram);
            self.canvas.push(format_args!(r#"<g data-image="{image}">"#));
            let has_bead = |cell| bead.is_some_and(|mv| mv.from.is_none() && symmetry.mv(mv).to == cell);
            self.canvas.board(&frame, 0.25, |cell| image.at(cell).is_some() || has_bead(cell), &[]);
            self.canvas.marks(&frame, image, |_| Pen::PLAIN);
            if let Some(mv) = bead {
                let (turned, text) = (symmetry.mv(mv), game.notation().text(mv).to_string());
                let text = if text.len() > 2 { "" } else { &text };
                let radius = frame.bead_radius(mv.from.is_some());
                self.canvas.way(&frame, turned, image.at(turned.to).is_some(), INK);
                self.canvas.bead(frame.bead(turned), radius, bead_colour(matchbox, mv), text);
            }
            self.canvas.push(format_args!("</g>"));
        }
        self.y = top + side;
    }
}

/// The first bead of a box.
fn example_bead(matchbox: &Matchbox) -> Option<Move> {
    matchbox.beads().next().map(|(mv, _)| mv)
}

//! The legend of a map. It explains only what the map shows.

use super::ground;
use super::layout::{Layout, SMALL};
use crate::board::Mark;
use crate::draw::canvas::{Canvas, Pen, Type, text_width};
use crate::draw::colour::{LOSES, OWN, QUIET, REPLY};
use crate::game::Game;
use crate::position::Side;
use crate::verdict::Outcome;

/// The height of a line, the side of a sample, and the gaps after a sample and after an entry; all for a unit of 1.
pub const LINE: f64 = 5.0;
const SAMPLE: f64 = 3.2;
const AFTER_SAMPLE: f64 = 1.4;
const AFTER_ENTRY: f64 = 5.0;

/// How the finished boards of a map have ended.
#[derive(Clone, Copy, Debug, Default)]
pub struct Endings {
    won: bool,
    drawn: bool,
    lost: bool,
    /// Whether a row has lost the game for the side that made it.
    losing_row: bool,
}

impl Endings {
    /// Notes a finished board by its outcome for the machine, and whether its row loses.
    pub fn note(&mut self, outcome: Outcome, loses: bool) {
        self.losing_row |= loses;
        *match outcome {
            Outcome::Win => &mut self.won,
            Outcome::Draw => &mut self.drawn,
            Outcome::Loss => &mut self.lost,
        } = true;
    }
}

/// What an entry shows beside its words.
enum Sample {
    Mark(Mark, Pen),
    Ground(&'static str),
    LosingRow,
    Nothing,
}

/// An entry: a sample and its meaning.
struct Entry {
    sample: Sample,
    words: &'static str,
}

impl Entry {
    /// Its width, for a unit of 1.
    fn width(&self) -> f64 {
        let sample = if matches!(self.sample, Sample::Nothing) { 0.0 } else { SAMPLE + AFTER_SAMPLE };
        sample + SMALL * text_width(self.words)
    }
}

/// What the colours and lines of a map mean.
pub struct Legend {
    entries: Vec<Entry>,
}

impl Legend {
    /// The legend of a map whose boards end like this.
    pub fn new(game: &dyn Game, machine: Side, endings: Endings) -> Legend {
        let mark = |side| game.mark(side).unwrap_or(Mark::X);
        let own = Sample::Mark(mark(machine), Pen::bold(OWN));
        let reply = Sample::Mark(mark(machine.other()), Pen::new(REPLY));
        let entries = [
            (true, own, "the machine's move"),
            (true, reply, "the reply before it"),
            (endings.won, Sample::Ground(ground(Outcome::Win)), "won"),
            (endings.drawn, Sample::Ground(ground(Outcome::Draw)), "drawn"),
            (endings.lost, Sample::Ground(ground(Outcome::Loss)), "lost"),
            (endings.losing_row, Sample::LosingRow, "the side that made this row loses"),
            (true, Sample::Nothing, "In each free cell: what follows a reply there."),
        ];
        let occurs = entries.into_iter().filter(|(occurs, ..)| *occurs);
        Legend { entries: occurs.map(|(_, sample, words)| Entry { sample, words }).collect() }
    }

    /// The place of each entry in a column of this width, and how many lines there are; for a unit of 1.
    fn places(&self, width: f64) -> (Vec<(f64, usize)>, usize) {
        let (mut x, mut line, mut places) = (0.0, 0, Vec::new());
        for entry in &self.entries {
            if x > 0.0 && x + entry.width() > width {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line));
            x += entry.width() + AFTER_ENTRY;
        }
        (places, line + 1)
    }

    /// How many lines it takes in a column of this width, for a unit of 1.
    pub fn lines(&self, width: f64) -> usize {
        self.places(width).1
    }

    /// Its width on one line, for a unit of 1.
    pub fn width(&self) -> f64 {
        self.entries.iter().map(|entry| entry.width() + AFTER_ENTRY).sum::<f64>() - AFTER_ENTRY
    }

    /// Draws it below the heading.
    pub fn draw(&self, canvas: &mut Canvas, layout: &Layout) {
        let (unit, (left, top)) = (layout.unit, layout.legend);
        for (entry, (x, line)) in self.entries.iter().zip(self.places(layout.column / unit).0) {
            let (mut x, y) = (left + x * unit, top + line as f64 * LINE * unit);
            let side = SAMPLE * unit;
            match entry.sample {
                Sample::Mark(mark, pen) => canvas.mark(mark, (x + side / 2.0, y), side, pen),
                Sample::Ground(ground) => canvas.rect((x, y - side / 2.0), (side, side), ground),
                Sample::LosingRow => canvas.dashed((x, y), (x + side, y), LOSES, side * 0.13),
                Sample::Nothing => {}
            }
            if !matches!(entry.sample, Sample::Nothing) {
                x += side + AFTER_SAMPLE * unit;
            }
            canvas.text((x, y), entry.words, Type::new(SMALL * unit).ink(QUIET));
        }
    }
}

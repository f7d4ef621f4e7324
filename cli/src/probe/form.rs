//! How answers are written: as JSON or CSV, straight into bytes.

use std::io::Write;

use menace::board::Notation;
use menace::table::Prospect;
use menace::{Move, Position, Verdict};

use super::Wanted;

/// A way to write answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Json,
    Csv,
}

/// What is known of a board.
pub struct Answer {
    pub at: Position,
    pub verdict: Verdict,
    pub is_over: bool,
    /// Every move, if they are wanted.
    pub moves: Option<Vec<Prospect>>,
    /// The move that the machine makes, if it is wanted; none if it makes none.
    pub play: Option<Option<Move>>,
}

impl Form {
    /// Writes the names of the columns.
    pub fn write_header(self, wanted: &Wanted, out: &mut Vec<u8>) {
        if self == Form::Csv {
            let names = ["board", "to_move", "verdict", "depth", "over"].into_iter();
            let optional = [(wanted.moves, "moves"), (wanted.play, "play"), (true, "error")];
            let optional = optional.into_iter().filter(|(is_wanted, _)| *is_wanted).map(|(_, name)| name);
            out.extend(names.chain(optional).collect::<Vec<_>>().join(",").bytes());
            out.push(b'\n');
        }
    }

    /// Writes the answer for a board.
    pub fn write(self, answer: &Answer, notation: Notation, out: &mut Vec<u8>) {
        match self {
            Form::Json => write_json(answer, notation, out),
            Form::Csv => write_csv(answer, notation, out),
        }
    }

    /// Writes the answer for a line that is no board, or has no answer.
    pub fn write_error(self, sentence: &str, wanted: &Wanted, out: &mut Vec<u8>) {
        match self {
            Form::Json => {
                out.extend(b"{\"error\":");
                out.extend(serde_json::Value::from(sentence).to_string().bytes());
                out.extend(b"}\n");
            }
            Form::Csv => {
                let columns = 5 + usize::from(wanted.moves) + usize::from(wanted.play);
                out.extend(std::iter::repeat_n(b',', columns));
                out.push(b'"');
                out.extend(sentence.replace('"', "\"\"").bytes());
                out.extend(b"\"\n");
            }
        }
    }
}

fn write_json(answer: &Answer, notation: Notation, out: &mut Vec<u8>) {
    let Answer { at, verdict, is_over, moves, play } = answer;
    out.extend(b"{\"board\":\"");
    put(out, at.board);
    out.extend(b"\",\"to_move\":\"");
    out.extend(at.to_move.name().bytes());
    out.extend(b"\",");
    put_verdict_json(out, *verdict);
    out.extend(if *is_over { &b",\"over\":true"[..] } else { b",\"over\":false" });
    if let Some(moves) = moves {
        out.extend(b",\"moves\":{");
        for (at, &Prospect { mv, after, beads }) in moves.iter().enumerate() {
            out.extend(if at > 0 { &b",\""[..] } else { b"\"" });
            put(out, notation.text(mv));
            out.extend(b"\":{");
            put_verdict_json(out, after);
            out.extend(b",\"beads\":");
            put_number(out, beads, "null");
            out.push(b'}');
        }
        out.push(b'}');
    }
    if let Some(play) = play {
        out.extend(b",\"play\":");
        match play {
            Some(mv) => write_to(out, format_args!("\"{}\"", notation.text(*mv))),
            None => out.extend(b"null"),
        }
    }
    out.extend(b"}\n");
}

fn put_verdict_json(out: &mut Vec<u8>, verdict: Verdict) {
    out.extend(b"\"verdict\":\"");
    out.extend(verdict.outcome.name().bytes());
    out.extend(b"\",\"depth\":");
    put_number(out, verdict.depth, "null");
}

fn write_csv(answer: &Answer, notation: Notation, out: &mut Vec<u8>) {
    let Answer { at, verdict, is_over, moves, play } = answer;
    put(out, at.board);
    for text in [at.to_move.name(), verdict.outcome.name()] {
        out.push(b',');
        out.extend(text.bytes());
    }
    out.push(b',');
    put_number(out, verdict.depth, "");
    out.extend(if *is_over { &b",true,"[..] } else { b",false," });
    if let Some(moves) = moves {
        for (at, &Prospect { mv, after, beads }) in moves.iter().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            put(out, notation.text(mv));
            out.push(b':');
            out.extend(after.outcome.name().bytes());
            out.push(b':');
            put_number(out, after.depth, "");
            out.push(b':');
            put_number(out, beads, "");
        }
        out.push(b',');
    }
    if let Some(play) = play {
        if let Some(mv) = play {
            put(out, notation.text(*mv));
        }
        out.push(b',');
    }
    out.push(b'\n');
}

/// Appends what a value is shown as.
fn put(out: &mut Vec<u8>, shown: impl std::fmt::Display) {
    write_to(out, format_args!("{shown}"));
}

/// Appends a number, or what stands for none.
fn put_number(out: &mut Vec<u8>, number: Option<u32>, none: &str) {
    match number {
        Some(digit @ 0..10) => out.push(b'0' + digit as u8),
        Some(number) => put(out, number),
        None => out.extend(none.bytes()),
    }
}

fn write_to(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("memory takes all bytes");
}

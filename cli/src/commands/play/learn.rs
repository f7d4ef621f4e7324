//! `menace play --learn`: a machine that learns from the person it plays, game after game.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use menace::table::{Classes, Lesson};
use menace::train::{Arena, PERSON, Taught, Training};
use menace::{Game, Side, Sides, Table, games};

use super::Args;
use crate::commands::teaching::{last_lesson, load_trained};
use crate::commands::{check_json, check_small};
use crate::files::{self, Destination, Saved, Source, is_same};
use crate::play::{Ending, Machine, PlayError, Setup, play};
use crate::show::{self, BOLD, DIM};
use crate::tell;
use crate::words::origin;

/// Plays until the person has had enough.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let destination = destination(args)?;
    // A table to continue is locked before it is read, so that the games of another run are not lost.
    let _lock = destination.as_ref().map(Destination::lock).transpose()?;
    let source = args.table.as_deref().map(Source::parse).transpose()?;
    let source = source.map(|source| source.if_not_stdin("moves are read from standard input")).transpose()?;
    let before = source.as_ref().map(load_trained).transpose()?;
    let game = match &before {
        Some(before) => before.game().clone(),
        None => games::find(&args.game)?,
    };
    check_small(&*game, "learning is", "a smaller game")?;
    let machine = machine(args, before.as_ref())?;
    let teaching = args.teaching.over(before.as_ref().and_then(last_lesson).map(|lesson| lesson.teaching))?;
    let symmetry = before.as_ref().is_none_or(Table::symmetry);
    let classes = Classes::new(&*game, symmetry);
    let arena = Arena::against_anybody(&game, &classes, machine, &())?;
    let training = match &before {
        Some(before) => Training::resume(&arena, &teaching, 0, before)?,
        None => Training::begin(&arena, &teaching, 0)?,
    };
    let before = before.as_ref();
    let mut school = School { args, game: &game, machine, before, symmetry, training, destination, saved: None };
    match school.hold(&mut io::stdin().lock(), &mut anstream::stdout().lock()) {
        Err(error) if error.is::<io::Error>() => files::written_to_stdout(Err(error.downcast()?))?,
        held => held?,
    }
    match &school.saved {
        Some(saved) => tell(&saved.to_string()),
        None if school.training.tally(machine).games() == 0 => {
            tell("No game was finished, so the machine learned nothing.")
        }
        None => tell("The machine forgets what it learned; add --save FILE to keep it."),
    }
    Ok(ExitCode::SUCCESS)
}

/// The side that the machine plays: the one that was asked for, or that the table has, or the first.
fn machine(args: &Args, before: Option<&Table>) -> anyhow::Result<Side> {
    let present = before.map_or(Sides::BOTH, Table::machines);
    let asked = args.machine.unwrap_or(if present.contains(Side::First) { Sides::FIRST } else { Sides::SECOND });
    match asked.iter().next() {
        Some(side) if asked.len() == 1 && present.contains(side) => Ok(side),
        Some(side) if asked.len() == 1 => {
            bail!("{} has no boxes for the {side} machine; choose --machine {}", args.table_name(), side.other())
        }
        _ => bail!("a machine that learns from you plays one side; choose --machine first or second"),
    }
}

/// Where the machine is kept, if it is.
fn destination(args: &Args) -> anyhow::Result<Option<Destination>> {
    let Some(path) = &args.save else { return Ok(None) };
    let destination = Destination::table(path.clone());
    check_json(&destination, "a trained table")?;
    if destination.is_stdout() {
        bail!("--save needs a file: the game is shown on standard output");
    }
    let is_own = args.table.as_deref().is_some_and(|table| is_same(table.as_ref(), path));
    let destination = if is_own { destination.continuing() } else { destination.replacing(args.replace) };
    destination.check().map(Some)
}

/// A machine, and the person it learns from.
struct School<'a> {
    args: &'a Args,
    game: &'a Arc<dyn Game>,
    machine: Side,
    before: Option<&'a Table>,
    symmetry: bool,
    training: Training,
    destination: Option<Destination>,
    saved: Option<Saved>,
}

impl School<'_> {
    fn hold(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
        let seed = self.args.seed.unwrap_or_else(rand::random);
        for number in 0.. {
            let table = self.table();
            let setup = Setup {
                game: &**self.game,
                machine: Some(Machine::Boxes(&table)),
                machines: self.machine.into(),
                start: self.game.start(),
                seed: seed.wrapping_add(number),
                remark: match self.training.games() {
                    0 => "The boxes: as at the start; the machine learns from each game".to_owned(),
                    _ => format!("The boxes: {}; the machine learns from each game", origin(&table)),
                },
                echo: !io::stdin().is_terminal(),
            };
            let played = match play(&setup, input, out) {
                Err(PlayError::Write(error)) => return Err(error.into()),
                Err(error) => return Err(error).with_context(|| self.args.table_name()),
                Ok(played) => played,
            };
            if played.ending == Ending::Left {
                break;
            }
            let taught = self.training.learn_from(&played.moves)?;
            self.report(played.ending, &taught, out)?;
            if let Some(destination) = &self.destination {
                let table = self.table();
                self.saved = Some(destination.save(|out| table.write_json(out, &()))?);
            }
            if !wants_another(input, out)? {
                break;
            }
        }
        Ok(())
    }

    /// The table of what the machine has learned so far.
    fn table(&self) -> Table {
        let before = self.before.and_then(|before| before.machine(self.machine));
        let lessons: &[Lesson] = before.as_ref().map(|machine| machine.lessons()).unwrap_or_default();
        let (boxes, lessons) = self.training.boxes(self.machine, lessons, PERSON);
        let mut builder = Table::builder(self.game.clone()).symmetry(self.symmetry);
        if let Some((other, lessons)) = self.before.and_then(|before| other_machine(before, self.machine.other())) {
            builder = builder.machine(self.machine.other(), other, lessons);
        }
        builder.machine(self.machine, boxes, lessons).build()
    }

    /// Says how the beads changed, and the score.
    fn report(&self, ending: Ending, taught: &[Taught], out: &mut dyn Write) -> io::Result<()> {
        let how = match ending {
            Ending::Won(side) if side == self.machine => "The machine won.",
            Ending::Won(_) => "The machine lost.",
            Ending::Drawn | Ending::Left => "A draw.",
        };
        let changed: Vec<&Taught> = taught.iter().filter(|taught| taught.before != taught.after).collect();
        if changed.is_empty() {
            writeln!(out, "\n{BOLD}{how}{BOLD:#} Its beads stay as they are.")?;
        } else {
            writeln!(out, "\n{BOLD}{how}{BOLD:#} It changes the number of beads for each move it played:")?;
        }
        for Taught { board, mv, before, after, .. } in changed {
            let mv = self.game.notation().text(*mv);
            writeln!(out, "  box {}, bead {mv}: {before} {DIM}\u{2192}{DIM:#} {BOLD}{after}{BOLD:#}", board.id())?;
        }
        let tally = self.training.tally(self.machine);
        writeln!(out, "You {}, drawn {}, machine {}.", tally.lost, tally.drawn, tally.won)?;
        if self.training.unbeatable_after(self.machine).is_some() {
            writeln!(out, "The machine can no longer be beaten.")?;
        }
        Ok(())
    }
}

/// The boxes and lessons of the machine that is not playing, which stay as they are.
fn other_machine(before: &Table, side: Side) -> Option<(menace::table::Boxes, Vec<Lesson>)> {
    let machine = before.machine(side)?;
    Some((machine.to_boxes().ok()?.into_owned(), machine.lessons().to_vec()))
}

/// Asks whether to play again. The end of the input means no.
fn wants_another(input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<bool> {
    write!(out, "\nAnother game? Press Enter, or type q to stop: ")?;
    out.flush()?;
    let Some(line) = crate::play::read_line(input).map_err(PlayError::Read)? else {
        writeln!(out)?;
        return Ok(false);
    };
    if !io::stdin().is_terminal() {
        writeln!(out, "{}", show::visible(&line))?;
    }
    Ok(!matches!(line.to_lowercase().as_str(), "q" | "quit" | "n" | "no"))
}

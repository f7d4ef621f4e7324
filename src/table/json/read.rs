//! A table from JSON, read strictly: no matter who wrote the file, what comes out fits the rules of its game.
//!
//! Boxes are first taken as raw text and then checked one by one, so that an error can name the line its box begins on
//! and the order of the fields does not matter. Whether the beads are the right ones is not checked here.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::raw::{BoxText, Object, RawBox, RawLesson, RawMachine, RawRemoval, RawTable, Stamp};
use super::{FORMAT, VERSION};
use crate::aim::Aim;
use crate::board::{Board, Id, Move, Notation, excerpt};
use crate::classes::Classes;
use crate::game::{Game, Moves, sides_to_move};
use crate::games;
use crate::learn::Why;
use crate::lesson::{Lesson, PERSON, is_name};
use crate::matchbox::{Ban, Bead, Boxes, Fate, Matchbox, Removal};
use crate::position::{BySide, Position, Side};
use crate::prune::Round;
use crate::table::{BoxFault, Contents, JsonError, MachineBoxes, Table};

/// Some editors put this before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a table from a JSON text. Its game is the one that is given, or the one named in the text.
pub fn read(text: &[u8], game: Option<Arc<dyn Game>>) -> Result<Table, JsonError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(JsonError::Empty);
    }
    let Object(stamp): Object<Stamp<'_>> = serde_json::from_slice(text).map_err(json_error)?;
    let written = |value: Option<&RawValue>| value.map_or("null".to_owned(), |value| value.get().to_owned());
    if stamp.format.is_none_or(|format| format.get() != format!("{FORMAT:?}")) {
        return Err(JsonError::Format { found: excerpt(&written(stamp.format)) });
    }
    if stamp.version.is_none_or(|version| version.get() != VERSION.to_string()) {
        return Err(JsonError::Version { found: excerpt(&written(stamp.version)) });
    }
    let Object(raw): Object<RawTable<'_>> = serde_json::from_slice(text).map_err(json_error)?;
    let game = find_game(&raw.game, game)?;
    let aim = raw.aim.as_deref().map(|name| find_aim(name, &*game)).transpose()?;
    let reader = Reader { classes: Classes::new(&*game, raw.symmetry), game: &*game, text };
    let banned_at_start = raw.banned_at_start.0.into_iter().map(|id| reader.banned_board(id));
    let banned_at_start = banned_at_start.collect::<Result<Vec<Board>, JsonError>>()?;
    let mut machines = BySide::<Option<MachineBoxes>>::default();
    for (side, raw) in Side::BOTH.into_iter().zip([raw.machines.0.first, raw.machines.0.second]) {
        machines[side] = raw.map(|Object(raw)| reader.machine(side, raw)).transpose()?;
    }
    let trained = |side: Side| machines[side].as_ref().map(|machine| !machine.lessons.is_empty());
    let play_only = |side: Side| machines[side].as_ref().map(|machine| machine.rounds.is_empty());
    match (aim, Side::BOTH.map(play_only)) {
        (_, [None, None]) => return Err(JsonError::NoMachines),
        (None, [Some(false), _]) => return Err(JsonError::NoAim(Side::First)),
        (None, [_, Some(false)]) => return Err(JsonError::NoAim(Side::Second)),
        _ => {}
    }
    // Older tables that were trained say that their aim is safe.
    let is_trained = Side::BOTH.into_iter().all(|side| trained(side) != Some(false));
    let aim = aim.filter(|_| !is_trained);
    Ok(Table::new(game.clone(), aim, raw.symmetry, Contents::Boxes { banned_at_start, machines }))
}

/// More games than this cannot have been played.
const MOST_GAMES: u64 = 1 << 62;

fn json_error(error: serde_json::Error) -> JsonError {
    if error.is_eof() { JsonError::CutShort { line: error.line() } } else { JsonError::Json(error) }
}

fn find_game(name: &str, given: Option<Arc<dyn Game>>) -> Result<Arc<dyn Game>, JsonError> {
    if let Some(game) = given {
        let is_same = name == game.name() || name == games::short_name(&game.name());
        let found = || JsonError::OtherGame { expected: game.name(), found: excerpt(name) };
        return if is_same { Ok(game.clone()) } else { Err(found()) };
    }
    let game = games::find(name)?;
    if name != game.name() && name != games::short_name(&game.name()) {
        return Err(JsonError::GameName { expected: game.name(), found: excerpt(name) });
    }
    Ok(game)
}

fn find_aim(name: &str, game: &dyn Game) -> Result<Aim, JsonError> {
    let aim = Aim::from_name(name).ok_or_else(|| JsonError::Aim { found: excerpt(name) })?;
    if aim.suits(game) { Ok(aim) } else { Err(JsonError::TrapInCircles { game: games::titled(game) }) }
}

fn read_lessons(raw: Vec<Object<RawLesson>>, machine: Side) -> Result<Vec<Lesson>, JsonError> {
    let lesson = |Object(raw): Object<RawLesson>| {
        let (Object(teaching), Object(tally)) = (raw.teaching, raw.tally);
        Lesson { opponent: raw.opponent, seed: raw.seed, teaching, tally }
    };
    let lessons: Vec<Lesson> = raw.into_iter().map(lesson).collect();
    if let Some(lesson) = lessons.iter().find(|lesson| !is_name(&lesson.opponent)) {
        return Err(JsonError::Opponent { machine, found: excerpt(&lesson.opponent) });
    }
    if lessons.iter().any(|lesson| lesson.seed.is_none() && lesson.opponent != PERSON) {
        return Err(JsonError::NoSeed { machine });
    }
    let games = lessons.iter().try_fold(0u64, |games, lesson| games.checked_add(lesson.tally.checked_games()?));
    if games.is_none_or(|games| games > MOST_GAMES) {
        return Err(JsonError::Lessons { machine });
    }
    Ok(lessons)
}

/// What reading boxes needs to know.
struct Reader<'a> {
    game: &'a dyn Game,
    classes: Classes,
    text: &'a [u8],
}

impl Reader<'_> {
    /// The board of a box that was banned from the start.
    fn banned_board(&self, id: Id) -> Result<Board, JsonError> {
        let board = Board::from_id(id, self.game.shape());
        let is_box = |board: &Board| sides_to_move(self.game, *board).is_ok() && self.classes.lowest(*board) == *board;
        board.filter(is_box).ok_or(JsonError::BannedAtStart { id })
    }

    fn machine(&self, machine: Side, raw: RawMachine<'_>) -> Result<MachineBoxes, JsonError> {
        let rounds: Vec<Round> = raw.rounds.into_iter().map(|Object(round)| round).collect();
        for (expected, round) in (1..).zip(&rounds) {
            if round.round as usize != expected {
                return Err(JsonError::Round { machine, expected, found: round.round });
            }
        }
        let lessons = read_lessons(raw.lessons, machine)?;
        let last_round = rounds.len() as u32;
        let mut boxes: Vec<(Board, Matchbox)> = Vec::with_capacity(raw.boxes.len());
        for (index, BoxText(raw)) in raw.boxes.iter().enumerate() {
            let read = self.matchbox(machine, last_round, raw).and_then(|(board, matchbox)| match boxes.last() {
                Some((before, _)) if *before == board => Err(BoxFault::Twice(board)),
                Some((before, _)) if *before > board => Err(BoxFault::Order { before: before.id() }),
                _ => {
                    boxes.push((board, matchbox));
                    Ok(())
                }
            });
            read.map_err(|fault| JsonError::Box {
                line: line_of(raw, self.text),
                name: name_of(raw, index),
                machine,
                fault: Box::new(fault),
            })?;
        }
        Ok(MachineBoxes { rounds, lessons, boxes: Boxes::from_unsorted(boxes) })
    }

    fn matchbox(&self, machine: Side, last_round: u32, raw: &RawValue) -> Result<(Board, Matchbox), BoxFault> {
        let Object(raw): Object<RawBox<'_>> = serde_json::from_str(raw.get()).map_err(fields_fault)?;
        let board = Board::parse(&raw.board, self.game.shape())?;
        if raw.board != board.to_string() {
            return Err(BoxFault::Digits { board, found: excerpt(&raw.board) });
        }
        self.check_board(machine, raw.id, board)?;
        let at = Position::new(board, machine);
        let moves = self.classes.moves(self.game, at);
        let mut beads = Vec::with_capacity(raw.beads.0.len() + raw.removed.0.len());
        for (text, number) in raw.beads.0 {
            let mv = self.find_move(&text, at, &moves)?;
            if number == 0 {
                return Err(BoxFault::NoBeads(text));
            }
            beads.push(Bead { mv, fate: Fate::Stays(number) });
        }
        for (text, Object(removal)) in raw.removed.0 {
            let mv = self.find_move(&text, at, &moves)?;
            check_round(|| format!("bead {text} went"), removal.round, 1..=last_round)?;
            let removal = self.removal(at.play(mv), text, removal)?;
            beads.push(Bead { mv, fate: Fate::Went(removal) });
        }
        if let Some(round) = raw.banned {
            check_round(|| "it was banned".to_owned(), round, 0..=last_round)?;
        }
        let banned = raw.banned.map(|round| if round == 0 { Ban::AtStart } else { Ban::Round(round) });
        let matchbox = Matchbox::new(beads, banned);
        if let Some(pair) = matchbox.all().windows(2).find(|pair| pair[0].mv == pair[1].mv) {
            return Err(BoxFault::BeadTwice(self.game.notation().text(pair[0].mv).to_string()));
        }
        Ok((board, matchbox))
    }

    fn check_board(&self, machine: Side, id: Id, board: Board) -> Result<(), BoxFault> {
        if board.id() != id {
            return Err(BoxFault::Id { board, expected: board.id(), found: id });
        }
        if !sides_to_move(self.game, board)?.contains(machine) {
            return Err(BoxFault::OtherMachine(board));
        }
        match self.classes.lowest(board) {
            lowest if lowest == board => Ok(()),
            lowest => Err(BoxFault::NotLowest { board, key: lowest.id() }),
        }
    }

    fn find_move(&self, text: &str, at: Position, moves: &Moves) -> Result<Move, BoxFault> {
        let notation = self.game.notation();
        if let Some(mv) = exact(notation, text, moves) {
            return Ok(mv);
        }
        if let Some(mv) = exact(notation, text, &self.game.moves(at)) {
            let mirrored = self.classes.mirrors(at.board).map(|mirror| mirror.mv(mv)).min().unwrap_or(mv);
            let lowest = notation.text(mirrored).to_string();
            return Err(BoxFault::Merged { mv: excerpt(text), lowest, board: at.board });
        }
        let legal = notation.list(moves.iter().copied());
        Err(BoxFault::Bead { mv: excerpt(text), board: at.board, legal })
    }

    fn removal(&self, after: Position, mv: String, raw: RawRemoval) -> Result<Removal, BoxFault> {
        let given = excerpt(&raw.why);
        let reply = match &raw.reply {
            None => None,
            Some(text) => {
                let replies = match self.game.result(after) {
                    None => self.game.moves(after),
                    Some(_) => Moves::new(),
                };
                let reply = exact(self.game.notation(), text, &replies);
                let wrong = || format!("its reply {} is not a legal move there", excerpt(text));
                Some(reply.ok_or_else(|| BoxFault::Reply { mv: mv.clone(), why: given.clone(), problem: wrong() })?)
            }
        };
        let why = match (raw.why.as_str(), reply) {
            ("loses", reply) => Why::Loses(reply),
            ("banned", Some(reply)) => Why::Banned(reply),
            ("win", None) => Why::Win,
            ("draws", None) => Why::Draws,
            ("slow", None) => Why::Slow,
            ("odds", None) => Why::Odds,
            ("banned", None) => return Err(BoxFault::Reply { mv, why: given, problem: "the reply is missing".into() }),
            ("win" | "draws" | "slow" | "odds", Some(_)) => {
                return Err(BoxFault::Reply { mv, why: given, problem: "such a reason has no reply".into() });
            }
            (_, _) => return Err(BoxFault::Why { mv, why: given }),
        };
        Ok(Removal { round: Some(raw.round), why })
    }
}

/// The id of a box that cannot be read or, if it has none, its place among the boxes.
fn name_of(part: &RawValue, index: usize) -> String {
    #[derive(Deserialize)]
    struct Named {
        id: Id,
    }
    let named = serde_json::from_str(part.get());
    named.map_or_else(|_| format!("(number {} in its list)", index + 1), |Named { id }| id.to_string())
}

/// The line of the text that a part of it begins on.
fn line_of(part: &RawValue, text: &[u8]) -> usize {
    let offset = part.get().as_ptr() as usize - text.as_ptr() as usize;
    1 + text[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

/// What serde found wrong with the fields, without the position inside the box, which is not its position in the file.
fn fields_fault(error: serde_json::Error) -> BoxFault {
    let message = error.to_string();
    BoxFault::Fields(excerpt(message.split(" at line ").next().unwrap_or_default()))
}

fn check_round(what: impl Fn() -> String, round: u32, recorded: RangeInclusive<u32>) -> Result<(), BoxFault> {
    if recorded.contains(&round) {
        return Ok(());
    }
    if *recorded.end() == 0 {
        return Err(BoxFault::NoRounds { what: what(), round });
    }
    Err(BoxFault::Round { what: what(), round, first: *recorded.start(), last: *recorded.end() })
}

/// The move with exactly this text: tables are read more strictly than what people type at a prompt.
fn exact(notation: Notation, text: &str, moves: &Moves) -> Option<Move> {
    moves.iter().copied().find(|&mv| notation.text(mv).is(text))
}

//! A run from JSON, read strictly: whoever wrote the file, what comes out fits the rules of its game.
//!
//! Boxes are first taken as raw text and then checked one by one, so that an error can name the line its box begins on and
//! the order of the fields does not matter. Whether the beads are the right ones is not asked here.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::error::{Fault, ReadError};
use super::write::{FORMAT, VERSION};
use super::{Run, Table};
use crate::board::{Board, Id, Move, Player, excerpt};
use crate::game::{Moves, sides_to_move};
use crate::games;
use crate::learn::Aim;
use crate::lesson::{Lesson, Tally, Teaching, is_name};
use crate::matchbox::{Bead, Boxes, Fate, Matchbox, Removal, When, Why};
use crate::notation::Notation;
use crate::prune::Round;
use crate::search::is_box;

#[derive(Deserialize)]
struct Stamp {
    #[serde(default)]
    format: serde_json::Value,
    #[serde(default)]
    version: serde_json::Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRun<'a> {
    #[serde(rename = "format")]
    _format: &'a RawValue,
    #[serde(rename = "version")]
    _version: u32,
    game: String,
    aim: String,
    symmetry: bool,
    banned_at_start: Vec<Id>,
    #[serde(borrow)]
    machines: Object<RawMachines<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMachines<'a> {
    #[serde(borrow)]
    first: Option<Object<RawTable<'a>>>,
    #[serde(borrow)]
    second: Option<Object<RawTable<'a>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable<'a> {
    rounds: Vec<Object<Round>>,
    #[serde(default)]
    lessons: Vec<Object<RawLesson>>,
    #[serde(borrow)]
    boxes: Vec<BoxText<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLesson {
    opponent: String,
    seed: u64,
    teaching: Object<Teaching>,
    tally: Object<Tally>,
}

/// The text of a box. One that is too short for a box is refused at once, so that a list of nothing takes no memory.
struct BoxText<'a>(&'a RawValue);

impl<'de: 'a, 'a> Deserialize<'de> for BoxText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const SHORTEST: usize = r#"{"id":0,"board":"0","beads":{},"removed":{}}"#.len();
        let text = <&RawValue>::deserialize(deserializer)?;
        if text.get().len() < SHORTEST {
            let found = excerpt(text.get());
            return Err(D::Error::custom(format!(
                "a box with id, board, beads and removed was expected, found {found}"
            )));
        }
        Ok(BoxText(text))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBox<'a> {
    id: Id,
    #[serde(borrow)]
    board: Cow<'a, str>,
    beads: Pairs<u32>,
    removed: Pairs<Object<RawRemoval>>,
    banned: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRemoval {
    round: u32,
    why: String,
    reply: Option<String>,
}

/// Something whose fields stand in the text as an object; an array of them would be taken for it too.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// An object as it stands in the text, doubled keys included.
struct Pairs<V>(Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor<V>(PhantomData<V>);
        impl<'de, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<V> {
            type Value = Pairs<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with moves as keys")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<V>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The run that a JSON text holds.
pub fn read(text: &[u8]) -> Result<Run, ReadError> {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(ReadError::Empty);
    }
    let Object(stamp): Object<Stamp> = serde_json::from_slice(text).map_err(json_error)?;
    if stamp.format != FORMAT {
        return Err(ReadError::Format { found: excerpt(&stamp.format.to_string()) });
    }
    if stamp.version != VERSION {
        return Err(ReadError::Version { found: excerpt(&stamp.version.to_string()) });
    }
    let Object(raw): Object<RawRun<'_>> = serde_json::from_slice(text).map_err(json_error)?;
    let aim = Aim::from_name(&raw.aim).ok_or(ReadError::Aim { found: excerpt(&raw.aim) })?;
    let game = games::find(&raw.game)?;
    if raw.game != game.name() && raw.game != games::short_name(&game.name()) {
        return Err(ReadError::GameName { expected: game.name(), found: excerpt(&raw.game) });
    }
    if !aim.suits(&*game) {
        return Err(ReadError::TrapInCircles { game: game.name() });
    }
    let mut run = Run::without_tables(game, aim, raw.symmetry);
    run.banned_at_start = raw.banned_at_start;
    let mut last = None;
    for &id in &run.banned_at_start {
        if !has_box(&run, id) || last >= Some(id) {
            return Err(ReadError::BannedAtStart { id });
        }
        last = Some(id);
    }
    for (machine, raw) in Player::BOTH.into_iter().zip([raw.machines.0.first, raw.machines.0.second]) {
        if let Some(Object(raw)) = raw {
            let table = read_table(&run, machine, raw, text)?;
            run.set_table(machine, table);
        }
    }
    run.machines().next().ok_or(ReadError::NoMachines)?;
    Ok(run)
}

/// Nobody has played more games than this.
const MOST_GAMES: u64 = 1 << 62;

fn json_error(error: serde_json::Error) -> ReadError {
    if error.is_eof() { ReadError::CutShort { line: error.line() } } else { ReadError::Json(error) }
}

fn has_box(run: &Run, id: Id) -> bool {
    let board = Board::from_id(id, run.game.shape());
    board.is_some_and(|board| sides_to_move(&*run.game, board).is_ok() && run.key(board) == id)
}

fn read_table(run: &Run, machine: Player, raw: RawTable<'_>, text: &[u8]) -> Result<Table, ReadError> {
    let rounds: Vec<Round> = raw.rounds.into_iter().map(|Object(round)| round).collect();
    for (expected, round) in (1..).zip(&rounds) {
        if round.round as usize != expected {
            return Err(ReadError::Round { machine: machine.name(), expected, found: round.round });
        }
    }
    let lessons = read_lessons(raw.lessons, machine)?;
    let last_round = rounds.len() as u32;
    let mut last_id = None;
    let mut boxes = Boxes::with_capacity(raw.boxes.len());
    for (index, BoxText(raw)) in raw.boxes.iter().enumerate() {
        let read = read_box(run, machine, last_round, raw, &mut boxes).and_then(|id| match last_id.replace(id) {
            Some(before) if before > id => Err(Fault::Order { before }),
            _ => Ok(()),
        });
        read.map_err(|fault| ReadError::Box {
            line: line_of(raw, text),
            name: name_of(raw, index),
            machine: machine.name(),
            fault: Box::new(fault),
        })?;
    }
    Ok(Table { rounds, lessons, boxes })
}

fn read_lessons(raw: Vec<Object<RawLesson>>, machine: Player) -> Result<Vec<Lesson>, ReadError> {
    let lesson = |Object(raw): Object<RawLesson>| {
        let (Object(teaching), Object(tally)) = (raw.teaching, raw.tally);
        Lesson { opponent: raw.opponent, seed: raw.seed, teaching, tally }
    };
    let lessons: Vec<Lesson> = raw.into_iter().map(lesson).collect();
    if let Some(lesson) = lessons.iter().find(|lesson| !is_name(&lesson.opponent)) {
        return Err(ReadError::Opponent { machine: machine.name(), found: excerpt(&lesson.opponent) });
    }
    let games = lessons.iter().try_fold(0u64, |games, lesson| games.checked_add(lesson.tally.checked_games()?));
    if games.is_none_or(|games| games > MOST_GAMES) {
        return Err(ReadError::Lessons { machine: machine.name() });
    }
    Ok(lessons)
}

/// The id of a box that cannot be read, or if it has none, its place among the boxes.
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

fn read_box(run: &Run, machine: Player, last_round: u32, raw: &RawValue, boxes: &mut Boxes) -> Result<Id, Fault> {
    let Object(raw): Object<RawBox<'_>> = serde_json::from_str(raw.get()).map_err(fields_fault)?;
    let board = Board::parse(&raw.board, run.game.shape())?;
    if raw.board != board.to_string() {
        return Err(Fault::Digits { board, found: excerpt(&raw.board) });
    }
    check_board(run, machine, raw.id, board)?;
    let moves = run.classes.distinct(board, run.game.moves(board, machine));
    let mut beads = Vec::with_capacity(raw.beads.0.len() + raw.removed.0.len());
    for (text, number) in raw.beads.0 {
        let mv = find_move(run, &text, board, &moves)?;
        if number == 0 {
            return Err(Fault::NoBeads(text));
        }
        beads.push(Bead { mv, fate: Fate::Stays(number) });
    }
    for (text, Object(removal)) in raw.removed.0 {
        let mv = find_move(run, &text, board, &moves)?;
        check_round(|| format!("bead {text} went"), removal.round, 1..=last_round)?;
        let removal = read_removal(run, machine.other(), board.play(mv), text, removal)?;
        beads.push(Bead { mv, fate: Fate::Went(removal) });
    }
    if let Some(round) = raw.banned {
        check_round(|| "it was banned".to_owned(), round, 0..=last_round)?;
    }
    let matchbox = Matchbox::from_parts(beads, raw.banned.map(When::Round));
    if let Some(pair) = matchbox.all().windows(2).find(|pair| pair[0].mv == pair[1].mv) {
        return Err(Fault::BeadTwice(run.game.notation().text(pair[0].mv).to_string()));
    }
    match boxes.insert(raw.id, matchbox) {
        Some(_) => Err(Fault::Twice(board)),
        None => Ok(raw.id),
    }
}

/// What serde found wrong with the fields, without the place inside the box, which is no place in the file.
fn fields_fault(error: serde_json::Error) -> Fault {
    let message = error.to_string();
    Fault::Fields(excerpt(message.split(" at line ").next().unwrap_or_default()))
}

fn check_board(run: &Run, machine: Player, id: Id, board: Board) -> Result<(), Fault> {
    if board.id() != id {
        return Err(Fault::Id { board, expected: board.id(), found: id });
    }
    if !is_box(&*run.game, board, machine) {
        sides_to_move(&*run.game, board)?;
        return Err(Fault::OtherMachine(board));
    }
    let key = run.key(board);
    if key != id {
        return Err(Fault::NotLowest { board, key });
    }
    Ok(())
}

fn check_round(what: impl Fn() -> String, round: u32, recorded: RangeInclusive<u32>) -> Result<(), Fault> {
    if recorded.contains(&round) {
        return Ok(());
    }
    if *recorded.end() == 0 {
        return Err(Fault::NoRounds { what: what(), round });
    }
    Err(Fault::Round { what: what(), round, first: *recorded.start(), last: *recorded.end() })
}

fn find_move(run: &Run, text: &str, board: Board, moves: &Moves) -> Result<Move, Fault> {
    let notation = run.game.notation();
    exact(notation, text, moves).ok_or_else(|| Fault::Bead {
        mv: excerpt(text),
        board,
        legal: notation.list(moves.iter().copied()),
    })
}

/// The move with just this text: a table is no place for the freedom that a person has at a prompt.
fn exact(notation: Notation, text: &str, moves: &Moves) -> Option<Move> {
    moves.iter().copied().find(|&mv| notation.text(mv).to_string() == text)
}

fn read_removal(run: &Run, opponent: Player, after: Board, mv: String, raw: RawRemoval) -> Result<Removal, Fault> {
    let given = excerpt(&raw.why);
    let reply = match &raw.reply {
        None => None,
        Some(text) => {
            let replies = match run.game.result(after, opponent) {
                None => run.game.moves(after, opponent),
                Some(_) => Moves::new(),
            };
            let reply = exact(run.game.notation(), text, &replies);
            let wrong = || format!("its reply {} is no legal move there", excerpt(text));
            Some(reply.ok_or_else(|| Fault::Reply { mv: mv.clone(), why: given.clone(), problem: wrong() })?)
        }
    };
    let why = match (raw.why.as_str(), reply) {
        ("loses", reply) => Why::Loses(reply),
        ("banned", Some(reply)) => Why::Banned(reply),
        ("win", None) => Why::Win,
        ("draws", None) => Why::Draws,
        ("slow", None) => Why::Slow,
        ("odds", None) => Why::Odds,
        ("banned", None) => return Err(Fault::Reply { mv, why: given, problem: "the reply is missing".into() }),
        ("win" | "draws" | "slow" | "odds", Some(_)) => {
            return Err(Fault::Reply { mv, why: given, problem: "such a reason has no reply".into() });
        }
        (_, _) => return Err(Fault::Why { mv, why: given }),
    };
    Ok(Removal { when: When::Round(raw.round), why })
}

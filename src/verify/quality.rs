//! How good a machine is that may lose: where its beads are, where it can still lose, and the shortest line that beats it.
//!
//! Boards are followed as the machine plays, with every reply of the opponent. What a machine without a bead does is what it does in
//! play: it goes on with the bead that went last, or resigns.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, Write};

use hashbrown::HashMap;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::graph::{Graph, Lost, Place};
use crate::board::{Id, Move, Player};
use crate::chooser::Chooser;
use crate::game::Outcome;
use crate::matchbox::Matchbox;
use crate::notation::Notation;
use crate::progress::Progress;
use crate::show::BOLD;
use crate::table::Run;

/// The beads for one of the machine's moves, in the boxes that it meets and that are not lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoveBeads {
    /// Which of the machine's moves, from 1.
    #[serde(rename = "move")]
    pub number: usize,
    /// The boxes.
    pub boxes: u64,
    /// The beads in them.
    pub beads: u64,
    /// Those of moves that lose.
    pub losing: u64,
}

impl MoveBeads {
    /// The part of the beads that is on losing moves.
    pub fn share(&self) -> f64 {
        self.losing as f64 / self.beads.max(1) as f64
    }

    fn and(self, other: &MoveBeads) -> MoveBeads {
        let number = self.number.max(other.number);
        let (boxes, beads, losing) = (self.boxes + other.boxes, self.beads + other.beads, self.losing + other.losing);
        MoveBeads { number, boxes, beads, losing }
    }
}

/// How good a machine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quality {
    /// The machine.
    pub machine: Player,
    /// Its beads, by the number of the move.
    pub by_move: Vec<MoveBeads>,
    /// The boxes that it meets as it plays.
    pub met: BTreeSet<Id>,
    /// Those of them from which it can lose.
    pub can_lose: BTreeSet<Id>,
    /// Whether best play beats it from the start, whatever it does.
    pub is_lost: bool,
    /// The shortest line that beats it, if there is one.
    pub shortest: Option<Vec<Move>>,
    /// Whether it has no bead at the end of that line, and resigns.
    pub resigns: bool,
}

/// Tells how good the machines of a run are.
pub fn quality(run: &Run, progress: &dyn Progress) -> Vec<Quality> {
    let graph = Graph::new(&*run.game, progress);
    run.machines().map(|machine| Quality::of(run, machine, &graph)).collect()
}

impl Quality {
    pub(super) fn of(run: &Run, machine: Player, graph: &Graph<'_>) -> Quality {
        Measure { run, machine, graph, lost: graph.lost(machine, &[], &[]) }.run()
    }
}

struct Measure<'a> {
    run: &'a Run,
    machine: Player,
    graph: &'a Graph<'a>,
    lost: Lost,
}

/// What the machine can come to as it plays.
struct Play {
    /// The boards, in the order in which they were met: near ones first.
    met: Vec<Place>,
    /// For each board, how many moves it is from the start; none if it is not met.
    depths: Vec<Option<u32>>,
    /// For each board that is met, the one it was met from.
    from: Vec<Place>,
    /// For each board that is met, those that come next.
    next: HashMap<Place, Vec<Place>>,
}

impl Measure<'_> {
    fn run(&self) -> Quality {
        let play = self.follow();
        let can_lose = self.can_lose(&play);
        let shortest = play.met.iter().copied().find(|&place| self.is_beaten(&play, place));
        let boxes = |places: &mut dyn Iterator<Item = Place>| places.filter_map(|place| self.id(place)).collect();
        Quality {
            machine: self.machine,
            by_move: self.by_move(&play),
            met: boxes(&mut play.met.iter().copied()),
            can_lose: boxes(&mut play.met.iter().copied().filter(|&place| can_lose[place as usize])),
            is_lost: self.lost.round(0).is_some(),
            shortest: shortest.map(|place| self.line(&play, place)),
            resigns: shortest.is_some_and(|place| self.graph.result(place).is_none()),
        }
    }

    /// Follows what the machine plays, against every reply.
    fn follow(&self) -> Play {
        let boards = self.graph.states.len();
        let (met, next) = (vec![0], HashMap::new());
        let mut play = Play { met, depths: vec![None; boards], from: vec![0; boards], next };
        play.depths[0] = Some(0);
        let mut at = 0;
        while let Some(&place) = play.met.get(at) {
            let depth = play.depths[place as usize].map(|depth| depth + 1);
            let all = self.next(place);
            for &next in &all {
                if play.depths[next as usize].is_none() {
                    (play.depths[next as usize], play.from[next as usize]) = (depth, place);
                    play.met.push(next);
                }
            }
            play.next.insert(place, all);
            at += 1;
        }
        play
    }

    /// The boards that come next: by a bead of the machine, or by any reply.
    fn next(&self, place: Place) -> Vec<Place> {
        let (board, player) = self.graph.states[place as usize];
        if player != self.machine || self.graph.result(place).is_some() {
            return self.graph.next(place).to_vec();
        }
        // Without a box it cannot play either.
        let moves = Chooser::Boxes(self.run).moves(&*self.run.game, board, player).unwrap_or_default();
        moves.into_iter().filter_map(|(mv, _)| self.graph.place(board.play(mv), player.other())).collect()
    }

    /// Whether the machine has lost on a board that is met, or resigns.
    fn is_beaten(&self, play: &Play, place: Place) -> bool {
        let (_, player) = self.graph.states[place as usize];
        match self.graph.result(place) {
            Some(outcome) => outcome == if player == self.machine { Outcome::Loss } else { Outcome::Win },
            None => player == self.machine && play.next[&place].is_empty(),
        }
    }

    /// For each board that is met, whether the machine can lose from there.
    fn can_lose(&self, play: &Play) -> Vec<bool> {
        let mut before: HashMap<Place, Vec<Place>> = HashMap::new();
        for (&place, next) in &play.next {
            next.iter().for_each(|&next| before.entry(next).or_default().push(place));
        }
        let mut can_lose = vec![false; self.graph.states.len()];
        let mut open: Vec<Place> = play.met.iter().copied().filter(|&place| self.is_beaten(play, place)).collect();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut can_lose[place as usize], true) {
                open.extend(before.get(&place).into_iter().flatten());
            }
        }
        can_lose
    }

    /// The beads that are met, by the number of the move.
    fn by_move(&self, play: &Play) -> Vec<MoveBeads> {
        let (mut by_move, mut counted) = (BTreeMap::<usize, MoveBeads>::new(), BTreeSet::new());
        for &place in &play.met {
            let Some((id, matchbox)) = self.matchbox(place) else { continue };
            if self.lost.round(place).is_some() || !counted.insert(id) {
                continue;
            }
            let number = play.depths[place as usize].unwrap_or(0) as usize / 2 + 1;
            let beads = by_move.entry(number).or_insert(MoveBeads { number, ..MoveBeads::default() });
            beads.boxes += 1;
            // A board of the class will do as well as the box's own, which may not be met.
            let (board, player) = self.graph.states[place as usize];
            let back = self.run.classes().symmetry(board).inverse();
            for (mv, number) in matchbox.beads() {
                let after = self.graph.place(board.play(back.mv(mv)), player.other());
                beads.beads += u64::from(number);
                beads.losing += if after.is_some_and(|after| self.loses(after)) { number.into() } else { 0 };
            }
        }
        by_move.into_values().collect()
    }

    /// Whether a move to a board loses.
    fn loses(&self, after: Place) -> bool {
        match self.graph.result(after) {
            Some(outcome) => outcome == Outcome::Win,
            None => self.lost.round(after).is_some(),
        }
    }

    /// The box of the machine on a board, if it has to move there and has one.
    fn matchbox(&self, place: Place) -> Option<(Id, &Matchbox)> {
        let (board, player) = self.graph.states[place as usize];
        let is_ours = player == self.machine && self.graph.result(place).is_none();
        is_ours.then(|| self.run.find(self.machine, board)).flatten().map(|(id, matchbox, _)| (id, matchbox))
    }

    fn id(&self, place: Place) -> Option<Id> {
        self.matchbox(place).map(|(id, _)| id)
    }

    /// The moves that lead to a board that is met.
    fn line(&self, play: &Play, place: Place) -> Vec<Move> {
        let (mut line, mut at) = (Vec::new(), place);
        while at != 0 {
            let from = play.from[at as usize];
            line.push(self.graph.move_between(from, at));
            at = from;
        }
        line.reverse();
        line
    }
}

/// Writes how good a machine is, in words.
pub fn write_quality(quality: &Quality, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    let Quality { machine, by_move, met, can_lose, is_lost, shortest, resigns } = quality;
    let name = machine.name();
    let Some(line) = shortest else {
        return writeln!(
            out,
            "{BOLD}The {name} machine cannot be beaten{BOLD:#}: no line of play with its beads loses."
        );
    };
    let whatever = if *is_lost { ", as any machine on its side by best play" } else { "" };
    let which = if can_lose.is_empty() { String::new() } else { format!(": {}", some_of(can_lose)) };
    writeln!(
        out,
        "{BOLD}The {name} machine can be beaten{BOLD:#}{whatever}. It meets {} boxes and can lose from {}{which}.",
        met.len(),
        can_lose.len(),
    )?;
    if !by_move.is_empty() {
        write_beads(by_move, out)?;
    }
    let moves: Vec<String> = line.iter().map(|&mv| notation.text(mv).to_string()).collect();
    let moves = if moves.is_empty() { "it has no bead for the first move".to_owned() } else { moves.join(" ") };
    let end = if *resigns && !line.is_empty() { ", where it has no bead to play" } else { "" };
    writeln!(out, "The shortest line that beats it: {moves}{end}.")
}

/// Writes where the beads are, move by move.
fn write_beads(by_move: &[MoveBeads], out: &mut dyn Write) -> io::Result<()> {
    let all = by_move.iter().fold(MoveBeads::default(), |all, beads| all.and(beads));
    writeln!(
        out,
        "In the {} that are not lost already, {} of the beads are on losing moves, by the number of the move:",
        all.boxes,
        Percent(all.share())
    )?;
    writeln!(out, "  move   boxes         beads        losing   share")?;
    for beads in by_move {
        let MoveBeads { number, boxes, beads: all, losing } = beads;
        writeln!(out, "{number:>6}{boxes:>8}{all:>14}{losing:>14}{:>8}", Percent(beads.share()).to_string())?;
    }
    Ok(())
}

/// Ids in a line, the first of them if they are many.
fn some_of(ids: &BTreeSet<Id>) -> String {
    const SOME: usize = 16;
    let some: Vec<String> = ids.iter().take(SOME).map(Id::to_string).collect();
    match ids.len().saturating_sub(SOME) {
        0 => some.join(" "),
        more => format!("{} and {more} more, which --json lists", some.join(" ")),
    }
}

/// A part of the whole, in hundredths. What is not nothing is not shown as nothing.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 * 100.0 {
            share if share > 0.0 && share < 0.1 => f.write_str("<0.1 %"),
            share => write!(f, "{share:.1} %"),
        }
    }
}

/// How good a machine is, for programs.
pub struct QualityJson<'a> {
    /// What was found.
    pub quality: &'a Quality,
    /// How its moves are written.
    pub notation: Notation,
}

impl Serialize for QualityJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Quality { machine, by_move, met, can_lose, is_lost, shortest, resigns } = self.quality;
        let texts = |line: &Vec<Move>| line.iter().map(|&mv| self.notation.text(mv).to_string()).collect::<Vec<_>>();
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("machine", machine.name())?;
        fields.serialize_entry("by_move", by_move)?;
        fields.serialize_entry("boxes_met", &met.len())?;
        fields.serialize_entry("can_lose_from", can_lose)?;
        fields.serialize_entry("is_lost", is_lost)?;
        fields.serialize_entry("shortest_loss", &shortest.as_ref().map(texts))?;
        fields.serialize_entry("resigns", resigns)?;
        fields.end()
    }
}

//! How good a machine is, if it may lose: where its beads are, where it can still lose, and the shortest line that
//! beats it.
//!
//! Follows all positions that the machine can come to by its own play, with every reply of the opponent.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashMap;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::board::{Id, Move, Notation};
use crate::matchbox::Matchbox;
use crate::policy::Policy;
use crate::position::Side;
use crate::progress::Progress;
use crate::table::{Table, TableError};
use crate::verdict::Outcome;
use crate::walk::{Place, Walk};

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
    /// The beads among them that are for losing moves.
    pub losing: u64,
}

impl MoveBeads {
    /// The share of beads that are for losing moves.
    pub fn share(&self) -> f64 {
        self.losing as f64 / self.beads.max(1) as f64
    }

    /// The sum of these beads and others.
    #[must_use]
    pub fn and(self, other: &MoveBeads) -> MoveBeads {
        let number = self.number.max(other.number);
        let (boxes, beads, losing) = (self.boxes + other.boxes, self.beads + other.beads, self.losing + other.losing);
        MoveBeads { number, boxes, beads, losing }
    }
}

/// How good a machine is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quality {
    /// The machine.
    pub machine: Side,
    /// Its beads, by the number of the move.
    pub by_move: Vec<MoveBeads>,
    /// The boxes that it meets as it plays.
    pub met: BTreeSet<Id>,
    /// Those of them from which it can lose.
    pub can_lose: BTreeSet<Id>,
    /// Whether best play beats any machine on its side from the start.
    pub is_lost: bool,
    /// The shortest line that beats it, if there is one.
    pub shortest: Option<Vec<Move>>,
    /// Whether it has no bead at the end of that line, and resigns.
    pub resigns: bool,
}

/// Measures how good the machines of a table are.
pub fn quality(table: &Table, progress: &dyn Progress) -> Result<Vec<Quality>, TableError> {
    table.solve(progress)?;
    let walk = Walk::new(&**table.game(), progress)?;
    table.machines().iter().map(|machine| Measure { table, machine, walk: &walk }.run()).collect()
}

struct Measure<'a> {
    table: &'a Table,
    machine: Side,
    walk: &'a Walk<'a>,
}

/// The positions that the machine can come to as it plays.
struct Play {
    /// The positions, in the order in which they were met: near ones first.
    met: Vec<Place>,
    /// For each position, how many moves it is from the start; none if it is not met.
    depths: Vec<Option<u32>>,
    /// For each position that is met, the one it was met from.
    from: Vec<Place>,
    /// For each position that is met, those that come next.
    next: HashMap<Place, Vec<Place>>,
}

impl Measure<'_> {
    fn run(&self) -> Result<Quality, TableError> {
        let play = self.follow()?;
        let can_lose = self.can_lose(&play);
        let shortest = play.met.iter().copied().find(|&place| self.is_beaten(&play, place));
        let (mut met, mut beatable) = (BTreeSet::new(), BTreeSet::new());
        for &place in &play.met {
            if let Some((id, _)) = self.matchbox(place)? {
                met.insert(id);
                if can_lose[place as usize] {
                    beatable.insert(id);
                }
            }
        }
        let start = self.walk.position(0);
        let best = self.table.verdict(start)?.outcome;
        Ok(Quality {
            machine: self.machine,
            by_move: self.by_move(&play)?,
            met,
            can_lose: beatable,
            is_lost: best.winner(start.to_move) == Some(self.machine.other()),
            resigns: shortest.is_some_and(|place| self.result(place).is_none()),
            shortest: shortest.map(|place| self.line(&play, place)),
        })
    }

    fn result(&self, place: Place) -> Option<Outcome> {
        self.walk.game.result(self.walk.position(place))
    }

    /// Follows what the machine plays, against every reply.
    fn follow(&self) -> Result<Play, TableError> {
        let boards = self.walk.len();
        let (met, next) = (vec![0], HashMap::new());
        let mut play = Play { met, depths: vec![None; boards], from: vec![0; boards], next };
        play.depths[0] = Some(0);
        let mut at = 0;
        while let Some(&place) = play.met.get(at) {
            let depth = play.depths[place as usize].map(|depth| depth + 1);
            let all = self.next(place)?;
            for &next in &all {
                if play.depths[next as usize].is_none() {
                    (play.depths[next as usize], play.from[next as usize]) = (depth, place);
                    play.met.push(next);
                }
            }
            play.next.insert(place, all);
            at += 1;
        }
        Ok(play)
    }

    /// The positions that come next: by a move of the machine, or by any reply.
    fn next(&self, place: Place) -> Result<Vec<Place>, TableError> {
        let at = self.walk.position(place);
        if at.to_move != self.machine || self.result(place).is_some() {
            return Ok(self.walk.next(place).to_vec());
        }
        match self.table.choose(self.walk.game, at) {
            Ok(choice) => Ok(choice.moves().iter().filter_map(|&(mv, _)| self.walk.place(at.play(mv))).collect()),
            // Without a box it cannot play either.
            Err(TableError::NoBox { .. }) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Whether the machine has lost in a position that is met, or resigns.
    fn is_beaten(&self, play: &Play, place: Place) -> bool {
        let to_move = self.walk.position(place).to_move;
        match self.result(place) {
            Some(outcome) => outcome.winner(to_move) == Some(self.machine.other()),
            None => to_move == self.machine && play.next[&place].is_empty(),
        }
    }

    /// For each position that is met, whether the machine can lose from there.
    fn can_lose(&self, play: &Play) -> Vec<bool> {
        let mut before: HashMap<Place, Vec<Place>> = HashMap::new();
        for (&place, next) in &play.next {
            next.iter().for_each(|&next| before.entry(next).or_default().push(place));
        }
        let mut can_lose = vec![false; self.walk.len()];
        let mut open: Vec<Place> = play.met.iter().copied().filter(|&place| self.is_beaten(play, place)).collect();
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut can_lose[place as usize], true) {
                open.extend(before.get(&place).into_iter().flatten());
            }
        }
        can_lose
    }

    /// The beads that are met, by the number of the move.
    fn by_move(&self, play: &Play) -> Result<Vec<MoveBeads>, TableError> {
        let (mut by_move, mut counted) = (BTreeMap::<usize, MoveBeads>::new(), BTreeSet::new());
        for &place in &play.met {
            let Some((id, matchbox)) = self.matchbox(place)? else { continue };
            let at = self.walk.position(place);
            if self.table.verdict(at)?.outcome == Outcome::Loss || !counted.insert(id) {
                continue;
            }
            let number = play.depths[place as usize].unwrap_or(0) as usize / 2 + 1;
            let beads = by_move.entry(number).or_insert(MoveBeads { number, ..MoveBeads::default() });
            beads.boxes += 1;
            for (mv, number) in matchbox.beads() {
                let loses = self.table.verdict(at.play(mv))?.outcome == Outcome::Win;
                beads.beads += u64::from(number);
                beads.losing += if loses { number.into() } else { 0 };
            }
        }
        Ok(by_move.into_values().collect())
    }

    /// The box of the machine in a position, if it has to move there and has one, with the id it is kept under.
    fn matchbox(&self, place: Place) -> Result<Option<(Id, Matchbox)>, TableError> {
        let at = self.walk.position(place);
        if at.to_move != self.machine || self.result(place).is_some() {
            return Ok(None);
        }
        let id = self.table.classes().lowest(at.board).id();
        Ok(self.table.matchbox(at)?.map(|matchbox| (id, matchbox)))
    }

    /// The moves that lead to a position that is met.
    fn line(&self, play: &Play, place: Place) -> Vec<Move> {
        let (mut line, mut at) = (Vec::new(), place);
        while at != 0 {
            let from = play.from[at as usize];
            let number = self.walk.next(from).iter().position(|&next| next == at);
            let moves = self.walk.game.moves(self.walk.position(from));
            line.extend(number.map(|number| moves[number]));
            at = from;
        }
        line.reverse();
        line
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

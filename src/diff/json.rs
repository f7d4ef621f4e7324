//! A diff as JSON, for programs.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::{BoxChange, Diff, Totals};
use crate::board::Id;
use crate::position::Side;
use crate::table::TableError;
use crate::table::json::BoxJson;

/// Which boxes belong to a list.
type Belongs = fn(&BoxChange<'_>) -> bool;

/// How many boxes are in a list.
type Count = fn(&Totals) -> u64;

/// The lists of boxes.
const LISTS: [(&str, Count, Belongs); 4] = [
    ("boxes_only_in_a", |totals| totals.boxes_only_in_a, |change| change.b.is_none()),
    ("boxes_only_in_b", |totals| totals.boxes_only_in_b, |change| change.a.is_none()),
    ("banned_only_in_a", |totals| totals.banned_only_in_a, |change| matches!(change.banned(), (Some(_), None))),
    ("banned_only_in_b", |totals| totals.banned_only_in_b, |change| matches!(change.banned(), (None, Some(_)))),
];

#[derive(Serialize)]
struct ChangedBox<'a> {
    machine: &'static str,
    id: Id,
    a: BoxJson<'a>,
    b: BoxJson<'a>,
}

impl Diff {
    /// Writes the whole diff as one JSON object, with further fields at its end.
    pub fn write_json(&self, further: &[(&str, serde_json::Value)], out: &mut dyn Write) -> Result<(), TableError> {
        write!(out, "{{\"same\":{},\"same_record\":{}", self.is_same(), !self.has_other_record())?;
        self.write_lists(&self.sides(), out)?;
        let sum = |count: Count| self.machines.iter().map(|machine| count(&machine.totals)).sum::<u64>();
        let (in_a, in_b) = (sum(|totals| totals.beads_only_in_a), sum(|totals| totals.beads_only_in_b));
        write!(out, ",\"beads_only_in_a\":{in_a},\"beads_only_in_b\":{in_b},\"changed\":[")?;
        let (mut is_first, notation) = (true, self.a.game().notation());
        self.show_changes(&self.sides(), |machine, change| {
            if let (Some(a), Some(b)) = (change.a, change.b) {
                write!(out, "{}", comma(&mut is_first))?;
                let (a, b) = (BoxJson { matchbox: a, notation }, BoxJson { matchbox: b, notation });
                let changed = ChangedBox { machine: machine.name(), id: change.board.id(), a, b };
                serde_json::to_writer(&mut *out, &changed).map_err(std::io::Error::from)?;
            }
            Ok(())
        })?;
        write!(out, "],\"machines\":{{")?;
        let mut is_first = true;
        for side in self.sides() {
            write!(out, "{}\"{side}\":{{\"changes\":{}", comma(&mut is_first), self.changes(side))?;
            self.write_lists(&[side], out)?;
            write!(out, "}}")?;
        }
        write!(out, "}}")?;
        for (name, only) in [("machines_only_in_a", &self.only_in_a), ("machines_only_in_b", &self.only_in_b)] {
            let boxes: BTreeMap<&str, u64> = only.iter().map(|only| (only.machine.name(), only.boxes)).collect();
            write!(out, ",\"{name}\":{}", serde_json::to_string(&boxes).map_err(std::io::Error::from)?)?;
        }
        for (name, value) in further {
            write!(out, ",\"{name}\":{value}")?;
        }
        Ok(writeln!(out, "}}")?)
    }

    fn sides(&self) -> Vec<Side> {
        self.machines.iter().map(|machine| machine.machine).collect()
    }

    fn changes(&self, side: Side) -> u64 {
        self.machines.iter().filter(|machine| machine.machine == side).map(|machine| machine.changes).sum()
    }

    /// Writes the lists of boxes of some machines, as ids.
    fn write_lists(&self, sides: &[Side], out: &mut dyn Write) -> Result<(), TableError> {
        for (name, count, belongs) in LISTS {
            write!(out, ",\"{name}\":[")?;
            let mut is_first = true;
            let machines = self.machines.iter().filter(|machine| sides.contains(&machine.machine));
            // If a list is known to be empty, there is no need to go through the tables again.
            if machines.map(|machine| count(&machine.totals)).sum::<u64>() > 0 {
                self.show_changes(sides, |_, change| {
                    if belongs(change) {
                        write!(out, "{}{}", comma(&mut is_first), change.board.id())?;
                    }
                    Ok(())
                })?;
            }
            write!(out, "]")?;
        }
        Ok(())
    }

    /// Calls a function with every box of these machines that differs.
    pub fn show_changes(
        &self,
        sides: &[Side],
        mut show: impl FnMut(Side, &BoxChange<'_>) -> Result<(), TableError>,
    ) -> Result<(), TableError> {
        for &side in sides.iter().filter(|&&side| self.changes(side) > 0) {
            let mut shown = Ok(());
            self.for_each_change(side, &mut || Ok(()), &mut |change| {
                shown = show(side, &change);
                shown.is_ok()
            })?;
            shown?;
        }
        Ok(())
    }
}

/// The separator before an entry of a list.
fn comma(is_first: &mut bool) -> &'static str {
    if std::mem::take(is_first) { "" } else { "," }
}

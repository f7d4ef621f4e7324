//! Explanations as text: each move of a box on a line of its own, with the moves that prove it.

use menace::explain::{End, Explained, Explanation};
use menace::game::player_name;
use menace::{Fate, words};

use crate::board;
use crate::game::Rules;

/// An explanation as text.
pub fn text(explanation: &Explanation, rules: &Rules) -> String {
    let (game, side) = (&*rules.game, explanation.machine);
    let (us, them) = (player_name(game, side), player_name(game, side.other()));
    let ban = explanation.matchbox.banned().map(|ban| format!(", {}", words::ban(Some(ban)))).unwrap_or_default();
    let value = words::verdict(explanation.verdict);
    let board = board::rows(rules, explanation.board);
    let mut lines = vec![format!("{board}, {us} to move: {value}{ban}")];
    for explained in &explanation.moves {
        let mv = rules.text(explained.mv);
        lines.push(match explained.fate {
            Fate::Stays(1) => format!("+ {mv}  stays; {}", words::outlook(us, them, explained.worth)),
            Fate::Stays(number) => {
                format!("+ {mv}  stays with {number} beads; {}", words::outlook(us, them, explained.worth))
            }
            Fate::Went(removal) => {
                format!("- {mv}  removed: {} ({})", words::reason(removal, game.notation()), proof(explained, rules))
            }
        });
    }
    if !explanation.missing.is_empty() {
        lines.push(format!("There is no bead for {}.", game.notation().list(explanation.missing.iter().copied())));
    }
    lines.join("\n")
}

/// The moves that prove why a bead went, and how they end.
fn proof(explained: &Explained, rules: &Rules) -> String {
    let line = rules.game.notation().list(explained.line.iter().copied());
    let end = match explained.end {
        End::Over(Some(winner), _) => format!("{} wins", player_name(&*rules.game, winner)),
        End::Over(None, _) => "a draw".to_owned(),
        End::BannedAtStart => "that board is banned from the start".to_owned(),
        End::Repeats => "that board has come up before".to_owned(),
        End::Open => "the table gives no further reason".to_owned(),
    };
    format!("{line}: {end}")
}

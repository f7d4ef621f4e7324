//! Tables damaged in one place.

use menace::Side;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use serde_json::Value as Json;

/// A table as JSON with one thing changed.
pub struct Damaged {
    pub text: String,
    /// Whose box was damaged, and its id; `None` if the damage is elsewhere.
    pub place: Option<(Side, u64)>,
    pub how: &'static str,
}

/// Changes one thing in a table, chosen at random.
pub fn damage(text: &str, rng: &mut Pcg64Mcg) -> Option<Damaged> {
    let mut json: Json = serde_json::from_str(text).unwrap();
    let machine = *Side::BOTH.choose(rng).unwrap();
    let boxes = json["machines"][machine.name()]["boxes"].as_array_mut().unwrap();
    let at = rng.random_range(0..boxes.len());
    let id = boxes[at]["id"].as_u64().unwrap();
    let place = Some((machine, id));
    let matchbox = boxes[at].as_object_mut().unwrap();
    let pick = |object: &Json, rng: &mut Pcg64Mcg| {
        let keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
        keys.choose(rng).cloned()
    };
    let how = match rng.random_range(0..9) {
        0 => {
            let mv = pick(&matchbox["removed"], rng)?;
            matchbox["removed"].as_object_mut()?.remove(&mv);
            matchbox["beads"][&mv] = 1.into();
            "an added bead"
        }
        1 => {
            let mv = pick(&matchbox["beads"], rng)?;
            matchbox["beads"].as_object_mut()?.remove(&mv);
            "a removed bead"
        }
        2 => {
            let mv = pick(&matchbox["beads"], rng)?;
            matchbox["beads"].as_object_mut()?.remove(&mv);
            matchbox["removed"][&mv] = serde_json::json!({"round": 1, "why": "win"});
            "a bead removed for a forged reason"
        }
        3 => {
            let mv = pick(&matchbox["beads"], rng)?;
            matchbox["beads"][&mv] = 3.into();
            "a changed number of beads"
        }
        4 => {
            let round = matchbox.get("banned").and_then(Json::as_u64).map_or(1, |round| round % 2 + 1);
            if matchbox.get("banned").and_then(Json::as_u64) == Some(round) {
                return None;
            }
            matchbox.insert("banned".to_owned(), round.into());
            "a forged ban"
        }
        5 => {
            matchbox.remove("banned")?;
            "a lifted ban"
        }
        6 => {
            let mv = pick(&matchbox["removed"], rng)?;
            let removal = &mut matchbox["removed"][&mv];
            let other = *["win", "draws", "slow"].choose(rng)?;
            if removal["why"] == other {
                return None;
            }
            removal["why"] = other.into();
            removal.as_object_mut()?.remove("reply");
            "a changed reason"
        }
        7 => {
            let mv = pick(&matchbox["removed"], rng)?;
            let removal = &mut matchbox["removed"][&mv];
            removal["round"] = (removal["round"].as_u64()? % 2 + 1).into();
            "a changed round"
        }
        _ => {
            boxes.remove(at);
            "a missing box"
        }
    };
    Some(Damaged { text: json.to_string(), place, how })
}

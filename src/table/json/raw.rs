//! The fields of a table as they are in the text, before anything is checked.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::board::{Id, excerpt};
use crate::lesson::{Tally, Teaching};
use crate::prune::Round;

#[derive(Deserialize)]
pub struct Stamp<'a> {
    #[serde(borrow)]
    pub format: Option<&'a RawValue>,
    #[serde(borrow)]
    pub version: Option<&'a RawValue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawTable<'a> {
    #[serde(rename = "format")]
    _format: &'a RawValue,
    #[serde(rename = "version")]
    _version: u32,
    pub game: String,
    pub aim: Option<String>,
    pub symmetry: bool,
    pub banned_at_start: Ascending,
    #[serde(borrow)]
    pub machines: Object<RawMachines<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawMachines<'a> {
    #[serde(borrow)]
    pub first: Option<Object<RawMachine<'a>>>,
    #[serde(borrow)]
    pub second: Option<Object<RawMachine<'a>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawMachine<'a> {
    pub rounds: Vec<Object<Round>>,
    #[serde(default)]
    pub lessons: Vec<Object<RawLesson>>,
    #[serde(borrow)]
    pub boxes: Vec<BoxText<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawLesson {
    pub opponent: String,
    pub seed: Option<u64>,
    pub teaching: Object<Teaching>,
    pub tally: Object<Tally>,
}

/// The text of a box. One that is too short for a box is refused at once, so that a list of tiny entries takes no
/// memory.
pub struct BoxText<'a>(pub &'a RawValue);

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
pub struct RawBox<'a> {
    pub id: Id,
    #[serde(borrow)]
    pub board: Cow<'a, str>,
    pub beads: Pairs<u32>,
    pub removed: Pairs<Object<RawRemoval>>,
    pub banned: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RawRemoval {
    pub round: u32,
    pub why: String,
    pub reply: Option<String>,
}

/// Something that has to be an object in the text; otherwise an array of its fields would be accepted too.
pub struct Object<T>(pub T);

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

/// An object as it is in the text, including duplicate keys.
pub struct Pairs<V>(pub Vec<(String, V)>);

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

/// Ids in ascending order, each once. Any other list is refused at its first fault, so that it takes no memory.
pub struct Ascending(pub Vec<Id>);

impl<'de> Deserialize<'de> for Ascending {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IdsVisitor;
        impl<'de> Visitor<'de> for IdsVisitor {
            type Value = Ascending;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("ids in ascending order")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut ids: A) -> Result<Ascending, A::Error> {
                let mut found: Vec<Id> = Vec::new();
                while let Some(id) = ids.next_element()? {
                    if found.last() >= Some(&id) {
                        return Err(A::Error::custom(format!(
                            "banned_at_start has id {id}; ids of boxes were expected, in ascending order and each once"
                        )));
                    }
                    found.push(id);
                }
                Ok(Ascending(found))
            }
        }
        deserializer.deserialize_seq(IdsVisitor)
    }
}

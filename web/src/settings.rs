//! What the page is set to, as its address has it: `game=hexapawn&machine=second&beads=flat:1`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use menace::train::{SELF, Teaching};
use menace::{Aim, Level, Side, Sides};
use serde::Serialize;

/// The settings as texts, by name. Names that the machine does not know are the page's own.
pub type Texts = BTreeMap<String, String>;

/// Whether the machine learns or knows everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// It starts with all its beads and learns by playing.
    Learns,
    /// It has only the beads that do not lose.
    Knows,
}

impl Mode {
    fn name(self) -> &'static str {
        match self {
            Mode::Learns => "learns",
            Mode::Knows => "knows",
        }
    }
}

/// Whom a machine that learns plays when no person does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opponent {
    /// A perfect player.
    Perfect,
    /// A random one.
    Random,
    /// The machine itself: both machines learn.
    Itself,
}

impl Opponent {
    const ALL: [Opponent; 3] = [Opponent::Perfect, Opponent::Random, Opponent::Itself];

    /// Its name in tables and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Opponent::Perfect => "perfect",
            Opponent::Random => "random",
            Opponent::Itself => SELF,
        }
    }
}

impl FromStr for Opponent {
    type Err = String;

    fn from_str(name: &str) -> Result<Opponent, String> {
        let found = Opponent::ALL.into_iter().find(|opponent| opponent.name() == name);
        found.ok_or_else(|| format!("The opponent is perfect, random or self, not \"{}\".", short(name)))
    }
}

/// What the page is set to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the game.
    pub game: String,
    /// Whether the machine learns.
    pub mode: Mode,
    /// The sides that the machine plays; none if it is not said.
    pub machines: Option<Sides>,
    /// Which beads stay in a machine that knows everything.
    pub aim: Aim,
    /// The level that a machine which knows everything plays at; none if it plays its beads.
    pub level: Option<Level>,
    /// How a machine that learns is taught.
    pub teaching: Teaching,
    /// The seed for its games against other players than a person.
    pub seed: u64,
    /// Whether the page shows what each free cell is worth.
    pub shows_values: bool,
    /// Whether beads that lose are ringed.
    pub shows_rings: bool,
}

impl Settings {
    /// Reads the settings, or says which of them makes no sense.
    pub fn read(texts: &Texts) -> Result<Settings, String> {
        let given = |name: &str| texts.get(name).map(String::as_str).filter(|text| !text.is_empty());
        let mode = match given("mode").unwrap_or("learns") {
            "learns" => Mode::Learns,
            "knows" => Mode::Knows,
            other => return Err(format!("The mode is learns or knows, not \"{}\".", short(other))),
        };
        let aim = given("aim").unwrap_or(Aim::Safe.name());
        let aim = Aim::from_name(aim)
            .ok_or_else(|| format!("The aim is safe, win, fastest or trap, not \"{}\".", short(aim)))?;
        let level = given("level").map(|text| parse("level", text)).transpose()?;
        let machines: Option<Sides> = given("machine").map(|text| parse("machine", text)).transpose()?;
        if mode == Mode::Learns && machines.is_some_and(|machines| machines.len() != 1) {
            return Err("A machine that learns plays first or second; choose one of them.".to_owned());
        }
        let usual = Teaching::default();
        let teaching = Teaching {
            beads: given("beads").map_or(Ok(usual.beads), |text| parse("beads", text))?,
            reward: given("reward").map_or(Ok(usual.reward), |text| parse("reward", text))?,
            blame: given("blame").map_or(Ok(usual.blame), |text| parse("blame", text))?,
            empty: given("empty").map_or(Ok(usual.empty), |text| parse("empty", text))?,
        };
        Ok(Settings {
            game: given("game").unwrap_or("tictactoe").to_owned(),
            mode,
            machines,
            aim,
            level,
            teaching,
            seed: given("seed").map_or(Ok(1), |text| {
                text.parse().map_err(|_| format!("The seed is a whole number, not \"{}\".", short(text)))
            })?,
            shows_values: given("values").is_some(),
            shows_rings: given("rings").is_some(),
        })
    }

    /// The settings of the machine as texts, as its address has them.
    pub fn texts(&self) -> Texts {
        let Teaching { beads, reward, blame, empty } = &self.teaching;
        let machine = self.machines.map(|machines| machines.to_string()).unwrap_or_default();
        let texts = [
            ("game", self.game.clone()),
            ("mode", self.mode.name().to_owned()),
            ("machine", machine),
            ("aim", self.aim.name().to_owned()),
            ("level", self.level.map(|level| level.to_string()).unwrap_or_default()),
            ("beads", beads.to_string()),
            ("reward", reward.to_string()),
            ("blame", blame.to_string()),
            ("empty", empty.to_string()),
            ("seed", self.seed.to_string()),
        ];
        texts.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
    }

    /// The side of a machine that plays one side; the first if it plays both or neither.
    pub fn side(&self) -> Side {
        self.machines.and_then(|machines| machines.iter().next()).unwrap_or(Side::First)
    }

    /// The sides that the machine plays.
    pub fn machines(&self) -> Sides {
        self.machines.unwrap_or(Sides::FIRST)
    }
}

/// The value of a setting, or a sentence that names it.
fn parse<T: FromStr<Err: Display>>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("The setting {name} is \"{}\": {error}.", short(text)))
}

/// A text that is not too long for a sentence.
pub fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

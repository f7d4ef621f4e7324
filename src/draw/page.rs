//! The page: one HTML file that holds the library itself, compiled for browsers, and the scripts that draw what it says.
//!
//! The scripts know no rules. They ask the library, which runs beside them as WebAssembly: `web/` is its half of the page, and
//! `.ci/page` compiles it to `page/library.wasm.gz`, which is kept in the repository, so that a build needs nothing else.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::canvas::escape;
use crate::games;
use crate::position::Side;
use crate::progress::Progress;
use crate::table::{Table, TableError};

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const UNPACK: &str = include_str!("page/unpack.js");
const WORKER: &str = include_str!("page/worker.js");
const LIBRARY: &[u8] = include_bytes!("page/library.wasm.gz");
/// One script in several files.
const SCRIPT: &str = concat!(
    include_str!("page/core.js"),
    include_str!("page/board.js"),
    include_str!("page/play.js"),
    include_str!("page/learn.js"),
    include_str!("page/cabinet.js"),
    include_str!("page/build.js"),
    include_str!("page/setup.js"),
    include_str!("page/begin.js"),
);

/// The most boxes that a table in a page may have: more would make the page too large to send to anybody.
const MOST_BOXES: u64 = 20_000;

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The table is too large.
    #[error("a page holds tables of up to {MOST_BOXES} boxes, and this one of {game} has {boxes}")]
    TooManyBoxes {
        /// The game.
        game: String,
        /// The boxes of the table.
        boxes: u64,
    },
    /// The table could not be read, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The data could not be put together.
    #[error("the page could not be put together")]
    Data(#[from] io::Error),
}

/// What a page begins with and holds.
#[derive(Clone, Copy, Default)]
pub struct PagePlan<'a> {
    /// The settings, as the address of the page has them: `game=hexapawn&mode=knows`.
    pub settings: &'a str,
    /// A table to begin with.
    pub table: Option<&'a Table>,
    /// The smallest machines of some games, which a browser cannot find by itself, for printing their labels.
    pub kits: &'a [Table],
}

/// Makes the page.
pub fn page(plan: PagePlan<'_>, progress: &dyn Progress) -> Result<String, PageError> {
    let PagePlan { settings, table, kits } = plan;
    let text = table.map(|table| json(table, progress)).transpose()?.unwrap_or_default();
    let title = table.map_or("menace".to_owned(), |table| format!("menace: {}", games::title(&table.game().name())));
    // What is put in last cannot be mistaken for a placeholder.
    let page = HTML
        .replace("{{title}}", &escape(&title))
        .replace("{{settings}}", &escape(settings).replace('"', "&quot;"))
        .replace("{{style}}", STYLE)
        .replace("{{unpack}}", UNPACK);
    let kits = kits.iter().map(|kit| json(kit, progress)).collect::<Result<Vec<_>, _>>()?;
    let kits = [b"[", &kits.join(&b","[..])[..], b"]"].concat();
    let page =
        page.replace("{{script}}", &packed(SCRIPT.as_bytes())?).replace("{{worker}}", &packed(WORKER.as_bytes())?);
    let page = page.replace("{{table}}", &packed(&text)?).replace("{{kits}}", &packed(&kits)?);
    Ok(page.replace("{{wasm}}", &STANDARD.encode(LIBRARY)))
}

/// A table as JSON, if it is not too large.
fn json(table: &Table, progress: &dyn Progress) -> Result<Vec<u8>, PageError> {
    let table = table.unpacked(progress)?;
    let machines = Side::BOTH.into_iter().filter_map(|side| table.machine(side));
    let boxes = machines.map(|machine| machine.box_count()).sum();
    if boxes > MOST_BOXES {
        return Err(PageError::TooManyBoxes { game: games::titled(&**table.game()), boxes });
    }
    let mut text = Vec::new();
    table.write_json(&mut text, &())?;
    Ok(text)
}

/// Bytes, compressed and written in letters; nothing stays nothing.
fn packed(bytes: &[u8]) -> io::Result<String> {
    if bytes.is_empty() {
        return Ok(String::new());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::colour::{DRAW, FLOOR, INK, LINE, LOSES, OWN, QUIET, REPLY, WINS, WOOD};

    #[test]
    fn colours_mean_the_same_on_the_page_as_in_pictures() {
        let light = STYLE.split("@media").next().unwrap().to_lowercase();
        for (name, colour) in [
            ("ink", INK),
            ("quiet", QUIET),
            ("line", LINE),
            ("wood", WOOD),
            ("floor", FLOOR),
            ("machine", OWN),
            ("you", REPLY),
            ("win", WINS),
            ("draw", DRAW),
            ("lose", LOSES),
        ] {
            assert!(light.contains(&format!("--{name}: {};", colour.to_lowercase())), "{name} is {colour}");
        }
    }
}

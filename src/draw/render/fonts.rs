//! The fonts that come with the library: Noto Sans, regular and bold, with Latin, Greek and Cyrillic letters.
//!
//! `fonts/README.md` says where they come from and how they were made. Letters that they do not have, for example in
//! the name of a file, become empty boxes.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb::{Database, ID};

/// The files, in the order in which the database has them.
const FILES: [&[u8]; 2] =
    [include_bytes!("../../../fonts/NotoSans-Regular.ttf"), include_bytes!("../../../fonts/NotoSans-Bold.ttf")];

/// All fonts, for laying out text.
pub fn database() -> Arc<Database> {
    static DATABASE: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut database = Database::new();
        for file in FILES {
            database.load_font_data(file.to_vec());
        }
        Arc::new(database)
    });
    DATABASE.clone()
}

/// The file of a font in the database.
pub fn file(id: ID) -> Option<&'static [u8]> {
    let place = database().faces().position(|face| face.id == id)?;
    FILES.get(place).copied()
}

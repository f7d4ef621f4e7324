//! What is already at a path, and whether it may be replaced.
//!
//! A file that can be made again in a moment may be replaced. A trained table, a table that took long to make or a file of another
//! program is kept unless `--replace` is given.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::bail;
use indicatif::HumanBytes;

use crate::show;

/// A table with more bytes than this took more than a moment to make.
const LARGE: u64 = 256 << 20;

/// What is about to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A table.
    Table,
    /// Anything else that menace makes: a picture, a page, a curve, a manual page.
    Other,
}

/// What is already there.
enum Present {
    /// Nothing, or an empty file.
    Nothing,
    /// A table that can be made again in a moment.
    Table,
    /// A table that was trained.
    Trained,
    /// A table that took long to make.
    Large(u64),
    /// Anything else that menace makes: a picture, a page, a curve, a manual page.
    Other,
    /// Something else.
    Foreign,
}

impl Present {
    fn at(path: &Path) -> Present {
        let Ok(mut file) = File::open(path) else {
            return if path.exists() { Present::Foreign } else { Present::Nothing };
        };
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        let mut start = Vec::new();
        if size == 0 || file.by_ref().take(1 << 16).read_to_end(&mut start).is_err() {
            return if size == 0 { Present::Nothing } else { Present::Foreign };
        }
        let has = |part: &[u8]| start.windows(part.len()).any(|window| window == part);
        let is_json = start.starts_with(b"{\"format\":\"menace-table\"");
        if is_json && (has(b"\"lessons\":") || has(b"\"aim\":null")) {
            return Present::Trained;
        }
        if is_json || start.starts_with(b"MENACE\x1a\n") {
            return if size > LARGE { Present::Large(size) } else { Present::Table };
        }
        let marks: [(&[u8], &[u8]); 6] = [
            (b"<svg ", b"Noto Sans"),
            (b"<!doctype html>", b"<title>menace"),
            (b"\x89PNG", b"Software\0menace"),
            (b"%PDF", b"menace"),
            (b"machine,seed,games,won", b""),
            (b".ie \\n(.g .ds Aq", b"\n.TH menace"),
        ];
        let is_ours =
            marks.iter().any(|(begin, inside)| start.starts_with(begin) && (inside.is_empty() || has(inside)));
        if is_ours { Present::Other } else { Present::Foreign }
    }
}

/// Refuses to replace a file that cannot be made again in a moment. Returns whether a table is replaced.
pub fn check(path: &Path, kind: Kind) -> anyhow::Result<bool> {
    let name = show::visible(path);
    match (Present::at(path), kind) {
        (Present::Nothing, _) | (Present::Other, Kind::Other) => Ok(false),
        (Present::Table, Kind::Table) => Ok(true),
        (Present::Trained, _) => {
            bail!("\"{name}\" is a trained table; add --replace to overwrite it, or choose another file with -o")
        }
        (Present::Large(size), _) => {
            let size = HumanBytes(size);
            bail!("\"{name}\" is a table of {size}; add --replace to overwrite it, or choose another file with -o")
        }
        (Present::Table, Kind::Other) => {
            bail!("\"{name}\" is a table; add --replace to overwrite it, or choose another file")
        }
        (Present::Other, Kind::Table) => {
            bail!(
                "\"{name}\" was made by menace but is not a table; add --replace to overwrite it, or choose another file with -o"
            )
        }
        (Present::Foreign, _) => {
            bail!("\"{name}\" was not made by menace; add --replace to overwrite it, or choose another file")
        }
    }
}

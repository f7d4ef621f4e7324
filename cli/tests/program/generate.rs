//! `generate`: the table as JSON, to a file and to standard output.

use std::process::Stdio;

use menace::Table;
use serde_json::Value as Json;

use crate::common::{Folder, assert_refused, assert_says, committed, stderr, stdout};

#[test]
fn the_committed_table_is_what_generate_writes() {
    let folder = Folder::new();
    let output = folder.succeeds("generate");
    assert_eq!(stdout(&output), "");
    let is_same = folder.read_text("output/tictactoe.json") == committed();
    assert!(is_same, "output/tictactoe.json is stale: run `cargo run --release -- generate`");
}

#[test]
fn a_second_run_gives_the_same_bytes_and_no_diff() {
    let folder = Folder::new();
    folder.succeeds("generate -o a.json");
    folder.succeeds("generate -o b.json");
    assert!(folder.read("a.json") == folder.read("b.json"));
    assert!(stdout(&folder.succeeds("diff a.json b.json")).ends_with("The same: no box differs.\n"));
}

#[test]
fn standard_output_gets_the_table_and_nothing_else() {
    let folder = Folder::new();
    let output = folder.succeeds("generate -o -");
    assert!(stdout(&output) == committed());
    assert_says(&stderr(&output), &["written to standard output"]);
    assert_eq!(folder.names(), [""; 0], "no file is written");
}

#[test]
fn a_table_is_json_with_one_box_per_line() {
    let text = committed();
    let table: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(table["format"], "menace-table");
    assert_eq!(table["machines"]["first"]["rounds"][0]["beads_removed"], 4572);
    let boxes = text.lines().filter(|line| line.starts_with("    {\"id\":")).count();
    assert_eq!(boxes, 2423 + 2097);
    for machine in ["first", "second"] {
        let ids = table["machines"][machine]["boxes"].as_array().unwrap().iter().map(|b| b["id"].as_u64().unwrap());
        assert!(ids.is_sorted());
    }
}

#[test]
fn a_written_table_is_read_back_unchanged() {
    let folder = Folder::new();
    for options in [
        "--aim win",
        "--aim fastest --symmetry",
        "--ban id:0 --ban ......... --ban X........ --ban ..X...... --symmetry",
        "--machine second --ban X.X/.../..O --ban 000010000",
    ] {
        folder.succeeds(&format!("generate -o x.json {options}"));
        let bytes = folder.read("x.json");
        let mut again = Vec::new();
        Table::read(bytes.clone(), None).unwrap().write_json(&mut again, &()).unwrap();
        assert!(bytes == again, "{options}");
    }
}

#[test]
fn a_reader_that_stops_early_causes_no_error() {
    use std::io::Read;
    let folder = Folder::new();
    for arguments in ["generate -o -", "kit -o -", "train --games 10 -o -"] {
        let mut child = folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = child.stdout.take().unwrap();
        out.read_exact(&mut [0]).unwrap();
        drop(out);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
        assert!(!stderr(&output).contains("menace:"), "{arguments}: {}", stderr(&output));
    }
}

#[test]
fn the_file_extension_decides_the_format_even_in_capitals() {
    let folder = Folder::new();
    folder.succeeds("generate -o x.MENACE");
    assert!(folder.read("x.MENACE").starts_with(b"MENACE"), "it is packed");
    for name in ["x.gz", "x.json.gz", "x.menace.xz", "x.ZIP"] {
        assert_refused(&folder.run(&format!("generate -o {name}")), &[name, "not compressed"]);
    }
    assert_refused(&folder.run("kit -o k.MENACE"), &["k.MENACE", "a kit is always JSON"]);
    assert_refused(&folder.run("train -o k.json.gz"), &["k.json.gz", "not compressed"]);
    assert_eq!(folder.names(), ["x.MENACE"]);
}

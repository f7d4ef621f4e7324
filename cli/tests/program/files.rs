//! What is written and what is not: files stay intact, nothing irreplaceable is lost, and no file name does harm.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::common::{Folder, assert_refused, assert_says, committed, menace, run_with_input, stderr, stdout};

#[test]
fn a_failed_write_loses_nothing() {
    let folder = Folder::new();
    assert_refused(
        &folder.run("generate -o missing/x.json"),
        &["\"missing/x.json\" could not be written", "no folder \"missing\""],
    );
    assert_refused(&folder.run("generate -o ."), &["\".\" could not be written"]);
    if Path::new("/dev/full").exists() {
        let full = folder.run("generate -o /dev/full");
        assert_refused(&full, &["\"/dev/full\" could not be written", "No space left"]);
        assert!(!Path::new("/dev/full").metadata().unwrap().is_file(), "a device stays a device");
        let closed = folder.command("generate -o -").stdout(fs::File::create("/dev/full").unwrap()).output();
        assert_refused(&closed.unwrap(), &["standard output", "No space left"]);
    }
    folder.write("kept.json", "kept");
    fs::set_permissions(folder.join("kept.json"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_refused(&folder.run("generate -o kept.json"), &["kept.json", "write-protected"]);
    assert_eq!(folder.read_text("kept.json"), "kept");
    folder.write("old.json", "");
    fs::set_permissions(folder.join("old.json"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("old.json", folder.join("link.json")).unwrap();
    folder.succeeds("generate -o link.json");
    assert!(folder.join("link.json").is_symlink(), "a link stays a link");
    let metadata = fs::metadata(folder.join("old.json")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640, "permissions stay");
    assert_eq!(metadata.len(), committed().len() as u64);
    symlink("new.json", folder.join("dangling.json")).unwrap();
    symlink("loop.json", folder.join("loop.json")).unwrap();
    folder.succeeds("generate -o dangling.json");
    assert!(folder.join("new.json").is_file(), "the target of a link is created");
    assert_refused(&folder.run("generate -o loop.json"), &["loop.json", "the links form a loop"]);
    assert_eq!(folder.names().len(), 6, "nothing is left behind: {:?}", folder.names());
}

/// Commands that write a table to `t.json`.
const TO_TABLE: [&str; 3] =
    ["generate --machine first -o t.json", "kit -o t.json", "train --games 10 --seed 1 -o t.json"];

#[test]
fn a_trained_table_or_a_foreign_file_is_replaced_only_on_request() {
    let folder = Folder::new();
    folder.succeeds("train --games 20 --seed 2 -o trained.json");
    let trained = folder.read("trained.json");
    for (before, told) in [(&trained[..], "t.json\" is a trained table"), (b"a letter", "was not made by menace")] {
        for arguments in TO_TABLE {
            folder.write("t.json", before);
            assert_refused(&folder.run(arguments), &[told, "--replace"]);
            assert!(folder.read("t.json") == before, "{arguments}");
            let told = stderr(&folder.succeeds(&format!("{arguments} --replace")));
            assert_says(&told, &["written to t.json (replaced)"]);
            assert!(folder.read("t.json") != before, "{arguments}");
        }
    }
    for arguments in
        ["draw box ......... -o x.svg", "draw page -o x.html", "train --games 10 -o y.json --curve x.csv --replace"]
    {
        let name = ["x.svg", "x.html", "x.csv"].into_iter().find(|name| arguments.contains(name)).unwrap();
        for before in [&trained[..], b"a letter", committed().as_bytes()] {
            folder.write(name, before);
            let asked = arguments.trim_end_matches(" --replace");
            let _ = fs::remove_file(folder.join("y.json"));
            assert_refused(&folder.run(asked), &[name, "--replace"]);
            assert!(folder.read(name) == before, "{asked}");
        }
        folder.succeeds(&format!("{} --replace", arguments.trim_end_matches(" --replace")));
    }
    assert!(!folder.names().iter().any(|name| name.starts_with('.')), "{:?}", folder.names());
}

#[test]
fn a_trained_table_in_the_default_folder_is_also_kept() {
    let folder = Folder::new();
    folder.succeeds("train --games 10 --seed 1");
    let before = folder.read("output/tictactoe-trained-first.json");
    assert_refused(&folder.run("train --games 10 --seed 2"), &["tictactoe-trained-first.json\" is a trained table"]);
    assert!(folder.read("output/tictactoe-trained-first.json") == before);
}

#[test]
fn replacing_a_pruned_table_is_reported() {
    let folder = Folder::new();
    for before in ["generate -o t.json", "generate --symmetry -o t.json", "kit -o t.json"] {
        for arguments in TO_TABLE {
            folder.succeeds(&format!("{before} --replace"));
            assert_says(&stderr(&folder.succeeds(arguments)), &["written to t.json (replaced)"]);
        }
    }
    folder.succeeds("generate -o t.menace");
    assert_says(&stderr(&folder.succeeds("generate -o t.menace")), &["written to t.menace (replaced)"]);
}

#[test]
fn an_empty_file_or_one_of_our_pictures_is_replaced_silently() {
    let folder = Folder::new();
    for arguments in TO_TABLE {
        folder.write("t.json", "");
        assert!(!stderr(&folder.succeeds(arguments)).contains("replaced"), "{arguments}");
    }
    let pictures = [
        "draw box ......... -o p.svg",
        "draw box ......... -o p.png --width 200",
        "draw box ......... -o p.pdf",
        "draw map -o p.svg",
        "draw page -o p.html",
        "draw labels --game hexapawn --machine second -o p.pdf",
        "draw labels -o p.pdf",
        "draw map -o p.png",
        "draw map -o p.pdf",
        "draw labels --game hexapawn --machine second -o sheet.svg",
        "train --games 10 --seed 1 -o - --curve p.csv",
        "train --games 10 --seed 1 -o - --curve p.svg --curve p.png --curve p.pdf",
    ];
    for arguments in pictures.iter().chain(&pictures) {
        let told = stderr(&folder.succeeds(arguments));
        assert!(!told.contains("(replaced)"), "{arguments}: {told}");
    }
}

#[test]
fn a_picture_of_several_sheets_is_written_completely_or_not_at_all() {
    let folder = Folder::new();
    folder.write("sheet-02.svg", "a letter");
    let refused = folder.run("draw labels --game hexapawn --machine second -o sheet.svg");
    assert_refused(&refused, &["sheet-02.svg", "--replace"]);
    assert_eq!(folder.names(), ["sheet-02.svg"]);
}

#[test]
fn resumed_training_overwrites_its_own_file() {
    let folder = Folder::new();
    folder.succeeds("train --games 100 --seed 1 -o t.json");
    symlink("t.json", folder.join("link.json")).unwrap();
    for (arguments, games) in [
        ("train --from t.json --games 10", 110),
        ("train --from t.json --games 10 -o t.json", 120),
        ("train --from t.json --games 10 -o ./t.json", 130),
        ("train --from link.json --games 10", 140),
        ("train --from t.json --games 10 -o link.json", 150),
    ] {
        folder.succeeds(arguments);
        assert_eq!(games_in(&folder, "t.json"), games, "{arguments}");
    }
    assert!(folder.join("link.json").is_symlink());
    folder.succeeds("train --games 5 -o other.json");
    assert_refused(&folder.run("train --from t.json --games 10 -o other.json"), &["other.json\" is a trained table"]);
}

/// How many games the first machine of a trained table has played.
fn games_in(folder: &Folder, name: &str) -> u64 {
    crate::train::games_in(&folder.read(name))
}

#[test]
fn training_does_not_replace_its_opponent() {
    let folder = Folder::new();
    folder.succeeds("generate --machine second -o opp.json");
    folder.succeeds("generate --machine second -o opp.csv");
    let before = folder.read("opp.json");
    symlink("opp.json", folder.join("link.json")).unwrap();
    symlink("opp.csv", folder.join("link.csv")).unwrap();
    fs::hard_link(folder.join("opp.json"), folder.join("hard.json")).unwrap();
    symlink(".", folder.join("here")).unwrap();
    for arguments in [
        "train --games 10 --opponent opp.json -o opp.json",
        "train --games 10 --opponent opp.json -o ./opp.json",
        "train --games 10 --opponent ./opp.json -o opp.json",
        "train --games 10 --opponent opp.json -o here/opp.json",
        "train --games 10 --opponent opp.json -o link.json",
        "train --games 10 --opponent link.json -o opp.json",
        "train --games 10 --opponent opp.json -o hard.json",
        "train --games 10 --opponent opp.json -o opp.json --replace",
        "train --games 10 --opponent opp.csv -o t.json --curve opp.csv",
        "train --games 10 --opponent opp.csv -o t.json --curve ./opp.csv",
        "train --games 10 --opponent opp.csv -o t.json --curve link.csv --replace",
        "train --games 10 --opponent opp.csv --runs 2 --curve ./opp.csv --replace",
    ] {
        assert_refused(&folder.run(arguments), &["is the opponent"]);
        assert!(folder.read("opp.json") == before && folder.read("opp.csv") == before, "{arguments}");
    }
    assert!(!folder.join("t.json").exists());
    folder.succeeds("train --games 10 --seed 1 --opponent opp.json -o t.json");
    assert!(folder.read("opp.json") == before);
}

#[test]
fn one_file_cannot_be_used_for_two_outputs() {
    let folder = Folder::new();
    symlink("t.csv", folder.join("link.csv")).unwrap();
    for arguments in [
        "train --games 10 -o t.csv --curve t.csv",
        "train --games 10 -o t.csv --curve ./t.csv",
        "train --games 10 -o t.csv --curve link.csv",
        "train --games 10 -o t.json --curve t.csv --curve ./t.csv",
        "train --games 10 -o - --curve -",
    ] {
        assert_refused(&folder.run(arguments), &["more than one thing"]);
    }
    assert_eq!(folder.names(), ["link.csv"]);
}

#[test]
fn a_file_or_pipe_that_is_already_open_is_written_in_place() {
    let folder = Folder::new();
    let [table, kit] = ["generate -o -", "kit -o -"].map(|arguments| stdout(&folder.succeeds(arguments)));
    for (script, expected) in [
        ("(echo before; menace generate -o /dev/stdout; echo after) > f", format!("before\n{table}after\n")),
        ("(echo before; menace kit -o /dev/stdout; echo after) > f", format!("before\n{kit}after\n")),
        ("(echo before; menace generate -o /dev/stdout; echo after) | cat > f", format!("before\n{table}after\n")),
        ("menace generate -o /dev/fd/3 3> f", table.clone()),
        ("(echo before; menace generate -o /dev/fd/3 3>&1; echo after) | cat > f", format!("before\n{table}after\n")),
        ("echo before > f; (menace generate -o /dev/fd/3; echo after >&3) 3>> f", format!("before\n{table}after\n")),
        ("echo before > f; menace generate -o /dev/stdout >> f", format!("before\n{table}")),
        ("mkfifo pipe; cat pipe > f & menace generate -o pipe; wait; rm pipe", table.clone()),
        ("mkfifo pipe; ln -s pipe link; cat pipe > f & menace generate -o link; wait; rm pipe link", table.clone()),
    ] {
        let output = folder.shell(script);
        assert!(output.status.success(), "{script}: {}", stderr(&output));
        assert!(folder.read_text("f") == expected, "{script}: {}", folder.read_text("f").len());
        assert_eq!(folder.names(), ["f"], "{script}");
        fs::remove_file(folder.join("f")).unwrap();
    }
}

/// The file used to be reopened for appending, and the next writer wrote into the middle of the table.
#[test]
fn a_file_that_is_open_under_another_descriptor_is_not_garbled() {
    let folder = Folder::new();
    let table = stdout(&folder.succeeds("generate -o -"));
    for before in ["before\n", ""] {
        let script = format!("(printf '{before}' >&3; menace generate -o /dev/fd/3; echo after >&3) 3> f");
        let output = folder.shell(&script);
        let written = folder.read_text("f");
        // A system that does not hand out its descriptors refuses.
        let is_refused = stderr(&output).starts_with("menace: ") && written == format!("{before}after\n");
        assert!(is_refused || written == format!("{before}{table}after\n"), "{:?}", written.get(..60));
    }
}

/// The program's own lock was open under that number, and the curve vanished with it.
#[test]
fn a_number_under_which_nothing_is_open_is_refused() {
    let folder = Folder::new();
    folder.succeeds("train --games 10 --seed 1 -o t.json");
    for arguments in ["generate -o /dev/fd/3", "train --from t.json --games 10 --curve /dev/fd/3"] {
        let program = menace().get_program().display().to_string();
        let output = folder.shell(&format!("exec 3>&-; \"{program}\" {arguments}"));
        assert_refused(&output, &["/dev/fd/3", "nothing is open"]);
    }
    // Standard input and standard output have the same name, but nothing is replaced.
    let table = folder.read_text("t.json");
    let output = run_with_input(
        folder.command("train --from - --games 10 --curve - -o u.json").current_dir(folder.path()),
        &table,
    );
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Only names of files were accepted.
#[test]
fn pictures_and_curves_are_written_to_devices_and_pipes() {
    let folder = Folder::new();
    for (script, start) in [
        ("menace train --games 10 -o t.json --replace --curve /dev/stdout > f", "machine,seed,games,won"),
        ("menace draw map -o /dev/stdout > f", "<svg"),
        ("menace draw page -o /dev/stdout > f", "<!doctype html>"),
        ("menace draw map -o /dev/null; echo done > f", "done"),
    ] {
        let output = folder.shell(script);
        assert!(output.status.success(), "{script}: {}", stderr(&output));
        let written = folder.read_text("f");
        assert!(written.starts_with(start), "{script}: {:?}", written.get(..60));
    }
}

/// The opponent was protected, and the table that training continues from was not.
#[test]
fn a_curve_never_replaces_the_table_that_training_continues_from() {
    let folder = Folder::new();
    folder.succeeds("train --games 10 --seed 1 -o t.csv");
    let table = folder.read_text("t.csv");
    let output = folder.run("train --from t.csv --curve ./t.csv -o u.json --replace");
    assert_refused(&output, &["t.csv", "--from", "choose another file"]);
    assert_eq!(folder.read_text("t.csv"), table);
    assert_refused(&folder.run("train --games 10 -o /dev/stdout --curve -"), &["more than one thing"]);
}

#[test]
fn a_link_in_place_of_an_unfinished_table_is_not_followed() {
    let folder = Folder::new();
    folder.write("letter", "a letter to a friend");
    symlink("letter", folder.join("t.menace.part")).unwrap();
    assert_refused(&folder.run("generate -o t.menace"), &["t.menace.part"]);
    assert_eq!(folder.read_text("letter"), "a letter to a friend");
    assert_eq!(folder.names(), ["letter", "t.menace.part"]);
    fs::remove_file(folder.join("t.menace.part")).unwrap();
    symlink("nowhere", folder.join("t.menace.part")).unwrap();
    assert_refused(&folder.run("generate -o t.menace"), &["t.menace.part"]);
    assert_eq!(folder.names(), ["letter", "t.menace.part"], "the target of the link is not created");
}

/// Commands that write a file, and the extension of its name.
const TO_FILE: [(&str, &str); 12] = [
    ("generate -o", "json"),
    ("generate -o", "menace"),
    ("kit -o", "json"),
    ("train --games 10 --seed 1 -o", "json"),
    ("train --games 10 --seed 1 -o - --curve", "csv"),
    ("train --games 10 --seed 1 -o - --curve", "svg"),
    ("draw page -o", "html"),
    ("draw map -o", "svg"),
    ("draw box ......... -o", "png"),
    ("draw labels --game hexapawn --machine second -o", "pdf"),
    ("draw labels --game hexapawn --machine second -o", "svg"),
    ("generate --game 4x3x3 --symmetry -o", "menace"),
];

fn assert_calm(text: &str, from: &str) {
    let is_wild = |found: char| found != '\n' && (found.is_control() || ('\u{202a}'..='\u{202e}').contains(&found));
    assert!(!text.contains(is_wild), "{from}: {text:?}");
}

#[test]
fn control_characters_in_file_names_are_shown_as_harmless_text() {
    let folder = Folder::new();
    for (arguments, ending) in TO_FILE {
        for (wild, is_fine) in [("a\u{1b}[31m\u{202e}b", true), ("\u{7}no\u{9b}31m/such\u{200f}folder", false)] {
            let mut command = folder.command(arguments);
            let output = command.arg(format!("{wild}.{ending}")).output().unwrap();
            assert_eq!(output.status.code(), Some(if is_fine { 0 } else { 2 }), "{arguments}: {}", stderr(&output));
            assert_calm(&stderr(&output), arguments);
            let is_data = arguments.contains("-o -");
            assert!(is_data || output.stdout.is_empty());
            assert!(stderr(&output).contains('\u{fffd}'), "{arguments}: {}", stderr(&output));
        }
    }
    // Names of files to read are shown safely too, whether or not the file exists.
    let (wild, none) = ("a\u{1b}[31m\u{202e}b.json", "c\u{1b}[31m\u{202e}d.json");
    for name in [wild, none] {
        for arguments in [
            &["diff", name, name][..],
            &["diff", "--json", name, name],
            &["verify", name],
            &["stats", name],
            &["odds", name, "random"],
            &["play", name, "--machine", "first"],
            &["play", &format!("{name}@9")],
            &["explain", "XXX/OO./...", name],
            &["draw", "box", "XXX/OO./...", name],
            &["draw", "map", name, "--machine", "second", "-o", "nowhere/x.svg"],
            &["train", "--from", name, "--games", "3"],
            &["train", "--opponent", name, "--games", "3"],
        ] {
            let output =
                menace().args(arguments).current_dir(folder.path()).stdin(std::process::Stdio::null()).output();
            let output = output.unwrap();
            assert_calm(&stdout(&output), &format!("{arguments:?}"));
            assert_calm(&stderr(&output), &format!("{arguments:?}"));
        }
    }
}

#[test]
fn file_names_that_are_not_text_can_be_written_and_read() {
    let folder = Folder::new();
    let name = |ending: &[u8]| OsStr::from_bytes(&[b"t\xff\xfe.", ending].concat()).to_owned();
    let probe = folder.join(name(b"probe"));
    if fs::write(&probe, "").is_err() {
        return println!("skipped: this file system accepts only names that are text");
    }
    let run = |arguments: &str, names: &[&OsStr]| {
        let output = folder.command(arguments).args(names).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments} {names:?}: {}", stderr(&output));
        output
    };
    let (json, packed, svg) = (name(b"json"), name(b"menace"), name(b"svg"));
    run("generate -o", &[&json]);
    run("generate -o", &[&packed]);
    run("diff", &[&json, &packed]);
    for table in [&json, &packed] {
        run("verify", &[table]);
        run("stats", &[table]);
        run("explain .........", &[table]);
        run("draw box .........", &[table]);
        run("draw map -o", &[&svg, table]);
        run("odds random --a second", &[table]);
        run("play --machine both", &[table]);
    }
    let (trained, curve) = (name(b"trained.json"), name(b"csv"));
    run("train --games 10 --seed 1 -o", &[&trained, OsStr::new("--curve"), &curve]);
    run("train --games 10 --from", &[&trained]);
    assert_eq!(crate::train::games_in(&fs::read(folder.join(&trained)).unwrap()), 20);
    run("kit -o", &[&name(b"kit.json")]);
    run("draw page -o", &[&name(b"html")]);
    let labels = OsStr::from_bytes(b"\xffsheet.svg");
    run("draw labels --game hexapawn --machine second -o", &[labels]);
    assert!(folder.join(OsStr::from_bytes(b"\xffsheet-01.svg")).is_file());
}

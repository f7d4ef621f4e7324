//! The files in `examples/cluster`, each run as a user runs it, give the bytes of a single run. Names have spaces.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use crate::common::{Folder, assert_says, menace, stderr, stdout};

const GAMES: [&str; 2] = ["5x4x4+gravity", "4x4x4"];

/// A file of the project.
fn example(name: &str) -> PathBuf {
    fs::canonicalize(Path::new("../examples/cluster").join(name)).unwrap()
}

/// The program under a name with a space.
fn program(folder: &Folder) -> PathBuf {
    let link = folder.join("the program");
    if !link.exists() {
        std::os::unix::fs::symlink(menace().get_program(), &link).unwrap();
    }
    link
}

/// The table as one run makes it.
fn whole(folder: &Folder, game: &str) -> Vec<u8> {
    folder.succeeds(&format!("generate --game {game} -o whole.menace"));
    folder.read("whole.menace")
}

fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: {program} is not there");
    }
    found
}

fn succeeded(output: &Output) {
    assert!(output.status.success(), "{}\n{}", stdout(output), stderr(output));
}

/// Loses part 1, or part 0 if it is the only one.
fn lose_something(shelf: &Path) {
    fs::remove_file(shelf.join("parts/1")).unwrap_or_else(|_| fs::remove_file(shelf.join("parts/0")).unwrap());
}

#[test]
fn make_makes_the_same_table() {
    if !is_there("make") || !is_there("python3") {
        return;
    }
    for game in GAMES {
        let folder = Folder::new();
        let make = || {
            let mut make = Command::new("make");
            make.args(["-j2", "-f"]).arg(example("Makefile")).current_dir(folder.path());
            make.args([&format!("GAME={game}"), "SHELF=the shelf", "TABLE=the table.menace"]);
            make.arg(format!("MENACE={}", program(&folder).display()));
            make.env_remove("MAKEFLAGS").output().unwrap()
        };
        succeeded(&make());
        let whole = whole(&folder, game);
        assert!(folder.read("the table.menace") == whole, "{game}");
        lose_something(&folder.join("the shelf"));
        let again = make();
        succeeded(&again);
        assert_says(
            &stderr(&again),
            &["is on the shelf", "was already on the shelf"][..1 + usize::from(game != "4x4x4")],
        );
        assert!(folder.read("the table.menace") == whole, "{game}");
    }
    // An error of the program ends it.
    let folder = Folder::new();
    let output = Command::new("make")
        .arg("-f")
        .arg(example("Makefile"))
        .args(["GAME=hexapawn", "MENACE=false"])
        .current_dir(folder.path())
        .output();
    assert_eq!(output.unwrap().status.code(), Some(2));
}

/// A stand-in for Slurm's command: it starts each job when the jobs that it depends on are done, and runs the tasks of an array at
/// the same time, the last one first.
const SBATCH: &str = r#"#!/bin/sh
set -eu
after= last=none
while [ $# -gt 0 ]; do
    case $1 in
    --parsable | --job-name=* | --mem=*M | --kill-on-invalid-dep=yes) ;;
    --dependency=afterok:*) after=${1#--dependency=afterok:} ;;
    --array=0-*) last=${1#--array=0-} ;;
    --wrap) job=$2; shift ;;
    *) echo "sbatch: unknown option $1" >&2; exit 1 ;;
    esac
    shift
done
number=$(($(ls "$JOBS" | wc -l) + 1))
: >"$JOBS/$number"
(
    while [ -n "$after" ] && [ ! -s "$JOBS/$after" ]; do sleep 0.01; done
    result=done
    if [ -n "$after" ] && [ "$(cat "$JOBS/$after")" != done ]; then
        result=cancelled
    elif [ "$last" = none ]; then
        sh -c "$job" || result=failed
    else
        tasks= task=$last
        while [ "$task" -ge 0 ]; do
            SLURM_ARRAY_TASK_ID=$task sh -c "$job" &
            tasks="$tasks $!" task=$((task - 1))
        done
        for task in $tasks; do wait "$task" || result=failed; done
    fi
    echo $result >"$JOBS/$number"
) >>"$JOBS.log" 2>&1 &
echo "$number;the cluster"
"#;

/// Submits the jobs and waits until the last one has ended. Returns how it ended.
fn slurm(folder: &Folder, shelf: &str) -> String {
    let (bin, jobs) = (folder.join("bin"), folder.join("jobs"));
    let _ = fs::remove_dir_all(&jobs);
    [&bin, &jobs].iter().for_each(|path| fs::create_dir_all(path).unwrap());
    folder.write("bin/sbatch", SBATCH);
    fs::set_permissions(bin.join("sbatch"), fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut script = Command::new(example("slurm.sh"));
    script.args([shelf, "the table.menace"]).current_dir(folder.path());
    script.env("PATH", path).env("JOBS", &jobs).env("MENACE", program(folder));
    let output = script.output().unwrap();
    succeeded(&output);
    let last = stdout(&output).trim().split(';').next().unwrap().to_owned();
    let begun = Instant::now();
    loop {
        let result = fs::read_to_string(jobs.join(&last)).unwrap();
        if result.ends_with('\n') {
            return format!("{}{}", folder.read_text("jobs.log"), result);
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "the jobs end");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn slurm_makes_the_same_table() {
    if !is_there("bash") || !is_there("python3") {
        return;
    }
    for game in GAMES {
        let folder = Folder::new();
        let shelf = "the group's shelf";
        let mut plan = folder.command(&format!("generate --game {game} --plan --shelf"));
        assert!(plan.arg(shelf).output().unwrap().status.success());
        let told = slurm(&folder, shelf);
        assert!(told.ends_with("done\n"), "{told}");
        let whole = whole(&folder, game);
        assert!(folder.read("the table.menace") == whole, "{game}");
        lose_something(&folder.join(shelf));
        assert!(slurm(&folder, shelf).ends_with("done\n"));
        assert!(folder.read("the table.menace") == whole, "{game}");
        // A job that fails cancels those that depend on it, and the next run resumes there.
        lose_something(&folder.join(shelf));
        fs::rename(folder.join("the program"), folder.join("gone")).unwrap();
        folder.write("the program", "not a program");
        assert!(slurm(&folder, shelf).ends_with("cancelled\n"));
        fs::rename(folder.join("gone"), folder.join("the program")).unwrap();
        assert!(slurm(&folder, shelf).ends_with("done\n"));
        assert!(folder.read("the table.menace") == whole, "{game}");
    }
}

#[test]
fn snakemake_makes_the_same_table() {
    if !is_there("snakemake") {
        return;
    }
    for game in GAMES {
        let folder = Folder::new();
        folder.succeeds(&format!("generate --game {game} --plan --shelf s"));
        fs::rename(folder.join("s"), folder.join("the shelf")).unwrap();
        let snakemake = |more: &[&str]| {
            let mut command = Command::new("snakemake");
            command.arg("--snakefile").arg(example("Snakefile")).args(["--cores", "2"]).args(more);
            command.args(["--config", "shelf=the shelf", "table=the table.menace"]);
            command.arg(format!("menace={}", program(&folder).display())).current_dir(folder.path());
            command.env("XDG_CACHE_HOME", folder.join("cache")).output().unwrap()
        };
        succeeded(&snakemake(&[]));
        let whole = whole(&folder, game);
        assert!(folder.read("the table.menace") == whole, "{game}");
        lose_something(&folder.join("the shelf"));
        succeeded(&snakemake(&["--forceall"]));
        assert!(folder.read("the table.menace") == whole, "{game}");
    }
}

//! Playing on the page, and a machine that learns there.

use std::path::PathBuf;

use menace::{Game, Position, games};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};

use crate::Test;
use crate::browser::Page;
use crate::common::Folder;
use crate::made::{Made, play_by_clicks, settled};

/// All tests of games on the page.
pub const TESTS: &[Test] = &[
    ("games_can_be_played_by_clicks_and_by_keys", games_can_be_played_by_clicks_and_by_keys),
    (
        "a_machine_that_knows_everything_never_loses_on_the_page",
        a_machine_that_knows_everything_never_loses_on_the_page,
    ),
    (
        "a_machine_learns_on_the_page_what_it_learns_in_the_program",
        a_machine_learns_on_the_page_what_it_learns_in_the_program,
    ),
    ("a_machine_learns_from_a_person_and_the_program_goes_on", a_machine_learns_from_a_person_and_the_program_goes_on),
    ("a_move_can_be_taken_back_and_the_drawer_follows", a_move_can_be_taken_back_and_the_drawer_follows),
    ("beads_fly_if_motion_is_welcome", beads_fly_if_motion_is_welcome),
    ("the_machine_plays_at_the_level_that_is_chosen", the_machine_plays_at_the_level_that_is_chosen),
    ("fast_clicks_and_changes_of_mind_do_no_harm", fast_clicks_and_changes_of_mind_do_no_harm),
];

/// Follows the moves of a game by the rules, and returns where it ends and how often its last board came up.
fn follow(game: &dyn Game, moves: &[String]) -> (Position, usize) {
    let mut met = vec![game.start()];
    for text in moves {
        let at = met[met.len() - 1];
        assert_eq!(game.result(at), None, "{moves:?}");
        let mv = game.notation().find(text, &game.moves(at)).unwrap_or_else(|| panic!("{text} of {moves:?}"));
        met.push(at.play(mv));
    }
    let last = met[met.len() - 1];
    (last, met.iter().filter(|&&at| at == last).count())
}

fn assert_over(page: &Page, name: &str, moves: &[String]) {
    let game = games::find(name).unwrap();
    let (last, times) = follow(&*game, moves);
    let status = page.text("#status");
    match game.result(last) {
        Some(outcome) => {
            let winner =
                outcome.winner(last.to_move).map(|side| page.value(&format!("menace.view.plays[{}]", side as usize)));
            let words = match winner {
                None => "A draw.",
                Some(Value::Bool(true)) => "The machine won.",
                Some(_) => "You won!",
            };
            assert!(status.ends_with(words), "{name}, {moves:?}: {status}");
        }
        None if times == 3 => assert!(status.contains("a draw"), "{status}"),
        None => assert!(status.contains("resigns") && status.ends_with("You won!"), "{name}, {moves:?}: {status}"),
    }
}

fn games_can_be_played_by_clicks_and_by_keys(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "");
    let mut rng = Pcg64Mcg::seed_from_u64(15);
    for name in ["tictactoe", "hexapawn", "morris", "pong-hau-ki", "notakto", "wild", "4x3x3", "tictactoe+misere"] {
        for mode in ["learns", "knows"] {
            page.go(&made.file(), &format!("#game={name}&mode={mode}"));
            settled(&page);
            let moves = play_by_clicks(&page, |number| rng.random_range(0..number));
            assert_over(&page, name, &moves);
            // The same with keys, cell by cell.
            page.click("#new");
            page.wait("menace.view.turn !== 'over'");
            settled(&page);
            while page.value("menace.view.turn") == "you" {
                let number = page.value("menace.view.moves.length").as_u64().unwrap() as usize;
                let mv = page.value(&format!("menace.view.moves[{}]", rng.random_range(0..number)));
                let before = page.value("menace.view.history.length");
                for cell in [&mv["from"], &mv["to"]].into_iter().filter(|&cell| *cell != 0) {
                    let name = page.value(&format!("menace.scene.cells[{cell} - 1]"));
                    for key in name.as_str().unwrap().chars() {
                        page.press(&key.to_string());
                    }
                }
                if page.value("!document.getElementById('choice').hidden") == true {
                    page.press("Enter");
                }
                page.wait(&format!("menace.view.history.length !== {before}"));
                settled(&page);
            }
            let moves: Vec<String> = serde_json::from_value(page.value("menace.view.history")).unwrap();
            assert_over(&page, name, &moves);
        }
    }
    page.close();
}

/// 300 random games, some of them by clicks and the others by the same requests.
fn a_machine_that_knows_everything_never_loses_on_the_page(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "");
    let mut rng = Pcg64Mcg::seed_from_u64(300);
    for machine in ["first", "second"] {
        page.go(&made.file(), &format!("#mode=knows&machine={machine}"));
        settled(&page);
        for _ in 0..10 {
            play_by_clicks(&page, |number| rng.random_range(0..number));
            assert_ne!(page.text("#status"), "You won!");
            page.click("#new");
            page.wait("menace.view.turn !== 'over'");
        }
        let went = page.value(&format!(
            "(async () => {{ const went = {{}}; let seed = {};
             const random = (below) => {{ seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor((seed / 2147483648) * below); }};
             for (let game = 0; game < 140; game += 1) {{
               let view = await menace.ask('new');
               while (view.turn !== 'over') view = view.turn === 'machine' ? (await menace.ask('draw')).view
                 : await menace.ask('play', {{ mv: view.moves[random(view.moves.length)].text }});
               const how = view.status.endsWith('You won!') ? 'you' : view.status.endsWith('A draw.') ? 'drawn' : 'machine';
               went[how] = (went[how] || 0) + 1;
             }} return went; }})()",
            rng.random_range(1..1_000_000)
        ));
        let [drawn, won] = ["drawn", "machine"].map(|how| went[how].as_u64().unwrap_or(0));
        assert_eq!((went.get("you"), drawn + won), (None, 140), "{went}");
        assert!(won > 70, "against chance it mostly wins: {went}");
    }
    page.close();
}

fn a_machine_learns_on_the_page_what_it_learns_in_the_program(chromium: PathBuf) {
    let (made, folder) = (Made::new(), Folder::new());
    let page = made.open(&chromium, "");
    for (settings, options) in [
        ("seed=7", "--opponent perfect --seed 7"),
        ("seed=3&opponent=random", "--opponent random --seed 3"),
        ("seed=5&opponent=self", "--opponent self --seed 5"),
        (
            "game=hexapawn&machine=second&beads=flat:1&reward=0,0,all&blame=last&empty=resign&seed=2",
            "--game hexapawn --machine second --beads flat:1 --reward 0,0,all --blame last --empty resign --opponent perfect --seed 2",
        ),
        (
            "game=morris&beads=scroggs&seed=11&opponent=random",
            "--game morris --beads scroggs --opponent random --seed 11",
        ),
    ] {
        page.go(&made.file(), &format!("#{settings}&speed=fast"));
        settled(&page);
        page.click("#train");
        // It can be watched: the games are not played all at once.
        page.wait("menace.view.progress.games > 0");
        page.wait("menace.view.progress.games === 100 && !menace.isBusy");
        folder.succeeds(&format!("train --games 100 {options} -o t.json --replace"));
        let saved = page.value("menace.ask('save').then((saved) => saved.text)");
        assert!(saved.as_str().unwrap() == folder.read_text("t.json"), "{settings}");
        assert!(page.text("#origin").starts_with("It has played 100 games against"), "{}", page.text("#origin"));
        assert_eq!(page.count("#last-ten .sign"), 10);
        assert_eq!(page.count("#curve path"), 3);
    }
    page.close();
}

fn a_machine_learns_from_a_person_and_the_program_goes_on(chromium: PathBuf) {
    let (made, folder) = (Made::new(), Folder::new());
    let page = made.open(&chromium, "#seed=9");
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for game in 1..=3 {
        play_by_clicks(&page, |number| rng.random_range(0..number));
        assert_eq!(page.value("menace.view.score.you + menace.view.score.drawn + menace.view.score.machine"), game);
        let changes = page.count("#changes li");
        assert!((2..=5).contains(&changes), "{changes} boxes changed");
        page.click("#new");
        page.wait("menace.view.turn !== 'over'");
        settled(&page);
    }
    let saved = page.value("menace.ask('save').then((saved) => saved.text)");
    let table: Value = serde_json::from_str(saved.as_str().unwrap()).unwrap();
    let lesson = &table["machines"]["first"]["lessons"][0];
    assert_eq!((&lesson["opponent"], lesson.get("seed")), (&json!("person"), None));
    folder.write("person.json", saved.as_str().unwrap());
    folder.succeeds("train --from person.json --opponent perfect --games 50 --seed 4 -o more.json");
    // What the program made goes on in the page.
    let file = made.write("more.json", folder.read_text("more.json").as_bytes());
    page.drop_file(&file);
    page.wait("menace.view.progress && menace.view.progress.games === 53 && !menace.isBusy");
    settled(&page);
    assert_eq!(page.text("#origin"), "It has played 3 games against you, then 50 games against a perfect player.");
    play_by_clicks(&page, |number| rng.random_range(0..number));
    assert_eq!(page.value("menace.view.progress.games"), 54);
    page.close();
}

fn a_move_can_be_taken_back_and_the_drawer_follows(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#mode=knows&machine=second");
    let start = settled(&page);
    assert_eq!(page.value("menace.view.drawer"), Value::Null);
    page.click("#board [data-cell=\"5\"]");
    page.wait("menace.view.history.length === 2");
    settled(&page);
    let opened = page.text("#drawer-name");
    assert!(opened.starts_with("The machine's open box, number 81"), "{opened}");
    page.click("#back");
    page.wait("menace.view.history.length === 0");
    assert_eq!(settled(&page), start);
    assert_eq!(page.value("menace.view.drawer"), Value::Null);
    assert_eq!(page.count("#tray .bead"), 0, "the old box is not in the drawer");
    assert_eq!(page.value("document.getElementById('back').disabled"), true);
    page.close();
}

fn beads_fly_if_motion_is_welcome(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#mode=knows&machine=second");
    page.emulate(&[("prefers-reduced-motion", "no-preference")]);
    page.click("#board [data-cell=\"5\"]");
    page.wait("document.querySelector('.flying') !== null");
    page.wait("document.querySelector('.flying') === null");
    settled(&page);
    assert_eq!(page.count("#board .mark"), 2);
    page.close();
}

fn the_machine_plays_at_the_level_that_is_chosen(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#mode=knows&machine=second");
    assert_eq!(page.text("#level"), "");
    page.click("#setup-open");
    assert_eq!(
        page.value("[...document.getElementById('set-level').options].map((option) => option.value).join(' ')"),
        " random 0.5 1 1.5 2 2.5 safe perfect fastest"
    );
    assert_eq!(page.value("document.getElementById('set-level').value"), "", "by default its beads decide");
    for (width, height) in [(1280, 900), (390, 844)] {
        for theme in ["light", "dark"] {
            page.resize(width, height);
            page.emulate(&[("prefers-reduced-motion", "reduce"), ("prefers-color-scheme", theme)]);
            page.value("document.getElementById('set-level').scrollIntoView({ block: 'center' })");
            page.screenshot(&format!("level-set-up-{width}-{theme}"));
        }
    }
    page.resize(1200, 1000);
    page.value("document.getElementById('set-level').value = '1'");
    page.click("#setup button[type=submit]");
    page.wait("menace.settings.get('level') === '1' && !menace.isBusy");
    settled(&page);
    assert_eq!(page.text("#heading"), "Can you beat level 1?");
    assert!(page.value("location.hash").as_str().unwrap().contains("level=1"), "a shared address has the level");
    let intro = page.text("#intro");
    assert!(intro.ends_with("It chooses from moves that stay in a box after round 1."), "{intro}");
    assert!(!intro.contains("the bead it draws"), "{intro}");
    for cell in [1, 9, 3] {
        if page.value(&format!("menace.view.moves.some((move) => move.to === {cell})")) == false {
            continue;
        }
        page.click(&format!("#board [data-cell=\"{cell}\"]"));
        page.wait("menace.view.history.length >= 2 && !menace.isBusy");
        settled(&page);
        let status = page.text("#status");
        assert!(status.contains("at level 1.") || status.contains("lasts longest"), "{status}");
        assert!(!status.contains("drew"), "{status}");
        assert_eq!(page.text("#drawer-name"), "Its choices at level 1, without a box");
        assert_eq!(page.value("document.getElementById('shelf').hidden"), true, "no box is opened");
        let drawn = page.value("menace.view.drawn");
        let bead = format!("#tray [data-move={drawn}]");
        assert_eq!(
            page.value(&format!("document.querySelector('{bead}').dataset.number")),
            "1",
            "{drawn} was a choice"
        );
    }
    for (width, height) in [(1280, 900), (390, 844)] {
        for theme in ["light", "dark"] {
            page.resize(width, height);
            page.emulate(&[("prefers-reduced-motion", "reduce"), ("prefers-color-scheme", theme)]);
            page.value("scrollTo(0, 0)");
            page.screenshot(&format!("level-{width}-{theme}"));
        }
    }
    // The address alone restores it; a machine that learns plays its beads.
    page.go(&made.file(), "#mode=knows&machine=second&level=perfect");
    settled(&page);
    assert_eq!(page.text("#heading"), "Can you beat level perfect?");
    assert_eq!(page.value("menace.view.level[0]"), "perfect");
    page.click("input[name=mode][value=learns]");
    page.wait("menace.view.mode === 'learns' && !menace.isBusy");
    settled(&page);
    assert_eq!((page.value("menace.view.level"), page.text("#level")), (Value::Null, String::new()));
    page.close();
}

fn fast_clicks_and_changes_of_mind_do_no_harm(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#speed=once");
    page.emulate(&[("prefers-reduced-motion", "no-preference")]);
    page.value("(() => { for (let click = 0; click < 3; click += 1) document.getElementById('new').click(); })()");
    page.wait("menace.view.history.length === 1 && menace.view.turn === 'you' && !menace.isBusy");
    // Of two cells at once, the first is played, and not the second for the machine.
    page.value("(() => { const [a, b] = menace.view.moves; for (const { to } of [a, b]) document.querySelector(`#board [data-cell=\"${to}\"]`).click(); })()");
    page.wait("menace.view.history.length === 3 && menace.view.turn === 'you' && !menace.isBusy");
    assert_eq!(page.value("document.getElementById('problem').hidden"), true, "{}", page.text("#problem"));
    // What was learned is still there after another mode and another game.
    page.click("#train");
    page.wait("menace.view.progress.games === 100 && !menace.isBusy");
    settled(&page);
    for (change, is_there) in [
        ("document.querySelector('input[name=mode][value=knows]').click()", "menace.view.mode === 'knows'"),
        ("document.querySelector('input[name=mode][value=learns]').click()", "menace.view.mode === 'learns'"),
        (
            "(() => { const pick = document.getElementById('game-pick'); pick.value = 'hexapawn'; pick.dispatchEvent(new Event('change')); })()",
            "menace.scene.name === 'hexapawn:3x3'",
        ),
        (
            "(() => { const pick = document.getElementById('game-pick'); pick.value = 'tictactoe'; pick.dispatchEvent(new Event('change')); })()",
            "menace.scene.name === '3x3x3'",
        ),
    ] {
        page.value(change);
        page.wait(&format!("{is_there} && !menace.isBusy"));
        settled(&page);
    }
    assert_eq!(page.value("menace.view.progress.games"), 100);
    // Another game ends a training, and begins with a machine that has played nothing.
    page.value(
        "(() => { document.getElementById('speed').value = 'slow'; document.getElementById('train').click(); })()",
    );
    page.wait("menace.view.progress.games > 100");
    page.value("(() => { const pick = document.getElementById('game-pick'); pick.value = 'morris'; pick.dispatchEvent(new Event('change')); })()");
    page.wait("menace.scene.name === 'morris' && !menace.isBusy");
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(page.value("[menace.view.progress.games, menace.isBusy]"), json!([0, false]));
    page.close();
}

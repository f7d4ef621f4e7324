//! What the page shows: proofs, tables, the cabinet, the map, labels, and the address.

use std::path::PathBuf;

use base64::Engine;
use menace::explain::explain;
use menace::kit::{KitPlan, kit};
use menace::{Aim, Board, Fate, Plan, Position, Side, Sides, games};
use serde_json::{Value, json};

use crate::Test;
use crate::browser::Page;
use crate::common::Folder;
use crate::made::{Made, bytes_of, settled, solved};

/// All tests of what the page shows.
pub const TESTS: &[Test] = &[
    ("every_line_of_proof_is_that_of_explain", every_line_of_proof_is_that_of_explain),
    ("tables_made_in_the_page_have_the_bytes_of_the_program", tables_made_in_the_page_have_the_bytes_of_the_program),
    ("a_missing_bead_is_explained_down_to_the_winning_row", a_missing_bead_is_explained_down_to_the_winning_row),
    ("the_slider_goes_through_the_rounds", the_slider_goes_through_the_rounds),
    ("the_cabinet_has_every_drawer_and_its_filters", the_cabinet_has_every_drawer_and_its_filters),
    ("map_labels_and_box_finder_work", map_labels_and_box_finder_work),
    ("an_address_restores_every_setting", an_address_restores_every_setting),
    ("what_makes_no_sense_is_refused_in_a_sentence", what_makes_no_sense_is_refused_in_a_sentence),
    ("the_library_in_the_page_is_that_of_the_sources", the_library_in_the_page_is_that_of_the_sources),
    ("long_work_can_be_stopped_and_nothing_is_lost", long_work_can_be_stopped_and_nothing_is_lost),
    ("the_page_fits_every_screen_and_can_be_read", the_page_fits_every_screen_and_can_be_read),
];

/// Asks the page for the proof of every bead of every box, and compares the moves with the library's.
fn every_line_of_proof_is_that_of_explain(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "");
    let mut compared = 0;
    for (name, aim) in [
        ("tictactoe", "safe"),
        ("hexapawn", "safe"),
        ("morris", "safe"),
        ("tictactoe", "trap"),
        ("tictactoe+misere", "win"),
    ] {
        page.go(&made.file(), &format!("#game={name}&mode=knows&aim={aim}"));
        settled(&page);
        let table = solved(name, Plan { aim: Aim::from_name(aim).unwrap(), ..Plan::default() });
        let (game, notation) = (table.game(), table.game().notation());
        for side in Side::BOTH {
            let boards: Vec<String> =
                table.machine(side).unwrap().to_boxes().unwrap().iter().map(|(board, _)| board.to_string()).collect();
            let asked = format!(
                "(async () => {{ const all = []; for (const board of {}) {{
                   const drawer = await menace.ask('drawer', {{ board, side: '{side}' }});
                   const proofs = await Promise.all(drawer.beads.map((bead) => menace.ask('why', {{ board, side: '{side}', mv: bead.text }})));
                   all.push(drawer.beads.map((bead, index) => [bead.text, bead.number, proofs[index].steps.map((step) => step.text)]));
                 }} return all; }})()",
                json!(boards)
            );
            let told = page.value(&asked);
            for (text, beads) in boards.iter().zip(told.as_array().unwrap()) {
                let at = Position::new(Board::parse(text, game.shape()).unwrap(), side);
                let explanation = explain(&table, at).unwrap();
                assert_eq!(beads.as_array().unwrap().len(), explanation.moves.len(), "{name}, {text}");
                for (bead, explained) in beads.as_array().unwrap().iter().zip(&explanation.moves) {
                    let line: Vec<String> = explained.line.iter().map(|&mv| notation.text(mv).to_string()).collect();
                    let number = match explained.fate {
                        Fate::Stays(number) => number,
                        Fate::Went(_) => 0,
                    };
                    assert_eq!(*bead, json!([notation.text(explained.mv).to_string(), number, line]), "{name}, {text}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 8_000, "{compared}");
    page.close();
}

fn tables_made_in_the_page_have_the_bytes_of_the_program(chromium: PathBuf) {
    let (made, folder) = (Made::new(), Folder::new());
    let page = made.open(&chromium, "");
    for (name, aim) in [
        ("tictactoe", "safe"),
        ("tictactoe", "trap"),
        ("hexapawn", "safe"),
        ("morris", "fastest"),
        ("pong-hau-ki", "safe"),
        ("notakto", "win"),
        ("wild", "safe"),
        ("tictactoe+misere", "win"),
        ("4x3x3", "safe"),
        ("4x3x3+gravity", "fastest"),
        ("hexapawn:4x3", "trap"),
        ("5x2x3", "safe"),
    ] {
        page.go(&made.file(), &format!("#game={name}&mode=knows&aim={aim}"));
        settled(&page);
        folder.succeeds(&format!("generate --game {name} --aim {aim} --symmetry -o t.json --replace"));
        let saved = page.value("menace.ask('save').then((saved) => saved.text)");
        assert!(saved.as_str().unwrap() == folder.read_text("t.json"), "{name}, {aim}");
    }
    page.close();
}

fn a_missing_bead_is_explained_down_to_the_winning_row(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#mode=knows&tab=cabinet");
    page.wait("document.querySelectorAll('.small-drawer').length > 0");
    page.click("#cabinet-sides input[value=second]");
    // The class of X.X/.../..O is kept under another of its boards.
    let table = solved("tictactoe", Plan::default());
    let board = Board::parse("X.X/.../..O", table.game().shape()).unwrap();
    let kept = table.classes().lowest(board).id().to_string();
    page.value(&format!("(() => {{ const f = document.getElementById('find-number'); f.value = '{kept}'; f.dispatchEvent(new Event('input')); }})()"));
    page.wait("document.querySelector('#opened-drawer .bead') !== null");
    assert!(page.text("#opened-drawer h3").starts_with(&format!("Box {kept}; banned in round 2")));
    page.click("#opened-drawer .bead[data-number=\"0\"]");
    page.wait("document.querySelector('#opened-drawer .claim') !== null");
    let claim = page.text("#opened-drawer .claim");
    assert!(claim.starts_with("Removed: round "), "{claim}");
    assert_eq!(page.text("#opened-drawer .end"), "X wins.");
    assert_eq!(page.count("#opened-drawer .steps li:last-child .wins"), 1, "the row is struck through");
    page.screenshot("proof");
    page.close();
}

fn the_slider_goes_through_the_rounds(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#mode=knows");
    let table = solved("tictactoe", Plan::default());
    for round in [0, 1, 2, 3, 4] {
        page.value(&format!("(() => {{ const s = document.getElementById('round'); s.value = {round}; s.dispatchEvent(new Event('input')); }})()"));
        page.wait(&format!("menace.view.rounds.now === {round} && !menace.isBusy"));
        let at = page.value("menace.ask('save').then((saved) => saved.text)");
        let then = table.after_round(round).unwrap();
        assert!(at.as_str().unwrap().as_bytes() == bytes_of(&then), "after round {round}");
    }
    // A bead that is still there but loses is not said to stay.
    page.value("menace.ask('round', { round: 0 })");
    let board = "100000000";
    let told = page.value(&format!("menace.ask('why', {{ board: '{board}', side: 'second', mv: '2' }})"));
    assert!(told["sentence"].as_str().unwrap().starts_with("Still there, but it will be removed: "), "{told}");
    page.close();
}

fn the_cabinet_has_every_drawer_and_its_filters(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#seed=1&tab=cabinet");
    page.wait("document.querySelectorAll('.small-drawer').length >= 121");
    let titles = page.value("[...document.querySelectorAll('#drawers h3')].map((h) => h.textContent)");
    assert_eq!(titles, json!(["Move 1 · 1 box", "Move 2 · 12 boxes", "Move 3 · 108 boxes", "Move 4 · 183 boxes"]));
    assert_eq!(page.text("#filter-all"), "all 304");
    assert_eq!(page.value("menace.ask('cabinet', { side: 'first' }).then((c) => c.groups.flatMap((g) => g.boxes).filter((b) => b.opened).length)"), 1);
    let changed = "menace.ask('cabinet', { side: 'first' }).then((c) => c.groups.flatMap((g) => g.boxes).filter((b) => b.changed).length)";
    assert_eq!(page.value(changed), 0);
    page.click("#show-play");
    page.value("(() => { document.getElementById('speed').value = 'once'; })()");
    page.click("#train");
    page.wait("menace.view.progress.games === 100 && !menace.isBusy");
    assert!(page.value(changed).as_u64().unwrap() > 20);
    page.click("#show-cabinet");
    page.wait("document.querySelectorAll('.small-drawer').length > 0");
    page.click("input[name=filter][value=losing]");
    assert!(page.count(".small-drawer .losing") > 0);
    // Arrow keys go from drawer to drawer and open them.
    page.value("document.querySelectorAll('.small-drawer')[1].focus()");
    page.press("ArrowRight");
    page.wait("document.querySelectorAll('.small-drawer')[2].classList.contains('open')");
    page.screenshot("cabinet");
    // Ten thousand drawers are listed, but only those in sight are drawn.
    page.go(&made.file(), "#game=4x3x3&tab=cabinet");
    page.wait("document.querySelectorAll('.small-drawer').length > 0");
    assert_eq!(page.text("#filter-all"), "all 10661");
    assert!(page.count(".small-drawer") < 2000);
    page.close();
}

fn map_labels_and_box_finder_work(chromium: PathBuf) {
    let plan = KitPlan { machines: Sides::FIRST, aim: Aim::Safe, opening: None, limit: None };
    let kit = kit(games::find("tictactoe").unwrap(), &plan, &()).unwrap().table;
    let made = Made::of(menace::draw::PagePlan { kits: &[kit], ..Default::default() });
    let page = made.open(&chromium, "#mode=knows&aim=fastest&tab=map");
    page.wait("document.querySelector('#map-picture svg') !== null");
    let table = solved("tictactoe", Plan { aim: Aim::Fastest, ..Plan::default() });
    let drawn = menace::draw::map(&table, Side::First).unwrap();
    assert_eq!(page.value("menace.ask('map', { side: 'first' }).then((drawn) => drawn.svg)"), json!(drawn.svg()));
    page.screenshot("map");
    // What has no map says so.
    page.go(&made.file(), "#game=morris&mode=knows&tab=map");
    page.wait("document.getElementById('map-about').textContent !== ''");
    assert!(page.text("#map-about").starts_with("There is no map here: "), "{}", page.text("#map-about"));
    page.go(&made.file(), "#tab=build");
    settled(&page);
    for (cell, times) in [(5, 1), (1, 2)] {
        for _ in 0..times {
            page.click(&format!("#real [data-cell=\"{cell}\"]"));
        }
    }
    page.wait("document.getElementById('found').textContent.includes('box 83')");
    assert!(page.text("#found .claim").starts_with(
        "Open box 83, among the boxes for move 2. Its label matches your board when it is turned upside down."
    ));
    // The real game is noted down, and the next one begins.
    page.click("#found .buttons button");
    page.click("#notes .buttons button:nth-child(3)");
    page.wait("document.getElementById('notes').textContent.includes('Game 1: the machine lost, with boxes 83.')");
    page.wait("document.getElementById('found').textContent.includes('box 0')");
    page.click("#make-labels");
    page.wait("document.querySelectorAll('.sheet').length > 0");
    assert!(page.text("#labels-about").starts_with("304 labels, "));
    page.click("#kit");
    page.click("#make-labels");
    page.wait("document.getElementById('labels-about').textContent.startsWith('19 labels, ')");
    page.screenshot("build");
    page.close();
}

fn an_address_restores_every_setting(chromium: PathBuf) {
    let made = Made::new();
    let address = "#game=hexapawn&machine=second&beads=flat:2&reward=2,1,-1&blame=last&empty=refill&seed=77&opponent=random\
                   &speed=slow&values=1&rings=1&chances=1&numbers=1&moves=a1a2.b3a2";
    let page = made.open(&chromium, address);
    let restored = |page: &Page| {
        page.value(
            "(() => { const v = (id) => document.getElementById(id); document.getElementById('setup-open').click();
               return [v('game-pick').value, document.querySelector('input[name=machine]:checked').value, v('set-beads').value,
                 v('set-win').value, v('set-draw').value, v('set-loss').value, v('set-blame').value, v('set-empty').value, v('set-seed').value,
                 v('opponent').value, v('speed').value, v('values').checked, v('rings').checked, v('chances').checked, v('numbers').checked,
                 menace.view.history.join('.')]; })()",
        )
    };
    let expected = json!([
        "hexapawn",
        "second",
        "flat:2",
        "2",
        "1",
        "-1",
        "last",
        "refill",
        "77",
        "random",
        "slow",
        true,
        true,
        true,
        true,
        "a1a2.b3a2"
    ]);
    assert_eq!(restored(&page), expected);
    let shared = page.value("location.hash");
    page.go(&made.file(), shared.as_str().unwrap());
    settled(&page);
    assert_eq!(restored(&page), expected, "{shared}");
    let table: Value =
        serde_json::from_str(page.value("menace.ask('save').then((saved) => saved.text)").as_str().unwrap()).unwrap();
    let taught = &table["machines"]["second"]["lessons"][0]["teaching"];
    assert_eq!(*taught, json!({ "beads": "flat:2", "reward": "2,1,-1", "blame": "last", "empty": "refill" }));
    for (address, mode, tab) in
        [("#mode=knows&aim=fastest&round=1&tab=cabinet", "knows", "cabinet"), ("#projector=1", "learns", "play")]
    {
        page.go(&made.file(), address);
        settled(&page);
        assert_eq!(page.value("[menace.view.mode, document.body.dataset.tab]"), json!([mode, tab]));
    }
    assert_eq!(page.value("document.body.classList.contains('projector')"), true);
    // The lessons of the set-up panel are one click away.
    page.go(&made.file(), "");
    settled(&page);
    page.click("#setup-open");
    page.click("[data-preset*=hexapawn]");
    page.wait("menace.scene.name === 'hexapawn:3x3' && !menace.isBusy");
    assert_eq!(
        page.value("location.hash"),
        "#game=hexapawn&machine=second&beads=flat:1&reward=0,0,all&blame=last&empty=resign"
    );
    page.close();
}

fn what_makes_no_sense_is_refused_in_a_sentence(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "");
    let whole = String::from_utf8(bytes_of(&solved("tictactoe", Plan::default()))).unwrap();
    let long = "x".repeat(300);
    for (content, part) in [
        ("no table".to_owned(), "is no table of menace"),
        ("{}".to_owned(), "is no table of menace"),
        (whole[..whole.len() / 2].to_owned(), "is no table of menace"),
        (whole.replacen("\"version\":1", "\"version\":9", 1), "is no table of menace"),
        (whole.replacen("\"3x3x3\"", "\"9x9x5\"", 1), "9x9x5"),
        (r#"{"format":"menace-table","version":1,"game":"3x3x3","aim":null,"symmetry":true,"banned_at_start":[],"machines":{}}"#.to_owned(), "dropped.json"),
    ] {
        let file = made.write("dropped.json", content.as_bytes());
        page.value("document.getElementById('problem').hidden = true");
        page.drop_file(&file);
        page.wait("!document.getElementById('problem').hidden");
        let told = page.text("#problem");
        assert!(told.contains(part) && told.ends_with('.') && told.len() < 400, "{told}");
        page.wait("!menace.isBusy");
        assert_eq!(page.value("menace.scene.name"), "3x3x3", "what was there stays");
    }
    for (address, part) in [
        ("#game=nonsense", "is not a game"),
        ("#game=6x6x4", "up to a million boards"),
        ("#beads=0", "beads"),
        ("#mode=sleeps", "learns or knows"),
        (&format!("#reward={long}"), "reward"),
        ("#moves=1.1", "cannot be made"),
    ] {
        page.go(&made.file(), address);
        settled(&page);
        let told = page.text("#problem");
        assert!(told.contains(part), "{address}: {told}");
        let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= 1200, "{wide} pixels");
    }
    page.close();
}

/// The page holds a library that was compiled earlier. If `MENACE_LIBRARY` names one that was compiled now, both must give the same
/// answers.
fn the_library_in_the_page_is_that_of_the_sources(chromium: PathBuf) {
    let Some(library) = std::env::var_os("MENACE_LIBRARY") else {
        eprintln!("skipped: no library to compare with; `.ci/run` builds one and names it in MENACE_LIBRARY");
        return;
    };
    let made = Made::new();
    let page = made.open(&chromium, "");
    let committed = answers(&page);
    let (html, new) = (std::fs::read_to_string(made.file()).unwrap(), std::fs::read(library).unwrap());
    let (before, rest) = html.split_once("id=\"wasm\">").unwrap();
    let (_, after) = rest.split_once("</script>").unwrap();
    let new = base64::engine::general_purpose::STANDARD.encode(new);
    std::fs::write(made.file(), format!("{before}id=\"wasm\">{new}</script>{after}")).unwrap();
    page.go(&made.file(), "");
    settled(&page);
    let built = answers(&page);
    for (at, (a, b)) in committed.iter().zip(&built).enumerate() {
        assert!(
            a == b,
            "answer {at}: the library in src/draw/page is not that of the sources; run .ci/page and commit it"
        );
    }
    assert!(committed.len() > 100 && committed.len() == built.len());
    page.close();
}

/// The answers to a long list of requests.
fn answers(page: &Page) -> Vec<String> {
    let told = page.value(
        "(async () => { const told = []; const ask = async (...asked) => { const answer = await menace.ask(...asked).catch((error) => error.message); told.push(JSON.stringify(answer)); return answer; };
           for (const game of ['tictactoe', 'hexapawn', 'morris', 'pong-hau-ki', 'notakto', 'wild', 'tictactoe+misere', '4x3x3+gravity', 'nonsense'])
             for (const settings of [{ game, seed: '3', rings: '1', values: '1' }, { game, mode: 'knows', machine: 'second' }]) {
               const opened = await ask('open', { settings, draws: 7, name: '' });
               if (!opened.view) continue;
               let view = opened.view;
               for (let moves = 0; moves < 20 && view.turn !== 'over'; moves += 1)
                 view = view.turn === 'machine' ? (await ask('draw')).view : await ask('play', { mv: view.moves[moves % view.moves.length].text });
               if (view.drawer) for (const bead of view.drawer.beads) await ask('why', { board: view.drawer.board, side: view.drawer.side, mv: bead.text });
               for (const opponent of ['perfect', 'random', 'self']) await ask('train', { games: 20, opponent });
               await ask('round', { round: 1 });
               for (const side of ['first', 'second']) { await ask('cabinet', { side }); await ask('map', { side }); await ask('labels', { side, paper: 'a4' }); await ask('find', { board: 'X' + '.'.repeat(opened.scene.points.length - 1), side }); }
               await ask('save');
             }
           return told; })()",
    );
    serde_json::from_value(told).unwrap()
}

fn long_work_can_be_stopped_and_nothing_is_lost(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#seed=4&speed=once");
    page.click("#train");
    page.wait("menace.view.progress.games === 100 && !menace.isBusy");
    let before = page.value("menace.ask('save').then((saved) => saved.text)");
    // A game that takes long enough to be stopped.
    page.value(
        "(() => { document.getElementById('setup-open').click(); document.getElementById('set-game').value = '5x4x3+gravity'; \
         document.getElementById('setup').requestSubmit(); })()",
    );
    page.wait("menace.isBusy");
    page.value("document.getElementById('busy-stop').click()");
    page.wait("menace.view.progress && menace.view.progress.games === 100 && !menace.isBusy");
    settled(&page);
    assert!(
        page.value("menace.ask('save').then((saved) => saved.text)") == before,
        "the machine is the one from before"
    );
    assert_eq!(page.value("menace.settings.has('game')"), false);
    // What takes long shows that it is at work.
    page.value("(() => { document.getElementById('set-game').value = '5x4x3+gravity'; document.querySelector('input[name=mode][value=knows]').checked = true; menace.ask('open', { settings: { game: '5x4x3+gravity', mode: 'knows' }, draws: 1, name: '' }); })()");
    page.wait("!document.getElementById('busy').hidden");
    page.wait("document.getElementById('busy').hidden");
    page.close();
}

fn the_page_fits_every_screen_and_can_be_read(chromium: PathBuf) {
    let made = Made::new();
    let page = made.open(&chromium, "#rings=1");
    for scheme in ["light", "dark"] {
        page.emulate(&[("prefers-reduced-motion", "reduce"), ("prefers-color-scheme", scheme)]);
        assert_readable(&page, scheme);
        for (width, height) in [(320, 640), (390, 664), (768, 1024), (1400, 900)] {
            page.resize(width, height);
            for tab in ["play", "cabinet", "map", "build"] {
                page.value(&format!("document.getElementById('show-{tab}').click()"));
                page.wait("!menace.isBusy");
                std::thread::sleep(std::time::Duration::from_millis(150));
                let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= width.into(), "{tab}: {wide} pixels on a screen of {width}");
                page.screenshot(&format!("{tab}-{scheme}-{width}"));
            }
            page.value("document.getElementById('show-play').click()");
            let small = page.value(
                "[...document.querySelectorAll('button, select, label, input:not([type=file])')].filter((e) => e.checkVisibility() && !e.closest('.board') && !e.closest('label > *'))
                 .filter((e) => { const { width, height } = e.getBoundingClientRect(); return width > 1 && (height < 43.5 && e.tagName !== 'INPUT'); }).map((e) => e.id || e.textContent)",
            );
            assert_eq!(small, json!([]), "touch targets at {width}");
        }
    }
    page.resize(390, 664);
    let seen = page.value("['board', 'tray', 'status'].map((id) => document.getElementById(id).getBoundingClientRect()).every(({ top, bottom }) => top >= 0 && bottom <= 664 - 44)");
    assert_eq!(seen, true, "board, status and drawer are seen together on a phone");
    let nameless = "[...document.querySelectorAll('button')].filter((b) => !(b.getAttribute('aria-label') || b.textContent.trim())).length";
    assert_eq!(page.value(nameless), 0, "every button has a name");
    page.close();
}

/// Asserts that letters contrast enough with every ground to be read, and lines enough to be seen.
fn assert_readable(page: &Page, scheme: &str) {
    let brightness = |name: &str| {
        let hex =
            page.value(&format!("getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()"));
        let hex = hex.as_str().unwrap().trim_start_matches('#').to_owned();
        let channels = [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0);
        let linear = channels.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    for ground in ["paper", "card", "floor"] {
        for (name, least) in [
            ("ink", 4.5),
            ("quiet", 4.5),
            ("you", 4.5),
            ("machine", 4.5),
            ("action", 4.5),
            ("win", 4.5),
            ("draw", 4.5),
            ("lose", 4.5),
            ("line", 3.5),
            ("wood", 3.5),
        ] {
            let (a, b) = (brightness(name), brightness(ground));
            let found = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(found >= least, "{name} on {ground}, {scheme}: {found:.2}");
        }
    }
}

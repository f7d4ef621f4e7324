//! The page's half of the library, asked as the page asks it.

use menace_web::App;
use serde_json::{Value, json};

/// Asks, and returns the answer or the error.
fn ask(app: &mut Option<App>, request: Value) -> Result<Value, String> {
    let answer: Value = serde_json::from_slice(&App::answer(app, request.to_string().as_bytes(), &())).unwrap();
    match &answer["error"] {
        Value::Null => Ok(answer["ok"].clone()),
        error => Err(error.as_str().unwrap().to_owned()),
    }
}

#[test]
fn every_game_to_choose_from_opens_in_both_modes() {
    let mut app = None;
    let opened = ask(&mut app, json!({ "open": { "settings": {}, "draws": 1 } })).unwrap();
    for game in opened["scene"]["games"].as_array().unwrap() {
        for mode in ["learns", "knows"] {
            let settings = json!({ "game": game[0], "mode": mode });
            let opened = ask(&mut app, json!({ "open": { "settings": settings, "draws": 1 } }));
            let opened = opened.unwrap_or_else(|error| panic!("{game}, {mode}: {error}"));
            assert_eq!(opened["view"]["mode"], mode, "{game}");
        }
    }
}

/// Opens a machine.
fn opened(settings: Value) -> Option<App> {
    let mut app = None;
    ask(&mut app, json!({ "open": { "settings": settings, "draws": 5 } })).unwrap();
    app
}

#[test]
fn every_label_lies_as_its_board_does_once_it_is_turned() {
    for game in ["tictactoe", "hexapawn", "morris", "pong-hau-ki", "4x3x3+gravity"] {
        let mut app = opened(json!({ "game": game, "mode": "knows" }));
        let scene =
            ask(&mut app, json!({ "open": { "settings": { "game": game, "mode": "knows" }, "draws": 5 } })).unwrap();
        let points: Vec<(f64, f64)> = serde_json::from_value(scene["scene"]["points"].clone()).unwrap();
        let (width, height): (f64, f64) = serde_json::from_value(scene["scene"]["size"].clone()).unwrap();
        let rules = menace::games::find(game).unwrap();
        let mut turned = 0;
        let positions = menace::search::position(&*rules, rules.start().board, Some(rules.start().to_move)).unwrap();
        let mut open = vec![positions];
        let mut seen = std::collections::HashSet::new();
        while let Some(at) = open.pop().filter(|_| seen.len() < 2000) {
            if !seen.insert(at) || rules.result(at).is_some() {
                continue;
            }
            open.extend(rules.moves(at).iter().map(|&mv| at.play(mv)));
            let asked = json!({ "drawer": { "board": at.board.to_string(), "side": at.to_move.name() } });
            let Ok(drawer) = ask(&mut app, asked) else { continue };
            let (label, board) = (drawer["label"].as_str().unwrap(), at.board.to_string());
            let Ok([a, b, c, d]) = serde_json::from_value::<[f64; 4]>(drawer["turn"].clone()) else {
                assert_eq!(label, board, "{game}");
                continue;
            };
            turned += 1;
            for (cell, (x, y)) in points.iter().enumerate() {
                let (x, y) = (x - width / 2.0, y - height / 2.0);
                let (x, y) = (a * x + c * y + width / 2.0, b * x + d * y + height / 2.0);
                let image = points.iter().position(|p| (p.0 - x).abs() + (p.1 - y).abs() < 1e-6).unwrap();
                assert_eq!(board.as_bytes()[cell], label.as_bytes()[image], "{game}: {board} and {label}");
            }
        }
        assert!(turned > 10, "{game}: {turned}");
    }
}

#[test]
fn beads_that_mirror_each_other_are_shown_as_ghosts() {
    let mut app = opened(json!({}));
    let drawer = ask(&mut app, json!({ "drawer": { "board": "000000000", "side": "first" } })).unwrap();
    let cells: Vec<(u64, Vec<u64>)> = drawer["beads"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bead| {
            let ghosts = bead["ghosts"].as_array().unwrap().iter().map(|ghost| ghost[1].as_u64().unwrap()).collect();
            (bead["to"].as_u64().unwrap(), ghosts)
        })
        .collect();
    assert_eq!(cells, [(1, vec![3, 7, 9]), (2, vec![4, 6, 8]), (5, vec![])]);
}

#[test]
fn a_game_that_is_lost_is_reviewed_and_learned_from() {
    let mut app = opened(json!({ "machine": "second" }));
    let mut view = ask(&mut app, json!("view")).unwrap();
    while view["turn"] != "over" {
        view = match view["turn"].as_str().unwrap() {
            "machine" => ask(&mut app, json!("draw")).unwrap()["view"].clone(),
            _ => ask(&mut app, json!({ "play": { "mv": view["moves"][0]["text"] } })).unwrap(),
        };
    }
    let learned = view["learned"]["changes"].as_array().unwrap();
    assert!(!learned.is_empty() && learned.iter().all(|change| change["before"] != change["after"]), "{view}");
    assert_eq!(view["progress"]["games"], 1);
    assert_eq!(view["can_go_back"], false, "what was learned cannot be taken back");
    match view["status"].as_str().unwrap() {
        status if status.ends_with("The machine won.") => {
            let sentence = view["review"]["sentence"].as_str().unwrap();
            assert!(sentence.starts_with("This move lost it: "), "{sentence}");
        }
        _ => assert_eq!(view["review"], Value::Null),
    }
}

#[test]
fn a_machine_without_a_first_bead_says_why_it_resigns() {
    let mut app = opened(json!({ "beads": "flat:1", "reward": "0,0,all", "empty": "resign" }));
    ask(&mut app, json!({ "train": { "games": 500, "opponent": "perfect" } })).unwrap();
    let reply = ask(&mut app, json!("draw")).unwrap();
    let status = reply["view"]["status"].as_str().unwrap();
    assert_eq!(status, "The first box is empty: each of its moves lost too often. The machine resigns. You won!");
}

#[test]
fn requests_that_make_no_sense_get_a_sentence() {
    let mut app = None;
    for request in ["view", "draw", "new"] {
        assert_eq!(ask(&mut app, json!(request)), Err("There is no machine yet.".to_owned()));
    }
    let mut app = opened(json!({}));
    for request in [
        json!("dance"),
        json!({ "play": { "mv": "10" } }),
        json!({ "why": { "board": "000000000", "side": "first", "mv": "99" } }),
        json!({ "why": { "board": "1", "side": "first", "mv": "1" } }),
        json!({ "drawer": { "board": "111111111", "side": "first" } }),
        json!({ "cabinet": { "side": "third" } }),
        json!({ "round": { "round": 1 } }),
        json!({ "train": { "games": 1, "opponent": "nobody" } }),
        json!({ "find": { "board": "XXXXXXXXX", "side": "first" } }),
        json!({ "labels": { "side": "second", "paper": "a4" } }),
        json!({ "labels": { "side": "first", "paper": "a0" } }),
        json!({ "open": { "settings": { "machine": "both" }, "draws": 1 } }),
        json!({ "open": { "settings": {}, "draws": 1, "table": "{", "name": "x.json" } }),
    ] {
        let error = ask(&mut app, request.clone()).expect_err(&request.to_string());
        let is_sentence = error.ends_with(['.', '!', '?']) && !error.contains("..");
        assert!(is_sentence && error.split_whitespace().count() > 3, "{request}: {error}");
    }
    assert_eq!(ask(&mut app, json!("view")).unwrap()["turn"], "machine", "the machine is still there");
}

/// Such a box used to end the page.
#[test]
fn an_empty_box_of_a_board_that_no_game_leads_to_does_no_harm() {
    let game = menace::games::find("hexapawn:1x5").unwrap();
    let mut text = Vec::new();
    menace::Table::generate(game, &menace::Plan::default(), &()).unwrap().write_json(&mut text, &()).unwrap();
    let text = String::from_utf8(text).unwrap();
    let forged = r#"{"id":171,"board":"20100","beads":{},"removed":{"a3a4":{"round":1,"why":"win"}},"banned":1}"#;
    let (rounds, rest) = text.split_once("\"boxes\":[\n").unwrap();
    let (first, others) = rest.split_once("]}").unwrap();
    let id = |line: &&str| line.strip_prefix("{\"id\":").unwrap().split(',').next().unwrap().parse::<u128>().unwrap();
    let mut boxes: Vec<&str> = first.lines().map(|line| line.trim().trim_end_matches(',')).collect();
    boxes.push(forged);
    boxes.sort_by_key(id);
    let altered = format!("{rounds}\"boxes\":[\n{}]}}{others}", boxes.join(",\n"));
    let mut app = None;
    ask(&mut app, json!({ "open": { "settings": {}, "draws": 1, "table": altered, "name": "t.json" } })).unwrap();
    ask(&mut app, json!({ "drawer": { "board": "20100", "side": "first" } })).unwrap();
    ask(&mut app, json!({ "cabinet": { "side": "first" } })).unwrap();
}

/// Plays a game in which a person makes the first move that there is, and returns every reply of the machine.
fn replies(app: &mut Option<App>) -> Vec<Value> {
    let mut found = Vec::new();
    let mut view = ask(app, json!("view")).unwrap();
    while view["turn"] != "over" {
        view = match view["turn"].as_str().unwrap() {
            "machine" => {
                found.push(ask(app, json!("draw")).unwrap());
                found[found.len() - 1]["view"].clone()
            }
            _ => ask(app, json!({ "play": { "mv": view["moves"][0]["text"] } })).unwrap(),
        };
    }
    found
}

#[test]
fn a_machine_at_a_level_chooses_what_the_library_says_and_opens_no_box() {
    let game = menace::games::find("tictactoe").unwrap();
    let table = menace::Table::generate(game.clone(), &menace::Plan::default(), &()).unwrap();
    for level in ["random", "0.5", "1", "2.5", "safe", "perfect", "fastest"] {
        let graded = menace::Graded::new(&table, level.parse().unwrap()).unwrap();
        let mut app = opened(json!({ "mode": "knows", "machine": "second", "level": level }));
        for reply in replies(&mut app) {
            let drawer = &reply["drawer"];
            let board = menace::Board::parse(drawer["board"].as_str().unwrap(), game.shape()).unwrap();
            let choice = menace::Policy::choose(&graded, &*game, menace::Position::new(board, menace::Side::Second));
            let choice = choice.unwrap();
            for bead in drawer["beads"].as_array().unwrap() {
                let weight =
                    choice.moves().iter().find(|(mv, _)| u64::from(mv.to.number()) == bead["to"]).map_or(0, |m| m.1);
                let share = weight as f64 / choice.total() as f64;
                assert!((bead["share"].as_f64().unwrap() - share).abs() < 1e-9, "level {level}: {bead}");
                assert_eq!(bead["number"], u64::from(weight > 0), "level {level}: {bead}");
                assert_eq!(bead["ghosts"], json!([]), "each move is chosen for itself");
            }
            let status = reply["view"]["status"].as_str().unwrap();
            let is_said =
                status.contains(&format!("chose {}, at level {level}.", reply["mv"]["name"].as_str().unwrap()));
            assert!(is_said || status.starts_with("Every move loses, so it plays what lasts longest:"), "{status}");
            assert!(!status.contains("drew"), "{status}");
            assert_eq!(reply["view"]["opened"], json!([]), "no box is opened");
            assert_eq!(reply["view"]["level"][0], level);
        }
        assert_eq!(ask(&mut app, json!("view")).unwrap()["heading"], format!("Can you beat level {level}?"));
        let cabinet = ask(&mut app, json!({ "cabinet": { "side": "second" } })).unwrap();
        assert!(!cabinet.to_string().contains("\"opened\":true"), "no box is opened");
    }
}

#[test]
fn the_levels_to_choose_from_are_those_of_the_game() {
    let scene = |settings: Value| {
        ask(&mut None, json!({ "open": { "settings": settings, "draws": 1 } })).unwrap()["scene"].clone()
    };
    let tictactoe = scene(json!({ "mode": "knows" }));
    assert_eq!(tictactoe["levels"], json!(["random", "0.5", "1", "1.5", "2", "2.5", "safe", "perfect", "fastest"]));
    assert_eq!((&tictactoe["settings"]["level"], &tictactoe["usual"]["level"]), (&json!(""), &json!("")));
    let chosen = scene(json!({ "mode": "knows", "level": "7.250" }));
    assert_eq!(chosen["settings"]["level"], "7.25");
    assert!(chosen["levels"].as_array().unwrap().contains(&json!("7.25")), "the level in force can be chosen");
    // A machine that learns has its beads, whatever the address says.
    let mut app = opened(json!({ "level": "safe" }));
    assert_eq!(ask(&mut app, json!("view")).unwrap()["level"], Value::Null);
    let refused = ask(&mut None, json!({ "open": { "settings": { "mode": "knows", "level": "best" }, "draws": 1 } }));
    let refused = refused.unwrap_err();
    assert!(refused.starts_with("The setting level is \"best\": a level is random, safe, perfect"), "{refused}");
}

/// The proof is about the game, since the bead of a level need not be in the box of the table.
#[test]
fn a_move_at_a_level_is_explained_by_the_rules() {
    let mut app = opened(json!({ "mode": "knows", "machine": "second", "level": "1" }));
    for (mv, told) in [("2", "If both play well: X wins."), ("4", "If both play well: X wins.")] {
        let why = ask(&mut app, json!({ "why": { "board": "101000002", "side": "second", "mv": mv } })).unwrap();
        assert_eq!(why["sentence"], told);
    }
}

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

//! Explaining boxes: every line is replayed using only the rules, and best play is compared with backward induction.

mod common;

use common::game;
use common::oracle::Oracle;
use menace::explain::{End, Explained, Explanation, explain};
use menace::stats::Stats;
use menace::{Aim, Board, Fate, Game, Outcome, Plan, Position, Side, Table, Verdict, Why};
use serde_json::Value as Json;

fn boxes(name: &str, plan: &Plan) -> Table {
    Table::generate_boxes(game(name), plan, &()).unwrap()
}

fn packed(name: &str, plan: &Plan) -> Table {
    Table::generate_packed(game(name), plan, &()).unwrap()
}

fn explain_all(table: &Table, mut visit: impl FnMut(Explanation)) {
    for side in table.machines().iter() {
        for (board, _) in table.machine(side).unwrap().to_boxes().unwrap().iter() {
            visit(explain(table, Position::new(board, side)).unwrap());
        }
    }
}

fn explain_board(table: &Table, board: &str, side: Side) -> Explanation {
    let board = Board::parse(board, table.game().shape()).unwrap();
    explain(table, Position::new(board, side)).unwrap()
}

fn to_json(table: &Table, explanation: &Explanation) -> Json {
    let mut text = Vec::new();
    explanation.write_json(&**table.game(), &mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

/// Plays a line of an explanation move by move. Asserts that it ends as stated and proves its point.
fn assert_line_proves(game: &dyn Game, explanation: &Explanation, explained: &Explained) {
    let machine = explanation.machine;
    let mut at = Position::new(explanation.board, machine);
    assert_eq!(explained.line[0], explained.mv);
    for mv in &explained.line {
        assert_eq!(game.result(at), None);
        assert!(game.moves(at).contains(mv), "{mv:?} on {}", at.board);
        at = at.play(*mv);
    }
    let result = game.result(at);
    let winner = result.and_then(|outcome| outcome.winner(at.to_move));
    match explained.end {
        End::Over(told, _) => assert!(result.is_some() && told == winner, "{explained:?} ends on {}", at.board),
        End::Repeats => assert!(game.goes_in_circles()),
        End::BannedAtStart | End::Open => panic!("{explained:?} proves nothing"),
    }
    let outcome = explained.worth.outcome;
    let due = match explained.fate {
        Fate::Stays(_) => outcome,
        Fate::Went(removal) => match removal.why {
            Why::Loses(_) | Why::Banned(_) => Outcome::Loss,
            Why::Draws | Why::Odds => Outcome::Draw,
            Why::Slow => Outcome::Win,
            Why::Win => outcome,
        },
    };
    assert_eq!(outcome, due, "{explained:?}");
    assert!(winner == due.winner(machine) || explained.end == End::Repeats, "{explained:?}");
}

#[test]
fn every_line_of_every_box_of_tic_tac_toe_ends_on_a_finished_board() {
    for (aim, symmetry) in Aim::ALL.into_iter().flat_map(|aim| [(aim, false), (aim, true)]) {
        let table = boxes("3x3x3", &Plan { aim, symmetry, ..Plan::default() });
        let mut lines = 0;
        explain_all(&table, |explanation| {
            for explained in &explanation.moves {
                assert_line_proves(&**table.game(), &explanation, explained);
                let End::Over(winner, row) = explained.end else { panic!("tic-tac-toe ends") };
                assert_eq!(winner.is_some(), row.count_ones() == 3, "a row is marked if there is one");
                assert!(winner.is_some() || row == 0);
                lines += 1;
            }
        });
        assert_eq!(lines, if symmetry { 1121 + 975 } else { 8631 + 7536 });
    }
}

#[test]
fn packed_tables_explain_boxes_like_json() {
    for name in ["3x3x3", "3x3x3+misere", "3x3x3+gravity", "4x3x3+gravity"] {
        for aim in [Aim::Safe, Aim::Win, Aim::Fastest] {
            let plan = Plan { aim, ..Plan::default() };
            let (whole, packed) = (boxes(name, &plan), packed(name, &plan));
            explain_all(&packed, |explanation| {
                let game = &**packed.game();
                explanation.moves.iter().for_each(|explained| assert_line_proves(game, &explanation, explained));
                let same = explain(&whole, Position::new(explanation.board, explanation.machine)).unwrap();
                assert_eq!(same.verdict.outcome, explanation.verdict.outcome);
                assert!(same.matchbox.agrees_with(&explanation.matchbox), "{name} {}", explanation.board);
            });
        }
    }
}

#[test]
fn packed_tables_with_depths_explain_the_same_lines_as_json() {
    for name in ["3x3x3", "3x3x3+misere", "4x2x3+gravity"] {
        for (aim, symmetry) in [(Aim::Safe, false), (Aim::Win, true), (Aim::Fastest, false)] {
            let plan = Plan { aim, symmetry, depths: true, ..Plan::default() };
            let (whole, packed) = (boxes(name, &plan), packed(name, &plan));
            explain_all(&packed, |explanation| {
                let same = explain(&whole, Position::new(explanation.board, explanation.machine)).unwrap();
                assert_eq!(same.verdict, explanation.verdict, "{name} {}", explanation.board);
                for (ours, theirs) in explanation.moves.iter().zip(&same.moves) {
                    assert_eq!((&ours.line, ours.end, ours.worth), (&theirs.line, theirs.end, theirs.worth));
                }
            });
        }
    }
}

#[test]
fn lines_of_other_games_run_to_the_end() {
    for name in ["hexapawn", "morris", "pong-hau-ki", "notakto", "3x3x3+misere"] {
        let game = game(name);
        for aim in Aim::ALL.into_iter().filter(|aim| aim.suits(&*game)) {
            let table = boxes(name, &Plan { aim, ..Plan::default() });
            explain_all(&table, |explanation| {
                explanation.moves.iter().for_each(|explained| assert_line_proves(&*game, &explanation, explained));
            });
        }
    }
}

/// Whether the line of a bead is best play rather than a refutation by a reply.
fn is_best_play(explained: &Explained) -> bool {
    match explained.fate {
        Fate::Stays(_) => true,
        Fate::Went(removal) => matches!(removal.why, Why::Win | Why::Draws | Why::Slow | Why::Odds),
    }
}

fn knows_depths(table: &Table) -> bool {
    !table.is_packed() || table.has_rounds()
}

/// A verdict as a table without depths knows it: who wins, and the number of moves only if it is at most `few`.
fn without_depth(verdict: Verdict, few: u32) -> Verdict {
    Verdict { depth: verdict.depth.filter(|&depth| depth <= few), ..verdict }
}

/// Plays a line of best play. Asserts that each move after the bead is a best one and that the game ends with the line.
fn assert_best_play(table: &Table, oracle: &Oracle, explanation: &Explanation, explained: &Explained) {
    let game = &**table.game();
    let worth = |at: Position| {
        let worth = oracle.get(at).before_move();
        if knows_depths(table) { worth } else { without_depth(worth, 2) }
    };
    let mut at = Position::new(explanation.board, explanation.machine).play(explained.mv);
    for &mv in &explained.line[1..] {
        assert_eq!(game.result(at), None, "{explained:?} continues after the end of the game");
        let best = game.moves(at).into_iter().map(|mv| worth(at.play(mv))).max();
        assert_eq!(Some(worth(at.play(mv))), best, "{mv:?} on {} is not best: {explained:?}", at.board);
        at = at.play(mv);
    }
    let winner = game.result(at).expect("the line ends when the game does").winner(at.to_move);
    assert!(matches!(explained.end, End::Over(told, _) if told == winner), "{explained:?}");
}

/// Asserts for every box of a table that its verdicts match backward induction and that best play is best. Returns the number
/// of boxes.
fn assert_all_best(table: &Table, oracle: &Oracle) -> usize {
    let mut boxes = 0;
    explain_all(table, |explanation| {
        boxes += 1;
        let at = Position::new(explanation.board, explanation.machine);
        let told = |verdict: Verdict| if knows_depths(table) { verdict } else { without_depth(verdict, 0) };
        assert_eq!(explanation.verdict, told(oracle.get(at)));
        for explained in &explanation.moves {
            let after = told(oracle.get(at.play(explained.mv)));
            assert_eq!(explained.worth, Verdict { outcome: after.outcome.for_the_other(), ..after });
            if is_best_play(explained) {
                assert_best_play(table, oracle, &explanation, explained);
            }
        }
    });
    boxes
}

#[test]
fn best_play_is_best_on_every_board() {
    for (name, unfinished) in [("3x3x3", 4520), ("hexapawn", 135 - 65), ("4x2x3+gravity", 593)] {
        let game = game(name);
        let oracle = Oracle::new(&*game);
        assert_eq!(oracle.unfinished(&*game).count(), unfinished, "{name}");
        for aim in Aim::ALL {
            let plan = Plan { aim, ..Plan::default() };
            assert_eq!(assert_all_best(&boxes(name, &plan), &oracle), unfinished, "{name}");
            for depths in [false, true].into_iter().filter(|_| game.as_rows().is_some() && aim != Aim::Trap) {
                let packed = packed(name, &Plan { depths, ..plan.clone() });
                assert_eq!(assert_all_best(&packed, &oracle), unfinished, "{name}");
            }
        }
    }
}

#[test]
fn a_table_without_depths_finds_an_immediate_win() {
    let table = packed("3x3x3", &Plan::default());
    let explanation = explain_board(&table, "010220101", Side::Second);
    let notation = table.game().notation();
    // This used to be 1 6 3 8.
    assert_eq!(notation.list(explanation.moves[0].line.iter().copied()), "1 8");
    assert!(matches!(explanation.moves[0].end, End::Over(Some(Side::First), _)));
}

#[test]
fn a_draw_has_no_depth_in_json() {
    let plan = |depths| Plan { depths, ..Plan::default() };
    for table in [boxes("3x3x3", &plan(false)), packed("3x3x3", &plan(false)), packed("3x3x3", &plan(true))] {
        let (mut draws, mut outlooks) = (0, 0);
        explain_all(&table, |explanation| {
            let json = to_json(&table, &explanation);
            if json["verdict"] == "draw" {
                assert_eq!(json["depth"], Json::Null, "{json}");
                draws += 1;
            }
            for outlook in json["outlook"].as_object().unwrap().values().filter(|outlook| outlook["verdict"] == "draw")
            {
                assert_eq!(outlook["depth"], Json::Null, "{json}");
                outlooks += 1;
            }
        });
        // 16 of the 1068 drawn boards are full.
        assert_eq!(draws, 1052);
        assert!(outlooks > draws);
        let stats = serde_json::to_value(Stats::of(&table, &()).unwrap()).unwrap();
        assert_eq!(stats["start"], serde_json::json!({"verdict": "draw", "depth": null}));
    }
    let won = serde_json::to_value(Stats::of(&boxes("4x3x3", &plan(false)), &()).unwrap()).unwrap();
    assert_eq!(won["start"], serde_json::json!({"verdict": "win", "depth": 7}));
}

#[test]
fn a_line_to_a_board_banned_from_the_start_ends_there() {
    let ban = vec![Board::parse("X...O....", game("3x3x3").shape()).unwrap()];
    let table = boxes("3x3x3", &Plan { ban, ..Plan::default() });
    let explanation = explain(&table, table.game().start()).unwrap();
    let corner = &explanation.moves[0];
    assert!(matches!(corner.fate, Fate::Went(removal) if removal.round == Some(1)));
    assert_eq!((corner.end, corner.line.len()), (End::BannedAtStart, 2));
}

"""Tables: verdicts, moves, beads, players, training, files."""

from __future__ import annotations

import collections.abc
import json
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import slow_value

import pymenace as menace


def test_a_table_is_a_mapping(tictactoe: menace.Table) -> None:
    assert isinstance(tictactoe, collections.abc.Mapping)
    boards = list(tictactoe)
    assert len(boards) == len(tictactoe) == len(set(boards)) == 5478
    assert all(board in tictactoe for board in boards[::7])
    assert dict(zip(boards[:50], tictactoe.values())) == {b: tictactoe[b] for b in boards[:50]}
    assert list(tictactoe.keys()) == boards
    assert sum(1 for _ in tictactoe.items()) == 5478
    assert tictactoe.get("XX./.../...") is None and tictactoe.get("nonsense", 5) == 5
    assert "nonsense" not in tictactoe and 7 not in tictactoe and None not in tictactoe
    with pytest.raises(KeyError, match="take turns"):
        tictactoe["XX./.../..."]
    with pytest.raises(KeyError, match="character 1 of"):
        tictactoe["nonsense"]
    with pytest.raises(KeyError):
        tictactoe[menace.Game("4x3x3").board()]


@pytest.mark.parametrize("name", ["tictactoe", "3x3x3+misere", "4x3x3+gravity", "hexapawn", "notakto", "wild"])
def test_values_agree_with_plain_minimax(name: str) -> None:
    table, known = menace.solve(name), {}
    start = table.game.board()
    slow_value(start, known)
    assert set(known) == set(table), "the same boards occur"
    for board, value in known.items():
        verdict = table[board]
        assert verdict.value == value
        assert (verdict.depth is None) == (value == 0)
        assert (verdict.depth == 0) == (board.is_over and value != 0)
        moves = table.moves(board)
        assert set(moves) == set(board.moves)
        for move, after in moves.items():
            assert after.value == -known[board.play(move)] and after.depth == table[board.play(move)].depth
        worths = [after.value for after in moves.values()]
        assert worths == sorted(worths, reverse=True)


@pytest.mark.parametrize("name", ["tictactoe", "4x3x3", "hexapawn", "morris"])
def test_the_program_says_the_same_of_every_board(name: str, program: str, tmp_path: Path) -> None:
    table = menace.solve(name, aim="safe")
    boards = list(table)
    lines = "".join(f"{board} {board.turn}\n" if name in ("hexapawn", "morris") else f"{board}\n" for board in boards)
    answers = subprocess.run(
        [program, "probe", "--game", name, "--moves"], input=lines, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert len(answers) == len(boards)
    points = {"win": 1, "draw": 0, "loss": -1}
    for board, line in zip(boards, answers):
        answer = json.loads(line)
        assert "error" not in answer, (str(board), line)
        verdict = table[board]
        assert (points[answer["verdict"]], answer["depth"]) == verdict
        assert answer["over"] == board.is_over
        found = {move: (points[after["verdict"]], after["depth"]) for move, after in answer["moves"].items()}
        assert found == table.moves(board)
        if not board.is_over:
            assert {move: after["beads"] for move, after in answer["moves"].items() if after["beads"]} == table.beads(board)
    for board in random.Random(1).sample([board for board in boards if not board.is_over], 40):
        turn = ["--to-move", board.turn] if name in ("hexapawn", "morris") else []
        explained = subprocess.run(
            [program, "explain", "--json", "--game", name, *turn, str(board)], capture_output=True, text=True, check=True
        ).stdout
        answer = json.loads(explained)
        assert (points[answer["verdict"]], answer["depth"]) == table[board]
        assert answer["beads"] == table.beads(board)


def test_packed_tables_answer_as_tables_with_boxes(tmp_path: Path, program: str) -> None:
    whole = menace.solve("4x3x3+gravity", aim="safe")
    for options, depths in [([], False), (["--depths"], True), (["--depths", "--symmetry"], True)]:
        path = tmp_path / f"{len(options)}.menace"
        subprocess.run(
            [program, "generate", "--game", "4x3x3+gravity", *options, "-o", path], check=True, capture_output=True
        )
        again = path.with_name("again.menace")
        menace.open(path).save(again)
        assert again.read_bytes() == path.read_bytes()
        for load in [False, True]:
            packed = menace.open(path, load=load)
            assert (packed.has_depths, len(packed)) == (depths, len(whole))
            for board in whole:
                verdict = packed[board]
                assert verdict.value == whole[board].value
                assert verdict.depth == (whole[board].depth if depths or board.is_over else None)
                if not board.is_over and "--symmetry" not in options:
                    assert packed.beads(board) == whole.beads(board)


def test_levels_and_players(tictactoe: menace.Table) -> None:
    assert tictactoe.levels[0] == "random" and tictactoe.levels[-1] == "fastest"
    for level in tictactoe.levels:
        player = tictactoe.player(level, seed=3)
        assert player.level == level
        probabilities = player.probabilities(".../.X./...")
        assert sum(probabilities.values()) == 1 and all(isinstance(p, Fraction) for p in probabilities.values())
    one, two = (tictactoe.player("random", seed=9) for _ in range(2))
    assert [one(tictactoe.game.board()) for _ in range(20)] == [two(tictactoe.game.board()) for _ in range(20)]
    assert tictactoe.player(0.25).probabilities("X.X/.../..O")["2"] == Fraction(1, 4) + Fraction(3, 4) / 6
    beads = tictactoe.player(None)
    assert beads.level is None and set(beads.probabilities(".../.X./...")) == {"1", "3", "7", "9"}
    for wrong in ["best", "-1", -1, float("nan"), float("inf"), 10**9]:
        with pytest.raises(ValueError, match="a level is random, safe, perfect"):
            tictactoe.player(wrong)  # type: ignore[arg-type]
    for wrong_type in [True, [], object()]:
        with pytest.raises(TypeError):
            tictactoe.player(wrong_type)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the game is over"):
        tictactoe.player()("XXX/OO./...")
    for seed in [-1, 2**64, 1.5, True, "7"]:
        with pytest.raises(ValueError, match="a seed is a whole number"):
            tictactoe.player(seed=seed)  # type: ignore[arg-type]


def test_a_trained_machine_without_a_bead_resigns() -> None:
    options = {"beads": "flat:1", "reward": "0,0,all", "blame": "every", "empty": "resign"}
    machine = menace.train("hexapawn", side="first", games=200, opponent="perfect", seed=1, **options)  # type: ignore[arg-type]
    player = machine.player(None)
    assert player(machine.game.board()) is None and player.probabilities(machine.game.board()) == {}
    assert player.game == machine.game
    with pytest.raises(KeyError, match="no boxes for the second machine"):
        machine.beads("OOO/X../.XX")


def test_perfect_never_loses_to_random(tictactoe: menace.Table) -> None:
    perfect, rand = tictactoe.player("perfect", seed=1), tictactoe.player("random", seed=2)
    for game in range(1000):
        sides = {"first": perfect, "second": rand} if game % 2 == 0 else {"first": rand, "second": perfect}
        board = tictactoe.game.board()
        while not board.is_over:
            board = board.play(sides[board.turn](board))
        assert board.winner is None or sides[board.winner] is perfect


def test_trained_tables_have_the_bytes_of_the_program(tmp_path: Path, program: str) -> None:
    for options, arguments in [
        ({"games": 500, "seed": 7}, ["--games", "500", "--seed", "7"]),
        ({"games": 300, "seed": 3, "opponent": "perfect"}, ["--games", "300", "--seed", "3", "--opponent", "perfect"]),
        ({"games": 300, "seed": 3, "opponent": "self"}, ["--games", "300", "--seed", "3", "--opponent", "self"]),
        (
            {"game": "hexapawn", "side": "second", "games": 50, "seed": 1, "beads": "flat:1", "reward": "0,0,all",
             "blame": "last", "empty": "resign"},
            ["--game", "hexapawn", "--machine", "second", "--games", "50", "--seed", "1", "--beads", "flat:1", "--reward",
             "0,0,all", "--blame", "last", "--empty", "resign"],
        ),
    ]:  # fmt: skip
        theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
        subprocess.run([program, "train", *arguments, "-o", theirs, "--replace"], check=True, capture_output=True)
        menace.train(**options).save(ours)  # type: ignore[arg-type]
        assert ours.read_bytes() == theirs.read_bytes()


def test_training_against_any_agent() -> None:
    for opponent in [0.5, lambda board: board.moves[0], menace.solve().player("safe"), menace.solve(aim="safe")]:
        machine = menace.train(games=50, opponent=opponent, seed=1)
        assert machine.aim is None and machine.machines == ("first",)
    with pytest.raises(ValueError, match="a level is"):
        menace.train(opponent="strong")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="reward"):
        menace.train(reward="many")


def test_saving_and_opening(tmp_path: Path, tictactoe: menace.Table) -> None:
    path = tmp_path / "t.json"
    tictactoe.save(path)
    again = menace.open(str(path))
    assert len(again) == 5478 and again.aim == "win" and again["X.X/.../..O"] == (-1, 4)
    assert again.beads(".../.X./...") == tictactoe.beads(".../.X./...")
    with pytest.raises(ValueError, match=r"ends in \.json"):
        tictactoe.save(tmp_path / "t.menace")
    with pytest.raises(FileNotFoundError, match="nothing.json"):
        menace.open(tmp_path / "nothing.json")
    with pytest.raises(OSError):
        tictactoe.save(tmp_path / "no" / "folder" / "t.json")
    text = path.read_bytes()
    for damaged in [b"", text[: len(text) // 2], b"{}", b"\xff" * 100, text.replace(b"3x3x3", b"9x9x9")]:
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="t.json: "):
            menace.open(path)


def test_explanations(tictactoe: menace.Table) -> None:
    text = tictactoe.explain("X.X/.../..O")
    assert text.startswith("X.X/.../..O, O to move: lost in 4 moves, banned in round 2\n- 2  removed: round 2, reply 7")
    assert "(2 7 4 5: X wins)" in text
    with pytest.raises(KeyError, match="over"):
        tictactoe.explain("XXX/OO./...")


def test_what_does_not_fit_says_what_it_would_take() -> None:
    with pytest.raises(MemoryError, match="GiB of memory, but only"):
        menace.solve("connect4")
    with pytest.raises(ValueError, match="safe, win, fastest or trap"):
        menace.solve(aim="best")  # type: ignore[arg-type]


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    menace.solve("5x5x4+gravity", progress=lambda *step: told.append(step))
    assert told and all(steps is None or done <= steps for _, done, steps in told)

    def fails(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        menace.solve("5x5x4+gravity", progress=fails)


def test_ctrl_c_stops_long_work() -> None:
    script = (
        "import os, signal, threading, time, pymenace\n"
        "threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "began = time.time()\n"
        "try:\n"
        "    pymenace.train('4x3x3', games=2_000_000_000, seed=1)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.stdout == "stopped\n", done.stderr


def test_reviews(tictactoe: menace.Table) -> None:
    steps = tictactoe.review([4, "2", 0])
    assert [(step.move, step.before.value, step.after.value) for step in steps] == [("5", 0, 0), ("2", 0, -1), ("1", 1, 1)]
    assert steps[1].board == tictactoe.game.board(".../.X./...")
    refutation = tictactoe.score(lambda board: board.moves[0], side="first").refutation
    assert refutation
    game = tictactoe.review(refutation)
    assert [step.board for step in game] == refutation[:-1] and game[-1].after == (1, 0)
    with pytest.raises(ValueError, match='"5" is not a legal move'):
        tictactoe.review(["5", "5"])
    with pytest.raises(ValueError, match="does not follow from board"):
        tictactoe.review([refutation[-1]])
    with pytest.raises(ValueError, match="a board of tictactoe was expected"):
        tictactoe.review([menace.Game("3x3x3+misere").board().play(0)])


def test_verdicts_are_ordered_by_what_they_are_worth() -> None:
    best_first = [(1, 0), (1, 3), (1, None), (0, None), (-1, None), (-1, 4), (-1, 2)]
    verdicts = [menace.Verdict(*fields) for fields in best_first]
    assert sorted(verdicts, reverse=True) == verdicts and max(verdicts) == (1, 0)
    assert all(better > worse and worse < better and better >= worse for better, worse in zip(verdicts, verdicts[1:]))


def test_numpy_integers_are_levels_and_moves(tictactoe: menace.Table) -> None:
    assert tictactoe.player(np.int64(2)).level == 2  # type: ignore[arg-type]
    for number in (np.float64(2.5), np.float32(2.5), np.float16(2.5)):
        assert tictactoe.player(number).level == 2.5  # type: ignore[arg-type]
    assert menace.__version__.count(".") == 2


def test_where_the_turn_is_missing_it_is_asked_for() -> None:
    table = menace.solve("morris")
    for ask in [lambda: table["XX./X.O/.OO"], lambda: "XX./X.O/.OO" in table, lambda: table.get("XX./X.O/.OO")]:
        with pytest.raises(ValueError, match='give turn="first"'):
            ask()
    assert table["XX./X.O/.OO second"].value == 1

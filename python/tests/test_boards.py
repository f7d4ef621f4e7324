"""Games and boards: what can be given, what is refused, and that nothing changes."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import pymenace as menace


def test_a_board_can_be_given_in_every_way() -> None:
    game = menace.Game("tictactoe")
    cells = [1, 0, 1, 2, 0, 1, 0, 0, 2]
    boards = [
        game.board("X.X/O.X/..O"),
        game.board("101201002"),
        game.board("id:7805"),
        game.board(cells),
        game.board(tuple(cells)),
        game.board([cells[0:3], cells[3:6], cells[6:9]]),
        game.board(np.array(cells)),
        game.board(np.array(cells, dtype=np.uint64).reshape(3, 3)),
        game.board(np.asfortranarray(np.array(cells, dtype=np.int8).reshape(3, 3))),
        game.board(game.board("X.X/O.X/..O")),
    ]
    assert len(set(boards)) == 1
    assert boards[0].id == 7805
    assert str(boards[0]) == "X.X/O.X/..O"
    assert repr(boards[0]) == "Game('tictactoe').board('X.X/O.X/..O')"
    assert eval(repr(boards[0]), {"Game": menace.Game}) == boards[0]


@pytest.mark.parametrize(
    ("given", "error", "part"),
    [
        ("XX./.../...", ValueError, "take turns"),
        ("XXX/OOO/...", ValueError, "after a row was made"),
        ("X.", ValueError, "9 cells was expected"),
        ("X.X/O.X/..3", ValueError, "character 11"),
        ([0] * 8, ValueError, "9 cells was expected, found 8"),
        ([0] * 8 + [3], ValueError, "cell 9 is 3"),
        ([0] * 8 + [-1], ValueError, "cell 9 is -1"),
        ([0] * 8 + [0.5], TypeError, "found float"),
        (np.zeros(9), TypeError, "found float"),
        (np.zeros((9, 1), int), ValueError, "3 rows of 3 cells were expected, found 9 rows"),
        ([[1, 0], [0] * 7], ValueError, "3 rows of 3 cells"),
        ([[0] * 3] * 4, ValueError, "found 4 rows"),
        (7, TypeError, "found int"),
        (None, None, ""),
        (object(), TypeError, "found object"),
        ([[[0]]] * 9, ValueError, "3 rows of 3"),
        ([[[0]] * 3] * 3, TypeError, "a cell is 0, 1 or 2"),
        ("\x00" * 9, ValueError, "character 1"),
        ("X" * 1_000_000, ValueError, "has 1000000"),
    ],
)
def test_what_is_no_board_is_refused_with_a_sentence(given: object, error: type[Exception] | None, part: str) -> None:
    game = menace.Game("tictactoe")
    if error is None:
        assert game.board(given) == game.board()  # type: ignore[arg-type]
        return
    with pytest.raises(error, match=part) as raised:
        game.board(given)  # type: ignore[arg-type]
    assert len(str(raised.value)) < 400


def test_moves_are_names_or_actions() -> None:
    board = menace.Game("4x3x3+gravity").board()
    assert (board.moves, board.actions) == (("9", "10", "11", "12"), (0, 1, 2, 3))
    assert board.play("9", 0, np.int64(0)) == board.play(0, "5", "1")
    with pytest.raises(ValueError, match="action 3 is not a legal move"):
        board.play(3, 3, 3, 3)
    with pytest.raises(ValueError, match="the legal actions are 0 1 2 3"):
        board.play(99)
    with pytest.raises(ValueError, match="action -1 is not"):
        board.play(-1)
    with pytest.raises(TypeError, match="found float"):
        board.play(1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bool"):
        board.play(True)
    with pytest.raises(ValueError, match="legal"):
        board.play(10**30)


def test_the_end_of_a_game() -> None:
    board = menace.Game("tictactoe").board().play("1", "4", "2", "5", "3")
    assert (board.is_over, board.winner, board.moves, board.turn) == (True, "first", (), "second")
    with pytest.raises(ValueError, match="the game is over"):
        board.play("9")
    assert menace.Game("tictactoe").board("XOX/XOO/OXX").winner is None


@pytest.mark.parametrize(
    ("name", "actions"),
    [("tictactoe", 9), ("connect4", 7), ("5x4x4", 20), ("hexapawn", 14 * 2), ("notakto", 9), ("wild", 18)],
)
def test_actions_number_the_moves(name: str, actions: int) -> None:
    assert menace.Game(name).actions == actions


@pytest.mark.parametrize("name", ["hexapawn", "morris", "pong-hau-ki", "wild", "notakto", "3x4x3+gravity"])
def test_every_action_is_one_move(name: str) -> None:
    board = menace.Game(name).board()
    seen = {board}
    for _ in range(40):
        if board.is_over:
            break
        assert len(set(board.actions)) == len(board.moves)
        assert [board.play(action) for action in board.actions] == [board.play(move) for move in board.moves]
        board = board.play(board.actions[-1])
        seen.add(board)
    assert len(seen) > 2


def test_where_either_side_may_move_the_turn_is_asked_for() -> None:
    game = menace.Game("morris")
    board = next(b for b in menace.solve("morris") if "turn=" in repr(b))
    with pytest.raises(ValueError, match="either side may be to move"):
        game.board(str(board))
    assert game.board(str(board), turn=board.turn) == board
    assert game.board(f"{board} {board.turn}") == board
    other = "second" if board.turn == "first" else "first"
    assert game.board(str(board), turn=other) != board  # type: ignore[arg-type]


def test_boards_are_values() -> None:
    board = menace.Game("hexapawn").board()
    for made in [pickle.loads(pickle.dumps(board)), copy.copy(board), copy.deepcopy(board)]:
        assert made == board and hash(made) == hash(board)
    assert pickle.loads(pickle.dumps(board.game)) == board.game
    assert board != menace.Game("tictactoe").board() and board != "X"
    with pytest.raises(AttributeError):
        board.turn = "second"  # type: ignore[misc]
    assert board._repr_svg_().startswith("<svg")


def test_arrays_of_a_board() -> None:
    board = menace.Game("4x3x3").board().play("1", "7")
    assert board.numpy().tolist() == [[1, 0, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]
    second = board.play("12")
    assert second.numpy(relative=True).tolist() == [[2, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 2]]


@pytest.mark.parametrize("name", ["tiktaktoe", "", "0x0x0", "9x9x9", "3x3x3+wind", "\x00", "x" * 100_000])
def test_unknown_games_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a game"):
        menace.Game(name)

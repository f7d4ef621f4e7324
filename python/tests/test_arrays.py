"""Arrays of boards: the same answers as board by board, whatever the shape, type and order; clear errors for everything else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pymenace as menace


@pytest.fixture(scope="module")
def boards(tictactoe: menace.Table) -> NDArray[np.int8]:
    return np.stack([board.numpy() for board in tictactoe])


def test_arrays_answer_as_single_boards(tictactoe: menace.Table, boards: NDArray[np.int8]) -> None:
    found = tictactoe.probe(boards)
    assert (found.values.dtype, found.depths.dtype) == (np.int8, np.int16)
    for board, value, depth in zip(tictactoe, found.values, found.depths):
        verdict = tictactoe[board]
        assert (value, depth) == (verdict.value, menace.INVALID if verdict.depth is None else verdict.depth)
    moves = tictactoe.probe_moves(boards)
    assert moves.shape == (5478, 9)
    for board, row in zip(tictactoe, moves):
        expected = tictactoe.moves(board)
        named = dict(zip(board.actions, board.moves))
        for action in range(9):
            assert row[action] == (expected[named[action]].value if action in named else menace.INVALID)


def test_every_shape_type_and_order_gives_the_same(tictactoe: menace.Table, boards: NDArray[np.int8]) -> None:
    expected = tictactoe.probe(boards)
    forms = [boards.reshape(-1, 9), np.asfortranarray(boards), np.ascontiguousarray(boards[::-1])[::-1], boards.tolist()]
    forms += [boards.astype(dtype) for dtype in ("int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", ">i4", ">u8")]
    wide = np.zeros((5478, 3, 6), dtype=np.int8)
    wide[:, :, ::2] = boards
    forms.append(wide[:, :, ::2])
    readonly = boards.copy()
    readonly.setflags(write=False)
    forms.append(readonly)
    for form in forms:
        found = tictactoe.probe(form)
        assert (found.values == expected.values).all() and (found.depths == expected.depths).all()
    assert len(tictactoe.probe(boards[:0]).values) == 0
    ones = boards[(boards < 2).all(axis=(1, 2)) & (boards.sum(axis=(1, 2)) < 2)]
    assert (tictactoe.probe(ones.astype(bool)).values == tictactoe.probe(ones).values).all()


def test_arrays_that_make_no_sense_are_errors(tictactoe: menace.Table, boards: NDArray[np.int8]) -> None:
    for wrong, error, part in [
        (boards.astype(float), TypeError, "float64"),
        (boards.astype(complex), TypeError, "complex"),
        (boards.astype(object), TypeError, "object"),
        (boards.astype(str), TypeError, "U"),
        (boards[:, :2], ValueError, "found 5478 by 2 by 3"),
        (boards[0, 0], ValueError, "found 3"),
        (boards.reshape(-1), ValueError, "n by 9 cells"),
        (np.int8(1), ValueError, "n by 9"),
        (boards.reshape(-1, 9, 1), ValueError, "9 by 1"),
        ("X.X", ValueError, "n by 9"),
        (None, ValueError, "n by 9"),
    ]:
        with pytest.raises(error, match=part):
            tictactoe.probe(wrong)  # type: ignore[arg-type]
        with pytest.raises(error):
            tictactoe.probe_moves(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_boards_that_cannot_occur_are_refused_or_marked(tictactoe: menace.Table, dtype: str) -> None:
    rows = [[0] * 9, [1] * 9, [1, 1, 0, 0, 0, 0, 0, 0, 0], [3] + [0] * 8, [1, 0, 0, 0, 0, 0, 0, 0, 0]]
    big = np.array(rows).astype(dtype)
    big[3, 0] = 255 if dtype == "uint8" else (100 if dtype == "int8" else 1 << 30)
    with pytest.raises(ValueError, match="board 1 of the array: board 111111111 cannot occur"):
        tictactoe.probe(big)
    with pytest.raises(ValueError, match="board 0 of the array has a cell that is not 0, 1 or 2"):
        tictactoe.probe(big[3:])
    found = tictactoe.probe(big, invalid="mark")
    assert found.values.tolist() == [0, menace.INVALID, menace.INVALID, menace.INVALID, 0]
    moves = tictactoe.probe_moves(big, invalid="mark")
    assert (moves[1:4] == menace.INVALID).all() and (moves[0] == 0).all()
    with pytest.raises(ValueError, match='"raise" or "mark"'):
        tictactoe.probe(big, invalid="ignore")  # type: ignore[arg-type]


def test_turns_where_the_board_does_not_show_them() -> None:
    table = menace.solve("morris")
    boards = list(table)
    array = np.stack([board.numpy() for board in boards])
    turns = np.array([1 if board.turn == "first" else 2 for board in boards])
    found = table.probe(array, turn=turns)
    assert found.values.tolist() == [table[board].value for board in boards]
    for invalid in ("raise", "mark"):
        with pytest.raises(ValueError, match="either side may be to move"):
            table.probe(array, invalid=invalid)  # type: ignore[arg-type]
    firsts = turns == 1
    assert (table.probe(array[firsts], turn="first").values == found.values[firsts]).all()
    for wrong, error in [(turns[:5], ValueError), (turns - 1, ValueError), ("third", ValueError), (1.5, TypeError)]:
        with pytest.raises(error):
            table.probe(array, turn=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["tictactoe", "4x3x3+gravity", "hexapawn", "morris", "wild"])
def test_data_labels_every_board(name: str) -> None:
    table = menace.solve(name)
    data = table.data()
    assert len(data["value"]) == len(table)
    for index, board in list(enumerate(table))[:: max(1, len(table) // 500)]:
        assert (data["board"][index] == board.numpy()).all()
        assert data["turn"][index] == (1 if board.turn == "first" else 2)
        verdict = table[board]
        assert (data["value"][index], data["depth"][index]) == (
            verdict.value,
            menace.INVALID if verdict.depth is None else verdict.depth,
        )
        assert tuple(np.flatnonzero(data["legal"][index])) == tuple(sorted(board.actions))
        moves = table.moves(board)
        best = {move for move in moves if moves[move] == next(iter(moves.values()))}
        named = dict(zip(board.actions, board.moves))
        assert {named[action] for action in np.flatnonzero(data["best"][index])} == best
    batches = list(table.batches(1000))
    for key, column in data.items():
        assert (np.concatenate([batch[key] for batch in batches]) == column).all()
    with pytest.raises(ValueError, match="at least one board"):
        table.batches(0)


def test_one_board_of_each_class(tictactoe: menace.Table) -> None:
    data = tictactoe.data(classes=True)
    assert len(data["value"]) == 765
    open_boards = data["legal"].any(axis=1)
    assert [(open_boards & (data["turn"] == turn)).sum() for turn in (1, 2)] == [338, 289]
    images = set()
    for board in data["board"]:
        for turned in (np.rot90(board, k) for k in range(4)):
            images |= {turned.tobytes(), turned.T.tobytes()}
    assert len(images) == 5478

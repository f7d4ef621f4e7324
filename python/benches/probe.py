"""How many boards `Table.probe` looks up in a second: `python python/benches/probe.py TABLE [BOARDS]`.

TABLE is a packed table of a row game without gravity, such as 5x4x4.menace; BOARDS is ten million unless it is given. The boards
are random ones that can occur. A thousand of them are looked up one by one, too, and must have the same verdicts.
"""

import sys
import time

import numpy as np

import pymenace as menace


def random_boards(count: int, cells: int, dice: np.random.Generator) -> np.ndarray:
    """Boards with up to all cells filled by X, O, X and so on, in random order."""
    order = dice.permuted(np.tile(np.arange(cells, dtype=np.int8), (count, 1)), axis=1)
    return np.where(order < dice.integers(0, cells, size=(count, 1)), 1 + order % 2, 0).astype(np.int8)


def main() -> None:
    table = menace.open(sys.argv[1], load=True)
    wanted = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    dice, parts, found = np.random.default_rng(seed=1), [], 0
    while found < wanted:
        boards = random_boards(1_000_000, int(np.prod(table.game.shape)), dice)
        parts.append(boards[table.probe(boards, invalid="mark").values != menace.INVALID])
        found += len(parts[-1])
    boards = np.concatenate(parts)[:wanted]
    for _ in range(3):
        wall, processor = time.perf_counter(), time.process_time()
        values, depths = table.probe(boards)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        print(f"{len(boards):,} boards in {wall:.2f} s: {len(boards) / wall / 1e6:.1f} million a second, "
              f"{len(boards) / processor / 1e6:.1f} million a second and core")  # fmt: skip
    for index in dice.integers(0, len(boards), 1000):
        verdict = table[boards[index]]
        expected = menace.INVALID if verdict.depth is None else verdict.depth
        assert (values[index], depths[index]) == (verdict.value, expected), boards[index]


if __name__ == "__main__":
    main()

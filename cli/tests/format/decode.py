"""Reads a table of menace, packed or JSON. Written from docs/format.md alone, to show that the document is enough.

`python3 decode.py FILE` prints for a packed table a line for each board with a verdict, which is that of the side to
move. The depth follows if the table has depths, but not after a draw. For a JSON table it prints a line for each box;
"-" stands for a part with nothing in it.

    102020001 win 3
    first 5 000000012 beads 1=1,3=1,5=1,6=1 removed 2=3:banned:5,4=3:banned:3,7=3:banned:3 banned -

These are BOARD VERDICT DEPTH and MACHINE ID BOARD beads MOVE=NUMBER,... removed MOVE=ROUND:WHY:REPLY,... banned ROUND.
A damaged file: one sentence on standard error and exit code 1. The lines before the damage may be out by then.
"""
import json, re, struct, sys
from collections import Counter
from itertools import combinations, product
from math import comb
from zlib import crc32


def check(fine, sentence):
    if not fine:
        raise ValueError(sentence)


def parse(data):
    def fields(pairs):
        check(len(dict(pairs)) == len(pairs), "a field is there twice")
        return dict(pairs)
    return json.loads(data.decode("utf-8"), object_pairs_hook=fields)


def packed(data):
    def number(at, size):
        return int.from_bytes(data[at:at + size], "little")

    check(number(8, 4) == 1, "the version is not 1")
    start = 20 + number(12, 4)
    check(start <= 4096 and crc32(data[:start - 4]) == number(start - 4, 4), "the description is damaged")
    about = parse(data[16:start - 4])
    check(sorted(about) == ["aim", "depths", "game", "machines", "symmetry"], "the description has other fields")
    aim, depths, machines = about["aim"], about["depths"], about["machines"]
    check(aim in ("safe", "win", "fastest") and machines in ("first", "second", "both"), "an aim or side is not known")
    check(type(depths) == type(about["symmetry"]) == bool and (depths or aim != "fastest"), "the depths are wrong")
    check(game := re.fullmatch(r"(\d+)x(\d+)x\d+(\+gravity)?(\+misere)?", about["game"]), "this is not a row game")
    width, height, gravity, misere = int(game[1]), int(game[2]), bool(game[3]), bool(game[4])
    n = width * height

    # The blocks with s stones, in order, as templates: "0" for an empty cell and "%s" for a stone.
    blocks = [[] for s in range(n + 1)]
    if gravity:
        for heights in product(range(height + 1), repeat=width):
            cells = ("%s" if h > level else "0" for level in reversed(range(height)) for h in heights)
            blocks[sum(heights)].append("".join(cells))
    else:
        for s, block in enumerate(blocks):
            for empty in combinations(range(n), n - s):
                block.append("".join("0" if cell in empty else "%s" for cell in range(n)))

    # Where the parts of each tier begin. With that, the length of the file is known.
    tiers = []
    for s in range(n, -1, -1):
        bits, codes = ((n - s + 1).bit_length(), n - s + 2) if depths else (2, 4)
        p = (comb(s, s // 2) + 7) // 8
        sums = start + len(blocks[s]) * bits * p
        counts = sums + 4 * len(range(start, sums, 4096))
        tiers.append((s, bits, codes, p, start, sums, counts))
        start = counts + 16 + 8 * codes + 4
    check(start == len(data), f"the file should have {start} bytes and has {len(data)}")

    for s, bits, codes, p, start, sums, counts in tiers:
        end = counts + 16 + 8 * codes
        check(crc32(data[sums:end]) == number(end, 4), f"the checksum of the counts of {s} stones is wrong")
        for at, sum_at in zip(range(start, sums, 4096), range(sums, counts, 4)):
            check(crc32(data[at:min(at + 4096, sums)]) == number(sum_at, 4), f"the checksum of byte {at} is wrong")
        boards, rows, *counts = struct.unpack(f"<{2 + codes}Q", data[counts:end])
        none, draw = (0, n - s + 1) if depths else (3, 0)
        check(sum(counts) == len(blocks[s]) * comb(s, s // 2), f"the counts of {s} stones do not add up")
        check(s == n or boards - rows == sum(counts) - counts[none], f"the boards of {s} stones do not add up")

        # What a code means for the side to move. The keys are its bits as characters, the lowest first.
        meanings = {}
        for code in range(codes):
            wins = (code % 2 == 1) != misere if depths else (code == 1) == (s % 2 == 0)
            meaning = " draw" if code == draw else (" win" if wins else " loss") + (f" {code}" if depths else "")
            meanings[tuple(reversed(f"{code:0{bits}b}"))] = "" if code == none else meaning + "\n"

        # The ways to colour s stones in the order of places, which is that of descending ids: O on the first stones.
        noughts = combinations(range(s), s // 2)
        colourings = [tuple("2" if stone in chosen else "1" for stone in range(s)) for chosen in noughts]
        seen = Counter()
        for block in blocks[s]:
            planes = [f"{number(start + k * p, p):0{8 * p}b}"[::-1] for k in range(bits)]
            places = [meanings.get(code) for code, colouring in zip(zip(*planes), colourings)]
            yield "".join([block % colouring + meaning for colouring, meaning in zip(colourings, places) if meaning])
            seen.update(places)
            start += bits * p
        check([seen[meaning] for meaning in meanings.values()] == counts, f"the codes of {s} stones are miscounted")


def boxes(data):
    def joined(moves):
        return ",".join(f"{move}={value}" for move, value in moves.items()) or "-"

    def removal(round, why, reply=""):
        return f"{round}:{why}:{reply}".rstrip(":")

    def line(id, board, beads, removed, banned="-"):
        check(int(board, 3) == id, f"the id {id} is not that of {board}")
        check(not beads.keys() & removed.keys(), f"a move of box {id} is in beads and in removed")
        check(all(0 < count < 2**32 for count in beads.values()), f"a number of beads in box {id} is out of range")
        removed = {move: removal(**why) for move, why in removed.items()}
        return f"{name} {id} {board} beads {joined(beads)} removed {joined(removed)} banned {banned}\n"

    table = parse(data)
    check(table["format"] == "menace-table" and table["version"] == 1, "this is not version 1 of a menace-table")
    for name, machine in table["machines"].items():
        ids = [box["id"] for box in machine["boxes"]]
        check(ids == sorted(set(ids)), "the boxes are out of order")
        yield from (line(**box) for box in machine["boxes"])
        gone = Counter(why["round"] for box in machine["boxes"] for why in box["removed"].values())
        empty = Counter(box["banned"] for box in machine["boxes"] if box.get("banned"))
        rounds = [{"round": number, "beads_removed": gone.pop(number, 0), "boards_banned": empty.pop(number, 0)}
                  for number in range(1, len(machine["rounds"]) + 1)]
        check(machine["rounds"] == rounds and not gone and not empty, f"the rounds of {name} are miscounted")


try:
    with open(sys.argv[1], "rb") as file:
        data = file.read().removeprefix(b"\xef\xbb\xbf")
    sys.stdout.writelines(packed(data) if data.startswith(b"MENACE\x1a\n") else boxes(data))
except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
    sys.exit(f"{sys.argv[1]} cannot be read: {error}")

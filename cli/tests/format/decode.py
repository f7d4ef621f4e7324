"""Reads a table of menace, packed or JSON. Written from docs/format.md alone, to show that the document is enough.

`python3 decode.py FILE` prints for a packed table a line for each board that can occur and on which the game goes on, with
the verdict of the side to move. The depth follows if the table has depths, but not after a draw. For a JSON table it prints a
line for each box; "-" stands for a part with nothing in it.

    102020001 win 3
    first 5 000000012 beads 1=1,3=1,5=1,6=1 removed 2=3:banned:5,4=3:banned:3,7=3:banned:3 banned -

These are BOARD VERDICT DEPTH and MACHINE ID BOARD beads MOVE=NUMBER,... removed MOVE=ROUND:WHY:REPLY,... banned ROUND.
A damaged file: one sentence on standard error and exit code 1. The lines before the damage may be out by then.
"""
import json, re, struct, sys
from collections import Counter
from functools import lru_cache
from itertools import combinations, islice, product
from zlib import crc32


def check(fine, sentence):
    if not fine:
        raise ValueError(sentence)


def parse(data):
    def fields(pairs):
        check(len(dict(pairs)) == len(pairs), "a field is there twice")
        return dict(pairs)
    return json.loads(data.decode("utf-8"), object_pairs_hook=fields)


class Rules:
    """A row game. A set of cells is a binary number whose lowest digit is the first cell, at the top left."""
    def __init__(self, name):
        check(game := re.fullmatch(r"(\d+)x(\d+)x(\d+)(\+gravity)?(\+misere)?", name), "this is not a row game")
        self.width, self.height, self.k = w, h, k = [int(number) for number in game.group(1, 2, 3)]
        self.gravity, self.misere, self.cells = bool(game[4]), bool(game[5]), w * h
        self.all = 2**(w * h) - 1
        grid = list(product(range(h), range(w)))
        lines = [[(r + i * down, c + i * right) for i in range(k)]
                 for r, c in grid for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]]
        self.lines = {sum(1 << (r * w + c) for r, c in line) for line in lines if set(line) <= set(grid)}
        turns = [lambda r, c: (r, c), lambda r, c: (r, w - 1 - c)]
        if not self.gravity:
            turns += [lambda r, c: (h - 1 - r, c), lambda r, c: (h - 1 - r, w - 1 - c)]
        if not self.gravity and w == h:
            turns += [lambda r, c, turn=turn: turn(c, r) for turn in turns]
        # For each turn, the cell that each cell goes to.
        self.images = [[r * w + c for r, c in (turn(*place) for place in grid)] for turn in turns]
        self.turns = [lru_cache(None)(lambda cells, image=image: sum(1 << image[cell] for cell in ones(cells)))
                      for image in self.images]

    def row(self, stones):
        return any(line & ~stones == 0 for line in self.lines)

    def playable(self, x, o):
        empty = self.all & ~(x | o)
        floor = (2**self.width - 1) << (self.cells - self.width)
        return empty & ((x | o) >> self.width | floor) if self.gravity else empty

    def winning(self, stones, playable):
        missing = {line & ~stones for line in self.lines if line & ~(stones | playable) == 0}
        return {cells for cells in missing if cells and cells & (cells - 1) == 0}

    def is_stored(self, x, o):
        if x | o == self.all or self.row(x) or self.row(o):
            return False
        return self.misere or not any(self.winning(stones, self.playable(x, o)) for stones in (x, o))


def ones(number):
    return [digit for digit in range(number.bit_length()) if number >> digit & 1]


def spread(number, places):
    """The set of those places whose digit of a number is 1."""
    return sum(1 << place for digit, place in enumerate(places) if number >> digit & 1)


def tiles(rules, anchors):
    """For each part, for each tier: the lowest number of stones and, for each group, its boards in order."""
    w, h = rules.width, rules.height
    check(len(anchors) == w - 2 and anchors == anchors[::-1] and all(0 <= a <= h for a in anchors), "wrong anchors")
    fillings = product(*([(filled, x) for filled in range(a + 1) for x in range(2**filled)] for a in anchors))
    key = lambda part: [x >> row & 1 if row < filled else 2 for (filled, x), a in zip(part, anchors) for row in range(a)]
    parts = [part for part in fillings if key(part) <= key(part[::-1])]
    cell = lambda column, row: (h - 1 - row) * w + column

    def boards(inner, inner_x):
        count, x_count = inner.bit_count(), inner_x.bit_count()
        for turn in (0, 1):
            for edge in (e for e in range(2 * h, -1, -1) if (count + e) % 2 == turn):
                for left in range(max(0, edge - h), min(h, edge) + 1):
                    cells = [cell(0, row) for row in range(left)] + [cell(w - 1, row) for row in range(edge - left)]
                    for colours in range(2**edge):
                        if x_count + colours.bit_count() == (count + edge + 1) // 2:
                            yield inner_x | spread(colours, cells), inner & ~inner_x | spread(~colours, cells)

    def groups(part, highest, number):
        for heights in product(*(range(filled, top + 1) for (filled, x), top in zip(part, highest))):
            if sum(heights) == number and (part != part[::-1] or heights <= heights[::-1]):
                columns = [(c, filled, x, top) for c, ((filled, x), top) in enumerate(zip(part, heights), 1)]
                free = [cell(c, row) for c, filled, x, top in columns for row in range(filled, top)]
                fixed = sum(spread(x, [cell(c, row) for row in range(filled)]) for c, filled, x, top in columns)
                inner = sum(1 << cell(c, row) for c, filled, x, top in columns for row in range(top))
                for colours in sorted(range(2**len(free)), key=lambda colours: (colours.bit_count(), colours)):
                    x = fixed | spread(colours, free)
                    surplus = x.bit_count() - (inner & ~x).bit_count()
                    if -2 * h <= surplus <= 2 * h + 1 and not rules.row(x) and not rules.row(inner & ~x):
                        yield boards(inner, x)

    for part in sorted(parts, key=key):
        highest = [h if filled == a else filled for (filled, x), a in zip(part, anchors)]
        lowest = sum(filled for filled, x in part)
        yield [(number, groups(part, highest, number)) for number in range(sum(highest), lowest - 1, -1)]


def fold(rules, anchors):
    """The same for the other layout."""
    orbits = {tuple(sorted({image[cell] for image in rules.images})) for cell in range(rules.cells)}
    orbits = sorted(orbits, key=lambda orbit: (len(orbit) % 4 != 0, len(orbit), orbit))
    check(set(anchors) <= set(range(len(orbits))) and (not anchors or not rules.gravity), "wrong anchors")
    places = [cell for orbit in orbits for cell in orbit]
    anchored = [cell for number, orbit in enumerate(orbits) if number in anchors for cell in orbit]
    free = [cell for cell in places if cell not in anchored]
    as_places = lru_cache(None)(lambda cells: sum(1 << place for place, cell in enumerate(places) if cells >> cell & 1))
    key = lambda part: (as_places(part[0] | part[1]), as_places(part[0]))
    parts = [tuple(sum(1 << cell for cell, digit in zip(anchored, filling) if digit == mark) for mark in (1, 2))
             for filling in product(range(3), repeat=len(anchored))]
    parts = [(x, o) for x, o in parts if key((x, o)) == min(key((turn(x), turn(o))) for turn in rules.turns)]

    def boards(part, stones, x_count, colourings):
        for colouring in colourings:
            highest = x_count - colouring.bit_count()
            if highest == 0 or highest == 1 and stones:
                x = spread(colouring, stones) | (1 << stones[-1] if highest else 0)
                yield part[0] | x, part[1] | sum(1 << cell for cell in stones) & ~x

    def groups(part, stones, x_count):
        turns = [turn for turn in rules.turns if (turn(part[0]), turn(part[1])) == part]
        sets = [sum(1 << cell for cell in cells) for cells in combinations(free, stones)]
        floats = lambda cells: rules.gravity and cells << rules.width & rules.all & ~cells
        lowest = lambda cells: as_places(cells) == min(as_places(turn(cells)) for turn in turns)
        for cells in sorted((cells for cells in sets if not floats(cells) and lowest(cells)), key=as_places):
            in_order, last = [cell for cell in places if cells >> cell & 1], 2**max(0, stones - 1)
            for first in range(0, last, 1024):
                yield boards(part, in_order, x_count, range(first, min(first + 1024, last)))

    for x, o in sorted(parts, key=lambda part: (-(part[0] | part[1]).bit_count(), key(part))):
        fixed = (x | o).bit_count()
        tiers = [(stones, (fixed + stones + 1) // 2 - x.bit_count()) for stones in range(len(free), -1, -1)]
        yield [(fixed + stones, groups((x, o), stones, x_count)) for stones, x_count in tiers if 0 <= x_count <= stones]


def decompress(chunk):
    check(sys.version_info >= (3, 14), "it is compressed, and only Python 3.14 or later can read that")
    from compression import zstd
    try:
        return zstd.decompress(chunk)
    except zstd.ZstdError as error:
        raise ValueError(f"a chunk cannot be decompressed: {error}") from None


def packed(data):
    def number(at, size):
        return int.from_bytes(data[at:at + size], "little")

    def take(form, count):
        nonlocal here
        values, here = struct.unpack_from(f"<{count}{form}", data, here), here + struct.calcsize(f"<{count}{form}")
        return values

    check(number(8, 4) not in (1, 2), "its version is too old, this reads version 3; run the same `menace generate` again")
    check(number(8, 4) == 3, "the version is not 3")
    at = 20 + number(12, 4)
    check(at <= 4096 and crc32(data[:at - 4]) == number(at - 4, 4), "the description is damaged")
    about = parse(data[16:at - 4])
    fields = ["aim", "anchors", "compressed", "depths", "game", "layout", "machines", "symmetry"]
    check(list(about) == fields, "the description has other fields")
    aim, depths, machines = about["aim"], about["depths"], about["machines"]
    check(aim in ("safe", "win", "fastest") and machines in ("first", "second", "both"), "an aim or side is not known")
    check(type(depths) == type(about["symmetry"]) == bool and (depths or aim != "fastest"), "the depths are wrong")
    rules = Rules(about["game"])
    n, w, h, here = rules.cells, rules.width, rules.height, 0
    is_tiles = rules.gravity and rules.k < w and h <= 7 and w - 2 <= 16 and (w - 2) * h <= 36
    check(about["layout"] == ("tiles" if is_tiles else "fold"), "the layout is not that of the game")
    code_counts = [n - s + 1 if depths else 3 for s in range(n + 1)]

    # The code of every stored board, and the counts: for each number of stones a list.
    stored, counts = {}, [[0] * (3 + 2 * codes) for codes in code_counts]
    for part in (tiles if is_tiles else fold)(rules, about["anchors"]):
        check(crc32(data[at:at + 16]) == number(at + 16, 4), f"the checksum of byte {at} is wrong")
        begin, end = at + 20, at + 20 + number(at, 8)
        at = end + number(at + 8, 8)
        check(end + 12 <= at <= len(data), f"the file should have at least {at} bytes and has {len(data)}")
        check(crc32(data[end:at - 4]) == number(at - 4, 4), f"the checksum of byte {end} is wrong")
        here = end
        size, group_counts = take("Q", 1)[0], take("Q", len(part))
        batches = iter(take("Q", sum((count + 63) // 64 for count in group_counts)))
        chunks = (size + 16383) // 16384
        ends = take("Q", chunks) if about["compressed"] else [min(16384 * i + 16384, size) for i in range(chunks)]
        check(begin + (ends[-1] if ends else 0) == end, "the payload has the wrong length")
        pieces = [data[begin + first:begin + last] for first, last in zip([0, *ends], ends)]
        check(tuple(map(crc32, pieces)) == take("I", chunks), "the checksum of a chunk is wrong")
        payload = b"".join(decompress(piece) if about["compressed"] else piece for piece in pieces)
        check(len(payload) == size, "the payload has the wrong length")
        counts = [[a + b for a, b in zip(total, take("Q", len(total)))] for total in counts]
        check(here == at - 4, f"the record at byte {end} has the wrong length")

        here = 0
        for (t, groups), group_count in zip(part, group_counts):
            bits, seen = max(1, (n - t).bit_length()) if depths else 2, 0
            while batch := list(islice(groups, 64)):
                seen += len(batch)
                check(here == next(batches, None), "a batch does not begin where the record says")
                sizes, here = struct.unpack_from(f"<{len(batch)}H", payload, here), here + 2 * len(batch)
                for q, boards in zip(sizes, batch):
                    boards = [board for board in boards if rules.is_stored(*board)]
                    check(len(boards) == q, f"a group has {q} boards and should have {len(boards)}")
                    length = (bits * q + 7) // 8
                    digits = f"{int.from_bytes(payload[here:here + length], 'little'):0{8 * length}b}"[::-1]
                    check("1" not in digits[bits * q:], "a group is not filled up with zeros")
                    for rank, board in enumerate(boards):
                        stored[board] = int(digits[rank:bits * q:q][::-1], 2)
                    here += length
            check(seen == group_count, f"a tier has {group_count} groups and should have {seen}")
        check(here == size, "the payload is longer than its groups")
    check(at == len(data), f"the file should have {at} bytes and has {len(data)}")

    def worth(x, o):
        """The verdict of the side to move, 1 win, 0 draw or -1 loss, and the depth."""
        s = (x | o).bit_count()
        own, other = (x, o) if s % 2 == 0 else (o, x)
        if rules.row(other) or x | o == rules.all:
            return (0 if not rules.row(other) else 1 if rules.misere else -1), 0
        if not rules.misere:
            wins, threats = [rules.winning(stones, rules.playable(x, o)) for stones in (own, other)]
            if wins or len(threats) > 1:
                return (1, 1) if wins else (-1, 2)
            if threats:
                result, depth = worth(*((x | threats.pop(), o) if s % 2 == 0 else (x, o | threats.pop())))
                return -result, depth + 1
        codes = {stored[board] for turn in rules.turns if (board := (turn(x), turn(o))) in stored}
        check(len(codes) == 1 and max(codes) < code_counts[s], f"a board with {s} stones has the codes {codes}")
        code = codes.pop()
        return (0 if code == 0 else 1 if ((code % 2 == 1) != rules.misere if depths else code == 1) else -1), code

    # All boards that can occur, with one stone more each time.
    boards = {(0, 0)}
    for s in range(n + 1):
        check(counts[s][0] == len(boards), f"the boards with {s} stones are miscounted")
        found, rows, after = Counter(), 0, set()
        for x, o in sorted(boards):
            if rules.row(x) or rules.row(o):
                rows += 1
            elif s < n:
                result, depth = worth(x, o)
                found[depth * (result != 0) if depths else result % 3] += 1
                text = "".join("1" if x >> cell & 1 else "2" if o >> cell & 1 else "0" for cell in range(n))
                yield f"{text} {('draw', 'win', 'loss')[result]}{f' {depth}' if depths and result else ''}\n"
                cells = [1 << cell for cell in ones(rules.playable(x, o))]
                after |= {(x | cell, o) if s % 2 == 0 else (x, o | cell) for cell in cells}
        codes = [found[code] for code in range(code_counts[s])]
        check(counts[s][1:2 + len(codes)] == [rows, *codes], f"the codes with {s} stones are miscounted")
        boards = after


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
except (OSError, ValueError, LookupError, TypeError, AttributeError, struct.error) as error:
    sys.exit(f"{sys.argv[1]} cannot be read: {error}")

// Why a bead went: the reply that refutes it, the banned board that it leads to, and so on down to a finished board.

// How long the machine lasts with a bead that went, for comparison.
function lasts(removal) {
  return [removal.round, removal.why === "banned" ? 1 : 0, removal.reply ? 1 : 0];
}

function isLonger(a, b) {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && a[at] > b[at];
}

// Of the beads that went from a box, the one with which the machine lasts longest.
function lastToGo(box) {
  const gone = box.beads.filter((bead) => bead.removal);
  return gone.reduce((last, bead) => (last && !isLonger(lasts(bead.removal), lasts(last.removal)) ? last : bead), null);
}

// The moves that prove why a bead went, as the table has it, each with what it leads to.
function proof(table, player, box, { move, removal }) {
  if (removal.why === "win") {
    const wins = box.beads.find((bead) => bead.number && look(play(box.board, bead.move), other(player)).over === "loss");
    return wins ? follow(box.board, player, [wins.move]) : { steps: [], end: "open" };
  }
  if (["draws", "slow", "odds"].includes(removal.why)) return bestLine(box.board, player, move);
  const reply = replyTo(box.board, player, move, removal);
  return refutation(table, player, box.board, move, reply);
}

// The reply that refutes a bead, if the table names one.
const replyTo = (board, player, move, removal) => removal.reply && moveCalled(removal.reply, play(board, move), other(player));

function refutation(table, player, from, first, refutes) {
  const [steps, limit] = [[], 2 * cells * (game.drawn_at === null ? 1 : 1000)];
  let [board, move, reply] = [from, first, refutes];
  const isOverAfter = (mover, made) => {
    board = play(board, made);
    const state = look(board, other(mover));
    steps.push({ mover, move: made, board, note: null, row: state.row });
    return state.over;
  };
  for (;;) {
    if (isOverAfter(player, move)) return { steps, end: "over" };
    if (!reply) return { steps, end: "open" };
    if (isOverAfter(other(player), reply)) return { steps, end: "over" };
    const opened = openBox(table, player, board);
    if (!opened) return { steps, end: "open" };
    const step = steps[steps.length - 1];
    if (opened.box.banned !== null) step.note = `box ${opened.box.id}, ${banText(opened.box.banned)}`;
    if (opened.box.banned === 0) return { steps, end: "banned" };
    const last = lastToGo(opened.box);
    if (!last || steps.length > limit) return { steps, end: "open" };
    const back = inverse(opened.symmetry);
    move = turnMove(back, last.move);
    const named = replyTo(opened.board, player, last.move, last.removal);
    reply = named && turnMove(back, named);
  }
}

function bestLine(board, player, first) {
  const [seen, moves] = [new Set(), [first]];
  let [now, mover] = [play(board, first), other(player)];
  for (;;) {
    const key = now + mover;
    if (look(now, mover).over || seen.has(key)) return follow(board, player, moves);
    seen.add(key);
    const move = bestMove(now, mover);
    moves.push(move);
    [now, mover] = [play(now, move), other(mover)];
  }
}

function follow(board, player, moves) {
  const steps = [];
  let [now, mover, over] = [board, player, null];
  for (const move of moves) {
    now = play(now, move);
    const state = look(now, other(mover));
    steps.push({ mover, move, board: now, note: null, row: state.row });
    over = state.over;
    mover = other(mover);
  }
  return { steps, end: over ? "over" : "repeats" };
}

function reasonText(removal) {
  const why = {
    loses: removal.reply ? `reply ${removal.reply} wins at once` : "it loses at once",
    banned: `reply ${removal.reply} leads to a banned board`,
    win: "another bead wins at once",
    draws: "it gives a forced win away",
    slow: "it wins later than another",
    odds: "another has better odds against a random opponent",
  }[removal.why];
  return `went in round ${removal.round}: ${why}.`;
}

function banText(banned) {
  return banned === 0 ? "banned from the start" : `banned in round ${banned}`;
}

function endText(line) {
  const last = line.steps[line.steps.length - 1];
  if (line.end === "open") return "The table gives no further reason.";
  if (line.end === "banned") return "That board is banned from the start.";
  if (line.end === "repeats") return "That board has come up before.";
  const state = look(last.board, other(last.mover));
  if (state.over === "draw") return "A draw.";
  const winner = state.over === "loss" ? last.mover : other(last.mover);
  const row = state.row.length ? ` The row is ${[...state.row].sort((a, b) => a - b).join(" ")}.` : "";
  return `${MARKS[winner]} wins.${row}`;
}

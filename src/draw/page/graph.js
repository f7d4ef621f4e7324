// What the page knows of the game: a graph of classes of boards, which comes along as data. It knows no rules.
// Boards are strings of digits, players 1 and 2, cells numbers from 1.

const $ = (id) => document.getElementById(id);
const MARKS = ["", "X", "O"];
const NAMES = ["", "first", "second"];
const other = (player) => 3 - player;

async function unpack(id) {
  const bytes = Uint8Array.from(atob($(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

let game;
let embedded;
try {
  [game, embedded] = await Promise.all([unpack("game-data"), unpack("table-data")]);
} catch (error) {
  $("status").textContent = `The table of this page could not be read (${error.message}); a newer browser may help.`;
  throw error;
}
const cells = game.width * game.height;
const moves = game.moves.map(([text, from, to, mark]) => ({ text, from, to, mark }));
const moveBy = new Map(moves.map((move) => [`${move.from},${move.to},${move.mark}`, move]));
const places = moves.every((move) => move.from === 0);
const texts = new Set(moves.map((move) => move.text));

const identity = game.symmetries[0];

function turnBoard(symmetry, board) {
  const turned = [];
  symmetry.forEach((to, cell) => { turned[to - 1] = board[cell]; });
  return turned.join("");
}

function turnMove(symmetry, move) {
  const from = move.from && symmetry[move.from - 1];
  return moveBy.get(`${from},${symmetry[move.to - 1]},${move.mark}`);
}

function inverse(symmetry) {
  const back = [];
  symmetry.forEach((to, cell) => { back[to - 1] = cell + 1; });
  return back;
}

// The lowest board of a class, and the symmetry that leads there.
function lowest(board, symmetries) {
  let best = { board, symmetry: identity };
  for (const symmetry of symmetries) {
    const turned = turnBoard(symmetry, board);
    if (turned < best.board) best = { board: turned, symmetry };
  }
  return best;
}

function turnName(symmetry) {
  const right = game.width - 1;
  const bottom = game.height - 1;
  const names = [
    ["as it stands", (c, r) => [c, r]],
    ["mirrored left to right", (c, r) => [right - c, r]],
    ["mirrored top to bottom", (c, r) => [c, bottom - r]],
    ["turned half round", (c, r) => [right - c, bottom - r]],
    ["mirrored on its diagonal", (c, r) => [r, c]],
    ["turned right by a quarter", (c, r) => [bottom - r, c]],
    ["turned left by a quarter", (c, r) => [r, right - c]],
    ["mirrored on its other diagonal", (c, r) => [bottom - r, right - c]],
  ];
  const isSame = ([, image]) => symmetry.every((to, cell) => {
    const [c, r] = image(cell % game.width, Math.floor(cell / game.width));
    return to === r * game.width + c + 1;
  });
  const found = names.find(isSame);
  return found ? found[0] : "with its points swapped";
}

function play(board, move) {
  const digits = [...board];
  if (move.from) digits[move.from - 1] = "0";
  digits[move.to - 1] = String(move.mark);
  return digits.join("");
}

const looked = new Map();

// What the graph says of a board; none if no game leads there.
function look(board, player) {
  const key = board + player;
  if (!looked.has(key)) looked.set(key, lookUp(board, player));
  return looked.get(key);
}

function lookUp(board, player) {
  const { board: low, symmetry } = lowest(board, game.symmetries);
  const state = game.states[low + player];
  if (!state) return null;
  const back = inverse(symmetry);
  if (state.over) return { over: state.over, row: state.row.map((cell) => back[cell - 1]), moves: [], latest: [], verdict: state.over, depth: 0 };
  const turned = state.moves.map((index) => turnMove(back, moves[index])).sort(inOrder);
  const latest = (state.latest || []).map((index) => turnMove(back, moves[index]));
  return { over: null, row: [], moves: turned, latest, verdict: state.verdict, depth: state.depth };
}

const inOrder = (a, b) => a.from - b.from || a.to - b.to || a.mark - b.mark;

// The move that a text means on a board.
const moveCalled = (text, board, player) => look(board, player).moves.find((move) => move.text === text);

const OPPOSITE = { win: "loss", draw: "draw", loss: "win" };

// What a move is worth to the player who makes it.
function worthOf(board, move, player) {
  const after = look(play(board, move), other(player));
  return { outcome: OPPOSITE[after.verdict], depth: after.depth };
}

function isBetter(a, b) {
  const rank = { win: 0, draw: 1, loss: 2 };
  if (a.outcome !== b.outcome) return rank[a.outcome] < rank[b.outcome];
  if (a.outcome === "win") return a.depth < b.depth;
  return a.outcome === "loss" && a.depth > b.depth;
}

function bestMove(board, player) {
  let best = null;
  for (const move of look(board, player).moves) {
    const worth = worthOf(board, move, player);
    if (!best || isBetter(worth, best.worth)) best = { move, worth };
  }
  return best && best.move;
}

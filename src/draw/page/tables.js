// Tables and boxes. A box is looked up under the lowest board of its class, and what is in it is turned back.

// Takes a table in, or refuses it with a sentence. Nothing of a file is believed: what is shown later is made from what was checked.
function readTable(json, name) {
  const refuse = (why) => { throw new Error(`${name} ${why}`); };
  if (!isObject(json) || json.format !== "menace-table") refuse("is not a table of menace.");
  if (json.version !== 1) refuse(`has version ${Number(json.version)}, and this page reads version 1.`);
  if (json.game !== game.name) refuse(`is of ${json.game}, and this page is of ${game.name}.`);
  if (typeof json.symmetry !== "boolean" || !isObject(json.machines)) refuse("is cut short or altered; make it again.");
  const table = { name, origin: origin(json), symmetry: json.symmetry, machines: {} };
  for (const player of [1, 2]) {
    const found = json.machines[NAMES[player]];
    if (found === undefined) continue;
    if (!isObject(found) || !Array.isArray(found.rounds) || !Array.isArray(found.boxes)) {
      refuse(`has no rounds and boxes for the ${NAMES[player]} machine; make it again.`);
    }
    const boxes = new Map();
    for (const box of found.boxes) {
      const read = readBox(box, player, table, refuse);
      if (boxes.has(read.board)) refuse(`has box ${read.id} twice.`);
      boxes.set(read.board, read);
    }
    table.machines[player] = { rounds: found.rounds.length, boxes };
  }
  if (!table.machines[1] && !table.machines[2]) refuse("has no boxes.");
  return table;
}

// How the boxes came about, in a few words.
function origin(json) {
  const lessons = [1, 2].map((player) => json.machines[NAMES[player]]?.lessons).find((found) => Array.isArray(found) && found.length);
  if (!lessons) return `Aim ${json.aim}`;
  const games = (lesson) => {
    const { opponent, tally } = isObject(lesson) ? lesson : {};
    const { won, drawn, lost } = isObject(tally) ? tally : {};
    return `${Number(won + drawn + lost)} games against ${opponent}`;
  };
  return `Trained in ${lessons.map(games).join(", then ")}`;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value, least) => Number.isSafeInteger(value) && value >= least;
const WHYS = ["loses", "banned", "win", "draws", "slow", "odds"];

function readBox(box, player, table, refuse) {
  const { board, beads = {}, removed = {}, banned = null } = isObject(box) ? box : {};
  const state = typeof board === "string" && board.length === cells ? look(board, player) : null;
  if (!state || state.over) refuse(`has a box for a board on which ${MARKS[player]} never has to move.`);
  const id = String([...board].reduce((sum, digit) => sum * 3n + BigInt(digit), 0n));
  if (Number(id) !== box.id) refuse(`has a box for board ${board} under another id than ${id}.`);
  if (table.symmetry && lowest(board, game.symmetries).board !== board) refuse(`has a box ${id} that is not the lowest of its class.`);
  if (!isObject(beads) || !isObject(removed) || !(banned === null || isCount(banned, 0))) refuse(`has a box ${id} that makes no sense.`);
  const legal = new Map(state.moves.map((move) => [move.text, move]));
  const bead = (text, number, removal) => {
    if (!legal.has(text)) refuse(`has a bead in box ${id} that is no move there; its moves are ${[...legal.keys()].join(" ")}.`);
    return { move: legal.get(text), number, removal };
  };
  const there = Object.entries(beads).map(([text, number]) => {
    if (!isCount(number, 1)) refuse(`has beads in box ${id} that are not counted as 1, 2 or more.`);
    return bead(text, number, null);
  });
  const gone = Object.entries(removed).map(([text, removal]) => {
    const { round, why, reply } = isObject(removal) ? removal : {};
    const isSense = isCount(round, 1) && WHYS.includes(why) && (reply === undefined || texts.has(reply));
    if (!isSense) refuse(`has a bead in box ${id} that went in no round or for no reason.`);
    return bead(text, 0, { round, why, reply });
  });
  return { id, board, beads: [...there, ...gone].sort((a, b) => inOrder(a.move, b.move)), banned };
}

// The box of a machine for a board, and the symmetry that turns the board onto it.
function openBox(table, player, board) {
  const { board: low, symmetry } = lowest(board, table.symmetry ? game.symmetries : [identity]);
  const machine = table.machines[player];
  const box = machine && machine.boxes.get(low);
  return box ? { box, symmetry, board: low } : null;
}

// A box as it stood after a round: every bead that is or was in it.
function contentsAt(box, round) {
  const beads = box.beads.map((bead) => (bead.removal && bead.removal.round > round ? { ...bead, number: 1, removal: null } : bead));
  const isBanned = box.banned !== null && box.banned <= round;
  return { beads, isBanned };
}

function lastRound(table) {
  return Math.max(0, ...Object.values(table.machines).map((machine) => machine.rounds));
}

// The colour of a bead, as on printed labels: that of its cell, or where cells do not tell, that of its place in the box.
function colourOf(beads, move) {
  const isAlone = (bead) => !bead.move.from && beads.every((other) => other === bead || other.move.to !== bead.move.to);
  const index = beads.every(isAlone) ? move.to - 1 : beads.findIndex((bead) => bead.move.text === move.text);
  return { ...game.colours[index % game.colours.length], rings: Math.floor(index / game.colours.length) };
}

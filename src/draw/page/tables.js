// Tables and boxes. A box is looked up under the lowest board of its class, and what is in it is turned back.

function readTable(json, name) {
  if (!json || json.format !== "menace-table") throw new Error(`${name} is not a table of menace.`);
  if (json.version !== 1) throw new Error(`${name} has version ${json.version}, and this page reads version 1.`);
  if (json.game !== game.name) throw new Error(`${name} is of ${json.game}, and this page is of ${game.name}.`);
  const table = { name, aim: json.aim, symmetry: json.symmetry === true, machines: {} };
  for (const player of [1, 2]) {
    const found = json.machines && json.machines[NAMES[player]];
    if (!found) continue;
    const boxes = new Map();
    for (const box of found.boxes) boxes.set(box.board, readBox(box, player, name));
    table.machines[player] = { rounds: found.rounds, boxes };
  }
  if (!table.machines[1] && !table.machines[2]) throw new Error(`${name} has no boxes.`);
  return table;
}

function readBox(box, player, name) {
  const state = typeof box.board === "string" && box.board.length === cells ? look(box.board, player) : null;
  if (!state || state.over) throw new Error(`${name} has a box for board ${box.board}, on which ${MARKS[player]} never has to move.`);
  const legal = new Map(state.moves.map((move) => [move.text, move]));
  const bead = (number, removal) => (text) => {
    if (!legal.has(text)) throw new Error(`${name} has a bead ${text} in box ${box.id}, which is no move there.`);
    return { move: legal.get(text), number: number(text), removal: removal(text) };
  };
  const there = Object.keys(box.beads || {}).map(bead((text) => Number(box.beads[text]), () => null));
  const gone = Object.keys(box.removed || {}).map(bead(() => 0, (text) => box.removed[text]));
  const beads = [...there, ...gone].sort((a, b) => inOrder(a.move, b.move));
  return { id: box.id, board: box.board, beads, banned: box.banned === undefined ? null : box.banned };
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
  const isBanned = box.banned !== null && (box.banned === true || box.banned <= round);
  return { beads, isBanned };
}

function lastRound(table) {
  return Math.max(0, ...Object.values(table.machines).map((machine) => machine.rounds.length));
}

// The colour of a bead, as on printed labels: that of its cell, or where cells do not tell, that of its place in the box.
function colourOf(beads, move) {
  const index = places && !sharesCells ? move.to - 1 : beads.findIndex((bead) => bead.move.text === move.text);
  return { ...game.colours[index % game.colours.length], rings: Math.floor(index / game.colours.length) };
}

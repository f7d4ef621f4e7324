// The page as it stands, and the game that is played on it.

const tables = [readTable(embedded, "the table of this page")];
const page = {
  board: game.start, player: 1, past: [], machine: 2,
  shown: 0, round: 0, cabinet: 1,
  // The box in the drawer: whose it is, under which board, and for which board it was opened.
  box: null, picked: 0, run: 0,
};
const table = () => tables[page.shown];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (time) => new Promise((done) => { setTimeout(done, calm.matches ? 0 : time); });

// A bead that loses although the board is not lost.
function isLosing(board, move, player) {
  return look(board, player).worth !== "loss" && worthOf(board, move, player).outcome === "loss";
}

function isMachine(player) {
  return (page.machine & player) !== 0 && table().machines[player] !== undefined;
}

function isRepeated() {
  const now = page.board + page.player;
  return game.goes_in_circles && page.past.filter((past) => past.board + past.player === now).length >= 2;
}

function showBoard() {
  const state = look(page.board, page.player);
  const last = page.past.length ? page.past[page.past.length - 1].move : null;
  const live = !state.over && !isRepeated() && !isMachine(page.player);
  for (let cell = 1; cell <= cells; cell += 1) {
    const button = $("board").children[cell - 1];
    const digit = page.board[cell - 1];
    button.innerHTML = markSvg(digit, state.row.includes(cell), last && last.to === cell) || `<span class="cell-number" aria-hidden="true">${cell}</span>`;
    const isChosen = page.picked === cell;
    const usable = live && state.moves.some((move) => (page.picked ? move.from === page.picked && move.to === cell : (move.from || move.to) === cell));
    button.classList.toggle("usable", usable);
    button.classList.toggle("picked", isChosen);
    button.setAttribute("aria-disabled", String(!usable && !isChosen));
    button.setAttribute("aria-label", `cell ${cell}, ${MARKS[digit] || "empty"}${isChosen ? ", chosen" : ""}`);
  }
  $("back").disabled = !page.past.some((past) => !isMachine(past.player)) && !page.past.length;
}

function say(text) {
  $("status").textContent = text;
}

function sayState(before = "") {
  const state = look(page.board, page.player);
  if (state.over === "draw") say(`${before}A draw.`);
  else if (state.over) say(`${before}${MARKS[state.over === "win" ? page.player : other(page.player)]} wins.`);
  else if (isRepeated()) say(`${before}A draw: this board has come up for the third time.`);
  else if (!isMachine(page.player)) say(`${before}${MARKS[page.player]} to move.`);
  else say(`${before}${MARKS[page.player]}, the machine, is to move.`);
}

function setAddress() {
  const isAmbiguous = Boolean(look(page.board, 1) && look(page.board, 2));
  const address = `#${page.board}${isAmbiguous ? `.${page.player}` : ""}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}

function apply(move, before = "") {
  page.past.push({ board: page.board, player: page.player, move });
  page.board = play(page.board, move);
  page.player = other(page.player);
  page.picked = 0;
  $("choice").hidden = true;
  setAddress();
  showBoard();
  sayState(before);
  proceed();
}

// Lets the machine move, if it is its turn.
async function proceed() {
  const run = (page.run += 1);
  const state = look(page.board, page.player);
  if (state.over || isRepeated() || !isMachine(page.player)) return;
  const mover = page.player;
  await pause(450);
  if (run !== page.run) return;
  const opened = openBox(table(), mover, page.board);
  if (!opened) {
    if (state.moves.length === 1) return void apply(state.moves[0], `${MARKS[mover]} has one move, ${state.moves[0].text}, and needs no box for it. `);
    return void say(`The table has no box for this board, so ${MARKS[mover]} cannot move.`);
  }
  showBox(mover, opened, page.board);
  const drawn = draw(opened.box);
  if (!drawn) return void say(`${MARKS[mover]} opens box ${opened.box.id}, which is empty, and resigns.`);
  const here = turnMove(inverse(opened.symmetry), drawn.move);
  await carry(drawn.move, here);
  if (run !== page.run) return;
  const how = drawn.isLost ? ". The board is lost; it plays what loses latest: " : " and draws ";
  const turned = here.text === drawn.move.text ? "" : `, which is ${here.text} on the board`;
  apply(here, `${MARKS[mover]} opens box ${opened.box.id}${how}${drawn.move.text}${turned}. `);
}

// A bead by chance, as often as there are beads of it; from an empty box what lasts longest, if the table tells.
function draw(box) {
  const beads = contentsAt(box, page.round).beads.filter((bead) => bead.number);
  let ticket = Math.random() * beads.reduce((sum, bead) => sum + bead.number, 0);
  for (const bead of beads) {
    ticket -= bead.number;
    if (ticket < 0) return { move: bead.move, isLost: false };
  }
  let last = null;
  for (const bead of box.beads) {
    if (bead.removal && (!last || isLonger(lasts(bead.removal), lasts(last.removal)))) last = bead;
  }
  return last && { move: last.move, isLost: true };
}

// Shows the bead on its way from the drawer to its cell.
async function carry(drawn, here) {
  const source = [...document.querySelectorAll("#tray .bead, #loose .bead")].find((bead) => bead.dataset.move === drawn.text);
  if (source) source.classList.add("drawn");
  await pause(500);
  if (!source || calm.matches || !source.isConnected) return;
  const target = $("board").children[here.to - 1];
  const [from, to] = [source.getBoundingClientRect(), target.getBoundingClientRect()];
  const flying = source.cloneNode(true);
  flying.classList.add("flying");
  flying.removeAttribute("aria-label");
  flying.setAttribute("aria-hidden", "true");
  flying.style.left = `${from.left}px`;
  flying.style.top = `${from.top}px`;
  flying.style.width = `${from.width}px`;
  flying.style.height = `${from.height}px`;
  document.body.append(flying);
  const [x, y] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  const animation = flying.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }], { duration: 550, easing: "ease-in-out" });
  await animation.finished.catch(() => null);
  flying.remove();
}

// A person chooses a cell.
function choose(cell) {
  const state = look(page.board, page.player);
  if (state.over || isRepeated() || isMachine(page.player)) return;
  const starts = state.moves.filter((move) => (move.from || move.to) === cell);
  const here = page.picked ? state.moves.filter((move) => move.from === page.picked && move.to === cell) : starts.filter((move) => !move.from);
  $("choice").hidden = true;
  if (here.length === 1) return void apply(here[0]);
  if (here.length > 1) return void offer(here);
  page.picked = page.picked === cell || !starts.length ? 0 : cell;
  showBoard();
  if (page.picked) say(`From cell ${cell}: where to?`);
  else sayState(starts.length ? "" : `Cell ${cell} is no move now. `);
}

// Lets a person choose between moves to one cell.
function offer(moves) {
  $("choice").replaceChildren(...moves.map((move) => {
    const button = make("button", "", move.text);
    button.type = "button";
    button.addEventListener("click", () => apply(move));
    return button;
  }));
  $("choice").hidden = false;
  $("choice").firstChild.focus();
  say("Which of these?");
}

function restart(board, player) {
  page.run += 1;
  Object.assign(page, { board, player, past: [], picked: 0 });
  $("choice").hidden = true;
  setAddress();
  showBoard();
  sayState();
}

function takeBack() {
  let at = page.past.length - 1;
  while (at > 0 && isMachine(page.past[at].player)) at -= 1;
  if (at < 0) return;
  const { board, player } = page.past[at];
  page.run += 1;
  Object.assign(page, { board, player, picked: 0 });
  page.past.length = at;
  $("choice").hidden = true;
  setAddress();
  showBoard();
  sayState("Taken back. ");
  if (isMachine(player)) proceed();
}

// The page as it stands, and the game that is played on it.

const tables = [readTable(embedded, "the table of this page")];
const page = {
  board: game.start, player: 1, past: [],
  // The sides that the machine plays, as bits, and those that a person chose for it.
  machine: 2, wished: 2,
  shown: 0, round: 0, cabinet: 1,
  // The box in the drawer: whose it is, under which board, and for which board it was opened.
  box: null, picked: 0,
  // Counts up whenever what the machine is about to do is overtaken.
  overtaken: 0,
};
const table = () => tables[page.shown];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (time) => new Promise((done) => { setTimeout(done, calm.matches ? 0 : time); });

// A bead that loses although the board is not lost.
function isLosing(board, move, player) {
  return look(board, player).verdict !== "loss" && worthOf(board, move, player).outcome === "loss";
}

function isMachine(player) {
  return (page.machine & player) !== 0 && table().machines[player] !== undefined;
}

// Where the last move of a person stands in the past.
function lastOfAPerson() {
  return page.past.findLastIndex((past) => !isMachine(past.player));
}

function isRepeated() {
  const now = page.board + page.player;
  return game.drawn_at !== null && page.past.filter((past) => past.board + past.player === now).length + 1 >= game.drawn_at;
}

function showBoard() {
  const state = look(page.board, page.player);
  const last = page.past.length ? page.past[page.past.length - 1].move : null;
  const live = !state.over && !isRepeated() && !isMachine(page.player);
  for (let cell = 1; cell <= cells; cell += 1) {
    const button = $("board").children[cell - 1];
    const digit = page.board[cell - 1];
    button.classList.toggle("last", last !== null && last.to === cell);
    // Where pieces move, the names of their cells are wanted, too.
    const name = digit === "0" || !places ? `<span class="cell-name${digit === "0" ? "" : " corner"}" aria-hidden="true">${game.cells[cell - 1]}</span>` : "";
    button.innerHTML = markSvg(digit, state.row.includes(cell)) + name;
    const isChosen = page.picked === cell;
    const usable = live && state.moves.some((move) => (page.picked ? move.from === page.picked && move.to === cell : (move.from || move.to) === cell));
    button.classList.toggle("usable", usable);
    button.classList.toggle("picked", isChosen);
    button.setAttribute("aria-disabled", String(!usable && !isChosen));
    button.setAttribute("aria-label", `cell ${game.cells[cell - 1]}, ${MARKS[digit] || "empty"}${isChosen ? ", chosen" : ""}`);
  }
  $("choice").hidden = true;
  $("back").disabled = lastOfAPerson() < 0;
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
  setAddress();
  showBoard();
  sayState(before);
  proceed();
}

// Lets the machine move, if it is its turn.
async function proceed() {
  const turn = (page.overtaken += 1);
  const state = look(page.board, page.player);
  if (state.over || isRepeated() || !isMachine(page.player)) return;
  const mover = page.player;
  await pause(450);
  if (turn !== page.overtaken) return;
  const opened = openBox(table(), mover, page.board);
  if (!opened) {
    if (state.moves.length === 1) return void apply(state.moves[0], `${MARKS[mover]} has one move, ${state.moves[0].text}, and needs no box for it. `);
    return void say(`The table has no box for this board, so ${MARKS[mover]} cannot move; let the machine play another side.`);
  }
  showBox(mover, opened, page.board);
  const drawn = draw(opened.box, mover);
  if (!drawn) return void say(`${MARKS[mover]} opens box ${opened.box.id}, which is empty, and resigns.`);
  const here = turnMove(inverse(opened.symmetry), drawn.move);
  await carry(drawn.move, here);
  if (turn !== page.overtaken) return;
  const how = drawn.isLast ? ", which is empty, and plays what lasts longest: " : " and draws ";
  const turned = here.text === drawn.move.text ? "" : `, which is ${here.text} on the board`;
  apply(here, `${MARKS[mover]} opens box ${opened.box.id}${how}${drawn.move.text}${turned}. `);
}

// A bead at random, as often as there are beads of it; from an empty box one of the moves that the data names.
function draw(box, player) {
  const beads = contentsAt(box, page.round).beads.filter((bead) => bead.number);
  let ticket = Math.random() * beads.reduce((sum, bead) => sum + bead.number, 0);
  for (const bead of beads) {
    ticket -= bead.number;
    if (ticket < 0) return { move: bead.move, isLast: false };
  }
  const moves = movesWhenEmpty(box, player);
  return moves.length ? { move: moves[Math.floor(Math.random() * moves.length)], isLast: true } : null;
}

// What a machine plays from an empty box. The page's own table comes with the answer. Of a dropped one, the page knows it where the
// rules say that the board is lost; elsewhere, and in a trained table, the machine resigns.
function movesWhenEmpty(box, player) {
  if (table() === tables[0]) return game.empty[box.board + player].map((index) => moves[index]);
  return box.beads.length ? look(box.board, player).latest : [];
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
  if (here.length === 1) return void apply(here[0]);
  if (here.length > 1) return void offer(here);
  page.picked = page.picked === cell || !starts.length ? 0 : cell;
  showBoard();
  if (page.picked) say(`From ${game.cells[cell - 1]}: where to?`);
  else sayState(starts.length ? "" : `${game.cells[cell - 1]} is no move now. `);
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
  page.overtaken += 1;
  Object.assign(page, { board, player, past: [], picked: 0 });
  setAddress();
  showBoard();
  sayState();
}

function takeBack() {
  const at = lastOfAPerson();
  if (at < 0) return;
  const { board, player } = page.past[at];
  page.overtaken += 1;
  Object.assign(page, { board, player, picked: 0 });
  page.past.length = at;
  setAddress();
  showBoard();
  sayState("Taken back. ");
}

// A game: clicks and keys, the machine's replies as movements, and what is shown of them.

let view = null;
const page = { picked: 0, overtaken: 0, hasKeys: false, typed: "", typing: 0, isNew: true, isActing: false, isMoving: false, isGuessed: false, isTraining: false, kept: null };

const isYours = () => view.turn === "you";

function showBoard() {
  const board = $("board");
  shapeBoard(board);
  const usable = new Set(isYours() ? view.moves.filter((move) => !page.picked || move.from === page.picked).map((move) => (page.picked ? move.to : move.from || move.to)) : []);
  const focused = board.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
  const cells = digitsOf(view.board).map((kind, index) => {
    const cell = index + 1;
    const button = put(make("button", "cell"), scene.points[index]);
    button.type = "button";
    button.dataset.cell = cell;
    button.tabIndex = index === 0 ? 0 : -1;
    const held = kind ? kind.toUpperCase() : "free";
    button.setAttribute("aria-label", `${scene.places[index]}, ${scene.cells[index]}: ${held}`);
    button.classList.toggle("usable", usable.has(cell));
    button.classList.toggle("picked", page.picked === cell);
    button.classList.toggle("last", Boolean(view.last) && view.last.to === cell);
    if (kind) button.append(mark(kind));
    if (!kind || settings.has("numbers") || page.hasKeys) button.append(make("span", kind ? "name corner" : "name", scene.cells[index]));
    const worth = worthOf(cell);
    if (worth) {
      button.classList.add(`worth-${worth}`);
      button.append(make("span", "worth", { win: "wins", draw: "draw", loss: "loses" }[worth]));
    }
    return button;
  });
  board.replaceChildren(ground(), ...cells);
  if (view.row.length) board.append(strike(view.row, view.row_wins));
  board.classList.toggle("named", settings.has("numbers") || page.hasKeys);
  const again = focused && board.querySelector(`[data-cell="${focused}"]`);
  if (again) again.focus();
}

// What the library says that a cell is worth: of the piece on it or, once a piece is picked, of its way there.
function worthOf(cell) {
  if (!page.picked) return view.worth[cell];
  const move = view.moves.find(({ from, to }) => from === page.picked && to === cell);
  return move && move.worth;
}

function showDrawer(drawer, onBead = (bead) => explainBead(drawer, bead)) {
  $("tray").classList.remove("guessing");
  $("drawer").classList.toggle("closed", !drawer);
  if (!drawer) {
    shapeBoard($("tray"));
    $("tray").replaceChildren();
    $("drawer-name").textContent = view.drawn ? "For an only move the machine needs no box." : view.level ? "The moves that the machine chooses from." : "The machine opens a box when it is its turn.";
    $("drawer-hint").hidden = true;
    return;
  }
  drawDrawer($("tray"), drawer, onBead);
  $("drawer-name").textContent = view.level ? `Its choices at level ${view.level[0]}, without a box` : `The machine's open box, number ${drawerWords(drawer)}`;
  $("drawer-hint").hidden = !drawer.beads.some((bead) => bead.ghosts.length);
  $("drawer-hint").textContent = "Dotted circles: the same moves in a mirror. They need no beads of their own.";
  const drawn = view && view.drawn && $("tray").querySelector(`[data-move="${CSS.escape(view.drawn)}"]`);
  if (drawn) drawn.classList.add("drawn");
}

// Whether things move on the page. The first move after opening is shown at once, so that nobody waits for it.
const isAnimated = () => !calm.matches && settings.get("speed") !== "once" && !page.isNew;

// Everything that follows from the view.
function show() {
  document.body.classList.toggle("learns", view.mode === "learns");
  document.body.classList.toggle("knows", view.mode === "knows");
  document.body.classList.toggle("you-first", view.plays[1] && !view.plays[0]);
  document.body.classList.toggle("no-sides", view.plays[0] === view.plays[1] || scene.shares_marks);
  $("heading").textContent = view.heading;
  document.title = view.heading;
  document.body.classList.toggle("at-level", Boolean(view.level));
  $("level").textContent = view.level ? view.level[1] : "";
  showBoard();
  showDrawer(view.drawer);
  $("status").textContent = view.status;
  $("back").disabled = !view.can_go_back;
  $("new").classList.toggle("main", view.turn === "over");
  const { you, drawn, machine } = view.score;
  $("score").textContent = view.plays[0] !== view.plays[1] ? `you ${you} · drawn ${drawn} · machine ${machine}` : "";
  $("choice").hidden = true;
  showShelf();
  showReview();
  showLearned();
  showLessons();
  showRounds();
  set("moves", view.history.join("."));
  setAddress();
}

// The shelf: how many boxes there are, with those that were opened in this game.
function showShelf() {
  const opened = view.opened.map((number) => make("span", "opened-box", number));
  $("shelf").replaceChildren("Boxes opened in this game: ", ...opened);
  $("shelf").hidden = !opened.length;
}

function showReview() {
  $("review").hidden = !view.review;
  $("review").replaceChildren(...(view.review ? [make("h2", "", "What lost it"), ...proofPicture(view.review)] : []));
}

const explainBead = attempt(async (drawer, bead) => {
  const proof = await ask("why", { board: drawer.board, side: drawer.side, mv: bead.text });
  const heading = make("h2", "", `${bead.colour[0].toUpperCase()}${bead.colour.slice(1)}, ${bead.name}`);
  $("why").replaceChildren(heading, ...proofPicture(proof, () => { $("why").hidden = true; }));
  $("why").hidden = false;
});

// Does something in the game and shows what follows. Whatever is begun later overtakes it, and what it was waiting for is not shown.
const act = attempt(async (what, given) => {
  const turn = (page.overtaken += 1);
  Object.assign(page, { picked: 0, isNew: false, isActing: true });
  $("why").hidden = true;
  try {
    const next = await ask(what, given);
    if (turn !== page.overtaken) return;
    view = next;
  } finally {
    page.isActing = false;
  }
  show();
  celebrate();
  await proceed(turn);
});

// The machine moves as long as it is its turn.
async function proceed(turn = (page.overtaken += 1)) {
  while (view.turn === "machine" && turn === page.overtaken) {
    if (settings.has("guess") && view.drawer) return void askForGuess(turn);
    await machineMoves(turn);
  }
  if (turn === page.overtaken && document.body.dataset.tab === "cabinet") await showCabinet();
}

async function machineMoves(turn) {
  page.isMoving = true;
  try {
    await drawAndShow(turn);
  } finally {
    page.isMoving = false;
  }
}

async function drawAndShow(turn) {
  $("status").textContent = view.level ? "The machine chooses a move." : "The machine opens its box.";
  const drawn = await ask("draw");
  if (turn !== page.overtaken) return;
  if (drawn.drawer) await openDrawer(drawn.drawer, turn);
  if (drawn.mv && drawn.drawer) await carry(drawn.mv, turn);
  if (turn !== page.overtaken) return;
  view = drawn.view;
  page.isNew = false;
  show();
  celebrate();
}

// Pulls the drawer out and turns it until its label lies as the board does.
async function openDrawer(drawer, turn) {
  showDrawer(drawer);
  $("tray").querySelectorAll(".drawn").forEach((bead) => bead.classList.remove("drawn"));
  if (!isAnimated()) return;
  const slide = $("tray-window").animate([{ transform: "translateY(-12%)", opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: 120, easing: "ease-out" });
  await slide.finished.catch(() => null);
  if (!drawer.turn || turn !== page.overtaken) return;
  const back = `matrix(${drawer.turn.join(",")},0,0)`;
  $("tray").classList.add("turning");
  const turned = $("tray").animate([{ transform: back }, { transform: "none" }], { duration: 200, easing: "ease-in-out" });
  await turned.finished.catch(() => null);
  $("tray").classList.remove("turning");
}

// Shows the bead on its way from the drawer to its cell.
async function carry(move, turn) {
  const source = $("tray").querySelector(`[data-move="${CSS.escape(move.text)}"]`);
  if (!source) return;
  source.classList.add("drawn");
  if (!isAnimated() || turn !== page.overtaken) return;
  await pause(60);
  const target = $("board").querySelector(`[data-cell="${move.to}"]`);
  await fly(source, target);
}

async function fly(source, target) {
  const [from, to] = [source.getBoundingClientRect(), target.getBoundingClientRect()];
  const flying = source.cloneNode(true);
  flying.className = "bead flying";
  flying.setAttribute("aria-hidden", "true");
  Object.assign(flying.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px`, height: `${from.height}px` });
  document.body.append(flying);
  const [x, y] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  const animation = flying.animate([{ transform: "none" }, { transform: `translate(${x}px, ${y}px)` }], { duration: 220, easing: "ease-in-out" });
  await animation.finished.catch(() => null);
  flying.remove();
}

// Before the bead is drawn, a person may guess it.
function askForGuess(turn) {
  $("status").textContent = view.level ? "Which move will it choose? Click its bead." : "Which bead will it draw? Click one.";
  const guess = attempt(async (bead) => {
    if (turn !== page.overtaken || page.isGuessed) return;
    page.isGuessed = true;
    try {
      await machineMoves(turn);
    } finally {
      page.isGuessed = false;
    }
    if (turn !== page.overtaken) return;
    const hit = view.drawn === bead.text ? "Right!" : "Not this time.";
    $("status").textContent = `${hit} Your bead had a chance of ${Math.round(100 * bead.share)} %. ${view.status}`;
    await proceed(turn);
  });
  showDrawer(view.drawer, guess);
  $("tray").classList.add("guessing");
}

function celebrate() {
  if (view.turn !== "over" || !view.learned) return;
  playChanges();
  remember();
}

// A person chooses a cell.
async function choose(cell) {
  if (!isYours() || page.isActing || page.isTraining) return;
  const at = (move) => [move.from || move.to, ...(move.also || [])].includes(cell);
  const starts = view.moves.filter(at);
  const here = page.picked ? view.moves.filter((move) => move.from === page.picked && move.to === cell) : starts.filter((move) => !move.from);
  if (here.length === 1) return void (await act("play", { mv: here[0].text }));
  if (here.length > 1) return void offer(here);
  page.picked = page.picked === cell || !starts.length ? 0 : cell;
  showBoard();
  if (page.picked) $("status").textContent = `From ${scene.places[cell - 1]}: where to?`;
  else $("status").textContent = starts.length ? view.status : `Nothing can be played there now. ${view.status}`;
}

// Lets a person choose between moves to one cell.
function offer(moves) {
  $("choice").replaceChildren(...moves.map((move) => {
    const button = make("button", "", move.name);
    button.type = "button";
    button.addEventListener("click", () => act("play", { mv: move.text }));
    return button;
  }));
  $("choice").hidden = false;
  $("choice").firstChild.focus();
  $("status").textContent = "Which of these?";
}

// Types the name of a cell. Where it may be the beginning of a longer name, the next key is waited for.
function type(key) {
  clearTimeout(page.typing);
  const begins = (text) => scene.cells.some((name) => name.startsWith(text));
  page.typed = begins(page.typed + key) ? page.typed + key : key;
  const cell = scene.cells.indexOf(page.typed) + 1;
  const pick = () => {
    Object.assign(page, { typed: "", hasKeys: true });
    choose(cell);
  };
  if (!cell) return;
  if (scene.cells.some((name) => name !== page.typed && name.startsWith(page.typed))) page.typing = setTimeout(pick, 700);
  else pick();
}

function listenToGame() {
  const board = $("board");
  board.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) choose(Number(cell.dataset.cell));
  });
  board.addEventListener("keydown", (event) => {
    const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [0, 0];
    const cell = event.target.closest(".cell");
    if (!cell || !(right || down)) return;
    event.preventDefault();
    const next = nearest(Number(cell.dataset.cell), right, down);
    if (next) board.querySelector(`[data-cell="${next}"]`).focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && settings.has("projector")) return void setProjector(false);
    const isTyping = event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey;
    if (isTyping || $("play").hidden) return;
    if (event.key.length === 1) type(event.key.toLowerCase());
  });
  $("new").addEventListener("click", () => {
    document.body.classList.add("begun");
    act("new");
  });
  $("back").addEventListener("click", () => act("back"));
}

// The next cell in a direction.
function nearest(cell, right, down) {
  const [x, y] = point(cell);
  const ahead = scene.points.map(([px, py], index) => ({ cell: index + 1, along: (px - x) * right + (py - y) * down, aside: Math.abs((px - x) * down) + Math.abs((py - y) * right) }));
  const found = ahead.filter(({ along, aside }) => along > 0.1 && aside <= along).sort((a, b) => a.along + 2 * a.aside - b.along - 2 * b.aside)[0];
  return found && found.cell;
}

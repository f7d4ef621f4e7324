// The open drawer and the cabinet of all of them.

// Puts a box into the drawer; `asked` is the board that it was opened for.
function showBox(player, opened, asked) {
  page.box = { player, box: opened.box, symmetry: opened.symmetry, asked };
  showDrawer();
}

function showDrawer() {
  $("reason").replaceChildren();
  const shown = page.box;
  $("tray-area").hidden = !shown;
  $("loose").hidden = true;
  if (!shown) {
    $("tray").replaceChildren();
    $("loose").replaceChildren();
    $("drawer-about").textContent = "When the machine moves, its box opens here. Or choose a drawer of the cabinet below.";
    return;
  }
  const { player, box, symmetry, asked } = shown;
  const { beads, isBanned } = contentsAt(box, page.round);
  const state = { win: "won", draw: "a draw", loss: "lost" }[look(box.board, player).verdict];
  const ban = isBanned ? `, ${banText(box.banned)}` : "";
  $("drawer-about").textContent = `Box ${box.id} of the ${NAMES[player]} machine, ${MARKS[player]} to move: ${state}${ban}.`;
  const tray = $("tray");
  tray.replaceChildren();
  tray.classList.toggle("banned", isBanned);
  for (let cell = 1; cell <= cells; cell += 1) {
    const place = make("div", "place");
    place.innerHTML = markSvg(box.board[cell - 1]);
    for (const bead of places ? beads.filter(({ move }) => move.to === cell) : []) {
      place.append(beadButton(beads, bead, bead.number && isLosing(box.board, bead.move, player)));
    }
    tray.append(place);
  }
  tray.setAttribute("aria-label", `The box: ${inWords(box.board)}`);
  $("loose").hidden = places;
  $("loose").replaceChildren(...(places ? [] : beads.map((bead) => beadButton(beads, bead, bead.number && isLosing(box.board, bead.move, player)))));
  const isTurned = asked !== box.board;
  $("turn").hidden = !isTurned;
  if (isTurned) {
    $("turn").innerHTML = `${small(asked)}<span class="arrow" aria-hidden="true">→</span>${small(box.board)}`;
    $("turn").append(make("span", "quiet", `The board, ${turnName(symmetry)}, is the box.`));
  }
  markCurrent();
}

// Tells about a bead or a hole of the box in the drawer.
function explain(text) {
  const { player, box } = page.box;
  const bead = contentsAt(box, page.round).beads.find(({ move }) => move.text === text);
  const reason = $("reason");
  const words = make("p");
  reason.replaceChildren(words);
  if (bead.number) {
    const { outcome, depth } = worthOf(box.board, bead.move, player);
    const moves = depth + 1 === 1 ? "1 move" : `${depth + 1} moves`;
    const comes = { win: `${MARKS[player]} wins in ${moves}`, draw: "a draw", loss: `${MARKS[other(player)]} wins in ${moves}` }[outcome];
    words.textContent = `Bead ${text} ${bead.number > 1 ? `is there ${bead.number} times` : "stays"}; with best play on both sides: ${comes}.`;
    return;
  }
  words.textContent = `Bead ${text} ${reasonText(bead.removal)}`;
  showSteps(reason, proof(table(), player, box, bead));
}

// A line of play, board by board, one step at a time.
function showSteps(parent, line) {
  const list = make("ol", "steps");
  const end = make("p", "end");
  end.tabIndex = -1;
  const [next, all] = [make("button", "", "Next step"), make("button", "", "To the end")];
  let shown = 0;
  const add = () => {
    const step = line.steps[shown];
    const item = make("li");
    item.innerHTML = small(step.board, { row: step.row, last: step.move.to });
    item.prepend(make("span", "caption", `${MARKS[step.mover]} ${step.move.text}`));
    if (step.note) item.append(make("span", "quiet", step.note));
    item.setAttribute("aria-label", `${MARKS[step.mover]} plays ${step.move.text}: ${inWords(step.board)}${step.note ? `; ${step.note}` : ""}`);
    list.append(item);
    shown += 1;
    if (shown < line.steps.length) return;
    const hadFocus = [next, all].includes(document.activeElement);
    next.hidden = all.hidden = true;
    end.textContent = endText(line);
    if (hadFocus) end.focus();
  };
  const buttons = make("p", "buttons");
  for (const button of [next, all]) button.type = "button";
  next.addEventListener("click", add);
  all.addEventListener("click", () => { while (shown < line.steps.length) add(); });
  buttons.append(next, all);
  parent.append(list, buttons, end);
  if (line.steps.length) add();
  else { buttons.hidden = true; end.textContent = "The table gives no further reason."; }
}

const stones = (board) => cells - board.split("0").length + 1;

// What is played from a box: its moves with their numbers, or, where only one of the tables has a box a class, the moves alone.
function plays({ box, symmetry }, round, isSymmetric, withNumbers) {
  const back = inverse(symmetry);
  const mirrors = game.symmetries.filter((mirror) => isSymmetric && !withNumbers && turnBoard(mirror, box.board) === box.board);
  const played = contentsAt(box, round).beads.filter((bead) => bead.number).flatMap(({ move, number }) => [move, ...mirrors.map((mirror) => turnMove(mirror, move))]
    .map((turned) => turnMove(back, turned).text + (withNumbers ? `×${number}` : "")));
  return [...new Set(played)].sort().join(" ");
}

// Whether two tables differ in a box, as far as what is played goes.
function differs(player, box) {
  if (tables.length < 2) return false;
  const [here, there] = [table(), tables[1 - page.shown]];
  const opened = openBox(there, player, box.board);
  if (!opened) return true;
  const withNumbers = here.symmetry === there.symmetry;
  // The other table as it stood after the same round, or at its end if this one is shown at its own.
  const round = page.round < lastRound(here) ? page.round : Infinity;
  return plays(opened, round, there.symmetry, withNumbers) !== plays({ box, symmetry: identity }, page.round, here.symmetry, withNumbers);
}

function showCabinet() {
  const machine = table().machines[page.cabinet];
  const groups = new Map();
  for (const box of machine ? machine.boxes.values() : []) {
    const key = stones(box.board);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(box);
  }
  const keys = [...groups.keys()].sort((a, b) => (places ? a - b : b - a));
  $("drawers").replaceChildren(...keys.map((key) => cabinetRow(key, groups.get(key))));
  if (!machine) $("drawers").append(make("p", "quiet", `This table has no boxes for the ${NAMES[page.cabinet]} machine.`));
  markCurrent();
}

function cabinetRow(key, boxes) {
  const row = make("section", "cabinet-row");
  const sealed = boxes.filter((box) => contentsAt(box, page.round).isBanned).length;
  const what = places ? `Move ${Math.floor(key / 2) + 1}` : `${key} ${key === 1 ? "piece" : "pieces"} on the board`;
  const about = `${boxes.length} ${boxes.length === 1 ? "drawer" : "drawers"}${sealed ? `, ${sealed} sealed` : ""}`;
  const heading = make("h3", "", what);
  heading.append(make("span", "quiet", ` ${about}`));
  const rail = make("div", "rail");
  rail.append(...boxes.map(drawerOf));
  row.append(heading, rail);
  return row;
}

function drawerOf(box) {
  const { beads, isBanned } = contentsAt(box, page.round);
  const there = beads.filter((bead) => bead.number);
  const dots = there.map(({ move }) => ({ cell: move.to, fill: colourOf(beads, move).fill, isLosing: isLosing(box.board, move, page.cabinet) }));
  const isOther = differs(page.cabinet, box);
  const holds = isBanned ? banText(box.banned) : there.length ? `beads ${there.map(({ move }) => move.text).join(" ")}` : "no beads";
  const marks = [isOther && "differs", dots.some((dot) => dot.isLosing) && "with beads that lose"].filter(Boolean);
  const drawer = make("button", `drawer${isBanned ? " banned" : ""}${isOther ? " differs" : ""}`);
  drawer.type = "button";
  drawer.dataset.board = box.board;
  drawer.setAttribute("aria-label", [`box ${box.id}`, inWords(box.board), holds, ...marks].join(", "));
  drawer.innerHTML = small(box.board, { beads: places ? dots : [] });
  if (isBanned) drawer.append(make("span", "seal", String(box.banned)));
  return drawer;
}

// Marks the drawer of the box that is open.
function markCurrent() {
  for (const old of document.querySelectorAll(".drawer.open")) old.classList.remove("open");
  if (!page.box || page.box.player !== page.cabinet) return;
  const drawer = document.querySelector(`.drawer[data-board="${page.box.box.board}"]`);
  if (drawer) drawer.classList.add("open");
}

function showRounds() {
  const last = lastRound(table());
  const slider = $("round");
  $("rounds").hidden = last === 0;
  slider.max = String(Math.max(0, last));
  slider.value = String(page.round);
  const name = page.round === 0 ? "all beads" : page.round === last ? `round ${page.round}, nothing more to take out` : `round ${page.round}`;
  $("round-label").textContent = `As it stood after: ${name}`;
  slider.setAttribute("aria-valuetext", name);
  const parts = Object.entries(table().machines).map(([player, machine]) => {
    let [beads, sealed] = [0, 0];
    for (const box of machine.boxes.values()) {
      const contents = contentsAt(box, page.round);
      beads += contents.beads.filter((bead) => bead.number).length;
      sealed += contents.isBanned ? 1 : 0;
    }
    return `${NAMES[player]} machine: ${beads} beads, ${sealed} of ${machine.boxes.size} drawers sealed`;
  });
  $("round-about").textContent = `${parts.join("; ")}. The machine plays with the beads that you see.`;
}

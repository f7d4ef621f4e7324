// Another table, the address, and how the page begins.

async function takeFile(file) {
  $("file-error").hidden = true;
  try {
    let json;
    try {
      json = JSON.parse(await file.text());
    } catch {
      throw new Error(`${file.name} is not JSON; drop a table made by menace, as .json.`);
    }
    tables[1] = readTable(json, file.name);
  } catch (error) {
    $("file-error").textContent = error.message;
    $("file-error").hidden = false;
    return;
  }
  $("compared").hidden = false;
  $("other-name").textContent = tables[1].name;
  showTable(1);
  const words = [1, 2].filter((player) => tables[0].machines[player] && tables[1].machines[player]).map((player) => {
    const boxes = [...tables[1].machines[player].boxes.values()];
    const other = boxes.filter((box) => differs(player, box)).length;
    const losing = boxes.filter((box) => box.beads.some((bead) => bead.number && isLosing(box.board, bead.move, player))).length;
    const missing = [...tables[0].machines[player].boxes.values()].filter((box) => !openBox(tables[1], player, box.board)).length;
    const lacks = missing ? `, ${missing} of the page's boxes are not in it` : "";
    return `${NAMES[player]} machine: ${other} of ${boxes.length} boxes play otherwise, ${losing} have beads that lose${lacks}`;
  });
  $("differences").textContent = words.length ? `${words.join("; ")}. Drawers that differ are marked; beads that lose have a red ring.` : "The two tables have no machine in common.";
}

function showTable(index) {
  page.shown = index;
  page.picked = 0;
  page.overtaken += 1;
  page.round = lastRound(table());
  document.querySelector(`input[name="table"][value="${index}"]`).checked = true;
  if (!table().machines[page.cabinet]) page.cabinet = other(page.cabinet);
  page.box = null;
  showAll();
  if (isMachine(page.player)) proceed();
}

function showAll() {
  for (const player of [1, 2]) {
    const has = table().machines[player] !== undefined;
    document.querySelector(`input[name="cabinet"][value="${player}"]`).disabled = !has;
    document.querySelector(`input[name="machine"][value="${player}"]`).disabled = !has;
  }
  const hasBoth = table().machines[1] && table().machines[2];
  document.querySelector('input[name="machine"][value="3"]').disabled = !hasBoth;
  document.querySelector(`input[name="machine"][value="${page.machine}"]`).checked = true;
  document.querySelector(`input[name="cabinet"][value="${page.cabinet}"]`).checked = true;
  const counts = Object.entries(table().machines).map(([player, machine]) => `${NAMES[player]} machine ${machine.boxes.size} boxes`);
  $("summary").textContent = `${table().origin}${table().symmetry ? ", one box a class" : ""}: ${counts.join(", ")}.`;
  showBoard();
  sayState();
  showDrawer();
  showRounds();
  showCabinet();
}

// The board that the address holds, with who is to move.
function fromAddress() {
  const found = /^#([012]+)(?:\.([12]))?$/.exec(location.hash);
  if (!found || found[1].length !== cells) return null;
  const players = [1, 2].filter((player) => look(found[1], player) && (!found[2] || Number(found[2]) === player));
  return players.length ? { board: found[1], player: players[0] } : null;
}

// Shows the board of the address. A person is to move there, so that the machine does not change what was shared.
function openAddress() {
  const found = fromAddress();
  if (!found) {
    if (location.hash) {
      setAddress();
      sayState("The address held no board of this game. ");
    }
    return false;
  }
  const { board, player } = found;
  if (board !== game.start && isMachine(player)) {
    page.machine = table().machines[other(player)] ? other(player) : 0;
    document.querySelector(`input[name="machine"][value="${page.machine}"]`).checked = true;
  }
  page.box = null;
  restart(board, player);
  const opened = look(board, player).over ? null : openBox(table(), player, board);
  if (opened) showBox(player, opened, board);
  else showDrawer();
  if (isMachine(player)) proceed();
  return true;
}

function listenToGame() {
  $("board").addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (cell) choose(Number(cell.dataset.cell));
  });
  $("board").addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -game.width, ArrowDown: game.width }[event.key];
    const cell = event.target.closest(".cell");
    if (!step || !cell) return;
    const at = Number(cell.dataset.cell) - 1;
    const isSameRow = Math.floor(at / game.width) === Math.floor((at + step) / game.width);
    const next = (isSameRow || Math.abs(step) === game.width) && $("board").children[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key) && Number(event.key) <= cells) choose(Number(event.key));
  });
  $("new").addEventListener("click", () => {
    page.machine = page.wished;
    document.querySelector(`input[name="machine"][value="${page.machine}"]`).checked = true;
    page.box = null;
    restart(game.start, 1);
    showDrawer();
    proceed();
  });
  $("back").addEventListener("click", takeBack);
  for (const input of document.querySelectorAll('input[name="machine"]')) {
    input.addEventListener("change", () => {
      page.machine = page.wished = Number(input.value);
      page.picked = 0;
      showBoard();
      sayState();
      proceed();
    });
  }
}

function listenToBoxes() {
  for (const input of document.querySelectorAll('input[name="cabinet"]')) {
    input.addEventListener("change", () => { page.cabinet = Number(input.value); showCabinet(); });
  }
  $("round").addEventListener("input", () => {
    page.round = Number($("round").value);
    showRounds();
    showDrawer();
    showCabinet();
    // What the machine is about to draw may be gone, or back again.
    proceed();
  });
  for (const area of [$("tray"), $("loose")]) {
    area.addEventListener("click", (event) => {
      const bead = event.target.closest("[data-move]");
      if (bead) explain(bead.dataset.move);
    });
  }
  $("drawers").addEventListener("click", (event) => {
    const drawer = event.target.closest(".drawer");
    if (!drawer) return;
    showBox(page.cabinet, openBox(table(), page.cabinet, drawer.dataset.board), drawer.dataset.board);
    $("drawer").scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  });
}

function listenToTables() {
  for (const input of document.querySelectorAll('input[name="table"]')) {
    input.addEventListener("change", () => showTable(Number(input.value)));
  }
  $("file").addEventListener("change", () => {
    const [file] = $("file").files;
    // The same file can be chosen again, after it was changed.
    $("file").value = "";
    if (file) takeFile(file);
  });
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      document.body.classList.toggle("dropping", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) takeFile(event.dataTransfer.files[0]);
    });
  }
}

function begin() {
  document.documentElement.style.setProperty("--columns", game.width);
  $("title").textContent = `menace: ${game.title}`;
  $("rules").textContent = game.rules && `The rules: ${game.rules}.`;
  const keys = cells >= 9 ? "1 to 9" : `1 to ${cells}`;
  $("keys").textContent = `Click a cell, or press ${keys}${cells > 9 ? " for the first nine" : ""}; the address holds the board.`;
  $("legend").textContent = places
    ? "A dot is a bead, with a red ring if it loses; a sealed drawer is a banned board, with the round in which it ran empty."
    : "A sealed drawer is a banned board, with the round in which it ran empty.";
  for (let cell = 1; cell <= cells; cell += 1) {
    const button = make("button", "cell");
    button.type = "button";
    button.dataset.cell = String(cell);
    $("board").append(button);
  }
  page.machine = page.wished = table().machines[2] ? 2 : 1;
  page.cabinet = page.machine;
  page.round = lastRound(table());
  listenToGame();
  listenToBoxes();
  listenToTables();
  addEventListener("hashchange", openAddress);
  showAll();
  if (!openAddress()) proceed();
  // For scripts: the page as it stands, and the line that proves why a bead of a box went.
  window.menace = {
    state: () => ({ board: page.board, player: page.player, over: look(page.board, page.player).over, machine: page.machine, isMachineToMove: isMachine(page.player) }),
    line: (board, player, text) => {
      const { box } = openBox(table(), player, board);
      return proof(table(), player, box, box.beads.find((bead) => bead.move.text === text)).steps.map((step) => step.move.text);
    },
    removed: () => [1, 2].flatMap((player) => [...(table().machines[player] || { boxes: new Map() }).boxes.values()]
      .flatMap((box) => box.beads.filter((bead) => bead.removal).map((bead) => [box.board, player, bead.move.text]))),
  };
}

begin();

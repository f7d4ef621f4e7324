// The map, labels for real matchboxes, and the box for a real board.

const building = { map: null, drawn: null, labels: null, real: null, opened: [], noted: [] };

const showMap = attempt(async () => {
  building.map = sideShown(building.map);
  fillSides("map-sides", building.map, (side) => { building.map = side; showMap(); });
  $("map-picture").replaceChildren();
  $("map-about").textContent = "";
  for (const id of ["map-window", "map-tools"]) $(id).hidden = true;
  try {
    building.drawn = await ask("map", { side: building.map });
  } catch (error) {
    building.drawn = null;
    $("map-about").textContent = error.message;
    return;
  }
  const picture = new DOMParser().parseFromString(building.drawn.svg, "image/svg+xml").documentElement;
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  $("map-picture").replaceChildren(picture);
  for (const id of ["map-window", "map-tools"]) $(id).hidden = false;
  $("map-about").textContent = "Point at a board to see how the game came there.";
});

// How the game came to a board of the map: the replies and moves around it.
function wayTo(group) {
  const way = [];
  for (let at = group; at; at = at.parentElement.closest("g[data-board]")) {
    if (at.dataset.move) way.unshift(`machine ${at.dataset.move}`);
    if (at.dataset.reply) way.unshift(`you ${at.dataset.reply}`);
  }
  return way.join(", ");
}

const makeLabels = attempt(async () => {
  building.labels = sideShown(building.labels);
  clearOld();
  const asked = { side: building.labels, paper: $("paper").value };
  if ($("kit").checked) asked.kits = (await parts.kits) || "[]";
  const made = await ask("labels", asked);
  $("labels-about").textContent = made.about;
  $("sheets").replaceChildren(...made.sheets.map((sheet, index) => {
    const picture = make("img", "sheet");
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sheet)}`;
    picture.alt = `Sheet ${index + 1} of ${made.sheets.length}`;
    picture.style.setProperty("--width", `${made.size[0]}mm`);
    picture.style.setProperty("--height", `${made.size[1]}mm`);
    return picture;
  }));
  $("print-labels").hidden = false;
});

const NEXT = { ".": "X", X: "O", O: "." };

function showReal() {
  building.labels = sideShown(building.labels);
  fillSides("build-sides", building.labels, (side) => { building.labels = side; findBox(); });
  if (!building.real || building.real.length !== scene.points.length) building.real = [...scene.start];
  const real = $("real");
  shapeBoard(real);
  const cells = building.real.map((held, index) => {
    const button = put(make("button", "cell usable"), scene.points[index]);
    button.type = "button";
    button.dataset.cell = index + 1;
    button.setAttribute("aria-label", `${scene.places[index]}: ${held === "." ? "free" : held}`);
    if (held !== ".") button.append(mark(held.toLowerCase()));
    return button;
  });
  real.replaceChildren(ground(), ...cells);
  showNotes();
  findBox();
}

async function findBox() {
  try {
    const found = await ask("find", { board: building.real.join(""), side: building.labels });
    const parts = [make("p", "claim", found.sentence)];
    if (found.drawer) {
      const tray = make("div", "board tray");
      drawDrawer(tray, found.drawer, () => null);
      const frame = make("div", "tray-frame");
      frame.append(tray);
      parts.push(frame);
    }
    if (found.drawer) parts.push(buttons([["I open this box", () => building.opened.push(found.drawer.number)]]));
    parts.push(...found.after.map((line) => make("p", "", line)));
    $("found").replaceChildren(...parts);
  } catch (error) {
    $("found").replaceChildren(make("p", "", error.message));
  }
}

// Buttons that note something about the real game.
function buttons(actions) {
  const row = make("p", "buttons");
  for (const [words, action] of actions) {
    const button = make("button", "", words);
    button.type = "button";
    button.addEventListener("click", () => {
      action();
      showNotes();
    });
    row.append(button);
  }
  return row;
}

// The real game in progress, and how the games before it went.
function showNotes() {
  const end = (how) => () => {
    building.noted.push(`Game ${building.noted.length + 1}: the machine ${how}${building.opened.length ? `, with boxes ${building.opened.join(", ")}` : ""}.`);
    Object.assign(building, { opened: [], real: null });
    showReal();
  };
  const opened = building.opened.length ? `Opened in this game: ${building.opened.join(", ")}.` : "No box is noted for this game yet.";
  const ends = ["won", "drew", "lost"].map((how) => [`The machine ${how}`, end(how)]);
  $("notes").replaceChildren(make("p", "", opened), buttons(ends), ...building.noted.map((line) => make("p", "", line)));
}

function listenToBuilding() {
  $("zoom").addEventListener("input", () => $("map-picture").style.setProperty("--zoom", $("zoom").value));
  $("map-picture").addEventListener("mouseover", (event) => {
    const group = event.target.closest("g[data-board]");
    if (group) $("map-about").textContent = wayTo(group) || "The start.";
  });
  $("save-map").addEventListener("click", () => building.drawn && download(building.drawn.file, building.drawn.svg, "image/svg+xml"));
  $("make-labels").addEventListener("click", makeLabels);
  $("print-labels").addEventListener("click", () => {
    document.body.classList.add("printing");
    print();
    document.body.classList.remove("printing");
  });
  $("real").addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell) return;
    const index = Number(cell.dataset.cell) - 1;
    building.real[index] = NEXT[building.real[index]];
    showReal();
    $("real").querySelector(`[data-cell="${index + 1}"]`).focus();
  });
  $("real-clear").addEventListener("click", () => { building.real = null; showReal(); });
}

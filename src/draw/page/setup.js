// The set-up panel, the list of games, tables from files, and the ways to show things.

const TERMS = {
  box: "A matchbox with a picture of one board on it. The machine has a box for every board on which it has to choose.",
  bead: "A small glass ball. Its colour says where the machine plays if it draws it.",
  round: "One look at every box. Beads that lose to some reply are removed; a box that runs empty is banned, and the next round takes that into account.",
};

// What the page's address or its first settings say, or else nothing.
function firstSettings() {
  const given = location.hash.length > 1 ? location.hash.slice(1) : document.querySelector('meta[name="menace-settings"]').content;
  return readSettings(given);
}

// Opens the machine of the settings. What was there before stays if that fails.
async function open({ table = null, name = "" }) {
  const request = { settings: Object.fromEntries(settings), draws: crypto.getRandomValues(new Uint32Array(1))[0], name };
  if (table !== null) request.table = table;
  const moves = settings.get("moves");
  if (moves && table === null) request.moves = moves.split(".");
  page.overtaken += 1;
  const opened = await ask("open", request);
  ({ scene, view } = opened);
  Object.assign(page, { picked: 0, training: false, isNew: true });
  Object.assign(cabinet, { side: null, at: null });
  Object.assign(building, { map: null, labels: null, real: null });
  $("why").hidden = true;
  page.file = table === null ? null : { table, name };
  set("mode", view.mode === "learns" ? null : view.mode);
  $("rules").textContent = `${scene.title}: ${scene.rules}.`;
  $("keys").textContent = `With a keyboard: type the name of a cell (${scene.cells[0]}, ${scene.cells[1]}, …), or go there with Tab and the arrow keys.`;
  fillGames();
  const round = Number(settings.get("round"));
  if (view.rounds && settings.has("round") && round < view.rounds.last) view = await ask("round", { round });
  show();
  await showTab();
  if (settings.has("guess") !== ($("guess").getAttribute("aria-pressed") === "true")) $("guess").setAttribute("aria-pressed", String(settings.has("guess")));
  proceed();
}

// What the machine has learned is kept beside it, so that it survives when work is stopped.
async function remember() {
  page.kept = view.progress && view.progress.games ? await ask("save") : null;
}

async function restore() {
  const table = page.file ? page.file : page.kept ? { table: page.kept, name: "" } : {};
  if (settings.get("tab") !== "play") settings.delete("tab");
  await open(table).catch(complain);
}

// Opens with other settings; if that fails, the settings stay as they were.
const reopen = attempt(async (changes, file = {}) => {
  const before = new Map(settings);
  for (const [name, value] of Object.entries(changes)) set(name, value);
  settings.delete("moves");
  settings.delete("round");
  try {
    await open(file);
  } catch (error) {
    settings.clear();
    for (const [name, value] of before) settings.set(name, value);
    throw error;
  }
});

function fillGames() {
  const pick = $("game-pick");
  const chosen = settings.get("game") || "tictactoe";
  const games = [...scene.games];
  const isListed = games.some(([name]) => name === chosen);
  if (!isListed) games.unshift([chosen, scene.title]);
  pick.replaceChildren(...games.map(([name, title]) => Object.assign(make("option", "", title), { value: name })));
  pick.value = chosen;
  document.querySelector(`input[name="mode"][value="${view.mode}"]`).checked = true;
}

function fillSetup() {
  $("set-game").value = settings.get("game") || "tictactoe";
  const machine = settings.get("machine") || "";
  document.querySelector(`input[name="machine"][value="${machine}"]`).checked = true;
  $("set-aim").value = settings.get("aim") || "safe";
  $("set-beads").value = settings.get("beads") || "";
  const [win, draw, loss] = (settings.get("reward") || "3,1,-1").split(",");
  Object.assign($("set-win"), { value: win });
  Object.assign($("set-draw"), { value: draw });
  Object.assign($("set-loss"), { value: loss });
  $("set-blame").value = settings.get("blame") || "every";
  $("set-empty").value = settings.get("empty") || "keep";
  $("set-seed").value = settings.get("seed") || "1";
}

// The name of the row game that the numbers say.
function rowGame() {
  const size = ["set-width", "set-height", "set-row"].map((id) => $(id).value).join("x");
  return size + ($("set-gravity").checked ? "+gravity" : "") + ($("set-misere").checked ? "+misere" : "");
}

function chosenSettings() {
  const reward = ["set-win", "set-draw", "set-loss"].map((id) => $(id).value.trim()).join(",");
  const usual = (value, default_) => (value === default_ ? null : value);
  return {
    game: usual($("set-game").value.trim(), "tictactoe"),
    machine: document.querySelector('input[name="machine"]:checked').value,
    aim: usual($("set-aim").value, "safe"),
    beads: $("set-beads").value.trim(),
    reward: usual(reward, "3,1,-1"),
    blame: usual($("set-blame").value, "every"),
    empty: usual($("set-empty").value, "keep"),
    seed: usual($("set-seed").value.trim(), "1"),
  };
}

function showSetup(isShown) {
  $("setup").hidden = !isShown;
  $("setup-open").setAttribute("aria-expanded", String(isShown));
  if (isShown) fillSetup();
}

const takeFile = async (file) => {
  const text = await file.text();
  await reopen({ machine: null }, { table: text, name: file.name });
};

function setProjector(isOn) {
  set("projector", isOn);
  $("projector").checked = isOn;
  document.body.classList.toggle("projector", isOn);
  setAddress();
}

// Shown or not: settings of the page that the library has to know, and those that it need not.
function listenToOptions() {
  for (const name of ["values", "rings"]) {
    $(name).addEventListener("change", attempt(async () => {
      set(name, $(name).checked);
      view = await ask("show", { settings: Object.fromEntries(settings) });
      show();
    }));
  }
  for (const name of ["chances", "numbers"]) {
    $(name).addEventListener("change", () => { set(name, $(name).checked); show(); });
  }
  $("projector").addEventListener("change", () => setProjector($("projector").checked));
  $("guess").addEventListener("click", attempt(async () => {
    set("guess", !settings.has("guess"));
    $("guess").setAttribute("aria-pressed", String(settings.has("guess")));
    setAddress();
    $("tray").classList.remove("guessing");
    await proceed();
  }));
  $("options-open").addEventListener("click", () => {
    $("options").hidden = !$("options").hidden;
    $("options-open").setAttribute("aria-expanded", String(!$("options").hidden));
  });
  for (const name of ["opponent", "speed"]) {
    $(name).addEventListener("change", () => { set(name, $(name).selectedIndex === Number(name === "speed") ? null : $(name).value); setAddress(); });
  }
}

function listenToSetup() {
  $("setup-open").addEventListener("click", () => showSetup($("setup").hidden));
  $("setup-close").addEventListener("click", () => showSetup(false));
  $("setup").addEventListener("submit", attempt(async (event) => {
    event.preventDefault();
    const before = settings.get("game");
    await reopen(chosenSettings());
    if ($("problem").hidden || before !== settings.get("game")) showSetup(!$("problem").hidden);
  }));
  for (const id of ["set-width", "set-height", "set-row", "set-gravity", "set-misere"]) {
    $(id).addEventListener("input", () => { $("set-game").value = rowGame(); });
  }
  for (const button of document.querySelectorAll("[data-preset]")) {
    button.addEventListener("click", attempt(async () => {
      const preset = readSettings(button.dataset.preset);
      const names = ["game", "mode", "machine", "aim", "beads", "reward", "blame", "empty", "seed"];
      await reopen(Object.fromEntries(names.map((name) => [name, preset.get(name) || null])));
      showSetup(false);
    }));
  }
  $("game-pick").addEventListener("change", () => reopen({ game: $("game-pick").value, machine: null, beads: null, reward: null, blame: null, empty: null }));
  for (const input of document.querySelectorAll('input[name="mode"]')) {
    input.addEventListener("change", () => reopen({ mode: input.value, machine: ["both", "none"].includes(settings.get("machine")) ? null : settings.get("machine") }));
  }
  $("copy-address").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      $("copy-address").textContent = "Copied";
    } catch {
      prompt("Copy this address:", location.href);
    }
  });
  for (const id of ["file", "load"]) {
    $(id).addEventListener("change", () => $(id).files[0] && takeFile($(id).files[0]).then(() => { $(id).value = ""; }));
  }
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) takeFile(file);
  });
  for (const term of document.querySelectorAll("dfn")) {
    term.tabIndex = 0;
    term.setAttribute("role", "button");
    const tell = () => {
      const isSame = !$("term").hidden && $("term").textContent === TERMS[term.dataset.about];
      $("term").hidden = isSame;
      $("term").textContent = TERMS[term.dataset.about];
    };
    term.addEventListener("click", tell);
    term.addEventListener("keydown", (event) => event.key === "Enter" && tell());
  }
}

// The set-up panel, the list of games, tables from files, and the ways to show things.

// The settings that make a machine.
const MAKING = ["game", "mode", "machine", "aim", "level", "beads", "reward", "blame", "empty", "seed"];

// What the page's address or its first settings say, or else nothing.
function firstSettings() {
  const given = location.hash.length > 1 ? location.hash.slice(1) : document.querySelector('meta[name="menace-settings"]').content;
  return readSettings(given);
}

// Machines that have learned are put aside when another is opened, and are there again when one comes back to them.
const shelf = new Map();
// An aim or a level is of no use to them.
const keyOf = (chosen) => MAKING.filter((name) => name !== "aim" && name !== "level").map((name) => chosen.get(name) || "").join("|");

// What belonged to the machine before is not left standing.
function clearOld() {
  $("sheets").replaceChildren();
  $("labels-about").textContent = "";
  $("print-labels").hidden = true;
  $("find-number").value = "";
}

// Opens the machine of the settings. What was there before stays if that fails.
async function open({ table = shelf.get(keyOf(settings)) || null, name = "" }) {
  setTraining(false);
  const request = { settings: Object.fromEntries(settings), draws: crypto.getRandomValues(new Uint32Array(1))[0], name };
  if (table !== null) request.table = table;
  const moves = settings.get("moves");
  if (moves && table === null) request.moves = moves.split(".");
  const turn = (page.overtaken += 1);
  const opened = await ask("open", request);
  if (turn !== page.overtaken) return;
  ({ scene, view } = opened);
  Object.assign(page, { picked: 0, isTraining: false, isNew: true, isGuessed: false });
  Object.assign(cabinet, { side: null, at: null });
  Object.assign(building, { map: null, labels: null, real: null, opened: [], noted: [] });
  $("why").hidden = true;
  page.kept = table === null ? null : { table, name };
  // A table brings its own game and rules, which then belong in the address.
  const chosen = table === null ? ["mode"] : MAKING.filter((setting) => setting !== "machine");
  for (const setting of chosen) set(setting, scene.settings[setting] === scene.usual[setting] ? null : scene.settings[setting]);
  clearOld();
  $("rules").textContent = `${scene.title}: ${scene.rules}.`;
  $("keys").textContent = `With a keyboard: type the name of a cell (${scene.cells[0]}, ${scene.cells[1]}, …), or go there with Tab and the arrow keys.`;
  fillGames();
  const round = Number(settings.get("round"));
  if (view.rounds && Number.isInteger(round) && round >= 0 && round < view.rounds.last && settings.has("round")) view = await ask("round", { round });
  show();
  await showTab();
  if (turn !== page.overtaken) return;
  $("guess").setAttribute("aria-pressed", String(settings.has("guess")));
  proceed(turn);
}

// What the machine has learned is kept beside it, so that it survives when work is stopped.
async function remember() {
  if (view && view.progress && view.progress.games) page.kept = { table: (await ask("save")).text, name: "" };
}

async function putAside() {
  await remember();
  if (page.kept && view.mode === "learns") shelf.set(keyOf(settings), page.kept.table);
}

async function restore() {
  settings.delete("tab");
  if (!view) MAKING.forEach((name) => settings.delete(name));
  await open(page.kept || {}).catch(complain);
}

// Opens with other settings; if that fails, the settings stay as they were. What is as usual need not be in the address.
const reopen = attempt(async (changes, file = {}) => {
  const before = new Map(settings);
  await putAside();
  for (const [name, value] of Object.entries(changes)) set(name, scene && value === scene.usual[name] ? null : value);
  settings.delete("moves");
  settings.delete("round");
  try {
    await open(file);
    return true;
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

// The fields of the panel, by the names of the settings.
const FIELDS = { game: "set-game", aim: "set-aim", level: "set-level", beads: "set-beads", blame: "set-blame", empty: "set-empty", seed: "set-seed" };
const REWARD = ["set-win", "set-draw", "set-loss"];

function fillSetup() {
  $("set-level").replaceChildren(new Option("as its beads say", ""), ...scene.levels.map((name) => new Option(name)));
  for (const [name, id] of Object.entries(FIELDS)) $(id).value = scene.settings[name];
  scene.settings.reward.split(",").forEach((number, index) => { $(REWARD[index]).value = number; });
  document.querySelector(`input[name="machine"][value="${settings.get("machine") || ""}"]`).checked = true;
}

// The name of the row game that the numbers say.
function rowGame() {
  const size = ["set-width", "set-height", "set-row"].map((id) => $(id).value).join("x");
  return size + ($("set-gravity").checked ? "+gravity" : "") + ($("set-misere").checked ? "+misere" : "");
}

// What was chosen.
function chosenSettings() {
  const chosen = Object.fromEntries(Object.entries(FIELDS).map(([name, id]) => [name, $(id).value.trim()]));
  chosen.reward = REWARD.map((id) => $(id).value.trim()).join(",");
  chosen.machine = document.querySelector('input[name="machine"]:checked').value;
  return chosen;
}

function showSetup(isShown) {
  $("setup").hidden = !isShown;
  $("setup-open").setAttribute("aria-expanded", String(isShown));
  if (!isShown) return;
  fillSetup();
  if ($("setup").getBoundingClientRect().top < 0) $("setup").scrollIntoView({ block: "start" });
}

async function takeFile(file) {
  const games = view.progress ? view.progress.games : 0;
  if (games && !confirm(`Replace the machine, which has learned from ${plural(games, "game")}?`)) return;
  await reopen({ machine: null }, { table: await file.text(), name: file.name });
}

function setProjector(isOn) {
  set("projector", isOn);
  if (isOn) set("tab", null);
  $("projector").checked = isOn;
  document.body.classList.toggle("projector", isOn);
  setAddress();
}

// Shown or not: settings of the page that the library has to know, and those that it need not.
function listenToOptions() {
  for (const name of ["values", "rings"]) {
    $(name).addEventListener("change", attempt(async () => {
      set(name, $(name).checked);
      if (page.isTraining) return void (await ask("show", { settings: Object.fromEntries(settings) }));
      const turn = (page.overtaken += 1);
      const next = await ask("show", { settings: Object.fromEntries(settings) });
      if (turn !== page.overtaken) return;
      view = next;
      show();
      await proceed(turn);
    }));
  }
  for (const name of ["chances", "numbers"]) {
    $(name).addEventListener("change", () => { set(name, $(name).checked); show(); });
  }
  $("projector").addEventListener("change", () => setProjector($("projector").checked));
  $("leave-projector").addEventListener("click", () => setProjector(false));
  $("guess").addEventListener("click", attempt(async () => {
    set("guess", !settings.has("guess"));
    $("guess").setAttribute("aria-pressed", String(settings.has("guess")));
    setAddress();
    if (page.isMoving) return;
    showDrawer(view.drawer);
    await proceed();
  }));
  $("options-open").addEventListener("click", () => {
    $("options").hidden = !$("options").hidden;
    $("options-open").setAttribute("aria-expanded", String(!$("options").hidden));
  });
  for (const name of ["opponent", "speed"]) {
    const usual = $(name).value;
    $(name).addEventListener("change", () => {
      set(name, $(name).value === usual ? null : $(name).value);
      setAddress();
    });
  }
}

function listenToSetup() {
  $("setup-open").addEventListener("click", () => showSetup($("setup").hidden));
  $("setup-close").addEventListener("click", () => showSetup(false));
  $("setup").addEventListener("submit", attempt(async (event) => {
    event.preventDefault();
    if (await reopen(chosenSettings())) showSetup(false);
  }));
  for (const id of ["set-width", "set-height", "set-row", "set-gravity", "set-misere"]) {
    $(id).addEventListener("input", () => { $("set-game").value = rowGame(); });
  }
  for (const button of document.querySelectorAll("[data-preset]")) {
    button.addEventListener("click", attempt(async () => {
      const preset = readSettings(button.dataset.preset);
      await reopen(Object.fromEntries(MAKING.map((name) => [name, preset.get(name) || null])));
      showSetup(false);
    }));
  }
  $("game-pick").addEventListener("change", () => {
    const others = MAKING.filter((name) => name !== "mode" && name !== "seed").map((name) => [name, null]);
    reopen({ ...Object.fromEntries(others), game: $("game-pick").value });
  });
  for (const input of document.querySelectorAll('input[name="mode"]')) {
    // The side stays, unless the machine played both or neither.
    input.addEventListener("change", () => reopen({ mode: input.value, machine: view.plays[0] === view.plays[1] ? null : settings.get("machine") }));
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
      $("term").hidden = !$("term").hidden && $("term").textContent === term.dataset.about;
      $("term").textContent = term.dataset.about;
    };
    term.addEventListener("click", tell);
    term.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), tell()));
  }
}

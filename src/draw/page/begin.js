// Tabs, and how the page begins.

const TABS = ["play", "cabinet", "map", "build"];

async function showTab() {
  const tab = TABS.includes(settings.get("tab")) ? settings.get("tab") : "play";
  for (const name of TABS) {
    $(name).hidden = name !== tab;
    $(`show-${name}`).setAttribute("aria-selected", String(name === tab));
    $(`show-${name}`).tabIndex = name === tab ? 0 : -1;
  }
  document.body.dataset.tab = tab;
  if (tab === "cabinet") await showCabinet();
  if (tab === "map") await showMap();
  if (tab === "build") showReal();
}

function listenToTabs() {
  for (const name of TABS) {
    $(`show-${name}`).addEventListener("click", () => {
      set("tab", name === "play" ? null : name);
      setAddress();
      showTab();
    });
    $(`show-${name}`).addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const next = step && TABS[TABS.indexOf(name) + step];
      if (next) $(`show-${next}`).focus();
    });
  }
}

// Takes the settings of the address. They are all that is known of a set-up, so a shared address restores it.
function takeAddress() {
  settings.clear();
  for (const [name, value] of firstSettings()) settings.set(name, value);
  for (const name of ["values", "rings", "chances", "numbers"]) $(name).checked = settings.has(name);
  for (const name of ["opponent", "speed"]) {
    const isThere = [...$(name).options].some((option) => option.value === settings.get(name));
    if (!isThere) settings.delete(name);
    const usual = [...$(name).options].find((option) => option.defaultSelected) || $(name).options[0];
    $(name).value = settings.get(name) || usual.value;
  }
  setProjector(settings.has("projector"));
}

async function begin() {
  for (const listen of [listenToGame, listenToLearning, listenToCabinet, listenToBuilding, listenToOptions, listenToSetup, listenToTabs]) listen();
  $("busy-stop").addEventListener("click", () => stopWorker("Stopped."));
  takeAddress();
  const [bytes, source, table] = await Promise.all([parts.wasm, parts.worker, parts.table]);
  Object.assign(library, { bytes, source });
  startWorker();
  const file = table && location.hash.length <= 1 ? { table, name: "the table of this page" } : {};
  await attempt(() => open(file))();
  // An address that makes no sense leads to the page as it begins, and says so.
  if (!view) {
    const problem = new Error($("problem").textContent);
    await reopen(Object.fromEntries(MAKING.map((name) => [name, null])));
    complain(problem);
  }
  addEventListener("hashchange", attempt(async () => {
    await putAside();
    const before = new Map(settings);
    takeAddress();
    try {
      await open({});
    } catch (error) {
      settings.clear();
      for (const [name, value] of before) settings.set(name, value);
      setAddress();
      throw error;
    }
  }));
  // For tests: what the page shows, and the library.
  window.menace = {
    ask,
    settings,
    get view() { return view; },
    get scene() { return scene; },
    get isBusy() { return library.waiting.size > 0 || page.isTraining || document.querySelector(".flying") !== null; },
  };
}

begin();

// The cabinet: small drawers by the number of the move, and the open one beside them.

const cabinet = { side: null, data: null, at: null };
const AT_ONCE = 120;

// Choices between the machines of the table.
function fillSides(id, chosen, onChange) {
  const choices = scene.machines.map((side) => {
    const label = make("label");
    const input = make("input");
    Object.assign(input, { type: "radio", name: id, value: side, checked: side === chosen });
    input.addEventListener("change", () => onChange(side));
    label.append(input, ` ${side} machine`);
    return label;
  });
  $(id).replaceChildren($(id).querySelector("legend"), ...choices);
  $(id).hidden = choices.length < 2;
}

function sideShown(kept) {
  const wanted = kept || (view.plays[0] || !view.plays[1] ? "first" : "second");
  return scene.machines.includes(wanted) ? wanted : scene.machines[0];
}

const showCabinet = attempt(async () => {
  cabinet.side = sideShown(cabinet.side);
  fillSides("cabinet-sides", cabinet.side, (side) => { cabinet.side = side; cabinet.at = null; showCabinet(); });
  cabinet.data = await ask("cabinet", { side: cabinet.side });
  $("filter-all").textContent = `all ${cabinet.data.count}`;
  $("filter-changed").hidden = !cabinet.data.changed;
  if (cabinet.data.changed) $("filter-changed").querySelector("span").textContent = cabinet.data.changed;
  const chosen = document.querySelector('input[name="filter"]:checked');
  if (!chosen.checkVisibility()) document.querySelector('input[name="filter"][value="all"]').checked = true;
  showDrawers();
  if (cabinet.at) openInCabinet(cabinet.at);
  else $("opened-drawer").replaceChildren(make("p", "", "Click a drawer to open it."));
});

function wantedDrawers() {
  const filter = document.querySelector('input[name="filter"]:checked').value;
  const is = (box) => filter === "all" || box[filter];
  return cabinet.data.groups.map(({ title, boxes }) => ({ title, boxes: boxes.filter(is), all: boxes.length })).filter(({ boxes }) => boxes.length);
}

// Only drawers that are nearly in sight are drawn; the others are rows of the right height.
function showDrawers() {
  const groups = wantedDrawers();
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting && !target.firstChild) target.append(...target.boxes.map(drawerButton));
  }, { rootMargin: "600px" });
  const parts = groups.flatMap(({ title, boxes, all }) => {
    const heading = make("h3", "", boxes.length === all ? title : `${title}, ${boxes.length} shown`);
    const rows = [];
    for (let at = 0; at < boxes.length; at += AT_ONCE) {
      const row = make("div", "rail");
      row.boxes = boxes.slice(at, at + AT_ONCE);
      row.style.setProperty("--drawers", row.boxes.length);
      rows.push(row);
      seen.observe(row);
    }
    return [heading, ...rows];
  });
  $("drawers").replaceChildren(...parts);
  const count = groups.reduce((sum, { boxes }) => sum + boxes.length, 0);
  const left = cabinet.data.count - cabinet.data.groups.reduce((sum, { boxes }) => sum + boxes.length, 0);
  $("cabinet-about").textContent = !count ? "No drawer is like that." : left ? `${left} more drawers are too many to show.` : "The larger a dot, the likelier its bead is drawn; losing beads have a ring.";
}

function drawerButton(box) {
  const button = make("button", "small-drawer");
  button.type = "button";
  button.dataset.board = box.board;
  button.dataset.number = box.number;
  button.classList.toggle("opened", box.opened);
  button.classList.toggle("banned", box.banned);
  button.classList.toggle("open", cabinet.at === box.board);
  const marks = [box.opened && "opened in this game", box.changed && cabinet.data.changed, box.losing && "has losing beads", box.banned && "banned"].filter(Boolean);
  button.setAttribute("aria-label", [`Box ${box.number}`, ...marks].join(", "));
  button.title = button.getAttribute("aria-label");
  button.append(smallBoard(box.board, { dots: box.beads }));
  if (box.changed) button.append(make("span", "changed", ""));
  return button;
}

const openInCabinet = attempt(async (board) => {
  cabinet.at = board;
  for (const button of document.querySelectorAll(".small-drawer")) button.classList.toggle("open", button.dataset.board === board);
  const drawer = await ask("drawer", { board, side: cabinet.side });
  const tray = make("div", "board tray");
  const frame = make("div", "tray-frame");
  frame.append(tray);
  const why = make("div");
  drawDrawer(tray, drawer, attempt(async (bead) => {
    const proof = await ask("why", { board: drawer.board, side: drawer.side, mv: bead.text });
    why.replaceChildren(make("h3", "", `${bead.colour}, ${bead.name}`), ...proofPicture(proof));
  }));
  const shares = make("ul", "shares");
  for (const bead of drawer.beads.filter((found) => found.number)) {
    const item = make("li");
    const bar = make("span", "bar");
    bar.style.setProperty("--share", bead.share);
    item.append(make("span", "", `${bead.colour} ${bead.number}`), bar, make("span", "", `${Math.round(100 * bead.share)} %`));
    shares.append(item);
  }
  const close = make("button", "only-phones", "Close");
  close.type = "button";
  close.addEventListener("click", () => {
    cabinet.at = null;
    for (const button of document.querySelectorAll(".small-drawer.open")) button.classList.remove("open");
    $("opened-drawer").replaceChildren();
  });
  $("opened-drawer").replaceChildren(close, make("h3", "", `Box ${drawerWords(drawer)}`), frame, shares, make("p", "hint", "Click a bead or a hole to see why."), why);
});

function listenToCabinet() {
  $("drawers").addEventListener("click", (event) => {
    const button = event.target.closest(".small-drawer");
    if (button) openInCabinet(button.dataset.board);
  });
  $("drawers").addEventListener("keydown", (event) => {
    const button = event.target.closest(".small-drawer");
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down" }[event.key];
    if (!button || !step) return;
    event.preventDefault();
    const all = [...document.querySelectorAll(".small-drawer")];
    const at = all.indexOf(button);
    const [here, isUp] = [button.getBoundingClientRect(), step === "up"];
    const next = typeof step === "number" ? all[at + step] : (isUp ? all.slice(0, at).reverse() : all.slice(at + 1)).find((other) => {
      const there = other.getBoundingClientRect();
      return Math.abs(there.left - here.left) < here.width / 2 && there.top !== here.top;
    });
    if (!next) return;
    next.focus();
    openInCabinet(next.dataset.board);
  });
  for (const input of document.querySelectorAll('input[name="filter"]')) input.addEventListener("change", showDrawers);
  $("find-number").addEventListener("input", () => {
    const wanted = $("find-number").value.trim();
    const found = cabinet.data.groups.flatMap(({ boxes }) => boxes).find(({ number }) => number === wanted);
    if (!wanted) return void showDrawers();
    if (!found) return void ($("cabinet-about").textContent = `There is no box ${wanted.slice(0, 20)} here.`);
    document.querySelector('input[name="filter"][value="all"]').checked = true;
    showDrawers();
    openInCabinet(found.board);
    for (const row of document.querySelectorAll("#drawers .rail")) {
      if (!row.boxes.includes(found)) continue;
      if (!row.firstChild) row.append(...row.boxes.map(drawerButton));
      row.querySelector(`[data-number="${wanted}"]`).scrollIntoView({ block: "center" });
    }
  });
}

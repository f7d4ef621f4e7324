// A machine that learns: what changed after a game, how it is doing, and games against other players.

function showLearned() {
  $("learned").hidden = !view.learned;
  if (!view.learned) return;
  $("learned-words").textContent = view.learned.sentence;
  $("changes").replaceChildren(...view.learned.changes.map((change) => {
    const item = make("li");
    const count = make("p", "count", `${change.colour} ${change.before} → ${change.after}`);
    const bead = make("span", "bead");
    bead.append(beadPicture({ ...change, number: 1, loses: false }));
    const dots = [[change.from, change.to, 0.5, change.fill, false]];
    item.append(make("p", "caption", `Box ${change.number}`), smallBoard(change.board, { dots }), bead, count);
    item.dataset.before = change.before;
    item.dataset.after = change.after;
    return item;
  }));
  $("replay").hidden = !view.learned.changes.length;
}

// Beads fly into their boxes, or out of them into the jar.
async function playChanges() {
  for (const item of $("changes").children) {
    const [before, after] = [Number(item.dataset.before), Number(item.dataset.after)];
    item.classList.add("now");
    if (isAnimated()) {
      const bead = item.querySelector(".bead");
      const away = "translateY(3rem) scale(.6)";
      const frames = after < before ? [{ transform: "none", opacity: 1 }, { transform: away, opacity: 0 }] : [{ transform: away, opacity: 0 }, { transform: "none", opacity: 1 }];
      await bead.animate(frames, { duration: 350, easing: "ease-in-out" }).finished.catch(() => null);
    }
    item.classList.remove("now");
    item.classList.toggle("less", after < before);
  }
}

const SIGNS = { win: ["■", "machine won"], draw: ["○", "drawn"], loss: ["●", "machine lost"] };

function showLessons() {
  const lessons = view.progress;
  if (!lessons) return;
  $("origin").textContent = view.origin;
  const isBegun = lessons.curve.length > 0;
  $("so-far").hidden = !isBegun;
  if (!isBegun) return;
  const signs = lessons.last.map((went) => {
    const sign = make("span", `sign ${went}`, SIGNS[went][0]);
    sign.title = SIGNS[went][1];
    return sign;
  });
  const words = lessons.last.map((went) => SIGNS[went][1]).join(", ");
  const row = make("span", "signs");
  row.append(...signs);
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", words);
  $("last-ten").replaceChildren(`Last ${plural(lessons.last.length, "game")}: `, row, make("span", "key", " ● machine lost ○ drawn ■ machine won"));
  $("curve").replaceChildren(curvePicture(lessons));
  $("milestones").textContent = lessons.milestones.join(" ");
}

// The shares of games lost, drawn and won, one on the other.
function curvePicture({ curve, window, games, earlier }) {
  const [width, height, left, bottom] = [600, 200, 60, 24];
  const last = curve[curve.length - 1][0];
  const x = (at) => left + ((width - left - 8) * at) / Math.max(last, 1);
  const y = (part) => 8 + (height - bottom - 8) * (1 - part);
  const area = (low, high) => {
    const upper = curve.map((entry) => `${x(entry[0])} ${y(high(entry))}`);
    const lower = curve.map((entry) => `${x(entry[0])} ${y(low(entry))}`).reverse();
    const first = curve[0];
    return `M${x(0)} ${y(high(first))}L${upper.join("L")}L${lower.join("L")}L${x(0)} ${y(low(first))}Z`;
  };
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `The share of games won, drawn and lost by the machine, over ${games} games` });
  const size = { width: 6, height: 6 };
  const stripes = [svg("rect", { ...size, class: "lost-ground" }), svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, class: "lost-line" })];
  const hatch = svg("pattern", { id: "hatch", ...size, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, ...stripes);
  picture.append(svg("defs", {}, hatch));
  picture.append(svg("path", { d: area(() => 0, ([, won]) => won), class: "won" }));
  picture.append(svg("path", { d: area(([, won]) => won, ([, won, drawn]) => won + drawn), class: "drawn" }));
  picture.append(svg("path", { d: area(([, won, drawn]) => won + drawn, () => 1), class: "lost", fill: "url(#hatch)" }));
  const text = (at, words, anchor) => Object.assign(svg("text", { x: at[0], y: at[1], "text-anchor": anchor }), { textContent: words });
  picture.append(text([left - 6, y(1) + 8], "100 %", "end"), text([left - 6, y(0)], "0 %", "end"));
  picture.append(text([x(0), height - 6], String(earlier), "start"), text([x(last), height - 6], plural(earlier + last, "game"), "end"));
  const parts = curve[curve.length - 1];
  const middle = (low, high) => y((low + high) / 2) + 5;
  for (const [name, low, high] of [["won", 0, parts[1]], ["drawn", parts[1], parts[1] + parts[2]], ["lost", parts[1] + parts[2], 1]]) {
    if (high - low > 0.12) picture.append(text([width - 14, middle(low, high)], name, "end"));
  }
  const figure = make("figure");
  figure.append(picture, make("figcaption", "", `Share of the last ${plural(window, "game")} that the machine won, drew and lost (hatched).`));
  return figure;
}

// Games in a training, and for each speed how many are played at a time and how long they are shown.
const GAMES = 100;
const SPEEDS = { slow: [1, 400], fast: [2, 60], once: [100, 0] };

// Plays games against another player, a few at a time, so that they can be watched and stopped.
const trainNow = attempt(async () => {
  if (page.isTraining) return void (page.isTraining = false);
  const turn = (page.overtaken += 1);
  setTraining(true);
  try {
    for (let left = GAMES; left > 0 && page.isTraining && turn === page.overtaken; ) {
      const [games, wait] = SPEEDS[$("speed").value];
      const next = await ask("train", { games: Math.min(games, left), opponent: $("opponent").value });
      if (turn !== page.overtaken) return;
      view = next;
      left -= games;
      showLessons();
      showDrawer(view.drawer);
      $("status").textContent = `Playing: ${plural(Math.max(left, 0), "game")} to go.`;
      if (left > 0) await pause(calm.matches ? Math.min(wait, 60) : wait);
    }
  } finally {
    setTraining(false);
  }
  if (turn !== page.overtaken) return;
  show();
  await remember();
  await proceed(turn);
});

function setTraining(isOn) {
  page.isTraining = isOn;
  document.body.classList.toggle("training", isOn);
  $("train").textContent = isOn ? "Stop" : `Play ${GAMES} games now`;
  for (const id of ["new", "guess"]) $(id).disabled = isOn;
  if (isOn) $("why").hidden = true;
}

const saveMachine = attempt(async () => {
  const { text, file } = await ask("save");
  download(file, text, "application/json");
});

const startAgain = attempt(async () => {
  if (view.progress && view.progress.games && !confirm("Forget everything the machine has learned?")) return;
  settings.delete("moves");
  shelf.delete(keyOf(settings));
  await open({});
});

function showRounds() {
  const rounds = view.rounds;
  $("rounds").classList.toggle("none", !rounds);
  $("compared").hidden = !view.compared;
  $("compared").textContent = view.compared || "";
  if (!rounds) return;
  $("round").max = rounds.last;
  $("round").value = rounds.now;
  $("round-label").textContent = `After round ${rounds.now} of ${rounds.last}`;
  $("round-about").textContent = rounds.about;
}

function listenToLearning() {
  $("train").addEventListener("click", trainNow);
  $("replay").addEventListener("click", playChanges);
  $("save").addEventListener("click", saveMachine);
  $("save-table").addEventListener("click", saveMachine);
  $("again").addEventListener("click", startAgain);
  $("round").addEventListener("input", attempt(async () => {
    const turn = (page.overtaken += 1);
    const next = await ask("round", { round: Number($("round").value) });
    if (turn !== page.overtaken) return;
    view = next;
    set("round", view.rounds.now === view.rounds.last ? null : view.rounds.now);
    $("why").hidden = true;
    show();
    await proceed(turn);
  }));
}

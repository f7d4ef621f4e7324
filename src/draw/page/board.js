// Boards, drawers and beads, drawn from what the library says about the game.

let scene = null;
const DIGITS = { 1: "x", 2: "o" };

const percent = (part, whole) => `${(100 * part) / whole}%`;

// Puts an element over a cell of a board, or over a place between cells.
function put(element, [x, y], size = 1) {
  const [width, height] = scene.size;
  element.style.left = percent(x - size / 2, width);
  element.style.top = percent(y - size / 2, height);
  element.style.width = percent(size, width);
  element.style.height = percent(size, height);
  return element;
}

const point = (cell) => scene.points[cell - 1];

function mark(kind) {
  const shape = kind === "x" ? svg("path", { d: "M-3 -3L3 3M3 -3L-3 3" }) : svg("circle", { r: 3.2 });
  return svg("svg", { viewBox: "-5 -5 10 10", class: `mark ${kind}`, "aria-hidden": "true" }, shape);
}

// The ruled lines of a grid, or the points and lines of a board that has them.
function ground() {
  const [width, height] = scene.size;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "ground", "aria-hidden": "true" });
  const line = ([x1, y1], [x2, y2]) => picture.append(svg("line", { x1, y1, x2, y2 }));
  for (const [a, b] of scene.lines) line(point(a), point(b));
  if (scene.lines.length) {
    for (const [cx, cy] of scene.points) picture.append(svg("circle", { cx, cy, r: 0.07 }));
  } else {
    for (let x = 1; x < width; x += 1) line([x, 0], [x, height]);
    for (let y = 1; y < height; y += 1) line([0, y], [width, y]);
  }
  return picture;
}

// The line through a row that has ended the game.
function strike(cells, wins) {
  const [width, height] = scene.size;
  const [[x1, y1], [x2, y2]] = [point(cells[0]), point(cells[cells.length - 1])];
  const stroke = svg("line", { x1, y1, x2, y2, class: wins ? "wins" : "loses" });
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "strike", "aria-hidden": "true" }, stroke);
}

function shapeBoard(element) {
  element.style.aspectRatio = `${scene.size[0]} / ${scene.size[1]}`;
  element.classList.toggle("lined", scene.lines.length > 0);
  element.classList.toggle("wide", scene.size[0] > 4 || scene.size[1] > 4);
}

function digitsOf(board) {
  return [...board].map((digit) => DIGITS[digit] || null);
}

// Places of beads within a cell: up to nine are drawn, more are counted.
const CLUSTERS = [
  [], [[0, 0]], [[-1, 0], [1, 0]], [[-1, 0.8], [1, 0.8], [0, -0.9]], [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  [[-1.4, -1.4], [1.4, -1.4], [0, 0], [-1.4, 1.4], [1.4, 1.4]], [[-1.6, -1], [0, -1], [1.6, -1], [-1.6, 1], [0, 1], [1.6, 1]],
  [[-1.8, -1.8], [0, -1.8], [1.8, -1.8], [-1, 0], [1, 0], [-1, 1.8], [1, 1.8]], [[-1.9, -1.9], [0, -1.9], [1.9, -1.9], [-1, 0], [1, 0], [-1.9, 1.9], [0, 1.9], [1.9, 1.9]],
  [[-1.9, -1.9], [0, -1.9], [1.9, -1.9], [-1.9, 0], [0, 0], [1.9, 0], [-1.9, 1.9], [0, 1.9], [1.9, 1.9]],
];

function beadPicture({ number, fill, ink, rings, loses }) {
  const picture = svg("svg", { viewBox: "-5 -5 10 10", class: "beads", "aria-hidden": "true" });
  if (loses) picture.append(svg("circle", { r: 4.5, class: "ring" }));
  const places = CLUSTERS[Math.min(number, 9)];
  const radius = [0, 2.9, 1.75, 1.6, 1.5, 1.3, 1.2, 1.1, 1.1, 1.1][Math.min(number, 9)];
  const spread = [0, 0, 1.9, 1.75, 1.65, 1.4, 1.3, 1.25, 1.25, 1.25][Math.min(number, 9)];
  if (!number) picture.append(svg("circle", { r: 2.6, class: "hole" }));
  for (const [x, y] of number > 9 ? [[0, 0]] : places) {
    const r = number > 9 ? 3.4 : radius;
    const group = svg("g", { transform: `translate(${x * spread} ${y * spread})` }, svg("circle", { r, fill, class: "bead-shape" }));
    for (let ring = 1; ring <= rings; ring += 1) group.append(svg("circle", { r: r * (1 - 0.25 * ring), fill: "none", stroke: ink, "stroke-width": 0.25 }));
    picture.append(group);
  }
  if (number > 9) {
    const size = Math.min(2.6, 9 / (String(number).length + 1));
    picture.append(Object.assign(svg("text", { y: size / 3, fill: ink, class: "many", "font-size": size }), { textContent: `×${number}` }));
  }
  return picture;
}

// Where the beads of a move lie: in its cell or, where a piece moves, on its way; beads of one cell lie side by side.
function beadPlaces(beads) {
  const slides = beads.some((bead) => bead.from);
  return beads.map((bead) => {
    const alike = beads.filter((other) => other.from === bead.from && other.to === bead.to);
    const [x, y] = point(bead.to);
    const size = slides ? 0.5 : alike.length > 1 ? 0.5 : 0.9;
    const aside = (alike.indexOf(bead) - (alike.length - 1) / 2) * size;
    if (!bead.from) return { at: [x + aside, y], size };
    const [x0, y0] = point(bead.from);
    return { at: [x0 + (x - x0) * 0.62 + aside, y0 + (y - y0) * 0.62], size };
  });
}

function arrow(from, to) {
  const [[x1, y1], [x2, y2]] = [point(from), point(to)];
  const turned = Math.atan2(y2 - y1, x2 - x1);
  const head = [0.5, -0.5].map((side) => `L${x2 - 0.22 * Math.cos(turned + side)} ${y2 - 0.22 * Math.sin(turned + side)}M${x2} ${y2}`).join("");
  return svg("path", { d: `M${x1} ${y1}L${x2} ${y2}${head}`, class: "way" });
}

const plural = (number, noun) => (number === 1 ? `1 ${noun}` : `${number} ${noun}s`);

function beadWords(bead) {
  const what = bead.number ? plural(bead.number, `${bead.colour} bead`) : `no ${bead.colour} bead`;
  return `${bead.name}: ${what}${bead.loses ? ", which loses" : ""}`;
}

// Fills a drawer: the board of its label as it lies, and its beads. A click on a bead asks why.
function drawDrawer(tray, drawer, onBead) {
  shapeBoard(tray);
  const picture = ground();
  for (const bead of drawer.beads) if (bead.from) picture.append(arrow(bead.from, bead.to));
  const marks = digitsOf(drawer.board).flatMap((kind, index) => {
    if (!kind) return [];
    const piece = put(make("span", "piece"), scene.points[index]);
    piece.append(mark(kind));
    return [piece];
  });
  const places = beadPlaces(drawer.beads);
  const ghosts = drawer.beads.flatMap((bead, index) => bead.ghosts.map(([from, to]) => {
    const [x, y] = point(to);
    const at = from ? [point(from)[0] + (x - point(from)[0]) * 0.62, point(from)[1] + (y - point(from)[1]) * 0.62] : [x, y];
    const ghost = put(make("span", "ghost"), at, places[index].size);
    if (bead.number) ghost.style.setProperty("--bead", bead.fill);
    return ghost;
  }));
  const beads = drawer.beads.map((bead, index) => {
    const button = put(make("button", "bead"), places[index].at, places[index].size);
    button.type = "button";
    button.dataset.move = bead.text;
    button.dataset.number = bead.number;
    button.setAttribute("aria-label", beadWords(bead));
    button.title = beadWords(bead);
    button.classList.toggle("loses", bead.loses);
    button.append(beadPicture(bead));
    if (settings.has("chances") && bead.share) button.append(make("span", "chance", `${Math.round(100 * bead.share)} %`));
    button.addEventListener("click", () => onBead(bead));
    return button;
  });
  tray.replaceChildren(picture, ...marks, ...ghosts, ...beads);
  tray.classList.toggle("banned", Boolean(drawer.banned));
}

// The words under a drawer.
function drawerWords(drawer) {
  const turned = drawer.turned ? `; the label is ${drawer.turned}` : "";
  return `${drawer.number}${turned}${drawer.banned ? `; ${drawer.banned}` : ""}`;
}

// A small board as one picture, for proofs and cabinets.
function smallBoard(board, { row = [], wins = true, now = 0, dots = [] } = {}) {
  const [width, height] = scene.size;
  const picture = svg("svg", { viewBox: `-0.05 -0.05 ${width + 0.1} ${height + 0.1}`, class: "small", "aria-hidden": "true" });
  let lines = "";
  for (const [a, b] of scene.lines) lines += `M${point(a).join(" ")}L${point(b).join(" ")}`;
  if (!scene.lines.length) {
    for (let x = 1; x < width; x += 1) lines += `M${x} 0V${height}`;
    for (let y = 1; y < height; y += 1) lines += `M0 ${y}H${width}`;
  }
  if (lines) picture.append(svg("path", { d: lines, class: "rule" }));
  const paths = { x: "", o: "" };
  digitsOf(board).forEach((kind, index) => {
    const [x, y] = scene.points[index];
    const r = index + 1 === now ? 0.34 : 0.29;
    if (kind === "x") paths.x += `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`;
    if (kind === "o") paths.o += `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
  });
  for (const kind of ["x", "o"]) if (paths[kind]) picture.append(svg("path", { d: paths[kind], class: kind }));
  if (now) picture.append(svg("rect", { x: point(now)[0] - 0.5, y: point(now)[1] - 0.5, width: 1, height: 1, class: "now" }));
  for (const [from, to, share, fill, loses] of dots) {
    const [x, y] = point(to);
    const [cx, cy] = from ? [(point(from)[0] + 2 * x) / 3, (point(from)[1] + 2 * y) / 3] : [x, y];
    const r = Math.max(0.09, 0.48 * Math.sqrt(share));
    picture.append(svg("circle", { cx, cy, r, fill, class: "dot" }));
    if (loses) picture.append(svg("circle", { cx, cy, r: r + 0.09, class: "losing" }));
  }
  if (row.length) {
    const [[x1, y1], [x2, y2]] = [point(row[0]), point(row[row.length - 1])];
    picture.append(svg("line", { x1, y1, x2, y2, class: wins ? "wins" : "loses" }));
  }
  return picture;
}

// A sentence with the boards that prove it.
function proofPicture(proof, close) {
  const sentence = make("p", "claim", proof.sentence);
  const steps = make("ol", "steps");
  for (const step of proof.steps) {
    const item = make("li");
    item.append(make("span", "caption", `${step.player} ${step.text}`), smallBoard(step.board, { row: step.row, wins: step.row_wins, now: step.to }));
    if (step.note) item.append(make("span", "note", step.note));
    steps.append(item);
  }
  const parts = [sentence];
  if (proof.steps.length) parts.push(steps, make("p", "end", proof.end));
  if (close) {
    const button = make("button", "", "Close");
    button.type = "button";
    button.addEventListener("click", close);
    const row = make("p", "buttons");
    row.append(button);
    parts.push(row);
  }
  return parts;
}

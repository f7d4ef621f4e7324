// Boards, beads and holes as SVG and as elements.

const X_PATH = (x, y) => `M${x + 2} ${y + 2}l6 6M${x + 8} ${y + 2}l-6 6`;

// A small board as SVG. Beads are dots; a row is struck through; the last move stands out.
function small(board, { row = [], last = 0, beads = [] } = {}) {
  const [width, height] = [game.width * 10, game.height * 10];
  const at = (cell) => [((cell - 1) % game.width) * 10, Math.floor((cell - 1) / game.width) * 10];
  let grid = "";
  for (let column = 1; column < game.width; column += 1) grid += `M${column * 10} 0V${height}`;
  for (let line = 1; line < game.height; line += 1) grid += `M0 ${line * 10}H${width}`;
  let parts = grid ? `<path class="rule" d="${grid}"/>` : "";
  [...board].forEach((digit, index) => {
    const [x, y] = at(index + 1);
    const now = index + 1 === last ? " now" : "";
    if (digit === "1") parts += `<path class="x${now}" d="${X_PATH(x, y)}"/>`;
    if (digit === "2") parts += `<circle class="o${now}" cx="${x + 5}" cy="${y + 5}" r="3.2"/>`;
  });
  for (const bead of beads) {
    // Beads that share a cell lie side by side.
    const sharing = beads.filter((other) => other.cell === bead.cell);
    const place = sharing.indexOf(bead) - (sharing.length - 1) / 2;
    const [left, top] = at(bead.cell);
    const [x, y, r] = [left + 5 + place * 4.6, top + 5, sharing.length > 1 ? 2 : 2.8];
    parts += `<circle class="dot" cx="${x}" cy="${y}" r="${r}" style="fill:${bead.fill}"/>`;
    if (bead.isLosing) parts += `<circle class="losing" cx="${x}" cy="${y}" r="${r + 1.4}"/>`;
  }
  if (row.length) {
    const sorted = [...row].sort((a, b) => a - b);
    const [[x1, y1], [x2, y2]] = [at(sorted[0]), at(sorted[sorted.length - 1])];
    parts += `<path class="row" d="M${x1 + 5} ${y1 + 5}L${x2 + 5} ${y2 + 5}"/>`;
  }
  return `<svg class="small" viewBox="-1 -1 ${width + 2} ${height + 2}" aria-hidden="true">${parts}</svg>`;
}

function markSvg(digit, isInRow) {
  const kind = isInRow ? " in-row" : "";
  if (digit === "1") return `<svg class="mark x${kind}" viewBox="0 0 10 10" aria-hidden="true"><path d="${X_PATH(0, 0)}"/></svg>`;
  if (digit === "2") return `<svg class="mark o${kind}" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="3"/></svg>`;
  return "";
}

// A board in words.
function inWords(board) {
  const on = (digit) => [...board].map((found, index) => (found === digit ? index + 1 : 0)).filter(Boolean);
  const part = (mark, list) => (list.length ? `${mark} on ${list.join(" ")}` : "");
  return [part("X", on("1")), part("O", on("2"))].filter(Boolean).join(", ") || "empty board";
}

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A bead or a hole as a button.
function beadButton(beads, bead, isLosing) {
  const { move, number } = bead;
  const button = make("button", number ? "bead" : "hole", move.text);
  button.type = "button";
  button.dataset.move = move.text;
  if (number) {
    const colour = colourOf(beads, move);
    button.style.setProperty("--bead", colour.fill);
    button.style.setProperty("--bead-ink", colour.ink);
    if (colour.rings) button.classList.add("ringed");
    if (number > 1) button.append(make("span", "number", `×${number}`));
    const count = number > 1 ? `${number} beads` : "bead";
    button.setAttribute("aria-label", `${count} ${move.text}, ${colour.name}${isLosing ? ", loses" : ""}`);
    if (isLosing) button.classList.add("losing");
  } else {
    button.setAttribute("aria-label", `missing bead ${move.text}: why it went`);
  }
  return button;
}

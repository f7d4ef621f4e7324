// Small things, the library in its worker, and the address.

const $ = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pause = (milliseconds) => new Promise((resume) => setTimeout(resume, milliseconds));

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The library: one worker, which answers requests in order. Stopping it ends the worker and starts another.
const library = { worker: null, bytes: null, source: null, waiting: new Map(), next: 0 };

function startWorker() {
  const source = URL.createObjectURL(new Blob([library.source], { type: "text/javascript" }));
  library.worker = new Worker(source);
  URL.revokeObjectURL(source);
  library.worker.onmessage = ({ data }) => {
    if (data.progress !== undefined) return void showProgress(data.progress);
    const waiting = library.waiting.get(data.id);
    library.waiting.delete(data.id);
    if (!library.waiting.size) hideBusy();
    if (!waiting) return;
    if (data.broken) return void stopWorker(`The machine broke down and was started again (${data.broken}).`, waiting);
    const answer = JSON.parse(data.answer);
    if (answer.error) waiting.refuse(new Error(answer.error));
    else waiting.resume(answer.ok);
  };
  library.worker.postMessage({ library: library.bytes });
}

// Work that was ended from outside. The machine has to be opened again.
class Stopped extends Error {}

// Ends the work and starts another worker. Whoever waits is told why.
function stopWorker(why, ...others) {
  library.worker.terminate();
  const waiting = [...others, ...library.waiting.values()];
  library.waiting.clear();
  hideBusy();
  startWorker();
  for (const { refuse } of waiting) refuse(new Stopped(why));
}

// Asks the library. What takes long shows progress and a way to stop.
function ask(what, given) {
  const id = (library.next += 1);
  const answer = new Promise((resume, refuse) => library.waiting.set(id, { resume, refuse }));
  library.worker.postMessage({ id, request: JSON.stringify(given ? { [what]: given } : what) });
  setTimeout(() => library.waiting.has(id) && showBusy(), 400);
  return answer;
}

function showBusy() {
  $("busy").hidden = false;
}

function hideBusy() {
  $("busy").hidden = true;
  $("busy-bar").removeAttribute("value");
}

function showProgress(part) {
  if (part === null) $("busy-bar").removeAttribute("value");
  else $("busy-bar").value = part;
}

// Says what went wrong, or runs what may go wrong and says it.
function complain(error) {
  $("problem").textContent = error ? error.message || String(error) : "";
  $("problem").hidden = !error;
}

const attempt = (work) => async (...given) => {
  complain(null);
  try {
    return await work(...given);
  } catch (error) {
    complain(error);
    if (error instanceof Stopped) await restore();
    return undefined;
  }
};

// The settings, which are the address. Names without a value are not there.
const settings = new Map();

function readSettings(text) {
  // A plus sign is part of the names of games, not a space.
  return new Map([...new URLSearchParams(text.replaceAll("+", "%2B"))].filter(([, value]) => value !== ""));
}

function set(name, value) {
  if (value === "" || value === null || value === undefined || value === false) settings.delete(name);
  else settings.set(name, value === true ? "1" : String(value));
}

function setAddress() {
  const text = [...settings].map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2B", "+")}`).join("&");
  if (location.hash.slice(1) !== text) history.replaceState(null, "", `#${text}`);
}

function download(name, text, type) {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

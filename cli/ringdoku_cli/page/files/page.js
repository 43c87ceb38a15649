// The page: an event becomes an action, `act` makes the next state of it, and `render` shows the state.

import { COLOURS, ENDINGS, clock, initial, isFull, isPriced, nameOf, puzzleText, remainingCounts, reduce, repeatedCells, seconds } from "./state.js";
import { ask } from "./runs.js";
import { buildGrid, focusCell, keyAction, textElement } from "./grid.js";
import { bestSoFar, drawChart, fillTable, inWords } from "./chart.js";

const begin = JSON.parse(document.getElementById("start").textContent);
const hasServer = !begin.finished;
const byId = (id) => document.getElementById(id);
const MAX_FILE_BYTES = 2 << 20;
const SPEECH_INTERVAL = 3000;
const MOST_SAVED = 100;
// from this width on the tools stand beside the grid, as in the style sheet
const WIDE_PAGE = 896;
const ANYWHERE = "text: every program that reads puzzles takes it, and so does this page";
const SAVED_PREFIX = "ringdoku puzzle ", THEME = "ringdoku theme";
const EMPTY = "Type the clues of a puzzle, paste or drop one anywhere, or choose New…";
const NEW = { kind: ["classic", "killer", "thermometer", "6×6"], level: ["easy", "medium", "hard", "fiendish"] };
const SIZES = { "4×4": [4], "6×6": [6, [2, 3]], "8×8": [8, [2, 4]], "9×9": [9], "10×10": [10, [2, 5]], "12×12": [12, [3, 4]], "16×16": [16], "25×25": [25] };
const WAITING = {
  read: "Reading…", solve: "Solving…", maximise: "Looking for the best score…", candidates: "Looking for all candidates…",
  unique: "Looking for a second solution…", hint: "Looking for a step…", steps: "Looking for the steps…",
  prices: "Looking for prices…", picture: "Drawing…", export: "Writing the model…", check: "Checking…", text: "Copying…", link: "Copying…",
  new: "Making a puzzle…",
};

let state = initial(readStorage("sessionStorage", location.pathname) ?? begin.record, begin.limit);
let showGrid = null, shownRecord = null, shownMeeting = [], stop = () => {}, askedAt = 0, paintedWeights = null, spokenAt = 0;

function act(action) {
  const before = state;
  state = reduce(state, action);
  if (state !== before) render();
  const { clues, weights } = state.work, isAnother = clues !== before.work.clues || weights !== before.work.weights;
  // the running question is about other clues or weights
  if (before.run && isAnother && action.type !== "open") stop();
  if (state.work.weights !== before.work.weights && !state.stroke) solvePaintedWeights();
  if (action.type === "set" && "stroke" in action.values) solvePaintedWeights();
  if (state.work === before.work || action.type === "restore" || action.type === "open") return;
  saveWork();
  if (state.work.digits !== before.work.digits) checkIfFull();
}

// once every cell has a digit: reports the solution, or that something is wrong
function checkIfFull() {
  if (state.layer !== "play" || state.solved || !isFull(state)) return;
  if (repeatedCells(state, true).size) act({ type: "full", right: false });
  else if (hasServer) run("check", { quiet: true, digits: filledDigits() });
  else {
    const { result, steps } = begin.finished, digits = filledDigits();
    act({ type: "full", right: steps.outcome === "solved" && digits.every((digit, cell) => digit === result.digits[cell]) });
  }
}

function filledDigits() {
  return state.work.clues.map((clue, cell) => clue ?? state.work.digits[cell]);
}

// stores the puzzle and its weights for this tab, and what was played for this browser; private windows may refuse
function saveWork() {
  const { record, work, spent, used, solved } = state;
  const { clues, digits, corner, centre, colours, weights } = work, key = SAVED_PREFIX + puzzleText(state);
  try {
    if (hasServer) sessionStorage.setItem(location.pathname, JSON.stringify({ ...record, clues, weights }));
    const played = [...digits, ...colours].some((one) => one !== null) || [...corner, ...centre].some((marks) => marks.length);
    if (!played || clues !== record.clues) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ at: Date.now(), saved: { spent, used, solved, work: { digits, corner, centre, colours } } }));
    const all = Object.keys(localStorage).filter((name) => name.startsWith(SAVED_PREFIX));
    const age = (name) => JSON.parse(localStorage.getItem(name)).at;
    for (const name of all.sort((one, other) => age(other) - age(one)).slice(MOST_SAVED)) localStorage.removeItem(name);
  } catch {
    // then nothing is stored
  }
}

function readStorage(name, key) {
  try {
    return JSON.parse(window[name].getItem(key));
  } catch {
    return null;
  }
}

function restore() {
  const found = readStorage("localStorage", SAVED_PREFIX + puzzleText(state));
  if (found) act({ type: "restore", saved: found.saved });
}

// asks for the best grid for the painted weights
function solvePaintedWeights() {
  if (!hasServer || !state.live || state.layer !== "weights" || paintedWeights === state.work.weights) return;
  paintedWeights = state.work.weights;
  run("maximise", { quiet: true });
}

function run(task, { quiet = false, ...more } = {}) {
  stop();
  act({ type: "ask", task, quiet });
  spokenAt = askedAt = performance.now();
  const { work, limit, lowest } = state;
  const question = { task, puzzle: puzzleText(state), limit, weights: work.weights, lowest, ...more };
  stop = ask(question, {
    progress: (data) => act({ type: "progress", data }),
    error: (data) => {
      const asked = byId("open").open && !data.can_ignore;
      if (asked) showUnread(data.text);
      // the button that opens it all the same is on the page, behind the dialog
      else byId("open").close();
      const after = (performance.now() - askedAt) / 1000;
      act({ type: "error", task, data: { ...data, asked: more.text, cancelled: data.cancelled || asked }, after });
    },
    result: (data) => {
      if (data.picture) open(data);
      else if (data.name) save(data);
      else if (data.copied) copyText(data.copied, data.what);
      if (task === "check" && quiet && !data.solved) act({ type: "full", right: false });
      else act({ type: "result", task, data });
    },
  });
}

function open(record) {
  byId("open").close();
  act({ type: "open", record });
  restore();
  focusCell(0);
}

// shows an error in the dialog, which keeps its text and selects the line that cannot be read
function showUnread(words) {
  byId("unread").hidden = !words;
  byId("unread").textContent = words;
  const number = Number(/^text:([0-9]+)/.exec(words)?.[1] ?? 0);
  if (!number) return;
  const lines = byId("text").value.split("\n"), start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  byId("text").focus();
  byId("text").setSelectionRange(start, start + (lines[number - 1]?.length ?? 0));
}

function save({ name, type, text }) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(new Blob([text], { type }));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
  act({ type: "set", values: { status: `${name} is downloaded.` } });
}

function read(text, more) {
  if (text.trim() && hasServer) run("read", { text, ...more });
}

async function readFile(file) {
  if (file.size > MAX_FILE_BYTES) act({ type: "error", data: { text: `${file.name} is larger than ${MAX_FILE_BYTES >> 20} MiB.` } });
  else read(await file.text());
}

// the next level of a hint, or a new one; for it, centre marks list all candidates of a cell, and corner marks do not
function hint() {
  if (state.hint && state.level < state.hint.levels.length) act({ type: "more" });
  else if (hasServer) run("hint", { digits: filledDigits(), marks: state.work.centre });
}

// showing

function render() {
  const { record, work, run: running } = state;
  if (shownRecord !== record) {
    shownRecord = record;
    showGrid = buildGrid(byId("board"), record, act, () => state);
    showTitle(record);
    buildPad(record);
  }
  showGrid(state);
  const inGrid = document.activeElement?.dataset?.cell;
  if (inGrid !== undefined && Number(inGrid) !== state.active) focusCell(state.active);
  for (const input of document.querySelectorAll("[type=radio]")) input.checked = input.value === state[input.name];
  byId("modes").hidden = state.layer !== "play";
  byId("painting").hidden = state.layer !== "weights";
  byId("pad").hidden = state.layer === "weights";
  byId("playing").hidden = state.layer !== "play";
  byId("clock").textContent = clock(state.spent);
  byId("notice").textContent = record.notice || (record.is_blank && hasServer && state.layer === "clues" && !state.shown && work.clues.every((clue) => clue === null) ? EMPTY : "");
  byId("legend").hidden = !isPriced(state);
  showRemaining();
  byId("pad").classList.toggle("colours", state.layer === "play" && state.mode === "colour");
  for (const name of ["brush", "limit"]) {
    if (document.activeElement !== byId(name)) byId(name).value = state[name];
  }
  for (const name of ["live", "lowest", "conflicts"]) byId(name).checked = state[name];
  byId("undo").disabled = !state.past.length;
  byId("redo").disabled = !state.future.length;
  byId("cancel").hidden = !running || running.task === "read";
  byId("asking").setAttribute("aria-busy", Boolean(running));
  const words = running && !running.quiet ? (running.words ?? WAITING[running.task]) : state.status;
  // if it were set again unchanged, a screen reader would repeat it
  if (byId("status").textContent !== words) byId("status").textContent = words;
  showFault();
  showAnswer();
  const meeting = [state.progress, state.result, running];
  if (meeting.some((value, place) => value !== shownMeeting[place])) showMeeting();
  shownMeeting = meeting;
}

// announces score and bound of a long run, but not so often that a screen reader says nothing else
function announceProgress() {
  const best = bestSoFar(state.progress, state.lowest).at(-1), now = performance.now();
  if (!best || state.run.quiet || now - spokenAt < SPEECH_INTERVAL) return;
  spokenAt = now;
  act({ type: "set", values: { run: { ...state.run, words: `${inWords(best)}…` } } });
}

function showTitle(record) {
  document.title = `${record.title || "Sudoku"} · ringdoku`;
  byId("title").textContent = [record.title, record.author && `by ${record.author}`].filter(Boolean).join(" ");
  byId("about").hidden = !record.rules.length && !record.about;
  byId("about").open = innerWidth >= WIDE_PAGE;
  byId("rules").replaceChildren(...record.rules.map((rule) => textElement("li", rule)));
  byId("words").textContent = record.about;
}

function buildPad(record) {
  const keys = record.values.map((digit, place) => {
    const key = button(record.names[place], () => act({ type: "digit", digit }), `colour-${(place % COLOURS.length) + 1}`);
    key.setAttribute("aria-label", `digit ${record.names[place]}`);
    key.dataset.digit = digit;
    return key;
  });
  const eraser = button("Erase", () => act({ type: "erase" }), "erase");
  byId("pad").classList.toggle("many", keys.length > 9);
  byId("pad").replaceChildren(...keys, eraser);
}

// shows on each key how often its digit is still to be placed
function showRemaining() {
  const left = remainingCounts(state);
  for (const key of byId("pad").querySelectorAll("[data-digit]")) {
    const count = left && state.layer === "play" && state.mode === "digit" ? left.get(Number(key.dataset.digit)) : null;
    key.dataset.left = count ?? "";
    key.classList.toggle("placed", count !== null && count <= 0);
    key.title = count === null ? "" : `${Math.max(0, count)} left`;
  }
}

function showFault() {
  const { fault } = state;
  byId("fault").hidden = !fault;
  if (!fault) return byId("fault").replaceChildren();
  const parts = [textElement("p", fault.text)];
  if (fault.can_ignore && fault.asked) parts.push(button("Open it without those rules", () => read(fault.asked, { ignore: true })));
  byId("fault").replaceChildren(...parts, button("Close", () => act({ type: "hide" })));
}

function showAnswer() {
  const { hint: found, level, path, text, shown, candidates } = state;
  const lines = [], buttons = [];
  let title = "";
  if (found) {
    title = found.levels.length > 1 ? `Hint ${level} of ${found.levels.length}` : "Hint";
    lines.push(...found.levels.slice(0, level).flatMap((words) => words.split("\n")));
    if (level < found.levels.length) buttons.push(button("Tell me more", hint, "main"));
    else if (found.placed || found.marks.length) buttons.push(button("Do it", () => act({ type: "apply" }), "main"));
  } else if (path) {
    const step = path.steps[state.at], count = path.steps.length;
    title = count ? `Step ${state.at + 1} of ${count}` : "Steps";
    if (path.conflict && !state.at) lines.push(path.conflict);
    if (step) lines.push(`${step.heading[0].toUpperCase()}${step.heading.slice(1)}`, ...step.levels.at(-1).split("\n"));
    if (state.at >= count - 1 && path.outcome !== "contradiction") lines.push(ENDINGS[path.outcome]);
    const places = count > 1 ? { First: 0, Back: state.at - 1, Next: state.at + 1, Last: count - 1 } : {};
    for (const [name, at] of Object.entries(places)) {
      const one = button(name, () => act({ type: "step", at }));
      one.disabled = at < 0 || at >= count || at === state.at;
      buttons.push(one);
    }
  } else if (text) {
    title = text.title;
    lines.push(...text.lines);
    if (shown?.grids) {
      const other = shown.grids[shown.digits === shown.grids[0] ? 1 : 0];
      buttons.push(button("Show the other one", () => act({ type: "set", values: { shown: { ...shown, digits: other } } })));
    }
  }
  const { finished } = begin;
  if (finished) {
    if (path) buttons.push(button("Best grid", () => act({ type: "result", task: "maximise", data: finished.result })));
    else if (finished.steps.steps.length) buttons.push(button("Steps", () => act({ type: "result", task: "steps", data: finished.steps })));
  }
  const focused = document.activeElement?.closest("#answer-buttons") ? document.activeElement.textContent : null;
  byId("answer").hidden = !title && !buttons.length;
  byId("answer-title").hidden = !title;
  byId("board").classList.toggle("named", Boolean(found || path || text));
  // on a phone the answer stands below the grid: scroll to it
  const isShown = Boolean(title || shown || candidates);
  const isNew = title ? !byId("answer-title").textContent : isShown && byId("hide").hidden;
  if (isNew && innerWidth < WIDE_PAGE) byId("board").scrollIntoView({ block: "start" });
  // only for screen readers: others see the title and the card
  byId("status").classList.toggle("hidden", Boolean(title) && !state.run);
  byId("hide").hidden = !isShown;
  byId("answer-title").textContent = title;
  byId("answer-text").replaceChildren(...paragraphs(lines));
  // a text that is cut off can be scrolled by the keyboard
  if (byId("answer-text").scrollHeight > byId("answer-text").clientHeight) byId("answer-text").tabIndex = 0;
  else byId("answer-text").removeAttribute("tabindex");
  byId("answer-buttons").replaceChildren(...buttons);
  if (focused) (buttons.find((one) => one.textContent === focused && !one.disabled) ?? buttons.find((one) => !one.disabled))?.focus();
}

// paragraphs of HTML; indented lines are a list below the line above
function paragraphs(lines) {
  const found = [];
  for (const line of lines) {
    if (!line.startsWith("  ")) found.push(textElement("p", line));
    else {
      if (found.at(-1)?.tagName !== "UL") found.push(document.createElement("ul"));
      found.at(-1).append(textElement("li", line.trim()));
    }
  }
  return found;
}

function showMeeting() {
  const { progress, result, run: running, lowest } = state;
  // a puzzle with one solution is answered without progress
  const points = bestSoFar(result ? [...progress, result] : progress, lowest);
  byId("meeting").hidden = !points.length;
  if (!points.length) return;
  const asking = running?.task === "maximise", best = points.at(-1);
  const end = asking ? (performance.now() - askedAt) / 1000 : (result?.seconds ?? state.stoppedAfter);
  const how = best.gap === 0 ? "proved best" : asking ? "searching" : result ? "not proved" : "stopped";
  const figures = { score: best.score ?? "–", bound: best.bound ?? "–", gap: best.gap ?? "–", time: seconds(end), state: how };
  byId("figures").replaceChildren(...Object.entries(figures).map(([name, figure]) => {
    const pair = document.createElement("div");
    pair.append(textElement("dt", name), textElement("dd", figure));
    return pair;
  }));
  drawChart(byId("chart"), points, end);
  fillTable(byId("table"), points);
}

function button(words, press, look = "") {
  const found = textElement("button", words);
  found.type = "button";
  found.className = look;
  found.onclick = press;
  return found;
}

// events

document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, input:not([type=radio]):not([type=checkbox]), select, dialog")) return;
  const control = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase();
  const inGrid = event.target.dataset?.cell !== undefined || event.target === document.body;
  let action = null;
  if ((control && letter === "z" && !event.shiftKey) || event.key === "[") action = { type: "undo" };
  else if ((control && ["y", "z"].includes(letter)) || event.key === "]") action = { type: "redo" };
  else if (event.key === "?") hint();
  else if (event.code === "Escape" && state.run) stop();
  else if (inGrid || event.code === "Escape") action = keyAction(event, state);
  if (event.key !== "?" && !action) return;
  event.preventDefault();
  if (action) act(action);
  if (inGrid && action?.type === "move") focusCell(state.active);
});
document.addEventListener("paste", (event) => {
  if (event.target.closest?.("textarea, input:not([type=radio], [type=checkbox])") || !hasServer) return;
  event.preventDefault();
  read(event.clipboardData.getData("text/plain"));
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (file) readFile(file);
  else read(event.dataTransfer.getData("text/plain"));
});
addEventListener("pagehide", () => {
  saveWork();
  stop();
});
for (const input of document.querySelectorAll("[type=radio]")) input.onchange = () => act({ type: "set", values: { [input.name]: input.value } });
for (const one of document.querySelectorAll("[data-task]")) {
  const { task } = one.dataset;
  one.onclick = () => (task === "hint" ? hint() : run(task, task === "check" ? { digits: filledDigits() } : {}));
}
for (const one of document.querySelectorAll("[data-weights]")) one.onclick = () => act({ type: "weights", name: one.dataset.weights });
for (const type of ["undo", "redo", "hide", "restart"]) byId(type).onclick = () => act({ type });
byId("cancel").onclick = () => stop();
byId("brush").oninput = ({ target: { value, validity } }) => value && validity.valid && act({ type: "set", values: { brush: Number(value) } });
byId("limit").onchange = () => act({ type: "set", values: { limit: Math.min(3600, Math.max(1, Number(byId("limit").value) || 60)) } });
for (const name of ["live", "lowest", "conflicts"]) byId(name).onchange = () => act({ type: "set", values: { [name]: byId(name).checked } });
byId("theme").onclick = () => {
  const theme = document.documentElement.classList.contains("dark") ? "light" : "dark";
  try {
    localStorage.setItem(THEME, JSON.stringify(theme));
  } catch {
    // then the choice is not stored
  }
  showTheme(theme);
};
byId("copy").onclick = copy;
byId("link").onclick = () => run("link", { program: byId("program").value, title: state.record.title, author: state.record.author, about: state.record.about });
byId("svg").onclick = () => run("picture", { digits: drawnDigits(), shaded: state.layer === "weights" || Boolean(state.shown?.scored && !isPriced(state)) });
byId("export").onclick = () => run("export", { format: byId("format").value });
byId("opener").onclick = () => {
  showUnread("");
  byId("open").showModal();
  byId("text").focus();
};
byId("fresh").onclick = () => byId("new").showModal();
byId("make").onclick = () => run("new", { kind: byId("kind").value, level: byId("level").value, seed: Math.floor(Math.random() * 2 ** 31) });
byId("helper").onclick = () => byId("help").showModal();
byId("read").onclick = () => read(byId("text").value);
byId("blank").onclick = () => read(blankText());
byId("file").onchange = () => {
  const [file] = byId("file").files;
  byId("open").close();
  if (file) readFile(file);
};

function blankText() {
  const [size, boxes] = SIZES[byId("size").value];
  const grid = Array.from({ length: size }, () => Array(size).fill(0));
  return JSON.stringify(boxes ? { grid, box: boxes } : { grid });
}

function drawnDigits() {
  const { work, shown } = state;
  return work.clues.map((clue, cell) => clue ?? shown?.digits[cell] ?? work.digits[cell] ?? null);
}

function copy() {
  const { record, work } = state;
  if (record.is_plain && record.names.every((name) => name.length === 1)) {
    copyText(work.clues.map((digit) => (digit === null ? "." : nameOf(state, digit))).join(""), ANYWHERE);
  } else if (hasServer) run("text");
  else copyText(puzzleText(state));
}

async function copyText(text, what = "text with its rules, which this page and the commands read") {
  try {
    await navigator.clipboard.writeText(text);
    act({ type: "set", values: { status: `The puzzle is copied as ${what}.` } });
  } catch {
    prompt("The puzzle:", text);
  }
}

function showTheme(theme) {
  document.documentElement.style.colorScheme = theme;
  document.documentElement.classList.toggle("dark", theme === "dark");
}

// start

document.documentElement.classList.toggle("static", !hasServer);
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => showTheme(readStorage("localStorage", THEME) ?? (dark.matches ? "dark" : "light"));
dark.onchange();
for (const [id, names] of Object.entries(NEW)) byId(id).append(...names.map((name) => new Option(name, name)));
byId("size").append(...Object.keys(SIZES).map((name) => new Option(name, name, name === "9×9", name === "9×9")));
for (const [id, choices] of [["format", begin.exports], ["program", begin.links]]) {
  byId(id).append(...Object.entries(choices ?? {}).map(([name, summary]) => new Option(`${name}: ${summary}`, name)));
}
byId("program").value = "sudokupad";
if (begin.finished) {
  const { progress, result } = begin.finished;
  state = reduce({ ...state, progress }, { type: "result", task: "maximise", data: result });
}
render();
restore();
focusCell(0);
setInterval(() => {
  if (state.layer !== "play" || state.solved || document.visibilityState !== "visible") return;
  state = reduce(state, { type: "tick" });
  byId("clock").textContent = clock(state.spent);
  if (state.spent % 5 === 0) saveWork();
}, 1000);
// during a run the lines of the chart extend to the present
setInterval(() => {
  if (state.run?.task !== "maximise") return;
  showMeeting();
  announceProgress();
}, 500);

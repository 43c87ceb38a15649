// The page: every event becomes an action, every action a new state, and every state is shown in one place.

import { COLOURS, ENDINGS, clock, initial, isFull, isPriced, lacking, nameOf, puzzleText, reduce, repeated, seconds } from "./state.js";
import { ask } from "./runs.js";
import { buildGrid, focusCell, keyAction, made } from "./grid.js";
import { drawChart, fillTable, improving } from "./chart.js";

const begin = JSON.parse(document.getElementById("start").textContent);
const served = !begin.finished;
const at = (id) => document.getElementById(id);
const MOST_READ = 2 << 20;
const BETWEEN_WORDS = 3000;
const MOST_KEPT = 100;
// there the tools stand beside the grid, as in the style sheet
const WIDE_PAGE = 896;
const KEPT = "ringdoku puzzle ", THEME = "ringdoku theme";
const EMPTY = "Type the clues of a puzzle, paste or drop one anywhere, or choose New…";
const NEW = { kind: ["classic", "killer", "thermometer", "6×6"], level: ["easy", "medium", "hard", "fiendish"] };
const SIZES = { "4×4": [4], "6×6": [6, [2, 3]], "8×8": [8, [2, 4]], "9×9": [9], "10×10": [10, [2, 5]], "12×12": [12, [3, 4]], "16×16": [16], "25×25": [25] };
const WAITING = {
  read: "Reading…", solve: "Solving…", maximise: "Looking for the best score…", candidates: "Looking for all candidates…",
  unique: "Looking for a second solution…", hint: "Looking for a step…", steps: "Looking for the steps…",
  prices: "Looking for prices…", picture: "Drawing…", export: "Writing the model…", check: "Checking…", text: "Copying…", link: "Copying…",
  new: "Making a puzzle…",
};

let state = initial(kept("sessionStorage", location.pathname) ?? begin.record, begin.limit);
let showGrid = null, shownRecord = null, stop = () => {}, since = 0, painted = null, spoken = 0;

function act(action) {
  const before = state;
  state = reduce(state, action);
  if (state !== before) render();
  const { clues, weights } = state.work, isAnother = clues !== before.work.clues || weights !== before.work.weights;
  // the answer would be to another question
  if (before.run && isAnother && action.type !== "open") stop();
  if (state.work.weights !== before.work.weights && !state.stroke) refresh();
  if (action.type === "set" && "stroke" in action.values) refresh();
  if (state.work === before.work || action.type === "restore" || action.type === "open") return;
  keep();
  if (state.work.digits !== before.work.digits) finish();
}

// the last digit is right, or something is wrong
function finish() {
  if (state.layer !== "play" || state.solved || !isFull(state)) return;
  if (repeated(state, true).size) act({ type: "full", right: false });
  else if (served) run("check", { quiet: true, digits: filled() });
  else {
    const { result, steps } = begin.finished, digits = filled();
    act({ type: "full", right: steps.outcome === "solved" && digits.every((digit, cell) => digit === result.digits[cell]) });
  }
}

function filled() {
  return state.work.clues.map((clue, cell) => clue ?? state.work.digits[cell]);
}

// the puzzle and its weights stay in this tab, and what was played in this browser, by the puzzle; private windows may refuse it
function keep() {
  const { record, work, spent, used, solved } = state;
  const { clues, digits, corner, centre, colours, weights } = work, key = KEPT + puzzleText(state);
  try {
    if (served) sessionStorage.setItem(location.pathname, JSON.stringify({ ...record, clues, weights }));
    const played = [...digits, ...colours].some((one) => one !== null) || [...corner, ...centre].some((marks) => marks.length);
    if (!played || clues !== record.clues) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify({ at: Date.now(), saved: { spent, used, solved, work: { digits, corner, centre, colours } } }));
    const all = Object.keys(localStorage).filter((name) => name.startsWith(KEPT));
    const age = (name) => JSON.parse(localStorage.getItem(name)).at;
    for (const name of all.sort((one, other) => age(other) - age(one)).slice(MOST_KEPT)) localStorage.removeItem(name);
  } catch {
    // then nothing is kept
  }
}

function kept(name, key) {
  try {
    return JSON.parse(window[name].getItem(key));
  } catch {
    return null;
  }
}

function restore() {
  const found = kept("localStorage", KEPT + puzzleText(state));
  if (found) act({ type: "restore", saved: found.saved });
}

// the best grid for weights that were painted
function refresh() {
  if (!served || !state.live || state.layer !== "weights" || painted === state.work.weights) return;
  painted = state.work.weights;
  run("maximise", { quiet: true });
}

function run(task, { quiet = false, ...more } = {}) {
  stop();
  act({ type: "ask", task, quiet });
  spoken = since = performance.now();
  const { work, limit, lowest } = state;
  const question = { task, puzzle: puzzleText(state), limit, weights: work.weights, lowest, ...more };
  stop = ask(question, {
    progress: (data) => act({ type: "progress", data }),
    error: (data) => {
      const asked = at("open").open && !data.can_ignore;
      if (asked) showUnread(data.text);
      act({ type: "error", task, data: { ...data, asked: more.text, cancelled: data.cancelled || asked } });
    },
    result: (data) => {
      if (data.picture) open(data);
      else if (data.name) save(data);
      else if (data.copied) copied(data.copied, data.what);
      if (task === "check" && quiet && !data.solved) act({ type: "full", right: false });
      else act({ type: "result", task, data });
    },
  });
}

function open(record) {
  at("open").close();
  act({ type: "open", record });
  restore();
  focusCell(0);
}

// the dialog keeps its text, with the line that cannot be read selected
function showUnread(words) {
  at("unread").hidden = !words;
  at("unread").textContent = words;
  const number = Number(/^text:([0-9]+)/.exec(words)?.[1] ?? 0);
  if (!number) return;
  const lines = at("text").value.split("\n"), start = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  at("text").focus();
  at("text").setSelectionRange(start, start + (lines[number - 1]?.length ?? 0));
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
  if (text.trim() && served) run("read", { text, ...more });
}

async function readFile(file) {
  if (file.size > MOST_READ) act({ type: "error", data: { text: `${file.name} is larger than ${MOST_READ >> 20} MiB.` } });
  else read(await file.text());
}

function hint() {
  if (state.hint && state.level < state.hint.levels.length) act({ type: "more" });
  else if (served) {
    // centre marks are a list of candidates, corner marks are not
    run("hint", { digits: filled(), marks: state.work.centre });
  }
}

// showing

function render() {
  const { record, work, run: running } = state;
  if (shownRecord !== record) {
    shownRecord = record;
    showGrid = buildGrid(at("board"), record, act, () => state);
    showTitle(record);
    buildPad(record);
  }
  showGrid(state);
  const inGrid = document.activeElement?.dataset?.cell;
  if (inGrid !== undefined && Number(inGrid) !== state.active) focusCell(state.active);
  choose("layer", state.layer);
  choose("mode", state.mode);
  at("modes").hidden = state.layer !== "play";
  at("painting").hidden = state.layer !== "weights";
  at("pad").hidden = state.layer === "weights";
  at("playing").hidden = state.layer !== "play";
  at("clock").textContent = clock(state.spent);
  at("notice").textContent = record.notice || (record.is_blank && served && state.layer === "clues" && !state.shown && work.clues.every((clue) => clue === null) ? EMPTY : "");
  at("legend").hidden = !isPriced(state);
  showLeft();
  at("pad").classList.toggle("colours", state.layer === "play" && state.mode === "colour");
  enter("brush", state.brush);
  enter("limit", state.limit);
  for (const name of ["live", "lowest", "conflicts"]) at(name).checked = state[name];
  at("undo").disabled = !state.past.length;
  at("redo").disabled = !state.future.length;
  at("cancel").hidden = !running || running.task === "read";
  at("asking").setAttribute("aria-busy", Boolean(running));
  say(running && !running.quiet ? (running.words ?? WAITING[running.task]) : state.status);
  showFault();
  showAnswer();
  if (differs("meeting", state.progress, state.result, running)) showMeeting();
}

// whether one of the values is another than at the last call
function differs(name, ...values) {
  const before = differs.last[name];
  differs.last[name] = values;
  return !before || values.some((value, place) => value !== before[place]);
}
differs.last = {};

function choose(name, value) {
  for (const input of document.getElementsByName(name)) input.checked = input.value === value;
}

function enter(id, value) {
  if (document.activeElement !== at(id)) at(id).value = value;
}

// score and bound of a long run, not so often that they drown what else is read out
function speak() {
  const best = improving(state.progress, state.lowest).at(-1), now = performance.now();
  if (!best || state.run.quiet || now - spoken < BETWEEN_WORDS) return;
  spoken = now;
  act({ type: "set", values: { run: { ...state.run, words: `Score ${best.score ?? "not found yet"}, bound ${best.bound ?? "not known yet"}…` } } });
}

// the same words again would be read out again
function say(words) {
  if (at("status").textContent !== words) at("status").textContent = words;
}

function showTitle(record) {
  document.title = `${record.title || "Sudoku"} · ringdoku`;
  at("title").textContent = [record.title, record.author && `by ${record.author}`].filter(Boolean).join(" ");
  at("about").hidden = !record.rules.length && !record.about;
  at("about").open = innerWidth >= WIDE_PAGE;
  at("rules").replaceChildren(...record.rules.map((rule) => made("li", rule)));
  at("words").textContent = record.about;
}

function buildPad(record) {
  const keys = record.values.map((digit, place) => {
    const key = made("button", record.names[place]);
    key.setAttribute("aria-label", `digit ${record.names[place]}`);
    key.onclick = () => act({ type: "digit", digit });
    key.dataset.digit = digit;
    key.className = `colour-${(place % COLOURS.length) + 1}`;
    return key;
  });
  const eraser = made("button", "Erase");
  eraser.className = "erase";
  eraser.onclick = () => act({ type: "erase" });
  at("pad").classList.toggle("many", keys.length > 9);
  at("pad").replaceChildren(...keys, eraser);
}

// how often each digit is still to be placed
function showLeft() {
  const left = lacking(state);
  for (const key of at("pad").querySelectorAll("[data-digit]")) {
    const count = left && state.layer === "play" && state.mode === "digit" ? left.get(Number(key.dataset.digit)) : null;
    key.dataset.left = count ?? "";
    key.classList.toggle("placed", count !== null && count <= 0);
    key.title = count === null ? "" : `${Math.max(0, count)} left`;
  }
}

function showFault() {
  const { fault } = state;
  at("fault").hidden = !fault;
  if (!fault) return at("fault").replaceChildren();
  const parts = [made("p", fault.text)];
  if (fault.can_ignore && fault.asked) parts.push(button("Open it without those rules", () => read(fault.asked, { ignore: true })));
  at("fault").replaceChildren(...parts, button("Close", () => act({ type: "hide" })));
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
    const go = (name, to) => {
      const one = button(name, () => act({ type: "step", at: to }));
      one.disabled = to < 0 || to >= count || to === state.at;
      buttons.push(one);
    };
    if (count > 1) {
      go("First", 0);
      go("Back", state.at - 1);
      go("Next", state.at + 1);
      go("Last", count - 1);
    }
  } else if (text) {
    title = text.title;
    lines.push(...text.lines);
    if (shown?.grids) {
      const other = shown.grids[shown.digits === shown.grids[0] ? 1 : 0];
      buttons.push(button("Show the other one", () => act({ type: "set", values: { shown: { ...shown, digits: other } } })));
    }
  }
  if (!served && begin.finished) {
    const { finished } = begin;
    if (path) buttons.push(button("Best grid", () => act({ type: "result", task: "maximise", data: finished.result })));
    else if (finished.steps.steps.length) buttons.push(button("Steps", () => act({ type: "result", task: "steps", data: finished.steps })));
  }
  const kept = document.activeElement?.closest("#answer-buttons") ? document.activeElement.textContent : null;
  at("answer").hidden = !title && !buttons.length;
  at("answer-title").hidden = !title;
  at("board").classList.toggle("named", Boolean(found || path || text));
  // on a telephone the answer stands below the grid
  const isShown = Boolean(title || shown || candidates);
  const isNew = title ? !at("answer-title").textContent : isShown && at("hide").hidden;
  if (isNew && innerWidth < WIDE_PAGE) at("board").scrollIntoView({ block: "start" });
  // title and card say it to those who see
  at("status").classList.toggle("hidden", Boolean(title) && !state.run);
  at("hide").hidden = !isShown;
  at("answer-title").textContent = title;
  at("answer-text").replaceChildren(...paragraphs(lines));
  // what is cut off can be reached by the keyboard
  if (at("answer-text").scrollHeight > at("answer-text").clientHeight) at("answer-text").tabIndex = 0;
  else at("answer-text").removeAttribute("tabindex");
  at("answer-buttons").replaceChildren(...buttons);
  if (kept) (buttons.find((one) => one.textContent === kept && !one.disabled) ?? buttons.find((one) => !one.disabled))?.focus();
}

// lines that are indented belong to the one above
function paragraphs(lines) {
  const found = [];
  for (const line of lines) {
    if (!line.startsWith("  ")) found.push(made("p", line));
    else {
      if (found.at(-1)?.tagName !== "UL") found.push(document.createElement("ul"));
      found.at(-1).append(made("li", line.trim()));
    }
  }
  return found;
}

function showMeeting() {
  const { progress, result, run: running, lowest } = state;
  // what has one solution is best at once, without progress
  const points = improving(result ? [...progress, result] : progress, lowest);
  at("meeting").hidden = !points.length;
  if (!points.length) return;
  const asking = running?.task === "maximise", best = points.at(-1);
  const end = asking ? (performance.now() - since) / 1000 : (result?.seconds ?? best.seconds);
  const how = best.gap === 0 ? "proved best" : asking ? "searching" : result ? "not proved" : "stopped";
  figures([["score", best.score ?? "–"], ["bound", best.bound ?? "–"], ["gap", best.gap ?? "–"], ["time", seconds(end)], ["state", how]]);
  drawChart(at("chart"), points, end);
  fillTable(at("table"), points);
}

function figures(pairs) {
  at("figures").replaceChildren(...pairs.map(([name, value]) => {
    const pair = document.createElement("div");
    pair.append(made("dt", name), made("dd", String(value)));
    return pair;
  }));
}

function button(words, press, look = "") {
  const found = made("button", words);
  found.type = "button";
  found.className = look;
  found.onclick = press;
  return found;
}

// events

function listenToPage() {
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest("textarea, input:not([type=radio]):not([type=checkbox]), select, dialog");
    if (field) return;
    const control = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase();
    const inGrid = event.target.dataset?.cell !== undefined || event.target === document.body;
    let action = null;
    if (control && letter === "z") action = { type: event.shiftKey ? "redo" : "undo" };
    else if (control && letter === "y") action = { type: "redo" };
    else if (event.key === "[") action = { type: "undo" };
    else if (event.key === "]") action = { type: "redo" };
    else if (event.key === "?") hint();
    else if (event.code === "Escape" && state.run) stop();
    else if (inGrid || event.code === "Escape") action = keyAction(event, state);
    if (event.key !== "?" && !action) return;
    event.preventDefault();
    if (action) act(action);
    if (inGrid && action?.type === "move") focusCell(state.active);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("textarea, input") || !served) return;
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
    keep();
    stop();
  });
  for (const input of document.querySelectorAll("[type=radio]")) input.onchange = () => act({ type: "set", values: { [input.name]: input.value } });
  for (const one of document.querySelectorAll("[data-task]")) {
    const { task } = one.dataset;
    one.onclick = () => (task === "hint" ? hint() : run(task, task === "check" ? { digits: filled() } : {}));
  }
  for (const one of document.querySelectorAll("[data-weights]")) one.onclick = () => act({ type: "weights", name: one.dataset.weights });
  for (const type of ["undo", "redo", "hide", "restart"]) at(type).onclick = () => act({ type });
  at("cancel").onclick = () => stop();
  at("brush").oninput = () => act({ type: "set", values: { brush: Math.trunc(Number(at("brush").value)) || 0 } });
  at("limit").onchange = () => act({ type: "set", values: { limit: Math.min(3600, Math.max(1, Number(at("limit").value) || 60)) } });
  for (const name of ["live", "lowest", "conflicts"]) at(name).onchange = () => act({ type: "set", values: { [name]: at(name).checked } });
  at("theme").onclick = () => {
    const theme = document.documentElement.classList.contains("dark") ? "light" : "dark";
    try {
      localStorage.setItem(THEME, JSON.stringify(theme));
    } catch {
      // then it is chosen again next time
    }
    showTheme(theme);
  };
  at("copy").onclick = copy;
  at("link").onclick = () => run("link", { program: at("program").value, title: state.record.title, author: state.record.author, about: state.record.about });
  at("svg").onclick = () => run("picture", { digits: drawnDigits(), shaded: state.layer === "weights" || Boolean(state.shown?.scored && !isPriced(state)) });
  at("export").onclick = () => run("export", { format: at("format").value });
  at("opener").onclick = () => {
    showUnread("");
    at("open").showModal();
    at("text").focus();
  };
  at("fresh").onclick = () => at("new").showModal();
  at("make").onclick = () => run("new", { kind: at("kind").value, level: at("level").value, seed: Math.floor(Math.random() * 2 ** 31) });
  at("helper").onclick = () => at("help").showModal();
  at("read").onclick = () => read(at("text").value);
  at("blank").onclick = () => read(blankText());
  at("file").onchange = () => {
    const [file] = at("file").files;
    at("open").close();
    if (file) readFile(file);
  };
}

function blankText() {
  const [size, boxes] = SIZES[at("size").value];
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
    copied(work.clues.map((digit) => (digit === null ? "." : nameOf(state, digit))).join(""));
  } else if (served) run("text");
  else copied(puzzleText(state));
}

async function copied(text, what = "text: every program that reads puzzles takes it, and so does this page") {
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

function startPage() {
  document.documentElement.classList.toggle("static", !served);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.onchange = () => showTheme(kept("localStorage", THEME) ?? (dark.matches ? "dark" : "light"));
  dark.onchange();
  for (const [id, names] of Object.entries(NEW)) at(id).append(...names.map((name) => new Option(name, name)));
  at("size").append(...Object.keys(SIZES).map((name) => new Option(name, name, name === "9×9", name === "9×9")));
  for (const [id, choices] of [["format", begin.exports], ["program", begin.links]]) {
    at(id).append(...Object.entries(choices ?? {}).map(([name, summary]) => new Option(`${name}: ${summary}`, name)));
  }
  at("program").value = "sudokupad";
  listenToPage();
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
    at("clock").textContent = clock(state.spent);
    if (state.spent % 5 === 0) keep();
  }, 1000);
  // while it runs, the lines go on to the present
  setInterval(() => {
    if (state.run?.task !== "maximise") return;
    showMeeting();
    speak();
  }, 500);
}

startPage();

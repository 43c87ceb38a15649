// The state of the page: `reduce` returns the next state for an action, `cellView` what a cell shows. Nothing here touches the document.

export const MODES = ["digit", "corner", "centre", "colour"];
export const COLOURS = ["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];
export const ENDINGS = {
  solved: "Solved.", contradiction: "There is no solution.", stuck: "No step is left: the puzzle has several solutions.",
  limit: "The time limit came first.",
};
const NOTHING = { infeasible: ENDINGS.contradiction, unknown: ENDINGS.limit };
const MOST_UNDONE = 500;

const NOTHING_SHOWN = { shown: null, candidates: null, hint: null, level: 0, path: null, at: 0, text: null, wrong: [] };
const NO_RESULT = { result: null, progress: [] };
// the seconds and the help that a player has used, and whether the puzzle is solved
const NOTHING_SPENT = { spent: 0, used: { hint: 0, check: 0, answer: 0 }, solved: false };
const ANSWERS = ["solve", "maximise", "candidates", "steps"];

export function initial(record, limit) {
  return {
    ...newPuzzleState(record), mode: "digit", brush: 10, live: true, lowest: false, conflicts: true, limit: limit ?? 60,
    run: null, status: "", fault: null,
  };
}

function newPuzzleState(record) {
  return {
    record, layer: record.is_blank ? "clues" : "play", past: [], future: [], stroke: null, active: 0, selected: [0],
    work: { clues: record.clues, ...emptyPlay(record.clues.length), weights: record.weights ?? record.rings },
    ...NOTHING_SHOWN, ...NO_RESULT, ...NOTHING_SPENT,
  };
}

function emptyPlay(cells) {
  const marks = Array.from({ length: cells }, () => []);
  return { digits: Array(cells).fill(null), corner: marks, centre: marks, colours: Array(cells).fill(null) };
}

export function reduce(state, action) {
  switch (action.type) {
    case "open":
      return { ...state, ...newPuzzleState(action.record), fault: null, status: action.record.notice || "Opened." };
    case "restore": return { ...state, ...action.saved, work: { ...state.work, ...action.saved.work } };
    case "restart": return { ...withChanges(state, emptyPlay(state.work.clues.length)), ...NOTHING_SHOWN, ...NOTHING_SPENT, status: "Everything is empty again; Undo brings it back." };
    case "tick": return { ...state, spent: state.spent + 1 };
    case "full": return { ...state, run: null, status: action.right ? "" : "Every cell has a digit, but something is wrong. Check says where.", ...(action.right ? solvedState(state) : {}) };
    case "select": return select(state, action.cells, action.active);
    case "move": return move(state, action);
    case "same": return select(state, cellsWithSameValue(state, action.cell), action.cell);
    case "set": return { ...state, ...action.values };
    case "digit": return digit(state, action.digit, action.mode ?? state.mode);
    case "erase": return erase(state);
    case "paint": return withChanges(state, { weights: replaceAt(state.work.weights, action.cells, () => action.weight) }, action.stroke);
    case "nudge": return withChanges(state, { weights: replaceAt(state.work.weights, state.selected, (was) => was + action.by) });
    case "weights": return withChanges(state, { weights: preset(state.record, action.name) });
    case "undo": return moveInHistory(state, "past", "future");
    case "redo": return moveInHistory(state, "future", "past");
    case "ask": return { ...state, run: { task: action.task, quiet: action.quiet }, fault: null, used: helpCounts(state, action), ...(action.task === "maximise" ? NO_RESULT : {}) };
    case "progress": return withProgress(state, action.data);
    case "result": return withAnswer({ ...state, run: null }, action.task, action.data);
    case "error": return { ...state, run: null, stoppedAfter: action.task === "maximise" ? action.after : state.stoppedAfter, status: action.data.cancelled ? "Cancelled." : "", fault: action.data.cancelled ? null : action.data };
    case "more": return { ...state, level: state.level + 1, status: state.hint.levels[state.level] };
    case "apply": return apply(state);
    case "step": return { ...state, at: action.at, status: `Step ${action.at + 1}: ${state.path.steps[action.at].levels.at(-1)}` };
    case "hide": return { ...state, ...NOTHING_SHOWN, fault: null, status: "" };
    case "clear": return { ...state, ...NOTHING_SHOWN, fault: null, status: "", selected: [state.active] };
  }
  throw new Error(`there is no action ${action.type}`);
}

// the counts of help that the player used, with this question; after the end they stay
function helpCounts({ used, layer, solved: over }, { task, quiet }) {
  const kind = ANSWERS.includes(task) ? "answer" : task;
  return layer === "play" && !over && !quiet && kind in used ? { ...used, [kind]: used[kind] + 1 } : used;
}

function solvedState(state) {
  const counts = Object.entries(state.used).filter(([, count]) => count);
  const words = { hint: ["hint", "hints"], check: ["check", "checks"], answer: ["answer shown", "answers shown"] };
  const help = counts.map(([kind, count]) => `${count} ${words[kind][count === 1 ? 0 : 1]}`).join(", ");
  return { solved: true, status: `Solved in ${clock(state.spent)}, ${help ? `with ${help}` : "without help"}.` };
}

// selecting

function select(state, cells, active) {
  return { ...state, selected: [...new Set(cells)], active };
}

// from the active cell, or from another row or column; -1 is the last one
function move(state, { row, column, down = 0, right = 0, extend }) {
  const { rows, columns } = state.record;
  const nextRow = ((row ?? Math.floor(state.active / columns)) + down + rows) % rows;
  const nextColumn = ((column ?? state.active % columns) + right + columns) % columns;
  const cell = nextRow * columns + nextColumn;
  return select(state, extend ? [...state.selected, cell] : [cell], cell);
}

function cellsWithSameValue(state, cell) {
  const wanted = digitAt(state, cell);
  return wanted === null ? [cell] : state.work.clues.map((_, other) => other).filter((other) => digitAt(state, other) === wanted);
}

// changing

function replaceAt(list, cells, make) {
  const next = [...list];
  for (const cell of cells) next[cell] = make(list[cell], cell);
  return next;
}

// the value in all cells, or nothing where they all have it
function toggle(list, cells, value) {
  const next = cells.every((cell) => list[cell] === value) ? null : value;
  return replaceAt(list, cells, () => next);
}

function withChanges(state, parts, stroke = null) {
  const goesOn = stroke !== null && stroke === state.stroke;
  const past = goesOn ? state.past : [...state.past.slice(-MOST_UNDONE), state.work];
  return withWork({ ...state, past, future: [], stroke }, { ...state.work, ...parts });
}

function moveInHistory(state, from, to) {
  if (!state[from].length) return state;
  const rest = state[from].slice(0, -1), work = state[from].at(-1);
  return withWork({ ...state, [from]: rest, [to]: [...state[to], state.work], stroke: null }, work);
}

// the state with other work; answers about other clues or weights are dropped
function withWork(state, work) {
  const next = { ...state, work, hint: null, level: 0, wrong: [], solved: false };
  if (work.clues !== state.work.clues) return { ...next, ...NOTHING_SHOWN, ...NO_RESULT };
  if (work.weights !== state.work.weights) return { ...next, ...NO_RESULT, shown: state.shown?.scored ? null : state.shown };
  return next;
}

function digit(state, wanted, mode) {
  const { work, selected, layer } = state;
  if (layer === "weights") return withChanges({ ...state, brush: wanted }, { weights: replaceAt(work.weights, selected, () => wanted) });
  if (layer === "clues") return withChanges(state, { clues: toggle(work.clues, selected, wanted), digits: replaceAt(work.digits, selected, () => null) });
  if (mode === "colour") {
    const colour = state.record.values.indexOf(wanted) % COLOURS.length;
    return withChanges(state, { colours: toggle(work.colours, selected, colour) });
  }
  const free = selected.filter((cell) => work.clues[cell] === null);
  if (!free.length) return { ...state, status: "That is a clue. Choose Clues to change it." };
  if (mode === "digit") return withChanges({ ...state, status: "" }, { digits: toggle(work.digits, free, wanted) });
  const open = free.filter((cell) => work.digits[cell] === null);
  const all = open.every((cell) => work[mode][cell].includes(wanted));
  const toggled = (marks) => (all ? marks.filter((mark) => mark !== wanted) : [...new Set([...marks, wanted])].sort((a, b) => a - b));
  return withChanges(state, { [mode]: replaceAt(work[mode], open, toggled) });
}

function erase(state) {
  const { work, selected, layer } = state;
  if (layer === "weights") return withChanges(state, { weights: replaceAt(work.weights, selected, (_, cell) => state.record.rings[cell]) });
  if (layer === "clues") return withChanges(state, { clues: replaceAt(work.clues, selected, () => null) });
  if (selected.some((cell) => work.digits[cell] !== null)) return withChanges(state, { digits: replaceAt(work.digits, selected, () => null) });
  return withChanges(state, {
    corner: replaceAt(work.corner, selected, () => []), centre: replaceAt(work.centre, selected, () => []),
    colours: replaceAt(work.colours, selected, () => null),
  });
}

function preset({ rows, columns, rings }, name) {
  if (name === "rings") return rings;
  return rings.map((_, cell) => (name === "flat" ? 1 : (Math.floor(cell / columns) + (cell % columns)) % 2 ? 1 : 2));
}

// answers

function withAnswer(state, task, data) {
  const clean = { ...state, ...NOTHING_SHOWN };
  switch (task) {
    case "solve": return { ...clean, shown: data.digits && { digits: data.digits, cells: [] }, status: NOTHING[data.status] ?? `Solved in ${seconds(data.seconds)}.` };
    case "maximise": {
      const status = {
        optimal: `${state.lowest ? "Lowest" : "Best"} score ${data.score}, proved in ${seconds(data.seconds)}.`,
        feasible: `Score ${data.score} found, not proved best: no score is ${state.lowest ? "below" : "above"} ${data.bound}.`,
        ...NOTHING,
      }[data.status];
      return { ...clean, result: data, shown: data.digits && { digits: data.digits, cells: [], scored: true }, status };
    }
    case "candidates":
      return { ...clean, candidates: data.cells, status: data.cells ? "Each digit shown is in some solution, and no other is." : NOTHING.infeasible };
    case "unique": {
      const status = {
        unique: "There is exactly one solution.", several: "There is more than one solution.",
        ...NOTHING,
      }[data.status];
      const several = data.grids && { shown: { digits: data.grids[0], cells: data.cells, grids: data.grids }, text: { title: "More than one solution", lines: data.lines } };
      return { ...clean, status, ...several };
    }
    case "check": return { ...state, wrong: data.wrong, status: data.text, ...(data.solved && isFull(state) ? solvedState(state) : {}) };
    case "hint": return { ...clean, hint: { cells: [], removed: [], marks: [], ...data }, level: 1, status: data.levels[0] };
    case "steps": return { ...clean, path: { ...data, left: candidatesBeforeSteps(data) }, status: `${data.steps.length} ${data.steps.length === 1 ? "step" : "steps"}. ${ENDINGS[data.outcome]}` };
    case "prices": return { ...clean, shown: data.digits && { digits: data.digits, cells: [], scored: true, costs: data.costs }, text: { title: "Why no score is better", lines: data.lines }, status: data.lines.at(-1) };
  }
  return state;
}

// the state with one more step of progress; a better grid is shown at once
function withProgress(state, { digits, ...step }) {
  const next = { ...state, progress: [...state.progress, step] };
  return digits ? { ...next, ...NOTHING_SHOWN, shown: { digits, cells: [], scored: true } } : next;
}

// the candidates before each step
function candidatesBeforeSteps(path) {
  let left = path.start;
  const all = [left];
  for (const step of path.steps) {
    const next = [...left];
    for (const [cell, lost] of step.gone) next[cell] = next[cell].filter((other) => other !== lost);
    if (step.placed) next[step.placed[0]] = [step.placed[1]];
    all.push(left = next);
  }
  return all;
}

function apply(state) {
  const { hint, work } = state;
  const parts = hint.placed
    ? { digits: replaceAt(work.digits, [hint.placed[0]], () => hint.placed[1]) }
    : { centre: hint.marks.reduce((marks, [cell, digits]) => replaceAt(marks, [cell], () => digits), work.centre) };
  return { ...withChanges(state, parts), status: "Done." };
}

// what the page reads from a state

export function digitAt(state, cell) {
  return state.work.clues[cell] ?? state.work.digits[cell];
}

export function isFull(state) {
  return state.work.clues.every((_, cell) => digitAt(state, cell) !== null);
}

// how often each digit is still to be placed; null for boards on which that is not the same for all digits
export function remainingCounts(state) {
  const { record, work } = state, count = record.values.length;
  if (record.rows !== count || record.columns !== count || !record.is_latin) return null;
  const found = new Map(record.values.map((digit) => [digit, count]));
  work.clues.forEach((_, cell) => found.set(digitAt(state, cell), found.get(digitAt(state, cell)) - 1));
  return found;
}

export function nameOf(state, digit) {
  return state.record.names[digit - state.record.values[0]];
}

export function repeatedCells(state, asked = state.conflicts) {
  const found = new Set();
  for (const house of asked ? state.record.houses : []) {
    const first = new Map();
    for (const cell of house) {
      const here = digitAt(state, cell);
      if (here === null) continue;
      if (first.has(here)) found.add(cell).add(first.get(here));
      first.set(here, cell);
    }
  }
  return found;
}

// what a cell shows: a digit and its origin, small digits, and how it is highlighted
export function cellView(state, cell, conflicts, selected) {
  const { work, hint, level, path, shown } = state;
  const view = {
    digit: digitAt(state, cell), kind: work.clues[cell] !== null ? "clue" : work.digits[cell] !== null ? "own" : "",
    peer: false, alike: false, small: null, gone: [], corner: [], centre: [], colour: work.colours[cell], weight: work.weights[cell],
    wrong: conflicts.has(cell) || state.wrong.includes(cell), repeats: conflicts.has(cell), selected: selected.has(cell), looked: false, differs: false,
  };
  if (!path && !shown && state.layer === "play") {
    view.peer = state.record.houses.some((house) => house.includes(cell) && house.includes(state.active));
    view.alike = view.digit !== null && view.digit === digitAt(state, state.active);
  }
  if (path) {
    const left = path.left[state.at][cell], step = path.steps[state.at];
    view.kind = path.clues[cell] !== null ? "clue" : "";
    view.digit = path.clues[cell];
    view.wrong &&= view.digit !== null;
    if (step) {
      view.looked = step.cells.includes(cell) || step.placed?.[0] === cell;
      view.gone = step.removed.filter(([other]) => other === cell).map(([, lost]) => lost);
    }
    const placed = path.steps.slice(0, state.at + 1).find((one) => one.placed?.[0] === cell);
    if (view.digit === null && placed) Object.assign(view, { digit: placed.placed[1], kind: "found" });
    if (view.digit === null) view.small = left;
    return view;
  }
  if (hint && level >= 3) view.looked = hint.cells.includes(cell);
  if (hint && level >= hint.levels.length) {
    if (hint.placed?.[0] === cell) Object.assign(view, { looked: true, digit: hint.placed[1], kind: "found", wrong: false });
    view.gone = hint.removed.filter(([other]) => other === cell).map(([, lost]) => lost);
  }
  // an answer replaces digits of the player that differ from it
  const own = view.kind === "own" ? view.digit : null, answer = shown?.digits[cell] ?? null, left = state.candidates?.[cell];
  if (view.digit === null || own !== null) {
    if (answer !== null && answer !== own) {
      return { ...view, digit: answer, kind: "found", wrong: false, differs: shown.cells.includes(cell) };
    }
    if (left && !left.includes(own)) {
      return left.length === 1 ? { ...view, digit: left[0], kind: "found", wrong: false } : { ...view, digit: null, small: left, wrong: false };
    }
  }
  if (view.digit !== null) return view;
  view.corner = work.corner[cell];
  view.centre = work.centre[cell];
  if (view.gone.length && !view.centre.length) view.small = view.gone;
  return view;
}

// whether cells are shaded by their costs
export function isPriced(state) {
  return Boolean(state.shown?.costs) && state.layer !== "weights";
}

export function seconds(count) {
  return count < 1 ? `${Math.max(1, Math.round(count * 1000))} ms` : `${count.toPrecision(3)} s`;
}

export function clock(count) {
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(count / 3600), minutes = Math.floor(count / 60) % 60;
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(count % 60)}`;
}

// the puzzle for the server, which reads JSON like this
export function puzzleText({ record, work }) {
  const grid = Array.from({ length: record.rows }, (_, row) => work.clues.slice(row * record.columns, (row + 1) * record.columns));
  return JSON.stringify({ ...record.shape, grid });
}

// The grid: one focusable cell of HTML each over the drawing of the board, its keys, and its pointer.

import { COLOURS, MODES, cellView, isPriced, nameOf, repeatedCells } from "./state.js";

// Builds the cells; `act` takes actions. Returns a function that shows a state.
export function buildGrid(board, record, act, now) {
  const grid = board.querySelector("#grid"), picture = record.picture;
  grid.setAttribute("aria-rowcount", record.rows);
  grid.setAttribute("aria-colcount", record.columns);
  grid.setAttribute("aria-multiselectable", "true");
  grid.setAttribute("aria-label", `${record.title || "Sudoku"}, ${record.rows} by ${record.columns}`);
  const share = (length, whole) => `${(100 * length) / whole}%`;
  board.style.aspectRatio = `${picture.width} / ${picture.height}`;
  board.style.setProperty("--cell", (100 * picture.cell) / picture.width);
  board.style.setProperty("--columns", record.columns);
  board.style.setProperty("--margin", (100 * picture.left) / picture.width);
  board.classList.toggle("outside", Math.max(picture.left, picture.top) > picture.cell / 2);
  board.classList.toggle("sums", record.has_sums);
  board.style.setProperty("--wide", picture.width / picture.height);
  grid.style.left = share(picture.left, picture.width);
  grid.style.top = share(picture.top, picture.height);
  grid.style.width = share(picture.cell * record.columns, picture.width);
  grid.style.height = share(picture.cell * record.rows, picture.height);
  const cells = [], last = [];
  grid.replaceChildren(...Array.from({ length: record.rows }, (_, row) => {
    const line = box("", "row");
    line.dataset.name = `r${row + 1}`;
    for (let column = 0; column < record.columns; column += 1) {
      const cell = box("", "gridcell");
      cell.dataset.cell = cells.length;
      cells.push(cell);
      line.append(cell);
    }
    return line;
  }));
  const names = board.querySelector(".names");
  Object.assign(names.style, { left: grid.style.left, top: grid.style.top, width: grid.style.width });
  names.replaceChildren(...Array.from({ length: record.columns }, (_, column) => box("", "", `c${column + 1}`)));
  showPicture(board, picture);
  if (!grid.onpointerdown) listenToPointer(grid, act, now);

  return (state) => {
    const conflicts = repeatedCells(state), selected = new Set(state.selected);
    const weights = state.layer === "weights" || state.shown?.scored, costs = isPriced(state) ? state.shown.costs : null;
    const most = costs && Math.log1p(Math.max(1, ...costs));
    board.classList.toggle("priced", Boolean(costs));
    const least = Math.min(...state.work.weights), span = Math.max(...state.work.weights) - least || 1;
    cells.forEach((cell, at) => {
      const view = cellView(state, at, conflicts, selected);
      view.active = at === state.active;
      // costs belong to the digits of the best grid, not to those of the player
      const cost = costs && view.kind !== "own" ? costs[at] : 0;
      view.cost = costText(cost);
      view.shade = costs ? Math.log1p(cost) / most : weights ? (view.weight - least) / span : 0;
      view.weights = state.layer === "weights";
      const key = JSON.stringify(view);
      if (last[at] === key) return;
      last[at] = key;
      showCell(cell, view, state, at);
    });
  };
}

export function focusCell(cell) {
  document.querySelector(`[data-cell="${cell}"]`)?.focus({ preventScroll: true });
}

function showPicture(board, picture) {
  // as an image it runs no scripts; it is cut off below the grid, where the rules are that the page shows as text
  const svg = new DOMParser().parseFromString(picture.svg, "image/svg+xml").documentElement;
  svg.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
  svg.setAttribute("width", picture.width);
  svg.setAttribute("height", picture.height);
  loadImage(board.querySelector("#backdrop"), svg);
  // the dark theme inverts the picture, but white and black dots have different meanings: they are swapped before
  for (const dot of svg.querySelectorAll("circle[stroke='#000000']")) {
    const other = { "#000000": "#ffffff", "#ffffff": "#000000" }[dot.getAttribute("fill")], next = dot.nextElementSibling;
    const hasText = next?.tagName === "text" && next.getAttribute("x") === dot.getAttribute("cx");
    if (other && !hasText) dot.setAttribute("fill", other);
  }
  loadImage(board.querySelector("#night"), svg);
}

function loadImage(image, svg) {
  if (image.src) URL.revokeObjectURL(image.src);
  image.src = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" }));
}

function showCell(cell, view, state, at) {
  cell.className = [view.kind, ...["wrong", "selected", "looked", "differs", "active", "peer", "alike"].filter((name) => view[name])].join(" ");
  if (view.colour !== null) cell.classList.add("coloured", `colour-${view.colour + 1}`);
  cell.style.setProperty("--shade", view.shade.toFixed(3));
  cell.tabIndex = view.active ? 0 : -1;
  cell.setAttribute("aria-selected", view.selected);
  cell.setAttribute("aria-label", cellLabel(view, state, at));
  if (view.wrong) cell.setAttribute("aria-invalid", "true");
  else cell.removeAttribute("aria-invalid");
  const parts = [];
  if (view.digit !== null) parts.push(box("digit", "", nameOf(state, view.digit)));
  else if (view.small) parts.push(smallDigits(view, state));
  if (view.corner.length) parts.push(...cornerMarks(view, state));
  if (view.centre.length) {
    const centre = box("centre");
    for (const mark of view.centre) centre.append(view.gone.includes(mark) ? textElement("s", nameOf(state, mark)) : nameOf(state, mark));
    centre.style.setProperty("--count", Math.max(4, view.centre.length));
    parts.push(centre);
  }
  if (view.weights) parts.push(box("weight", "", String(view.weight)));
  if (view.cost) parts.push(box("cost", "", view.cost));
  cell.replaceChildren(...parts);
}

// corner marks in reading order; with sums the upper left corner stays free
function cornerMarks(view, state) {
  const order = state.record.has_sums ? [6, 0, 4, 7, 5, 1, 3, 2] : [0, 4, 1, 6, 7, 2, 5, 3];
  const places = order.filter((place) => place < view.corner.length);
  return places.map((place, at) => box(`corner place-${place}`, "", nameOf(state, view.corner[at])));
}

// each candidate has its fixed place in the cell, the first digits on top
function smallDigits(view, state) {
  const names = state.record.names, side = Math.ceil(Math.sqrt(names.length));
  const small = box("small");
  small.style.setProperty("--side", side);
  state.record.values.forEach((digit, place) => {
    const name = view.small.includes(digit) ? names[place] : "";
    small.append(view.gone.includes(digit) ? textElement("s", name) : box("", "", name));
  });
  return small;
}

function cellLabel(view, state, at) {
  const names = (digits) => digits.map((digit) => nameOf(state, digit)).join(" ");
  const words = [`row ${Math.floor(at / state.record.columns) + 1} column ${(at % state.record.columns) + 1}`];
  if (view.digit === null) words.push("empty");
  else words.push(nameOf(state, view.digit), ...({ clue: ["clue"], found: ["answer"] }[view.kind] ?? []));
  if (view.digit === null && view.small?.length) words.push(`candidates ${names(view.small)}`);
  if (view.corner.length) words.push(`corner marks ${names(view.corner)}`);
  if (view.centre.length) words.push(`centre marks ${names(view.centre)}`);
  if (view.gone.length) words.push(`not ${names(view.gone)}`);
  if (view.colour !== null) words.push(COLOURS[view.colour]);
  if (view.wrong) words.push(view.repeats ? "repeated" : "wrong");
  if (view.differs) words.push("differs between solutions");
  if (view.looked) words.push("in the step");
  if (view.weights) words.push(`weight ${view.weight}`);
  if (view.cost) words.push(`costs ${view.cost}`);
  return words.join(", ");
}

// a cost in points; less than 0.05 is noise
function costText(cost) {
  return cost < 0.05 ? "" : cost < 10 ? String(Number(cost.toFixed(1))) : String(Math.round(cost));
}

export function textElement(tag, words) {
  const node = document.createElement(tag);
  node.textContent = words;
  return node;
}

function box(className, role, text) {
  const found = textElement(role ? "div" : "span", text ?? "");
  if (role) found.setAttribute("role", role);
  if (className) found.className = className;
  return found;
}

function listenToPointer(grid, act, now) {
  let stroke = 0, start = null;
  const cellAt = (event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    return found ? Number(found.dataset.cell) : null;
  };
  const take = (cell, more) => {
    act({ type: "select", cells: more ? [...now().selected, cell] : [cell], active: cell });
    focusCell(cell);
    if (now().layer === "weights") act({ type: "paint", cells: [cell], weight: now().brush, stroke });
  };
  grid.onpointerdown = (event) => {
    const cell = cellAt(event);
    if (cell === null || event.button) return;
    event.preventDefault();
    start = cell;
    stroke += 1;
    take(cell, event.shiftKey || event.ctrlKey || event.metaKey);
  };
  grid.onpointermove = (event) => {
    const cell = start === null ? null : cellAt(event);
    if (cell !== null && cell !== now().active) take(cell, true);
  };
  grid.onpointerup = grid.onpointercancel = () => {
    if (start !== null) act({ type: "set", values: { stroke: null } });
    start = null;
  };
  // a screen reader can set the focus too
  grid.addEventListener("focusin", (event) => {
    const cell = Number(event.target.dataset.cell);
    if (cell !== now().active) act({ type: "select", cells: [cell], active: cell });
  });
  grid.ondblclick = (event) => {
    const cell = cellAt(event);
    if (cell !== null && now().layer !== "weights") act({ type: "same", cell });
  };
}

const MOVES = {
  ArrowUp: { down: -1 }, ArrowDown: { down: 1 }, ArrowLeft: { right: -1 }, ArrowRight: { right: 1 },
  KeyW: { down: -1 }, KeyS: { down: 1 }, KeyA: { right: -1 }, KeyD: { right: 1 },
};
const MODE_KEYS = { KeyZ: "digit", KeyX: "corner", KeyC: "centre", KeyV: "colour" };

// The action of a key in the grid, null for none.
export function keyAction(event, state) {
  const { code, shiftKey, altKey } = event, control = event.ctrlKey || event.metaKey;
  if (altKey) return null;
  const letters = state.record.names.some((name) => /[A-Za-z]/.test(name));
  const digit = typedDigit(code, state);
  if (digit !== null && (!letters || !control || code.startsWith("Digit"))) {
    return { type: "digit", digit, mode: control ? "centre" : shiftKey ? "corner" : state.mode };
  }
  if (MOVES[code] && (code.startsWith("Arrow") || (!letters && !control))) {
    return { type: "move", ...MOVES[code], extend: shiftKey || control };
  }
  const edge = { Home: 0, End: -1 }[code];
  if (edge !== undefined) return { type: "move", column: edge, ...(control && { row: edge }), extend: shiftKey };
  if (code === "Backspace" || code === "Delete") return { type: "erase" };
  if (code === "Escape") return { type: "clear" };
  if (control) return null;
  if (state.layer === "weights") {
    if (event.key === "+" || event.key === "=") return { type: "nudge", by: 1 };
    if (event.key === "-") return { type: "nudge", by: -1 };
    if (code === "Space" || code === "Enter") return { type: "paint", cells: state.selected, weight: state.brush };
  }
  if (code === "Space") return { type: "set", values: { mode: MODES[(MODES.indexOf(state.mode) + 1) % MODES.length] } };
  if (MODE_KEYS[code] && !letters) return { type: "set", values: { mode: MODE_KEYS[code] } };
  return null;
}

// the digit that a key types, by its code, which Shift does not change
function typedDigit(code, state) {
  const found = /^(?:Digit|Numpad|Key)([0-9A-Z])$/.exec(code);
  if (!found) return null;
  if (state.layer === "weights") return /[0-9]/.test(found[1]) ? Number(found[1]) : null;
  const place = state.record.names.findIndex((name) => name.toUpperCase() === found[1]);
  return place < 0 ? null : state.record.values[place];
}

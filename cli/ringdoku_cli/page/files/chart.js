// Score and bound over time: an inline SVG of two step lines over log seconds, and the same as a table.

import { seconds } from "./state.js";

const SVG_SPACE = "http://www.w3.org/2000/svg";
const WIDE = 440, HIGH = 210, LEFT = 50, RIGHT = 114, TOP = 12, BOTTOM = 28;
const SHORTEST = 1e-3;

// `points` are those of `bestSoFar`: the last one has the final score and bound
export function drawChart(place, points, end) {
  const first = Math.max(SHORTEST, points[0].seconds), last = Math.max(first * 1.2, end, points.at(-1).seconds);
  const low = Math.floor(Math.log10(first)), high = Math.log10(last);
  const [least, most] = valueRange(points);
  const x = (time) => LEFT + ((Math.log10(Math.max(time, SHORTEST)) - low) / (high - low)) * (WIDE - LEFT - RIGHT);
  const y = (value) => TOP + (Math.min(1, Math.max(-0.02, (most - value) / (most - least)))) * (HIGH - TOP - BOTTOM);
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": `${inWords(points.at(-1))}; the table has the steps` });
  for (const time of timeTicks(low, high)) {
    svg.append(svgElement("path", { class: "guide", d: `M${x(time)} ${TOP}V${HIGH - BOTTOM}` }));
    svg.append(svgElement("text", { x: x(time), y: HIGH - BOTTOM + 16, "text-anchor": "middle" }, seconds(time)));
  }
  for (const value of valueTicks(least, most)) {
    svg.append(svgElement("path", { class: "guide", d: `M${LEFT} ${y(value)}H${WIDE - RIGHT}` }));
    svg.append(svgElement("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, String(value)));
  }
  svg.append(svgElement("path", { class: "axis", d: `M${LEFT} ${TOP}V${HIGH - BOTTOM}H${WIDE - RIGHT}` }));
  const final = points.at(-1);
  for (const name of ["bound", "score"]) {
    if (final[name] === null) continue;
    let path = "";
    for (const point of points) {
      if (point[name] !== null) path += path ? `H${x(point.seconds)}V${y(point[name])}` : `M${x(point.seconds)} ${y(point[name])}`;
    }
    svg.append(svgElement("path", { class: name, d: `${path}H${x(last)}` }));
  }
  const met = final.score !== null && final.score === final.bound;
  if (met) svg.append(svgElement("circle", { class: "met", cx: x(last), cy: y(final.score), r: 5 }));
  const labels = met ? [["met", final.score, "score = bound"]] : [["bound", final.bound, `bound ${final.bound}`], ["score", final.score, `score ${final.score}`]];
  for (const [name, at, text] of labels) {
    if (at === null) continue;
    const other = name === "bound" ? final.score : final.bound;
    const close = !met && other !== null && Math.abs(y(at) - y(other)) < 14;
    const shift = close ? (at > other ? -5 : 11) : 4;
    svg.append(svgElement("text", { class: `label ${name}`, x: x(last) + 9, y: y(at) + shift }, text));
  }
  place.replaceChildren(svg);
}

// the progress with the best score and bound so far: a solver may report worse ones later
export function bestSoFar(progress, lowest) {
  const either = (a, b, least) => (a === null ? b : b === null ? a : least ? Math.min(a, b) : Math.max(a, b));
  const found = [];
  for (const point of progress) {
    const before = found.at(-1) ?? { score: null, bound: null };
    const score = either(before.score, point.score, lowest), bound = either(before.bound, point.bound, !lowest);
    const gap = score === null || bound === null ? null : Math.abs(bound - score);
    if (score !== before.score || bound !== before.bound) found.push({ seconds: point.seconds, score, bound, gap });
  }
  return found;
}

export function fillTable(body, progress) {
  // the newest first
  body.replaceChildren(...progress.toReversed().map((point) => {
    const row = document.createElement("tr");
    for (const cell of [point.seconds.toPrecision(3), point.score ?? "–", point.bound ?? "–", point.gap ?? "–"]) {
      row.insertCell().textContent = cell;
    }
    return row;
  }));
}

// the range of the vertical axis; the first bound is cut off if it is so far away that it would flatten the lines
function valueRange(points) {
  const scores = points.map((point) => point.score).filter((value) => value !== null);
  const bounds = points.map((point) => point.bound).filter((value) => value !== null);
  const all = [...scores, ...bounds], last = points.at(-1);
  let least = Math.min(...all), most = Math.max(...all);
  if (scores.length && bounds.length) {
    const inner = [...scores, last.bound ?? scores[0]];
    const span = 4 * (Math.max(...inner) - Math.min(...inner)) || most - least;
    least = Math.max(least, Math.min(...inner) - span);
    most = Math.min(most, Math.max(...inner) + span);
  }
  const room = Math.max(1, (most - least) * 0.08);
  return [least - room, most + room];
}

// powers of ten, and 2 and 5 times these if there are few
function timeTicks(low, high) {
  const found = [];
  for (let power = low; power <= high; power += 1) {
    for (const factor of high - low < 1.7 ? [1, 2, 5] : [1]) found.push(factor * 10 ** power);
  }
  return found.filter((time) => Math.log10(time) <= high);
}

function valueTicks(least, most) {
  const rough = (most - least) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough));
  const found = [];
  for (let at = Math.ceil(least / step) * step; at <= most; at += step) found.push(at);
  return found;
}

export function inWords({ score, bound }) {
  return `Score ${score ?? "not found yet"}, bound ${bound ?? "not known yet"}`;
}

function svgElement(name, attributes, text) {
  const made = document.createElementNS(SVG_SPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

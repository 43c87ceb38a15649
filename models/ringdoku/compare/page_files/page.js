"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const measures = document.querySelectorAll("input[name=measure]");
for (const input of measures) {
  // a browser may keep another choice when it loads the page again
  input.checked = input.value === document.body.dataset.measure;
  input.addEventListener("change", () => { document.body.dataset.measure = input.value; });
}

// The scatter plot of any two contenders: one point for each instance, both axes logarithmic.
(() => {
  const names = Object.keys(data.quantities[0].values);
  const drawing = document.getElementById("scatter");
  if (!drawing || names.length < 2) return;
  const space = "http://www.w3.org/2000/svg";
  const size = 440, left = 52, bottom = 44, top = 10;
  const [first, second] = ["first", "second"].map((id, place) => choose(id, names, names, place));
  const quantity = choose("quantity", data.quantities.map((each) => each.key),
    data.quantities.map((each) => each.label), 0);
  for (const input of measures) {
    if (input.checked) quantity.value = input.value;
    input.addEventListener("change", () => { quantity.value = input.value; draw(); });
  }

  function choose(id, keys, labels, place) {
    const select = document.getElementById(id);
    keys.forEach((key, number) => select.add(new Option(labels[number], key)));
    select.selectedIndex = place;
    select.addEventListener("change", draw);
    return select;
  }

  function add(parent, kind, attributes, text) {
    const element = document.createElementNS(space, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function draw() {
    const { label, limit, values } = data.quantities.find((each) => each.key === quantity.value);
    // a logarithmic axis has no zero
    const least = limit ? 1e-5 : 1;
    const [across, up] = [first, second].map((select) => values[select.value] || {});
    const shared = Object.keys(across).filter((instance) => instance in up);
    const all = shared.flatMap((name) => [across[name], up[name]]);
    const ends = [Math.max(least, Math.min(...all) / 1.5), Math.max(least, ...all) * 1.5];
    const [low, high] = (all.length ? ends : [least, 10 * least]).map(Math.log10);
    const along = (value) => (Math.log10(Math.max(value, least)) - low) / (high - low) * (size - left - top);
    const x = (value) => left + along(value);
    const y = (value) => size - bottom - along(value) * (size - bottom - top) / (size - left - top);
    drawing.replaceChildren();
    drawing.setAttribute("viewBox", `0 0 ${size} ${size}`);
    const [start, end] = [10 ** low, 10 ** high];
    add(drawing, "path", { class: "axis", d: `M${left} ${top}V${size - bottom}H${size - top}` });
    add(drawing, "line", { class: "axis", x1: x(start), y1: y(start), x2: x(end), y2: y(end) });
    if (limit && limit < end) {
      add(drawing, "line", { class: "limit", x1: x(limit), x2: x(limit), y1: y(start), y2: y(end) });
      add(drawing, "line", { class: "limit", x1: x(start), x2: x(end), y1: y(limit), y2: y(limit) });
    }
    const steps = high - low < 2 ? [1, 2, 5] : [1];
    for (let power = Math.floor(low); power <= high; power += 1) {
      for (const value of steps.map((step) => step * 10 ** power).filter((each) => start <= each && each <= end)) {
        const mark = power > 5 ? value.toExponential(0) : String(Number(value.toPrecision(1)));
        add(drawing, "text", { x: x(value), y: size - bottom + 15, "text-anchor": "middle" }, mark);
        add(drawing, "text", { x: left - 5, y: y(value) + 4, "text-anchor": "end" }, mark);
      }
    }
    const middle = (size - bottom + top) / 2;
    const short = (name) => name.length > 40 ? `${name.slice(0, 20)}…${name.slice(-19)}` : name;
    add(drawing, "text", { x: (left + size) / 2, y: size - 8, "text-anchor": "middle" }, `${short(first.value)}, ${label}`);
    add(drawing, "text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` },
      `${short(second.value)}, ${label}`);
    for (const name of shared) {
      const winner = up[name] < across[name] ? second.value : first.value;
      const point = add(drawing, "circle", { cx: x(across[name]), cy: y(up[name]), r: 3.5, fill: data.colours[winner] });
      add(point, "title", {}, `${name}: ${across[name].toPrecision(3)}, ${up[name].toPrecision(3)}`);
    }
  }
  draw();
})();

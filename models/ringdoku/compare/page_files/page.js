"use strict";
// The scatter plot of any two contenders: one point for each instance, both axes logarithmic.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const names = Object.keys(data.times);
  const drawing = document.getElementById("scatter");
  if (!drawing || names.length < 2) return;
  const space = "http://www.w3.org/2000/svg";
  const size = 440, left = 52, bottom = 44, top = 10;
  const selects = ["first", "second"].map((id, place) => {
    const select = document.getElementById(id);
    for (const name of names) select.add(new Option(name, name));
    select.selectedIndex = place;
    select.addEventListener("change", draw);
    return select;
  });

  function add(parent, kind, attributes, text) {
    const element = document.createElementNS(space, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  function draw() {
    const [first, second] = selects.map((select) => data.times[select.value]);
    const shared = Object.keys(first).filter((instance) => instance in second);
    const low = Math.log10(Math.max(1e-4, Math.min(...shared.flatMap((name) => [first[name], second[name]])) / 1.5));
    const high = Math.log10(data.penalty * 1.5);
    const along = (seconds) => (Math.log10(Math.max(seconds, 1e-4)) - low) / (high - low) * (size - left - top);
    const across = (seconds) => left + along(seconds);
    const up = (seconds) => size - bottom - along(seconds) * (size - bottom - top) / (size - left - top);
    drawing.replaceChildren();
    drawing.setAttribute("viewBox", `0 0 ${size} ${size}`);
    const [start, end] = [10 ** low, 10 ** high];
    add(drawing, "path", { class: "axis", d: `M${left} ${top}V${size - bottom}H${size - top}` });
    add(drawing, "line", { class: "axis", x1: across(start), y1: up(start), x2: across(end), y2: up(end) });
    add(drawing, "line", { class: "limit", x1: across(data.limit), x2: across(data.limit), y1: up(start), y2: up(end) });
    add(drawing, "line", { class: "limit", x1: across(start), x2: across(end), y1: up(data.limit), y2: up(data.limit) });
    for (let power = Math.ceil(low); power <= high; power += 1) {
      const label = String(Number((10 ** power).toPrecision(1)));
      add(drawing, "text", { x: across(10 ** power), y: size - bottom + 15, "text-anchor": "middle" }, label);
      add(drawing, "text", { x: left - 5, y: up(10 ** power) + 4, "text-anchor": "end" }, label);
    }
    const middle = (size - bottom + top) / 2;
    add(drawing, "text", { x: (left + size) / 2, y: size - 8, "text-anchor": "middle" }, `${selects[0].value}, seconds`);
    add(drawing, "text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` },
      `${selects[1].value}, seconds`);
    for (const name of shared) {
      const point = add(drawing, "circle", { cx: across(first[name]), cy: up(second[name]), r: 3.5 });
      add(point, "title", {}, `${name}: ${first[name].toPrecision(3)} s, ${second[name].toPrecision(3)} s`);
    }
  }
  draw();
})();

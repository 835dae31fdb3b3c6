"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const frame = document.getElementById("page");
const description = document.getElementById("description");
const make = (tag, text, parent) => {
  const one = document.createElement(tag);
  one.textContent = text;
  if (parent) parent.append(one);
  return one;
};

// Tabs.
const tabs = [...document.querySelectorAll(".tab")];
const nav = document.getElementById("tabs");
const show = (name) => {
  for (const tab of tabs) tab.hidden = tab.dataset.name !== name;
  for (const one of nav.children) one.setAttribute("aria-selected", one.textContent === name);
};
for (const tab of tabs) {
  const one = make("button", tab.dataset.name, nav);
  one.type = "button";
  one.setAttribute("role", "tab");
  one.addEventListener("click", () => show(tab.dataset.name));
}
show("Fields");

// The table.
const head = document.querySelector("#table thead");
const body = document.querySelector("#table tbody");
const fill = () => {
  body.replaceChildren();
  for (const row of data.rows) {
    const line = make("tr", "", body);
    for (const value of row) make("td", value, line).title = value;
  }
};
const sort = (at) => {
  const number = data.rows.every((row) => row[at] === "" || !isNaN(row[at]));
  const rank = (row) => (number ? (row[at] === "" ? Infinity : Number(row[at])) : row[at]);
  const up = head.dataset.at !== String(at);
  data.rows.sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0) * (up ? 1 : -1));
  head.dataset.at = up ? at : "";
  fill();
};
const line = make("tr", "", head);
data.keys.forEach((key, at) => {
  const one = make("button", key, make("th", "", line));
  one.type = "button";
  one.addEventListener("click", () => sort(at));
});
fill();
const cell = (value) => {
  const safe = /^[=+@\t\r-]/.test(value) && isNaN(value) ? "'" + value : value;
  return /[",\n\r]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
};
document.getElementById("copy").addEventListener("click", () => {
  const text = [data.keys, ...data.rows].map((row) => row.map(cell).join(",")).join("\n");
  const area = make("textarea", text, document.body);
  area.select();
  document.execCommand("copy");
  area.remove();
  document.getElementById("copied").textContent = data.rows.length + " records copied";
});

// The page: each field has its own style element, so that its marks can be hidden.
const hue = (at) => (at * 137.5) % 360;
const paint = (inner) => {
  const styles = {};
  const add = (name, rule) => {
    const one = inner.createElement("style");
    one.textContent = rule;
    inner.head.append(one);
    styles[name] = one;
  };
  add("area", "[data-amber-area]{outline:3px dashed #7c3aed !important;outline-offset:2px}");
  add("record", "[data-amber-record]{outline:2px solid #94a3b8 !important;outline-offset:1px}");
  add("rejected", "[data-amber-rejected]{text-decoration:line-through red 2px !important}");
  data.fields.forEach((field, at) => {
    const color = hue(at);
    add(
      "field " + field.name,
      '[data-amber-fields~="' + field.name + '"]{outline:2px solid hsl(' + color +
        " 80% 40%) !important;background:hsl(" + color + " 90% 60% / .3) !important}"
    );
  });
  for (const element of inner.querySelectorAll("[data-amber]")) {
    const names = [];
    for (const number of element.dataset.amber.split(" ")) {
      const mark = data.marks[number];
      if (mark.kind === "field") names.push(mark.field);
      else element.setAttribute("data-amber-" + mark.kind, "");
    }
    if (names.length) element.setAttribute("data-amber-fields", names.join(" "));
  }
  const describe = (event) => {
    let found = event.target.closest && event.target.closest("[data-amber]");
    let lines = [];
    // Hidden marks have no description: the nearest ancestor with a shown mark has one.
    for (; found && !lines.length; found = found.parentElement?.closest("[data-amber]")) {
      const marks = found.dataset.amber.split(" ").map((one) => data.marks[one]);
      lines = marks.filter(({ kind }) => !styles[kind]?.disabled).map((one) => one.lines.join("\n"));
    }
    if (!lines.length) return;
    description.textContent = lines.join("\n\n");
  };
  inner.addEventListener("mouseover", describe);
  inner.addEventListener("click", describe);
  return styles;
};
const list = document.getElementById("fields");
const start = () => {
  const styles = paint(frame.contentDocument);
  const toggle = (box, name) => {
    styles[name].disabled = !box.checked;
    box.addEventListener("change", () => { styles[name].disabled = !box.checked; });
  };
  for (const name of ["records", "areas", "rejected"]) {
    toggle(document.getElementById(name), name.replace(/s$/, ""));
  }
  data.fields.forEach((field, at) => {
    const item = make("li", "", list);
    const label = make("label", "", item);
    const box = make("input", "", label);
    box.type = "checkbox";
    box.checked = true;
    const swatch = make("span", "", label);
    swatch.className = "swatch";
    swatch.style.background = "hsl(" + hue(at) + " 80% 45%)";
    make("strong", field.name, label);
    make("span", " " + field.fill, label);
    if (field.why) make("span", field.why, item).className = "why";
    for (const expression of field.expressions.slice(0, 3)) make("span", expression, item).className = "expression";
    toggle(box, "field " + field.name);
  });
  document.body.dataset.ready = "yes";
};
// Until the page is loaded, the frame holds an empty document.
const loaded = frame.contentDocument;
if (loaded && loaded.URL === "about:srcdoc" && loaded.readyState === "complete") start();
else frame.addEventListener("load", start, { once: true });

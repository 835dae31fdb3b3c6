// The studio: the open page, the chosen element, and the steps of a person.
import { ask, follow, guarded, say } from "./server.js";
import { noteFocus } from "./focus.js";
import { byId, make, options } from "./make.js";
import { Pane } from "./pane.js";
import { passesPanel } from "./passes.js";
import { drift, fill, show } from "./side.js";
import { termsPanel } from "./terms.js";

let folder = { pages: [], wrappers: {}, kinds: [] };
let view = null;
let chosen = null;
let predictions = {};
let preferred = "";  // The method that a person selected for the chosen element.
let predicting = Promise.resolve();
let place = null;  // The element that was chosen last: the page is scrolled to it.
const scores = {};
const off = new Set();

// --- opening ------------------------------------------------------------------------

const listPages = () => {
  const list = byId("page-list");
  list.replaceChildren();
  if (!folder.pages.length) make("li", "No saved pages here: save one as HTML into the folder, and reload.", list, { className: "hint" });
  for (const name of folder.pages) {
    const one = make("button", "", make("li", "", list), { type: "button" });
    make("span", name, one);
    const score = scores[name];
    const isGood = score && score.status === "OK";
    if (score) make("span", `${score.records} · ${score.status}`, one, { className: "score " + (isGood ? "good" : "bad") });
    if (view && view.page === name) one.setAttribute("aria-current", "page");
    one.addEventListener("click", () => open(name));
  }
};

const wrapperOf = (page) =>
  Object.keys(folder.wrappers).find((name) => folder.wrappers[name].includes(page));

const reload = async () => {
  folder = await ask("folder");
  byId("folder").textContent = folder.folder;
  const names = Object.keys(folder.wrappers);
  options(byId("wrapper"), [["", names.length ? "none" : "none yet"], ...names.map((one) => [one, one])], view ? view.wrapper : "");
  options(byId("beside"), [["", "nothing"], ...folder.pages.map((one) => [one, one])], byId("beside").value);
};

const acts = {
  step: (step) => takeStep(step),
  toggle: (at, isOff) => {
    if (isOff) off.add(at);
    else off.delete(at);
    panes[0].paint(off);
  },
  record: (number) => panes[0].mark("scroll", view.marks.records[number]),
  predicted: (one) => {
    panes[0].unmark();
    panes[0].mark("yellow", one.values.map(([, node]) => node));
    say(`${one.values.length} of ${one.records} records would have a value; ${one.changed} values would change.`);
  },
};

let opening = 0;
const open = guarded(async (page, wrapper) => {
  const mine = ++opening;
  const restoreFocus = noteFocus(panes[0].frame);
  forget();
  byId("trial").hidden = true;
  let name = wrapper ?? wrapperOf(page) ?? byId("wrapper").value;
  let found = await ask("view", { page, wrapper: name });
  if (wrapper === undefined && name && !found.records && !found.is_sample) {
    name = "";  // The wrapper finds nothing on this page: show the page without a wrapper.
    found = await ask("view", { page, wrapper: name });
  }
  if (mine !== opening) return;  // Another page was opened meanwhile.
  if (!view || view.page !== page) place = null;
  view = found;
  off.clear();
  if (view.wrapper) scores[page] = { records: view.records, status: view.status };
  panes[0].show(view, place === null ? view.marks.records[0] : [place]);
  passes.forget();
  terms.forget();
  await reload();
  if (mine !== opening) return;
  listPages();
  fill(view, folder.kinds, acts);
  byId("start").hidden = view.records > 0 || view.is_sample;
  byId("start-hint").textContent = view.wrapper ? `The wrapper ${view.wrapper} finds nothing on this page.` : "No wrapper reads this page yet.";
  byId("description").textContent = view.records
    ? "Is this right? Click a value to name or correct it, or a record to exclude it. Rename and drop fields on the tab Fields. Keyboard: arrow keys and Enter."
    : "Point at an element, or choose one with a click, or with the arrow keys and Enter.";
  byId("check").disabled = byId("rebuild").disabled = !view.wrapper;
  byId("sample").hidden = !view.wrapper || view.is_sample || !view.records;
  for (const id of ["undo", "redo"]) {
    byId(id).disabled = !view[id];
    byId(id).title = view[id];
  }
  options(byId("names"), view.fields.map((one) => [one.name, one.name]));
  const beside = byId("beside").value;
  if (beside) panes[1].show(await ask("view", { page: beside, wrapper: name }));
  else panes[1].hide();
  const state = view.wrapper ? `${view.records} records, read by ${view.wrapper}: ${view.status}.` : "No wrapper yet.";
  say(`${page}: ${state}`);
  restoreFocus();
});

// --- choosing -----------------------------------------------------------------------

const forget = () => {
  chosen = null;
  predictions = {};
  byId("choice").hidden = true;
  if (panes[0].view) panes[0].unmark();
};

let turn = 0;
const choose = guarded(async (node) => {
  chosen = await ask("choose", { page: view.page, wrapper: view.wrapper, node });
  place = node;
  preferred = "";
  byId("trial").hidden = true;
  byId("choice").hidden = false;
  byId("tag").textContent = `<${chosen.tag}>`;
  byId("text").textContent = chosen.text;
  panes[0].unmark();
  panes[0].mark("chosen", [node]);
  byId("wider").disabled = !chosen.above.length;
  byId("not-record").disabled = chosen.record === null;
  byId("is-next").disabled = !view.wrapper || !chosen.takes.some(([take]) => take === "@href");
  byId("column").hidden = !chosen.takes.length;
  options(byId("take"), chosen.takes.map(([take, text]) => [take, `${take}: ${text}`]));
  byId("name").value = "";
  whole();
  if (chosen.takes.length) await predict(chosen.predictions);
  byId("choice").scrollIntoView({ block: "nearest" });
  const where = chosen.record === null ? "outside all records" : `in record ${chosen.record + 1}`;
  say(`Chosen: ${chosen.tag}, ${where}: ${chosen.text}`);
  byId("choice").dataset.turn = ++turn;
});

const taken = () => chosen.takes.find(([take]) => take === byId("take").value)[1];

// Fill in the whole text, and the name of its column, unless a person typed another name.
const whole = () => {
  if (!chosen.takes.length) return;
  byId("part").value = taken();
  const known = Object.values(chosen.columns).flat();
  const name = byId("name").value;
  if (!name || known.includes(name)) byId("name").value = chosen.columns[byId("take").value][0] || "";
};

// Return the typed part of the text; "" stands for the whole text.
const part = () => (byId("part").value.trim() === taken() ? "" : byId("part").value.trim());

const predicted = () => {
  const one = predictions[new FormData(byId("column")).get("method")];
  if (!one) return;
  panes[0].mark("yellow", one.values.map(([, node]) => node));
  if (!view.wrapper) {
    byId("predicted").textContent = "Finding the records also finds the values of the other records.";
    return;
  }
  const texts = [...new Set(one.values.map(([, , text]) => text))].slice(0, 4).map((text) => (text.length > 50 ? text.slice(0, 50) + "…" : text));
  byId("predicted").textContent =
    `${one.values.length} of ${one.records} records would have a value, ${one.changed} values would change: ${texts.join(" | ")}`;
};

const predict = (known) => {
  predicting = predictNow(known);
  return predicting;
};

const predictNow = guarded(async (known) => {
  if (!view.wrapper) {
    predictions = { example: { line: { do: "example", value: part() || chosen.takes[0][1] }, values: [], records: 0, changed: 0 } };
  } else if (known) {
    predictions = known;
  } else {
    const request = { page: view.page, wrapper: view.wrapper, node: chosen.node };
    predictions = await ask("predict", { ...request, name: byId("name").value, take: byId("take").value, part: part() });
  }
  const box = byId("predictions");
  box.replaceChildren(box.firstElementChild);
  const labels = { rename: (line) => `by renaming the column ${line.name}`, example: (line) => `by this example: ${line.value}`, expression: (line) => `by an expression: ${line.xpath}${line.pattern && ` ~ ${line.pattern}`}` };
  for (const method of Object.keys(predictions)) {
    if (!labels[method]) continue;
    const label = make("label", "", box);
    const isSelected = method === preferred || !box.querySelector("input");
    const radio = make("input", "", label, { type: "radio", name: "method", value: method, checked: isSelected });
    label.append(" " + labels[method](predictions[method].line));
    radio.addEventListener("change", () => {
      preferred = method;
      predicted();
    });
  }
  const isAny = Boolean(box.querySelector("input"));
  byId("accept").disabled = byId("try").disabled = !isAny;
  if (isAny) predicted();
  else byId("predicted").textContent = predictions.no_example || predictions.no_expression || "No method finds the values of the other records.";
  byId("try").hidden = !view.wrapper;
});

// --- steps --------------------------------------------------------------------------

const induce = guarded(async (more = {}) => {
  const made = await follow("induce", { page: view.page, ...more }, "Looking for records: this may take a few seconds.");
  if (!made) return;
  await open(view.page, made.wrapper);
  say(`${view.records} records with ${view.fields.length} fields: saved as wrappers/${made.wrapper}.py. Click on the page to correct the wrapper. ${made.notes.join(" ")}`);
});

const takeStep = guarded(async (step, isTrial = false) => {
  const request = { page: view.page, wrapper: view.wrapper, base: view.base, step, try: isTrial };
  let made;
  try {
    made = await follow("step", request, isTrial ? "Trying the change." : "Building the wrapper.");
  } catch (error) {
    const restoreFocus = noteFocus(panes[0].frame);
    fill(view, folder.kinds, acts);  // Show the old values in the forms again.
    restoreFocus();
    throw error;
  }
  if (!made) return;
  if (!made.kept) return tried(made);
  await open(view.page, view.wrapper);
  say(`Saved in the spec: ${made.label}. ${view.records} records. ${made.notes.join(" ")}`);
  return made;
});

const tried = (made) => {
  forget();
  panes[0].mark("yellow", made.values.map(([, node]) => node));
  panes[0].mark("gone", made.gone.flatMap((number) => view.marks.records[number]));
  const changed = Object.entries(made.changed).map(([name, count]) => `${name} in ${count}`);
  byId("outcome").textContent =
    `Records: ${made.records[0]} before, ${made.records[1]} after; changed values: ${changed.join(", ") || "none"}; removed fields: ${made.lost.join(", ") || "none"}. ${[...made.unheld, ...made.notes].join(" ")}`;
  byId("keep").disabled = made.unheld.length > 0;
  byId("trial").hidden = false;
  say(made.unheld.length
    ? "Tried: the change can't be kept. Discard the change."
    : `Tried: nothing is saved yet. ${made.lost.length ? `The fields ${made.lost.join(", ")} would be removed. ` : ""}Yellow values would change, red records would be removed.`);
  byId(made.unheld.length ? "discard" : "keep").focus();
};

const chosenStep = async () => {
  await predicting;
  const one = predictions[new FormData(byId("column")).get("method")];
  const name = byId("name").value;
  if (one.line.do === "rename") return { ...one.line, to: name };
  const known = view.fields.find((field) => field.name === name);
  return { ...one.line, name, ...(known && known.kind && { kind: known.kind }) };
};

const on = (id, act) => byId(id).addEventListener("click", act);
byId("column").addEventListener("submit", guarded(async (event) => {
  event.preventDefault();
  const step = await chosenStep();
  if (view.wrapper) takeStep(step);
  else induce({ example: { name: step.name, value: step.value } });
}));
on("try", guarded(async () => {
  if (byId("column").reportValidity()) await takeStep(await chosenStep(), true);
}));
byId("name").addEventListener("change", () => chosen && view.wrapper && predict());
byId("take").addEventListener("change", () => { whole(); predict(); });
byId("part").addEventListener("change", () => predict());
on("wider", () => chosen && choose(chosen.above[0]));
on("forget", () => { forget(); panes[0].frame.focus(); });
on("not-record", () => {
  const { xpath, gone, why } = chosen.exclusion;
  if (!xpath) return say(`This record can't be excluded: ${why}. Set "records" in the spec instead.`, true);
  panes[0].unmark();
  panes[0].mark("gone", gone.flatMap((number) => view.marks.records[number]));
  return takeStep({ do: "records", xpath }, true);
});
on("is-list", () => {
  if (view.wrapper) takeStep({ do: "within", selector: chosen.selector }, true);
  else induce({ within: chosen.selector });
});
on("is-next", () => takeStep({ do: "next_page", xpath: chosen.path }));
on("keep", guarded(async () => {
  const made = await ask("keep", { wrapper: view.wrapper });
  await open(view.page, view.wrapper);
  say(`Saved in the spec: ${made.label}. ${view.records} records.`);
}));
on("discard", () => {
  byId("trial").hidden = true;
  panes[0].unmark();
  panes[0].frame.focus();
  say("Discarded: nothing was changed.");
});
on("induce", () => induce());
on("sample", () => takeStep({ do: "sample" }));
for (const [id, done] of [["undo", "Undone"], ["redo", "Redone"]]) {
  on(id, guarded(async () => {
    const { label, wrapper } = await ask(id, { wrapper: view.wrapper });
    const { wrappers } = await ask("folder");
    const name = wrapper ?? view.wrapper;
    await open(view.page, name in wrappers ? name : "");
    say(`${done}: ${label}.`);
  }));
}
on("check", guarded(async () => {
  const rows = await follow("check", { wrapper: view.wrapper }, "Checking all pages.");
  if (!rows) return;
  for (const row of rows) scores[row.page] = row;
  listPages();
  show("Check");
  drift(rows, (page) => open(page, view.wrapper));
}));
byId("spec-form").addEventListener("submit", (event) => {
  event.preventDefault();
  takeStep({ do: "text", text: byId("spec").value });
});
byId("wrapper").addEventListener("change", (event) => open(view.page, event.target.value));
byId("beside").addEventListener("change", () => open(view.page, view.wrapper));

const panes = [
  new Pane(0, {
    over: (node, pane) => { byId("description").textContent = pane.description(node) || byId("description").textContent; },
    choose,
    leave: () => (byId("choice").hidden ? byId("wrapper") : byId("name")).focus(),
  }),
  new Pane(1, { over: (node, pane) => { byId("description").textContent = pane.description(node) || byId("description").textContent; } }),
];

const context = { view: () => view, pane: () => panes[0], step: (...values) => takeStep(...values) };
const passes = passesPanel(context);
const terms = termsPanel(context);

guarded(async () => {
  await reload();
  listPages();
  if (folder.pages.length) await open(folder.pages[0]);
  else say("No saved pages here.");
})();

// The tabs beside the page: fields, records, check, spec and code.
import { ask, guarded, say } from "./server.js";
import { button, byId, hue, make, options, table } from "./make.js";

const panels = [...document.querySelectorAll("[role=tabpanel]")];
const tabs = byId("tabs");
export const show = (name) => {
  for (const one of panels) one.hidden = one.dataset.name !== name;
  for (const one of tabs.children) {
    const isSelected = one.textContent === name;
    one.setAttribute("aria-selected", String(isSelected));
    one.tabIndex = isSelected ? 0 : -1;
  }
};
for (const one of panels) {
  const name = one.dataset.name;
  one.id = "panel-" + name;
  const tab = button(name, tabs, () => show(name));
  tab.id = "tab-" + name;
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", one.id);
  one.setAttribute("aria-labelledby", tab.id);
}
tabs.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...tabs.children];
  const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
  next.focus();
  show(next.textContent);
});
show("Fields");

const expressionOf = (view, field, item, act) => {
  const form = make("form", "", item);
  const xpath = make("input", "", make("label", "Expression ", form, { className: "grows" }), { value: field.xpath || field.current_xpath, spellcheck: false, required: true });
  const pattern = make("input", "", make("label", "Pattern ", form, { className: "grows" }), { value: field.pattern, spellcheck: false });
  const row = make("p", "", form, { className: "row" });
  const matches = make("ul", "", form);
  matches.setAttribute("aria-live", "polite");
  button("Show matches", row, guarded(async () => {
    const request = { wrapper: view.wrapper, page: view.page, xpath: xpath.value, pattern: pattern.value };
    const [found, predicted] = await Promise.all([ask("matches", request), ask("predict", { ...request, name: field.name })]);
    matches.replaceChildren();
    for (const one of found) {
      make("li", `${one.page}: ${one.found} of ${one.records} records: ${one.values.join(" | ")}`, matches);
    }
    act.predicted(predicted.expression);
  }));
  make("button", "Use expression", row);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act.step({ do: "expression", name: field.name, xpath: xpath.value, pattern: pattern.value, kind: field.kind });
  });
};

const fieldItem = (view, at, kinds, open, act) => {
  const field = view.fields[at];
  const item = make("li", "", byId("fields"));
  const details = make("details", "", item, { open: open.has(field.name) });
  details.dataset.name = field.name;
  const summary = make("summary", "", details);
  make("span", "", summary, { className: "swatch" }).style.setProperty("--hue", hue(at));
  make("strong", field.name, summary);
  make("span", ` ${field.fill} of ${view.records}, ${field.kind || "constant"}`, summary);
  const key = view.table.keys.indexOf(field.name);
  const first = view.table.rows.find((row) => row[key]);
  if (first) make("span", first[key], summary, { className: "first" });
  const row = make("div", "", details, { className: "row" });
  const shown = make("input", "", make("label", "Show ", row), { type: "checkbox", checked: true });
  shown.addEventListener("change", () => act.toggle(at, !shown.checked));
  const names = view.fields.map((one) => one.name);
  const move = (by) => {
    const order = [...names];
    order.splice(at + by, 0, ...order.splice(at, 1));
    act.step({ do: "order", names: order });
  };
  button("Up", row, () => move(-1), `Move ${field.name} up`).disabled = at === 0;
  button("Down", row, () => move(1), `Move ${field.name} down`).disabled = at === names.length - 1;
  button("Drop", row, () => act.step({ do: "drop", name: field.name }), `Drop ${field.name}`);
  const rename = make("form", "", details, { className: "row" });
  const name = make("input", "", make("label", "Name ", rename), { value: field.name, required: true, pattern: "[A-Za-z_]\\w*", spellcheck: false });
  make("button", "Rename", rename);
  rename.addEventListener("submit", (event) => {
    event.preventDefault();
    act.step({ do: "rename", name: field.name, to: name.value });
  });
  const settings = make("div", "", details, { className: "row" });
  const kind = make("select", "", make("label", "Kind ", settings));
  options(kind, kinds.map((one) => [one, one]), field.kind);
  kind.disabled = !field.kind;
  kind.addEventListener("change", () => act.step({ do: "kind", name: field.name, kind: kind.value }));
  const required = make("select", "", make("label", "Value in each record ", settings));
  const states = [["null", "not decided"], ["true", "required"], ["false", "optional"]];
  options(required, states, String(field.required));
  required.disabled = !field.kind;
  required.addEventListener("change", () => act.step({ do: "require", name: field.name, required: JSON.parse(required.value) }));
  make("span", `How the field is read: ${field.origin}`, details, { className: "why" });
  for (const expression of field.expressions) make("span", expression, details, { className: "expression" });
  expressionOf(view, field, details, act);
};

// Quote a name for a shell.
const shell = (name) => (/^[\w./][\w./-]*$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

export const fill = (view, kinds, act) => {
  // Open fields stay open, also after a field is renamed.
  const before = [...document.querySelectorAll("#fields details")];
  const names = view.fields.map((one) => one.name);
  const known = before.map((one) => one.dataset.name);
  const isRenamed = names.length === known.length;
  const now = (name) => (names.includes(name) || !isRenamed ? name : names[known.indexOf(name)]);
  const open = new Set(before.filter((one) => one.open).map((one) => now(one.dataset.name)));
  byId("fields").replaceChildren();
  if (!view.fields.length) make("li", "No fields yet: find the records first.", byId("fields"));
  view.fields.forEach((_, at) => fieldItem(view, at, kinds, open, act));
  for (const name of view.dropped || []) {
    const item = make("li", `${name} is dropped. `, byId("fields"), { className: "hint" });
    button("Restore", item, () => act.step({ do: "restore", name }), `Restore ${name}`);
  }
  const { keys, rows } = view.table;
  table(byId("table"), ["", ...keys], rows.map((row, at) => [String(at + 1), ...row]), act.record);
  const verdict = byId("verdict");
  verdict.replaceChildren();
  if (view.status) make("li", `${view.page}: ${view.status}`, verdict);
  for (const line of view.check_lines || []) make("li", line, verdict);
  byId("spec").value = view.spec || "";
  byId("spec").disabled = !view.wrapper;
  byId("code").textContent = view.code || "";
  byId("run").hidden = !view.wrapper;
  byId("command").textContent = `python wrappers/${view.wrapper}.py ${shell(view.page)} > records.jsonl`;
};

export const drift = (rows, open) => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row.fill || {})))];
  const cells = rows.map((row) => [
    ...[row.page, row.status, String(row.records)],
    ...names.map((name) => (row.fill ? String(row.fill[name]) : "")),
    (row.failures || []).join("; "),
  ]);
  table(byId("drift"), ["page", "status", "records", ...names, "problems"], cells, (at) => open(rows[at].page));
  const worse = rows.filter((row) => row.status !== "OK").length;
  say(`${rows.length} pages checked: ${worse ? worse + " unlike the samples" : "all like the samples"}.`);
};

// The tab Passes: the marks of each pass on the page, and the thresholds.
import { follow, guarded, say } from "./server.js";
import { byId, button, hue, make } from "./make.js";

const TITLES = {
  infer_regular: "Infer regular types",
  infer_optional: "Infer optional types",
  keep_regular: "Keep regular types",
  keep_optional: "Keep optional types",
  depth: "Depth, in steps of the tree",
  distance: "Distance, in steps of the tree",
};

// `context` has the open view, its pane, and the function that tries a step.
export const passesPanel = (context) => {
  let steps = [];
  let at = 0;
  let thresholds = {};

  const turn = (on, off) => {
    byId(on).disabled = false;
    if (document.activeElement === byId(off)) byId(on).focus();
    byId(off).disabled = true;
  };

  const show = (number) => {
    at = number;
    const step = steps[at];
    context.pane().showStep(step.marks ? step : null);
    byId("pass-summary").textContent = step.summary;
    for (const [one, item] of [...byId("pass-list").children].entries()) {
      if (one === at) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    }
    // At the first or last step, one button is disabled: the other gets the focus.
    if (at === 0) turn("pass-on", "pass-back");
    else if (at === steps.length - 1) turn("pass-back", "pass-on");
    else byId("pass-back").disabled = byId("pass-on").disabled = false;
    const names = byId("pass-names");
    names.replaceChildren();
    for (const [number_, name] of (step.names || []).entries()) {
      const item = make("li", "", names);
      make("span", "", item, { className: "swatch" }).style.setProperty("--hue", hue(number_));
      item.append(name);
    }
  };

  const fill = (report) => {
    const last = { title: "Read by the wrapper", summary: "The values that the wrapper reads; the tab Fields lists them." };
    steps = context.view().wrapper ? [...report.passes, last] : report.passes;
    const list = byId("pass-list");
    list.replaceChildren();
    steps.forEach((step, number) => button(`${number + 1}  ${step.title}`, make("li", "", list), () => show(number)));
    byId("why").textContent = report.text;
    thresholds = report.thresholds;
    const box = byId("threshold-list");
    box.replaceChildren();
    for (const [name, [now, domains]] of Object.entries(thresholds)) {
      const isShare = domains <= 1 && !["depth", "distance"].includes(name);
      const label = make("label", `${TITLES[name]} `, box);
      const more = isShare ? { max: 1, step: 0.01 } : { step: 1 };
      make("span", `domain: ${domains}`, label, { className: "hint" });
      make("input", "", label, { type: "number", min: 0, ...more, value: now, name, required: true });
    }
    byId("thresholds").hidden = !context.view().wrapper;
    byId("passes").hidden = false;
    show(0);
  };

  byId("explain").addEventListener("click", guarded(async () => {
    const { page, wrapper } = context.view();
    const report = await follow("explain", { page, wrapper }, "Running the passes.");
    if (report === undefined) return;
    fill(report);
    say(`${page}: the results of each pass.`);
    byId("pass-on").focus();
  }));
  byId("pass-on").addEventListener("click", () => show(at + 1));
  byId("pass-back").addEventListener("click", () => show(at - 1));
  byId("thresholds").addEventListener("submit", (event) => {
    event.preventDefault();
    const values = {};
    for (const [name, text] of new FormData(event.target)) {
      values[name] = Number(text) === thresholds[name][1] ? null : Number(text);
    }
    context.step({ do: "thresholds", values }, true);
  });
  return {
    // The report is of another page or wrapper: remove it.
    forget: () => {
      byId("passes").hidden = true;
      byId("why").textContent = "";
    },
  };
};

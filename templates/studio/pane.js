// A framed page.  Its messages are untrusted: their source and form are checked.
import { byId, hue } from "./make.js";

const KINDS = new Set(["ready", "over", "choose", "leave"]);

export class Pane {
  constructor(number, handlers) {
    this.frame = byId("frame-" + number);
    this.title = byId("title-" + number);
    this.section = this.frame.closest("section");
    this.view = null;
    this.step = null;
    this.place = [];
    // CSS has no selector for a frame that has the focus.
    const isIn = () => this.section.classList.toggle("focused", document.activeElement === this.frame);
    for (const name of ["blur", "focus", "focusin"]) window.addEventListener(name, isIn);
    window.addEventListener("message", (event) => {
      const message = event.data;
      if (event.source !== this.frame.contentWindow || typeof message !== "object" || message === null) return;
      if (!KINDS.has(message.amber) || !Number.isInteger(message.node) || message.node < 0) return;
      if (message.amber === "ready") {
        this.paint();
        this.mark("scroll", this.place);
        this.frame.dataset.ready = "yes";
        if (document.activeElement === this.frame) this.frame.contentWindow.focus();
      }
      handlers[message.amber]?.(message.node, this);
    });
  }

  // Show a page, scrolled to the elements `place`.
  show(view, place = []) {
    this.view = view;
    this.step = null;
    this.place = place;
    this.section.hidden = false;
    delete this.frame.dataset.ready;
    this.title.textContent = view.wrapper
      ? `${view.page}: ${view.records} records, ${view.status}`
      : `${view.page}: no wrapper`;
    this.frame.src = "/frame/" + view.frame;
  }

  hide() {
    this.view = null;
    this.section.hidden = true;
    this.frame.removeAttribute("src");
  }

  // Send an order to the frame; a sandboxed frame has no origin, so the target is "*".
  order(order, more) {
    this.frame.contentWindow.postMessage({ order, ...more }, "*");
  }

  // Show the marks of a pass instead of the wrapper's; null restores the wrapper's.
  showStep(step) {
    this.step = step;
    this.unmark();
    this.paint();
  }

  paint(off = new Set()) {
    const { marks } = this.step || this.view;
    this.order("marks", {
      areas: marks.areas.map(([node]) => node),
      records: marks.records.flat(),
      values: marks.values.filter(([, at]) => !off.has(at)).map(([node, at]) => [node, hue(at)]),
    });
  }

  mark(order, nodes) {
    this.order(order, { nodes });
  }

  unmark() {
    for (const order of ["yellow", "gone", "chosen"]) this.mark(order, []);
  }

  // Describe an element: the fields whose values it holds, its record, and its area.
  description(node) {
    const { marks } = this.step || this.view;
    const { fields, table } = this.view;
    const lines = [];
    for (const [at, field, record] of marks.values) {
      if (at !== node) continue;
      if (this.step) {
        lines.push(`${this.step.names[field]}?`);
        continue;
      }
      const one = fields[field];
      const key = table.keys.indexOf(one.name);
      const value = key < 0 ? "" : `: ${table.rows[record][key]}`;
      lines.push(`${one.name}${value} (record ${record + 1}; ${one.fill} of ${this.view.records} have a value; ${one.expressions[0] || one.origin})`);
    }
    const record = marks.records.findIndex((rows) => rows.includes(node));
    if (record >= 0) lines.push(`record ${record + 1} of ${marks.records.length}`);
    for (const [at, name] of marks.areas) if (at === node) lines.push(`area ${name}`);
    return lines.join("; ");
  }
}

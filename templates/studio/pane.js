// A framed page.  What it says is checked: from that frame, of that shape, a number.
import { byId, hue } from "./make.js";

const KNOWN = new Set(["ready", "over", "choose", "leave"]);

export class Pane {
  constructor(number, heard) {
    this.frame = byId("frame-" + number);
    this.title = byId("title-" + number);
    this.section = this.frame.closest("section");
    this.view = null;
    this.step = null;
    this.place = [];
    // No selector tells a frame that has the focus.
    const isIn = () => this.section.classList.toggle("focused", document.activeElement === this.frame);
    for (const name of ["blur", "focus", "focusin"]) window.addEventListener(name, isIn);
    window.addEventListener("message", (event) => {
      const said = event.data;
      if (event.source !== this.frame.contentWindow || typeof said !== "object" || said === null) return;
      if (!KNOWN.has(said.amber) || !Number.isInteger(said.node) || said.node < 0) return;
      if (said.amber === "ready") {
        this.paint();
        this.mark("look", this.place);
        this.frame.dataset.ready = "yes";
        if (document.activeElement === this.frame) this.frame.contentWindow.focus();
      }
      heard[said.amber]?.(said.node, this);
    });
  }

  // Show a page; `place` is what is looked at first.
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

  // The frame has no origin that a message could be for.
  order(order, more) {
    this.frame.contentWindow.postMessage({ order, ...more }, "*");
  }

  // What a pass made of the page, in place of what the wrapper reads; null is that.
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

  // What is known of an element: the fields whose values it holds, and its record.
  told(node) {
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
      lines.push(`${one.name}${value} (record ${record + 1}; ${one.fill} of ${this.view.records} have one; ${one.ways[0] || one.origin})`);
    }
    const record = marks.records.findIndex((rows) => rows.includes(node));
    if (record >= 0) lines.push(`record ${record + 1} of ${marks.records.length}`);
    for (const [at, name] of marks.areas) if (at === node) lines.push(`area ${name}`);
    return lines.join("; ");
  }
}

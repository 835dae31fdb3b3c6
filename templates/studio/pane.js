// A framed page.  What it says is checked: from that frame, of that shape, a number.
import { byId, hue } from "./make.js";

const KNOWN = new Set(["ready", "over", "choose", "leave"]);

export class Pane {
  constructor(number, heard) {
    this.frame = byId("frame-" + number);
    this.title = byId("title-" + number);
    this.section = this.frame.closest("section");
    this.size = 0;
    this.view = null;
    window.addEventListener("message", (event) => {
      const said = event.data;
      if (event.source !== this.frame.contentWindow || typeof said !== "object" || said === null) return;
      if (!KNOWN.has(said.amber) || !Number.isInteger(said.node) || said.node < 0) return;
      if (said.amber === "ready") {
        this.paint();
        this.frame.dataset.ready = "yes";
      }
      heard[said.amber]?.(said.node, this);
    });
  }

  show(view) {
    this.view = view;
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

  paint(off = new Set()) {
    const { marks } = this.view;
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
    const { marks, fields, table } = this.view;
    const lines = [];
    for (const [at, field, record] of marks.values) {
      if (at !== node) continue;
      const one = fields[field];
      const key = table.keys.indexOf(one.name);
      const value = key < 0 ? "" : `: ${table.rows[record][key]}`;
      lines.push(`${one.name}${value} (record ${record + 1}; ${one.fill} of ${this.view.records} have one; ${one.ways[0] || one.origin})`);
    }
    const record = marks.records.findIndex((rows) => rows.includes(node));
    if (record >= 0) lines.push(`record ${record + 1} of ${this.view.records}`);
    for (const [at, name] of marks.areas) if (at === node) lines.push(`area ${name}`);
    return lines.join("; ");
  }
}

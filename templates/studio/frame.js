"use strict";
// The only script of a framed page.  The script runs before the page is parsed, and keeps
// the browser's functions, because an element named "querySelectorAll" would hide the
// function of that name.  The messages to the studio have numbers of elements only.
(() => {
  const studio = window.parent;
  const all = Document.prototype.querySelectorAll.bind(document);
  const get = (element, name) => Element.prototype.getAttribute.call(element, name);
  const set = (element, name, value) => Element.prototype.setAttribute.call(element, name, value);
  const drop = (element, name) => Element.prototype.removeAttribute.call(element, name);
  const above = (element) => Object.getOwnPropertyDescriptor(Node.prototype, "parentElement").get.call(element);
  const boxes = (element) => Element.prototype.getClientRects.call(element).length;
  const box = (element) => Element.prototype.getBoundingClientRect.call(element);
  const view = (element) => Element.prototype.scrollIntoView.call(element, { block: "center", inline: "nearest" });
  // Scroll within the page only: the studio around the frame doesn't move.
  const bring = (element) => {
    const { height } = box(element);
    for (let one = above(element); one && above(one); one = above(one)) {
      one.scrollTop += box(element).top - box(one).top - Math.max(0, (one.clientHeight - height) / 2);
    }
    window.scrollBy(0, box(element).top - Math.max(0, (window.innerHeight - height) / 2));
  };
  const elements = new Map();
  const order = [];
  let at = null;

  const post = (kind, node) => studio.postMessage({ amber: kind, node }, "*");
  const numbered = (element) => {
    while (element && !(element instanceof Element && get(element, "data-amber") !== null)) element = above(element);
    return element;
  };
  const number = (element) => Number(get(element, "data-amber"));
  const clear = (name) => { for (const one of all("[" + name + "]")) drop(one, name); };
  const mark = (nodes, name) => {
    clear(name);
    for (const node of nodes) if (elements.has(node)) set(elements.get(node), name, "");
  };
  // The element or its nearest ancestor that has a mark; without a mark, the element.
  const marked = (element) => {
    let one = element;
    while (one && !["field", "record", "area"].some((name) => get(one, "data-amber-" + name) !== null)) one = above(one);
    return one || element;
  };
  const point = (element, isFar) => {
    if (!element) return;
    at = element;
    mark([number(element)], "data-amber-over");
    if (isFar) view(element);
    post("over", number(marked(element)));
  };

  const orders = {
    marks({ areas, records, values }) {
      mark(areas, "data-amber-area");
      mark(records, "data-amber-record");
      clear("data-amber-field");
      for (const [node, hue] of values) {
        const one = elements.get(node);
        if (!one) continue;
        set(one, "data-amber-field", "");
        one.style.setProperty("--amber-hue", String(Number(hue)));
      }
    },
    yellow({ nodes }) { mark(nodes, "data-amber-yellow"); },
    gone({ nodes }) { mark(nodes, "data-amber-gone"); },
    chosen({ nodes }) {
      mark(nodes, "data-amber-chosen");
      const first = elements.get(nodes[0]);
      if (!first) return;
      at = first;
      Element.prototype.scrollIntoView.call(first, { block: "nearest", inline: "nearest" });
    },
    scroll({ nodes }) {
      if (!elements.has(nodes[0])) return;
      at = elements.get(nodes[0]);
      bring(at);
    },
  };
  window.addEventListener("message", (event) => {
    if (event.source !== studio || !event.data || !Object.hasOwn(orders, event.data.order)) return;
    orders[event.data.order](event.data);
  });

  const own = (event, act) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (act) act();
  };
  for (const name of ["mousedown", "mouseup", "auxclick", "dblclick", "submit", "dragstart", "contextmenu", "beforeinput", "input", "change"]) {
    window.addEventListener(name, (event) => own(event), true);
  }
  window.addEventListener("click", (event) => own(event, () => {
    const one = numbered(event.target);
    if (one) post("choose", number(one));
    window.focus();
  }), true);
  window.addEventListener("mouseover", (event) => point(numbered(event.target)), true);
  const shown = (step) => {
    let i = order.indexOf(at) + step;
    while (i >= 0 && i < order.length && !boxes(order[i])) i += step;
    return order[i];
  };
  // The first element of the next record, or of the previous one.
  const record = (step) => {
    const starts = order.filter((one) => get(one, "data-amber-record") !== null && boxes(one));
    const here = order.indexOf(at);
    return step > 0
      ? starts.find((one) => order.indexOf(one) > here)
      : starts.reverse().find((one) => order.indexOf(one) < here);
  };
  const keys = {
    PageDown: () => point(record(1), true),
    PageUp: () => point(record(-1), true),
    ArrowRight: () => point(shown(1), true),
    ArrowLeft: () => point(shown(-1), true),
    ArrowDown: () => point(shown(1), true),
    ArrowUp: () => point(at && numbered(above(at)), true),
    Enter: () => at && post("choose", number(at)),
    Escape: () => post("leave", 0),
  };
  window.addEventListener("keydown", (event) => {
    if (Object.hasOwn(keys, event.key) && !event.altKey && !event.ctrlKey && !event.metaKey) own(event, keys[event.key]);
    else if (event.key !== "Tab") own(event);
  }, true);

  window.addEventListener("focus", () => point(at));

  document.addEventListener("DOMContentLoaded", () => {
    for (const one of all("[data-amber]")) {
      elements.set(number(one), one);
      if (document.body && document.body !== one && document.body.contains(one)) order.push(one);
    }
    for (const one of all("a,button,input,select,textarea,summary,audio,video,[tabindex],[contenteditable]")) {
      set(one, "tabindex", "-1");
      drop(one, "contenteditable");
    }
    set(document.documentElement, "tabindex", "0");
    post("ready", elements.size);
  });
})();

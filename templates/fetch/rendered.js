// The document as it is displayed, as HTML: shadow roots in the place of their hosts'
// children, what isn't displayed marked as `hidden`, and the boxes of the elements that
// HTML has a width and a height for.  `closed` are the roots that scripts can't ask for.
function (...closed) {
  const roots = new Map(closed.map((root) => [root.host, root]));
  const BOXED = new Set(["img", "video", "canvas", "iframe", "embed", "object"]);
  const NEVER = new Set(["HEAD", "SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "LINK", "META", "TITLE", "BASE"]);
  const above = (node) => node.assignedSlot || node.parentElement || node.getRootNode().host;
  // What is displayed by its contents alone, as slots are, has no box to ask for.
  const shown = (node) =>
    node.checkVisibility({ visibilityProperty: true }) ||
    (getComputedStyle(node).display === "contents" && Boolean(above(node)) && shown(above(node)));
  // Not displayed, either: what an empty box cuts off, such as a folded part of a page.
  const isCutOff = (node) => {
    const { display, overflowX, overflowY } = getComputedStyle(node);
    const isBox = !["inline", "contents", "none"].includes(display) && node !== document.body;
    const cuts = (isBox && node.clientHeight === 0 && node.scrollHeight > 0 && overflowY !== "visible") ||
      (isBox && node.clientWidth === 0 && node.scrollWidth > 0 && overflowX !== "visible");
    return cuts && ![...node.querySelectorAll("*")].some((one) => /absolute|fixed/.test(getComputedStyle(one).position));
  };
  const anyShown = (node) =>
    !isCutOff(node) &&
    (shown(node) || children(node).some((one) => one.nodeType === Node.ELEMENT_NODE && anyShown(one)));
  const children = (node) => {
    const root = node.shadowRoot || roots.get(node);
    if (root) return [...root.childNodes];
    if (node.localName === "slot" && node.getRootNode() instanceof ShadowRoot) {
      const assigned = node.assignedNodes();
      if (assigned.length) return assigned;
    }
    return [...node.childNodes];
  };
  const copy = (node, isHidden) => {
    const made = node.cloneNode(false);
    if (node.nodeType !== Node.ELEMENT_NODE) return made;
    let hides = isHidden;
    if (!isHidden && !NEVER.has(node.tagName) && document.body.contains(hostOf(node)) && !anyShown(node)) {
      made.setAttribute("hidden", "");
      hides = true;
    }
    if (BOXED.has(node.localName) && !isHidden) {
      const { width, height } = node.getBoundingClientRect();
      if (width && !node.hasAttribute("width")) made.setAttribute("width", Math.round(width));
      if (height && !node.hasAttribute("height")) made.setAttribute("height", Math.round(height));
    }
    if (node.localName === "template") made.innerHTML = node.innerHTML;
    else for (const one of children(node)) made.append(copy(one, hides || NEVER.has(node.tagName)));
    return made;
  };
  const hostOf = (node) => {
    let root = node.getRootNode();
    while (root instanceof ShadowRoot) {
      node = root.host;
      root = node.getRootNode();
    }
    return node;
  };
  const root = copy(document.documentElement, false);
  const base = root.querySelector("head");
  if (base && !root.querySelector("meta[charset]")) {
    const meta = document.createElement("meta");
    meta.setAttribute("charset", "utf-8");
    base.prepend(meta);
  }
  const type = document.doctype ? `<!DOCTYPE ${document.doctype.name}>\n` : "";
  return type + root.outerHTML;
}

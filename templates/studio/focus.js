// Keep the keyboard focus when the focused element is replaced.
const STEPS = "button, input, select, textarea, summary";

const isUsable = (one) => Boolean(one && one.isConnected && !one.disabled && one.checkVisibility());

// Note the focused element.  The returned function restores the focus: to the element, or
// to an element at the same position of the list, or else to `last`.
export const noteFocus = (last) => {
  const one = document.activeElement;
  const item = one.closest("li");
  const list = item?.parentElement;
  const at = list ? [...list.children].indexOf(item) : -1;
  const step = item ? [...item.querySelectorAll(STEPS)].indexOf(one) : -1;
  return () => {
    if (one === document.body) return;  // No element had the focus.
    const there = list?.children[Math.min(at, list.children.length - 1)];
    const steps = [...(there?.querySelectorAll(STEPS) || [])];
    const beside = [...one.parentElement?.querySelectorAll("button") || []];
    [one, steps[step], steps[0], ...beside, last].find(isUsable)?.focus();
  };
};

// Where a person is by keyboard: kept when what is shown is made anew.
const STEPS = "button, input, select, textarea, summary";

const isUsable = (one) => Boolean(one && one.isConnected && !one.disabled && one.checkVisibility());

// Note what has the focus; the answer gives it back to the same thing, or to what stands
// in its place, or else to `last`.
export const noteFocus = (last) => {
  const one = document.activeElement;
  const item = one.closest("li");
  const list = item?.parentElement;
  const at = list ? [...list.children].indexOf(item) : -1;
  const step = item ? [...item.querySelectorAll(STEPS)].indexOf(one) : -1;
  return () => {
    if (one === document.body) return;  // Nobody had it.
    const there = list?.children[Math.min(at, list.children.length - 1)];
    const steps = [...(there?.querySelectorAll(STEPS) || [])];
    const beside = [...one.parentElement?.querySelectorAll("button") || []];
    [one, steps[step], steps[0], ...beside, last].find(isUsable)?.focus();
  };
};

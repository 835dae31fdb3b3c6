// Create elements; data is inserted as text, never as markup.
export const byId = (id) => document.getElementById(id);

export const make = (tag, text = "", parent = null, more = {}) => {
  const one = document.createElement(tag);
  if (text !== "") one.textContent = text;
  Object.assign(one, more);
  if (parent) parent.append(one);
  return one;
};

export const button = (text, parent, act, label = "") => {
  const one = make("button", text, parent, { type: "button" });
  if (label) one.setAttribute("aria-label", label);
  one.addEventListener("click", act);
  return one;
};

export const options = (select, pairs, chosen) => {
  select.replaceChildren();
  for (const [value, text] of pairs) make("option", text, select, { value });
  if (chosen !== undefined) select.value = chosen;
};

export const table = (element, keys, rows, act) => {
  element.replaceChildren();
  const head = make("tr", "", make("thead", "", element));
  for (const key of keys) make("th", key, head, { scope: "col" });
  const body = make("tbody", "", element);
  rows.forEach((row, number) => {
    const line = make("tr", "", body);
    row.forEach((value, at) => {
      const cell = make("td", "", line, { title: value });
      if (at === 0 && act) button(value || "–", cell, () => act(number), `Show ${keys[0] || "record"} ${value}`);
      else cell.textContent = value;
    });
  });
};

export const hue = (at) => (at * 137.5) % 360;

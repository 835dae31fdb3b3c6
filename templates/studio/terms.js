// Terms that the pages teach: accepted or rejected by a person, with their evidence.
import { ask, follow, guarded, say } from "./server.js";
import { button, byId, make } from "./make.js";

const count = (number, what) => `${number} ${what}${number === 1 ? "" : "s"}`;

// `desk` gives what is open: the view, and how a step is done or tried.
export const termsPanel = (desk) => {
  let isOwn = false;

  const decide = (item, row, list, kept) => guarded(async () => {
    const asked = { wrapper: desk.view().wrapper, type: row.type, term: row.term, list, kept };
    const told = await ask("term", asked);
    const verb = list === "terms" ? "accepted" : "rejected";
    entry(item, row, kept ? [verb, list] : null);
    byId("rebuild").hidden = false;
    say(kept ? `${row.term} is ${verb}: ${told.list}` : `${row.term} is taken out of ${told.list}`);
    item.querySelector("button").focus();
  });

  const entry = (item, row, decided) => {
    item.replaceChildren();
    const line = make("p", "", item);
    make("strong", row.term, line);
    line.append(` ${row.type}`);
    if (decided) make("span", ` ${decided[0]}`, line, { className: decided[1] === "terms" ? "good" : "bad" });
    if (row.pages) {
      const told = `for it ${count(row.for, "record")}, against it ${row.against}; ${row.because}`;
      make("span", told, item, { className: "why" });
      make("span", `on ${row.pages.join(", ")}`, item, { className: "why" });
    }
    const buttons = make("p", "", item, { className: "row" });
    if (decided) {
      button("Take it back", buttons, decide(item, row, decided[1], false), `Take ${row.term} back`);
      return;
    }
    const accept = button("Accept", buttons, decide(item, row, "terms", true), `Accept ${row.term} as ${row.type}`);
    const reject = button("Reject", buttons, decide(item, row, "rejected", true), `Reject ${row.term} as ${row.type}`);
    accept.disabled = reject.disabled = !isOwn;
  };

  const fill = (told) => {
    isOwn = told.is_own;
    byId("own").hidden = isOwn || !told.types.length;
    byId("own-name").value = `my-${told.domain}`;
    const list = byId("terms");
    list.replaceChildren();
    for (const row of told.rows) entry(make("li", "", list), row, null);
    for (const [type, which, term] of told.decided) {
      entry(make("li", "", list), { type, term }, [which === "terms" ? "accepted" : "rejected", which]);
    }
    byId("terms-told").textContent = told.types.length
      ? `${count(told.rows.length, "term")} for ${told.types.join(", ")} of ${told.domain}.`
      : `${told.domain} has no lists of terms: there is nothing to teach it.`;
  };

  const learn = guarded(async () => {
    const told = await follow("learn", { wrapper: desk.view().wrapper }, "Learning from all pages of the folder.");
    if (!told) return;
    fill(told);
    say(`${told.domain}: ${count(told.rows.length, "term")} to decide on.`);
  });

  byId("learn").addEventListener("click", learn);
  byId("own").addEventListener("submit", guarded(async (event) => {
    event.preventDefault();
    const name = byId("own-name").value;
    await ask("domain", { wrapper: desk.view().wrapper, name });
    if (await desk.step({ do: "domain", name })) await learn();
  }));
  byId("rebuild").addEventListener("click", () => desk.step({ do: "text", text: desk.view().spec }, true));
  return {
    forget: () => {
      byId("terms").replaceChildren();
      byId("terms-told").textContent = "";
      byId("own").hidden = byId("rebuild").hidden = true;
      byId("learn").disabled = !desk.view().wrapper;
    },
  };
};

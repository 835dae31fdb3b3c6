// The tab Terms: terms that were learned from the pages, to be accepted or rejected.
import { ask, follow, guarded, say } from "./server.js";
import { button, byId, make } from "./make.js";

const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// `context` has the open view, and the function that does or tries a step.
export const termsPanel = (context) => {
  let isOwn = false;

  const decide = (item, row, list, kept) => guarded(async () => {
    const request = { wrapper: context.view().wrapper, type: row.type, term: row.term, list, kept };
    const answer = await ask("term", request);
    const verb = list === "terms" ? "accepted" : "rejected";
    entry(item, row, kept ? [verb, list] : null);
    byId("rebuild").hidden = false;
    say(kept ? `${row.term} is ${verb}, in ${answer.list}` : `${row.term} is removed from ${answer.list}`);
    item.querySelector("button").focus();
  });

  const entry = (item, row, decided) => {
    item.replaceChildren();
    const line = make("p", "", item);
    make("strong", row.term, line);
    line.append(` ${row.type}`);
    if (decided) make("span", ` ${decided[0]}`, line, { className: decided[1] === "terms" ? "good" : "bad" });
    if (row.pages) {
      const evidence = `${count(row.for, "record")} for the term, ${row.against} against the term; ${row.because}`;
      make("span", evidence, item, { className: "why" });
      make("span", `on ${row.pages.join(", ")}`, item, { className: "why" });
    }
    const buttons = make("p", "", item, { className: "row" });
    if (decided) {
      button("Revoke", buttons, decide(item, row, decided[1], false), `Revoke the decision on ${row.term}`);
      return;
    }
    const accept = button("Accept", buttons, decide(item, row, "terms", true), `Accept ${row.term} as ${row.type}`);
    const reject = button("Reject", buttons, decide(item, row, "rejected", true), `Reject ${row.term} as ${row.type}`);
    accept.disabled = reject.disabled = !isOwn;
  };

  const fill = (learned) => {
    isOwn = learned.is_own;
    byId("own").hidden = isOwn || !learned.types.length;
    byId("own-name").value = `my-${learned.domain}`;
    const list = byId("terms");
    list.replaceChildren();
    for (const row of learned.rows) entry(make("li", "", list), row, null);
    for (const [type, which, term] of learned.decided) {
      entry(make("li", "", list), { type, term }, [which === "terms" ? "accepted" : "rejected", which]);
    }
    byId("terms-summary").textContent = learned.types.length
      ? `${count(learned.rows.length, "term")} for ${learned.types.join(", ")} of ${learned.domain}.`
      : `${learned.domain} has no lists of terms: no terms can be learned.`;
  };

  const learn = guarded(async () => {
    const learned = await follow("learn", { wrapper: context.view().wrapper }, "Learning from all pages of the folder.");
    if (!learned) return;
    fill(learned);
    say(`${learned.domain}: ${count(learned.rows.length, "term")} to accept or reject.`);
  });

  byId("learn").addEventListener("click", learn);
  byId("own").addEventListener("submit", guarded(async (event) => {
    event.preventDefault();
    const name = byId("own-name").value;
    await ask("domain", { wrapper: context.view().wrapper, name });
    if (await context.step({ do: "domain", name })) await learn();
  }));
  byId("rebuild").addEventListener("click", () => context.step({ do: "text", text: context.view().spec }, true));
  return {
    forget: () => {
      byId("terms").replaceChildren();
      byId("terms-summary").textContent = "";
      byId("own").hidden = byId("rebuild").hidden = true;
      byId("learn").disabled = !context.view().wrapper;
    },
  };
};

// The server, asked with the token that the printed address holds.  The token leaves
// the address bar at once and stays in this tab.
import { byId } from "./make.js";

const place = "amber-wrap-token";
if (location.hash.length > 1) {
  sessionStorage.setItem(place, location.hash.slice(1));
  history.replaceState(null, "", "/");
}

export const say = (text, isBad = false) => {
  const said = byId("said");
  said.textContent = text;
  said.classList.toggle("bad", isBad);
};

export const ask = async (name, asked = {}) => {
  const answer = await fetch("/api/" + name, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: "Bearer " + (sessionStorage.getItem(place) || ""),
    },
    body: JSON.stringify(asked),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
};

// Whatever goes wrong is said where people look, and nothing is half done.
export const guarded = (act) => async (...values) => {
  try {
    return await act(...values);
  } catch (error) {
    say(error.message || String(error), true);
    return undefined;
  }
};

const pause = (ms) => new Promise((then) => setTimeout(then, ms));
let running = null;

// A job, followed until it ends; undefined if it was cancelled.
export const follow = async (name, asked, what) => {
  const { job } = await ask(name, asked);
  running = job;
  byId("working").hidden = false;
  say(what);
  try {
    for (let wait = 60; ; wait = Math.min(wait * 1.5, 500)) {
      const told = await ask("job", { job });
      const progress = byId("progress");
      if (told.total) Object.assign(progress, { max: told.total, value: told.done });
      else progress.removeAttribute("value");
      byId("step").textContent = `${told.step} (${Math.round(told.seconds)} s)`;
      if (told.state === "done") return told.result;
      if (told.state === "failed") throw new Error(told.error);
      if (told.state === "cancelled") {
        say("Cancelled: nothing was changed.");
        return undefined;
      }
      await pause(wait);
    }
  } finally {
    running = null;
    byId("working").hidden = true;
  }
};

byId("cancel").addEventListener("click", guarded(async () => {
  if (running) await ask("cancel", { job: running });
}));

// Requests to the server, with the token from the printed address.  The token is removed
// from the address bar at once, and stored for this tab.
import { byId } from "./make.js";

const place = "amber-wrap-token";
if (location.hash.length > 1) {
  sessionStorage.setItem(place, location.hash.slice(1));
  history.replaceState(null, "", "/");
}

export const say = (text, isBad = false) => {
  const message = byId("message");
  message.textContent = text;
  message.classList.toggle("bad", isBad);
};

export const ask = async (name, request = {}) => {
  const answer = await fetch("/api/" + name, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Authorization: "Bearer " + (sessionStorage.getItem(place) || ""),
    },
    body: JSON.stringify(request),
  });
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.error);
  return data;
};

// Wrap a function: its errors are shown as the message of the page.
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

// Start a job, and return its result when it ends; undefined if it was cancelled.
export const follow = async (name, request, text) => {
  const { job } = await ask(name, request);
  running = job;
  byId("working").hidden = false;
  say(text);
  try {
    for (let wait = 60; ; wait = Math.min(wait * 1.5, 500)) {
      const status = await ask("job", { job });
      const progress = byId("progress");
      if (status.total) Object.assign(progress, { max: status.total, value: status.done });
      else progress.removeAttribute("value");
      byId("step").textContent = `${status.step} (${Math.round(status.seconds)} s)`;
      if (status.state === "done") return status.result;
      if (status.state === "failed") throw new Error(status.error);
      if (status.state === "cancelled") {
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

// Every change is saved on this device at once and on the server a moment later. A draft never counts as ready.
import { apply, compose, fields, form, isChosenEarly, isOpen, line } from "./sheet.js";
import { announce, isLogin, markLine, parse, problem, replaceAll, replaceParts, say, stateOf, tellLoggedOut } from "./parts.js";

const WAIT = 250;
// After this long a request without a response has failed.
export const PATIENCE = 20000;
// Half a word is not a mistake yet, so text the pads cannot show is checked only when the typing pauses.
const WAIT_FOR_WORDS = 700;
// Marks a draft on this device that the server has not confirmed.
const UNSAVED = "!";
// How often to look whether a list that was open has been closed: no event says so.
const LOOK = 100;
let timer = 0;
let asked = 0;
let saving = null;

const place = (battle) => {
  const { stage, mage } = stateOf(battle);
  return { mine: `fm:draft:${battle.dataset.number}:${mage}:`, stage };
};

export function watchDraft(battle) {
  battle.addEventListener("orders:changed", () => keep(battle));
  battle.addEventListener("line:typed", () => keep(battle));
  battle.addEventListener("input", (event) => event.target.id === "say" && soon(battle, WAIT_FOR_WORDS));
  battle.addEventListener("board:replaced", () => {
    overtake();
    offer(battle);
  });
  battle.addEventListener("orders:sending", overtake);
  battle.addEventListener("orders:sent", () => forget(battle));
  window.addEventListener("online", () => battle.dataset.away && begin(battle));
  restore(battle);
  offer(battle);
}

const textOf = (found) => (found.startsWith(UNSAVED) ? found.slice(UNSAVED.length) : found);

function read(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key, value) {
  try {
    if (value === null) {
      localStorage.removeItem(key);
    } else {
      localStorage.setItem(key, value);
    }
  } catch {
    // Without local storage, there is still the server's draft.
  }
}

function keep(battle) {
  if (!isOpen()) {
    return;
  }
  const { mine, stage } = place(battle);
  const typed = line().dataset.typed === "yes" || document.activeElement === line();
  write(mine + stage, UNSAVED + (typed ? line().value : compose()));
  soon(battle, line().dataset.typed === "yes" ? WAIT_FOR_WORDS : WAIT);
}

function soon(battle, pause) {
  clearTimeout(timer);
  timer = setTimeout(() => begin(battle), pause);
}

function begin(battle) {
  clearTimeout(timer);
  timer = 0;
  saving = save(battle);
}

// Orders are being sent, or the page has been replaced: ignore a later response to the draft, which must not overwrite
// what the page shows then.
function overtake() {
  clearTimeout(timer);
  timer = 0;
  asked += 1;
}

// Resolves once the server has responded to the latest choice.
export async function counted(battle) {
  if (timer) {
    begin(battle);
  }
  await saving;
}

async function save(battle) {
  if (!isOpen()) {
    return;
  }
  const mark = ++asked;
  const data = fields();
  data.set("act", "draft");
  data.set("save", "1");
  try {
    const answer = await fetch(battle.dataset.draft, {
      method: "POST",
      body: data,
      headers: { "X-Requested-With": "fetch" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    delete battle.dataset.away;
    if (mark !== asked || timer) {
      // This response does not include what was chosen since, which is saved next.
      return;
    }
    if (isLogin(answer)) {
      tell(say("draftHere"));
      tellLoggedOut(battle);
    } else if (answer.status === 403) {
      tell(say("draftHere"));
      problem(say("outOfDate"));
    } else if (answer.ok) {
      const page = parse(await answer.text());
      tell(say("draftSaved"));
      const { mine, stage } = place(battle);
      write(mine + stage, textOf(read(mine + stage)) || null);
      await listsClosed();
      if (mark === asked && !timer) {
        replaceParts(page);
        markLine();
      }
    } else if (answer.status === 409) {
      replaceAll(battle, parse(await answer.text()));
      battle.dispatchEvent(new CustomEvent("board:replaced"));
    } else {
      tell(say("draftHere"));
    }
  } catch {
    battle.dataset.away = "yes";
    tell(say("draftHere"));
    const review = document.getElementById("review");
    if (mark === asked && review && !document.querySelector(".pad:not(:has(:checked))")) {
      review.textContent = say("offlineDraft", { orders: compose() });
      tell("");
    }
  }
}

// A list that is replaced while the reader looks for an entry would close. Browsers that don't know which lists are open
// don't wait.
async function listsClosed() {
  while (CSS.supports("selector(:open)") && form()?.querySelector("select:open")) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

function tell(words) {
  const kept = document.querySelector("[data-kept]");
  if (kept) {
    kept.textContent = words;
  }
}

// Restores a draft of this stage that the server does not have, because it was made offline or just before the page was
// left. Saves what was chosen or typed before the scripts had loaded.
function restore(battle) {
  if (!isOpen()) {
    return;
  }
  if (isChosenEarly() || line().dataset.typed === "yes") {
    battle.dispatchEvent(new CustomEvent("orders:changed"));
    return;
  }
  const { mine, stage } = place(battle);
  const found = read(mine + stage);
  if (!found.startsWith(UNSAVED) && (line().value || document.querySelector("#orders .pad input:checked"))) {
    return;
  }
  const kept = textOf(found);
  if (kept) {
    line().value = kept;
    line().dataset.typed = apply(kept) ? "no" : "yes";
    battle.dispatchEvent(new CustomEvent("orders:changed"));
  }
}

// Offers a draft for a turn that is over, once, as text.
function offer(battle) {
  if (!isOpen()) {
    return;
  }
  const { mine, stage } = place(battle);
  let keys = [];
  try {
    keys = Object.keys(localStorage).filter((key) => key.startsWith(mine) && key !== mine + stage);
  } catch {
    return;
  }
  const last = keys.pop();
  keys.forEach((key) => write(key, null));
  if (!last) {
    return;
  }
  const text = textOf(read(last));
  write(last, null);
  if (text && text !== compose()) {
    const note = document.createElement("div");
    note.className = "note info";
    const words = document.createElement("p");
    words.textContent = `${say("notSent", { orders: text })} `;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = say("use");
    button.addEventListener("click", () => {
      apply(text);
      note.remove();
      battle.dispatchEvent(new CustomEvent("orders:changed"));
      line().focus();
    });
    note.append(words, button);
    document.getElementById("order-bar").prepend(note);
    announce(words.textContent);
  }
}

function forget(battle) {
  clearTimeout(timer);
  timer = 0;
  asked += 1;
  const { mine, stage } = place(battle);
  write(mine + stage, null);
}

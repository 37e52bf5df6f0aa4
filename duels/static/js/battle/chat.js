// The chat in the bar. It is fetched when it is opened, and once for a user, to count new lines.
import { announce, isLogin, logIn, parse, say, showCount } from "./parts.js";

const fold = () => document.querySelector("[data-chat]");
const panel = () => document.querySelector("[data-chat-panel]");
const lines = (root) => root.querySelector("[data-chat-lines]");
const numberOf = (line) => Number(line.dataset.line);
const POLL = 8000;
let asking = null;
let sending = Promise.resolve();

export function watchChat(battle) {
  if (!fold()) {
    return;
  }
  fold().addEventListener("toggle", () => {
    if (fold().open) {
      point(0);
      look(battle).then(() => panel().querySelector("input[name=text]")?.focus());
    }
  });
  panel().addEventListener("submit", (event) => {
    if (event.target.matches(".chat-form")) {
      event.preventDefault();
      write(battle, event.target);
    } else if (event.target.matches(".phrases")) {
      event.preventDefault();
      sayPhrase(battle, event.submitter);
    }
  });
  panel().addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      fold().open = false;
      fold().querySelector("summary").focus();
    }
    // The keys of the pads are letters here.
    event.stopPropagation();
  });
  battle.addEventListener("chat:said", () => (fold().open || !battle.dataset.stranger ? look(battle) : point(1)));
  // Without a socket, an open chat polls.
  setInterval(() => fold().open && !battle.dataset.live && document.visibilityState === "visible" && look(battle), POLL);
  // After the end everyone reads both rooms.
  battle.addEventListener("board:replaced", () => fold().open && look(battle));
  if (!battle.dataset.stranger) {
    look(battle);
  }
}

const seenKey = (battle) => `chat.${battle.dataset.number}`;

function readSeen(battle) {
  try {
    return Number(localStorage.getItem(seenKey(battle)) ?? 0);
  } catch {
    return 0;
  }
}

function point(count) {
  const badge = document.querySelector("[data-chat-new]");
  showCount(badge, count);
}

// One request at a time: a line that comes meanwhile is fetched after it.
async function look(battle) {
  if (asking) {
    asking.again = true;
    return asking.done;
  }
  const mine = { again: false };
  asking = mine;
  mine.done = (async () => {
    do {
      mine.again = false;
      try {
        const answer = await fetch(fold().dataset.chat, { headers: { "X-Requested-With": "fetch" } });
        if (answer.ok && !isLogin(answer)) {
          show(battle, parse(await answer.text()));
        }
      } catch {
        // The next line, or opening the chat again, tries once more.
      }
    } while (mine.again);
    asking = null;
  })();
  return mine.done;
}

// Replaces only the lines, so that typing is not interrupted; everything if the form has appeared or gone.
function show(battle, page) {
  const fresh = page.querySelector(".chat");
  const old = panel().querySelector(".chat");
  const had = old ? Number(lines(old).dataset.last) : null;
  if (!old || Boolean(old.querySelector(".chat-form")) !== Boolean(fresh.querySelector(".chat-form"))) {
    panel().replaceChildren(document.adoptNode(fresh));
  } else if (!lines(old).querySelector("details[open]") || had !== Number(lines(fresh).dataset.last)) {
    lines(old).replaceWith(document.adoptNode(lines(fresh)));
  }
  // The end of the battle brings other phrases.
  const phrases = panel().querySelector(".phrases");
  if (phrases && phrases.dataset.of !== fresh.querySelector(".phrases")?.dataset.of) {
    phrases.replaceWith(...fresh.querySelectorAll(".phrases"));
  }
  const list = lines(panel());
  const others = [...list.querySelectorAll("[data-line]:not(.mine)")];
  if (fold().open) {
    list.scrollTop = list.scrollHeight;
    point(0);
    try {
      localStorage.setItem(seenKey(battle), list.dataset.last);
    } catch {
      // Without storage, lines count as new once more.
    }
  } else {
    point(others.filter((line) => numberOf(line) > readSeen(battle)).length);
  }
  if (had !== null) {
    const said = others.filter((line) => numberOf(line) > had).map((line) => line.querySelector("p").innerText);
    if (said.length && !fold().open) {
      announce(said.join(" "));
    }
  }
}

// Lines are sent one after another, because each response brings the key of the next. The field is free at once.
function write(battle, form) {
  const field = form.elements.text;
  const text = field.value;
  if (text.trim()) {
    field.value = "";
    sending = sending.then(() => send(battle, "text", text));
  }
}

// A second press while the first is on its way says nothing more.
function sayPhrase(battle, button) {
  if (!button.getAttribute("aria-busy")) {
    button.setAttribute("aria-busy", "true");
    sending = sending.then(() => send(battle, "phrase", button.value)).then(() => button.removeAttribute("aria-busy"));
  }
}

async function send(battle, field, text) {
  const form = panel().querySelector(".chat-form");
  const button = form.querySelector("button");
  const data = new FormData(form);
  data.delete("text");
  data.set(field, text);
  button.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(fold().dataset.chat, { method: "POST", body: data });
    if (isLogin(answer)) {
      giveBack(field, text);
      logIn();
      return;
    }
    const page = parse(await answer.text());
    if (answer.ok) {
      form.elements.once.value = page.querySelector("[name=once]")?.value ?? "";
    } else {
      giveBack(field, text);
    }
    const problem = page.querySelector("[data-chat-problem]")?.textContent ?? "";
    if (page.querySelector(".chat")) {
      show(battle, page);
    }
    panel().querySelector("[data-chat-problem]").textContent = problem;
  } catch {
    giveBack(field, text);
    panel().querySelector("[data-chat-problem]").textContent = say("offlineChat");
  } finally {
    button.removeAttribute("aria-busy");
  }
}

// Puts a line that was not sent back into the field, before what has been typed since.
function giveBack(field, text) {
  const input = field === "text" && panel().querySelector(".chat-form")?.elements.text;
  if (input) {
    input.value = [text, input.value].filter(Boolean).join(" ");
  }
}

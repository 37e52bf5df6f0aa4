// The dock of a phone shows one face at a time: the keys, targets and choices, or the result of the turn that was just
// revealed. In a low window it shows the keys of one hand.
import { chosen, fieldOf } from "./sheet.js";
import { say, stateOf } from "./parts.js";

// A window with room for the story above the dock need not show the result twice.
const tall = window.matchMedia("(min-width: 47.5rem) and (min-height: 60rem)");
let face = "keys";
let open = 0;
let hand = "";

// Nobody listens in a lesson or a puzzle, or before a battle has begun.
const isBattle = () => Boolean(document.getElementById("battle").dataset.socket);
const dock = () => document.querySelector(".dock:has(.pads)");
const hands = () => [...document.querySelectorAll(".pad")].map((pad) => pad.dataset.hand);

export function watchDock(battle) {
  battle.addEventListener("board:replaced", () => {
    [face, open, hand] = ["keys", 0, ""];
    update();
  });
  battle.addEventListener("parts:replaced", update);
  battle.addEventListener("turn:revealed", () => {
    noteTurn(battle);
    tell();
  });
  // Turns to the face with this field.
  battle.addEventListener("dock:show", ({ detail: field }) => {
    const pad = field?.closest(".pad");
    hand = pad?.dataset.hand ?? hand;
    turn(pad ? "keys" : "choices");
  });
  battle.addEventListener("orders:changed", () => {
    const missing = hands().find((each) => !chosen(each));
    if (hand && chosen(hand) && missing) {
      hand = missing;
    }
    update();
  });
  battle.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-pad]");
    if (tab) {
      hand = tab.dataset.pad;
      const isBack = face !== "keys";
      turn("keys");
      if (isBack) {
        const pad = document.getElementById(`pad-${hand}`);
        (pad.querySelector("input:checked") ?? pad.querySelector("input")).focus();
      }
    } else if (event.target.closest("[data-play]")) {
      turn("keys");
      document.querySelector(".hand-pad.shown .pad input, .pad input")?.focus({ preventScroll: true });
    } else if (event.target.closest("[data-events]")) {
      turn("keys");
      const events = findEvents();
      events.open = true;
      events.scrollIntoView({ block: "start" });
      events.querySelector("summary").focus({ preventScroll: true });
    } else if (event.target.closest("[data-switch]")) {
      turnToChoices();
    } else if (event.target.closest("[data-close-danger]")) {
      closeDanger();
    }
  });
  battle.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && closeDanger()) {
      event.preventDefault();
    }
  });
  update();
  // A player who comes back after a turn, or comes from the front page's first reveal, reads first what it did.
  if (isBattle() && noteTurn(battle) && !hands().some((each) => chosen(each))) {
    tell();
  }
}

// Notes on this device which turn it has shown; returns whether there is news: that was another one before, or it is the
// first sight of a coached duel, which begins on the front page.
function noteTurn(battle) {
  const [key, turn] = [`turn:${location.pathname}`, stateOf(battle).stage.split(".")[0]];
  try {
    const before = localStorage.getItem(key);
    localStorage.setItem(key, turn);
    return before === null ? document.querySelector(".coach") !== null : before !== turn;
  } catch {
    return false;
  }
}

// The events of the latest turn, which is the first of the story; of a turn in which nothing happened, none.
function findEvents() {
  return document.querySelector(".story > .events");
}

// Shows what the last turn changed, with its causes.
function tell() {
  const list = document.querySelector("[data-result] .sums");
  const sums = document.querySelectorAll(".story > .sums > li");
  if (list && sums.length && !tall.matches) {
    list.replaceChildren(...[...sums].map((each) => each.cloneNode(true)));
    list.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
    document.querySelector("[data-events]").hidden = !findEvents();
    turn("result");
  }
}

// Closes what stops a threat, and returns to the threat.
function closeDanger() {
  const open = document.querySelector(".dangers[open]");
  open?.removeAttribute("open");
  open?.querySelector("summary").focus({ preventScroll: true });
  return open;
}

function turn(to) {
  face = to;
  update();
}

// Where there is nothing to choose, a mage can still speak.
function turnToChoices() {
  const question = document.querySelector(".question [data-slot]");
  if (!question) {
    document.querySelector(".say").open = true;
  }
  turn("choices");
  (question ? fieldOf(question) : document.getElementById("say"))?.focus();
}

// A required choice comes to the front once each hand has a gesture.
function update() {
  const place = dock();
  if (!place) {
    return;
  }
  const rows = place.querySelectorAll(".question").length;
  const now = Number(place.querySelector(".questions").dataset.unanswered);
  const isComplete = hands().every((each) => chosen(each));
  if (!rows && face === "choices" && !place.querySelector(".say[open]")) {
    face = "keys";
  } else if (now > open && isComplete) {
    face = "choices";
  }
  open = isComplete ? now : 0;
  place.dataset.face = face;
  const button = place.querySelector("[data-switch]");
  if (button) {
    button.hidden = face !== "keys" || !(rows || (isBattle() && place.querySelector(".say")));
    button.textContent = rows ? say("choices", { n: rows }) : say("speak");
  }
  hand ||= hands()[0];
  for (const pad of place.querySelectorAll(".pad")) {
    pad.closest(".hand-pad").classList.toggle("shown", pad.dataset.hand === hand);
  }
  for (const tab of place.querySelectorAll("[data-pad]")) {
    if (face === "keys") {
      tab.setAttribute("aria-pressed", tab.dataset.pad === hand);
    } else {
      tab.removeAttribute("aria-pressed");
    }
  }
}

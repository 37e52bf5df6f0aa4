// The dock of a phone shows one face at a time: the keys, or targets and choices. In a low window the keys of one hand.
import { chosen } from "./sheet.js";
import { say } from "./parts.js";

let face = "keys";
let open = 0;
let hand = "";

const dock = () => document.querySelector(".dock:has(.pads)");
const hands = () => [...document.querySelectorAll(".pad")].map((pad) => pad.dataset.hand);

export function watchDock(battle) {
  battle.addEventListener("board:replaced", () => {
    [face, open, hand] = ["keys", 0, ""];
    update();
  });
  battle.addEventListener("parts:replaced", update);
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
      update();
    } else if (event.target.closest("[data-switch]")) {
      turn(face === "keys" ? "choices" : "keys");
      (face === "choices" ? document.querySelector(".question select") : document.querySelector(".pad input:checked"))?.focus();
    }
  });
  update();
}

function turn(to) {
  face = to;
  update();
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
  if (!rows) {
    face = "keys";
  } else if (now > open && isComplete) {
    face = "choices";
  }
  open = isComplete ? now : 0;
  place.dataset.face = face;
  const button = place.querySelector("[data-switch]");
  if (button) {
    button.hidden = !rows;
    button.textContent = face === "keys" ? say("choices", { n: rows }) : say("gestures");
  }
  hand ||= hands()[0];
  for (const pad of place.querySelectorAll(".pad")) {
    pad.closest(".hand-pad").classList.toggle("shown", pad.dataset.hand === hand);
  }
  for (const tab of place.querySelectorAll("[data-pad]")) {
    tab.setAttribute("aria-pressed", tab.dataset.pad === hand);
  }
}

// The pads by touch, mouse and keyboard. Letters work wherever no field has the focus.
import { apply, choose, chosen, clear, compose, fieldOf, isOpen, line, otherHand, settle } from "./sheet.js";
import { changed } from "./parts.js";

const letters = { f: "F", p: "P", s: "S", w: "W", d: "D", c: "C", ">": ">", ".": ">", "-": "-" };
let byArrow = false;

export function watchPads(battle) {
  document.addEventListener("keydown", (event) => onKey(battle, event));
  battle.addEventListener("click", onSecondTap, true);
  battle.addEventListener("change", (event) => {
    const radio = event.target;
    if (radio.closest(".pad")) {
      if (radio.value === "C" && !byArrow) {
        choose(otherHand(radio.name), "C");
      }
      drop();
    }
    byArrow = false;
    if (radio.type === "radio" || radio.name === "order") {
      settle(radio);
      changed(battle);
    }
  });
  battle.addEventListener("click", jumpToPad);
}

// A second tap on a clapping hand frees the other one: half a clap.
let wasClap = null;
function onSecondTap(event) {
  const radio = event.target;
  if (radio.type !== "radio" || radio.value !== "C") {
    wasClap = radio.type === "radio" ? null : wasClap;
    return;
  }
  const both = chosen(radio.name) === "C" && chosen(otherHand(radio.name)) === "C";
  if (both && wasClap === radio) {
    clear(otherHand(radio.name));
    radio.dispatchEvent(new Event("change", { bubbles: true, cancelable: true }));
    clear(otherHand(radio.name));
    changed(document.getElementById("battle"));
  }
  wasClap = radio;
}

// Shows the choice in the current column at once. The server's response adds what it completes.
function drop() {
  for (const bead of document.querySelectorAll("[data-now]")) {
    const hand = bead.dataset.now;
    const gesture = chosen(hand);
    if (!gesture || bead.dataset.gesture === gesture) {
      continue;
    }
    const drawing = document.querySelector(`input[name="${hand}"][value="${CSS.escape(gesture)}"] + .face .hand`);
    const tag = document.createElement("span");
    tag.className = "tag";
    tag.textContent = gesture === "-" ? "–" : gesture;
    bead.replaceChildren(drawing.cloneNode(true), tag);
    bead.className = "bead square mine dropped";
    bead.dataset.gesture = gesture;
  }
}

function jumpToPad(event) {
  const link = event.target.closest(".bead-hit");
  const pad = link && document.querySelector(link.getAttribute("href"));
  if (pad) {
    event.preventDefault();
    focusPad(pad);
  }
}

function focusPad(pad) {
  (pad.querySelector("input:checked") ?? pad.querySelector("input"))?.focus();
}

// The pad that a letter is for if none has the focus: of the first hand without a gesture.
function nextPad() {
  const pads = [...document.querySelectorAll(".pad")];
  return pads.find((pad) => !chosen(pad.dataset.hand)) ?? pads[0];
}

function onKey(battle, event) {
  const place = event.target;
  const pad = place.closest?.(".pad") ?? nextPad();
  if (event.target.id === "line" && event.key === "Escape") {
    event.preventDefault();
    focusPad(document.getElementById("pad-LH") ?? document.getElementById("call"));
    return;
  }
  if (!pad || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (place.id === "call" && event.key === "Tab" && !event.shiftKey) {
    // After a turn the heading has the focus: what follows is the choice of gestures.
    event.preventDefault();
    battle.dispatchEvent(new CustomEvent("dock:show", { detail: pad }));
    focusPad(pad);
    return;
  }
  if (place.matches("textarea, select, input:not(.pad input), [contenteditable]")) {
    return;
  }
  byArrow = event.key.startsWith("Arrow");
  if (battle.dataset.singleKeys === "no") {
    return;
  }
  const hand = pad.dataset.hand;
  const gesture = letters[event.key.toLowerCase()];
  if (gesture) {
    event.preventDefault();
    const radio = choose(hand, gesture);
    if (radio) {
      if (!place.closest(".pad")) {
        battle.dispatchEvent(new CustomEvent("dock:show", { detail: radio }));
      }
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      const pads = [...document.querySelectorAll(".pad")];
      focusPad(pads[(pads.indexOf(pad) + 1) % pads.length]);
    }
  } else if (event.key === "t") {
    event.preventDefault();
    const question = document.querySelector(`[data-slot="TARGET ${hand}"]`) ?? document.querySelector(".questions [data-slot]");
    battle.dispatchEvent(new CustomEvent("dock:show", { detail: question }));
    fieldOf(question)?.focus();
  } else if (event.key === "/") {
    event.preventDefault();
    line()?.focus();
  } else if (event.key === "?") {
    event.preventDefault();
    const help = document.getElementById("keys-help");
    help.open = !help.open;
    help.querySelector("summary").focus();
  }
}

// The order line mirrors the pads, and the pads mirror the line. Typed text is never cleared.
export function watchLine(battle) {
  if (isOpen() && line().value !== line().defaultValue) {
    // Typed before the scripts had loaded.
    line().dataset.typed = apply(line().value) ? "no" : "yes";
  }
  mirror();
  battle.addEventListener("orders:changed", mirror);
  battle.addEventListener("board:replaced", mirror);
  battle.addEventListener("input", (event) => {
    if (event.target.id !== "line") {
      return;
    }
    const understood = apply(event.target.value);
    event.target.dataset.typed = understood && event.target.value.trim() ? "no" : event.target.value.trim() ? "yes" : "no";
    battle.dispatchEvent(new CustomEvent("line:typed"));
  });
  battle.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (event.target.id === "line" && /\n/.test(text)) {
      event.preventDefault();
      event.target.value = text.split("\n").map((each) => each.trim()).filter(Boolean).join("; ");
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
      changed(battle);
    }
  });
}

function mirror() {
  const field = line();
  if (isOpen() && document.activeElement !== field && field.dataset.typed !== "yes") {
    field.value = field.value && field.getAttribute("aria-invalid") === "true" ? field.value : compose();
  }
}

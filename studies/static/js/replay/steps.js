// The small steps of one turn: its orders, the reveal, then each effect, on the board of the page.
import { found, take } from "./cache.js";

const stepsOf = (replay) => [...replay.querySelectorAll(".step")];
const linkOf = (step) => step?.querySelector(".points-at");
const spotOf = (link) => (link ? decodeURIComponent(link.hash.slice(1)) : "");
const wide = window.matchMedia("(min-width: 64rem)");
let at = -1; // the step that is shown; -1: the turn as a whole

export function watchSteps(replay) {
  for (const kind of ["pointerover", "focusin", "pointerout", "focusout"]) {
    replay.addEventListener(kind, (event) => {
      const link = event.target.closest?.(".points-at");
      if (link) {
        light(replay, /over|in$/.test(kind) ? link : linkOf(stepsOf(replay)[at]));
      }
    });
  }
  // The address stays that of the turn: the link of a sentence only points at the board.
  replay.addEventListener("click", (event) => {
    const link = event.target.closest(".points-at");
    if (link) {
      event.preventDefault();
      light(replay, link);
      document.getElementById(spotOf(link))?.scrollIntoView({ block: "nearest" });
    }
  });
}

function light(replay, link) {
  replay.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
  document.getElementById(spotOf(link))?.classList.add("lit");
}

export const isWhole = () => at === -1;
// Another turn has replaced this one.
export const forget = () => { at = -1; };

// Shows the next small step; returns false if the turn has none left, and is shown as a whole.
export function stepOn(replay) {
  if (at + 1 >= stepsOf(replay).length) {
    showWhole(replay);
    return false;
  }
  at += 1;
  show(replay);
  return true;
}

// Shows the turn as it ended, as the server drew it.
export function showWhole(replay) {
  at = -1;
  show(replay);
}

function show(replay) {
  const steps = stepsOf(replay);
  const step = steps[at];
  steps.forEach((each, place) => {
    each.classList.toggle("at", each === step);
    each.classList.toggle("to-come", step !== undefined && place > at);
  });
  replay.querySelectorAll(".story-lines .sum").forEach((each) => each.classList.toggle("to-come", step !== undefined));
  replay.querySelector(".battle-main").dataset.phase = step?.dataset.step ?? "";
  restore(replay);
  if (step) {
    setPoints(step.dataset.points);
    setBack(replay, new Set(steps.slice(0, at + 1).map((each) => spotOf(linkOf(each)))));
  }
  light(replay, linkOf(step));
  // Beside the board the sentence comes into view; under it, its text is above the dock and the board stays.
  (wide.matches ? step : document.getElementById(spotOf(linkOf(step))))?.scrollIntoView({ block: "nearest" });
  document.getElementById("announcer").textContent = step?.querySelector("h3, .points-at, span")?.textContent.trim() ?? "";
}

// Hit points as they were at this step.
function setPoints(written) {
  for (const each of written.split(" ").filter(Boolean)) {
    const place = each.lastIndexOf(":");
    const box = document.getElementById(`mage-${each.slice(0, place)}-hp`);
    const number = box?.querySelector("b");
    if (number) {
      box.dataset.final ??= number.textContent;
      draw(box, number, each.slice(place + 1));
    }
  }
}

function draw(box, number, points) {
  number.textContent = points;
  box.querySelectorAll(".ticks i").forEach((tick, place) => (tick.className = place < Number(points) ? "" : "lost"));
}

// Enchantments and creatures as they were before the turn, except for those that a step has already shown.
function setBack(replay, shown) {
  const link = document.getElementById("go-previous");
  const before = link ? found(link.href) : null;
  if (before === undefined) {
    const now = at;
    take(link.href).then(() => now === at && link.isConnected && show(replay)).catch(() => {});
    return;
  }
  for (const chips of replay.querySelectorAll(".chips[id]")) {
    if (!shown.has(chips.id)) {
      chips.final = [...chips.childNodes];
      chips.replaceChildren(...[...(before?.querySelector(`[id="${chips.id}"]`)?.childNodes ?? [])].map((node) => document.importNode(node, true)));
    }
  }
  for (const being of replay.querySelectorAll(".being[id]")) {
    being.classList.toggle("unborn", !shown.has(being.id) && !before?.querySelector(`[id="${being.id}"]`));
  }
}

function restore(replay) {
  for (const box of replay.querySelectorAll(".hp[data-final]")) {
    draw(box, box.querySelector("b"), box.dataset.final);
  }
  for (const chips of replay.querySelectorAll(".chips[id]")) {
    if (chips.final) {
      chips.replaceChildren(...chips.final);
      chips.final = null;
    }
  }
  replay.querySelectorAll(".unborn").forEach((each) => each.classList.remove("unborn"));
}

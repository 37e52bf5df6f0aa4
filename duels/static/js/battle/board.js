// The board: the room for the names below beads, the sheet of a spell, guesses, and the reveal of a turn. Without JavaScript
// a bead leads to the story of its turn.
import { say } from "./parts.js";

// Between two names, in pixels.
const GAP = 4;
// When the hit points change in a reveal, and when everything stands still, in milliseconds. The style sheet has the steps.
const CHANGE = 660;
const END = 1260;
const desk = window.matchMedia("(min-width: 64rem)");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
// What a player may guess, and the names of the guesses in this browser.
const GESTURES = ["F", "P", "S", "W", "D", "C", ">", "-"];
const prefix = (battle) => `fm:guess:${battle.dataset.number}:`;
let opened = null;
let stop = () => undefined;

export function watchBeads(battle) {
  const fit = () => fitNames(battle);
  battle.addEventListener("board:replaced", () => {
    close();
    fit();
  });
  battle.addEventListener("dock:show", () => close());
  window.addEventListener("resize", fit);
  battle.addEventListener("click", (event) => {
    const bead = event.target.closest("[data-bead]");
    if (bead && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      const wasOpen = bead === opened;
      close();
      if (!wasOpen) {
        open(battle, bead);
      }
    } else if (event.target.closest("[data-close]")) {
      close(opened);
    } else if (event.target.closest("[data-keys]")) {
      close();
      battle.querySelector(".hand-pad.shown .pad input, .pad input").focus({ preventScroll: true });
    }
  });
  // It does not bubble.
  battle.addEventListener("toggle", ({ target }) => target.matches(".dangers, .danger-words, .danger-others") && rimThreat(target), true);
  for (const name of ["pointerover", "focusin"]) {
    battle.addEventListener(name, (event) => light(battle, event.target.closest("[data-beads]")));
  }
  document.addEventListener("keydown", (event) => {
    if (opened && event.key === "Escape") {
      event.preventDefault();
      close(opened);
    }
  });
  fit();
}

// Each name gets the room that newer ones in its string leave; one that does not fit is dropped.
function fitNames(root) {
  const range = document.createRange();
  const measure = (name) => {
    range.selectNodeContents(name);
    return [name, range.getBoundingClientRect()];
  };
  const rows = [...root.querySelectorAll(".string ol")].map((row) => [row.getBoundingClientRect(), [...row.querySelectorAll(".under")].map(measure)]);
  for (const [row, names] of rows) {
    let free = row.right;
    for (const [name, box] of names.reverse()) {
      const isDropped = box.right > free || box.left < row.left;
      name.classList.toggle("gone", isDropped);
      free = isDropped ? free : box.left - GAP;
    }
  }
}

// Shows the sheet in the dock, or above the story where that is beside the board.
function open(battle, link) {
  const place = link.parentElement.classList[0];
  const string = link.closest(".string");
  const sheet = document.createElement("section");
  sheet.id = "spell-sheet";
  sheet.setAttribute("aria-labelledby", "spell-name");
  sheet.append(string.querySelector(`[data-sheet~="${place}"]`).content.cloneNode(true));
  sheet.querySelector("[data-keys]").hidden = !battle.querySelector(".pads");
  const column = battle.querySelector(".story-column");
  ((!desk.matches && battle.querySelector(".dock")) || column).prepend(sheet);
  column.scrollTo({ top: 0, behavior: "instant" });
  opened = link;
  link.setAttribute("aria-expanded", "true");
  mark(string, sheet, place);
  const name = document.getElementById("spell-name");
  name.focus({ preventScroll: true });
  [sheet, name].forEach((each) => each.scrollIntoView({ block: "nearest", behavior: "instant" }));
}

// Puts a rim around each bead of the series, and a ring around the last.
function mark(string, sheet, place) {
  const last = string.querySelector(`li.${place} .bead`);
  for (const { dataset, className } of sheet.querySelectorAll("[data-place]")) {
    const other = className === "both" ? string.parentElement.querySelectorAll(`#${CSS.escape(string.id.slice(0, -2))}LH, #${CSS.escape(string.id.slice(0, -2))}RH`) : [string];
    for (const bead of [...other].map((each) => each.querySelector(`li.${dataset.place} .bead`))) {
      if (bead) {
        ring(bead, last, bead === last ? "ring" : "rim");
      }
    }
  }
}

// While what stops a threat is open, the beads of its series have rims.
function rimThreat(threat) {
  clearRims();
  const words = threat.open && (threat.matches("[data-string]") ? threat : threat.querySelector("[data-string]"));
  if (words) {
    const played = [...document.getElementById(words.dataset.string).querySelectorAll("li:not(.now) .bead")];
    const made = words.querySelectorAll(".bead:not(.veiled)").length;
    played.slice(played.length - made).forEach((bead) => ring(bead, words.querySelector(".sign"), "rim"));
  }
}

// A sentence that is pointed at lights up the beads that made it, in its own colour.
function light(battle, line) {
  battle.querySelectorAll(".bead.lit").forEach((bead) => bead.classList.remove("lit"));
  if (line) {
    lastBeads(line).forEach((bead) => ring(bead, line.querySelector(".sign"), "lit"));
  }
}

const lastBeads = (line) => line.dataset.beads.split(",").map((id) => document.getElementById(id)?.querySelector("li.c7 .bead")).filter(Boolean);

function ring(bead, school, look) {
  bead.style.setProperty("--rim", getComputedStyle(school ?? bead).getPropertyValue("--school"));
  bead.classList.add(look);
}

const clearRims = () => document.querySelectorAll(".bead:is(.rim, .ring)").forEach((bead) => bead.classList.remove("rim", "ring"));

function close(focus = null) {
  document.getElementById("spell-sheet")?.remove();
  opened?.removeAttribute("aria-expanded");
  opened = null;
  clearRims();
  focus?.focus({ preventScroll: true });
}

// Guesses at gestures that the player does not see. They stay in this browser: no form and no request contains them.
export function watchGuesses(battle) {
  const draw = () => showGuesses(battle);
  battle.addEventListener("board:replaced", draw);
  battle.addEventListener("parts:replaced", draw);
  draw();
}

function readGuess(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function keepGuess(key, guess) {
  try {
    if (guess) {
      localStorage.setItem(key, guess);
    } else {
      localStorage.removeItem(key);
    }
  } catch {
    // Without local storage the guess lasts until the board changes.
  }
}

// Puts a list over every gesture that is not seen, the veiled squares of this turn included.
function showGuesses(battle) {
  for (const bead of battle.querySelectorAll("[data-guess]")) {
    if (bead.parentElement.querySelector(".guess")) {
      continue;
    }
    const string = bead.closest(".string");
    const place = bead.parentElement.matches(".second") ? ":2" : "";
    const key = `${prefix(battle)}${string.id}:${bead.dataset.guess}${place}`;
    const list = document.createElement("select");
    list.className = "guess";
    list.autocomplete = "off";
    list.setAttribute("aria-label", say("guess", { hand: string.querySelector("ol").ariaLabel, turn: bead.dataset.guess }));
    list.add(new Option("?", ""));
    GESTURES.forEach((each) => list.add(new Option(each === "-" ? "–" : each, each)));
    list.value = readGuess(key);
    list.addEventListener("change", (event) => {
      event.stopPropagation();
      keepGuess(key, list.value);
      markGuess(bead, list.value);
    });
    bead.after(list);
    markGuess(bead, list.value);
  }
}

function markGuess(bead, guess) {
  bead.textContent = guess === "-" ? "–" : guess || "?";
  bead.classList.toggle("guessed", guess !== "");
}

export const hasMotion = (battle) => !still.matches && battle.dataset.motion !== "no";

// Beads turn and fill, ticks empty, strings move, sentences appear. Any key or tap shows the end at once, and so does a wish
// for little motion.
export function watchReveal(battle) {
  battle.addEventListener("board:replaced", () => {
    stop();
    battle.classList.remove("told");
  });
  // Until the next choice, what the last spells did is beside the hands.
  battle.addEventListener("orders:changed", () => battle.classList.remove("told"));
  battle.addEventListener("turn:revealed", () => {
    battle.classList.add("told");
    // Beads of spells fill with their school; a stab lights up.
    const beads = [...battle.querySelectorAll(".story > .sums > [data-beads]")].flatMap((line) => lastBeads(line).map((bead) => [bead, line.querySelector(".sign")]));
    beads.filter(([bead]) => !bead.matches(".cast")).forEach(([bead, sign]) => ring(bead, sign, "lit"));
    if (hasMotion(battle)) {
      move(battle);
    }
  });
}

function move(battle) {
  const points = [...battle.querySelectorAll(".hp[data-was] > b")].map((number) => [number, number.textContent]);
  const change = () => points.forEach(([number, now]) => (number.textContent = now));
  points.forEach(([number]) => (number.textContent = number.parentElement.dataset.was));
  battle.classList.add("revealing");
  const timers = [setTimeout(change, CHANGE), setTimeout(() => stop(), END)];
  stop = () => {
    stop = () => undefined;
    timers.forEach(clearTimeout);
    change();
    battle.classList.remove("revealing");
    document.removeEventListener("keydown", skip, true);
    document.removeEventListener("pointerdown", skip, true);
  };
  document.addEventListener("keydown", skip, true);
  document.addEventListener("pointerdown", skip, true);
}

const skip = () => stop();

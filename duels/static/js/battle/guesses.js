// Guesses at gestures that the player does not see. They stay in this browser: no form and no request contains them.
import { say } from "./parts.js";

const GESTURES = ["F", "P", "S", "W", "D", "C", ">", "-"];
const prefix = (battle) => `fm:guess:${battle.dataset.number}:`;

export function watchGuesses(battle) {
  const draw = () => show(battle);
  battle.addEventListener("board:replaced", draw);
  battle.addEventListener("parts:replaced", draw);
  draw();
}

function read(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key, guess) {
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
function show(battle) {
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
    list.value = read(key);
    list.addEventListener("change", (event) => {
      event.stopPropagation();
      write(key, list.value);
      mark(bead, list.value);
    });
    bead.after(list);
    mark(bead, list.value);
  }
}

function mark(bead, guess) {
  bead.textContent = guess === "-" ? "–" : guess || "?";
  bead.classList.toggle("guessed", guess !== "");
}

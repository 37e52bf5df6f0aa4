// The small steps of one turn: its orders, the reveal, then each effect, on the board of the page.

const stepsOf = (replay) => [...replay.querySelectorAll(".step")];
let at = -1; // the step that is shown; -1: the turn as a whole

export function watchSteps(replay) {
  for (const kind of ["pointerover", "focusin"]) {
    replay.addEventListener(kind, (event) => light(replay, event.target.closest?.(".points-at")));
  }
  for (const kind of ["pointerout", "focusout"]) {
    replay.addEventListener(kind, (event) => event.target.closest?.(".points-at") && light(replay, stepsOf(replay)[at]?.querySelector(".points-at")));
  }
  // The address stays that of the turn: the sentence only points.
  replay.addEventListener("click", (event) => {
    const link = event.target.closest(".points-at");
    if (link) {
      event.preventDefault();
      light(replay, link);
      find(link)?.scrollIntoView({ block: "nearest" });
    }
  });
}

const find = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));

function light(replay, link) {
  replay.querySelectorAll(".lit").forEach((each) => each.classList.remove("lit"));
  if (link) {
    find(link)?.classList.add("lit");
  }
}

// Shows the next small step; returns false where the turn has none left.
export function stepOn(replay) {
  const steps = stepsOf(replay);
  if (at + 1 >= steps.length) {
    showWhole(replay);
    return false;
  }
  show(replay, steps, at + 1);
  return true;
}

export const isWhole = () => at === -1;

// Shows the turn as it ended, as the server drew it.
export function showWhole(replay) {
  at = -1;
  stepsOf(replay).forEach((each) => each.classList.remove("at", "to-come"));
  replay.querySelector(".battle-main").dataset.phase = "";
  light(replay, null);
  restore(replay);
}

// Another turn has come in place of this one.
export const forget = () => { at = -1; };

function show(replay, steps, index) {
  at = index;
  const step = steps[index];
  steps.forEach((each, place) => {
    each.classList.toggle("at", place === index);
    each.classList.toggle("to-come", place > index);
  });
  replay.querySelector(".battle-main").dataset.phase = step.dataset.step;
  setPoints(replay, step.dataset.points);
  light(replay, step.querySelector(".points-at"));
  step.scrollIntoView({ block: "nearest" });
  document.getElementById("announcer").textContent = step.querySelector(".points-at, span, p, dl")?.textContent ?? "";
}

// Hit points as they were at this step; what the server drew is kept for the end of the turn.
function setPoints(replay, written) {
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

function restore(replay) {
  replay.querySelectorAll(".hp[data-final]").forEach((box) => draw(box, box.querySelector("b"), box.dataset.final));
}

function draw(box, number, points) {
  number.textContent = points;
  box.querySelectorAll(".ticks i").forEach((tick, place) => tick.classList.toggle("lost", place >= Number(points)));
}

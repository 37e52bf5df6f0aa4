// The beads of spells: the room for their names, and the sheet that opens when one is pressed. Without JavaScript a bead
// leads to the story of its turn.

const GAP = 4;
const desk = window.matchMedia("(min-width: 64rem)");
let opened = null;

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
  document.getElementById("spell-name").focus({ preventScroll: true });
}

// Puts a rim around each bead of the series, and a ring around the last.
function mark(string, sheet, place) {
  const last = string.querySelector(`li.${place} .bead`);
  const colour = getComputedStyle(last).getPropertyValue("--school");
  for (const { dataset, className } of sheet.querySelectorAll("[data-place]")) {
    const other = className === "both" ? string.parentElement.querySelectorAll(`#${CSS.escape(string.id.slice(0, -2))}LH, #${CSS.escape(string.id.slice(0, -2))}RH`) : [string];
    for (const bead of [...other].map((each) => each.querySelector(`li.${dataset.place} .bead`))) {
      bead?.style.setProperty("--rim", colour);
      bead?.classList.add(bead === last ? "ring" : "rim");
    }
  }
}

function close(focus = null) {
  document.getElementById("spell-sheet")?.remove();
  opened?.removeAttribute("aria-expanded");
  opened = null;
  document.querySelectorAll(".bead:is(.rim, .ring)").forEach((bead) => bead.classList.remove("rim", "ring"));
  focus?.focus({ preventScroll: true });
}

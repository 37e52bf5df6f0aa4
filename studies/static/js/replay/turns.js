// From turn to turn without a new page: links, keys and playing.
import { found, prepare, take } from "./cache.js";
import { forget, isWhole, showWhole, stepOn } from "./steps.js";

const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let timer = 0; // 0: it does not play
let asked = 0;
const KEYS = { ArrowLeft: "go-previous", ArrowRight: "go-next", Home: "go-first", End: "go-last" };
const LINKS = ".replay-dock a, .eyes a, .mattered a, .turn-numbers a";

export function watchTurns(replay) {
  replay.addEventListener("click", (event) => {
    const link = event.target.closest(LINKS);
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button) {
      event.preventDefault();
      pause(replay);
      go(replay, hrefOf(link), link.id);
    }
    const button = event.target.closest("#play, #step");
    if (button?.id === "play") {
      toggle(replay);
    } else if (button) {
      pause(replay, false);
      stepOn(replay);
    }
  });
  document.addEventListener("keydown", (event) => pressed(replay, event));
  replay.addEventListener("pointerover", (event) => prepare(event.target.closest(".replay-dock a, .eyes a, .mattered a")));
  replay.addEventListener("pointermove", (event) => dragged(replay, event));
  // Where the graph is, the arrows of the slider are those of the page.
  replay.addEventListener("change", (event) => {
    const column = event.target.id === "turn-slider" && [...replay.querySelectorAll(".marks a")][event.target.value - 1];
    if (column) {
      go(replay, hrefOf(column), "turn-slider");
    }
  });
  settle(replay);
}

// The address of a link, also of one in a drawing.
const hrefOf = (link) => new URL(link.getAttribute("href"), location.href).href;

// A press that moves over the graph shows each turn it comes to.
function dragged(replay, event) {
  const column = event.buttons === 1 && event.target.closest?.(".marks a");
  if (column && !column.hasAttribute("aria-current")) {
    go(replay, hrefOf(column), "turn-slider");
  }
}

function pressed(replay, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input:not(#turn-slider), textarea")) {
    return;
  }
  const single = replay.dataset.singleKeys !== "no";
  const to = KEYS[event.key] ?? (single && { m: "next-mistake", M: "previous-mistake" }[event.key]);
  if (to) {
    const link = document.getElementById(to);
    // The ends of the slider are its own.
    if (link || event.target.id !== "turn-slider") {
      event.preventDefault();
    }
    pause(replay);
    if (link) {
      go(replay, hrefOf(link), document.activeElement?.id);
    }
  } else if (event.key === " " && single && replay.querySelector("#play") && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    toggle(replay);
  }
}

const toggle = (replay) => (timer ? pause(replay) : play(replay));

// Plays from here on: the small steps of each turn, or whole turns for readers who want little motion.
function play(replay) {
  const beat = async () => {
    const next = document.getElementById("go-next");
    if (still.matches || !stepOn(replay)) {
      if (next && timer) {
        await go(replay, next.href, "play");
      } else {
        pause(replay);
      }
    }
    if (timer) {
      timer = window.setTimeout(beat, Number(document.getElementById("speed").value) * (still.matches ? 2 : 1));
    }
  };
  timer = -1;
  showPlaying();
  beat();
}

function pause(replay, whole = true) {
  if (timer) {
    window.clearTimeout(timer);
    timer = 0;
    showPlaying();
  }
  if (whole && !isWhole()) {
    showWhole(replay);
  }
}

function showPlaying() {
  const button = document.getElementById("play");
  if (!button) {
    return;
  }
  button.textContent = timer ? button.dataset.pause : button.dataset.play;
  button.setAttribute("aria-pressed", String(timer !== 0));
}

// Shows another turn; `focus` is the id of the focused element, which gets the focus again.
async function go(replay, href, focus = "") {
  const mine = ++asked;
  let parts;
  try {
    parts = found(href) ?? (await take(href));
  } catch {
    location.assign(href);
    return;
  }
  if (mine !== asked) {
    // The reader has gone on to another turn.
    return;
  }
  if (!isWhole()) {
    showWhole(replay);
  }
  const scrolled = [".scene", ".battle-main"].map((each) => [each, replay.querySelector(each)?.scrollTop ?? 0]);
  const names = isSameStrip(replay, parts) ? [".call", ".scene", ".replay-row"] : [".call", ".scene", ".replay-dock"];
  const speed = document.getElementById("speed")?.value;
  for (const name of names) {
    replay.querySelector(name).replaceWith(document.importNode(parts.querySelector(name), true));
  }
  forget();
  replay.dispatchEvent(new CustomEvent("board:replaced"));
  scrolled.forEach(([each, top]) => replay.querySelector(each)?.scrollTo({ top, behavior: "instant" }));
  if (speed) {
    document.getElementById("speed").value = speed;
  }
  showPlaying();
  const call = replay.querySelector(".call");
  mark(replay, call.dataset.turn);
  document.title = call.dataset.title;
  history.replaceState(null, "", call.dataset.url);
  (document.getElementById(focus) ?? document.getElementById("call")).focus({ preventScroll: true });
  settle(replay);
}

// Whether the columns lead to the same turns, seen with the same eyes.
function isSameStrip(replay, parts) {
  const [mine, fresh] = [replay, parts].map((each) => each.querySelector(".turn-columns"));
  const last = (strip) => strip.lastElementChild.firstElementChild.getAttribute("href");
  return Boolean(mine && fresh) && mine.childElementCount === fresh.childElementCount && last(mine) === last(fresh);
}

function mark(replay, turn) {
  replay.querySelector(".turn-columns [aria-current]")?.removeAttribute("aria-current");
  document.getElementById(`column-${turn}`)?.setAttribute("aria-current", "page");
}

// Brings the column of this turn into view, and fetches the turns beside it.
function settle(replay) {
  // The slider stands for the links of the graph, which only a pointer needs then.
  replay.querySelectorAll(".marks a").forEach((each) => each.setAttribute("tabindex", "-1"));
  replay.querySelector(".marks")?.setAttribute("aria-hidden", "true");
  const current = replay.querySelector(".turn-columns [aria-current]");
  const strip = current?.closest(".turn-columns");
  if (strip) {
    const left = current.parentElement.offsetLeft;
    if (left < strip.scrollLeft || left + 44 > strip.scrollLeft + strip.clientWidth) {
      strip.scrollTo({ left: left - strip.clientWidth / 2, behavior: "instant" });
    }
  }
  prepare(document.getElementById("go-next"));
  prepare(document.getElementById("go-previous"));
}

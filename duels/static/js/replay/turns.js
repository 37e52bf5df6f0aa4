// From turn to turn without a new page: links, keys and playing. Each turn is fetched once.
import { forget, isWhole, showWhole, stepOn } from "./steps.js";

const kept = new Map(); // address → the parts of that turn, or the promise of them
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
let timer = 0;

export function watchTurns(replay) {
  replay.addEventListener("click", (event) => {
    const link = event.target.closest(".replay-dock a, .eyes a, .turn-numbers a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.button) {
      event.preventDefault();
      pause(replay);
      go(replay, link.href, link.id);
    }
    const button = event.target.closest("#play, #step");
    if (button?.id === "play") {
      timer ? pause(replay) : play(replay);
    } else if (button) {
      pause(replay);
      stepOn(replay);
    }
  });
  document.addEventListener("keydown", (event) => pressed(replay, event));
  window.addEventListener("popstate", () => go(replay, location.href, "", false));
  replay.addEventListener("pointerover", (event) => {
    const link = event.target.closest(".replay-dock a");
    link && take(link.href).catch(() => {});
  });
  settle(replay);
}

function pressed(replay, event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select, input, textarea")) {
    return;
  }
  const to = { ArrowLeft: "go-previous", ArrowRight: "go-next", Home: "go-first", End: "go-last" }[event.key];
  if (to) {
    const link = document.getElementById(to);
    event.preventDefault();
    pause(replay);
    if (link) {
      go(replay, link.href, document.activeElement?.id);
    }
  } else if (event.key === " " && replay.dataset.singleKeys !== "no" && !event.target.closest("a, button, summary")) {
    event.preventDefault();
    timer ? pause(replay) : play(replay);
  }
}

// Plays from here on: the small steps of each turn, or whole turns for readers who want little motion.
function play(replay) {
  const button = document.getElementById("play");
  button.textContent = button.dataset.pause;
  button.setAttribute("aria-pressed", "true");
  const beat = async () => {
    const next = document.getElementById("go-next");
    const went = still.matches ? false : stepOn(replay);
    if (!went && !next) {
      pause(replay);
      return;
    }
    if (!went) {
      await go(replay, next.href, "play");
      if (!timer) {
        return;
      }
      still.matches || stepOn(replay);
    }
    timer = window.setTimeout(beat, Number(document.getElementById("speed").value) * (still.matches ? 2 : 1));
  };
  timer = -1;
  beat();
}

function pause(replay) {
  window.clearTimeout(timer);
  timer = 0;
  const button = document.getElementById("play");
  button.textContent = button.dataset.play;
  button.setAttribute("aria-pressed", "false");
  if (!isWhole()) {
    showWhole(replay);
  }
}

function take(href) {
  if (!kept.has(href)) {
    const address = new URL(href);
    address.hash = "";
    address.searchParams.set("fragment", "turn");
    const answer = fetch(address, { headers: { "X-Requested-With": "fetch" } }).then(async (found) => {
      if (!found.ok || found.redirected) {
        throw new Error(found.status);
      }
      const parts = new DOMParser().parseFromString(await found.text(), "text/html").body;
      kept.set(href, parts);
      return parts;
    });
    answer.catch(() => kept.delete(href));
    kept.set(href, answer);
  }
  return Promise.resolve(kept.get(href));
}

// Shows another turn; `focus` is the id of what had the focus, which the new parts have again.
async function go(replay, href, focus = "", note = true) {
  const speed = document.getElementById("speed").value;
  const playing = timer !== 0;
  let parts;
  try {
    const found = kept.get(href);
    parts = found instanceof HTMLElement ? found : await take(href);
  } catch {
    location.assign(href);
    return;
  }
  const scrolled = [".scene", ".battle-main", ".turn-columns"].map((each) => [each, replay.querySelector(each)]);
  const before = scrolled.map(([each, box]) => [each, box?.scrollTop ?? 0, box?.scrollLeft ?? 0]);
  replay.replaceChildren(...[...parts.childNodes].map((node) => document.importNode(node, true)));
  forget();
  before.forEach(([each, top, left]) => replay.querySelector(each)?.scrollTo({ top, left, behavior: "instant" }));
  document.getElementById("speed").value = speed;
  if (playing) {
    const button = document.getElementById("play");
    button.textContent = button.dataset.pause;
    button.setAttribute("aria-pressed", "true");
  }
  const call = replay.querySelector(".call");
  document.title = call.dataset.title;
  if (note) {
    history.replaceState(null, "", call.dataset.url);
  }
  (document.getElementById(focus) ?? document.getElementById("call")).focus({ preventScroll: true });
  settle(replay);
}

// The column of this turn is in view, and the turns beside it are at hand.
function settle(replay) {
  const current = replay.querySelector(".turn-columns [aria-current]");
  const strip = current?.closest(".turn-columns");
  if (strip) {
    const left = current.parentElement.offsetLeft - strip.offsetLeft;
    if (left < strip.scrollLeft || left + 44 > strip.scrollLeft + strip.clientWidth) {
      strip.scrollTo({ left: left - strip.clientWidth / 2, behavior: "instant" });
    }
  }
  for (const id of ["go-next", "go-previous"]) {
    const link = document.getElementById(id);
    link && take(link.href).catch(() => {});
  }
}

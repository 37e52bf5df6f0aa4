// Ready: sends the form and shows the response.
import { fieldOf, fields, line } from "./sheet.js";
import { counted, PATIENCE } from "./draft.js";
import { announce, announceTurn, endChange, focusCall, isLogin, logIn, parse, problem, replaceAll, say, stateOf } from "./parts.js";

let sending = false;
// A response that comes sooner needs no word that it is on its way.
const SOON = 300;

export function watchSending(battle) {
  battle.addEventListener("submit", async (event) => {
    if (event.target.id !== "orders") {
      return;
    }
    event.preventDefault();
    // The response to a second click would replace the next turn, and what is chosen there by then.
    if (!sending) {
      sending = true;
      await send(battle, event.submitter).finally(() => (sending = false));
    }
  });
}

// Typed text that the pads cannot show is sent anyway: the response lists its problems.
const isHeld = () =>
  document.getElementById("ready")?.getAttribute("aria-disabled") === "true" && line().dataset.typed !== "yes";

async function send(battle, button) {
  if (button?.value !== "preview" && isHeld()) {
    // A quick player presses before the server has responded to the last choice.
    await counted(battle);
  }
  if (battle.dataset.loggedOut) {
    logIn();
    return;
  }
  const ready = document.getElementById("ready");
  if (button?.value !== "preview" && isHeld()) {
    if (battle.dataset.away) {
      fail(say("offline"));
      return;
    }
    const missing = fieldOf(document.querySelector("#orders [data-open]")) ?? document.querySelector(".pad:not(:has(:checked)) input");
    announce(document.getElementById("review")?.textContent ?? "");
    battle.dispatchEvent(new CustomEvent("dock:show", { detail: missing }));
    missing?.focus();
    return;
  }
  const data = fields();
  data.set("act", button?.value || "ready");
  ready?.setAttribute("aria-busy", "true");
  const review = document.getElementById("review");
  const words = review?.textContent;
  const late = setTimeout(() => review && (review.textContent = say("sending")), SOON);
  battle.dispatchEvent(new CustomEvent("orders:sending"));
  try {
    await post(battle, data);
  } catch {
    fail(say("offline"));
  } finally {
    clearTimeout(late);
    ready?.removeAttribute("aria-busy");
    if (review) {
      review.textContent = words;
    }
    battle.dispatchEvent(new CustomEvent("orders:answered"));
  }
}

async function post(battle, data) {
  const answer = await fetch(battle.dataset.fragment, { method: "POST", body: data, signal: AbortSignal.timeout(PATIENCE) });
  if (isLogin(answer)) {
    logIn();
    return;
  }
  // The first orders on the front page began a battle, which has a page of its own.
  if (answer.redirected && !battle.dataset.socket) {
    battle.dispatchEvent(new CustomEvent("orders:sent"));
    location.assign(answer.url);
    return;
  }
  if (answer.status === 403) {
    fail(say("notSentOutOfDate"));
    return;
  }
  if (![200, 409, 422].includes(answer.status)) {
    fail(say("notAccepted"));
    return;
  }
  const was = stateOf(battle).stage;
  const turn = was.split(".")[0];
  const page = parse(await answer.text());
  const fresh = page.querySelector("#state")?.dataset;
  if (fresh?.state === "sealed" || (fresh && fresh.stage !== was)) {
    battle.dispatchEvent(new CustomEvent("orders:sent"));
    endChange();
  }
  replaceAll(battle, page);
  battle.dispatchEvent(new CustomEvent("board:replaced"));
  const isRevealed = answer.ok && fresh && fresh.stage.split(".")[0] !== turn;
  if (isRevealed) {
    battle.dispatchEvent(new CustomEvent("turn:revealed"));
  }
  if (document.querySelector("[name=confirmed]")) {
    document.getElementById("ready")?.focus({ preventScroll: true });
  } else if (answer.ok) {
    if (isRevealed) {
      announceTurn();
    } else {
      announce(document.querySelector("#order-bar .note")?.textContent.trim() ?? "");
    }
    focusCall();
  } else {
    document.getElementById("line")?.focus();
  }
}

function fail(words) {
  problem(words);
  document.getElementById("ready")?.focus();
}

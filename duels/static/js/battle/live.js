// Live updates: a socket that says "changed", or polling if there is no socket. To someone who is not logged in, the
// socket also brings the new page.
import { countDown, readServerTime, watchClock } from "./clock.js";
import { announce, announceTurn, endChange, focusCall, isChanging, keepFocus, listed, parse, replaceAll, replaceCall, say, showTitle, stateOf, tellLoggedOut } from "./parts.js";

const POLL = 4000;
// How often a player who waits for the others asks although the socket is open: a wake-up can get lost.
const CHECK = 20000;
// How long a spectator waits for the new page before asking for it; each one a little longer or shorter than others.
const BROUGHT_WITHIN = 1500;
// How long after the end the first request for the new rating follows; each later one after twice the time.
const SETTLING = 1000;
const LONGEST_SETTLING = 60000;
// For how long a press keeps the page as it is: a button that is replaced before its release gets no click.
const PRESS = 1000;
// How long a page without a socket asks for a rematch.
const LONGEST_WAIT = 600000;
let socket = null;
let tries = 0;
let busy = false;
let again = false;
let sending = false;
let sends = 0;
let asking = 0;
let endedAt = 0;
let here = [];
let pressed = -PRESS;

export function watchBattle(battle) {
  if (!battle.dataset.socket) {
    return;
  }
  connect(battle);
  document.addEventListener("visibilitychange", tellSight);
  battle.addEventListener("board:replaced", () => showHere(battle));
  battle.addEventListener("orders:sending", () => {
    sending = true;
    sends += 1;
  });
  battle.addEventListener("orders:answered", () => {
    sending = false;
    catchUp(battle);
  });
  if (isOver(battle) && !mayPlayAgain(battle)) {
    return;
  }
  watchPresses(battle);
  watchClock(() => refresh(battle));
  setInterval(() => poll(battle), POLL);
  setInterval(() => stateOf(battle).state === "sealed" && document.visibilityState !== "hidden" && compare(battle), CHECK);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh(battle));
  battle.addEventListener("orders:sent", dropMessages);
  battle.addEventListener("turn:revealed", dropMessages);
  window.addEventListener("online", () => refresh(battle));
}

function watchPresses(battle) {
  battle.addEventListener("pointerdown", () => {
    pressed = performance.now();
  });
  for (const name of ["click", "pointercancel"]) {
    battle.addEventListener(name, () => {
      pressed = -PRESS;
    }, true);
  }
}

function connect(battle) {
  const address = new URL(battle.dataset.socket, location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.searchParams.set("language", document.documentElement.lang);
  try {
    socket = new WebSocket(address);
  } catch {
    return;
  }
  socket.addEventListener("open", () => {
    battle.dataset.live = "yes";
    if (tries) {
      refresh(battle);
    } else {
      // No wake-up has reported changes since this page was rendered.
      compare(battle);
    }
    tries = 0;
    if (document.visibilityState === "hidden") {
      tellSight();
    }
  });
  socket.addEventListener("message", (event) => receive(battle, JSON.parse(event.data)));
  socket.addEventListener("close", (event) => {
    socket = null;
    delete battle.dataset.live;
    meet(battle, []);
    if (event.code < 4000) {
      tries += 1;
      poll(battle);
      setTimeout(() => connect(battle), Math.min(30000, 500 * 2 ** tries));
    }
  });
}

// A player whose page is in a hidden tab is not here.
function tellSight() {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(document.visibilityState);
  }
}

function receive(battle, message) {
  if (message.here) {
    meet(battle, message.here);
    return;
  }
  if (message.chat) {
    battle.dispatchEvent(new CustomEvent("chat:said"));
    return;
  }
  clearTimeout(asking);
  if (message.html) {
    show(battle, parse(message.html));
  } else if (battle.dataset.stranger) {
    asking = setTimeout(() => refresh(battle), BROUGHT_WITHIN * (1 + Math.random()));
  } else {
    refresh(battle);
  }
}

// Shows which of the other players have the page open.
function meet(battle, names) {
  const came = names.filter((name) => !here.includes(name));
  here = names;
  showHere(battle);
  if (came.length) {
    announce(say(came.length === 1 ? "oneHere" : "moreHere", { mages: listed(came) }));
  }
}

function showHere(battle) {
  for (const mark of battle.querySelectorAll("[data-here]")) {
    mark.hidden = !here.includes(mark.dataset.here);
  }
}

const isOver = (battle) => stateOf(battle).state === "over";

// The players of a battle that is over wait for its rematch.
const mayPlayAgain = (battle) => isOver(battle) && battle.querySelector(".dock.end") !== null;

function poll(battle) {
  if (isOver(battle)) {
    endedAt ||= performance.now();
    if (!mayPlayAgain(battle) || performance.now() - endedAt > LONGEST_WAIT) {
      return;
    }
  }
  if (socket?.readyState !== WebSocket.OPEN && document.visibilityState !== "hidden" && !battle.dataset.loggedOut) {
    compare(battle);
  }
}

// Asks how far the battle is, and fetches the page if that is not what it shows.
async function compare(battle) {
  if (mayPlayAgain(battle)) {
    // The API does not mention a rematch.
    refresh(battle);
    return;
  }
  try {
    const answer = await fetch(battle.dataset.api, { headers: { Accept: "application/json" } });
    readServerTime(answer);
    const { key, status, waiting_for: waiting, time } = await answer.json();
    const over = status === "finished" || status === "annulled";
    const page = stateOf(battle);
    const now = [`${key.seq}.${key.attempt}.${key.stage}`, waiting.join(","), time ?? "", over];
    if (now.join("|") !== [page.stage, page.waiting, page.time, page.state === "over"].join("|")) {
      refresh(battle);
    }
  } catch {
    // The next poll tries again.
  }
}

// One request at a time, and none beside orders that are being sent: whichever response came last would win, and an
// older page would replace a newer one.
async function refresh(battle) {
  if (busy || sending) {
    again = true;
    return;
  }
  busy = true;
  const before = sends;
  try {
    // Nobody sees what a hidden page fetches, so the server still sends it by email.
    const headers = { "X-Requested-With": "fetch", "X-Page": document.visibilityState };
    const answer = await fetch(battle.dataset.fragment, { headers });
    const text = await answer.text();
    if (before !== sends) {
      again = true;
    } else if (answer.ok) {
      show(battle, parse(text));
    }
  } catch {
    // The next wake-up or poll tries again.
  } finally {
    busy = false;
    catchUp(battle);
  }
}

function catchUp(battle) {
  if (again && !busy && !sending) {
    again = false;
    refresh(battle);
  }
}

function show(battle, page) {
  update(battle, page);
  document.querySelector("[data-draw-offer]")?.toggleAttribute("hidden", stateOf(battle).draw !== "yes");
}

function update(battle, page) {
  const old = { ...stateOf(battle) };
  const fresh = page.querySelector("#state")?.dataset;
  if (!fresh) {
    return;
  }
  if (performance.now() - pressed < PRESS) {
    setTimeout(() => refresh(battle), PRESS);
    return;
  }
  // A spectator's page must not replace the player's own page with orders on it.
  if (old.mage && !fresh.mage && fresh.key === old.key && document.getElementById("problems")) {
    tellLoggedOut(battle);
    return;
  }
  delete battle.dataset.loggedOut;
  // So that a time which is counting down does not look different.
  countDown(page);
  const typing = battle.contains(document.activeElement) && document.activeElement.matches("textarea, #line");
  const changing = isChanging();
  if (fresh.key !== old.key) {
    reveal(battle, page);
  } else if (fresh.state !== old.state && !typing && !changing) {
    replaceAll(battle, page);
    battle.dispatchEvent(new CustomEvent("board:replaced"));
  } else if (fresh.state === "over") {
    replaceEnd(battle, page);
  } else {
    replaceNews(battle, page, fresh, old, changing);
  }
}

// After the end, someone may ask for a rematch; the rating and the analysis follow a moment later.
const ENDING = [".end-body", ".dock.end"];

function replaceEnd(battle, page) {
  const textOf = (root, name) => root.querySelector(name)?.textContent ?? "";
  // *Share* says something else once it has been pressed.
  const endOf = (root) => ENDING.map((each) => textOf(root, each)).join("|").replace(textOf(root, "[data-share]"), "");
  if (endOf(page) === endOf(battle)) {
    return;
  }
  const focused = battle.querySelector(".dock.end")?.contains(document.activeElement);
  replaceAll(battle, page);
  battle.dispatchEvent(new CustomEvent("board:replaced"));
  const said = battle.querySelector(".rematch-note");
  if (said) {
    announce(said.textContent);
  }
  if (focused) {
    battle.querySelector(".dock.end .button").focus({ preventScroll: true });
  }
}

// Fetches the page of a battle that has just ended until it says what the battle did to the player's rating.
function awaitRating(battle, pause = SETTLING) {
  if (battle.querySelector("[data-settling]") && pause < LONGEST_SETTLING) {
    setTimeout(() => {
      refresh(battle);
      awaitRating(battle, 2 * pause);
    }, pause);
  }
}

// Within the same turn, replaces only what depends on the others' readiness and on time.
function replaceNews(battle, page, fresh, old, changing) {
  for (const name of changing ? [".side-above .chips"] : [".call", ".side-above .chips", ".order-bar .for-whom"]) {
    const news = page.querySelectorAll(name);
    battle.querySelectorAll(name).forEach((each, index) => {
      if (news[index] && news[index].outerHTML !== each.outerHTML) {
        if (name === ".call") {
          replaceCall(each, news[index]);
        } else {
          keepFocus(() => each.replaceWith(document.adoptNode(news[index])));
        }
      }
    });
  }
  if (battle.querySelector(".presence")) {
    replacePresence(battle.querySelector(".presence"), page.querySelector(".presence"));
  }
  replaceDraw(battle.querySelector(".draw-slot"), page.querySelector(".draw-slot"));
  const isTold = replaceTime(battle.querySelector(".time-box"), page.querySelector(".time-box"));
  const before = old.ready.split(",");
  const came = fresh.ready.split(",").filter((name) => name && !before.includes(name) && name !== fresh.mage);
  Object.assign(battle.querySelector("#state").dataset, {
    ready: fresh.ready,
    waiting: fresh.waiting,
    time: isTold ? fresh.time : old.time,
    title: fresh.title,
    count: fresh.count,
    draw: fresh.draw ?? "",
  });
  if (!changing) {
    showTitle(battle);
  }
  if (came.length) {
    announce(say(came.length === 1 ? "oneReady" : "moreReady", { mages: listed(came) }));
  }
}

// Shows who is still missing at the start of a live battle, and the button for it, until nobody is.
function replacePresence(old, fresh) {
  if (!fresh) {
    old.remove();
    dropMessages();
  } else if (!old.contains(document.activeElement)) {
    old.replaceWith(document.adoptNode(fresh));
  }
}

// Shows the offer of a draw as soon as it is made, and removes it when it is gone. The question before an offer of one's
// own stays, unless the other player was faster.
function replaceDraw(old, fresh) {
  if (!old || !fresh || old.dataset.mark === fresh.dataset.mark || ("asked" in old.dataset && !fresh.firstElementChild)) {
    return;
  }
  keepFocus(() => old.replaceWith(document.adoptNode(fresh)));
  const told = fresh.querySelector("[data-told]");
  if (told) {
    announce(told.textContent);
  }
}

// What the site said before is no longer true.
function dropMessages() {
  document.querySelectorAll("#main > div.notes[role=status]:not([data-offline])").forEach((each) => each.remove());
}

// Does not disturb a user in a field or on a button: returns false, and the next poll tries again.
function replaceTime(old, fresh) {
  const focused = old?.contains(document.activeElement) ? document.activeElement : null;
  if (!old || !fresh) {
    return true;
  }
  if (focused?.matches("input, select, button")) {
    return false;
  }
  fresh.open ||= old.open;
  if (fresh.outerHTML !== old.outerHTML) {
    old.replaceWith(document.adoptNode(fresh));
    if (focused?.matches("summary")) {
      fresh.querySelector("summary").focus({ preventScroll: true });
    }
  }
  return true;
}

function reveal(battle, page) {
  endChange();
  replaceAll(battle, page);
  battle.dispatchEvent(new CustomEvent("board:replaced"));
  battle.dispatchEvent(new CustomEvent("turn:revealed"));
  awaitRating(battle);
  if (stateOf(battle).waits === "yes") {
    battle.dispatchEvent(new CustomEvent("turn:mine"));
  }
  announceTurn();
  focusCall();
}

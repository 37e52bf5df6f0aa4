// Updates parts of the page from a response without disturbing scrolling, focus or typing.

const CHANGES = ["change", "resign"];

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");
export const announce = (text) => {
  document.getElementById("announcer").textContent = text.replace(/\s+/g, " ").trim();
};
// A sentence in the language of the page, with the values of its {slots}.
export const say = (name, slots = {}) =>
  document.getElementById("texts").dataset[name].replace(/\{(\w+)\}/g, (_, slot) => slots[slot]);
// Names in a list, in the language of the page: A, B and C.
export const listed = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);
// Says what the last turn did to the reader: the call, and every open sentence of the story.
export function announceTurn() {
  const sums = document.querySelector(".story > .sums")?.querySelectorAll(".sum > span") ?? [];
  announce([document.querySelector("#call .move") ?? document.getElementById("call"), ...sums].map((each) => each?.textContent.trim().replace(/([^.!?])$/, "$1.")).join(" "));
}
export const stateOf = (root) => root.querySelector("#state")?.dataset ?? {};

// Changes the page without losing the reader's place: if the focused element is replaced, its successor gets the focus, or
// the heading if there is none. Focus that falls to the body would begin again at the top of the page.
export function keepFocus(change) {
  const old = document.activeElement;
  change();
  if (old && !old.isConnected && document.activeElement === document.body) {
    const { id, name, value } = old;
    const next = id ? document.getElementById(id) : name && document.querySelector(`[name="${name}"][value="${CSS.escape(value)}"]`);
    (next ?? document.getElementById("call"))?.focus({ preventScroll: true });
  }
}

// Replaces every [data-part] of the page that differs in the response.
export function replaceParts(answer, skip = () => false) {
  keepFocus(() => swapParts(answer, skip));
  document.getElementById("battle").dispatchEvent(new CustomEvent("parts:replaced"));
}

function swapParts(answer, skip) {
  for (const fresh of answer.querySelectorAll("[data-part]")) {
    const old = document.querySelector(`[data-part="${fresh.dataset.part}"]`);
    if (!old || skip(fresh.dataset.part) || old.outerHTML === fresh.outerHTML) {
      continue;
    }
    if (old instanceof HTMLButtonElement) {
      become(old, fresh);
      continue;
    }
    if (fresh.dataset.part === "questions") {
      updateRows(old, fresh);
    } else {
      old.replaceWith(document.adoptNode(fresh));
    }
  }
}

// Brings the heading up to date, which keeps the focus, and replaces what is below it.
export function replaceCall(old, fresh) {
  become(old.querySelector("h1"), fresh.querySelector("h1"));
  keepFocus(() => old.querySelector(".call-more").replaceWith(document.adoptNode(fresh.querySelector(".call-more"))));
}

// Keeps the button element, so that a press in progress is not lost.
function become(button, fresh) {
  copyAttributes(button, fresh);
  button.replaceChildren(...fresh.childNodes);
}

// Keeps the rows that are the same in both, so that a list which the reader has just opened stays open.
function updateRows(old, fresh) {
  copyAttributes(old, fresh);
  const rows = [...fresh.children];
  const kept = new Set(rows.map((row) => row.outerHTML));
  [...old.children].filter((row) => !kept.has(row.outerHTML)).forEach((row) => row.remove());
  rows.forEach((row, index) => {
    if (old.children[index]?.outerHTML !== row.outerHTML) {
      old.insertBefore(document.adoptNode(row), old.children[index] ?? null);
    }
  });
  while (old.children.length > rows.length) {
    old.lastElementChild.remove();
  }
}

function copyAttributes(element, fresh) {
  for (const name of new Set([...element.getAttributeNames(), ...fresh.getAttributeNames()])) {
    if (fresh.hasAttribute(name)) {
      element.setAttribute(name, fresh.getAttribute(name));
    } else {
      element.removeAttribute(name);
    }
  }
}

// Whether the page shows orders for changes that are in already, or asks about a surrender: only its address says so.
export const isChanging = () => CHANGES.some((each) => new URL(location.href).searchParams.has(each));

export function endChange() {
  const address = new URL(location.href);
  CHANGES.forEach((each) => address.searchParams.delete(each));
  history.replaceState(null, "", address);
}

// The elements that scroll besides the window, on a page as high as the window.
const scrollers = [".finale", ".scene", ".battle-main", ".story-column"];

// The styles of the end come with it, and stay: a style sheet that is replaced would let the page flash.
function keepStyles(answer) {
  for (const link of answer.querySelectorAll("link[rel=stylesheet]")) {
    if (document.head.querySelector(`link[href="${link.getAttribute("href")}"]`)) {
      link.remove();
    } else {
      document.head.append(document.adoptNode(link));
    }
  }
}

// Replaces the whole live part without moving what is on the screen.
export function replaceAll(battle, answer) {
  keepStyles(answer);
  const scroll = window.scrollY;
  const scrolled = scrollers.map((each) => battle.querySelector(each)?.scrollTop ?? 0);
  const open = [...battle.querySelectorAll("details[open][id]")].map((each) => each.id);
  keepFocus(() => battle.replaceChildren(...[...answer.body.childNodes].map((node) => document.adoptNode(node))));
  open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
  window.scrollTo({ top: scroll, behavior: "instant" });
  scrollers.forEach((each, index) => battle.querySelector(each)?.scrollTo({ top: scrolled[index], behavior: "instant" }));
  showTitle(battle);
}

export function showTitle(battle) {
  const { title, count } = stateOf(battle);
  document.title = title;
  const waiting = Number(count) > 0;
  const icon = document.querySelector("[data-favicon]");
  icon.href = waiting ? icon.dataset.waiting : icon.dataset.quiet;
  const badge = document.querySelector(".crumb [data-count]");
  if (badge) {
    showCount(badge, Number(count));
  }
}

// Shows a number, and in words what it counts; hides it if it is 0.
export function showCount(badge, count) {
  badge.hidden = !count;
  badge.firstElementChild.textContent = count;
  badge.lastElementChild.textContent = (count === 1 ? badge.dataset.one : badge.dataset.more).replace("{n}", count);
}

// The heading says what to do now. If it is scrolled out of view, scrolls back: focus off the screen helps nobody.
export function focusCall() {
  const call = document.getElementById("call");
  call?.focus({ preventScroll: true });
  if (call && call.getBoundingClientRect().top < 0) {
    window.scrollTo({ top: 0, behavior: "instant" });
  }
  scrollers.forEach((each) => document.querySelector(each)?.scrollTo({ top: 0, behavior: "instant" }));
}

// Shows a sentence under the order line.
export function problem(words) {
  const line = document.createElement("p");
  line.className = "field-error";
  line.textContent = words;
  document.getElementById("problems")?.replaceChildren(line);
}

// Marks the line as wrong while there are problems below it.
export function markLine() {
  const line = document.getElementById("line");
  const wrong = document.querySelector("#problems .field-error") !== null;
  line?.closest(".line-box").classList.toggle("wrong", wrong);
  line?.setAttribute("aria-invalid", wrong);
}

// If the session has ended, the response is the log-in page.
export const isLogin = (answer) => answer.redirected && new URL(answer.url).pathname.startsWith("/accounts/");

export function tellLoggedOut(battle) {
  battle.dataset.loggedOut = "yes";
  problem(say("loggedOut"));
}

export function logIn() {
  location.assign(`/accounts/login/?next=${encodeURIComponent(location.pathname + location.search)}`);
}

export const changed = (battle) => battle.dispatchEvent(new CustomEvent("orders:changed"));

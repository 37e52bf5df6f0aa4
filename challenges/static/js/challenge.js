// Keeps the page of a challenge up to date. A socket says that something changed, never what; the page then fetches
// what its user may see. Without the socket it polls every few seconds. When the battle starts, the page goes to it.
const EVERY = 4000;
const CALM = 60000;
const RETRY = 15000;
const GONE = new Set([4401, 4404]);

// For so long after the terms change on the page, a press was meant for the old ones.
const TAKEN_IN = 1000;

let socket = null;
let looked = 0;
let asked = 0;
let shown = 0;
let waiting = false;
let changedAt = 0;

const page = () => document.getElementById("challenge");
const announcer = () => document.getElementById("announcer");
const isOpen = () => page()?.dataset.open !== undefined;

async function look() {
  if (!isOpen()) {
    return;
  }
  looked = Date.now();
  const mark = ++asked;
  const answer = await fetch(location.href);
  if (answer.redirected) {
    // A hidden tab does not navigate: its title says that there is something new.
    if (document.visibilityState === "hidden") {
      document.title = `● ${announcer().dataset.started}`;
    } else {
      location.assign(answer.url);
    }
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("challenge");
  if (mark < shown) {
    // A later request was answered first.
    return;
  }
  shown = mark;
  if (answer.ok && fresh && fresh.textContent !== page().textContent) {
    show(fresh);
  }
}

// Do not replace a field that is being edited: the page updates once the field loses focus.
function show(fresh) {
  const focused = page().contains(document.activeElement) ? document.activeElement : null;
  if (focused?.matches("select, input:not([type=hidden], [readonly]), textarea")) {
    waiting = true;
    return;
  }
  waiting = false;
  for (const fold of page().querySelectorAll("details[id][open]")) {
    fresh.querySelector(`#${CSS.escape(fold.id)}`)?.setAttribute("open", "");
  }
  carryOver(page(), fresh);
  if (termsOf(fresh) !== termsOf(page())) {
    changedAt = Date.now();
  }
  const id = focused?.id;
  page().replaceWith(document.adoptNode(fresh));
  if (focused) {
    const again = id && document.getElementById(id);
    (again || page().querySelector("h1")).focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent("page:replaced"));
  announcer().textContent = announcer().dataset.changed;
}

const termsOf = (root) => root.querySelector("[name=terms]")?.value;

// Keeps what is chosen but not sent, if the new page still has the field and the choice.
function carryOver(old, fresh) {
  for (const field of old.querySelectorAll("select[id], textarea[id], input[id]:not([type=hidden], [readonly])")) {
    const same = fresh.querySelector(`#${CSS.escape(field.id)}`);
    if (!same || same.type !== field.type) {
      continue;
    }
    if (field.matches("[type=checkbox], [type=radio]")) {
      same.checked = field.checked;
    } else if (!field.matches("select") || [...same.options].some((each) => each.value === field.value)) {
      same.value = field.value;
    }
  }
}

function connect() {
  const address = new URL(page().dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.addEventListener("open", () => quietly(look));
  socket.addEventListener("message", () => quietly(look));
  socket.addEventListener("close", (event) => {
    socket = null;
    if (!GONE.has(event.code) && isOpen()) {
      setTimeout(connect, RETRY);
    }
  });
}

function quietly(work) {
  work().catch(() => undefined);
}

document.addEventListener("submit", (event) => {
  if (event.target.elements.terms && Date.now() - changedAt < TAKEN_IN) {
    event.preventDefault();
  }
});

if (isOpen()) {
  connect();
  setInterval(() => {
    const pause = socket?.readyState === WebSocket.OPEN || document.visibilityState === "hidden" ? CALM : 0;
    if (waiting || Date.now() - looked >= pause) {
      quietly(look);
    }
  }, EVERY);
  document.addEventListener("visibilitychange", () => quietly(look));
}

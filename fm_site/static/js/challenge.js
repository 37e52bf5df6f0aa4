// The page of a challenge changes by itself. A socket says that something changed, never what; the page comes and reads
// what its user may see. Without the socket it looks every few seconds. Once the battle begins the page leads to it.
const EVERY = 4000;
const CALM = 60000;
const RETRY = 15000;
const GONE = new Set([4401, 4404]);

let socket = null;
let looked = 0;
let waiting = false;

const page = () => document.getElementById("challenge");
const isOpen = () => page()?.dataset.open !== undefined;

async function look() {
  if (!isOpen()) {
    return;
  }
  looked = Date.now();
  const answer = await fetch(location.href);
  if (answer.redirected) {
    // Nobody is led anywhere in a tab they do not see: its title says that there is something new.
    if (document.visibilityState === "hidden") {
      document.title = "● The battle has begun";
    } else {
      location.assign(answer.url);
    }
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("challenge");
  if (answer.ok && fresh && fresh.textContent !== page().textContent) {
    show(fresh);
  }
}

// A choice that is being made is not taken away: the page changes once the field has lost the focus.
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
  const id = focused?.id;
  page().replaceWith(document.adoptNode(fresh));
  if (focused) {
    const again = id && document.getElementById(id);
    (again || page().querySelector("h1")).focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent("page:replaced"));
  document.getElementById("announcer").textContent = "The challenge has changed.";
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

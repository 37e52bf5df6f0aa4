// Keeps the lobby up to date: a socket brings the rows that changed, and the order of all. Without it, the page is
// fetched every few seconds. Lines are sent without leaving the page.
const POLL = 10000;
const RETRY = 15000;
const GONE = new Set([4401, 4404]);
const page = document.getElementById("lobby-page");
const arms = document.getElementById("lobby-arms");
const part = (name) => page.querySelector(`[data-part="${name}"]`);
let socket = null;

function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Symbols stay on the page when the row that brought them goes: other rows refer to them.
function keepArms(content) {
  const sprite = content.querySelector("svg.sprite");
  if (!sprite) {
    return;
  }
  for (const known of [...sprite.children].filter((symbol) => document.getElementById(symbol.id))) {
    known.remove();
  }
  arms.append(sprite);
}

function drawRow(html) {
  const content = parse(html);
  keepArms(content);
  const row = content.querySelector("li");
  row.classList.toggle("mine", row.dataset.user === page.dataset.me);
  for (const time of row.querySelectorAll("time")) {
    time.textContent = tell(new Date(time.dateTime));
  }
  return row;
}

// The time of a line in the reader's zone, with its day unless that is today.
function tell(moment) {
  const zone = { timeZone: page.dataset.zone };
  // The page's English writes 29 Nov, not Nov 29.
  const language = document.documentElement.lang.replace(/^en$/, "en-GB");
  const day = (of) => of.toLocaleDateString(language, { ...zone, day: "numeric", month: "short" });
  const clock = moment.toLocaleTimeString(language, { ...zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return day(moment) === day(new Date()) ? clock : `${day(moment)}, ${clock}`;
}

const isInUse = (row) => row.contains(document.activeElement) || row.querySelector("details[open]");

function apply(name, { order, rows }) {
  const list = part(name);
  if (!list) {
    return;
  }
  const isTalk = name === "lines";
  const box = list.parentElement;
  const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 40;
  const shown = new Map([...list.children].map((row) => [row.dataset.key, row]));
  for (const [key, row] of shown) {
    // Of the talk only the last lines come.
    if (!order.includes(key) && (!isTalk || !order.length || Number(key) >= Number(order[0]))) {
      row.remove();
      shown.delete(key);
    }
  }
  let last = isTalk ? [...list.children].findLast((row) => Number(row.dataset.key) < Number(order[0])) : null;
  for (const key of order) {
    let row = shown.get(key);
    const fresh = rows[key] && drawRow(rows[key]);
    if (fresh && (!row || (row.dataset.mark !== fresh.dataset.mark && !isInUse(row)))) {
      row?.replaceWith(fresh);
      row = fresh;
    }
    if (row && (last ? last.nextElementSibling !== row : list.firstElementChild !== row)) {
      list.insertBefore(row, last ? last.nextElementSibling : list.firstElementChild);
    }
    last = row ?? last;
  }
  if (isTalk && isAtEnd) {
    box.scrollTop = box.scrollHeight;
  }
}

function show(news) {
  const own = part("own") && [...part("own").children].map((row) => row.dataset.key);
  for (const name of ["own", "seeks", "here", "lines"]) {
    if (news[name]) {
      apply(name, news[name]);
    }
  }
  const count = page.querySelector("[data-count]");
  if (count && news.count) {
    count.textContent = news.count;
  }
  // Somebody has joined: the page of the challenge leads to the battle.
  const begun = news.own && own?.find((key) => !news.own.order.includes(key));
  if (begun && document.visibilityState === "visible" && !page.querySelector("[name=text]")?.value) {
    location.assign(`/challenges/${begun}/`);
  }
}

async function look() {
  const answer = await fetch(location.href);
  if (!answer.ok || answer.redirected) {
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const sprite = fresh.querySelector("main svg.sprite")?.outerHTML ?? "";
  const news = { count: fresh.querySelector("[data-count]")?.textContent };
  for (const list of fresh.querySelectorAll("[data-part]")) {
    const rows = [...list.children].map((row) => [row.dataset.key, row.outerHTML + sprite]);
    news[list.dataset.part] = { order: rows.map(([key]) => key), rows: Object.fromEntries(rows) };
  }
  show(news);
}

function connect() {
  const address = new URL(page.dataset.socket, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("language", document.documentElement.lang);
  socket = new WebSocket(address);
  socket.addEventListener("message", (event) => {
    const news = JSON.parse(event.data);
    // Lines that came while the socket was closed are on the page itself.
    const first = news.lines?.order[0];
    const last = part("lines").lastElementChild?.dataset.key;
    show(news);
    if (first && last && Number(last) < Number(first)) {
      quietly(look);
    }
  });
  socket.addEventListener("close", (event) => {
    socket = null;
    if (!GONE.has(event.code)) {
      setTimeout(connect, RETRY);
    }
  });
}

const quietly = (work) => work().catch(() => undefined);

function watchForm(form) {
  const problem = page.querySelector("[data-problem]");
  const field = form.elements.text;
  // A line that was not sent keeps its key, so that it is written once if it arrived after all.
  const renew = () => {
    form.elements.once.value = [...crypto.getRandomValues(new Uint8Array(8))].map((each) => each.toString(16).padStart(2, "0")).join("");
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value;
    if (!text.trim() || form.hasAttribute("aria-busy")) {
      return;
    }
    const data = new FormData(form);
    data.set("at_once", "1");
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: data });
      if (answer.redirected) {
        location.reload();
        return;
      }
      const told = (await answer.json()).problem;
      problem.textContent = told;
      if (!told) {
        field.value = field.value === text ? "" : field.value;
        renew();
        if (!socket) {
          quietly(look);
        }
      }
    } catch {
      problem.textContent = page.dataset.offlineWords;
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
}

connect();
const poll = () => !socket && document.visibilityState === "visible" && quietly(look);
setInterval(poll, POLL);
document.addEventListener("visibilitychange", poll);
const form = page.querySelector(".talk-form");
if (form) {
  watchForm(form);
}
const lines = part("lines").parentElement;
lines.scrollTop = lines.scrollHeight;

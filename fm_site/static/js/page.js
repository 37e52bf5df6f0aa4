// What every page of a user does: registers the service worker, says when it shows an old state, shows in the title and
// icon of a page in another tab that something waits, and opens the panel of the bell.
import "./menu.js";

const EVERY = 30000;
const bell = document.querySelector("[data-bell]");
let known = Number(document.body.dataset.waiting);
let isStale = false;
const offline = document.querySelector("[data-offline]");

function show(count) {
  const bare = document.title.replace(/^● /, "");
  document.title = count ? `● ${bare}` : bare;
  const icon = document.querySelector("[data-favicon]");
  icon.href = count ? icon.dataset.waiting : icon.dataset.quiet;
  for (const badge of document.querySelectorAll(".count[data-count]")) {
    badge.hidden = !count;
    badge.firstElementChild.textContent = count;
    badge.lastElementChild.textContent = (count === 1 ? badge.dataset.one : badge.dataset.more).replace("{n}", count);
  }
}

function showNews(count) {
  const badge = document.querySelector("[data-news]");
  if (badge) {
    badge.hidden = !count;
    badge.firstElementChild.textContent = count;
  }
}

async function look() {
  const answer = await fetch("/waiting/");
  if (!answer.ok) {
    return;
  }
  const { count, news } = await answer.json();
  showNews(news);
  if (count !== known) {
    known = count;
    isStale = true;
    show(count);
  }
  renew();
}

// Reloads the home page once it is visible and nothing on it is being chosen.
function renew() {
  const isBusy = document.activeElement?.matches("select, input, textarea");
  if (isStale && document.body.dataset.home !== undefined && document.visibilityState === "visible" && !isBusy) {
    location.reload();
  }
}

if (document.body.dataset.waiting) {
  setInterval(() => look().catch(() => undefined), EVERY);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look().catch(() => undefined));
}

if (bell) {
  bell.setAttribute("aria-haspopup", "dialog");
  bell.setAttribute("aria-expanded", "false");
  bell.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      return;
    }
    event.preventDefault();
    import("./bell.js").then(({ turn }) => turn()).catch(() => location.assign(bell.href));
  });
}

function showOffline() {
  if (offline) {
    offline.hidden = navigator.onLine;
  }
}

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}
window.addEventListener("online", showOffline);
window.addEventListener("offline", showOffline);
if (!navigator.onLine) {
  showOffline();
}

// A reader with a page open in another tab sees by its title and icon that something waits for them.
const EVERY = 30000;
let known = Number(document.body.dataset.waiting);
let isStale = false;

function show(count) {
  const bare = document.title.replace(/^● /, "");
  document.title = count ? `● ${bare}` : bare;
  const icon = document.querySelector("[data-favicon]");
  icon.href = count ? icon.dataset.waiting : icon.dataset.quiet;
  for (const badge of document.querySelectorAll("[data-count]")) {
    badge.hidden = !count;
    badge.firstElementChild.textContent = count;
  }
}

async function look() {
  const answer = await fetch("/waiting/");
  if (!answer.ok) {
    return;
  }
  const { count } = await answer.json();
  if (count !== known) {
    known = count;
    isStale = true;
    show(count);
  }
  renew();
}

// The home page is read anew, once somebody looks at it and nothing on it is being chosen.
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

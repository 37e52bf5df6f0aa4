// The page of a challenge changes by itself: a mage takes a seat, and once the battle begins the page leads to it.
const EVERY = 4000;

async function look() {
  const old = document.getElementById("challenge");
  if (document.visibilityState === "hidden" || old?.dataset.open === undefined) {
    return;
  }
  const answer = await fetch(location.href);
  if (answer.redirected) {
    location.assign(answer.url);
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("challenge");
  const inUse = old.contains(document.activeElement) && document.activeElement.matches("select, button");
  if (answer.ok && fresh && !inUse && fresh.textContent !== old.textContent) {
    old.replaceWith(document.adoptNode(fresh));
  }
}

setInterval(() => look().catch(() => undefined), EVERY);
document.addEventListener("visibilitychange", () => look().catch(() => undefined));

// Keeps the open challenges on the page up to date: it asks every few seconds while the page is visible.
const EVERY = 10000;
const list = () => document.getElementById("lobby");

async function look() {
  if (document.visibilityState === "hidden" || list().contains(document.activeElement)) {
    return;
  }
  const answer = await fetch(list().dataset.fragment);
  const read = document.createElement("template");
  read.innerHTML = answer.ok && !answer.redirected ? await answer.text() : "";
  const fresh = read.content;
  // A form token differs each time, so compare the visible text.
  if (fresh.childElementCount && fresh.textContent !== list().textContent && !list().contains(document.activeElement)) {
    list().replaceChildren(...fresh.childNodes);
  }
}

const quietly = () => look().catch(() => undefined);
if (list()) {
  setInterval(quietly, EVERY);
  document.addEventListener("visibilitychange", quietly);
}

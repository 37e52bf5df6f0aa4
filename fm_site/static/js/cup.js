// The boards and the table of a cup that runs, read again twice a minute while the page is seen.

const EVERY = 30_000;

async function refresh() {
  const shown = document.querySelector("[data-cup]");
  if (!shown || document.hidden || shown.contains(document.activeElement)) return;
  let answer;
  try {
    answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  } catch {
    return; // no connection: what is shown stays, and the next time asks again
  }
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("[data-cup]");
  if (!fresh || fresh.innerHTML === shown.innerHTML) return;
  keepArms(page);
  shown.replaceWith(fresh);
}

// The arms of mages who were not on the page before come with it, and stay when the next refresh replaces the rest.
function keepArms(page) {
  const sprite = page.querySelector("#main > svg.sprite");
  for (const symbol of sprite?.querySelectorAll("symbol") ?? []) {
    if (document.getElementById(symbol.id)) symbol.remove();
  }
  if (sprite?.childElementCount) document.getElementById("main").append(sprite);
}

setInterval(refresh, EVERY);

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
  // The arms of mages who were not on the page before come with it.
  for (const symbol of page.querySelectorAll("symbol[id^='arms-']")) {
    if (!document.getElementById(symbol.id)) fresh.prepend(wrap(symbol));
  }
  shown.replaceWith(fresh);
}

function wrap(symbol) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "vh");
  svg.setAttribute("aria-hidden", "true");
  svg.append(symbol);
  return svg;
}

setInterval(refresh, EVERY);

// The panel of the bell. Without this script the bell is a link to the page of news.
const bell = document.querySelector("[data-bell]");
let panel, parts;

export async function turn() {
  if (panel) {
    close();
    return;
  }
  const [answer] = await Promise.all([fetch(bell.dataset.bell), style()]);
  if (!answer.ok || answer.redirected) {
    throw new Error(answer.status);
  }
  const piece = document.createRange().createContextualFragment(await answer.text());
  panel = piece.querySelector(".bell-panel");
  parts = [...piece.children];
  bell.after(piece);
  bell.setAttribute("aria-expanded", "true");
  panel.querySelector("h2").focus();
  panel.querySelector("form").addEventListener("submit", markAll);
}

// The page may lack the styles of news.
function style() {
  const href = bell.dataset.styles;
  if (document.querySelector(`link[href="${href}"]`)) {
    return undefined;
  }
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
    document.head.append(link);
  });
}

async function markAll(event) {
  event.preventDefault();
  const form = event.target;
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form) }).catch(() => undefined);
  if (!answer?.ok) {
    form.submit();
    return;
  }
  for (const line of document.querySelectorAll(".news-lines .unseen")) {
    line.classList.remove("unseen");
    line.querySelector(".vh")?.remove();
  }
  document.querySelector("[data-news]").hidden = true;
}

function close() {
  for (const part of parts) {
    part.remove();
  }
  panel = undefined;
  bell.setAttribute("aria-expanded", "false");
}

document.addEventListener("click", (event) => {
  if (panel && !panel.contains(event.target) && !bell.contains(event.target)) {
    close();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && panel) {
    close();
    bell.focus();
  }
});

// The turns that were fetched: each once for as long as the page is open.
const kept = new Map(); // address → the parts of that turn, or the promise of them

const key = (href) => href.split("#", 1)[0];

// The cached turn; undefined if it is not here yet.
export const found = (href) => (kept.get(key(href)) instanceof HTMLElement ? kept.get(key(href)) : undefined);

export async function take(href) {
  const address = key(href);
  if (!kept.has(address)) {
    const answer = ask(address);
    kept.set(address, answer);
    answer.then((parts) => kept.set(address, parts), () => kept.delete(address));
  }
  return kept.get(address);
}

// Fetches the turns that may be wanted next. It does not matter if that fails.
export const prepare = (link) => link && take(link.href).catch(() => {});

async function ask(address) {
  const url = new URL(address);
  url.searchParams.set("fragment", "turn");
  const answer = await fetch(url, { headers: { "X-Requested-With": "fetch" } });
  if (!answer.ok || answer.redirected) {
    throw new Error(answer.status);
  }
  return new DOMParser().parseFromString(await answer.text(), "text/html").body;
}

// Opens a collapsed turn, or the box about time, when a link leads to it.
export function openLinkedTurn(battle) {
  const open = () => {
    const place = /^#(turn-|time$)/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
    for (let box = place; box; box = box.parentElement?.closest("details")) {
      if (box.matches("details")) {
        box.open = true;
      }
    }
    place?.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", open);
  battle.addEventListener("click", (event) => event.target.closest('a[href^="#turn-"]') && setTimeout(open));
  open();
}

// Puts earlier turns in place of the link to them, and opens the nearest one. Without JavaScript the link is a page.
export function unfoldEarlierTurns(battle) {
  battle.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-earlier]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) {
      return;
    }
    event.preventDefault();
    try {
      const answer = await fetch(link.dataset.earlier, { headers: { "X-Requested-With": "fetch" } });
      if (!answer.ok) {
        throw new Error(answer.status);
      }
      const turns = [...new DOMParser().parseFromString(await answer.text(), "text/html").body.children];
      link.closest(".story-earlier").replaceWith(...turns.map((each) => document.adoptNode(each)));
      const first = turns[0]?.querySelector("summary");
      first?.parentElement.setAttribute("open", "");
      first?.focus({ preventScroll: true });
    } catch {
      location.assign(link.href);
    }
  });
}

// The battle page: pads and order line, draft, live updates, links to turns. Without JavaScript the page is a plain form.
import "./menu.js";
import { watchLine, watchPads } from "./battle/pads.js";
import { watchDock } from "./battle/dock.js";
import { watchDraft } from "./battle/draft.js";
import { watchSending } from "./battle/send.js";
import { watchBattle } from "./battle/live.js";
import { watchChat } from "./battle/chat.js";
import { watchSound } from "./battle/sound.js";
import { watchBeads, watchGuesses, watchReveal } from "./battle/board.js";
import { watchShare } from "./battle/share.js";

const battle = document.getElementById("battle");
if (battle) {
  document.documentElement.classList.add("scripted");
  watchPads(battle);
  watchLine(battle);
  watchDock(battle);
  watchBeads(battle);
  watchReveal(battle);
  watchDraft(battle);
  watchSending(battle);
  watchBattle(battle);
  watchGuesses(battle);
  watchShare(battle);
  watchChat(battle);
  watchSound(battle);
  openLinkedTurn(battle);
  unfoldEarlierTurns(battle);
}

// Opens a collapsed turn, or the box about time, when a link leads to it.
function openLinkedTurn(battle) {
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
function unfoldEarlierTurns(battle) {
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

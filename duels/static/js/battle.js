// The battle page: pads and order line, draft, live updates. Without JavaScript the page is a plain form.
import "./menu.js";
import { watchLine, watchPads } from "./battle/pads.js";
import { watchDock } from "./battle/dock.js";
import { watchDraft } from "./battle/draft.js";
import { watchSending } from "./battle/send.js";
import { watchBattle } from "./battle/live.js";
import { watchGuesses } from "./battle/guesses.js";
import { watchChat } from "./battle/chat.js";
import { watchSound } from "./battle/sound.js";
import { watchShare } from "./battle/share.js";
import { openLinkedTurn, unfoldEarlierTurns } from "./battle/story.js";

const battle = document.getElementById("battle");
if (battle) {
  document.documentElement.classList.add("scripted");
  watchPads(battle);
  watchLine(battle);
  watchDock(battle);
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

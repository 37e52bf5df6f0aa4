// The replay: steps within a turn, turns without a new page, keys and playing. Without JavaScript each turn is a page.
import "./menu.js";
import { watchBeads } from "./battle/board.js";
import { watchShare } from "./battle/share.js";
import { watchSteps } from "./replay/steps.js";
import { watchTurns } from "./replay/turns.js";

const replay = document.getElementById("replay");
if (replay) {
  document.documentElement.classList.add("scripted");
  watchSteps(replay);
  watchTurns(replay);
  watchShare(replay);
  watchBeads(replay);
}

// Sounds: two notes when it is your turn, or a knock with every turn and one sound for what it did to you. The account says
// which; a device can be silent, or begin to play.
import { announce, say } from "./parts.js";
import { hasMotion } from "./board.js";

const KEY = "sound";
// When beads have turned, and when the sentences appear, in milliseconds.
const KNOCK = 540;
const SENTENCE = 1140;
const SENTENCE_AT_REST = 300;
// Each note: pitch in hertz, the pitch it falls to, start and length in seconds, loudness, shape.
const NOTES = {
  turn: [[523, 523, 0, 0.16, 0.08], [784, 784, 0.13, 0.16, 0.08]],
  knock: [[180, 90, 0, 0.09, 0.2, "triangle"]],
  harm: [[110, 45, 0, 0.28, 0.3]],
  ward: [[660, 655, 0, 0.28, 0.05], [1320, 1310, 0, 0.16, 0.02]],
  summon: [[240, 160, 0, 0.07, 0.15, "triangle"], [240, 160, 0.13, 0.07, 0.15, "triangle"]],
  mind: [[494, 494, 0, 0.14, 0.07], [392, 392, 0.14, 0.15, 0.07]],
  nothing: [[900, 500, 0, 0.03, 0.06, "square"]],
};
NOTES.kill = NOTES.harm;
NOTES.cure = NOTES.ward;
const button = () => document.querySelector("[data-sound]");
let audio = null;
let later = [];

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

// "off", "turn" or "all".
function sounds(battle) {
  const chosen = battle.dataset.sounds ?? "off";
  const here = read();
  return here === "off" ? "off" : here === "on" && chosen === "off" ? "turn" : chosen;
}

export function watchSound(battle) {
  if (!window.AudioContext) {
    return;
  }
  battle.addEventListener("turn:mine", () => sounds(battle) === "turn" && play("turn"));
  battle.addEventListener("turn:revealed", () => sounds(battle) === "all" && tell(battle));
  if (button()) {
    watchButton(battle);
  }
}

function watchButton(battle) {
  button().hidden = false;
  button().setAttribute("aria-pressed", sounds(battle) !== "off");
  button().addEventListener("click", () => {
    const wanted = sounds(battle) === "off";
    try {
      localStorage.setItem(KEY, wanted ? "on" : "off");
    } catch {
      return;
    }
    button().setAttribute("aria-pressed", wanted);
    announce(say(wanted ? "soundOn" : "soundOff"));
    if (wanted) {
      play("turn");
    }
  });
}

// A knock as the beads turn, then at most the sound of the first sentence, which comes sooner without motion.
function tell(battle) {
  later.forEach(clearTimeout);
  const [knock, sentence] = hasMotion(battle) ? [KNOCK, SENTENCE] : [0, SENTENCE_AT_REST];
  const first = document.querySelector(".story > .sums .sign")?.classList[1] ?? "";
  later = [setTimeout(() => play("knock"), knock), setTimeout(() => play(first), sentence)];
}

// A browser lets no page play sounds before the user has touched it: then this does nothing.
function play(name) {
  audio ??= new AudioContext();
  audio.resume().catch(() => undefined);
  for (const [pitch, falls, after, length, volume, shape] of NOTES[name] ?? []) {
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    const start = audio.currentTime + after;
    note.type = shape ?? "sine";
    note.frequency.setValueAtTime(pitch, start);
    note.frequency.exponentialRampToValueAtTime(falls, start + length);
    loudness.gain.setValueAtTime(volume, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + length);
    note.connect(loudness).connect(audio.destination);
    note.start(start);
    note.stop(start + length);
  }
}

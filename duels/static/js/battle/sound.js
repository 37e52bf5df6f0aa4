// Two notes when it is your turn, if the setting says so (data-sounds), or the button for this device.
import { announce, say } from "./parts.js";

const KEY = "sound";
const wantsSound = () => (document.getElementById("battle").dataset.sounds ?? "off") !== "off";
const button = () => document.querySelector("[data-sound]");
let audio = null;

function isOn() {
  try {
    const chosen = localStorage.getItem(KEY);
    return chosen ? chosen === "on" : wantsSound();
  } catch {
    return wantsSound();
  }
}

export function watchSound(battle) {
  if (!button() || !window.AudioContext) {
    return;
  }
  button().hidden = false;
  button().setAttribute("aria-pressed", isOn());
  button().addEventListener("click", () => {
    const wanted = !isOn();
    try {
      localStorage.setItem(KEY, wanted ? "on" : "off");
    } catch {
      return;
    }
    button().setAttribute("aria-pressed", wanted);
    announce(say(wanted ? "soundOn" : "soundOff"));
    if (wanted) {
      play();
    }
  });
  battle.addEventListener("turn:mine", () => isOn() && play());
}

// A browser lets no page play sounds before the user has touched it: then this does nothing.
function play() {
  audio ??= new AudioContext();
  audio.resume().catch(() => undefined);
  [523, 784].forEach((pitch, place) => {
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    const start = audio.currentTime + place * 0.16;
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.08, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    note.connect(loudness).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.3);
  });
}

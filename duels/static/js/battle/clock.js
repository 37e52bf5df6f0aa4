// Counts down the time left, in minutes and seconds during the last hour, by the server's clock.
const TIMES = ".call time, .time-rows time, .featured-foot time";
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86400;
// How often a page whose time has run out asks what became of it, and how often at most.
const ASK = 3000;
const MOST_ASKED = 10;
let ahead = 0;
let askedAt = 0;
let asked = 0;

export function watchClock(refresh) {
  setInterval(() => {
    if (document.visibilityState !== "hidden") {
      const isPast = countDown(document);
      asked = isPast ? asked : 0;
      if (isPast && asked < MOST_ASKED && performance.now() > askedAt + ASK) {
        askedAt = performance.now();
        asked += 1;
        refresh();
      }
    }
  }, 1000);
}

// Devices' clocks may be wrong. The header is in whole seconds.
export function readServerTime(answer) {
  const served = Date.parse(answer.headers.get("Date"));
  if (served) {
    ahead = served + 500 - Date.now();
  }
}

// Writes the time left wherever `root` shows one; returns whether one of them has run out.
export function countDown(root) {
  let isPast = false;
  for (const time of root.querySelectorAll(TIMES)) {
    const left = Math.floor((Date.parse(time.dateTime) - Date.now() - ahead) / 1000);
    const words = inWords(Math.max(0, left));
    if (time.textContent !== words) {
      time.textContent = words;
    }
    isPast ||= left < 0;
  }
  return isPast;
}

function inWords(seconds) {
  if (seconds < HOUR) {
    return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
  }
  const [big, small, one, other] = seconds < DAY ? [HOUR, MINUTE, "hour", "minute"] : [DAY, HOUR, "day", "hour"];
  const counts = [[Math.floor(seconds / big), one], [Math.floor((seconds % big) / small), other]];
  return counts.filter(([count]) => count).map(([count, unit]) => inUnits(count, unit)).join(" ");
}

const inUnits = (count, unit) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" }).format(count);

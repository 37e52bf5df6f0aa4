// Notifications on this device: one press asks the browser, subscribes and tells the site. What a page shows of it
// depends on data-push of the root: "offer", "on", "refused" by the user, "failed" (by the site or the browser's
// push service), or "none" if the browser cannot.
const THIS = "/accounts/devices/this/";
const root = document.documentElement;
const isAble = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function hash(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBytes(text) {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=");
  return Uint8Array.from(atob(padded), (letter) => letter.codePointAt(0));
}

async function send(address, message) {
  const answer = await fetch(address, message);
  if (!answer.ok) {
    throw new Error(`the site answers ${answer.status}`);
  }
  return answer;
}

async function ask(mark) {
  const answer = await send(`${THIS}?mark=${mark}`);
  return answer.json();
}

// Whether this browser rings for the reader: only the site knows, since someone else may have used it.
async function look() {
  if (Notification.permission === "denied") {
    return "refused";
  }
  if (Notification.permission !== "granted") {
    return "offer";
  }
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription) {
    return "offer";
  }
  const mark = await hash(subscription.endpoint);
  document.querySelector(`[data-device="${mark}"] [data-here]`)?.removeAttribute("hidden");
  return (await ask(mark)).on ? "on" : "offer";
}

async function turnOn() {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") {
    // Who only closed the question may be asked again.
    return permission === "denied" ? "refused" : "offer";
  }
  const { key } = await ask("");
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: toBytes(key),
  });
  const { endpoint, keys } = subscription.toJSON();
  await send(THIS, { method: "POST", body: new URLSearchParams({ endpoint, ...keys }) });
  return "on";
}

// What the failure of a press means: the names are those of the browser's own errors.
function explain(error) {
  return { NotAllowedError: "refused", NotSupportedError: "none" }[error.name] ?? "failed";
}

if (isAble) {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-push-on]");
    if (!button) {
      return;
    }
    root.dataset.push = await turnOn().catch(explain);
    if (root.dataset.push === "on" && document.querySelector("[data-devices]")) {
      location.reload();
      return;
    }
    // The button is gone, or the reader has to read why it failed.
    button.parentElement.querySelector(`.${root.dataset.push}[tabindex]`)?.focus();
  });
}
// If the site does not answer now, it may when the button is pressed.
root.dataset.push = isAble ? await look().catch(() => "offer") : "none";

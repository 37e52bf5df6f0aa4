// Notifications on this device: asks the browser for a subscription, and sends it with the form.
const form = document.querySelector("[data-push]");
const button = form.querySelector("[data-push-on]");
const none = form.querySelector("[data-push-none]");
const refused = form.querySelector("[data-push-refused]");

async function hash(text) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBytes(text) {
  const padded = text.replaceAll("-", "+").replaceAll("_", "/").padEnd(Math.ceil(text.length / 4) * 4, "=");
  return Uint8Array.from(atob(padded), (letter) => letter.codePointAt(0));
}

// Mark the row of this device; without one, offer to add it.
async function show() {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription();
  const mark = subscription ? await hash(subscription.endpoint) : "";
  const row = mark && document.querySelector(`[data-device="${mark}"]`);
  none.hidden = true;
  if (row) {
    row.querySelector("[data-here]").hidden = false;
  } else {
    button.hidden = false;
  }
}

async function subscribe() {
  const permission = await Notification.requestPermission();
  refused.hidden = permission === "granted";
  if (permission !== "granted") {
    return;
  }
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: toBytes(form.dataset.key),
  });
  const { endpoint, keys } = subscription.toJSON();
  form.elements.endpoint.value = endpoint;
  form.elements.p256dh.value = keys.p256dh;
  form.elements.auth.value = keys.auth;
  form.submit();
}

if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    subscribe().catch(() => {
      none.hidden = false;
    });
  });
  show().catch(() => undefined);
}

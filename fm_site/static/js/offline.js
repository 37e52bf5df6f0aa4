// Registers the service worker, and says when what is shown is the last state.
const told = document.querySelector("[data-offline]");

function show() {
  if (told) {
    told.hidden = navigator.onLine;
  }
}

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}
window.addEventListener("online", show);
window.addEventListener("offline", show);
if (!navigator.onLine) {
  show();
}

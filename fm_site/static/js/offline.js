// Registers the service worker, and says when the page shows an old state.
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

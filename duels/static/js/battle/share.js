// Shares the link to this battle, or copies it where the browser cannot share.
export function watchShare(battle) {
  battle.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) {
      return;
    }
    const link = { title: button.dataset.title, url: location.origin + location.pathname };
    try {
      if (navigator.share) {
        await navigator.share(link);
      } else {
        await navigator.clipboard.writeText(link.url);
        button.textContent = button.dataset.done;
      }
    } catch {
      // Nothing was shared: the reader closed the sheet, or the browser forbids it.
    }
  });
}

// Shares the link to this battle; copies or shows it where the browser cannot share.
export function watchShare(battle) {
  battle.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) {
      return;
    }
    const link = { title: button.dataset.title, url: location.origin + location.pathname };
    if (button.dataset.share === "copy" || !(await share(link))) {
      button.textContent = await copy(link.url) ? button.dataset.done : link.url;
    }
  });
}

// Returns false if the browser cannot share, or forbids it. A reader who closes the sheet has been asked.
async function share(link) {
  try {
    await navigator.share(link);
    return true;
  } catch (error) {
    return error.name === "AbortError";
  }
}

// A site without HTTPS has no clipboard.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

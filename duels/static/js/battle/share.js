// Shares the link to this battle or puzzle, below the text of the button if it has one; copies or shows it where the
// browser cannot share.
export function watchShare(battle) {
  battle.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) {
      return;
    }
    const { title, text } = button.dataset;
    const link = { title, text, url: location.origin + location.pathname };
    if (button.dataset.share === "copy" || !(await share(link))) {
      const line = text ? `${text}\n${link.url}` : link.url;
      button.textContent = await copy(line) ? button.dataset.done : line;
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

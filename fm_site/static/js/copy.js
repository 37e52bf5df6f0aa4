// A field with text to take away: a button copies it, and says so.
const field = document.querySelector("[data-copy]");
const button = document.querySelector("[data-copy-button]");

async function copy() {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    document.getElementById("copied").textContent = "Copied.";
  } catch {
    document.getElementById("copied").textContent = "The link is selected. Copy it with your keyboard.";
  }
}

field.addEventListener("focus", () => field.select());
button.hidden = false;
button.addEventListener("click", copy);

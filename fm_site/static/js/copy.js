// A field with text to take away: a button copies it, and says so. The page may be replaced while it is open.
const show = () => document.querySelectorAll("[data-copy-button]").forEach((button) => { button.hidden = false; });

async function copy() {
  const field = document.querySelector("[data-copy]");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    document.getElementById("copied").textContent = "Copied.";
  } catch {
    document.getElementById("copied").textContent = "The link is selected. Copy it with your keyboard.";
  }
}

document.addEventListener("focusin", (event) => event.target.matches("[data-copy]") && event.target.select());
document.addEventListener("click", (event) => event.target.closest("[data-copy-button]") && copy());
document.addEventListener("page:replaced", show);
show();

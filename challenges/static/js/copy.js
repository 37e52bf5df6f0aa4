// A field with text to copy: a button copies it, and says so. The page may be replaced while it is open.
const said = () => document.getElementById("copied");
const show = () => document.querySelectorAll("[data-copy-button]").forEach((button) => { button.hidden = false; });

async function copy() {
  const field = document.querySelector("[data-copy]");
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    said().textContent = said().dataset.done;
  } catch {
    said().textContent = said().dataset.selected;
  }
}

document.addEventListener("focusin", (event) => event.target.matches("[data-copy]") && event.target.select());
document.addEventListener("click", (event) => event.target.closest("[data-copy-button]") && copy());
document.addEventListener("page:replaced", show);
show();

// The order line mirrors the pads, and the pads mirror the line. Typed text is never cleared.
import { apply, compose, isOpen, line } from "./sheet.js";
import { changed } from "./parts.js";

export function watchLine(battle) {
  mirror();
  battle.addEventListener("orders:changed", mirror);
  battle.addEventListener("board:replaced", mirror);
  battle.addEventListener("input", (event) => {
    if (event.target.id !== "line") {
      return;
    }
    const understood = apply(event.target.value);
    event.target.dataset.typed = understood && event.target.value.trim() ? "no" : event.target.value.trim() ? "yes" : "no";
    battle.dispatchEvent(new CustomEvent("line:typed"));
  });
  battle.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (event.target.id === "line" && /\n/.test(text)) {
      event.preventDefault();
      event.target.value = text.split("\n").map((each) => each.trim()).filter(Boolean).join("; ");
      event.target.dispatchEvent(new Event("input", { bubbles: true }));
      changed(battle);
    }
  });
}

function mirror() {
  const field = line();
  if (isOpen() && document.activeElement !== field && field.dataset.typed !== "yes") {
    field.value = field.value && field.getAttribute("aria-invalid") === "true" ? field.value : compose();
  }
}

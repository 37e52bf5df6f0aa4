// A menu closes when something else is pressed, by Escape, and when Tab leaves it. The chat of a battle stays open beside
// what is played; on a phone, which it covers, Tab closes it too.
const wide = matchMedia("(min-width: 64rem)");
const open = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of open()) {
    if (!menu.contains(event.target) && (!menu.matches("[data-chat]") || event.target.closest(".menu"))) {
      menu.open = false;
    }
  }
});
document.addEventListener("focusin", ({ target }) => {
  for (const menu of open()) {
    if (!menu.contains(target) && target.matches(":focus-visible") && !(menu.matches("[data-chat]") && wide.matches)) {
      menu.open = false;
    }
  }
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && [...open()].find((each) => each.contains(document.activeElement));
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A menu closes when something else is pressed, and by Escape. The chat of a battle stays open beside what is played.
const open = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  for (const menu of open()) {
    if (!menu.contains(event.target) && (!menu.matches("[data-chat]") || event.target.closest(".menu"))) {
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

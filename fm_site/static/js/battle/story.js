// A link to a folded turn unfolds it.
export function openLinkedTurn(battle) {
  const open = () => {
    let place = location.hash.startsWith("#turn-") ? document.getElementById(location.hash.slice(1)) : null;
    for (let box = place; box; box = box.parentElement?.closest("details")) {
      if (box.matches("details")) {
        box.open = true;
      }
    }
    place?.scrollIntoView({ block: "nearest" });
  };
  window.addEventListener("hashchange", open);
  battle.addEventListener("click", (event) => event.target.closest('a[href^="#turn-"]') && setTimeout(open));
  open();
}

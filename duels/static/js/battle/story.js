// Opens a collapsed turn, or the box about time, when a link leads to it.
export function openLinkedTurn(battle) {
  const open = () => {
    const place = /^#(turn-|time$)/.test(location.hash) ? document.getElementById(location.hash.slice(1)) : null;
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

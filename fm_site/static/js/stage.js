// The stage on the front page: shows what the chosen gesture makes, and plays a turn without leaving the page.

function showChosen(stage) {
  for (const radio of stage.querySelectorAll("input[type=radio]")) {
    stage.querySelector(`[data-for="${radio.name} ${CSS.escape(radio.value)}"]`)?.classList.toggle("unchosen", !radio.checked);
  }
}

async function play(stage, form, button) {
  const data = new FormData(form, button);
  const answer = await fetch(form.action, { method: "POST", body: data });
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("stage");
  const stood = button.getBoundingClientRect().top;
  const kept = new Map([...data].filter(([name]) => name === "LH" || name === "RH"));
  stage.replaceWith(document.adoptNode(fresh));
  for (const [hand, gesture] of kept) {
    const radio = fresh.querySelector(`input[name="${hand}"][value="${CSS.escape(gesture)}"]`);
    if (radio) {
      radio.checked = true;
    }
  }
  showChosen(fresh);
  const next = fresh.querySelector("button");
  if (next) {
    next.focus({ preventScroll: true });
    // What has happened makes the stage longer; the button stays under the thumb.
    scrollBy({ top: next.getBoundingClientRect().top - stood, behavior: "instant" });
  }
}

document.addEventListener("change", (event) => {
  const stage = event.target.closest("#stage");
  if (stage) {
    showChosen(stage);
  }
});
document.addEventListener("submit", (event) => {
  const stage = event.target.closest("#stage");
  if (stage) {
    event.preventDefault();
    play(stage, event.target, event.submitter).catch(() => event.target.submit());
  }
});

// Saves each choice on the page of notices as it is made. Without this script there is a button.
const form = document.querySelector("[data-at-once]");
const refused = form?.querySelector("[data-refused]");

function say(problem) {
  refused.hidden = !problem;
  refused.querySelector("p").textContent = problem;
}

function showPreset(name) {
  for (const button of form.querySelectorAll("[name=preset]")) {
    button.setAttribute("aria-pressed", String(button.value === name));
  }
  form.querySelector("[data-own]").hidden = Boolean(name);
}

async function save(box) {
  const body = new FormData(form);
  body.append("at_once", "1");
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
  const data = await answer?.json().catch(() => undefined);
  if (answer?.ok && data) {
    say("");
    showPreset(data.preset);
    return;
  }
  // A box goes back; other fields keep what was chosen, beside the reason.
  if (box.type === "checkbox") {
    box.checked = !box.checked;
  }
  say(data?.problem || refused.dataset.offline);
}

if (form) {
  form.querySelector("[data-save]").hidden = true;
  document.querySelector("[data-scripted]").hidden = false;
  // One after the other: each sends the whole form.
  let last = Promise.resolve();
  form.addEventListener("change", (event) => {
    last = last.then(() => save(event.target));
  });
}

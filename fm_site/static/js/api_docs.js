// Sends the calls of the page /api/docs/ and shows their answers.
async function send(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.place === "in the path") {
      path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    } else if (input.value) {
      query.set(input.name, input.value);
    }
  }
  const token = document.querySelector("#token").value.trim();
  const headers = { Accept: "application/json" };
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  const request = { method: form.dataset.method, headers };
  if (form.elements.body) {
    headers["Content-Type"] = "application/json";
    request.body = form.elements.body.value;
  }
  const answer = await fetch(query.size ? `${path}?${query}` : path, request);
  const text = await answer.text();
  return `${answer.status}\n${text ? JSON.stringify(JSON.parse(text), null, 2) : ""}`;
}

for (const form of document.querySelectorAll("form[data-path]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const shown = form.querySelector("pre");
    shown.hidden = false;
    shown.textContent = "…";
    shown.textContent = await send(form).catch(String);
  });
}

// A link to a closed part opens it.
function open() {
  const part = document.getElementById(location.hash.slice(1));
  if (part?.matches("details")) {
    part.open = true;
  }
}
window.addEventListener("hashchange", open);
open();

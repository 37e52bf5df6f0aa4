// Says in one sentence which challenge the choices make, above the button that creates it.
const summary = document.getElementById("summary");
const form = summary?.closest("form");

function chosen(name) {
  const field = form.elements[name];
  return field?.value ?? "";
}

function describeOpponents(words) {
  const names = chosen("against").trim();
  const who = chosen("who");
  if (who === "named" && names) {
    return words.who.names.replace("{names}", names);
  }
  const count = chosen("limit") || String(words.count);
  if (who === "melee") {
    return count === "0" ? words.who.crowd : words.who.melee.replace("{count}", count);
  }
  return words.who[who] ?? words.who.anyone;
}

function tell() {
  const words = JSON.parse(summary.dataset.words);
  const phrases = { who: describeOpponents(words) };
  for (const name of ["ruleset", "pace", "stakes"]) {
    phrases[name] = words[name][chosen(name)] ?? "";
  }
  summary.textContent = words.sentence.replace(/\{(\w+)\}/gu, (slot, name) => phrases[name] ?? slot);
  summary.hidden = false;
}

if (form) {
  form.addEventListener("input", tell);
  tell();
}

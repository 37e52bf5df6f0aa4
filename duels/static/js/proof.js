// Checks the commitments of a record, here in the browser: nothing is sent or fetched. rules_engine/records/commitments.py does the same.
const MARK = /^[0-9a-f]{64}$/;

async function hash(content) {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function newSeal() {
  return { lines: null, sets: [], salt: "", closed: null, closingSalt: "" };
}

// The lines that commitments are about; docs/game-record.md describes all lines.
export function readRecord(text) {
  const record = { number: 0, ruleset: "", edition: 0, mages: [], seed: null, terms: null, commitment: null, earlier: [], former: [], void: [], seals: [] };
  let turn = null;
  let stage = 0;
  let open = null;
  const sealOf = (mage) => {
    let found = record.seals.find((each) => each.turn === turn && each.stage === stage && each.mage === mage);
    if (!found) {
      found = { turn, stage, mage, ...newSeal() };
      record.seals.push(found);
    }
    return found;
  };
  const readers = {
    battle: (rest) => { record.number = Number(rest); },
    ruleset: (rest) => { const [name, edition] = rest.split(" "); record.ruleset = name; record.edition = Number(edition); },
    mage: (rest) => { record.mages.push(rest.split(" ")[0]); },
    seed: (rest) => { record.seed = JSON.parse(rest); },
    terms: (rest) => { record.terms = rest; },
    commitment: (rest) => { record.commitment = rest; },
    earlier: (rest) => { record.earlier.push([JSON.parse(rest.slice(65)), rest.slice(0, 64)]); },
    former: (rest) => { record.former.push(rest.split(" ")); },
    void: (rest) => { record.void.push(rest.split(" ").at(-1)); },
    turn: (rest) => {
      const words = rest.split(" ");
      const value = (name) => (words.includes(name) ? Number(words[words.indexOf(name) + 1]) : 0);
      turn = { label: words[0], seq: value("seq"), attempt: value("attempt") };
      stage = 0;
    },
    answers: () => { stage += 1; },
    orders: (rest) => { open = sealOf(rest); open.lines = []; },
    commit: (rest) => { const [mage, value] = rest.split(" "); sealOf(mage).sets.push(value); },
    salt: (rest) => { const [mage, value] = rest.split(" "); sealOf(mage).salt = value; },
    closed: (rest) => { const [mage, value, salt] = rest.split(" "); Object.assign(sealOf(mage), { closed: value, closingSalt: salt }); },
  };
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line && !line.startsWith("#")) {
      const at = line.indexOf(" ");
      const key = at < 0 ? line : line.slice(0, at);
      if (open && /^[A-Z]/.test(key)) {
        open.lines.push(line);
      } else {
        open = null;
        readers[key]?.(at < 0 ? "" : line.slice(at + 1));
      }
    }
  }
  return record;
}

// The orders as they are, and as they were before guests took their current names.
function listOldTexts(lines, former) {
  return former.reduce(
    (texts, [name, old]) => texts.flatMap((text) => [text, text.map((line) => line.replaceAll(name, old))]),
    [lines],
  );
}

async function checkSeal(record, seal) {
  const where = `${seal.turn.label}, ${seal.mage}`;
  if (seal.closed === null || seal.lines === null) {
    return [`${where}: no commitment, or no orders`];
  }
  const place = [record.number, seal.turn.seq, seal.turn.attempt, seal.stage, record.mages.indexOf(seal.mage) + 1];
  const found = [];
  if (await hash(["closed", ...place, seal.sets, seal.closingSalt]) !== seal.closed) {
    found.push(`${where}: closing commitment ${seal.closed}`);
  }
  if (seal.lines.includes("FORFEIT")) {
    return found;
  }
  const hashes = await Promise.all(
    listOldTexts(seal.lines, record.former).map((lines) => hash(["orders", ...place, lines, seal.salt])),
  );
  if (seal.sets.length ? !hashes.includes(seal.sets.at(-1)) : seal.lines.length) {
    found.push(`${where}: orders ${seal.sets.at(-1) ?? ""}`);
  }
  return found;
}

// The differences, and every commitment of the record.
export async function checkRecord(record) {
  const beginnings = [[record.seed, record.commitment], ...record.earlier];
  const wrong = [];
  for (const [seed, commitment] of beginnings) {
    if (await hash(["battle", record.number, seed, record.ruleset, record.edition, record.terms]) !== commitment) {
      wrong.push(`seed, terms: ${commitment}`);
    }
  }
  const seals = await Promise.all(record.seals.map((seal) => checkSeal(record, seal)));
  const known = [...beginnings.map(([, value]) => value), ...record.void, ...record.seals.flatMap((each) => [each.closed, ...each.sets])];
  return { wrong: [...wrong, ...seals.flat()], known: known.filter((value) => MARK.test(value ?? "")) };
}

function show(result, heading, lines) {
  const title = document.createElement("p");
  title.textContent = heading;
  const list = document.createElement("ul");
  list.append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  result.append(title, list);
}

async function check(form, result) {
  const text = await document.getElementById("proof-file").files[0].text();
  const noted = document.getElementById("proof-noted").value.split(/\s+/).filter((word) => MARK.test(word));
  const words = form.dataset;
  result.replaceChildren();
  if (!globalThis.crypto?.subtle) {
    show(result, words.insecure, []);
    return;
  }
  const record = readRecord(text);
  if (record.commitment === null) {
    show(result, words.none, []);
    return;
  }
  const { wrong, known } = await checkRecord(record);
  const absent = noted.filter((value) => !known.includes(value));
  if (wrong.length) {
    show(result, words.differs, wrong);
  } else {
    show(result, `${words.holds} ${known.length}`, []);
  }
  if (absent.length) {
    show(result, words.absent, absent);
  }
}

const form = document.getElementById("proof");
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  check(form, document.getElementById("proof-result"));
});

// Converts the order form to one line of text and back, in the grammar of docs/orders.md as far as a page can mirror
// it. The server reports what it does not understand.

export const form = () => document.getElementById("orders");
export const line = () => document.getElementById("line");
export const isOpen = () => Boolean(form() && line());

export const hands = ["LH", "RH"];
const secondHands = ["LH2", "RH2"]; // of a second pair of gestures in the same turn
export const otherHand = (hand) => (hand.startsWith("L") ? hand.replace("L", "R") : hand.replace("R", "L"));
const radios = (hand) => [...document.querySelectorAll(`input[type="radio"][name="${hand}"]`)];

export const chosen = (hand) => radios(hand).find((radio) => radio.checked)?.value ?? "";

export function choose(hand, gesture) {
  const radio = radios(hand).find((each) => each.value === gesture);
  if (radio && radio.getAttribute("aria-disabled") !== "true") {
    radio.checked = true;
    return radio;
  }
  return null;
}

export const clear = (hand) => radios(hand).forEach((radio) => { radio.checked = false; });
const selects = () => [...(form()?.elements ?? [])].filter((field) => field.name === "order");

// Returns the choices of pads and selects in the short form: P/D; TARGET LH Bung
export function compose() {
  const left = chosen("LH");
  const right = chosen("RH");
  const first = left && right ? [`${left}/${right}`] : hands.filter((hand) => chosen(hand)).map((hand) => `${hand} ${chosen(hand)}`);
  const rest = selects().filter((field) => field.value && field.value !== field.dataset.default).map((field) => field.value);
  const second = secondHands.filter((hand) => chosen(hand)).map((hand) => `${hand} ${chosen(hand)}`);
  return [...first, ...second, ...rest].join("; ");
}

const gesture = (letter) => (letter === "." ? ">" : letter.toUpperCase());

// Sets pads and selects from a typed line. Returns whether every part was understood.
export function apply(text) {
  let understood = true;
  for (const part of text.split(/[;\n]/).map((each) => each.trim()).filter(Boolean)) {
    understood = applyPart(part) && understood;
  }
  return understood;
}

function applyPart(part) {
  if (/^c$/i.test(part)) {
    return hands.map((hand) => choose(hand, "C")).every(Boolean);
  }
  const pair = /^([fpswdc>.-])\s*[/ ,]\s*([fpswdc>.-])(?:\s+([lrb]h2?)\s+(.+))?$/i.exec(part);
  if (pair) {
    const both = [choose("LH", gesture(pair[1])), choose("RH", gesture(pair[2]))].every(Boolean);
    return pair[3] ? applyOrder(`TARGET ${pair[3]} ${pair[4]}`) && both : both;
  }
  const single = [...part.matchAll(/\b([lr]h2?)\s+([fpswdc>.-])(?=\s|$)/gi)];
  if (single.length && part.replace(/\b([lr]h2?)\s+([fpswdc>.-])(?=\s|$)/gi, "").trim() === "") {
    return single.map(([, hand, letter]) => choose(hand.toUpperCase(), gesture(letter))).every(Boolean);
  }
  return applyOrder(part);
}

function applyOrder(order) {
  const wanted = order.replace(/\s+/g, " ").toLowerCase();
  for (const field of selects()) {
    const option = [...field.options].find((each) => each.value.toLowerCase() === wanted);
    if (option) {
      field.value = option.value;
      return true;
    }
  }
  return false;
}

// Returns the fields to send. The line is sent only if the pads do not mirror it, because it then replaces them.
export function fields() {
  const data = new FormData(form());
  if (line().dataset.typed !== "yes") {
    data.set("line", "");
  }
  return data;
}

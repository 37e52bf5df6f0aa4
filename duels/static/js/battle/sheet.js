// Converts the order form to one line of text and back, in the grammar of docs/orders.md as far as a page can mirror
// it. The server reports what it does not understand.

export const form = () => document.getElementById("orders");
export const line = () => document.getElementById("line");
export const isOpen = () => Boolean(form() && line());

export const hands = ["LH", "RH"];
const secondHands = ["LH2", "RH2"]; // of a second pair of gestures in the same turn
export const otherHand = (hand) => (hand.startsWith("L") ? hand.replace("L", "R") : hand.replace("R", "L"));
const radios = (hand) => [...document.querySelectorAll(`.pad input[name="${hand}"]`)];

export const chosen = (hand) => radios(hand).find((radio) => radio.checked)?.value ?? "";

export function choose(hand, gesture) {
  const radio = radios(hand).find((each) => each.value === gesture);
  if (radio && radio.getAttribute("aria-disabled") !== "true") {
    radio.checked = true;
    return radio;
  }
  return null;
}

// Whether the reader chose a gesture before the scripts had loaded.
export const isChosenEarly = () => [...form().querySelectorAll(".pad input")].some((each) => each.checked !== each.defaultChecked);
export const clear = (hand) => radios(hand).forEach((radio) => { radio.checked = false; });
// Every question is a select, or a fieldset of cards that may end with a select of further answers.
const questions = () => [...(form()?.querySelectorAll("select[data-slot], .cards") ?? [])];
const cards = (question) => [...question.querySelectorAll("input")];
const rest = (question) => question.querySelector("select");

function answerOf(question) {
  return question.matches("select") ? question.value : cards(question).find((each) => each.checked)?.value || rest(question)?.value || "";
}

// Returns the field of a question that takes the focus.
export const fieldOf = (question) =>
  question?.matches(".cards") ? (cards(question).find((each) => each.checked) ?? cards(question).find((each) => !each.disabled)) : question;

// Gives the answer with this value, in any case of letters. Returns whether the question has it.
function answer(question, wanted) {
  const has = (each) => each.value.toLowerCase() === wanted && !each.disabled;
  const list = question.matches("select") ? question : rest(question);
  const card = question.matches("select") ? null : cards(question).find(has);
  const option = [...(list?.options ?? [])].find(has);
  if (!card && !option) {
    return false;
  }
  if (card) {
    card.checked = true;
    settle(card);
  } else {
    list.value = option.value;
    settle(list);
  }
  return true;
}

// Cards and the select beside them are one answer: the later one counts.
export function settle(field) {
  const question = field.closest(".cards");
  if (!question) {
    return;
  }
  if (field.type === "radio" && rest(question)) {
    rest(question).value = "";
  } else if (field.matches("select") && field.value) {
    cards(question).forEach((each) => { each.checked = false; });
  }
}

// Returns the choices of pads and selects in the short form: P/D; TARGET LH Bung
export function compose() {
  const left = chosen("LH");
  const right = chosen("RH");
  const first = left && right ? [`${left}/${right}`] : hands.filter((hand) => chosen(hand)).map((hand) => `${hand} ${chosen(hand)}`);
  const answers = questions().filter((each) => answerOf(each) !== each.dataset.default).map(answerOf).filter(Boolean);
  const second = secondHands.filter((hand) => chosen(hand)).map((hand) => `${hand} ${chosen(hand)}`);
  return [...first, ...second, ...answers].join("; ");
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
  return questions().some((each) => answer(each, wanted));
}

// Returns the fields to send. The line is sent only if the pads do not mirror it, because it then replaces them. Defaults
// are not sent: that of a spell just given up (a Shield on yourself) would aim the one chosen since.
export function fields() {
  const data = new FormData(form());
  data.delete("order");
  for (const list of form().querySelectorAll("select[name=order]")) {
    if (list.value && list.value !== list.dataset.default) {
      data.append("order", list.value);
    }
  }
  if (line().dataset.typed !== "yes") {
    data.set("line", "");
  }
  return data;
}

// The winning cards by touch or keyboard; parts.html draws the deck.

import { t } from "/static/text.js";

// Cards are chosen from the deck and removed by tapping them again; a hidden field holds them as text.
const element = (id) => document.getElementById(id);
const input = () => document.querySelector("[data-decks]");
const chosen = () => input().value.split(" ").filter(Boolean);

export function choose(cards) {
  input().value = cards.join(" ");
  const hint = element("chosen").querySelector("span.muted");
  hint.hidden = cards.length > 0;
  const drawn = cards.map((card, place) => {
    const face = document.querySelector(`[data-card="${card}"]`);
    const button = Object.assign(document.createElement("button"), { type: "button", className: face.className, innerHTML: face.innerHTML });
    button.dataset.place = place;
    button.setAttribute("aria-label", t("Remove %(card)s", { card: face.getAttribute("aria-label") }));
    return button;
  });
  element("chosen").replaceChildren(hint, ...drawn);
  for (const face of document.querySelectorAll("[data-card]")) {
    const used = cards.filter((card) => card === face.dataset.card).length;
    face.setAttribute("aria-disabled", used >= Number(input().dataset.decks));
  }
  if (cards.length) input().dispatchEvent(new CustomEvent("chosen", { bubbles: true }));
}

// A page has one deck: it moves, empty, to where cards are asked for.
export function layDeck(where, decks) {
  where.querySelector("[data-deck-here]").append(element("picker"));
  input().dataset.decks = decks;
  choose([]);
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (pressed?.dataset.card) {
    if (pressed.getAttribute("aria-disabled") !== "true") choose([...chosen(), pressed.dataset.card]);
    stop(pressed);
  } else if (pressed?.dataset.place) {
    const next = pressed.nextElementSibling || pressed.previousElementSibling;
    choose(chosen().filter((_, place) => place !== Number(pressed.dataset.place)));
    (element("chosen").querySelector(`[data-place="${next?.dataset.place ?? 0}"]`) || document.querySelector('#deck [tabindex="0"]')).focus();
  }
});

// How far a key moves in the deck: with a suit in each row, and with a suit in each column.
const MOVES = { ArrowRight: [1, 13], ArrowLeft: [-1, -13], ArrowDown: [13, 1], ArrowUp: [-13, -1] };

// One card is in the tab order; arrow keys move to its neighbors as they are drawn.
function stop(face) {
  for (const one of document.querySelectorAll('#deck [tabindex="0"]')) one.tabIndex = -1;
  face.tabIndex = 0;
}

document.addEventListener("keydown", (event) => {
  const face = event.target.closest?.("[data-card]");
  if (!face) return;
  const columns = getComputedStyle(element("deck")).gridAutoFlow.startsWith("column");
  const move = MOVES[event.key]?.[Number(columns)];
  if (!move) return;
  event.preventDefault();
  const faces = [...document.querySelectorAll("[data-card]")];
  const to = faces[faces.indexOf(face) + move];
  if (to) (stop(to), to.focus());
});

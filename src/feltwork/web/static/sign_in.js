// Signing in: badge and PIN by touch, reader or keyboard; badge and password in the office.

import { order } from "/static/act.js";

const page = document.getElementById("sign-in");
const floor = page.querySelector('[data-form="floor"]');
const office = page.querySelector('[data-form="office"]');
const said = document.getElementById("sign-in-problem");
let field = floor.badge;

async function enter(path, shown) {
  said.hidden = true;
  try {
    await order(path, shown);
    location.href = page.dataset.to;
  } catch (problem) {
    said.textContent = `${problem.what}. ${problem.remedy}.`;
    said.hidden = false;
    floor.pin.value = "";
    office.password.value = "";
  }
}

const byPin = () => enter("/sign-in", { badge: floor.badge.value, pin: floor.pin.value });

for (const input of [floor.badge, floor.pin]) input.addEventListener("focus", () => (field = input));
floor.pin.addEventListener("input", typed);

function typed() {
  if (field === floor.pin && floor.badge.value && floor.pin.value.length === Number(page.dataset.pinDigits)) byPin();
}

page.addEventListener("click", (event) => {
  const pressed = event.target.closest("button");
  if (!pressed) return;
  if (pressed.dataset.demoBadge) {
    floor.badge.value = pressed.dataset.demoBadge;
    floor.pin.value = pressed.dataset.demoPin;
    byPin();
  } else if (pressed.dataset.way) {
    const toOffice = office.hidden;
    office.hidden = !toOffice;
    floor.hidden = toOffice;
    pressed.setAttribute("aria-pressed", String(toOffice));
    (toOffice ? office : floor).badge.focus();
  } else if (pressed.dataset.key === "clear") {
    field.value = "";
  } else if (pressed.dataset.key === "enter") {
    if (field === floor.badge) (field = floor.pin).focus();
    else byPin();
  } else if (pressed.dataset.key) {
    field.value += pressed.dataset.key;
    typed();
  }
});

floor.addEventListener("submit", (event) => {
  event.preventDefault();
  byPin();
});
floor.badge.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  floor.pin.focus();
});
office.addEventListener("submit", (event) => {
  event.preventDefault();
  enter("/sign-in/office", { badge: office.badge.value, password: office.password.value });
});
floor.badge.focus();

// Sign-in with badge and PIN, by touch, reader, or keyboard.

import { order, sentences } from "/static/act.js";
import { keypad } from "/static/keypad.js";

const page = document.getElementById("sign-in");
const form = page.querySelector("form");
const said = document.getElementById("sign-in-problem");

async function enter() {
  said.hidden = true;
  try {
    await order("/sign-in", { badge: form.badge.value, pin: form.pin.value });
    location.href = page.dataset.to;
  } catch (problem) {
    said.textContent = sentences(problem);
    said.hidden = false;
    form.pin.value = "";
  }
}

keypad(form);
form.pin.addEventListener("input", () => {
  if (form.badge.value && form.pin.value.length === Number(page.dataset.pinDigits)) enter();
});

page.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-demo-badge]");
  if (!pressed) return;
  form.badge.value = pressed.dataset.demoBadge;
  form.pin.value = pressed.dataset.demoPin;
  enter();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
form.badge.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  form.pin.focus();
});
form.badge.focus();

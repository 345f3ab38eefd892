// Sign-in with badge and PIN, by touch, reader, or keyboard.

import { order, sentences } from "/static/act.js";
import { keypad } from "/static/keypad.js";

const page = document.getElementById("sign-in");
const form = page.querySelector("form");
const said = document.getElementById("sign-in-problem");

const label = document.getElementById("pin-label");
// A PIN that the office set is replaced at its first use: the person enters their own twice.
let granted = null;
let own = null;

async function enter(pressed = form) {
  if (page.querySelector("[aria-busy]")) return;
  said.hidden = true;
  const entered = form.pin.value;
  form.pin.value = "";
  if (granted && !own) {
    own = entered;
    label.textContent = label.dataset.again;
    return;
  }
  if (granted && own !== entered) return choose(label.dataset.differ);
  pressed.setAttribute("aria-busy", "true");
  try {
    await order("/api/v1/sign-in", { badge: form.badge.value, pin: granted ?? entered, new_pin: own });
    location.href = page.dataset.to;
  } catch (problem) {
    rest();
    if (problem.rule === "granted-pin") granted = entered;
    if (granted) return choose(sentences(problem));
    tell(sentences(problem));
  }
}

function rest() {
  page.querySelector("[aria-busy]")?.removeAttribute("aria-busy");
}

function choose(why) {
  own = null;
  label.textContent = label.dataset.new;
  tell(why);
}

function tell(what) {
  said.textContent = what;
  said.hidden = false;
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
  enter(pressed);
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
// A browser that goes back shows the page as it was left.
addEventListener("pageshow", rest);
form.badge.focus();

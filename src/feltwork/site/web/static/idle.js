// The lock of an idle screen: it covers the page until the person enters the PIN again, and loses nothing that was typed.

import { order, sentences } from "/static/act.js";
import { keypad } from "/static/keypad.js";

const dialog = document.getElementById("lock");
const form = dialog.querySelector("form");
const problem = document.getElementById("lock-problem");
const idle = Number(dialog.dataset.idleSeconds) * 1000;
const sayEvery = Math.min(30_000, idle / 4);
let used = Date.now();
let said = used;

function lock() {
  if (dialog.open) return;
  problem.hidden = true;
  form.reset();
  dialog.showModal();
}

// The service has to know that somebody is here, since a page refreshes itself without anybody.
function say() {
  if (dialog.open || used <= said) return;
  said = used;
  order("/api/v1/active").catch(() => {});
}

for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"])
  document.addEventListener(kind, () => (used = Date.now()), { capture: true, passive: true });
setInterval(say, sayEvery);
setInterval(() => {
  if (dialog.open || Date.now() - used < idle) return;
  lock();
  order("/api/v1/lock").catch(() => {});
}, Math.min(1_000, idle / 4));
document.addEventListener("session-locked", lock);
document.addEventListener("visibilitychange", say);
dialog.addEventListener("cancel", (event) => event.preventDefault());

// Without a PIN field the session began with a security key, and begins again with it.
if (form.pin) keypad(form);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (form.getAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  try {
    await order("/api/v1/unlock", { pin: form.pin.value });
    used = said = Date.now();
    dialog.close();
  } catch (refused) {
    if (refused.rule === "signed-in") return location.reload();
    problem.textContent = sentences(refused);
    problem.hidden = false;
    form.reset();
    form.pin.focus();
  } finally {
    form.removeAttribute("aria-busy");
  }
});

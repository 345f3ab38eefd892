// One's own PIN and password: the old one, the new one twice.

import { fields, order, refuse } from "/static/act.js";
import { keypad } from "/static/keypad.js";

const changed = document.getElementById("changed");

for (const form of document.querySelectorAll("form[data-secret]")) {
  const again = form.querySelector("[data-again]");
  const inputs = keypad(form);
  const digits = Number(form.dataset.digits);

  form.addEventListener("input", ({ target }) => {
    again.setCustomValidity(again.value === form.new.value ? "" : "This is not the same.");
    if (digits && target.value.length === digits) inputs[inputs.indexOf(target) + 1]?.focus();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.getAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    changed.hidden = true;
    const told = await order("/me/secret", fields(form)).catch((problem) => ({ problem }));
    form.removeAttribute("aria-busy");
    form.reset();
    inputs[0].focus();
    if (told.problem) return refuse(told.problem);
    changed.textContent = `Your new ${told.what} is kept. Your other sessions are over.`;
    changed.hidden = false;
  });
}

// Change one's own PIN, password or language.

import { fields, order, refuse } from "/static/act.js";
import { keypad } from "/static/keypad.js";
import { t } from "/static/text.js";

const changed = document.getElementById("changed");

for (const form of document.querySelectorAll("form[data-secret]")) {
  const again = form.querySelector("[data-again]");
  const inputs = keypad(form);
  const digits = Number(form.dataset.digits);

  form.addEventListener("input", ({ target }) => {
    again.setCustomValidity(again.value === form.new.value ? "" : t("The two entries don't match."));
    if (digits && target.value.length === digits) inputs[inputs.indexOf(target) + 1]?.focus();
  });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.getAttribute("aria-busy")) return;
    form.setAttribute("aria-busy", "true");
    changed.hidden = true;
    const view = await order("/api/v1/me/secret", fields(form)).catch((problem) => ({ problem }));
    form.removeAttribute("aria-busy");
    form.reset();
    inputs[0].focus();
    if (view.problem) return refuse(view.problem);
    changed.textContent = view.what === "PIN" ? t("PIN changed. You are signed out everywhere else.") : t("Password changed. You are signed out everywhere else.");
    changed.hidden = false;
  });
}

document.querySelector("select[name=language]").addEventListener("change", async ({ target }) => {
  const view = await order("/api/v1/me/language", { language: target.value }).catch((problem) => ({ problem }));
  if (view.problem) refuse(view.problem);
  else location.reload();
});

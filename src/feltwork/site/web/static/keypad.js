// The keypad of a form: keys go to the last focused field, C clears it, OK moves on or submits the form.

export function keypad(form) {
  const fields = [...form.querySelectorAll("input:not([type=hidden])")];
  let field = fields[0];
  for (const one of fields) one.addEventListener("focus", () => (field = one));
  form.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-key]")?.dataset.key;
    if (!pressed) return;
    if (pressed === "enter") {
      const next = fields[fields.indexOf(field) + 1];
      if (next) next.focus();
      else form.requestSubmit();
      return;
    }
    field.value = pressed === "clear" ? "" : field.value + pressed;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  return fields;
}

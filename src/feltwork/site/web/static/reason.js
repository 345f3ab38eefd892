// A dialog of reasons: tap one, or type another.

export function askReason(id, about, chosen) {
  const dialog = document.getElementById(id);
  const form = dialog.querySelector("form");
  const stop = new AbortController();
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal: stop.signal });
  const take = (reason) => (dialog.close(), chosen(reason));
  on(dialog, "click", (event) => {
    const pressed = event.target.closest("button");
    if (pressed && "close" in pressed.dataset) dialog.close();
    else if (pressed?.dataset.reason) take(pressed.dataset.reason);
  });
  on(form, "submit", (event) => (event.preventDefault(), take(form.reason.value)));
  on(dialog, "close", () => stop.abort());
  form.reset();
  dialog.querySelector("[data-about]").textContent = about;
  dialog.showModal();
}

// Badges with their PINs: asked for one after the other, by reader, touch or keyboard. A PIN is kept only here, until
// its order is carried out or the dialog is closed.

const element = (id) => document.getElementById(id);

// The row of the requirements that a confirmation is refused by when the amount has changed since it was shown.
const AMOUNT_CHANGED = "GEN-10";

// ask({about, roles, send, renew}): roles are those still needed, in order; send(badges) gives the order and returns its
// promise. Where the amount has changed, renew() reads it again and returns what the button that confirms it says.
export function ask({ about, roles = ["supervisor"], own = "", send, renew, done }) {
  const dialog = element("badge");
  const digits = Number(dialog.dataset.pinDigits);
  const read = element("badge-read");
  const pin = element("badge-pin");
  const dots = dialog.querySelector("[data-dots]");
  const problem = element("badge-problem");
  const again = element("badge-again");
  const step = (name) => dialog.querySelector(`[data-step="${name}"]`);
  const stop = new AbortController();
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal: stop.signal });
  let shown = [];
  let badge = "";
  let busy = false;

  function draw() {
    dots.replaceChildren(
      ...Array.from({ length: digits }, (_, place) => {
        const dot = document.createElement("i");
        if (place < pin.value.length) dot.className = "full";
        return dot;
      }),
    );
  }

  function askBadge() {
    const role = roles[shown.length] || "supervisor";
    element("badge-asks").textContent =
      roles.length > 1 ? `Badge ${shown.length + 1} of ${roles.length}: ${role}` : "Show a badge, or choose a name";
    for (const one of dialog.querySelectorAll("[data-badge]")) {
      one.hidden = role === "executive" ? one.dataset.role !== "executive" : false;
    }
    step("pin").hidden = true;
    step("badge").hidden = false;
    read.value = "";
    read.focus();
  }

  function askPin(chosen, name) {
    badge = chosen;
    element("pin-asks").textContent = `PIN of ${name || chosen}`;
    step("badge").hidden = true;
    step("pin").hidden = false;
    pin.value = "";
    draw();
    pin.focus();
  }

  async function prove() {
    if (busy || !pin.value) return;
    const chosen = dialog.querySelector(`[data-badge="${CSS.escape(badge)}"]`);
    shown.push({ badge, pin: pin.value, role: chosen?.dataset.role });
    if (shown.length < roles.length) return askBadge();
    await present();
  }

  async function present() {
    busy = true;
    problem.hidden = again.hidden = true;
    dialog.setAttribute("aria-busy", "true");
    try {
      const told = await send(shown.map((one) => ({ badge: one.badge, pin: one.pin })));
      close();
      done?.(told);
    } catch (refused) {
      problem.textContent = `${refused.what}. ${refused.remedy}. ${refused.requirement ? `[${refused.requirement}]` : ""}`;
      problem.hidden = false;
      const offer = refused.requirement === AMOUNT_CHANGED ? await renew?.().catch(() => "") : "";
      if (offer) {
        step("badge").hidden = step("pin").hidden = true;
        again.textContent = offer;
        again.hidden = false;
        again.focus();
      } else {
        shown = [];
        askBadge();
      }
    } finally {
      busy = false;
      dialog.removeAttribute("aria-busy");
    }
  }

  function close() {
    shown = [];
    pin.value = "";
    stop.abort();
    if (dialog.open) dialog.close();
  }

  on(dialog, "click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    if (pressed.dataset.badge) askPin(pressed.dataset.badge, pressed.firstChild.textContent.trim());
    else if ("close" in pressed.dataset) close();
    else if (pressed === again && !busy) present();
    else if (pressed.dataset.key === "clear") pin.value = "";
    else if (pressed.dataset.key === "enter") prove();
    else if (pressed.dataset.key) pin.value += pressed.dataset.key;
    if (pressed.dataset.key) typed();
  });
  function typed() {
    draw();
    if (pin.value.length === digits) prove();
  }
  on(pin, "input", typed);
  on(step("pin"), "submit", (event) => (event.preventDefault(), prove()));
  on(read, "keydown", (event) => {
    if (event.key !== "Enter" || !read.value) return;
    event.preventDefault();
    askPin(read.value.trim());
  });
  on(dialog, "close", close);

  element("badge-about").textContent = about;
  problem.hidden = again.hidden = true;
  dialog.showModal();
  if (own) {
    const mine = dialog.querySelector(`[data-badge="${CSS.escape(own)}"]`);
    askPin(own, mine?.firstChild.textContent.trim());
  } else askBadge();
}

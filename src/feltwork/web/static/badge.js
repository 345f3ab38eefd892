// Badge and PIN entry, one badge after the other, by reader, touch, or keyboard. A PIN is held only here, until its
// command is done or the dialog is closed.

import { sentences } from "/static/act.js";
import { t } from "/static/text.js";

const element = (id) => document.getElementById(id);

// The requirement that refuses a confirmation when the amount has changed since it was shown.
const AMOUNT_CHANGED = "GEN-10";

// ask({title, about, roles, own, check, send, renew, done}): roles are the badges needed, in order; own is the badge of
// the person who is signed in and shows the first one. check(badge) proves each badge before the last at once;
// send(badges) gives the command. If the amount has changed, renew() reloads it and returns the new label of the confirm
// button.
export function ask({ title, about, roles = ["supervisor"], own = "", check, send, renew, done }) {
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
  const buttonOf = (of) => dialog.querySelector(`[data-badge="${CSS.escape(of)}"]`);
  const nameOf = (of) => buttonOf(of)?.firstChild.textContent.trim() || of;

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
      roles.length > 1 ? t("Badge %(number)s of %(count)s: %(role)s", { number: shown.length + 1, count: roles.length, role: t(role) }) : t("Swipe a badge or tap a name");
    const used = shown.map((one) => one.badge);
    for (const button of dialog.querySelectorAll("[data-badge]"))
      button.hidden = used.includes(button.dataset.badge) || (role === "executive" && button.dataset.role !== "executive");
    element("badge-shown").textContent = used.map((of) => `✓ ${nameOf(of)}`).join(", ");
    step("pin").hidden = true;
    step("badge").hidden = false;
    read.value = "";
    read.focus();
  }

  function askPin(chosen) {
    badge = chosen;
    element("pin-asks").textContent = t("PIN for %(name)s", { name: nameOf(chosen) });
    step("badge").hidden = true;
    step("pin").hidden = false;
    pin.value = "";
    draw();
    pin.focus();
  }

  async function prove() {
    if (busy || !pin.value) return;
    shown.push({ badge, pin: pin.value });
    await present();
  }

  // A refusal names the person whose badge was shown last: those before it are proved.
  async function present() {
    const isLast = shown.length === roles.length;
    busy = true;
    problem.hidden = again.hidden = true;
    dialog.setAttribute("aria-busy", "true");
    try {
      const view = await (isLast ? send(shown) : check(shown.at(-1)));
      if (!isLast) return askBadge();
      close();
      done?.(view);
    } catch (refused) {
      const offer = refused.requirement === AMOUNT_CHANGED ? await renew?.().catch(() => "") : "";
      problem.textContent = offer || !refused.status ? sentences(refused) : `${nameOf(badge)}: ${sentences(refused)}`;
      problem.hidden = false;
      if (offer) {
        step("badge").hidden = step("pin").hidden = true;
        again.textContent = offer;
        again.hidden = false;
        again.focus();
      } else {
        shown.pop();
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
    if (pressed.dataset.badge) askPin(pressed.dataset.badge);
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

  element("badge-title").textContent = title || dialog.dataset.title;
  element("badge-about").textContent = about;
  element("badge-shown").textContent = "";
  problem.hidden = again.hidden = true;
  dialog.showModal();
  if (own) askPin(own);
  else askBadge();
}

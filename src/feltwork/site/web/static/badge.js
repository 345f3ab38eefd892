// Badge and PIN entry, one badge after the other, by reader, touch, or keyboard. A PIN is held only here, until its
// command is done or the dialog is closed.

import { checkBadge, newAmount, order, sentences } from "/static/act.js";
import { layDeck } from "/static/card_picker.js";
import { money } from "/static/live.js";
import { t } from "/static/text.js";

const element = (id) => document.getElementById(id);

// The requirement that refuses a confirmation when the amount has changed since it was shown.
const AMOUNT_CHANGED = "GEN-10";
// The rule that refuses a PIN; the badge stays.
const WRONG_PIN = "badge-and-secret";
// The requirement that refuses cards.
const WRONG_CARDS = "LT-02";

// ask({title, about, roles, own, payNow, check, send, renew, done}): roles are the badges needed, in order; own is the badge of
// the person who is signed in and shows the first one; payNow offers to pay at the table. check(badge) proves each badge before the last at once;
// send(badges) gives the command. If the amount has changed, renew() reloads it and returns the new label of the confirm
// button. lacking are the claims whose cards are asked for first: send(badges, cards) gets them by link and claim. kept are badges shown before for the amount, and first is another claim that comes before this one.
export function ask({ title, about, roles = ["supervisor"], own = "", kept = [], amount = 0, lacking = [], payNow = false, first = null, check, send, renew, done }) {
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
  let cards = {};
  let asking = null;
  let busy = false;
  let pressAgain = present;
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

  // The cards of each claim, then the badges: those shown before stay.
  function askCards() {
    asking = lacking.find((one) => !cards[one.link]?.[one.id]);
    step("cards").hidden = !asking;
    step("badge").hidden = step("pin").hidden = true;
    if (!asking) return askPeople();
    element("cards-asks").textContent = t("Winning cards, %(seats)s", { seats: asking.seats_text });
    layDeck(step("cards"), asking.decks);
  }

  function takeCards(event) {
    event.preventDefault();
    const named = event.target.cards.value;
    problem.hidden = Boolean(named);
    problem.textContent = t("Tap the cards of the winning hand.");
    if (!named) return;
    cards = { ...cards, [asking.link]: { ...cards[asking.link], [asking.id]: named } };
    askCards();
  }

  function askPeople() {
    if (shown.length === roles.length) {
      badge = shown.at(-1).badge;
      offerAgain(t("Confirm %(amount)s", { amount: money(amount) }));
    } else if (own && !shown.length) askPin(own);
    else askBadge();
    offerFirst();
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

  // A badge that nobody on the list has is known, or it is refused before its PIN is asked.
  async function readBadge() {
    const chosen = read.value.trim();
    problem.hidden = true;
    const known = buttonOf(chosen) || (await fetch(`/api/v1/people/${encodeURIComponent(chosen)}/may?command=confirm`).catch(() => null))?.status !== 404;
    if (known && !stop.signal.aborted) return askPin(chosen);
    problem.textContent = t("Nobody has badge %(badge)s. Check the number, or tap a name.", { badge: chosen });
    problem.hidden = false;
    read.select();
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
      const view = await (isLast ? send(shown, cards) : check(shown.at(-1)));
      if (!isLast) {
        askBadge();
        return offerFirst();
      }
      const typed = shown;
      close();
      done?.(view, typed);
    } catch (refused) {
      const offer = refused.requirement === AMOUNT_CHANGED ? await renew?.().catch(() => "") : "";
      problem.textContent = offer || !refused.status ? sentences(refused) : `${nameOf(badge)}: ${sentences(refused)}`;
      problem.hidden = false;
      if (offer) offerAgain(offer);
      else if (lacking.length && refused.requirement === WRONG_CARDS) {
        cards = {};
        askCards();
      } else if (first && refused.requirement === AMOUNT_CHANGED) offerAgain(t("Open that claim"), openFirst);
      else {
        shown.pop();
        if (refused.rule === WRONG_PIN) askPin(badge);
        else askBadge();
      }
    } finally {
      busy = false;
      dialog.removeAttribute("aria-busy");
    }
  }

  function offerAgain(label, act = present) {
    step("badge").hidden = step("pin").hidden = true;
    again.textContent = label;
    again.hidden = false;
    again.focus();
    pressAgain = act;
  }

  function offerFirst() {
    if (!first) return;
    problem.textContent = first.says;
    again.textContent = t("Open that claim");
    problem.hidden = again.hidden = false;
    pressAgain = openFirst;
  }

  function openFirst() {
    // The dialog stays open: its closing would also end what is asked next.
    stop.abort();
    first.open(shown);
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
    else if (pressed === again && !busy) pressAgain();
    else if (pressed.dataset.key === "clear" && !pin.value) askBadge();
    else if (pressed.dataset.key === "clear") pin.value = "";
    else if (pressed.dataset.key === "enter") prove();
    else if (pressed.dataset.key) pin.value += pressed.dataset.key;
    if (pressed.dataset.key) typed();
  });
  function typed() {
    draw();
    problem.hidden = true;
    if (pin.value.length === digits) prove();
  }
  on(pin, "input", typed);
  on(step("cards"), "submit", takeCards);
  on(step("pin"), "submit", (event) => (event.preventDefault(), prove()));
  on(read, "keydown", (event) => {
    if (event.key !== "Enter" || !read.value) return;
    event.preventDefault();
    readBadge();
  });
  on(read, "input", () => (problem.hidden = true));
  on(dialog, "close", close);

  element("badge-title").textContent = title || dialog.dataset.title;
  element("badge-about").textContent = about;
  element("badge-shown").textContent = "";
  if (element("pay-now")) element("pay-now").hidden = !payNow;
  problem.hidden = again.hidden = true;
  if (!dialog.open) dialog.showModal();
  shown = kept.slice(0, roles.length);
  askCards();
}

// The claims of a hit whose cards are needed for its confirmation.
export function lacking(claims, { link, table, round, hit_seats: seats }) {
  return claims.filter((one) => one.needs_cards && one.link === link && one.table === table && one.round === round && seats.includes(one.seat));
}

// A claim that is confirmed before this one: it opens in the same dialog with the badges shown so far, and back(badges)
// then returns to this one. A key is turned at its own table.
export function before({ first, first_says: about, controls, decks }, back) {
  if (!first) return null;
  const open = (kept) =>
    ask({
      about,
      roles: first.badges,
      kept,
      amount: first.hit_amount,
      check: (badge) => checkBadge(first, badge),
      lacking: first.cards || !first.badges.includes("executive") ? [] : [{ ...first, decks, seats_text: t("seat %(seat)s", first) }],
      send: (badges, cards) => order(`/api/v1/links/${first.link}/awards/${first.id}/confirm`, { badges, amount: first.hit_amount, cards: cards[first.link] }),
      renew: () => newAmount(first),
      done: (_, typed) => back(typed),
    });
  return {
    says: t("%(claim)s It was claimed first and is confirmed first.", { claim: about }),
    open: controls === "aquarius" ? () => (location.href = `/dealer/${first.link}/${first.table}`) : open,
  };
}

// The cage: write the payout record by touch, with each problem beside its field, then follow checklist and payment.

import { fields, key, order, refresh, refuse, sentences } from "/static/act.js";
import "/static/card_picker.js";
import { money } from "/static/live.js";
import { t } from "/static/text.js";

const element = (id) => document.getElementById(id);
let idempotencyKey = key();

function tell(name, says) {
  const problem = element(`${name}-problem`);
  problem.textContent = says;
  problem.hidden = !says;
  const field = document.querySelector(`#record-form [name="${name}"]:not([type="hidden"])`);
  if (field) field.setAttribute("aria-invalid", Boolean(says));
}

function record(form) {
  const { payee, patron, cards, documents, ...shown } = fields(form);
  const identity = { documents: Number(documents), ...shown };
  return { payee: payee.trim(), patron: patron.trim() || null, cards, identity };
}

// The field that the service refused, and what is wrong with it in plain words.
function refused({ requirement, detail, fields: wrong = {} }) {
  if (requirement === "TX-04") return ["identity", t("This win needs two documents, one of them with a photo, or a tribal card or written exception.")];
  if (requirement === "LT-02") return ["cards", sentences({ detail, remedy: t("Tap all cards that make the hand.") })];
  if (wrong.patron) return ["patron", wrong.patron];
  return [];
}

document.addEventListener("submit", async (event) => {
  if (event.target.id !== "record-form") return;
  event.preventDefault();
  const form = event.target;
  if (form.getAttribute("aria-busy")) return;
  const body = record(form);
  tell("payee", body.payee ? "" : t("Enter the name of the person who is paid."));
  tell("cards", body.cards ? "" : t("Tap the cards of the winning hand."));
  tell("patron", "");
  tell("identity", "");
  if (!body.payee || !body.cards) return focusField(body.payee ? "cards" : "payee");
  form.setAttribute("aria-busy", "true");
  try {
    await order(form.getAttribute("action"), body, idempotencyKey);
    refresh();
  } catch (problem) {
    if (problem.status < 500) idempotencyKey = key();
    const [name, says] = refused(problem);
    if (!name) return refuse(problem);
    tell(name, says);
    focusField(name === "identity" ? "documents" : name);
  } finally {
    form.removeAttribute("aria-busy");
  }
});

function focusField(name) {
  const checked = document.querySelector(`#record-form [name="${name}"]:checked`);
  (checked || document.querySelector(`#record-form [name="${name}"]:not([type="hidden"])`) || document.querySelector('#deck [tabindex="0"]')).focus();
}

// The amount to pay depends on whether a taxpayer number was shown.
function due() {
  const amounts = element("amounts").dataset;
  const box = document.querySelector("[data-number]");
  if (!box) return;
  const withheld = Number(box.checked ? amounts.withheld : amounts.withoutNumber);
  element("withheld").textContent = money(withheld);
  element("due").textContent = money(Number(amounts.award) - withheld);
  element("no-number").hidden = box.checked;
}

document.addEventListener("chosen", () => tell("cards", ""));
document.addEventListener("change", (event) => {
  if (event.target.name === "taxpayer_number") due();
  if (event.target.closest("#record-form fieldset")) tell("identity", "");
});
// After a step the heading of the next one has the focus, so that the keyboard continues there.
document.addEventListener("htmx:afterSettle", () => document.querySelector("#live [data-now]")?.focus());
document.addEventListener("acted", (event) => {
  if (event.target.dataset.then === "#printed") element("printed").textContent = element("printed").dataset.says;
});
due();

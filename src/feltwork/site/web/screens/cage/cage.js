// The cage: write the payout record by touch, with each problem beside its field, then follow checklist and payment.

import { fields, key, order, refresh, refuse, sentences, tellAlready } from "/static/act.js";
import "/static/card_picker.js";
import { money, twin } from "/static/live.js";
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
  const { payee, patron, cards, documents, address, taxpayer, ...shown } = fields(form);
  const identity = { documents: Number(documents), taxpayer_number: Boolean(taxpayer.trim()), ...shown };
  const of = (row, name) => row.querySelector(`[data-share-of="${name}"]`).value.trim();
  const rows = Array.from(form.querySelectorAll("[data-share]")).filter((row) => of(row, "name") || of(row, "amount"));
  const entitled = rows.map((row) => ({ name: of(row, "name"), address: of(row, "address"), taxpayer: of(row, "taxpayer"), amount: Math.round(Number(of(row, "amount").replace(/[$,]/g, "")) * 100) * 10_000 || 0 }));
  return { payee: payee.trim(), patron: patron.trim() || null, cards, identity, address: address.trim(), taxpayer: taxpayer.trim(), entitled };
}

// The field that the service refused, and what is wrong with it in plain words.
function refused({ requirement, detail, remedy, fields: wrong = {} }) {
  if (requirement === "TX-05" || wrong.entitled) return ["entitled", sentences({ detail, remedy })];
  if (/^TX-0[12]$/.test(requirement)) return ["address", sentences({ detail, remedy })];
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
  tell("address", "");
  if (!body.payee || !body.cards) return focusField(body.payee ? "cards" : "payee");
  form.setAttribute("aria-busy", "true");
  try {
    const view = await order(form.getAttribute("action"), body, idempotencyKey);
    idempotencyKey = key();
    if (view.already) tellAlready(view.already);
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
  const given = Boolean(box.value.trim());
  const withheld = Number(given ? amounts.withheld : amounts.withoutNumber);
  element("withheld").textContent = money(withheld);
  element("due").textContent = money(Number(amounts.award) - withheld);
  element("no-number").hidden = given;
}

document.addEventListener("chosen", () => tell("cards", ""));
document.addEventListener("input", (event) => {
  if (event.target.name === "taxpayer") due();
});
document.addEventListener("change", (event) => {
  if (event.target.closest("#record-form fieldset")) tell("identity", "");
});
// After a step the heading of the next one has the focus, so that the keyboard continues there.
document.addEventListener("htmx:afterSettle", () => document.querySelector("#live [data-now]")?.focus());
document.addEventListener("acted", (event) => {
  if (event.target.dataset.then === "#printed") element("printed").textContent = element("printed").dataset.says;
});
due();

// What others do appears without a reload, unless this person is typing; a payment appears in any case.
let shown = "";
let status = "";
async function watch() {
  const view = await twin();
  if (!view) return;
  const now = JSON.stringify([view.award.status, view.payout, view.refusal, view.missing, view.excluded_at]);
  const typing = Array.from(document.querySelectorAll("#live input")).some((field) => (/^(checkbox|radio)$/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue));
  if (shown && shown !== now && typing && view.award.status === status) return;
  if (shown && shown !== now) refresh();
  [shown, status] = [now, view.award.status];
}
setInterval(watch, 3000);
// What this person did is on the page already.
document.addEventListener("htmx:afterSettle", () => {
  shown = "";
  watch();
});
watch();

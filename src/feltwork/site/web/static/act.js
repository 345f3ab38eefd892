// Commands: a button or form posts JSON to the API with an idempotency key, and shows a refusal in a dialog.
//
// <button data-act="/path" data-body='{"a": 1}' data-then="/next">   then: an address, or "refresh" (the default)
// <form data-act="/path" data-then="...">   fields by name, a part of an object as object.part; data-type="int|number|amount|list|words|optional" is the type of a field

import { money } from "/static/live.js";
import { t } from "/static/text.js";

export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return "web-" + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function order(path, body = {}, idempotencyKey = key()) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": idempotencyKey },
      body: JSON.stringify(body),
    });
  } catch {
    throw { rule: "network", detail: t("The service isn't responding."), remedy: t("Wait for the connection, then press the button again.") };
  }
  const view = await response.json().catch(() => ({}));
  if (view.rule === "session-locked") document.dispatchEvent(new Event("session-locked"));
  if (!response.ok) throw { status: response.status, ...view, ...view.translated };
  return view;
}

// Reload the amount of a claim; returns the new label of its confirm button, or "" if the amount is unchanged.
export async function newAmount(claim) {
  const response = await fetch(`/api/v1/links/${claim.link}/awards/${claim.id}`, { headers: { Accept: "application/json" } });
  const before = claim.hit_amount;
  if (response.ok) claim.hit_amount = (await response.json()).hit_amount;
  if (claim.hit_amount === before) return "";
  return t("Confirm %(amount)s", { amount: money(claim.hit_amount) });
}

// Check one of several badges of a confirmation at once.
export function checkBadge(claim, badge) {
  return order(`/api/v1/links/${claim.link}/awards/${claim.id}/badge`, badge);
}

// Awards as people name them: C1:214:5 is C1, round 214, seat 5.
function named(text) {
  const spoken = (_, table, round, seat) => t("%(table)s, round %(round)s, seat %(seat)s", { table, round, seat });
  return (text || "").replace(/\b([A-Za-z]\w*):(\d+):(\d+)(:\d+)?\b/g, spoken);
}

// A capital letter and a period.
function sentence(said) {
  const text = named(said);
  return text ? text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? "" : ".") : "";
}

export function sentences({ detail, remedy }) {
  return `${sentence(detail)} ${sentence(remedy)}`;
}

// act is what the person can do about it with one touch: {label, run}.
export function refuse(problem, act) {
  // The dialog of the lock says it.
  if (problem.rule === "session-locked") return;
  const show = (name, text) => (document.getElementById(`refusal-${name}`).textContent = text || "");
  show("what", sentence(problem.detail || String(problem)));
  show("where", named(problem.where));
  show("remedy", sentence(problem.remedy) || t("Try again."));
  show("requirement", problem.requirement);
  const rule = document.getElementById("refusal-requirement");
  rule.hidden = !problem.requirement;
  rule.href = `/rules/${problem.requirement}`;
  const key = document.getElementById("refusal-act");
  key.hidden = !act;
  key.textContent = act?.label || "";
  key.onclick = act?.run || null;
  const dialog = document.getElementById("refusal");
  if (!dialog.open) dialog.showModal();
}

// Redraw the live part of the page in place.
export function refresh() {
  const part = document.getElementById("live");
  if (part && window.htmx) return window.htmx.ajax("GET", location.href, { target: "#live", select: "#live", swap: "outerHTML" });
  location.reload();
}

export function then(where) {
  if (!where || where === "refresh") return refresh();
  location.href = where;
}

function micros(field) {
  const match = /^\s*\$?\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]{0,6}))?\s*$/.exec(field.value);
  if (!match) throw { fields: { [field.name]: t("Enter a dollar amount, such as 250.00.") } };
  return Number(match[1].replaceAll(",", "")) * 1e6 + Number((match[2] || "").padEnd(6, "0"));
}

// Beside an amount that replaces another: what it is now, the change, and the result.
document.addEventListener("input", ({ target }) => {
  const shown = target.dataset?.now && target.closest("form")?.querySelector("[data-change]");
  if (!shown) return;
  const now = Number(target.dataset.now);
  try {
    const result = micros(target);
    const change = (result < now ? "" : "+") + money(result - now);
    const amounts = { now: money(now), change, result: money(result) };
    shown.textContent = t("Now %(now)s, change %(change)s, result %(result)s", amounts);
  } catch {
    shown.textContent = t("Now %(now)s", { now: money(now) });
  }
});

export function fields(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked)) continue;
    const kind = field.dataset.type;
    const [whole, ...rest] = field.name.split(".");
    const part = rest.join(".");
    if (part) {
      body[whole] ||= {};
      if (field.value) body[whole][part] = field.value;
    } else if (kind === "list") {
      body[field.name] ||= [];
      if (field.checked) body[field.name].push(field.value);
    } else if (kind === "words") body[field.name] = field.value.split(/[\s,]+/).filter(Boolean);
    else if (field.type === "checkbox") body[field.name] = field.checked;
    else if ((kind === "optional" || kind === "number") && !field.value) continue;
    else if (kind === "int" || kind === "number") body[field.name] = Number(field.value);
    else if (kind === "amount") body[field.name] = micros(field);
    else body[field.name] = field.value;
  }
  return body;
}

// Say what is wrong beside each field that was refused; false where the form does not have it.
function tellFields(form, { fields: wrong = {} }) {
  const refused = Object.entries(wrong).filter(([name]) => form.elements?.[name]?.type);
  for (const [name, says] of refused) {
    const field = form.elements[name];
    field.setAttribute("aria-invalid", "true");
    const problem = Object.assign(document.createElement("p"), { className: "problem", id: `${name}-refused`, textContent: says, role: "alert" });
    field.setAttribute("aria-describedby", problem.id);
    (field.closest("label") || field).after(problem);
  }
  if (refused.length) form.elements[refused[0][0]].focus();
  return refused.length > 0 && refused.length === Object.keys(wrong).length;
}

function forgetFields(form) {
  for (const problem of form.querySelectorAll(".problem[id$='-refused']")) problem.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

// Another person did the same a moment ago: no refusal, but nobody may do it twice.
export function tellAlready(says) {
  document.getElementById("already-says").textContent = sentence(says);
  document.getElementById("already").showModal();
}

async function send(element, body) {
  // Keep the idempotency key until the books have answered, so that a retry is not executed twice.
  const idempotencyKey = (element.dataset.key ||= key());
  element.setAttribute("aria-busy", "true");
  try {
    const view = await order(element.dataset.act, body, idempotencyKey);
    element.dispatchEvent(new CustomEvent("acted", { bubbles: true, detail: view }));
    delete element.dataset.key;
    if (view.already) tellAlready(view.already);
    then(element.dataset.then);
  } catch (problem) {
    if (problem.status < 500) delete element.dataset.key;
    if (!tellFields(element, problem)) refuse(problem);
  } finally {
    element.removeAttribute("aria-busy");
  }
}

// The help of a page opens with its button, or with "?" where no one is typing.
function help() {
  const dialog = document.getElementById("help");
  if (dialog && !document.querySelector("dialog[open]")) dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.closest?.("input, textarea, select")) help();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-help]")) return help();
  const button = event.target.closest("button[data-act]");
  if (!button || button.getAttribute("aria-busy")) return;
  event.preventDefault();
  send(button, JSON.parse(button.dataset.body || "{}"));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-act]");
  if (!form) return;
  event.preventDefault();
  forgetFields(form);
  try {
    if (!form.getAttribute("aria-busy")) send(form, fields(form));
  } catch (problem) {
    if (!tellFields(form, problem)) refuse(problem);
  }
});

// Orders: every button and form that changes something sends JSON to the API, once, and tells refusals.
//
// <button data-act="/path" data-body='{"a": 1}' data-then="/next">   then: an address, or "refresh" (the default)
// <form data-act="/path" data-then="...">   fields by name; data-type="int|amount|json|list" says what a field holds

import { money } from "/static/live.js";

export function key() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return "web-" + Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

export async function order(path, body = {}, idempotencyKey = key()) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "Idempotency-Key": idempotencyKey },
      body: JSON.stringify(body),
    });
  } catch {
    throw { rule: "line", what: "the service does not answer", remedy: "wait for the line, then press again", where: path };
  }
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw { status: answer.status, ...told };
  return told;
}

// Read the amount of a claim again; the answer is what the button that confirms it says, empty if nothing changed.
export async function newAmount(claim) {
  const answer = await fetch(`/links/${claim.link}/awards/${claim.id}`, { headers: { Accept: "application/json" } });
  const before = claim.hit_amount;
  if (answer.ok) claim.hit_amount = (await answer.json()).hit_amount;
  if (claim.hit_amount === before) return "";
  return `Confirm ${money(claim.hit_amount)}`;
}

export function sentences({ what, remedy }) {
  return [what, remedy].map((one) => `${one.charAt(0).toUpperCase()}${one.slice(1)}.`).join(" ");
}

export function refuse(problem) {
  const said = (name, text) => (document.getElementById(`refusal-${name}`).textContent = text || "");
  said("what", problem.what || String(problem));
  said("where", problem.where);
  said("remedy", problem.remedy || "try again");
  said("rule", problem.rule);
  said("requirement", problem.requirement ? `requirement ${problem.requirement}` : "");
  const dialog = document.getElementById("refusal");
  if (!dialog.open) dialog.showModal();
}

// Draw the parts that live anew, without leaving the page; buttons that are pressed meanwhile stay.
export function refresh() {
  const part = document.getElementById("live");
  if (part && window.htmx) return window.htmx.ajax("GET", location.href, { target: "#live", select: "#live", swap: "outerHTML" });
  location.reload();
}

export function then(where) {
  if (!where || where === "refresh") return refresh();
  location.href = where;
}

function micros(text) {
  const match = /^\s*\$?([0-9][0-9,]*)(?:\.([0-9]{1,6}))?\s*$/.exec(text);
  if (!match) throw { rule: "input", what: `${text} is no amount`, remedy: "write it like 1234.56" };
  return Number(match[1].replaceAll(",", "")) * 1e6 + Number((match[2] || "").padEnd(6, "0"));
}

export function fields(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked)) continue;
    const kind = field.dataset.type;
    if (field.type === "checkbox") body[field.name] = field.checked;
    else if (kind === "optional" && !field.value) continue;
    else if (kind === "int") body[field.name] = Number(field.value);
    else if (kind === "amount") body[field.name] = micros(field.value);
    else if (kind === "json") body[field.name] = JSON.parse(field.value);
    else body[field.name] = field.value;
  }
  return body;
}

async function send(element, body) {
  // The same press keeps its key until it is answered, so that a lost answer is asked for again and not done twice.
  const kept = (element.dataset.key ||= key());
  element.setAttribute("aria-busy", "true");
  try {
    const told = await order(element.dataset.act, body, kept);
    element.dispatchEvent(new CustomEvent("acted", { bubbles: true, detail: told }));
    delete element.dataset.key;
    then(element.dataset.then);
  } catch (problem) {
    if (problem.status) delete element.dataset.key;
    refuse(problem);
  } finally {
    element.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (!button || button.getAttribute("aria-busy")) return;
  event.preventDefault();
  send(button, JSON.parse(button.dataset.body || "{}"));
});

document.addEventListener("submit", (event) => {
  const form = event.target.closest("form[data-act]");
  if (!form) return;
  event.preventDefault();
  try {
    if (!form.getAttribute("aria-busy")) send(form, fields(form));
  } catch (problem) {
    refuse(problem);
  }
});

// Office sign-in: badge and password or a provider, then a known or new security key.

import { order, sentences } from "/static/act.js";
import { t } from "/static/text.js";

const page = document.getElementById("sign-in");
const form = page.querySelector("form");
const said = document.getElementById("sign-in-problem");
const step = document.getElementById("key");
const says = document.getElementById("key-says");
const use = document.getElementById("key-use");

// The two WebAuthn calls: use a known key, or register a new one.
const KINDS = {
  security_key: {
    path: "/api/v1/sign-in/office/key",
    asks: t("Your security key"),
    says: t("Insert the key and touch it when it blinks."),
    button: t("Use key"),
    answer: (options, signal) =>
      navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), signal }),
  },
  new_security_key: {
    path: "/api/v1/sign-in/office/new-key",
    asks: t("New security key"),
    says: t("Two people approved a key for you. Insert it, press the button, and touch it when it blinks. You will need it for every office sign-in."),
    button: t("Register this key"),
    answer: (options, signal) =>
      navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options), signal }),
  },
};
// WebAuthn errors with their messages.
const PROBLEMS = {
  NotAllowedError: { detail: t("The key didn't respond."), remedy: t("Insert it, press the button, and touch it when it blinks.") },
  InvalidStateError: { detail: t("This key is already registered."), remedy: t("Use another key.") },
};
let wanted = null;

function tell(problem) {
  said.textContent = problem ? sentences(problem) : "";
  said.hidden = !problem;
}

function begin() {
  wanted?.stop.abort();
  wanted = null;
  step.hidden = true;
  form.hidden = false;
  form.password.value = "";
  (form.badge.value ? form.password : form.badge).focus();
}

// Keys are bound to one origin, and browsers allow them in a secure context only.
function obstacle() {
  const elsewhere = { detail: t("Security keys work at one address only."), remedy: t("Open %(address)s and sign in there.", { address: page.dataset.origin }) };
  if (location.origin !== page.dataset.origin) return elsewhere;
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) return null;
  return { detail: t("This browser can't use security keys."), remedy: t("Use a newer browser.") };
}

function ask(asked) {
  const problem = obstacle();
  if (problem) return begin(), tell(problem);
  const kind = KINDS[asked.needs];
  wanted = { ...asked, kind, stop: new AbortController() };
  document.getElementById("key-asks").textContent = kind.asks;
  says.textContent = kind.says;
  use.textContent = kind.button;
  form.hidden = true;
  step.hidden = false;
  use.focus();
  if (asked.needs === "security_key") answer();
}

async function answer() {
  if (use.getAttribute("aria-busy")) return;
  const { kind, options, ticket, stop } = wanted;
  tell(null);
  use.setAttribute("aria-busy", "true");
  let credential;
  try {
    credential = await kind.answer(options, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return;
    // The ticket is still good: nothing was sent.
    return tell(PROBLEMS[error.name] || { detail: t("The key can't be used."), remedy: t("Try again, or use another key.") });
  } finally {
    use.removeAttribute("aria-busy");
  }
  enter(kind.path, { ticket, credential: credential.toJSON() });
}

async function enter(path, body) {
  tell(null);
  try {
    const view = await order(path, body);
    if (view.needs) ask(view);
    else location.href = page.dataset.to;
  } catch (problem) {
    begin();
    tell(problem);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter("/api/v1/sign-in/office", { badge: form.badge.value, password: form.password.value });
});
use.addEventListener("click", answer);
document.getElementById("key-leave").addEventListener("click", () => (tell(null), begin()));
begin();
// The way back from the sign-in provider; without a code it has refused.
const { code, state } = page.dataset;
if (code) enter("/api/v1/sign-in/office/provider", { code, state });
else if (code === "") tell({ detail: t("The sign-in provider refused, or does not answer."), remedy: t("Try again, or sign in with your password.") });

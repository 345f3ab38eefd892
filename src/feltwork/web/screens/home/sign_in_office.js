// Signing in to the office: badge and password, then the security key that the service asks for, or a new one.

import { order, sentences } from "/static/act.js";

const page = document.getElementById("sign-in");
const form = page.querySelector("form");
const said = document.getElementById("sign-in-problem");
const step = document.getElementById("key");
const says = document.getElementById("key-says");
const use = document.getElementById("key-use");

// What a browser does with a key: sign with one that is known, or make one.
const KINDS = {
  security_key: {
    path: "/sign-in/office/key",
    asks: "Your security key",
    says: "Put the key in and touch it when it blinks.",
    button: "Use the key",
    answer: (options, signal) =>
      navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options), signal }),
  },
  new_security_key: {
    path: "/sign-in/office/new-key",
    asks: "A new security key",
    says: "Two people have granted you a key. Put it in, press the button, and touch it when it blinks. From then on the office asks for it.",
    button: "Register this key",
    answer: (options, signal) =>
      navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options), signal }),
  },
};
// What browsers call it when a key does not answer, and what people can do about it.
const PROBLEMS = {
  NotAllowedError: { what: "the key did not answer", remedy: "put it in, press the button and touch it when it blinks" },
  InvalidStateError: { what: "this key is registered", remedy: "take another key" },
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

// Keys are bound to one address, and browsers use them only where nobody can listen.
function hinders() {
  const elsewhere = { what: "security keys work at one address only", remedy: `open ${page.dataset.origin} and sign in there` };
  if (location.origin !== page.dataset.origin) return elsewhere;
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) return null;
  return { what: "this browser cannot use security keys", remedy: "take a newer browser" };
}

function ask(asked) {
  const problem = hinders();
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
    return tell(PROBLEMS[error.name] || { what: "the key cannot be used", remedy: "try again, or take another key" });
  } finally {
    use.removeAttribute("aria-busy");
  }
  enter(kind.path, { ticket, credential: credential.toJSON() });
}

async function enter(path, body) {
  tell(null);
  try {
    const told = await order(path, body);
    if (told.needs) ask(told);
    else location.href = page.dataset.to;
  } catch (problem) {
    begin();
    tell(problem);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  enter("/sign-in/office", { badge: form.badge.value, password: form.password.value });
});
use.addEventListener("click", answer);
document.getElementById("key-leave").addEventListener("click", () => (tell(null), begin()));
begin();

// The school: settle bets, read the rule, and keep the score in this browser.

import { order, refuse } from "/static/act.js";
import { money } from "/static/live.js";
import { t } from "/static/text.js";

const KEPT = "feltwork-school";
const at = (id) => document.getElementById(id);
const plain = (name) => t(name.replaceAll("_", " "));

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || [];
  } catch {
    return [];
  }
}

function keep(attempt) {
  localStorage.setItem(KEPT, JSON.stringify([...kept(), attempt].slice(-5000)));
}

async function showScore() {
  const attempts = kept().map(({ game, subject, right, cost }) => ({ game, subject, right, cost: cost || "0" }));
  at("score").hidden = !attempts.length;
  if (!attempts.length) return;
  const score = await order("/school/score", { attempts });
  at("score-right").textContent = `${score.right} / ${score.asked}`;
  at("score-of").textContent = t("correct. Player mistakes cost %(cost)s wagers.", score);
  at("weak").hidden = !score.weak_spots.length;
  at("weak").tBodies[0].replaceChildren(
    ...score.weak_spots.slice(0, 8).map((spot) => {
      const row = document.createElement("tr");
      for (const [text, name] of [[plain(spot.subject)], [plain(spot.game)], [spot.wrong, "number"], [spot.asked, "number"]]) {
        const cell = row.insertCell();
        cell.textContent = text;
        if (name) cell.className = name;
      }
      return row;
    }),
  );
}

// Send an answer: recorded under the number of the exercise, or checked in practice by its seed.
async function check(exercise, body) {
  const { game, seed, number } = exercise.dataset;
  const graded = number ? await order(`/api/v1/training/exercises/${number}/answers`, body) : await order(`/school/dealer/${game}/check`, { seed: Number(seed), ...body });
  keep({ game, subject: graded.in_order ? graded.subject : "order_of_the_bets", right: graded.right });
  at("done").textContent = `${graded.place} / ${exercise.dataset.questions}`;
  if (number) {
    at("row").hidden = false;
    at("row").textContent = graded.completed ? t("The course is complete. Your certificate is in the school.") : t("%(in_a_row)s of %(required)s correct answers in a row", graded);
  }
  return graded;
}

function show(graded, verdict) {
  at("correction").hidden = false;
  at("correction").className = `panel stack ${graded.right ? "right" : "wrong"}`;
  at("verdict").textContent = verdict;
  at("paragraphs").replaceChildren(
    ...graded.paragraphs.map((one) => {
      const item = document.createElement("li");
      const where = document.createElement("small");
      where.textContent = `${t("Summary of the letter")}: ${one.where}`;
      item.append(one.says, where);
      return item;
    }),
  );
}

function finish(mistakes, questions) {
  at("over").hidden = false;
  at("result").textContent = mistakes ? t("%(mistakes)s of %(answers)s answers were wrong.", { mistakes, answers: questions }) : t("Every answer correct, in the right order.");
  at("over").querySelector("a, button").focus();
}

function verdictOf({ right, in_order: inOrder, seat, subject, due, why }) {
  const about = { seat, bet: plain(subject), amount: money(due) };
  if (!inOrder) return t("Not yet: seat %(seat)s, %(bet)s comes first.", about);
  const says = right ? t("Right: seat %(seat)s, %(bet)s gets %(amount)s.", about) : t("No: seat %(seat)s, %(bet)s gets %(amount)s.", about);
  return `${says} ${why}`;
}

function dealer(exercise) {
  const questions = Number(exercise.dataset.questions);
  const field = at("pay").elements.returned;
  const give = at("pay").querySelector("button");
  let place = Number(exercise.dataset.place);
  let mistakes = 0;
  let answers = 0;
  let chosen = null;

  function choose(chip) {
    for (const one of exercise.querySelectorAll(".chip")) one.setAttribute("aria-pressed", String(one === chip));
    chosen = chip;
    at("chosen").textContent = chip ? t("Seat %(seat)s, %(bet)s", { seat: chip.dataset.seat, bet: plain(chip.dataset.bet) }) : t("Tap its chips on the table.");
    for (const one of [at("take"), at("push"), field, give]) one.disabled = !chip;
    field.value = "";
  }

  async function answer(returned) {
    const asked = chosen;
    choose(null);
    let graded;
    try {
      graded = await check(exercise, { place, seat: Number(asked.dataset.seat), bet: asked.dataset.bet, returned });
    } catch (problem) {
      return refuse(problem);
    }
    answers += 1;
    if (!graded.right) mistakes += 1;
    show(graded, verdictOf(graded));
    // A bet taken out of order stays open; a wrong amount is corrected, and the dealer goes on.
    if (graded.in_order) {
      asked.classList.add(graded.right ? "settled" : "missed");
      asked.disabled = true;
      place = graded.place;
    }
    if (place === questions) finish(mistakes, answers);
  }

  exercise.addEventListener("click", (event) => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    choose(chip);
    field.focus();
  });
  at("take").addEventListener("click", () => answer(0));
  at("push").addEventListener("click", () => answer(Number(chosen.dataset.staked)));
  at("pay").addEventListener("submit", (event) => {
    event.preventDefault();
    const match = /^\s*\$?([0-9]+)(?:\.([0-9]{1,2}))?\s*$/.exec(field.value);
    if (!match) return refuse({ rule: "input", detail: t("That isn't a dollar amount."), remedy: t("Enter a dollar amount, such as 250.00.") });
    answer(Number(match[1]) * 1e6 + Number((match[2] || "").padEnd(2, "0")) * 1e4);
  });
}

// A drill: one question after the other, each with its choices.
function drill(exercise) {
  const asked = [...exercise.querySelectorAll(".question")];
  let place = Number(exercise.dataset.place);
  let mistakes = 0;
  let answers = 0;
  exercise.addEventListener("click", async (event) => {
    const button = event.target.closest(".choice");
    if (!button) return;
    const question = button.closest(".question");
    for (const one of question.querySelectorAll(".choice")) one.disabled = true;
    let graded;
    try {
      graded = await check(exercise, { place, choice: button.dataset.choice });
    } catch (problem) {
      for (const one of question.querySelectorAll(".choice")) one.disabled = false;
      return refuse(problem);
    }
    answers += 1;
    if (!graded.right) mistakes += 1;
    const due = [...question.querySelectorAll(".choice")].find((one) => one.dataset.choice === graded.choice);
    const says = graded.right ? t("Right: %(choice)s.", { choice: due.textContent }) : t("No. The right answer: %(choice)s.", { choice: due.textContent });
    show(graded, `${says} ${question.dataset.why}`);
    question.hidden = true;
    place = graded.place;
    if (place < asked.length) asked[place].hidden = false;
    else finish(mistakes, answers);
  });
}

for (const button of document.querySelectorAll("[data-begin]")) {
  button.addEventListener("click", async () => {
    try {
      const { number } = await order("/api/v1/training/exercises", { course: button.dataset.begin });
      location.href = `/school/exercises/${number}`;
    } catch (problem) {
      refuse(problem);
    }
  });
}

// Count a decision once, even if its page is opened again.
function player(decisions) {
  const seen = new Set(kept().map((one) => one.id));
  for (const one of decisions) {
    const { game, subject, right, cost, id } = one.dataset;
    if (!seen.has(`${game} ${id}`)) keep({ id: `${game} ${id}`, game, subject, right: right === "true", cost });
  }
}

if (at("score")) {
  showScore();
  at("forget").addEventListener("click", () => {
    localStorage.removeItem(KEPT);
    showScore();
  });
}
if (at("pay")) dealer(at("exercise"));
else if (at("exercise")) drill(at("exercise"));
player(document.querySelectorAll(".decided"));

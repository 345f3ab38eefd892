// Light or dark, as chosen for this device; runs before the page is drawn.
const chosen = localStorage.getItem("theme");
if (chosen) document.documentElement.dataset.theme = chosen;

document.addEventListener("change", (event) => {
  if (event.target.name !== "theme") return;
  const { value } = event.target;
  if (value) {
    localStorage.setItem("theme", value);
    document.documentElement.dataset.theme = value;
  } else {
    localStorage.removeItem("theme");
    delete document.documentElement.dataset.theme;
  }
});

document.addEventListener("DOMContentLoaded", () => {
  const choice = document.querySelector('[name="theme"]');
  if (choice) choice.value = chosen || "";
});

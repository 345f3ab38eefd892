// Live meters: server-sent events of a link, amounts, times of day, and the JSON twin of a page.

export const money = (micros) => {
  const cents = Math.floor(Math.abs(micros) / 10_000);
  return `${micros < 0 ? "-" : ""}$${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
};

// A time of day at the site, with its zone; a page that does not know the site has the zone of the device.
export const timeOfDay = (at) =>
  new Date(at).toLocaleTimeString(document.documentElement.lang, { timeZone: document.body.dataset.timeZone || undefined, timeZoneName: "short" });

export function listen(link, hear) {
  const source = new EventSource(`/api/v1/links/${encodeURIComponent(link)}/live`);
  source.addEventListener("meters", (event) => hear(JSON.parse(event.data)));
  return source;
}

// Fetch the JSON twin of this page.
export async function twin() {
  const response = await fetch(`${location.pathname}.json`);
  if (response.status === 401) {
    const { rule } = await response.json();
    if (rule === "session-locked") document.dispatchEvent(new Event("session-locked"));
    else location.href = `/sign-in?next=${location.pathname}`;
  }
  return response.ok ? response.json() : null;
}

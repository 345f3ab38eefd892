// Live figures: server-sent events of some links, told to whoever asks.

export const money = (micros) => {
  const cents = Math.floor(micros / 10_000);
  return `$${Math.floor(cents / 100).toLocaleString("en-US")}.${String(cents % 100).padStart(2, "0")}`;
};

export function listen(link, hear) {
  const source = new EventSource(`/links/${encodeURIComponent(link)}/live`);
  source.addEventListener("meters", (event) => hear(JSON.parse(event.data)));
  return source;
}

// Look at the JSON twin of this page, unless nobody sees the page.
export async function twin() {
  const answer = await fetch(`${location.pathname}.json`);
  if (answer.status === 401) location.href = `/sign-in?next=${location.pathname}`;
  return answer.ok ? answer.json() : null;
}

// Watches the service: `changed` hears within three seconds that it does not answer, and when it answers again.

const EVERY = 800;
const PATIENCE = 1_200;

async function answers() {
  const response = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  return Boolean(response?.ok);
}

export async function watchConnection(changed) {
  let wasLost = false;
  for (;;) {
    const isLost = document.hidden ? wasLost : !(await answers());
    if (isLost !== wasLost) changed(isLost);
    wasLost = isLost;
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

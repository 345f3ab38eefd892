// A table controller: each line on standard input is a button or a sensor, as for `feltwork table`.
//   node dist/main.js SETTINGS.json [--keys FOLDER] [--site-domain DOMAIN]
// SETTINGS.json comes from `feltwork dev device-settings`; FELTWORK_NATS is the URL of the nearest server.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { connect, nkeyAuthenticator } from "@nats-io/transport-node";
import { Line } from "./line.js";
import { type LinkSettings, Row } from "./row.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keys: { type: "string" }, "site-domain": { type: "string", default: "" } },
});
const settings = JSON.parse(readFileSync(positionals[0]!, "utf8")) as { table: string; game: string; links: LinkSettings[] };
if (settings.links.some((link) => link.shares_prizes || !link.folded_hands_qualify)) {
  throw new Error("this controller does not play shared prizes, or titles whose folded hands do not qualify");
}
const key = (ending: string) => `${values.keys}/${settings.table}.${ending}`;
const nats = await connect({
  servers: process.env.FELTWORK_NATS ?? "nats://127.0.0.1:4222",
  name: settings.table,
  inboxPrefix: `_INBOX.${settings.table.replaceAll(".", "%2E")}`,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 500,
  waitOnFirstConnect: true,
  ...(values.keys && {
    tls: { caFile: `${values.keys}/authority.pem`, certFile: key("pem"), keyFile: key("key") },
    authenticator: nkeyAuthenticator(readFileSync(key("seed"))),
  }),
});
const rows = settings.links.map((link) => new Row(link, new Line(nats, link.link, settings.table, values["site-domain"]!), settings.game));
for (const row of rows) await row.open();
setInterval(() => rows.forEach((row) => row.tick()), 1_000).unref();
void (async () => {
  for await (const status of nats.status()) if (status.type === "reconnect") rows.forEach((row) => row.hello());
})();

let dealer = "";
const signOn = (badge: string, pin: string) => new Line(nats, settings.links[0]!.link, settings.table, "").signOn(badge, pin);

/** START GAME: the seats of every row are locked under one number; a stopped link gets the number without seats. */
async function start(by: string): Promise<void> {
  const open = rows.find((row) => row.playing);
  const number = open?.number ?? 1 + Math.max(...rows.map((row) => Math.max(row.number, row.bookedTo)));
  const waiting = rows.filter((row) => !row.playing && row.number < number);
  if (!waiting.length) throw new Error("a round is open");
  if (!rows.some((row) => row.takesWagers)) throw new Error("no link takes wagers");
  for (const row of waiting) await row.verifyStart();
  for (const row of waiting) await row.start(number, by, row.takesWagers ? row.covered : new Set());
}

/** The rows of the open round; a row that a crash left behind first starts it without seats. */
async function playing(by: string, verify: (row: Row) => void): Promise<Row[]> {
  const open = rows.filter((row) => row.playing);
  if (!open.length) throw new Error("no round is open");
  open.forEach(verify);
  for (const row of rows) if (row.number < open[0]!.number && row.takesWagers) await row.start(open[0]!.number, by, new Set());
  return rows.filter((row) => row.playing);
}

async function press(words: string[], by: string): Promise<void> {
  const named = rows.find((row) => row.settings.link === words[1]);
  const row = named ?? rows[0]!;
  const [word, ...rest] = named ? [words[0], ...words.slice(2)] : words;
  const seat = Number(rest[0]);
  if (!by && ["start", "end", "hand", "key", "misdeal"].includes(word!)) throw new Error("nobody is signed on");
  switch (word) {
    case "sign-on": dealer = await signOn(rest[0]!, rest[1]!); break;
    case "as": await press(words.slice(3), await signOn(rest[0]!, rest[1]!)); break;
    case "seats": rows.forEach((one) => { one.players = new Set(rest.map(Number)); one.sense(); }); break;
    case "sensor": rest[1] === "on" ? row.covered.add(seat) : row.covered.delete(seat); row.sense(); break;
    case "start": await start(by); break;
    case "hand": await row.press(seat, rest[1]!, by); break;
    case "key": await row.turnKey(rest[0]!, by); break;
    case "end": for (const one of await playing(by, (one) => one.verifyEnd())) await one.end(by); break;
    case "misdeal": for (const one of await playing(by, () => {})) await one.misdeal(rest.join(" ") || "misdeal", by); break;
    default: throw new Error("unknown");
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "quit") break;
  try {
    await press(line.trim().split(/\s+/), dealer);
    console.log(`ok ${line}`);
  } catch (error) {
    console.log(`no ${line}: ${(error as Error).message}`);
  }
}
rows.forEach((row) => row.health("closed"));
await nats.drain();

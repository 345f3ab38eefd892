// The way of one table to the nearest NATS server: numbered messages, each acknowledged by the store.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { headers, type NatsConnection } from "@nats-io/transport-node";

export type Message = { message: string; link: string; table: string; at: number; [field: string]: any };
type Stored = { data: string; sequence: number };

const KEPT = ["round", "seat", "folded", "hand", "claim", "key", "ended", "voided"];
const WRONG_LAST_SEQUENCE = 10071;
const TRY_MS = 2_000;

export const SOFTWARE = {
  software: "feltwork-typescript 1.0.0",
  software_hash: createHash("sha256").update(readFileSync(process.argv[1]!)).digest("hex"),
  manufacturer: "Feltwork",
};

const token = (name: string) => name.replaceAll(".", "%2E");
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class Line {
  readonly controller = randomBytes(8).toString("hex");
  private last = new Map<string, number>();

  constructor(private nats: NatsConnection, readonly link: string, readonly table: string, private siteDomain: string) {}

  private subject(kind: string) {
    return `felt.${token(this.link)}.${token(this.table)}.${kind}`;
  }

  private build(message: string, fields: object): Message {
    return { message, v: 1, link: this.link, table: this.table, at: Date.now() * 1000, ...fields };
  }

  /** The latest stored message of each kind: a device needs no storage of its own. */
  async newest(): Promise<Map<string, any>> {
    const found = new Map<string, any>();
    for (const kind of KEPT) {
      const stored = await this.get("$JS.API", "FELT", this.subject(kind));
      this.last.set(kind, stored?.sequence ?? 0);
      if (stored) found.set(kind, JSON.parse(stored.data));
    }
    return found;
  }

  /** The latest news of a topic; it is kept by the site, not by a table's own server. */
  async told(topic: string): Promise<any> {
    const api = this.siteDomain ? `$JS.${this.siteDomain}.API` : "$JS.API";
    const stored = await this.get(api, "TOLD", `told.${token(this.link)}.${token(this.table)}.${topic}`);
    return stored && JSON.parse(stored.data);
  }

  async toldAward(award: string): Promise<any> {
    return this.told(`award.${token(award)}`);
  }

  private async get(api: string, stream: string, subject: string): Promise<Stored | undefined> {
    for (;;) {
      try {
        const reply = await this.nats.request(`${api}.DIRECT.GET.${stream}.${subject}`, "", { timeout: TRY_MS });
        if (reply.headers?.code === 404) return undefined;
        return { data: reply.string(), sequence: Number(reply.headers?.get("Nats-Sequence")) };
      } catch {
        await sleep(500); // the server or its streams are not up yet
      }
    }
  }

  /** Publish a message of a round, and the same bytes again until the store has acknowledged them. */
  async say(kind: string, message: string, fields: object): Promise<void> {
    const data = JSON.stringify(this.build(message, fields));
    for (;;) {
      try {
        const expected = headers();
        expected.set("Nats-Expected-Last-Subject-Sequence", String(this.last.get(kind) ?? 0));
        const reply = await this.nats.request(this.subject(kind), data, { timeout: TRY_MS, headers: expected });
        const answer = reply.json<{ seq: number; error?: { err_code: number; description: string } }>();
        if (!answer.error) return void this.last.set(kind, answer.seq);
        if (answer.error.err_code !== WRONG_LAST_SEQUENCE) throw new Error(answer.error.description);
        const stored = await this.get("$JS.API", "FELT", this.subject(kind));
        if (stored?.data !== data) return fail("another controller is active at this table");
        return void this.last.set(kind, stored.sequence); // only its acknowledgment was lost
      } catch (error) {
        console.log(`told not stored yet: ${(error as Error).message}`);
        await sleep(200);
      }
    }
  }

  /** Publish without waiting: hello, sensors, health. */
  mention(kind: string, message: string, fields: object): void {
    this.nats.publish(this.subject(kind), JSON.stringify(this.build(message, fields)));
  }

  async signOn(badge: string, pin: string): Promise<string> {
    const asked = JSON.stringify(this.build("SignOn", { badge, pin }));
    const answer = (await this.nats.request(this.subject("sign_on"), asked, { timeout: 30_000 })).json<any>();
    if (!answer.sign_on) throw new Error(`${answer.why}; ${answer.remedy}`);
    return answer.sign_on;
  }

  listen(hear: (told: any) => void): void {
    for (const subject of [`told.${token(this.link)}.${token(this.table)}.>`, `meters.${token(this.link)}`]) {
      this.nats.subscribe(subject, {
        // An answer of the store, which a stolen key can have sent here, is no news of the books.
        callback: (error, message) => {
          if (!error && !message.headers?.has("Nats-Stream")) void hear(message.json());
        },
      });
    }
  }
}

function fail(what: string): never {
  console.error(what);
  process.exit(1);
}

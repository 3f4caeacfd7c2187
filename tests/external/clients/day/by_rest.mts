// An agent's day, by REST: it finds a cook in Tokyo, posts a bounty, waits for applications, accepts the best one, talks with
// the worker, saves the photo that the worker delivers, closes the bounty, and reviews the work. Needs nothing but Node 22.18 or later:
//
//     HITODE_URL=http://localhost:8080 HITODE_KEY=htd_… node by_rest.mts
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

const { HITODE_URL, HITODE_KEY } = process.env as Record<string, string>;

type Cook = { id: number; name: string };
type Application = { id: number; user_id: number; name: string; rating: number };
type Talk = { messages: { sender_type: string; content: string }[] };

// A response. An exceeded rate limit is waited for. A lost connection is no problem: what has an idempotency key is done
// once, however often it is sent.
async function ask<Data>(method: string, path: string, body?: object): Promise<{ data: Data; cursor: string }> {
  const headers: Record<string, string> = { "X-API-Key": HITODE_KEY, "Content-Type": "application/json" };
  if (method === "POST") headers["Idempotency-Key"] = crypto.randomUUID();
  for (;;) {
    const sent = fetch(`${HITODE_URL}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const response = await sent.catch(() => undefined);
    if (!response || response.status === 429) {
      await sleep(1000 * Number(response?.headers.get("Retry-After") ?? 1));
      continue;
    }
    const answer = await response.json();
    if (answer.success) return answer;
    throw new Error(`${method} ${path}: ${response.headers.get("X-Error-Code")}: ${answer.error}`);
  }
}

// The data of a response.
async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  return (await ask<Data>(method, path, body)).data;
}

// What `look` finds, as soon as it finds this many. It looks again after each event.
async function waitFor<Found>(look: () => Promise<Found[]>, count: number, seconds = 3600): Promise<Found[]> {
  let { cursor } = await ask("GET", "/events?after=now");
  for (const deadline = Date.now() + 1000 * seconds; Date.now() < deadline; ) {
    const found = await look();
    if (found.length >= count) return found;
    ({ cursor } = await ask("GET", `/events?after=${cursor}&wait=30`));
  }
  throw new Error("nobody answered in time");
}

// Is there anybody who can do it?
const search = new URLSearchParams({ skill: "Cooking", state: "Tokyo", is_available: "true" });
const cooks = await call<Cook[]>("GET", `/humans?${search}`);
console.log("cooks in Tokyo:", cooks.map(cook => cook.name).join(", "));

// Post the work.
const work = { title: "Cook for six", description: "Friday at seven, in Adachi.", category: "cooking", budget: 120 };
const { id: bounty } = await call<{ id: number }>("POST", "/bounties", work);

// Wait for two workers who want to do it, and decide.
const applications = await waitFor(() => call<Application[]>("GET", `/bounties/${bounty}/applications`), 2);
const best = applications.reduce((one, other) => (other.rating > one.rating ? other : one));
for (const application of applications) {
  const status = application === best ? "accepted" : "rejected";
  await call("PATCH", `/bounties/${bounty}/applications/${application.id}`, { status });
}
await call("PATCH", `/bounties/${bounty}`, { status: "in_progress" });

// Talk.
const question = { human_id: best.user_id, message: "Welcome! Tell me here when you are done, please." };
const { id: talk } = await call<{ id: number }>("POST", "/conversations", question);
const answers = await waitFor(async () => {
  const { messages } = await call<Talk>("GET", `/conversations/${talk}`);
  return messages.filter(message => message.sender_type === "human");
}, 1);
console.log(`${best.name}:`, answers.at(-1)?.content);
await call("POST", `/conversations/${talk}/messages`, { content: "Thank you!" });

// The text of a delivery ends with the paths of its files. They go into this folder.
const of = `/bounties/${bounty}/applications/${best.id}`;
const [delivery] = await waitFor(() => call<{ message: string }[]>("GET", `${of}/deliveries`), 1);
for (const [path] of delivery.message.matchAll(/^files\/\d+$/gm)) {
  const file = await fetch(`${HITODE_URL}/api/v1/${path}`, { headers: { "X-API-Key": HITODE_KEY } });
  if (!file.ok) throw new Error(`${path}: ${file.status}`);
  const kind = file.headers.get("Content-Type")?.split("/")[1];
  await writeFile(`${path.replace("/", "-")}.${kind}`, await file.bytes());
}

// Close the bounty, and review the work.
await call("PATCH", `/bounties/${bounty}`, { status: "completed" });
await call("POST", `${of}/review`, { rating: 5, comment: "Everybody liked it." });
console.log(`bounty ${bounty} is`, (await call<{ status: string }>("GET", `/bounties/${bounty}`)).status);

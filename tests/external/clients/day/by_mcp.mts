// An agent's day, by MCP: it finds a cook in Tokyo, posts a bounty, waits for applications, accepts the best one, talks with the
// worker, saves the photo that the worker delivers, closes the bounty, and reviews the work. A model would choose these calls itself, from the descriptions of the tools.
//
//     npm install @modelcontextprotocol/client
//     HITODE_URL=http://localhost:8080 HITODE_KEY=htd_… node by_mcp.mts          (Node 22.18 or later)
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { HITODE_URL, HITODE_KEY } = process.env as Record<string, string>;

type Cook = { id: number; name: string };
type Application = { id: number; user_id: number; name: string; rating: number };
type Talk = { messages: { sender_type: string; content: string }[] };

const client = new Client({ name: "day", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
const requestInit = { headers: { "X-API-Key": HITODE_KEY } };
await client.connect(new StreamableHTTPClientTransport(new URL(`${HITODE_URL}/mcp`), { requestInit }));

// A result. An exceeded rate limit is waited for.
async function ask<Data>(name: string, args: Record<string, unknown>): Promise<{ data: Data; cursor: string }> {
  for (;;) {
    const result = await client.callTool({ name, arguments: args });
    const text = (result.content as { text: string }[])[0].text;
    if (!result.isError) return JSON.parse(text);
    const error = result._meta?.["hitode/error"] as { code: string; retry_after: number };
    if (error.code !== "rate") throw new Error(`${name}: ${text}`);
    await sleep(1000 * error.retry_after);
  }
}

// The data of a result.
async function call<Data>(name: string, args: Record<string, unknown>): Promise<Data> {
  return (await ask<Data>(name, args)).data;
}

// What `look` finds, as soon as it finds this many. It looks again after each event.
async function waitFor<Found>(look: () => Promise<Found[]>, count: number, seconds = 3600): Promise<Found[]> {
  let { cursor } = await ask("list_events", { after: "now" });
  for (const deadline = Date.now() + 1000 * seconds; Date.now() < deadline; ) {
    const found = await look();
    if (found.length >= count) return found;
    ({ cursor } = await ask("list_events", { after: cursor, wait: 25 }));
  }
  throw new Error("nobody answered in time");
}

// Is there anybody who can do it?
const cooks = await call<Cook[]>("list_humans", { skill: "Cooking", state: "Tokyo", is_available: true });
console.log("cooks in Tokyo:", cooks.map(cook => cook.name).join(", "));

// Post the work.
const work = { title: "Cook for six", description: "Friday at seven, in Adachi.", category: "cooking", budget: 120 };
// With an idempotency key it can be sent again, for example when no answer comes.
const once = { idempotency_key: crypto.randomUUID() };
const { id: bounty } = await call<{ id: number }>("create_bounty", { ...work, ...once });

// Wait for two workers who want to do it, and decide.
const applications = await waitFor(() => call<Application[]>("list_applications", { id: bounty }), 2);
const best = applications.reduce((one, other) => (other.rating > one.rating ? other : one));
for (const application of applications) {
  const status = application === best ? "accepted" : "rejected";
  await call("decide_application", { id: bounty, appId: application.id, status });
}
await call("update_bounty", { id: bounty, status: "in_progress" });

// Talk.
const question = "Welcome! Tell me here when you are done, please.";
const { id: talk } = await call<{ id: number }>("create_conversation", { human_id: best.user_id, message: question });
const answers = await waitFor(async () => {
  const { messages } = await call<Talk>("get_conversation", { id: talk });
  return messages.filter(message => message.sender_type === "human");
}, 1);
console.log(`${best.name}:`, answers.at(-1)?.content);
await call("create_message", { id: talk, content: "Thank you!" });

// The text of a delivery ends with the paths of its files. Small images are in the result; they go into this folder.
const of = { id: bounty, appId: best.id };
const [delivery] = await waitFor(() => call<{ message: string }[]>("list_deliveries", of), 1);
for (const [path, id] of delivery.message.matchAll(/^files\/(\d+)$/gm)) {
  const result = await client.callTool({ name: "get_file", arguments: { id: Number(id) } });
  const [image] = result.content as { data: string; mimeType: string }[];
  await writeFile(`${path.replace("/", "-")}.${image.mimeType.split("/")[1]}`, Buffer.from(image.data, "base64"));
}

// Close the bounty, and review the work.
await call("update_bounty", { id: bounty, status: "completed" });
await call("create_review", { ...of, rating: 5, comment: "Everybody liked it." });
console.log(`bounty ${bounty} is`, (await call<{ status: string }>("get_bounty", { id: bounty })).status);
await client.close();

// A job from its offer to the conversation about it, told with the client that @hey-api/openapi-ts generates from the
// whole document: what tsc takes is what the server does. Needs HITODE_URL and HITODE_OPERATOR_TOKEN.
import assert from "node:assert/strict";
import { createClient } from "./hey-api/hitode-all-3.1/client";
import * as hitode from "./hey-api/hitode-all-3.1";

const baseUrl = process.env.HITODE_URL!;
const caller = (auth: string) => createClient({ baseUrl, auth });

// What the call answers with when it succeeds.
async function done<D>(call: Promise<{ data?: D; error?: unknown; response: Response }>, status = 200): Promise<D> {
  const { data, error, response } = await call;
  assert.equal(error, undefined);
  assert.equal(response.status, status);
  return data!;
}

// What it says when it is rejected; the type of the refusal is the one that the document declares.
async function rejected(call: Promise<{ data?: unknown; error?: hitode.Error; response: Response }>, status: number): Promise<string> {
  const { data, error, response } = await call;
  assert.equal(data, undefined);
  assert.equal(response.status, status);
  assert(error);
  assert.equal(error.success, false);
  return error.error;
}

async function roundTrip() {
  const operator = caller(process.env.HITODE_OPERATOR_TOKEN!);
  const account = await done(hitode.operatorCreateAccount({ client: operator, body: { name: "Errands", plan: "verified" } }), 201);
  const worker = await done(
    hitode.operatorCreateHuman({
      client: operator,
      body: {
        name: "佐藤 花子", headline: "Photographs", bio: "", city: "Kyoto", state: "Kyoto", gender: "female", hourly_rate: 2800.5,
        skills: [{ name: "Photography", category: "Media" }],
      },
    }), 201);
  const token = await done(hitode.operatorCreateHumanToken({ client: operator, path: { id: worker.data.id } }), 201);
  const agent = caller(account.data.key);
  const human = caller(token.data.token);

  // The agent finds the worker.
  const query = { skill: "photography", gender: "female", minRate: 2800.5, limit: 5 } as const;
  const found = await done(hitode.agentListHumans({ client: agent, query }));
  assert.equal(found.total, 1);
  assert.equal(found.limit, 5);
  assert.deepEqual(found.data.map(({ id, name, hourly_rate, skills }) => ({ id, name, hourly_rate, skills })), [
    { id: worker.data.id, name: "佐藤 花子", hourly_rate: 2800.5, skills: ["Photography"] },
  ]);
  const profile = await done(hitode.agentGetHuman({ client: agent, path: { id: worker.data.id } }));
  assert.equal(profile.data.skills[0]?.category, "Media");

  // It posts a bounty, the worker applies, it accepts.
  const posted = await done(
    hitode.agentCreateBounty({
      client: agent,
      body: { title: "A shop front", description: "One picture.", budget: 49.99, deadline: "2031-02-28", is_remote: false },
    }), 201);
  const { id } = posted.data;
  const bounty = await done(hitode.agentGetBounty({ client: agent, path: { id } }));
  assert.equal(bounty.data.budget, 49.99);
  assert.equal(bounty.data.deadline, "2031-02-28");
  assert.equal(bounty.data.estimated_hours, null);
  const applied = await done(hitode.workerCreateApplication({ client: human, path: { id }, body: { message: "I am near." } }), 201);
  const decision = { id, appId: applied.data.id };
  await done(hitode.agentDecideApplication({ client: agent, path: decision, body: { status: "accepted" } }));
  const received = await done(hitode.agentListApplications({ client: agent, path: { id } }));
  assert.equal(received.data.length, 1);
  assert.equal(received.data[0]?.message, "I am near.");
  assert.equal(received.data[0]?.status, "accepted");

  // They talk.
  const opened = await done(hitode.agentCreateConversation({ client: agent, body: { human_id: worker.data.id, message: "Today?" } }));
  const talk = { id: opened.data.id };
  await done(hitode.workerCreateMessage({ client: human, path: talk, body: { content: "Yes 🙂" } }), 201);
  const read = await done(hitode.agentGetConversation({ client: agent, path: talk }));
  assert.equal(read.data.human_name, "佐藤 花子");
  assert.deepEqual(read.data.messages.map((message) => [message.sender_type, message.content]), [
    ["agent", "Today?"],
    ["human", "Yes 🙂"],
  ]);

  // What is rejected says why.
  const twice = hitode.workerCreateApplication({ client: human, path: { id }, body: { message: "Again." } });
  assert.equal(await rejected(twice, 400), `you have already applied to bounty ${id}`);
  assert.equal(await rejected(hitode.agentGetBounty({ client: agent, path: { id: 999 } }), 404), "bounty 999 not found");
  assert.equal(await rejected(hitode.agentListKeys({ client: human }), 401), "exactly one valid X-API-Key header is required, it is malformed");
  assert.match(await rejected(hitode.agentListHumans({ client: agent, query: { limit: 101 } }), 400), /`limit`/);

  // What the contract rejects does not compile: tsc would complain of a line here that has no mistake.
  // @ts-expect-error a bounty has a budget
  assert.match(await rejected(hitode.agentCreateBounty({ client: agent, body: { title: "T", description: "D" } }), 400), /`budget`/);
  // @ts-expect-error an application is accepted or rejected
  const undecided: hitode.AgentDecideApplicationData["body"] = { status: "pending" };
  assert.match(await rejected(hitode.agentDecideApplication({ client: agent, path: decision, body: undecided }), 400), /`status`/);
  // @ts-expect-error the parameter is called minRate
  assert.match(await rejected(hitode.agentListHumans({ client: agent, query: { min_rate: 1 } }), 400), /did you mean `minRate`/);
  // @ts-expect-error an answer has no member that it does not name
  assert.equal(bounty.data.poster, undefined);
}

roundTrip().then(
  () => console.log("clients: a round trip with the TypeScript client"),
  (fault) => { console.error(fault); process.exitCode = 1; },
);

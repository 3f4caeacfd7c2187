// An agent with the TypeScript SDK: `node agent.mjs CONFIG modern|legacy`. It finds a cook in Tokyo, writes, posts a bounty,
// and accepts the application.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// An import of a module does not look into NODE_PATH; `require` does.
const load = async name => import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href);
const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client');

const [config, era] = process.argv.slice(2);
const { url, key, cook, worker } = JSON.parse(readFileSync(config, 'utf8'));
const options = era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {};
const client = new Client({ name: 'agent', version: '1.0.0' }, options);
// One era sends the key in its own header, the other as a bearer token.
const headers = era === 'modern' ? { 'X-API-Key': key } : { Authorization: `Bearer ${key}` };
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));

async function call(name, args) {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    return JSON.parse(result.content[0].text).data;
}

const { tools } = await client.listTools();
assert.ok(tools.some(tool => tool.name === 'decide_application'));
const found = await call('list_humans', { skill: 'Cooking', state: 'Tokyo' });
assert.equal(found[0].id, cook);
const talk = await call('create_conversation', { human_id: cook, message: 'Can you cook for six on Friday?' });
const bounty = await call('create_bounty', { title: 'Cook for six', description: 'Friday at seven, in Adachi.', budget: 120 });
const applied = await fetch(`${url}/worker/v1/bounties/${bounty.id}/applications`, {
    method: 'POST',
    headers: { 'X-Worker-Token': worker, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: 'Gladly' }),
});
assert.equal(applied.status, 201);
const [application] = await call('list_applications', { id: bounty.id });
await call('decide_application', { id: bounty.id, appId: application.id, status: 'accepted' });
assert.equal((await call('list_applications', { id: bounty.id }))[0].status, 'accepted');
assert.equal((await call('get_conversation', { id: talk.id })).messages.length, 1);

const failed = await client.callTool({ name: 'get_human', arguments: { id: 999999999 } });
assert.ok(failed.isError && failed.content[0].text.startsWith('404 absent: '));
await client.close();

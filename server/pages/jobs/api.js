// Requests of the worker: the credential, slow lines and limits.
import { signal, SERVICE, readFaults } from '../shared/ui.js';
import { worker, join } from './contract.js';
import { sha256 } from './sha256.js';
import { fault } from './text.js';

const KEY = 'hitode.worker-token';
const SIGNING_IN = 'hitode.signing-in';
export const token = signal(localStorage.getItem(KEY));
export const ended = signal(false); // the server no longer takes the token
export const line = signal(navigator.onLine ? 'good' : 'offline'); // good | slow | offline
export const pause = signal(0); // seconds that a limit makes us wait
addEventListener('online', () => {
  line.value = 'good';
});
addEventListener('offline', () => {
  line.value = 'offline';
});

// The code of a link, until it is exchanged. A fragment never reaches the server nor its log; it leaves the address and the
// history at once.
export const code = signal(null);
export function takeCode() {
  // A code whose answer was lost is still to be exchanged.
  if (!token.peek()) code.value = signingIn()?.code ?? null;
  if (!/^#[^/]/.test(location.hash)) return;
  code.value = location.hash.slice(1);
  history.replaceState(null, '', location.pathname + location.search + '#/find');
}
const signingIn = () => JSON.parse(localStorage.getItem(SIGNING_IN) ?? 'null');

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
function newToken() {
  let random = '';
  while (random.length < worker.random) {
    // The six bits beyond the letters are left out, not wrapped around.
    for (const byte of crypto.getRandomValues(new Uint8Array(64))) random += LETTERS[byte & 63] ?? '';
  }
  return worker.prefix + random.slice(0, worker.random);
}

// Exchanges a code for a token that is drawn here. If the answer is lost, the same code is sent with the same token again.
export async function signIn(typed) {
  const kept = signingIn();
  const secret = kept?.code === typed ? kept.secret : newToken();
  localStorage.setItem(SIGNING_IN, JSON.stringify({ code: typed, secret }));
  let me;
  try {
    await call('POST', '/session', { of: join, body: { code: typed, token_digest: sha256(secret) } });
    me = await call('GET', '/me', { secret });
  } catch (error) {
    if (error.kind !== 'network' && error.status < 429) localStorage.removeItem(SIGNING_IN);
    throw error;
  }
  localStorage.removeItem(SIGNING_IN);
  code.value = null;
  keepToken(secret, me.data.id);
}
const KEPT = 'hitode.kept.';
const forgetAll = () =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(KEPT))
    .forEach((name) => localStorage.removeItem(name));
// What is kept stays if it is of the same worker, such as messages that wait to be sent.
let used = Boolean(token.peek()); // whether the memory of this page is that of a worker
export function keepToken(value, id) {
  const former = token.peek();
  const known = JSON.parse(localStorage.getItem(KEPT + 'me') ?? 'null')?.id;
  const isSame = id ? known === id : value === former;
  if (!isSame) forgetAll();
  localStorage.setItem(KEY, value);
  // The memory of this page is that of the former worker, who may have signed out.
  if (!isSame && used) return location.reload();
  used = true;
  ended.value = false;
  token.value = value;
}
export function dropToken() {
  forgetAll();
  localStorage.removeItem(KEY);
  token.value = null;
}

export class Failure extends Error {
  constructor(kind, { status = 0, text = '', request = '', after = 0, codes } = {}) {
    super(text || kind);
    Object.assign(this, { kind, status, text, request, after, codes });
  }
  // What is wrong with each member of the body. The first of several.
  get faults() {
    return Object.fromEntries(
      readFaults(this.codes, fault)
        .filter(([place]) => place)
        .reverse(),
    );
  }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
export async function call(
  method,
  path,
  {
    of = worker,
    secret = token.peek(),
    body,
    file,
    progress,
    key,
    signal: stop,
    patience = 15,
    tries = method === 'GET' ? 3 : 1,
    quiet,
    blob,
    head, // only the headers of a file
  } = {},
) {
  for (let attempt = 1; ; attempt++) {
    const weak = quiet
      ? 0
      : setTimeout(() => {
          if (line.peek() === 'good') line.value = 'slow';
        }, 3000);
    try {
      const response = await (progress ? upload : fetch)(SERVICE + of.base + path, {
        method,
        headers: {
          ...(of.header && { [of.header]: secret }),
          ...((body || file) && { 'Content-Type': file ? file.type : 'application/json' }),
          ...(key && { 'Idempotency-Key': key }),
          ...(head && { Range: 'bytes=0-0' }),
        },
        body: file ?? (body && JSON.stringify(body)),
        progress,
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.any([AbortSignal.timeout(patience * 1000), ...(stop ? [stop] : [])]),
      });
      const answer = await (!response.ok ? response.json() : head ? response.headers : blob ? response.blob() : response.json());
      if (line.peek() !== 'good') line.value = 'good';
      if (response.ok) return answer;
      const code = response.headers.get('X-Error-Code') ?? 'internal',
        after = Number(response.headers.get('Retry-After') ?? 1);
      if ((response.status === 429 || response.status === 503) && attempt < tries && after <= 61) {
        await waitFor(after, quiet);
        continue;
      }
      if (code === 'no_credential') ended.value = true;
      const { status, headers } = response;
      throw new Failure(code, { status, text: answer.error, request: headers.get('X-Request-Id'), after, codes: headers.get('X-Faults') });
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (stop?.aborted) throw new Failure('stopped');
      if (!quiet) line.value = navigator.onLine ? 'slow' : 'offline';
      if (attempt >= tries) throw new Failure('network');
      await sleep(500 * attempt);
    } finally {
      clearTimeout(weak);
    }
  }
}
// As `fetch`, and calls `progress` with the part that was sent, from 0 to 1. Gives up a line that takes nothing for two minutes.
function upload(address, { method, headers, body, progress, signal: stop }) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    let idle;
    const alive = () => {
      clearTimeout(idle);
      idle = setTimeout(() => request.abort(), 120000);
    };
    request.open(method, address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      alive();
      progress(loaded / total);
    };
    request.onload = () => {
      const lines = request.getAllResponseHeaders().trim().split('\r\n');
      done(new Response(request.response, { status: request.status, headers: lines.map((one) => one.split(': ', 2)) }));
    };
    request.onerror = request.onabort = () => fail(new TypeError('network'));
    request.onloadend = () => clearTimeout(idle);
    stop.addEventListener('abort', () => request.abort());
    alive();
    request.send(body);
  });
}
async function waitFor(seconds, quiet) {
  if (quiet) return sleep(seconds * 1000);
  for (let left = Math.ceil(seconds); left > 0; left--) {
    pause.value = left;
    await sleep(1000);
  }
  pause.value = 0;
}

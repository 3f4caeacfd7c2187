// The outbox: a write keeps its idempotency key until it is answered, so sending it again does it once. Files are sent before their
// message, each with its own key.
import { signal, effect } from '../shared/ui.js';
import { call, token, Failure } from './api.js';
import { namedFiles } from './files.js';

const memory = new Map(); // the files that wait, see below
let opening;
export const BOX = 'hitode.kept.outbox';
const stored = () => JSON.parse(localStorage.getItem(BOX) ?? '[]');
// What was being sent when the page was closed waits.
export const outbox = signal(stored().map((one) => (one.state === 'sending' ? { ...one, state: 'waiting' } : one)));
export const progress = signal({}); // the sent part of each item that is being sent, from 0 to 1

// All tabs have one outbox.
const change = (make) => {
  const items = make(stored());
  localStorage.setItem(BOX, JSON.stringify(items));
  outbox.value = items;
};
addEventListener('storage', ({ key }) => {
  if (key === BOX) outbox.value = stored();
});
const find = (key) => stored().find((one) => one.key === key);
const update = (key, values) => find(key) && change((items) => items.map((one) => (one.key === key ? { ...one, ...values } : one)));
const keepFiles = () =>
  keepOnly(
    stored()
      .flatMap((one) => one.files ?? [])
      .map((file) => file.kept),
  );
export function drop(key) {
  if (find(key)) change((items) => items.filter((one) => one.key !== key));
  keepFiles();
}
// Nothing stays of someone who has signed out.
effect(() => {
  if (!token.value) outbox.value = [];
  keepFiles();
});

// randomUUID needs a secure context; getRandomValues does not.
const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
// `files` are of the form { name, blob }.
export async function post(path, body, about, files = []) {
  const key = newKey();
  const named = files.map(({ name, blob }) => ({ key: newKey(), kept: newKey(), name, media_type: blob.type, bytes: blob.size }));
  const item = {
    key,
    path,
    body,
    about,
    at: new Date().toISOString().slice(0, 19),
    state: 'sending',
    ...(named.length && { files: named }),
  };
  named.forEach((file, at) => memory.set(file.kept, files[at].blob));
  change((items) => [...items, item]);
  return deliver(key, () => Promise.all(named.map((file) => keepFile(file.kept))));
}

// One tab sends an item, and once at a time.
const underway = new Map();
export function deliver(key, before) {
  if (!underway.has(key)) {
    const work = async () => {
      await before?.();
      if (find(key)) return send(key);
      drop(key);
    };
    const sending = (navigator.locks ? navigator.locks.request('hitode-send-' + key, work) : work()).finally(() => underway.delete(key));
    underway.set(key, sending);
  }
  return underway.get(key);
}
async function send(key) {
  const item = outbox.peek().find((one) => one.key === key),
    hasWaited = item?.state === 'waiting' && !item.about.bounty;
  update(key, { state: 'sending', fault: null });
  try {
    const answer = await sendItem(key);
    drop(key);
    return answer;
  } catch (error) {
    const again =
      error.kind === 'network' || error.kind === 'key_in_progress' || [401, 408, 429].includes(error.status) || error.status >= 500;
    // What has files, or has waited and is in no field any more, stays with what is wrong.
    if (again) update(key, { state: 'waiting' });
    else if (find(key)?.files || hasWaited) update(key, { state: 'failed', fault: error.kind });
    else drop(key);
    throw error;
  } finally {
    const { [key]: _, ...rest } = progress.peek();
    progress.value = rest;
  }
}
async function sendItem(key) {
  const { files, path, body, renewed } = find(key);
  if (!files) return call('POST', path, { body, key, patience: 20 });
  const ids = await sendFiles(key, files);
  try {
    return await call('POST', path, { body: { ...body, files: ids }, key: renewed ? key + '-2' : key, patience: 20, tries: 3 });
  } catch (error) {
    if (error.kind !== 'unknown_file' || renewed) throw error;
    // Days have passed since an answer was lost. Either the message or delivery has its files, or they were deleted.
    const page = await call('GET', path.replace('messages', 'files') + '?limit=100');
    if (page.data.some(({ id, message }) => (message ? namedFiles(message).ids.includes(ids[0]) : id === ids[0]))) return page;
    update(key, { renewed: true, files: files.map(({ id: _, ...file }) => ({ ...file, key: newKey() })) });
    return sendItem(key);
  }
}
async function sendFiles(key, files) {
  const all = files.reduce((sum, file) => sum + file.bytes, 0);
  const ids = [];
  let sent = 0;
  for (const file of files) {
    const tell = (part) => {
      progress.value = { ...progress.peek(), [key]: (sent + part * file.bytes) / all };
    };
    if (!file.id) {
      const blob = await keptFile(file.kept);
      if (!blob) throw new Failure('lost_file');
      const path = '/files?name=' + encodeURIComponent(file.name);
      const answer = await call('POST', path, { file: blob, key: file.key, patience: 600, tries: 3, progress: tell });
      file.id = answer.data.id;
      update(key, { files });
    }
    ids.push(file.id);
    sent += file.bytes;
  }
  return ids;
}

// --- the files that wait, by name: in memory, and in IndexedDB for the next start ---
const open = () =>
  (opening ??= new Promise((done, fail) => {
    const request = indexedDB.open('hitode-jobs', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('files');
    request.onsuccess = () => {
      request.result.onclose = () => (opening = null);
      done(request.result);
    };
    request.onerror = () => fail(request.error);
  }));
// Does one thing with the files. It is done when it is on the disk.
async function store(make) {
  const database = await open();
  return new Promise((done, fail) => {
    const work = database.transaction('files', 'readwrite');
    const request = make(work.objectStore('files'));
    work.oncomplete = () => done(request.result);
    work.onerror = work.onabort = () => fail(work.error);
  });
}

// Some browsers keep no Blob, so the bytes and the type are kept.
async function keepFile(name) {
  const blob = memory.get(name);
  const bytes = await blob.arrayBuffer();
  await store((files) => files.put({ bytes, type: blob.type }, name)).catch(() => {});
}
export async function keptFile(name) {
  if (memory.has(name)) return memory.get(name);
  const file = await store((files) => files.get(name)).catch(() => {});
  return file && new Blob([file.bytes], { type: file.type });
}
// Forgets all files but these.
async function keepOnly(names) {
  const isOld = (name) => !names.includes(name);
  [...memory.keys()].filter(isOld).forEach((name) => memory.delete(name));
  const forget = (files) => {
    const request = files.getAllKeys();
    request.onsuccess = () => request.result.filter(isOld).forEach((name) => files.delete(name));
    return request;
  };
  await store(forget).catch(() => {});
}

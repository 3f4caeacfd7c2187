// Keeps the page and its files for a start without a line. It never sees answers of the API nor a credential: those pass by.
const PREFIX = 'hitode-jobs-';
const NAME = `${PREFIX}{version}`;
const FILES = JSON.parse('{files}');
const at = (path) => new URL(path, registration.scope).href;
const PAGE = at('./');

addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(NAME);
    await cache.addAll([PAGE, ...FILES.map(at)]);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

addEventListener('activate', (event) => {
  const forget = async () => {
    const names = await caches.keys();
    const former = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(former.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

addEventListener('fetch', (event) => {
  const { url, method } = event.request;
  const here = url.split(/[?#]/)[0];
  if (method !== 'GET' || !here.startsWith(PAGE) || here.endsWith('/sw.js')) return;
  event.respondWith(here === PAGE ? page(event.request) : file(event.request));
});

// The content at the address of a file never changes.
async function file(request) {
  const cache = await caches.open(NAME);
  return (await cache.match(request)) ?? fetch(request);
}

// The network first, for two seconds; then what is kept, whose files are kept, too.
async function page(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(PAGE);
  const fresh = fetch(request);
  if (!kept) return fresh;
  const slow = new Promise((done) => setTimeout(done, 2000, kept));
  return Promise.race([fresh.catch(() => kept), slow]);
}

// What the page knows, kept for the next start, and the feed of news.
import { signal, computed, effect, toast } from '../shared/ui.js';
import { call, token, ended } from './api.js';
import { BOX, outbox, deliver, post } from './outbox.js';
import { factsOf, namedFiles } from './files.js';
import { t } from './text.js';

const kept = (name, empty) => {
  const stored = localStorage.getItem('hitode.kept.' + name);
  const one = signal(stored ? JSON.parse(stored) : empty);
  one.keep = (value) => {
    one.value = value;
    try {
      localStorage.setItem('hitode.kept.' + name, JSON.stringify(value));
    } catch {
      /* full: then it is only not kept */
    }
  };
  one.put = (id, value) => one.keep({ ...one.peek(), [id]: value });
  return one;
};
export const me = kept('me', null),
  reviews = kept('reviews', null),
  applications = kept('applications', null),
  conversations = kept('conversations', null);
export const work = kept('work', null); // { filters, items, total }: the last search
export const details = kept('details', {}),
  talks = kept('talks', {}),
  deliveries = kept('deliveries', {}), // by application, as messages
  files = kept('files', {}), // by conversation, or 'work' and application, and id
  withdrawn = kept('withdrawn', []), // bounties
  votes = kept('votes', {}), // by bounty
  read = kept('read', {});
export const trouble = signal({}); // what could not be loaded, by name
const fail = (name) => (error) => {
  if (error.kind !== 'stopped') trouble.value = { ...trouble.peek(), [name]: error };
};
const fine = (name) => {
  if (trouble.peek()[name]) {
    const { [name]: _, ...rest } = trouble.peek();
    trouble.value = rest;
  }
};

const into = (one, name, path) => () =>
  call('GET', path).then((answer) => {
    one.keep(answer.data);
    fine(name);
  }, fail(name));
export const loadMe = into(me, 'me', '/me'),
  loadReviews = into(reviews, 'reviews', '/reviews?limit=100'),
  loadConversations = into(conversations, 'conversations', '/conversations?limit=100');
export async function loadApplications() {
  // The newest come first. One that is sent between two pages moves the others: they come twice.
  try {
    const items = new Map();
    for (let total = 1, at = 0; at < total && at < 500; at += 100) {
      const page = await call('GET', `/applications?limit=100&offset=${at}`);
      for (const one of page.data) items.set(one.id, one);
      total = page.total;
    }
    applications.keep([...items.values()]);
    fine('applications');
  } catch (error) {
    fail('applications')(error);
  }
}
// The currency of hourly rates, if the operator states it.
export const service = kept('service', {});
export const loadService = () =>
  call('GET', '/service', { quiet: true }).then(
    ({ data }) => service.keep(data),
    () => {},
  );
// The skills that most workers have.
export const skills = signal([]);
export const loadSkills = () => call('GET', '/skills?limit=100', { quiet: true }).then((answer) => (skills.value = answer.data));
const readTalk = async (id, quiet) => {
  const { data } = await call('GET', `/conversations/${id}`, { quiet });
  await loadFiles(id, data.messages);
  talks.put(id, data);
};
export const loadTalk = (id) =>
  readTalk(id).then(() => {
    fine('talk');
    markRead(id);
  }, fail('talk'));
export async function loadDeliveries(id) {
  const name = 'work' + id,
    known = { ...files.peek()[name] };
  try {
    const { data } = await call('GET', `/applications/${id}/deliveries?limit=100`);
    const said = data.map(({ message, ...one }) => ({ ...one, content: message, sender_type: 'human' })).reverse();
    const unknown = said.flatMap((one) => namedFiles(one.content).ids).filter((file) => !known[file]);
    await Promise.all(unknown.map((file) => factsOf(file).then((facts) => (known[file] = facts), () => {})));
    files.put(name, known);
    deliveries.put(id, said);
    fine(name);
  } catch (error) {
    fail(name)(error);
  }
}
// Loads what the conversation says of the files that its messages name, once for each message: a text may name what is no file.
const sought = new Set();
async function loadFiles(id, messages) {
  let known = files.peek()[id] ?? {};
  const unknown = messages.filter((one) => !sought.has(one.id) && namedFiles(one.content).ids.some((file) => !known[file]));
  if (!unknown.length) return;
  const first = Math.min(...unknown.flatMap((one) => namedFiles(one.content).ids));
  try {
    for (let offset = 0; offset < 500; offset += 100) {
      const page = await call('GET', `/conversations/${id}/files?limit=100&offset=${offset}`, { quiet: true, patience: 8, tries: 2 });
      known = { ...known, ...Object.fromEntries(page.data.map((file) => [file.id, file])) };
      if (page.data.length < 100 || page.data.at(-1).id <= first) break;
    }
    for (const one of unknown) sought.add(one.id);
    files.put(id, known);
  } catch {
    /* the names stay texts until the conversation is loaded again */
  }
}
const asked = new Map();
export const loadBounty = (id, fresh) => {
  if (!fresh && asked.has(id)) return asked.get(id);
  const loading = call('GET', `/bounties/${id}`, { quiet: !fresh }).then(
    (answer) => {
      details.keep(Object.fromEntries([...Object.entries(details.peek()).slice(-150), [id, answer.data]]));
      fine('bounty');
    },
    (error) => {
      asked.delete(id);
      if (error.status === 404) details.put(id);
      if (fresh) fail('bounty')(error);
    },
  );
  asked.set(id, loading);
  return loading;
};
export async function loadVotes() {
  try {
    let all = {};
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const page = await call('GET', `/votes?limit=100&offset=${offset}`, { quiet: true });
      all = { ...all, ...Object.fromEntries(page.data.map((one) => [one.bounty_id, one.vote])) };
      total = page.total;
    }
    votes.keep(all);
  } catch {
    /* the counts are shown without it */
  }
}
// The same vote again takes it back.
export async function vote(id, kind) {
  const next = votes.peek()[id] === kind ? 'none' : kind;
  const { data } = await call('PUT', `/bounties/${id}/vote`, { body: { vote: next }, tries: 3 });
  votes.put(id, data.vote);
  await loadBounty(id, true);
}
let search;
const queryOf = (values) => {
  const set = Object.entries(values).filter(([, value]) => value);
  return new URLSearchParams(set.map(([name, value]) => [name, value === true ? '1' : value]));
};
// How many bounties a search finds in each category, whichever is chosen and in any order.
export const counts = kept('counts', null);
let counting, counted;
function loadCounts({ category, sort, ...filters }) {
  const query = String(queryOf(filters));
  if (counted?.query === query && Date.now() - counted.at < 60_000) return;
  counting?.abort();
  counting = new AbortController();
  counted = { query, at: Date.now() };
  call('GET', '/categories?' + query, { quiet: true, signal: counting.signal }).then(
    ({ data }) => counts.keep({ query, rows: data }),
    (error) => {
      if (error.kind === 'stopped') return;
      counted = null;
      if (counts.peek()?.query !== query) counts.keep(null); // those of another search
    },
  );
}
export async function loadWork(filters, more) {
  search?.abort();
  search = new AbortController();
  const before = more ? work.peek().items : [],
    { signal } = search;
  if (!more) loadCounts(filters);
  try {
    const page = await call('GET', '/bounties?' + queryOf({ ...filters, limit: 20, offset: String(before.length) }), { signal });
    const known = new Set(before.map((one) => one.id)); // pages by offset move when something new is posted
    work.keep({
      filters,
      items: [...before, ...page.data.filter((one) => !known.has(one.id))],
      total: page.total,
      ended: page.data.length < 20,
    });
    fine('work');
  } catch (error) {
    fail('work')(error);
  }
}

export const appliedTo = computed(() => new Map((applications.value ?? []).map((one) => [one.bounty_id, one])));
export const beingSent = computed(() => new Map(outbox.value.filter((one) => one.about.bounty).map((one) => [one.about.bounty, one])));
// The last message that was read of each conversation: here, or on another device.
const lastRead = (one) => Math.max(one.last_read, read.value[one.id] ?? 0);
export const isFresh = (one) => one.last_sender === 'agent' && one.last_message_id > lastRead(one);
export const unread = computed(() => (conversations.value ?? []).filter(isFresh).length);
function markRead(id) {
  const listed = conversations.peek()?.find((one) => one.id === Number(id))?.last_message_id ?? 0;
  const last = Math.max(listed, talks.peek()[id]?.messages.at(-1)?.id ?? 0);
  if (last <= (read.peek()[id] ?? 0)) return;
  read.put(id, last);
  // One request for several messages in a row. If it is lost, the next one says more.
  clearTimeout(telling.get(id));
  const tell = () => call('PATCH', `/conversations/${id}`, { body: { last_read: read.peek()[id] }, quiet: true }).catch(() => {});
  telling.set(id, setTimeout(tell, 2000));
}
const telling = new Map();

export function apply(bounty, message) {
  return postAbout(`/bounties/${bounty.id}/applications`, { message }, { bounty: bounty.id, title: bounty.title }).then(
    () => loadBounty(bounty.id, true),
    (error) => {
      if (error.kind === 'already_applied') return loadApplications();
      throw error;
    },
  );
}
export const withdraw = async ({ id, bounty_id }) => {
  try {
    await call('DELETE', `/applications/${id}`, { tries: 3 });
  } catch (error) {
    // An earlier attempt, whose answer was lost, or another device has done it.
    if (error.status !== 404) throw error;
  } finally {
    await loadApplications();
  }
  loadBounty(bounty_id, true);
  withdrawn.keep([...withdrawn.peek(), bounty_id]);
};
// Loads what shows a write once it is sent.
export const loadAbout = ({ talk, work }) => (talk ? loadTalk(talk) : Promise.all([loadApplications(), work && loadDeliveries(work)]));
const postAbout = (path, body, about, photos) => post(path, body, about, photos).then(() => loadAbout(about));
export const say = (id, content, photos) => postAbout(`/conversations/${id}/messages`, { content }, { talk: id }, photos);
export const handOver = (id, message, photos) => postAbout(`/applications/${id}/deliveries`, { message }, { work: id }, photos);
export async function sendWaiting() {
  for (const item of outbox.peek())
    if (item.state === 'waiting') {
      try {
        await deliver(item.key);
        if (item.about.bounty) toast(t('sent'));
        await loadAbout(item.about);
      } catch {
        // It stays, or is gone: the lists tell. An application that was rejected is a draft again.
        const { bounty } = item.about;
        if (bounty && !beingSent.peek().has(bounty)) localStorage.setItem('hitode.kept.draft.' + bounty, item.body.message);
      }
    }
}
addEventListener('online', sendWaiting);
// Another tab has sent something.
addEventListener('storage', ({ key, oldValue, newValue }) => {
  if (key !== BOX || !newValue) return;
  const gone = JSON.parse(oldValue ?? '[]').filter((one) => !newValue.includes(one.key));
  for (const { about } of gone) {
    if (about.talk) readTalk(about.talk, true).catch(() => {});
    else loadAbout(about);
  }
});
// A line can come back without a sign.
let retry;
effect(() => {
  clearTimeout(retry);
  if (outbox.value.some((one) => one.state === 'waiting'))
    retry = setTimeout(() => navigator.onLine && token.peek() && !ended.peek() && sendWaiting(), 10000);
});

// --- news ---
// One tab of the browser waits for all (Web Locks), and tells the others: each waiting request holds one of the browser's
// six connections to the server, and one of the caller's `x-waits-at-once`.
const others = 'BroadcastChannel' in self ? new BroadcastChannel('hitode-news') : null;
others?.addEventListener('message', ({ data }) => take(data));
let watching;
export function watch() {
  if (watching) return;
  watching = new AbortController();
  const lead = () => follow(watching.signal);
  if (navigator.locks) navigator.locks.request('hitode-news', { signal: watching.signal }, lead).catch(() => {});
  else lead();
}
export function unwatch() {
  watching?.abort();
  watching = null;
}
async function follow(stop) {
  let cursor = localStorage.getItem('hitode.kept.cursor');
  for (let trouble = 0; !stop.aborted && token.peek() && !ended.peek();) {
    try {
      if (!cursor) cursor = (await call('GET', '/events?after=now', { quiet: true, signal: stop })).cursor;
      else {
        const page = await call('GET', `/events?after=${cursor}&wait=25&limit=100`, { patience: 40, tries: 1, quiet: true, signal: stop });
        cursor = page.cursor;
        if (page.data.length || page.truncated) {
          const news = { kinds: page.data.map(({ name, data }) => ({ name, data })), all: page.truncated };
          others?.postMessage(news);
          take(news);
          await new Promise((done) => setTimeout(done, 400));
        }
      }
      localStorage.setItem('hitode.kept.cursor', cursor);
      trouble = 0;
    } catch (error) {
      if (error.kind === 'stopped') break;
      if (error.kind === 'invalid') cursor = null;
      await new Promise((done) => {
        setTimeout(done, Math.min(30, 2 ** trouble++) * 1000 * (0.75 + Math.random() / 2));
        addEventListener('online', done, { once: true });
      });
    }
  }
}
export const notice = (text, icon, hash, act = 'show') =>
  toast(text, {
    icon,
    action: t(act),
    act: () => {
      location.hash = hash;
    },
  });
async function take({ kinds, all }) {
  const has = (name) => all || kinds.some((one) => one.name === name);
  const here = location.hash;
  if (has('conversation.created') || has('message.created')) {
    await loadConversations();
    for (const { name, data } of kinds)
      if (name === 'message.created' || name === 'conversation.created') {
        const open = here === `#/talk/${data.conversation_id}` && !document.hidden;
        if (talks.peek()[data.conversation_id] || open) {
          await readTalk(data.conversation_id, true).catch(() => {});
        }
        if (open) markRead(data.conversation_id);
        else {
          const talk = conversations.peek()?.find((one) => one.id === data.conversation_id);
          if (talk) notice(t('newMessage', { name: talk.poster_name }), 'chat', '#/talk/' + talk.id);
        }
      }
  }
  if (has('application.decided') || has('bounty.updated')) {
    await loadApplications();
    const decided = kinds.findLast((one) => one.name === 'application.decided');
    if (decided) notice(t(decided.data.status === 'accepted' ? 'gotAccepted' : 'gotRejected'), 'inbox', '#/applied');
    for (const { name, data } of kinds)
      if (name === 'bounty.updated' && details.peek()[data.bounty_id]) loadBounty(data.bounty_id, true);
  }
  if (has('review.created')) {
    await Promise.all([loadMe(), loadReviews()]);
    if (kinds.some((one) => one.name === 'review.created')) notice(t('newReview'), 'person', '#/me');
  }
}

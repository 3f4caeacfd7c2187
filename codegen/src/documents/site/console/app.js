// The frame: sign in, navigation, pages of resources, the drawer of one record.
import {
  html,
  render,
  Icon,
  Sheet,
  Field,
  describedBy,
  Empty,
  Toasts,
  toast,
  signal,
  useState,
  useEffect,
  useRef,
  useId,
} from '../shared/ui.js';
import { t } from './text.js';
import { readContract, resolve, bind, words, plural, isGrave } from './contract.js';
import { credentials, keep, forgetAll, send, newKey } from './client.js';
import { Form } from './form.js';
import { Table, Value, Pairs } from './table.js';
import { Overview } from './overview.js';

const contract = signal(null),
  broken = signal(null),
  route = signal([]),
  form = signal(null),
  secret = signal(null),
  version = signal(0);
const go = () => {
  route.value = location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
};
addEventListener('hashchange', go);
go();
readContract().then(
  (found) => {
    contract.value = found;
    document.title = found.title + ' · Console';
  },
  (error) => {
    broken.value = error;
  },
);

const unlocked = (surface) => !surface.scheme || credentials.value[surface.scheme];
const probe = (surface) =>
  surface.operations.find((op) => op.method === 'GET' && !op.path_params.length && !op.waits) ??
  surface.operations.find((op) => op.method === 'GET' && op.path_params.length);
async function enter(surface, value) {
  const op = probe(surface);
  if (op)
    try {
      await send(contract.value, op, {
        credential: value,
        path: Object.fromEntries(op.path_params.map((one) => [one.name, 1])),
        query: {},
      });
    } catch (error) {
      if ([401, 403, 429].includes(error.status) || error.code === 'network') throw error;
    }
  keep(surface.scheme, value);
}
function Credential({ surface, onDone, first }) {
  const scheme = contract.value.schemes[surface.scheme],
    prefix = scheme['x-prefix'],
    [value, setValue] = useState(''),
    [fault, setFault] = useState(null),
    [busy, setBusy] = useState(false),
    id = useId();
  const submit = async (event) => {
    event.preventDefault();
    if (!value.trim()) return setFault(t('required'));
    setBusy(true);
    try {
      await enter(surface, value.trim());
      onDone?.();
    } catch (error) {
      setBusy(false);
      setFault(t('rejected', { text: error.text }));
      document.getElementById(id)?.focus();
    }
  };
  const hint = scheme.description?.split('\n')[0].replace(/`/g, '');
  return html`<form class="credential" onSubmit=${submit} novalidate><${Field} label=${t('credential', { header: scheme.name })} id=${id} hint=${hint} fault=${fault}><input class="input code" id=${id} type="password" autocomplete="off" spellcheck=${false} placeholder=${prefix ? prefix + '…' : ''} value=${value} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy(id, hint, fault)} onInput=${(
    event,
  ) => {
    setValue(event.target.value);
    setFault(null);
  }} /></${Field}><button class="button main" disabled=${busy}>${t('enter')}</button></form>`;
}
function SignIn() {
  const doors = contract.value.surfaces.filter((one) => one.scheme),
    [chosen, choose] = useState(
      // That of who runs the service: it identifies nobody else.
      (doors.find((one) => !contract.value.schemes[one.scheme]['x-caller']) ?? doors.at(-1))?.name,
    ),
    surface = doors.find((one) => one.name === chosen);
  return html`<main class="sign-in">
    <div class="sign-in-card">
      <h1>${contract.value.title}</h1>
      <p class="quiet">${t('signInNote')}</p>
      <div class="segments" role="group">
        ${doors.map((one) => html`<button key=${one.name} aria-pressed=${String(one.name === chosen)} onClick=${() => choose(one.name)}>${words(one.name)}</button>`)}
      </div>
      <${Credential}
        key=${chosen}
        surface=${surface}
        onDone=${() => {
          location.hash = '#/';
        }}
      />
    </div>
  </main>`;
}

// --- doing an operation, whatever it is ---
export function act(op, { path = {}, record, noun, done } = {}) {
  form.value = { op, path, record, noun, done };
}
function finish(op, answer, done) {
  form.value = null;
  const shown = op.secrets.map((name) => [name, answer.data?.[name]]).filter(([, value]) => value);
  if (shown.length) secret.value = { op, shown, data: answer.data };
  else toast(answer.message ?? t('done'));
  version.value++;
  done?.(answer);
}
function Secret({ value: { op, shown, data } }) {
  const copy = (text) => {
    const ok = () => toast(t('copied'));
    if (navigator.clipboard) return navigator.clipboard.writeText(text).then(ok);
    const area = document.querySelector('.secret-value');
    getSelection().selectAllChildren(area);
    document.execCommand('copy');
    ok();
  };
  return html`<${Sheet} label=${t('secretTitle')} onClose=${() => {}}><div class="inside"><h2>${t('secretTitle')}</h2><p class="warning"><${Icon} name="key" /><span>${t('secretNote')}</span></p>
    ${shown.map(
      ([name, value]) =>
        html`<div class="field" key=${name}>
          <span class="label">${words(name)}</span>
          <div class="row">
            <code class="secret-value grow" tabindex="0">${value}</code
            ><button class="button" onClick=${() => copy(value)}><${Icon} name="copy" />${t('copy')}</button>
          </div>
        </div>`,
    )}
    ${Object.keys(data).length > shown.length && html`<${Pairs} op=${op} record=${Object.fromEntries(Object.entries(data).filter(([name]) => !shown.some(([one]) => one === name)))} />`}
    <button class="button main wide" onClick=${() => {
      secret.value = null;
    }}>${t('saved')}</button></div></${Sheet}>`;
}

// --- one resource ---
function Resource({ surface, resource, record }) {
  const [tab, setTab] = useState(0),
    list = resource.lists[tab];
  return html`<header class="head">
      <div class="grow">
        <h1 tabindex="-1">${resource.lists.length || resource.lookups.length ? plural(resource.name) : words(resource.name)}</h1>
        ${resource.description && html`<p class="quiet">${resource.description}.</p>`}
      </div>
      <div class="row wrap">
        ${resource.makes.filter((op) => op.method === 'POST').map((op, n) => html`<button key=${op.id} class=${`button ${n ? '' : 'main'}`} title=${op.description} onClick=${() => act(op)}><${Icon} name="plus" />${words(op.short)}</button>`)}
      </div>
    </header>
    ${resource.lists.length > 1 && html`<div class="segments inline" role="group" aria-label=${plural(resource.name)}>${resource.lists.map((op, n) => html`<button key=${op.id} aria-pressed=${String(n === tab)} onClick=${() => setTab(n)}>${words(op.short)}</button>`)}</div>`}
    ${list && html`<${List} key=${list.id} op=${list} path=${{}} chosen=${record} onOpen=${(row) => openRow(list, row, {})} />`}
    ${resource.singles.map((op) => html`<${Single} key=${op.id} op=${op} changes=${resource.makes.filter((one) => one.method === 'PATCH' || one.method === 'PUT')} />`)}
    ${resource.lookups.length > 0 && html`<${LookUp} resource=${resource} />`}
    ${
      !list &&
      !resource.lookups.length &&
      resource.orphans.length > 0 &&
      html`<div class="panel pad">
        <h2>${t('more')}</h2>
        <div class="row wrap">
          ${resource.orphans.map((op) => html`<button key=${op.id} class=${`button ${isGrave(op) ? 'danger' : ''}`} onClick=${() => act(op)}>${words(op.short)}</button>`)}
        </div>
      </div>`
    }`;
}
const pageNames = (op) => new Set([op.pages?.size, op.pages?.offset, op.pages?.number].filter(Boolean));
function List({ op, path, chosen, onOpen, small }) {
  const size = small ? 10 : 20,
    [query, setQuery] = useState({}),
    [at, setAt] = useState(0),
    [state, setState] = useState({}),
    latest = useRef(),
    filters = op.query.filter((one) => !pageNames(op).has(one.name));
  version.value;
  const load = () => {
    const pages = {};
    if (op.pages?.size) pages[op.pages.size] = size;
    if (op.pages?.offset) pages[op.pages.offset] = at * size;
    if (op.pages?.number) pages[op.pages.number] = at + 1;
    setState((before) => ({ ...before, busy: true }));
    // The answer to a former question may come last.
    const mine = (latest.current = {}),
      show = (next) => latest.current === mine && setState(next);
    return send(contract.value, op, { path, query: { ...query, ...pages } }).then(
      ({ answer, data }) => show({ rows: data, total: op.pages?.total && answer[op.pages.total] }),
      (error) => show({ error }),
    );
  };
  useEffect(() => {
    load();
  }, [JSON.stringify(query), at, version.value, credentials.value[op.scheme]]);
  const { rows, total, error } = state,
    from = at * size + 1,
    to = at * size + (rows?.length ?? 0),
    turns = op.pages?.offset || op.pages?.number,
    more = total !== undefined ? to < total : rows?.length === size;
  return html`<section class="panel" aria-busy=${String(!!state.busy)}>
    ${
      (filters.length > 0 || !small) &&
      html`<div class="tools">
        ${
          filters.length > 0 &&
          html`<${Filters}
            op=${op}
            filters=${filters}
            query=${query}
            onChange=${(next) => {
              setAt(0);
              setQuery(next);
            }}
          />`
        }<span class="grow"></span
        >${op.sort && html`<span class="small quiet sort">${t('sorted', { sort: op.sort.map((one) => one.replace(/ asc$/, ' ↑').replace(/ desc$/, ' ↓')).join(', ') })}</span>`}<button
          class="button plain small icon-only"
          aria-label=${t('refresh')}
          onClick=${load}
        >
          <${Icon} name="refresh" />
        </button>
      </div>`
    }
    ${error ? html`<${Broken} error=${error} again=${load} />` : !rows ? html`<div class="pad ghost"><span class="skeleton"></span><span class="skeleton"></span><span class="skeleton"></span></div>` : !rows.length ? html`<${Empty} icon="list" title=${Object.values(query).some(Boolean) ? t('emptyFiltered') : t('empty')} />` : html`<${Table} op=${op} rows=${rows} chosen=${chosen} onOpen=${onOpen} states=${contract.value.states} />`}
    ${rows && (at > 0 || more || total !== undefined) && html`<div class="pager"><span class="small quiet number">${rows.length ? (total !== undefined ? t('of', { from, to, n: total.toLocaleString() }) : t('page', { from, to })) : ''}</span><span class="grow"></span>${turns && (at > 0 || more) && html`<button class="button small" disabled=${at === 0} onClick=${() => setAt(at - 1)}><${Icon} name="left" />${t('previous')}</button><button class="button small" disabled=${!more} onClick=${() => setAt(at + 1)}>${t('next')}<${Icon} name="right" /></button>`}</div>`}
  </section>`;
}
function Filters({ op, filters, query, onChange }) {
  const [draft, setDraft] = useState(query),
    put = (name, value, now) => {
      const next = { ...draft, [name]: value };
      setDraft(next);
      if (now) onChange(next);
    };
  return html`<form
    class="filters"
    role="search"
    onSubmit=${(event) => {
      event.preventDefault();
      onChange(draft);
    }}
  >
    ${filters.map((one) => {
      const id = `f-${op.id}-${one.name}`,
        schema = one.schema,
        choices =
          schema.enum?.filter((value) => value !== null) ??
          (schema.type === 'boolean' || /flag/i.test(schema.name ?? '') ? ['true', 'false'] : null);
      return html`<span key=${one.name}
        ><label class="hidden" for=${id}>${words(one.name)}</label>${
          choices
            ? html`<select
                id=${id}
                class="input"
                value=${draft[one.name] ?? ''}
                onChange=${(event) => put(one.name, event.target.value, true)}
              >
                <option value="">${words(one.name)}</option>
                ${choices.map((value) => html`<option key=${value} value=${value}>${words(one.name)}: ${words(String(value))}</option>`)}
              </select>`
            : html`<input
                  id=${id}
                  class="input"
                  placeholder=${words(one.name)}
                  title=${one.description}
                  list=${one['x-synonyms'] ? id + '-list' : null}
                  value=${draft[one.name] ?? ''}
                  onInput=${(event) => put(one.name, event.target.value)}
                  onChange=${() => onChange(draft)}
                />${one['x-synonyms'] && html`<datalist id=${id + '-list'}>${one['x-synonyms'].map(([value, other]) => html`<option key=${value} value=${value}>${other}</option>`)}</datalist>`}`
        }</span
      >`;
    })}
    ${
      Object.values(query).some(Boolean) &&
      html`<button
        type="button"
        class="button plain small"
        onClick=${() => {
          setDraft({});
          onChange({});
        }}
      >
        ${t('clear')}
      </button>`
    }<button class="hidden">${t('apply')}</button>
  </form>`;
}
const Broken = ({ error, again }) =>
  html`<${Empty} icon="alert" title=${t('failed')}><p>${error.text}</p>${error.help && html`<p class="small">${error.help}</p>`}${error.request && html`<p class="small"><code>${t('reference', { id: error.request })}</code></p>`}<button class="button" onClick=${again}>${t('again')}</button></${Empty}>`;
function Single({ op, changes }) {
  const [state, setState] = useState({});
  version.value;
  const load = () =>
    send(contract.value, op).then(
      ({ data }) => setState({ data }),
      (error) => setState({ error }),
    );
  useEffect(() => {
    load();
  }, [version.value, credentials.value[op.scheme]]);
  return html`<section class="panel pad">
    ${
      state.error
        ? html`<${Broken} error=${state.error} again=${load} />`
        : state.data
          ? html`<div class="row">
                <h2 class="grow">${op.summary}</h2>
                ${changes.map((one) => html`<button key=${one.id} class="button small" onClick=${() => act(one, { record: state.data })}><${Icon} name="edit" />${words(one.short)}</button>`)}
              </div>
              <${Pairs} op=${op} record=${state.data} />`
          : html`<span class="skeleton"></span>`
    }
  </section>`;
}
function LookUp({ resource }) {
  const [value, setValue] = useState(''),
    [fault, setFault] = useState(null),
    op = resource.lookups[0],
    id = useId();
  const submit = async (event) => {
    event.preventDefault();
    const text = value.normalize('NFKC').trim();
    if (!/^\d+$/.test(text)) return setFault(t('integer'));
    const path = { [op.path_params[0].name]: text };
    try {
      await send(contract.value, op, { path });
      openRecord(op, path, resource);
    } catch (error) {
      setFault(error.text);
    }
  };
  return html`<section class="panel pad"><form class="look-up" onSubmit=${submit} novalidate><${Field} label=${t('look')} id=${id} hint=${t('lookHint')} fault=${fault}><div class="row"><input id=${id} class="input" inputmode="numeric" value=${value} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy(id, true, fault)} onInput=${(
    event,
  ) => {
    setValue(event.target.value);
    setFault(null);
  }} /><button class="button">${t('open')}</button></div></${Field}></form></section>`;
}

// --- one record: what is shown, what can be done, and the lists that belong to it ---
const drawer = signal([]);
function openRow(op, row, path) {
  const own = op.links
    .map((link) => ({ op: contract.value.operations.get(link.to), at: bind(link, row, path) }))
    .find((one) => one.op?.method === 'GET' && !one.op.list && one.at && one.op.tag === op.tag);
  drawer.value = [...drawer.value, { from: op, row, path, detail: own?.op, at: own?.at }];
}
function openRecord(op, path, resource) {
  drawer.value = [...drawer.value, { from: op, row: null, path, detail: op, at: path, extra: resource.orphans }];
}
function Drawer({ entry }) {
  const { from, row, path, detail, at, extra } = entry,
    [state, setState] = useState({ record: row }),
    title = useRef();
  version.value;
  useEffect(() => {
    if (detail)
      send(contract.value, detail, { path: at }).then(
        ({ data }) => setState({ record: { ...row, ...data } }),
        (error) => setState((before) => ({ ...before, error })),
      );
    else if (version.value) refreshRow();
  }, [version.value]);
  // A record without an operation that reads it: its list is read again.
  const refreshRow = () =>
    send(contract.value, from, {
      path,
      query: from.pages?.size ? { [from.pages.size]: from.query.find((one) => one.name === from.pages.size)?.schema.maximum ?? 50 } : {},
    }).then(
      ({ data }) => {
        const found = data.find((one) => one.id === row?.id);
        if (found) setState({ record: found });
      },
      () => {},
    );
  useEffect(() => {
    title.current?.focus();
  }, []);
  const record = state.record,
    back = () => {
      drawer.value = drawer.value.slice(0, -1);
    };
  const links = new Map();
  for (const [op, values] of [
    [from, path],
    [detail, at],
  ])
    if (op && record)
      for (const link of op.links) {
        const bound = bind(link, record, values ?? {}),
          target = contract.value.operations.get(link.to);
        if (bound && target && target.id !== detail?.id) links.set(link.to, { op: target, at: bound });
      }
  for (const op of extra ?? [])
    links.set(op.id, { op, at: Object.fromEntries(op.path_params.map((one) => [one.name, at[one.name] ?? Object.values(at)[0]])) });
  const all = [...links.values()],
    moves = all.filter((one) => one.op.transitions),
    acts = all.filter((one) => one.op.method !== 'GET' && !one.op.transitions),
    lists = all.filter((one) => one.op.method === 'GET' && one.op.list && !one.op.waits),
    others = all.filter((one) => one.op.method === 'GET' && !one.op.list && !one.op.waits);
  const noun = `${words(from.tag)} ${record?.id ?? Object.values(at ?? {})[0] ?? ''}`,
    name = record?.[(detail ?? from).label] ?? row?.[from.label];
  return html`<aside class="drawer" aria-label=${noun}>
    <header class="row">
      <div class="grow">
        <p class="small quiet">${noun}</p>
        <h2 ref=${title} tabindex="-1">${name ?? noun}</h2>
      </div>
      <button class="button plain icon-only" aria-label=${t('close')} onClick=${back}><${Icon} name="close" /></button>
    </header>
    ${state.error && html`<div class="failure" role="alert"><${Icon} name="alert" /><span>${state.error.text}</span></div>`}
    ${moves.map((one) => html`<${Moves} key=${one.op.id} one=${one} record=${record} noun=${noun} />`)}
    ${
      acts.length > 0 &&
      html`<div class="row wrap acts">
        ${acts.map(
          (one) =>
            html`<button
              key=${one.op.id}
              class=${`button small ${isGrave(one.op) ? 'danger' : ''}`}
              title=${one.op.description}
              onClick=${() =>
                act(one.op, {
                  path: one.at,
                  record,
                  noun: name ? `${noun} · ${name}` : noun,
                  done: () => {
                    if (one.op.method === 'DELETE') back();
                  },
                })}
            >
              <${Icon}
                name=${one.op.method === 'DELETE' ? 'trash' : one.op.secrets.length ? 'key' : one.op.method === 'POST' ? 'plus' : 'edit'}
              />${words(one.op.short)}
            </button>`,
        )}
      </div>`
    }
    ${record ? html`<${Pairs} op=${detail ?? from} record=${record} states=${contract.value.states} />` : html`<span class="skeleton"></span>`}
    ${
      others.length > 0 &&
      html`<div class="row wrap">
        ${others.map(
          (one) =>
            html`<button
              key=${one.op.id}
              class="button small plain"
              onClick=${() => {
                drawer.value = [...drawer.value, { from: one.op, row: null, path: one.at, detail: one.op, at: one.at }];
              }}
            >
              ${words(one.op.short)}<${Icon} name="right" />
            </button>`,
        )}
      </div>`
    }
    ${lists.map(
      (one) =>
        html`<section key=${one.op.id} class="related">
          <h3>${words(one.op.short)}</h3>
          <${List} op=${one.op} path=${one.at} small=${true} onOpen=${(inner) => openRow(one.op, inner, one.at)} />
        </section>`,
    )}
  </aside>`;
}
function Moves({ one: { op, at }, record, noun }) {
  const member = op.transitions.split('.')[1],
    machine = contract.value.states[op.transitions],
    now = record?.[member],
    values = resolve(op.doc, op.body?.properties?.[member])?.enum ?? [],
    allowed =
      machine?.transitions === 'any' || !machine
        ? values.filter((one) => one !== now)
        : (machine.transitions[now] ?? []).filter((one) => values.includes(one));
  const [asking, ask] = useState(null),
    [busy, setBusy] = useState(false),
    extra = Object.keys(op.body?.properties ?? {}).length > 1,
    final = (to) => machine && machine.transitions !== 'any' && !(machine.transitions[to] ?? []).length;
  const move = async (to) => {
    ask(null);
    setBusy(true);
    try {
      const answer = await send(contract.value, op, { path: at, body: { [member]: to }, key: newKey() });
      finish(op, answer);
    } catch (error) {
      toast(error.text, { icon: 'alert', stay: 7000 });
    }
    setBusy(false);
  };
  if (now === undefined) return null;
  return html`<div class="moves">
      <span class="small quiet">${t('moveTo')}</span>
      <div class="row wrap">
        <${Value} value=${now} state=${true} /><${Icon}
          name="right"
        />${allowed.map((to) => html`<button key=${to} class="button small" disabled=${busy} onClick=${() => (extra ? act(op, { path: at, record: { ...record, [member]: to }, noun }) : final(to) ? ask(to) : move(to))}>${words(to)}</button>`)}
      </div>
    </div>
    ${asking && html`<${Sheet} label=${t('sure')} onClose=${() => ask(null)}><div class="inside"><h2>${noun}: ${words(now)} → ${words(asking)}</h2><p class="quiet">${t('cannotUndo')}</p><button class="button danger main wide" onClick=${() => move(asking)}>${words(asking)}</button><button class="button wide" onClick=${() => ask(null)}>${t('cancel')}</button></div></${Sheet}>`}`;
}

function Frame() {
  const [name, tag] = route.value,
    surface = contract.value.surfaces.find((one) => one.name === name),
    resource = surface?.resources.find((one) => one.name === tag),
    main = useRef(),
    [asking, ask] = useState(null);
  useEffect(() => {
    drawer.value = [];
    main.current?.querySelector('h1')?.focus({ preventScroll: true });
  }, [name, tag]);
  useEffect(() => {
    const escape = (event) => {
      if (event.key === 'Escape' && drawer.value.length && !document.querySelector('dialog[open]'))
        drawer.value = drawer.value.slice(0, -1);
    };
    addEventListener('keydown', escape);
    return () => removeEventListener('keydown', escape);
  }, []);
  const order = Object.keys(credentials.value),
    rank = (one) => (one.scheme ? order.indexOf(one.scheme) : order.length),
    // A public surface without anything to read is for programs.
    reads = (one) => one.scheme || one.resources.some((item) => item.lists.length || item.singles.length || item.lookups.length),
    ready = contract.value.surfaces.filter((one) => unlocked(one) && reads(one)).sort((a, b) => rank(a) - rank(b)),
    closed = contract.value.surfaces.filter((one) => !unlocked(one)),
    entry = drawer.value.at(-1);
  return html`<a
      class="skip"
      href="#main"
      onClick=${(event) => {
        event.preventDefault();
        main.current.focus();
      }}
      >${t('skip')}</a
    >
    <div class="shell">
      <nav class="side" aria-label=${contract.value.title}>
        <div class="side-top">
          <b>${contract.value.title.split(':')[0]}</b
          ><span class="small quiet number">${t('contract', { version: contract.value.version })}</span>
        </div>
        <a href="#/" aria-current=${name ? null : 'page'}><${Icon} name="chart" />${t('overview')}</a>
        ${ready.map(
          (one) =>
            html`<div key=${one.name} class="side-group">
              <h2 class="small">${words(one.name)}</h2>
              ${one.resources.map((item) => html`<a key=${item.name} href=${`#/${encodeURIComponent(one.name)}/${encodeURIComponent(item.name)}`} aria-current=${one.name === name && item.name === tag ? 'page' : null}>${item.lists.length || item.lookups.length ? plural(item.name) : words(item.name)}</a>`)}
            </div>`,
        )}
        ${
          closed.length > 0 &&
          html`<div class="side-group">
            <h2 class="small">${t('others')}</h2>
            ${closed.map((one) => html`<button key=${one.name} onClick=${() => ask(one)}><${Icon} name="lock" />${words(one.name)}</button>`)}
          </div>`
        }
        <span class="grow"></span
        ><button
          onClick=${() => {
            forgetAll();
            location.hash = '#/';
          }}
        >
          <${Icon} name="out" />${t('signOut')}
        </button>
      </nav>
      <main id="main" ref=${main} tabindex="-1" class=${entry ? 'with-drawer' : ''}>
        ${!resource ? html`<${Overview} contract=${contract.value} ready=${ready} />` : unlocked(surface) ? html`<${Resource} key=${name + tag} surface=${surface} resource=${resource} record=${entry?.row?.id} />` : html`<${Empty} icon="lock" title=${t('locked')}><${Credential} surface=${surface} /></${Empty}>`}
      </main>
      ${entry && html`<${Drawer} key=${drawer.value.length + '-' + JSON.stringify(entry.at ?? entry.row?.id)} entry=${entry} />`}
    </div>
    ${
      asking &&
      html`<${Sheet} label=${t('add')} onClose=${() => ask(null)}><div class="inside"><h2>${words(asking.name)}</h2><p class="quiet small">${asking.description?.split('. ')[0]}.</p><${Credential} surface=${asking} onDone=${() => {
        ask(null);
        location.hash = `#/${asking.name}/${encodeURIComponent(asking.resources[0].name)}`;
      }} /></div></${Sheet}>`
    }`;
}
function App() {
  if (broken.value) return html`<${Empty} icon="alert" title="/openapi.json"><p>${broken.value.message}</p></${Empty}>`;
  if (!contract.value) return html`<div class="loading"><span class="skeleton"></span></div>`;
  const inside = Object.keys(credentials.value).length > 0 || contract.value.surfaces.every((one) => !one.scheme);
  return html`${inside ? html`<${Frame} />` : html`<${SignIn} />`}
    ${
      form.value &&
      html`<${Form}
        key=${form.value.op.id}
        contract=${contract.value}
        ...${form.value}
        onDone=${(answer) => finish(form.value.op, answer, form.value.done)}
        onClose=${() => {
          form.value = null;
        }}
      />`
    }
    ${secret.value && html`<${Secret} value=${secret.value} />`}<${Toasts} />`;
}
render(html`<${App} />`, document.getElementById('app'));

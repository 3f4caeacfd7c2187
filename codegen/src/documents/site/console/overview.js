// Numbers first: the totals of lists, and if the server has /metrics, how it is doing.
import { html, Icon, useState, useEffect, signal, SERVICE } from '../shared/ui.js';
import { t } from './text.js';
import { words } from './names.js';
import { amount, measured } from './units.js';
import { credentials, send } from './client.js';
import { write } from './address.js';

// The metrics of a process have the names of Prometheus, those of the service begin with its own name.
function parse(text) {
  const series = [];
  for (const line of text.split('\n')) {
    const found = line.match(/^(\w+?)(?:\{(.*)\})? ([^ ]+)$/);
    if (found)
      series.push({
        name: found[1],
        labels: Object.fromEntries([...(found[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value])),
        value: Number(found[3]),
      });
  }
  return series;
}
const sum = (series, name, pick) =>
  series.filter((one) => one.name === name && pick(one.labels)).reduce((all, one) => all + one.value, 0);
const one = (series, name) => series.find((item) => item.name === name)?.value;
const operationOf = (contract, { surface, operation }) => contract.operations.get(`${surface}_${operation}`);
const operationName = (contract, labels) => {
  const surface = contract.surfaces.find((one) => one.name === labels.surface)?.title ?? labels.surface;
  return `${surface} · ${operationOf(contract, labels)?.title ?? words(labels.operation)}`;
};
// Of the requests that do not wait for something.
function p99(contract, now, before) {
  const buckets = new Map(),
    name = contract.name + '_request_duration_seconds_bucket';
  for (const [series, sign] of [
    [now, 1],
    [before ?? [], -1],
  ])
    for (const item of series)
      if (item.name === name && !operationOf(contract, item.labels)?.waits) {
        const most = Number(item.labels.le.replace('+Inf', 'Infinity'));
        buckets.set(most, (buckets.get(most) ?? 0) + sign * item.value);
      }
  const sorted = [...buckets].sort(([a], [b]) => a - b),
    total = sorted.at(-1)?.[1] ?? 0;
  if (!total) return null;
  return sorted.find(([, count]) => count >= total * 0.99)[0];
}
const bytes = (n) => (n === undefined ? '—' : amount(n, { 'x-unit': 'bytes' }));
// Seconds as days and hours, hours and minutes, or minutes.
const span = (s) => {
  const [days, hours, minutes] = [Math.floor(s / 86400), Math.floor((s % 86400) / 3600), Math.floor((s % 3600) / 60)];
  if (days) return `${measured(days, 'day')} ${measured(hours, 'hour')}`;
  return hours ? `${measured(hours, 'hour')} ${measured(minutes, 'minute')}` : measured(minutes, 'minute');
};
const seconds = (s) => (s === null ? '—' : s === Infinity ? '> 30 s' : s < 1 ? `≤ ${(s * 1000).toLocaleString()} ms` : `≤ ${s} s`);

const samples = signal([]),
  none = signal(false);
let ticking;
function sample() {
  if (ticking || none.peek()) return;
  const tick = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(SERVICE + '/metrics', { cache: 'no-store' });
      if (!answer.ok || !/text\/plain|openmetrics/.test(answer.headers.get('Content-Type') ?? '')) {
        none.value = true;
        clearInterval(ticking);
        return;
      }
      samples.value = [...samples.peek().slice(-60), { at: Date.now(), series: parse(await answer.text()) }];
    } catch {
      /* the next one may come through */
    }
  };
  ticking = setInterval(tick, 5000);
  tick();
}
const classes = [
  ['2', 'good', '2xx'],
  ['4', 'warn', '4xx'],
  ['5', 'bad', '5xx'],
];
function rates(contract) {
  const all = samples.value,
    bars = [];
  for (let n = 1; n < all.length; n++) {
    const minutes = (all[n].at - all[n - 1].at) / 60000;
    bars.push(
      Object.fromEntries(
        classes.map(([first, tone]) => [
          tone,
          Math.max(
            0,
            (sum(all[n].series, contract.name + '_requests_total', (labels) => labels.status?.startsWith(first)) -
              sum(all[n - 1].series, contract.name + '_requests_total', (labels) => labels.status?.startsWith(first))) /
              minutes,
          ),
        ]),
      ),
    );
  }
  return bars;
}
function Chart({ bars }) {
  const width = 720,
    height = 160,
    slots = 60,
    peak = Math.max(10, ...bars.map((one) => one.good + one.warn + one.bad)),
    step = 10 ** Math.floor(Math.log10(peak)),
    top = Math.ceil(peak / step) * step,
    w = (width - 40) / slots;
  return html`<svg
    class="chart"
    viewBox=${`0 0 ${width} ${height + 20}`}
    role="img"
    aria-label=${`${t('requests')}: ${bars.length ? Math.round(bars.at(-1).good + bars.at(-1).warn + bars.at(-1).bad) : 0}`}
  >
    ${[0, 0.5, 1].map((at) => html`<g key=${at}><line class="axis" x1="40" x2=${width} y1=${10 + height * (1 - at)} y2=${10 + height * (1 - at)} /><text class="tick" x="34" y=${14 + height * (1 - at)} text-anchor="end">${Math.round(top * at).toLocaleString()}</text></g>`)}
    ${bars.slice(-slots).map((bar, n, shown) => {
      let y = 10 + height;
      return classes.map(([, tone]) => {
        const h = (bar[tone] / top) * height;
        y -= h;
        return (
          h > 0.2 &&
          html`<rect
            key=${n + tone}
            class=${tone}
            x=${40 + (slots - shown.length + n) * w + 1}
            y=${y}
            width=${w - 2}
            height=${h}
            rx="1.500"
          />`
        );
      });
    })}
  </svg>`;
}
export function Overview({ contract, ready }) {
  const [totals, setTotals] = useState([]);
  useEffect(() => {
    sample();
  }, []);
  useEffect(() => {
    let gone;
    const lists = ready.flatMap((surface) =>
      surface.resources.flatMap((resource) =>
        resource.lists
          .filter((op) => op.pages?.total)
          .slice(0, 1)
          .map((op) => ({ surface, resource, op })),
      ),
    );
    Promise.all(
      lists.map((one) =>
        send(contract, one.op, { query: { [one.op.pages.size]: 1 } }).then(
          ({ total }) => ({ ...one, total }),
          () => null,
        ),
      ),
    ).then((found) => gone || setTotals(found.filter(Boolean)));
    return () => {
      gone = true;
    };
  }, [Object.keys(credentials.value).join()]);
  const now = samples.value.at(-1)?.series,
    before = samples.value[0]?.series,
    bars = rates(contract),
    isAlone = new Set(totals.map((item) => item.surface)).size < 2;
  const recent = bars.slice(-12),
    last = bars.at(-1),
    all = last ? last.good + last.warn + last.bad : null,
    failed = recent.reduce((n, bar) => n + bar.bad + bar.warn, 0),
    every = recent.reduce((n, bar) => n + bar.good + bar.warn + bar.bad, 0),
    started = now && one(now, 'process_start_time_seconds'),
    writable = now && one(now, contract.name + '_writable');
  const problems = (now ?? [])
    .filter((item) => item.name === contract.name + '_requests_total' && /^[45]|abandoned/.test(item.labels.status ?? ''))
    .sort((a, b) => (b.labels.status[0] === '5') - (a.labels.status[0] === '5') || b.value - a.value)
    .slice(0, 8);
  const card = (label, value, note, href, tone) =>
    html`<${href ? 'a' : 'div'} key=${label + href} class=${`stat ${tone ?? ''}`} href=${href}><span class="stat-label">${label}</span><span class="stat-value number">${value}</span>${note && html`<span class="small quiet">${note}</span>`}</${href ? 'a' : 'div'}>`;
  return html`<header class="head">
      <div class="grow"><h1 tabindex="-1">${t('overview')}</h1></div>
      ${now && html`<span class=${`badge ${writable === 0 ? 'bad' : 'good'}`}><${Icon} name=${writable === 0 ? 'alert' : 'check'} />${writable === 0 ? t('notWritable') : t('writable')}</span><span class="small quiet">${t('live')}</span>`}
    </header>
    <div class="stats">
      ${totals.map((item) => card(item.resource.title, item.total.toLocaleString(), isAlone ? null : item.surface.title, write(item)))}
    </div>
    ${now && html`<div class="stats">${[card(t('p99'), seconds(p99(contract, now, samples.value.length > 2 ? before : null)), t('last5')), card(t('errors'), every ? ((failed / every) * 100).toFixed(1) + '%' : '—', t('last5'), null, every && failed / every > 0.05 ? 'bad' : ''), card(t('disk'), bytes(one(now, contract.name + '_store_bytes'))), card(t('memory'), bytes(one(now, 'process_resident_memory_bytes'))), started && card(t('uptime'), span(Date.now() / 1000 - started))]}</div>`}
    ${
      none.value
        ? html`<p class="quiet">${t('noMetrics')}</p>`
        : html`<section class="panel pad">
              <div class="row">
                <h2 class="grow">${t('requests')}</h2>
                ${classes.map(([, tone, label]) => html`<span key=${tone} class="key small"><i class=${tone}></i>${label}${last && html` <b class="number">${Math.round(last[tone]).toLocaleString()}</b>`}</span>`)}
              </div>
              <${Chart} bars=${bars} />${!bars.length && html`<p class="small quiet">${t('collecting')}</p>`}
            </section>
            <section class="panel">
              <h2 class="pad-head">${t('problems')}</h2>
              ${
                problems.length
                  ? html`<div class="table-frame">
                      <table>
                        <thead>
                          <tr>
                            <th scope="col">${t('operation')}</th>
                            <th scope="col">${t('status')}</th>
                            <th scope="col" class="right">${t('count')}</th>
                          </tr>
                        </thead>
                        <tbody>
                          ${problems.map(
                            (item) =>
                              html`<tr key=${JSON.stringify(item.labels)} class="still">
                                <td class="strong">${operationName(contract, item.labels)}</td>
                                <td>
                                  <span class=${`badge ${item.labels.status[0] === '5' ? 'bad' : 'warn'}`}>${item.labels.status}</span>
                                </td>
                                <td class="right number">${item.value.toLocaleString()}</td>
                              </tr>`,
                          )}
                        </tbody>
                      </table>
                    </div>`
                  : html`<p class="quiet pad">${t('noProblems')}</p>`
              }
            </section>`
    }`;
}

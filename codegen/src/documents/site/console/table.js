// Tables and lists of fields, by the types that the contract states.
import { html, Icon, languageOf } from '../shared/ui.js';
import { t } from './text.js';
import { resolve } from './contract.js';
import { nameOf, docOf, valueName } from './names.js';
import { amount } from './units.js';

// A point in time: of a service in UTC, which its text does not say, or of a client with an offset.
const isMoment = (schema) => schema['x-time-zone'] === 'UTC' || schema.format === 'date-time';
const isDay = (schema) => schema.format === 'date';
function Moment({ value, schema }) {
  const iso = schema['x-time-zone'] ? value + 'Z' : value,
    date = new Date(iso),
    text = Number.isNaN(+date) ? value : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<time class="number" datetime=${iso} title=${iso.replace(/Z$/, ' UTC')}>${text}</time>`;
}
const isNumeric = (schema) => [schema.type].flat().some((type) => type === 'number' || type === 'integer');
export function Value({ value, schema = {}, whole, doc }) {
  if (value === null || value === undefined || value === '') return html`<span class="quiet">${t('none')}</span>`;
  if (typeof value === 'boolean')
    return value
      ? html`<span class="badge accent"><${Icon} name="check" />${t('yes')}</span>`
      : html`<span class="quiet">${t('no')}</span>`;
  if (schema.enum) return html`<span class="badge accent">${valueName(schema, value)}</span>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<span class="quiet">${t('none')}</span>`;
    const item = resolve(doc, schema.items),
      written = (one) => (item.enum ? valueName(item, one) : String(one));
    if (value.every((one) => typeof one !== 'object'))
      return html`<span class="row wrap"
        >${value.slice(0, whole ? 99 : 3).map((one) => html`<span key=${one} class="badge">${written(one)}</span>`)}${!whole && value.length > 3 && html`<span class="quiet small">+${value.length - 3}</span>`}</span
      >`;
    return whole ? html`<${Rows} rows=${value} schema=${schema} doc=${doc} />` : html`<span class="quiet">${value.length}</span>`;
  }
  if (typeof value === 'object')
    return whole && schema.properties
      ? html`<dl class="numbers">
          ${Object.entries(value).map(([key, inner]) => {
            const member = resolve(doc, schema.properties[key] ?? {});
            return html`<div key=${key} title=${docOf(member)}>
              <dt class="quiet small">${nameOf(key, member)}</dt>
              <dd><${Value} value=${inner} schema=${member} doc=${doc} /></dd>
            </div>`;
          })}
        </dl>`
      : html`<code class="code">${JSON.stringify(value)}</code>`;
  if (isMoment(schema)) return html`<${Moment} value=${value} schema=${schema} />`;
  if (typeof value === 'number') return html`<span class="number">${schema['x-ref'] ? value : amount(value, schema)}</span>`;
  return html`<span lang=${languageOf(value)} class=${whole ? 'text' : 'line'}>${value}</span>`;
}
// A list of objects in a record: how its numbers went, if each object is of a time and has only numbers else; or a table.
function Rows({ rows, schema, doc }) {
  const stated = resolve(doc, schema.items ?? {}),
    // Of free-form objects the contract states no members.
    item = stated.properties ? stated : { properties: Object.fromEntries(Object.keys(rows[0]).map((name) => [name, {}])) },
    names = Object.keys(item.properties),
    member = (name) => resolve(doc, item.properties[name]),
    numbers = names.filter((name) => isNumeric(member(name))),
    time = names.find((name) => isDay(member(name)) || isMoment(member(name)));
  const table = html`<${Table} op=${{ item, doc, columns: names, links: [], summary: docOf(schema) ?? t('table') }} rows=${rows} />`;
  if (!time || rows.length < 2 || numbers.length + 1 !== names.length) return table;
  const inOrder = [...rows].sort((a, b) => a[time].localeCompare(b[time]));
  return html`<div class="series">
      ${numbers.map((name) => html`<${Bars} key=${name} name=${nameOf(name, member(name))} doc=${docOf(member(name))} bars=${inOrder.map((row) => [row[time], row[name]])} />`)}
    </div>
    <details>
      <summary class="small">${t('table')}</summary>
      ${table}
    </details>`;
}
function Bars({ name, doc, bars }) {
  const width = 240,
    height = 44,
    step = width / bars.length,
    top = Math.max(1, ...bars.map(([, value]) => value)),
    sum = bars.reduce((all, [, value]) => all + value, 0);
  return html`<figure title=${doc}>
    <figcaption><span class="quiet small">${name}</span> <span class="number">${sum.toLocaleString()}</span></figcaption>
    <svg
      class="bars"
      viewBox=${`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${`${name}: ${bars[0][0]} – ${bars.at(-1)[0]}: ${sum.toLocaleString()}`}
    >
      <line class="axis" x1="0" x2=${width} y1=${height - 0.5} y2=${height - 0.5} />
      ${bars.map(([at, value], n) => {
        const h = value === 0 ? 0 : Math.max(2, (value / top) * (height - 2));
        return html`<g key=${at}>
          <title>${`${at}: ${value.toLocaleString()}`}</title>
          <rect class="slot" x=${n * step} y="0" width=${step} height=${height} />
          <rect class="bar" x=${n * step + step * 0.12} y=${height - h} width=${step * 0.76} height=${h} />
        </g>`;
      })}
    </svg>
  </figure>`;
}
// The columns of the contract, without those that no row has.
const columns = (op, rows) =>
  op.columns
    .filter((name) => rows.some((row) => row[name] !== undefined))
    .map((name) => ({ name, schema: resolve(op.doc, op.item?.properties?.[name]) }));
export function Table({ op, rows, chosen, onOpen }) {
  const shown = columns(op, rows),
    opens = onOpen && op.own && (op.links.length > 0 || Object.keys(op.item?.properties ?? {}).length > shown.length);
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${op.summary}>
    <table>
      <thead>
        <tr>
          ${shown.map(({ name, schema }) => html`<th key=${name} scope="col" class=${isNumeric(schema) ? 'right' : ''} title=${docOf(schema)}>${nameOf(name, schema)}</th>`)}${opens && html`<th class="last"><span class="hidden">${t('open')}</span></th>`}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, n) =>
            html`<tr
              key=${row[op.own] ?? n}
              class=${op.own && String(row[op.own]) === chosen ? 'chosen' : ''}
              onClick=${
                opens
                  ? (event) => {
                      if (!getSelection().toString() && !event.target.closest('a')) onOpen(row);
                    }
                  : null
              }
            >
              ${shown.map(({ name, schema }) => html`<td key=${name} data-label=${nameOf(name, schema)} class=${`${isNumeric(schema) ? 'right' : ''} ${name === op.label ? 'strong' : ''}`}><${Value} value=${row[name]} schema=${schema} doc=${op.doc} /></td>`)}${
                opens &&
                html`<td class="last">
                  <button
                    class="button plain small icon-only"
                    aria-label=${`${t('open')} ${row[op.label] ?? row[op.own] ?? n + 1}`}
                    onClick=${(event) => {
                      event.stopPropagation();
                      onOpen(row);
                    }}
                  >
                    <${Icon} name="right" />
                  </button>
                </td>`
              }
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
export function Pairs({ op, record }) {
  return html`<dl class="pairs">
    ${Object.entries(record).map(([name, value]) => {
      const schema = resolve(op.doc, op.item?.properties?.[name]);
      return html`<div key=${name}>
        <dt title=${docOf(schema)}>${nameOf(name, schema)}</dt>
        <dd><${Value} value=${value} schema=${schema} whole=${true} doc=${op.doc} /></dd>
      </div>`;
    })}
  </dl>`;
}

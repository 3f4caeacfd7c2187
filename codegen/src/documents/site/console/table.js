// Tables and lists of fields, by the types that the contract states.
import { html, Icon, languageOf } from '../shared/ui.js';
import { t } from './text.js';
import { resolve, words } from './contract.js';

const moment = (text) => {
  const date = new Date(/Z|[+-]\d\d:?\d\d$/.test(text) ? text : text + 'Z');
  return Number.isNaN(+date) ? text : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
};
export function Value({ value, schema = {}, name = '', state, whole }) {
  if (value === null || value === undefined || value === '') return html`<span class="quiet">${t('none')}</span>`;
  if (typeof value === 'boolean')
    return value
      ? html`<span class="badge accent"><${Icon} name="check" />${t('yes')}</span>`
      : html`<span class="quiet">${t('no')}</span>`;
  if (schema.enum || state) return html`<span class="badge accent">${words(String(value))}</span>`;
  if (Array.isArray(value)) {
    if (!value.length) return html`<span class="quiet">${t('none')}</span>`;
    if (value.every((one) => typeof one !== 'object'))
      return html`<span class="row wrap"
        >${value.slice(0, whole ? 99 : 3).map((one) => html`<span key=${one} class="badge">${String(one)}</span>`)}${!whole && value.length > 3 && html`<span class="quiet small">+${value.length - 3}</span>`}</span
      >`;
    return whole
      ? html`<ul class="inner">
          ${value.map((one, n) => html`<li key=${n}>${Object.entries(one).map(([key, inner]) => html`<span key=${key}><span class="quiet small">${words(key)}</span> ${typeof inner === 'object' ? JSON.stringify(inner) : String(inner)} </span>`)}</li>`)}
        </ul>`
      : html`<span class="quiet">${value.length}</span>`;
  }
  if (typeof value === 'object') return html`<code class="code">${JSON.stringify(value)}</code>`;
  if (/T\d\d:\d\d/.test(value) && typeof value === 'string')
    return html`<time class="number" datetime=${value} title=${value + ' UTC'}>${moment(value)}</time>`;
  if (typeof value === 'number')
    return html`<span class="number">${name === 'id' || /_id$/.test(name) ? value : value.toLocaleString()}</span>`;
  return html`<span lang=${languageOf(value)} class=${whole ? 'text' : 'line'}>${value}</span>`;
}
// The members in the order of the contract; long texts and lists of objects are left to the record itself.
const LONG = 400;
const MOST = 9;
function columns(op, rows) {
  const members = Object.entries(op.item?.properties ?? {}).map(([name, raw]) => ({ name, schema: resolve(op.doc, raw) }));
  const isShown = ({ name, schema }) =>
    rows.some((row) => row[name] !== undefined) &&
    !(schema.maxLength > LONG && name !== op.label) &&
    !(schema.type === 'array' && resolve(op.doc, schema.items).type === 'object');
  return members.filter(isShown).slice(0, MOST);
}
export function Table({ op, rows, chosen, onOpen }) {
  const shown = columns(op, rows),
    opens = op.links.length > 0 || Object.keys(op.item?.properties ?? {}).length > shown.length;
  return html`<div class="table-frame" tabindex="0" role="region" aria-label=${op.summary}>
    <table>
      <thead>
        <tr>
          ${shown.map(({ name, schema }) => html`<th key=${name} scope="col" class=${schema.type === 'number' || schema.type === 'integer' ? 'right' : ''} title=${schema.description}>${words(name)}</th>`)}${opens && html`<th class="last"><span class="hidden">${t('open')}</span></th>`}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, n) =>
            html`<tr
              key=${row.id ?? n}
              class=${row.id !== undefined && row.id === chosen ? 'chosen' : ''}
              onClick=${
                opens
                  ? (event) => {
                      if (!getSelection().toString() && !event.target.closest('a')) onOpen(row);
                    }
                  : null
              }
            >
              ${shown.map(({ name, schema }) => html`<td key=${name} data-label=${words(name)} class=${`${schema.type === 'number' || schema.type === 'integer' ? 'right' : ''} ${name === op.label ? 'strong' : ''}`}><${Value} value=${row[name]} schema=${schema} name=${name} /></td>`)}${
                opens &&
                html`<td class="last">
                  <button
                    class="button plain small icon-only"
                    aria-label=${`${t('open')} ${row[op.label] ?? row.id ?? n + 1}`}
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
        <dt title=${schema.description}>${words(name)}</dt>
        <dd><${Value} value=${value} schema=${schema} name=${name} whole=${true} /></dd>
      </div>`;
    })}
  </dl>`;
}

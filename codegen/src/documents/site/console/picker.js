// Fields for ids of other records. They are found by a text or an id, and an id can be typed as well.
import { html, Icon, useState, useEffect } from '../shared/ui.js';
import { t } from './text.js';
import { readId, idValue } from './contract.js';
import { sourceOf, find, labelOf } from './find.js';
import { Combobox } from './combobox.js';

// The job that finds records of a resource; none if no operation lists or reads them.
function jobsOf(contract, { 'x-ref': ref }, known) {
  const source = sourceOf(contract, ref, known);
  return source.list || source.read ? [{ key: ref, find: (text) => find(contract, source, text.trim()) }] : [];
}
// Whether its records can be found, or their ids have to be known.
export const canFind = (contract, schema, known) => jobsOf(contract, schema, known).length > 0;
// How long a typed id stays as it is before it is looked up.
const PAUSE = 180;
// One id: `value` is what stands in the field. `onPick` gets an id that is whole, `known` what else is known: the surface, and ids.
export function Picker({ contract, schema, known, value, label, onInput, onPick, id, ...props }) {
  const [chosen, setChosen] = useState(null),
    whole = readId(value);
  // An id of an address, or one that is typed, shows what it is the id of.
  useEffect(() => {
    if (!whole || chosen?.id === whole) return;
    let isLast = true;
    const timer = setTimeout(async () => {
      const label = await labelOf(contract, sourceOf(contract, schema['x-ref'], known), whole);
      if (isLast) setChosen({ id: whole, label });
    }, PAUSE);
    return () => {
      isLast = false;
      clearTimeout(timer);
    };
  }, [whole]);
  return html`<${Combobox}
      id=${id}
      label=${label}
      value=${value}
      jobs=${jobsOf(contract, schema, known)}
      onText=${onInput}
      onChoose=${(option) => {
        setChosen(option);
        onInput(option.id);
        onPick?.(option.id);
      }}
      ...${props}
    />${chosen?.label && chosen.id === whole && html`<div class="picked small"><${Icon} name="check" />${chosen.label}</div>`}`;
}
// Several ids: `value` is the list of those that are chosen, and at its end the text that is no id yet.
export function PickerOfMany({ contract, schema, known, value, label, onInput, id, ...props }) {
  const [labels, setLabels] = useState({}),
    isId = (one) => Number.isInteger(one) || (String(one).includes('-') && readId(one) !== null),
    ids = value.filter(isId),
    text = value.find((one) => !isId(one)) ?? '';
  const add = (one, name) => {
    if (name) setLabels({ ...labels, [one]: name });
    onInput([...new Set([...ids, idValue(one)])]);
  };
  const addText = () => {
    const one = readId(text);
    if (one) add(one);
    return one !== null;
  };
  return html`<div class="many">
    ${
      ids.length > 0 &&
      html`<ul class="row wrap">
        ${ids.map(
          (one) =>
            html`<li key=${one} class="badge">
              ${labels[one] && labels[one] + ' '}<span class="number">${one}</span
              ><button
                type="button"
                class="badge-remove"
                aria-label=${`${t('remove')} ${labels[one] ?? ''} ${one}`}
                onClick=${() => onInput(value.filter((other) => other !== one))}
              >
                <${Icon} name="close" />
              </button>
            </li>`,
        )}
      </ul>`
    }
    <${Combobox}
      id=${id}
      label=${label}
      value=${text}
      jobs=${jobsOf(contract, schema, known)}
      onText=${(next) => onInput(next ? [...ids, isId(next) ? readId(next) : next] : ids)}
      onChoose=${(option) => add(option.id, option.label)}
      onEnter=${addText}
      onBlur=${addText}
      ...${props}
    />
  </div>`;
}

// Numbers with their units, as the reader's language writes them.
import { signal } from '../shared/ui.js';

const MEASURES = {
  microseconds: 'microsecond',
  milliseconds: 'millisecond',
  seconds: 'second',
  minutes: 'minute',
  hours: 'hour',
  days: 'day',
  bytes: 'byte',
  percent: 'percent',
  grams: 'gram',
  kilograms: 'kilogram',
  meters: 'meter',
  kilometers: 'kilometer',
};
// A long amount in the next greater unit.
const GREATER = [
  ['microsecond', 1e3, 'millisecond'],
  ['millisecond', 1e3, 'second'],
  ['byte', 1e3, 'kilobyte'],
  ['kilobyte', 1e3, 'megabyte'],
  ['megabyte', 1e3, 'gigabyte'],
  ['gigabyte', 1e3, 'terabyte'],
];
// What an operation states, such as the currency that was chosen for the service, by its id. `ask` reads it.
const stated = signal({}),
  asked = new Set();
let ask = () => Promise.reject(new Error('nobody asks'));
export const askWith = (how) => {
  ask = how;
};
// Answers to what was asked before belong to somebody else.
let turn = 0;
export const forgetStated = () => {
  turn += 1;
  asked.clear();
  stated.value = {};
};
// The unit of a schema: a currency or a measure; null while it is not known.
export function unitOf(schema) {
  const unit = schema?.['x-unit'];
  if (!unit || typeof unit === 'string') return unit ?? null;
  const { operation, member } = unit;
  if (!asked.has(operation)) {
    asked.add(operation);
    const now = turn;
    ask(operation).then(
      (data) => {
        if (now === turn) stated.value = { ...stated.peek(), [operation]: data ?? {} };
      },
      // Without it numbers are shown as they are, and what is shown later asks again.
      () => setTimeout(() => asked.delete(operation), 5000),
    );
  }
  return stated.value[operation]?.[member] ?? null;
}
const format = (value, options) => {
  try {
    return value.toLocaleString(undefined, options);
  } catch {
    return null;
  }
};
// A whole amount without decimal places, another one with those of its currency, and none is cut.
function money(value, unit) {
  try {
    const currency = { style: 'currency', currency: unit };
    const { maximumFractionDigits: usual } = new Intl.NumberFormat(undefined, currency).resolvedOptions();
    const least = Number.isInteger(value) ? 0 : usual;
    return format(value, { ...currency, minimumFractionDigits: least, maximumFractionDigits: Math.max(usual, 4) });
  } catch {
    return null;
  }
}
export function amount(value, schema) {
  const unit = unitOf(schema);
  if (!unit) return value.toLocaleString();
  if (!MEASURES[unit]) return money(value, unit) ?? `${value.toLocaleString()} ${unit}`;
  let measure = MEASURES[unit],
    scaled = value;
  for (const [from, size, to] of GREATER)
    if (from === measure && Math.abs(scaled) >= size) [measure, scaled] = [to, scaled / size];
  const written = format(scaled, { style: 'unit', unit: measure, maximumFractionDigits: scaled === value ? 3 : 1 });
  return written ?? `${value.toLocaleString()} ${unit}`;
}
// So many of a unit of ECMA-402, such as `hour`.
export const measured = (value, unit) => format(value, { style: 'unit', unit }) ?? `${value} ${unit}`;
// The unit alone, beside the name of a field.
export function unitName(schema) {
  const unit = unitOf(schema),
    measure = MEASURES[unit];
  if (!measure) return unit;
  try {
    const parts = new Intl.NumberFormat(undefined, { style: 'unit', unit: measure, unitDisplay: 'long' }).formatToParts(2);
    return (parts.find((part) => part.type === 'unit') ?? parts.find((part) => part.type === 'percentSign')).value;
  } catch {
    return unit;
  }
}

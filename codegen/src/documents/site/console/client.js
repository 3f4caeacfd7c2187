// Sends operations with the credential of their surface. Credentials live as long as the tab.
import { signal, SERVICE, readFaults } from '../shared/ui.js';
import { faultText } from './text.js';
import { textOf } from './names.js';
const KEPT = 'console.credentials';
export const credentials = signal(JSON.parse(sessionStorage.getItem(KEPT) ?? '{}'));
export function keep(scheme, value) {
  const next = { ...credentials.peek() };
  if (value) next[scheme] = value;
  else delete next[scheme];
  sessionStorage.setItem(KEPT, JSON.stringify(next));
  credentials.value = next;
}
export const unlocked = (surface) => !surface.scheme || credentials.value[surface.scheme];
export function forgetAll() {
  sessionStorage.removeItem(KEPT);
  credentials.value = {};
}
export class Failure extends Error {
  constructor(fields) {
    super(fields.text);
    Object.assign(this, { faults: [], ...fields });
  }
}
export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
// A member, by its name or by the names that lead to it.
const memberAt = (value, names) => [].concat(names).reduce((inner, name) => inner?.[name], value);
// The faults that an error response lists, each with the member of the request that it is about.
const listedFaults = (answer, where) =>
  (where ? (memberAt(answer, where.list) ?? []) : []).map((one) => [
    String(memberAt(one, where.place)).split(/[.[]/)[0],
    memberAt(one, where.text),
  ]);
export async function send(contract, op, { path = {}, query = {}, body, key, credential } = {}) {
  const url = SERVICE + op.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name])),
    search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined && value !== null));
  const scheme = op.scheme && contract.schemes[op.scheme],
    headers = { Accept: 'application/json' };
  if (scheme) headers[scheme.name] = credential ?? credentials.peek()[op.scheme] ?? '';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key && op.key) headers[op.key] = key;
  let response, answer;
  try {
    response = await fetch(url + (search.size ? '?' + search : ''), {
      method: op.method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(35000),
    });
    answer = await response.json().catch(() => null);
  } catch (error) {
    throw new Failure({ code: 'network', text: String(error.message) });
  }
  if (response.ok) {
    const total = op.totalHeader ? Number(response.headers.get(op.totalHeader)) : answer?.[op.pages?.total];
    if (op.bare) return { data: answer, total };
    return { data: op.member ? answer?.[op.member] : null, message: answer?.[contract.envelope.message], total };
  }
  const code = contract.errorHeader && response.headers.get(contract.errorHeader),
    known = contract.errors.get(code),
    told = textOf(known),
    faultCodes = contract.faultCodes;
  throw new Failure({
    status: response.status,
    code,
    text: told?.name || memberAt(answer, contract.envelope.error) || String(response.status),
    help: told ? told.doc : known?.help,
    // What is wrong with each member, if the contract has a header or a list for it.
    faults: faultCodes
      ? readFaults(response.headers.get(faultCodes.header), (fault, values) => faultText(faultCodes.codes[fault], fault, values))
      : listedFaults(answer, contract.envelope.faults),
    request: contract.requestHeader && response.headers.get(contract.requestHeader),
    after: response.headers.get('Retry-After'),
  });
}

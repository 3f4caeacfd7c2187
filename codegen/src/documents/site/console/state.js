// What all parts of the console share: the contract, where it is, what is open above the page, and what counts as new.
import { toast, signal, computed } from '../shared/ui.js';
import { t } from './text.js';
import { readContract } from './contract.js';
import { read, write } from './address.js';

export const contract = signal(null),
  broken = signal(null),
  form = signal(null),
  secret = signal(null),
  // Counts what was done: whoever shows records loads them again.
  version = signal(0);
const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});
export const address = computed(() => contract.value && read(contract.value, hash.value));
export const go = (next) => {
  location.hash = write(next);
  // The event comes later.
  hash.value = location.hash;
};
readContract().then(
  (found) => {
    contract.value = found;
    document.title = found.title + ' · Console';
  },
  (error) => {
    broken.value = error;
  },
);

// --- doing an operation, whatever it is ---
export function act(op, { path = {}, record, noun, done } = {}) {
  form.value = { op, path, record, noun, done };
}
export function finish(op, answer, done) {
  form.value = null;
  const shown = op.secrets.map((name) => [name, answer.data?.[name]]).filter(([, value]) => value);
  if (shown.length || op.listsSecrets) secret.value = { op, shown, data: answer.data };
  else toast(op.hasText ? t('doneOf', { title: op.title }) : (answer.message ?? t('done')));
  version.value++;
  done?.(answer);
}

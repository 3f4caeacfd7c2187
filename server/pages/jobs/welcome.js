// Signing in: by the code of a link, or by one that is typed or pasted.
import { html, Icon, Mark, Field, describedBy, useState, useEffect, useId } from '../shared/ui.js';
import { worker } from './contract.js';
import { code, ended, keepToken, signIn, token } from './api.js';
import { t } from './text.js';

// A link, a code or a token as people paste it.
const TOKEN = new RegExp(`${worker.prefix}[0-9A-Za-z]{${worker.random}}`);
const plain = (value) => value.trim().replace(/^.*#/s, '');

export function Welcome() {
  const over = ended.value;
  const linked = code.value;
  const [value, setValue] = useState(linked ?? '');
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const id = useId();
  const enter = async (typed) => {
    const found = typed.match(TOKEN)?.[0];
    if (found) return keepToken(found);
    if (!plain(typed)) return setFault(t('codeMissing'));
    setBusy(true);
    try {
      await signIn(plain(typed));
    } catch (error) {
      setBusy(false);
      setFault(
        t(
          error.kind === 'wrong_code' || error.kind === 'invalid' ? 'codeWrong' : error.kind === 'network' ? 'brokenHint' : 'serverTrouble',
        ),
      );
      document.getElementById(id)?.focus();
    }
  };
  // Who opens a link for the first time is in; who is signed in already decides.
  const isNew = !token.value || over;
  useEffect(() => {
    setValue(linked ?? '');
    if (linked && isNew) enter(linked);
  }, [linked]);
  const change = (event) => {
    setValue(event.target.value);
    setFault(null);
  };
  const submit = (event) => {
    event.preventDefault();
    enter(value);
  };
  return html`<main class="welcome">
    <div class="welcome-card">
      <div class="welcome-mark"><${Mark} /></div>
      <h1>${t(over ? 'ended' : isNew ? 'welcome' : 'again')}</h1>
      <p class="quiet">${t(over ? 'endedNote' : isNew ? 'welcomeNote' : 'againNote')}</p>
      <form onSubmit=${submit} novalidate>
        <${Field} label=${t('code')} id=${id} hint=${t('codeHint')} fault=${fault}>
          <input
            class="input"
            id=${id}
            value=${value}
            autocomplete="off"
            autocapitalize="none"
            spellcheck=${false}
            readonly=${busy}
            aria-invalid=${fault ? 'true' : null}
            aria-describedby=${describedBy(id, true, fault)}
            onInput=${change}
          />
        <//>
        <button class="button main wide" disabled=${busy}><${Icon} name="key" />${t(busy ? 'entering' : 'enter')}</button>
        ${!isNew && html`<button type="button" class="button wide" onClick=${() => (code.value = null)}>${t('stay')}</button>`}
      </form>
    </div>
  </main>`;
}

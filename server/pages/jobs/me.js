// The worker's own profile, availability, reviews and settings. Signing in: by the code of a link, or by one that is typed or pasted.
import { html, Icon, Sheet, Field, Switch, describedBy, useState, useEffect, toast, languageOf, signal, Mark, useId } from '../shared/ui.js';
import { t, price, when, language, setLanguage } from './text.js';
import { me, loadMe, reviews, loadReviews, service, skills, loadSkills } from './store.js';
import { worker } from './contract.js';
import { call, dropToken, code, ended, keepToken, signIn, token } from './api.js';
import { outbox } from './outbox.js';
import { Confirm, Head, Listed, top, why } from './parts.js';

const offer = signal(null);
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer.value = event;
});
const ios = /iP(hone|ad)/.test(navigator.userAgent),
  installed = matchMedia('(display-mode: standalone)').matches || navigator.standalone;

// Stars that a screen reader reads as a text.
const Stars = ({ n, children }) => html`<span class="stars" role="img" aria-label=${t('stars', { n })}>${children}</span>`;
const Review = ({ one }) =>
  html`<li class="review">
    <b lang=${languageOf(one.bounty_title)}>${one.bounty_title}</b>
    <${Stars} n=${one.rating}>${'★★★★★☆☆☆☆☆'.slice(5 - one.rating, 10 - one.rating)}<//>
    ${one.comment && html`<p class="prose" lang=${languageOf(one.comment)}>${one.comment}</p>`}
    <span class="small quiet">${one.poster_name} · ${when(one.created_at)}</span>
  </li>`;

export function Me() {
  const one = me.value,
    [editing, setEditing] = useState(false),
    [leaving, setLeaving] = useState(false);
  if (!one) return html`${top('me')}<${Listed} name="me" load=${loadMe} ghosts=${1} />`;
  const turn = (on) => {
    me.keep({ ...one, is_available: on });
    call('PATCH', '/me', { body: { is_available: on }, tries: 2 }).then(
      () => toast(t(on ? 'available' : 'unavailable')),
      () => {
        me.keep({ ...me.peek(), is_available: !on });
        toast(t('failed'), { icon: 'alert' });
      },
    );
  };
  return html`${top('me')}
    <div class="sections">
      <section class="section row">
        <span class="grow"
          ><b id="available">${one.is_available ? t('available') : t('unavailable')}</b><br /><span class="small quiet"
            >${t('availableNote')}</span
          ></span
        ><${Switch} on=${one.is_available} onChange=${turn} labelledby="available" />
      </section>
      <section class="section">
        <div class="row">
          <span class="grow"
            ><h2>${t('profile')}</h2>
            <span class="small quiet">${t('profileNote')}</span></span
          ><button class="button small" onClick=${() => setEditing(true)}><${Icon} name="edit" />${t('edit')}</button>
        </div>
        <div class="row profile">
          <span class="face big" aria-hidden="true">${[...one.name][0]}</span
          ><span class="grow"
            ><b>${one.name}</b>
            ${one.is_verified && html`<span class="badge good"><${Icon} name="check" />${t('verified')}</span>`}<br /><span
              class="quiet small"
              >${one.state}${one.city} · ${one.total_reviews ? html`<${Stars} n=${one.rating}>★ ${one.rating}<//> · ${t('reviews', { n: one.total_reviews })}` : t('noReviews')}</span
            ></span
          >
        </div>
        <p><b lang=${languageOf(one.headline)}>${one.headline}</b></p>
        <p class="prose" lang=${languageOf(one.bio)}>${one.bio}</p>
        <p class="number"><b>${price(one.hourly_rate, service.value.currency)}</b> <span class="quiet small">${t('rateUnit')}</span></p>
        <ul class="row wrap">
          ${one.skills.map((skill) => html`<li key=${skill.id} class="badge">${skill.name}</li>`)}
        </ul>
      </section>
      ${
        one.total_reviews > 0 &&
        reviews.value?.length !== 0 &&
        html`<section class="section">
          <h2>${t('reviewsTitle')}</h2>
          <${Listed}
            there=${reviews.value}
            name="reviews"
            load=${loadReviews}
            show=${() => html`<ul>${reviews.value.map((review) => html`<${Review} key=${review.id} one=${review} />`)}</ul>`}
          />
        </section>`
      }
      <section class="section">
        <h2>${t('settings')}</h2>
        <div class="row setting">
          <span class="grow" id="language">${t('language')}</span>
          <div class="segments" role="group" aria-labelledby="language">
            ${[
              ['ja', '日本語'],
              ['en', 'English'],
            ].map(
              ([code, name]) =>
                html`<button key=${code} lang=${code} aria-pressed=${String(language.value === code)} onClick=${() => setLanguage(code)}>
                  ${name}
                </button>`,
            )}
          </div>
        </div>
        ${!installed && (offer.value || ios) && html`<div class="row setting"><span class="grow">${t('install')}${ios && html`<br /><span class="small quiet">${t('installHint')}</span>`}</span>${offer.value && html`<button class="button small" onClick=${() => offer.value.prompt()}><${Icon} name="phone" />${t('install')}</button>`}</div>`}
        <button class="button danger wide" onClick=${() => setLeaving(true)}><${Icon} name="out" />${t('signOut')}</button>
      </section>
    </div>
    ${editing && html`<${Edit} one=${one} onClose=${() => setEditing(false)} />`}
    ${
      leaving &&
      html`<${Confirm} title=${t('signOutTitle')} note=${t('signOutNote')} label=${t('signOut')} onClose=${() => setLeaving(false)} act=${() => {
        dropToken();
        toast(t('signedOut'));
      }}>${outbox.value.length > 0 && html`<p class="fault-all" role="alert"><${Icon} name="alert" />${t('outboxNote', { n: outbox.value.length })}</p>`}</${Confirm}>`
    }`;
}

const bounds = worker.bounds.update_me;
const TEXTS = ['headline', 'bio', 'city'];
function Edit({ one, onClose }) {
  const [value, setValue] = useState({
      headline: one.headline,
      bio: one.bio,
      city: one.city,
      hourly_rate: String(one.hourly_rate),
      skills: one.skills.map(({ name, category }) => ({ name, category })),
    }),
    [faults, setFaults] = useState({}),
    [busy, setBusy] = useState(false),
    [skill, setSkill] = useState('');
  useEffect(() => {
    loadSkills().catch(() => {});
  }, []);
  const put = (name) => (event) => {
    setValue({ ...value, [name]: event.target.value });
    setFaults({ ...faults, [name]: null });
  };
  const showFaults = (found) => {
    setFaults(found);
    document.getElementById('edit-' + Object.keys(found)[0])?.focus();
  };
  const submit = async (event) => {
    event.preventDefault();
    const found = {};
    for (const name of TEXTS) {
      const { min, max } = bounds[name];
      const n = [...value[name]].length;
      if (n < min || (min && !value[name].trim())) found[name] = t('required');
      else if (n > max) found[name] = t('tooLong', { n: max });
    }
    const rate = Number(value.hourly_rate.normalize('NFKC').replace(/,/g, '')); // full-width digits from a Japanese keyboard
    const { min, max } = bounds.hourly_rate;
    if (!(value.hourly_rate.trim() && rate >= min && rate <= max)) found.hourly_rate = t('notNumber', { n: max.toLocaleString() });
    if (Object.keys(found).length) return showFaults(found);
    const body = { ...value, hourly_rate: rate };
    for (const name of Object.keys(body))
      if (
        JSON.stringify(body[name]) ===
        JSON.stringify(name === 'skills' ? one.skills.map(({ name: n, category }) => ({ name: n, category })) : one[name])
      )
        delete body[name];
    if (!Object.keys(body).length) return onClose();
    setBusy(true);
    try {
      await call('PATCH', '/me', { body });
      await loadMe();
      toast(t('saved'));
      onClose();
    } catch (error) {
      setBusy(false);
      const named = error.faults ?? {};
      if (Object.keys(named).length) showFaults(named);
      else setFaults({ all: why(error) });
    }
  };
  const add = () => {
    const name = skill.trim();
    if (!name || value.skills.some((one) => one.name.toLowerCase() === name.toLowerCase())) return;
    // As others call it, so that agents find it.
    const known = skills.value.find((one) => one.name.toLowerCase() === name.toLowerCase());
    const added = known ? { name: known.name, category: known.category } : { name, category: t('otherSkills') };
    setValue({ ...value, skills: [...value.skills, added] });
    setSkill('');
  };
  const input = (name, props = {}) =>
    html`<${Field} label=${t(name === 'hourly_rate' ? 'rate' : name)} id=${'edit-' + name} fault=${faults[name]} optional=${(name === 'hourly_rate' && service.value.currency) || null}><input class="input" id=${'edit-' + name} value=${value[name]} onInput=${put(name)} aria-invalid=${faults[name] ? 'true' : null} aria-describedby=${describedBy('edit-' + name, false, faults[name])} ...${props} /></${Field}>`;
  return html`<${Sheet} label=${t('profile')} onClose=${onClose} class="tall"><form onSubmit=${submit} novalidate>
    <${Head} title=${t('profile')} onClose=${onClose} />
    ${input('headline')}
    <${Field} label=${t('bio')} id="edit-bio" fault=${faults.bio}><textarea class="input" id="edit-bio" rows="4" value=${value.bio} onInput=${put('bio')} aria-describedby=${describedBy('edit-bio', false, faults.bio)}></textarea></${Field}>
    ${input('city', { autocomplete: 'address-level2' })}${input('hourly_rate', { inputmode: 'decimal' })}
    <${Field} label=${t('skillsTitle')} id="edit-skills" fault=${faults.skills}><ul class="row wrap">${value.skills.map(
      (one) =>
        html`<li key=${one.name} class="chip">
          ${one.name}<button
            type="button"
            class="link"
            aria-label=${t('remove', { name: one.name })}
            onClick=${() => setValue({ ...value, skills: value.skills.filter((other) => other !== one) })}
          >
            <${Icon} name="close" />
          </button>
        </li>`,
    )}</ul>
      <div class="row"><datalist id="known-skills">${skills.value.map((one) => html`<option key=${one.id} value=${one.name}>${one.category}</option>`)}</datalist><input class="input grow" id="edit-skills" list="known-skills" placeholder=${t('addSkill')} value=${skill} onInput=${(event) => setSkill(event.target.value)} onKeyDown=${(
        event,
      ) => {
        if (event.key === 'Enter' && !event.isComposing && event.keyCode !== 229) {
          event.preventDefault();
          add();
        }
      }} /><button type="button" class="button icon-only" aria-label=${t('addSkill')} onClick=${add}><${Icon} name="plus" /></button></div></${Field}>
    <p class="small quiet">${t('operatorOnly')}</p>
    ${faults.all && html`<p class="fault-all" role="alert"><${Icon} name="alert" />${faults.all}</p>`}
    <div class="row buttons"><button class="button main wide" disabled=${busy}>${t('save')}</button></div></form></${Sheet}>`;
}

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
      setFault(error.kind === 'wrong_code' || error.kind === 'invalid' ? t('codeWrong') : why(error));
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

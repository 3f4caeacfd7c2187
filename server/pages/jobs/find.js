// Find work: place, categories, cards.
import { html, Icon, Empty, useState, useEffect, useRef, languageOf, isComposing, alongRow, oneStop } from '../shared/ui.js';
import { t, categoryName, deadline, money } from './text.js';
import { work, me, loadWork, appliedTo, beingSent, trouble } from './store.js';

const KNOWN = 'hitode.kept.categories';
const GOOD_PAY = 50;
const MY_SKILLS = 5; // chips; more would hide the categories
export function Find({ chosen }) {
  const [filters, setFilters] = useState(work.peek()?.filters ?? {}),
    [place, setPlace] = useState(filters.location ?? ''),
    [busy, setBusy] = useState(true),
    typed = useRef(),
    row = useRef();
  useEffect(() => oneStop(row.current));
  const run = (next, more) => {
    setBusy(true);
    return loadWork(next, more)
      .catch(() => {})
      .finally(() => setBusy(false));
  };
  useEffect(() => {
    run(filters);
  }, [JSON.stringify(filters)]);
  useEffect(() => {
    const focus = (event) => {
      if (event.key === '/' && !/^(input|textarea|select)$/i.test(event.target.tagName)) {
        event.preventDefault();
        document.getElementById('place').focus();
      }
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const change = (part) => setFilters((before) => ({ ...before, ...part }));
  const type = (event) => {
    setPlace(event.target.value);
    clearTimeout(typed.current);
    if (!isComposing(event)) typed.current = setTimeout(() => change({ location: event.target.value.trim() }), 350);
  };
  const found = work.value,
    current = found && JSON.stringify(found.filters) === JSON.stringify(filters),
    items = current ? found.items : null;
  const stored = JSON.parse(localStorage.getItem(KNOWN) ?? '[]');
  const categories = [...new Set([...stored, ...(found?.items ?? []).map((one) => one.category).filter(Boolean)])].sort();
  const chips = categories.map((one) => [one, categoryName(one)]).sort(([, a], [, b]) => a.localeCompare(b));
  if (categories.length !== stored.length) localStorage.setItem(KNOWN, JSON.stringify(categories));
  const home = me.value?.state,
    any = filters.location || filters.category || filters.is_remote || filters.min_budget || filters.skill,
    mine = (me.value?.skills ?? []).slice(0, MY_SKILLS),
    wrong = trouble.value.work;
  return html`<header class="top">
      <h1 tabindex="-1">${t('findTitle')}</h1>
      <form
        class="search"
        role="search"
        onSubmit=${(event) => {
          event.preventDefault();
          clearTimeout(typed.current);
          change({ location: place.trim() });
          document.activeElement.blur();
        }}
      >
        <${Icon} name="pin" /><label class="hidden" for="place">${t('place')}</label>
        <input
          id="place"
          type="search"
          enterkeyhint="search"
          placeholder=${t('place')}
          value=${place}
          onInput=${type}
          onCompositionEnd=${type}
          autocomplete="off"
        />
        ${
          place &&
          html`<button
            type="button"
            class="button plain small icon-only"
            aria-label=${t('clear')}
            onClick=${() => {
              setPlace('');
              change({ location: '' });
            }}
          >
            <${Icon} name="close" />
          </button>`
        }
      </form>
      <div class="chips" role="toolbar" aria-label=${t('filters')} ref=${row} onKeyDown=${alongRow}>
        ${
          home &&
          html`<button
            class="chip"
            aria-pressed=${String(filters.location === home)}
            onClick=${() => {
              const next = filters.location === home ? '' : home;
              setPlace(next);
              change({ location: next });
            }}
          >
            <${Icon} name="home" />${t('near', { place: home })}
          </button>`
        }
        <button
          class="chip number"
          aria-pressed=${String(!!filters.min_budget)}
          onClick=${() => change({ min_budget: filters.min_budget ? '' : GOOD_PAY })}
        >
          ${t('payFrom', { n: GOOD_PAY })}
        </button>
        <button class="chip" aria-pressed=${String(!!filters.is_remote)} onClick=${() => change({ is_remote: !filters.is_remote })}>
          <${Icon} name="globe" />${t('remote')}
        </button>
        ${mine.map(({ id, name }) => html`<button key=${'skill' + id} class="chip" aria-pressed=${String(filters.skill === name)} onClick=${() => change({ skill: filters.skill === name ? '' : name })}>${t('needs', { skill: name })}</button>`)}
        ${chips.map(([one, name]) => html`<button key=${one} class="chip" aria-pressed=${String(filters.category === one)} onClick=${() => change({ category: filters.category === one ? '' : one })}>${name}</button>`)}
      </div>
    </header>
    <section aria-busy=${String(busy)}>
      <p class="count small quiet" role="status">${items && t('results', { n: found.total })}</p>
      ${
        wrong && !items
          ? html`<${Broken} error=${wrong} again=${() => run(filters)} />`
          : !items
            ? html`<ul class="cards">
                ${[0, 1, 2, 3].map((n) => html`<li key=${n} class="card ghost"><span class="skeleton"></span><span class="skeleton"></span><span class="skeleton"></span></li>`)}
              </ul>`
            : !items.length
              ? html`<${Empty} icon="search" title=${t('noWork')}><p>${t('noWorkHint')}</p>${
                  any &&
                  html`<button
                    class="button"
                    onClick=${() => {
                      setPlace('');
                      setFilters({});
                    }}
                  >
                    ${t('clear')}
                  </button>`
                }</${Empty}>`
              : html`<ul class="cards">
                    ${items.map((one) => html`<${Card} key=${one.id} bounty=${one} chosen=${one.id === chosen} />`)}
                  </ul>
                  ${items.length < found.total && !found.ended && html`<div class="more"><button class="button" disabled=${busy} onClick=${() => run(filters, true)}>${t('more')}</button></div>`}`
      }
    </section>`;
}

function Card({ bounty, chosen }) {
  const end = deadline(bounty.deadline),
    applied = appliedTo.value.has(bounty.id),
    sending = beingSent.value.get(bounty.id);
  return html`<li>
    <a class="card" href=${'#/find/' + bounty.id} aria-current=${chosen ? 'true' : null}>
      <span class="card-head"
        ><span class="card-kind"
          ><span>${categoryName(bounty.category)}</span
          >${applied || sending ? html`<span class=${`badge ${applied ? 'good' : 'warn'}`}><${Icon} name=${applied ? 'check' : 'send'} />${applied ? t('already') : sending.state === 'waiting' ? t('waiting') : t('sending')}</span>` : html`<span class=${`fact ${bounty.applications_count ? '' : 'first'}`}><${Icon} name="people" />${bounty.applications_count ? t('applicants', { n: bounty.applications_count }) : t('noApplicants')}</span>`}</span
        ><span class="pay number">${money(bounty.budget)}</span></span
      >
      <span class="card-title" lang=${languageOf(bounty.title)}>${bounty.title}</span>
      <span class="facts"
        ><span class="fact"
          ><${Icon}
            name=${bounty.location ? 'pin' : 'globe'}
          />${bounty.location ?? (bounty.is_remote ? t('anywhere') : t('placeUnknown'))}</span
        >${bounty.is_remote && bounty.location && html`<span class="fact"><${Icon} name="globe" />${t('remote')}</span>`}
        ${end.left !== undefined && html`<span class=${`fact ${end.left <= 3 ? 'soon' : ''}`}><${Icon} name="calendar" />${end.note || end.text}</span>`}
        ${bounty.estimated_hours && html`<span class="fact"><${Icon} name="clock" />${t('hours', { n: bounty.estimated_hours })}</span>`}
      </span></a
    >
  </li>`;
}
export const Broken = ({ error, again }) =>
  html`<${Empty} icon="wifi" title=${t('broken')}><p>${error.kind === 'network' ? t('brokenHint') : t('serverTrouble')}</p>${error.request && error.status >= 500 && html`<p class="small">${t('reference', { id: error.request })}</p>`}<button class="button" onClick=${again}><${Icon} name="refresh" />${t('tryAgain')}</button></${Empty}>`;

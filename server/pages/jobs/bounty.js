// Bounties: the search, one of them and what the worker does about it, and the list of applications.
import { html, Icon, Empty, useState, useEffect, useRef, languageOf, isComposing, alongRow, oneStop, toast } from '../shared/ui.js';
import { t, categoryName, deadline, money, when } from './text.js';
import { work, details, counts, loadWork, loadBounty, appliedTo, beingSent, apply, handOver, notice } from './store.js';
import { applications, loadApplications, loadVotes, me, vote, votes, withdraw, withdrawn } from './store.js';
import { Confirm, Listed, top, why } from './parts.js';
import { Deliveries, Write, faultOf } from './talk.js';
import { outbox, deliver } from './outbox.js';

const GOOD_PAY = 50;
const MY_SKILLS = 5; // chips; more would hide the categories
const FILTERS = ['q', 'location', 'category', 'skill', 'min_budget', 'is_remote', 'sort'];
const FIELDS = [
  ['q', 'search', 'words'],
  ['location', 'pin', 'place'],
];
// The filters are in the address: #/find?q=photo&sort=pay, #/find/20?sort=pay
const inAddress = () => {
  const query = new URLSearchParams(location.hash.split('?')[1]);
  const known = { sort: /^(pay|deadline)$/, min_budget: /^\d+(\.\d+)?$/, is_remote: /^1$/ };
  const found = FILTERS.map((name) => [name, query.get(name)]).filter(([name, value]) => value && (known[name]?.test(value) ?? true));
  return Object.fromEntries(found);
};
const queryOf = (filters) => {
  const set = FILTERS.filter((name) => filters[name]);
  return set.length ? '?' + new URLSearchParams(set.map((name) => [name, filters[name] === true ? 1 : filters[name]])) : '';
};
export function Find({ chosen }) {
  const [filters, setFilters] = useState(() => ({ ...(location.hash.includes('?') ? inAddress() : work.peek()?.filters) })),
    [texts, setTexts] = useState(filters),
    [busy, setBusy] = useState(true),
    typed = useRef(),
    used = useRef(),
    row = useRef();
  used.current = filters;
  useEffect(() => oneStop(row.current));
  const run = (next, more) => {
    setBusy(true);
    return loadWork(next, more).then(() => setBusy(false));
  };
  useEffect(() => {
    run(filters);
  }, [JSON.stringify(filters)]);
  useEffect(() => {
    history.replaceState(null, '', (location.hash.split('?')[0] || '#/find') + queryOf(filters));
  }, [JSON.stringify(filters), chosen]);
  useEffect(() => {
    const focus = (event) => {
      if (event.key === '/' && !/^(input|textarea|select)$/i.test(event.target.tagName)) {
        event.preventDefault();
        document.getElementById('words').focus();
      }
    };
    const turn = () => {
      if (!/^#\/find\b/.test(location.hash)) return;
      const next = inAddress(),
        query = queryOf(used.current);
      // The tab has no query: the filters stay.
      if (!location.hash.includes('?')) return history.replaceState(null, '', location.hash + query);
      if (queryOf(next) === query) return;
      clearTimeout(typed.current);
      setFilters(next);
      setTexts(next);
    };
    addEventListener('keydown', focus);
    addEventListener('hashchange', turn);
    return () => {
      removeEventListener('keydown', focus);
      removeEventListener('hashchange', turn);
    };
  }, []);
  const change = (part) => setFilters((before) => ({ ...before, ...part }));
  const search = (texts) => {
    clearTimeout(typed.current);
    change(Object.fromEntries(FIELDS.map(([name]) => [name, (texts[name] ?? '').trim()])));
  };
  const put = (part) => {
    const next = { ...texts, ...part };
    setTexts(next);
    search(next);
  };
  const type = (name) => (event) => {
    const next = { ...texts, [name]: event.target.value };
    setTexts(next);
    clearTimeout(typed.current);
    if (!isComposing(event)) typed.current = setTimeout(() => search(next), 350);
  };
  const found = work.value,
    current = found && JSON.stringify(found.filters) === JSON.stringify(filters),
    items = current ? found.items : null;
  const kinds = counts.value?.rows ?? [],
    wanted = filters.category?.toLowerCase(),
    chips = wanted && !kinds.some((one) => one.category === wanted) ? [{ category: wanted }, ...kinds] : kinds;
  const home = me.value?.state,
    any = FILTERS.some((name) => name !== 'sort' && filters[name]),
    mine = (me.value?.skills ?? []).slice(0, MY_SKILLS);
  const show = () =>
    !items.length
      ? html`<${Empty} icon="search" title=${t('noWork')}><p>${t('noWorkHint')}</p>${
          any &&
          html`<button
            class="button"
            onClick=${() => {
              clearTimeout(typed.current);
              setTexts({});
              setFilters({ sort: filters.sort });
            }}
          >
            ${t('clear')}
          </button>`
        }</${Empty}>`
      : html`<ul class="cards">
            ${items.map((one) => html`<${Card} key=${one.id} bounty=${one} query=${queryOf(filters)} chosen=${one.id === chosen} />`)}
          </ul>
          ${items.length < found.total && !found.ended && html`<div class="more"><button class="button" disabled=${busy} onClick=${() => run(filters, true)}>${t('more')}</button></div>`}`;
  return html`<header class="top">
      <h1 tabindex="-1">${t('findTitle')}</h1>
      <form
        class="searches"
        role="search"
        onSubmit=${(event) => {
          event.preventDefault();
          search(texts);
          document.activeElement.blur();
        }}
      >
        ${FIELDS.map(
          ([name, icon, id]) =>
            html`<div class="search" key=${id}>
              <${Icon} name=${icon} /><label class="hidden" for=${id}>${t(id)}</label>
              <input
                id=${id}
                type="search"
                enterkeyhint="search"
                maxlength="100"
                placeholder=${t(id)}
                value=${texts[name] ?? ''}
                onInput=${type(name)}
                onCompositionEnd=${type(name)}
                autocomplete="off"
              />
              ${
                texts[name] &&
                html`<button type="button" class="button plain small icon-only" aria-label=${t('clearField', { field: t(id) })} onClick=${() => put({ [name]: '' })}>
                  <${Icon} name="close" />
                </button>`
              }
            </div>`,
        )}
      </form>
      <div class="chips" role="toolbar" aria-label=${t('filters')} ref=${row} onKeyDown=${alongRow}>
        ${
          home &&
          html`<button
            class="chip"
            aria-pressed=${String(filters.location === home)}
            onClick=${() => put({ location: filters.location === home ? '' : home })}
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
        ${chips.map(({ category: one, count }) => html`<button key=${one} class="chip" aria-pressed=${String(wanted === one)} onClick=${() => change({ category: wanted === one ? '' : one })}>${categoryName(one)}${count && html` <span class="number quiet">${count.toLocaleString()}</span>`}</button>`)}
      </div>
    </header>
    <section aria-busy=${String(busy)}>
      <div class="row count small quiet">
        <p class="grow" role="status">${items && t('results', { n: found.total })}</p>
        <label class="hidden" for="order">${t('order')}</label>
        <select id="order" class="small" value=${filters.sort ?? ''} onChange=${(event) => change({ sort: event.target.value })}>
          ${['newest', 'pay', 'deadline'].map((one, index) => html`<option key=${one} value=${index ? one : ''}>${t(one + 'First')}</option>`)}
        </select>
      </div>
      <${Listed} there=${items} name="work" load=${() => run(filters)} ghosts=${4} show=${show} />
    </section>`;
}

function Card({ bounty, query, chosen }) {
  const end = deadline(bounty.deadline),
    applied = appliedTo.value.has(bounty.id),
    sending = beingSent.value.get(bounty.id);
  return html`<li>
    <a class="card" href=${'#/find/' + bounty.id + query} aria-current=${chosen ? 'true' : null}>
      <span class="card-head"
        ><span class="card-kind"
          ><span>${categoryName(bounty.category)}</span
          >${applied || sending ? html`<span class=${`badge ${applied ? 'good' : 'warn'}`}><${Icon} name=${applied ? 'check' : 'send'} />${t(applied ? 'already' : sending.state)}</span>` : html`<span class=${`fact ${bounty.applications_count ? '' : 'first'}`}><${Icon} name="people" />${bounty.applications_count ? t('applicants', { n: bounty.applications_count }) : t('noApplicants')}</span>`}</span
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

export function Bounty({ id, from }) {
  const listed = work.value?.items.find((one) => one.id === id),
    bounty = details.value[id] ?? listed,
    [writing, setWriting] = useState(null),
    [leaving, setLeaving] = useState(false);
  useEffect(() => {
    loadBounty(id, true);
    loadVotes();
  }, [id]);
  const application = appliedTo.value.get(id),
    sending = beingSent.value.get(id);
  const head = html`<header class="bar">
    <a class="button plain icon-only back" href=${'#/' + from + (from === 'find' ? queryOf(inAddress()) : '')} aria-label=${t('back')}><${Icon} name="back" /></a>
  </header>`;
  if (!bounty) return html`${head}<${Listed} name="bounty" load=${() => loadBounty(id, true)} ghosts=${1} />`;
  const end = deadline(bounty.deadline),
    hourly = bounty.estimated_hours && bounty.budget / bounty.estimated_hours;
  const accepted = application?.status === 'accepted',
    place = accepted && 'work' + application.id,
    draft = 'hitode.kept.draft.' + (place || id);
  const send = (message, files) => {
    setWriting(null);
    localStorage.removeItem(draft);
    (accepted ? handOver(application.id, message, files) : apply(bounty, message)).then(
      () => (accepted ? toast(t('deliverSent')) : notice(t('sent'), 'check', '#/applied', 'seeApplications')),
      (error) => {
        if (error.kind === 'network' || error.status === 429 || error.status >= 500) return toast(t('queued'), { icon: 'clock' });
        if (error.kind === 'not_open') {
          loadBounty(id, true);
          return toast(t('notOpen'), { icon: 'alert' });
        }
        if (error.kind === 'withdrawn') return withdrawn.keep([...withdrawn.peek(), id]);
        // What has files stays in the list, with what is wrong.
        if (!files.length) setWriting({ message, fault: error.faults?.message ?? faultOf(error.kind, error.text || t('failed')) });
      },
    );
  };
  const leave = () => {
    setLeaving(false);
    withdraw(application).then(
      () => toast(t('withdrawn')),
      (error) => toast(error.kind === 'not_pending' ? t('decided') : why(error), { icon: 'alert' }),
    );
  };
  const cast = (kind) =>
    vote(id, kind).catch((error) => {
      if (error.kind === 'voting_closed') loadBounty(id, true);
      toast(error.kind === 'voting_closed' ? t('votingClosed') : why(error), { icon: 'alert' });
    });
  return html`${head}
    <article class="detail">
      <div class="row wrap">
        <span class="card-kind">${categoryName(bounty.category)}</span
        >${bounty.is_remote && html`<span class="badge accent">${t('remote')}</span>`}${bounty.status !== 'open' && html`<span class="badge">${t(bounty.status)}</span>`}
      </div>
      <h1 tabindex="-1" lang=${languageOf(bounty.title)}>${bounty.title}</h1>
      <div class="reward">
        <span class="reward-sum number">${money(bounty.budget)}</span
        ><span class="quiet small">${t('payWhole')}${hourly ? html`<br />${t('perHour', { n: Math.round(hourly) })}` : ''}</span>
      </div>
      ${
        application &&
        html`<a class=${`decision ${application.status}`} href="#/applied"
          ><${Icon} name=${look[application.status][1]} /><span
            class="grow"
            ><b>${t('already')} · ${t(application.status)}</b><span class="small">${t(application.status + 'Note')}</span></span
          ></a
        >`
      }
      ${accepted && html`<${Deliveries} id=${application.id} count=${application.deliveries} />`}
      <dl class="grid">
        <div>
          <dt><${Icon} name="pin" />${t('where')}</dt>
          <dd>${bounty.location ?? (bounty.is_remote ? t('anywhere') : t('placeUnknown'))}</dd>
        </div>
        <div>
          <dt><${Icon} name="calendar" />${t('when')}</dt>
          <dd>${end.text}${end.note && html`<br /><span class=${`small ${end.left <= 3 ? 'soon' : 'quiet'}`}>${end.note}</span>`}</dd>
        </div>
        <div>
          <dt><${Icon} name="clock" />${t('howLong')}</dt>
          <dd>${bounty.estimated_hours ? t('hours', { n: bounty.estimated_hours }) : t('hoursUnknown')}</dd>
        </div>
        <div>
          <dt><${Icon} name="people" />${t('competition')}</dt>
          <dd>${bounty.applications_count ? t('applicants', { n: bounty.applications_count }) : t('noApplicants')}</dd>
        </div>
      </dl>
      <h2>${t('work')}</h2>
      <p class="prose" lang=${languageOf(bounty.description)}>${bounty.description}</p>
      ${
        bounty.required_skills.length > 0 &&
        html`<h2>${t('skills')}</h2>
          <ul class="row wrap">
            ${bounty.required_skills.map((one) => html`<li key=${one} class="badge">${one}</li>`)}
          </ul>
          <p class="small quiet">${t('skillsNote')}</p>`
      }
      ${
        bounty.poster_name &&
        html`<h2>${t('poster')}</h2>
          <p class="row"><span class="face" aria-hidden="true">${[...bounty.poster_name][0]}</span>${bounty.poster_name}</p>`
      }
      <div class="row wrap" role="group" aria-label=${t('votes')}>
        ${['up', 'down'].map((kind) => html`<button key=${kind} class="chip number" title=${t(kind)} disabled=${bounty.status !== 'open'} aria-pressed=${String(votes.value[id] === kind)} onClick=${() => cast(kind)}><${Icon} name=${kind} /><span class="hidden">${t(kind)}</span>${bounty[kind + 'votes']}</button>`)}
      </div>
      ${application?.status === 'pending' && html`<p><button class="button danger" onClick=${() => setLeaving(true)}><${Icon} name="trash" />${t('withdraw')}</button></p>`}
    </article>
    <footer class="action">
      ${
        accepted
          ? html`<button class="button main wide" onClick=${() => setWriting({})}><${Icon} name="camera" />${t('deliver')}</button>`
          : application
            ? html`<a class="button wide" href="#/applied"><${Icon} name="check" />${t('seeApplications')}</a>`
            : sending
              ? html`<button class="button wide" disabled>
                  <${Icon} name="send" />${t(sending.state)}
                </button>`
              : bounty.status !== 'open' || withdrawn.value.includes(id)
                ? html`<p class="quiet center">${t(bounty.status !== 'open' ? 'notOpen' : 'withdrawNote')}</p>`
                : html`<button class="button main wide" onClick=${() => setWriting({})}>${t('apply')}</button>`
      }
    </footer>
    ${writing && html`<${Write} bounty=${bounty} kept=${draft} place=${place} start=${writing} onSend=${send} onClose=${() => setWriting(null)} />`}
    ${leaving && html`<${Confirm} title=${t('withdrawTitle')} note=${t('withdrawNote')} label=${t('withdraw')} act=${leave} onClose=${() => setLeaving(false)} />`}`;
}

const look = { pending: ['warn', 'clock'], accepted: ['good', 'check'], rejected: ['', 'close'] };
export function Applied({ chosen }) {
  const items = applications.value,
    waiting = outbox.value.filter((one) => one.about.bounty);
  const show = () =>
    !items.length && !waiting.length
      ? html`<${Empty} icon="inbox" title=${t('noApplied')}><p>${t('noAppliedHint')}</p><a class="button main" href="#/find">${t('findTitle')}</a></${Empty}>`
      : html`<ul class="cards">
          ${waiting.map(
            (one) =>
              html`<li key=${one.key}>
                <div class="card">
                  <span class="card-head"
                    ><span class="badge warn"><${Icon} name="send" />${t(one.state)}</span
                    >${one.state === 'waiting' && html`<button class="button small" onClick=${() => deliver(one.key).then(loadApplications, () => {})}>${t('resend')}</button>`}</span
                  ><span class="card-title">${one.about.title}</span><span class="said small">${one.body.message}</span>
                </div>
              </li>`,
          )}
          ${items.map((one) => {
            const [tone, icon] = look[one.status];
            return html`<li key=${one.id}>
              <a class="card" href=${'#/applied/' + one.bounty_id} aria-current=${one.bounty_id === chosen ? 'true' : null}>
                <span class="card-head"
                  ><span class=${`badge ${tone}`}><${Icon} name=${icon} />${t(one.status)}</span
                  ><span class="small quiet">${t('decidedAt', { date: when(one.created_at) })}</span></span
                >
                <span class="card-title" lang=${languageOf(one.bounty_title)}>${one.bounty_title}</span>
                <span class="facts">
                  <span class="pay number">${money(one.bounty_budget)}</span>
                  ${one.bounty_location && html`<span class="fact"><${Icon} name="pin" />${one.bounty_location}</span>`}
                </span>
                <span class="said small" lang=${languageOf(one.message)}>${one.message}</span>
                <span class="facts">
                  ${one.deliveries > 0 && html`<span class="badge good"><${Icon} name="send" />${t('deliveries', { n: one.deliveries })}</span>`}
                  ${one.bounty_status !== 'open' && html`<span class="badge">${t(one.bounty_status)}</span>`}</span
                ></a
              >
            </li>`;
          })}
        </ul>`;
  return html`${top('applied')}<${Listed} there=${items} name="applications" load=${loadApplications} show=${show} />`;
}

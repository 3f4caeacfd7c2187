// One bounty, and the sheet to apply.
import { html, Icon, Sheet, Field, describedBy, useState, useEffect, useRef, languageOf, toast } from '../shared/ui.js';
import { t, categoryName, deadline, money, when } from './text.js';
import { work, details, loadBounty, appliedTo, beingSent, apply, trouble } from './store.js';
import { Broken } from './find.js';
import { worker } from './contract.js';

export function Bounty({ id, from }) {
  const listed = work.value?.items.find((one) => one.id === id),
    bounty = details.value[id] ?? listed,
    [writing, setWriting] = useState(null);
  useEffect(() => {
    loadBounty(id, true).catch(() => {});
  }, [id]);
  const application = appliedTo.value.get(id),
    sending = beingSent.value.get(id);
  const head = html`<header class="bar">
    <a class="button plain icon-only back" href=${'#/' + from} aria-label=${t('back')}><${Icon} name="back" /></a>
  </header>`;
  if (!bounty)
    return html`${head}${trouble.value.bounty ? html`<${Broken} error=${trouble.value.bounty} again=${() => loadBounty(id, true).catch(() => {})} />` : html`<div class="detail"><span class="skeleton line-l"></span><span class="skeleton line"></span><span class="skeleton block"></span></div>`}`;
  const end = deadline(bounty.deadline),
    hourly = bounty.estimated_hours && bounty.budget / bounty.estimated_hours;
  const send = (message) => {
    setWriting(null);
    apply(bounty, message).then(
      () => {
        localStorage.removeItem('hitode.kept.draft.' + id);
        toast(t('sent'), {
          action: t('seeApplications'),
          act: () => {
            location.hash = '#/applied';
          },
        });
      },
      (error) => {
        if (error.kind === 'network' || error.status === 429 || error.status >= 500) return toast(t('queued'), { icon: 'clock' });
        if (error.kind === 'not_open') {
          loadBounty(id, true).catch(() => {});
          return toast(t('notOpen'), { icon: 'alert' });
        }
        setWriting({ message, fault: error.faults.message ?? error.text });
      },
    );
  };
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
          ><${Icon} name=${application.status === 'accepted' ? 'check' : application.status === 'rejected' ? 'close' : 'clock'} /><span
            class="grow"
            ><b>${t('already')} · ${t(application.status)}</b><span class="small">${t(application.status + 'Note')}</span></span
          ></a
        >`
      }
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
    </article>
    <footer class="action">
      ${
        application
          ? html`<a class="button wide" href="#/applied"><${Icon} name="check" />${t('seeApplications')}</a>`
          : sending
            ? html`<button class="button wide" disabled>
                <${Icon} name="send" />${sending.state === 'waiting' ? t('waiting') : t('sending') + '…'}
              </button>`
            : bounty.status !== 'open'
              ? html`<p class="quiet center">${t('notOpen')}</p>`
              : html`<button class="button main wide" onClick=${() => setWriting({})}>${t('apply')}</button>`
      }
    </footer>
    ${writing && html`<${Apply} bounty=${bounty} start=${writing} onSend=${send} onClose=${() => setWriting(null)} />`}`;
}

const MOST = worker.bounds.create_application.message.max;
function Apply({ bounty, start, onSend, onClose }) {
  const kept = 'hitode.kept.draft.' + bounty.id,
    [text, setText] = useState(start.message ?? localStorage.getItem(kept) ?? ''),
    [fault, setFault] = useState(start.fault),
    area = useRef();
  const put = (value) => {
    setText(value);
    setFault(null);
    localStorage.setItem(kept, value);
  };
  useEffect(() => {
    area.current.focus();
  }, []);
  const length = [...text].length; // the contract counts Unicode scalar values, not UTF-16 units
  const submit = (event) => {
    event.preventDefault();
    const wrong = !text.trim() ? t('required') : length > MOST ? t('tooLong', { n: MOST }) : null;
    if (wrong) {
      setFault(wrong);
      area.current.focus();
    } else onSend(text);
  };
  return html`<${Sheet} label=${t('applyTitle')} onClose=${onClose}><form onSubmit=${submit} novalidate>
    <div class="row"><div class="grow"><h2>${t('applyTitle')}</h2><p class="small quiet clip" lang=${languageOf(bounty.title)}>${bounty.title} · ${money(bounty.budget)}</p></div><button type="button" class="button plain icon-only" aria-label=${t('close')} onClick=${onClose}><${Icon} name="close" /></button></div>
    <${Field} label=${t('message')} id="apply" hint=${t('applyHint')} fault=${fault}><textarea class="input" id="apply" ref=${area} rows="4" value=${text} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy('apply', true, fault)} onInput=${(event) => put(event.target.value)}></textarea></${Field}>
    <div class="chips" role="group" aria-label=${t('startsLabel')}>${['start1', 'start2', 'start3'].map(
      (one) =>
        html`<button
          type="button"
          key=${one}
          class="chip"
          onClick=${() => {
            put((text.trim() ? text.trimEnd() + '\n' : '') + t(one));
            area.current.focus();
          }}
        >
          ${t(one)}
        </button>`,
    )}</div>
    <button class="button main wide"><${Icon} name="send" />${t('send')}</button></form></${Sheet}>`;
}

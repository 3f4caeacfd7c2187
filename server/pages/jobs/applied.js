// One's applications, and what was decided.
import { html, Icon, Empty, languageOf } from '../shared/ui.js';
import { t, money, when } from './text.js';
import { applications, loadApplications, trouble } from './store.js';
import { outbox, deliver } from './outbox.js';
import { Broken } from './find.js';

const look = { pending: ['warn', 'clock'], accepted: ['good', 'check'], rejected: ['', 'close'] };
export function Applied({ chosen }) {
  const items = applications.value,
    waiting = outbox.value.filter((one) => one.about.bounty);
  return html`<header class="top"><h1 tabindex="-1">${t('applied')}</h1></header>
    ${
      !items && trouble.value.applications
        ? html`<${Broken} error=${trouble.value.applications} again=${() => loadApplications().catch(() => {})} />`
        : !items
          ? html`<ul class="cards">
              ${[0, 1].map((n) => html`<li key=${n} class="card ghost"><span class="skeleton"></span><span class="skeleton"></span></li>`)}
            </ul>`
          : !items.length && !waiting.length
            ? html`<${Empty} icon="inbox" title=${t('noApplied')}><p>${t('noAppliedHint')}</p><a class="button main" href="#/find">${t('goFind')}</a></${Empty}>`
            : html`<ul class="cards">
                ${waiting.map(
                  (one) =>
                    html`<li key=${one.key}>
                      <div class="card">
                        <span class="card-head"
                          ><span class="badge warn"><${Icon} name="send" />${one.state === 'waiting' ? t('waiting') : t('sending')}</span
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
                      ${one.bounty_status !== 'open' && html`<span class="facts"><span class="badge">${t(one.bounty_status)}</span></span>`}</a
                    >
                  </li>`;
                })}
              </ul>`
    }`;
}

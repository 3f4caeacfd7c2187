// What several screens share: lists that load, sheets, what cannot be loaded.
import { html, Icon, Sheet, Empty } from '../shared/ui.js';
import { t } from './text.js';
import { trouble } from './store.js';

export const top = (title) => html`<header class="top"><h1 tabindex="-1">${t(title)}</h1></header>`;
export const why = (error) => t(error.kind === 'network' ? 'brokenHint' : 'serverTrouble');
export const Broken = ({ error, again }) =>
  html`<${Empty} icon="wifi" title=${t('broken')}><p>${why(error)}</p>${error.request && error.status >= 500 && html`<p class="small">${t('reference', { id: error.request })}</p>`}<button class="button" onClick=${again}><${Icon} name="refresh" />${t('tryAgain')}</button></${Empty}>`;
// What `show` makes once it is `there`; until then what is wrong, or ghosts.
export const Listed = ({ there, name, load, ghosts = 2, show }) =>
  there
    ? show()
    : trouble.value[name]
      ? html`<${Broken} error=${trouble.value[name]} again=${load} />`
      : html`<ul class="cards">
          ${[...Array(ghosts).keys()].map((n) => html`<li key=${n} class="card ghost"><span class="skeleton"></span><span class="skeleton"></span></li>`)}
        </ul>`;
export const Head = ({ title, onClose, children }) =>
  html`<div class="row top-row">
    <div class="grow">
      <h2>${title}</h2>
      ${children}
    </div>
    <button type="button" class="button plain icon-only" aria-label=${t('close')} onClick=${onClose}><${Icon} name="close" /></button>
  </div>`;
export const Confirm = ({ title, note, label, act, onClose, children }) =>
  html`<${Sheet} label=${title} onClose=${onClose}><div class="inside"><h2>${title}</h2><p class="quiet">${note}</p>${children}<button class="button danger main wide" onClick=${act}>${label}</button><button class="button wide" onClick=${onClose}>${t('cancel')}</button></div></${Sheet}>`;

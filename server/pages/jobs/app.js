// The start, the addresses (#/find/20), and the frame around the screens.
import { html, render, Icon, Mark, Toasts, Empty, signal, useEffect, useRef } from '../shared/ui.js';
import { token, ended, code, line, pause, takeCode } from './api.js';
import { t, language } from './text.js';
import { loadMe, loadService, loadReviews, loadApplications, loadConversations, sendWaiting, watch, unwatch, unread } from './store.js';
import { Applied, Bounty, Find } from './bounty.js';
import { Talks, Talk } from './talk.js';
import { Me, Welcome } from './me.js';

takeCode();
addEventListener('hashchange', takeCode);
const read = () => {
  const [, screen = 'find', id] = location.hash.match(/^#\/(\w+)(?:\/(\d+))?(?:\?.*)?$/) ?? [];
  return { screen, id: id ? Number(id) : null };
};
const route = signal(read());
addEventListener('hashchange', () => {
  route.value = read();
});
const wide = matchMedia('(min-width: 960px)'),
  isWide = signal(wide.matches);
wide.addEventListener('change', () => {
  isWide.value = wide.matches;
});

const tabs = [
  ['find', 'search'],
  ['applied', 'inbox'],
  ['talk', 'chat'],
  ['me', 'person'],
];
function Tabs({ screen }) {
  return html`<nav class="tabs" aria-label="Hitode">
    <a class="brand" href="#/find" tabindex="-1" aria-hidden="true"><${Mark} /><b>Hitode</b></a> ${tabs.map(
      ([name, icon]) =>
        html`<a key=${name} class="tab" href=${'#/' + name} aria-current=${screen === name ? 'page' : null}>
          <span class="tab-icon"
            ><${Icon}
              name=${icon}
            />${name === 'talk' && unread.value > 0 && html`<span class="dot"><span class="hidden">${unread.value} ${t('unread')}</span></span>`}</span
          ><span>${t(name)}</span></a
        >`,
    )}
  </nav>`;
}
function Line() {
  const text = pause.value
    ? t('tooMany', { n: pause.value })
    : line.value === 'offline'
      ? t('offline')
      : line.value === 'slow'
        ? t('slow')
        : null;
  return html`<div role="status">
    ${text && html`<div class="banner"><${Icon} name=${line.value === 'offline' ? 'wifi' : 'clock'} />${text}</div>`}
  </div>`;
}
function Frame() {
  const { screen, id } = route.value,
    two = isWide.value,
    area = useRef(),
    first = useRef(true);
  language.value;
  useEffect(() => {
    document.title = `${t(screen)} · Hitode`;
    if (first.current) {
      first.current = false;
      return;
    }
    (area.current?.querySelector(id ? '.pane-detail h1' : 'h1') ?? area.current)?.focus({ preventScroll: true });
  }, [screen, id]);
  const List = { applied: Applied, talk: Talks, me: Me }[screen] ?? Find,
    Detail = id && { find: Bounty, applied: Bounty, talk: Talk }[screen],
    detail = Detail && html`<${Detail} key=${id} id=${id} from=${screen} />`;
  const single = screen === 'me';
  return html`<a
      class="skip"
      href="#content"
      onClick=${(event) => {
        event.preventDefault();
        area.current.focus();
      }}
      >${t('skip')}</a
    >
    <div class=${`frame ${detail && !two ? 'deep' : ''}`}>
      <${Tabs} screen=${screen} />
      <main id="content" tabindex="-1" ref=${area} class=${two && !single ? 'panes' : ''}>
        <${Line} />
        ${(two || !detail) && html`<div class="pane-list"><${List} chosen=${id} /></div>`}
        ${!single && (two || detail) && html`<div class="pane-detail">${detail || html`<${Empty} icon=${screen === 'talk' ? 'chat' : 'search'} title=${t(screen === 'talk' ? 'chooseTalk' : 'choose')}>${screen !== 'talk' && html`<p>${t('chooseHint')}</p>`}</${Empty}>`}</div>`}
      </main>
    </div>`;
}
function App() {
  const signedIn = token.value && !ended.value && !code.value;
  useEffect(() => {
    if (!signedIn) return;
    const all = () => {
      for (const load of [loadMe, loadService, loadReviews, loadApplications, loadConversations, sendWaiting]) load();
      watch();
    };
    // A hidden page gives back its waiting request; when it is shown again the feed goes on from its cursor.
    let hide;
    const turn = () => {
      clearTimeout(hide);
      if (document.hidden) hide = setTimeout(unwatch, 60000);
      else watch();
    };
    all();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      unwatch();
    };
  }, [signedIn, token.value]);
  return html`${signedIn ? html`<${Frame} />` : html`<${Welcome} />`}<${Toasts} />`;
}
render(html`<${App} />`, document.getElementById('app'));

if ('serviceWorker' in navigator) {
  const policy = self.trustedTypes?.createPolicy('sw', {
    createScriptURL: (url) => {
      if (url !== './sw.js') throw new TypeError(url);
      return url;
    },
  });
  navigator.serviceWorker.register(policy ? policy.createScriptURL('./sw.js') : './sw.js').catch(() => {});
}

// What is written to agents: conversations, applications, deliveries.
import { html, Icon, Empty, useState, useEffect, useLayoutEffect, useRef, languageOf, isComposing, Sheet, Field, describedBy } from '../shared/ui.js';
import { t, when, timeOf, dayOf, money } from './text.js';
import { conversations, talks, files, details, isFresh, loadConversations, loadTalk, loadBounty, loadAbout, say, trouble, deliveries, loadDeliveries } from './store.js';
import { line } from './api.js';
import { worker } from './contract.js';
import { outbox, progress, deliver, drop } from './outbox.js';
import { Attach, Files, Tray, Waiting, namedFiles, partsOf, withFiles } from './files.js';
import { Broken, Listed, top, Head } from './parts.js';

export function Talks({ chosen }) {
  const items = conversations.value;
  const show = () =>
    !items.length
      ? html`<${Empty} icon="chat" title=${t('noTalk')}><p>${t('noTalkHint')}</p></${Empty}>`
      : html`<ul class="talks">
          ${items.map((one) => {
            const fresh = isFresh(one),
              last = namedFiles(one.last_message);
            return html`<li key=${one.id}>
              <a class=${`talk ${fresh ? 'fresh' : ''}`} href=${'#/talk/' + one.id} aria-current=${one.id === chosen ? 'true' : null}>
                <span class="face" aria-hidden="true">${[...one.poster_name][0]}</span
                ><span class="grow"
                  ><span class="row"
                    ><b class="grow clip">${one.poster_name}</b><span class="small quiet">${when(one.last_message_at)}</span></span
                  ><span class="row quiet small"
                    >${last.ids.length > 0 && html`<${Icon} name="image" label=${t('attached')} />`}<span
                      class="grow clip"
                      lang=${languageOf(last.text)}
                      >${last.text}</span
                    ></span
                  ></span
                >
                ${fresh && html`<span class="dot"><span class="hidden">${t('unread')}</span></span>`}</a
              >
            </li>`;
          })}
        </ul>`;
  return html`${top('talk')}<${Listed} there=${items} name="conversations" load=${loadConversations} show=${show} />`;
}

export function Talk({ id }) {
  const talk = talks.value[id],
    waiting = outbox.value.filter((one) => one.about.talk === id),
    end = useRef(),
    area = useRef(),
    kept = 'hitode.kept.draft.talk.' + id,
    [text, setText] = useState(localStorage.getItem(kept) ?? '');
  const bounty = talk?.bounty_id,
    about = details.value[bounty];
  const name = talk?.poster_name ?? conversations.value?.find((one) => one.id === id)?.poster_name ?? '';
  useEffect(() => {
    loadTalk(id);
  }, [id]);
  useEffect(() => {
    if (bounty) loadBounty(bounty);
  }, [bounty]);
  const count = (talk?.messages.length ?? 0) + waiting.length,
    before = useRef(0);
  useLayoutEffect(() => {
    const list = end.current;
    if (list) {
      list.scrollTop = list.scrollHeight;
      before.current = count;
    }
  }, [count]);
  const put = (value) => {
    setText(value);
    localStorage.setItem(kept, value);
  };
  const { busy, any, take, paste } = withFiles(id, text),
    ready = !busy && any;
  const submit = (event) => {
    event?.preventDefault();
    area.current.focus();
    if (!ready) return;
    const [content, added] = take();
    put('');
    say(id, content, added).catch((error) => {
      // Without a kind: the browser has no room to keep it.
      if ((error.kind === 'invalid' || !error.kind) && !added.length) put(content);
    });
  };
  // A mouse comes with a keyboard: there Enter sends. A phone's Enter is a new line. Neither while converting.
  const key = (event) => {
    if (
      event.key === 'Enter' &&
      !event.shiftKey &&
      !isComposing(event) &&
      (event.metaKey || event.ctrlKey || matchMedia('(pointer: fine)').matches)
    )
      submit(event);
  };
  let day = null;
  return html`<div class="chat">
    <header class="bar">
      <a class="button plain icon-only back" href="#/talk" aria-label=${t('back')}><${Icon} name="back" /></a>
      <h1 class="bar-title clip" tabindex="-1">${name}</h1>
    </header>
    ${about && html`<a class="about clip" href=${'#/find/' + bounty}>${t('about')}: <span lang=${languageOf(about.title)}>${about.title}</span></a>`}
    <div class="messages" ref=${end} role="log" aria-label=${t('talk')} tabindex="0">
      ${
        !talk
          ? trouble.value.talk
            ? html`<${Broken} error=${trouble.value.talk} again=${() => loadTalk(id)} />`
            : html`<span class="skeleton bubble-ghost"></span><span class="skeleton bubble-ghost mine"></span>`
          : talk.messages.map((one) => {
              const date = dayOf(one.created_at),
                head = date !== day;
              day = date;
              return html`${head && html`<p key=${'day' + one.id} class="day">${date}</p>`}
                <${Message} key=${one.id} one=${one} of=${id} name=${name} time=${timeOf} />`;
            })
      }
      ${waiting.map((one) => html`<${Unsent} key=${one.key} one=${one} />`)}
    </div>
    <${Tray} id=${id} after=${() => area.current.focus()} />
    <form class="composer" onSubmit=${submit}>
      <${Attach} id=${id} />
      <label class="hidden" for="say">${t('write')}</label
      ><textarea
        id="say"
        class="input"
        ref=${area}
        rows="1"
        placeholder=${t('write')}
        value=${text}
        onInput=${(event) => put(event.target.value)}
        onKeyDown=${key}
        onPaste=${paste}
      ></textarea>
      <button class="button main icon-only" aria-label=${t('send')} aria-disabled=${ready ? null : 'true'}>
        <${Icon} name="send" />
      </button>
    </form>
  </div>`;
}

// What was said or delivered, with its files.
export function Message({ one, of, name, time }) {
  const mine = one.sender_type === 'human',
    parts = partsOf(one, files.value[of]);
  return html`<div class=${`message ${mine ? 'mine' : ''}`}>
    <span class="hidden">${mine ? t('you') : name}</span>
    <div class="said-with">
      <p class="bubble" lang=${languageOf(parts.text)}>${parts.text}</p>
      ${parts.files.length > 0 && html`<${Files} files=${parts.files} />`}
    </div>
    <time class="stamp number" datetime=${one.created_at + 'Z'}>${time(one.created_at)}</time>
  </div>`;
}

const faults = {
  too_large: 'tooLarge',
  media_type: 'wrongType',
  unreadable_file: 'wrongType',
  invalid: 'wrongType',
  quota: 'fileQuota',
  long_message: 'tooLong',
  lost_file: 'lostFile',
  not_accepted: 'rejectedNote',
};
export const faultOf = (kind, other) => (faults[kind] ? t(faults[kind], { n: worker.bounds.create_message.content.max }) : other);
export function Unsent({ one }) {
  const again = () =>
    deliver(one.key).then(
      () => loadAbout(one.about),
      () => {},
    );
  const part = progress.value[one.key];
  return html`<div class="message mine unsent">
    <div class="said-with">
      <p class="bubble">${one.body.content ?? one.body.message}</p>
      ${one.files && html`<${Waiting} files=${one.files} />`}
      ${one.state === 'failed' && html`<p class="fault-all small" role="alert"><${Icon} name="alert" />${faultOf(one.fault, t('failed'))}</p>`}
      <span class="stamp row">
        ${
          one.state === 'sending'
            ? html`${t('sending')}${part !== undefined && html`<progress value=${part} aria-label=${t('sending')}></progress>`}`
            : one.state === 'waiting' && line.value === 'offline'
              ? t('queued')
              : html`<button class="link" onClick=${again}>
                    <${Icon} name="refresh" />${one.state === 'waiting' && t('failed') + ' · '}${t('resend')}</button
                  >${(one.files || one.state === 'failed') && html`<button class="link" onClick=${() => drop(one.key)}><${Icon} name="trash" />${t('discard')}</button>`}`
        }
      </span>
    </div>
  </div>`;
}

export function Deliveries({ id, count }) {
  const items = deliveries.value[id],
    name = 'work' + id,
    waiting = outbox.value.filter((one) => one.about.work === id);
  useEffect(() => {
    loadDeliveries(id);
  }, [id]);
  const show = () => items.map((one) => html`<${Message} key=${one.id} one=${one} of=${name} time=${when} />`);
  return (
    (items ?? []).length + waiting.length + count > 0 &&
    html`<section class="sent">
      <h2>${t('delivered')}</h2>
      <${Listed} there=${items} name=${name} load=${() => loadDeliveries(id)} ghosts=${1} show=${show} />
      ${waiting.map((one) => html`<${Unsent} key=${one.key} one=${one} />`)}
    </section>`
  );
}

// A sheet for an application, or for a delivery, which has a `place` of its files.
export function Write({ bounty, kept, place, start, onSend, onClose }) {
  const [text, setText] = useState(start.message ?? localStorage.getItem(kept) ?? ''),
    [fault, setFault] = useState(start.fault),
    area = useRef(),
    { busy, any, take, paste } = withFiles(place, text);
  const focus = () => area.current.focus();
  const put = (value) => {
    setText(value);
    setFault(null);
    localStorage.setItem(kept, value);
  };
  useEffect(focus, []);
  const length = [...text].length, // the contract counts Unicode scalar values, not UTF-16 units
    { max } = worker.bounds[place ? 'create_delivery' : 'create_application'].message;
  const submit = (event) => {
    event.preventDefault();
    if (busy) return;
    const wrong = !any ? t('required') : length > max ? t('tooLong', { n: max }) : null;
    if (wrong) {
      setFault(wrong);
      focus();
    } else onSend(...take());
  };
  const title = t(place ? 'deliver' : 'applyTitle');
  return html`<${Sheet} label=${title} onClose=${onClose}><form onSubmit=${submit} novalidate>
    <${Head} title=${title} onClose=${onClose}><p class="small quiet clip" lang=${languageOf(bounty.title)}>${bounty.title} · ${money(bounty.budget)}</p></${Head}>
    <${Field} label=${t('message')} id="write" hint=${t(place ? 'deliverHint' : 'applyHint')} fault=${fault}><textarea class="input" id="write" ref=${area} rows="4" value=${text} aria-invalid=${fault ? 'true' : null} aria-describedby=${describedBy('write', true, fault)} onInput=${(event) => put(event.target.value)} onPaste=${place && paste}></textarea></${Field}>
    ${
      place
        ? html`<div><${Tray} id=${place} after=${focus} /><${Attach} id=${place} wide /></div>`
        : html`<div class="chips" role="group" aria-label=${t('startsLabel')}>
            ${['start1', 'start2', 'start3'].map(
              (one) =>
                html`<button
                  type="button"
                  key=${one}
                  class="chip"
                  onClick=${() => {
                    put((text.trim() ? text.trimEnd() + '\n' : '') + t(one));
                    focus();
                  }}
                >
                  ${t(one)}
                </button>`,
            )}
          </div>`
    }
    <button class="button main wide" aria-disabled=${busy ? 'true' : null}><${Icon} name="send" />${t('send')}</button></form></${Sheet}>`;
}

// Conversations with agents.
import { html, Icon, Empty, useState, useEffect, useLayoutEffect, useRef, languageOf, isComposing } from '../shared/ui.js';
import { t, when, timeOf, dayOf } from './text.js';
import { conversations, talks, files, isFresh, loadConversations, loadTalk, say, trouble } from './store.js';
import { line } from './api.js';
import { worker } from './contract.js';
import { outbox, progress, deliver, drop } from './outbox.js';
import { Files, Waiting, namedFiles, partsOf } from './files.js';
import { Attach, Tray, chosen, choose, takeAll } from './photos.js';
import { Broken } from './find.js';

export function Talks({ chosen }) {
  const items = conversations.value;
  return html`<header class="top"><h1 tabindex="-1">${t('talk')}</h1></header>
    ${
      !items && trouble.value.conversations
        ? html`<${Broken} error=${trouble.value.conversations} again=${() => loadConversations().catch(() => {})} />`
        : !items
          ? html`<ul class="cards">
              ${[0, 1].map((n) => html`<li key=${n} class="card ghost"><span class="skeleton"></span><span class="skeleton"></span></li>`)}
            </ul>`
          : !items.length
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
              </ul>`
    }`;
}

export function Talk({ id }) {
  const talk = talks.value[id],
    waiting = outbox.value.filter((one) => one.about.talk === id),
    end = useRef(),
    area = useRef(),
    kept = 'hitode.kept.draft.talk.' + id,
    [text, setText] = useState(localStorage.getItem(kept) ?? '');
  const name = talk?.poster_name ?? conversations.value?.find((one) => one.id === id)?.poster_name ?? '';
  useEffect(() => {
    loadTalk(id).catch(() => {});
  }, [id]);
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
  const photos = chosen.value[id] ?? [],
    preparing = photos.some((one) => !one.blob),
    ready = !preparing && (text.trim() || photos.length);
  const submit = (event) => {
    event?.preventDefault();
    area.current.focus();
    if (!ready) return;
    const added = takeAll(id),
      standard = added.some((one) => one.blob.type.startsWith('image/')) ? 'photosText' : 'filesText',
      content = text.trim() || t(standard);
    put('');
    say(id, content, added).catch((error) => {
      if (error.kind === 'invalid' && !added.length) put(content);
    });
  };
  const paste = (event) => {
    if (!event.clipboardData.files.length) return;
    event.preventDefault();
    choose(id, event.clipboardData.files);
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
    <div class="messages" ref=${end} role="log" aria-label=${t('talk')} tabindex="0">
      ${
        !talk
          ? trouble.value.talk
            ? html`<${Broken} error=${trouble.value.talk} again=${() => loadTalk(id).catch(() => {})} />`
            : html`<span class="skeleton bubble-ghost"></span><span class="skeleton bubble-ghost mine"></span>`
          : talk.messages.map((one) => {
              const date = dayOf(one.created_at),
                head = date !== day;
              day = date;
              const mine = one.sender_type === 'human',
                parts = partsOf(one, files.value[id]);
              return html`${head && html`<p key=${'day' + one.id} class="day">${date}</p>`}
                <div key=${one.id} class=${`message ${mine ? 'mine' : ''}`}>
                  <span class="hidden">${mine ? t('you') : name}</span>
                  <div class="said-with">
                    <p class="bubble" lang=${languageOf(parts.text)}>${parts.text}</p>
                    ${parts.files.length > 0 && html`<${Files} files=${parts.files} />`}
                  </div>
                  <time class="stamp number" datetime=${one.created_at + 'Z'}>${timeOf(one.created_at)}</time>
                </div>`;
            })
      }
      ${waiting.map((one) => html`<${Unsent} key=${one.key} one=${one} id=${id} />`)}
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

const faults = {
  too_large: 'tooLarge',
  media_type: 'wrongType',
  unreadable_file: 'wrongType',
  invalid: 'wrongType',
  quota: 'fileQuota',
  long_message: 'tooLong',
  lost_file: 'lostFile',
};
function Unsent({ one, id }) {
  const again = () =>
    deliver(one.key).then(
      () => loadTalk(id),
      () => {},
    );
  const part = progress.value[one.key];
  return html`<div class="message mine unsent">
    <div class="said-with">
      <p class="bubble">${one.body.content}</p>
      ${one.files && html`<${Waiting} files=${one.files} />`}
      ${one.state === 'failed' && html`<p class="fault-all small" role="alert"><${Icon} name="alert" />${t(faults[one.fault] ?? 'failed', { n: worker.bounds.create_message.content.max })}</p>`}
      <span class="stamp row">
        ${
          one.state === 'sending'
            ? html`${t('sending')}${part !== undefined && html`<progress value=${part} aria-label=${t('sending')}></progress>`}`
            : one.state === 'waiting' && line.value === 'offline'
              ? t('queued')
              : html`<button class="link" onClick=${again}>
                    <${Icon} name="refresh" />${one.state === 'waiting' && t('failed') + ' · '}${t('resend')}</button
                  >${one.files && html`<button class="link" onClick=${() => drop(one.key)}><${Icon} name="trash" />${t('discard')}</button>`}`
        }
      </span>
    </div>
  </div>`;
}

// Conversations with agents.
import { html, Icon, Empty, useState, useEffect, useLayoutEffect, useRef, languageOf, isComposing } from '../shared/ui.js';
import { t, when, timeOf, dayOf } from './text.js';
import { conversations, talks, isFresh, loadConversations, loadTalk, say, trouble } from './store.js';
import { outbox, deliver } from './api.js';
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
                  const fresh = isFresh(one);
                  return html`<li key=${one.id}>
                    <a class=${`talk ${fresh ? 'fresh' : ''}`} href=${'#/talk/' + one.id} aria-current=${one.id === chosen ? 'true' : null}>
                      <span class="face" aria-hidden="true">${[...one.poster_name][0]}</span
                      ><span class="grow"
                        ><span class="row"
                          ><b class="grow clip">${one.poster_name}</b><span class="small quiet">${when(one.last_message_at)}</span></span
                        ><span class="clip quiet small" lang=${languageOf(one.last_message)}>${one.last_message}</span></span
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
  const submit = (event) => {
    event?.preventDefault();
    const content = text.trim();
    if (!content) return area.current.focus();
    put('');
    say(id, content).catch((error) => {
      if (error.kind === 'invalid') put(content);
    });
    area.current.focus();
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
              const mine = one.sender_type === 'human';
              return html`${head && html`<p key=${'day' + one.id} class="day">${date}</p>`}
                <div key=${one.id} class=${`message ${mine ? 'mine' : ''}`}>
                  <span class="hidden">${mine ? t('you') : name}</span>
                  <p class="bubble" lang=${languageOf(one.content)}>${one.content}</p>
                  <time class="stamp number" datetime=${one.created_at + 'Z'}>${timeOf(one.created_at)}</time>
                </div>`;
            })
      }
      ${waiting.map(
        (one) =>
          html`<div key=${one.key} class="message mine unsent">
            <p class="bubble">${one.body.content}</p>
            <span class="stamp"
              >${
                one.state === 'sending'
                  ? t('sending')
                  : html`<button
                      class="link"
                      onClick=${() =>
                        deliver(one.key).then(
                          () => loadTalk(id),
                          () => {},
                        )}
                    >
                      <${Icon} name="refresh" />${t('failed')} · ${t('resend')}
                    </button>`
              }</span
            >
          </div>`,
      )}
    </div>
    <form class="composer" onSubmit=${submit}>
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
      ></textarea>
      <button class="button main icon-only" aria-label=${t('send')} aria-disabled=${text.trim() ? null : 'true'}>
        <${Icon} name="send" />
      </button>
    </form>
  </div>`;
}

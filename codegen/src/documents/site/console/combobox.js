// A text field with a list of what it finds, for the keyboard and the mouse: the combobox pattern of ARIA.
import { html, Icon, isComposing, useState, useEffect, useRef } from '../shared/ui.js';
import { t } from './text.js';

const PAUSE = 180;
// How wide the list becomes at most.
const WIDTH = 480;
const NOTHING = { jobs: [], found: [] };
// What the jobs find for a text: each its options or its error, as they come. Only the last text counts, however late the answers
// to the others come.
function useFound(jobs, text, isOpen) {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    if (!isOpen) return setState(NOTHING);
    let isLast = true;
    const found = jobs.map(() => null);
    setState((before) => ({ ...before, busy: true }));
    const start = () =>
      jobs.forEach(async (job, n) => {
        const result = await job.find(text).then(
          (options) => ({ options }),
          (error) => ({ error }),
        );
        if (!isLast) return;
        found[n] = result;
        setState({ jobs, found: [...found], text, busy: found.includes(null) });
      });
    const timer = setTimeout(start, text ? PAUSE : 0);
    return () => {
      isLast = false;
      clearTimeout(timer);
    };
  }, [text, isOpen]);
  return state;
}

// `jobs` are `{ key, title, find(text) }`. An option has an `id` and a `label`. Enter chooses the option that the arrows are at. If
// they are at none, `onEnter` says whether it takes the text, and if the field is `isEager` the first option is chosen, as soon as
// all is found.
export function Combobox({ id, label, value, jobs, isReady = true, isEager = false, onText, onChoose, onEnter, onBlur, ...props }) {
  const [isOpen, open] = useState(false),
    [at, setAt] = useState(-1),
    [awaited, setAwaited] = useState(null),
    { jobs: asked, found, text, busy } = useFound(jobs, value, isOpen && isReady),
    list = useRef(),
    box = useRef(),
    // It is as wide as its texts, and stays within the window.
    isRight = box.current?.getBoundingClientRect().left > innerWidth - WIDTH;
  const groups = asked.map((job, n) => ({
      ...job,
      options: (found[n]?.options ?? []).map((option) => ({ ...option, job })),
      error: found[n]?.error,
    })),
    options = groups.flatMap((group) => group.options),
    isShown = isOpen && isReady && text !== undefined,
    active = isShown ? options[at] : undefined;
  useEffect(() => {
    setAt(-1);
  }, [value]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const close = () => {
    open(false);
    setAt(-1);
    setAwaited(null);
  };
  const choose = (option) => {
    close();
    onChoose(option);
  };
  useEffect(() => {
    if (awaited !== value || text !== value || busy) return;
    setAwaited(null);
    if (isShown && options.length) choose(options[0]);
  });
  const keys = (event) => {
    if (isComposing(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !isOpen) open(true);
    else if (step && options.length) setAt((at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length);
    else if (event.key === 'Enter' && active) choose(active);
    else if (event.key === 'Enter' && onEnter?.()) close();
    else if (event.key === 'Enter' && isEager) setAwaited(value);
    else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    } else return;
    event.preventDefault();
  };
  let n = -1;
  const row = (option) => {
    const mine = ++n;
    return html`<div
      key=${option.id}
      id=${`${id}-${mine}`}
      role="option"
      aria-selected=${String(mine === at)}
      onPointerDown=${(event) => event.preventDefault()}
      onClick=${() => choose(option)}
    >
      <span class="option-label">${option.label || '#' + option.id}</span><span class="option-id quiet small number">${option.id}</span>
    </div>`;
  };
  const failed = groups.filter((group) => group.error);
  return html`<div class="combobox" ref=${box}>
    <input
      id=${id}
      class="input"
      role="combobox"
      autocomplete="off"
      spellcheck=${false}
      aria-autocomplete="list"
      aria-expanded=${String(isShown && options.length > 0)}
      aria-controls=${isShown && options.length > 0 ? id + '-list' : null}
      aria-activedescendant=${active ? `${id}-${at}` : null}
      value=${value}
      onInput=${(event) => {
        open(true);
        onText(event.target.value);
      }}
      onClick=${() => open(true)}
      onKeyDown=${keys}
      onBlur=${() => {
        close();
        onBlur?.();
      }}
      ...${props}
    />
    ${
      isShown &&
      html`<div class=${`options ${isRight ? 'from-right' : ''}`} onPointerDown=${(event) => event.preventDefault()}>
        ${
          options.length > 0 &&
          html`<div id=${id + '-list'} role="listbox" aria-label=${label} ref=${list}>
            ${groups
              .filter((group) => group.options.length)
              .map((group) =>
                group.title
                  ? html`<div key=${group.key} role="group" aria-label=${group.title}>
                      <div class="option-title small" aria-hidden="true">${group.title}</div>
                      ${group.options.map(row)}
                    </div>`
                  : group.options.map(row),
              )}
          </div>`
        }
        ${!options.length && !failed.length && html`<p class="option-note quiet small">${t(busy ? 'searching' : 'nothingFound')}</p>`}
        ${failed.map((group) => html`<p key=${group.key} class="option-note fault"><${Icon} name="alert" />${group.title && group.title + ': '}${t('listFailed', { text: group.error.text })}</p>`)}
      </div>`
    }
    <span class="hidden" role="status"
      >${isShown && !busy ? (options.length ? t('found', { n: options.length }) : t('nothingFound')) : ''}</span
    >
  </div>`;
}

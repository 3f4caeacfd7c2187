// One field that searches all lists at once.
import { html, Icon, useState, useEffect } from '../shared/ui.js';
import { t } from './text.js';
import { readId } from './contract.js';
import { sourcesOf, find } from './find.js';
import { Combobox } from './combobox.js';
import { contract, go } from './state.js';

const ID = 'search';
export function Search() {
  const [text, setText] = useState(''),
    wanted = text.trim(),
    sources = sourcesOf(contract.value),
    isAlone = new Set(sources.map((one) => one.surface)).size < 2;
  useEffect(() => {
    const slash = (event) => {
      const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      document.getElementById(ID)?.select();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  const jobs = sources
    .filter((one) => one.list || readId(wanted))
    .map(({ surface, resource, ...source }) => ({
      key: `${surface.name} ${resource.name}`,
      title: resource.title + (isAlone ? '' : ' · ' + surface.title),
      place: { surface, resource, list: source.list },
      find: (asked) => find(contract.value, source, asked.trim()),
    }));
  const choose = ({ record, job }) => {
    setText('');
    go({ ...job.place, records: [record] });
  };
  if (!sources.length) return null;
  return html`<div class="bar" role="search" aria-label=${t('search')}>
    <label class="hidden" for=${ID}>${t('search')}</label><${Icon} name="search" /><${Combobox}
      id=${ID}
      label=${t('search')}
      placeholder=${t('searchHint')}
      aria-keyshortcuts="/"
      value=${text}
      jobs=${jobs}
      isReady=${wanted !== ''}
      onText=${setText}
      onChoose=${choose}
      isEager=${true}
    />
  </div>`;
}

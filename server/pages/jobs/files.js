// The files that messages name: which they are, their content, how they are shown and saved.
import { html, Icon, Sheet, effect, useState, useEffect, useRef, toast } from '../shared/ui.js';
import { t, sizeOf } from './text.js';
import { call, token } from './api.js';
import { keptFile } from './outbox.js';
import { withEnding } from './photos.js';

// A message ends with an empty line and one line for each of its files.
export function namedFiles(content) {
  const found = content?.match(/\n\n((?:files\/\d+\n)*files\/\d+)$/);
  return {
    text: found ? content.slice(0, found.index) : content,
    ids: found ? found[1].split('\n').map((line) => Number(line.slice(6))) : [],
  };
}
// What is shown as text, and the files. A text can look like the name of a file: what its sender has not sent here stays text.
export function partsOf({ content, sender_type }, known = {}) {
  const { text, ids } = namedFiles(content);
  const isFile = (id) => known[id]?.sender_type === sender_type;
  const rest = ids.filter((id) => !isFile(id)).map((id) => 'files/' + id);
  return { text: rest.length ? [text, '', ...rest].join('\n') : text, files: ids.filter(isFile).map((id) => known[id]) };
}

const IMAGES = ['image/jpeg', 'image/png', 'image/webp'];
const SHOWN_BYTES = 4 << 20; // a larger image is loaded when it is asked for

// --- contents: three at a time, and the last 40 stay in memory ---
const contents = new Map(); // id -> { url, users }
let loading = 0;
const queue = [];
async function inTurn(work) {
  if (loading >= 3) await new Promise((next) => queue.push(next));
  else loading += 1;
  try {
    return await work();
  } finally {
    if (queue.length) queue.shift()();
    else loading -= 1;
  }
}
// An address of the content. Only an image has its type: no browser shows another file as a page of this site.
function take(file) {
  let one = contents.get(file.id);
  if (!one) {
    one = { users: 0 };
    one.url = inTurn(() => call('GET', `/files/${file.id}`, { blob: true, quiet: true, patience: 300 })).then((blob) =>
      URL.createObjectURL(new Blob([blob], { type: isImage(file) ? file.media_type : 'application/octet-stream' })),
    );
    one.url.catch(() => contents.delete(file.id));
  }
  one.users += 1;
  contents.delete(file.id);
  contents.set(file.id, one);
  return one.url;
}
const revoke = (one) => one.url.then(URL.revokeObjectURL, () => {});
function leave(file) {
  const one = contents.get(file.id);
  if (one) one.users -= 1;
  for (const [id, old] of contents) {
    if (contents.size <= 40) break;
    if (old.users > 0) continue;
    contents.delete(id);
    revoke(old);
  }
}
effect(() => {
  if (token.value) return;
  contents.forEach(revoke);
  contents.clear();
});

// --- how they look ---
const isImage = ({ media_type }) => IMAGES.includes(media_type);
const List = ({ files, show }) =>
  files.length > 0 &&
  html`<ul class="files">
    ${files.map((file) => html`<li key=${file.kept ?? file.id}>${show(file)}</li>`)}
  </ul>`;
export const Files = ({ files }) =>
  html`<${List} files=${files.filter(isImage)} show=${(file) => html`<${Photo} file=${file} />`} />
    <${List} files=${files.filter((file) => !isImage(file))} show=${(file) => html`<${Document} file=${file} />`} />`;
const Label = ({ file, busy, note }) =>
  html`<${Icon} name=${busy ? 'clock' : 'document'} /><span
      ><span class="file-name">${file.name}</span><span class="small">${sizeOf(file.bytes)}${note}</span></span
    >`;

function Photo({ file }) {
  const place = useRef(),
    [wanted, setWanted] = useState(false),
    [url, setUrl] = useState(null),
    [broken, setBroken] = useState(false),
    [open, setOpen] = useState(false);
  useEffect(() => {
    if (file.bytes > SHOWN_BYTES) return;
    const watch = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setWanted(true), { rootMargin: '300px' });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (!wanted) return;
    let here = true;
    take(file).then(
      (address) => here && setUrl(address),
      () => here && fail(),
    );
    return () => {
      here = false;
      leave(file);
    };
  }, [wanted]);
  const fail = () => {
    setUrl(null);
    setBroken(true);
    setWanted(false);
    setOpen(false);
  };
  const tap = () => {
    setBroken(false);
    setWanted(true);
    setOpen(true);
  };
  return html`<button
      type="button"
      class=${`thumb ${wanted && !url ? 'skeleton' : ''}`}
      ref=${place}
      aria-label=${file.name}
      onClick=${tap}
    >
      ${
        url
          ? html`<img src=${url} alt="" onError=${fail} />`
          : html`<${Icon}
                name=${broken ? 'refresh' : 'image'}
              />${!wanted && html`<span class="small">${broken ? t('broken') : sizeOf(file.bytes)}</span>`}`
      }
    </button>
    ${open && html`<${Viewer} file=${file} url=${url} onClose=${() => setOpen(false)} />`}`;
}
const Viewer = ({ file, url, onClose }) =>
  html`<${Sheet} label=${file.name} class="viewer" onClose=${onClose}>
    <div class="row viewer-bar">
      <span class="grow"><b class="clip">${file.name}</b><span class="small quiet">${sizeOf(file.bytes)}</span></span>
      ${url && html`<a class="button icon-only" href=${url} download=${withEnding(file.name, file.media_type)} aria-label=${t('save')} title=${t('save')}><${Icon} name="download" /></a>`}
      <button class="button icon-only" aria-label=${t('close')} onClick=${onClose}><${Icon} name="close" /></button>
    </div>
    <div class="viewer-image" onClick=${(event) => event.target === event.currentTarget && onClose()}>
      ${url ? html`<img src=${url} alt=${file.name} />` : html`<span class="skeleton"></span>`}
    </div>
  </${Sheet}>`;

function Document({ file }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const link = document.createElement('a');
      link.href = await take(file);
      link.download = withEnding(file.name, file.media_type);
      link.click();
    } catch {
      toast(t('broken'), { icon: 'alert' });
    } finally {
      setBusy(false);
      // The browser reads it after the click.
      setTimeout(() => leave(file), 60000);
    }
  };
  return html`<button type="button" class="document" aria-disabled=${busy ? 'true' : null} onClick=${save}>
    <${Label} file=${file} busy=${busy} note=${' · ' + t('save')} />
  </button>`;
}

// The files of a message that waits to be sent.
export const Waiting = ({ files }) => html`<${List} files=${files} show=${(file) => html`<${WaitingFile} file=${file} />`} />`;
function WaitingFile({ file }) {
  const [url, setUrl] = useState(null);
  useEffect(() => {
    let address,
      here = true;
    keptFile(file.kept).then((blob) => {
      if (here && isImage(file) && blob) setUrl((address = URL.createObjectURL(blob)));
    });
    return () => {
      here = false;
      URL.revokeObjectURL(address);
    };
  }, []);
  return url
    ? html`<span class="thumb"><img src=${url} alt=${file.name} onError=${() => setUrl(null)} /></span>`
    : html`<span class="document"><${Label} file=${file} /></span>`;
}

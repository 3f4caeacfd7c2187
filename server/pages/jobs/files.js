// The files that messages and deliveries name. Those to come are chosen, made small, shown and removed; those that were sent
// are loaded, shown and saved.
import { html, Icon, Sheet, effect, useState, useEffect, useRef, toast, signal } from '../shared/ui.js';
import { t, sizeOf } from './text.js';
import { call, token } from './api.js';
import { keptFile } from './outbox.js';
import { worker } from './contract.js';

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
// What the headers say of a file that this worker has sent.
export const factsOf = (id) =>
  inTurn(() => call('GET', `/files/${id}`, { head: true, quiet: true })).then((headers) => ({
    id,
    sender_type: 'human',
    name: decodeURIComponent(headers.get('Content-Disposition').split("''")[1]),
    media_type: headers.get('Content-Type'),
    bytes: Number(headers.get('Content-Range').split('/')[1]),
  }));
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
      onClick=${tap}
    >
      <span class="hidden">${file.name}</span>
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

const MAX_FILES = worker.bounds.create_message.files.max;
const MAX_BYTES = 26214400;
const MAX_SIDE = 2048;
const SMALL = 1 << 20; // an image within the side and with so many bytes stays as it is
const TYPES = [...IMAGES, 'application/pdf'];

// By conversation, or 'work' and application: { serial, name, blob, url }, without a blob while it is made small.
const chosen = signal({});
const fault = signal({});
const edit = (of, id, make) => {
  of.value = { ...of.peek(), [id]: make(of.peek()[id] ?? []) };
};
const say = (id, text) => edit(fault, id, () => text);
const forget = (photos) => photos.forEach(({ url }) => url && URL.revokeObjectURL(url));
effect(() => {
  if (token.value) return;
  contents.forEach(revoke);
  contents.clear();
  forget(Object.values(chosen.peek()).flat());
  chosen.value = {};
  fault.value = {};
});

let serial = 0;
async function choose(id, list) {
  const free = MAX_FILES - (chosen.peek()[id] ?? []).length;
  say(id, list.length > free && t('tooManyFiles', { n: MAX_FILES }));
  const files = [...list].slice(0, free);
  const added = files.map((file) => ({ serial: ++serial, name: nameOf(file) }));
  edit(chosen, id, (all) => [...all, ...added]);
  // One after the other: a decoded photo takes some 50 MB.
  for (const [at, photo] of added.entries()) {
    const blob = await shrink(files[at]);
    const wrong = !TYPES.includes(blob.type) ? 'wrongType' : blob.size > MAX_BYTES && 'tooLarge';
    if (wrong) say(id, `${t(wrong)} ${photo.name}`);
    const url = !wrong && blob.type.startsWith('image/') && URL.createObjectURL(blob);
    const made = { ...photo, name: withEnding(photo.name, blob.type), blob, url };
    if (!(chosen.peek()[id] ?? []).includes(photo)) forget([made]);
    else edit(chosen, id, (all) => all.flatMap((one) => (one !== photo ? one : wrong ? [] : made)));
  }
}
// What a form does with its text and the files that are chosen for it.
export function withFiles(id, text) {
  const all = chosen.value[id] ?? [];
  return {
    busy: all.some((one) => !one.blob),
    any: text.trim() || all.length,
    take() {
      forget(all);
      edit(chosen, id, () => []);
      say(id);
      return [text.trim() || t(all.some((one) => one.blob.type.startsWith('image/')) ? 'photosText' : 'filesText'), all];
    },
    paste(event) {
      if (!event.clipboardData.files.length) return;
      event.preventDefault();
      choose(id, event.clipboardData.files);
    },
  };
}

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Cc}/gu; // the server refuses what turns the order of letters
const nameOf = (file) => [...file.name.replace(BIDI, '').trim()].slice(-100).join('') || 'photo';

// A smaller image, if it is one that can be decoded and this makes it smaller. The browser turns it upright.
async function shrink(file) {
  if (!file.type.startsWith('image/')) return file;
  let image;
  try {
    image = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    return file;
  }
  const scale = Math.min(1, MAX_SIDE / Math.max(image.width, image.height));
  if (scale === 1 && file.size <= SMALL && TYPES.includes(file.type)) return file;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const area = canvas.getContext('2d', { alpha: false });
  area.fillStyle = '#fff';
  area.fillRect(0, 0, canvas.width, canvas.height);
  area.imageSmoothingQuality = 'high';
  area.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const small = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.85));
  canvas.width = 0; // gives the memory back at once
  return small && (small.size < file.size || !TYPES.includes(file.type)) ? small : file;
}

// A file is never saved under a name that says another type than the one that it has.
export function withEnding(name, type) {
  const ending = '.' + ({ 'image/jpeg': 'jpg', 'text/plain': 'txt' }[type] ?? type.split('/')[1]);
  return name.toLowerCase().replace(/jpeg$/, 'jpg').endsWith(ending) ? name : name + ending;
}

export function Attach({ id, wide }) {
  const input = useRef();
  return html`<input
      type="file"
      hidden
      ref=${input}
      multiple
      accept=${TYPES.join()}
      onChange=${(event) => {
        choose(id, event.target.files);
        event.target.value = '';
      }}
    /><button
      type="button"
      class=${`button ${wide ? 'wide' : 'plain icon-only'}`}
      title=${t('attach')}
      onClick=${() => input.current.click()}
    >
      <${Icon} name="camera" /><span class=${wide ? '' : 'hidden'}>${t('attach')}</span>
    </button>`;
}
export function Tray({ id, after }) {
  const all = chosen.value[id] ?? [],
    wrong = fault.value[id];
  return html`<div class="tray" role="group" aria-label=${t('attached')} hidden=${!all.length && !wrong}>
    ${
      all.length > 0 &&
      html`<ul class="photos">
        ${all.map(
          (photo) =>
            html`<li key=${photo.serial} class=${`photo ${photo.blob ? '' : 'skeleton'}`}>
              ${
                photo.url
                  ? html`<img src=${photo.url} alt=${photo.name} />`
                  : html`<span class="document"
                      >${photo.blob && html`<${Icon} name="document" />`}<span class="small clip">${photo.name}</span></span
                    >`
              }
              <button
                type="button"
                class="remove"
                aria-label=${t('remove', { name: photo.name })}
                onClick=${() => {
                  forget([photo]);
                  say(id);
                  edit(chosen, id, (left) => left.filter((one) => one !== photo));
                  after();
                }}
              >
                <${Icon} name="close" />
              </button>
            </li>`,
        )}
      </ul>`
    }
    <p role="alert" class=${wrong ? 'fault-all small' : 'hidden'}>${wrong && html`<${Icon} name="alert" />${wrong}`}</p>
  </div>`;
}

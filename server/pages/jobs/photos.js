// The photos and documents that are chosen for a message: made small, shown, removed.
import { html, Icon, signal, effect, useRef } from '../shared/ui.js';
import { worker } from './contract.js';
import { t } from './text.js';
import { token } from './api.js';

const MAX_FILES = worker.bounds.create_message.files.max;
const MAX_BYTES = 26214400;
const MAX_SIDE = 2048;
const SMALL = 1 << 20; // an image within the side and with so many bytes stays as it is
const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'];

// By conversation: { serial, name, blob, url }, without a blob while it is made small.
export const chosen = signal({});
const fault = signal({});
const edit = (of, id, make) => {
  of.value = { ...of.peek(), [id]: make(of.peek()[id] ?? []) };
};
const say = (id, text) => edit(fault, id, () => text);
const forget = (photos) => photos.forEach(({ url }) => url && URL.revokeObjectURL(url));
effect(() => {
  if (token.value) return;
  forget(Object.values(chosen.peek()).flat());
  chosen.value = {};
  fault.value = {};
});

let serial = 0;
export async function choose(id, list) {
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
export function takeAll(id) {
  const all = chosen.peek()[id] ?? [];
  forget(all);
  edit(chosen, id, () => []);
  say(id);
  return all;
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

export function Attach({ id }) {
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
      class="button plain icon-only"
      aria-label=${t('attach')}
      title=${t('attach')}
      onClick=${() => input.current.click()}
    >
      <${Icon} name="camera" />
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

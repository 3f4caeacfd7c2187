// The day of a worker at HITODE_URL/jobs/, in a real browser: from the link to a sent application, without a line and back, what
// comes meanwhile, lost answers, used codes, ended tokens, several tabs, under another path and without HTTPS.

const http = require('http');
const { launch } = require('./chromium.cjs');
const { DESK, PHONE, caller, day } = require('./day.cjs');

const SERVER = process.env.HITODE_URL;
const { check, open, run } = day('jobs', SERVER);

const operator = caller({ 'X-Operator-Token': process.env.HITODE_OPERATOR_TOKEN }, `${SERVER}/operator/v1`);
const newCode = async (human) => (await operator('POST', `/humans/${human}/code`)).code;

// The browser says so itself of each answer that is an error, and of each request without a line.
const REJECTED = [/answers 40[139]$/, /status of 40[139]/];
const OFFLINE = [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/];

// Sends a file as an agent; returns its id.
async function upload(key, name, type, body) {
  const headers = { 'X-API-Key': key, 'Content-Type': type };
  const sent = await fetch(`${SERVER}/api/v1/files?name=${encodeURIComponent(name)}`, { method: 'POST', headers, body });
  return (await sent.json()).data.id;
}
// What an agent gets of a file.
async function download(key, id) {
  const answer = await fetch(`${SERVER}/api/v1/files/${id}`, { headers: { 'X-API-Key': key } });
  return { type: answer.headers.get('Content-Type'), bytes: Buffer.from(await answer.arrayBuffer()) };
}
// A photo as phones take them: 12 megapixels that lie on their side, with Exif that says so, and where it was taken.
let photo;
async function photoOf(page) {
  photo ??= await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4032, 3024];
    const area = canvas.getContext('2d');
    for (let n = 0; n < 3000; n += 1) {
      area.fillStyle = `hsl(${(n * 47) % 360} 60% ${30 + (n % 50)}%)`;
      area.fillRect((n * 613) % 4032, (n * 379) % 3024, 60 + (n % 7) * 40, 60 + (n % 5) * 40);
    }
    area.fillStyle = '#f00';
    area.fillRect(0, 0, 600, 3024);
    const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.95));
    return [...new Uint8Array(await blob.arrayBuffer())];
  }).then((bytes) => withExif(Buffer.from(bytes)));
  return photo;
}
const PLACE = Buffer.from(new Uint32Array([35, 1, 0, 1, 421234, 10000]).buffer);
function withExif(jpeg) {
  const exif = Buffer.alloc(114);
  exif.write('Exif\0\0II*\0\x08\0\0\0', 'latin1');
  const entry = (at, tag, type, count, value) => {
    exif.writeUInt16LE(tag, at);
    exif.writeUInt16LE(type, at + 2);
    exif.writeUInt32LE(count, at + 4);
    exif.writeUInt32LE(value, at + 8);
  };
  exif.writeUInt16LE(2, 14);
  entry(16, 0x0112, 3, 1, 6); // orientation: a quarter to the right
  entry(28, 0x8825, 4, 1, 38); // where the GPS directory is
  exif.writeUInt16LE(2, 44);
  entry(46, 1, 2, 2, 0x4e); // N
  entry(58, 2, 5, 3, 68);
  PLACE.copy(exif, 74);
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
}
// Width and height of a JPEG, from its frame header.
function sizeOf(jpeg) {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    if ([0xc0, 0xc1, 0xc2].includes(jpeg[at + 1])) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
  }
  return [];
}
const attach = async (page, ...files) => {
  await page.locator('input[type=file]').setInputFiles(files.map(([name, mimeType, buffer]) => ({ name, mimeType, buffer })));
  await page.locator('.photo:not(.skeleton)').nth(files.length - 1).waitFor();
};
// The files that the page keeps for later, and the names of all that its service worker keeps.
const keptFiles = (page) => page.evaluate(() => new Promise((done) => {
  indexedDB.open('hitode-jobs').onsuccess = ({ target }) => {
    target.result.transaction('files').objectStore('files').getAllKeys().onsuccess = (event) => { target.result.close(); done(event.target.result.length); };
  };
}));
const cached = (page) => page.evaluate(async () => {
  const names = [];
  for (const name of await caches.keys()) names.push(...(await (await caches.open(name)).keys()).map((one) => one.url));
  return names;
});
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==', 'base64');
const NAMED = /\n\nfiles\/(\d+)$/;
const messagesOf = async (agent, id) => (await agent('GET', `/conversations/${id}`)).messages;

const signedIn = (page) => page.locator('a.card').first().waitFor();
const text = (page, words) => page.getByText(words, { exact: false }).first().waitFor();

async function apply(page, bounty, tap = (place) => page.locator(place).click()) {
  if (bounty) await page.evaluate((id) => { location.hash = `#/find/${id}`; }, bounty);
  await tap('.action .button.main');
  await tap('.sheet .chip >> nth=0');
  await tap('.sheet .button.main');
}

// A bounty of the agent's; one to which the worker has applied by hand and was accepted, as the page shows it.
const newBounty = async (agent, title) => (await agent('POST', '/bounties', { title, description: `${title}。`, budget: 30, category: 'photography' })).id;
async function accepted(page, agent, human, title) {
  const bounty = await newBounty(agent, title);
  await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
  await signedIn(page);
  await apply(page, bounty);
  await page.locator('.action a.button').waitFor();
  const [{ id }] = await agent('GET', `/bounties/${bounty}/applications`);
  await agent('PATCH', `/bounties/${bounty}/applications/${id}`, { status: 'accepted' });
  await page.locator('.action .button.main').waitFor();
  return { bounty, application: id };
}

const JOBS = {
  async 'from the link to a sent application'({ browser, agent, human }) {
    const { page, shot, close, addresses, context } = await open(browser, PHONE);
    const code = await newCode(human);
    await page.goto(`${SERVER}/jobs#${code}`);
    await signedIn(page);
    await shot('find');
    const kept = await page.evaluate(() => localStorage.getItem('hitode.worker-token'));
    check('link', /^htw_[0-9A-Za-z]{40}$/.test(kept), `the kept token is ${kept}`);
    check('link', page.url() === `${SERVER}/jobs/#/find`, `the address is ${page.url()}`);
    const asked = addresses.filter((address) => address.includes('htw_') || (address.includes(code) && !address.endsWith(`/jobs#${code}`) && !address.endsWith(`/jobs/#${code}`)));
    check('link', asked.length === 0, `a secret is in the addresses ${asked}`);
    const cdp = await context.newCDPSession(page);
    const { entries } = await cdp.send('Page.getNavigationHistory');
    check('link', !entries.some((entry) => entry.url.includes('htw_')), 'the token is in the history');

    let taps = 0;
    const tap = async (place) => { taps += 1; await page.locator(place).tap(); };
    await tap('a.card >> nth=0');
    const id = Number(page.url().match(/find\/(\d+)$/)?.[1]);
    await shot('bounty');
    await apply(page, null, tap);
    await page.locator('.toast').waitFor();
    await shot('applied');
    check('apply', taps === 4, `it takes ${taps} taps`);
    await page.locator('.action a.button').waitFor();
    const sent = await agent('GET', `/bounties/${id}/applications`);
    check('apply', sent.length === 1 && sent[0].user_id === human, `the applications are ${JSON.stringify(sent)}`);
    await close('link');
  },

  async 'a search by words in an order'({ browser, agent, human }) {
    const { page, close, read } = await open(browser, PHONE);
    const ids = {};
    for (const [title, budget, deadline] of [['灯台の写真 A', 20, '2031-01-02'], ['灯台の写真 B', 90, null], ['灯台の写真 C', 40, '2031-01-01']])
      ids[title.at(-1)] = (await agent('POST', '/bounties', { title, description: title, budget, deadline, category: 'photography' })).id;
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    const cards = (wanted) =>
      page.waitForFunction((all) => [...document.querySelectorAll('.cards .card-title')].map((one) => one.innerText.at(-1)).join('') === all, wanted);
    await page.locator('#words').fill('灯台 写真');
    await cards('CBA');
    await page.locator('#order').selectOption('pay');
    await cards('BCA');
    await page.locator('#order').selectOption('deadline');
    await cards('CAB');
    await read('search');
    // Categories are counted by the words and without the chosen one.
    const chips = (wanted) => page.waitForFunction((all) => [...document.querySelectorAll('.chip:has(.number)')].map((one) => one.innerText.replace(/\s+/, ' ')).join() === all, wanted);
    await chips('撮影 3');
    await page.locator('.chip:has(.number)').tap();
    await cards('CAB');
    await page.locator('#words').fill('灯台 B');
    await chips('撮影 1');
    await page.locator('.chip:has(.number)').tap();
    await page.locator('#words').fill('灯台 写真');
    await chips('撮影 3');
    await cards('CAB');
    // The address has all of it.
    check('search', /#\/find\?q=.*&sort=deadline$/.test(page.url()), `the address is ${page.url()}`);
    await page.reload();
    await cards('CAB');
    check('search', await page.locator('#words').inputValue() === '灯台 写真', 'the words are gone');
    // A chip that is tapped while words are awaited stays.
    await page.locator('#words').fill('灯台');
    await page.locator('.chips .chip >> nth=0').tap();
    await page.waitForTimeout(600);
    check('search', await page.locator('.chips .chip >> nth=0').getAttribute('aria-pressed') === 'true', 'the chip is off again');
    for (const id of [ids.A, ids.B]) {
      await page.evaluate((to) => { location.hash = `#/find/${to}`; }, id);
      await apply(page);
      await page.locator('.action a.button').waitFor();
    }
    await page.evaluate(() => { location.hash = '#/applied'; });
    await page.waitForFunction(() => /B[^]*A/.test([...document.querySelectorAll('.card-title')].map((one) => one.innerText.at(-1)).join(' ')));
    await page.reload();
    await page.waitForFunction(() => /^B A/.test([...document.querySelectorAll('.card-title')].map((one) => one.innerText.at(-1)).join(' ')));
    await close('search');
  },

  async 'a lost answer'({ browser, human }) {
    const { page, close } = await open(browser, PHONE, [...OFFLINE]);
    let lost = 0;
    await page.route('**/join/v1/session', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await page.locator('.fault').waitFor();
    // Even if the page was closed meanwhile.
    await page.reload();
    await signedIn(page);
    check('lost answer', lost === 2, `the code was sent ${lost} times`);
    await close('lost answer');
  },

  async 'codes that are wrong, typed or used'({ browser, human }) {
    const { page, close, shot } = await open(browser, PHONE, REJECTED);
    const code = await newCode(human);
    await page.goto(`${SERVER}/jobs/#${code.slice(0, -1)}U`);
    await page.locator('.fault').waitFor();
    await shot('wrong-code');
    // As it is typed on a phone, with what a messenger put around it.
    await page.locator('input').fill(`  https://example.com/jobs/#${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o')} `);
    await page.locator('button.main').tap();
    await signedIn(page);
    const other = await open(browser, DESK, REJECTED);
    await other.page.goto(`${SERVER}/jobs/#${code}`);
    await other.page.locator('.fault').waitFor();
    await other.close('used code');
    // Who is signed in decides.
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await page.locator('.welcome .button:not(.main)').tap();
    await signedIn(page);
    await close('codes');
  },

  async 'without a line and back'({ browser, agent, human, bounties }) {
    const { page, context, close, shot } = await open(browser, PHONE, OFFLINE);
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    const id = bounties[0];
    await page.evaluate((to) => { location.hash = `#/find/${to}`; }, id);
    await page.locator('.action .button.main').waitFor();
    await context.setOffline(true);
    await apply(page);
    await page.locator('.toast').waitFor();
    await page.evaluate(() => { location.hash = '#/applied'; });
    await text(page, '送信待ち');
    await shot('offline');
    // It starts without a line, and has not forgotten.
    await page.reload();
    await text(page, '送信待ち');
    await context.setOffline(false);
    await page.waitForFunction(() => localStorage.getItem('hitode.kept.outbox') === '[]');
    const all = await agent('GET', `/bounties/${id}/applications`);
    check('offline', all.filter((one) => one.user_id === human).length === 1, `there are ${all.length} applications`);
    await close('offline');
  },

  async 'news come by themselves'({ browser, agent, human, bounties }) {
    const { page, close, shot } = await open(browser, PHONE, OFFLINE);
    const waiting = page.waitForRequest(/events\?after=\d+&wait/);
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await apply(page, bounties[1]);
    await page.locator('.action a.button').waitFor();
    await page.evaluate(() => { location.hash = '#/talk'; });
    await waiting;
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '土曜の10時に来られますか。' });
    await text(page, '土曜の10時に来られますか。');
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('#say').fill('はい、伺います。');
    await page.locator('.composer .main').tap();
    await page.locator('.message.mine:not(.unsent)').waitFor();
    await shot('talk');
    const { messages } = await agent('GET', `/conversations/${id}`);
    check('talk', messages.at(-1).content === 'はい、伺います。', 'the answer is not there');
    const [mine] = (await agent('GET', `/bounties/${bounties[1]}/applications`)).filter((one) => one.user_id === human);
    await agent('PATCH', `/bounties/${bounties[1]}/applications/${mine.id}`, { status: 'accepted' });
    await text(page, '応募が採用されました');
    await page.evaluate(() => { location.hash = '#/applied'; });
    await text(page, '採用');
    await shot('decided');
    await close('news');
  },

  async 'a conversation shows its bounty'({ browser, agent, human, bounties }) {
    const { page, shot, close } = await open(browser, PHONE, [/404/]);
    // A worker who has applied reads a hidden one, too.
    const [seen, gone] = [bounties[0], await newBounty(agent, '消える仕事を探す')];
    const { title } = await agent('GET', `/bounties/${seen}`);
    const about = { human_id: human, message: 'この仕事はいかがですか。' };
    const { id } = await agent('POST', '/conversations', { ...about, bounty_id: seen });
    const { id: other } = await agent('POST', '/conversations', { ...about, bounty_id: gone });
    await operator('PATCH', `/bounties/${gone}`, { hidden: true });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    const missing = page.waitForResponse((answer) => answer.url().endsWith(`/bounties/${gone}`) && answer.status() === 404);
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, other);
    await missing;
    await text(page, 'この仕事はいかがですか。');
    check('about', (await page.locator('.about').count()) === 0, 'a bounty that the worker cannot read is shown');
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await text(page, `仕事: ${title}`);
    await shot('about');
    await page.locator('.about').tap();
    await page.locator('.detail h1').filter({ hasText: title }).waitFor();
    await operator('PATCH', `/bounties/${gone}`, { hidden: false });
    await close('about');
  },

  async 'a photo goes to the agent'({ browser, agent, key, human }) {
    const { page, close, shot, addresses } = await open(browser, PHONE);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '店の前の写真を送ってください。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.message').waitFor();
    await attach(page, ['IMG_0001.JPG', 'image/jpeg', await photoOf(page)], ['dot.png', 'image/png', PNG], ['見積もり.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n%%EOF\n')]);
    await shot('tray');
    await page.locator('.photo .remove').nth(1).tap();
    check('photo', await page.locator('.photo').count() === 2, 'the removed one stays');
    await page.locator('.composer .main').tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    await shot('photo');
    check('photo', await page.locator('.photo').count() === 0, 'the photos stay in the tray');
    const said = (await messagesOf(agent, id)).at(-1).content;
    const ids = said.match(/^写真を送ります\n\nfiles\/(\d+)\nfiles\/(\d+)$/)?.slice(1).map(Number) ?? [];
    check('photo', ids.length === 2, `the message is ${said}`);
    const { type, bytes } = await download(key, ids[0]);
    check('photo', type === 'image/jpeg' && bytes.length < 1_000_000, `the agent gets ${bytes.length} bytes of ${type}`);
    check('photo', sizeOf(bytes).join() === '1536,2048', `its size is ${sizeOf(bytes)}`);
    check('photo', !bytes.includes(PLACE) && photo.includes(PLACE), 'the place of the photo was sent');
    const names = (await agent('GET', `/conversations/${id}/files`)).map((file) => file.name).sort();
    check('photo', names.join() === 'IMG_0001.JPG,見積もり.pdf', `the names are ${names}`);
    await text(page, '見積もり.pdf');
    check('photo', await page.getByText('files/').count() === 0, 'the names of the files are shown as text');

    await page.locator('.thumb').tap();
    await page.locator('.viewer img').waitFor();
    await shot('viewer');
    const saving = page.waitForEvent('download');
    await page.locator('.viewer a').tap();
    check('photo', (await saving).suggestedFilename() === 'IMG_0001.JPG', 'it is saved under another name');
    await page.keyboard.press('Escape');
    await page.locator('.viewer').waitFor({ state: 'detached' });
    check('photo', !addresses.some((one) => one.includes('htw_')), 'a token is in an address');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    const kept = (await cached(page)).filter((one) => !one.startsWith(`${SERVER}/jobs/`));
    check('photo', kept.length === 0, `the browser keeps ${kept}`);
    check('photo', await keptFiles(page) === 0, 'what was sent is kept');
    await close('photo');
  },

  async 'files of the agent'({ browser, agent, key, human }) {
    const { page, close, shot } = await open(browser, DESK);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: 'In files/1 and\n\nfiles/2 is text.' });
    const files = [await upload(key, 'plan.png', 'image/png', PNG), await upload(key, 'list.html', 'text/plain', '<script>alert(1)</script>')];
    await agent('POST', `/conversations/${id}/messages`, { content: 'The plan', files });
    await agent('POST', `/conversations/${id}/messages`, { content: 'Not there\n\nfiles/999999' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.thumb img').waitFor();
    await shot('files');
    const bubbles = await page.locator('.bubble').allTextContents();
    const wanted = ['In files/1 and\n\nfiles/2 is text.', 'The plan', 'Not there\n\nfiles/999999'];
    check('files', JSON.stringify(bubbles) === JSON.stringify(wanted), `the texts are ${JSON.stringify(bubbles)}`);
    const saving = page.waitForEvent('download');
    await page.locator('button.document').click();
    const saved = await saving;
    check('files', saved.suggestedFilename() === 'list.html.txt', `it is saved as ${saved.suggestedFilename()}`);
    // By keys alone, and one that comes while the conversation is open.
    await page.locator('.thumb').focus();
    await page.keyboard.press('Enter');
    await page.locator('.viewer img').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement.classList.contains('thumb'));
    await agent('POST', `/conversations/${id}/messages`, { content: 'One more', files: [await upload(key, 'more.png', 'image/png', PNG)] });
    await page.locator('.thumb img').nth(1).waitFor();
    await close('files');
  },

  async 'photos without a line and back'({ browser, agent, human }) {
    const { page, context, close, shot } = await open(browser, PHONE, OFFLINE);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '棚の写真もお願いします。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.message').waitFor();
    await context.setOffline(true);
    await attach(page, ['shelf.jpg', 'image/jpeg', await photoOf(page)]);
    await page.locator('#say').fill('棚です。');
    await page.locator('.composer .main').tap();
    await text(page, '電波が戻ったら送ります');
    await page.locator('.unsent .thumb img').waitFor();
    await shot('photo-offline');
    // It starts without a line, and has not forgotten.
    await page.reload();
    await page.locator('.unsent .thumb img').waitFor();
    check('offline photo', await keptFiles(page) === 1, 'the photo is not kept');
    await context.setOffline(false);
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    const mine = (await messagesOf(agent, id)).filter((one) => one.sender_type === 'human');
    check('offline photo', mine.length === 1 && NAMED.test(mine[0].content), JSON.stringify(mine));
    // After signing out nothing stays.
    await context.setOffline(true);
    await attach(page, ['shelf.jpg', 'image/jpeg', await photoOf(page)]);
    await page.locator('.composer .main').tap();
    await text(page, '電波が戻ったら送ります');
    await attach(page, ['shelf.jpg', 'image/jpeg', await photoOf(page)]);
    await page.evaluate(() => { location.hash = '#/me'; });
    await page.locator('.button.danger').tap();
    await page.locator('.sheet .button.danger').tap();
    await page.locator('.welcome').waitFor();
    await page.waitForTimeout(300);
    check('offline photo', await keptFiles(page) === 0, 'the photo stays after signing out');
    const left = await page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('hitode.kept.')));
    check('offline photo', left.length === 0, `${left} stays after signing out`);
    await context.setOffline(false);
    await close('offline photo');
  },

  async 'lost answers of photos'({ browser, agent, human }) {
    const { page, close } = await open(browser, PHONE, OFFLINE);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '領収書もお願いします。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.message').waitFor();
    const answers = { files: [], messages: [] };
    const lose = (what) => async (route) => {
      const answer = await route.fetch();
      answers[what].push((await answer.json()).data.id);
      if (answers[what].length <= 3) await route.abort();
      else await route.fulfill({ response: answer });
    };
    await page.route('**/worker/v1/files?*', lose('files'));
    await page.route(`**/worker/v1/conversations/${id}/messages`, lose('messages'));
    await attach(page, ['receipt.jpg', 'image/jpeg', await photoOf(page)]);
    await page.locator('.composer .main').tap();
    // After three attempts it waits; so does the message.
    for (let n = 0; n < 2; n += 1) await page.locator('.unsent .link').first().tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    for (const [what, ids] of Object.entries(answers)) check('lost photo', ids.length === 4 && new Set(ids).size === 1, `the ${what} are ${ids}`);
    const mine = (await messagesOf(agent, id)).filter((one) => one.sender_type === 'human');
    check('lost photo', mine.length === 1, `there are ${mine.length} messages`);
    await close('lost photo');
  },

  async 'one photo of two tabs'({ browser, agent, human }) {
    const { page, context, close } = await open(browser, PHONE, OFFLINE);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '入口もお願いします。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(`${SERVER}/jobs/#/talk/${id}`);
      await tab.locator('.message').waitFor();
    }
    await context.setOffline(true);
    await attach(page, ['door.jpg', 'image/jpeg', await photoOf(page)]);
    await page.locator('.composer .main').tap();
    await other.locator('.unsent').waitFor();
    await other.locator('#say').fill('入口です。');
    await other.locator('.composer .main').tap();
    await page.locator('.unsent').nth(1).waitFor();
    await context.setOffline(false);
    for (const tab of [page, other]) {
      await tab.locator('.message.mine .thumb img').waitFor();
      await tab.locator('.unsent').first().waitFor({ state: 'detached' });
    }
    const mine = (await messagesOf(agent, id)).filter((one) => one.sender_type === 'human').map((one) => one.content.replace(NAMED, ''));
    check('two tabs', mine.sort().join() === '入口です。,写真を送ります', `the messages are ${mine}`);
    await close('two tabs');
  },

  // The file of a message whose answer was lost is deleted after a day.
  async 'a photo that waited for days'({ browser, agent, human }) {
    const { page, close } = await open(browser, PHONE, [...OFFLINE, /answers 400$/, /status of 400/]);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '屋根もお願いします。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.goto(`${SERVER}/jobs/#/talk/${id}`);
    await page.locator('.message').waitFor();
    const messages = `**/worker/v1/conversations/${id}/messages`;
    await page.route(messages, (route) => route.abort());
    await attach(page, ['roof.png', 'image/png', PNG]);
    await page.locator('.composer .main').tap();
    await page.locator('.unsent .link').first().waitFor();
    const [token, file] = await page.evaluate(() => [localStorage.getItem('hitode.worker-token'), JSON.parse(localStorage.getItem('hitode.kept.outbox'))[0].files[0].id]);
    await fetch(`${SERVER}/worker/v1/files/${file}`, { method: 'DELETE', headers: { 'X-Worker-Token': token } });
    await page.unroute(messages);
    await page.locator('.unsent .link').first().tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    // A message that was sent, but whose key the server has forgotten.
    let sent = 0;
    await page.route(messages, async (route) => {
      if (sent++ > 0) return route.fulfill({ status: 400, headers: { 'X-Error-Code': 'unknown_file' }, json: { success: false, error: '' } });
      await route.fetch();
      await route.abort();
    });
    await attach(page, ['roof.png', 'image/png', PNG]);
    await page.locator('.composer .main').tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').nth(1).waitFor();
    await page.locator('.unsent').waitFor({ state: 'detached' });
    const mine = (await messagesOf(agent, id)).filter((one) => one.sender_type === 'human');
    check('days', mine.length === 2 && sent === 2, `there are ${mine.length} messages after ${sent} requests`);
    await close('days');
  },

  async 'photos that are refused'({ browser, agent, human }) {
    const { page, close, shot } = await open(browser, PHONE, [/answers 40[03]$/, /status of 40[03]/]);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '写真を待っています。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.message').waitFor();
    const input = page.locator('input[type=file]');
    await input.setInputFiles([{ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') }]);
    await text(page, '写真（JPEG・PNG・WebP）とPDFだけ');
    await input.setInputFiles([{ name: 'long.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(26214401) }]);
    await text(page, 'ファイルが大きすぎます');
    await input.setInputFiles(Array.from({ length: 11 }, (_, n) => ({ name: `${n}.png`, mimeType: 'image/png', buffer: PNG })));
    await text(page, '10件まで');
    check('refused', await page.locator('.photo').count() === 10, 'it takes more than ten');
    for (let n = 0; n < 10; n += 1) await page.locator('.photo .remove').first().tap();
    // The server has the last word. What it refuses stays, and can be sent again or discarded.
    await attach(page, ['broken.jpg', 'image/jpeg', Buffer.from('no image')]);
    await page.locator('.composer .main').tap();
    await page.locator('.unsent .fault-all').waitFor();
    await shot('refused');
    await page.locator('.unsent .link').nth(1).tap();
    await page.locator('.unsent').waitFor({ state: 'detached' });
    await page.route('**/worker/v1/files?*', (route) => route.fulfill({ status: 403, headers: { 'X-Error-Code': 'quota' }, json: { success: false, error: 'at most 1 bytes of files a day are allowed' } }));
    await attach(page, ['dot.png', 'image/png', PNG]);
    await page.locator('.composer .main').tap();
    await text(page, '上限に達しました');
    await page.unroute('**/worker/v1/files?*');
    await page.locator('.unsent .link').first().tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    await close('refused');
  },

  async 'an application is withdrawn'({ browser, agent, human }) {
    const { page, close, shot, read } = await open(browser, { ...PHONE, bypassCSP: true }, [...OFFLINE, /answers 40[049]$/, /status of 40[049]/]);
    await page.route('**/worker/v1/events?*', (route) => route.abort());
    const [first, second] = [await newBounty(agent, '花壇の写真を撮る'), await newBounty(agent, '看板の写真を撮る')];
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await apply(page, first);
    await page.locator('.detail .button.danger').tap();
    await text(page, 'もう応募できません');
    await read('withdraw');
    await page.locator('.sheet .button.danger').tap();
    await text(page, '応募を取り下げました');
    await page.locator('.action p').waitFor();
    await shot('withdrawn');
    const left = await agent('GET', `/bounties/${first}/applications`);
    check('withdraw', left.length === 0, `the applications are ${JSON.stringify(left)}`);
    // Another device does not know it until it tries.
    await page.evaluate(() => localStorage.removeItem('hitode.kept.withdrawn'));
    await page.reload();
    await apply(page);
    await page.locator('.action p').waitFor();
    // The owner decides meanwhile.
    await apply(page, second);
    await page.locator('.detail .button.danger').waitFor();
    const [{ id }] = await agent('GET', `/bounties/${second}/applications`);
    await agent('PATCH', `/bounties/${second}/applications/${id}`, { status: 'accepted' });
    await page.locator('.detail .button.danger').tap();
    await page.locator('.sheet .button.danger').tap();
    await text(page, 'すでに返事が届いたので');
    await page.locator('.action .button.main').waitFor();
    // The answer is lost.
    let lost = 0;
    const third = await newBounty(agent, '掲示板の写真を撮る');
    await apply(page, third);
    await page.route('**/worker/v1/applications/*', async (route) => {
      await route.fetch();
      if (lost++ > 0) return route.continue();
      await route.abort();
    });
    await page.locator('.detail .button.danger').tap();
    await page.locator('.sheet .button.danger').tap();
    await page.locator('.action p').waitFor();
    check('withdraw', lost === 2, `it was sent ${lost} times`);
    await close('withdraw');
  },

  async 'work is delivered with a photo'({ browser, agent, key, human }) {
    const { page, context, close, shot, read } = await open(browser, { ...PHONE, bypassCSP: true }, [...OFFLINE, /answers 400$/, /status of 400/]);
    const { bounty, application } = await accepted(page, agent, human, '噴水の写真を撮る');
    await page.locator('.action .button.main').tap();
    await page.locator('.sheet .button.main').tap();
    await page.locator('.sheet .fault').waitFor();
    await attach(page, ['IMG_0002.JPG', 'image/jpeg', await photoOf(page)], ['領収書.pdf', 'application/pdf', Buffer.from('%PDF-1.4\n%%EOF\n')]);
    await page.locator('#write').fill('噴水です。\n晴れていました。');
    await read('deliver');
    await page.locator('.sheet .button.main').tap();
    await page.locator('.sent .message:not(.unsent) .thumb img').waitFor();
    await text(page, '領収書.pdf');
    await read('delivered');
    check('deliver', await page.getByText('files/').count() === 0, 'the names of the files are shown as text');
    const delivered = () => agent('GET', `/bounties/${bounty}/applications/${application}/deliveries`);
    const [{ message }] = await delivered();
    const ids = message.match(/^噴水です。\n晴れていました。\n\nfiles\/(\d+)\nfiles\/(\d+)$/)?.slice(1) ?? [];
    check('deliver', ids.length === 2, `the delivery is ${message}`);
    const { type, bytes } = await download(key, ids[0]);
    check('deliver', type === 'image/jpeg' && sizeOf(bytes).join() === '1536,2048' && !bytes.includes(PLACE), `the agent gets ${sizeOf(bytes)} of ${type}`);
    // The next one waits for a line, without its text, and its first answers are lost.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
    await context.setOffline(true);
    await page.locator('.action .button.main').tap();
    check('deliver', await page.locator('#write').inputValue() === '', 'the former text is there again');
    await attach(page, ['dot.png', 'image/png', PNG]);
    await page.locator('.sheet .button.main').tap();
    await page.locator('.unsent .thumb img').waitFor();
    await text(page, '電波が戻ったら送ります');
    await page.reload();
    await page.locator('.unsent .thumb img').waitFor();
    await shot('deliver-offline');
    const answers = [];
    await page.route(`**/worker/v1/applications/${application}/deliveries`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const answer = await route.fetch();
      answers.push((await answer.json()).data.id);
      if (answers.length <= 2) await route.abort();
      else await route.fulfill({ response: answer });
    });
    await context.setOffline(false);
    await page.locator('.unsent').waitFor({ state: 'detached' });
    await page.locator('.sent .thumb img').nth(1).waitFor();
    check('deliver', answers.length === 3 && new Set(answers).size === 1, `the answers are ${answers}`);
    const all = await delivered();
    check('deliver', all.length === 2 && /^写真を送ります\n\nfiles\/\d+$/.test(all[0].message), JSON.stringify(all));
    check('deliver', await keptFiles(page) === 0, 'what was sent is kept');
    // A delivery that was sent, but whose key the server has forgotten.
    let sent = 0;
    await page.unroute(`**/worker/v1/applications/${application}/deliveries`);
    await page.route(`**/worker/v1/applications/${application}/deliveries`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      if (sent++ > 0) return route.fulfill({ status: 400, headers: { 'X-Error-Code': 'unknown_file' }, json: { success: false, error: '' } });
      await route.fetch();
      await route.abort();
    });
    await page.locator('.action .button.main').tap();
    await attach(page, ['dot.png', 'image/png', PNG]);
    await page.locator('.sheet .button.main').tap();
    await page.locator('.sent .message:not(.unsent) .thumb img').nth(2).waitFor();
    check('deliver', sent === 2 && (await delivered()).length === 3, `it was sent ${sent} times`);
    await page.evaluate(() => { location.hash = '#/applied'; });
    await text(page, '納品 3件');
    await shot('delivered-list');
    await close('deliver');
  },

  async 'reviews of the work'({ browser, agent, human }) {
    const { page, close, read } = await open(browser, { ...PHONE, bypassCSP: true }, OFFLINE);
    const waiting = page.waitForRequest(/events\?after=\d+&wait/);
    const { bounty, application } = await accepted(page, agent, human, '橋の写真を撮る');
    await waiting;
    await agent('PATCH', `/bounties/${bounty}`, { status: 'completed' });
    const before = await operator('GET', `/humans/${human}`);
    await agent('POST', `/bounties/${bounty}/applications/${application}/review`, { rating: 4, comment: 'Good photos, <b>a day early</b>' });
    await text(page, '新しい評価が届きました');
    await page.locator('.toast').last().getByRole('button').tap();
    await text(page, 'Good photos, <b>a day early</b>');
    await page.locator('.review').getByRole('img', { name: '星4（5点満点）' }).waitFor();
    const { rating, total_reviews: count } = await operator('GET', `/humans/${human}`);
    check('reviews', count === before.total_reviews + 1, `there are ${count} reviews`);
    await text(page, `★ ${rating}`);
    await text(page, `${count}件の評価`);
    await page.locator('.toast').waitFor({ state: 'detached' });
    await page.locator('.review').scrollIntoViewIfNeeded();
    await read('reviews');
    await close('reviews');
  },

  async 'a vote'({ browser, agent, human }) {
    const { page, close, read, context } = await open(browser, PHONE, OFFLINE);
    const bounty = await newBounty(agent, '店の看板を撮る');
    const counts = async () => {
      const { upvotes, downvotes } = (await agent('GET', '/account/bounties')).find((one) => one.id === bounty);
      return `${upvotes}:${downvotes}`;
    };
    const pressed = (name, is) => page.locator(`.chip[aria-pressed=${is}]`, { hasText: name }).waitFor();
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate((id) => { location.hash = `#/find/${id}`; }, bounty);
    await page.getByRole('button', { name: '高く評価' }).tap();
    await pressed('高く評価', true);
    check('vote', await counts() === '1:0', await counts());
    // It is the worker's, not the page's.
    await page.evaluate(() => { localStorage.removeItem('hitode.kept.votes'); location.reload(); });
    await pressed('高く評価', true);
    // The answer is lost: the vote is sent again, and counts once.
    let lost = 0;
    await context.route('**/vote', async (route) => {
      if (lost++) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: '低く評価' }).tap();
    await pressed('低く評価', true);
    check('vote', await counts() === '0:1' && lost === 2, `${await counts()} after ${lost} requests`);
    await read('vote');
    await page.getByRole('button', { name: '低く評価' }).tap();
    await pressed('低く評価', false);
    check('vote', await counts() === '0:0', await counts());
    await close('vote');
  },

  async 'another worker after signing out'({ browser, agent, human, other }) {
    const { page, close } = await open(browser, PHONE, OFFLINE);
    await agent('POST', '/conversations', { human_id: human, message: '前の人への連絡です。' });
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate(() => { location.hash = '#/talk'; });
    await text(page, '前の人への連絡です。');
    await page.evaluate(() => { location.hash = '#/me'; });
    await page.locator('.button.danger').tap();
    await page.locator('.sheet .button.danger').tap();
    // What the page has in its memory stands where nothing can be loaded.
    await page.route('**/worker/v1/conversations?*', (route) => route.abort());
    await page.locator('input').fill(await newCode(other));
    await page.locator('button.main').tap();
    await page.locator('.tabs').waitFor();
    await page.evaluate(() => { location.hash = '#/talk'; });
    await text(page, '読み込めませんでした');
    check('another worker', await page.getByText('前の人への連絡です。').count() === 0, 'the page shows the former worker');
    await close('another worker');
  },

  async 'the profile'({ browser, human }) {
    const { page, close } = await open(browser, DESK, [/answers 400$/, /status of 400/]);
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await page.evaluate(() => { location.hash = '#/me'; });
    await page.locator('.switch').click();
    await page.locator('.toast').waitFor();
    await page.locator('.section .button.small').first().click();
    await page.locator('#edit-hourly_rate').fill('abc');
    await page.locator('.sheet .button.main').click();
    await page.locator('.fault').waitFor();
    await page.locator('#edit-hourly_rate').fill('３，２００');
    // Only the server finds it; the page says it in its language.
    await page.locator('#edit-headline').fill('Photographs \u202e shops');
    await page.locator('.sheet .button.main').click();
    await text(page, 'It has hidden control characters');
    await page.locator('#edit-headline').fill('Photographs shops <b>well</b>');
    await page.locator('.sheet .button.main').click();
    await text(page, 'Photographs shops <b>well</b>');
    await text(page, '¥3,200');
    const whole = await operator('GET', `/humans/${human}`);
    check('profile', whole.hourly_rate === 3200 && whole.is_available === false, JSON.stringify(whole));
    // Without a currency that the operator states there is the number.
    await page.route('**/worker/v1/service', (route) => route.fulfill({ json: { success: true, data: { currency: null } } }));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.section p.number b')?.innerText === '3,200');
    await operator('PATCH', `/humans/${human}`, { is_available: true });
    await close('profile');
  },

  async 'an ended token'({ browser, human }) {
    const { page, close, shot } = await open(browser, PHONE, REJECTED);
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    await operator('DELETE', `/humans/${human}/token`);
    await page.reload();
    await page.locator('.welcome').waitFor();
    await shot('ended');
    // A new link leads back in.
    await page.locator('input').fill(await newCode(human));
    await page.locator('button.main').tap();
    await signedIn(page);
    await close('ended');
  },

  async 'five tabs, of which one waits'({ browser, human }) {
    const { page, context, close } = await open(browser, DESK, OFFLINE);
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    const waits = new Set();
    context.on('request', (request) => { if (/events\?after=\d+&wait/.test(request.url())) waits.add(request); });
    context.on('requestfinished', (request) => waits.delete(request));
    context.on('requestfailed', (request) => waits.delete(request));
    const others = [];
    for (let tab = 0; tab < 4; tab += 1) others.push(await context.newPage());
    for (const other of others) {
      await other.goto(`${SERVER}/jobs/`);
      await signedIn(other);
    }
    check('tabs', waits.size <= 1, `${waits.size} tabs wait`);
    await close('tabs');
  },

  // A proxy that serves all of it below /work/, under another name.
  async 'below another path, and without HTTPS'({ agent, human }) {
    const { hostname, port } = new URL(SERVER);
    const proxy = http.createServer((request, response) => {
      if (!request.url.startsWith('/work/')) return response.writeHead(404).end();
      const onward = http.request({ hostname, port, path: request.url.slice(5), method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    });
    await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
    const server = `http://work.example:${proxy.address().port}`;
    const browser = await launch(['--host-resolver-rules=MAP work.example 127.0.0.1']);
    const { page, close } = await open(browser, PHONE, [...OFFLINE, /Cross-Origin-Opener-Policy header has been ignored/], server);
    await page.goto(`${server}/work/jobs#${await newCode(human)}`);
    await signedIn(page);
    check('path', !(await page.evaluate(() => isSecureContext)), 'the page is in a secure context, so this shows less than it should');
    check('path', page.url() === `${server}/work/jobs/#/find`, `the address is ${page.url()}`);
    const scope = await page.evaluate(() => fetch(document.querySelector('[rel=manifest]').href).then((answer) => answer.json()));
    check('path', scope.scope === '../../', `the scope is ${scope.scope}`);
    const { id } = await agent('POST', '/conversations', { human_id: human, message: '写真をください。' });
    await page.evaluate((to) => { location.hash = `#/talk/${to}`; }, id);
    await page.locator('.message').waitFor();
    await attach(page, ['door.jpg', 'image/jpeg', await photoOf(page)]);
    await page.locator('.composer .main').tap();
    await page.locator('.message.mine:not(.unsent) .thumb img').waitFor();
    await close('path');
    await browser.close();
    proxy.close();
  },

  // A page of another origin sends no credential of its own, and nothing that the APIs for people take.
  async 'another site'({ browser, human }) {
    const site = http.createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Other</title>'));
    await new Promise((done) => site.listen(0, '127.0.0.1', done));
    const other = `http://127.0.0.1:${site.address().port}`;
    const { page, close } = await open(browser, DESK, [/./], other);
    await page.goto(other);
    const session = { code: await newCode(human), token_digest: '0'.repeat(64) };
    const tried = await page.evaluate(async ([server, body]) => {
      const send = (path, init) => fetch(server + path, init).then((answer) => `${path}: ${answer.type} ${answer.status}`, () => 'refused');
      const json = { 'Content-Type': 'application/json' };
      return [
        await send('/worker/v1/me', { headers: { 'X-Worker-Token': 'x' } }),
        await send('/operator/v1/accounts', { headers: { 'X-Operator-Token': 'x' } }),
        await send('/join/v1/session', { method: 'POST', headers: json, body }),
        await send('/join/v1/session', { method: 'POST', mode: 'no-cors', body }),
      ];
    }, [SERVER, JSON.stringify(session)]);
    const wanted = ['refused', 'refused', 'refused', '/join/v1/session: opaque 0'];
    check('another site', JSON.stringify(tried) === JSON.stringify(wanted), `its requests were ${tried}`);
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(session) };
    const { status } = await fetch(`${SERVER}/join/v1/session`, sent);
    check('another site', status === 201, `the code was used: ${status}`);
    await close('another site');
    site.close();
  },

  async 'everybody can read it'({ browser, human, agent, key, bounties }) {
    const talk = { human_id: human, message: 'Could you go on Saturday?', bounty_id: bounties[0] };
    const { id } = await agent('POST', '/conversations', talk);
    const files = [await upload(key, 'plan.png', 'image/png', PNG), await upload(key, 'list.csv', 'text/csv', 'a,b')];
    await agent('POST', `/conversations/${id}/messages`, { content: 'The plan', files });
    const states = {
      find: ['#/find'], applied: ['#/applied'], talks: ['#/talk'], talk: [`#/talk/${id}`], viewer: [`#/talk/${id}`, '.thumb'], me: ['#/me'],
      edit: ['#/me', '.section .button.small'], leave: ['#/me', '.button.danger'],
    };
    const looks = [['phone', PHONE, 'light'], ['phone', PHONE, 'dark'], ['desk', DESK, 'light'], ['desk', DESK, 'dark']];
    for (const [name, look, colorScheme] of process.env.FULL ? looks : [looks[0], looks[3]]) {
      const { page, close, read: readAs } = await open(browser, { ...look, colorScheme, bypassCSP: true }, OFFLINE);
      const read = (state) => readAs(`${state} ${name} ${colorScheme}`);
      await page.goto(`${SERVER}/`);
      check('start', page.url() === `${SERVER}/start/`, `/ leads to ${page.url()}`);
      await read('start');
      await page.getByRole('link', { name: '仕事をする' }).click();
      await page.locator('.welcome').waitFor();
      await read('welcome');
      await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
      await signedIn(page);
      for (const [state, [hash, button]] of Object.entries(states)) {
        await page.goto(`${SERVER}/jobs/${hash}`);
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        if (button) await page.locator(button).first().click();
        await read(state);
        if (button) await page.keyboard.press('Escape');
      }
      await page.goto(`${SERVER}/jobs/#/talk/${id}`);
      await attach(page, ['dot.png', 'image/png', PNG], ['plan.pdf', 'application/pdf', Buffer.from('%PDF-1.4')]);
      await page.locator('input[type=file]').setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: PNG });
      await page.locator('.tray .fault-all').waitFor();
      await read('tray');
      await page.goto(`${SERVER}/jobs/#/find`);
      await page.locator('a.card').first().click();
      await page.locator('.action').waitFor();
      await read('bounty');
      await close(`${name} and ${colorScheme}`);
    }
  },

  // How soon it can be read is told, not judged.
  async 'what it weighs'({ browser, human }) {
    const { page, close } = await open(browser, PHONE);
    let bytes = 0;
    page.on('response', async (answer) => {
      if (!/\/jobs\//.test(answer.url())) return;
      const { responseBodySize } = await answer.request().sizes().catch(() => ({ responseBodySize: 0 }));
      if (!/icon|manifest/.test(answer.url())) bytes += responseBodySize;
    });
    const begun = Date.now();
    await page.goto(`${SERVER}/jobs/#${await newCode(human)}`);
    await signedIn(page);
    const card = Date.now() - begun;
    const paint = await page.evaluate(() => Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime));
    await page.waitForTimeout(300);
    console.log(`browser: jobs: ${bytes} bytes, first paint after ${paint} ms, first card after ${card} ms`);
    check('weight', bytes > 20_000 && bytes <= 60_000, `the page weighs ${bytes} bytes`);
    await close('weight');
  },
};

run(JOBS, async () => {
  const account = await operator('POST', '/accounts', { name: 'Errand agent', plan: 'free' });
  const agent = caller({ 'X-API-Key': account.key }, `${SERVER}/api/v1`);
  const bounties = [];
  for (const title of ['棚の写真を撮る', 'Carry a parcel', 'Check a shelf']) {
    const bounty = { title, description: `${title}。`, budget: 45, location: '京都府京都市', category: 'errand', deadline: '2099-01-02', estimated_hours: 1.5, required_skills: ['写真'] };
    bounties.push((await agent('POST', '/bounties', bounty)).id);
  }
  const [{ id: human }, { id: other }] = await operator('GET', '/humans?limit=2');
  return { agent, key: account.key, human, other, bounties };
});

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

const signedIn = (page) => page.locator('a.card').first().waitFor();
const text = (page, words) => page.getByText(words, { exact: false }).first().waitFor();

async function apply(page, bounty, tap = (place) => page.locator(place).click()) {
  if (bounty) await page.evaluate((id) => { location.hash = `#/find/${id}`; }, bounty);
  await tap('.action .button.main');
  await tap('.sheet .chip >> nth=0');
  await tap('.sheet .button.main');
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
    await page.locator('.composer .button').tap();
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

  async 'the profile'({ browser, human }) {
    const { page, close } = await open(browser, DESK);
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
    await page.locator('#edit-headline').fill('Photographs shops <b>well</b>');
    await page.locator('.sheet .button.main').click();
    await text(page, 'Photographs shops <b>well</b>');
    const whole = await operator('GET', `/humans/${human}`);
    check('profile', whole.hourly_rate === 3200 && whole.is_available === false, JSON.stringify(whole));
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
  async 'below another path, and without HTTPS'({ human }) {
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

  async 'everybody can read it'({ browser, human, agent }) {
    const { id } = await agent('POST', '/conversations', { human_id: human, message: 'Could you go on Saturday?' });
    const states = {
      find: ['#/find'], applied: ['#/applied'], talks: ['#/talk'], talk: [`#/talk/${id}`], me: ['#/me'],
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
  const [{ id: human }] = await operator('GET', '/humans?limit=1');
  return { agent, human, bounties };
});

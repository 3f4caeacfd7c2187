// The most important jobs of a worker and of the operator, and the reference page, in the Firefox of Debian: what depends on the
// browser. Playwright drives a Firefox of its own only; this one is driven by WebDriver BiDi itself.

const { spawn } = require('child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('fs');
const { tmpdir } = require('os');
const { join } = require('path');
const { caller } = require('./day.cjs');

const SERVER = process.env.HITODE_URL;
const TOKEN = process.env.HITODE_OPERATOR_TOKEN;
const PATIENCE = Number(process.env.PATIENCE ?? 120_000);
const ENTER = '\uE007';
const operator = caller({ 'X-Operator-Token': TOKEN }, `${SERVER}/operator/v1`);
const check = (holds, otherwise) => { if (!holds) throw new Error(otherwise); };

// Starts Firefox with a profile of its own, and calls `use` with the function that sends a command and with what its pages report.
async function withFirefox(use) {
  const profile = mkdtempSync(join(tmpdir(), 'hitode-firefox-'));
  const firefox = spawn(process.env.FIREFOX ?? 'firefox-esr', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']);
  const ended = new Promise((done) => firefox.once('close', done));
  try {
    const address = await new Promise((found, failed) => {
      let said = '';
      firefox.once('error', failed);
      ended.then(() => failed(new Error(`Firefox ended: ${said}`)));
      firefox.stderr.on('data', (text) => {
        said += text;
        const line = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
        if (line) found(line[1]);
      });
    });
    const socket = new WebSocket(`${address}/session`);
    await new Promise((open, failed) => { socket.onopen = open; socket.onerror = failed; });
    const waiting = new Map();
    const faults = [];
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error, message } = JSON.parse(data);
      if (method === 'log.entryAdded' && params.level === 'error') faults.push(params.text);
      const [done, failed] = waiting.get(id) ?? [];
      waiting.delete(id);
      if (error) failed?.(new Error(`${error}: ${message}`));
      else done?.(result);
    };
    let last = 0;
    const send = (method, params = {}) => new Promise((done, failed) => {
      last += 1;
      waiting.set(last, [done, failed]);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
    const { capabilities } = await send('session.new', { capabilities: {} });
    await send('session.subscribe', { events: ['log.entryAdded'] });
    await use(send, faults, capabilities.browserVersion);
    socket.close();
  } finally {
    firefox.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true });
  }
}

// A window of its own, as a person uses it: by the mouse and the keyboard.
async function openWindow(send, [width, height]) {
  const { context } = await send('browsingContext.create', { type: 'window' });
  await send('browsingContext.setViewport', { context, viewport: { width, height } });
  const evaluate = async (expression) => {
    const target = { context };
    const { result, exceptionDetails } = await send('script.evaluate', { expression, target, awaitPromise: true });
    check(!exceptionDetails, exceptionDetails?.text);
    return result.value;
  };
  // Waits until the expression has a value, and returns it.
  const until = async (expression, what) => {
    for (const begun = Date.now(); Date.now() - begun < PATIENCE; await new Promise((next) => setTimeout(next, 50))) {
      // A page that is left has no answer.
      const value = await evaluate(expression).catch(() => undefined);
      if (value) return value;
    }
    throw new Error(`there never is ${what}`);
  };
  // The first visible element of these that has the text, once it stands still.
  const middle = (selector, text = '') => until(`(async () => {
    const one = [...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility() && one.textContent.includes(${JSON.stringify(text)}));
    if (!one) return '';
    one.scrollIntoView({ block: 'center', behavior: 'instant' });
    const place = () => { const { x, y, width, height } = one.getBoundingClientRect(); return [x + width / 2, y + height / 2].map(Math.round).join(); };
    const before = place();
    await new Promise((next) => setTimeout(next, 100));
    return place() === before ? before : '';
  })()`, `${selector} ${text}`);
  const perform = (type, actions) => send('input.performActions', { context, actions: [{ type, id: type, actions }] });
  const click = async (selector, text) => {
    const [x, y] = (await middle(selector, text)).split(',').map(Number);
    const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
    await perform('pointer', [{ type: 'pointerMove', x, y }, ...press]);
  };
  const type = async (selector, text) => {
    await click(selector);
    await evaluate('document.activeElement.select?.()');
    await perform('key', [...text].flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]));
  };
  const shot = async (name) => {
    if (!process.env.SHOTS) return;
    const { data } = await send('browsingContext.captureScreenshot', { context });
    writeFileSync(`${process.env.SHOTS}/firefox-${name}.png`, data, 'base64');
  };
  const go = (path) => send('browsingContext.navigate', { context, url: SERVER + path, wait: 'interactive' });
  const close = () => send('browsingContext.close', { context });
  return { go, evaluate, middle, click, type, shot, close };
}

const PHONE = [390, 844];
const DESK = [1280, 900];

const JOBS = {
  async 'a worker signs in by a code, finds work and applies'(send) {
    const account = await operator('POST', '/accounts', { name: 'Errand agent', plan: 'free' });
    const agent = caller({ 'X-API-Key': account.key }, `${SERVER}/api/v1`);
    const { id } = await agent('POST', '/bounties', { title: 'Check a shelf in Firefox', description: 'Is there any rice?', budget: 45 });
    const [{ id: human }] = await operator('GET', '/humans?limit=1');
    const { code } = await operator('POST', `/humans/${human}/code`);
    const page = await openWindow(send, PHONE);
    await page.go(`/jobs/#${code}`);
    await page.middle('a.card');
    await page.shot('find');
    await page.click('a.card', 'Check a shelf in Firefox');
    await page.click('.action .button.main');
    await page.click('.sheet .chip');
    await page.shot('apply');
    await page.click('.sheet .button.main');
    await page.middle('.toast');
    const applications = await agent('GET', `/bounties/${id}/applications`);
    check(applications.length === 1, `the bounty has ${applications.length} applications`);
    await page.go('/jobs/#/find');
    await page.middle('a.card');
    await page.close();
  },

  async 'the operator signs in, lists workers, opens one and changes it'(send) {
    const page = await openWindow(send, DESK);
    await page.go('/console');
    await page.type('.sign-in input', TOKEN);
    await page.click('.sign-in button.main');
    await page.middle('.stat');
    await page.shot('overview');
    await page.evaluate("location.hash = '#/operator/human'");
    const [{ id, name }] = await operator('GET', '/humans?limit=1');
    await page.type('.filters input', name + ENTER);
    await page.click('tbody tr', name);
    await page.middle('.drawer .pairs');
    await page.click('.drawer .acts button', 'Update human');
    await page.type('#m-hourly_rate', '3100.25');
    await page.shot('form');
    await page.click('.sheet .button.main');
    await page.middle('.toast');
    const { hourly_rate: rate } = await operator('GET', `/humans/${id}`);
    check(rate === 3100.25, `the rate is ${rate}`);
    await page.close();
  },

  async 'a developer finds an operation in the reference'(send) {
    const page = await openWindow(send, PHONE);
    await page.go('/docs');
    await page.middle('#viewer .opblock-tag');
    await page.shot('docs');
    await page.click('.menu button', 'Find');
    await page.type('#find', 'post a bounty');
    await page.click('#index a', '/bounties');
    await page.middle('.opblock.is-open .opblock-summary');
    await page.shot('operation');
    await page.close();
  },
};

withFirefox(async (send, faults, version) => {
  for (const [name, job] of Object.entries(JOBS)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const begun = Date.now();
    await job(send).catch((fault) => faults.push(`${name}: ${fault.stack}`));
    console.log(`browser: firefox: ${name}: ${Date.now() - begun} ms`);
  }
  check(faults.length === 0, `the pages have faults in Firefox\n  ${faults.join('\n  ')}`);
  console.log(`browser: the pages do their work in Firefox ${version}`);
}).catch((fault) => {
  console.error(`browser: ${fault.message}`);
  process.exit(1);
});

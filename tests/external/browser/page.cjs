// Checks the pages that HITODE_URL and LOCKERS_URL serve at /docs: in each look all of it is there, within its width, and nothing is
// wrong in the console; it can be read by those who do not see it (axe-core). On Hitode's a key that is put in tries a call, and
// is kept nowhere.

const { readFileSync } = require('fs');
const { launch, watched } = require('./chromium.cjs');

const SERVER = process.env.HITODE_URL;
// Each with an operation that takes a body and whose answer leads to others.
const HITODE = { name: 'hitode', url: SERVER, busy: 'agent_create_bounty' };
const LOCKERS = { name: 'lockers', url: process.env.LOCKERS_URL, busy: 'courier_announce_parcel' };
const SECTIONS = ['start', 'all-operations', 'answers', 'errors', 'limits', 'states', 'decisions'];
const LOOKS = [
  ['wide', 1280, 'light'],
  ['wide', 1280, 'dark'],
  ['narrow', 390, 'light'],
  ['narrow', 390, 'dark'],
];
// Each service in bright and dark, wide and narrow; the short form leaves out what differs least.
const PAGES = process.env.FULL
  ? [HITODE, LOCKERS].flatMap((service) => LOOKS.map((look) => [service, look]))
  : [[HITODE, LOOKS[0]], [HITODE, LOOKS[3]], [LOCKERS, LOOKS[1]]];
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const faults = [];
const check = (look, holds, otherwise) => {
  if (!holds) faults.push(`${look}: ${otherwise}`);
};
const same = (left, right) => JSON.stringify(left) === JSON.stringify(right);

// Waits until it holds on the page; what never does is a fault.
async function until(look, page, holds, otherwise) {
  await page.waitForFunction(holds).catch((fault) => check(look, false, `${otherwise}: ${fault.message}`));
}

// Nothing is pointed at, and no colour is on its way to another one.
async function settle(look, page) {
  await page.mouse.move(0, 0);
  await until(look, page, () => document.getAnimations().every((one) => one.playState !== 'running'), 'it never stands still');
}

// Waits until the viewer has taken the place of the list, and says how long that took since the page was asked for.
async function opened(page, server) {
  await page.goto(`${server}/docs`);
  await page.locator('#viewer:not([hidden]) .opblock-tag').first().waitFor();
  return page.evaluate(() => Math.round(performance.now()));
}

// On a telephone groups are closed and tables are cut. All of them can be opened.
async function checkShort(look, page, name) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (name === 'wide') return;
  check(look, height < 20_000, `it is ${height} pixels long`);
  for (const closed of ['.opblock-tag[data-is-open=false]', '.cut + .more']) {
    while ((await page.locator(closed).count()) > 0) await page.locator(closed).first().click();
  }
  check(look, (await page.locator('main tbody tr:not(:visible)').count()) === 0, 'rows of tables stay hidden');
}

// The menu lists each operation, and finds some by words.
async function checkMenu(look, page, contract, name) {
  const all = Object.values(contract.paths).flatMap((item) => Object.values(item)).filter((one) => one.operationId);
  const field = page.getByLabel('Find an operation');
  check(look, (await field.isVisible()) === (name === 'wide'), 'the menu of operations is there, or is not');
  if (name === 'narrow') await page.getByRole('button', { name: 'Find' }).click();
  const links = page.locator('#index a:visible');
  check(look, (await links.count()) === all.length, `the menu has ${await links.count()} operations of ${all.length}`);
  await field.fill(`get ${all.find((one) => one.summary).summary}`);
  check(look, (await links.count()) > 0 && (await links.count()) < all.length / 2, `${await links.count()} operations are found`);
  const [operation] = await links.evaluateAll(([first]) => [first.hash.replace('#operation-', '')]);
  await links.first().click();
  await page.locator(`.opblock.is-open[id$="-${operation}"]`).waitFor();
  if (name === 'narrow') check(look, !(await field.isVisible()), 'the menu stays open');
  await page.locator('.opblock.is-open .opblock-summary-control').click();
  await page.evaluate(() => { location.hash = ''; });
}

async function checkWhole(look, page, contract) {
  const sections = await page.locator('main > section').evaluateAll((all) => all.map((one) => one.id));
  check(look, same(sections, SECTIONS), `its sections are ${sections}`);
  const led = await page.locator('nav.sections a').evaluateAll((all) => all.map((one) => one.getAttribute('href').slice(1)));
  check(look, same(led, SECTIONS), `its menu leads to ${led}`);

  const wanted = Object.entries({ ...contract.paths, ...contract.webhooks }).flatMap(([path, item]) =>
    Object.keys(item).filter((key) => !key.startsWith('x-')).map((method) => `${method.toUpperCase()} ${path}`));
  const listed = await page.locator('.opblock-summary').evaluateAll((all) => all.map((one) =>
    `${one.querySelector('.opblock-summary-method').textContent} ${one.querySelector('[data-path]').dataset.path}`));
  check(look, same(listed.sort(), wanted.sort()), `it lists the operations ${listed}, and there are ${wanted}`);

  const rows = await page.locator('#errors tbody tr').evaluateAll((all) => all.map((one) => one.id));
  const errors = contract['x-errors'].map((row) => `error-${row.name}`);
  check(look, same(rows.filter((row) => errors.includes(row)), errors), `its errors are ${rows}`);
  const tables = await page.locator('#states table').count();
  check(look, tables === Object.keys(contract['x-states']).length, `${tables} tables of states`);
}

async function checkLooks(look, page, scheme) {
  await settle(look, page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(look, wide <= 0, `it is ${wide} pixels wider than the window`);
  const lights = await page.evaluate(() => ['body', '.menu', '#viewer .opblock-tag'].map((name) => {
    const style = getComputedStyle(document.querySelector(name));
    const light = (colour) => colour.match(/[\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 765;
    return name.startsWith('#viewer') ? 1 - light(style.color) : light(style.backgroundColor);
  }));
  check(look, lights.every((light) => (light > 0.5) === (scheme === 'light')), `parts of it are as light as ${lights}`);
}

// What axe-core calls minor is not checked: the viewer has a main part of its own within the page's, and is called a group.
async function checkReading(look, page) {
  await settle(look, page);
  await page.evaluate(AXE);
  // It would load the style sheets again as inline ones, which the policy forbids.
  const found = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'], preload: false }));
  for (const one of found.violations.filter((one) => one.impact !== 'minor')) {
    check(look, false, `${one.id} (${one.impact}): ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html).join(' ')}`);
  }
}

async function checkKeyboard(look, page) {
  await page.keyboard.press('Tab');
  await until(look, page, () => document.activeElement.className === 'skip', 'the first stop of the Tab key is not the skip link');
  await page.keyboard.press('Enter');
  await until(look, page, () => document.activeElement.id === 'content', 'the skip link does not lead to the content');
  // The browser follows a link some time after the key, and would undo what else the address is set to before.
  await until(look, page, () => location.hash === '#content', 'the skip link does not change the address');
}

// An agent's key, as the operator makes one.
async function newKey() {
  const answer = await fetch(`${SERVER}/operator/v1/accounts`, {
    method: 'POST',
    headers: { 'X-Operator-Token': process.env.HITODE_OPERATOR_TOKEN, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Reader of the page', plan: 'free' }),
  });
  return (await answer.json()).data.key;
}

// What the page asks for but itself, its own files and the document: calls, of which it makes none that nobody tries.
const callsOf = (addresses) => addresses.map((address) => new URL(address)).filter(({ protocol, pathname }) =>
  protocol !== 'data:' && !/^\/(docs(\/.*)?|openapi\.json)$/.test(pathname)).map(String);

async function checkTrying(look, { page, addresses }, key, shot) {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const credential = page.locator('.auth-container', { hasText: 'X-API-Key' });
  const begun = await credential.locator('input').evaluate((one) => [one === document.activeElement,
    one.closest('.auth-container').getBoundingClientRect().top - one.closest('.modal-ux-content').getBoundingClientRect().top]);
  check(look, begun[0] && begun[1] >= 0, `Authorize begins elsewhere than at the agent's key: ${begun}`);
  await credential.locator('input').fill(key);
  await shot('authorize');
  await credential.getByRole('button', { name: /authorize|apply/i }).click();
  await page.locator('.modal-ux-header button').click();

  // By a link of the page, as who reads of an error would.
  await page.evaluate(() => { location.hash = '#operation-agent_list_humans'; });
  const operation = page.locator('.opblock.is-open');
  await operation.locator('button.execute').waitFor();
  await shot('opened');
  check(look, same(callsOf(addresses), []), `before a call is tried it makes ${callsOf(addresses)}`);
  await operation.locator('button.execute').click();
  const status = await operation.locator('.live-responses-table tbody .response-col_status').first().innerText();
  const body = await operation.locator('.live-responses-table .highlight-code code').first().innerText();
  check(look, status.trim().startsWith('200'), `the call that is tried answers ${status}`);
  check(look, JSON.parse(body).data?.length > 0, `the call that is tried shows ${body.slice(0, 200)}`);
  await operation.locator('.live-responses-table').scrollIntoViewIfNeeded();
  await shot('tried');
}

// An operation with all that one can have; what is open already stays so.
async function checkBusy(look, page, operation, shot) {
  await page.evaluate((name) => { location.hash = `#operation-${name}`; }, operation);
  const block = page.locator(`.opblock.is-open[id$="-${operation}"]`);
  await block.locator('textarea').first().waitFor();
  await shot('body');
  await block.locator('.responses-wrapper').evaluate((one) => one.scrollIntoView());
  await shot('responses');
  await block.locator('.operation-link').first().waitFor();
  const links = await block.locator('.operation-link').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
  check(look, links.every((width) => width > 180), `the links of its answer are as wide as ${links}`);
}

async function checkForgetting(look, { page, context, addresses }, key) {
  const kept = await page.evaluate(() => [location.href, document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })]);
  const known = [...addresses, ...kept, JSON.stringify(await context.storageState())];
  check(look, known.every((place) => !place.includes(key)), 'the key is kept somewhere, or stands in an address');
  await until(look, page, () => document.querySelectorAll('.authorize.locked').length === 1, 'the key that was put in is not known');
  await page.reload();
  await page.locator('#viewer:not([hidden]) .opblock-tag').first().waitFor();
  check(look, (await page.locator('.authorize.locked').count()) === 0, 'the key is known after a reload');
}

// The page of a service in a look; a call is tried where there is a key to try it with.
async function checkPage(browser, service, [name, width, scheme], key) {
  const look = `${service.name}, ${name} and ${scheme}`;
  const contract = await (await fetch(`${service.url}/openapi.json`)).json();
  const seen = await watched(browser, service.url, { viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: 'reduce' });
  const { page } = seen;
  const shot = async (part, element) => {
    if (!process.env.SHOTS) return;
    if (element) await page.locator(element).evaluate((one) => one.scrollIntoView());
    await page.screenshot({ path: `${process.env.SHOTS}/${service.name}-${name}-${scheme}-${part}.png` });
  };
  const parts = async () => {
    const time = await opened(page, service.url);
    await shot('top');
    for (const section of SECTIONS.slice(1)) await shot(section, `#${section}`);
    await checkMenu(look, page, contract, name);
    await page.goto('about:blank');
    await opened(page, service.url);
    await checkLooks(look, page, scheme);
    await checkKeyboard(look, page);
    await checkShort(look, page, name);
    await checkWhole(look, page, contract);
    if (key) await checkTrying(look, seen, key, shot);
    await checkBusy(look, page, service.busy, shot);
    const calls = callsOf(seen.addresses);
    check(look, calls.length === (key ? 1 : 0), `it makes other calls than ${key ? 'the one' : 'none'} that is tried: ${calls}`);
    await checkLooks(look, page, scheme);
    await checkReading(look, page);
    if (key) await checkForgetting(look, seen, key);
    console.log(`browser: ${look}: the viewer is there after ${time} ms`);
  };
  // A part that cannot go on is a fault, too, and is printed beside the others.
  await parts().catch((fault) => check(look, false, `${fault.stack}\n    the page was at ${page.url()}`));
  faults.push(...seen.faults.map((fault) => `${look}: ${fault}`));
  await seen.context.close();
}

// What would be wrong is seen at all: a page with a script in it, and a picture from elsewhere.
async function checkSpoiledPage(browser) {
  const { page, faults: seen, context } = await watched(browser, SERVER);
  await page.route('**/docs', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('</h1>', '</h1><script>1</script><img src="http://127.0.0.1:9/x.png" alt="">');
    await route.fulfill({ response: answer, body });
  });
  await opened(page, SERVER);
  await until('a spoilt page', page, () => window.violations === 2, 'what the policy forbids is not seen');
  const forbidden = seen.filter((fault) => fault.startsWith('the policy forbids'));
  check('a spoilt page', forbidden.length === 2, `what is wrong with it is not seen, only: ${seen.join('; ')}`);
  await context.close();
}

(async () => {
  const key = await newKey();
  const browser = await launch();
  try {
    for (const [service, look] of PAGES) await checkPage(browser, service, look, service === HITODE ? key : undefined);
    await checkSpoiledPage(browser);
  } finally {
    await browser.close();
  }
  if (faults.length > 0) {
    const text = faults.join('\n  ').replace(/\x1b\[\d*m/g, '');
    console.error(`browser: the page has faults; SHOTS=FOLDER keeps pictures of it\n  ${text}`);
    process.exit(1);
  }
  console.log('browser: the pages of both services are well in these looks');
})();

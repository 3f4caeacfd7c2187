// The console of HITODE_URL and LOCKERS_URL in a real browser: an operator's day, and whether everybody can read it.

const { DESK, PHONE, caller, day } = require('./day.cjs');

const SERVER = process.env.HITODE_URL;
const LOCKERS = process.env.LOCKERS_URL;
const REJECTED = [/answers 40[0134]$/, /status of 40[0134]/];
const { check, open, run } = day('console', SERVER);
// A text of no visible character, which only the server notices.
const INVISIBLE = '\u{e0100}';

const operator = caller({ 'X-Operator-Token': process.env.HITODE_OPERATOR_TOKEN }, `${SERVER}/operator/v1`);

async function enter(page, server = SERVER, token = process.env.HITODE_OPERATOR_TOKEN) {
  await page.goto(`${server}/console`);
  await page.locator('.sign-in input').fill(token);
  await page.locator('.sign-in button.main').click();
  await page.locator('.side').waitFor();
}
const go = (page, hash) => page.evaluate((to) => { location.hash = to; }, hash);
const row = (page, words) => page.locator('tbody tr', { hasText: words }).first();
const act = (page, name) => page.locator('.drawer .acts button', { hasText: name }).click();

const JOBS = {
  async 'signing in'({ browser }) {
    const { page, context, close, shot, addresses } = await open(browser, DESK, REJECTED);
    await page.goto(`${SERVER}/console`);
    await page.locator('.sign-in input').waitFor();
    await shot('sign-in');
    await page.locator('.sign-in input').fill('hto_wrong');
    await page.locator('.sign-in button.main').click();
    await page.locator('.fault').waitFor();
    const token = process.env.HITODE_OPERATOR_TOKEN;
    await page.locator('.sign-in input').fill(token);
    await page.locator('.sign-in button.main').click();
    await page.locator('.stat').first().waitFor();
    await shot('overview');
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie + location.href);
    check('sign in', ![...addresses, kept, JSON.stringify(await context.storageState())].some((place) => place.includes(token)), 'the token is kept beyond the tab');
    await page.reload();
    await page.locator('.side').waitFor();
    const other = await context.newPage();
    await other.goto(`${SERVER}/console`);
    await other.locator('.sign-in').waitFor();
    await page.locator('.side button', { hasText: 'Sign out' }).click();
    await page.locator('.sign-in').waitFor();
    await close('sign in');
  },

  async 'a leaked key is revoked'({ browser }) {
    const { id, key } = await operator('POST', '/accounts', { name: 'Leaky agent', plan: 'free' });
    const { page, close, shot } = await open(browser, DESK);
    await enter(page);
    await go(page, '#/operator/account');
    await page.locator('.filters input').first().fill('Leaky');
    await page.keyboard.press('Enter');
    await row(page, 'Leaky agent').click();
    await page.locator('.drawer .related tbody tr').first().waitFor();
    await shot('account');
    await page.locator('.drawer .related tbody tr').first().click();
    await act(page, /Delete/);
    await page.locator('.sheet .warning').waitFor();
    await shot('revoke');
    await page.locator('.sheet .button.danger').click();
    await page.locator('.toast').waitFor();
    const answer = await fetch(`${SERVER}/api/v1/account`, { headers: { 'X-API-Key': key } });
    check('revoke', answer.status === 401, `the key of account ${id} answers ${answer.status}`);
    await close('revoke');
  },

  async 'a worker is found, changed, suspended, and invited'({ browser, human }) {
    const { page, close, shot } = await open(browser, DESK);
    const { name } = await operator('GET', `/humans/${human}`);
    await enter(page);
    await go(page, '#/operator/human');
    await page.locator('tbody tr').first().waitFor();
    await shot('workers');
    await page.locator('.filters input').first().fill(name);
    await page.keyboard.press('Enter');
    await row(page, name).click();
    await page.locator('.drawer .pairs').waitFor();
    check('worker', (await page.locator('.drawer h2').first().innerText()) === name, 'the drawer does not have the name of the worker');
    await shot('worker');
    await act(page, 'Update human');
    await page.locator('#m-hourly_rate').fill('1,2x');
    await page.locator('.sheet .button.main').click();
    await page.locator('.fault').waitFor();
    await page.locator('#m-hourly_rate').fill('3100.25');
    await shot('form');
    await page.locator('.sheet .button.main').click();
    await page.locator('.toast').waitFor();
    check('worker', (await operator('GET', `/humans/${human}`)).hourly_rate === 3100.25, 'the rate has not changed');
    await act(page, 'Create human code');
    await page.locator('.sheet .button.main').click();
    const code = await page.locator('.secret-value').innerText();
    await shot('code');
    check('worker', new RegExp(`^${human}(-[0-9A-Z]{4}){4}$`).test(code), `the code is ${code}`);
    await page.locator('.sheet .button.main').click();
    await close('worker');
  },

  async 'a bounty is cancelled'({ browser, bounty }) {
    const { page, close, shot } = await open(browser, DESK);
    await enter(page);
    await go(page, '#/operator/bounty');
    await row(page, 'Check a shelf').click();
    await page.locator('.drawer .pairs').waitFor();
    await shot('bounty');
    await act(page, 'Update bounty');
    await page.locator('#m-status').selectOption('cancelled');
    await page.locator('.sheet .button.main').click();
    await page.locator('.toast').waitFor();
    check('bounty', (await operator('GET', `/bounties/${bounty}`)).status === 'cancelled', 'it is not cancelled');
    await close('bounty');
  },

  async 'a worker is erased, and the status has the day'({ browser }) {
    const profile = { headline: 'Cooks', bio: '', city: 'Kyoto', state: '京都府', gender: 'other', hourly_rate: 1000, skills: [] };
    const { id } = await operator('POST', '/humans', { name: 'Erika Leaves', ...profile });
    const { page, close, shot } = await open(browser, DESK);
    await enter(page);
    await go(page, '#/operator/human');
    await page.locator('.filters input').first().fill('Erika');
    await page.keyboard.press('Enter');
    await row(page, 'Erika Leaves').click();
    await act(page, 'Erase human');
    await page.locator('.sheet .warning').waitFor();
    await shot('erase');
    await page.locator('.sheet .button.danger').click();
    await page.locator('.toast').waitFor();
    check('erase', (await operator('GET', `/humans/${id}`)).name === '(deleted)', 'the name is still there');
    await go(page, '#/operator/operator');
    await page.locator('.series figure').nth(8).waitFor();
    const workers = await page.locator('.series figure', { hasText: 'Workers' }).first().innerText();
    check('status', Number(workers.replace(/\D/g, '')) > 0, `the days have ${workers}`);
    await page.locator('details summary').first().click();
    await page.locator('details[open] tbody tr').nth(13).waitFor();
    await shot('status');
    await close('erase');
  },

  async 'a fault stands at its field'({ browser }) {
    const { page, close, shot } = await open(browser, DESK, REJECTED);
    await enter(page);
    await go(page, '#/operator/human');
    await page.locator('tbody tr .last button').first().click();
    await act(page, 'Update human');
    await page.locator('#m-headline').fill(INVISIBLE);
    await page.locator('.sheet .button.main').click();
    await page.locator('#m-headline-fault').waitFor();
    check('faults', (await page.locator('.sheet .failure').count()) === 0, 'the whole text is there as well');
    check('faults', (await page.locator('#m-headline').evaluate((input) => document.activeElement === input)), 'the field does not have the focus');
    await shot('faults');
    await close('faults');
  },

  async 'another contract'({ browser }) {
    const { page, close, shot } = await open(browser, DESK, REJECTED, LOCKERS);
    await page.goto(`${LOCKERS}/console`);
    await page.locator('.sign-in').waitFor();
    const contract = await (await fetch(`${LOCKERS}/openapi.json`)).json();
    check('lockers', (await page.locator('h1').innerText()) === contract.info.title, 'it has not the title of the contract');
    await shot('lockers');
    await close('lockers');
  },

  async 'everybody can read it'({ browser }) {
    for (const [name, look, colorScheme] of [['desk', DESK, 'light'], ['phone', PHONE, 'dark']]) {
      const { page, close, read: readAs } = await open(browser, { ...look, colorScheme, bypassCSP: true });
      const read = (state) => readAs(`${state} ${name} ${colorScheme}`);
      await page.goto(`${SERVER}/console`);
      await page.locator('.sign-in').waitFor();
      await read('sign-in');
      await enter(page);
      await page.locator('.stat').first().waitFor();
      await read('overview');
      await go(page, '#/operator/operator');
      await page.locator('.series figure').first().waitFor();
      await read('status');
      await go(page, '#/operator/human');
      await page.locator('tbody tr').first().waitFor();
      await read('workers');
      await page.locator('tbody tr .last button').first().click();
      await page.locator('.drawer .pairs').waitFor();
      await read('worker');
      await act(page, 'Update human');
      await page.locator('.sheet').waitFor();
      await read('form');
      await close(`${name} and ${colorScheme}`);
    }
  },
};

run(JOBS, async () => {
  const account = await operator('POST', '/accounts', { name: 'Errand agent', plan: 'free' });
  const agent = caller({ 'X-API-Key': account.key }, `${SERVER}/api/v1`);
  const { id: bounty } = await agent('POST', '/bounties', { title: 'Check a shelf', description: 'Is there any rice?', budget: 45 });
  const [{ id: human }] = await operator('GET', '/humans?limit=1');
  return { bounty, human };
});

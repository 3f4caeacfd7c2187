// The console of HITODE_URL and LOCKERS_URL in a real browser: an operator's day, and whether everybody can read it.

const { DESK, PHONE, caller, day } = require('./day.cjs');

const SERVER = process.env.HITODE_URL;
const LOCKERS = process.env.LOCKERS_URL;
const REJECTED = [/answers 40[0134]$/, /status of 40[0134]/];
const { check, open, run } = day('console', SERVER);
// A text of no visible character, which only the server notices.
const INVISIBLE = '\u{e0100}';

const operator = caller({ 'X-Operator-Token': process.env.HITODE_OPERATOR_TOKEN }, `${SERVER}/operator/v1`);

// Calls the API of the crew of the lockers, whose envelope is another one.
const crew = async (method, path, body) => {
  const headers = { 'Lockers-Badge': process.env.LOCKERS_BADGE, 'Content-Type': 'application/json' };
  const { ok, result, error } = await (await fetch(`${LOCKERS}/depot${path}`, { method, headers, body: JSON.stringify(body) })).json();
  if (!ok) throw new Error(`${method} ${path}: ${error.detail}`);
  return result;
};

async function enter(page, server = SERVER, token = process.env.HITODE_OPERATOR_TOKEN) {
  await page.goto(`${server}/console`);
  await page.locator('.sign-in input').fill(token);
  await page.locator('.sign-in button.main').click();
  await page.locator('.side').waitFor();
}
const go = (page, hash) => page.evaluate((to) => { location.hash = to; }, hash);
const row = (page, words) => page.locator('tbody tr', { hasText: words }).first();
const act = (page, name) => page.locator('.drawer .acts button', { hasText: name }).click();
const options = (page) => page.locator('[role=option]');
const hash = (page) => page.evaluate(() => location.hash);
// Waits until the page has the address; what never does is a fault of the job.
const at = (page, wanted) => page.waitForFunction((one) => location.hash === one, wanted).catch(async () => { throw new Error(`the address is ${await hash(page)} and not ${wanted}`); });

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

  async 'a worker is found, changed, suspended, and invited'({ browser, humans: [{ id: human, name }] }) {
    const { page, close, shot } = await open(browser, DESK);
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
    await page.locator('.sheet .warning').waitFor({ state: 'detached' });
    await page.locator('#m-status').selectOption('cancelled');
    // What it means is said as soon as the form has the value.
    await page.locator('.sheet .warning', { hasText: 'no longer apply' }).waitFor();
    await shot('consequence');
    await page.locator('.sheet .button.danger').click();
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

  async 'an id is picked with the keyboard and the mouse'({ browser, account, humans }) {
    const { page, context, close, shot } = await open(browser, DESK);
    await enter(page);
    await go(page, '#/operator/bounty');
    await row(page, 'Check a shelf').waitFor();
    const field = page.locator('.filters [role=combobox]').first();
    // The first text is answered last.
    const former = /accounts\?.*name=Err(&|$)/;
    let answer;
    const mayAnswer = new Promise((done) => { answer = done; });
    await context.route(former, async (route) => {
      await mayAnswer;
      await route.fulfill({ json: { success: true, data: [{ id: 999999, name: 'Too late' }], total: 1 } });
    });
    const asked = page.waitForRequest(former);
    await field.fill('Err');
    await asked;
    await field.pressSequentially('and');
    await options(page).filter({ hasText: 'Errand agent' }).first().waitFor();
    const answered = page.waitForResponse(former);
    answer();
    await (await answered).finished();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    check('pick', !(await options(page).allInnerTexts()).join().includes('Too late'), 'a late answer replaces a newer one');
    await shot('a-picker');
    // An input method converts: its Enter is not ours.
    await page.keyboard.press('ArrowDown');
    const active = await field.getAttribute('aria-activedescendant');
    check('pick', (await page.locator(`[id="${active}"]`).getAttribute('aria-selected')) === 'true', 'the active option is not selected');
    await field.evaluate((input) => {
      for (const composed of [{ isComposing: true }, { keyCode: 229 }])
        input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...composed }));
    });
    check('pick', (await field.inputValue()) === 'Errand', 'Enter of an input method chooses');
    await page.keyboard.press('Escape');
    check('pick', (await options(page).count()) === 0 && (await field.getAttribute('aria-expanded')) === 'false', 'Escape does not close the list');
    await page.keyboard.press('ArrowDown');
    await options(page).first().waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await at(page, `#/operator/bounty?account_id=${account}`);
    await row(page, 'Check a shelf').waitFor();
    // Whoever gets the address sees whose id it is.
    await page.reload();
    await page.locator('.filters .picked', { hasText: 'Errand agent' }).waitFor();
    check('pick', (await page.locator('.filters [role=combobox]').first().inputValue()) === String(account), 'the id is gone');
    await shot('a-picked-id');
    await page.locator('.filters button', { hasText: 'Clear' }).click();
    await page.locator('.filters .picked').waitFor({ state: 'detached' });
    // An id that is typed.
    await field.fill(String(account));
    await page.keyboard.press('Enter');
    await at(page, `#/operator/bounty?account_id=${account}`);

    // Several ids, in a form: by the mouse, by the keyboard, and typed.
    await go(page, '#/operator/operator');
    await page.locator('.head button', { hasText: 'Create human codes' }).click();
    const ids = page.locator('#m-ids');
    await ids.fill('Nobody has this name');
    await page.locator('.option-note', { hasText: 'Nothing found' }).waitFor();
    await ids.fill(humans[0].name);
    await options(page).filter({ hasText: humans[0].name }).first().click();
    await ids.fill(humans[1].name);
    await options(page).filter({ hasText: humans[1].name }).first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await ids.fill(String(humans[2].id));
    await options(page).first().waitFor();
    await shot('several-ids');
    await page.keyboard.press('Escape');
    check('pick', await page.locator('.sheet').isVisible(), 'Escape closes the form and not the list');
    await page.keyboard.press('Enter');
    const chosen = await page.locator('.many .badge .number').allInnerTexts();
    check('pick', chosen.join() === humans.map((one) => one.id).join(), `chosen are ${chosen}`);
    await page.locator('.badge-remove').last().click();
    // A text that is no id is not left out without a word.
    await ids.fill('Nobody has this name');
    await page.locator('.sheet .button.main').click();
    await page.locator('.sheet .fault', { hasText: 'Choose one from the list' }).waitFor();
    await ids.fill('');
    // The list covers the button.
    await options(page).first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.sheet .button.main').click();
    await page.locator('.sheet .button.main.wide').waitFor();
    await shot('codes');
    await close('pick');
  },

  async 'everything is searched at once'({ browser, account, bounty, key, humans: [{ name }] }) {
    const { page, context, close, shot } = await open(browser, DESK, [/answers (404|503)$/, /status of (404|503)/]);
    await enter(page);
    await page.locator('.stat').first().waitFor();
    await page.keyboard.press('/');
    const field = page.locator('#search');
    check('search', await field.evaluate((input) => document.activeElement === input), '/ does not lead to the search');
    await page.keyboard.type('e');
    await options(page).first().waitFor();
    await field.fill('Errand');
    await options(page).filter({ hasText: 'Errand agent' }).first().waitFor();
    await page.locator('.option-title', { hasText: 'Accounts' }).waitFor();
    await shot('search');
    await page.keyboard.press('Enter');
    await at(page, `#/operator/account/get_account:${account}`);
    await page.locator('.drawer .pairs').waitFor();
    // A number is the id of many things.
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(String(bounty));
    await page.locator('.option-title', { hasText: 'Bounties' }).waitFor();
    await options(page).filter({ hasText: 'Check a shelf' }).first().click();
    await at(page, `#/operator/bounty/get_bounty:${bounty}`);
    // One list fails, and another one has something. What is locked is not asked.
    await context.route(/\/accounts\?/, (route) => route.fulfill({ status: 503, json: { success: false, error: 'not now' } }));
    const asked = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type(name);
    await options(page).filter({ hasText: name }).first().waitFor();
    await page.locator('.option-note.fault', { hasText: 'not now' }).waitFor();
    await shot('search-failed');
    check('search', asked.every((url) => !url.includes('/api/v1/')), 'an API without a credential is asked');
    await page.keyboard.press('Escape');
    // A second API.
    await page.locator('.side button', { hasText: 'Agent' }).click();
    await page.locator('dialog input').fill(key);
    await page.locator('dialog .button.main').click();
    await page.locator('.side a', { hasText: 'Human' }).nth(1).waitFor();
    await field.fill('Check a shelf');
    await page.locator('.option-title', { hasText: 'Operator' }).first().waitFor();
    await options(page).first().waitFor();
    await shot('search-two');
    await close('search');
  },

  async 'an address can be shared'({ browser, account, humans: [{ id: human, name }] }) {
    const { page, close, shot, addresses } = await open(browser, DESK, REJECTED);
    await enter(page);
    await go(page, '#/operator/human');
    await page.locator('tbody tr').first().waitFor();
    const first = await page.locator('tbody tr').first().innerText();
    await page.locator('.pager button', { hasText: 'Next' }).click();
    await at(page, '#/operator/human?offset=20');
    await page.waitForFunction((one) => document.querySelector('tbody tr')?.innerText !== one, first);
    const second = await page.locator('tbody tr').first().innerText();
    await page.goBack();
    await page.waitForFunction((one) => document.querySelector('tbody tr')?.innerText === one, first);
    await page.goForward();
    await page.waitForFunction((one) => document.querySelector('tbody tr')?.innerText === one, second);
    await page.reload();
    await page.waitForFunction((one) => document.querySelector('tbody tr')?.innerText === one, second);
    await page.locator('.filters input').first().fill(name);
    await page.keyboard.press('Enter');
    await row(page, name).click();
    await page.locator('.drawer .pairs').waitFor();
    const shared = await hash(page);
    check('address', shared === `#/operator/human/get_human:${human}?name=${encodeURIComponent(name).replaceAll('%20', '+')}`, `the address is ${shared}`);
    const shown = async () => {
      await page.locator('.drawer[aria-busy=false] .pairs').waitFor();
      await page.waitForFunction(() => !document.querySelector('.drawer .skeleton'));
      return page.locator('.drawer').innerText();
    };
    const before = await shown();
    await page.reload();
    check('address', (await shown()) === before, 'the drawer is another one after a reload');
    check('address', (await page.locator('.filters input').first().inputValue()) === name, 'the filter is gone after a reload');
    await page.goBack();
    await page.locator('.drawer').waitFor({ state: 'detached' });
    await page.goForward();
    await page.locator('.drawer .pairs').waitFor();

    // A record in a list of another one, which no operation reads, pasted by somebody who has to sign in first.
    const [{ id: one }] = await operator('GET', `/accounts/${account}/keys`);
    const other = await browser.newContext(DESK);
    const guest = await other.newPage();
    await guest.goto(`${SERVER}/console#/operator/account/get_account:${account}/list_account_keys:${account}:${one}`);
    await guest.locator('.sign-in input').fill(process.env.HITODE_OPERATOR_TOKEN);
    await guest.locator('.sign-in button.main').click();
    await guest.locator('.drawer .acts button', { hasText: 'Delete account key' }).waitFor();
    await guest.locator('.drawer .pairs').waitFor();
    await guest.keyboard.press('Escape');
    await guest.waitForFunction((wanted) => location.hash === wanted, `#/operator/account/get_account:${account}`);
    await other.close();

    // What the contract does not have, and what is not there.
    for (const [wrong, words] of [
      ['#/nowhere/human', 'nowhere'],
      ['#/operator/unicorn', 'unicorn'],
      ['#/operator/human/get_unicorn:1', 'get_unicorn:1'],
      ['#/operator/human?colour=red', 'colour'],
      ['#/operator/%E0%A4%A', '%E0%A4%A'],
    ]) {
      await go(page, wrong);
      await page.locator('main .empty h1', { hasText: 'This address leads nowhere' }).waitFor();
      const text = await page.locator('main .empty p').innerText();
      check('address', text.includes(words), `of ${wrong} it says ${text}`);
    }
    await shot('no-address');
    await go(page, '#/agent/human');
    await page.locator('main .empty h1', { hasText: 'Needs a credential' }).waitFor();
    await shot('locked');
    await go(page, '#/operator/human/get_human:99999999');
    await page.locator('.drawer .failure').waitFor();
    check('address', (await page.locator('.drawer button').count()) === 1, 'a record that is not there has actions');
    await shot('no-record');

    // A secret is on the page, and nowhere else.
    await go(page, `#/operator/human/get_human:${human}`);
    await act(page, 'Create human token');
    await page.locator('.sheet .button.danger, .sheet .button.main').last().click();
    const secret = await page.locator('.secret-value').innerText();
    const places = [...addresses, await hash(page), await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))];
    check('address', secret.length > 8 && !places.some((place) => place.includes(secret)), 'a secret is in an address');
    await close('address');
  },

  async 'a fault stands at its field'({ browser, humans: [{ id: human }] }) {
    const { page, close, shot } = await open(browser, DESK, REJECTED);
    await enter(page);
    await go(page, `#/operator/human/get_human:${human}`);
    await act(page, 'Update human');
    await page.locator('#m-headline').fill(INVISIBLE);
    await page.locator('.sheet .button.main').click();
    await page.locator('#m-headline-fault').waitFor();
    check('faults', (await page.locator('.sheet .failure').count()) === 0, 'the whole text is there as well');
    check('faults', (await page.locator('#m-headline').evaluate((input) => document.activeElement === input)), 'the field does not have the focus');
    await shot('faults');
    // A browser reads the pattern of a field with the flag `v`.
    for (const server of [SERVER, LOCKERS]) {
      const patterns = (await (await fetch(`${server}/openapi.json`)).text()).match(/"pattern":"(?:[^"\\]|\\.)*"/g);
      check('faults', patterns.length > 20, 'the patterns are not found');
      for (const one of patterns) new RegExp(JSON.parse(`{${one}}`).pattern, 'v');
    }
    await close('faults');
  },

  async 'in Japanese all of it is Japanese'({ browser, key, humans: [{ id: human }] }) {
    const work = { title: '棚の写真を撮る', description: 'お店の棚の写真を3枚撮ってください。', budget: 45 };
    const { id: bounty } = await caller({ 'X-API-Key': key }, `${SERVER}/api/v1`)('POST', '/bounties', work);
    const { page, close, shot } = await open(browser, { ...DESK, locale: 'ja-JP' });
    await page.goto(`${SERVER}/console`);
    await page.locator('.sign-in label', { hasText: '運営トークン (X-Operator-Token)' }).waitFor();
    await enter(page);
    // All that the contract names: pages, operations, columns, fields, and their values.
    const english = (place) => page.locator(place).evaluateAll((all) => all
      .filter((one) => one.checkVisibility())
      .map((one) => one.innerText.trim())
      .filter((text) => text && !/[ぁ-んァ-ヶ一-龠]/.test(text) && text !== 'SHA-256'));
    const NAMED = '.side-group:first-of-type a, h1, h2, h3, th, dt, label, .acts button, .head button, .badge.accent, option, .stat-label';
    const check_all = async (state) => {
      await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'));
      const found = await english(NAMED);
      check('japanese', found.length === 0, `at ${state} there is ${found.join(', ')}`);
      await shot(`ja-${state}`);
    };
    await page.locator('.stat').first().waitFor();
    await page.locator('.stat', { hasText: 'ワーカー' }).waitFor();
    for (const [state, place, shown] of [
      ['accounts', '#/operator/account', 'tbody tr'],
      ['workers', '#/operator/human', 'tbody tr'],
      ['bounties', '#/operator/bounty', 'tbody tr'],
      ['files', '#/operator/file', 'main .panel'],
      ['status', '#/operator/operator', '.series figure'],
    ]) {
      await go(page, place);
      await page.locator(shown).first().waitFor();
      await check_all(state);
    }
    // Units: of the contract, and the one that the operator has chosen.
    await go(page, `#/operator/bounty/get_bounty:${bounty}`);
    await page.locator('.drawer .pairs').waitFor();
    const pair = (name) => page.locator('.drawer .pairs > div', { hasText: name }).locator('dd').innerText();
    check('japanese', (await pair('報酬')) === '$45', `the budget is ${await pair('報酬')}`);
    await act(page, '仕事を変更');
    await page.locator('#m-status').selectOption('cancelled');
    await page.locator('.sheet .warning', { hasText: '応募を受け付けなくなり' }).waitFor();
    await shot('ja-consequence');
    await page.keyboard.press('Escape');
    await go(page, `#/operator/human/get_human:${human}`);
    await page.locator('.drawer .pairs dd', { hasText: /^[¥￥][\d,.]+$/ }).waitFor();
    await act(page, 'ワーカーを変更');
    await page.locator('label', { hasText: '希望時給 (JPY)' }).waitFor();
    check('japanese', (await page.locator('#m-bio').evaluate((one) => one.tagName)) === 'TEXTAREA', 'a long text has one line');
    await check_all('form');
    await page.locator('#m-headline').fill('料理が得意です');
    await page.locator('.sheet .button.main').click();
    await page.locator('.toast', { hasText: 'ワーカーを変更：完了しました' }).waitFor();
    await close('japanese');
  },

  async 'another contract'({ browser }) {
    const { page, close, shot } = await open(browser, DESK, [/answers 42[29]$/, /answers 40[0134]$/, /status of 4\d\d/], LOCKERS);
    const { id: station } = await crew('POST', '/stations', { code: 'HB-1', name: 'Central', city: 'Bremen', address: { street: 'Bahnhofsplatz 1', postal_code: '28195' }, opened_on: '2024-05-01' });
    const { id: courier } = await crew('POST', '/couriers', { name: 'Cargo', terminal: 'Bike' });
    await page.goto(`${LOCKERS}/console`);
    await page.locator('.sign-in').waitFor();
    const contract = await (await fetch(`${LOCKERS}/openapi.json`)).json();
    check('lockers', (await page.locator('h1').innerText()) === contract.info.title, 'it has not the title of the contract');
    await shot('lockers');
    await enter(page, LOCKERS, process.env.LOCKERS_BADGE);

    // The station is found in the public list of another API; of couriers there is no list.
    await go(page, '#/depot/station');
    await page.locator('main button', { hasText: 'Update station' }).click();
    const field = page.locator('#p-station');
    await field.fill('Brem');
    await options(page).filter({ hasText: 'HB-1' }).first().waitFor();
    await shot('lockers-picker');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    check('lockers', (await field.inputValue()) === String(station), `the station is ${await field.inputValue()}`);
    await page.locator('#m-city').fill('Bremerhaven');
    await page.locator('.sheet .button.main').click();
    await page.locator('.toast').waitFor();
    await go(page, '#/depot/terminal');
    await page.locator('main button', { hasText: 'Create terminal' }).click();
    await page.locator('#m-name').fill('Van');
    await page.locator('#p-id').fill('Cargo');
    await page.locator('.sheet .button.main').click();
    await page.locator('#p-id-fault', { hasText: 'A number' }).waitFor();
    await page.locator('#p-id').fill(String(courier));
    await page.locator('.sheet .button.main').click();
    const key = await page.locator('.secret-value').innerText();
    await page.locator('.sheet .button.main').click();

    // What the contract states for people: the plural of a noun, the unit of a number, what a change means.
    await page.locator('.side a', { hasText: 'Things to mend' }).waitFor();
    await go(page, '#/depot/courier');
    await page.locator('main button', { hasText: 'Update courier' }).click();
    await page.locator('#m-is_barred-label').locator('xpath=../..').locator('[role=switch]').click();
    await page.locator('.sheet .warning', { hasText: 'All terminals' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.sheet').waitFor({ state: 'detached' });

    // Without a header for them the faults are those that the body of the error lists.
    await go(page, '#/depot/courier');
    await page.locator('main button', { hasText: 'Create courier' }).click();
    await page.locator('#m-name').fill(INVISIBLE);
    await page.locator('#m-terminal').fill('Van');
    await page.locator('.sheet .button.main').click();
    await page.locator('#m-name-fault').waitFor();
    check('lockers', (await page.locator('.sheet .failure').count()) === 0, 'the whole text is there as well');
    await shot('lockers-faults');
    await page.keyboard.press('Escape');
    await page.locator('.sheet').waitFor({ state: 'detached' });

    // A search, pages by their number, and an order.
    await page.keyboard.press('/');
    await page.keyboard.type('Bremerh');
    await options(page).filter({ hasText: 'HB-1' }).first().waitFor();
    await page.keyboard.press('Enter');
    await at(page, `#/finder/station/get_station:${station}`);
    await page.locator('.drawer .pairs').waitFor();
    await shot('lockers-station');
    await crew('POST', '/stations', { code: 'HB-2', name: 'Harbour', city: 'Bremen', address: { street: 'Kai 1', postal_code: '28195' }, opened_on: '2024-05-01' });
    await go(page, '#/finder/station?city=Brem&page_size=1');
    await row(page, 'HB-2').waitFor();
    await page.locator('.pager button', { hasText: 'Next' }).click();
    await at(page, '#/finder/station?city=Brem&page_size=1&page=2');
    await row(page, 'HB-1').waitFor();
    await page.goBack();
    await row(page, 'HB-2').waitFor();
    await page.locator('.side button', { hasText: 'Courier' }).click();
    await page.locator('dialog input').fill(key);
    await page.locator('dialog .button.main').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await go(page, '#/courier/parcel');
    await page.locator('.sort', { hasText: 'Collect by ↑' }).waitFor();
    await page.locator('select[id$=order]').selectOption('heaviest');
    await at(page, '#/courier/parcel?order=heaviest');
    await page.locator('.sort', { hasText: 'Weight ↓' }).waitFor();
    await page.reload();
    await page.locator('.sort', { hasText: 'Weight ↓' }).waitFor();
    await page.locator('main .head button', { hasText: 'Announce parcel' }).click();
    await page.locator('.sheet label', { hasText: 'Weight (kilograms)' }).waitFor();
    await page.locator('.sheet label', { hasText: 'Worth (EUR)' }).waitFor();
    check('lockers', (await page.locator('#m-note').evaluate((one) => one.tagName)) === 'TEXTAREA', 'a note has one line');
    await close('lockers');

    // What has a text is in the reader's language, what has none as the contract has it.
    const other = await open(browser, { ...DESK, locale: 'ja-JP' }, [/answers 40[0134]$/, /status of 4\d\d/], LOCKERS);
    await enter(other.page, LOCKERS, process.env.LOCKERS_BADGE);
    await other.page.locator('.side a', { hasText: '設置場所' }).first().waitFor();
    await other.page.locator('.side a', { hasText: 'Things to mend' }).waitFor();
    await go(other.page, '#/finder/station?city=Brem');
    await other.page.locator('th', { hasText: '設置場所の名前' }).waitFor();
    await other.page.locator('td .badge', { hasText: '稼働中' }).first().waitFor();
    const heads = await other.page.locator('th').allInnerTexts();
    check('lockers', heads.slice(0, 4).join() === '設置場所の名前,Code,市,Status', `the columns are ${heads}`);
    await other.shot('lockers-ja');
    await other.close('lockers in Japanese');
  },

  async 'everybody can read it'({ browser, humans: [{ name }] }) {
    for (const [device, look, colorScheme] of [['desk', DESK, 'light'], ['phone', PHONE, 'dark']]) {
      const { page, close, read: readAs } = await open(browser, { ...look, colorScheme, bypassCSP: true });
      const read = (state) => readAs(`${state} ${device} ${colorScheme}`);
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
      await act(page, /Update human|ワーカーを変更/);
      await page.locator('.sheet').waitFor();
      await read('form');
      await page.keyboard.press('Escape');
      await go(page, '#/operator/bounty');
      await row(page, 'Check a shelf').waitFor();
      await page.locator('#search').fill('e');
      await options(page).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await read('search');
      await page.locator('#search').fill('');
      await page.locator('.filters [role=combobox]').first().fill('Errand');
      await options(page).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await read('picker');
      await go(page, '#/operator/operator');
      await page.locator('.head button', { hasText: /human codes|コードをまとめて発行/ }).click();
      await page.locator('#m-ids').fill(name);
      await options(page).first().click();
      await page.locator('#m-ids').fill(name);
      await options(page).first().waitFor();
      await read('several ids');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await go(page, '#/nowhere');
      await page.locator('main .empty h1').waitFor();
      await read('no address');
      await close(`${device} and ${colorScheme}`);
    }
  },
};

run(JOBS, async () => {
  const account = await operator('POST', '/accounts', { name: 'Errand agent', plan: 'free' });
  const agent = caller({ 'X-API-Key': account.key }, `${SERVER}/api/v1`);
  const { id: bounty } = await agent('POST', '/bounties', { title: 'Check a shelf', description: 'Is there any rice?', budget: 45 });
  const humans = await operator('GET', '/humans?limit=3');
  return { account: account.id, key: account.key, bounty, humans };
});

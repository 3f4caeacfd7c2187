// Renews the pictures of the pages in the folder PICTURES: those that the README shows. `PICTURES=server/pages/shots
// tests/external/run browser` takes them of a server with the demo, each in the language, the look and the size that it has here.

const { launch, watched } = require('./chromium.cjs');
const { DESK, PHONE, caller } = require('./day.cjs');

const SERVER = process.env.HITODE_URL;
const FOLDER = process.env.PICTURES;
const phone = { ...PHONE, viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.5 };
const desk = { ...DESK, viewport: { width: 1280, height: 800 } };
const operator = caller({ 'X-Operator-Token': process.env.HITODE_OPERATOR_TOKEN }, `${SERVER}/operator/v1`);

// A worker with an application, a decision and a conversation, all in Japanese.
async function arrange() {
  const { key } = await operator('POST', '/accounts', { name: 'おつかい便', plan: 'free' });
  const agent = caller({ 'X-API-Key': key }, `${SERVER}/api/v1`);
  const [{ id: human }] = await operator('GET', '/humans?limit=1');
  const { code } = await operator('POST', `/humans/${human}/code`);
  const work = { category: 'photography', budget: 45, location: '東京都足立区', estimated_hours: 1.5, deadline: '2031-01-20', required_skills: ['写真'] };
  const description = '商店街にあるお店の正面を、昼間の明るいうちに3枚撮ってください。看板と入口が写っていれば十分です。人が写らないようにお願いします。';
  const former = await agent('POST', '/bounties', { ...work, title: '商品棚の写真を5枚撮る', description, budget: 60 });
  const { id: bounty } = await agent('POST', '/bounties', { ...work, title: 'お店の正面の写真を3枚撮る', description });
  return { agent, human, code, former: former.id, bounty };
}

async function take(page, name) {
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => !document.querySelector('.toast'));
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
  await page.waitForFunction(() => !document.querySelector('.skeleton, [aria-busy=true]'));
  await page.screenshot({ path: `${FOLDER}/${name}.jpg`, type: 'jpeg', quality: 82 });
  // To be looked at where only PNG can be.
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
}
const go = (page, hash) => page.evaluate((to) => { location.hash = to; }, hash);

async function jobs(browser, { agent, human, code, former, bounty }) {
  const { page, context } = await watched(browser, SERVER, phone);
  await page.goto(`${SERVER}/jobs/#${code}`);
  await page.locator('a.card').first().waitFor();
  const apply = async (id) => {
    await go(page, `#/find/${id}`);
    await page.locator('.action .button.main').tap();
    await page.locator('.sheet .chip >> nth=0').tap();
  };
  await apply(former);
  await page.locator('.sheet .button.main').tap();
  await page.locator('.action a.button').waitFor();
  const [{ id }] = await agent('GET', `/bounties/${former}/applications`);
  await agent('PATCH', `/bounties/${former}/applications/${id}`, { status: 'accepted' });
  await page.reload();
  await go(page, '#/find');
  await page.locator('a.card').first().waitFor();
  await take(page, 'jobs-find');
  await go(page, `#/find/${bounty}`);
  await page.locator('.action .button.main').waitFor();
  await take(page, 'jobs-bounty');
  await page.locator('.action .button.main').tap();
  await page.locator('.sheet .chip >> nth=0').tap();
  await take(page, 'jobs-apply');
  await page.locator('.sheet .button.main').tap();
  await page.locator('.action a.button').waitFor();
  await go(page, '#/applied');
  await page.locator('a.card').nth(1).waitFor();
  await take(page, 'jobs-applied');
  const talk = await agent('POST', '/conversations', { human_id: human, bounty_id: bounty, message: 'ご応募ありがとうございます。土曜日の午前中に行けますか？' });
  const theirs = await page.evaluate(() => localStorage.getItem('hitode.worker-token'));
  const worker = caller({ 'X-Worker-Token': theirs }, `${SERVER}/worker/v1`);
  await worker('POST', `/conversations/${talk.id}/messages`, { content: 'はい、10時ごろに伺えます。看板も一緒に撮ればよいですか？' });
  await agent('POST', `/conversations/${talk.id}/messages`, { content: 'はい、看板と入口をお願いします。撮れたらここに送ってください。' });
  await go(page, `#/talk/${talk.id}`);
  await page.locator('.bubble').nth(2).waitFor();
  await take(page, 'jobs-talk');
  const storage = await context.storageState();
  await context.close();
  const wide = await watched(browser, SERVER, { ...desk, colorScheme: 'dark', storageState: storage });
  await wide.page.goto(`${SERVER}/jobs/#/find/${bounty}`);
  await wide.page.locator('.action').waitFor();
  await take(wide.page, 'jobs-desk-dark');
  await wide.context.close();
}

async function consolePages(browser, { human }) {
  const enter = async (look) => {
    const { page, context } = await watched(browser, SERVER, look);
    await page.goto(`${SERVER}/console`);
    await page.locator('.sign-in input').fill(process.env.HITODE_OPERATOR_TOKEN);
    await page.locator('.sign-in button.main').click();
    await page.locator('.stat').first().waitFor();
    return { page, context };
  };
  const english = await enter(desk);
  // A bar comes with each sample, every five seconds, if there were requests.
  for (let n = 0; n < 5; n += 1) {
    for (const list of ['account', 'bounty', 'human', 'file'].slice(n % 3)) {
      await go(english.page, `#/operator/${list}`);
      await english.page.locator('main .panel').first().waitFor();
    }
    await english.page.waitForTimeout(5000);
  }
  await go(english.page, '#/');
  await english.page.locator('.chart rect').nth(3).waitFor();
  await take(english.page, 'console-overview');
  await english.context.close();
  const japanese = await enter({ ...desk, locale: 'ja-JP' });
  await go(japanese.page, `#/operator/human/get_human:${human}`);
  await japanese.page.locator('.drawer[aria-busy=false] .pairs').waitFor();
  await take(japanese.page, 'console-worker');
  await japanese.context.close();
}

(async () => {
  const scene = await arrange();
  const browser = await launch();
  try {
    await jobs(browser, scene);
    await consolePages(browser, scene);
  } finally {
    await browser.close();
  }
})().catch((fault) => {
  console.error(`browser: no pictures: ${fault.stack}`);
  process.exit(1);
});

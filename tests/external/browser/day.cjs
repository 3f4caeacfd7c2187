// What the days of people at the pages have in common: pages and what is wrong with them, whether everybody can read them, and
// the jobs one after the other.

const { readFileSync } = require('fs');
const { launch, watched } = require('./chromium.cjs');

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

exports.PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'ja-JP', reducedMotion: 'reduce' };
exports.DESK = { viewport: { width: 1280, height: 900 }, locale: 'en-GB', reducedMotion: 'reduce' };

// Calls an API with these headers; returns the data of a success.
exports.caller = (headers, base) => async (method, path, body) => {
  const sent = { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) };
  const answer = await (await fetch(base + path, sent)).json();
  if (!answer.success) throw new Error(`${method} ${path}: ${answer.error}`);
  return answer.data;
};

exports.day = (what, server) => {
  const faults = [];
  const check = (where, holds, otherwise) => { if (!holds) faults.push(`${where}: ${otherwise}`); };

  // A page of a browser of its own. What is `expected` is no fault.
  const open = async (browser, look, expected = [], at = server) => {
    const seen = await watched(browser, at, look);
    const { page, context } = seen;
    const shot = async (name) => {
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${what}-${name}.png` });
    };
    // Whether everybody can read it as it is now.
    const read = async (state) => {
      await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }));
      for (const one of violations) check(state, false, `${one.id}: ${one.help}: ${one.nodes[0].html}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(state, wide <= 0, `it is ${wide} pixels wider than the window`);
      await shot(state.replaceAll(' ', '-'));
    };
    const close = async (where) => {
      const wrong = seen.faults.filter((fault) => !expected.some((one) => one.test(fault)));
      faults.push(...wrong.map((fault) => `${where}: ${fault}`));
      await context.close();
    };
    return { ...seen, shot, read, close };
  };

  // Does the jobs that ONLY names, or all; prints what is wrong and ends the process.
  const run = async (jobs, arrange) => {
    const scene = await arrange();
    const browser = await launch();
    try {
      for (const [name, job] of Object.entries(jobs)) {
        if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
        const begun = Date.now();
        // A job that cannot go on is a fault, too, and is printed beside the others.
        await job({ browser, ...scene }).catch((fault) => check(name, false, fault.stack));
        console.log(`browser: ${what}: ${name}: ${Date.now() - begun} ms`);
      }
    } finally {
      await browser.close();
    }
    if (faults.length === 0) return;
    const text = faults.join('\n  ').replace(/\x1b\[\d*m/g, '');
    console.error(`browser: ${what} has faults; SHOTS=FOLDER keeps pictures of it\n  ${text}`);
    process.exit(1);
  };
  return { check, open, run };
};

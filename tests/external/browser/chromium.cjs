// A headless Chromium, and what goes wrong on a page while nobody looks.

const { execSync } = require('child_process');
const { chromium } = require('playwright-core');

const FLAGS = [
  // It asks nobody but the server, and runs as root in a container, too.
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

exports.launch = (more = []) => {
  const path = execSync(`command -v ${process.env.CHROMIUM || 'chromium'}`, { encoding: 'utf8' }).trim();
  return chromium.launch({ executablePath: path, args: [...FLAGS, ...more] });
};

// A page of its own in a browser of its own memory, and all that is wrong with it: what the console says, scripts that fail,
// what its policy forbids, what is asked of others, and what is not there.
exports.watched = async (browser, server, look = {}) => {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  // A busy machine may take its time: only a page that never gets there is given up.
  page.setDefaultTimeout(Number(process.env.PATIENCE ?? 120_000));
  const faults = [];
  const addresses = [];
  page.on('console', (said) => {
    if (['error', 'warning'].includes(said.type())) faults.push(`the console says: ${said.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`a script fails: ${error}`));
  page.on('request', (request) => {
    addresses.push(request.url());
    // `data:` and `blob:` are in the page itself.
    if (!request.url().startsWith(`${server}/`) && !/^(data|blob):/.test(request.url())) faults.push(`${request.url()} is asked`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.url()} answers ${answer.status()}`);
  });
  await page.exposeFunction('forbidden', (what) => faults.push(`the policy forbids ${what}`));
  await page.addInitScript(() => {
    window.violations = 0;
    document.addEventListener('securitypolicyviolation', async (event) => {
      await window.forbidden(`${event.blockedURI} by ${event.effectiveDirective}`);
      window.violations += 1;
    });
  });
  return { context, page, faults, addresses };
};

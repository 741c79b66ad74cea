// `npm run slow-network`: how long a person on a phone waits at 400 kbit/s, on the way from a first visit to a payment. Writes
// docs/slow-network.md. Fields are filled in at once, so that every second is one of waiting. Means something on a quiet machine only.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from '../infra/build.ts';
import { root } from '../infra/paths.ts';
import { launchBrowser, viewports } from '../infra/testing/browser.ts';
import { withOwnProduct } from '../infra/testing/product.ts';
import { controlSandbox } from '../sandbox/testing/control-client.ts';
import { emailedCode, type Product, sampleRecipient } from './api-client.ts';

const kilobitsPerSecond = 400;
/** Of a request and its answer, in ms: Lighthouse's slow 3G. */
const roundTripMs = 400;
const runs = Number(process.env.RUNS ?? 3);
/** Each wait with its time in ms, by the order of the journey. */
type Waits = Map<string, number>;

const loadBefore = loadavg()[0] ?? 0;
await build({ log: console.log });
const measured = await withOwnProduct(async ({ config }) => {
  const browser = await launchBrowser();
  const journeys: Waits[] = [];
  try {
    const app = { url: () => config.publicUrl, sandbox: controlSandbox(config.sandbox?.url ?? '') };
    for (let run = 0; run < runs; run += 1) journeys.push(await journey(browser, app));
  } finally {
    await browser.close();
  }
  return journeys;
});
const report = reportOf(measured);
await writeFile(join(root, 'docs/slow-network.md'), report);
console.log(report);
process.exit(0);

async function journey(browser: Browser, app: Product): Promise<Waits> {
  const url = app.url();
  const waits: Waits = new Map();
  const context = await browser.newContext({ viewport: viewports.phone, locale: 'es-BO', timezoneId: 'Europe/Madrid' });
  context.setDefaultTimeout(120_000);
  const page = await slowPage(await context.newPage());
  const field = (testid: string) => page.getByTestId(testid);
  const wait = async (name: string, start: () => Promise<unknown>, end: () => Promise<unknown>) => {
    const from = performance.now();
    await start();
    await end();
    waits.set(name, performance.now() - from);
  };
  /** What arrives in Bolivia, as figures and not their shape. */
  const arrives = (testid: string) => async () =>
    void (await field(testid)
      .filter({ hasText: /Bs\s\d/ })
      .first()
      .waitFor());
  const open = (path: string) => () => page.goto(url + path, { waitUntil: 'commit' });
  const hydrated = () => page.locator('html[data-hydrated]').waitFor();
  const cardReady = () => page.frameLocator('[data-stripe-frame=elements-frame]').getByTestId('card-number').waitFor();

  await wait('The front page, first visit: it can be read', open('/'), () => page.locator('h1').waitFor());
  await wait(
    '… and says what arrives for 100',
    () => page.locator('#calculator').scrollIntoViewIfNeeded(),
    arrives('calculator-bs'),
  );
  await wait('The form to sign up, after the front page', open('/login?signup=true'), hydrated);
  await field('signup-name').fill('Carmen Rojas');
  const email = `carmen-${randomUUID()}@example.com`;
  await field('signup-email').fill(email);
  await field('signup-password').fill('una-clave-larga');
  await field('signup-confirm').fill('una-clave-larga');
  await field('signup-terms').check();
  await wait('Signed up: the panel says what arrives', () => field('signup-submit').click(), arrives('breakdown-bs'));
  await wait(
    'The form of a recipient',
    () => field('send-add').click(),
    () => field('recipient-form').waitFor(),
  );
  for (const name of ['name', 'ci', 'phone', 'bankAccount', 'address', 'city'] as const)
    await field(`recipient-${name}`).fill(sampleRecipient[name]);
  await field('recipient-bankName').selectOption(sampleRecipient.bankName);
  await wait(
    'The recipient is saved',
    () => field('recipient-submit').click(),
    () => field('recipient-form').waitFor({ state: 'hidden' }),
  );
  await field('send-amount').fill('120');
  await field('send-birth-date').fill('1990-05-17');
  const send = page.locator('[data-testid=send-submit]:enabled');
  await send.waitFor();
  await wait(
    'The code of the e-mail is asked for, by “Enviar dinero ahora”',
    () => send.click(),
    () => field('email-code').waitFor(),
  );
  const code = await emailedCode(app, email);
  await wait('The card’s form, once the code is typed', () => field('email-code').fill(code), cardReady);
  await wait(
    'Paid',
    () => pay(page),
    () => field('pay-success').waitFor(),
  );
  await field('pay-done').click();

  await wait('The panel, opened again: it says what arrives', open('/dashboard'), arrives('breakdown-bs'));
  await wait(
    'The list of transfers',
    () => field('tab-transfers').click(),
    () => field('transfer-row').first().waitFor(),
  );
  await wait('The same again: the card’s form', () => field('transfer-repeat-now').first().click(), cardReady);
  await wait(
    'The same again: paid',
    () => pay(page),
    () => field('pay-success').waitFor(),
  );
  await context.close();
  return waits;
}

/** The page loads everything over a slow connection, its first scripts and the card's frame included. */
async function slowPage(page: Page): Promise<Page> {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = (kilobitsPerSecond * 1000) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  return page;
}

async function pay(page: Page): Promise<void> {
  const card = page.frameLocator('[data-stripe-frame=elements-frame]');
  await card.getByTestId('card-number').fill('4242424242424242');
  await card.getByTestId('card-expiry').fill('1234');
  await card.getByTestId('card-cvc').fill('123');
  await page.getByTestId('pay-submit').click();
}

function reportOf(journeys: Waits[]): string {
  const names = [...(journeys[0]?.keys() ?? [])];
  const rows = names.map((name) => {
    const times = journeys.map((waits) => waits.get(name) ?? Number.NaN).sort((one, other) => one - other);
    const middle = times[Math.floor(times.length / 2)] ?? Number.NaN;
    return `| ${name} | ${seconds(middle)} | ${seconds(times[0])}–${seconds(times.at(-1))} |`;
  });
  const load = `${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
  return `# On a slow network

Written by \`npm run slow-network\` (${new Date().toISOString().slice(0, 10)}): the production build as \`npm start\` serves it, a phone of 390 px, ${kilobitsPerSecond} kbit/s both ways
with ${roundTripMs} ms for each round trip, nothing stored in the browser before the first line. Fields are filled in at once: what stands
here is waiting. Median and range of ${journeys.length} journeys; load of the machine ${load}.

| Wait for | Seconds | Range |
| --- | --- | --- |
${rows.join('\n')}
`;
}

function seconds(ms: number | undefined): string {
  return ((ms ?? Number.NaN) / 1000).toFixed(1);
}

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { publicPages } from '../web/src/lib/public-pages.ts';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { covers, expectText } from './conformance/coverage.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

const browser = useBrowser();
const app = useApp();

const open = (page: Page, path: string) => page.goto(`${app.url()}${path}`);
const shows = (page: Page, testid: string, text: string | RegExp) =>
  page.getByTestId(testid).filter({ hasText: text }).first().waitFor();
/** A hash of the address, once it led somewhere: the part it names is on screen and has the focus. */
const isAt = (page: Page, id: string) =>
  until(`the page is at #${id}`, async () =>
    page.evaluate((name) => {
      const part = document.getElementById(name);
      const top = part?.getBoundingClientRect().top ?? -1;
      return document.activeElement === part && top >= 0 && top < window.innerHeight / 2;
    }, id),
  );

test('the front page names the scripts it starts with, and connects by itself', async () => {
  const page = await browser.newPage();
  const loaded = new Set<string>();
  page.on('request', (request) => {
    if (request.resourceType() === 'script') loaded.add(new URL(request.url()).pathname);
  });
  const live = page.waitForEvent('websocket');
  const answer = await open(page, '/');
  await shows(page, 'home-rates', '1 USD = 11,55 Bs');
  await live;
  const named = new Set((await answer?.text())?.match(/\/[\w./~-]+\.js/g));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((script) => !loaded.has(script))).toEqual([]);
});

describe('the calculator', () => {
  test('the calculator shows what arrives for 100 dollars and follows amount, currency and a rate of one’s own', async () => {
    const page = await browser.newPage();
    await open(page, '/#calculator');
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    await shows(page, 'calculator-fee', '$ 3,50');
    await shows(page, 'calculator-net', '$ 96,50');
    expect(await page.getByTestId('calculator-amount').inputValue()).toBe('100');
    expect(await page.getByTestId('calculator-estimate').count()).toBe(0);
    await page.getByTestId('calculator-amount').fill('20.50');
    await shows(page, 'calculator-fee', '$ 0,72');
    await page.getByTestId('calculator-amount').fill('100');
    await shows(page, 'calculator-fee', '$ 3,50');
    covers('route /', 'call GET /api/rate/{currency}', 'call POST /api/quote', 'constant default amount 100');

    await page.getByTestId('calculator-currency').getByText('EUR').click();
    await shows(page, 'calculator-bs', 'Bs 1.291,17');
    expect(await page.getByTestId('calculator-rate').getAttribute('data-rate')).toBe('13.38');
    covers('rule calculator quotes');
    await page.getByTestId('calculator-currency').getByText('USD').click();

    await page.getByTestId('calculator-rate').fill('12');
    await shows(page, 'calculator-bs', 'Bs 1.158,00');
    await shows(page, 'calculator-estimate', /Estimación.*Tu envío usa siempre la nuestra: 1 USD = 11,55 Bs/);
    expect(await page.getByTestId('calculator-rate').getAttribute('data-rate')).toBe('11.55');
    await page.getByTestId('calculator-real-rate').click();
    await shows(page, 'calculator-bs', 'Bs 1.114,57');

    await page.getByTestId('calculator-rate').fill('12.00');
    await shows(page, 'calculator-bs', 'Bs 1.158,00');
    await page.getByTestId('calculator-refresh').click();
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    expect(await page.getByTestId('calculator-rate').inputValue()).toContain('11,55');
    covers('rule calculator rate');
  });

  test('the calculator says nothing about an empty field, and takes nothing below 1', async () => {
    const page = await browser.newPage();
    await open(page, '/#calculator');
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    await page.getByTestId('calculator-amount').fill('');
    await shows(page, 'calculator-bs', 'Bs —');
    expect(await page.getByTestId('calculator-submit').isDisabled()).toBe(true);
    expect(await page.getByTestId('calculator').locator('[aria-invalid=true]').count()).toBe(0);
    await page.getByTestId('calculator-amount').fill('0,5');
    await page.getByTestId('calculator-amount').blur();
    await until('the amount is 1', async () => (await page.getByTestId('calculator-amount').inputValue()) === '1');
    covers('constant calculator minimum 1');
  });

  test('the calculator compares with the two services for the same total paid', async () => {
    const page = await browser.newPage();
    await page.route('**/api/scraper/USD/100', (route) =>
      route.fulfill({
        json: {
          timestamp: new Date().toISOString(),
          amount: '100.00',
          currency: 'USD',
          results: {
            westernUnion: price('Western Union', '11.00', '5.00', 'live'),
            moneyGram: price('MoneyGram', '7.70', '3.99', 'reference'),
            ria: price('Ria', '11.40', '1.00', 'live'),
          },
        },
      }),
    );
    await open(page, '/#calculator');
    const prices = page.getByTestId('calculator-prices');
    await prices.getByText('Bs 1.045,00').waitFor();
    await prices.locator('[data-competitor=moneyGram][data-reference]').getByText('valor de referencia').waitFor();
    expect(await prices.getByText('Ria').count()).toBe(0);
    covers('call GET /api/scraper/{currency}/{amount}', 'constant received = (amount - fee) x rate');
  });

  test('the calculator never shows an old answer for a new amount, however late it comes', async () => {
    const page = await browser.newPage();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held = 0;
    let late = 0;
    await page.route('**/api/quote', async (route) => {
      if (route.request().postDataJSON().amount === '200') {
        held += 1;
        await released;
      }
      // The page may have given up on it meanwhile.
      await route.continue().catch(() => undefined);
      if (held > 0 && route.request().postDataJSON().amount === '200') late += 1;
    });
    await open(page, '/#calculator');
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    await page.getByTestId('calculator-amount').fill('200');
    await until('the first answer is held back', async () => held > 0);
    expect(await page.getByTestId('calculator-bs').textContent()).not.toContain('1.114,57');
    await page.getByTestId('calculator-amount').fill('300');
    await shows(page, 'calculator-bs', 'Bs 3.343,72');
    release();
    await until('the late answer is let go', async () => late === held);
    expect(await page.getByTestId('calculator-bs').textContent()).toContain('3.343,72');
    await page.getByTestId('calculator-amount').fill('200');
    await shows(page, 'calculator-bs', 'Bs 2.229,15');
  });

  test('the calculator estimates without a connection, says so, and takes the real figures as soon as there are any', async () => {
    const page = await browser.newPage({ expectedErrors: [/Failed to load resource/] });
    const lost = /\/api\/(quote|rate\/|scraper)/;
    await page.route(lost, (route) => route.abort());
    await open(page, '/#calculator');
    await shows(page, 'calculator-bs', 'Bs 833,00');
    await shows(page, 'calculator-fee', '$ 2,00');
    await shows(page, 'calculator-estimate', /Estimación.*comisión de 2 % y 1 USD = 8,50 Bs/);
    await shows(page, 'calculator-prices', /Western Union.*7,80 Bs · comisión \$ 4,99 · valor de referencia/);
    covers('constant default rate 8.5', 'constant fallback fee 2 %', 'constant competitor fallbacks');

    await page.unroute(lost);
    await page.getByTestId('calculator-retry').click();
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    await until('nothing is an estimate', async () => (await page.getByTestId('calculator-estimate').count()) === 0);

    await page.route(lost, (route) => route.abort());
    await page.getByTestId('calculator-amount').fill('50');
    await shows(page, 'calculator-bs', 'Bs 557,28');
    await shows(page, 'calculator-estimate', /lo último que vimos.*comisión de 3,5 % y 1 USD = 11,55 Bs/);
  });

  test('the calculator says that payments in a currency are paused, and does not lead to one', async () => {
    const page = await browser.newPage();
    // The pause is mocked, so the page must get no push that says there is none.
    await page.routeWebSocket(/socket\.io/, () => undefined);
    await page.route('**/api/rate/USD', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), paused: true } });
    });
    await open(page, '/#calculator');
    await shows(page, 'calculator-paused', 'Pausamos los envíos en esta moneda');
    expect(await page.getByTestId('calculator-submit').isDisabled()).toBe(true);
  });

  test('the calculator carries amount and currency through sign-up into the form, which asks the server again', async () => {
    const page = await browser.newPage({ viewport: viewports.phone });
    await open(page, '/landing2');
    await page.getByTestId('calculator-amount').fill('150');
    await page.getByTestId('calculator-currency').getByText('EUR').click();
    await shows(page, 'calculator-bs', 'Bs 1.936,75');
    await page.getByTestId('calculator-submit').click();
    await page.waitForURL('**/login?signup=true&next=*');
    await page.getByTestId('signup-name').fill('Carmen Rojas');
    await page.getByTestId('signup-email').fill('carmen-calculadora@example.com');
    await page.getByTestId('signup-password').fill('una-clave-larga');
    await page.getByTestId('signup-confirm').fill('una-clave-larga');
    await page.getByTestId('signup-terms').check();
    await page.getByTestId('signup-submit').click();
    await page.waitForURL('**/dashboard?amount=150&currency=EUR#send');
    await shows(page, 'breakdown-bs', 'Bs 1.936,75');
    expect(await page.getByTestId('send-amount').inputValue()).toBe('150');
    await isAt(page, 'send');
    covers('route /landing2');
  });
});

const price = (name: string, rate: string, fee: string, freshness: string) => ({
  name,
  rate,
  fee,
  freshness,
  collectedAt: freshness === 'live' ? new Date().toISOString() : null,
});

test('questions open one at a time and close again as soon as they can be pressed', async () => {
  const page = await browser.newPage();
  await open(page, '/#faq');
  const controls = page.getByTestId('questions').getByRole('button');
  const opened = page.getByTestId('questions').locator('button[aria-expanded=true]');
  await controls.nth(0).click();
  await page.getByText('cédula de identidad (CI)').waitFor();
  await controls.nth(3).click();
  await page.getByText('máximo $3.000 USD').waitFor();
  expect(await opened.count()).toBe(1);
  await controls.nth(3).click();
  await until('all are closed', async () => (await opened.count()) === 0);
});

test('links to parts of the front page lead there from every page, by pointer and from the small menu', async () => {
  const page = await browser.newPage();
  await open(page, '/terms');
  await page.getByTestId('footer-faq').click();
  await page.waitForURL('**/#faq');
  await isAt(page, 'faq');
  await page.getByTestId('nav-calculator').click();
  await page.waitForURL('**/#calculator');
  await isAt(page, 'calculator');

  const phone = await browser.newPage({ viewport: viewports.phone });
  await open(phone, '/ayuda');
  await phone.getByTestId('nav-menu').click();
  await phone.getByTestId('nav-calculator-small').click();
  await phone.waitForURL('**/#calculator');
  await until('the menu is gone', async () => !(await phone.getByTestId('nav-faq-small').isVisible()));
});

test('a page scrolled before it is hydrated stays where it is, and a link pressed meanwhile leads on', async () => {
  const page = await browser.newPage();
  const scripts = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise;
    await route.continue();
  });
  // Its scripts belong to what a page waits for.
  await page.goto(`${app.url()}/terms`, { waitUntil: 'commit' });
  await page.getByTestId('footer-faq').hover();
  await page.mouse.down();
  const scrolled = () => page.evaluate(() => window.scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(0);
  scripts.resolve();
  // Only a hydrated page knows the year.
  await page.getByText(/© 20\d\d Chasqui/).waitFor();
  expect(await scrolled()).toBeGreaterThanOrEqual(before);
  await page.mouse.up();
  await page.waitForURL('**/#faq');
});

test('the landing pages lead where the specification says', async () => {
  const page = await browser.newPage();
  const leads = async (testid: string, path: string) =>
    expect([testid, await page.getByTestId(testid).first().getAttribute('href')]).toEqual([testid, path]);
  await open(page, '/');
  await leads('home-first-transfer', '/login');
  await leads('home-advice', '/login');
  await leads('home-analysis', '/dashboard');
  await leads('home-card-test', '/stripe-integration');
  await leads('home-crypto-test', '/stripe-integration-crypto');
  await open(page, '/landing2');
  for (const testid of ['b-start', 'b-start-now', 'b-send-now']) await leads(testid, '/dashboard');
  for (const testid of ['b-how', 'b-compare']) await leads(testid, '/rate-tester');
  await page.getByText('Testimonios ilustrativos').waitFor();

  const phone = await browser.newPage({ viewport: viewports.phone });
  await open(phone, '/landing2');
  await phone.getByTestId('b-menu').click();
  expect(await phone.getByTestId('b-start-small').getAttribute('href')).toBe('/dashboard');
});

test('help is found without accents, and a person is reached as configured', async () => {
  const page = await browser.newPage();
  await open(page, '/login');
  await page.getByTestId('login-help').click();
  await page.waitForURL('**/ayuda');
  await page.getByTestId('help-search').fill('CEDULA');
  await shows(page, 'help-count', '1 respuesta');
  await page.getByText('cédula de identidad (CI)').waitFor();
  await page.getByTestId('help-search').fill('criptomonedas marcianas');
  await page.getByText('No encontramos una respuesta').waitFor();
  expect(await page.getByTestId('help-whatsapp').getAttribute('href')).toBe('https://wa.me/59171234567');
  expect(await page.getByTestId('help-email').getAttribute('href')).toBe('mailto:ayuda@example.com');
  covers('route /ayuda');

  await page.route('**/api/help/contact', (route) => route.fulfill({ json: { whatsapp: null, email: null } }));
  const asked = page.waitForResponse('**/api/help/contact');
  await page.reload();
  await asked;
  await until('no contact is offered', async () => (await page.getByTestId('help-contact').count()) === 0);
});

test('an unknown address shows the page that says so', async () => {
  const page = await browser.newPage({ expectedErrors: [/status of 404.*\/no\/such\/page\)/] });
  await open(page, '/no/such/page');
  await expectText(page, 'route any other path');
});

test('every page of the site map says what it is, and how it looks where it is shared', async () => {
  const text = async (path: string) => {
    const answer = await fetch(`${app.url()}${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  const places = [...(await text('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place ?? '');
  expect(places.toSorted()).toEqual(publicPages.map(({ path }) => `${app.url()}${path}`).toSorted());
  const descriptions = new Set<string>();
  for (const place of places) {
    const html = await text(new URL(place).pathname);
    const meta = (name: string) =>
      new RegExp(`<meta\\s+(?:name|property)="${name}"\\s+content="([^"]*)"`).exec(html)?.[1];
    expect(html).toContain('<html lang="es-BO">');
    expect(html).toContain(`<link rel="canonical" href="${place}"/>`);
    expect(html).toContain(`<title>${meta('og:title')} · Chasqui</title>`);
    expect(meta('og:url')).toBe(place);
    expect(meta('og:image')).toBe(`${app.url()}/preview.png`);
    expect(meta('description')).toBe(meta('og:description'));
    descriptions.add(meta('description') ?? '');
  }
  expect(descriptions.size).toBe(places.length);
  const picture = Buffer.from(await (await fetch(`${app.url()}/preview.png`)).arrayBuffer());
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630]);
});

test('the calculator has no accessibility violations while it shows an estimate', async () => {
  const page = await browser.newPage();
  for (const path of ['/#calculator', '/landing2']) {
    await open(page, path);
    await shows(page, 'calculator-bs', 'Bs 1.114,57');
    await page.getByTestId('questions').waitFor();
    await page.getByTestId('calculator-rate').fill('12');
    await page.getByTestId('calculator-estimate').waitFor();
    await expectAccessibleAtAnyWidth(page, path);
  }
}, 120_000);

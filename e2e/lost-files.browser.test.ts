import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { useBrowser } from '../infra/testing/browser.ts';
import { password } from './pages.ts';
import { useApp } from './test-app.ts';

const browser = useBrowser();
const app = useApp();

/** What a browser logs about a script that did not load. */
const lost = { expectedErrors: [/ERR_FAILED/, /dynamically imported module/, /status of 404/] };

const lose = (page: Page, script: string) => page.route(`**/assets/${script}-*.js`, (route) => route.abort('failed'));
const useIt = (page: Page) => page.locator('#calculator').scrollIntoViewIfNeeded();

test('public pages work without the toasts’ script, and the front page shows the calculator’s figures before its scripts load', async () => {
  const page = await browser.newPage({ expectedErrors: [...lost.expectedErrors, /status of 401/] });
  const come = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await come.promise;
    await route.continue();
  });
  await lose(page, 'toasts');
  const failed = page.waitForEvent('requestfailed');
  await page.goto(`${app.url()}/`, { waitUntil: 'commit' });
  await page
    .getByTestId('home-rates')
    .getByText(/1\sUSD\s=\s\d+,\d+\sBs/)
    .waitFor();
  const arrives = page.getByTestId('first-answer').getByText(/^Bs\s[\d.]+,\d\d$/);
  const figure = (await arrives.textContent()) ?? '';
  expect(await page.locator('html[data-hydrated]').count()).toBe(0);
  come.resolve();
  await failed;
  await useIt(page);
  await page.getByTestId('calculator-bs').getByText(figure).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('footer').count()).toBe(1);

  const failedAgain = page.waitForEvent('requestfailed');
  await page.goto(`${app.url()}/login`);
  await failedAgain;
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('footer').count()).toBe(1);
  // The error message is still shown.
  await page.getByTestId('login-email').fill('nadie@example.com');
  await page.getByTestId('login-password').fill('equivocada');
  await page.getByTestId('login-submit').click();
  await page.getByText('Por favor verifica tus credenciales').waitFor();
});

test('a page of an earlier build reloads itself once when one of its files is gone, and one of the same build never', async () => {
  const [same, earlier] = [await browser.newPage(lost), await browser.newPage(lost)];
  const loads = new Map([same, earlier].map((page) => [page, 0]));
  for (const page of loads.keys()) page.on('load', () => loads.set(page, (loads.get(page) ?? 0) + 1));
  await lose(same, 'calculator');
  await same.goto(`${app.url()}/`);
  const compared = same.waitForResponse(
    (answer) => answer.request().resourceType() === 'fetch' && answer.url() === `${app.url()}/`,
  );
  await useIt(same);
  await compared;
  await same.getByText('No pudimos cargar esta parte de la página.').waitFor();
  expect(await same.getByTestId('home-rates').isVisible()).toBe(true);

  // Only the page's own question which build the server has is answered by another one.
  await earlier.route(`${app.url()}/`, (route) =>
    route.request().resourceType() === 'fetch'
      ? route.fulfill({ contentType: 'text/html', body: '<script src="/assets/entry.client-newer.js"></script>' })
      : route.fallback(),
  );
  await earlier.route('**/assets/calculator-*.js', (route) => route.fulfill({ status: 404 }));
  await earlier.goto(`${app.url()}/`);
  const reloaded = earlier.waitForEvent('load');
  await useIt(earlier);
  await reloaded;
  await useIt(earlier);
  await earlier.getByText('No pudimos cargar esta parte de la página.').waitFor();
  expect([loads.get(same), loads.get(earlier)]).toEqual([1, 2]);
});

test('a page whose initial scripts fail to load says so after one reload and still shows its text', async () => {
  const page = await browser.newPage(lost);
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await lose(page, 'entry.client');
  await page.goto(`${app.url()}/terms`);
  await page.getByRole('alert').getByText('No pudimos cargar toda la página.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Términos de Servicio' }).waitFor();
  expect(loads).toBe(2);
});

test('a page whose own script never comes is not reloaded for ever', async () => {
  const page = await browser.newPage({
    expectedErrors: [...lost.expectedErrors, /loading route module/, /A file of the page did not come/],
  });
  await lose(page, 'scraper');
  await page.goto(`${app.url()}/scraper`);
  await page.getByRole('alert').getByText('Algo salió mal').waitFor();
  await page.unroute('**/assets/scraper-*.js');
  await page.getByRole('button', { name: 'Recargar la página' }).click();
  await page.getByRole('heading', { level: 1, name: 'Precios de otros servicios' }).waitFor();
});

// Signing in without storage: web/src/routes/login.component.test.tsx.
test('the dashboard stays when the script of the rate chart does not load, in a browser that blocks storage too', async () => {
  // The router's script that restores the scroll position complains.
  const blocked = [/The operation is insecure/];
  const page = await browser.newPage({ expectedErrors: [...lost.expectedErrors, ...blocked] });
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
    }
  });
  await lose(page, 'rate-chart');
  await page.request.post(`${app.url()}${endpoints.register.path}`, {
    data: { name: 'Carmen Rojas', email: `carmen-${randomUUID()}@example.com`, password, acceptedTerms: true },
  });
  await page.goto(`${app.url()}/dashboard`);
  await page.getByTestId('summary-balance').waitFor();
  await page.getByTestId('rate-history').getByText('El gráfico no se pudo cargar.').waitFor();
  expect(await page.getByTestId('send-submit').isVisible()).toBe(true);
});

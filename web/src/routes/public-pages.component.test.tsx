import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { renderApp } from '../testing/render-app.tsx';
import { quoteFor, sampleBoard, sampleComparison, sampleRate } from '../testing/sample-rates.ts';
import HelpPage from './help.tsx';
import HomePage from './home.tsx';
import Landing2Page from './landing2.tsx';
import Legal from './legal.tsx';
import NotFoundPage from './not-found.tsx';

const api = installFakeApi();
const show = (element: ReactNode) => renderApp([{ path: '*', element }]);
const field = (testid: string) => page.getByTestId(testid);

function answerWithRates() {
  api.answer({
    getRates: () => sampleBoard(),
    getRate: () => sampleRate('USD'),
    quote: ({ body }) => quoteFor(body),
    exchangeRates: () => sampleComparison,
    scraperFor: () => ({ timestamp: '2026-11-20T14:00:00.000Z', amount: '100.00', currency: 'USD', results: {} }),
  });
}

/** Asserts where links lead, by testid. */
async function expectLinks(links: Readonly<Record<string, string>>) {
  for (const [testid, path] of Object.entries(links)) {
    await expect.element(field(testid).first()).toHaveAttribute('href', path);
  }
}

test('the front page shows today’s rates and leads where the specification says', async () => {
  answerWithRates();
  await show(<HomePage />);
  await expect.element(field('home-rates')).toMatchTextContent(/1 USD = 11,55 Bs.*1 EUR = 13,38 Bs/);
  await expectLinks({
    'home-first-transfer': '/login',
    'home-advice': '/login',
    'home-analysis': '/dashboard',
    'home-card-test': '/stripe-integration',
    'home-crypto-test': '/stripe-integration-crypto',
  });
  await expect.element(field('home-claim')).toMatchTextContent('2,0 %');
  covers('route /');
});

test('the front page says that the rate is unknown where it cannot be loaded', async () => {
  api.answer({ getRates: () => 'no connection', exchangeRates: () => 'no connection' });
  await show(<HomePage />);
  await expect.element(field('home-rates')).toMatchTextContent('Tasa no disponible por el momento');
  await expect.element(field('home-claim')).not.toBeInTheDocument();
});

test('landing page B leads where the specification says, from its small menu too', async () => {
  answerWithRates();
  await page.viewport(1280, 900);
  await show(<Landing2Page />);
  await expectLinks({
    'b-start': '/dashboard',
    'b-start-now': '/dashboard',
    'b-send-now': '/dashboard',
    'b-how': '/rate-tester',
    'b-compare': '/rate-tester',
  });
  await expect.element(page.getByText('Testimonios ilustrativos', { exact: false })).toBeInTheDocument();
  covers('route /landing2');
  await expectAccessibleAtAnyWidth();
  await page.viewport(390, 844);
  await field('b-menu').click();
  await expectLinks({ 'b-start-small': '/dashboard' });
});

test('questions open one at a time and close again', async () => {
  answerWithRates();
  await show(<HomePage />);
  const controls = field('questions').getByRole('button');
  const opened = () => document.querySelectorAll('[data-testid=questions] button[aria-expanded=true]').length;
  await controls.nth(0).click();
  await expect.element(page.getByText('cédula de identidad (CI)', { exact: false })).toBeVisible();
  await controls.nth(3).click();
  await expect.element(page.getByText('máximo $3.000 USD', { exact: false })).toBeVisible();
  expect(opened()).toBe(1);
  await controls.nth(3).click();
  await expect.poll(opened).toBe(0);
});

test('help is found without accents, and a person is reached as configured', async () => {
  api.answer({ arrivalTimes, helpContact: () => ({ whatsapp: '59171234567', email: 'ayuda@example.com' }) });
  await show(<HelpPage />);
  await field('help-search').fill('CEDULA');
  await expect.element(field('help-count')).toHaveTextContent('1 respuesta');
  await expect.element(page.getByText('cédula de identidad (CI)', { exact: false })).toBeVisible();
  await expectLinks({ 'help-whatsapp': 'https://wa.me/59171234567', 'help-email': 'mailto:ayuda@example.com' });
  covers('route /ayuda');
  await expectAccessibleAtAnyWidth();
  await field('help-search').fill('criptomonedas marcianas');
  await expect.element(page.getByText('No encontramos una respuesta', { exact: false })).toBeVisible();
  // A person is offered once, beside what was not found, too.
  await expect.element(field('help-email')).toBeVisible();
});

const arrivalTimes = () => ({ days: 30, times: [] });

for (const [reason, answer] of [
  ['none is configured', { whatsapp: null, email: null }],
  ['it cannot be loaded', 'no connection'],
] as const) {
  test(`help offers no contact where ${reason}`, async () => {
    api.answer({ arrivalTimes, helpContact: () => answer });
    await show(<HelpPage />);
    await expect.element(field('help-contact')).not.toBeInTheDocument();
    await expect.element(field('help-search')).toBeVisible();
  });
}

const legal = ['/terms', '/privacy'].map((path) => ({ path, element: <Legal /> }));

test('the legal texts have pages of their own', async () => {
  const terms = await renderApp(legal, '/terms');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Términos de Servicio' })).toBeVisible();
  await expect.element(page.getByText('al menos 18 años', { exact: false })).toBeVisible();
  await expect.element(page.getByText('Última actualización', { exact: false })).toBeVisible();
  covers('route /terms', 'constant minimum age 18');
  await expectAccessibleAtAnyWidth();
  await terms.screen.unmount();
  await renderApp(legal, '/privacy');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Política de Privacidad' })).toBeVisible();
  await expect.element(page.getByText('Los registros de envíos se guardan 7 años', { exact: false })).toBeVisible();
  covers('route /privacy', 'constant retention 7 years');
  await expectAccessibleAtAnyWidth();
  await expect.element(page.getByRole('link', { name: 'Volver al inicio' })).toHaveAttribute('href', '/');
});

test('an unknown address shows the page that says so', async () => {
  await renderApp([{ path: '*', element: <NotFoundPage /> }], '/no/such/page');
  await expectText('route any other path');
  await expectAccessibleAtAnyWidth();
});

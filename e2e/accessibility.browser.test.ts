import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { matchRoutes, type RouteObject } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import routeConfig from '../web/src/routes.ts';
import { wellWalked } from '../web/src/testing/focus-walk.ts';
import { expectAccessibleAtAnyWidth, expectWellStructured } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { expectKeyboardReachesAll, tabThrough } from './keyboard.ts';
import { beginSession, chooseSending } from './pages.ts';
import { adminAccount, useApp } from './test-app.ts';
import { until } from './until.ts';

type Person = 'visitor' | 'sender' | 'admin';

const missing = '/no/such/page';

/** Pages that are prerendered in English, too; everything else speaks both languages under one address. */
const inEnglish = ['', '/landing2', '/ayuda', '/login', '/terms', '/privacy', '/rate-tester'];

/** The page that is checked as a whole document, both here and at any width: no component test renders it. */
const wholeDocument = '/';

/** The component tests that check each other page at both widths and in both colour schemes. */
const byComponentTest: Readonly<Record<string, readonly string[]>> = {
  'routes/dashboard': ['/dashboard'],
  'features/admin/transfers/transfers-tab': ['/admin'],
  'routes/public-pages': ['/landing2', '/ayuda', '/terms', '/privacy', missing],
  'routes/login': ['/login'],
  'routes/comparison': ['/rate-tester', '/scraper'],
  'features/account/account-sections': ['/cuenta'],
  'features/receipt/receipt': ['/recibo/:id'],
  'routes/email-link': ['/correo'],
  'routes/new-password': ['/recuperar'],
  'routes/payment-pages': [
    '/stripe-pago',
    '/fixed-stripe',
    '/stripe-integration',
    '/stripe',
    '/new-stripe',
    '/payment-demo',
    '/stripe-basic',
    '/stripe-simple',
    '/stripe-direct',
    '/stripe-redirect',
    '/simple-stripe',
  ],
  'routes/payment-success': ['/payment-success'],
  'routes/check-paper': ['/verificar', '/verificar/:code'],
  'routes/dashboard-phone': ['/dashboard/envios', '/dashboard/destinatarios', '/dashboard/tasas'],
  'features/crypto/crypto-purchase': ['/stripe-integration-crypto'],
  'features/tracking/tracking': ['/seguimiento', '/seguimiento/:token'],
  'routes/sandbox-pages': ['/stripe-demo', '/test-login'],
};

const routes = routeConfig as readonly RouteObject[] as RouteObject[];

const browser = useBrowser();
const app = useApp();
const signedIn: Partial<Record<Person, PageOptions['storageState']>> = {};

beforeAll(async () => {
  // A session is stored by whatever opens first.
  const stored = `${app.url()}/mark.svg`;
  const { page: sender, ...person } = await senderAtPanel(app, browser.newPage);
  await person.pay(await person.addRecipient());
  await sender.goto(stored);
  signedIn.sender = await sender.context().storageState();
  const admin = await browser.newPage();
  const { email, password } = adminAccount;
  await beginSession(admin, app.url(), endpoints.login, { email, password });
  await admin.goto(stored);
  signedIn.admin = await admin.context().storageState();
}, 120_000);

async function open(page: Page, path: string) {
  await page.goto(`${app.url()}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector('[data-hydrated]:not(:has([aria-label=Cargando]))'));
  // Some parts are loaded when they come into view.
  const pending = page.locator('.mantine-Skeleton-root, [data-pending]');
  await until('everything on the page is loaded', async () => {
    if ((await pending.count()) === 0) return true;
    await pending
      .first()
      .scrollIntoViewIfNeeded({ timeout: 500 })
      // It has finished loading already.
      .catch(() => undefined);
    return false;
  });
}

test('every route of the web app is checked for accessibility', async () => {
  for (const [name, paths] of Object.entries(byComponentTest)) {
    const source = await readFile(join(import.meta.dirname, `../web/src/${name}.component.test.tsx`), 'utf8');
    for (const wanted of paths) expect(source).toContain(wanted);
    expect(source).toMatch(/await expectAccessible(AtAnyWidth|InBothSchemes)\(/);
  }
  const routesOf = (paths: readonly string[]) =>
    new Set(paths.map((path) => matchRoutes(routes, path.split('?')[0] ?? path)?.at(-1)?.route.path));
  const known = (list: typeof routes): (string | undefined)[] =>
    list.flatMap(({ path, children }) => (children ? known(children) : [path]));
  const translated = inEnglish.map((path) => `/en${path}`);
  const visited = routesOf([wholeDocument, ...translated, ...Object.values(byComponentTest).flat()]);
  expect(known(routes).filter((path) => !visited.has(path))).toEqual([]);
});

/** A page of the browser in which this person is signed in. */
const pageOf = (person: Person, options: PageOptions = {}): Promise<Page> => {
  const storageState = signedIn[person];
  return browser.newPage({ ...options, ...(storageState && { storageState }) });
};

const smallPhone = { width: 375, height: 667 };

/** Asserts that nothing is wider than a small phone with the browser’s text at 200 %. Restores the width and the text size. */
async function expectRoomForLargeText(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const viewport = page.viewportSize() ?? viewports.desktop;
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await page.setViewportSize(smallPhone);
  await expect.poll(() => page.evaluate(() => matchMedia('(max-width: 18em)').matches)).toBe(true);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: page.url() })
    .toBe(smallPhone.width);
  await page.setViewportSize(viewport);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  await devtools.detach();
}

// Component tests walk through dialogs and the states of a page (web/src/testing/keyboard-dialog.ts).
test('a visitor reaches every control by keyboard, and no page is wider than a small phone with text at 200 %', async () => {
  const page = await pageOf('visitor');
  await open(page, wholeDocument);
  await expectKeyboardReachesAll(page);
  await expectAccessibleAtAnyWidth(page);
  await expectRoomForLargeText(page);
  await open(page, '/landing2');
  await expectRoomForLargeText(page);
  await open(page, '/login');
  await expectKeyboardReachesAll(page);
  await page.getByTestId('login-forgot').press('Enter');
  await page.getByTestId('recovery-panel').waitFor();
  await expectKeyboardReachesAll(page);
  await page.getByTestId('recovery-back').press('Enter');
  await page.getByTestId('signup-tab').press('Enter');
  await page.getByTestId('signup-submit').waitFor();
  await expectKeyboardReachesAll(page);
  await expectRoomForLargeText(page);
  for (const path of ['/ayuda', '/rate-tester']) {
    await open(page, path);
    await expectKeyboardReachesAll(page);
  }
}, 120_000);

test('a sender reaches every control by keyboard, and no page is wider than a small phone with text at 200 %', async () => {
  const page = await pageOf('sender', { expectedErrors: [/ERR_FAILED/, /dynamically imported module/] });
  await open(page, '/stripe-pago');
  await expectKeyboardReachesAll(page);
  for (const path of ['/cuenta', '/dashboard/destinatarios']) {
    await open(page, path);
    await expectRoomForLargeText(page);
  }
  await page.route('**/assets/payment-dialog-*.js', (route) => route.abort('failed'));
  await open(page, '/dashboard');
  await expectKeyboardReachesAll(page);
  await expectWellStructured(page);
  await expectRoomForLargeText(page);
  await expectDialogOfMissingFile(page);
}, 120_000);

test('an admin reaches every control by keyboard, and the panel is no wider than a small phone with text at 200 %', async () => {
  const page = await pageOf('admin');
  await open(page, '/admin');
  await expectKeyboardReachesAll(page);
  await expectWellStructured(page);
  await expectRoomForLargeText(page);
}, 120_000);

/** Asserts that a card form whose script does not load says so in a dialog that a keyboard opens and closes. */
async function expectDialogOfMissingFile(page: Page): Promise<void> {
  await chooseSending(page);
  const opener = page.getByTestId('send-submit');
  const dialog = page.getByRole('dialog');
  const openByKeyboard = async () => {
    // Unlike the keyboard, this waits until the control can be used.
    await opener.click({ trial: true });
    await opener.focus();
    await page.keyboard.press('Enter');
    await dialog.getByText('No pudimos abrir el formulario de pago.').waitFor();
  };
  await openByKeyboard();
  const within = '[role=dialog]';
  await expect.poll(() => page.evaluate((at) => document.activeElement?.closest(at) != null, within)).toBe(true);
  expect(await tabThrough(page, within)).toEqual(wellWalked);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => opener.evaluate((control) => control === document.activeElement)).toBe(true);
  await openByKeyboard();
  await expectAccessibleAtAnyWidth(page, 'a card form without its script', { part: within });
}

test('no prerendered English page is wider than a phone', async () => {
  const page = await browser.newPage({ viewport: viewports.phone });
  for (const path of inEnglish) {
    await page.goto(`${app.url()}/en${path}`);
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)]).toEqual([
      path,
      0,
    ]);
  }
});

import type { Page } from 'playwright-core';
import { matchRoutes, type RouteObject } from 'react-router';
import { beforeAll, expect, test } from 'vitest';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import routeConfig from '../web/src/routes.ts';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { expectKeyboardReachesAll } from './keyboard.ts';
import { enterAsAdmin } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

type Person = 'visitor' | 'sender' | 'admin';

const nobodysReceipt = '00000000-0000-4000-8000-000000000000';
const missing = '/no/such/page';

/** Every address of the product and for whom it is checked. */
const visits: Readonly<Record<string, readonly Person[]>> = {
  '/': ['visitor', 'sender'],
  '/landing2': ['visitor'],
  '/ayuda': ['visitor'],
  '/login': ['visitor'],
  '/login?signup=true': ['visitor'],
  '/login?recover=true': ['visitor'],
  '/recuperar': ['visitor'],
  '/terms': ['visitor'],
  '/privacy': ['visitor'],
  '/rate-tester': ['visitor'],
  '/scraper': ['visitor', 'admin'],
  '/stripe-integration-crypto': ['visitor', 'sender'],
  '/stripe-pago': ['sender'],
  '/stripe-integration': ['sender'],
  '/stripe': ['sender'],
  '/new-stripe': ['sender'],
  '/fixed-stripe': ['sender'],
  '/payment-demo': ['sender'],
  '/stripe-basic': ['sender'],
  '/stripe-simple': ['sender'],
  '/stripe-direct': ['sender'],
  '/stripe-redirect': ['sender'],
  '/simple-stripe': ['sender'],
  '/stripe-demo': ['visitor'],
  '/test-login': ['visitor'],
  '/payment-success': ['visitor'],
  '/dashboard': ['sender'],
  [`/recibo/${nobodysReceipt}`]: ['sender'],
  '/admin': ['admin'],
  [missing]: ['visitor'],
};

/** Pages on which every control is reached by keyboard too; the others are made of the same parts. */
const walked: Readonly<Record<Person, readonly string[]>> = {
  visitor: ['/', '/login', '/login?signup=true', '/login?recover=true', '/ayuda', '/rate-tester'],
  sender: ['/stripe-pago', '/dashboard'],
  admin: ['/admin'],
};

const routes = routeConfig as readonly RouteObject[] as RouteObject[];

const browser = useBrowser();
const app = useApp();
const signedIn: Partial<Record<Person, PageOptions['storageState']>> = {};

beforeAll(async () => {
  const { page: sender, ...person } = await senderAtPanel(app, browser.newPage);
  await person.pay(await person.addRecipient());
  await person.open();
  signedIn.sender = await sender.context().storageState();
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());
  signedIn.admin = await admin.context().storageState();
}, 120_000);

const expectedErrors = [new RegExp(`status of 404.*(/${nobodysReceipt}(/receipt)?|${missing})\\)`)];

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
      // It was loaded meanwhile.
      .catch(() => undefined);
    return false;
  });
}

test('every route of the web app is checked for accessibility', () => {
  const visited = new Set(
    Object.keys(visits).map((path) => matchRoutes(routes, path.split('?')[0] ?? path)?.at(-1)?.route.path),
  );
  const known = (list: typeof routes): (string | undefined)[] =>
    list.flatMap(({ path, children }) => (children ? known(children) : [path]));
  expect(known(routes).filter((path) => !visited.has(path))).toEqual([]);
});

test.each(['visitor', 'sender', 'admin'] as const)(
  'pages have no accessibility violations, and a %s reaches every control by keyboard',
  async (person) => {
    const storageState = signedIn[person];
    const page = await browser.newPage({ expectedErrors, ...(storageState && { storageState }) });
    for (const [path, people] of Object.entries(visits)) {
      if (!people.includes(person)) continue;
      await open(page, path);
      if (walked[person].includes(path)) await expectKeyboardReachesAll(page);
      await expectAccessibleAtAnyWidth(page, path);
      await page.setViewportSize(viewports.desktop);
    }
  },
  240_000,
);

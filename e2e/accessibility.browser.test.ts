import type { BrowserContextOptions, Page } from 'playwright-core';
import { matchRoutes } from 'react-router-dom';
import { beforeAll, describe, expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { routes } from '../web/src/app/routes.tsx';
import { expectAccessibleAtAnyWidth } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { tabThrough, wellWalked } from './keyboard.ts';
import { addRecipient, enterAsAdmin, enterAsSender } from './pages.ts';
import { useApp } from './test-app.ts';

type Person = 'visitor' | 'sender' | 'admin';

const nobodysReceipt = '00000000-0000-4000-8000-000000000000';
const missing = '/no/such/page';

/** Every address of the product and for whom it is looked at. */
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

const browser = useBrowser();
const app = useApp({ alone: true });
const signedIn: Partial<Record<Person, BrowserContextOptions['storageState']>> = {};

beforeAll(async () => {
  const sender = await browser.newPage();
  await enterAsSender(sender, app.url());
  await addRecipient(sender);
  signedIn.sender = await sender.context().storageState();
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());
  signedIn.admin = await admin.context().storageState();
  await Promise.all([sender.context().close(), admin.context().close()]);
}, 120_000);

const expectedErrors = [new RegExp(`status of 404.*(/${nobodysReceipt}(/receipt)?|${missing})\\)`)];

function pageOf(person: Person, options: BrowserContextOptions): Promise<Page> {
  const storageState = signedIn[person];
  return browser.newPage({
    ...options,
    expectedErrors,
    ...(storageState && { storageState }),
  });
}

async function open(page: Page, path: string) {
  await page.goto(`${app.url()}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-prerendered], [aria-label=Cargando]'));
  // What is loaded with the first interaction (first-interaction.ts).
  await page.mouse.wheel(0, 1);
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [data-pending]'));
}

test('every route is visited', () => {
  const visited = new Set(
    Object.keys(visits).map((path) => matchRoutes(routes, path.split('?')[0] ?? path)?.at(-1)?.route.path),
  );
  const known = (list: typeof routes): (string | undefined)[] =>
    list.flatMap(({ path, children }) => (children ? known(children) : [path]));
  expect(known(routes).filter((path) => !visited.has(path))).toEqual([]);
});

test.each(['visitor', 'sender', 'admin'] as const)(
  'no page stands in the way of a %s',
  async (person) => {
    const page = await pageOf(person, { viewport: viewports.desktop });
    for (const [path, people] of Object.entries(visits)) {
      if (!people.includes(person)) continue;
      await open(page, path);
      await expectAccessibleAtAnyWidth(page, path);
      await page.setViewportSize(viewports.desktop);
    }
  },
  240_000,
);

describe('everything is reached by keyboard, and seen when it is', () => {
  const walk = async (page: Page, path: string) => {
    await open(page, path);
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'));
    // The first control of all; pages that put the focus into a field of theirs are walked from the top too.
    const first = page.locator('a[href], button, input, select, textarea').first();
    expect(await first.textContent()).toBe('Saltar al contenido');
    await first.focus();
    expect(await tabThrough(page)).toEqual(wellWalked);
  };

  test.each([
    ['visitor', '/'],
    ['visitor', '/login'],
    ['visitor', '/login?signup=true'],
    ['visitor', '/login?recover=true'],
    ['visitor', '/ayuda'],
    ['visitor', '/rate-tester'],
    ['sender', '/stripe-pago'],
    ['sender', '/dashboard'],
    ['admin', '/admin'],
  ] as const)('by a %s at %s', async (person, path) => {
    const page = await pageOf(person, { viewport: viewports.desktop });
    await walk(page, path);
  });

  test.each(['without anything yet', 'with transfers'])('by a sender %s at /dashboard', async (wealth) => {
    const { page, pay, addRecipient: add } = await senderAtPanel(app, browser.newPage);
    if (wealth === 'with transfers') await pay(await add());
    await walk(page, '/dashboard');
  });
});

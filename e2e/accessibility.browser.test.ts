import type { BrowserContextOptions, Page } from 'playwright-core';
import { matchRoutes } from 'react-router-dom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useBrowser, viewports } from '../infra/testing/browser.ts';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { routes } from '../web/src/app/routes.tsx';
import { type House, openHouse } from './house.ts';
import { expectNoObstaclesAtAnyWidth } from './obstacles.ts';
import { addRecipient, signInAsAdmin, signUpInBrowser } from './pages.ts';

type Person = 'visitor' | 'sender' | 'admin';

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
  '/recibo/00000000-0000-4000-8000-000000000000': ['sender'],
  '/admin': ['admin'],
  '/no/such/page': ['visitor'],
};

const browser = useBrowser();
let database: TestDatabase;
let house: House;
const signedIn: Partial<Record<Person, BrowserContextOptions['storageState']>> = {};

beforeAll(async () => {
  database = await createTestDatabase();
  house = await openHouse({ database, env: { HELP_WHATSAPP: '+591 712 34567', HELP_EMAIL: 'ayuda@example.com' } });
  const sender = await browser.newPage();
  await signUpInBrowser(sender, house.url());
  await addRecipient(sender);
  signedIn.sender = await sender.context().storageState();
  const admin = await browser.newPage();
  await signInAsAdmin(admin, house.url());
  signedIn.admin = await admin.context().storageState();
  await Promise.all([sender.context().close(), admin.context().close()]);
}, 120_000);

afterAll(async () => {
  await house?.stack.close();
  await database?.drop();
});

/** The receipt that nobody has. */
const expectedErrors = [/status of 404/];

function pageOf(person: Person, options: BrowserContextOptions): Promise<Page> {
  const storageState = signedIn[person];
  return browser.newPage({
    ...options,
    reducedMotion: 'reduce',
    expectedErrors,
    ...(storageState && { storageState }),
  });
}

async function open(page: Page, path: string) {
  await page.goto(`${house.url()}${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[data-drawn], [aria-label=Cargando]'));
  // What comes with the first sign of a person (first-sign.ts).
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
      await expectNoObstaclesAtAnyWidth(page, path);
      await page.setViewportSize(viewports.desktop);
    }
  },
  240_000,
);

describe('everything is reached by keyboard, and seen when it is', () => {
  for (const [person, path, ready] of [
    ['visitor', '/', '[data-testid=calculator-submit]:enabled'],
    ['admin', '/admin', '[data-testid=admin-rate-current-USD]'],
  ] as const) {
    test(`${path}`, async () => {
      const page = await pageOf(person, { viewport: viewports.desktop });
      await open(page, path);
      await page.locator(ready).waitFor();
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Saltar al contenido');
      const { hidden, missed } = await tabThrough(page);
      expect({ hidden, missed }).toEqual({ hidden: [], missed: [] });
    }, 120_000);
  }
});

/** Tabs from the first control to the last; tells whose focus could not be seen, and which controls never had it. */
async function tabThrough(page: Page): Promise<{ hidden: string[]; missed: string[] }> {
  const hidden: string[] = [];
  for (let step = 0; step < 300; step += 1) {
    const seen = await page.evaluate(() => {
      const control = document.activeElement;
      if (!(control instanceof HTMLElement) || control === document.body || control.dataset.tabbed) return null;
      control.dataset.tabbed = 'true';
      // Some controls lend their look to a neighbour: a switch its track, a choice its label.
      const shown = [control, control.parentElement, control.nextElementSibling].some((element) => {
        if (!element) return false;
        const style = getComputedStyle(element);
        return (
          (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none'
        );
      });
      const ring = shown || control.matches('input, textarea, select');
      return { name: control.outerHTML.slice(0, 120), ring };
    });
    if (!seen) break;
    if (!seen.ring) hidden.push(seen.name);
    await page.keyboard.press('Tab');
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea')]
      .filter(
        (control) =>
          !control.dataset.tabbed && control.tabIndex >= 0 && control.checkVisibility({ visibilityProperty: true }),
      )
      .filter((control) => !control.matches(':disabled, [inert] *, [type=radio]:not(:checked)'))
      .map((control) => control.outerHTML.slice(0, 120)),
  );
  return { hidden, missed };
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { failureResponses as failures } from '../api/http/failure-responses.ts';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { tabThrough, wellWalked } from './keyboard.ts';
import { chooseSending, enterAsAdmin, payInBrowser } from './pages.ts';
import { useApp } from './test-app.ts';

// Looking at every dialog at two widths and in two colour schemes takes its time.
vi.setConfig({ testTimeout: 180_000 });

type Person = 'visitor' | 'sender' | 'admin';

/** Something that opens over the page: where it is written, and how a person gets it. */
interface Dialog {
  /** Under web/src. Every dialog of a file has a row of its own. */
  readonly file: string;
  readonly person: Person;
  /** `TRANSFER` stands for the id of the sender's transfer in review. */
  readonly path: string;
  /** At the other width nothing opens it. */
  readonly onlyAt?: keyof typeof viewports;
  readonly expectedErrors?: RegExp[];
  /** What comes before it can be opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly opener: (page: Page) => Locator;
  /** What it is for a screen reader, if not a dialog; in a menu the arrows choose. */
  readonly role?: 'menu';
  /** Once it is all there. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** It stands in the place of another dialog, which comes back. */
  readonly over?: true;
  /** What else becomes of it, looked at too. */
  readonly states?: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

const press = (testid: string) => (page: Page) => page.getByTestId(testid).first().click();
const at = (testid: string) => (page: Page) => page.getByTestId(testid).first();
const called = (name: string) => (page: Page) => page.getByRole('button', { name }).first();

/** The server fails every such call, or so the browser believes. */
const failing = (path: string, code: keyof typeof failures) => (page: Page) => {
  const { status, message } = failures[code];
  return page.route(`**${path}`, (route) => route.fulfill({ status, json: { code, message } }));
};

const paymentDialog = { file: 'features/payment/payment-dialog.tsx', person: 'sender', path: '/dashboard' } as const;
const intents = '/api/new-account/create-payment-intent';
const goodCard = '4242424242424242';
const decision = { file: 'features/admin/decision-dialog.tsx', person: 'admin', path: '/admin' } as const;

const dialogs: Readonly<Record<string, Dialog>> = {
  'terms of service': {
    file: 'features/account/legal-modal.tsx',
    person: 'visitor',
    path: '/login?signup=true',
    opener: called('Términos de Servicio'),
  },
  'privacy policy': {
    file: 'features/account/legal-modal.tsx',
    person: 'visitor',
    path: '/login?signup=true',
    opener: called('Política de Privacidad'),
  },
  'menu of the person': {
    file: 'features/shell/avatar-menu.tsx',
    person: 'sender',
    path: '/dashboard',
    onlyAt: 'desktop',
    opener: at('nav-avatar'),
    role: 'menu',
  },
  'menu on small screens': {
    file: 'features/shell/small-menu.tsx',
    person: 'sender',
    path: '/dashboard',
    onlyAt: 'phone',
    opener: at('nav-menu'),
  },
  'new recipient': {
    file: 'features/recipients/add-recipient.tsx',
    person: 'sender',
    path: '/dashboard',
    opener: at('recipient-add'),
    states: { 'fields missing': press('recipient-submit') },
  },
  'a recipient': {
    file: 'features/recipients/recipient-detail.tsx',
    person: 'sender',
    path: '/dashboard',
    opener: called('Ver detalles de Rosa Mamani'),
    states: { 'to edit': press('recipient-edit') },
  },
  'taking a recipient off the list': {
    file: 'features/recipients/recipient-detail.tsx',
    person: 'sender',
    path: '/dashboard',
    prepare: (page) => called('Ver detalles de Rosa Mamani')(page).click(),
    opener: at('recipient-remove'),
    over: true,
    expectedErrors: [/status of 503/],
    states: {
      failed: async (page) => {
        await failing('/api/recipients/*', 'unavailable')(page);
        await press('recipient-remove-confirm')(page);
        await page.getByText('No se pudo quitar').waitFor();
      },
    },
  },
  'a transfer': {
    file: 'features/transfers/transfer-detail.tsx',
    person: 'sender',
    path: '/dashboard',
    opener: called('Ver detalles del envío a Rosa Mamani'),
    ready: (page) => page.getByTestId('timeline-step').first().waitFor(),
  },
  'cancelling a transfer': {
    file: 'features/transfers/cancel-transfer.tsx',
    person: 'sender',
    path: '/dashboard?envio=TRANSFER',
    opener: at('transfer-cancel'),
    over: true,
    expectedErrors: [/status of 409/],
    states: {
      refused: async (page) => {
        await failing('/api/transactions/*/cancel', 'cancel_too_late')(page);
        await press('cancel-confirm')(page);
        await page.getByTestId('cancel-refused').waitFor();
      },
    },
  },
  'paying by card': {
    ...paymentDialog,
    expectedErrors: [/status of 409/],
    prepare: chooseSending,
    opener: at('send-submit'),
    ready: (page) => page.locator('[data-testid=pay-submit]:enabled').waitFor(),
    states: {
      paid: async (page) => {
        await payInBrowser(page, goodCard);
        await page.getByTestId('pay-done').waitFor();
      },
      'not written down': async (page) => {
        await failing('/api/new-account/confirm-transaction', 'payment_not_completed')(page);
        await payInBrowser(page, goodCard);
        await page.getByTestId('pay-unrecorded').waitFor();
      },
    },
  },
  'a payment that could not be prepared': {
    ...paymentDialog,
    expectedErrors: [/status of 502/],
    prepare: async (page) => {
      await failing(intents, 'payment_not_started')(page);
      await chooseSending(page);
    },
    opener: at('send-submit'),
    ready: (page) => page.getByTestId('pay-problem').waitFor(),
  },
  'a card form whose script did not come': {
    ...paymentDialog,
    file: 'routes/dashboard.tsx',
    expectedErrors: [/ERR_FAILED/, /dynamically imported module/],
    prepare: async (page) => {
      await page.route('**/assets/payment-dialog-*.js', (route) => route.abort('failed'));
      await page.reload();
      await chooseSending(page);
    },
    opener: at('send-submit'),
    ready: (page) => page.getByText('No pudimos abrir el formulario de pago.').waitFor(),
  },
  approving: { ...decision, opener: at('admin-approve') },
  rejecting: { ...decision, opener: at('admin-reject') },
  'a transfer, for admins': {
    file: 'features/admin/transfer-drawer.tsx',
    person: 'admin',
    path: '/admin',
    opener: at('admin-detail'),
  },
  'sources of the reference': {
    file: 'features/admin/rates/market.tsx',
    person: 'admin',
    path: '/admin',
    opener: at('admin-rate-sources-USD'),
  },
};

const browser = useBrowser();
const app = useApp({ alone: true });
const signedIn: Partial<Record<Person, PageOptions['storageState']>> = {};
let transferId: string;

beforeAll(async () => {
  const { page, ...sender } = await senderAtPanel(app, browser.newPage);
  transferId = (await sender.pay(await sender.addRecipient())).id;
  await sender.open();
  signedIn.sender = await page.context().storageState();
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());
  signedIn.admin = await admin.context().storageState();
});

test('every dialog of the web app has its row', async () => {
  const source = join(import.meta.dirname, '../web/src');
  const files = (await readdir(source, { recursive: true })).filter((file) => file.endsWith('.tsx'));
  const opening = /<(Modal|Drawer|Menu|Popover|HoverCard|Dialog|Select|MultiSelect|Autocomplete|Combobox)(?=[\s>])/g;
  const written = new Map<string, number>();
  for (const file of files) {
    const count = (await readFile(join(source, file), 'utf8')).match(opening)?.length ?? 0;
    if (count > 0) written.set(file, count);
  }
  const rows = Object.values(dialogs);
  const missing = [...written].filter(([file, count]) => rows.filter((row) => row.file === file).length < count);
  expect(missing).toEqual([]);
  expect(rows.map(({ file }) => file).filter((file) => !written.has(file))).toEqual([]);
});

test.each(Object.entries(dialogs))('%s', async (name, dialog) => {
  const { person, path, onlyAt: viewport = 'desktop', role, opener, over, expectedErrors = [], states = {} } = dialog;
  const storageState = signedIn[person];
  const page = await browser.newPage({
    viewport: viewports[viewport],
    expectedErrors,
    ...(storageState && { storageState }),
  });
  const surface = `[role=${role ?? 'dialog'}]`;
  const isOpen = (wanted: boolean) =>
    page
      .locator(surface)
      .last()
      .waitFor({ state: wanted ? 'visible' : 'hidden' });
  const start = async () => {
    await page.setViewportSize(viewports[viewport]);
    await page.goto(`${app.url()}${path.replace('TRANSFER', transferId)}`);
    await dialog.prepare?.(page);
    await open();
  };
  const open = async () => {
    // It can be pressed: the keyboard would not wait.
    await opener(page).click({ trial: true });
    await opener(page).focus();
    await page.keyboard.press('Enter');
    // What it stands in the place of has gone.
    if (over) await opener(page).waitFor({ state: 'detached' });
    await isOpen(true);
    await dialog.ready?.(page);
  };
  const holdsFocus = () => page.evaluate((within) => document.activeElement?.closest(within) != null, surface);

  await start();
  await expect.poll(holdsFocus).toBe(true);
  if (role === 'menu') {
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
  } else {
    expect(await tabThrough(page, surface)).toEqual(wellWalked);
  }
  await page.keyboard.press('Escape');
  if (over) {
    await opener(page).waitFor();
    await expect.poll(holdsFocus).toBe(true);
  } else {
    await isOpen(false);
    await expect.poll(() => opener(page).evaluate((control) => control === document.activeElement)).toBe(true);
  }

  // The page behind it is checked by itself, see accessibility.browser.test.ts.
  const look = (state: string) => (dialog.onlyAt ? expectAccessible : expectAccessibleAtAnyWidth)(page, state, surface);
  await open();
  await look(name);
  for (const [state, reach] of Object.entries(states)) {
    await start();
    await reach(page);
    await look(`${name}: ${state}`);
  }
});

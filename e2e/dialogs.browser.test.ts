import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { DeskAction } from '#core/operations/desk-action';
import type { CaseReason } from '#core/operations/desk-case';
import { referenceOf } from '#core/transfers/reference';
import { failureResponses as failures } from '../api/http/failure-responses.ts';
import { type PageOptions, useBrowser, viewports } from '../infra/testing/browser.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from './accessibility.ts';
import { senderAtPanel } from './dashboard-fixture.ts';
import { tabThrough, wellWalked } from './keyboard.ts';
import { chooseSending, enterAsAdmin } from './pages.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// A test goes through many dialogs, each at two widths and in two colour schemes.
vi.setConfig({ testTimeout: 240_000 });

type Person = 'visitor' | 'sender' | 'admin';

/** Something that opens over the page: where it is written, and how a person gets it. */
interface Dialog {
  /** Under web/src. Every dialog of a file has a row of its own. */
  readonly file: string;
  /** What comes before it can be opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly opener: (page: Page) => Locator;
  /** What it is for a screen reader, if not a dialog; in a menu the arrow keys choose. */
  readonly role?: 'menu';
  /** Waits until it shows everything. */
  readonly ready?: (page: Page) => Promise<unknown>;
  /** It replaces another dialog, which comes back when it closes. */
  readonly over?: true;
  /** It stands above another dialog, which stays open: the selector of its own element. */
  readonly above?: string;
  /** At the other width nothing opens it. */
  readonly onlyHere?: true;
  /** States it reaches from there, one after the other, which are checked too. */
  readonly states?: Readonly<Record<string, (page: Page) => Promise<unknown>>>;
}

/** One page with the dialogs that are opened on it, one after the other. */
interface Visit {
  readonly person: Person;
  readonly path: string;
  /** The width at which its dialogs are opened. */
  readonly viewport: keyof typeof viewports;
  readonly expectedErrors?: RegExp[];
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly dialogs: Readonly<Record<string, Dialog>>;
}

const press = (testid: string) => (page: Page) => page.getByTestId(testid).first().click();
const at = (testid: string) => (page: Page) => page.getByTestId(testid).first();
const called = (name: string) => (page: Page) => page.getByRole('button', { name }).first();

/** Mocks a failure of every such call. */
const failing = (path: string, code: keyof typeof failures) => (page: Page) => {
  const { status, message } = failures[code];
  return page.route(`**${path}`, (route) => route.fulfill({ status, json: { code, message } }));
};

const adminDrawer = 'features/admin/admin-drawer.tsx';
const actionDialog = 'features/admin/desk/action-dialog.tsx';
const legalModal = 'features/account/legal-modal.tsx';
const recipientDetail = 'features/recipients/recipient-detail.tsx';
const decisionDialog = 'features/admin/transfers/decision-dialog.tsx';
const openRecipient = called('Ver detalles de Rosa Mamani');

/** Transfers that need a person: the request of one's payout was refused, the card of the other disputed twice. */
const troubled = { refused: '', disputed: '' };
const openCase = (transfer: keyof typeof troubled) => (page: Page) =>
  page
    .getByTestId('desk-case')
    .filter({ hasText: referenceOf(troubled[transfer]) })
    .getByTestId('desk-open');
/** A dialog of an action in the drawer of the refused payout. */
const deskAction = (name: DeskAction, states: NonNullable<Dialog['states']>): Dialog => ({
  file: actionDialog,
  prepare: (page) => openCase('refused')(page).click(),
  opener: at(`desk-action-${name}`),
  above: '[data-testid=desk-dialog] [role=dialog]',
  states,
});

const visits: Readonly<Record<string, Visit>> = {
  'sign-up': {
    person: 'visitor',
    path: '/login?signup=true',
    viewport: 'desktop',
    dialogs: {
      'terms of service': { file: legalModal, opener: called('Términos de Servicio') },
      'privacy policy': { file: legalModal, opener: called('Política de Privacidad') },
    },
  },
  'the dashboard on small screens': {
    person: 'sender',
    path: '/dashboard',
    viewport: 'phone',
    dialogs: {
      'menu on small screens': { file: 'features/shell/small-menu.tsx', opener: at('nav-menu'), onlyHere: true },
    },
  },
  'the dashboard': {
    person: 'sender',
    path: '/dashboard',
    viewport: 'desktop',
    expectedErrors: [/status of 503/, /status of 409/],
    dialogs: {
      'menu of the account': {
        file: 'features/shell/avatar-menu.tsx',
        opener: at('nav-avatar'),
        role: 'menu',
        onlyHere: true,
      },
      'new recipient': {
        file: 'features/recipients/recipient-list.tsx',
        opener: at('recipient-add'),
        states: { 'fields missing': press('recipient-submit') },
      },
      'a recipient': {
        file: recipientDetail,
        opener: openRecipient,
        states: { 'being edited': press('recipient-edit') },
      },
      'removing a recipient': {
        file: recipientDetail,
        prepare: (page) => openRecipient(page).click(),
        opener: at('recipient-remove'),
        over: true,
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
        opener: called('Ver detalles del envío a Rosa Mamani'),
        ready: (page) => page.getByTestId('timeline-step').first().waitFor(),
      },
      'an account that the bank refused': {
        file: 'features/transfers/correct-account.tsx',
        prepare: (page) => called('Ver detalles del envío a Pedro Mamani')(page).click(),
        opener: at('account-correct'),
        over: true,
        states: { 'nothing chosen': press('correct-account-confirm') },
      },
      'cancelling a transfer': {
        file: 'features/transfers/cancel-transfer.tsx',
        prepare: (page) => called('Ver detalles del envío a Rosa Mamani')(page).click(),
        opener: at('transfer-cancel'),
        over: true,
        states: {
          refused: async (page) => {
            await failing('/api/transactions/*/cancel', 'cancel_too_late')(page);
            await press('cancel-confirm')(page);
            await page.getByTestId('cancel-refused').waitFor();
          },
        },
      },
    },
  },
  'paying by card when the script of the card form does not load': {
    person: 'sender',
    path: '/dashboard',
    viewport: 'desktop',
    expectedErrors: [/ERR_FAILED/, /dynamically imported module/],
    prepare: (page) => page.route('**/assets/payment-dialog-*.js', (route) => route.abort('failed')),
    dialogs: {
      'a card form without its script': {
        file: 'routes/dashboard.tsx',
        prepare: chooseSending,
        opener: at('send-submit'),
        ready: (page) => page.getByText('No pudimos abrir el formulario de pago.').waitFor(),
      },
    },
  },
  'the admin panel': {
    person: 'admin',
    path: '/admin',
    viewport: 'desktop',
    dialogs: {
      approving: { file: decisionDialog, opener: at('admin-approve') },
      rejecting: { file: decisionDialog, opener: at('admin-reject') },
      'a transfer, for admins': { file: adminDrawer, opener: at('admin-detail') },
      'sources of the reference': {
        file: 'features/admin/rates/market.tsx',
        opener: at('admin-rate-sources-USD'),
      },
    },
  },
  'the operations desk': {
    person: 'admin',
    path: '/admin?tab=operations&assigned=nobody',
    viewport: 'desktop',
    expectedErrors: [/status of 409/],
    dialogs: {
      'a case with two disputes': {
        file: adminDrawer,
        opener: openCase('disputed'),
        ready: (page) => page.getByTestId('desk-dispute-text').nth(1).waitFor(),
        states: { 'an answer missing': press('desk-dispute-send'), 'a note missing': press('desk-note-save') },
      },
      'paying by hand': deskAction('pay_by_hand', {}),
      'returning the money': deskAction('give_up_and_refund', {
        'reason missing': press('desk-confirm'),
        refused: async (page) => {
          await failing('/api/admin/cases/*/actions', 'action_not_possible')(page);
          await page.getByTestId('desk-reason').fill('La familia ya no lo necesita.');
          await press('desk-confirm')(page);
          await page.getByTestId('desk-refused').waitFor();
        },
      }),
    },
  },
};

const browser = useBrowser();
const app = useApp();
const signedIn: Partial<Record<Person, PageOptions['storageState']>> = {};

beforeAll(async () => {
  const { page, ...sender } = await senderAtPanel(app, browser.newPage);
  await sender.pay(await sender.addRecipient());
  const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });
  const rejected = await sender.pay(await sender.addRecipient({ name: 'Pedro Mamani', bankAccount: '20000000999' }));
  await app.sandbox.bank({ rejectNext: 1 });
  await approve(rejected.id);
  await sender.reaches(rejected.id, 'payout_failed');
  const other = await sender.addRecipient({ name: 'Luis Ticona', bankAccount: '30000000777' });
  troubled.refused = (await sender.pay(other)).id;
  await app.sandbox.fault({ kind: 'error', method: 'POST', path: '^/bank/v1/payouts', status: 422 });
  await approve(troubled.refused);
  await caseAbout(troubled.refused, 'operation_refused');
  troubled.disputed = (await sender.pay(other, '4000000404000079')).id;
  await approve(troubled.disputed);
  await caseAbout(troubled.disputed, 'dispute_opened');
  await sender.open();
  signedIn.sender = await page.context().storageState();
  const admin = await browser.newPage();
  await enterAsAdmin(admin, app.url());
  signedIn.admin = await admin.context().storageState();
});

/** Waits until the operations desk has a case. */
function caseAbout(transferId: string, reason: CaseReason) {
  return until(`the desk has a case ${reason}`, async () => {
    const { items } = await app.admin.call(endpoints.deskCases, { query: { reason, limit: 100 } });
    return items.find(({ transaction }) => transaction.id === transferId);
  });
}

/** Files whose dialogs are opened by keyboard in the component test beside them. */
const byComponentTest = ['features/payment/payment-dialog.tsx'];

test('every dialog of the web app is opened by a test', async () => {
  const source = join(import.meta.dirname, '../web/src');
  const elsewhere = (file: string) => byComponentTest.includes(file) || /^ui\/|\.component\.test\.tsx$/.test(file);
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.tsx') && !elsewhere(file),
  );
  const opening =
    /<(Modal|Drawer|Menu|Popover|HoverCard|Dialog|SideDialog|Select|MultiSelect|Autocomplete|Combobox)(?=[\s>])/g;
  const written = new Map<string, number>();
  for (const file of files) {
    const count = (await readFile(join(source, file), 'utf8')).match(opening)?.length ?? 0;
    if (count > 0) written.set(file, count);
  }
  const rows = Object.values(visits).flatMap(({ dialogs }) => Object.values(dialogs));
  const missing = [...written].filter(([file, count]) => rows.filter((row) => row.file === file).length < count);
  expect(missing).toEqual([]);
  expect(rows.map(({ file }) => file).filter((file) => !written.has(file))).toEqual([]);
});

test.each(Object.entries(visits))(
  'dialogs of %s open and close by keyboard, keep the focus and have no accessibility violations',
  async (_name, { person, path, viewport, expectedErrors = [], prepare, dialogs }) => {
    const storageState = signedIn[person];
    const page = await browser.newPage({
      viewport: viewports[viewport],
      expectedErrors,
      ...(storageState && { storageState }),
    });
    await prepare?.(page);
    await page.goto(`${app.url()}${path}`);
    for (const [index, [name, dialog]] of Object.entries(dialogs).entries()) {
      if (index > 0) await page.keyboard.press('Escape');
      await page.locator('[role=dialog], [role=menu]').waitFor({ state: 'hidden' });
      await checkDialog(page, name, dialog);
      await page.setViewportSize(viewports[viewport]);
      if (!dialog.over && !dialog.above) continue;
      await page.keyboard.press('Escape');
      await dialog.opener(page).waitFor();
    }
  },
);

/** Opens a dialog of an open page by keyboard, closes it, opens it again and looks at each of its states; leaves it open. */
async function checkDialog(
  page: Page,
  name: string,
  { prepare, opener, role, ready, over, above, onlyHere, states = {} }: Dialog,
): Promise<void> {
  const surface = above ?? `[role=${role ?? 'dialog'}]`;
  const expectNoViolations = onlyHere ? expectAccessible : expectAccessibleAtAnyWidth;
  const waitUntilOpen = (wanted: boolean) =>
    page
      .locator(surface)
      .last()
      .waitFor({ state: wanted ? 'visible' : 'hidden' });
  const open = async () => {
    // Unlike the keyboard, this waits until the control can be used.
    await opener(page).click({ trial: true });
    await opener(page).focus();
    await page.keyboard.press('Enter');
    if (over) await opener(page).waitFor({ state: 'detached' });
    await waitUntilOpen(true);
    await ready?.(page);
  };
  const holdsFocus = () => page.evaluate((within) => document.activeElement?.closest(within) != null, surface);

  await prepare?.(page);
  await open();
  await expect.poll(holdsFocus, { message: name }).toBe(true);
  if (role === 'menu') {
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('menuitem');
  } else {
    expect(await tabThrough(page, surface), name).toEqual(wellWalked);
  }
  await page.keyboard.press('Escape');
  if (over) {
    await opener(page).waitFor();
    await expect.poll(holdsFocus, { message: name }).toBe(true);
  } else {
    await waitUntilOpen(false);
    await expect
      .poll(() => opener(page).evaluate((control) => control === document.activeElement), { message: name })
      .toBe(true);
  }

  // The page behind a dialog is checked in accessibility.browser.test.ts.
  await open();
  await expectNoViolations(page, name, surface);
  for (const [state, reach] of Object.entries(states)) {
    await reach(page);
    await expectNoViolations(page, `${name}: ${state}`, surface);
  }
}

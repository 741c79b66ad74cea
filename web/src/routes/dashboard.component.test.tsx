import type { RouteObject } from 'react-router';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { SessionView } from '#core/contracts/http/auth';
import type { RecipientView } from '#core/contracts/http/recipients';
import { queryClient } from '../data/query-client.ts';
import { sessionKey } from '../data/query-keys.ts';
import { Guard } from '../features/shell/guard.tsx';
import type { SendingDraft } from '../lib/sending-draft.ts';
import { draftEntry, storeSession } from '../lib/storage.ts';
import { expectAccessible, expectAccessibleAtAnyWidth } from '../testing/accessibility.ts';
import { covers, expectText } from '../testing/conformance.ts';
import { expectEnglishOnly, showEnglish } from '../testing/english.ts';
import { installFakeApi } from '../testing/fake-api.ts';
import { installFakeLive } from '../testing/fake-live.ts';
import { renderApp, senderSession } from '../testing/render-app.tsx';
import { emptyPanel, emptySummary, juana } from '../testing/sample-panel.ts';
import { quoteFor, sampleBanks, sampleBoard } from '../testing/sample-rates.ts';
import { paidTransfer } from '../testing/sample-transfer.ts';
import DashboardPage from './dashboard.tsx';
import LoginPage from './login.tsx';

const api = installFakeApi();
const live = installFakeLive();

const routes: RouteObject[] = [
  { element: <Guard admin={false} />, children: [{ path: '/dashboard', element: <DashboardPage /> }] },
  { path: '/login', element: <LoginPage /> },
];

/** A person of each test's own: what somebody typed stays in the memory of the page. */
let session: SessionView;

beforeEach(async () => {
  await page.viewport(1280, 900);
  session = { ...senderSession, user: { ...senderSession.user, id: crypto.randomUUID() } };
  storeSession(session);
  api.answer({ ...emptyPanel, me: () => session, login: () => session });
});

const field = (testid: string) => page.getByTestId(testid);
const callsOf = (name: string) => api.calls.filter((call) => call.name === name);
/** The sending form, where only that is new on the panel. */
const form = () => document.querySelector('[data-testid=send-amount]')?.closest('form') as Element;
const withRecipients = (...items: RecipientView[]) =>
  api.answer({ listRecipients: () => ({ items, nextCursor: null }) });

/** Only with the document is the amount in the form allowed. */
const lowTiers = emptySummary.tiers.map(({ tier, ...most }) => ({
  ...{ tier, ...most },
  ...(tier === 'document' ? {} : { payment: tier === 'email' ? '50.00' : '80.00' }),
}));

async function open(address = '/dashboard') {
  const app = await renderApp(routes, address);
  await expect.element(page.getByText('Hola, Carmen Rojas')).toBeVisible();
  return app;
}

/** As a phone shows it: the form without the other parts, which take most of the time of a whole panel. */
async function openForm(address?: string) {
  await page.viewport(390, 844);
  const app = await renderApp(routes, address ?? '/dashboard');
  await expect.element(field('send-amount')).toBeVisible();
  return app;
}

test('the dashboard of a new sender is empty and shows no samples', async () => {
  await open();
  await expect.element(field('rate-USD')).toBeVisible();
  await expectText('message recipients: empty');
  await expectText('message transfers: empty');
  await expect.element(field('transfer-row')).not.toBeInTheDocument();
  covers('route /dashboard', 'rule sample transactions');
  await expect.element(field('send-amount')).toHaveValue('100');
  await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
  covers('constant default amount 100', 'constant fee 3.5 %');
  await expect.element(field('comparison-row').first()).toBeVisible();
  await expectAccessibleAtAnyWidth();
});

test('the dashboard is in English on an English page, with figures and dates as English writes them', async () => {
  await showEnglish();
  withRecipients(juana);
  api.answer({
    me: () => ({ ...session, user: { ...session.user, birthDateKnown: false } }),
    dashboard: () => ({ ...emptySummary, totalSent: '1100.00', transferCount: 2, tiers: lowTiers }),
    listTransfers: () => ({ items: [{ ...paidTransfer, currency: 'USD' }], nextCursor: null }),
    getRates: () => sampleBoard({ paused: true, marketSeenAt: '2026-11-20T14:00:00.000Z' }),
    bankBoard: ({ query }) => sampleBanks({ 'BANCO UNIÓN': '9.90' }, query),
  });
  await renderApp(routes, '/dashboard');
  await expect.element(page.getByText('Hello, Carmen Rojas')).toBeVisible();
  await expect.element(field('summary-total')).toHaveTextContent('$1,100.00');
  await expect.element(field('breakdown-bs')).toHaveTextContent('BOB 1,114.57');
  await expect.element(page.getByText('Tuesday, November 24').first()).toBeVisible();
  await expect.element(field('bank-row')).toMatchTextContent(/1 USD = 9.90 BOB.*BOB 124.57 less/);
  await expect.element(field('rate-history-reading')).toMatchTextContent(/^Today: 1 USD = 11\.55 BOB/);
  await expect.element(field('comparison-row').first()).toBeVisible();
  await expect.element(field('rate-chart')).toBeVisible();
  await expect
    .element(field('send-above-limit'))
    .toHaveTextContent(
      'You can send up to $50.00 per transfer. With your document you can send up to $3,000.00 per transfer.Verify my identity',
    );
  await field('send-amount').fill('9.99');
  await expect.element(page.getByText('The minimum amount to send is 10 USD/EUR')).toBeVisible();
  expectEnglishOnly('Carmen Rojas', juana.name, juana.bankName);
  await expectAccessibleAtAnyWidth();
});

test('every part of the dashboard that cannot be loaded says so and is loaded again on demand', async () => {
  const lost = () => 'no connection' as const;
  api.answer({
    dashboard: lost,
    listTransfers: lost,
    listRecipients: lost,
    listRateAlerts: lost,
    getRates: lost,
    quote: lost,
    exchangeRates: lost,
    rateSeries: lost,
    bankBoard: lost,
  });
  await open();
  const retries = page.getByRole('button', { name: 'Reintentar' });
  await expect.poll(() => retries.elements().length).toBe(11);
  api.answer(emptyPanel);
  for (const retry of retries.elements()) (retry as HTMLButtonElement).click();
  await expectText('message recipients: empty');
  await expectText('message transfers: empty');
  await expect.element(field('rate-USD')).toBeVisible();
  await expect.poll(() => retries.elements().length).toBe(0);
});

test('the dashboard keeps everything it shows when refetches behind the person’s back fail', async () => {
  withRecipients(juana);
  await open();
  await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
  await expect.element(field('recipient-row')).toBeVisible();
  await expect.element(field('comparison-row').first()).toBeVisible();
  await field('send-amount').fill('250');
  await expect.element(field('breakdown-fee')).toHaveTextContent('$ 8,75');
  // Other prices are asked for a moment after the typing.
  const askedFor = (name: string) => callsOf(name).at(-1)?.query;
  for (const name of ['exchangeRates', 'bankBoard'])
    await expect.poll(() => askedFor(name)).toMatchObject({ amount: '250' });
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  const lost = () => 'no connection' as const;
  const asked = callsOf('getRates').length;
  api.answer({
    me: lost,
    dashboard: lost,
    listTransfers: lost,
    listRecipients: lost,
    listRateAlerts: lost,
    getRates: lost,
    quote: lost,
    exchangeRates: lost,
    rateSeries: lost,
    bankBoard: lost,
    paymentConfig: lost,
  });
  live.connect();
  await expect.poll(() => callsOf('getRates').length).toBeGreaterThan(asked);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expect.element(field('recipient-row')).toBeVisible();
  await expect.element(field('rate-USD')).toBeVisible();
  await expect.element(field('send-amount')).toHaveValue('250');
  await expect.element(field('breakdown-fee')).toHaveTextContent('$ 8,75');
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

describe('the sending form', () => {
  test('the sending form limits the amount and asks for a recipient and an adult’s date of birth', async () => {
    api.answer({ me: () => ({ ...session, user: { ...session.user, birthDateKnown: false } }) });
    withRecipients(juana);
    await openForm();
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
    await field('send-amount').fill('9.99');
    await expect.element(page.getByText('El monto mínimo para enviar es de 10 USD/EUR')).toBeVisible();
    await expect.element(field('send-submit')).toBeDisabled();
    covers('constant minimum payment 10');
    await field('send-amount').fill('3000.01');
    await expect.element(page.getByText('El monto máximo por envío es de $ 3.000,00.')).toBeVisible();
    await expect.element(field('send-submit')).toBeDisabled();
    covers('constant maximum 3,000');
    await field('send-amount').fill('10');
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 0,35');
    await field('send-submit').click();
    await expect.element(page.getByText('Elige un destinatario').nth(1)).toBeVisible();
    await expectAccessible(form());
    await field('send-recipient').selectOptions(juana.id);
    const born = new Date();
    born.setFullYear(born.getFullYear() - 18, born.getMonth(), born.getDate() + 2);
    await field('send-birth-date').fill(born.toISOString().slice(0, 10));
    await field('send-submit').click();
    await expect.element(page.getByText('Debes ser mayor de 18 años para enviar dinero.')).toBeVisible();
    await expect.element(field('pay-dialog')).not.toBeInTheDocument();
    covers('constant minimum age 18');
  });

  test('the sending form takes no payment before the recipients are known, and offers to load them again', async () => {
    await page.viewport(390, 844);
    const draft = { amount: '100', receive: null, currency: null, recipientId: juana.id, birthDate: '' };
    window.localStorage.setItem(draftEntry, JSON.stringify({ state: { userId: session.user.id, draft }, version: 0 }));
    api.answer({ listRecipients: () => 'no connection' });
    await open();
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
    await expect.element(field('send-submit')).toBeDisabled();
    await expect.element(field('send-recipient')).toHaveTextContent('No se pudo cargar');
    withRecipients(juana);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect.element(field('send-recipient')).toHaveValue(juana.id);
    await expect.element(field('send-submit')).toBeEnabled();
  });

  test('the sending form says that there is no figure without a connection, and keeps what was typed', async () => {
    await openForm();
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
    api.answer({ quote: () => 'no connection' });
    await field('send-amount').fill('250');
    await expect.element(page.getByText('No hay conexión con Chasqui.', { exact: false })).toBeVisible();
    await expect.element(field('send-submit')).toBeDisabled();
    await expect.element(field('send-amount')).toHaveValue('250');
    api.answer({ quote: ({ body }) => quoteFor(body) });
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 8,75');
  });

  test('a sender writes the bolivianos that have to arrive, and the server says what to pay for them', async () => {
    withRecipients(juana);
    await openForm();
    await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 1.114,57');
    await page.getByRole('button', { name: '¿Debe llegar un monto exacto?' }).click();
    const receive = page.getByLabelText('Bolivianos que deben llegar');
    await expect.element(receive).toHaveValue('1114,57');
    await receive.fill('2000');
    await expect.element(field('breakdown-amount')).toHaveTextContent('$ 179,46');
    await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 2.000,11');
    expect(callsOf('quote').at(-1)?.body).toEqual({ receive: '2000', currency: 'USD' });
    await field('send-currency').getByText('Euros (EUR)').click();
    await expect.element(field('breakdown-amount')).toHaveTextContent('154,91 EUR');
    await receive.fill('40000');
    await expect.element(page.getByText(/El monto máximo por envío es de/)).toBeVisible();
    await expect.element(field('send-submit')).toBeDisabled();
    await receive.fill('50');
    await expect.element(page.getByText('El monto mínimo para enviar es de 10 USD/EUR')).toBeVisible();
    await receive.fill('2000');
    await expect.element(field('breakdown-amount')).toHaveTextContent('154,91 EUR');
    await expectAccessible(form());
    await page.getByRole('button', { name: 'Escribir lo que pago' }).click();
    await expect.element(field('send-amount')).toHaveValue('154,91');
    await expect.element(field('breakdown-bs')).toMatchTextContent(/^Bs 2\.000,/);
  });

  test('the sending form waits while a quote hangs, and shows no figure of another amount', async () => {
    await openForm();
    await expect.element(field('breakdown-fee')).toHaveTextContent('$ 3,50');
    api.answer({ quote: () => 'no answer' });
    await field('send-amount').fill('250');
    await expect.element(field('send-submit')).toBeDisabled();
    await expect.element(field('breakdown-fee')).not.toMatchTextContent('3,50');
  });

  test('the sending form follows a pushed rate, and pauses with its currency', async () => {
    await open();
    await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 1.114,57');
    api.answer({ quote: ({ body }) => quoteFor(body, '11.60') });
    live.push('rate:changed', sampleBoard({ rate: '11.60' }));
    await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 1.119,40');
    await expect.element(field('rate-USD')).toHaveAttribute('data-rate', '11.60');
    live.push('rate:changed', sampleBoard({ rate: '11.60', paused: true }));
    await expect.element(field('send-paused')).toMatchTextContent('Pausamos los envíos en esta moneda');
    await expect.element(field('rate-paused-USD')).toBeVisible();
    await expect.element(field('rate-paused-EUR')).not.toBeInTheDocument();
    await expect.element(field('send-submit')).toBeDisabled();
    live.push('rate:changed', sampleBoard({ rate: '11.60' }));
    await expect.element(field('send-paused')).not.toBeInTheDocument();
    await expect.element(field('send-submit')).toBeEnabled();
  });

  test('the digits of the rate are not pushed together where there is little room', async () => {
    await open();
    await expect.element(field('rate-USD')).toBeVisible();
    const line = field('rate-USD').element() as HTMLElement;
    const width = () => line.querySelector('.mantine-RollingNumber-root')?.getBoundingClientRect().width;
    const whole = width();
    line.style.maxWidth = '120px';
    expect(width()).toBe(whole);
  });

  test('an address fills the sending form in, once', async () => {
    const { router } = await openForm('/dashboard?amount=150&currency=EUR#send');
    await expect.element(field('send-amount')).toHaveValue('150');
    await expect.element(field('breakdown-bs')).toHaveTextContent('Bs 1.936,75');
    expect(router.state.location.search).toBe('');
  });
});

test('what was typed into the sending form outlasts a session that ended and signing in again', async () => {
  withRecipients(juana);
  await openForm();
  await field('send-recipient').selectOptions(juana.id);
  await field('send-amount').fill('250');
  api.answer({ me: () => ({ failure: 'unauthenticated', status: 401 }) });
  await queryClient.refetchQueries({ queryKey: sessionKey });
  await expect.element(page.getByText('Tu sesión terminó')).toBeVisible();
  api.answer({ me: () => session });
  await field('login-email').fill('carmen@example.com');
  await field('login-password').fill('una-clave-larga');
  await field('login-submit').click();
  await expect.element(field('send-amount')).toHaveValue('250');
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
});

test('another person who signs in after a session ended sees nothing of the first one’s draft', async () => {
  await open();
  await field('send-amount').fill('250');
  api.answer({ me: () => ({ failure: 'unauthenticated', status: 401 }) });
  await queryClient.refetchQueries({ queryKey: sessionKey });
  const rosa: SessionView = {
    token: '5e0f5f5e-6f3c-4b51-8a3b-0d5a5f3f9a11',
    user: { ...senderSession.user, id: crypto.randomUUID(), name: 'Rosa Quispe' },
  };
  api.answer({ me: () => rosa, login: () => rosa });
  await field('login-email').fill('rosa@example.com');
  await field('login-password').fill('una-clave-larga');
  await field('login-submit').click();
  await expect.element(page.getByText('Hola, Rosa Quispe')).toBeVisible();
  await expect.element(field('send-amount')).toHaveValue('100');
});

describe('the draft of a sender', () => {
  /** What another tab of this browser writes and announces. */
  const writeElsewhere = (changes: Partial<SendingDraft>, userId = session.user.id) => {
    const draft = { amount: '100', receive: null, currency: null, recipientId: '', birthDate: '', ...changes };
    window.localStorage.setItem(draftEntry, JSON.stringify({ state: { userId, draft }, version: 0 }));
    window.dispatchEvent(new StorageEvent('storage', { key: draftEntry }));
  };

  test('an open tab follows what is typed in another one, but not while somebody types in it', async () => {
    await openForm();
    writeElsewhere({ amount: '250', currency: 'EUR' });
    await expect.element(field('send-amount')).toHaveValue('250');
    await expect.element(field('breakdown-amount')).toHaveTextContent('250,00 EUR');
    await field('send-amount').fill('30');
    writeElsewhere({ amount: '400' });
    await expect.element(field('send-amount')).toHaveValue('30');
    (document.activeElement as HTMLElement).blur();
    await expect.element(field('send-amount')).toHaveValue('400');
    writeElsewhere({ amount: '900' }, crypto.randomUUID());
    await expect.element(field('send-amount')).toHaveValue('100');
  });

  test('a draft waits where every tab finds it, without the date of birth', async () => {
    session.user.birthDateKnown = false;
    withRecipients(juana);
    await openForm();
    await field('send-amount').fill('250');
    await field('send-recipient').selectOptions(juana.id);
    await field('send-birth-date').fill('1990-05-17');
    const stored = window.localStorage.getItem(draftEntry) ?? '';
    expect(JSON.parse(stored).state).toEqual({
      userId: session.user.id,
      draft: { amount: '250', receive: null, currency: null, recipientId: juana.id, birthDate: '' },
    });
    (document.activeElement as HTMLElement).blur();
    writeElsewhere({ amount: '260', recipientId: juana.id });
    await expect.element(field('send-amount')).toHaveValue('260');
    await expect.element(field('send-birth-date')).toHaveValue('17');
  });

  test('the currency is that of the last transfer until the sender chooses one', async () => {
    api.answer({ listTransfers: () => ({ items: [{ ...paidTransfer, currency: 'EUR' }], nextCursor: null }) });
    await openForm();
    await expect.element(field('breakdown-amount')).toHaveTextContent('100,00 EUR');
    await field('send-currency').getByText('Dólares (USD)').click();
    await expect.element(field('breakdown-amount')).toHaveTextContent('$ 100,00');
  });

  test('the currency that the sender prefers comes before that of the last transfer', async () => {
    api.answer({
      me: () => ({ ...senderSession, user: { ...senderSession.user, preferredCurrency: 'EUR' } }),
      listTransfers: () => ({ items: [{ ...paidTransfer, currency: 'USD' }], nextCursor: null }),
    });
    await openForm();
    await expect.element(field('breakdown-amount')).toHaveTextContent('100,00 EUR');
  });
});

test('the sending form takes the recipient that is chosen in the list, and one that was just added', async () => {
  withRecipients(juana);
  await open();
  await page.getByRole('button', { name: 'Ver detalles de Juana Mamani' }).click();
  await field('recipient-send').click();
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
  await expect.element(field('send-amount')).toHaveFocus();
  const rosa: RecipientView = { ...juana, id: crypto.randomUUID(), name: 'Rosa Quispe' };
  await field('recipient-add').click();
  const values = ['name', 'phone', 'ci', 'bankAccount', 'address', 'city'] as const;
  for (const name of values) await field(`recipient-${name}`).fill(rosa[name]);
  await field('recipient-bankName').selectOptions(rosa.bankName);
  api.answer({ createRecipient: () => rosa });
  const countsBefore = callsOf('dashboard').length;
  await field('recipient-submit').click();
  await expect.element(field('send-recipient')).toHaveValue(rosa.id);
  // It shows how many recipients there are.
  await expect.poll(() => callsOf('dashboard').length).toBe(countsBefore + 1);
});

test('a new sender adds whom to send to inside the sending form, who is then chosen, and the focus goes on', async () => {
  await page.viewport(390, 844);
  await open();
  await expect.element(field('send-recipient')).not.toBeInTheDocument();
  await field('send-submit').click();
  await expect.element(page.getByText('Elige un destinatario')).toBeVisible();
  await expect.element(field('send-add')).toHaveFocus();
  await expectAccessible(form());
  await field('send-add').click();
  await expect.element(page.getByRole('dialog', { name: 'Añadir nuevo destinatario' })).toBeVisible();
  const values = ['name', 'phone', 'ci', 'bankAccount', 'address', 'city'] as const;
  for (const name of values) await field(`recipient-${name}`).fill(juana[name]);
  await field('recipient-bankName').selectOptions(juana.bankName);
  api.answer({ createRecipient: () => juana });
  await field('recipient-submit').click();
  await expect.element(field('send-recipient')).toHaveValue(juana.id);
  await expect.element(field('send-submit')).toHaveFocus();
  api.answer({ me: () => ({ ...session, user: { ...session.user, birthDateKnown: false } }) });
  await queryClient.refetchQueries({ queryKey: sessionKey });
  const rosa: RecipientView = { ...juana, id: crypto.randomUUID(), name: 'Rosa Quispe' };
  api.answer({ createRecipient: () => rosa });
  await field('send-add').click();
  for (const name of values) await field(`recipient-${name}`).fill(rosa[name]);
  await field('recipient-bankName').selectOptions(rosa.bankName);
  await field('recipient-submit').click();
  await expect.element(field('send-recipient')).toHaveValue(rosa.id);
  await expect.element(field('send-birth-date')).toHaveFocus();
});

test('namesakes are told apart by bank and last digits, who was sent to last stands first, and a changed account is marked', async () => {
  const twin: RecipientView = {
    ...{ ...juana, id: crypto.randomUUID(), bankAccount: '4010-2233-11', createdAt: '2026-10-01T14:00:00.000Z' },
    ...{ lastSentAt: '2026-11-20T14:00:00.000Z', accountChangedAt: '2026-11-21T14:00:00.000Z' },
  };
  withRecipients(juana, twin);
  await openForm();
  const options = () => field('send-recipient').element().querySelectorAll('option');
  await expect
    .poll(() => [...options()].map(({ textContent }) => textContent))
    .toEqual([
      'Elige un destinatario',
      'Juana Mamani ···3311 · Banco Mercantil Santa Cruz',
      'Juana Mamani ···0001 · Banco Mercantil Santa Cruz',
    ]);
  await field('send-recipient').selectOptions(juana.id);
  await expect.element(page.getByText('Banco Mercantil Santa Cruz, cuenta terminada en 0001')).toBeVisible();
  await expect.element(field('account-changed')).not.toBeInTheDocument();
  await field('send-recipient').selectOptions(twin.id);
  await expect
    .element(field('account-changed'))
    .toHaveTextContent(
      'La cuenta cambió el 21 de noviembreTu último envío fue a otra cuenta. Ahora va a Banco Mercantil Santa Cruz, terminada en 3311: confirma que es suya.',
    );
  await expectAccessible(form());
});

test('a name of a hundred characters pushes nothing out of the page', async () => {
  const long = 'Maximiliana'.repeat(9);
  withRecipients({ ...juana, name: long });
  api.answer({ listTransfers: () => ({ items: [{ ...paidTransfer, recipient: long }], nextCursor: null }) });
  await open();
  await expect.element(field('recipient-row')).toMatchTextContent(long);
  await expect.element(field('transfer-row')).toMatchTextContent(/1\.291,17/);
  for (const width of [1280, 390]) {
    await page.viewport(width, 900);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  }
});

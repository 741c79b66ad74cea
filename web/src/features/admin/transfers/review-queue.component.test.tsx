import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { RateView } from '#core/contracts/http/rates';
import type { ReviewView } from '#core/contracts/http/review';
import type { AdminQuestionView } from '#core/contracts/http/review-questions';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { openAsAdmin, sampleRates } from '../../../testing/admin-panel.tsx';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { installFakeLive } from '../../../testing/fake-live.ts';
import { expectKeyboardDialog } from '../../../testing/keyboard-dialog.ts';
import { adminSession } from '../../../testing/render-app.tsx';
import { sampleReview, sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { sampleBoard } from '../../../testing/sample-rates.ts';
import { TransfersTab } from './transfers-tab.tsx';

const api = installFakeApi();
const live = installFakeLive();
beforeEach(() => page.viewport(1280, 900));

/** A transfer that waits, with its review. */
function waiting(user: string, transfer: Partial<AdminTransferView> = {}, review: Partial<ReviewView> = {}) {
  const id = crypto.randomUUID();
  return { transaction: sampleTransfer({ id, user, ...transfer }), review: sampleReview({ id, ...review }) };
}

/** Opens the tab with these in the queue. */
async function open(...items: ReturnType<typeof waiting>[]) {
  const { screen } = await openAsAdmin(api, <TransfersTab />, {
    adminTransfers: () => ({ items: items.map(({ transaction }) => transaction), nextCursor: null }),
    reviews: () => ({ items, nextCursor: null }),
    review: ({ params }) => ({ review: items.find(({ review }) => review.id === params.id)?.review ?? sampleReview() }),
    claimReview: ({ params }) => ({ review: sampleReview({ id: String(params.id), version: 9, claim: mine }) }),
    approve: ({ params }) => ({
      transaction: sampleTransfer({ id: String(params.id), version: 3, state: 'approved' }),
    }),
  });
  await expect.element(screen.getByTestId('review-line').first()).toBeVisible();
  return screen;
}
const mine = { by: 'Luis', by_id: '0199b2d0-0000-4000-8000-0000000000ff', until: '2999-01-01T00:00:00.000Z' };
const focused = () => document.activeElement?.textContent ?? '';
const focusLine = (screen: Awaited<ReturnType<typeof open>>) =>
  (screen.getByTestId('review-line').first().element() as HTMLElement).focus();
const claims = () => api.calls.filter(({ name }) => name === 'claimReview').map(({ params }) => params.id);

test('the queue is worked through by keys alone: on and back, open, take, approve, reject, and help', async () => {
  const [first, second] = [waiting('Ana Quispe'), waiting('Pedro Choque')];
  const screen = await open(first, second);
  focusLine(screen);
  await userEvent.keyboard('jj');
  expect(focused()).toContain('Pedro Choque');
  await userEvent.keyboard('k');
  expect(focused()).toContain('Ana Quispe');
  await userEvent.keyboard('c');
  await expect.poll(() => api.calls.find(({ name }) => name === 'claimReview')?.body).toEqual({ mine: true });
  await expect.element(screen.getByText(/^La tiene Luis/)).toBeVisible();
  await userEvent.keyboard('?');
  await expect.element(screen.getByRole('dialog', { name: 'Atajos del teclado' })).toBeVisible();
  await userEvent.keyboard('j{Escape}');
  await expect.element(screen.getByTestId('review-line').first()).toHaveFocus();
  await userEvent.keyboard('r');
  await expect.element(screen.getByTestId('admin-reject-code')).toBeVisible();
  // The dialog's own keys: the queue does not move behind it.
  await userEvent.keyboard('j{Escape}');
  await expect.element(screen.getByTestId('review-line').first()).toHaveFocus();
  await userEvent.keyboard('a');
  await screen.getByTestId('admin-confirm').click();
  await expect.poll(() => api.calls.find(({ name }) => name === 'approve')?.params.id).toBe(first.review.id);
});

test('letters act only while a row has the focus, and not at all once they are switched off', async () => {
  const [first, second] = [waiting('Ana Quispe'), waiting('Pedro Choque')];
  const screen = await open(first, second);
  focusLine(screen);
  // Focus outside the list, as with dictation.
  (screen.getByTestId('admin-view-all').element() as HTMLElement).focus();
  await userEvent.keyboard('carlos?');
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('carlos?');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(claims()).toEqual([]);
  // A second press goes to the row that has the focus by then, also while the first is under way.
  focusLine(screen);
  await userEvent.keyboard('cjc');
  await expect.poll(claims).toEqual([first.review.id, second.review.id]);
  await screen.getByRole('button', { name: 'Atajos del teclado' }).click();
  await screen.getByTestId('shortcuts-switch').click();
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  focusLine(screen);
  await userEvent.keyboard('ca?');
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
  expect(claims()).toHaveLength(2);
  await screen.getByRole('button', { name: 'Atajos del teclado' }).click();
  await screen.getByTestId('shortcuts-switch').click();
  await userEvent.keyboard('{Escape}');
});

test('the next line gets the focus when the one that has it is decided', async () => {
  const [first, second] = [waiting('Ana Quispe'), waiting('Pedro Choque')];
  const screen = await open(first, second);
  focusLine(screen);
  api.answer({ reviews: () => ({ items: [second], nextCursor: null }) });
  live.push('admin:transfer-changed', { ...first.transaction, version: 9, state: 'approved' });
  await expect.poll(() => screen.getByTestId('review-line').elements().length).toBe(1);
  await expect.poll(() => document.activeElement?.getAttribute('data-row-id')).toBe(second.review.id);
});

test('a claim that is refused says why', async () => {
  const screen = await open(waiting('Ana Quispe'));
  api.answer({ claimReview: () => ({ failure: 'unavailable', message: 'Ahora no.' }) });
  focusLine(screen);
  await userEvent.keyboard('c');
  await expect.element(screen.getByText('No se pudo cambiar quién la tiene')).toBeVisible();
});

test('above the list stand the first five, and one press shows all of them', async () => {
  const screen = await open(...Array.from({ length: 7 }, (_, at) => waiting(`Ana ${at}`)));
  await expect.poll(() => screen.getByTestId('review-line').elements().length).toBe(5);
  await screen.getByTestId('review-all').click();
  await expect.poll(() => screen.getByTestId('review-line').elements().length).toBe(7);
  await expect.element(screen.getByTestId('admin-row')).not.toBeInTheDocument();
});

test('the list of keys is opened, read and closed by keyboard', async () => {
  const screen = await open(waiting('Ana Quispe'));
  const opener = screen.getByRole('button', { name: 'Atajos del teclado' });
  await expectKeyboardDialog('features/admin/transfers/review-queue.tsx', opener);
});

test('letters typed into a field are no shortcuts', async () => {
  const screen = await open(waiting('Ana Quispe'));
  focusLine(screen);
  await screen.getByTestId('admin-search').click();
  await userEvent.keyboard('rac');
  await expect.element(screen.getByTestId('admin-search')).toHaveValue('rac');
  await expect.element(screen.getByTestId('admin-confirm')).not.toBeInTheDocument();
  expect(api.calls.some(({ name }) => name === 'claimReview')).toBe(false);
});

test('a line says why to look twice, what we lose, who has it and how long the hold lasts, and changes live', async () => {
  const reasons: ReviewView['reasons'] = [
    { code: 'screening_hit', severity: 'serious' },
    { code: 'first_transfer', severity: 'warning' },
    { code: 'card_country', severity: 'warning', card: 'RU', profile: 'ES' },
    { code: 'shared_account', severity: 'warning', senders: 3 },
  ];
  const item = waiting('Ana Quispe', { margin: '-9.10', fee: '3.50' }, { reasons });
  const screen = await open(item);
  const line = screen.getByTestId('review-line');
  for (const text of ['Parecido a una lista', 'Primer envío', 'País de la tarjeta', '+1']) {
    await expect.element(line.getByText(text)).toBeVisible();
  }
  expect(line.element().querySelector('[data-loses="true"]')?.textContent).toContain('Perdemos 8,80');
  live.push('admin:review-changed', { ...item.review, version: 2, claim: mine });
  await expect.element(line.getByText(/^La tiene Luis/)).toBeVisible();
  await expectAccessible(screen.container);
  await line.click();
  await expect.element(screen.getByText('La tarjeta es de Rusia y el teléfono de España.')).toBeVisible();
});

test('a line and the open transfer show what an approval would pay now, where the better of two rates is promised', async () => {
  const rates = sampleRates();
  const { EUR } = rates.currencies;
  const inForce = { ...(EUR.inForce as RateView), rate: '13.50' };
  const screen = await open(waiting('Ana Quispe', { takes_better_rate: true }));
  const line = screen.getByTestId('review-line');
  await expect.element(line).toMatchTextContent(/Bs 1\.291,17/);
  api.answer({ rateManagement: () => ({ ...rates, currencies: { ...rates.currencies, EUR: { ...EUR, inForce } } }) });
  const board = sampleBoard();
  live.push('rate:changed', { ...board, rates: { ...board.rates, EUR: inForce } });
  await expect.element(line).toMatchTextContent(/Bs 1\.302,75/);
  await line.click();
  await expect.element(screen.getByTestId('admin-better-rate')).toMatchTextContent(/tasa de hoy si la apruebas ahora/);
  await expect.element(screen.getByTestId('breakdown-rate')).toHaveTextContent('1 EUR = 13,50 Bs');
  await expect.element(screen.getByText('Bs 1.291,17 · 1 EUR = 13,38 Bs')).toBeVisible();
});

test('a name like a listed one is said to be another person’s with a note only', async () => {
  const hit: ReviewView['screening']['hits'][number] = {
    ...{ subject: 'recipient', name: 'Ramiro Condarco', source: 'us_ofac', source_id: '900101', programs: ['SDNTK'] },
    ...{ listed_name: 'CONDARCO VILLEGAS, Ramiro', score: 0.93, verdict: null, remembered: false },
  };
  const { screening } = sampleReview();
  const item = waiting('Ana Quispe', {}, { screening: { ...screening, status: 'hit', hits: [hit] } });
  const screen = await open(item);
  api.answer({
    decideScreening: () => ({
      review: {
        ...{ ...item.review, version: 2 },
        screening: { ...screening, hits: [{ ...hit, verdict: 'false_positive' }], note: 'Otra fecha', noted_by: 'Ana' },
      },
    }),
  });
  await screen.getByTestId('review-line').click();
  await screen.getByTestId('screening-other').click();
  await expect.element(screen.getByText('Escribe la nota')).toBeVisible();
  await userEvent.keyboard('Otra fecha');
  await screen.getByTestId('screening-other').click();
  const body = {
    verdict: 'false_positive',
    subject: 'recipient',
    source: 'us_ofac',
    source_id: '900101',
    note: 'Otra fecha',
  };
  await expect.poll(() => api.calls.find(({ name }) => name === 'decideScreening')?.body).toEqual(body);
  await expect.element(screen.getByText('Parecidos descartados')).toBeVisible();
});

test('a name that the lists may not recognise is checked by a person, with a note and without asking the lists again', async () => {
  const { screening } = sampleReview();
  const item = waiting(
    'Ana Quispe',
    {},
    {
      screening: { ...screening, status: 'unclear' },
      reasons: [{ code: 'unclear_name', severity: 'serious', names: ['Рамиро Кондарко'] }],
    },
  );
  const screen = await open(item);
  const checked = { ...screening, status: 'checked' as const, note: 'Su pasaporte', noted_by: 'Ana' };
  api.answer({ decideScreening: () => ({ review: { ...item.review, version: 2, reasons: [], screening: checked } }) });
  await screen.getByTestId('review-line').click();
  await expect.element(screen.getByText(/pueden no reconocer este nombre, .*: Рамиро Кондарко\./)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Repetir el control' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Lo comprobé por otro medio' }).click();
  await userEvent.keyboard('Su pasaporte');
  await screen.getByRole('button', { name: 'Lo comprobé por otro medio' }).click();
  const body = { verdict: 'checked', note: 'Su pasaporte' };
  await expect.poll(() => api.calls.find(({ name }) => name === 'decideScreening')?.body).toEqual(body);
  await expect.element(screen.getByText('Comprobado a mano')).toBeVisible();
});

test('the sender is asked from the open transfer, and the answer is there as soon as it is given', async () => {
  const item = waiting('Ana Quispe');
  const screen = await open(item);
  const question: AdminQuestionView = {
    ...{ id: crypto.randomUUID(), asked_at: '2026-11-21T14:05:00.000Z', code: 'purpose', note: 'Falta el contrato' },
    files: [],
    ...{ answer: null, asked_by: 'Luis' },
  };
  let asked: AdminQuestionView[] = [];
  const transfer = () => ({ ...item.transaction, version: 3, questions: 'waiting' as const });
  api.answer({
    askSender: () => {
      asked = [question];
      item.transaction = transfer();
      return { transaction: transfer(), question };
    },
    reviewQuestions: () => ({ items: asked, nextCursor: null }),
  });
  // As at a plain-http address.
  vi.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  await screen.getByTestId('review-line').click();
  await screen.getByTestId('ask-open').click();
  await expect.element(screen.getByTestId('ask-code')).toHaveFocus();
  await screen.getByTestId('ask-send').click();
  await expect.element(screen.getByText('Elige una pregunta o escríbela')).toBeVisible();
  await screen.getByTestId('ask-code').selectOptions('purpose');
  await screen.getByTestId('ask-note').fill('  Falta el contrato ');
  await screen.getByTestId('ask-send').click();
  await expect
    .poll(() => api.calls.find(({ name }) => name === 'askSender')?.body)
    .toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), code: 'purpose', note: 'Falta el contrato' });
  await expect.element(screen.getByTestId('review-question').getByText('Sin respuesta todavía.')).toBeVisible();
  await expect.element(screen.getByTestId('review-line').getByText('Espera a quien envía')).toBeInTheDocument();
  await expect.element(screen.getByTestId('ask-open')).toHaveFocus();
  await expectAccessible();
  asked = [{ ...question, answer: { text: 'El alquiler de mi madre', at: '2026-11-21T15:00:00.000Z' } }];
  item.transaction = { ...transfer(), version: 4, questions: 'answered' as const };
  live.push('admin:transfer-changed', item.transaction);
  await expect.element(screen.getByText('El alquiler de mi madre')).toBeVisible();
  await expect.element(screen.getByTestId('review-line').getByText('Quien envía respondió')).toBeInTheDocument();
});

test('a transfer that the admin took stays theirs while they work on it, and no longer', async () => {
  const item = waiting('Ana Quispe');
  const screen = await open(item);
  // Half a minute less: shown are whole minutes, rounded up.
  const until = (minutes: number) => new Date(Date.now() + minutes * 60_000 - 30_000).toISOString();
  const claims = () => api.calls.filter(({ name }) => name === 'claimReview').length;
  const taken = (version: number, minutes: number) => ({
    review: {
      ...item.review,
      version,
      claim: { by: 'Marta Flores', by_id: adminSession.user.id, until: until(minutes) },
    },
  });
  api.answer({ review: () => taken(2, 9), claimReview: () => taken(3, 10) });
  await screen.getByTestId('review-line').click();
  await expect.element(screen.getByText(/^La tienes tú, 9 min\. Se alarga mientras trabajas en ella\.$/)).toBeVisible();
  await userEvent.keyboard('x');
  expect(claims()).toBe(0);
  live.push('admin:review-changed', taken(2, 7).review);
  await expect.element(screen.getByText(/^La tienes tú, 7 min/).last()).toBeVisible();
  await userEvent.keyboard('x');
  await expect.element(screen.getByText(/^La tienes tú, 10 min/).last()).toBeVisible();
  await userEvent.keyboard('x');
  expect(claims()).toBe(1);
});

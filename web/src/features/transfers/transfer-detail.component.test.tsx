import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { QuestionView } from '#core/contracts/http/review-questions';
import type { TransferView } from '#core/contracts/http/transfers';
import { forgetRows } from '../../data/query-client.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { pass, passUntil, stopClock } from '../../testing/clock.ts';
import { expectText } from '../../testing/conformance.ts';
import { expectEnglishOnly, showEnglish } from '../../testing/english.ts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { installFakeLive } from '../../testing/fake-live.ts';
import { renderApp } from '../../testing/render-app.tsx';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { TransferDetail } from './transfer-detail.tsx';

const api = installFakeApi();
beforeEach(() => api.answer({ listRecipients: () => ({ items: [], nextCursor: null }) }));
const live = installFakeLive();

let samples = 0;
const step = (state: TransferView['state'], minute: number) => ({
  state,
  owner: 'payments',
  at: `2026-11-20T14:0${minute}:00.000Z`,
});
const untilReview = [step('awaiting_payment', 0), step('in_review', 2)];
const untilCompleted = [...untilReview, step('approved', 3), step('captured', 4), step('completed', 5)];

/** A transfer in review, each with an id of its own. */
const inReview = (changes: Partial<TransferView> = {}): TransferView => ({
  ...paidTransfer,
  id: `6d9a2b0e-54a1-4a1c-8f44-${String(++samples).padStart(12, '0')}`,
  timeline: untilReview,
  ...changes,
});

async function open(transfer: TransferView, answer: TransferView | 'unknown' = transfer) {
  const [onRepeat, onClose] = [vi.fn(), vi.fn()];
  api.answer({ getTransfer: () => (answer === 'unknown' ? { failure: 'not_found', status: 404 } : answer) });
  const detail = (
    <TransferDetail
      id={transfer.id}
      onClose={onClose}
      onRepeat={onRepeat}
      onPay={() => undefined}
      recipients={{ data: [], error: null, refetch: () => undefined }}
      recipientEditor={() => null}
    />
  );
  const { screen } = await renderApp([{ path: '/', element: detail }]);
  return { screen, onRepeat, onClose };
}

test('an open transfer shows every step live and what comes next, and can be repeated', async () => {
  const transfer = inReview();
  const { screen, onRepeat } = await open(transfer);
  await expect.element(screen.getByTestId('timeline-step').nth(1)).toBeVisible();
  const expected = screen.getByTestId('timeline-expected');
  expect(expected.elements().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Aprobación/),
    expect.stringMatching(/^Cobro de tu tarjeta/),
    expect.stringMatching(/^Depósito en BoliviaHacia el /),
  ]);
  const better = screen.getByTestId('transfer-better-rate');
  await expect.element(better).toHaveTextContent('');
  await expectAccessible();
  const raised = {
    ...{ rate: '13.50', bolivianos: '1302.75', accepted: { rate: '13.38', bolivianos: '1291.17' } },
    ...{ version: 6, cancellable: false, timeline: untilCompleted },
  } as const;
  const completed = { ...transfer, ...raised };
  live.push('transfer:changed', { ...completed, state: 'completed', status: 'completed' });
  await expectText('message transfer: completed');
  await expect
    .element(better)
    .toHaveTextContent(
      'La tasa mejoró antes de aprobar el cobro: 1 EUR = 13,50 Bs en vez de 1 EUR = 13,38 Bs. Son Bs 11,58 más, sin costo.',
    );
  expect(screen.getByTestId('timeline-step').elements()).toHaveLength(5);
  await expect.element(expected).not.toBeInTheDocument();
  await screen.getByTestId('transfer-repeat').click();
  expect(onRepeat.mock.calls).toMatchObject([[{ id: transfer.id, state: 'completed' }]]);
});

test('a transfer that the server does not show to this sender is unknown, and leads back to the list', async () => {
  const { screen, onClose } = await open(inReview(), 'unknown');
  await screen.getByTestId('transfer-unknown').getByRole('button', { name: 'Volver a mis envíos' }).click();
  expect(onClose).toHaveBeenCalledOnce();
});

test('a transfer that the bank began to pay meanwhile cannot be cancelled, and the dialog says why', async () => {
  const transfer = inReview({ state: 'captured', timeline: untilCompleted.slice(0, 4) });
  const { screen } = await open(transfer);
  await screen.getByTestId('transfer-cancel').click();
  const now = { ...transfer, version: 6, cancellable: false };
  api.answer({
    getTransfer: () => now,
    cancelTransfer: () => ({ failure: 'already_deposited', status: 409, transaction: now }),
  });
  await screen.getByTestId('cancel-confirm').click();
  await expect.element(screen.getByTestId('cancel-refused')).toMatchTextContent(/Mensaje de already_deposited/);
  await expect.element(screen.getByTestId('cancel-confirm')).not.toBeInTheDocument();
  await expectAccessible();
  await screen.getByTestId('cancel-keep').click();
  await expect.element(screen.getByTestId('transfer-detail')).toBeVisible();
  await expect.element(screen.getByTestId('transfer-cancel')).not.toBeInTheDocument();
});

test('an open transfer, and the question whether to cancel it, are in English on an English page', async () => {
  await showEnglish();
  const until = new Date(Date.now() + 20 * 60_000).toISOString();
  const accepted = { rate: '13.30', bolivianos: '1283.45' };
  const { screen } = await open(inReview({ cancellableUntil: until, returned: '25.00', accepted }));
  const expected = screen.getByTestId('timeline-expected');
  await expect.element(expected.nth(2)).toHaveTextContent('Deposit in BoliviaAround Tuesday, November 24');
  await expect.element(screen.getByTestId('breakdown-bs')).toHaveTextContent('BOB 1,291.17');
  await expect.element(screen.getByTestId('breakdown-rate')).toHaveTextContent('1 EUR = 13.38 BOB');
  await expect
    .element(screen.getByTestId('cancel-offer'))
    .toMatchTextContent(/You can until \d+:\d\d [AP]M: \d+:\d\d left/);
  expectEnglishOnly(paidTransfer.recipient);
  await screen.getByTestId('transfer-cancel').click();
  await expect.element(screen.getByRole('heading', { name: 'Cancel the transfer to Juana Mamani?' })).toBeVisible();
  await expect
    .element(screen.getByTestId('cancel-dialog'))
    .toMatchTextContent(/EUR 75\.00 is held on your card, not charged\./);
  expectEnglishOnly(paidTransfer.recipient);
});

test('an approved transfer counts down the 30 minutes in which it can be cancelled, and then offers that no more', async () => {
  stopClock();
  const cancellableUntil = new Date(Date.now() + 61_000).toISOString();
  const { screen } = await open(
    inReview({ state: 'approved', timeline: untilCompleted.slice(0, 3), cancellableUntil }),
  );
  await passUntil(() => screen.getByTestId('cancel-countdown').query());
  await expect.element(screen.getByTestId('cancel-countdown')).toHaveTextContent('quedan 1:01');
  await pass(2_500);
  await expect.element(screen.getByTestId('cancel-countdown')).toHaveTextContent('quedan 0:59');
  await pass(59_000);
  await expect.element(screen.getByTestId('cancel-offer')).not.toBeInTheDocument();
});

test('a transfer that its sender cancelled after the approval says that it is undone, and then what became of the money', async () => {
  const cancellableUntil = new Date(Date.now() + 30 * 60_000).toISOString();
  const asked = inReview({ state: 'approved', timeline: untilCompleted.slice(0, 3), cancellableUntil });
  const { screen } = await open(asked);
  await expect.element(screen.getByTestId('cancel-countdown')).toMatchTextContent(/quedan (30:00|29:\d\d)/);
  await expectAccessible();
  live.push('transfer:changed', { ...asked, version: 4, cancellable: false, cancelRequested: true });
  await expect.element(screen.getByText('Pediste cancelar: lo estamos deshaciendo')).toBeVisible();
  await expect.element(screen.getByTestId('transfer-cancel')).not.toBeInTheDocument();
  const charged = [...untilCompleted.slice(0, 4), { ...step('refunding', 5), owner: 'sender' }];
  const refunded = {
    ...asked,
    version: 6,
    cancellable: false,
    cancelRequested: true,
    timeline: [...charged, step('refunded', 6)],
  };
  live.push('transfer:changed', { ...refunded, state: 'refunded', status: 'refunded', returned: '100.00' });
  await expect.element(screen.getByText('Cancelado por ti: tu dinero vuelve a tu tarjeta')).toBeVisible();
  await expect.element(screen.getByTestId('transfer-receipt')).toBeVisible();
});

test('a cancellation that waits for the bank says so first, and the money is not promised to the family', async () => {
  const pending = { cancelRequested: true, cancelPending: true, cancellable: false };
  const { screen } = await open(inReview({ ...pending, state: 'captured', timeline: untilCompleted.slice(0, 4) }));
  await expect
    .element(screen.getByTestId('cancellation-pending'))
    .toMatchTextContent(/Si no lo hizo, te devolvemos los 100,00 EUR completos, comisión incluida/);
  await expect.element(screen.getByText('CANCELANDO')).toBeVisible();
  await expect.element(screen.getByText('Llegaría a Bolivia')).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Avisar a mi familia' })).not.toBeInTheDocument();
  await expectAccessible();
});

test.each([
  ['a completed transfer', true, { state: 'completed', status: 'completed' }],
  ['a delayed one', false, { state: 'captured', estimatedDelivery: '2026-11-21T04:00:00.000Z' }],
  ['one of which the bank returned a part', false, { state: 'completed', payoutReturned: '100.00' }],
  ['one that is being refunded', false, { state: 'refunding', status: 'refunded' }],
] as const)('whether sending again is the main action: %s, %s', async (_, isMain, changes) => {
  const { screen } = await open(inReview({ ...changes, cancellable: false, timeline: untilCompleted.slice(0, 4) }));
  await expect.element(screen.getByTestId('transfer-detail')).toBeVisible();
  const repeat = screen.getByRole('button', { name: /^Repetir el envío|^Repetir$/ });
  await expect.element(repeat).toBeVisible();
  expect(repeat.element().getAttribute('data-variant') === 'default').toBe(!isMain);
});

test('an approved transfer whose authorization is gone says that it failed', async () => {
  const transfer = inReview({ state: 'failed', status: 'failed', cancellable: false });
  await open({ ...transfer, timeline: [...untilCompleted.slice(0, 3), step('failed', 4)] });
  await expectText('message transfer: failed');
});

const question: QuestionView = {
  ...{ id: 'c3b7d2f4-8a55-4d2c-9a53-1d7c0f6b2e07', asked_at: '2026-11-20T15:00:00.000Z', code: 'purpose', note: null },
  files: [],
  answer: null,
};

test('what Chasqui asks is answered from the transfer, with the end of the hold in sight, and arrives and ends live', async () => {
  const transfer = inReview();
  const { screen } = await open(transfer);
  await expect.element(screen.getByTestId('transfer-detail')).toBeVisible();
  await expect.element(screen.getByTestId('transfer-questions')).not.toBeInTheDocument();
  let items = [question];
  const decideBy = new Date(Date.now() + 26 * 3_600_000 + 60_000).toISOString();
  const waiting = { ...transfer, version: 3, questions: 'waiting', decideBy } as const;
  const answered = { ...transfer, version: 4, questions: 'answered' } as const;
  api.answer({
    getTransfer: () => waiting,
    transferQuestions: () => ({ items, nextCursor: null }),
    answerQuestion: ({ body }) => {
      items = [
        {
          ...(items[0] as QuestionView),
          answer: { text: (body as { text: string }).text, at: '2026-11-20T16:00:00.000Z' },
        },
      ];
      return { transaction: answered, question: items[0] as QuestionView };
    },
  });
  live.push('transfer:changed', waiting);
  await expect.element(screen.getByText('¿Para qué es este envío?')).toBeVisible();
  await expect
    .element(screen.getByTestId('answer-by'))
    .toMatchTextContent(/quedan 26 h\. Si no se decide antes, no se cobra/);
  await expect.element(screen.getByText('RESPONDE')).toBeVisible();
  await expectAccessible();
  await screen.getByTestId('answer-send').click();
  await expect.element(screen.getByText('Escribe tu respuesta')).toBeVisible();
  await screen.getByTestId('answer-text').fill('El alquiler de mi madre');
  const contract = new File(['%PDF-1.7'], 'contrato.pdf', { type: 'application/pdf' });
  api.answer({
    attachToAnswer: ({ body }) => {
      const { name } = body as { name: string };
      const file = { id: question.id, name, type: 'application/pdf', size: 8, at: question.asked_at } as const;
      items = [{ ...question, files: [file] }];
      return { files: [file] };
    },
  });
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, [contract]);
  api.answer({ getTransfer: () => answered });
  await screen.getByTestId('answer-send').click();
  await expect.element(screen.getByText('Recibimos tu respuesta')).toBeVisible();
  await expect
    .element(screen.getByTestId('transfer-question'))
    .toMatchTextContent(/El alquiler de mi madre1 archivocontrato\.pdf \(1 KB\)Respondiste el/);
  await expect.element(screen.getByText('RESPONDE')).not.toBeInTheDocument();
  live.push('transfer:changed', { ...answered, version: 5, questions: null, state: 'approved' });
  await expect.element(screen.getByTestId('transfer-questions')).not.toBeInTheDocument();
});

const withQuestion = () => {
  api.answer({ transferQuestions: () => ({ items: [question], nextCursor: null }) });
  return inReview({ questions: 'waiting', decideBy: new Date(Date.now() + 3_600_000).toISOString() });
};

test('an answer that is being typed outlasts another question, and closing the transfer', async () => {
  const transfer = withQuestion();
  const { screen } = await open(transfer);
  await screen.getByTestId('answer-text').fill('El alquiler');
  await screen.getByTestId('report-problem').click();
  await screen.getByTestId('report-description').fill('Llegó tarde');
  await screen.getByRole('button', { name: 'Volver al envío' }).click();
  await expect.element(screen.getByTestId('answer-text')).toHaveValue('El alquiler');
  await screen.getByTestId('report-problem').click();
  await expect.element(screen.getByTestId('report-description')).toHaveValue('Llegó tarde');
  await screen.unmount();
  const { screen: again } = await open(transfer);
  await expect.element(again.getByTestId('answer-text')).toHaveValue('El alquiler');
  await again.unmount();
  // Another person signs in.
  forgetRows();
  const { screen: other } = await open(transfer);
  await expect.element(other.getByTestId('answer-text')).toHaveValue('');
});

test('closing the dialog during an upload discards the answer and says so', async () => {
  const transfer = withQuestion();
  api.answer({ attachToAnswer: () => 'no answer', answerQuestion: () => ({ failure: 'internal' }) });
  const { screen } = await open(transfer);
  await screen.getByTestId('answer-text').fill('El alquiler');
  const contract = new File(['%PDF-1.7'], 'contrato.pdf', { type: 'application/pdf' });
  await userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, [contract]);
  await screen.getByTestId('answer-send').click();
  await expect.element(screen.getByTestId('upload-progress')).toBeVisible();
  await screen.unmount();
  const { screen: again } = await open(transfer);
  // At once, and not when the upload is given up for want of an answer.
  await expect.element(page.getByText('No se envió tu respuesta'), { timeout: 10_000 }).toBeVisible();
  await expect.element(again.getByTestId('answer-text')).toHaveValue('El alquiler');
  expect(api.calls.some(({ name }) => name === 'answerQuestion')).toBe(false);
});

test('an answer that comes after the decision is refused with what happened, and the question is in English on an English page', async () => {
  await showEnglish();
  const transfer = inReview({ questions: 'waiting', decideBy: new Date(Date.now() + 3_600_000).toISOString() });
  api.answer({ transferQuestions: () => ({ items: [question], nextCursor: null }) });
  const { screen } = await open(transfer);
  await expect.element(screen.getByText('What is this transfer for?')).toBeVisible();
  expectEnglishOnly(paidTransfer.recipient);
  const now = { ...transfer, version: 3, questions: null, state: 'approved' } as const;
  api.answer({
    getTransfer: () => now,
    answerQuestion: () => ({ failure: 'question_closed', status: 409, transaction: now }),
  });
  await screen.getByTestId('answer-text').fill('The rent');
  await screen.getByTestId('answer-send').click();
  await expect.element(screen.getByText('Your answer was not sent')).toBeVisible();
  await expect.element(screen.getByTestId('transfer-questions')).not.toBeInTheDocument();
});

test('a sender who reads English gets the reason of a rejection in English, and the note as it was typed', async () => {
  await showEnglish();
  const rejection = { code: 'duplicate', note: 'Llama al banco.' } as const;
  const reason = 'Este envío parece repetido: ya hiciste otro igual. Llama al banco.';
  const { screen } = await open(inReview({ state: 'rejected', status: 'rejected', reason, rejection }));
  const said = screen.getByText(/^This transfer seems to be/);
  await expect.element(said).toMatchTextContent(/ Llama al banco\.$/);
  expect(said.element().textContent).not.toContain('Este envío');
});

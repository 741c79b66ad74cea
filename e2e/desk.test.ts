import { beforeEach, expect, test } from 'vitest';
import { endpoints } from '#core/contracts/http/endpoints';
import type { ReviewView } from '#core/contracts/http/review';
import type { TransferView } from '#core/contracts/http/transfers';
import type { CaseReason } from '#core/operations/desk-case';
import { type ApiClient, openPayment, payWithCard, sampleRecipient, signUp } from './api-client.ts';
import { problemsOf } from './soak/invariants.ts';
import { readRecords } from './soak/records.ts';
import { useApp } from './test-app.ts';
import { until } from './until.ts';

// What needs a person, through the whole product without a browser: the screens are in web/src/features/admin/desk and
// transfers, one journey with browsers is in operations-desk.browser.test.ts.

const app = useApp();
let sender: ApiClient;
beforeEach(async () => {
  sender = await signUp(app);
});

const reaches = (id: string, state: TransferView['state']) =>
  until(`the transfer is ${state}`, async () => {
    const transfer = await sender.call(endpoints.getTransfer, { params: { id } });
    return transfer.state === state && transfer;
  });

/** A transfer of 100 EUR that an admin approves. */
async function approved(card?: string): Promise<string> {
  const payment = await openPayment(sender);
  await payWithCard(app.stack.sandboxUrl, payment, card);
  await reaches(payment.transferId, 'in_review');
  await app.admin.call(endpoints.approve, { params: { id: payment.transferId } });
  return payment.transferId;
}

/** The open case of a transfer, once the desk has it and it is as wanted. */
const caseOf = (id: string, reason: CaseReason, disputes = 0) =>
  until(`the desk has a case ${reason}`, async () => {
    const { items } = await app.admin.call(endpoints.deskCases, { query: { reason, limit: 100 } });
    const found = items.find(({ transaction }) => transaction.id === id);
    if (!found) return null;
    const { case: one } = await app.admin.call(endpoints.deskCase, { params: { id: found.id } });
    return one.disputes.length >= disputes && one;
  });

/** What product, Stripe and bank say of a transfer. */
async function recordOf(id: string) {
  const [record] = (await readRecords(app)).filter((one) => one.id === id);
  if (!record) throw new Error('no such transfer');
  return record;
}

test('a sender corrects the account that the bank refused, and again when the bank returns the payment days later', async () => {
  const rejection = { code: 'account_not_found', message: 'La cuenta de destino no existe.' };
  await app.sandbox.bank({ rejectNext: 1, rejection });
  const id = await approved();
  expect((await reaches(id, 'payout_failed')).reason).toContain('La cuenta de destino no existe.');
  const correctTo = async (name: string, bankAccount: string) => {
    const recipient = { ...sampleRecipient, name, bankAccount, saveAnyway: true };
    const { id: recipientId } = await sender.call(endpoints.createRecipient, { body: recipient });
    await sender.call(endpoints.correctAccount, { params: { id }, body: { recipientId } });
    // A changed recipient is paid once an admin has approved them.
    const { id: caseId } = await caseOf(id, 'recipient_changed');
    const body = { action: 'release_hold', reason: 'Quien envía lo confirmó por teléfono.' } as const;
    await app.admin.call(endpoints.actOnCase, { params: { id: caseId }, body });
    return reaches(id, 'completed');
  };
  await correctTo('Pedro Mamani', '20000000999');
  const paid = (await app.sandbox.payouts()).find(({ externalId, status }) => {
    return externalId.startsWith(id) && status === 'paid';
  });
  await app.sandbox.returnPayout(paid?.externalId ?? '');
  await reaches(id, 'payout_failed');
  const { user } = await sender.call(endpoints.me);
  await until('the sender gets the question by e-mail, too', async () => {
    const mails = await app.sandbox.mails(user.email);
    return mails.some(({ text }) => text.includes('El banco devolvió el pago de Bs 1.291,17'));
  });
  expect(await correctTo('Luis Ticona', '30000000777')).toMatchObject({ recipient: 'Luis Ticona', reason: null });
  const record = await recordOf(id);
  expect(problemsOf(record)).toEqual([]);
  expect(record.cases).toMatchObject([
    { reason: 'payout_rejected', open: false },
    { reason: 'recipient_changed', open: false },
    { reason: 'payout_returned', open: false },
    { reason: 'recipient_changed', open: false },
  ]);
  expect(record.payouts.map(({ status, returnedAmount }) => [status, returnedAmount])).toEqual([
    ['rejected', '0.00'],
    ['paid', '1291.17'],
    ['paid', '0.00'],
  ]);
});

/** The review of a transfer of 100 EUR to a recipient of this name, once its screening has the status. */
async function reviewOf(name: string, status: ReviewView['screening']['status']) {
  const { id: recipientId } = await sender.call(endpoints.createRecipient, {
    body: { ...sampleRecipient, name, saveAnyway: true },
  });
  const payment = await openPayment(sender, { amount: '100.00', recipientId });
  await payWithCard(app.stack.sandboxUrl, payment);
  await reaches(payment.transferId, 'in_review');
  return until(`the check of names is ${status}`, async () => {
    const { review } = await app.admin.call(endpoints.review, { params: { id: payment.transferId } });
    return review.screening.status === status && review;
  });
}
const approve = (id: string) => app.admin.call(endpoints.approve, { params: { id } });

// Without an answer of the list service: domain/review/review.test.ts.
test('a name like a listed one waits for a person, and another passes', async () => {
  const hit = await reviewOf('Timur Olegovich Bazanov', 'hit');
  expect(hit.screening.hits).toMatchObject([{ subject: 'recipient', source: 'uk_csl', verdict: null }]);
  const { items } = await app.admin.call(endpoints.reviews, { query: { limit: 100 } });
  const { review } = items.find((item) => item.review.id === hit.id) ?? {};
  expect(review?.reasons).toContainEqual({ code: 'screening_hit', severity: 'serious' });
  await expect(approve(hit.id)).rejects.toMatchObject({ code: 'screening_needed', body: { screening: 'hit' } });

  const miss = await reviewOf('Rosa Mamani', 'clear');
  expect(await approve(miss.id)).toMatchObject({ transaction: { state: 'approved' } });
});

test('an admin answers two disputes of a payment; one is won, one is lost, and books, Stripe and bank agree', async () => {
  // Its holder disputes one half and then the other, a moment after the charge.
  const id = await approved('4000000404000079');
  await reaches(id, 'completed');
  const { disputes, ...opened } = await caseOf(id, 'dispute_opened', 2);
  const evidence = await app.admin.request('GET', `/api/admin/disputes/${disputes[0]?.id}/evidence`);
  expect(evidence.headers.get('content-disposition')).toBe(`attachment; filename="${disputes[0]?.id}.pdf"`);
  expect(evidence.body).toMatch(/^%PDF/);
  // Stripe's test mode decides by the text of the answer.
  const statusOf = async (disputeId: string) => {
    const { case: now } = await app.admin.call(endpoints.deskCase, { params: { id: opened.id } });
    return now.disputes.find((dispute) => dispute.id === disputeId)?.status;
  };
  for (const [index, text, outcome] of [
    [0, 'winning_evidence', 'won'],
    [1, 'losing_evidence', 'lost'],
  ] as const) {
    const disputeId = disputes[index]?.id ?? '';
    await app.admin.call(endpoints.respondToDispute, { params: { id: disputeId }, body: { text } });
    await until(`the dispute is ${outcome}`, async () => (await statusOf(disputeId)) === outcome);
  }
  const lost = await caseOf(id, 'dispute_lost');
  const body = { action: 'resolve', reason: 'Revisado: la pérdida es nuestra.' } as const;
  await app.admin.call(endpoints.actOnCase, { params: { id: lost.id }, body });
  const record = await recordOf(id);
  expect(problemsOf(record)).toEqual([]);
  expect(record.state).toBe('completed');
  expect(record.disputes.map(({ status }) => status).sort()).toEqual(['lost', 'won']);
  expect(record.books.get('loss EUR')).toBe(-5_000n);
  expect(record.books.has('disputed EUR')).toBe(false);
});

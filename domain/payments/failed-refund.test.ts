import { afterEach, expect, test, vi } from 'vitest';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { emailTextOf } from '../emails/email-templates.ts';
import { insertOperation, openOperation } from '../provider-calls/operation.repository.ts';
import { toAdminTransferView, toTransferView } from '../transfer-views/transfer-views.ts';
import { postRefund } from '../transfers/ledger.repository.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { applyRefunds } from './refund.ts';
import { syncPayment } from './sync-payment.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(() => vi.restoreAllMocks());

/** A charged transfer under refund, with the refund attempted. */
async function refunding(paymentMethod: string): Promise<string> {
  const id = await fixture.createRefunding({ paymentMethod });
  fixture.stripe.context.asyncDelayMs = 60_000;
  await fixture.run(id, 'refund');
  return id;
}

/** Lets Stripe's asynchronous work finish, and reads the payment again. */
async function later(id: string): Promise<void> {
  fixture.stripe.advanceClock(86_400);
  await fixture.stripe.idle();
  await syncPayment(fixture.context, id);
}

/** The e-mails about a transfer's refunds, oldest first. */
async function refundMails(id: string) {
  const kinds = ['transfer_refunded', 'refund_failed'] as const;
  const mails = await fixture.database
    .fork()
    .find(
      Email,
      { kind: { $in: [...kinds] }, data: { transferId: id } },
      { orderBy: { createdAt: 'asc', kind: 'desc' } },
    );
  return mails.map(({ kind, data }) => ({ kind, data }));
}

const viewOf = async (id: string) => {
  const em = fixture.database.fork();
  const transfer = await fixture.see(id);
  const [sender, admin] = [await toTransferView(em, transfer, fixture.now), await toAdminTransferView(em, transfer)];
  expect(admin.refund).toEqual(sender.refund);
  return sender;
};

/** Retries the full refund after the previous one failed. */
const retry = (id: string) =>
  fixture.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, id);
    if (transfer) await openOperation(em, transfer, 'refund', { at: fixture.now, amountMinor: 10_000n });
  });

test('a sender is notified that an announced refund bounced, and how it is paid back instead', async () => {
  const id = await refunding('pm_card_refundFail');
  const announced = { kind: 'transfer_refunded', data: expect.objectContaining({ returned: '100.00' }) };
  expect(await refundMails(id)).toEqual([announced]);
  expect((await refundMails(id))[0]?.data).toMatchObject({ byBank: '0.00', refundReference: null });
  expect((await viewOf(id)).refund).toEqual({ channel: 'card', state: 'done', byBank: '0.00', reference: null });
  await later(id);
  const failed = { kind: 'refund_failed', data: { transferId: id, amount: '100.00', currency: 'EUR', owed: '100.00' } };
  expect(await refundMails(id)).toEqual([announced, failed]);
  await syncPayment(fixture.context, id);
  expect(await refundMails(id)).toHaveLength(2);
  expect(await viewOf(id)).toMatchObject({ state: 'refunding', refund: { channel: 'card', state: 'failed' } });
  await retry(id);
  expect((await viewOf(id)).refund).toMatchObject({ state: 'under_way' });
  await fixture.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, id);
    if (!transfer) throw new Error('the transfer is gone');
    const paid = { at: fixture.now, status: 'succeeded', provider: 'manual', amountMinor: 10_000n } as const;
    const refund = await insertOperation(em, transfer, 'refund', { ...paid, providerReference: 'TRF-77' });
    await postRefund(em, transfer, refund, fixture.now);
    await applyRefunds(em, transfer, fixture.now);
  });
  const bank = { byBank: '100.00', refundReference: 'TRF-77', returned: '100.00' };
  const mails = await refundMails(id);
  expect(mails).toHaveLength(3);
  expect(mails).toContainEqual({ kind: 'transfer_refunded', data: expect.objectContaining(bank) });
  expect((await viewOf(id)).refund).toEqual({ channel: 'bank', state: 'done', byBank: '100.00', reference: 'TRF-77' });
});

test('a refund that the card rejected is e-mailed once, and shown', async () => {
  const id = await refunding('pm_card_pendingRefund');
  expect((await viewOf(id)).refund).toMatchObject({ state: 'under_way' });
  const { refunds } = fixture.context.stripe;
  const intent = await fixture.intentId(id);
  /** Stripe's answer with every refund rejected by the card. */
  const refuse = async () => {
    const list = await fixture.stripe.sdk.refunds.list({ payment_intent: intent });
    const data = list.data.map((refund) => ({ ...refund, status: 'failed', failure_reason: 'declined' }));
    vi.spyOn(refunds, 'list').mockResolvedValueOnce({ ...list, data } as Awaited<ReturnType<typeof refunds.list>>);
    await syncPayment(fixture.context, id);
  };
  const before = await viewOf(id);
  await refuse();
  const view = await viewOf(id);
  expect(view).toMatchObject({ state: 'refunding', returned: '0.00', refund: { channel: 'card', state: 'failed' } });
  expect(view.version).toBeGreaterThan(before.version);
  expect(await fixture.openCases(id)).toEqual(['refund_failed']);
  expect(await refundMails(id)).toMatchObject([{ kind: 'refund_failed', data: { owed: '100.00' } }]);
  await refuse();
  expect((await viewOf(id)).version).toBe(view.version);
  expect(await refundMails(id)).toHaveLength(1);
});

test('a failed refund at our expense is owed, and one made at Stripe is not', async () => {
  const id = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
  await fixture.run(id, 'payout');
  await fixture.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, id);
    if (transfer) await openOperation(em, transfer, 'refund', { at: fixture.now, amountMinor: 4_000n });
  });
  fixture.stripe.context.asyncDelayMs = 60_000;
  await fixture.run(id, 'refund');
  await later(id);
  expect((await refundMails(id)).at(-1)).toMatchObject({ kind: 'refund_failed', data: { owed: '40.00' } });
  const outside = await fixture.create({ state: 'captured', paymentMethod: 'pm_card_refundFail' });
  await fixture.run(outside, 'payout');
  await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(outside), amount: 4_000 });
  await syncPayment(fixture.context, outside);
  await later(outside);
  expect((await refundMails(outside)).map(({ kind }) => kind)).not.toContain('refund_failed');
});

/** A refund made in Stripe's dashboard while the payout was failing. */
async function createRefundedOutside(amount: number) {
  const id = await desk.createRejected();
  const payment_intent = await fixture.intentId(id);
  const outside = await fixture.stripe.sdk.refunds.create({ payment_intent, amount });
  await syncPayment(fixture.context, id);
  return { id, payment_intent, outside };
}

test('an earlier refund that bounces after a later one succeeded is owed to the sender', async () => {
  const { id, outside } = await createRefundedOutside(6_000);
  await fixture.cancel(id);
  await fixture.run(id, 'refund');
  expect((await fixture.see(id)).state).toBe('refunded');
  fixture.stripe.failRefund(outside.id);
  await syncPayment(fixture.context, id);
  expect(await fixture.see(id)).toMatchObject({ state: 'refunding', returnedMinor: 4_000n });
  const about = (await refundMails(id)).filter(({ kind }) => kind === 'refund_failed');
  expect(about).toMatchObject([{ data: { owed: '60.00' } }]);
  expect((await viewOf(id)).refund).toMatchObject({ channel: 'card', state: 'failed' });
});

test('a failed refund is e-mailed even if one of the dashboard had failed before it was owed', async () => {
  const { id, payment_intent, outside } = await createRefundedOutside(4_000);
  fixture.stripe.failRefund(outside.id);
  await syncPayment(fixture.context, id);
  await fixture.cancel(id);
  const { refunds } = fixture.context.stripe;
  const list = refunds.list.bind(refunds);
  vi.spyOn(refunds, 'list').mockImplementation((async (query: never) => {
    const page = await list(query);
    return {
      ...page,
      data: page.data.map((one) => (one.status === 'succeeded' ? { ...one, status: 'pending' } : one)),
    };
  }) as unknown as typeof refunds.list);
  await fixture.run(id, 'refund');
  vi.restoreAllMocks();
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent });
  fixture.stripe.failRefund(data[0]?.id ?? '');
  await syncPayment(fixture.context, id);
  expect((await fixture.operations(id, 'refund')).map(({ status }) => status)).toEqual(['failed', 'failed']);
  expect(await refundMails(id)).toMatchObject([{ kind: 'refund_failed', data: { owed: '100.00' } }]);
});

test('an e-mail about a refund by card and by hand states the amount of each', async () => {
  const { id } = await createRefundedOutside(4_000);
  await fixture.cancel(id);
  fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/refunds$', method: 'POST' });
  await fixture.run(id, 'refund');
  const caseId = (await fixture.cases(id)).find(
    ({ reason, resolvedAt }) => reason === 'operation_refused' && !resolvedAt,
  )?.id;
  await desk.report(await desk.reserve(id, 'refund_by_hand', { caseId: caseId ?? '' }), {
    ...{ amount: '60.00', bankReference: 'TRF-60' },
  });
  expect((await fixture.see(id)).state).toBe('refunded');
  const mail = (await refundMails(id)).at(-1);
  expect(mail).toMatchObject({ kind: 'transfer_refunded', data: { byBank: '60.00', refundReference: 'TRF-60' } });
  const { paragraphs } = emailTextOf('transfer_refunded', mail?.data as never, 'en');
  expect(paragraphs.join(' ')).toContain('We paid EUR 60.00 of it by bank transfer, and EUR 40.00 went to your card.');
  expect((await viewOf(id)).refund).toEqual({ channel: 'bank', state: 'done', byBank: '60.00', reference: 'TRF-60' });
});

/** Checks all requests to Stripe and answers from it against the SDK's types with closed enums. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logging';
import { samplesOf } from '../../sandbox/testing/contract-samples.ts';
import { parametersSample, recordCalls } from '../../sandbox/testing/recorded-calls.ts';
import { type Sample, typeErrors } from '../../sandbox/testing/type-check.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { openTestTransfer } from '../../testing/transfers.ts';
import { submitDisputeEvidence } from '../dispute-evidence/respond.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { importStripe } from '../reconciliation/import-sources.ts';
import { CardPayments } from './payment-intents.ts';
import { StripeEvent } from './stripe-event.entity.ts';
import { sweepStripeEvents } from './sweep-stripe-events.ts';
import { sweepTransfers } from './sweep-transfers.ts';
import { syncDisputes } from './sync-disputes.ts';
import { syncPayment } from './sync-payment.ts';

// Port 9 refuses every connection, so that all events are undelivered and the sweep reads them.
const fixture = usePaymentFixture({ webhookUrl: 'http://127.0.0.1:9/api/stripe/webhook' });
let recorded: ReturnType<typeof recordCalls>;
let context: JobContext;

/** Opens a payment as the api does, and reads its status. */
async function openPayment(): Promise<string> {
  const { userId } = await fixture.see(await fixture.create({ state: 'awaiting_payment' }));
  const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId }));
  await fixture.database
    .fork()
    .execute(`update transfer set quote_expires_at = now() + interval '1 day' where id = ?`, [id]);
  const cards = new CardPayments(fixture.database, context.stripe, createLogger('api', 'silent'));
  const { paymentIntentId } = await cards.prepare(await fixture.see(id));
  await cards.isStillUnpaid(await fixture.see(id));
  await cards.readStatus(paymentIntentId);
  return id;
}

const cards = {
  plain: 'pm_card_visa',
  warned: 'pm_card_createIssuerFraudRecord',
  reviewed: 'pm_card_riskLevelElevated',
  disputed: 'pm_card_createDispute',
} as const;

/** Runs payments through every path. */
async function live(): Promise<void> {
  const opened = await openPayment();
  await fixture.pay(opened);
  await fixture.pay(await openPayment(), 'pm_card_chargeDeclined').catch(() => {});
  await syncPayment(context, opened);
  const held = (paymentMethod: string = cards.plain) => fixture.create({ state: 'in_review', paymentMethod });
  const voided = await held();
  await fixture.reject(voided);
  await fixture.run(voided, 'void', context);
  const captured = async (paymentMethod?: string) => {
    const id = await held(paymentMethod);
    await fixture.approve(id);
    await fixture.run(id, 'capture', context);
    return id;
  };
  for (const paymentMethod of [cards.warned, cards.reviewed]) await captured(paymentMethod);
  const refunded = await fixture.createRefunding();
  await fixture.run(refunded, 'refund', context);
  const disputed = await captured(cards.disputed);
  await fixture.stripe.idle();
  await syncDisputes(context, disputed);
  const disputeId = (await fixture.stripe.sdk.disputes.list({ limit: 1 })).data[0]?.id ?? '';
  const { id: adminId } = await createTestUser(fixture.database, { role: 'admin' });
  await fixture.database.transaction((em) =>
    submitDisputeEvidence(em, { disputeId, adminId, text: 'Pagamos a la familia.', at: fixture.now }),
  );
  await fixture.run(disputed, 'dispute_response', context);
}

/** Runs the background work: sweeps, events and the comparison of the books. */
async function sweep(): Promise<void> {
  await fixture.stripe.idle();
  await sweepStripeEvents(context);
  for (const { id } of await fixture.database.fork().find(StripeEvent, { handledAt: null })) {
    await handleStoredEvent(context, id);
  }
  fixture.now = new Date(fixture.now.getTime() + 60_000);
  await sweepTransfers(context);
  await importStripe(context);
}

beforeAll(async () => {
  recorded = recordCalls(fixture.context.stripe);
  context = { ...fixture.context, stripe: recorded.stripe };
  await live();
  await sweep();
}, 60_000);

describe('requests and answers of the product', () => {
  it('have the types of the pinned API version, and mismatches are reported', { timeout: 60_000 }, async () => {
    const { calls, answers } = recorded;
    const names = [...new Set(calls.map(({ name }) => name))].sort();
    expect(names).toEqual([
      ...['balanceTransactions.list', 'charges.list', 'disputes.list', 'disputes.update', 'events.list'],
      ...['files.create', 'paymentIntents.cancel', 'paymentIntents.capture', 'paymentIntents.create'],
      ...['paymentIntents.list', 'paymentIntents.retrieve', 'radar.earlyFraudWarnings.list'],
      ...['refunds.create', 'refunds.list'],
    ]);
    const right: Sample[] = [...calls.map(parametersSample), ...answers.flatMap(samplesOf)];
    const create = calls.find(({ name }) => name === 'paymentIntents.create')?.parameters as object;
    const wrong: Sample[] = [
      { type: 'Stripe.PaymentIntentCreateParams', value: { ...create, capture_method: 'later' } },
      { type: 'Stripe.PaymentIntentCreateParams', value: { ...create, payment_method_types: ['card'] } },
      { type: 'Stripe.PaymentIntentCreateParams', value: { ...create, amount: '100' } },
    ];
    expect(await typeErrors(right, wrong)).toEqual({ unexpected: [], unreported: [] });
  });
});

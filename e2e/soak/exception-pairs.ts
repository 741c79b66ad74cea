import { expect } from 'vitest';
import { openStatuses } from '#core/operations/operation';
import { hourMs } from '#core/time/time';
import type { TransferState } from '#core/transfers/states';
import { sweepBankReturns } from '#domain/bank-returns/sweep-bank-returns';
import { syncPayment } from '#domain/payments/sync-payment';
import { attemptNow } from '../../testing/operations.ts';
import type { PaymentFixture } from '../../testing/payment-fixture.ts';
import { recordOf } from './fixture-record.ts';
import { problemsOf } from './invariants.ts';

/*
 * What the card's and the family's bank and a person in Stripe's dashboard can do to a transfer, two things after each other. Once
 * nothing moves any more, Stripe, the bank, the operations, the books and the desk have to agree; and once more after the sender of a
 * payout that failed took the money back.
 */

const accountRefused = { code: 'account_closed', message: 'No.' };

async function refusePayout(
  fixture: PaymentFixture,
  id: string,
  rejection: { code: string; message: string },
): Promise<void> {
  fixture.bank.setMode({ rejectNext: 1, rejection });
  await fixture.run(id, 'payout');
  fixture.bank.setMode({});
}

/** The bank refuses the account, and the sender asks for the money back. */
async function askedBack(fixture: PaymentFixture, id: string): Promise<void> {
  await refusePayout(fixture, id, accountRefused);
  await fixture.cancel(id);
}

/** What brings a transfer, which is held or charged, to a state. */
const preparations = {
  approved: async () => {},
  captured: async () => {},
  completed: (fixture, id) => fixture.run(id, 'payout'),
  payout_failed: (fixture, id) => refusePayout(fixture, id, accountRefused),
  refunding: askedBack,
  refunded: async (fixture, id) => {
    await askedBack(fixture, id);
    await fixture.run(id, 'refund');
  },
} as const satisfies Partial<Record<TransferState, (fixture: PaymentFixture, id: string) => Promise<void>>>;

export type PreparedState = keyof typeof preparations;
export const preparedStates = Object.keys(preparations) as PreparedState[];

async function refund(fixture: PaymentFixture, id: string, amount?: number): Promise<void> {
  const payment_intent = await fixture.intentId(id);
  await fixture.stripe.sdk.refunds.create({ payment_intent, ...(amount ? { amount } : {}) });
}

const disputesOf = async (fixture: PaymentFixture, id: string) =>
  (await fixture.stripe.sdk.disputes.list({ payment_intent: await fixture.intentId(id) })).data;

/** The transfer's open dispute; one is opened unless there is, about all that is left or an amount. */
async function dispute(fixture: PaymentFixture, id: string, amount?: number): Promise<string> {
  const disputes = await disputesOf(fixture, id);
  const open = disputes.find(({ status }) => status === 'needs_response');
  if (open) return open.id;
  const charge = (await fixture.intent(id)).latest_charge;
  const lost = disputes.reduce((sum, one) => (one.status === 'lost' ? sum + one.amount : sum), 0);
  const left = (charge?.amount_captured ?? 0) - (charge?.amount_refunded ?? 0) - lost;
  if (left < (amount ?? 1)) throw new Error('nothing of it can be disputed');
  return fixture.stripe.openDispute(await fixture.intentId(id), { amount: amount ?? left }).id;
}

async function returnPayout(fixture: PaymentFixture, id: string, amount?: string): Promise<void> {
  fixture.bank.returnPayout(fixture.payouts(id)[0]?.externalId ?? '', amount ? { amount } : {});
}

/** The card does not take the refunds that succeeded. */
async function failRefunds(fixture: PaymentFixture, id: string): Promise<void> {
  const { data } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  if (!data.some(({ status }) => status === 'succeeded')) throw new Error('there is no refund');
  fixture.stripe.advanceClock(120);
  await fixture.stripe.idle();
}

/** What happens outside. Each throws where Stripe or the bank cannot do it. */
const exceptions = {
  dashboard_capture: async (fixture, id) => {
    await fixture.stripe.sdk.paymentIntents.capture(await fixture.intentId(id));
  },
  dashboard_cancel: async (fixture, id) => {
    await fixture.stripe.sdk.paymentIntents.cancel(await fixture.intentId(id));
  },
  dashboard_refund: refund,
  dashboard_refund_of_a_part: (fixture, id) => refund(fixture, id, 4_000),
  dispute_opened: async (fixture, id) => {
    await dispute(fixture, id);
  },
  dispute_won: async (fixture, id) => fixture.stripe.decideDispute(await dispute(fixture, id), 'won'),
  dispute_lost: async (fixture, id) => fixture.stripe.decideDispute(await dispute(fixture, id), 'lost'),
  dispute_of_a_part_lost: async (fixture, id) =>
    fixture.stripe.decideDispute(await dispute(fixture, id, 3_000), 'lost'),
  payout_returned: returnPayout,
  payout_returned_in_part: (fixture, id) => returnPayout(fixture, id, '91.17'),
  refunds_failed: failRefunds,
} as const satisfies Record<string, (fixture: PaymentFixture, id: string) => Promise<void>>;

export type ExceptionName = keyof typeof exceptions;
export const exceptionNames = Object.keys(exceptions) as ExceptionName[];

/** Returns false where it cannot happen. */
async function happens(fixture: PaymentFixture, name: ExceptionName, id: string): Promise<boolean> {
  try {
    await exceptions[name](fixture, id);
    return true;
  } catch {
    return false;
  }
}

async function learn(fixture: PaymentFixture, id: string): Promise<void> {
  await syncPayment(fixture.context, id);
  await sweepBankReturns(fixture.context);
}

/**
 * Runs due attempts until everything is at rest; work waiting for a dispute continues once the card's bank has given
 * in.
 */
async function settle(fixture: PaymentFixture, id: string): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    await learn(fixture, id);
    const operations = await fixture.operations(id);
    const open = operations.filter(({ kind, status }) => kind !== 'authorization' && openStatuses.includes(status));
    if (open.length === 0) break;
    for (const operation of open) await attemptNow(fixture.context, operation.id);
    fixture.now = new Date(fixture.now.getTime() + hourMs);
  }
  const open = (await disputesOf(fixture, id)).filter(({ status }) => status === 'needs_response');
  if (open.length === 0) return;
  for (const one of open) fixture.stripe.decideDispute(one.id, 'won');
  await settle(fixture, id);
}

/** How a pair is tried. */
export interface PairOptions {
  readonly state: PreparedState;
  readonly first: ExceptionName;
  readonly second: ExceptionName;
  /** Whether the product learns of the first before the second happens. */
  readonly learnsBetween?: boolean;
}

/**
 * Applies two exceptions to a new transfer, and returns the problems afterwards; null when they cannot both happen. The
 * simulated Stripe of the fixture must finish refunds a minute later (`asyncDelayMs`).
 */
export async function tryPair(
  fixture: PaymentFixture,
  { state, first, second, learnsBetween = true }: PairOptions,
): Promise<string[] | null> {
  const fails = first === 'refunds_failed' || second === 'refunds_failed';
  const id = await fixture.create({
    state: state === 'approved' ? 'approved' : 'captured',
    paymentMethod: fails ? 'pm_card_refundFail' : 'pm_card_visa',
  });
  await preparations[state](fixture, id);
  expect((await fixture.see(id)).state).toBe(state);
  if (!(await happens(fixture, first, id))) return null;
  if (learnsBetween) await learn(fixture, id);
  if (!(await happens(fixture, second, id))) return null;
  await settle(fixture, id);
  const problems = problemsOf(await recordOf(fixture, id));
  if ((await fixture.see(id)).state !== 'payout_failed') return problems;
  await fixture.cancel(id);
  await settle(fixture, id);
  return [...problems, ...problemsOf(await recordOf(fixture, id))];
}

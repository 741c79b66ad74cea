import { describe, expect, test } from 'vitest';
import { type DayGroup, dayGroups } from '#core/review/last-day';
import { dayMs, hourMs } from '#core/time/time';
import { runFor } from '#platform/caller';
import { createTestUser } from '../../testing/accounts.ts';
import { reviewPolicy, useReviewFixture } from '../../testing/review-fixture.ts';
import { makeMove, openTestTransfer, testMoment } from '../../testing/transfers.ts';
import { noteOrigin } from '../payments/declined-attempt.repository.ts';
import { decide } from '../review/decide.ts';
import { refuseStaleProof } from './new-account.ts';

const reviews = useReviewFixture();
const { transfers } = reviews;
const policy = { ...reviewPolicy, screens: false };
/** Two of these need approval by two people, and more than the threshold for a proof. */
const amountMinor = 100_000n;

/** Sender, account and browser of a payment. */
interface Payment {
  readonly sender: string;
  readonly account: string;
  readonly device: string;
}

async function newPayment(): Promise<Payment> {
  const { id } = await createTestUser(transfers.database);
  const account = String(Math.floor(Math.random() * 1e12)).padStart(12, '1');
  return { sender: id, account, device: crypto.randomUUID() };
}

/** Another payment that shares only this with one. */
const sharing = async (one: Payment, group: DayGroup | null) => ({
  ...(await newPayment()),
  ...(group && { [group]: one[group] }),
});

const callerOf = ({ sender, device }: Payment) => ({
  ...{ personId: sender, role: 'user', network: null, device, written: new Set<string>() },
});

async function noted(payment: Payment, id: string, at: Date): Promise<string> {
  await runFor(callerOf(payment), () => transfers.database.transaction((em) => noteOrigin(em, id, at)));
  return id;
}

const paid = async (payment: Payment, paidAt = testMoment) =>
  noted(
    payment,
    await reviews.inReview(
      { bankAccount: payment.account },
      { userId: payment.sender, amountMinor, currency: 'USD', paidAt },
    ),
    paidAt,
  );

async function unpaid(payment: Payment): Promise<string> {
  const { id } = await transfers.database.transaction(async (em) =>
    openTestTransfer(em, { userId: payment.sender, amountMinor, currency: 'USD' }),
  );
  return noted(payment, id, testMoment);
}

const approve = (transferId: string) =>
  decide(
    transfers.database,
    { transferId, decision: 'approve', adminId: reviews.ana, reason: null, at: testMoment },
    policy,
  );

describe('transfers that together reach the threshold need approval by two people', () => {
  test.each(dayGroups)('by the same %s within 24 hours, whichever is approved first', async (group) => {
    const one = await newPayment();
    const first = await paid(one, new Date(testMoment.getTime() - dayMs + hourMs));
    const second = await paid(await sharing(one, group));
    for (const id of [first, second]) {
      expect((await reviews.view(id)).needs_second).toBe(true);
      expect(await approve(id)).toMatchObject({ state: 'in_review' });
    }
  });

  test('transfers paid a day before, given up, or unrelated do not count', async () => {
    const one = await newPayment();
    await paid(one, new Date(testMoment.getTime() - dayMs));
    await makeMove(transfers.database, await paid(one), 'reject');
    await unpaid(one);
    await paid(await sharing(one, null));
    const id = await paid(one);
    expect((await reviews.view(id)).needs_second).toBe(false);
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });
});

describe('a larger total to a new account requires a proof of identity', () => {
  const rules = { newDeviceUsdMinor: 150_000n, sessions: { stepUpMs: hourMs } };
  /** The api's check before opening 500.00 USD, `minutes` after the last proof. */
  const prove = (payment: Payment, { transferId = null as string | null, minutes = 61 } = {}) =>
    runFor(callerOf(payment), () =>
      refuseStaleProof(transfers.database.fork(), rules, {
        ...{ userId: payment.sender, bankAccount: payment.account, transferId, usdMinor: 50_000n, at: testMoment },
        provenAt: new Date(testMoment.getTime() - minutes * 60_000),
      }),
    );
  const stale = { code: 'second_factor_stale' };

  test.each(dayGroups)('counting payments by the same %s', async (group) => {
    const one = await newPayment();
    await paid(await sharing(one, group));
    await expect(prove(one)).rejects.toMatchObject(stale);
    await prove(one, { minutes: 60 });
    await prove(await newPayment());
  });

  test.each(['sender', 'device'] as const)('counting unpaid transfers opened by the same %s', async (group) => {
    const one = await newPayment();
    const id = await unpaid(await sharing(one, group));
    await expect(prove(one)).rejects.toMatchObject(stale);
    // A resumed transfer counts once.
    await prove(one, { transferId: id });
    await makeMove(transfers.database, id, 'withdraw');
    await prove(one);
  });

  test('but not for an account that was paid before', async () => {
    const one = await newPayment();
    const before = await paid(one, new Date(testMoment.getTime() - 2 * dayMs));
    for (const move of ['approve', 'capture', 'pay_out'] as const) await makeMove(transfers.database, before, move);
    await paid(await sharing(one, 'sender'));
    await prove(one);
  });
});

test('payments of several people from one browser whose total exceeds the reporting threshold are a review reason', async () => {
  const one = await newPayment();
  for (const at of [1, 2, 3]) await paid(await sharing(one, 'device'), new Date(testMoment.getTime() - at * hourMs));
  const { reasons } = await reviews.view(await paid(one));
  const split = { code: 'split_amounts', severity: 'serious', by: 'device', count: 4 };
  expect(reasons).toContainEqual({ ...split, usd: '4000.00', threshold_usd: '3000.00' });
});

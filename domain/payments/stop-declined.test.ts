import { beforeEach, expect, test } from 'vitest';
import { hourMs } from '#core/time/time';
import { declineWindowsMs } from '#core/transfers/declines';
import { ownReasons } from '#core/transfers/own-reasons';
import { runFor } from '#platform/caller';
import { createTestUser } from '../../testing/accounts.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { openTestTransfer } from '../../testing/transfers.ts';
import { findKnown } from '../review/facts.repository.ts';
import { DeclinedAttempt } from './declined-attempt.entity.ts';
import { closedByDeclines, deleteDeclines, noteOrigin } from './declined-attempt.repository.ts';
import { stopDeclinedPayment } from './stop-declined.ts';
import { syncPayment } from './sync-payment.ts';

const fixture = usePaymentFixture();
const network = '203.0.113.0/24';
const called = <Result>(work: () => Promise<Result>) =>
  runFor({ personId: null, role: null, network, written: new Set() }, work);

beforeEach(async () => {
  await fixture.database.fork().nativeDelete(DeclinedAttempt, {});
});

/** An unpaid transfer, opened from the network, with one declined card. */
async function declinedOnce(): Promise<string> {
  const id = await fixture.create({ state: 'awaiting_payment' });
  await called(() => fixture.database.transaction((em) => noteOrigin(em, id, fixture.now)));
  await expect(fixture.pay(id, 'pm_card_chargeDeclined')).rejects.toThrow(/declined/);
  return id;
}

/** Other declined attempts, made half an hour ago by default. */
async function others(count: number, of: Partial<DeclinedAttempt>, at = new Date(Date.now() - hourMs / 2)) {
  const em = fixture.database.fork();
  const sender = await createTestUser(fixture.database);
  const { id } = await fixture.database.transaction(async (each) => openTestTransfer(each, { userId: sender.id }));
  for (let n = 0; n < count; n += 1) {
    const attempt = { chargeId: `ch_${crypto.randomUUID()}`, transferId: id, userId: sender.id, network: null };
    await em.insert(DeclinedAttempt, { ...attempt, card: null, at, ...of });
  }
}

const stop = async (id: string) =>
  stopDeclinedPayment(fixture.context, await fixture.see(id), await fixture.intentId(id));
const now = () => ({ at: new Date(), limits: fixture.context.declines });
const attemptsAt = (id: string) => fixture.database.fork().find(DeclinedAttempt, { transferId: id });

test('a declined card is stored once, with its sender, network and fingerprint, and shown in the review', async () => {
  const id = await declinedOnce();
  for (let time = 0; time < 2; time += 1) await stop(id);
  const { userId } = await fixture.see(id);
  expect(await attemptsAt(id)).toMatchObject([{ userId, network, card: expect.stringMatching(/\w{8,}/) }]);
  expect((await fixture.see(id)).state).toBe('awaiting_payment');
  await fixture.pay(id);
  await syncPayment(fixture.context, id);
  expect((await findKnown(fixture.database.fork(), [id])).get(id)?.facts.declined).toEqual({ count: 1, cards: 1 });
});

test('too many declined cards of an account end its unpaid transfers, and block it until the first is a day old', async () => {
  const [id, other] = [await declinedOnce(), await fixture.create({ state: 'awaiting_payment' })];
  const { userId } = await fixture.see(id);
  await others(fixture.context.declines.account - 2, { userId });
  await stop(id);
  expect((await fixture.see(id)).state).toBe('awaiting_payment');
  const first = new Date(Date.now() - 2 * hourMs);
  await others(1, { userId }, first);
  await stop(id);
  for (const one of [id, other]) {
    expect(await fixture.see(one)).toMatchObject({ state: 'expired', reason: ownReasons.account_declined_too_often });
  }
  const until = await closedByDeclines(fixture.database.fork(), userId, now());
  expect(until).toEqual(new Date(first.getTime() + declineWindowsMs.account));
});

test.each(['network', 'card'] as const)(
  'too many declines of one %s across accounts end the latest transfer',
  async (of) => {
    const [id, other] = [await declinedOnce(), await fixture.create({ state: 'awaiting_payment' })];
    await stop(id);
    const [attempt] = await attemptsAt(id);
    const { [of]: most } = fixture.context.declines;
    await others(1, { [of]: attempt?.[of] ?? '' }, new Date(Date.now() - declineWindowsMs[of] - 60_000));
    await others(most - 2, { [of]: attempt?.[of] ?? '' });
    await stop(id);
    expect((await fixture.see(id)).state).toBe('awaiting_payment');
    await others(1, { [of]: attempt?.[of] ?? '' });
    await stop(id);
    expect(await fixture.see(id)).toMatchObject({ state: 'expired', reason: ownReasons[`${of}_declined_too_often`] });
    expect((await fixture.see(other)).state).toBe('awaiting_payment');
    const someone = crypto.randomUUID();
    const closed = await called(() => closedByDeclines(fixture.database.fork(), someone, now()));
    expect(closed !== null).toBe(of === 'network');
  },
);

test('declines are deleted after their retention time', async () => {
  await stop(await declinedOnce());
  await deleteDeclines(fixture.database.fork(), new Date(Date.now() + hourMs));
  expect(await fixture.database.fork().count(DeclinedAttempt)).toBe(0);
});

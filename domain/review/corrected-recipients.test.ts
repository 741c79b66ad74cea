import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { maxScreeningAttempts, namesNotClearedError } from '#core/review/screening';
import { hourMs, secondMs } from '#core/time/time';
import { startWatchman, type TestWatchman } from '../../sandbox/testing/start-watchman.ts';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { insertTestRecipient } from '../../testing/recipients.ts';
import { reviewPolicy } from '../../testing/review-fixture.ts';
import { screenDueNames } from '../../testing/row-jobs.ts';
import { viewCase } from '../desk-actions/desk.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { correctAccount } from '../payouts/correct-account.ts';
import { connectWatchman } from '../providers/watchman.ts';
import { decideScreening, type ScreeningDecision } from './reviews.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
const rules = {
  ...{ newDeviceUsdMinor: 1_000_000n, sessions: { stepUpMs: hourMs } },
  desk: { reviewTwoPersonsUsdMinor: 1_000_000n },
};
/** A name on a list of the simulated service. */
const listed = 'Ramiro Condarco Villegas';
const hit = { subject: 'recipient', source: 'us_ofac', source_id: '900101', note: 'Miré su fecha' } as const;

let watchman: TestWatchman;
let context: JobContext;
beforeAll(async () => {
  watchman = await startWatchman();
  context = { ...fixture.context, watchman: connectWatchman(watchman.env.WATCHMAN_URL), now: () => fixture.now };
});
afterAll(() => watchman.close());
afterEach(() => {
  watchman.clearFaults();
  fixture.bank.clearFaults();
});

/** Makes the sender choose another recipient after the bank rejected the account. */
async function correct(id: string, name: string): Promise<void> {
  const { userId } = await fixture.see(id);
  await fixture.database.transaction(async (em) => {
    const recipientId = await insertTestRecipient(em, userId, {
      ...{ name, ci: '1234567', phone: '+591 70000001', bankName: 'Banco Sol', bankAccount: '20000', city: 'Oruro' },
    });
    const { now: at } = fixture;
    await correctAccount(em, rules, { userId, provenAt: at, transferId: id, recipientId, at });
  });
  // Another person than approved also needs an admin's approval, once (domain/payouts/correct-account.test.ts).
  if ((await fixture.openCases(id)).includes('recipient_changed')) await desk.act(id, 'release_hold');
}

async function corrected(name: string): Promise<string> {
  const id = await desk.createRejected();
  await correct(id, name);
  return id;
}

/** Attempts the payout as often as it is due, a moment later each time. */
async function attempt(id: string): Promise<void> {
  fixture.now = new Date(fixture.now.getTime() + 5 * secondMs);
  await fixture.run(id, 'payout', context);
}
const lastPayout = async (id: string) => (await desk.payoutsOf(id)).at(-1);
const sentOf = (id: string) => fixture.payouts(id).filter(({ status }) => status === 'paid').length;
const say = (transferId: string, decision: ScreeningDecision) =>
  decideScreening(fixture.database, { transferId, adminId: desk.luis, decision, at: fixture.now }, reviewPolicy);
const actionsOf = async (id: string) => {
  const { id: caseId } = await desk.caseOf(id);
  return (await viewCase(fixture.database.fork(), caseId, { viewerId: desk.ana, at: fixture.now })).actions;
};

test('another recipient than approved is paid once the names are cleared, without a second screening', async () => {
  const id = await corrected('Elena Quispe');
  await attempt(id);
  expect(await lastPayout(id)).toMatchObject({ status: 'in_flight', attempts: 0, lastError: namesNotClearedError });
  await attempt(id);
  expect([await fixture.openCases(id), sentOf(id)]).toEqual([[], 0]);
  await screenDueNames(context);
  expect(watchman.calls).toHaveLength(2);
  fixture.bank.setMode({ rejectNext: 1 });
  await attempt(id);
  expect((await fixture.see(id)).state).toBe('payout_failed');
  await correct(id, 'Elena Quispe');
  await attempt(id);
  await fixture.expectOutcome(id, 'completed');
  expect(watchman.calls).toHaveLength(2);
});

test('a screening that ended without a list service does not release the payout to another recipient', async () => {
  const id = await corrected('Elena Quispe');
  await attempt(id);
  await screenDueNames({ ...context, watchman: null });
  await attempt(id);
  expect(sentOf(id)).toBe(0);
  await screenDueNames(context);
  await attempt(id);
  await fixture.expectOutcome(id, 'completed');
});

test('a listed recipient is not paid, not even by hand, until an admin clears the hit', async () => {
  const id = await corrected(listed);
  await attempt(id);
  await screenDueNames(context);
  await attempt(id);
  expect([await fixture.openCases(id), sentOf(id)]).toEqual([['names_not_cleared'], 0]);
  expect(await actionsOf(id)).toEqual(['retry', 'give_up_and_refund']);
  await expect(desk.act(id, 'pay_by_hand')).rejects.toEqual(refusal('action_not_possible'));
  await desk.act(id, 'retry');
  await attempt(id);
  expect([await fixture.openCases(id), sentOf(id)]).toEqual([['names_not_cleared'], 0]);
  await say(id, { ...hit, verdict: 'false_positive' });
  await desk.act(id, 'retry');
  await attempt(id);
  await fixture.expectOutcome(id, 'completed');
  expect(await fixture.openCases(id)).toEqual([]);
});

test('money for a person who is on a list, or who cannot be screened, can be refunded', async () => {
  const [id, other] = [await corrected('Lidia Aranibar Quiroz'), await corrected('Juan Choque')];
  await attempt(id);
  await screenDueNames(context);
  await say(id, { ...hit, source: 'eu_csl', source_id: 'EU.9001.17', verdict: 'true_hit' });
  await attempt(id);
  await desk.act(id, 'give_up_and_refund');
  expect((await fixture.see(id)).state).toBe('refunding');

  watchman.failCalls(() => ({ kind: 'error', status: 503 }));
  await attempt(other);
  for (let round = 1; round <= maxScreeningAttempts; round++) {
    await screenDueNames(context);
    fixture.now = new Date(fixture.now.getTime() + hourMs);
  }
  await attempt(other);
  expect(await fixture.openCases(other)).toEqual(['names_not_cleared']);
  await say(other, { verdict: 'checked', note: 'Miré la lista en su página' });
  await desk.act(other, 'retry');
  await attempt(other);
  await fixture.expectOutcome(other, 'completed');
});

test('a payment that an earlier attempt without a screening may have made is queried, not forgotten', async () => {
  const id = await corrected(listed.split(' ').toReversed().join(' '));
  fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
  await fixture.run(id, 'payout');
  expect((await lastPayout(id))?.status).toBe('unknown');
  await attempt(id);
  await fixture.expectOutcome(id, 'completed');
});

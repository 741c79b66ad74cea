import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxScreeningAttempts, type ScreeningStatus } from '#core/review/screening';
import { hourMs } from '#core/time/time';
import { startWatchman, type TestWatchman } from '../../sandbox/testing/start-watchman.ts';
import { useComplaintFixture } from '../../testing/complaint-fixture.ts';
import { reviewPolicy } from '../../testing/review-fixture.ts';
import { screenDueNames } from '../../testing/row-jobs.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { connectWatchman } from '../providers/watchman.ts';
import { decideScreening, type ScreeningDecision, viewReview } from './reviews.ts';

const complaints = useComplaintFixture();
const { desk, payments: fixture } = complaints;
const again = { remedy: 'pay_again', payout: 30_000n } as const;
/** A name on a list of the simulated service. */
const listed = 'Ramiro Condarco Villegas';
const hit = { subject: 'recipient', source: 'us_ofac', source_id: '900101' } as const;

let watchman: TestWatchman;
let context: JobContext;
beforeAll(async () => {
  watchman = await startWatchman();
  context = { ...fixture.context, watchman: connectWatchman(watchman.env.WATCHMAN_URL), now: () => fixture.now };
});
afterAll(() => watchman.close());
beforeEach(() => {
  complaints.policy = reviewPolicy;
  watchman.calls.length = 0;
});
afterEach(() => watchman.clearFaults());

/** A paid transfer and a report whose result, by one person, is a second payout of the same amount. */
async function concluded(name = 'Rosa Mamani'): Promise<{ id: string; complaintId: string }> {
  const id = await complaints.createPaidByCard();
  await fixture.database
    .fork()
    .execute(`update transfer set payout_target = payout_target || ?::jsonb, version = version + 1 where id = ?`, [
      JSON.stringify({ name }),
      id,
    ]);
  const { id: complaintId } = await complaints.report(id);
  await complaints.conclude(complaintId, again);
  return { id, complaintId };
}

const screeningOf = async (id: string) =>
  (await viewReview(fixture.database.fork(), id, reviewPolicy, fixture.now)).screening;
const say = (transferId: string, decision: ScreeningDecision, adminId = desk.luis) =>
  decideScreening(fixture.database, { transferId, adminId, decision, at: fixture.now }, reviewPolicy);

/** Expects a second payout to be rejected for its screening, and nothing to be paid. */
async function expectRefused(id: string, complaintId: string, screening: ScreeningStatus): Promise<void> {
  await expect(complaints.approve(complaintId)).rejects.toMatchObject({
    code: 'screening_needed',
    details: { screening },
  });
  expect((await complaints.view(complaintId)).state).toBe('awaiting_approval');
  expect(await desk.payoutsOf(id)).toHaveLength(1);
}

describe('before a second payout', () => {
  test('both names are screened again, even if the same account was screened and paid before', async () => {
    const { id, complaintId } = await concluded();
    await expectRefused(id, complaintId, 'pending');
    await screenDueNames(context);
    expect(watchman.calls).toHaveLength(2);
    expect(await screeningOf(id)).toMatchObject({ status: 'clear', hits: [] });
    expect((await complaints.approve(complaintId)).state).toBe('correcting');
    expect(await desk.payoutsOf(id)).toHaveLength(2);

    // The bank rejects it: the next decision is screened again, and earlier screenings stay on record.
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    await complaints.conclude(complaintId, again);
    await expect(complaints.approve(complaintId)).rejects.toMatchObject({ code: 'screening_needed' });
    const past = await fixture.database
      .fork()
      .execute('select screening_status, names from past_screening where transfer_id = ?', [id]);
    expect(past).toMatchObject([
      { screening_status: 'clear', names: [{ subject: 'sender' }, { name: 'Rosa Mamani' }] },
    ]);
  });

  test('a hit blocks it until an admin clears it', async () => {
    const { id, complaintId } = await concluded(listed);
    await screenDueNames(context);
    await expectRefused(id, complaintId, 'hit');
    const note = 'Otra fecha de nacimiento';
    const { userId } = await fixture.see(id);
    await expect(say(id, { ...hit, note, verdict: 'false_positive' }, userId)).rejects.toMatchObject({
      code: 'own_transfer',
    });
    expect(await say(id, { ...hit, note, verdict: 'false_positive' })).toMatchObject({
      screening: { status: 'clear', noted_by: 'Luis' },
    });
    expect((await complaints.approve(complaintId)).state).toBe('correcting');
    await expect(say(id, { verdict: 'again' })).rejects.toMatchObject({ code: 'not_awaiting_decision' });
  });

  test('a listed person is never paid: the result can only be sent back', async () => {
    const { id, complaintId } = await concluded('Lidia Aranibar Quiroz');
    await screenDueNames(context);
    const same = { ...hit, source: 'eu_csl', source_id: 'EU.9001.17', note: 'Es ella' };
    await say(id, { ...same, verdict: 'true_hit' });
    await expectRefused(id, complaintId, 'blocked');
    expect((await complaints.approve(complaintId, desk.luis, 'Está en una lista.')).state).toBe('investigating');
  });

  test('an unavailable list service blocks it until an admin has checked by other means', async () => {
    const { id, complaintId } = await concluded();
    watchman.failCalls(() => ({ kind: 'error', status: 503 }));
    for (let attempt = 1; attempt <= maxScreeningAttempts; attempt++) {
      await expectRefused(id, complaintId, 'pending');
      await screenDueNames(context);
      fixture.now = new Date(fixture.now.getTime() + hourMs);
    }
    await expectRefused(id, complaintId, 'unavailable');
    await say(id, { verdict: 'checked', note: 'Miré la lista de la OFAC en su página.' });
    expect((await complaints.approve(complaintId)).state).toBe('correcting');
  });

  test('a screening that ended without a list service is repeated once there is one', async () => {
    const { id, complaintId } = await concluded();
    await screenDueNames({ ...context, watchman: null });
    await expectRefused(id, complaintId, 'pending');
    await screenDueNames(context);
    expect(watchman.calls).toHaveLength(2);
    expect((await complaints.approve(complaintId)).state).toBe('correcting');
  });

  test('a missing name check starts when the second person decides', async () => {
    const { id, complaintId } = await concluded();
    await screenDueNames(context);
    expect(watchman.calls).toHaveLength(2);
    // As a previous version left it.
    await fixture.database.fork().execute(`update review set names = '[]' where transfer_id = ?`, [id]);
    await expect(complaints.approve(complaintId)).rejects.toMatchObject({ code: 'screening_needed' });
    await screenDueNames(context);
    expect((await complaints.approve(complaintId)).state).toBe('correcting');
  });
});

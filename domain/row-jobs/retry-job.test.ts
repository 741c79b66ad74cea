import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RowJobName } from '#core/contracts/jobs';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { AuditEntry } from '../audit/audit.entity.ts';
import { Email } from '../emails/email.entity.ts';
import { StripeEvent } from '../payments/stripe-event.entity.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { type Retry, retryRowJob } from './retry-job.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

const retry = (name: RowJobName, row: { id: string; dispatch: number }, changes: Partial<Retry['desk']> = {}) =>
  retryRowJob(
    fixture.database,
    { name, data: { id: row.id, dispatch: row.dispatch } },
    {
      personId: desk.ana,
      at: fixture.now,
      desk: { twoPersonsUsdMinor: 50_000n, reviewTwoPersonsUsdMinor: 200_000n, ...changes },
      review: {} as Retry['review'],
    },
  );
const payoutOf = async (id: string) => (await desk.payoutsOf(id)).at(-1) as Operation;
const jobsOf = async (id: string) =>
  (await fixture.database.fork().find(OutboxRow, { kind: 'job', data: { id } })).map(({ jobKey }) => jobKey);

test('an abandoned payout is retried under its key, by a new job, as on the desk', async () => {
  const id = await desk.createAbandoned();
  const payout = await payoutOf(id);
  expect(await retry('run-payout', payout)).toBe('again');
  const now = await payoutOf(id);
  expect(now).toMatchObject({ status: 'unknown', attempts: 0, idempotencyKey: payout.idempotencyKey });
  expect(await jobsOf(payout.id)).toContain(`run-payout-${payout.id}-${payout.dispatch + 1}`);
  const audited = await fixture.database.fork().find(AuditEntry, { kind: 'case_acted' }, { orderBy: { at: 'desc' } });
  expect(JSON.parse(audited[0]?.detail ?? '')).toMatchObject({ action: 'retry', transferId: id });
  expect(await retry('run-payout', payout)).toBe('superseded');
  expect(await retry('run-payout', now)).toBe('run');
});

test('retrying a payout that needs a second person creates a request', async () => {
  const id = await desk.createAbandoned();
  const payout = await payoutOf(id);
  expect(await retry('run-payout', payout, { twoPersonsUsdMinor: 1n })).toBe('waits');
  expect(await payoutOf(id)).toMatchObject({ status: 'abandoned', dispatch: payout.dispatch });
  await expect(retry('run-payout', payout)).rejects.toEqual(refusal('request_pending'));
});

test('an operation without a case that offers a retry is rejected', async () => {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  await expect(retry('run-payout', await payoutOf(id))).rejects.toEqual(refusal('action_not_possible'));
});

test('an admin cannot retry a payout of their own transfer', async () => {
  const id = await desk.createAbandoned();
  await fixture.asOwner(`update transfer set user_id = '${desk.ana}' where id = '${id}'`);
  await expect(retry('run-payout', await payoutOf(id))).rejects.toEqual(refusal('own_transfer'));
});

/** Rows of other tables, as their last attempt left them. */
async function emailOf(changes: Partial<Email>) {
  const em = fixture.database.fork();
  const [userId, at] = [desk.ana, fixture.now];
  const row = em.create(Email, {
    ...{ id: randomUUID(), key: randomUUID(), userId, kind: 'rate_alert', data: {}, createdAt: at, attempts: 20 },
    ...{ dispatch: 3, nextAttemptAt: null, ...changes },
  });
  await em.persist(row).flush();
  return row;
}
async function eventOf(outcome: StripeEvent['outcome']) {
  const em = fixture.database.fork();
  const at = fixture.now;
  const row = em.create(StripeEvent, {
    ...{ id: `evt_${randomUUID()}`, type: 'charge.updated', receivedAt: at, attempts: 20, dispatch: 3 },
    ...{ nextAttemptAt: null, handledAt: at, outcome: outcome ?? null },
  });
  await em.persist(row).flush();
  return row;
}

test.each([
  ['send-email', 'was given up', () => emailOf({}), 'again'],
  ['send-email', 'was refused', () => emailOf({ refusedAt: new Date() }), 'again'],
  ['send-email', 'was sent', () => emailOf({ sentAt: new Date() }), 'done'],
  ['handle-stripe-event', 'was given up', () => eventOf('abandoned'), 'again'],
  ['handle-stripe-event', 'was handled', () => eventOf('handled'), 'done'],
] as const)('a row of %s that %s: a retry comes to that', async (name, _, create, expected) => {
  const row = await create();
  expect(await retry(name, row)).toBe(expected);
  const again = expected === 'again';
  expect(await jobsOf(row.id)).toEqual(again ? [`${name}-${row.id}-4`] : []);
  // A new job works on it now, or there is nothing to do.
  expect(await retry(name, row)).toBe(again ? 'superseded' : 'done');
});

test('a deleted row counts as done', async () => {
  expect(await retry('send-email', { id: randomUUID(), dispatch: 1 })).toBe('done');
});

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { maxTransferJobs } from '#core/contracts/http/queues';
import type { QueueName } from '#core/contracts/jobs';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { type FindJob, viewTransferWork } from './transfer-work.ts';

const fixture = usePaymentFixture();

const view = (id: string, findJob: FindJob, maxWaitMs = 5_000) =>
  viewTransferWork(fixture.database.fork(), id, { findJob, maxWaitMs });
const forgotten: FindJob = async () => null;

/** A completed transfer with an e-mail about it. */
async function createPaid(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  return id;
}

test('the operations of a transfer and their jobs are listed in the order they were added', async () => {
  const id = await createPaid();
  const [payout] = (await fixture.operations(id, 'payout')) as [Operation];
  const jobId = `run-payout-${payout.id}-1`;
  const timestamp = payout.createdAt.getTime() + 1;
  const lookups: [QueueName, string][] = [];
  const { items, queues_readable } = await view(id, async (queue, one) => {
    lookups.push([queue, one]);
    if (one !== jobId) return null;
    return { state: 'completed', attemptsMade: 2, timestamp, processedOn: timestamp + 5, finishedOn: timestamp + 9 };
  });
  expect(queues_readable).toBe(true);
  expect(items.map((item) => item.added_at)).toEqual(items.map((item) => item.added_at).toSorted());
  expect(items.slice(-2)).toEqual([
    {
      ...{ type: 'operation', id: payout.id, kind: 'payout', sequence: 1, status: 'succeeded' },
      ...{ attempts: 1, error: null },
      ...{ added_at: payout.createdAt.toISOString(), began_at: expect.any(String) },
      ended_at: expect.any(String),
    },
    {
      ...{ type: 'job', id: jobId, name: 'run-payout', queue: 'payouts', state: 'completed', attempts: 2, error: null },
      ...{ added_at: new Date(timestamp).toISOString(), began_at: new Date(timestamp + 5).toISOString() },
      ended_at: new Date(timestamp + 9).toISOString(),
    },
  ]);
  const kinds = (await fixture.operations(id)).map(({ kind }) => kind);
  expect(items.filter(({ type }) => type === 'operation').map((item) => 'kind' in item && item.kind)).toEqual(kinds);
  expect(lookups).toContainEqual(['payouts', jobId]);
});

test('every job added for a row is looked up, latest first, up to the number shown', async () => {
  const id = await createPaid();
  const em = fixture.database.fork();
  const { userId } = await fixture.see(id);
  await em.nativeDelete(Email, {});
  const emails = [maxTransferJobs + 7, 2].map((dispatch) =>
    em.create(Email, {
      ...{ id: randomUUID(), key: randomUUID(), userId, kind: 'completed', data: { transferId: id } },
      ...{ createdAt: fixture.now, nextAttemptAt: null, dispatch },
    }),
  );
  await em.persist(emails).flush();
  const findJob = vi.fn(forgotten);
  expect((await view(id, findJob)).items.every(({ type }) => type === 'operation')).toBe(true);
  expect(findJob).toHaveBeenCalledTimes(maxTransferJobs);
  const [often, twice] = emails as [Email, Email];
  const lookups = findJob.mock.calls.map(([, jobId]) => jobId);
  for (const dispatch of [1, 2]) expect(lookups).toContain(`send-email-${twice.id}-${dispatch}`);
  expect(lookups).toContain(`send-email-${often.id}-${maxTransferJobs + 7}`);
  expect(lookups).not.toContain(`send-email-${often.id}-1`);
});

test.each([
  ['answer with an error', () => Promise.reject(new Error('connect ECONNREFUSED'))],
  ['do not answer', () => new Promise<never>(() => {})],
])('when the queues %s only the operations are listed', async (_, findJob) => {
  const id = await createPaid();
  const { items, queues_readable } = await view(id, findJob, 50);
  expect(queues_readable).toBe(false);
  expect(items).toHaveLength((await fixture.operations(id)).length);
});

test('nothing is listed for an unknown transfer', async () => {
  await expect(view(randomUUID(), forgotten)).rejects.toEqual(expect.objectContaining({ code: 'not_found' }));
});

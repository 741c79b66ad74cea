import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs, type RowJobData } from '#core/contracts/jobs';
import { type OperationKind, openStatuses } from '#core/operations/operation';
import type { TransferState } from '#core/transfers/states';
import { submitDisputeEvidence } from '#domain/dispute-evidence/respond';
import { syncDisputes } from '#domain/payments/sync-disputes';
import { Operation } from '#domain/provider-calls/operation.entity';
import { jobOf } from '#domain/provider-calls/operation.repository';
import { onEveryQueueBackend, type QueueServices } from '../infra/testing/redis.ts';
import { openTestQueues, type TestQueues } from '../platform/testing/queues.ts';
import { createTestUser } from '../testing/accounts.ts';
import { runJob } from './handlers.ts';
import { processJob } from './process-job.ts';
import { CrashingProcess } from './testing/crash-points.ts';
import { useTransferFixture } from './testing/transfer-fixture.ts';

// The queue's part in a crash: an operation that is due later, as after an attempt without an answer, waits as a
// delayed job, and the job of a dead process is given to another one, wherever the first one died. Everything else
// follows from the database alone and does not depend on the queue back end: `crash-points.test.ts` takes every journey
// through every commit and call without a queue, with the work in progress either resumed or lost.

const fixture = useTransferFixture();

interface Effect {
  /** A transfer whose operation is due. */
  readonly prepare: () => Promise<string>;
  readonly call: string;
  /** Where its transfer ends. */
  readonly end: TransferState;
}

const effects: Readonly<Record<Exclude<OperationKind, 'authorization'>, Effect>> = {
  capture: { prepare: () => fixture.create(), call: 'stripe.paymentIntents.capture', end: 'completed' },
  void: {
    prepare: async () => {
      const id = await fixture.create({ state: 'in_review' });
      await fixture.reject(id);
      return id;
    },
    call: 'stripe.paymentIntents.cancel',
    end: 'rejected',
  },
  payout: { prepare: () => fixture.create({ state: 'captured' }), call: 'bank.pay', end: 'completed' },
  refund: {
    prepare: async () => {
      const id = await fixture.create({ state: 'captured' });
      await fixture.cancel(id);
      return id;
    },
    call: 'stripe.refunds.create',
    end: 'refunded',
  },
  dispute_response: { prepare: disputed, call: 'stripe.disputes.update', end: 'completed' },
};

/** A paid transfer whose dispute an admin has answered. */
async function disputed(): Promise<string> {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  const { id: disputeId } = fixture.stripe.openDispute(await fixture.intentId(id));
  await syncDisputes(fixture.context, id);
  const { id: adminId } = await createTestUser(fixture.database, { role: 'admin' });
  const evidence = { disputeId, adminId, text: 'Pagamos a la familia.', at: fixture.now };
  await fixture.database.transaction((em) => submitDisputeEvidence(em, evidence));
  return id;
}

const moments = ['before the call', 'after the call', 'after the commit'] as const;

interface Death {
  readonly kind: keyof typeof effects;
  readonly transferId: string;
  readonly process: CrashingProcess;
}

/** By the id of the operation in which the process dies. */
async function prepareDeaths(): Promise<Map<string, Death>> {
  const deaths = new Map<string, Death>();
  for (const [kind, { prepare, call }] of Object.entries(effects) as [Death['kind'], Effect][]) {
    for (const moment of moments) {
      const transferId = await prepare();
      const operation = (await fixture.operations(transferId, kind)).at(-1);
      if (!operation) throw new Error(`the transfer has no ${kind}`);
      const at = { at: call, moment: moment === 'before the call' ? 'before' : 'after' } as const;
      const process = new CrashingProcess(fixture.context, moment === 'after the commit' ? undefined : at);
      deaths.set(operation.id, { kind, transferId, process });
    }
  }
  return deaths;
}

const queueNames = ['decisions', 'payouts', 'refunds'] as const;
/** How long the queue waits for a silent process, in ms. */
const lockDuration = 300;

onEveryQueueBackend('the job of a process that dies', (_backend, start) => {
  let services: QueueServices;
  let opened: TestQueues;
  beforeAll(async () => {
    services = await start();
    opened = await openTestQueues({ databaseUrl: services.database.url, redisUrl: services.redisUrl });
  });
  afterAll(async () => {
    await opened.close();
    await services.close();
  });

  test('is carried out once by another process, for every kind of operation, wherever the first one died', {
    timeout: 60_000,
  }, async () => {
    const deaths = await prepareDeaths();
    for (const [operationId, { kind }] of deaths) {
      const name = jobOf[kind];
      await opened.queues[jobs[name].queue].add(name, { id: operationId, dispatch: 1 });
    }

    const died = new Set<string>();
    const dying = queueNames.map((name) =>
      opened.work(
        name,
        async (job) => {
          const { id } = job.data as RowJobData;
          const death = deaths.get(id);
          if (!death) throw new Error('a job of another operation');
          await runJob(death.process.context, job).catch((error) => {
            if (!death.process.dead) throw error;
          });
          died.add(id);
          await new Promise(() => {});
        },
        { concurrency: deaths.size, lockDuration, skipLockRenewal: true, skipStalledCheck: true },
      ),
    );
    await expect.poll(() => [...deaths.keys()].filter((id) => !died.has(id)), { timeout: 15_000 }).toEqual([]);
    await Promise.all(dying.map((worker) => worker.close(true)));

    const takenOver = new Set<string>();
    for (const name of queueNames) {
      const handle: Parameters<TestQueues['work']>[1] = async (job, token) => {
        if (job.stalledCounter) takenOver.add((job.data as RowJobData).id);
        await processJob({ context: fixture.context, queues: opened.queues, queueName: name }, job, token);
      };
      opened.work(name, handle, { stalledInterval: lockDuration });
    }
    const open = () =>
      fixture.database.fork().count(Operation, { id: { $in: [...deaths.keys()] }, status: { $in: [...openStatuses] } });
    await expect.poll(() => [...deaths.keys()].filter((id) => !takenOver.has(id)), { timeout: 15_000 }).toEqual([]);
    await expect.poll(open, { timeout: 15_000 }).toBe(0);

    for (const { kind, transferId } of deaths.values()) {
      if (kind !== 'dispute_response') await fixture.expectEnd(transferId, effects[kind].end);
      else {
        const { data } = await fixture.stripe.sdk.disputes.list({ payment_intent: await fixture.intentId(transferId) });
        expect(data.map(({ evidence_details }) => evidence_details.submission_count)).toEqual([1]);
      }
      expect(await fixture.operations(transferId, kind)).toMatchObject([{ status: 'succeeded' }]);
    }
  });
});

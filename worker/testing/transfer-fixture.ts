import { UnrecoverableError } from 'bullmq';
import { afterAll, beforeAll } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '#domain/jobs/job-context';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { attemptNow } from '../../testing/operations.ts';
import { PaymentFixture } from '../../testing/payment-fixture.ts';
import { runJob } from '../handlers.ts';

/** A payment fixture whose jobs the test runs, one by one or all of a transfer. */
export class TransferFixture extends PaymentFixture {
  /** Runs a job about a transfer. */
  async runJob(name: string, transferId: string, context: JobContext = this.context): Promise<void> {
    await runJob(context, { name, data: { transferId } });
  }

  /** Runs every requested job about the transfer or its operations, and those that are due, until none is left. */
  async runAll(id: string): Promise<void> {
    for (;;) {
      const requested = await this.takeJobs(id);
      await Promise.all(requested.map((row) => runRequested(this.context, row)));
      if (requested.length > 0) continue;
      const due = await this.dueOperations(id);
      if (due.length === 0) return;
      await Promise.all(due.map((operation) => attemptNow(this.context, operation.id)));
    }
  }

  /** Takes the requested jobs of a transfer and its operations out of the outbox, delayed ones left out. */
  async takeJobs(id: string): Promise<OutboxRow[]> {
    const em = this.database.fork();
    const rows = new Set([id, ...(await this.operations(id)).map((operation) => operation.id)]);
    const jobs = await em.find(OutboxRow, { kind: 'job', runAt: null }, { orderBy: { id: 'asc' } });
    const requested = jobs.filter(({ data }) => rows.has(String(data.transferId ?? data.id)));
    await em.nativeDelete(OutboxRow, { id: { $in: requested.map((row) => row.id) } });
    return requested;
  }

  /** Runs all jobs, then asserts one of the given final states, see `expectOutcome`. */
  async expectEnd(id: string, ...ends: TransferState[]): Promise<TransferState> {
    await this.runAll(id);
    return this.expectOutcome(id, ...ends);
  }
}

/** Runs a requested job once. One that was given up says so in its row. */
export async function runRequested(context: JobContext, { name, data }: OutboxRow): Promise<void> {
  await runJob(context, { name, data }).catch((error: unknown) => {
    if (!(error instanceof UnrecoverableError)) throw error;
  });
}

/** A fixture for the tests of a file; call it at its top level. It is open once the tests run. */
export function useTransferFixture(): TransferFixture {
  const fixture = new TransferFixture();
  beforeAll(() => fixture.open());
  afterAll(() => fixture.close());
  return fixture;
}

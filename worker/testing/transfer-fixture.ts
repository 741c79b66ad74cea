import { afterAll, beforeAll } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '#domain/job-context';
import { runOperation } from '#domain/operations/run-operation';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { PaymentFixture } from '../../domain/testing/payment-fixture.ts';
import { runJob } from '../handlers.ts';

/** A payment fixture whose jobs the test runs, one by one or all of a transfer. */
export class TransferFixture extends PaymentFixture {
  /** Runs a job about a transfer. */
  runJob(name: string, transferId: string, context: JobContext = this.context): Promise<void> {
    return runJob(context, { name, data: { transferId } });
  }

  /** Runs every requested job of the transfer and attempts its operations that are due, those of a round at once, until none is left. */
  async runAll(id: string): Promise<void> {
    for (;;) {
      const em = this.database.fork();
      const operations = new Set((await this.operations(id)).map((operation) => operation.id));
      const jobs = await em.find(OutboxRow, { kind: 'job', runAt: null });
      const requested = jobs.filter(
        ({ data }) => data.transferId === id || operations.has(String(data.operationId ?? '')),
      );
      const due = await this.dueOperations(id);
      if (requested.length + due.length === 0) return;
      await em.nativeDelete(OutboxRow, { id: { $in: requested.map((row) => row.id) } });
      await Promise.all([
        ...requested.map(({ name, data }) => runJob(this.context, { name, data })),
        ...due.map((operation) => runOperation(this.context, operation.id)),
      ]);
    }
  }

  /** Runs all jobs, then asserts one of the given final states, see `expectOutcome`. */
  async expectEnd(id: string, ...ends: TransferState[]): Promise<TransferState> {
    await this.runAll(id);
    return this.expectOutcome(id, ...ends);
  }
}

/** A fixture for the tests of a file; call it at its top level. It is open once the tests run. */
export function useTransferFixture(): TransferFixture {
  const fixture = new TransferFixture();
  beforeAll(() => fixture.open());
  afterAll(() => fixture.close());
  return fixture;
}

import { afterAll, beforeAll } from 'vitest';
import { Email } from '#domain/emails/email.entity';
import { Operation } from '#domain/provider-calls/operation.entity';
import { Posting } from '#domain/transfers/posting.entity';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { createTestUser } from './accounts.ts';
import { openDatabase } from './database.ts';

/** A database with one sender, and a reader of everything stored about a transfer. */
export class TransferFixture {
  database!: Database;
  /** The sender of transfers whose sender does not matter. */
  userId = '';
  testDatabase!: TestDatabase;

  async open(): Promise<void> {
    this.testDatabase = await createTestDatabase();
    this.database = await openDatabase(this.testDatabase.url);
    this.userId = (await createTestUser(this.database)).id;
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.testDatabase.drop();
  }

  /** Runs a statement as the owner of the tables. */
  asOwner(statement: string): Promise<void> {
    return this.testDatabase.asOwner(statement);
  }

  /** Everything stored about a transfer. */
  async everythingOf(id: string) {
    const em = this.database.fork();
    const transfer = await em.findOneOrFail(Transfer, { id });
    const steps = await em.find(TransferStep, { transferId: id }, { orderBy: { version: 'asc' } });
    const postings = await em.find(Posting, { transferId: id }, { orderBy: { entry: 'asc', line: 'asc' } });
    const outbox = await em.find(OutboxRow, { data: { transferId: id } }, { orderBy: { id: 'asc' } });
    const operations = await em.find(
      Operation,
      { transferId: id },
      { orderBy: { createdAt: 'asc', kind: 'asc', sequence: 'asc' } },
    );
    const emails = await em.find(Email, { data: { transferId: id } }, { orderBy: { key: 'asc' } });
    return { transfer, steps, postings, outbox, operations, emails };
  }
}

/** A fixture for the tests of a file; call it at its top level. It is open once the tests run. */
export function useTransferFixture(): TransferFixture {
  const fixture = new TransferFixture();
  beforeAll(() => fixture.open());
  afterAll(() => fixture.close());
  return fixture;
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '#domain/job-context';
import { connectBank } from '#domain/payouts/bank';
import { createTestUser } from '#domain/testing/accounts';
import { openTestTransfer, testTarget } from '#domain/testing/transfers';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { attachPaymentIntent, cancelTransfer, moveTransfer } from '#domain/transfers/transfer.repository';
import type { Database } from '#platform/database/database';
import { readEnv } from '#platform/env';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createStripe } from '#platform/stripe';
import { testEnvironment } from '../infra/testing/environment.ts';
import { type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { runJob } from '../worker/handlers.ts';
import { openEngine } from './rates-fixture.ts';
import { controlSandbox } from './sandbox.ts';

const amountMinor = 10_000;

/** The worker's handlers on a real database, with Stripe and the bank simulated by the sandbox; the test runs each job. */
export class TransferFixture {
  readonly context: JobContext;
  /** The clock of every step; the test sets it. */
  now = new Date();
  readonly #database: Database;
  readonly #sandbox: Sandbox;
  readonly #senderId: string;
  readonly #recipientId: string;

  private constructor(database: Database, sandbox: Sandbox, url: string, senderId: string, recipientId: string) {
    this.#database = database;
    this.#sandbox = sandbox;
    this.#senderId = senderId;
    this.#recipientId = recipientId;
    const env = readEnv({
      ...testEnvironment,
      DATABASE_URL: url,
      STRIPE_API_URL: sandbox.url,
      BANK_API_URL: `${sandbox.url}/bank`,
    });
    const { context } = openEngine(database, { databaseUrl: url, sourcesUrl: sandbox.url, now: () => this.now });
    this.context = { ...context, stripe: createStripe(env.stripe), bank: connectBank(env.bank) };
  }

  static async open(database: Database, databaseUrl: string): Promise<TransferFixture> {
    const sandbox = await startSandbox({ asyncDelayMs: 1 });
    const { id } = await createTestUser(database);
    const recipientId = randomUUID();
    await database.fork().execute(
      `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
         created_at) values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
      [recipientId, id],
    );
    return new TransferFixture(database, sandbox, databaseUrl, id, recipientId);
  }

  close(): Promise<void> {
    return this.#sandbox.close();
  }

  /** Creates a transfer whose card is held, in review or already approved. */
  async paid(state: 'in_review' | 'approved' = 'approved'): Promise<string> {
    const recipient = { id: this.#recipientId, target: testTarget };
    const { id } = await this.#database.transaction(async (em) =>
      openTestTransfer(em, { userId: this.#senderId, recipient }),
    );
    const intent = await this.context.stripe.paymentIntents.create({
      amount: amountMinor,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      payment_method: 'pm_card_visa',
      confirm: true,
      metadata: { transfer_id: id },
    });
    await this.#database.transaction((em) => attachPaymentIntent(em, id, intent.id));
    await this.run('sync-payment', id);
    if (state === 'approved') await this.approve(id);
    return id;
  }

  approve(id: string): Promise<Transfer | null> {
    return this.#database.transaction((em) => moveTransfer(em, id, 'approve', { at: this.now }));
  }

  /** What the api does when the sender presses cancel. */
  cancel(id: string) {
    return this.#database.transaction((em) => cancelTransfer(em, id, { senderId: this.#senderId, at: this.now }));
  }

  run(name: string, transferId: string, context: JobContext = this.context): Promise<void> {
    return runJob(context, { name, data: { transferId }, attemptsMade: 0 });
  }

  /** Runs every requested job of the transfer, those of a round at once, until none is left. */
  async runAll(id: string): Promise<void> {
    for (;;) {
      const em = this.#database.fork();
      const asked = await em.find(OutboxRow, { kind: 'job', runAt: null, data: { transferId: id } });
      if (asked.length === 0) return;
      await em.nativeDelete(OutboxRow, { id: { $in: asked.map((row) => row.id) } });
      await Promise.all(asked.map((row) => this.run(row.name, id)));
    }
  }

  see(id: string): Promise<Transfer> {
    return this.#database.fork().findOneOrFail(Transfer, { id });
  }

  async steps(id: string): Promise<(string | null)[]> {
    const steps = await this.#database.fork().find(TransferStep, { transferId: id }, { orderBy: { version: 'asc' } });
    return steps.map((step) => step.move ?? null);
  }

  /** Deletes the requested jobs, like a queue that lost them. */
  async loseJobs(id: string): Promise<void> {
    await this.#database.fork().nativeDelete(OutboxRow, { kind: 'job', data: { transferId: id } });
  }

  /** Runs all jobs, then asserts one of the given final states and that Stripe, the bank and the ledger agree with it. */
  async expectEnd(id: string, ...ends: TransferState[]): Promise<TransferState> {
    await this.runAll(id);
    const { state, paymentIntentId, holdReleasedAt } = await this.see(id);
    expect(ends).toContain(state);
    const control = controlSandbox(this.#sandbox.url);
    const intent = (await control.intents()).find((one) => one.id === paymentIntentId);
    const payouts = (await control.payouts()).filter((payout) => payout.externalId === id);
    const charged = state === 'completed' || state === 'refunded';
    expect(intent).toMatchObject({ amountReceived: charged ? amountMinor : 0 });
    if (state === 'completed') expect(intent?.amountRefunded).toBe(0);
    if (state === 'refunded') expect(intent?.amountRefunded).toBe(amountMinor);
    if (state === 'cancelled')
      expect({ status: intent?.status, released: holdReleasedAt !== null }).toEqual({
        status: 'canceled',
        released: true,
      });
    expect(payouts.map((payout) => payout.status)).toEqual(state === 'completed' ? ['paid'] : []);
    const postings = await this.#database
      .fork()
      .execute<{ left: string }[]>(
        'select coalesce(sum(abs(amount_minor)), 0)::text as left from ledger_balance where transfer_id = ?',
        [id],
      );
    expect(postings[0]?.left === '0').toBe(state !== 'completed');
    return state;
  }
}

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { TransferState } from '#core/transfers/states';
import type { JobContext } from '#domain/job-context';
import { connectBank } from '#domain/payouts/bank';
import { createTestUser } from '#domain/testing/accounts';
import { openTestTransfer, testTarget } from '#domain/testing/transfers';
import { cancelTransfer } from '#domain/transfers/cancel';
import { attachPaymentIntent, moveTransfer } from '#domain/transfers/move-transfer';
import { Posting } from '#domain/transfers/posting.entity';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { readWorkerConfiguration } from '#platform/configuration/worker';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createStripe } from '#platform/stripe';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { type Sandbox as Control, controlSandbox } from '../../sandbox/testing/control-client.ts';
import { runJob } from '../handlers.ts';
import { openTestContext } from './rates-fixture.ts';

const amountMinor = 10_000;

/** What Stripe, the bank and the ledger must say of a transfer in a final state. */
const outcomes = {
  unpaid: { intent: 'canceled', received: 0, captures: 0, entries: [] },
  completed: { intent: 'succeeded', received: amountMinor, captures: 1, entries: ['charge', 'payout'] },
  refunded: { intent: 'succeeded', received: amountMinor, captures: 1, entries: ['charge', 'refund'] },
} as const;

/** How a transfer is prepared. */
export interface TransferOptions {
  /** How far it gets. `held`: Stripe holds the card and the product does not know it yet. */
  readonly state?: 'awaiting_payment' | 'held' | 'in_review' | 'approved' | 'captured';
  /** Stripe's test payment method. */
  readonly paymentMethod?: string;
}

/** The worker's handlers on a real database, with Stripe and the bank simulated by the sandbox; the test runs each job. */
export class TransferFixture {
  readonly context: JobContext;
  /** The sandbox's control plane. */
  readonly sandbox: Control;
  /** The clock of every step; the test sets it. */
  now = new Date();
  readonly #database: Database;
  readonly #server: Sandbox;
  readonly #senderId: string;
  readonly #recipientId: string;

  private constructor(database: Database, server: Sandbox, url: string, senderId: string, recipientId: string) {
    this.#database = database;
    this.#server = server;
    this.#senderId = senderId;
    this.#recipientId = recipientId;
    this.sandbox = controlSandbox(server.url);
    const env = readWorkerConfiguration({
      ...testEnvironment,
      DATABASE_URL: url,
      STRIPE_API_URL: server.url,
      BANK_API_URL: `${server.url}/bank`,
    });
    const { context } = openTestContext(database, { databaseUrl: url, sourcesUrl: server.url, now: () => this.now });
    this.context = { ...context, stripe: createStripe(env.stripe), bank: connectBank(env.bank) };
  }

  static async open(database: Database, databaseUrl: string): Promise<TransferFixture> {
    const server = await startSandbox({ asyncDelayMs: 1 });
    const { id } = await createTestUser(database);
    const recipientId = randomUUID();
    await database.fork().execute(
      `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
         created_at) values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
      [recipientId, id],
    );
    return new TransferFixture(database, server, databaseUrl, id, recipientId);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Creates a transfer of 100 EUR with its payment intent; approved, with its card held, unless asked otherwise. */
  async create({ state = 'approved', paymentMethod = 'pm_card_visa' }: TransferOptions = {}): Promise<string> {
    const recipient = { id: this.#recipientId, target: testTarget };
    const { id } = await this.#database.transaction(async (em) =>
      openTestTransfer(em, { userId: this.#senderId, recipient }),
    );
    const intent = await this.context.stripe.paymentIntents.create({
      amount: amountMinor,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      ...(state === 'awaiting_payment' ? {} : { payment_method: paymentMethod, confirm: true }),
      metadata: { transfer_id: id },
    });
    await this.#database.transaction((em) => attachPaymentIntent(em, id, intent.id, this.now));
    if (state === 'awaiting_payment' || state === 'held') return id;
    await this.run('sync-payment', id);
    if (state !== 'in_review') await this.approve(id);
    if (state === 'captured') await this.run('capture-payment', id);
    return id;
  }

  /** Confirms the card at Stripe, as Stripe.js does. */
  async pay(id: string, paymentMethod = 'pm_card_visa'): Promise<void> {
    const intentId = await this.intentId(id);
    await this.context.stripe.paymentIntents.confirm(intentId, { payment_method: paymentMethod });
  }

  approve(id: string, context = this.context): Promise<Transfer | null> {
    return context.database.transaction((em) => moveTransfer(em, id, 'approve', { at: context.now() }));
  }

  reject(id: string, context = this.context): Promise<Transfer | null> {
    return context.database.transaction((em) => moveTransfer(em, id, 'reject', { at: context.now() }));
  }

  /** What the api does when the sender presses cancel. */
  cancel(id: string, context = this.context) {
    return context.database.transaction((em) =>
      cancelTransfer(em, id, { senderId: this.#senderId, at: context.now() }),
    );
  }

  run(name: string, transferId: string, context: JobContext = this.context, attemptsMade = 0): Promise<void> {
    return runJob(context, { name, data: { transferId }, attemptsMade });
  }

  /** Runs every requested job of the transfer, those of a round at once, until none is left. */
  async runAll(id: string): Promise<void> {
    for (;;) {
      const em = this.#database.fork();
      const requested = await em.find(OutboxRow, { kind: 'job', runAt: null, data: { transferId: id } });
      if (requested.length === 0) return;
      await em.nativeDelete(OutboxRow, { id: { $in: requested.map((row) => row.id) } });
      await Promise.all(requested.map((row) => this.run(row.name, id)));
    }
  }

  see(id: string): Promise<Transfer> {
    return this.#database.fork().findOneOrFail(Transfer, { id });
  }

  async intentId(id: string): Promise<string> {
    const { paymentIntentId } = await this.see(id);
    if (!paymentIntentId) throw new Error('the transfer has no payment intent');
    return paymentIntentId;
  }

  async steps(id: string): Promise<(string | null)[]> {
    const steps = await this.#database.fork().find(TransferStep, { transferId: id }, { orderBy: { version: 'asc' } });
    return steps.map((step) => step.move ?? null);
  }

  /** Names of the requested jobs, delayed ones left out. */
  async requestedJobs(id: string): Promise<string[]> {
    const rows = await this.#database
      .fork()
      .find(OutboxRow, { kind: 'job', runAt: null, data: { transferId: id } }, { orderBy: { id: 'asc' } });
    return rows.map((row) => row.name);
  }

  /** Deletes the requested jobs, like a queue that lost them. */
  async loseJobs(id: string): Promise<void> {
    await this.#database.fork().nativeDelete(OutboxRow, { kind: 'job', data: { transferId: id } });
  }

  /** Runs all jobs, then asserts one of the given final states and that Stripe, the bank and the ledger agree with it. */
  async expectEnd(id: string, ...ends: TransferState[]): Promise<TransferState> {
    await this.runAll(id);
    const { state, authorizationVoidedAt } = await this.see(id);
    expect(ends).toContain(state);
    const charged = state === 'completed' || state === 'refunded';
    const intent = await this.sandbox.intent(await this.intentId(id));
    const captures = intent.events.filter(({ type }) => type === 'charge.captured').length;
    const postings = await this.#database.fork().find(Posting, { transferId: id });
    const entries = [...new Set(postings.map(({ entry }) => entry))].sort();
    expect({ intent: intent.status, received: intent.amountReceived, captures, entries }).toEqual(
      outcomes[charged ? state : 'unpaid'],
    );
    // Stripe reports a cancelled hold as refunded too.
    if (charged) expect(intent.amountRefunded).toBe(state === 'refunded' ? amountMinor : 0);
    else expect(authorizationVoidedAt).not.toBeNull();
    const payouts = (await this.sandbox.payouts()).filter((payout) => payout.externalId === id);
    const paid = payouts.filter(({ status }) => status === 'paid');
    expect({ payouts: payouts.length <= 1, paid: paid.length }).toEqual({
      payouts: true,
      paid: state === 'completed' ? 1 : 0,
    });
    const [left] = await this.#database
      .fork()
      .execute<{ sum: string }[]>(
        'select coalesce(sum(abs(amount_minor)), 0)::text as sum from ledger_balance where transfer_id = ?',
        [id],
      );
    expect(left?.sum === '0').toBe(state !== 'completed');
    return state;
  }
}

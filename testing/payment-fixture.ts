import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect } from 'vitest';
import type { OperationKind } from '#core/operations/operation';
import type { Rate } from '#core/rates/rate';
import type { TransferState } from '#core/transfers/states';
import { DeskCase } from '#domain/desk/desk-case.entity';
import type { JobContext } from '#domain/jobs/job-context';
import { syncPayment } from '#domain/payments/sync-payment';
import { cancelTransfer } from '#domain/payouts/cancel';
import { Operation } from '#domain/provider-calls/operation.entity';
import { attachPaymentIntent, moveTransfer } from '#domain/transfers/move-transfer';
import { Posting } from '#domain/transfers/posting.entity';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import type { Database } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../infra/testing/database.ts';
import { startBank, type TestBank } from '../sandbox/testing/start-bank.ts';
import { type StripeTestOptions, startStripe, type TestStripe } from '../sandbox/testing/start-stripe.ts';
import { createTestUser } from './accounts.ts';
import { openDatabase } from './database.ts';
import { createTestContext } from './job-context.ts';
import { attemptNow } from './operations.ts';
import { openTestTransfer, testTarget } from './transfers.ts';

const amountMinor = 10_000;

/** The expected state at Stripe and in the ledger of a transfer in a final state. */
const outcomes = {
  unpaid: { intent: 'canceled', received: 0, captures: 0, entries: [] },
  completed: { intent: 'succeeded', received: amountMinor, captures: 1, entries: ['charge', 'payout'] },
  refunded: { intent: 'succeeded', received: amountMinor, captures: 1, entries: ['charge', 'refund', 'unwind'] },
} as const;

/** Options for creating a transfer. */
export interface PaymentOptions {
  /** The state to reach. `held`: Stripe has authorized the card and the product does not know it yet. */
  readonly state?: 'awaiting_payment' | 'held' | 'in_review' | 'approved' | 'captured';
  /** Stripe's test payment method. */
  readonly paymentMethod?: string;
  /** The market rate at the quote; unknown by default. */
  readonly referenceRate?: Rate;
  /** Whether the better of two rates is promised. */
  readonly takesBetterRate?: boolean;
  /** Its sender; defaults to the fixture's. */
  readonly userId?: string;
}

/** Transfers of one sender in a separate database, with Stripe and the bank simulated. */
export class PaymentFixture {
  /** The clock of every step; the test sets it. */
  now = new Date();

  /** Advances the clock. */
  later(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  database!: Database;
  context!: JobContext;
  stripe!: TestStripe;
  bank!: TestBank;
  #testDatabase: TestDatabase | undefined;
  #senderId = '';
  #recipientId = '';

  async open(stripe: StripeTestOptions = {}): Promise<void> {
    const testDatabase = await createTestDatabase();
    this.#testDatabase = testDatabase;
    this.database = await openDatabase(testDatabase.url);
    this.stripe = await startStripe(stripe);
    this.bank = await startBank();
    const env = { ...this.stripe.env, ...this.bank.env };
    const options = { databaseUrl: testDatabase.url, env, now: () => this.now };
    this.context = createTestContext(this.database, options).context;
    this.#senderId = (await createTestUser(this.database)).id;
    this.#recipientId = randomUUID();
    await this.database.fork().execute(
      `insert into recipient (id, user_id, name, email, phone, ci, bank_name, bank_account, address, city, relationship,
         created_at) values (?, ?, 'Rosa', '', '', '', '', '', '', '', '', now())`,
      [this.#recipientId, this.#senderId],
    );
  }

  /** Database URL for other processes. */
  get databaseUrl(): string {
    return this.#testDatabase?.url ?? '';
  }

  /** Runs a statement as the owner of the tables, for actions that the product itself may not take. */
  async asOwner(statement: string): Promise<void> {
    await this.#testDatabase?.asOwner(statement);
  }

  async close(): Promise<void> {
    await this.stripe?.close();
    await this.bank?.close();
    await this.database?.close();
    await this.#testDatabase?.drop();
  }

  /** Creates a transfer of 100 EUR with its payment intent; by default approved, with its card authorized. */
  async create({
    state = 'approved',
    paymentMethod = 'pm_card_visa',
    ...overrides
  }: PaymentOptions = {}): Promise<string> {
    const recipient = { id: this.#recipientId, target: testTarget };
    const { id } = await this.database.transaction(async (em) =>
      openTestTransfer(em, { userId: this.#senderId, recipient, ...overrides }),
    );
    const intent = await this.context.stripe.paymentIntents.create({
      amount: amountMinor,
      currency: 'eur',
      capture_method: 'manual',
      allowed_payment_method_types: ['card'],
      ...(state === 'awaiting_payment' ? {} : { payment_method: paymentMethod, confirm: true }),
      metadata: { transfer_id: id },
    });
    await this.database.transaction((em) => attachPaymentIntent(em, id, intent.id, this.now));
    if (state === 'awaiting_payment' || state === 'held') return id;
    await syncPayment(this.context, id);
    if (state !== 'in_review') await this.approve(id);
    if (state === 'captured') await this.run(id, 'capture');
    return id;
  }

  /** A charged transfer whose account the bank rejected and whose sender then requested a refund, which is due. */
  async createRefunding(options: Omit<PaymentOptions, 'state'> = {}): Promise<string> {
    const id = await this.create({ ...options, state: 'captured' });
    this.bank.setMode({ rejectNext: 1 });
    await this.run(id, 'payout');
    this.bank.setMode({});
    await this.cancel(id);
    expect((await this.see(id)).state).toBe('refunding');
    return id;
  }

  /** Confirms the card at Stripe, as Stripe.js does. @throws when it is declined. */
  async pay(id: string, paymentMethod = 'pm_card_visa'): Promise<void> {
    await this.stripe.sdk.paymentIntents.confirm(await this.intentId(id), { payment_method: paymentMethod });
  }

  approve(id: string, context = this.context): Promise<Transfer | null> {
    return context.database.transaction((em) => moveTransfer(em, id, 'approve', { at: context.now() }));
  }

  reject(id: string, context = this.context): Promise<Transfer | null> {
    return context.database.transaction((em) => moveTransfer(em, id, 'reject', { at: context.now() }));
  }

  /** Cancels as the api does when the sender presses cancel. */
  cancel(id: string, context = this.context) {
    return context.database.transaction((em) =>
      cancelTransfer(em, id, { senderId: this.#senderId, at: context.now() }),
    );
  }

  see(id: string): Promise<Transfer> {
    return this.database.fork().findOneOrFail(Transfer, { id });
  }

  async intentId(id: string): Promise<string> {
    const { paymentIntentId } = await this.see(id);
    if (!paymentIntentId) throw new Error('the transfer has no payment intent');
    return paymentIntentId;
  }

  /** The payment intent at Stripe, with its charge. */
  async intent(id: string): Promise<Stripe.PaymentIntent & { latest_charge: Stripe.Charge | null }> {
    const intent = await this.stripe.sdk.paymentIntents.retrieve(await this.intentId(id), {
      expand: ['latest_charge'],
    });
    return intent as typeof intent & { latest_charge: Stripe.Charge | null };
  }

  /** Stripe's events about the transfer's payment intent or charge, newest first. */
  async events(id: string, type: string): Promise<Stripe.Event[]> {
    return this.stripe.eventsOf(await this.intentId(id), type);
  }

  payouts(id: string) {
    return this.bank.payouts().filter(({ externalId }) => externalId === id || externalId.startsWith(`${id}-`));
  }

  async steps(id: string): Promise<(string | null)[]> {
    return (await this.history(id)).map((step) => step.move ?? null);
  }

  history(id: string): Promise<TransferStep[]> {
    return this.database.fork().find(TransferStep, { transferId: id }, { orderBy: { version: 'asc' } });
  }

  /** The operations of a kind, in order. */
  operations(id: string, kind?: OperationKind): Promise<Operation[]> {
    const where = { transferId: id, ...(kind ? { kind } : {}) };
    return this.database.fork().find(Operation, where, { orderBy: { createdAt: 'asc', kind: 'asc', sequence: 'asc' } });
  }

  /** Attempts the newest operation of a kind, as its job does. */
  async run(id: string, kind: OperationKind, context = this.context): Promise<void> {
    const operation = (await this.operations(id, kind)).at(-1);
    if (!operation) throw new Error(`the transfer has no ${kind}`);
    await attemptNow(context, operation.id);
  }

  /** Reasons of the transfer's open cases. */
  async openCases(id: string): Promise<string[]> {
    const open = (await this.cases(id)).filter(({ resolvedAt }) => resolvedAt == null);
    return open.map(({ reason }) => reason).sort();
  }

  /** The transfer's cases, open or closed, oldest first. */
  cases(id: string): Promise<DeskCase[]> {
    return this.database.fork().find(DeskCase, { transferId: id }, { orderBy: { openedAt: 'asc' } });
  }

  /** Names of the transfer's ledger entries, such as `charge` or `refund:2`. */
  async entries(id: string): Promise<Set<string>> {
    const postings = await this.database.fork().find(Posting, { transferId: id });
    return new Set(postings.map(({ entry }) => entry));
  }

  /** The transfer's balances of the ledger accounts, in minor units. */
  async balances(id: string): Promise<Record<string, string>> {
    const rows = await this.database.fork().execute<{ name: string; amount: string }[]>(
      `select account || ' ' || currency as name, amount_minor::text as amount from ledger_balance
         where transfer_id = ? order by 1`,
      [id],
    );
    return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
  }

  /** Kinds of the transfer's operations that are due. */
  async dueKinds(id: string): Promise<OperationKind[]> {
    return (await this.dueOperations(id)).map(({ kind }) => kind);
  }

  /** Operations of the transfer that are due. */
  async dueOperations(id: string): Promise<Operation[]> {
    const operations = await this.operations(id);
    return operations.filter(({ nextAttemptAt }) => nextAttemptAt && nextAttemptAt <= this.now);
  }

  /** The jobs requested for the transfer: job names, and kinds of operations; without delayed ones. */
  async requestedJobs(id: string): Promise<string[]> {
    const kinds = new Map((await this.operations(id)).map((operation) => [operation.id, operation.kind]));
    const rows = await this.database.fork().find(OutboxRow, { kind: 'job', runAt: null }, { orderBy: { id: 'asc' } });
    return rows.flatMap(({ name, data }) => {
      if (data.transferId === id) return [name];
      return kinds.get(String(data.id)) ?? [];
    });
  }

  /** Deletes the requested jobs, like a queue that lost them. */
  async loseJobs(id: string): Promise<void> {
    const em = this.database.fork();
    const operations = (await this.operations(id)).map((operation) => operation.id);
    await em.nativeDelete(OutboxRow, { kind: 'job', data: { transferId: id } });
    for (const operationId of operations) await em.nativeDelete(OutboxRow, { kind: 'job', data: { id: operationId } });
  }

  /** Asserts one of the given final states, and that Stripe, the bank and the ledger agree with it. */
  async expectOutcome(id: string, ...ends: TransferState[]): Promise<TransferState> {
    const { state, authorizationVoidedAt, paidAgainMinor } = await this.see(id);
    expect(ends).toContain(state);
    const charged = state === 'completed' || state === 'refunded';
    const intent = await this.intent(id);
    const captures = (await this.events(id, 'charge.captured')).length;
    // From the second operation of a kind on, the entry has its number.
    const entries = [...new Set([...(await this.entries(id))].map((entry) => entry.replace(/:.*/, '')))].sort();
    expect({ intent: intent.status, received: intent.amount_received, captures, entries }).toEqual(
      outcomes[charged ? state : 'unpaid'],
    );
    expect(intent.latest_charge?.amount_refunded ?? 0).toBe(state === 'refunded' ? amountMinor : 0);
    if (!charged) expect(authorizationVoidedAt).not.toBeNull();
    const paid = this.payouts(id).filter(({ status }) => status === 'paid');
    expect(paid).toHaveLength((state === 'completed' ? 1 : 0) + (paidAgainMinor > 0n ? 1 : 0));
    const [left] = await this.database
      .fork()
      .execute<{ sum: string }[]>(
        'select coalesce(sum(abs(amount_minor)), 0)::text as sum from ledger_balance where transfer_id = ?',
        [id],
      );
    expect(left?.sum === '0').toBe(state !== 'completed');
    return state;
  }
}

/** A fixture for the tests of a file; call it at its top level. It is open once the tests run. */
export function usePaymentFixture(stripe: StripeTestOptions = {}): PaymentFixture {
  const fixture = new PaymentFixture();
  beforeAll(() => fixture.open(stripe));
  afterAll(() => fixture.close());
  return fixture;
}

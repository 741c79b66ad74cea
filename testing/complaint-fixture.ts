import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { ComplaintReason } from '#core/complaints/complaint';
import { approveComplaint, concludeComplaint, type Result } from '#domain/complaint-handling/conclude';
import { viewComplaint } from '#domain/complaint-handling/handle';
import { reportComplaint } from '#domain/complaint-handling/report';
import { Email } from '#domain/emails/email.entity';
import { correctAccount } from '#domain/payouts/correct-account';
import { createTestUser } from './accounts.ts';
import { type DeskFixture, useDeskFixture } from './desk-fixture.ts';
import { insertTestRecipient } from './recipients.ts';
import { transferIn } from './transfers.ts';

const twoPersonsUsdMinor = 5_000n;

/** Senders' reports about paid transfers, and two admins who handle them. */
export class ComplaintFixture {
  readonly description = 'Mi mamá fue al banco y no estaba todo.';
  readonly desk: DeskFixture;
  #senderId = '';

  constructor(desk: DeskFixture) {
    this.desk = desk;
  }

  get payments() {
    return this.desk.payments;
  }

  async open(): Promise<void> {
    this.#senderId = (await createTestUser(this.payments.database)).id;
  }

  /** A completed transfer of 100 EUR without a card payment. */
  async createPaid(): Promise<string> {
    return (await transferIn(this.payments.database, 'completed', { userId: this.#senderId })).id;
  }

  /**
   * `createPaid` with a card payment, whose refunds succeed or fail depending on the card, and a payout at the bank.
   */
  async createPaidByCard(paymentMethod = 'pm_card_visa'): Promise<string> {
    const id = await this.payments.create({ state: 'captured', paymentMethod });
    await this.payments.run(id, 'payout');
    return id;
  }

  /** Makes the sender pay from the United States, so that Regulation E applies. */
  async fromUnitedStates(id: string): Promise<string> {
    await this.payments.database.fork().execute("update transfer set card_country = 'US' where id = ?", [id]);
    return id;
  }

  /** Makes the sender choose another account of the same person, after the bank rejected or returned the payout. */
  async nameAnotherAccount(transferId: string) {
    const { database, now: at } = this.payments;
    const { userId } = await this.payments.see(transferId);
    const another = { bankName: 'Banco Sol', bankAccount: String(Date.now()) };
    const recipientId = await insertTestRecipient(database.fork(), userId, another);
    const rules = {
      ...{ newDeviceUsdMinor: 1_000_000n, sessions: { stepUpMs: 600_000 } },
      desk: { reviewTwoPersonsUsdMinor: 200_000n },
    };
    return database.transaction((em) =>
      correctAccount(em, rules, { userId, provenAt: at, transferId, recipientId, at }),
    );
  }

  async report(transferId: string, reason: ComplaintReason = 'wrong_amount') {
    const { userId } = await this.payments.see(transferId);
    const { description } = this;
    const input = { userId, transferId, reason, wants: 'refund', description, at: this.payments.now } as const;
    return reportComplaint(this.payments.database, input);
  }

  by(complaintId: string, adminId = this.desk.ana) {
    return { complaintId, adminId, at: this.payments.now };
  }

  view(complaintId: string) {
    return viewComplaint(this.payments.database.fork(), this.by(complaintId));
  }

  /** Concludes a report, by default as an error. */
  conclude(complaintId: string, result: Partial<Result> = {}, adminId = this.desk.ana) {
    return concludeComplaint(this.payments.database, {
      ...{ ...this.by(complaintId, adminId), twoPersonsUsdMinor, finding: 'error', explanation: 'Tenías razón.' },
      ...result,
    });
  }

  /** The screening policy for second payouts; off by default. */
  policy = { screens: false, screeningWaitMs: 0 };

  /** Approves the result, or sends it back with a note. */
  async approve(complaintId: string, adminId = this.desk.luis, note?: string) {
    const { found_at: foundAt } = await this.view(complaintId);
    const seen = { foundAt: foundAt === null ? undefined : new Date(foundAt) };
    const answer = { approve: note === undefined, note: note ?? '', policy: this.policy };
    return approveComplaint(this.payments.database, { ...this.by(complaintId, adminId), ...answer, ...seen });
  }

  /** Kinds of e-mails about a report to a person, in order. */
  async kindsTo(complaintId: string, userId: string): Promise<string[]> {
    const em = this.payments.database.fork();
    const emails = await em.find(Email, { key: { $like: `%${complaintId}%` } }, { orderBy: { createdAt: 'asc' } });
    return emails.filter((one) => one.userId === userId).map(({ kind }) => kind);
  }
}

/** A fixture for the tests of a file; call it at its top level. Each test starts at the same time. */
export function useComplaintFixture(): ComplaintFixture {
  const fixture = new ComplaintFixture(useDeskFixture());
  const { payments } = fixture;
  const realNow = payments.now;
  beforeAll(() => fixture.open());
  beforeEach(() => {
    payments.now = realNow;
  });
  afterEach(() => payments.stripe.clearFaults());
  return fixture;
}

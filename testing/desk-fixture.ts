import { afterEach, beforeAll, expect } from 'vitest';
import type { DeskAction } from '#core/operations/desk-action';
import { maxAttempts } from '#core/operations/operation';
import { DeskCase } from '#domain/desk/desk-case.entity';
import { openCase } from '#domain/desk/desk-case.repository';
import { type Act, actOnCase } from '#domain/desk-actions/act-on-case';
import { decideDeskRequest } from '#domain/desk-actions/decide-request';
import { dropSettlement, type Report, refuteSettlement, reportSettlement } from '#domain/desk-actions/settlement';
import { findActiveStops } from '#domain/money-stops/money-stop.repository';
import { confirmLift, requestLift } from '#domain/money-stops/money-stops';
import { syncPayment } from '#domain/payments/sync-payment';
import { Operation, ProviderCircuit } from '#domain/provider-calls/operation.entity';
import { createTestUser } from './accounts.ts';
import { type PaymentFixture, usePaymentFixture } from './payment-fixture.ts';

const proof = { name: 'comprobante.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7 pagado') } as const;
/** An admin's report of a payout by hand. */
export const byHand = { bankReference: 'BNB-991', amount: '1291.17', proof };
/** An admin's report of a refund by hand. */
export const refundByHand = { ...byHand, amount: '100.00' };

/** A failure with this code. */
export const refusal = (code: string) => expect.objectContaining({ code });

/** Transfers with open cases, and two admins who act on them. */
export class DeskFixture {
  readonly payments: PaymentFixture;
  /** Ids of the admins. */
  ana = '';
  luis = '';

  constructor(payments: PaymentFixture) {
    this.payments = payments;
  }

  async open(): Promise<void> {
    this.ana = (await createTestUser(this.payments.database, { role: 'admin', name: 'Ana' })).id;
    this.luis = (await createTestUser(this.payments.database, { role: 'admin', name: 'Luis' })).id;
  }

  /** The open case of a transfer, or its last one. */
  async caseOf(transferId: string): Promise<DeskCase> {
    const em = this.payments.database.fork();
    const cases = await em.find(DeskCase, { transferId }, { orderBy: { openedAt: 'desc' } });
    const found = cases.find(({ resolvedAt }) => !resolvedAt) ?? cases[0];
    if (!found) throw new Error('the transfer has no case');
    return found;
  }

  /** An admin's action on the case of a transfer, by default Ana's. */
  async act(transferId: string, action: DeskAction, overrides: Partial<Act> = {}) {
    return actOnCase(this.payments.database, {
      ...{ caseId: (await this.caseOf(transferId)).id, adminId: this.ana, action, reason: 'Lo pidió el banco' },
      ...{ twoPersonsUsdMinor: 50_000n, reviewTwoPersonsUsdMinor: 200_000n, at: this.payments.now },
      ...overrides,
    });
  }

  /** Two people lift every money stop. */
  async liftStops(): Promise<void> {
    const { database, now: at } = this.payments;
    for (const { id: stopId } of await findActiveStops(database.fork())) {
      const request = { stopId, personId: this.ana, reason: 'La cuenta tiene saldo', at };
      await database.transaction((em) => requestLift(em, request));
      await database.transaction((em) => confirmLift(em, { stopId, personId: this.luis, at }));
    }
  }

  /** Reserves a transfer for a settlement by hand. Returns the id of the request. */
  async reserve(
    transferId: string,
    action: 'pay_by_hand' | 'refund_by_hand' = 'pay_by_hand',
    overrides: Partial<Act> = {},
  ) {
    const { request } = await this.act(transferId, action, overrides);
    if (!request?.reserved) throw new Error('the transfer is not reserved');
    return request.id;
  }

  /** Reports that the money of a settlement was sent, by default as Ana. */
  report(requestId: string, overrides: Partial<Report> = {}) {
    return reportSettlement(this.payments.database, {
      ...{ requestId, adminId: this.ana, ...byHand, reason: 'Pagado por ventanilla' },
      ...{ twoPersonsUsdMinor: 50_000n, at: this.payments.now },
      ...overrides,
    });
  }

  /** Reserves a transfer and reports it as settled; below the limit it is booked at once. */
  async settle(transferId: string, action: 'pay_by_hand' | 'refund_by_hand', report: Partial<Report> = {}) {
    const done = action === 'pay_by_hand' ? byHand : refundByHand;
    return this.report(await this.reserve(transferId, action), { ...done, ...report });
  }

  drop(requestId: string, adminId = this.ana) {
    return dropSettlement(this.payments.database, { requestId, adminId, at: this.payments.now });
  }

  /** Submits evidence that the money of a settlement was never sent. */
  refute(requestId: string, adminId = this.luis) {
    const evidence = { reason: 'El banco no tiene esa transferencia', proof };
    return refuteSettlement(this.payments.database, { requestId, adminId, ...evidence, at: this.payments.now });
  }

  decide(requestId: string, adminId: string, approve = true) {
    return decideDeskRequest(this.payments.database, { requestId, adminId, approve, at: this.payments.now });
  }

  payoutsOf(id: string) {
    return this.payments.operations(id, 'payout');
  }

  /** A charged transfer whose payout request the bank rejected, and confirmed as not executed. */
  async createRefused(): Promise<string> {
    const id = await this.payments.create({ state: 'captured' });
    this.payments.bank.failNext({ kind: 'error', status: 422, path: '^/bank/' });
    await this.payments.run(id, 'payout');
    this.payments.later(this.payments.context.bank.completionWindowMs);
    await this.payments.run(id, 'payout');
    expect(await this.payments.openCases(id)).toEqual(['operation_refused']);
    return id;
  }

  /** Makes the last attempt at the newest payout of a transfer, without an answer of the bank. */
  async abandonPayout(id: string): Promise<void> {
    const { bank, database } = this.payments;
    const closed = { failures: 0, openUntil: null };
    await database.fork().nativeUpdate(ProviderCircuit, {}, closed);
    bank.failNext({ kind: 'drop', path: '^/bank/', times: 40 });
    const payout = (await this.payoutsOf(id)).at(-1);
    await database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { attempts: maxAttempts - 1 });
    await this.payments.run(id, 'payout');
    bank.clearFaults();
    await database.fork().nativeUpdate(ProviderCircuit, {}, closed);
    expect((await this.payoutsOf(id)).at(-1)).toMatchObject({ status: 'abandoned' });
  }

  /** A charged transfer whose account the bank rejected. */
  async createRejected(): Promise<string> {
    const id = await this.payments.create({ state: 'captured' });
    this.payments.bank.setMode({ rejectNext: 1 });
    await this.payments.run(id, 'payout');
    expect(await this.payments.openCases(id)).toEqual(['payout_rejected']);
    return id;
  }

  /** A charged transfer whose payout was given up without an answer. */
  async createAbandoned(): Promise<string> {
    const id = await this.payments.create({ state: 'captured' });
    const [payout] = await this.payoutsOf(id);
    const given = { status: 'abandoned', attempts: maxAttempts, nextAttemptAt: null, lastError: 'no answer' } as const;
    const sentAt = this.payments.now;
    await this.payments.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { ...given, sentAt });
    await this.payments.database.transaction((em) =>
      openCase(em, {
        ...{ transferId: id, operationId: payout?.id ?? '', reason: 'operation_abandoned', details: 'no answer' },
        at: this.payments.now,
      }),
    );
    return id;
  }

  /** A transfer whose refund the card rejected. */
  async createUnrefunded(): Promise<string> {
    const id = await this.payments.createRefunding({ paymentMethod: 'pm_card_refundFail' });
    await this.payments.run(id, 'refund');
    this.payments.stripe.advanceClock(86_400);
    await this.payments.stripe.idle();
    await syncPayment(this.payments.context, id);
    expect(await this.payments.openCases(id)).toEqual(['refund_failed']);
    return id;
  }
}

/** A fixture for the tests of a file; call it at its top level. It is open once the tests run. */
export function useDeskFixture(): DeskFixture {
  const payments = usePaymentFixture();
  const fixture = new DeskFixture(payments);
  beforeAll(() => fixture.open());
  afterEach(() => {
    payments.bank.clearFaults();
    payments.bank.setMode({});
    payments.stripe.clearFaults();
  });
  return fixture;
}

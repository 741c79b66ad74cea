import { randomUUID } from 'node:crypto';
import { defaultFeeSchedule } from '#core/money/fee';
import { parseRate, type Rate } from '#core/rates/rate';
import { dayMs, hourMs } from '#core/time/time';
import { betterTerms } from '#core/transfers/better-rate';
import { makeQuote } from '#core/transfers/quote';
import { type Move, type MoveName, type TransferState, transferMoves } from '#core/transfers/states';
import { endOperation, findOperations, updateOperation } from '#domain/provider-calls/operation.repository';
import { noteAnswer } from '#domain/repeats/plans';
import { insertPlan, insertReminder } from '#domain/repeats/repeat.repository';
import { postPayoutReturn, postRefund, postRefundReversal } from '#domain/transfers/ledger.repository';
import { type MoveChanges, moveTransfer } from '#domain/transfers/move-transfer';
import { openTransfer } from '#domain/transfers/open-transfer';
import { Transfer } from '#domain/transfers/transfer.entity';
import { lockTransfer } from '#domain/transfers/transfer.repository';
import type { Database, EntityManager } from '#platform/database/database';

/** The time of all test data, so that nothing depends on when the tests run. */
export const testMoment = new Date('2026-11-20T15:00:00.000Z');

/** Overrides for test transfers; amounts in minor units. */
export interface TransferOverrides {
  userId: string;
  amountMinor?: bigint;
  currency?: 'USD' | 'EUR';
  rate?: Rate;
  basisPoints?: bigint;
  /** Unknown by default. */
  referenceRate?: Rate;
  /** Whether the better of two rates is promised; not by default. */
  takesBetterRate?: boolean;
  /** Published at the approval, and applied if it is better. */
  betterRate?: Rate;
  recipient?: Parameters<typeof openTransfer>[1]['recipient'];
}

/** Opens a transfer in the transaction of `em`, by default 100 EUR at 13.38. */
export function openTestTransfer(em: EntityManager, overrides: TransferOverrides): Transfer {
  const { userId, amountMinor = 10_000n, currency = 'EUR', rate = parseRate('13.38') as Rate } = overrides;
  const fee = { ...defaultFeeSchedule, basisPoints: overrides.basisPoints ?? defaultFeeSchedule.basisPoints };
  return openTransfer(em, {
    userId,
    quote: makeQuote({ amountMinor, currency, rate, referenceRate: overrides.referenceRate ?? null, fee }),
    rateSince: testMoment,
    takesBetterRate: overrides.takesBetterRate ?? overrides.betterRate !== undefined,
    eurUsd: parseRate('1.10') as Rate,
    recipient: overrides.recipient ?? null,
    quoteExpiresAt: new Date(testMoment.getTime() + 30 * 60_000),
    estimatedDelivery: new Date(testMoment.getTime() + 72 * hourMs),
    at: testMoment,
  });
}

/** A shortest path of moves from the opening to a state. */
export function wayTo(state: TransferState): MoveName[] {
  const ways = new Map<TransferState, MoveName[]>([['awaiting_payment', []]]);
  for (const [reached, way] of ways) {
    for (const [name, move] of Object.entries(transferMoves) as [MoveName, Move][]) {
      if (move.from.includes(reached) && !ways.has(move.to)) ways.set(move.to, [...way, name]);
    }
  }
  const way = ways.get(state);
  if (!way) throw new Error(`no way leads to ${state}`);
  return way;
}

/** Makes one move in a separate transaction, with the columns that it fills in. */
export function makeMove(
  database: Database,
  transferId: string,
  name: MoveName,
  changes: MoveChanges = {},
): Promise<Transfer | null> {
  const paid: MoveChanges = name === 'hold' ? { paidAt: testMoment, cardBrand: 'visa', cardLast4: '4242' } : {};
  return database.transaction(async (em) => {
    if (!(await meetConditions(em, transferId, name))) return null;
    return moveTransfer(em, transferId, name, { at: testMoment, changes: { ...paid, ...changes } });
  });
}

/**
 * Meets the preconditions of a move: a cancellation needs the sender's request, and the database accepts returned money
 * only with its operation and entry. False if the transfer's current state does not allow the move; without this check,
 * a concurrent step could make it possible without the preconditions.
 */
export async function meetConditions(em: EntityManager, id: string, name: MoveName): Promise<boolean> {
  const from = [...transferMoves[name].from];
  const transfer = await lockTransfer(em, id, { state: { $in: from } });
  if (!transfer) return false;
  const at = testMoment;
  if (name === 'cancel_authorization' || name === 'cancel_charge') {
    await em.nativeUpdate(Transfer, { id }, { cancelRequestedAt: at });
  } else if (name === 'refund') {
    const refund = await endOperation(em, transfer, 'refund', { status: 'succeeded', at });
    if (refund) await postRefund(em, transfer, refund, at);
  } else if (name === 'bounce_refund') {
    const refund = (await findOperations(em, id, 'refund')).findLast(({ status }) => status === 'succeeded');
    if (!refund) return false;
    await updateOperation(em, refund, { status: 'failed' }, at);
    await postRefundReversal(em, transfer, refund, at);
  } else if (name === 'return_payout') {
    const payout = (await findOperations(em, id, 'payout')).findLast(({ status }) => status === 'succeeded');
    if (!payout) return false;
    await updateOperation(em, payout, { status: 'failed' }, at);
    postPayoutReturn(em, transfer, payout, { amountMinor: payout.amountMinor, at });
  }
  return true;
}

/** Opens a transfer and moves it to a state through real moves. */
export async function transferIn(
  database: Database,
  state: TransferState,
  overrides: TransferOverrides,
): Promise<Transfer> {
  const opened = await database.transaction(async (em) => openTestTransfer(em, overrides));
  const { id } = opened;
  const published = { since: testMoment, paused: false, reference: null };
  const better = overrides.betterRate && betterTerms(opened, { ...published, rate: overrides.betterRate });
  for (const name of wayTo(state)) {
    if (!(await makeMove(database, id, name, (name === 'approve' && better) || {})))
      throw new Error(`${name} did not happen`);
  }
  return database.fork().findOneOrFail(Transfer, { id });
}

/** A payout target, as copied from a recipient. */
export const testTarget = {
  name: 'Rosa Mamani',
  ci: '4567890 LP',
  phone: '+591 71234567',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
};

/** A unique e-mail address. */
export const testEmail = (): string => `${randomUUID()}@chasqui.test`;

/** A payable reminder of a monthly transfer, with the transfers opened with it; returns its id. */
export async function openTestReminder(
  em: EntityManager,
  { userId, recipientId, transferIds = [] }: { userId: string; recipientId: string; transferIds?: string[] },
): Promise<string> {
  const at = new Date();
  const lapsesAt = new Date(at.getTime() + 30 * dayMs);
  const period = at.toISOString().slice(0, 10);
  const what = { recipientId, fixed: 'pay', amountMinor: 10_000n, currency: 'EUR', every: 'month', day: 5 } as const;
  const request = { ...what, from: null, hour: 9, zone: 'America/La_Paz' };
  const plan = await insertPlan(em, { userId, request, next: { day: '2999-01-05', at: lapsesAt }, at });
  const id = (await insertReminder(em, plan, { period, lapsesAt, problem: null, skippedAt: null, at })) as string;
  for (const transferId of transferIds) await noteAnswer(em, { userId, reminderId: id, transferId });
  return id;
}

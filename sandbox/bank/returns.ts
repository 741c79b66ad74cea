/** Payments that the simulated bank returns days after it made them, whole or in part. */
import { z } from 'zod';
import type { SandboxContext } from '../context.ts';
import { newId } from '../ids.ts';
import { BankError, findPayout } from './payouts.ts';

export interface PayoutReturn {
  id: string;
  externalId: string;
  /** The bank's number of the payment that came back. */
  reference: string;
  /** How much came back, such as `12.50`; a payment may come back in several parts. */
  amount: string;
  currency: string;
  code: string;
  message: string;
  /** ISO 8601, sandbox time. */
  createdAt: string;
}

/** Most returns of one page. */
const pageSize = 100;

const defaultReason = { code: 'account_closed', message: 'La cuenta de destino está cerrada.' };

export const returnSchema = z.strictObject({
  /** All that has not come back yet unless given. */
  amount: z
    .string()
    .regex(/^(0|[1-9]\d{0,11})\.\d{2}$/)
    .refine((amount) => amount !== '0.00', 'must be positive')
    .optional(),
  code: z.string().min(1).max(60).default(defaultReason.code),
  message: z.string().min(1).max(300).default(defaultReason.message),
});
export type ReturnRequest = z.input<typeof returnSchema>;

const toCents = (amount: string): number => Number(amount.replace('.', ''));
const toAmount = (cents: number): string => (cents / 100).toFixed(2);

/**
 * Returns a payment that was made, or a part of it. Must run in a transaction. Throws BankError when there is no such payment or less
 * of it is left.
 */
export function returnPayout(context: SandboxContext, externalId: string, request: ReturnRequest): PayoutReturn {
  const { amount, code, message } = returnSchema.parse(request);
  const payout = findPayout(context, externalId);
  if (!payout?.reference) throw new BankError(404, 'not_found', 'No payment was made under this externalId.');
  const left = toCents(payout.amount) - toCents(payout.returnedAmount);
  const cents = amount === undefined ? left : toCents(amount);
  if (cents === 0 || cents > left) {
    throw new BankError(409, 'returned_already', `Only ${toAmount(left)} of the payment are left to return.`);
  }
  const returned: PayoutReturn = {
    id: newId('br_'),
    externalId,
    reference: payout.reference,
    amount: toAmount(cents),
    currency: payout.currency,
    code,
    message,
    createdAt: new Date(context.clock.millis()).toISOString(),
  };
  const sql = 'INSERT INTO payout_returns (id, external_id, cents, body) VALUES (?, ?, ?, ?)';
  context.storage.run(sql, returned.id, externalId, cents, JSON.stringify(returned));
  return returned;
}

/** A page of returns, oldest first, after the one with the id `after`. Throws BankError if this id does not exist. */
export function listReturns(context: SandboxContext, after?: string): { data: PayoutReturn[]; hasMore: boolean } {
  const { storage } = context;
  const last = after === undefined ? undefined : storage.one('SELECT seq FROM payout_returns WHERE id = ?', after);
  if (after !== undefined && !last) throw new BankError(400, 'invalid_cursor', 'No return has this id.');
  const sql = 'SELECT body FROM payout_returns WHERE seq > ? ORDER BY seq LIMIT ?';
  const rows = storage.all(sql, Number(last?.seq ?? 0), pageSize + 1);
  const data = rows.slice(0, pageSize).map(({ body }) => JSON.parse(String(body)) as PayoutReturn);
  return { data, hasMore: rows.length > pageSize };
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PayoutReturn } from '#core/contracts/bank';
import { parseMinor } from '#core/money/money';
import type { Difference } from '#core/reconciliation/movement';
import { unbookedReturn } from '#core/reconciliation/returns';
import { laPazDay } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { BankReturn } from './bank-return.entity.ts';

/** Prefix of our ids for returns without one, which the bank would not know. */
const ownPrefix = 'unreadable-';

/** The id of the last stored return, or null before the first one. */
export async function findLastReturnId(em: EntityManager): Promise<string | null> {
  const where = { $not: { id: { $like: `${ownPrefix}%` } } };
  const [last] = await em.find(BankReturn, where, { orderBy: { position: 'desc' }, limit: 1 });
  return last?.id ?? null;
}

/**
 * Stores a return in the transaction of `em`. Returns the number of returns of the same payout, or null when this one
 * was already stored. The process that stores it applies it in the same transaction, so that each is applied once.
 */
export async function takeReturn(
  em: EntityManager,
  returned: PayoutReturn & { amountMinor: bigint; operationId: string | null; at: Date },
): Promise<number | null> {
  const { id, operationId, externalId, amountMinor, code, message, createdAt, at } = returned;
  const rows = await em.execute(
    `insert into bank_return (id, operation_id, external_id, amount_minor, code, message, returned_at, taken_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing returning id`,
    [id, operationId, externalId, amountMinor, code, message, new Date(createdAt), at],
  );
  if (rows.length === 0) return null;
  return em.count(BankReturn, { operationId });
}

/** A return that could not be booked, as far as it is readable. */
export type UnbookedReturn = Pick<
  BankReturn,
  'id' | 'externalId' | 'amountMinor' | 'code' | 'message' | 'returnedAt' | 'takenAt' | 'problem'
>;

/** Stores a return that cannot be booked, with the reason. Returns it, or null when it was already stored. */
export async function keepUnbooked(
  em: EntityManager,
  { raw, problem, at }: { raw: unknown; problem: string; at: Date },
): Promise<UnbookedReturn | null> {
  const given = z.record(z.string(), z.unknown()).safeParse(raw).data ?? {};
  const textOf = (name: string, max: number) =>
    z.string().min(1).max(max).safeParse(given[name]).data?.replaceAll('\0', '') ?? null;
  const amountMinor = parseMinor(textOf('amount', 20) ?? '');
  const moment = z.iso.datetime().safeParse(given.createdAt).data;
  const content = createHash('sha256')
    .update(JSON.stringify(raw) ?? '')
    .digest('hex');
  const row = {
    id: textOf('id', 200) ?? `${ownPrefix}${content}`,
    ...{ operationId: null, externalId: textOf('externalId', 200), code: textOf('code', 200) },
    ...{ message: textOf('message', 2000), amountMinor: amountMinor === 0n ? null : amountMinor },
    ...{ returnedAt: moment ? new Date(moment) : null, takenAt: at, problem },
  };
  const { affectedRows } = await em.createQueryBuilder(BankReturn).insert(row).onConflict('id').ignore().execute();
  return affectedRows > 0 ? row : null;
}

/** Returns of unknown payouts, or that could not be booked, in the bank's order. */
export function findUnbooked(em: EntityManager): Promise<UnbookedReturn[]> {
  return em.find(BankReturn, { operationId: null }, { orderBy: { position: 'asc' } });
}

/** The difference to open for an unbooked return. */
export function differenceOf({ id, externalId, amountMinor, returnedAt, takenAt }: UnbookedReturn): Difference {
  const day = laPazDay(returnedAt ?? takenAt);
  return unbookedReturn({ id, externalId: externalId ?? null, amountMinor: amountMinor ?? null, day });
}

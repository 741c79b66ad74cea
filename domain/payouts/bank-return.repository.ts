import type { PayoutReturn } from '#core/contracts/bank';
import type { EntityManager } from '#platform/database/database';
import { BankReturn } from './bank-return.entity.ts';

/** The id of the return that was taken last, or null before the first one. */
export async function findLastReturnId(em: EntityManager): Promise<string | null> {
  const [last] = await em.find(BankReturn, {}, { orderBy: { position: 'desc' }, limit: 1 });
  return last?.id ?? null;
}

/**
 * Writes a return down in the transaction of `em`. Returns how many returns of the same payout there are now, or null when this one
 * had been taken before. The process that writes it down applies it, in the same transaction: so each is applied once.
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

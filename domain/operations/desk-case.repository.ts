import { randomUUID } from 'node:crypto';
import type { CaseReason } from '#core/operations/desk-case';
import type { EntityManager } from '#platform/database/database';
import { DeskCase } from './desk-case.entity.ts';

/** Opens a case in the transaction of `em`, unless one with the same reason is open for the transfer. */
export async function openCase(
  em: EntityManager,
  input: { transferId: string; operationId?: string; reason: CaseReason; details?: string | null; at: Date },
): Promise<void> {
  const { at, ...rest } = input;
  await em.execute(
    `insert into desk_case (id, transfer_id, operation_id, reason, details, opened_at, version) values (?, ?, ?, ?, ?, ?, 1)
     on conflict (transfer_id, reason) where resolved_at is null do nothing`,
    [randomUUID(), rest.transferId, rest.operationId ?? null, rest.reason, rest.details ?? null, at],
  );
}

/** Closes a transfer's open cases with one of the reasons, because what they were about has been settled. */
export async function closeCases(
  em: EntityManager,
  input: { transferId: string; reasons: readonly CaseReason[]; resolution: string; personId?: string; at: Date },
): Promise<void> {
  const { transferId, reasons, resolution, personId = null, at } = input;
  for (const one of await em.find(DeskCase, { transferId, reason: { $in: [...reasons] }, resolvedAt: null })) {
    const changes = { resolvedAt: at, resolvedById: personId, resolution, version: one.version + 1 };
    await em.nativeUpdate(DeskCase, { id: one.id, resolvedAt: null }, changes);
  }
}

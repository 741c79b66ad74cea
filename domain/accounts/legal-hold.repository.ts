import { randomUUID } from 'node:crypto';
import { raw } from '@mikro-orm/core';
import { Failure } from '#core/contracts/failures';
import type { EntityManager } from '#platform/database/database';
import { nothingToAudit, writeAudit } from '../audit/audit.repository.ts';
import { User } from './account.entity.ts';
import { findUser, lockUsers } from './account.repository.ts';
import { LegalHold } from './legal-hold.entity.ts';

/**
 * Sets or lifts a legal hold, in the transaction of `em`: while held, nothing about the user is erased, even after they
 * close the account. The user is not notified, and nothing else changes. Idempotent. Admins cannot place themselves on
 * hold.
 * @throws Failure `not_found`, `forbidden`.
 */
export async function setHeld(
  em: EntityManager,
  input: { userId: string; held: boolean; reason: string; ownerId: string; at: Date },
): Promise<void> {
  const { userId, held, reason, ownerId, at } = input;
  if (userId === ownerId) throw new Failure('forbidden');
  if (!(await findUser(em, userId))) throw new Failure('not_found');
  // Not `lockUser`: a closed account can be held too. A concurrent closing waits or has finished.
  await lockUsers(em, [userId]);
  const user = await em.findOneOrFail(User, { id: userId }, { refresh: true });
  if ((user.legalHoldAt != null) === held) return nothingToAudit('legal_hold_changed');
  user.legalHoldAt = held ? at : null;
  em.persist(em.create(LegalHold, { id: randomUUID(), userId, held, reason, byId: ownerId, at }));
  await writeAudit(em, 'legal_hold_changed', { subject: userId, detail: { held } });
}

/** Decisions about a person's legal hold, the newest `limit` first. */
export function findLegalHolds(em: EntityManager, userId: string, limit: number): Promise<LegalHold[]> {
  return em.find(LegalHold, { userId }, { orderBy: { at: 'desc', id: 'desc' }, limit });
}

/** SQL for each way in which rows reference the user. */
const heldPerson = {
  user_id: 'select from app_user where app_user.id = user_id and legal_hold_at is not null',
  transfer_id: `select from app_user join transfer on transfer.user_id = app_user.id
    where transfer.id = transfer_id and legal_hold_at is not null`,
  stripe_event: `select from app_user where legal_hold_at is not null and (
    exists (select from transfer where user_id = app_user.id and payment_intent_id = stripe_event.payment_intent_id)
    or exists (select from crypto_order where user_id = app_user.id and session_id = stripe_event.onramp_session_id))`,
} as const;

/** Condition of a deletion that skips users on legal hold; `by` is how its rows reference the user. */
export function notOnLegalHold(by: keyof typeof heldPerson = 'user_id'): object {
  return { [raw(`not exists (${heldPerson[by]})`)]: [] };
}

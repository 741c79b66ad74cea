import { Failure } from '#core/contracts/failures';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { EntityManager } from '#platform/database/database';
import { Recipient } from './recipient.entity.ts';

export type { Recipient } from './recipient.entity.ts';

/** A sender's own recipient. @throws Failure `not_found`, also for another person's. */
export async function findRecipient(em: EntityManager, userId: string, id: string): Promise<Recipient> {
  const recipient = await em.findOne(Recipient, { id, userId, removedAt: null });
  if (!recipient) throw new Failure('not_found');
  return recipient;
}

/** Most recipients in one sender's address book; a person needs a handful. */
export const maxRecipients = 200;

/** How many recipients are in a sender's address book. */
export function countRecipients(em: EntityManager, userId: string): Promise<number> {
  return em.count(Recipient, { userId, removedAt: null });
}

/** A recipient as its sender sees it. */
export function toRecipientView(recipient: Recipient): RecipientView {
  const { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const createdAt = recipient.createdAt.toISOString();
  return { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship, createdAt };
}

import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { RecipientInput } from '#core/recipients/recipient';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { lockUser } from '../accounts/account.repository.ts';
import { Recipient } from './recipient.entity.ts';

export type { Recipient } from './recipient.entity.ts';

/** A sender's own recipient. @throws Failure `not_found`, also for another person's. */
export async function findRecipient(em: EntityManager, userId: string, id: string): Promise<Recipient> {
  const recipient = await em.findOne(Recipient, { id, userId, removedAt: null });
  if (!recipient) throw new Failure('not_found');
  return recipient;
}

/** Most recipients in one sender's address book; a person needs a handful. */
const maxRecipients = 200;

/** A page of a sender's recipients, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findRecipients(em: EntityManager, userId: string, query: PageQuery): Promise<Page<Recipient>> {
  const where = { userId, removedAt: null };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(Recipient, { where, orderBy, ...pageOptions(query, 'created') }));
}

/** How many recipients a sender has. */
export function countRecipients(em: EntityManager, userId: string): Promise<number> {
  return em.count(Recipient, { userId, removedAt: null });
}

/**
 * Adds a recipient in the transaction of `em`. The very same one again, by a double click or a repeated request, is the one
 * that is there: two alike could not be told apart, and an edit of one would leave the money going to the other.
 * @throws Failure `too_many_recipients`.
 */
export async function addRecipient(
  em: EntityManager,
  { userId, input, at }: { userId: string; input: RecipientInput; at: Date },
): Promise<Recipient> {
  await lockUser(em, userId);
  const same = await em.findOne(Recipient, { ...input, userId, removedAt: null });
  if (same) return same;
  if ((await countRecipients(em, userId)) >= maxRecipients)
    throw new Failure('too_many_recipients', { most: maxRecipients });
  const recipient = em.create(Recipient, { id: randomUUID(), userId, ...input, createdAt: at });
  await em.persist(recipient).flush();
  return recipient;
}

/** Changes a sender's own recipient; transfers keep the copy they were opened with. @throws Failure `not_found`. */
export async function changeRecipient(
  em: EntityManager,
  { userId, id, input }: { userId: string; id: string; input: RecipientInput },
): Promise<Recipient> {
  const recipient = await findRecipient(em, userId, id);
  em.assign(recipient, input);
  await em.flush();
  return recipient;
}

/** Takes a recipient off the list; the row stays for the transfers that name it. @throws Failure `not_found`. */
export async function removeRecipient(
  em: EntityManager,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const recipient = await findRecipient(em, userId, id);
  recipient.removedAt = at;
  await em.flush();
}

import { randomUUID } from 'node:crypto';
import { Failure } from '#core/contracts/failures';
import type { RecipientInput } from '#core/recipients/recipient';
import { isSameAccount, sameBy } from '#core/recipients/same';
import type { EntityManager } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { UnreadablePersonalData } from '#platform/personal-data';
import { lockUser } from '../accounts/account.repository.ts';
import { hideNumbers, type PersonNumbers, readNumbers } from '../personal-data/personal-data.ts';
import { openNameCheck, withdrawNameChecks } from './name-check.repository.ts';
import { Recipient } from './recipient.entity.ts';

export type { Recipient } from './recipient.entity.ts';

/** A sender's own recipient. @throws Failure `not_found`, also for another user's. */
export async function findRecipient(em: EntityManager, userId: string, id: string): Promise<Recipient> {
  const recipient = await em.findOne(Recipient, { id, userId, removedAt: null });
  if (!recipient) throw new Failure('not_found');
  return recipient;
}

/** Recipients by their ids, including removed ones. */
export function findRecipientsById(em: EntityManager, ids: readonly string[]): Promise<Recipient[]> {
  return em.find(Recipient, { id: { $in: [...ids] } });
}

/**
 * Locks a recipient's row until the transaction of `em` ends; every change of it or its name checks takes this lock.
 */
export async function lockRecipient(em: EntityManager, id: string): Promise<void> {
  // Opening a transfer references the row, and need not wait.
  await em.execute('select from recipient where id = ? for no key update', [id]);
}

/** Increments the version of a locked recipient after related data changed. */
export async function raiseVersion(em: EntityManager, id: string): Promise<void> {
  await em.execute('update recipient set version = version + 1 where id = ?', [id]);
}

/** Maximum recipients per sender; typical is a handful. */
export const maxRecipients = 200;

/** A page of a sender's recipients, newest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findRecipients(em: EntityManager, userId: string, query: PageQuery): Promise<Page<Recipient>> {
  const where = { userId, removedAt: null };
  const orderBy = { createdAt: 'desc', id: 'desc' } as const;
  return toPage(await em.findByCursor(Recipient, { where, orderBy, ...pageOptions(query, 'created') }));
}

/** The number of a sender's recipients. */
export function countRecipients(em: EntityManager, userId: string): Promise<number> {
  return em.count(Recipient, { userId, removedAt: null });
}

/** The data that a sender saves. */
interface Saving {
  readonly userId: string;
  readonly input: RecipientInput;
  /** Save even if a recipient with this account or CI exists. */
  readonly saveAnyway?: boolean | undefined;
  readonly at: Date;
}

/**
 * Adds a recipient in the transaction of `em`, and starts the check of its name. Adding an identical one, by a double
 * click or a repeated request, returns the existing one: two identical recipients would be indistinguishable, and after
 * editing one the money might still go to the other.
 * @throws Failure `too_many_recipients`, or `recipient_exists` unless saved anyway.
 */
export async function addRecipient(em: EntityManager, { userId, input, saveAnyway, at }: Saving): Promise<Recipient> {
  await lockUser(em, userId);
  const others = await findOpen(em, userId);
  const names = Object.keys(input) as (keyof RecipientInput)[];
  const same = others.find((other) => names.every((name) => other[name] === input[name]));
  if (same) return same.row;
  if (others.length >= maxRecipients) throw new Failure('too_many_recipients', { most: maxRecipients });
  if (!saveAnyway) refuseKnown(others, input);
  const id = randomUUID();
  const recipient = em.create(Recipient, { id, userId, ...stored(em, id, input), createdAt: at });
  await em.persist(recipient).flush();
  await openNameCheck(em, recipient, at);
  return recipient;
}

/**
 * Changes a sender's own recipient; transfers keep the copy they were opened with. A new name or account is checked
 * with the bank.
 * @throws Failure `not_found`, or `recipient_exists` unless saved anyway.
 */
export async function changeRecipient(
  em: EntityManager,
  { userId, id, input, saveAnyway, at }: Saving & { id: string },
): Promise<Recipient> {
  await lockUser(em, userId);
  await lockRecipient(em, id);
  const recipient = await findRecipient(em, userId, id);
  const before = await openReadable(em, recipient);
  if (!saveAnyway)
    refuseKnown(
      (await findOpen(em, userId)).filter((one) => one.id !== id),
      input,
      before,
    );
  if (!isSameAccount(before, input)) recipient.accountChangedAt = at;
  em.assign(recipient, { ...stored(em, id, input), version: recipient.version + 1 });
  await em.flush();
  await openNameCheck(em, recipient, at);
  return recipient;
}

/** The stored columns of the data that a sender saves. */
function stored(em: EntityManager, id: string, input: RecipientInput) {
  const { hashes, ...hidden } = hideNumbers(em, `recipient:${id}`, input);
  return { ...input, ...hidden, accountHash: hashes.account };
}

/** A recipient with decrypted numbers. @throws UnreadablePersonalData */
export async function openRecipient<Row extends Recipient>(
  em: EntityManager,
  recipient: Row,
): Promise<Row & PersonNumbers> {
  return { ...recipient, ...(await readNumbers(em, `recipient:${recipient.id}`, recipient)) };
}

/**
 * `openRecipient` for display and comparison, with empty numbers if they cannot be decrypted: the sender can enter them
 * again, and one damaged row does not hide the others.
 */
export async function openReadable<Row extends Recipient>(
  em: EntityManager,
  recipient: Row,
): Promise<Row & PersonNumbers> {
  try {
    return await openRecipient(em, recipient);
  } catch (error) {
    if (!(error instanceof UnreadablePersonalData)) throw error;
    return { ...recipient, ci: '', phone: '', bankAccount: '' };
  }
}

type Open = Recipient & PersonNumbers;

/** All of a sender's recipients, with their rows. */
async function findOpen(em: EntityManager, userId: string): Promise<(Open & { readonly row: Recipient })[]> {
  const rows = await em.find(Recipient, { userId, removedAt: null });
  return Promise.all(rows.map(async (row) => ({ ...(await openReadable(em, row)), row })));
}

/** Rejects duplicates of the sender's other recipients. Duplicates accepted `before` are not reported again. */
function refuseKnown(others: readonly Open[], input: RecipientInput, before: Open | null = null): void {
  const found = others.flatMap((other) => {
    const by = sameBy(other, input);
    return by && by !== (before && sameBy(other, before))
      ? [{ recipientId: other.id, name: other.name, sameBy: by }]
      : [];
  });
  const known = found.find((one) => one.sameBy === 'account') ?? found[0];
  if (known) throw new Failure('recipient_exists', known);
}

/** Removes a recipient from the list; the row stays for transfers that reference it. @throws Failure `not_found`. */
export async function removeRecipient(
  em: EntityManager,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const recipient = await findRecipient(em, userId, id);
  recipient.removedAt = at;
  await em.flush();
  await withdrawNameChecks(em, id);
}

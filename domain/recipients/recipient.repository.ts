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

/** A sender's own recipient. @throws Failure `not_found`, also for another person's. */
export async function findRecipient(em: EntityManager, userId: string, id: string): Promise<Recipient> {
  const recipient = await em.findOne(Recipient, { id, userId, removedAt: null });
  if (!recipient) throw new Failure('not_found');
  return recipient;
}

/** Recipients by their ids, also those taken off the list. */
export function findRecipientsById(em: EntityManager, ids: readonly string[]): Promise<Recipient[]> {
  return em.find(Recipient, { id: { $in: [...ids] } });
}

/** Locks a recipient's row until the transaction of `em` ends: whoever changes it or what is known of its name waits here. */
export async function lockRecipient(em: EntityManager, id: string): Promise<void> {
  // Transfers that are opened refer to the row, and need not wait.
  await em.execute('select from recipient where id = ? for no key update', [id]);
}

/** What is known of a recipient, whose row is locked, changed. */
export async function raiseVersion(em: EntityManager, id: string): Promise<void> {
  await em.execute('update recipient set version = version + 1 where id = ?', [id]);
}

/** Most recipients in one sender's address book; a person needs a handful. */
export const maxRecipients = 200;

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

/** What a sender saves. */
interface Saving {
  readonly userId: string;
  readonly input: RecipientInput;
  /** Also where somebody with this account or CI is there already. */
  readonly saveAnyway?: boolean | undefined;
  readonly at: Date;
}

/**
 * Adds a recipient in the transaction of `em`, and asks the bank whose the account is. The very same one again, by a double click or a repeated request, is the one
 * that is there: two alike could not be told apart, and an edit of one would leave the money going to the other.
 * @throws Failure `too_many_recipients`, or `recipient_exists` unless it is to be saved anyway.
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
 * Changes a sender's own recipient; transfers keep the copy they were opened with. The bank is asked about another name or account.
 * @throws Failure `not_found`, or `recipient_exists` unless it is to be saved anyway.
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

/** What a row has of what a sender saves. */
function stored(em: EntityManager, id: string, input: RecipientInput) {
  const { hashes, ...hidden } = hideNumbers(em, `recipient:${id}`, input);
  return { ...input, ...hidden, accountHash: hashes.account };
}

/** A recipient with the numbers as they are. @throws UnreadablePersonalData */
export async function openRecipient<Row extends Recipient>(
  em: EntityManager,
  recipient: Row,
): Promise<Row & PersonNumbers> {
  return { ...recipient, ...(await readNumbers(em, `recipient:${recipient.id}`, recipient)) };
}

/**
 * The same for what is shown or compared, with empty numbers where they cannot be read: their sender types them again, and one damaged row takes
 * none of the others away.
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

/** Refuses what another recipient of the sender has already. What a recipient had `before` was asked about then. */
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

/** Takes a recipient off the list; the row stays for the transfers that name it. @throws Failure `not_found`. */
export async function removeRecipient(
  em: EntityManager,
  { userId, id, at }: { userId: string; id: string; at: Date },
): Promise<void> {
  const recipient = await findRecipient(em, userId, id);
  recipient.removedAt = at;
  await em.flush();
  await withdrawNameChecks(em, id);
}

import { randomUUID } from 'node:crypto';
import { bareDocument, type DocumentType, type IdentityLevel } from '#core/accounts/tiers';
import { type EntityManager, personalDataOf } from '#platform/database/database';
import { type Page, type PageQuery, pageOptions, toPage } from '#platform/database/pages';
import { IdentityCheck } from './identity-check.entity.ts';

export type { IdentityCheck } from './identity-check.entity.ts';

/** Personal details as stated in a document. */
export interface IdentityDetails {
  readonly documentType: DocumentType;
  /** ISO 3166, two letters. */
  readonly country: string;
  readonly number: string;
  /** As in the document. */
  readonly legalName: string;
  /** "YYYY-MM-DD" */
  readonly birthDate: string;
}

const ownerOf = (id: string) => `identity_check:${id}` as const;
const ending = (number: string) => `•••${bareDocument(number).slice(-2)}`;

/** Stores a waiting check, in the transaction of `em`. */
export async function insertCheck(
  em: EntityManager,
  input: { userId: string; level: IdentityLevel; details: IdentityDetails; at: Date },
): Promise<IdentityCheck> {
  const { userId, level, details, at } = input;
  const { documentType, country, number, legalName, birthDate } = details;
  const personal = personalDataOf(em);
  const id = randomUUID();
  const named = `document:${country}:${documentType}:${bareDocument(number)}`;
  const check = em.create(IdentityCheck, {
    ...{ id, userId, level, state: 'waiting', documentType, country, legalName, birthDate, createdAt: at },
    number: ending(number),
    sealed: personal.seal(number, ownerOf(id)),
    numberHash: level === 'identity' ? personal.hash(named) : null,
  });
  await em.persist(check).flush();
  return check;
}

/**
 * Whether the document of a check was accepted for another account. Until the transaction of `em` ends, no other
 * account can be accepted with it. Checks of level `document` refer to one that was.
 */
export async function isAcceptedElsewhere(
  em: EntityManager,
  { userId, numberHash }: Pick<IdentityCheck, 'userId' | 'numberHash'>,
): Promise<boolean> {
  if (!numberHash) return false;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [numberHash]);
  return (await em.count(IdentityCheck, { numberHash, state: 'accepted', userId: { $ne: userId } })) > 0;
}

/** Waiting or accepted checks of other accounts with the same documents, oldest first. */
export async function findSameDocuments(
  em: EntityManager,
  userId: string,
  numberHashes: readonly string[],
): Promise<IdentityCheck[]> {
  if (numberHashes.length === 0) return [];
  const where = {
    numberHash: { $in: [...numberHashes] },
    state: { $ne: 'declined' as const },
    userId: { $ne: userId },
  };
  return em.find(IdentityCheck, where, { orderBy: { createdAt: 'asc', id: 'asc' }, limit: sameShown });
}

/** The document hashes that waiting or accepted checks of several accounts share. */
export async function findShared(em: EntityManager, numberHashes: readonly string[]): Promise<Set<string>> {
  if (numberHashes.length === 0) return new Set();
  const rows = await em.execute<{ number_hash: string }[]>(
    `select number_hash from identity_check where number_hash in (?) and state <> 'declined'
     group by number_hash having count(distinct user_id) > 1`,
    [numberHashes],
  );
  return new Set(rows.map(({ number_hash }) => number_hash));
}

/** Maximum other accounts with the same document that admins see. */
const sameShown = 20;

/** The unmasked document number of a check. @throws Error if it was erased. */
export async function readDocumentNumber(
  em: EntityManager,
  { id, sealed }: Pick<IdentityCheck, 'id' | 'sealed'>,
): Promise<string> {
  if (!sealed) throw new Error(`the number of ${ownerOf(id)} is lost`);
  return personalDataOf(em).open(sealed, ownerOf(id));
}

/** The current check with an id, or null. */
export function findCheck(em: EntityManager, id: string): Promise<IdentityCheck | null> {
  return em.findOne(IdentityCheck, { id }, { refresh: true });
}

/** A user's checks as shown to them or to admins, newest first. */
export function findChecksOf(em: EntityManager, userId: string, most: number): Promise<IdentityCheck[]> {
  return em.find(IdentityCheck, { userId }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: most });
}

/** A user's newest check at a level, or null. */
export function findNewestCheck(
  em: EntityManager,
  userId: string,
  level: IdentityLevel,
): Promise<IdentityCheck | null> {
  return em.findOne(IdentityCheck, { userId, level }, { orderBy: { createdAt: 'desc', id: 'desc' } });
}

/** Checks waiting for an admin, oldest first. @throws Failure `invalid_input` for a foreign cursor. */
export async function findWaitingChecks(em: EntityManager, query: PageQuery): Promise<Page<IdentityCheck>> {
  const orderBy = { createdAt: 'asc', id: 'asc' } as const;
  const options = { where: { state: 'waiting' as const }, orderBy, ...pageOptions(query, 'created') };
  return toPage(await em.findByCursor(IdentityCheck, options));
}

/**
 * Releases the documents of accounts closed before a moment, so that their owners can be verified in a new account. By
 * then the payments of the old account no longer count towards any limit.
 */
export async function releaseDocuments(em: EntityManager, before: Date): Promise<void> {
  await em.execute(
    `update identity_check set number_hash = null from app_user
     where app_user.id = user_id and closed_at < ? and legal_hold_at is null and number_hash is not null`,
    [before],
  );
}

/** Re-encrypts the number of a check (rotate-encryption-keys.ts). */
export async function sealAgain(
  em: EntityManager,
  row: { readonly id: string; readonly sealed: string },
): Promise<void> {
  const personal = personalDataOf(em);
  const sealed = personal.seal(await personal.open(row.sealed, ownerOf(row.id)), ownerOf(row.id));
  await em.execute('update identity_check set sealed = ? where id = ? and sealed = ?', [sealed, row.id, row.sealed]);
}

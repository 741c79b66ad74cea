import type { RevealReason } from '#core/accounts/admin-roles';
import { type IdentityDeclineReason, type IdentityLevel, tiers } from '#core/accounts/tiers';
import { Failure } from '#core/contracts/failures';
import { invalidInput } from '#core/contracts/invalid-input';
import { ageOn, maximumAge, minimumAge } from '#core/transfers/sender-age';
import type { Database, EntityManager } from '#platform/database/database';
import { lockUser, refuseUnproven, type User } from '../accounts/account.repository.ts';
import { insertAttachment, type NewFile } from '../attachments/attachment.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import {
  findCheck,
  findNewestCheck,
  type IdentityCheck,
  type IdentityDetails,
  insertCheck,
  isAcceptedElsewhere,
  readDocumentNumber,
} from './identity.repository.ts';
import type { IdentityVerifier } from './verifier.ts';

interface Services {
  readonly database: Database;
  readonly verifier: IdentityVerifier;
}

/**
 * Checks a person's details and document for the second tier. Undecided checks wait for an admin, including those whose
 * process ended before the verifier was called. A document that was accepted for another account is declined at once.
 * @throws Failure `email_unproven`, `identity_settled` while a check is waiting or after it was accepted, `under_age`,
 * `invalid_input`.
 */
export async function submitIdentity(
  services: Services,
  { userId, details, at }: { userId: string; details: IdentityDetails; at: Date },
): Promise<void> {
  const { check, isSettled } = await services.database.transaction(async (em) => {
    const user = await lockOpen(em, userId, 'identity');
    refuseAge(details.birthDate, at);
    const check = await insertCheck(em, { userId, level: 'identity', details, at });
    await tellSubmitted(em, check);
    const isInUse = await isAcceptedElsewhere(em, check);
    if (isInUse) await settle(em, { checkId: check.id, userId, ...declinedAsInUse, at });
    // The birth date differs from the account's: an admin has to see both.
    const isOther = user.birthDate != null && user.birthDate !== details.birthDate;
    return { check, isSettled: isInUse || isOther };
  });
  if (isSettled) return;
  await verify(services, check, { number: details.number, files: [], at });
}

/**
 * Submits photos of the previously accepted document, for the third tier.
 * @throws Failure `identity_missing` before that was accepted, `identity_settled`, `too_many_files`.
 */
export async function submitDocument(
  services: Services,
  { userId, files, at }: { userId: string; files: readonly NewFile[]; at: Date },
): Promise<void> {
  const { check, number } = await services.database.transaction(async (em) => {
    await lockOpen(em, userId, 'document');
    const known = await findNewestCheck(em, userId, 'identity');
    if (known?.state !== 'accepted') throw new Failure('identity_missing');
    const number = await readDocumentNumber(em, known);
    const check = await insertCheck(em, { userId, level: 'document', details: { ...known, number }, at });
    const added = { subject: { identityCheckId: check.id }, transferId: null, personId: userId, at };
    for (const file of files) await insertAttachment(em, { ...added, file });
    await tellSubmitted(em, check);
    return { check, number };
  });
  await verify(services, check, { number, files, at });
}

/**
 * An admin's decision on a waiting check, in the transaction of `em`; never on their own.
 * @throws Failure `not_found`, `forbidden`, `identity_settled` when it was already decided, `document_in_use` when it
 * cannot be accepted.
 */
export async function decideIdentity(
  em: EntityManager,
  input: { checkId: string; adminId: string; reason: IdentityDeclineReason | null; note: string; at: Date },
): Promise<IdentityCheck> {
  const { checkId, adminId, reason, note, at } = input;
  const known = await findCheck(em, checkId);
  if (!known) throw new Failure('not_found');
  if (known.userId === adminId) throw new Failure('forbidden');
  const check = await settle(em, { checkId, userId: known.userId, reason, note, decidedById: adminId, at });
  if (!check) throw new Failure('identity_settled');
  return check;
}

/**
 * The unmasked document number of a check. The access and its reason are audited in the same transaction.
 * @throws Failure `not_found`.
 */
export async function revealDocument(em: EntityManager, checkId: string, reason: RevealReason): Promise<string> {
  const check = await findCheck(em, checkId);
  if (!check?.sealed) throw new Failure('not_found');
  await writeAudit(em, 'document_number_revealed', { subject: check.userId, detail: { check: checkId, reason } });
  return readDocumentNumber(em, check);
}

/** Locks the account of a user who may be checked at a level: no check at it is waiting or accepted. */
async function lockOpen(em: EntityManager, userId: string, level: IdentityLevel): Promise<User> {
  const user = await lockUser(em, userId);
  if (user.blockedAt) throw new Failure('account_blocked');
  refuseUnproven(user);
  const newest = await findNewestCheck(em, userId, level);
  if (newest && newest.state !== 'declined') throw new Failure('identity_settled');
  return user;
}

function tellSubmitted(em: EntityManager, { id: check, userId, level }: IdentityCheck): Promise<void> {
  return writeAudit(em, 'identity_submitted', { subject: userId, detail: { check, level } });
}

function refuseAge(birthDate: string, at: Date): void {
  const age = ageOn(birthDate, at);
  if (age > maximumAge) throw invalidInput({ birthDate: 'birth_date_missing' });
  if (age < minimumAge) throw new Failure('under_age', { minimumAge });
}

/** Calls the verifier after the commit, so that its answer concerns a stored row whatever else happens. */
async function verify(
  { database, verifier }: Services,
  check: IdentityCheck,
  { number, files, at }: { number: string; files: readonly NewFile[]; at: Date },
): Promise<void> {
  const { id: checkId, userId, level, documentType, country, legalName, birthDate } = check;
  const said = { level, documentType, country, legalName, birthDate, number };
  const verdict = await verifier.check({ checkId, ...said, files });
  if (verdict.outcome === 'review') return;
  const reason = verdict.outcome === 'declined' ? verdict.reason : null;
  await database.transaction((em) => settle(em, { checkId, userId, reason, note: null, decidedById: null, at }));
}

const declinedAsInUse = { reason: 'in_use', note: null, decidedById: null } as const;

/**
 * Settles a waiting check: without a reason it is accepted, and the user reaches its tier. Null if it no longer waits.
 */
async function settle(
  em: EntityManager,
  input: {
    checkId: string;
    userId: string;
    reason: IdentityDeclineReason | null;
    note: string | null;
    decidedById: string | null;
    at: Date;
  },
): Promise<IdentityCheck | null> {
  const { checkId, userId, reason, note, decidedById, at } = input;
  const user = await lockUser(em, userId).catch((error) => {
    throw error instanceof Failure ? new Failure('account_closed') : error;
  });
  const check = await findCheck(em, checkId);
  if (check?.state !== 'waiting') return null;
  if (!reason && (await isAcceptedElsewhere(em, check))) {
    // The admin gets an error instead: they see the other account, and may decline it for another reason.
    if (decidedById) throw new Failure('document_in_use');
    return settle(em, { checkId, userId, ...declinedAsInUse, at });
  }
  const { level, birthDate } = check;
  const state = reason ? 'declined' : 'accepted';
  em.assign(check, { state, reason, note, decidedById, decidedAt: at });
  if (state === 'accepted') {
    if (tiers.indexOf(level) > tiers.indexOf(user.tier)) user.tier = level;
    if (level === 'identity') user.birthDate = birthDate;
  }
  await em.flush();
  const detail = { check: checkId, level, state, reason, by: decidedById ? 'admin' : 'verifier' };
  await writeAudit(em, 'identity_decided', { subject: userId, detail });
  await addEmail(em, {
    ...{ kind: 'identity_checked', key: `identity_checked-${checkId}`, userId, at },
    data: { level, reason },
  });
  return check;
}

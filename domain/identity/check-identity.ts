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
 * Checks a person by what they say of themselves and their document, for the second tier. What the verifier does not decide waits for an
 * admin, and so does what it was not asked about because the process ended. A document that was accepted for another account is declined at once.
 * @throws Failure `email_unproven`, `identity_settled` when it waits or was accepted, `under_age`, `invalid_input`.
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
    // The account has said something else before: a person is to see both.
    const isOther = user.birthDate != null && user.birthDate !== details.birthDate;
    return { check, isSettled: isInUse || isOther };
  });
  if (isSettled) return;
  await verify(services, check, { number: details.number, files: [], at });
}

/**
 * Checks a person by pictures of the document that they named before, for the third tier.
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
 * An admin's decision about a check that waits, in the transaction of `em`; never about their own.
 * @throws Failure `not_found`, `forbidden`, `identity_settled` when somebody decided it before, `document_in_use` where it would be accepted.
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

/** The number of a check's document as it is; who asked for it, and what for, is written in the same transaction. @throws Failure `not_found`. */
export async function revealDocument(em: EntityManager, checkId: string, reason: RevealReason): Promise<string> {
  const check = await findCheck(em, checkId);
  if (!check?.sealed) throw new Failure('not_found');
  await writeAudit(em, 'document_number_revealed', { subject: check.userId, detail: { check: checkId, reason } });
  return readDocumentNumber(em, check);
}

/** The account, locked, whose person may be checked at a level: neither waits such a check nor was one accepted. */
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

/** Asks the verifier after the commit: what it answers is about a row that stays, whatever happens meanwhile. */
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

/** Ends a check that waits: without a reason it is accepted, and its person reaches its tier. Null where it waits no more. */
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
    // An admin is told instead: they see the other account, and may decline it for another reason.
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

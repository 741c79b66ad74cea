import { randomUUID } from 'node:crypto';
import type { RevealReason } from '#core/accounts/admin-roles';
import { isPermitted } from '#core/accounts/roles';
import { Failure } from '#core/contracts/failures';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import type { SendingLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import {
  adminRoleOf,
  findUser,
  findUsersById,
  lockUser,
  secondPersonFrom,
  type User,
} from '../accounts/account.repository.ts';
import { recordChange } from '../accounts/account-change.repository.ts';
import { findLegalHolds } from '../accounts/legal-hold.repository.ts';
import { nothingToAudit, writeAudit } from '../audit/audit.repository.ts';
import { bumpCaseVersions, closeCasesAbout, openCase } from '../desk/desk-case.repository.ts';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import { readChecks } from '../identity/identity-views.ts';
import { readDashboard } from '../own-account/dashboard.ts';
import { readPhone } from '../personal-data/personal-data.ts';
import { resumeHeldOperations } from '../provider-calls/operation.repository.ts';
import { endPendingChanges } from '../sign-in/pending-changes.repository.ts';
import { dropSecondFactor, recordSecondFactorChange, secondFactorSince } from '../sign-in/second-factor.repository.ts';
import { endSessions } from '../sign-in/session.repository.ts';
import { lockTransfersUnderWay } from '../transfers/transfer.repository.ts';
import { AccountBlock, AccountNote } from './account-block.entity.ts';
import { findRoleRequest } from './role-request.repository.ts';

/** Rows shown of each history, newest first. */
const shown = 50;

/**
 * Blocks an account or lifts the block, in the transaction of `em`. A blocked user is signed out everywhere and can
 * neither sign in nor start a payment. Money already under way stays where it is until an admin decides (core/holds).
 * Idempotent.
 * @throws Failure `not_found`, `admin_not_blockable`, `account_closed`.
 */
export async function setBlocked(
  em: EntityManager,
  input: { userId: string; blocked: boolean; reason: string; adminId: string; at: Date },
): Promise<void> {
  const { userId, blocked, reason, adminId, at } = input;
  const known = await findUser(em, userId);
  if (!known) throw new Failure('not_found');
  if (known.closedAt) throw new Failure('account_closed');
  // Concurrent sign-ins and payments of this user either wait for this transaction or have finished, and their sessions
  // end too.
  const user = await lockUser(em, userId);
  // Admins cannot block themselves or one another; only the operator locks admin accounts.
  if (user.role === 'admin') throw new Failure('admin_not_blockable');
  if ((user.blockedAt != null) === blocked) return nothingToAudit('account_block_changed');
  user.blockedAt = blocked ? at : null;
  em.persist(em.create(AccountBlock, { id: randomUUID(), userId, blocked, reason, byId: adminId, at }));
  await writeAudit(em, 'account_block_changed', { subject: userId, detail: { blocked } });
  await holdTransfersOf(em, userId, { blocked, reason, at });
  if (!blocked) return;
  await endSessions(em, [userId], at);
  await endPendingChanges(em, [userId], at);
}

/**
 * Opens a case for every transfer of a blocked sender whose money is under way; lifting the block resumes them.
 * Requests awaiting a second person end, because their authors did not know of the change.
 */
async function holdTransfersOf(
  em: EntityManager,
  userId: string,
  { blocked, reason, at }: { blocked: boolean; reason: string; at: Date },
): Promise<void> {
  for (const { id: transferId, state } of await lockTransfersUnderWay(em, userId)) {
    if (await endWaitingRequests(em, transferId, { event: 'facts_changed', at }))
      await bumpCaseVersions(em, transferId);
    if (blocked) {
      // For a second payout on a completed transfer, row-jobs/run-operation.ts opens and closes the case.
      if (state !== 'completed') await openCase(em, { transferId, reason: 'sender_blocked', details: reason, at });
    } else {
      await closeCasesAbout(em, { transferId, reasons: ['sender_blocked'], outcome: 'sender_unblocked', at });
    }
    await resumeHeldOperations(em, transferId, at);
  }
}

/**
 * A user's unmasked phone number. The access and its reason are audited in the same transaction.
 * @throws Failure `not_found`, also when the user has no phone number.
 */
export async function revealPhone(em: EntityManager, userId: string, reason: RevealReason): Promise<string> {
  const user = await findUser(em, userId);
  const phone = user && (await readPhone(em, user));
  if (!phone) throw new Failure('not_found');
  await writeAudit(em, 'account_phone_revealed', { subject: userId, detail: { reason } });
  return phone;
}

/** Adds a note to an account, in the transaction of `em`. @throws Failure `not_found`. */
export async function addAccountNote(
  em: EntityManager,
  { userId, ...note }: { userId: string; authorId: string; text: string; at: Date },
): Promise<void> {
  if (!(await findUser(em, userId))) throw new Failure('not_found');
  em.persist(em.create(AccountNote, { id: randomUUID(), userId, ...note }));
  await writeAudit(em, 'account_noted', { subject: userId });
}

/**
 * Removes the second factors of a user who lost phone and codes, in the transaction of `em`: their sessions end, a note
 * records the reason and an e-mail notifies them. Admins cannot reset their own: a stolen session must not be able to
 * remove it.
 * @throws Failure `not_found`, `forbidden`, `second_factor_changed` when the account has no second factor.
 */
export async function resetSecondFactor(
  em: EntityManager,
  input: { userId: string; reason: string; adminId: string; at: Date },
): Promise<void> {
  const { userId, reason, adminId, at } = input;
  if (userId === adminId) throw new Failure('forbidden');
  if (!(await findUser(em, userId))) throw new Failure('not_found');
  const user = await lockUser(em, userId);
  if (!(await secondFactorSince(em, userId))) throw new Failure('second_factor_changed');
  const undo = await recordChange(em, { user, kind: 'factor', at });
  await dropSecondFactor(em, userId);
  await endSessions(em, [userId], at);
  await addAccountNote(em, { userId, authorId: adminId, text: reason, at });
  await recordSecondFactorChange(em, { userId, change: 'reset', undo, at });
}

/**
 * A user as an admin sees them: limits at a moment, blocks and notes, and legal holds for admins who may set them.
 * @throws Failure `not_found`.
 */
export async function readUserDetail(
  em: EntityManager,
  limits: SendingLimits,
  { userId, viewer, at }: { userId: string; viewer: User; at: Date },
): Promise<AdminUserDetail> {
  const user = await findUser(em, userId);
  if (!user) throw new Failure('not_found');
  const newest = { orderBy: { at: 'desc', id: 'desc' }, limit: shown } as const;
  const blocks = await em.find(AccountBlock, { userId }, newest);
  const notes = await em.find(AccountNote, { userId }, newest);
  const holds = isPermitted(adminRoleOf(viewer), 'holdUser') ? await findLegalHolds(em, userId, shown) : null;
  const request = await findRoleRequest(em, userId);
  const deciders = [...blocks, ...(holds ?? [])].map(({ byId }) => byId);
  if (request) deciders.push(request.requestedById);
  const people = await findUsersById(em, [...deciders, ...notes.map(({ authorId }) => authorId)]);
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? '';
  const sums = await readDashboard(em, limits, { userId, tier: user.tier, at });
  const { balance: monthLeft, dayLeft, dayLimit, monthLimit } = sums;
  return {
    ...{ id: user.id, name: user.name, email: user.email, role: user.role, adminRole: adminRoleOf(user) },
    roleRequest: request && {
      role: request.role,
      requestedById: request.requestedById,
      requestedBy: nameOf(request.requestedById),
      at: request.requestedAt.toISOString(),
    },
    secondPersonFrom: secondPersonFrom(user, at)?.toISOString() ?? null,
    ...{ phone: user.phone ?? null, city: user.city ?? null, birthDate: user.birthDate ?? null },
    createdAt: user.createdAt.toISOString(),
    secondFactorSince: (await secondFactorSince(em, userId))?.toISOString() ?? null,
    lastActive: user.lastActiveAt?.toISOString() ?? null,
    closedAt: user.closedAt?.toISOString() ?? null,
    blockedAt: user.blockedAt?.toISOString() ?? null,
    transactionsCount: sums.transferCount,
    totalVolume: sums.totalSent,
    ...{ tier: user.tier, identityChecks: await readChecks(em, userId) },
    limits: { dayLimit, dayLeft, monthLimit, monthLeft },
    blocks: blocks.map(({ blocked, reason, byId, at: when }) => ({
      ...{ blocked, reason, by: nameOf(byId), at: when.toISOString() },
    })),
    holds:
      holds?.map(({ held, reason, byId, at: when }) => ({ held, reason, by: nameOf(byId), at: when.toISOString() })) ??
      null,
    notes: notes.map(({ text, authorId, at: when }) => ({ text, author: nameOf(authorId), at: when.toISOString() })),
  };
}

import { identityLevels, tiers } from '#core/accounts/tiers';
import type { AdminUserDetail } from '#core/contracts/http/admin-users';
import type { IdentityView, WaitingCheck } from '#core/contracts/http/identity';
import type { IdentityCheckView, TierView } from '#core/contracts/http/identity-views';
import { formatMinor } from '#core/money/money';
import { limitsByTier, type TieredLimits } from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import type { PageQuery } from '#platform/database/pages';
import { findUsersById, type User } from '../accounts/account.repository.ts';
import { findAttachments } from '../attachments/attachment.repository.ts';
import { sumSent } from '../transfers/transfer-figures.repository.ts';
import {
  findChecksOf,
  findNewestCheck,
  findSameDocuments,
  findShared,
  findWaitingChecks,
  type IdentityCheck,
} from './identity.repository.ts';

/** Maximum checks of one user that admins see, newest first. */
const shown = 20;

/** A user's tier, its limits, and how much of them is used. */
export async function readIdentity(
  em: EntityManager,
  limits: TieredLimits,
  { user, at }: { user: Pick<User, 'id' | 'tier'>; at: Date },
): Promise<IdentityView> {
  const sent = await sumSent(em, user.id, at);
  const [identity = null, document = null] = await Promise.all(
    identityLevels.map(async (level) => {
      const check = await findNewestCheck(em.fork(), user.id, level);
      return check && toCheckView(check);
    }),
  );
  return {
    tier: user.tier,
    tiers: tierViews(limits),
    sent: { day: formatMinor(sent.dayUsdMinor), month: formatMinor(sent.monthUsdMinor) },
    ...{ identity, document },
  };
}

/** A user's checks as admins see them, with their files, newest first. */
export async function readChecks(em: EntityManager, userId: string): Promise<AdminUserDetail['identityChecks']> {
  const checks = await findChecksOf(em, userId, shown);
  const ids = checks.map(({ id }) => id);
  const files = await findAttachments(em, 'identityCheckId', ids);
  const same = await findSameDocuments(
    em,
    userId,
    checks.flatMap(({ numberHash }) => numberHash ?? []),
  );
  const people = await findUsersById(em, [
    ...checks.flatMap(({ decidedById }) => decidedById ?? []),
    ...same.map((other) => other.userId),
  ]);
  const nameOf = (id: string | null | undefined) => people.find((person) => person.id === id)?.name ?? null;
  return checks.map((check) => ({
    id: check.id,
    ...toCheckView(check),
    note: check.note ?? null,
    by: nameOf(check.decidedById),
    sameDocument: same
      .filter(({ numberHash }) => numberHash === check.numberHash)
      .map((other) => ({
        userId: other.userId,
        name: nameOf(other.userId) ?? '',
        accepted: other.state === 'accepted',
      })),
    files: files.get(check.id) ?? [],
  }));
}

/** A page of the checks waiting for an admin, oldest first. */
export async function listWaitingChecks(
  em: EntityManager,
  query: PageQuery,
): Promise<{ items: WaitingCheck[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await findWaitingChecks(em, query);
  const people = await findUsersById(
    em,
    rows.map(({ userId }) => userId),
  );
  const shared = await findShared(
    em,
    rows.flatMap(({ numberHash }) => numberHash ?? []),
  );
  const items = rows.map(({ id, userId, level, documentType, country, numberHash, createdAt }) => ({
    ...{ id, userId, level, documentType, country, createdAt: createdAt.toISOString() },
    sameDocument: numberHash != null && shared.has(numberHash),
    name: people.find((person) => person.id === userId)?.name ?? '',
  }));
  return { items, nextCursor };
}

function toCheckView(check: IdentityCheck): IdentityCheckView {
  const { level, state, documentType, country, number, legalName, birthDate, reason, createdAt, decidedAt } = check;
  return {
    ...{ level, state, documentType, country, number, legalName, birthDate, reason: reason ?? null },
    ...{ at: createdAt.toISOString(), decidedAt: decidedAt?.toISOString() ?? null },
  };
}

/** The limits of each tier, for display. */
export function tierViews(limits: TieredLimits): TierView[] {
  const byTier = limitsByTier(limits);
  return tiers.map((tier) => {
    const { paymentUsdMinor, dayUsdMinor, monthUsdMinor } = byTier[tier];
    return {
      ...{ tier, payment: formatMinor(paymentUsdMinor) },
      ...{ day: formatMinor(dayUsdMinor), month: formatMinor(monthUsdMinor) },
    };
  });
}

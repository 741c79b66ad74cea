import { Failure } from '#core/contracts/failures';
import type { SendCurrency } from '#core/money/money';
import { confirmationMs, type GuardRail } from '#core/rates/guard-rails';
import { formatRate, type Rate } from '#core/rates/rate';
import type { Database, EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { isStillPermitted, requireSecondPerson } from '../accounts/account.repository.ts';
import { writeAudit } from '../audit/audit.repository.ts';
import { evaluateGuardRails, type GuardRailRules } from './evaluate-guard-rails.ts';
import {
  expireUnconfirmed,
  expireUnconfirmedOf,
  findDueRateChanges,
  findOpenRateChange,
  findRateChange,
  insertRateChange,
  lockRateChanges,
  moveRateChange,
  type RateChange,
  type RateChangeOutcome,
} from './rate-change.repository.ts';
import { toRateChangeViews } from './rate-views.ts';
import { setRate } from './set-rate.ts';
import { emailWaitingChange } from './waiting-change-email.ts';

/**
 * Proposes a rate, in the transaction of `em`. Without a guard-rail hit it is in force at once, or scheduled if a time
 * is given; with a guard-rail hit it waits for another person.
 * @throws Failure `rate_change_open` with the `changeId` of the open one, `rate_reason_required` with the `guardRails`
 * hit.
 */
export async function proposeRateChange(
  em: EntityManager,
  rules: GuardRailRules,
  input: {
    currency: SendCurrency;
    rate: Rate;
    reason: string | null;
    activateAt: Date | null;
    proposedById: string;
    at: Date;
  },
): Promise<RateChange> {
  const { currency, rate, reason, activateAt, proposedById, at } = input;
  await lockRateChanges(em);
  await expireRateChanges(em, at);
  const open = await findOpenRateChange(em, currency);
  if (open) throw new Failure('rate_change_open', { changeId: String(open.id) });
  const { guardRails, inForce } = await evaluateGuardRails(em, rules, { currency, rate, at });
  const waits = guardRails.length > 0;
  if (waits && !reason) throw new Failure('rate_reason_required', { guardRails });
  if (activateAt && !reason) throw new Failure('rate_reason_required', { guardRails, scheduled: true });
  const change = await insertRateChange(em, {
    currency,
    rate,
    previousRate: inForce,
    state: waits ? 'awaiting_confirmation' : activateAt ? 'scheduled' : 'activated',
    proposedById,
    proposedAt: at,
    awaitingSince: waits ? at : null,
    reason,
    guardRails,
    activateAt,
    activatedAt: waits || activateAt ? null : at,
  });
  await audit(em, 'rate_proposed', change);
  return followUp(em, change, at);
}

/**
 * Confirms a change as the second person: puts the rate in force, or on schedule if it is not due. The guard-rails are
 * evaluated again, and the confirmation is recorded with all that were hit.
 * @throws Failure `not_found`, `rate_change_closed`, `second_person_needed`.
 */
export async function confirmRateChange(
  em: EntityManager,
  rules: GuardRailRules,
  input: { changeId: bigint; personId: string; at: Date },
): Promise<RateChange> {
  const { personId, at } = input;
  await lockRateChanges(em);
  const change = await requireChange(em, input.changeId);
  if (change.state !== 'awaiting_confirmation' || isExpired(change, at)) throw closed(change);
  if (change.proposedById === personId) throw new Failure('second_person_needed');
  await requireSecondPerson(em, { personId, requestedById: change.proposedById, at });
  if (!(await isStillPermitted(em, change.proposedById, 'setRate'))) throw closed(change);
  const now = await evaluateGuardRails(em, rules, { ...change, at });
  const guardRails = union(change.guardRails, now.guardRails);
  const agreement = { guardRails, decidedById: personId, decidedAt: at };
  await moveRateChange(em, change, change.state, { ...agreement, ...activatedOrScheduled(change, at) });
  await audit(em, 'rate_confirmed', change);
  return followUp(em, change, at);
}

/**
 * Closes an open change: cancelled when its author does it, declined when another admin does. @throws Failure `not_found`,
 * `rate_change_closed`.
 */
export async function declineRateChange(
  em: EntityManager,
  input: { changeId: bigint; personId: string; at: Date },
): Promise<RateChange> {
  const { personId, at } = input;
  await lockRateChanges(em);
  const change = await requireChange(em, input.changeId);
  const { state } = change;
  if ((state !== 'awaiting_confirmation' && state !== 'scheduled') || isExpired(change, at)) throw closed(change);
  const end = change.proposedById === personId ? ('cancelled' as const) : ('declined' as const);
  await moveRateChange(em, change, state, { state: end, decidedById: personId, decidedAt: at });
  await audit(em, 'rate_declined', change);
  return followUp(em, change, at);
}

/**
 * Activates a scheduled change if it is due; does nothing otherwise, so it can be called any number of times. New
 * guard-rail hits that no second person has accepted make it wait for one.
 */
export async function activateDueRateChange(
  em: EntityManager,
  rules: GuardRailRules,
  input: { changeId: bigint; at: Date },
): Promise<void> {
  const { at } = input;
  await lockRateChanges(em);
  const change = await findRateChange(em, input.changeId);
  if (change?.state !== 'scheduled' || !isDue(change, at)) return;
  const { guardRails: hit } = await evaluateGuardRails(em, rules, { ...change, at });
  const agreed = change.decidedById ? change.guardRails : [];
  if (hit.every((guardRail) => agreed.includes(guardRail))) {
    await moveRateChange(em, change, 'scheduled', activatedOrScheduled(change, at));
  } else {
    await moveRateChange(em, change, 'scheduled', {
      state: 'awaiting_confirmation',
      guardRails: union(change.guardRails, hit),
      awaitingSince: at,
      decidedById: null,
      decidedAt: null,
    });
  }
  await followUp(em, change, at);
}

/** Ids of due scheduled changes. */
export async function dueRateChanges(em: EntityManager, at: Date): Promise<bigint[]> {
  return (await findDueRateChanges(em, at)).map(({ id }) => id);
}

/** Closes changes that were not confirmed within a day. */
export async function expireRateChanges(em: EntityManager, at: Date): Promise<void> {
  await pushChanges(em, await expireUnconfirmed(em, new Date(at.getTime() - confirmationMs)));
}

/** Closes a user's unconfirmed changes, because they may no longer set rates. */
export async function endRateChangesOf(em: EntityManager, personId: string): Promise<void> {
  await lockRateChanges(em);
  await pushChanges(em, await expireUnconfirmedOf(em, personId));
}

async function pushChanges(em: EntityManager, ids: readonly bigint[]): Promise<void> {
  for (const id of ids) addPush(em, 'rate-change-updated', { changeId: String(id) });
  await em.flush();
}

/**
 * Acts on a change in one transaction. A failure because of another change carries the current `change`.
 * @throws Failure
 */
export async function attemptRateChange<Result>(
  database: Database,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.transaction(work);
  } catch (error) {
    if (!(error instanceof Failure) || typeof error.details.changeId !== 'string') throw error;
    const em = database.fork();
    const change = await findRateChange(em, BigInt(error.details.changeId));
    if (!change) throw error;
    const [view] = await toRateChangeViews(em, [change]);
    throw new Failure(error.code, { change: view });
  }
}

function activatedOrScheduled(change: RateChange, at: Date): RateChangeOutcome {
  return isDue(change, at) ? { state: 'activated', activatedAt: at } : { state: 'scheduled' };
}

/** Applies a change's new state: a rate in force, a job for its time, an e-mail to admins who may confirm, a push. */
async function followUp(em: EntityManager, change: RateChange, at: Date): Promise<RateChange> {
  const { id, state, currency, rate, proposedById, activateAt } = change;
  if (state === 'activated') await setRate(em, { currency, rate, setById: proposedById, at, changeId: id });
  if (state === 'scheduled' && activateAt) {
    addJob(em, 'activate-rate-change', { changeId: String(id) }, { runAt: activateAt });
  }
  if (state === 'awaiting_confirmation') await emailWaitingChange(em, change, at);
  addPush(em, 'rate-change-updated', { changeId: String(id) });
  await em.flush();
  return change;
}

function audit(
  em: EntityManager,
  kind: 'rate_proposed' | 'rate_confirmed' | 'rate_declined',
  { id, currency, rate, state }: RateChange,
): Promise<void> {
  return writeAudit(em, kind, { subject: String(id), detail: { currency, rate: formatRate(rate), state } });
}

async function requireChange(em: EntityManager, id: bigint): Promise<RateChange> {
  const change = await findRateChange(em, id);
  if (!change) throw new Failure('not_found');
  return change;
}

const closed = ({ id }: RateChange) => new Failure('rate_change_closed', { changeId: String(id) });

const isDue = ({ activateAt }: RateChange, at: Date) => !activateAt || activateAt <= at;

/** Too late to confirm, even if it is not closed yet. */
const isExpired = ({ state, awaitingSince }: RateChange, at: Date) =>
  state === 'awaiting_confirmation' && !!awaitingSince && at.getTime() - awaitingSince.getTime() >= confirmationMs;

const union = (...parts: (readonly GuardRail[])[]) => [...new Set(parts.flat())];

import { Failure } from '#core/contracts/failures';
import type { SendCurrency } from '#core/money/money';
import { type GuardRail, hitGuardRails, type PastRate } from '#core/rates/guard-rails';
import { chain, fallbackEurUsd, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { addJob, addPush } from '#platform/outbox/outbox';
import { mailWaitingChange } from '../notifications/email.repository.ts';
import { newestEurUsd, referenceRates } from '../rate-sources/observation.repository.ts';
import { setRate } from './current-rates.ts';
import { RateChange } from './rate.entity.ts';

/** How long a change waits for a second person, in ms. */
export const confirmationMs = dayMs;

/** What the guard-rails measure with. */
export interface RateRules {
  /** How often sources are asked, in ms: what is much older is no reference. */
  readonly everyMs: number;
  readonly maxStepBasisPoints: bigint;
}

/** What becomes of a change, besides its state. */
type Outcome = Partial<
  Pick<RateChange, 'state' | 'guardRails' | 'awaitingSince' | 'decidedById' | 'decidedAt' | 'activatedAt'>
>;

/**
 * Asks for a rate, in the transaction of `em`. With no guard-rail hit and no hour it is in force at once; with an hour it is
 * scheduled; with a guard-rail hit it waits for another person. @throws Failure `rate_change_open` with the
 * `changeId` in the way, `rate_reason_required` with the `guardRails` hit.
 */
export async function proposeRateChange(
  em: EntityManager,
  rules: RateRules,
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
  await lockDesk(em);
  await expireRateChanges(em, at);
  const open = await em.findOne(RateChange, { currency, state: { $in: ['awaiting_confirmation', 'scheduled'] } });
  if (open) throw new Failure('rate_change_open', { changeId: String(open.id) });
  const lastDay = await ratesOfLastDay(em, currency, at);
  const guardRails = await evaluate(em, rules, { currency, rate, lastDay, at });
  if (guardRails.length > 0 && !reason) throw new Failure('rate_reason_required', { guardRails });
  if (activateAt && !reason) {
    throw new Failure('rate_reason_required', { guardRails, scheduled: true });
  }
  const waits = guardRails.length > 0;
  const change = em.create(RateChange, {
    currency,
    rate,
    previousRate: lastDay.at(-1)?.rate ?? null,
    state: waits ? 'awaiting_confirmation' : activateAt ? 'scheduled' : 'activated',
    proposedById,
    proposedAt: at,
    awaitingSince: waits ? at : null,
    reason,
    guardRails,
    decidedById: null,
    decidedAt: null,
    activateAt,
    activatedAt: waits || activateAt ? null : at,
  });
  await em.persist(change).flush();
  return carryOn(em, change, at);
}

/**
 * The second person's agreement: puts the rate in force, or on schedule while its hour has not come. The guard-rails are
 * evaluated again, and the agreement is recorded with all that were hit. @throws Failure `not_found`, `rate_change_closed`,
 * `second_person_needed`.
 */
export async function confirmRateChange(
  em: EntityManager,
  rules: RateRules,
  input: { changeId: bigint; personId: string; at: Date },
): Promise<RateChange> {
  const { personId, at } = input;
  await lockDesk(em);
  const change = await findChange(em, input.changeId);
  if (change.state !== 'awaiting_confirmation' || isExpired(change, at)) throw closed(change);
  if (change.proposedById === personId) throw new Failure('second_person_needed');
  const guardRails = union(change.guardRails, await evaluateNow(em, rules, change, at));
  const agreement = { guardRails, decidedById: personId, decidedAt: at };
  await move(em, change, change.state, { ...agreement, ...next(change, at) });
  return carryOn(em, change, at);
}

/**
 * Gives an open change up: whoever asked for it cancels, anybody else declines. @throws Failure `not_found`,
 * `rate_change_closed`.
 */
export async function declineRateChange(
  em: EntityManager,
  input: { changeId: bigint; personId: string; at: Date },
): Promise<RateChange> {
  const { personId, at } = input;
  await lockDesk(em);
  const change = await findChange(em, input.changeId);
  const { state } = change;
  if ((state !== 'awaiting_confirmation' && state !== 'scheduled') || isExpired(change, at)) throw closed(change);
  const outcome = { decidedById: personId, decidedAt: at };
  const end = change.proposedById === personId ? ('cancelled' as const) : ('declined' as const);
  await move(em, change, state, { ...outcome, state: end });
  return carryOn(em, change, at);
}

/**
 * Puts a scheduled change in force if its hour has come; does nothing otherwise, so it may be asked for any number of times.
 * Guard-rails that are hit by now and that no second person has agreed to make it wait for one.
 */
export async function activateDueRateChange(
  em: EntityManager,
  rules: RateRules,
  input: { changeId: bigint; at: Date },
): Promise<void> {
  const { at } = input;
  await lockDesk(em);
  const change = await em.findOne(RateChange, { id: input.changeId }, { refresh: true });
  if (change?.state !== 'scheduled' || !isDue(change, at)) return;
  const now = await evaluateNow(em, rules, change, at);
  const agreed = change.decidedById ? change.guardRails : [];
  if (now.every((guardRail) => agreed.includes(guardRail))) {
    await move(em, change, 'scheduled', next(change, at));
  } else {
    await move(em, change, 'scheduled', {
      state: 'awaiting_confirmation',
      guardRails: union(change.guardRails, now),
      awaitingSince: at,
      decidedById: null,
      decidedAt: null,
    });
  }
  await carryOn(em, change, at);
}

/** Ids of scheduled changes whose hour has come. */
export async function dueRateChanges(em: EntityManager, at: Date): Promise<bigint[]> {
  const due = await em.find(RateChange, { state: 'scheduled', activateAt: { $lte: at } }, { orderBy: { id: 'asc' } });
  return due.map(({ id }) => id);
}

/** Closes changes that waited a day for a second person in vain. */
export async function expireRateChanges(em: EntityManager, at: Date): Promise<void> {
  const late = await em.find(
    RateChange,
    { state: 'awaiting_confirmation', awaitingSince: { $lte: new Date(at.getTime() - confirmationMs) } },
    { refresh: true },
  );
  for (const { id } of late) {
    const won = await em.nativeUpdate(RateChange, { id, state: 'awaiting_confirmation' }, { state: 'expired' });
    if (won > 0) addPush(em, 'rate-desk-changed', { changeId: String(id) });
  }
  await em.flush();
}

/** One lock for both currencies, because a euro without a rate of its own follows the dollar. */
async function lockDesk(em: EntityManager): Promise<void> {
  await em.execute("select pg_advisory_xact_lock(hashtext('chasqui-rate-desk'))");
}

/** In force, or on schedule while its hour has not come. */
function next(change: RateChange, at: Date): Outcome {
  return isDue(change, at) ? { state: 'activated', activatedAt: at } : { state: 'scheduled' };
}

/** A guarded update. @throws Failure `rate_change_closed` when somebody was first. */
async function move(em: EntityManager, change: RateChange, from: RateChange['state'], outcome: Outcome): Promise<void> {
  const won = await em.nativeUpdate(RateChange, { id: change.id, state: from }, outcome);
  await em.refresh(change);
  if (won === 0) throw closed(change);
}

/** What follows from a change's new state: a rate in force, a job for its hour, an e-mail to who may confirm, a push. */
async function carryOn(em: EntityManager, change: RateChange, at: Date): Promise<RateChange> {
  const { id, state, currency, rate, proposedById, activateAt } = change;
  if (state === 'activated') await setRate(em, { currency, rate, setById: proposedById, at, changeId: id });
  if (state === 'scheduled' && activateAt) {
    addJob(em, 'activate-rate-change', { changeId: String(id) }, { runAt: activateAt });
  }
  if (state === 'awaiting_confirmation') await mailWaitingChange(em, change, at);
  addPush(em, 'rate-desk-changed', { changeId: String(id) });
  await em.flush();
  return change;
}

async function findChange(em: EntityManager, id: bigint): Promise<RateChange> {
  const change = await em.findOne(RateChange, { id }, { refresh: true });
  if (!change) throw new Failure('not_found');
  return change;
}

const closed = ({ id }: RateChange) => new Failure('rate_change_closed', { changeId: String(id) });

const isDue = ({ activateAt }: RateChange, at: Date) => !activateAt || activateAt <= at;

/** Late, though nobody has closed it yet. */
const isExpired = ({ state, awaitingSince }: RateChange, at: Date) =>
  state === 'awaiting_confirmation' && !!awaitingSince && at.getTime() - awaitingSince.getTime() >= confirmationMs;

const union = (...parts: (readonly GuardRail[])[]) => [...new Set(parts.flat())];

async function evaluateNow(
  em: EntityManager,
  rules: RateRules,
  { currency, rate }: RateChange,
  at: Date,
): Promise<GuardRail[]> {
  return evaluate(em, rules, { currency, rate, lastDay: await ratesOfLastDay(em, currency, at), at });
}

async function evaluate(
  em: EntityManager,
  rules: RateRules,
  input: { currency: SendCurrency; rate: Rate; lastDay: readonly PastRate[]; at: Date },
): Promise<GuardRail[]> {
  const { currency, rate, lastDay, at } = input;
  const reference = (await referenceRates(em, at, rules.everyMs))[currency];
  return hitGuardRails({ rate, lastDay, reference, maxStepBasisPoints: rules.maxStepBasisPoints });
}

/**
 * The rates of a currency in force during the last 24 hours, oldest first, the one in force at their start included. While the
 * euro had no rate of its own it followed the dollar's.
 */
async function ratesOfLastDay(em: EntityManager, currency: SendCurrency, at: Date): Promise<PastRate[]> {
  const since = new Date(at.getTime() - dayMs);
  const own = await pastRates(em, currency, since);
  const ofOwn = own.rates.map(({ rate, agreedByTwo }) => ({ rate, agreedByTwo }));
  if (currency === 'USD' || own.reachesBack) return ofOwn;
  const eurUsd = (await newestEurUsd(em)) ?? fallbackEurUsd;
  const first = own.rates[0]?.id;
  const dollars = (await pastRates(em, 'USD', since)).rates.filter(({ id }) => first === undefined || id < first);
  return [...dollars.map(({ rate, agreedByTwo }) => ({ rate: chain(eurUsd, rate), agreedByTwo })), ...ofOwn];
}

/** A currency's own rates; `reachesBack` when one of them was in force at the start already. */
async function pastRates(em: EntityManager, currency: SendCurrency, since: Date) {
  const rows = await em.execute<{ id: string; rate: string; agreed: boolean; before: boolean }[]>(
    `select rate.id, rate.rate, change.decided_by_id is not null as agreed, rate.created_at <= ? as before
       from rate left join rate_change change on change.id = rate.change_id
      where rate.currency = ? and rate.id >= coalesce(
        (select max(id) from rate where currency = ? and created_at <= ?), 0)
      order by rate.id`,
    [since, currency, currency, since],
  );
  return {
    rates: rows.map(({ id, rate, agreed }) => ({ id: BigInt(id), rate: BigInt(rate) as Rate, agreedByTwo: agreed })),
    reachesBack: rows.some(({ before }) => before),
  };
}

import type { SendCurrency } from '#core/money/money';
import { type GuardRail, hitGuardRails, type PastRate } from '#core/rates/guard-rails';
import type { Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { referenceRates } from '../rate-observations/market-references.ts';
import { newestCrossRate } from '../rate-observations/observation.repository.ts';
import { deriveEuro } from './current-rates.ts';
import { ratesSince } from './rate.repository.ts';
import type { RateRules } from './rate-rules.ts';

/** The rules of the guard-rails. */
export type GuardRailRules = Pick<RateRules, 'everyMs' | 'maxStepBasisPoints'>;

/** The guard-rails that a rate would hit at a moment, and the rate in force then, or null. */
export async function evaluateGuardRails(
  em: EntityManager,
  rules: GuardRailRules,
  { currency, rate, at }: { currency: SendCurrency; rate: Rate; at: Date },
): Promise<{ guardRails: GuardRail[]; inForce: Rate | null }> {
  const lastDay = await ratesOfLastDay(em, currency, at);
  const reference = (await referenceRates(em, at, rules.everyMs))[currency];
  const guardRails = hitGuardRails({ rate, lastDay, reference, maxStepBasisPoints: rules.maxStepBasisPoints });
  return { guardRails, inForce: lastDay.at(-1)?.rate ?? null };
}

/**
 * The rates of a currency in force during the last 24 hours, oldest first, including the one in force at their start.
 * While the euro had no separate rate it followed the dollar's.
 */
async function ratesOfLastDay(em: EntityManager, currency: SendCurrency, at: Date): Promise<PastRate[]> {
  const since = new Date(at.getTime() - dayMs);
  const own = await ratesSince(em, currency, since);
  if (currency === 'USD' || own.some(({ atStart }) => atStart)) return own;
  const crossRate = await newestCrossRate(em);
  const first = own[0]?.id;
  const dollars = (await ratesSince(em, 'USD', since)).filter(({ id }) => first === undefined || id < first);
  const derived = dollars.map(({ rate, agreedByTwo }) => ({ rate: deriveEuro(rate, crossRate), agreedByTwo }));
  return [...derived, ...own];
}

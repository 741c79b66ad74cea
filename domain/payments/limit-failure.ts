import { Failure } from '#core/contracts/failures';
import { formatMinor, type SendCurrency } from '#core/money/money';
import { convertBack, type Rate } from '#core/rates/rate';
import {
  type LimitRefusal,
  limitsLeft,
  maximumMinor,
  maximumUsdMinor,
  minimumMinor,
  type WindowLimits,
} from '#core/transfers/limits';
import type { EntityManager } from '#platform/database/database';
import { findCountedPayments } from '../transfers/transfer-figures.repository.ts';

/** A payment that breaks a limit. */
interface RefusedPayment {
  readonly userId: string;
  readonly usdMinor: bigint;
  readonly currency: SendCurrency;
  readonly eurUsd: Rate;
  readonly limits: WindowLimits;
  readonly at: Date;
}

/** The failure of a payment that breaks a limit, with what the sender needs to choose another amount or to wait. */
export async function limitFailure(
  em: EntityManager,
  broken: LimitRefusal,
  { userId, usdMinor, currency, eurUsd, limits, at }: RefusedPayment,
): Promise<Failure> {
  if (broken === 'amount_too_small') return new Failure(broken, { minimum: formatMinor(minimumMinor), currency });
  if (broken === 'amount_too_large') {
    const maximum = formatMinor(maximumMinor(currency, eurUsd));
    return new Failure(broken, { maximumUsd: formatMinor(maximumUsdMinor), maximum, currency });
  }
  const payments = await findCountedPayments(em, userId, at);
  const { leftUsdMinor, availableAt } = limitsLeft(usdMinor, limits, payments, at);
  return new Failure(broken, {
    limitUsd: formatMinor(broken === 'day_limit_reached' ? limits.dayUsdMinor : limits.monthUsdMinor),
    leftUsd: formatMinor(leftUsdMinor),
    left: formatMinor(currency === 'USD' ? leftUsdMinor : convertBack(leftUsdMinor, eurUsd, 'down')),
    currency,
    availableAt: availableAt?.toISOString() ?? null,
  });
}

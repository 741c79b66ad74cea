import { divide } from './money.ts';

/** The one fee of the product: a fixed part in minor units of the sending currency plus a share in basis points. */
export interface FeeSchedule {
  readonly fixedMinor: bigint;
  readonly basisPoints: bigint;
}

/** 3.5 %, the fee of the product specification (section 9), unless configured otherwise. */
export const defaultFeeSchedule: FeeSchedule = { fixedMinor: 0n, basisPoints: 350n };

const basisPointsInOne = 10_000n;

/** Fee on an amount, in the amount's own minor units. Rounds up, and never takes more than the amount. */
export function feeOn(amountMinor: bigint, schedule: FeeSchedule): bigint {
  const fee = schedule.fixedMinor + divide(amountMinor * schedule.basisPoints, basisPointsInOne, 'up');
  return fee < amountMinor ? fee : amountMinor;
}

/**
 * The smallest amount that leaves at least `netMinor` after its fee, in minor units: the inverse of `feeOn`.
 * @throws RangeError when the fee takes everything, so that no amount leaves anything
 */
export function amountLeaving(netMinor: bigint, schedule: FeeSchedule): bigint {
  if (schedule.basisPoints >= basisPointsInOne) throw new RangeError('A fee of 100 % leaves nothing');
  return divide((netMinor + schedule.fixedMinor) * basisPointsInOne, basisPointsInOne - schedule.basisPoints, 'up');
}

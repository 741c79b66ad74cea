/**
 * Exchange rates at a moment of sandbox time. They are computed from the clock alone: all sites agree, also after a
 * restart, and a test can run through a month at once.
 */
import { createHash } from 'node:crypto';
import { chain, type Rate, share } from './figures.ts';

export interface Market {
  /** Milliseconds since the epoch: when this market began. */
  at: number;
  /** Bolivianos per dollar between banks. */
  usdBob: Rate;
  eurUsd: Rate;
  eurBob: Rate;
  /** The central bank's rates of the day in La Paz; it buys ten centavos below its selling rate. */
  officialBuy: Rate;
  officialSell: Rate;
  /** Dollars per euro as the European Central Bank fixed it that day. */
  euroFixing: Rate;
  /** Parallel market: ask and bid prices of USDT. */
  parallelAsk: Rate;
  parallelBid: Rate;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Rates change at this interval only, so that sites queried one after the other agree. */
const STEP_MS = 10 * MINUTE_MS;
const LA_PAZ_OFFSET_MS = -4 * 60 * MINUTE_MS;

const USD_BOB = 11.6;
const EUR_USD = 1.16;
const OFFICIAL_SPREAD = 100_000n;

/** One component of the movement: an interpolated pseudo-random value per `period`; `height` is relative to the mean. */
interface Wave {
  period: number;
  height: number;
}

const DOLLAR: Wave[] = [
  { period: 12 * DAY_MS, height: 0.004 },
  { period: 2 * DAY_MS, height: 0.0015 },
  { period: DAY_MS / 8, height: 0.0005 },
];
const EURO: Wave[] = [
  { period: 15 * DAY_MS, height: 0.004 },
  { period: DAY_MS / 4, height: 0.001 },
];
const PARALLEL: Wave[] = [
  { period: 3 * DAY_MS, height: 0.006 },
  { period: DAY_MS / 12, height: 0.001 },
];

/** Pseudo-random number from -1 to 1, determined by the name. */
function height(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE() / 0x7fffffff - 1;
}

function walk(seed: string, waves: Wave[], at: number): number {
  let sum = 0;
  for (const { period, height: most } of waves) {
    const index = Math.floor(at / period);
    const part = at / period - index;
    const smooth = part * part * (3 - 2 * part);
    const from = height(`${seed}/${period}/${index}`);
    const to = height(`${seed}/${period}/${index + 1}`);
    sum += most * (from + (to - from) * smooth);
  }
  return sum;
}

function rateOf(value: number): Rate {
  return BigInt(Math.round(value * 1e6));
}

function dollarAt(at: number): number {
  return USD_BOB * (1 + walk('usd', DOLLAR, at));
}

function euroAt(at: number): Rate {
  return rateOf(EUR_USD * (1 + walk('eur', EURO, at)));
}

/** Start of the day in La Paz. */
export function dayOf(millis: number): number {
  return Math.floor((millis + LA_PAZ_OFFSET_MS) / DAY_MS) * DAY_MS - LA_PAZ_OFFSET_MS;
}

/** The central bank's selling rate of the day, in whole centavos. */
function officialAt(millis: number): Rate {
  return share(rateOf(dollarAt(dayOf(millis))), 10_000, 2);
}

/** The market at this moment (milliseconds since the epoch, sandbox time). */
export function marketAt(millis: number): Market {
  const at = Math.floor(millis / STEP_MS) * STEP_MS;
  const dollar = dollarAt(at);
  const usdBob = rateOf(dollar);
  const eurUsd = euroAt(at);
  const parallel = dollar * (1.003 + walk('parallel', PARALLEL, at));
  const officialSell = officialAt(at);
  return {
    at,
    usdBob,
    eurUsd,
    eurBob: chain(eurUsd, usdBob),
    officialBuy: officialSell - OFFICIAL_SPREAD,
    officialSell,
    euroFixing: share(euroAt(dayOf(at)), 10_000),
    parallelAsk: rateOf(parallel * 1.002),
    parallelBid: rateOf(parallel * 0.998),
  };
}

/** The market with every rate multiplied by `percent`. */
export function distorted({ at, ...rates }: Market, percent: bigint): Market {
  const times = (rate: Rate) => (rate * percent) / 100n;
  return {
    at,
    usdBob: times(rates.usdBob),
    eurUsd: times(rates.eurUsd),
    eurBob: times(rates.eurBob),
    officialBuy: times(rates.officialBuy),
    officialSell: times(rates.officialSell),
    euroFixing: times(rates.euroFixing),
    parallelAsk: times(rates.parallelAsk),
    parallelBid: times(rates.parallelBid),
  };
}

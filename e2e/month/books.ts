/*
 * The books of who watches the month: they add up what was done, by arithmetic of their own. Amounts are minor units, rates millionths.
 */
export type SendCurrency = 'EUR' | 'USD';
/** What profit is made of; costs and losses are negative. */
export const parts = ['fee', 'margin', 'processor', 'loss'] as const;
export type Part = (typeof parts)[number];
export type Profit = Record<Part, bigint>;

/** Money that was earned or lost. */
interface Fact {
  readonly day: string;
  readonly currency: string;
  readonly part: Part;
  readonly minor: bigint;
  /** Null: it belongs to no transfer. */
  readonly transferId: string | null;
}

/** Our fee: 3.5 %, rounded up. */
export const feeOf = (amount: bigint): bigint => (amount * 350n + 9_999n) / 10_000n;
/** The amount for the family, rounded down. */
export const bolivianosOf = (net: bigint, rate: bigint): bigint => (net * rate) / 1_000_000n;
/** The exchange margin over the market rate, rounded towards zero. */
export const marginOf = (net: bigint, rate: bigint, reference: bigint): bigint =>
  (net * (reference - rate)) / reference;
/** What Stripe takes of a charge: 2.9 % and 30 minor units, half a unit rounded up. */
export const processorFeeOf = (amount: bigint): bigint => (amount * 29n + 500n) / 1_000n + 30n;
/** What a dispute costs, however it ends. */
export const disputeFee = 1_500n;
/** What Stripe takes, besides that, for answering a dispute, and returns when it is won. */
export const counteredFee = 1_500n;

/** Reads "-12.34". */
export function toMinor(text: string): bigint {
  const match = /^(-?)(\d+)\.(\d\d)$/.exec(text);
  if (!match) throw new Error(`not an amount: ${text}`);
  const minor = BigInt(`${match[2]}${match[3]}`);
  return match[1] ? -minor : minor;
}

export function toText(minor: bigint): string {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads a rate such as "11.6" or "13.482911". */
export function toRate(text: string): bigint {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
}

const nothing = (): Profit => ({ fee: 0n, margin: 0n, processor: 0n, loss: 0n });

/** Profit and loss, by day and by transfer. */
export class Books {
  readonly #facts: Fact[] = [];

  add(fact: Fact): void {
    if (fact.minor !== 0n) this.#facts.push(fact);
  }

  /** By day and currency, as "2026-12-01 EUR"; what adds up to nothing is left out. */
  profits(): Map<string, Profit> {
    return sums(this.#facts, ({ day, currency }) => `${day} ${currency}`);
  }

  /** By transfer and currency, as "<id> EUR". */
  profitsOfTransfers(): Map<string, Profit> {
    const ofTransfers = this.#facts.filter(({ transferId }) => transferId !== null);
    return sums(ofTransfers, ({ transferId, currency }) => `${transferId} ${currency}`);
  }
}

function sums(facts: readonly Fact[], keyOf: (fact: Fact) => string): Map<string, Profit> {
  const result = new Map<string, Profit>();
  for (const fact of facts) {
    const key = keyOf(fact);
    const profit = result.get(key) ?? nothing();
    profit[fact.part] += fact.minor;
    result.set(key, profit);
  }
  for (const [key, profit] of result) if (parts.every((part) => profit[part] === 0n)) result.delete(key);
  return result;
}

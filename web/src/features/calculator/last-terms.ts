import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { chain, fallbackEurUsd, formatRate, parseRate, type Rate } from '#core/rates/rate';
import { localStore } from '../../lib/safe-storage.ts';

/** What an estimate is made with when the server cannot be asked. */
export interface Terms {
  /** Bolivianos per unit. */
  readonly rate: Rate;
  /** Share of the amount. */
  readonly feeBasisPoints: bigint;
  /** ISO time at which the server last said so; null for the constants. */
  readonly seenAt: string | null;
}

/** A quote's part that is worth keeping, as the wire has it. */
export interface SeenQuote {
  readonly currency: SendCurrency;
  readonly amount: string;
  readonly fee: string;
  readonly rate: string;
}

/** The specification's constants (section 9): 8.5 Bs per dollar, 2 %. A euro counts as 1.1 dollars. */
const usdRate = 8_500_000n as Rate;
const constants: Readonly<Record<SendCurrency, Terms>> = {
  USD: { rate: usdRate, feeBasisPoints: 200n, seenAt: null },
  EUR: { rate: chain(fallbackEurUsd, usdRate), feeBasisPoints: 200n, seenAt: null },
};

/** Below the smallest amount that can be sent, rounding hides the fee's share. */
const tellingMinor = 1000n;

const entryOf = (currency: SendCurrency) => `chasqui_last_quote_${currency}`;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** The rate and the fee last seen from the server in this browser; the constants if none ever was. */
export function lastTerms(currency: SendCurrency, store: Store = localStore): Terms {
  return read(store, currency) ?? constants[currency];
}

/** Keeps a quote's rate and fee for the next time there is no connection. `seenAt` is ISO 8601. */
export function rememberTerms(quote: SeenQuote, seenAt: string, store: Store = localStore): void {
  const amount = parseMinor(quote.amount) ?? 0n;
  const rate = parseRate(quote.rate);
  const fee = parseMinor(quote.fee);
  if (amount < tellingMinor || rate === null || fee === null) return;
  const entry = { amount: formatMinor(amount), fee: formatMinor(fee), rate: formatRate(rate), seenAt };
  store.setItem(entryOf(quote.currency), JSON.stringify(entry));
}

function read(store: Store, currency: SendCurrency): Terms | null {
  try {
    const entry = JSON.parse(store.getItem(entryOf(currency)) ?? 'null') as Record<string, unknown> | null;
    if (!entry) return null;
    const amount = parseMinor(String(entry.amount)) ?? 0n;
    const fee = parseMinor(String(entry.fee));
    const rate = parseRate(String(entry.rate));
    const seenAt = String(entry.seenAt);
    if (amount === 0n || fee === null || fee > amount || rate === null || Number.isNaN(Date.parse(seenAt))) return null;
    return { rate, feeBasisPoints: (fee * 10_000n) / amount, seenAt };
  } catch {
    return null;
  }
}

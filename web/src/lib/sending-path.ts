import { parseMinor, type SendCurrency, sendCurrencies } from '#core/money/money';
import { paths } from './paths.ts';

/** What a user entered before they reached the form that sends it. */
export interface SendingAmount {
  /** Decimal text. */
  readonly amount: string;
  readonly currency: SendCurrency;
}

/** The element that such an address leads to. */
export const sendFormId = 'send';

/** The panel with its form filled in. The address carries it through signing in and signing up as their `next`. */
export function sendingPath({ amount, currency }: SendingAmount): string {
  return `${paths.dashboard}?${new URLSearchParams({ amount, currency })}#${sendFormId}`;
}

/** Reads such an address; null for one that asks for nothing, or for nonsense. */
export function readSendingPath(search: URLSearchParams): SendingAmount | null {
  const amount = search.get('amount') ?? '';
  const currency = sendCurrencies.find((one) => one === search.get('currency'));
  return currency && (parseMinor(amount) ?? 0n) > 0n ? { amount, currency } : null;
}

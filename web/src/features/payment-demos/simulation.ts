import { t } from '@lingui/core/macro';
import { defaultFeeSchedule, type FeeSchedule } from '#core/money/fee';
import { formatMinor, parseMinor, type SendCurrency } from '#core/money/money';
import { parseRate, type Rate } from '#core/rates/rate';
import { makeQuote } from '#core/transfers/quote';

/** A rate that a page is about without paying at it (specification, section 9), and the fee it was shown with. */
export interface FixedRate {
  readonly rate: string;
  readonly fee: FeeSchedule;
}

const noFee: FeeSchedule = { fixedMinor: 0n, basisPoints: 0n };

export const fixed696: FixedRate = { rate: '6.96', fee: noFee };
export const fixed696WithFee: FixedRate = { rate: '6.96', fee: defaultFeeSchedule };
export const fixed15: FixedRate = { rate: '15.00', fee: defaultFeeSchedule };

/** What the recipient would get at a fixed rate, as decimal text; null for no amount. Never paid, never charged. */
export function exampleAt(fixed: FixedRate, amount: string, currency: SendCurrency): string | null {
  const amountMinor = parseMinor(amount);
  if (amountMinor === null || amountMinor === 0n) return null;
  const rate = parseRate(fixed.rate) as Rate;
  const quote = makeQuote({ amountMinor, currency, rate, referenceRate: null, fee: fixed.fee });
  return formatMinor(quote.bolivianosMinor);
}

/** The card fields of the simulator page: digits are grouped and cut as the specification says (section 5). */
export const simulatedCards = { success: '4242 4242 4242 4242', decline: '4000 0000 0000 0002' } as const;

const digits = (text: string, most: number) => text.replace(/\D/g, '').slice(0, most);

/** Grouped in fours, 19 characters at most. */
export const groupNumber = (text: string) => digits(text, 16).replace(/(\d{4})(?=\d)/g, '$1 ');

/** MM/AA, 5 characters at most. */
export function groupExpiry(text: string): string {
  const typed = digits(text, 4);
  return typed.length > 2 ? `${typed.slice(0, 2)}/${typed.slice(2)}` : typed;
}

/** Three digits at most. */
export const cutCvc = (text: string) => digits(text, 3);

export interface SimulatedCard {
  readonly number: string;
  readonly expiry: string;
  readonly cvc: string;
}

/** What is wrong with the fields, by field; nobody shall type a real card here, so only the two test numbers are taken. */
export function problemsOf(card: SimulatedCard): Partial<Record<keyof SimulatedCard, string>> {
  const known = Object.values<string>(simulatedCards).includes(card.number);
  return {
    ...(!known && { number: t`Usa una de las dos tarjetas de prueba: aquí nunca va una tarjeta real.` }),
    ...(!/^(0[1-9]|1[0-2])\/\d{2}$/.test(card.expiry) && { expiry: t`Escribe mes y año, por ejemplo 12/34.` }),
    ...(card.cvc.length !== 3 && { cvc: t`Escribe tres cifras cualesquiera.` }),
  };
}

/** REF and nine digits: invented, as everything on that page; real payments show their own reference. */
export function inventedReference(random: Uint32Array): string {
  return `REF${String((random[0] ?? 0) % 1_000_000_000).padStart(9, '0')}`;
}

import { formats } from '../locale/format.ts';
import type { Locale } from '../locale/locale.ts';
import type { SendCurrency } from '../money/money.ts';
import type { TransferState } from '../transfers/states.ts';
import type { PaperSection } from './receipt-lines.ts';

/** Sums of a statement over the transfers paid in one currency, as decimal texts. Only charged transfers count. */
export interface StatementTotals {
  readonly currency: SendCurrency;
  /** How many transfers were charged. */
  readonly charged: number;
  readonly paid: string;
  /** Fees included in the payments. */
  readonly fees: string;
  readonly returned: string;
  /** Paid and not returned. */
  readonly kept: string;
  /** Received by the families, in bolivianos. */
  readonly bolivianos: string;
}

/** What a statement says besides its rows. */
export interface StatementFacts {
  /** Of La Paz: "2026-11" or "2026". */
  readonly period: string;
  readonly sender: { readonly name: string; readonly email: string };
  /** Rows, with those that were never charged. */
  readonly transfers: number;
  readonly totals: readonly StatementTotals[];
  /** Changes with any change of any of its transfers. */
  readonly revision: string;
}

/** States in which the card was charged at some time. */
export const chargedStates: ReadonlySet<TransferState> = new Set([
  'captured',
  'payout_failed',
  'completed',
  'refunding',
  'refunded',
]);

/** Everything a statement says in one language. */
export interface StatementTexts {
  readonly title: string;
  readonly file: string;
  readonly period: string;
  readonly sender: string;
  readonly transfers: string;
  readonly columns: Readonly<Record<StatementColumn, string>>;
  readonly states: Readonly<Record<TransferState, string>>;
  readonly none: string;
  readonly summary: (currency: string) => string;
  readonly charged: string;
  readonly paid: string;
  readonly fees: string;
  readonly returned: string;
  readonly kept: string;
  readonly bolivianos: string;
  readonly notes: string;
  /** Said where only the first transfers are listed. */
  readonly more: (listed: number) => string;
  /** Explains the mark of a better rate, if there is one. */
  readonly betterRate: string;
  /** Heads the column of days in a file for programs. */
  readonly zone: string;
}

export const statementColumns = [
  'day',
  'reference',
  'recipient',
  'state',
  'paid',
  'fee',
  'returned',
  'rate',
  'bolivianos',
] as const;
export type StatementColumn = (typeof statementColumns)[number];

export const statementTexts: Readonly<Record<Locale, StatementTexts>> = {
  es: {
    title: 'Extracto de envíos',
    file: 'extracto',
    period: 'Periodo',
    sender: 'Remitente',
    transfers: 'Envíos',
    columns: {
      day: 'Fecha',
      reference: 'Referencia',
      recipient: 'Para',
      state: 'Estado',
      paid: 'Pagado',
      fee: 'Comisión',
      returned: 'Devuelto',
      rate: 'Tasa',
      bolivianos: 'Recibido',
    },
    states: {
      awaiting_payment: 'Por pagar',
      in_review: 'En revisión',
      approved: 'En proceso',
      captured: 'En proceso',
      payout_failed: 'Sin depositar',
      completed: 'Completado',
      rejected: 'No cobrado',
      cancelled: 'No cobrado',
      failed: 'No cobrado',
      expired: 'No cobrado',
      refunding: 'En devolución',
      refunded: 'Reembolsado',
    },
    none: 'No hay envíos en este periodo.',
    summary: (currency) => `Total en ${currency}`,
    charged: 'Envíos cobrados',
    paid: 'Pagado con tarjeta',
    fees: 'De ello, comisiones de Chasqui',
    returned: 'Devuelto a ti',
    kept: 'Pagado al final',
    bolivianos: 'Recibido en Bolivia',
    notes:
      'Están los envíos que pediste en este periodo y cuya tarjeta aceptó el pago, por el día de Bolivia en que los pediste, como estaban al emitir este extracto. Lo no cobrado no cuenta en los totales. Las devoluciones son todas las hechas hasta entonces, también las de fuera del periodo.',
    more: (listed) =>
      `Solo se listan los primeros ${listed}; los totales los cuentan todos, y el archivo CSV los tiene todos.`,
    betterRate: '* La tasa era mejor al aprobar el cobro que la que aceptaste, y es la que vale.',
    zone: 'hora de Bolivia, UTC−4',
  },
  en: {
    title: 'Transfer statement',
    file: 'statement',
    period: 'Period',
    sender: 'Sender',
    transfers: 'Transfers',
    columns: {
      day: 'Date',
      reference: 'Reference',
      recipient: 'To',
      state: 'State',
      paid: 'Paid',
      fee: 'Fee',
      returned: 'Refunded',
      rate: 'Rate',
      bolivianos: 'Received',
    },
    states: {
      awaiting_payment: 'Awaiting payment',
      in_review: 'In review',
      approved: 'In progress',
      captured: 'In progress',
      payout_failed: 'Not deposited',
      completed: 'Completed',
      rejected: 'Not charged',
      cancelled: 'Not charged',
      failed: 'Not charged',
      expired: 'Not charged',
      refunding: 'Being refunded',
      refunded: 'Refunded',
    },
    none: 'There are no transfers in this period.',
    summary: (currency) => `Total in ${currency}`,
    charged: 'Transfers charged',
    paid: 'Paid by card',
    fees: 'Of this, Chasqui’s fees',
    returned: 'Refunded to you',
    kept: 'Paid in the end',
    bolivianos: 'Received in Bolivia',
    notes:
      'Listed are the transfers that you ordered in this period and whose card accepted the payment, by the day in Bolivia on which you ordered them, as they stood when this statement was issued. What was not charged is not in the totals. Refunds are all those made until then, also outside the period.',
    more: (listed) => `Only the first ${listed} are listed; the totals count them all, and the CSV file has them all.`,
    betterRate: '* The rate was better when the charge was approved than the one you accepted, and it applies.',
    zone: 'Bolivia time, UTC−4',
  },
};

/** The sums of a statement, a section per currency. */
export function statementSummary({ totals }: StatementFacts, language: Locale): PaperSection[] {
  const texts = statementTexts[language];
  const { money, bolivianos } = formats[language];
  return totals.map((sum) => ({
    title: texts.summary(sum.currency),
    lines: [
      [texts.charged, String(sum.charged)],
      [texts.paid, money(sum.paid, sum.currency)],
      [texts.fees, money(sum.fees, sum.currency)],
      [texts.returned, money(sum.returned, sum.currency)],
      [texts.kept, money(sum.kept, sum.currency)],
      [texts.bolivianos, bolivianos(sum.bolivianos)],
    ],
  }));
}

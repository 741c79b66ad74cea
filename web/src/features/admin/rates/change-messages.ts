import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { RateChangeView, RateManagementView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import type { GuardRail } from '#core/rates/guard-rails';
import { parseRate, type Rate } from '#core/rates/rate';
import { laPazTime } from '../../../lib/format/dates.ts';
import { formatRate, formatRateLine } from '../../../lib/format/money.ts';
import { formatDecimal, percentText } from '../../../lib/format/numbers.ts';

/** What guard-rails hold a rate against. */
export interface Limits {
  /** In percent, as the wire has it. */
  readonly maxStepPercent: string;
  /** The market reference; null without one. */
  readonly reference: string | null;
}

export const limitsOf = (desk: RateManagementView, currency: SendCurrency): Limits => ({
  maxStepPercent: desk.maxStepPercent,
  reference: desk.currencies[currency].reference?.rate ?? null,
});

/** What an open change's rails are told with. A reference that has risen past the rate since then is not what was hit. */
export function limitsOfChange(desk: RateManagementView, change: RateChangeView): Limits {
  const limits = limitsOf(desk, change.currency);
  const rate = parseRate(change.rate);
  const reference = limits.reference === null ? null : parseRate(limits.reference);
  return rate !== null && reference !== null && rate > reference ? limits : { ...limits, reference: null };
}

/** "11,60 Bs" from a wire rate; of one with more decimals the first ones, to compare by eye. */
export const bolivianosText = (rate: string, decimals = 4) => formatRate(cutRate(rate, decimals));

/** A wire rate with its first decimals. */
export const cutRate = (rate: string, decimals = 4) => rate.slice(0, rate.indexOf('.') + 1 + decimals);

/** Why a second person is asked, as a message an admin understands. */
export function guardRailMessage(rail: GuardRail, limits: Limits): string {
  switch (rail) {
    case 'step_too_large': {
      const step = percentText(limits.maxStepPercent);
      return t`Se aleja más de ${step} de una tasa vigente en las últimas 24 horas.`;
    }
    case 'above_reference': {
      if (!limits.reference) return t`Supera la referencia del mercado.`;
      const reference = bolivianosText(limits.reference);
      return t`Supera la referencia del mercado (${reference}).`;
    }
    case 'stale_sources':
      return t`No hay una referencia reciente del mercado con la que compararla.`;
  }
}

const states: Readonly<Record<RateChangeView['state'], MessageDescriptor>> = {
  awaiting_confirmation: msg`Espera confirmación`,
  scheduled: msg`Programado`,
  activated: msg`Aplicado`,
  declined: msg`Descartado`,
  cancelled: msg`Retirado`,
  expired: msg`Vencido`,
};

/** A change's state in a word or two. */
export const changeStateWord = (state: RateChangeView['state']) => i18n._(states[state]);

/** What became of a change just asked for or confirmed: title and message of the toast. */
export function outcomeMessage(change: RateChangeView): { title: string; message: string } {
  const rate = formatRateLine(change.rate, change.currency);
  switch (change.state) {
    case 'awaiting_confirmation':
      return {
        title: t`Cambio en espera`,
        message: t`${rate}: lo tiene que confirmar otra persona de administración.`,
      };
    case 'scheduled': {
      const from = laPazTime(change.activateAt ?? change.date);
      return { title: t`Cambio programado`, message: t`${rate} desde el ${from}` };
    }
    default:
      return { title: t`Tasa actualizada`, message: rate };
  }
}

/** The change in percent with one decimal, rounded towards zero and with its sign: "+6,2 %". Null where one is no rate. */
export function changeText(from: string, to: string): string | null {
  const change = percentBetween(from, to, 1);
  return change === null ? null : percentText(change, 'signed');
}

/** How far our rate lies below the reference, in percent with two decimals: "1,25 %"; above it, "−0,40 %". */
export function currentMarginText(ours: string, reference: string): string | null {
  const margin = percentBetween(reference, ours, 2, -1n);
  return margin === null ? null : percentText(margin);
}

/** By how much more than the market we pay, in percent: "1,04 %"; null where we earn, or one is not known. */
export function lossText(ours: string | undefined, reference: string | undefined): string | null {
  const margin = ours && reference ? percentBetween(reference, ours, 2, -1n) : null;
  return margin?.startsWith('-') ? percentText(margin.slice(1)) : null;
}

/** As the wire has percentages ("-6.2"); null where one is no rate. */
function percentBetween(from: string, to: string, decimals: number, factor = 1n): string | null {
  const start = parseRate(from);
  const end = parseRate(to);
  if (start === null || end === null) return null;
  const scale = 10n ** BigInt(decimals);
  const parts = (factor * (end - start) * 100n * scale) / start;
  const size = parts < 0n ? -parts : parts;
  return `${parts < 0n ? '-' : ''}${size / scale}.${String(size % scale).padStart(decimals, '0')}`;
}

/** How long something took: "840 ms", "1,2 s", "12 s". */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return `${formatDecimal((ms / 1000).toFixed(ms < 9_950 ? 1 : 0))} s`;
}

/** What stands in the field as a rate with at most two decimals, or null: then it cannot be saved. */
export function readRateEntry(entry: string | number): Rate | null {
  const text = String(entry).trim().replace(',', '.');
  return /^\d+(\.\d{1,2})?$/.test(text) ? parseRate(text) : null;
}

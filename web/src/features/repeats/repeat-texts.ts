import { t } from '@lingui/core/macro';
import type { RepeatView } from '#core/contracts/http/repeats';
import { laPazZone } from '#core/time/time';
import { formatHour, formatLongCalendarDay } from '../../lib/format/dates.ts';
import { formatAmount, formatBolivianos } from '../../lib/format/money.ts';

/** Whose clock it is: "hora de Bolivia", "hora de Madrid". */
export function zoneText(zone: string): string {
  if (zone === laPazZone) return t`hora de Bolivia`;
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
  return t`hora de ${city}`;
}

/** "sábado, 5 de diciembre, 09:00 (hora de Bolivia)" */
export const nextText = ({ nextDay, hour, zone }: Pick<RepeatView, 'nextDay' | 'hour' | 'zone'>): string =>
  `${formatLongCalendarDay(nextDay)}, ${formatHour(hour)} (${zoneText(zone)})`;

/** What is the same each time: "100,00 EUR", or the bolivianos that have to arrive. */
export const fixedText = ({ fixed, amount, currency }: Pick<RepeatView, 'fixed' | 'amount' | 'currency'>): string =>
  fixed === 'pay' ? formatAmount(amount, currency) : formatBolivianos(amount);

/** How often: "Cada mes, el día 5". */
export function rhythmText({ every, day }: Pick<RepeatView, 'every' | 'day'>): string {
  if (every === 'two_weeks') return t`Cada dos semanas`;
  return t`Cada mes, el día ${day ?? 1}`;
}

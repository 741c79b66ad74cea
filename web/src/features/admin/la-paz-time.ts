import { t } from '@lingui/core/macro';
import { formatLaPazMoment } from '../../lib/format/dates.ts';

/** The zone every time on the admin's screens is in, as it is written beside them: "hora de La Paz". */
export const zoneName = () => t`hora de La Paz`;

/** "21/11/2026, 14:05 (hora de La Paz)" from an ISO time. Where the zone stands nearby (a column's head): `formatLaPazMoment`. */
export const laPazTime = (iso: string) => `${formatLaPazMoment(iso)} (${zoneName()})`;

/** What a `datetime-local` field holds ("2026-11-22T08:00"), read as a time in La Paz: ISO in UTC, or null when it is none. */
export function fromLaPazField(value: string): string | null {
  // Browsers read much else as some date or other.
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)) return null;
  // Bolivia has kept UTC−4 without summer time since 1932.
  const time = new Date(`${value}:00-04:00`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The other way: a time in ms as a `datetime-local` field shows it in La Paz. */
export function toLaPazField(ms: number): string {
  return new Date(ms - 4 * 3_600_000).toISOString().slice(0, 16);
}

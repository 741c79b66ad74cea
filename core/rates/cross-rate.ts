import { dayMs } from '../time/time.ts';
import type { Rate } from './rate.ts';

/** Dollars per euro, as the European Central Bank fixed them. */
export interface CrossRate {
  readonly rate: Rate;
  /** When the rate expires for payments. */
  readonly validUntil: Date;
}

/**
 * How many weekdays after its own day a fixing may be used. The bank fixes one every working day in the afternoon; at Easter
 * it closes for two weekdays, so on the third the one from before is still the newest.
 */
const validWeekdays = 3;

/** When the fixing of a day ("YYYY-MM-DD") expires: the end (UTC) of the third weekday after it. */
export function crossRateEnd(day: string): Date {
  let end = Date.parse(day);
  for (let left = validWeekdays; left > 0; ) {
    end += dayMs;
    const weekday = new Date(end).getUTCDay();
    if (weekday !== 0 && weekday !== 6) left -= 1;
  }
  return new Date(end + dayMs);
}

import { parseRate, type Rate } from '#core/rate';

/** From this change on, in percent, a new rate has to be confirmed: more is usually a slip of the finger. */
export const confirmAbovePercent = 5n;

/** What stands in the field as a rate with at most two decimals, or null: then it cannot be saved. */
export function readRateEntry(entry: string | number): Rate | null {
  const text = String(entry).trim().replace(',', '.');
  return /^\d+(\.\d{1,2})?$/.test(text) ? parseRate(text) : null;
}

/** Whether the new rate is so far from the one in force that the admin should look again. Without one it always is not. */
export function needsConfirmation(current: Rate | null, next: Rate): boolean {
  if (current === null) return false;
  const difference = next > current ? next - current : current - next;
  return difference * 100n > current * confirmAbovePercent;
}

/** The change in percent with one decimal, rounded towards zero and with its sign: "+6,2 %". */
export function changeText(current: Rate, next: Rate): string {
  const tenths = ((next - current) * 1000n) / current;
  const size = tenths < 0n ? -tenths : tenths;
  const sign = next < current ? '−' : '+';
  return `${sign}${size / 10n},${size % 10n} %`;
}

import { parseRate, type Rate } from '#core/rates/rate';

/** What stands in the field as a rate with at most two decimals, or null: then it cannot be saved. */
export function readRateEntry(entry: string | number): Rate | null {
  const text = String(entry).trim().replace(',', '.');
  return /^\d+(\.\d{1,2})?$/.test(text) ? parseRate(text) : null;
}

import type { RateAlertView } from '#core/contracts/http/rate-alerts';

/** Waiting ones first, each currency from the lowest value up; then fired ones, the newest first. */
export function inReadingOrder(alerts: readonly RateAlertView[]): RateAlertView[] {
  const waiting = alerts.filter(({ firedAt }) => firedAt === null);
  const fired = alerts.filter(({ firedAt }) => firedAt !== null);
  const byRate = (one: RateAlertView, other: RateAlertView) =>
    one.currency.localeCompare(other.currency) || Number(one.rate) - Number(other.rate);
  const byTime = (one: RateAlertView, other: RateAlertView) => String(other.firedAt).localeCompare(String(one.firedAt));
  return [...waiting.sort(byRate), ...fired.sort(byTime)];
}

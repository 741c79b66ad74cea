import { useQueryClient } from '@tanstack/react-query';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import type { SendCurrency } from '#core/money/money';
import { followLive } from '../lib/live.ts';
import { senderCall } from '../lib/sender-http.ts';
import { useSingleMutation } from '../lib/single-mutation.ts';
import { rateAlertKeys } from './sender-query-keys.ts';
import { newestFirst, VersionedCollection } from './versioned-collection.ts';

const pageSize = 20;

const alerts = new VersionedCollection<RateAlertView>({
  keys: rateAlertKeys,
  // An alert changes once, when it fires.
  versionOf: ({ firedAt }) => (firedAt === null ? 1 : 2),
  compare: (a, b) => newestFirst({ date: a.createdAt, id: a.id }, { date: b.createdAt, id: b.id }),
  belongs: () => true,
});

/** The sender's alerts, newest first, page by page. */
export const rateAlertsQuery = alerts.list({}, (cursor, signal) =>
  senderCall('listRateAlerts', { query: { cursor, limit: pageSize }, signal }),
);

followLive('rate-alert:fired', (queryClient, fired) => alerts.receive(queryClient, fired));

/** Asks for an alert; `rate` is a plain decimal text. */
export function useAddAlert() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: { currency: SendCurrency; rate: string }) => senderCall('createRateAlert', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: rateAlertKeys.lists }),
  });
}

export function useRemoveAlert() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (id: string) => senderCall('deleteRateAlert', { params: { id } }),
    // Also when it failed: it may have been deleted elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey: rateAlertKeys.lists }),
  });
}

/** Waiting ones first, each currency from the lowest value up; then fired ones, the newest first. */
export function inReadingOrder(alerts: readonly RateAlertView[]): RateAlertView[] {
  const waiting = alerts.filter(({ firedAt }) => firedAt === null);
  const fired = alerts.filter(({ firedAt }) => firedAt !== null);
  const byRate = (one: RateAlertView, other: RateAlertView) =>
    one.currency.localeCompare(other.currency) || Number(one.rate) - Number(other.rate);
  const byTime = (one: RateAlertView, other: RateAlertView) => String(other.firedAt).localeCompare(String(one.firedAt));
  return [...waiting.sort(byRate), ...fired.sort(byTime)];
}

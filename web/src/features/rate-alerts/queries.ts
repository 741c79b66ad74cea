import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import type { SendCurrency } from '#core/money/money';
import { call } from '../../lib/http.ts';
import { followLive } from '../../lib/live.ts';

const queryKey = ['rate-alerts'];
const pageSize = 20;
const firstPage: { pageParam: string | undefined } = { pageParam: undefined };

/** The sender's alerts, newest first, page by page. */
export const rateAlertsQuery = infiniteQueryOptions({
  queryKey,
  queryFn: ({ pageParam: cursor, signal }) => call('listRateAlerts', { query: { cursor, limit: pageSize }, signal }),
  initialPageParam: firstPage.pageParam,
  getNextPageParam: (page) => page.nextCursor,
});

/** Asks for an alert; `rate` is a plain decimal text. */
export function useAddAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { currency: SendCurrency; rate: string }) => call('createRateAlert', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
}

export function useRemoveAlert() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('deleteRateAlert', { params: { id } }),
    // Also when it failed: it may have been deleted elsewhere.
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
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

followLive('rate-alert:fired', (queryClient, fired) => {
  queryClient.setQueryData(
    rateAlertsQuery.queryKey,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          items: page.items.map((alert) => (alert.id === fired.id ? fired : alert)),
        })),
      },
  );
});

import { queryOptions } from '@tanstack/react-query';
import type { ComparisonView } from '#core/contracts/http/comparison';
import { call } from './http.ts';
import { followLive } from './live.ts';
import { isAmount, type QuoteQuestion } from './quote.ts';

const key = ['public', 'claim'] as const;

/** By how much the server can prove that ours is better for this amount, in percent with one decimal; null: by nothing. */
export const claimQuery = ({ amount, currency }: QuoteQuestion) =>
  queryOptions({
    queryKey: [...key, currency, amount],
    queryFn: async ({ signal }) => (await call('exchangeRates', { query: { amount, currency }, signal })).claimPercent,
    enabled: isAmount(amount),
  });

const compared = { here: 'de esta comparación', elsewhere: 'que comparamos' } as const;

/**
 * The only claim that we are better; null while the server cannot prove it. `where` the comparison stands:
 * on the same screen with all its rows, or elsewhere.
 */
export function claimText(
  { claimPercent }: Pick<ComparisonView, 'claimPercent'>,
  where: keyof typeof compared = 'here',
): string | null {
  if (claimPercent === null) return null;
  return `Con Chasqui llegan hasta ${claimPercent.replace('.', ',')} % más bolivianos que con otros servicios ${compared[where]}, por lo mismo que pagas.`;
}

for (const event of ['rate:changed', 'rates:collected'] as const) {
  followLive(event, (queryClient) => void queryClient.invalidateQueries({ queryKey: key }));
}

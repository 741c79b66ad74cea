import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import type { QuoteView } from '#core/contracts/http/rates';
import { answerTo, isAmount, type QuoteQuestion, quoteQuery } from './rates.ts';

afterEach(() => vi.unstubAllGlobals());

const quoteOf = ({ amount, currency }: QuoteQuestion) =>
  ({ amount: `${Number(amount).toFixed(2)}`, currency }) as QuoteView;

it('an amount is a positive number with two decimals at most', () => {
  expect(['100', '99.5', '0.01'].map(isAmount)).toEqual([true, true, true]);
  expect(['', '0', '0.00', '-5', '1e3', '1,5', '1.234', 'abc'].some(isAmount)).toBe(false);
});

it('a quote is taken only as the answer to its own question', () => {
  const question = { amount: '100', currency: 'EUR' } as const;
  const quote = quoteOf(question);
  expect(answerTo(question, quote)).toBe(quote);
  expect(answerTo({ amount: '100.00', currency: 'EUR' }, quote)).toBe(quote);
  expect(answerTo({ amount: '1000', currency: 'EUR' }, quote)).toBeNull();
  expect(answerTo({ amount: '100', currency: 'USD' }, quote)).toBeNull();
  expect(answerTo(question, undefined)).toBeNull();
});

it('the quote shown answers the last question, also when the answers arrive the other way round', async () => {
  const waiting = new Map<string, () => void>();
  vi.stubGlobal('fetch', (_address: string, request: RequestInit) => {
    const question = JSON.parse(String(request.body)) as QuoteQuestion;
    return new Promise<Response>((resolve) =>
      waiting.set(question.amount, () => resolve(Response.json(quoteOf(question)))),
    );
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const [first, last] = ['100', '200'].map((amount) => ({ amount, currency: 'USD' as const }));
  const observer = new QueryObserver(client, quoteQuery(first!));
  const stop = observer.subscribe(() => undefined);
  observer.setOptions(quoteQuery(last!));
  await vi.waitFor(() => expect([...waiting.keys()]).toEqual(['100', '200']));
  waiting.get('200')!();
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.amount).toBe('200.00'));
  waiting.get('100')!();
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  expect(answerTo(last!, observer.getCurrentResult().data)?.amount).toBe('200.00');
  stop();
  client.clear();
});

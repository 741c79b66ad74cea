// Runs in the HTML of prerendered pages (web/page-list.ts), long before the app on a slow network: asks the server for its rates and
// what arrives for the first amount, and writes the answers into the places that `FirstFigure` keeps for them.
import type { QuoteView, RateBoard } from '#core/contracts/http/rates';
import type { routes } from '#core/contracts/http/routes';
import {
  formatAmount,
  formatBolivianos,
  formatEnglishAmount,
  formatEnglishRateLine,
  formatRateLine,
} from '#core/money/format';
import { sendCurrencies } from '#core/money/money';
import type { FirstFigureName, FirstQuote } from '../lib/first-quote.ts';
import { firstAmount, usualCurrency } from '../lib/usual-currency.ts';

const english = document.documentElement.lang === 'en';
const [money, rateLine] = english ? [formatEnglishAmount, formatEnglishRateLine] : [formatAmount, formatRateLine];
const bolivianos = english ? (decimal: string) => formatEnglishAmount(decimal, 'BOB') : formatBolivianos;

globalThis.firstQuote = askQuote();
void showRates();

async function askQuote(): Promise<FirstQuote | null> {
  const question = { amount: firstAmount, currency: usualCurrency() };
  const quote = await answerOf<QuoteView>('/api/quote' satisfies typeof routes.quote.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  if (!quote) return null;
  const { currency } = quote;
  show({
    amount: money(quote.amount, currency),
    bs: bolivianos(quote.bs),
    fee: money(quote.fee, currency),
    rate: rateLine(quote.rate, currency),
  });
  return { ...question, quote, at: Date.now() };
}

async function showRates(): Promise<void> {
  const board = await answerOf<RateBoard>('/api/rate' satisfies typeof routes.getRates.path);
  for (const currency of board ? sendCurrencies : [])
    show({ [`rate-${currency}`]: rateLine(board?.rates[currency].rate ?? '', currency) });
}

/** Null when there is none: the app asks again and says why. */
async function answerOf<Answer>(path: string, init?: RequestInit): Promise<Answer | null> {
  try {
    const answer = await fetch(path, { ...init, priority: 'high' });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Writes figures where the page has a place for them, which may not have come yet. */
function show(figures: Partial<Record<FirstFigureName, string>>): void {
  for (const [name, text] of Object.entries(figures))
    for (const place of document.querySelectorAll(`[data-first-figure=${name}]`)) place.textContent = oneLine(text);
  if (document.readyState === 'loading')
    document.addEventListener('readystatechange', () => show(figures), { once: true });
}

const oneLine = (text: string) => text.replaceAll(' ', '\u00a0');

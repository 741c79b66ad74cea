/** MoneyGram's fee quote. Without its two language headers it answers 403. */
import { z } from 'zod';
import { type Price, priceOf, promoOf, received } from './pricing.ts';
import { amount, blocked, figure, money, refusal, type Site, type SiteRequest, sendCurrency } from './site.ts';

const question = z.object({
  senderCountryCode: z.string().length(3),
  senderCurrencyCode: sendCurrency,
  receiverCountryCode: z.literal('BOL'),
  receiverCurrencyCode: z.literal('BOB').default('BOB'),
  sendAmount: amount,
});

function totals(sent: bigint, price: Price) {
  return {
    fxRate: figure(price.rate),
    sendFee: money(price.feeMinor),
    totalSendAmount: money(sent + price.feeMinor),
    totalReceiveAmount: money(received(sent, price)),
  };
}

function quote({ query, header, market }: SiteRequest) {
  if (!header('locale-header') || !header('accept-language')) return refusal(403, blocked(403));
  const read = question.safeParse(query);
  if (!read.success) return refusal(400, { message: 'Bad Request', errors: [z.prettifyError(read.error)] });
  const { senderCurrencyCode: currency, sendAmount: sent } = read.data;
  const base = totals(sent, priceOf('moneyGram', market, currency, sent));
  const promo = promoOf('moneyGram', market, currency);
  const bob = { ...base, sendAmount: money(sent), ...(promo && { promo: totals(sent, promo) }) };
  return { status: 200, body: { feeQuotesByCurrency: { BOB: bob } } };
}

export const moneyGram: Site = {
  routes: [{ method: 'GET', path: /^\/api\/send-money\/fee-quote\/v2$/, respond: quote }],
  changedShape: [/"fxRate"/g, '"rate"'],
};

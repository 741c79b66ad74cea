/** Wise's comparison: estimates, slightly different from the competitors' own prices. */
import { z } from 'zod';
import { type SendCurrency, share } from './figures.ts';
import type { Market } from './market.ts';
import { marketRate, type PricedSite, priceOf, received } from './pricing.ts';
import { amount, figure, money, refusal, type Site, type SiteRequest, sendCurrency } from './site.ts';

const question = z.object({
  sourceCurrency: sendCurrency,
  targetCurrency: z.string().length(3),
  sendAmount: amount,
  providers: z.string().optional(),
});

interface Provider {
  site: PricedSite;
  id: number;
  alias: string;
  name: string;
  type: 'bank' | 'moneyTransferProvider';
  /** Distance of the estimate from the site's own rate, in basis points. */
  drift: number;
}

const PROVIDERS: Provider[] = [
  { site: 'wise', id: 39, alias: 'wise', name: 'Wise', type: 'moneyTransferProvider', drift: 0 },
  { site: 'remitly', id: 57, alias: 'remitly', name: 'Remitly', type: 'moneyTransferProvider', drift: 10 },
  { site: 'ria', id: 91, alias: 'ria', name: 'Ria', type: 'moneyTransferProvider', drift: -15 },
  {
    site: 'westernUnion',
    id: 52,
    alias: 'western-union',
    name: 'Western Union',
    type: 'moneyTransferProvider',
    drift: 12,
  },
  { site: 'moneyGram', id: 58, alias: 'moneygram', name: 'MoneyGram', type: 'moneyTransferProvider', drift: -8 },
];

function quoteOf({ site, drift }: Provider, market: Market, currency: SendCurrency, total: bigint): object {
  // At Wise the amount is the total paid; the fee is deducted from it.
  const { rate: own, feeMinor } = priceOf(site, market, currency, total);
  const rate = share(own, 10_000 + drift);
  const sent = total > feeMinor ? total - feeMinor : 0n;
  const middle = figure(marketRate(market, currency));
  return {
    rate: figure(rate),
    fee: money(feeMinor),
    dateCollected: new Date(market.at).toISOString().replace('.000', ''),
    sourceCountry: currency === 'USD' ? 'US' : 'ES',
    targetCountry: 'BO',
    markup: Number(((1 - figure(rate) / middle) * 100).toFixed(4)),
    receivedAmount: money(received(sent, { rate, feeMinor })),
    sendAmount: money(total),
    deliveryEstimation: { duration: { min: 'PT24H', max: 'PT48H' }, providerGivesEstimate: true },
    isConsideredMidMarketRate: false,
  };
}

function comparison({ query, market }: SiteRequest) {
  const read = question.safeParse(query);
  if (!read.success) {
    const message = z.prettifyError(read.error);
    return refusal(422, { errors: [{ code: 'INVALID_REQUEST', message }] });
  }
  const { sourceCurrency, targetCurrency, sendAmount, providers } = read.data;
  const wanted = providers?.split(',');
  const known = targetCurrency === 'BOB' ? PROVIDERS : [];
  const listed = known.filter(({ alias }) => !wanted || wanted.includes(alias));
  return {
    status: 200,
    body: {
      sourceCurrency,
      targetCurrency,
      amount: money(sendAmount),
      amountType: 'SEND',
      providers: listed.map((provider) => ({
        ...{ id: provider.id, alias: provider.alias, name: provider.name, type: provider.type, partner: false },
        logos: { normal: { svgUrl: null, pngUrl: null } },
        quotes: [quoteOf(provider, market, sourceCurrency, sendAmount)],
      })),
    },
  };
}

export const wise: Site = {
  routes: [{ method: 'GET', path: /^\/(v4\/comparisons|gateway\/v3\/comparisons)\/?$/, respond: comparison }],
  changedShape: [/"rate"/g, '"fxRate"'],
};

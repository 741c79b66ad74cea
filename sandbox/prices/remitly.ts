/** Remitly's estimate: all values are strings, and first transfers have a better rate up to a cap. */
import { z } from 'zod';
import { formatMinor, formatRate } from './figures.ts';
import { priceOf, promoOf, received } from './pricing.ts';
import { amount, refusal, type Site, type SiteRequest } from './site.ts';

const PROMO_CAP = 50_000n;

const question = z.object({
  conduit: z.string().regex(/^[A-Z]{3}:(USD|EUR)-BOL:BOB$/),
  anchor: z.literal('SEND'),
  amount,
  purpose: z.string(),
  customer_segment: z.string(),
  strict_promo: z.enum(['true', 'false']),
});

function estimate({ query, market }: SiteRequest) {
  const read = question.safeParse(query);
  if (!read.success) return refusal(400, { error_key: 'invalid_request', message: z.prettifyError(read.error) });
  const { conduit, amount: sent } = read.data;
  const currency = conduit.includes(':USD-') ? 'USD' : 'EUR';
  const price = priceOf('remitly', market, currency, sent);
  const promo = promoOf('remitly', market, currency);
  const estimated = {
    conduit: {
      source_country: conduit.slice(0, 3),
      source_currency: { alpha3: currency },
      target_country: 'BOL',
      target_currency: { alpha3: 'BOB' },
    },
    exchange_rate: {
      base_rate: formatRate(price.rate),
      promotional_exchange_rate: promo && formatRate(promo.rate),
      capped_promotional_exchange_rate_amount: promo && formatMinor(PROMO_CAP),
    },
    fee: { total_fee_amount: formatMinor(price.feeMinor), is_flat: true },
    pay_in_method: 'DEBIT',
    pay_out_method: 'BANK_DEPOSIT',
    send_amount: formatMinor(sent),
    receive_amount: formatMinor(received(sent, price)),
    total_charge_amount: formatMinor(sent + price.feeMinor),
  };
  return { status: 200, body: { estimate: estimated, pay_out_price_estimates: { estimates: [estimated] } } };
}

export const remitly: Site = {
  routes: [{ method: 'GET', path: /^\/v3\/calculator\/estimate$/, respond: estimate }],
  changedShape: [/"base_rate"/g, '"standard_rate"'],
};

/** Western Union's price catalogue: the fee is paid in addition, one price per pay-in and pay-out method. */
import { z } from 'zod';
import { formatMinor, type SendCurrency } from './figures.ts';
import type { Market } from './market.ts';
import { type Price, priceOf, received } from './pricing.ts';
import { amount, figure, money, type Site, type SiteRequest, sendCurrency } from './site.ts';

const order = z.object({
  header_request: z.object({ version: z.string(), request_type: z.literal('PRICECATALOG') }),
  sender: z.object({
    client: z.string(),
    channel: z.string(),
    funds_in: z.string(),
    curr_iso3: sendCurrency,
    cty_iso2_ext: z.string(),
    send_amount: amount,
  }),
  receiver: z.object({ curr_iso3: z.literal('BOB'), cty_iso2_ext: z.literal('BO'), cty_iso2: z.literal('BO') }),
});

/** Pay-out methods; cash costs slightly more. */
const SERVICES = [
  { service: '500', service_name: 'DIRECT TO BANK', fund_out: 'BANK', fund_out_mnem: 'DB', speed_days: 1, extra: 0n },
  {
    service: '000',
    service_name: 'MONEY IN MINUTES',
    fund_out: 'CASH',
    fund_out_mnem: 'MM',
    speed_days: 0,
    extra: 100n,
  },
];
/** Pay-in methods. */
const FUNDS_IN = [
  { fund_in: 'EB', extra: 0n },
  { fund_in: 'TR', extra: 0n },
  { fund_in: 'CC', extra: 200n },
];

function payGroup(fundIn: string, sent: bigint, price: Price, fee: bigint): object {
  return {
    fund_in: fundIn,
    fx_rate: figure(price.rate),
    send_amount: money(sent),
    receive_amount: money(received(sent, price)),
    gross_fee: money(fee),
    base_fee: money(fee),
    min_amount: 1,
    max_amount: 5000,
  };
}

function serviceGroups(market: Market, currency: SendCurrency, sent: bigint): object[] {
  const price = priceOf('westernUnion', market, currency, sent);
  return SERVICES.map(({ extra, ...service }) => ({
    ...service,
    pay_groups: FUNDS_IN.map((way) => payGroup(way.fund_in, sent, price, price.feeMinor + extra + way.extra)),
  }));
}

function catalogue({ body, market }: SiteRequest) {
  const read = order.safeParse(body);
  if (!read.success) {
    const message = `Invalid request: ${read.error.issues[0]?.path.join('.') ?? 'body'}`;
    return { status: 200, body: { response_status: { status: -1, code: 'C1131', message }, services_groups: [] } };
  }
  const { sender, receiver } = read.data;
  return {
    status: 200,
    body: {
      response_status: { status: 0, code: '', message: '' },
      sender: { ...sender, send_amount: formatMinor(sender.send_amount) },
      receiver,
      services_groups: serviceGroups(market, sender.curr_iso3, sender.send_amount),
    },
  };
}

export const westernUnion: Site = {
  routes: [{ method: 'POST', path: /^\/wuconnect\/prices\/catalog$/, respond: catalogue }],
  changedShape: [/"fx_rate"/g, '"exchange_rate"'],
};

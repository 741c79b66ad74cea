import { z } from 'zod';
import { formatMinor } from '#core/money/money';
import { bolivianosRate, feeOf, type Source, SourceError, senderCountry } from '../source.ts';

const amount = z.union([z.number(), z.string()]);
const schema = z.object({
  response_status: z.object({ status: z.union([z.number(), z.string()]) }),
  services_groups: z
    .array(
      z.object({
        fund_out_mnem: z.string().optional(),
        fund_out: z.string().optional(),
        pay_groups: z.array(z.object({ fund_in: z.string(), fx_rate: amount, gross_fee: amount })).min(1),
      }),
    )
    .min(1),
});

/** Western Union's price list: bank deposit if available, paid by card if offered; the fee is added. */
export const westernUnion: Source<z.infer<typeof schema>> = {
  name: 'westernUnion',
  origin: 'https://www.westernunion.com',
  minIntervalMs: 1500,
  answers: 'json',
  requestMode: 'per_query',
  schema,
  request: ({ currency, amountMinor }) => ({
    method: 'POST',
    path: '/wuconnect/prices/catalog',
    body: {
      header_request: { version: '0.5', request_type: 'PRICECATALOG' },
      sender: {
        client: 'WUCOM',
        channel: 'WWEB',
        funds_in: '*',
        curr_iso3: currency,
        cty_iso2_ext: senderCountry[currency].two,
        send_amount: formatMinor(amountMinor),
      },
      receiver: { curr_iso3: 'BOB', cty_iso2_ext: 'BO', cty_iso2: 'BO' },
    },
  }),
  toObservations(data, { currency, amountMinor }) {
    if (Number(data.response_status.status) < 0) {
      throw new SourceError({ code: 'changed_shape', field: 'response_status.status' });
    }
    const services = data.services_groups;
    const toBank = services.findIndex((service) => (service.fund_out_mnem ?? service.fund_out) === 'DB');
    const service = Math.max(toBank, 0);
    const pays = services[service]?.pay_groups ?? [];
    const byCard = pays.findIndex(({ fund_in }) => fund_in === 'CC' || fund_in === 'DC');
    const pay = Math.max(byCard, 0);
    const chosen = pays[pay];
    if (!chosen) return [];
    const field = `services_groups.${service}.pay_groups.${pay}`;
    return [
      {
        kind: 'price',
        source: 'westernUnion',
        competitor: 'westernUnion',
        currency,
        amountMinor,
        rate: bolivianosRate(chosen.fx_rate, `${field}.fx_rate`),
        feeMinor: feeOf(chosen.gross_fee, `${field}.gross_fee`, amountMinor),
      },
    ];
  },
};

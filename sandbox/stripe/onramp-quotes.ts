/** Onramp quotes. */
import { z } from 'zod';
import type { Call } from '../context.ts';
import { newId } from '../ids.ts';
import { invalidRequest } from '../server/errors.ts';
import { expand, listOf, oneOf, text } from '../server/parameters.ts';
import { AMOUNT_DEFAULT, CRYPTO_CURRENCY_NAMES, currenciesOn, NETWORK_NAMES, priceOf } from './onramp-prices.ts';

export const quoteParameters = z.strictObject({
  ...expand,
  source_currency: oneOf(['usd', 'eur']).optional(),
  source_amount: text(20).optional(),
  destination_amount: text(30).optional(),
  destination_currency: oneOf(CRYPTO_CURRENCY_NAMES).optional(),
  destination_currencies: listOf(oneOf(CRYPTO_CURRENCY_NAMES), 20).optional(),
  destination_network: oneOf(NETWORK_NAMES).optional(),
  destination_networks: listOf(oneOf(NETWORK_NAMES), 20).optional(),
});

/** The price of each currency on each network. */
export function listQuotes({ context }: Call, input: z.infer<typeof quoteParameters>): object {
  const { destination_currency: destination, destination_network: only } = input;
  const currency = input.source_currency ?? 'usd';
  const quotesOn = (network: string) =>
    currenciesOn(network)
      .filter((one) => (destination ? one === destination : (input.destination_currencies?.includes(one) ?? true)))
      .flatMap((one) => {
        const amounts = {
          source_amount: input.source_amount ?? AMOUNT_DEFAULT,
          destination_amount: input.destination_amount ?? null,
        };
        const price = priceOf({ currency, destination: one, network, ...amounts });
        if (!price) throw invalidRequest('Invalid amount.', { param: 'source_amount' });
        const { fees, ...rest } = price;
        return {
          id: newId('coq_1'),
          destination_currency: one,
          destination_network: network,
          ...rest,
          fees: {
            network_fee_monetary: fees.network_fee_amount,
            transaction_fee_monetary: fees.transaction_fee_amount,
          },
        };
      });
  const networks = NETWORK_NAMES.filter((name) =>
    only ? name === only : (input.destination_networks?.includes(name) ?? true),
  );
  return {
    id: newId('coqs_1'),
    object: 'crypto.onramp.quotes',
    destination_network_quotes: Object.fromEntries(networks.map((name) => [name, quotesOn(name)])),
    livemode: false,
    rate_fetched_at: context.clock.seconds(),
    source_currency: currency,
  };
}

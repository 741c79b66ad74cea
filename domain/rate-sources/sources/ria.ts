import { z } from 'zod';
import { bolivianosRate, feeOf, type Source, senderCountry } from '../source.ts';

const session = z.object({ authToken: z.object({ tokenType: z.string(), jwtToken: z.string().min(1) }) });
const schema = z.object({
  model: z.object({
    transferDetails: z.object({
      calculations: z.object({ exchangeRate: z.number(), transferFee: z.number() }),
    }),
  }),
});

/** Ria's public calculator, behind a short anonymous session. */
export const ria: Source<z.infer<typeof schema>> = {
  name: 'ria',
  origin: 'https://public.riamoneytransfer.com',
  minIntervalMs: 1500,
  answers: 'json',
  requestMode: 'per_query',
  schema,
  async authenticate(ask) {
    const { authToken } = await ask({ path: '/Authorization/session' }, session);
    return { authorization: `${authToken.tokenType} ${authToken.jwtToken}` };
  },
  request: ({ currency, amountMinor }) => ({
    method: 'POST',
    path: '/MoneyTransferCalculator/Calculate',
    headers: {
      appversion: '4.0',
      'client-type': 'PublicSite',
      culturecode: 'es-ES',
      isocode: senderCountry[currency].two,
    },
    body: {
      selections: {
        countryFrom: senderCountry[currency].two,
        countryTo: 'BO',
        currencyFrom: currency,
        currencyTo: 'BOB',
        // Their API takes a number; two decimals survive the conversion.
        amountFrom: Number(amountMinor) / 100,
        amountTo: null,
        paymentMethod: 'DebitCard',
        deliveryMethod: 'BankDeposit',
        shouldCalcAmountFrom: false,
        shouldCalcVariableRates: true,
        promoId: 0,
      },
    },
  }),
  toObservations(data, { currency, amountMinor }) {
    const field = 'model.transferDetails.calculations';
    const { exchangeRate, transferFee } = data.model.transferDetails.calculations;
    return [
      {
        kind: 'price',
        source: 'ria',
        competitor: 'ria',
        currency,
        amountMinor,
        rate: bolivianosRate(exchangeRate, `${field}.exchangeRate`),
        feeMinor: feeOf(transferFee, `${field}.transferFee`, amountMinor),
      },
    ];
  },
};

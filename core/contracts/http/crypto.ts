import { z } from 'zod';
import { cryptoStatuses } from '../../crypto/crypto-order.ts';
import { fieldSentences } from '../field-problems.ts';
import { endpoint } from './endpoint.ts';
import { senderRoutes } from './sender-routes.ts';
import { amountInput, amountText, id, pageOf, pageQuery, timestamp } from './values.ts';

const usdcText = z
  .string()
  .regex(/^\d+\.\d{2,6}$/)
  .meta({ description: 'Cantidad exacta de la moneda comprada', example: '98.52' });

/** An identifier of the provider ("usdc", "solana"). The handler checks that it is one we sell. */
const identifier = (message: string) =>
  z
    .string({ error: message })
    .trim()
    .toLowerCase()
    .regex(/^[a-z_]{2,20}$/, message);

/** The asset for sale and its destination wallet, both fixed by the server. */
export const cryptoConfig = z.object({
  /** False while the operator has configured no wallet. */
  available: z.boolean(),
  currency: z.literal('usd'),
  destinationCurrency: z.string(),
  destinationNetwork: z.string(),
  walletAddress: z.string().nullable(),
  minimum: amountText,
  maximum: amountText,
});
export type CryptoConfig = z.infer<typeof cryptoConfig>;

/** One purchase of USDC by card. A higher `version` replaces a lower one. */
export const cryptoOrderView = z.object({
  id,
  version: z.int(),
  date: timestamp,
  currency: z.literal('usd'),
  /** The amount to spend on USDC, excluding the provider's fees. */
  amount: amountText,
  /** The amount spent on USDC according to the provider, or null so far. The person may change it there. */
  paidAmount: amountText.nullable(),
  destinationCurrency: z.string(),
  destinationNetwork: z.string(),
  walletAddress: z.string(),
  /** USDC bought; null until the provider says how many. */
  destinationAmount: usdcText.nullable(),
  fees: z.object({ network: amountText, transaction: amountText }).nullable(),
  status: z.enum(cryptoStatuses),
  /** The delivery's transaction on the network. */
  transactionId: z.string().nullable(),
  /** When the status last changed. */
  changedAt: timestamp,
});
export type CryptoOrderView = z.infer<typeof cryptoOrderView>;

export const cryptoEndpoints = {
  cryptoConfig: endpoint({
    ...senderRoutes.cryptoConfig,
    summary: 'Qué moneda se compra y a qué billetera llega',
    access: 'public',
    response: cryptoConfig,
  }),
  createOnrampSession: endpoint({
    ...senderRoutes.createOnrampSession,
    summary: 'Abre una compra de USDC con tarjeta (cabecera Idempotency-Key recomendada)',
    access: 'sender',
    body: z.object({
      amount: amountInput,
      currency: z
        .string({ error: fieldSentences.dollars_only })
        .toLowerCase()
        .pipe(z.literal('usd', { error: fieldSentences.dollars_only })),
      /** These three are fixed by the server: another one is refused with `crypto_destination_refused`. */
      destinationCurrency: identifier(fieldSentences.crypto_currency_malformed),
      destinationNetwork: identifier(fieldSentences.network_malformed),
      walletAddress: z
        .string({ error: fieldSentences.wallet_malformed })
        .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, fieldSentences.wallet_malformed),
    }),
    response: z.object({ clientSecret: z.string(), orderId: id, order: cryptoOrderView }),
    status: 201,
    failures: [
      'too_many_requests',
      'account_blocked',
      'email_unproven',
      'crypto_amount_out_of_range',
      'crypto_destination_refused',
      'crypto_unavailable',
      'idempotency_key_reused',
      'onramp_not_started',
    ],
  }),
  listCryptoOrders: endpoint({
    ...senderRoutes.listCryptoOrders,
    summary: 'Tus compras de criptomonedas, las más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(cryptoOrderView),
  }),
  getCryptoOrder: endpoint({
    ...senderRoutes.getCryptoOrder,
    summary: 'Una compra de criptomonedas',
    access: 'sender',
    params: z.object({ id }),
    response: cryptoOrderView,
    failures: ['not_found'],
  }),
  refreshCryptoOrder: endpoint({
    ...senderRoutes.refreshCryptoOrder,
    summary: 'Pide leer la compra otra vez en el proveedor; el cambio llega en vivo',
    access: 'sender',
    params: z.object({ id }),
    response: cryptoOrderView,
    failures: ['too_many_requests', 'not_found'],
  }),
};

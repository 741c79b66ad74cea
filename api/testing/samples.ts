import { randomUUID } from 'node:crypto';
import { endpoints } from '#core/contracts/http/endpoints';
import { testPassword } from './test-api.ts';

export type EndpointName = keyof typeof endpoints;

/** Ids of things that calls refer to: the sender's own, and somebody else's. */
export interface Things {
  recipientId: string;
  transferId: string;
  intentId: string;
  alertId: string;
  otherRecipientId: string;
  otherTransferId: string;
  otherIntentId: string;
  otherAlertId: string;
  /** A change of a rate that waits for the admin's confirmation. */
  rateChangeId: string;
  /** The one that coins may be bought to. */
  walletAddress: string;
  cryptoOrderId: string;
  otherCryptoOrderId: string;
}

export const sampleRecipient = {
  name: 'Rosa Mamani',
  email: '',
  phone: '+591 71234567',
  ci: '4567890',
  bankName: 'Banco Unión',
  bankAccount: '10000012345678',
  address: 'Av. Buenos Aires 1450',
  city: 'La Paz',
  relationship: 'Mamá',
};

export const sampleCryptoRequest = (walletAddress: string) => ({
  amount: '50.00',
  currency: 'usd',
  destinationCurrency: 'usdc',
  destinationNetwork: 'solana',
  walletAddress,
});

export interface Sample {
  params?: (things: Things) => Record<string, string>;
  body?: (things: Things) => Record<string, unknown>;
  /** Status of the call as it should be made; success of the contract when absent. */
  status?: number;
}

/** A correct call of every endpoint: what the attacks below change one thing of. A new endpoint does not compile without. */
export const samples: Record<EndpointName, Sample> = {
  register: {
    body: () => ({ name: 'Nueva', email: `${randomUUID()}@example.com`, password: testPassword, acceptedTerms: true }),
  },
  login: { body: () => ({ email: `${randomUUID()}@example.com`, password: testPassword }), status: 401 },
  recoverPassword: { body: () => ({ email: `${randomUUID()}@example.com` }) },
  recoveryLink: { body: () => ({ token: 'A'.repeat(43) }), status: 410 },
  resetPassword: { body: () => ({ token: 'A'.repeat(43), password: testPassword }), status: 410 },
  logout: {},
  me: {},
  listRecipients: {},
  createRecipient: { body: () => sampleRecipient },
  updateRecipient: { params: (things) => ({ id: things.recipientId }), body: () => sampleRecipient },
  deleteRecipient: { params: (things) => ({ id: things.recipientId }) },
  getRates: {},
  getRate: { params: () => ({ currency: 'eur' }) },
  rateSeries: { params: () => ({ currency: 'eur' }) },
  bankBoard: {},
  quote: { body: () => ({ amount: '100', currency: 'EUR' }) },
  exchangeRates: {},
  scraper: {},
  scraperFor: { params: () => ({ currency: 'eur', amount: '100' }) },
  updateRates: { body: () => ({ amount: '100' }) },
  listRateAlerts: {},
  createRateAlert: { body: () => ({ currency: 'EUR', rate: '999' }) },
  deleteRateAlert: { params: (things) => ({ id: things.alertId }) },
  dashboard: {},
  listTransfers: {},
  getTransfer: { params: (things) => ({ id: things.transferId }) },
  // The sample's transfer is not paid.
  receipt: { params: (things) => ({ id: things.transferId }), status: 404 },
  cancelTransfer: { params: (things) => ({ id: things.transferId }) },
  // The sample's transfer has its recipient.
  chooseRecipient: {
    params: (things) => ({ id: things.transferId }),
    body: (things) => ({ recipientId: things.recipientId }),
    status: 409,
  },
  paymentConfig: {},
  helpContact: {},
  createPaymentIntent: { body: (things) => ({ amount: '10', currency: 'eur', recipientId: things.recipientId }) },
  createDemoPayment: { body: (things) => ({ amount: '10', currency: 'eur', recipientId: things.recipientId }) },
  paymentStatus: { params: (things) => ({ paymentIntentId: things.intentId }) },
  confirmTransaction: { body: (things) => ({ paymentIntentId: things.intentId }), status: 409 },
  cryptoConfig: {},
  createOnrampSession: { body: (things) => sampleCryptoRequest(things.walletAddress) },
  listCryptoOrders: {},
  getCryptoOrder: { params: (things) => ({ id: things.cryptoOrderId }) },
  refreshCryptoOrder: { params: (things) => ({ id: things.cryptoOrderId }) },
  adminTransfers: {},
  adminUsers: {},
  adminStats: {},
  setRate: { body: () => ({ rate: '13.38', currency: 'USD', reason: 'Sin fuentes recientes' }) },
  confirmRateChange: { params: (things) => ({ id: things.rateChangeId }) },
  // The call before has confirmed it.
  declineRateChange: { params: (things) => ({ id: things.rateChangeId }), status: 409 },
  rateDesk: {},
  rateHistory: {},
  rateSources: {},
  approve: { params: (things) => ({ id: things.transferId }), status: 409 },
  reject: { params: (things) => ({ id: things.transferId }), body: () => ({ reason: 'No' }), status: 409 },
  refresh: {},
  live: {},
  ready: {},
};

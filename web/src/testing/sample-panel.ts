import type { Tier } from '#core/accounts/tiers';
import type { IdentityView } from '#core/contracts/http/identity';
import type { RecipientView } from '#core/contracts/http/recipients';
import type { DashboardView } from '#core/contracts/http/transfers';
import type { FakeApi } from './fake-api.ts';
import { senderSession } from './render-app.tsx';
import { quoteFor, sampleBanks, sampleBoard, sampleComparison } from './sample-rates.ts';

/** A recipient of the sample sender. */
export const juana: RecipientView = {
  version: 1,
  id: 'c3b7d2f4-8a55-4d2c-9a53-1d7c0f6b2e02',
  name: 'Juana Mamani',
  email: '',
  phone: '71234567',
  ci: '4567890',
  bankName: 'Banco Mercantil Santa Cruz',
  bankAccount: '4010000001',
  address: 'Calle 21 de Calacoto',
  city: 'La Paz',
  relationship: '',
  createdAt: '2026-11-01T14:00:00.000Z',
  lastSentAt: null,
  accountChangedAt: null,
  nameCheck: { status: 'match', bankSays: 'J*** M***', confirmed: false },
};

/** The figures of a sender who has sent nothing yet. */
export const emptySummary: DashboardView = {
  balance: '3000.00',
  totalSent: '0.00',
  recipientCount: 0,
  transferCount: 0,
  monthLimit: '3000.00',
  dayLeft: '3000.00',
  dayLimit: '3000.00',
  tier: 'email',
  tiers: (['email', 'identity', 'document'] as const).map((tier) => ({
    tier,
    ...{ payment: '3000.00', day: '3000.00', month: '3000.00' },
  })),
};

/** How well a sender is known who has proven their address alone, and what each step allows. */
export const sampleIdentity: IdentityView = {
  tier: 'email',
  tiers: Object.entries({ email: '1000.00', identity: '2000.00', document: '3000.00' } as const).map(
    ([tier, most]) => ({ tier: tier as Tier, payment: most, day: most, month: most }),
  ),
  sent: { day: '0.00', month: '0.00' },
  ...{ identity: null, document: null },
};

/** What a person sent to be verified, before somebody decided about it. */
export const waitingCheck: NonNullable<IdentityView['identity']> = {
  ...({ level: 'identity', state: 'waiting', documentType: 'passport', country: 'BO', number: '•••11' } as const),
  ...{ legalName: 'Carmen Rojas', birthDate: '1990-05-17', reason: null },
  ...{ at: '2026-11-23T12:00:00.000Z', decidedAt: null },
};

/** What the api answers to the panel of a sender who has neither recipients nor transfers yet. */
export const emptyPanel: Parameters<FakeApi['answer']>[0] = {
  me: () => senderSession,
  dashboard: () => emptySummary,
  listTransfers: () => ({ items: [], nextCursor: null }),
  listRecipients: () => ({ items: [], nextCursor: null }),
  listRateAlerts: () => ({ items: [], nextCursor: null }),
  listRepeats: () => ({ items: [], nextCursor: null }),
  getIdentity: () => sampleIdentity,
  getRates: () => sampleBoard(),
  quote: ({ body }) => quoteFor(body),
  exchangeRates: () => sampleComparison,
  rateSeries: ({ params }) => ({
    history: false,
    currency: params.currency === 'EUR' ? 'EUR' : 'USD',
    days: 30,
    points: [
      { date: '2026-11-19', ours: '11.50', reference: '11.80', competitors: {} },
      { date: '2026-11-20', ours: '11.55', reference: '11.85', competitors: {} },
    ],
  }),
  arrivalTimes: () => ({ days: 30, times: [] }),
  bankBoard: ({ query }) => ({ ...sampleBanks({}, query), day: null, collectedAt: null, freshness: null }),
  paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
};

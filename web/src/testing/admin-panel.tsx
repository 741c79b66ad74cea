import type { ReactNode } from 'react';
import type { AdminStats } from '#core/contracts/http/admin';
import type { RateChangeView, RateManagementView } from '#core/contracts/http/admin-rates';
import type { AdminUserDetail, AdminUserView } from '#core/contracts/http/admin-users';
import type { DeskCaseView } from '#core/contracts/http/operations';
import type { RateView } from '#core/contracts/http/rates';
import type { SendCurrency } from '#core/money/money';
import { DeskTab } from '../features/admin/desk/desk-tab.tsx';
import { storeSession } from '../lib/storage.ts';
import type { FakeApi } from './fake-api.ts';
import { adminSession, renderApp } from './render-app.tsx';
import { sampleReview } from './sample-admin-transfer.ts';

/** A product in which nothing has happened yet. */
export const emptyStats: AdminStats = {
  dailyVolume: '0.00',
  monthlyVolume: '0.00',
  dailyTrend: null,
  monthlyTrend: null,
  pendingTransactions: 0,
  completedTransactions: 0,
  rejectedTransactions: 0,
  totalUsers: 2,
  activeUsers: 0,
  views: { to_decide: 0, stuck: 0, today: 0 },
};

const rateInForce = (currency: SendCurrency, rate: string): RateView => ({
  currency,
  rate,
  lastUpdated: '2026-11-20T14:00:00.000Z',
  source: 'admin',
  paused: false,
  marketSeenAt: '2026-11-21T14:00:00.000Z',
});

/** Our rates and the market's for tests; `open` changes wait for somebody. */
export function sampleRates(open: Partial<Record<SendCurrency, RateChangeView>> = {}): RateManagementView {
  const ofCurrency = (currency: SendCurrency, rate: string, reference: string, proposal: string) => ({
    inForce: rateInForce(currency, rate),
    reference: {
      rate: reference,
      sources: [{ name: 'Dólar API', rate: reference, observedAt: '2026-11-21T14:00:00.000Z' }],
    },
    proposal,
    bestCompetitor: { name: 'Ria', rate: '11.20' },
    openChange: open[currency] ?? null,
  });
  return {
    currencies: {
      USD: ofCurrency('USD', '11.55', '11.80', '11.56'),
      EUR: ofCurrency('EUR', '13.38', '13.60', '13.32'),
    },
    marginPercent: '2.00',
    maxStepPercent: '20.00',
  };
}

/** A change of the dollar's rate for tests that waits for a second person, asked for by Ana. */
export function sampleChange(changes: Partial<RateChangeView> = {}): RateChangeView {
  return {
    id: '41',
    date: '2026-11-21T15:00:00.000Z',
    setBy: 'Ana Quispe',
    setById: '0199b2d0-0000-4000-8000-0000000000f1',
    currency: 'USD',
    rate: '14.50',
    previousRate: '11.55',
    state: 'awaiting_confirmation',
    reason: 'El mercado saltó esta mañana',
    guardRails: ['step_too_large'],
    expiresAt: '2026-11-22T15:00:00.000Z',
    decidedBy: null,
    decidedAt: null,
    activateAt: null,
    activatedAt: null,
    ...changes,
  };
}

/** A person in the list of people. */
export const carmen: AdminUserView = {
  id: '0199b2d0-0000-4000-8000-0000000000d1',
  name: 'Carmen Rojas',
  email: 'carmen@example.com',
  role: 'user',
  adminRole: null,
  transactionsCount: 1,
  totalVolume: '100.00',
  lastActive: null,
  closedAt: null,
  blockedAt: null,
};

/** A person as their own address shows them. */
export const sampleUser = (changes: Partial<AdminUserDetail> = {}): AdminUserDetail => ({
  ...carmen,
  ...{ phone: '+34 612 345 678', city: 'Madrid', birthDate: '1990-05-17', createdAt: '2026-11-01T14:00:00.000Z' },
  limits: { dayLimit: '3000.00', dayLeft: '2890.00', monthLimit: '10000.00', monthLeft: '9890.00' },
  ...{ secondFactorSince: null, tier: 'email', identityChecks: [], roleRequest: null, secondPersonFrom: null },
  blocks: [],
  holds: [],
  notes: [],
  ...changes,
});

/** Opens a part of the admin panel, beside the toasts, as an admin who sends nothing. `answers` replace those of an empty product. */
export async function openAsAdmin(
  api: FakeApi,
  element: ReactNode,
  { address = '/', ...answers }: { address?: string } & Parameters<FakeApi['answer']>[0] = {},
) {
  storeSession(adminSession);
  const [USD, EUR] = [rateInForce('USD', '11.55'), rateInForce('EUR', '13.38')];
  api.answer({
    me: () => adminSession,
    adminStats: () => emptyStats,
    adminTransfers: () => ({ items: [], nextCursor: null }),
    adminUsers: () => ({ items: [], nextCursor: null }),
    identityChecks: () => ({ items: [], nextCursor: null }),
    adminUser: ({ params }) => ({ user: sampleUser({ id: String(params.id) }) }),
    reviews: () => ({ items: [], nextCursor: null }),
    review: ({ params }) => ({ review: sampleReview({ id: String(params.id) }) }),
    deskCases: () => ({ items: [], nextCursor: null }),
    moneyStops: () => ({ stops: [] }),
    queuePauses: () => ({ pauses: [] }),
    transferWork: () => ({ items: [], queues_readable: true }),
    openExceptions: () => ({ open: 0 }),
    transferProfit: () => ({ profit: [] }),
    rateManagement: () => sampleRates(),
    rateHistory: () => ({ items: [], nextCursor: null }),
    rateSources: () => ({ sources: [], lastRunAt: null }),
    rateSeries: ({ query }) => ({ currency: 'USD', days: query.days === '365' ? 365 : 30, points: [], history: false }),
    getRates: () => ({ ...USD, rates: { USD, EUR } }),
    paymentConfig: () => ({ publishableKey: 'pk_test_1', scriptUrl: null, mode: 'sandbox' }),
    ...answers,
  });
  const both = <>{element}</>;
  return renderApp([{ path: '/', element: both }], address);
}

/** Opens the desk as an admin who has nothing to do with the sample case, with a case open when its id is given. */
export async function openDesk(api: FakeApi, cases: DeskCaseView[], caseId?: string) {
  storeSession(adminSession);
  api.answer({
    me: () => adminSession,
    deskCases: () => ({ items: cases, nextCursor: null }),
    moneyStops: () => ({ stops: [] }),
    deskCase: () => ({ case: cases.find(({ id }) => id === caseId) as DeskCaseView }),
  });
  const { screen, router } = await renderApp([{ path: '/', element: <DeskTab /> }], caseId ? `/?case=${caseId}` : '/');
  return { screen, router };
}

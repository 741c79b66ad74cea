import type { SendCurrency } from '#core/money/money';
import { dayMs } from '#core/time/time';

/** A moment some days later (or earlier, when negative). */
export function addDays(from: Date, days: number): Date {
  return new Date(from.getTime() + days * dayMs);
}

/** Rates of the demonstration, near those of the corridor in August 2026. */
export const sampleRates: readonly { currency: SendCurrency; rate: string; daysAgo: number }[] = [
  { currency: 'USD', rate: '11.60', daysAgo: 40 },
  { currency: 'EUR', rate: '13.42', daysAgo: 40 },
  { currency: 'USD', rate: '11.52', daysAgo: 14 },
  { currency: 'EUR', rate: '13.35', daysAgo: 14 },
  { currency: 'USD', rate: '11.55', daysAgo: 0 },
  { currency: 'EUR', rate: '13.38', daysAgo: 0 },
];

export const sampleRecipients = [
  {
    name: 'Rosa Mamani Condori',
    email: '',
    phone: '+591 71234567',
    ci: '4567890 LP',
    bankName: 'Banco Unión',
    bankAccount: '10000012345678',
    address: 'Av. Buenos Aires 1450',
    city: 'La Paz',
    relationship: 'Mamá',
  },
  {
    name: 'Javier Mamani Rojas',
    email: 'javier@chasqui.test',
    phone: '+591 76543210',
    ci: '7890123 SC',
    bankName: 'Banco Mercantil Santa Cruz',
    bankAccount: '4012345678',
    address: 'Calle Libertad 320',
    city: 'Santa Cruz',
    relationship: '',
  },
] as const;

export interface SampleTransfer {
  /** Index into `sampleRecipients`. */
  readonly recipient: number;
  readonly amountMinor: bigint;
  readonly currency: SendCurrency;
  readonly rate: string;
  readonly daysAgo: number;
  readonly outcome: 'completed' | 'rejected';
  readonly reference: string;
}

export const sampleTransfers: readonly SampleTransfer[] = [
  {
    recipient: 0,
    amountMinor: 20_000n,
    currency: 'EUR',
    rate: '13.42',
    daysAgo: 36,
    outcome: 'completed',
    reference: 'BU-000481',
  },
  {
    recipient: 1,
    amountMinor: 12_000n,
    currency: 'USD',
    rate: '11.60',
    daysAgo: 21,
    outcome: 'completed',
    reference: 'BM-000732',
  },
  { recipient: 1, amountMinor: 7_500n, currency: 'EUR', rate: '13.35', daysAgo: 9, outcome: 'rejected', reference: '' },
  {
    recipient: 0,
    amountMinor: 25_000n,
    currency: 'EUR',
    rate: '13.35',
    daysAgo: 5,
    outcome: 'completed',
    reference: 'BU-000955',
  },
];

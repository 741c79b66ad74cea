import { expect, test } from 'vitest';
import type { RateAlertView } from '#core/contracts/http/rate-alerts';
import { inReadingOrder } from './rate-alerts.ts';

const alert = (id: string, overrides: Partial<RateAlertView> = {}): RateAlertView => ({
  id,
  currency: 'EUR',
  rate: '13.40',
  createdAt: '2026-11-21T10:00:00.000Z',
  firedAt: null,
  firedRate: null,
  ...overrides,
});

test('waiting rate alerts come first, the nearest value first, then those that fired, the newest first', () => {
  const fired = (at: string) => ({ firedAt: `2026-11-${at}T10:00:00.000Z`, firedRate: '13.50' });
  const alerts = [
    alert('old', fired('20')),
    alert('far', { rate: '100.00' }),
    alert('new', fired('21')),
    alert('dollar', { currency: 'USD', rate: '11.00' }),
    alert('near', { rate: '20.00' }),
  ];
  expect(inReadingOrder(alerts).map(({ id }) => id)).toEqual(['near', 'far', 'dollar', 'new', 'old']);
});

import { describe, expect, it } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferStateNames } from '#core/transfers/states';
import { canCancel, countdownText, expectedSteps, moneyWhenCancelled, stepLabel } from './transfer-labels.ts';

const transfer = (changes: Partial<TransferView>) =>
  ({
    estimatedDelivery: '2026-11-24T15:00:00.000Z',
    quoteExpiresAt: '2026-11-21T15:30:00.000Z',
    ...changes,
  }) as TransferView;

describe('what comes next', () => {
  it('ends with the deposit for whatever is on its way, and is nothing for what has ended', () => {
    for (const state of transferStateNames) {
      const last = expectedSteps(transfer({ state })).at(-1);
      const onItsWay = ['awaiting_payment', 'in_review', 'approved', 'captured'].includes(state);
      if (onItsWay) expect(last).toEqual({ title: 'Depósito en Bolivia', when: 'Hacia el martes, 24 de noviembre' });
      else expect(last?.title).not.toBe('Depósito en Bolivia');
    }
  });

  it('is never a deposit once the sender cancelled', () => {
    for (const state of ['approved', 'captured', 'refunding'] as const) {
      const titles = expectedSteps(transfer({ state, cancelRequested: true })).map(({ title }) => title);
      expect(titles).not.toContain('Depósito en Bolivia');
      expect(titles).toHaveLength(1);
    }
  });
});

describe('a cancelled transfer', () => {
  it('was cancelled by its sender, not refused by the bank', () => {
    expect(stepLabel('refunding', { cancelRequested: true })).toMatch(/por ti/);
    expect(stepLabel('refunding', { cancelRequested: false })).toMatch(/banco/);
  });

  it.each([
    ['awaiting_payment', /no se cobra nada/],
    ['in_review', /se libera/],
    ['approved', /comisión incluida/],
    ['captured', /comisión incluida/],
  ] as const)('of a cancelled transfer becomes known while it is %s', (state, message) => {
    expect(moneyWhenCancelled(state, '100,00 EUR')).toMatch(message);
  });
});

describe('the 30 minutes', () => {
  it('are counted down in minutes and seconds, the last second included', () => {
    expect([1_800_000, 725_000, 59_001, 1, 0, -5].map(countdownText)).toEqual([
      '30:00',
      '12:05',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
    ]);
  });

  it('end at the hour the server said, also without news of it', () => {
    const until = '2026-11-21T15:30:00.000Z';
    const view = transfer({ cancellable: true, cancellableUntil: until });
    expect(canCancel(view, Date.parse(until))).toBe(true);
    expect(canCancel(view, Date.parse(until) + 1)).toBe(false);
    expect(canCancel({ ...view, cancellableUntil: null }, Date.parse(until) + 1)).toBe(true);
    expect(canCancel({ ...view, cancellable: false }, 0)).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import type { RateChangeView } from '#core/contracts/http/admin-rates';
import { plain } from '../../../testing/plain.ts';
import {
  bolivianosText,
  changeText,
  currentMarginText,
  durationText,
  guardRailMessage,
  limitsOfChange,
  outcomeMessage,
  readRateEntry,
} from './change-messages.ts';

const change: RateChangeView = {
  id: '7',
  date: '2026-11-21T18:00:00.000Z',
  setBy: 'Ana Quispe',
  setById: '5b1d8f5e-4a52-4a2c-8f4e-1f6f0a6b7c8d',
  currency: 'USD',
  rate: '12.10',
  previousRate: '11.55',
  state: 'activated',
  reason: null,
  guardRails: [],
  expiresAt: null,
  decidedBy: null,
  decidedAt: null,
  activateAt: null,
  activatedAt: '2026-11-21T18:00:00.000Z',
};

describe('changeText', () => {
  it('the text of a rate change tells the direction and one decimal', () => {
    expect(plain(changeText('10.00', '10.62'))).toBe('+6,2 %');
    expect(plain(changeText('13.38', '1.34'))).toBe('−89,9 %');
    expect(plain(changeText('10.00', '10.00'))).toBe('0,0 %');
    expect(changeText('0', '10.00')).toBeNull();
  });
});

describe('currentMarginText', () => {
  it('the current margin is positive below the reference and negative above it, with two decimals', () => {
    expect(plain(currentMarginText('11.50', '11.60'))).toBe('0,86 %');
    expect(plain(currentMarginText('11.65', '11.60'))).toBe('−0,43 %');
    expect(plain(currentMarginText('11.60', '11.60'))).toBe('0,00 %');
  });
});

describe('guardRailMessage', () => {
  it('the message of a guard-rail names the limit, and the reference where there is one', () => {
    expect(plain(guardRailMessage('step_too_large', { maxStepPercent: '3.00', reference: null }))).toContain('3,00 %');
    expect(plain(guardRailMessage('above_reference', { maxStepPercent: '3.00', reference: '11.60' }))).toContain(
      '11,60 Bs',
    );
    expect(guardRailMessage('above_reference', { maxStepPercent: '3.00', reference: null })).not.toContain('null');
  });
});

describe('limitsOfChange', () => {
  const shown = { inForce: null, reference: null, proposal: null, bestCompetitor: null, openChange: null };
  const deskWith = (rate: string) => ({
    currencies: { USD: { ...shown, reference: { rate, sources: [] } }, EUR: shown },
    marginPercent: '1.00',
    maxStepPercent: '3.00',
  });

  it('the limits of a rate change name the reference only while the rate is above it', () => {
    expect(limitsOfChange(deskWith('11.60'), change)).toEqual({ maxStepPercent: '3.00', reference: '11.60' });
    expect(limitsOfChange(deskWith('12.20'), change).reference).toBeNull();
    expect(limitsOfChange(deskWith('11.60'), { ...change, currency: 'EUR' }).reference).toBeNull();
  });
});

describe('outcomeMessage', () => {
  it('the message about a rate change never calls a rate updated that waits', () => {
    expect(outcomeMessage(change).title).toBe('Tasa actualizada');
    expect(outcomeMessage({ ...change, state: 'awaiting_confirmation' }).message).toContain('otra persona');
    const scheduled = outcomeMessage({ ...change, state: 'scheduled', activateAt: '2026-11-22T12:00:00.000Z' });
    expect(plain(scheduled.message)).toBe('1 USD = 12,10 Bs desde el 22/11/2026, 08:00 (hora de La Paz)');
  });
});

it('a duration is written in the unit that can be read', () => {
  expect([40, 840, 1_240, 9_949, 12_400].map(durationText)).toEqual(['40 ms', '840 ms', '1,2 s', '9,9 s', '12 s']);
});

it('a derived rate is shown with its first decimals', () => {
  expect(plain([bolivianosText('11.60'), bolivianosText('12.765432')])).toEqual(['11,60 Bs', '12,7654 Bs']);
  expect(plain(bolivianosText('12.765432', 2))).toBe('12,76 Bs');
});

describe('readRateEntry', () => {
  it.each(['13.38', '13,38', '13', 13.38, ' 13.4 '])('the rate entry %o is read', (entry) => {
    expect(readRateEntry(entry)).not.toBeNull();
  });

  it.each(['', '-', '.', 'abc', '-1', '0', '0.00', '13.385', '1e3', '1001'])(
    'the rate entry %o is refused',
    (entry) => {
      expect(readRateEntry(entry)).toBeNull();
    },
  );
});

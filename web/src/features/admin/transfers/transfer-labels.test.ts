import { describe, expect, it } from 'vitest';
import { formatLaPazMoment, laPazTime } from '../../../lib/format/dates.ts';
import { plain } from '../../../testing/plain.ts';
import { sampleTransfer } from '../../../testing/sample-admin-transfer.ts';
import { trendOf } from '../overview.tsx';
import { cardText, decisionBlockedBecause, holdDeadline, marginText, stepText } from './transfer-labels.ts';

const step = (state: Parameters<typeof sampleTransfer>[0] & object, owner = 'clock') =>
  sampleTransfer({ ...state, timeline: [...sampleTransfer().timeline, { state: state.state!, at: '', owner }] });

describe('stepText', () => {
  it('the text of a step names who decided and the reference of the bank', () => {
    expect(stepText(step({ state: 'approved', decided_by: 'Marta' }), 2)).toBe('Aprobada por Marta');
    expect(stepText(step({ state: 'completed', payout_reference: 'BU-1' }), 2)).toContain('BU-1');
  });

  it('the text of a step tells what the bank does not pay, and money on its way back, by the steps before', () => {
    const steps = (
      ...states: [state: NonNullable<Parameters<typeof sampleTransfer>[0]>['state'] & string, owner: string][]
    ) => {
      const timeline = states.map(([state, owner]) => ({ state, owner, at: '' }));
      return stepText(sampleTransfer({ timeline }), timeline.length - 1);
    };
    const messages = [
      steps(['captured', 'payments'], ['payout_failed', 'payouts']),
      steps(['completed', 'payouts'], ['payout_failed', 'payouts']),
      steps(['payout_failed', 'payouts'], ['captured', 'sender']),
      steps(['approved', 'admin'], ['captured', 'payments']),
      steps(['captured', 'payments'], ['refunding', 'payouts']),
      steps(['payout_failed', 'payouts'], ['refunding', 'sender']),
      steps(['payout_failed', 'payouts'], ['refunding', 'admin']),
      steps(['refunded', 'payments'], ['refunding', 'payments']),
      steps(['captured', 'payments'], ['completed', 'payouts']),
      steps(['captured', 'payments'], ['completed', 'admin']),
    ];
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('the text of a step tells a cancelled charge from another refund by its code, and a refund by bank transfer', () => {
    const timeline = [
      { state: 'captured', owner: 'payments', at: '' },
      { state: 'refunding', owner: 'payments', at: '' },
      { state: 'refunded', owner: 'payments', at: '' },
    ] as const;
    const refund = { channel: 'bank', state: 'done', byBank: '100.00', reference: 'TRF-77' } as const;
    const text = (index: number, changes: Parameters<typeof sampleTransfer>[0]) =>
      stepText(sampleTransfer({ timeline: [...timeline], ...changes }), index);
    expect(text(1, { cancel_requested: true, reason: null })).toMatch(/^Cancelada por el remitente/);
    expect(text(1, { reason: 'El remitente lo canceló' })).toBe('El dinero vuelve a la tarjeta');
    expect(text(2, {})).toMatch(/a la tarjeta/);
    expect(text(2, { refund, returned: '100.00' })).toBe(
      'Dinero devuelto por transferencia bancaria, referencia TRF-77',
    );
    expect(text(2, { refund: { ...refund, byBank: '60.00' }, returned: '100.00', currency: 'EUR' })).toBe(
      'Dinero devuelto: 60,00\u00a0EUR por transferencia bancaria y lo demás a la tarjeta',
    );
  });

  it('the text of a step tells the three ends without payment apart', () => {
    const unpaid = sampleTransfer({
      timeline: [
        { state: 'awaiting_payment', at: '', owner: 'sender' },
        { state: 'expired', at: '', owner: 'clock' },
      ],
    });
    const messages = [
      stepText(unpaid, 1),
      stepText(step({ state: 'expired' }, 'clock'), 2),
      stepText(step({ state: 'expired' }, 'payments'), 2),
    ];
    expect(new Set(messages).size).toBe(3);
  });
});

describe('cardText', () => {
  it('the text of a card shows brand and last digits, and copes with an unknown brand or none', () => {
    expect(cardText(sampleTransfer())).toBe('Visa •••• 4242');
    expect(cardText(sampleTransfer({ card: { brand: 'cartes', last4: '1' } }))).toBe('cartes •••• 1');
    expect(cardText(sampleTransfer({ card: null }))).toBe('Tarjeta');
  });
});

describe('decisionBlockedBecause', () => {
  const own = sampleTransfer({ user_id: 'me' });
  const me = { id: 'me', adminRole: 'owner' } as const;
  const colleague = { id: 'colleague', adminRole: 'reviewer' } as const;

  it('a decision is blocked for who may not decide', () => {
    const treasurer = { id: 'colleague', adminRole: 'treasurer' } as const;
    expect(decisionBlockedBecause(own, 'reject', treasurer)).toContain('Tu rol no permite');
  });

  it('both decisions about an admin’s own transfer are blocked', () => {
    expect(decisionBlockedBecause(own, 'approve', me)).toContain('Es tu transferencia');
    expect(decisionBlockedBecause(own, 'reject', me)).toContain('Es tu transferencia');
    expect(decisionBlockedBecause(own, 'approve', colleague)).toBeNull();
  });

  it('only the approval is blocked for a transfer without recipient', () => {
    const nobody = sampleTransfer({ recipient: '' });
    expect(decisionBlockedBecause(nobody, 'approve', me)).toContain('Falta el destinatario');
    expect(decisionBlockedBecause(nobody, 'reject', me)).toBeNull();
  });
});

describe('times and percentages', () => {
  it('times are in La Paz (UTC-4) with the zone written, whatever zone the machine is in', () => {
    expect(formatLaPazMoment('2026-11-22T03:05:00.000Z')).toBe('21/11/2026, 23:05');
    expect(laPazTime('2026-11-22T04:00:00.000Z')).toBe('22/11/2026, 00:00 (hora de La Paz)');
  });

  it('percentages of the margin use a decimal comma, and say when there was no reference', () => {
    expect(plain(marginText({ markup_percent: '0.75' }))).toBe('0,75 %');
    expect(plain(marginText({ markup_percent: '-1.20' }))).toBe('−1,20 %');
    expect(marginText({ markup_percent: null })).toBe('Sin referencia');
  });
});

describe('trendOf', () => {
  it('a trend is written as the specification does, and is nothing without a computed change', () => {
    expect(plain(trendOf('12.5', 'day'))).toEqual({ text: '+12,5 % vs ayer', direction: 'up' });
    expect(plain(trendOf('-3.0', 'month'))).toEqual({ text: '−3,0 % vs mes anterior', direction: 'down' });
    expect(plain(trendOf('0.0', 'day'))).toEqual({ text: '0,0 % vs ayer', direction: 'flat' });
    expect(trendOf(null, 'day')).toBeNull();
  });
});

const end = '2026-11-28T14:00:00.000Z';
const hoursBefore = (hours: number) => Date.parse(end) - hours * 3_600_000;

describe('holdDeadline', () => {
  const waiting = sampleTransfer({ capture_before: end });

  it.each([
    [168, 'calm', '7 d'],
    [50.5, 'calm', '2 d 2 h'],
    [48, 'calm', '2 d'],
    [47.9, 'soon', '47 h'],
    [24, 'soon', '24 h'],
    [23.9, 'urgent', '23 h'],
    [0.5, 'urgent', '30 min'],
    [0, 'over', ''],
    [-3, 'over', ''],
  ])('the deadline of an authorization is, %d h before its end, %s', (hours, level, left) => {
    expect(holdDeadline(waiting, hoursBefore(hours))).toEqual({ level, left, endsAt: end });
  });

  it('the deadline of an authorization is not shown once the transfer is decided, or before a card is held', () => {
    expect(holdDeadline(sampleTransfer({ state: 'approved' }), hoursBefore(10))).toBeNull();
    expect(holdDeadline(sampleTransfer({ capture_before: null }), hoursBefore(10))).toBeNull();
  });
});

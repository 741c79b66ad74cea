import { describe, expect, it, test } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferStateNames } from '#core/transfers/states';
import { loadEnglish, showLanguage } from '../../lib/language.ts';
import { isSpanish } from '../../testing/english.ts';
import { plain } from '../../testing/plain.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { arriving } from '../shared/arriving.ts';
import {
  attentionLabel,
  attentionNote,
  canCancel,
  countdownText,
  endReason,
  expectedSteps,
  isDelayed,
  moneyWhenCancelled,
  notReturned,
  paidBackMessage,
  payoutReturnedMessage,
  returnedMessage,
  returningLabel,
  stepLabel,
} from './transfer-labels.ts';

// Before the tests: on a busy machine it takes longer than one may.
const english = await loadEnglish('all');

const transfer = (changes: Partial<TransferView>) =>
  ({
    timeline: [],
    estimatedDelivery: '2026-11-24T15:00:00.000Z',
    quoteExpiresAt: '2026-11-21T15:30:00.000Z',
    ...changes,
  }) as TransferView;

/** Before the deposit was expected, and two days after that. */
const [inTime, late] = [Date.parse('2026-11-21T15:00:00Z'), Date.parse('2026-11-26T15:00:00Z')];

describe('what comes next', () => {
  it('the next steps of a transfer on its way end with the deposit, and an ended transfer has none', () => {
    for (const state of transferStateNames) {
      const last = expectedSteps(transfer({ state }), inTime).at(-1);
      const onItsWay = ['awaiting_payment', 'in_review', 'approved', 'captured'].includes(state);
      if (onItsWay) expect(last).toEqual({ title: 'Depósito en Bolivia', when: 'Hacia el martes, 24 de noviembre' });
      else expect(last?.title).not.toBe('Depósito en Bolivia');
    }
  });

  it('the deposit of a late transfer says so and promises no day', () => {
    for (const state of ['in_review', 'approved', 'captured'] as const) {
      const last = expectedSteps(transfer({ state }), late).at(-1);
      expect(last).toEqual({
        ...{ title: 'Depósito en Bolivia', when: 'Se retrasa: se esperaba el martes, 24 de noviembre' },
      });
    }
  });

  it('the next step of a transfer that the sender cancelled is never a deposit', () => {
    for (const state of ['approved', 'captured', 'refunding'] as const) {
      const titles = expectedSteps(transfer({ state, cancelRequested: true }), late).map(({ title }) => title);
      expect(titles).not.toContain('Depósito en Bolivia');
      expect(titles).toHaveLength(1);
    }
  });

  it('a charged transfer whose day has passed is late, and says nothing of a day that is over', () => {
    const captured = transfer({ state: 'captured' });
    expect([isDelayed(captured, inTime), isDelayed(captured, late)]).toEqual([false, true]);
    expect(isDelayed(transfer({ state: 'captured', cancelRequested: true }), late)).toBe(false);
    expect(isDelayed(transfer({ state: 'completed' }), late)).toBe(false);
    expect(expectedSteps(captured, late)).toEqual([
      { title: 'Depósito en Bolivia', when: 'Se retrasa: se esperaba el martes, 24 de noviembre' },
    ]);
  });

  it('a charged transfer that is being cancelled waits for the bank, an approved one does not', () => {
    const step = (state: 'approved' | 'captured') =>
      expectedSteps(transfer({ state, cancelRequested: true }), inTime)[0];
    expect(step('captured')?.when).toBe('Preguntamos al banco: si no pagó, tu dinero vuelve a tu tarjeta');
    expect(step('approved')?.when).toBe('Pediste cancelar: lo estamos deshaciendo');
  });
});

/** A transfer whose last steps these are, each with who made it. */
const withSteps = (...steps: [state: TransferView['state'], owner: string][]) =>
  transfer({
    state: steps.at(-1)?.[0] ?? 'captured',
    status: 'refunded',
    reason: 'El banco no pudo pagar: cuenta cerrada',
    cancelRequested: false,
    timeline: steps.map(([state, owner]) => ({ state, owner, at: '2026-11-21T15:00:00.000Z' })),
  });
const lastLabel = (view: TransferView) => stepLabel(view, view.timeline.length - 1);

describe('money on its way back', () => {
  it('mentions a missed correction only to a sender who could make it', () => {
    const steps = withSteps(['payout_failed', 'payouts'], ['refunding', 'clock']);
    expect(lastLabel(steps)).toMatch(/^La cuenta no se corrigió a tiempo/);
    const reason = 'El banco no pudo pagar a esa cuenta: tu dinero vuelve completo a tu tarjeta.';
    expect(lastLabel({ ...steps, reason })).toBe('El banco no pudo pagar: tu dinero vuelve a tu tarjeta');
  });

  it.each([
    [
      'was asked for by its sender',
      [
        ['payout_failed', 'payouts'],
        ['refunding', 'sender'],
      ],
      /^Pediste/,
    ],
    [
      'is what an admin decided after the bank refused',
      [
        ['payout_failed', 'payouts'],
        ['refunding', 'admin'],
      ],
      /^El banco no/,
    ],
    [
      'follows from a refusal of the bank',
      [
        ['captured', 'payments'],
        ['refunding', 'payouts'],
      ],
      /^El banco no/,
    ],
    [
      'was not to be paid to an account that nobody corrected',
      [
        ['payout_failed', 'payouts'],
        ['refunding', 'clock'],
      ],
      /no se corrigió a tiempo/,
    ],
    [
      'was sent from outside',
      [
        ['captured', 'payments'],
        ['refunding', 'payments'],
      ],
      /^Tu dinero vuelve/,
    ],
    [
      'did not reach the card',
      [
        ['refunded', 'payments'],
        ['refunding', 'payments'],
      ],
      /no llegó a tu tarjeta/,
    ],
  ] as const)('money on its way back %s', (_name, steps, label) => {
    expect(
      lastLabel(withSteps(...steps.map(([state, owner]) => [state, owner] as [TransferView['state'], string]))),
    ).toMatch(label);
  });

  it('money on its way back is never blamed on the bank once the card gave it back', () => {
    const bounced = {
      ...withSteps(['refunding', 'payouts'], ['refunded', 'payments'], ['refunding', 'payments']),
      refund: { channel: 'card', state: 'failed', byBank: '0.00', reference: null } as const,
    };
    const labelAt = (state: TransferView['state']) => returningLabel({ state, cancelPending: false });
    expect(labelAt('refunding')).toBe('EN DEVOLUCIÓN');
    expect(transferStateNames.filter(labelAt)).toEqual(['refunding']);
    expect(returningLabel({ state: 'captured', cancelPending: true })).toBe('CANCELANDO');
    const said = [lastLabel(bounced), endReason(bounced), attentionNote(bounced), attentionLabel(bounced)];
    expect(said.join()).not.toMatch(/banco/i);
    expect(expectedSteps(bounced, inTime)).toEqual([{ title: 'Devolución por otro medio', when: 'Te escribiremos' }]);
  });

  it('a refund that the card never took is owed as one that bounced, until another one is under way', () => {
    const refusedAt = (state: 'failed' | 'under_way') => ({
      ...withSteps(['captured', 'payments'], ['refunding', 'payouts']),
      refund: { channel: 'card', state, byBank: '0.00', reference: null } as const,
    });
    expect(attentionLabel(refusedAt('failed'))).toBe('TE DEBEMOS DINERO');
    expect(attentionNote(refusedAt('failed'))).toBe('La devolución no llegó a tu tarjeta');
    expect(attentionLabel(refusedAt('under_way'))).toBeNull();
    expect(expectedSteps(refusedAt('under_way'), inTime)[0]?.title).toBe('Devolución completa');
  });

  it('money on its way back did not go to the card when it was paid back after the card had refused it', () => {
    expect(lastLabel(withSteps(['refunding', 'payouts'], ['refunded', 'payments']))).toMatch(/a tu tarjeta/);
    const byHand = {
      ...withSteps(['refunded', 'payments'], ['refunding', 'payments'], ['refunded', 'admin']),
      refund: { channel: 'bank', state: 'done', byBank: '100.00', reference: 'TRF-77' } as const,
      ...({ returned: '100.00', currency: 'EUR' } as const),
    };
    expect(lastLabel(byHand)).toBe('Devuelto completo por transferencia bancaria');
    expect(stepLabel(byHand, 0)).toBe('Devuelto completo a tu tarjeta');
    const underWay = { ...byHand, timeline: byHand.timeline.slice(0, 2) };
    expect(stepLabel(underWay, 0)).toBe('Devuelto completo a tu tarjeta');
    expect(plain(paidBackMessage(byHand))).toBe(
      'Te devolvimos 100,00 EUR por transferencia bancaria y no a tu tarjeta. El número de la transferencia es TRF-77.',
    );
    const inParts = { ...byHand, refund: { ...byHand.refund, byBank: '60.00' } };
    expect(lastLabel(inParts)).toBe('Devuelto completo: una parte por transferencia bancaria y otra a tu tarjeta');
    expect(plain(paidBackMessage(inParts))).toBe(
      'Te devolvimos 100,00 EUR: 60,00 EUR por transferencia bancaria y 40,00 EUR a tu tarjeta. El número de la transferencia es TRF-77.',
    );
  });
});

describe('a payout that the bank does not make', () => {
  it.each([
    [
      '2026-11-28T15:30:00.000Z',
      true,
      'REVISA LA CUENTA',
      /corrige la cuenta/,
      ['Corrige la cuenta o pide tu dinero de vuelta'],
    ],
    [null, true, 'DEPÓSITO FALLIDO', /tu dinero está con nosotros/, ['Puedes pedir tu dinero de vuelta']],
    [null, false, 'DEPÓSITO FALLIDO', /tu dinero está con nosotros/, []],
  ] as const)(
    'with the account correctable until %s and cancellable %s offers only what is possible',
    (correctAccountBy, cancellable, badge, label, next) => {
      const failed = {
        ...withSteps(['captured', 'payments'], ['payout_failed', 'payouts']),
        correctAccountBy,
        cancellable,
      };
      expect(attentionLabel(failed)).toBe(badge);
      expect(lastLabel(failed)).toMatch(label);
      expect(expectedSteps(failed, inTime).map(({ when }) => when)).toEqual(next);
    },
  );

  it('a payout that the bank does not make is told apart from a deposit that the bank returned', () => {
    expect(lastLabel(withSteps(['captured', 'payments'], ['payout_failed', 'payouts']))).toMatch(/no pudo pagar/);
    expect(lastLabel(withSteps(['completed', 'payouts'], ['payout_failed', 'payouts']))).toMatch(
      /devolvió el depósito/,
    );
  });

  it('a refused payout is under way again, without its old reason, once the account is corrected', () => {
    const corrected = {
      ...withSteps(['payout_failed', 'payouts'], ['captured', 'sender']),
      status: 'pending' as const,
    };
    expect(lastLabel(corrected)).toMatch(/^Cuenta corregida/);
    expect(isDelayed(corrected, late)).toBe(false);
    expect(expectedSteps(corrected, late).map(({ when }) => when)).toEqual([
      'Antes de que el banco pague otra vez',
      'Apenas el banco lo confirme',
    ]);
    expect(expectedSteps(corrected, inTime)[0]?.title).toBe('Revisamos los datos de la nueva cuenta');
    expect(endReason(corrected)).toBeNull();
    expect(attentionLabel(corrected)).toBeNull();
  });
});

describe('a cancelled transfer', () => {
  it('a cancelled transfer was cancelled by its sender, not refused by the bank', () => {
    const returning = withSteps(['captured', 'payments'], ['refunding', 'payments']);
    expect(lastLabel({ ...returning, cancelRequested: true })).toMatch(/por ti/);
  });

  it.each([
    ['awaiting_payment', /no se cobra nada/],
    ['in_review', /se libera/],
    ['approved', /comisión incluida/],
    ['captured', /comisión incluida/],
    ['payout_failed', /comisión incluida/],
  ] as const)('what happens to the money of a cancelled transfer is said while it is %s', (state, message) => {
    expect(plain(moneyWhenCancelled({ ...paidTransfer, state }))).toMatch(message);
  });
});

it('what happens to the money when a part has gone back already is only about the rest', () => {
  expect(plain(moneyWhenCancelled({ ...paidTransfer, state: 'payout_failed', returned: '25.00' }))).toMatch(
    /Te devolvemos los 75,00 EUR que faltan/,
  );
});

describe('the 30 minutes', () => {
  it('the 30 minutes to cancel are counted down in minutes and seconds, the last second included', () => {
    expect([1_800_000, 725_000, 59_001, 1, 0, -5].map(countdownText)).toEqual([
      '30:00',
      '12:05',
      '1:00',
      '0:01',
      '0:00',
      '0:00',
    ]);
  });

  it('the 30 minutes to cancel end at the hour the server said, also without news of it', () => {
    const until = '2026-11-21T15:30:00.000Z';
    const view = transfer({ cancellable: true, cancellableUntil: until });
    expect(canCancel(view, Date.parse(until))).toBe(true);
    expect(canCancel(view, Date.parse(until) + 1)).toBe(false);
    expect(canCancel({ ...view, cancellableUntil: null }, Date.parse(until) + 1)).toBe(true);
    expect(canCancel({ ...view, cancellable: false }, 0)).toBe(false);
  });
});

const returned = { ...paidTransfer, returned: '25.00' };

test('a transfer of which nothing went back says nothing about it in any state', () => {
  for (const state of transferStateNames) {
    expect([state, returnedMessage({ ...paidTransfer, state })]).toEqual([state, null]);
    expect([state, payoutReturnedMessage({ ...paidTransfer, state })]).toEqual([state, null]);
  }
});

test.each([
  ['captured', 'Te devolvimos 25,00 EUR a tu tarjeta. Tu envío sigue: a tu familia le llegan Bs 1.291,17.'],
  [
    'payout_failed',
    'Te devolvimos 25,00 EUR a tu tarjeta. Si pides tu dinero de vuelta, te devolvemos los 75,00 EUR que faltan.',
  ],
  ['completed', 'Te devolvimos 25,00 EUR a tu tarjeta. A tu familia le llegaron Bs 1.291,17.'],
  ['refunding', 'Te devolvimos 25,00 EUR a tu tarjeta. Faltan 75,00 EUR.'],
] as const)(
  'a transfer in state %s of which a part went back says how much and what becomes of the rest',
  (state, message) => {
    expect(plain(returnedMessage({ ...returned, state }))).toBe(message);
  },
);

test('a part that went back by bank transfer is said with the number of that transfer', () => {
  const refund = { channel: 'bank', state: 'done', byBank: '10.00', reference: 'TRF-77' } as const;
  expect(plain(returnedMessage({ ...returned, state: 'completed', refund }))).toBe(
    'Te devolvimos 25,00 EUR: 10,00 EUR por transferencia bancaria y 15,00 EUR a tu tarjeta. El número de la transferencia es TRF-77. A tu familia le llegaron Bs 1.291,17.',
  );
});

test('a transfer whose deposit came back in part says what the family has, also beside money that went back', () => {
  const transfer = { ...returned, state: 'completed', payoutReturned: '250.00' } as const;
  expect(plain(payoutReturnedMessage(transfer))).toMatch(
    /^El banco devolvió Bs 250,00: tu familia tiene Bs 1\.041,17 de los Bs 1\.291,17\./,
  );
  expect(plain(returnedMessage(transfer))).toMatch(/le llegaron Bs 1\.041,17\.$/);
  expect(arriving(transfer)).toBe('1041.17');
  expect(plain(notReturned(transfer))).toBe('75,00 EUR');
});

const part = { ...paidTransfer, state: 'completed', payoutReturned: '250.00' } as const;

test.each([
  ['nothing was done about it', {}, 'FALTA UNA PARTE', 'Los Bs 250,00 que faltan están con nosotros'],
  ['it is on its way to the family', { restTo: 'family' }, 'FALTA UNA PARTE', 'van otra vez en camino a tu familia.'],
  ['its share is on its way to the sender', { restTo: 'sender' }, 'FALTA UNA PARTE', 'te estamos devolviendo tu parte'],
  ['it was paid', { restPaid: '250.00' }, null, 'después los pagó otra vez: tu familia ya tiene los Bs 1.291,17'],
  [
    'its share went back',
    { restRefunded: '250.00', returned: '18.69' },
    null,
    'tu familia tiene Bs 1.041,17 de los Bs 1.291,17. Por Bs 250,00 que no llegaron te devolvimos tu parte',
  ],
  [
    'some of it was paid and some refunded, and some is owed',
    { restPaid: '100.00', restRefunded: '50.00' },
    'FALTA UNA PARTE',
    'tu familia tiene Bs 1.141,17 de los Bs 1.291,17. Por Bs 50,00 que no llegaron te devolvimos tu parte a tu tarjeta. Los Bs 100,00 que faltan',
  ],
] as const)('a part that the bank gave back says where it is: %s', (_, changes, badge, message) => {
  const transfer = { ...part, ...changes };
  expect(attentionLabel(transfer)).toBe(badge);
  expect(attentionNote(transfer)).toBe(badge && 'El banco devolvió una parte');
  expect(plain(payoutReturnedMessage(transfer))).toContain(message);
});

test('a part that a report paid again says so among the figures only', () => {
  expect(payoutReturnedMessage({ ...part, paidAgain: '250.00' })).toBeNull();
  expect(attentionLabel({ ...part, paidAgain: '250.00' })).toBeNull();
});

test('every step, notice and next step of a transfer is in English on an English page', () => {
  showLanguage('en', english);
  const texts = transferStateNames.flatMap((state) => {
    const view = {
      ...returned,
      timeline: withSteps(['captured', 'payments'], [state, 'clock']).timeline,
      state,
      payoutReturned: '250.00',
    };
    return [
      ...view.timeline.map((_, index) => stepLabel(view, index)),
      ...[inTime, late].flatMap((now) => expectedSteps(view, now).flatMap(({ title, when }) => [title, when])),
      moneyWhenCancelled(view),
      attentionLabel(view) ?? '',
      attentionNote(view) ?? '',
      returnedMessage(view) ?? '',
      ...['10.00', '25.00'].map((byBank) => {
        const refund = { channel: 'bank', state: 'done', byBank, reference: 'TRF-77' } as const;
        return [returnedMessage({ ...view, refund }), paidBackMessage({ ...view, refund })].join(' ');
      }),
      payoutReturnedMessage(view) ?? '',
      ...(['family', 'sender'] as const).map((restTo) => payoutReturnedMessage({ ...view, restTo }) ?? ''),
      payoutReturnedMessage({ ...view, restPaid: '250.00' }) ?? '',
      payoutReturnedMessage({ ...view, restRefunded: '250.00' }) ?? '',
    ];
  });
  expect(texts.filter((text) => isSpanish(text))).toEqual([]);
  expect(plain(texts)).toContain(
    'We returned EUR 25.00 to your card. Your transfer goes on: your family receives BOB 1,291.17.',
  );
});

describe('the label of a step', () => {
  it.each([
    ['awaiting_payment', 'Envío preparado'],
    ['in_review', 'Pago recibido: el monto está reservado en tu tarjeta'],
    ['approved', 'Envío aprobado'],
    ['captured', 'Tarjeta cobrada, el dinero va a Bolivia'],
    ['completed', 'Depositado en Bolivia'],
    ['rejected', 'Rechazado: se liberó la reserva, no se cobró nada'],
    ['cancelled', 'Cancelado por ti: no se cobró nada'],
    ['failed', 'No se pudo cobrar la tarjeta; no se cobró nada'],
    ['expired', 'Vencido: no se cobró nada'],
    ['refunded', 'Devuelto completo a tu tarjeta'],
  ] as const)('of %s is “%s”', (state, label) => {
    const timeline = [{ state, at: '2026-11-21T15:00:00.000Z', owner: 'payments' }];
    expect(stepLabel(transfer({ state, timeline } as Partial<TransferView>), 0)).toBe(label);
  });
});

import { expect, test } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { finalStates, underWayStates } from '#core/transfers/states';
import { formatMoment } from '../../lib/format/dates.ts';
import { paidTransfer } from '../../testing/sample-transfer.ts';
import { nextStep } from './next-step.ts';

const step = (state: TransferView['state']) => ({ state, at: '2026-11-22T15:00:00.000Z', owner: 'payments' });
/** On the 24th in Bolivia. */
const estimatedDelivery = '2026-11-24T04:00:00.000Z';
const inTime = Date.parse('2026-11-25T03:59:59.000Z');
const late = Date.parse('2026-11-25T04:00:00.000Z');
const until = formatMoment(paidTransfer.decideBy ?? '');
const correctAccountBy = '2026-11-28T15:30:00.000Z';
const delayed = 'se retrasa; te avisamos cuando llegue';
const arrives = 'llega hacia el martes, 24 de noviembre';

test.each<[string, Partial<TransferView>, number, [title: string, when: string, isYours: boolean]]>([
  ['waits for the decision', {}, inTime, ['Lo estamos revisando', arrives, false]],
  [
    'waits for the decision longer than it was to take',
    {},
    late,
    [`Lo revisamos: a más tardar el ${until}`, 'si no, no se cobra nada', false],
  ],
  [
    'waits for the decision without a known end of the hold',
    { decideBy: null },
    late,
    ['Lo estamos revisando', '', false],
  ],
  ['is for nobody yet', { recipientId: null }, inTime, ['Elige quién recibe', `hasta el ${until}`, true]],
  [
    'has a question to its sender',
    { questions: 'waiting' },
    inTime,
    ['Responde nuestra pregunta', `hasta el ${until}`, true],
  ],
  ['has an answered question', { questions: 'answered' }, inTime, ['Lo estamos revisando', arrives, false]],
  ['is approved', { state: 'approved' }, inTime, ['Aprobado: se cobra tu tarjeta', arrives, false]],
  ['is approved late', { state: 'approved' }, late, ['Aprobado: se cobra tu tarjeta', delayed, false]],
  [
    'was cancelled after the approval',
    { state: 'approved', cancelRequested: true },
    inTime,
    ['Lo estamos cancelando', '', false],
  ],
  ['is at the bank', { state: 'captured' }, inTime, ['El banco lo paga hacia el martes, 24 de noviembre', '', false]],
  [
    'is at the bank for longer than it was to be',
    { state: 'captured' },
    late,
    ['El banco todavía no confirmó el pago', delayed, false],
  ],
  [
    'was cancelled after the charge',
    { state: 'captured', cancelRequested: true },
    late,
    ['Lo estamos cancelando', 'si el banco no lo pagó, tu dinero vuelve a tu tarjeta', false],
  ],
  [
    'was refused by the bank',
    { state: 'payout_failed', correctAccountBy },
    late,
    ['Corrige la cuenta', `hasta el ${formatMoment(correctAccountBy)}`, true],
  ],
  [
    'was refused by the bank, with its account not to be corrected',
    { state: 'payout_failed' },
    late,
    ['El depósito no se hizo', 'puedes pedir tu dinero de vuelta', true],
  ],
  [
    'was refused by the bank and is settled by an admin',
    { state: 'payout_failed', cancellable: false },
    late,
    ['El depósito no se hizo', 'lo estamos resolviendo', false],
  ],
  [
    'goes back to the card',
    { state: 'refunding', status: 'refunded', timeline: [step('captured'), step('refunding')] },
    late,
    ['Vuelve a tu tarjeta', 'tu banco puede tardar unos días en mostrarlo', false],
  ],
  [
    'came back from the card',
    {
      state: 'refunding',
      status: 'refunded',
      refund: { channel: 'card', state: 'failed', byBank: '0.00', reference: null },
    },
    late,
    ['Te debemos este dinero', 'te escribiremos para pagarte de otra forma', false],
  ],
])('the next step of a transfer that %s', (_, changes, now, [title, when, isYours]) => {
  expect(nextStep({ ...paidTransfer, estimatedDelivery, ...changes }, now)).toEqual({ title, when, isYours });
});

test('every transfer that is under way has a next step, and one that is not paid or has ended has none', () => {
  for (const state of underWayStates) expect(nextStep({ ...paidTransfer, state }, late)?.title).toBeTruthy();
  for (const state of ['awaiting_payment' as const, ...finalStates])
    expect(nextStep({ ...paidTransfer, state }, late)).toBeNull();
});

import type { Command, Start } from './commands.ts';
import type { Ending } from './play.ts';
import type { Fault, Target } from './providers.ts';

/** A known way to lose money, or to leave people without a way. */
export interface Scenario {
  readonly start: Start;
  readonly commands: readonly Command[];
  /** Additional checks; returns a message for each violation. */
  readonly wrong?: (ending: Ending) => readonly string[];
}

const small: Start = { amount: 'small', card: 'plain' };
const large: Start = { amount: 'large', card: 'plain' };
const always = 10_000;

const fail = (call: Target, fault: Fault, times = 1): Command => ({ do: 'fail', call, fault, times });
const rejected = (code: string): Command => fail('order', { answer: 'rejected', code });
const bankDown = fail('order', { answer: 503, executed: false }, always);
const heal: Command = { do: 'heal' };
const approve: Command = { do: 'approve', by: 'first' };
const approvedByTwo: readonly Command[] = [approve, { do: 'approve', by: 'second' }];
const pass = (time: Extract<Command, { do: 'pass' }>['time']): Command => ({ do: 'pass', time });
const act = (by: 'first' | 'second', action: string): Command => ({ do: 'act', by, action });
const agree: Command = { do: 'decide', by: 'second', yes: true };
const cancel: Command = { do: 'cancel' };
const unless = (holds: boolean, sentence: string): string[] => (holds ? [] : [sentence]);

/** The bank's order fails like this once, and one admin has it attempted again. */
const retriedAfter = (status: number): Scenario => ({
  start: small,
  commands: [fail('order', { answer: status, executed: true }), approve, act('first', 'retry'), pass('completion')],
});

/** A family is paid by hand, as far as the desk offers it, and then something else happens. */
const byHandThen = (start: Start, ...then: readonly Command[]): Scenario => ({
  start,
  commands: [
    rejected('account_not_found'),
    ...(start.amount === 'large' ? approvedByTwo : [approve]),
    act('first', 'pay_by_hand'),
    { do: 'payByHand', by: 'first' },
    ...then,
    { do: 'reportPayment', by: 'first' },
    agree,
  ],
});

/** What stops a payout is known while the bank is down; then the bank comes back. */
const knownBeforePayout = (...known: readonly Command[]): Scenario => ({
  start: small,
  commands: [bankDown, approve, ...known, heal, pass('completion')],
});

const refusedByTwoBecause = (code: string): Scenario => ({
  start: small,
  commands: [rejected(code), approve, pass('minute')],
  wrong: ({ evidence: { intent } }) =>
    unless(intent.refunds.length === 0, 'the card got its money back without a person'),
});

const answeredWrong = (status: number): Scenario => ({
  start: small,
  commands: [fail('order', { answer: status, executed: false }, 2), approve, heal, pass('completion'), pass('hours')],
  wrong: ({ evidence: { rows } }) => unless(rows.state === 'completed', `it is ${rows.state}, and the bank is well`),
});

/** Every way to lose money that was found in the product, by what happens. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  'a payout that the bank made is not made again under a new id after HTTP 403': retriedAfter(403),
  'a payout that the bank made is not made again under a new id after HTTP 413': retriedAfter(413),
  'a payout that the bank made is not refunded after HTTP 403': {
    start: large,
    commands: [
      fail('order', { answer: 403, executed: true }),
      ...approvedByTwo,
      act('first', 'give_up_and_refund'),
      agree,
      pass('completion'),
    ],
  },
  'a payout is not refunded while the bank may still make it': {
    start: large,
    commands: [
      fail('order', { answer: 'late', minutes: 5 }),
      ...approvedByTwo,
      fail('order', { answer: 403, executed: false }),
      pass('minute'),
      act('first', 'give_up_and_refund'),
      agree,
      pass('completion'),
    ],
  },
  'a payout is not refunded while it is unknown, although the bank never made it': {
    start: small,
    commands: [
      fail('order', { answer: 403, executed: false }, always),
      fail('lookup', { answer: 503, executed: false }, always),
      approve,
      pass('minute'),
      act('first', 'give_up_and_refund'),
    ],
  },
  'a payout that the bank made is not refunded by a cancellation before the bank says so': {
    start: small,
    commands: [
      fail('order', { answer: 'cut', executed: true }, always),
      fail('lookup', { answer: 503, executed: false }, always),
      approve,
      cancel,
      pass('minute'),
      pass('window'),
      heal,
    ],
    wrong: ({ atRest: { rows } }) => unless(rows.state === 'completed', `it is ${rows.state}, and the bank has paid`),
  },
  'a payment by hand that waits for a second person is not lost to a cancellation': byHandThen(large, cancel),
  'a payment by hand that waits for a second person is not lost to another account': byHandThen(large, {
    do: 'correct',
    to: 'other',
  }),
  'a payment by hand that waits for a second person is not lost to a deadline': byHandThen(large, pass('week')),
  'a payment by hand can be reported after the cardholder opened a dispute': byHandThen(
    large,
    { do: 'dispute', all: true, inquiry: false },
    agree,
    { do: 'decideDispute', decision: 'lost' },
  ),
  'a partial dispute that was lost before the payout stops the payout': knownBeforePayout(
    { do: 'dispute', all: false, inquiry: false },
    { do: 'decideDispute', decision: 'lost' },
  ),
  'a dispute that was prevented before the payout stops the payout': knownBeforePayout({
    ...{ do: 'dispute', all: true, inquiry: false, prevented: true },
  }),
  'an inquiry of the card’s bank stops the payout': knownBeforePayout({ do: 'dispute', all: true, inquiry: true }),
  'a refund of a part in Stripe’s dashboard stops the payout': knownBeforePayout({
    ...{ do: 'dashboardRefund', all: false, pending: false },
  }),
  'a pending refund in Stripe’s dashboard stops the payout': knownBeforePayout({
    ...{ do: 'dashboardRefund', all: true, pending: true },
  }),
  'an early fraud warning stops the payout': {
    start: { amount: 'small', card: 'reported_stolen' },
    commands: [bankDown, approve, pass('minute'), heal, pass('completion')],
  },
  'a sender who is blocked is not paid for': knownBeforePayout({ do: 'block', who: 'sender', blocked: true }),
  'a first approval ends with the rights of who gave it': {
    start: large,
    commands: [approve, { do: 'role', of: 'first', role: null }, { do: 'approve', by: 'second' }],
  },
  'a first approval ends with the rights of who became support': {
    start: large,
    commands: [approve, { do: 'role', of: 'first', role: 'support' }, { do: 'approve', by: 'second' }],
  },
  'a desk request ends with the rights of who made it': {
    start: large,
    commands: [
      rejected('account_not_found'),
      ...approvedByTwo,
      act('first', 'give_up_and_refund'),
      { do: 'role', of: 'first', role: null },
      agree,
    ],
  },
  'two reports do not give back all of the charge and pay the family again': {
    start: large,
    commands: [
      ...approvedByTwo,
      { do: 'report', wants: 'delivery' },
      { do: 'conclude', by: 'first', remedy: 'pay_again', all: true },
      { do: 'agree', by: 'second', yes: true },
      { do: 'report', wants: 'refund' },
      { do: 'conclude', by: 'first', remedy: 'refund', all: true },
      { do: 'agree', by: 'second', yes: true },
    ],
  },
  'a report result awaiting approval is not stuck after the bank returned the payment': {
    start: large,
    commands: [
      ...approvedByTwo,
      { do: 'report', wants: 'refund' },
      { do: 'bankReturns', all: true },
      { do: 'conclude', by: 'second', all: false, remedy: 'pay_again' },
    ],
  },
  'a first approval does not outlive the hold of the card': {
    start: large,
    commands: [approve, pass('week')],
  },
  'insufficient_funds at our own bank triggers no automatic refund': refusedByTwoBecause('insufficient_funds'),
  'an unknown rejection code triggers no automatic refund': refusedByTwoBecause('compliance_hold'),
  'a payout goes on by itself after HTTP 401': answeredWrong(401),
  'a payout that the bank calls pending goes on by itself': {
    start: small,
    commands: [fail('order', { answer: 'pending', minutes: 5 }), approve, pass('completion')],
    wrong: ({ evidence: { rows } }) => unless(rows.state === 'completed', `it is ${rows.state}, and the bank has paid`),
  },
  'a sender can cancel while the bank is down': {
    start: small,
    commands: [bankDown, approve, cancel, heal],
    wrong: ({ answers, atRest: { rows } }) => [
      ...unless(answers[2] === 'ok', `the cancellation was answered ${answers[2]}`),
      ...unless(rows.state === 'refunded' || rows.state === 'completed', `it ended as ${rows.state}`),
    ],
  },
  'a return that cannot be read keeps no other return from being taken': {
    start: small,
    commands: [
      approve,
      { do: 'bankReturns', all: true },
      fail('returns', { answer: 'poisoned' }, always),
      pass('hours'),
    ],
    wrong: ({ evidence: { rows } }) =>
      unless(rows.state === 'payout_failed', `it is ${rows.state}, and its money is back`),
  },
  'a worker that dies before the bank pays pays once': {
    start: small,
    commands: [fail('order', { answer: 'crash', executed: false }), approve, pass('minute')],
  },
  'a worker that dies after the bank paid pays once': {
    start: small,
    commands: [fail('order', { answer: 'crash', executed: true }), approve, pass('minute')],
    wrong: ({ evidence: { rows } }) => unless(rows.state === 'completed', `it is ${rows.state}`),
  },
  'a worker that dies after the charge charges once': {
    start: small,
    commands: [fail('capture', { answer: 'crash', executed: true }), approve, pass('minute')],
    wrong: ({ evidence: { rows } }) => unless(rows.state === 'completed', `it is ${rows.state}`),
  },
};

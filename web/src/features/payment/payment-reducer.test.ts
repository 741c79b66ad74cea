import { describe, expect, it } from 'vitest';
import type { PreparedPayment } from '../../data/payments.ts';
import { sampleQuote } from '../../testing/sample-rates.ts';
import {
  beginPayment,
  canRetry,
  isAfterCard,
  isUnresolved,
  mustStay,
  type PaymentEvent,
  type PaymentState,
  paymentReducer,
  wayOn,
} from './payment-reducer.ts';

const payment = (number: number): PreparedPayment => ({
  paymentIntentId: `pi_${number}`,
  transferId: '6d9a2b0e-54a1-4a1c-8f43-3b1f6a0f9d01',
  clientSecret: `pi_${number}_secret`,
  quote: { ...sampleQuote, expiresAt: '2026-11-20T14:30:00.000Z' },
});
const better = { ...sampleQuote, rate: '11.60', bs: '1119.40' };
const declined = { code: 'declined', message: 'Tu tarjeta no tiene fondos suficientes.' } as const;
const timeout = { code: 'timeout', message: 'Chasqui no respondió a tiempo.' } as const;
const tooMuch = { code: 'amount_too_large', message: 'El monto es demasiado grande.' } as const;

const accepted = { quote: sampleQuote, request: 1, opened: null };
const opening = { accepted, requests: 1 };
const open = { ...opening, payment: payment(1) };
const changed = { quote: better, request: 2, opened: null };

/** A state of every kind, and of every kind that behaves differently. */
const states = {
  opening: { ...opening, name: 'opening', expired: false },
  'not opened': { ...opening, name: 'not_opened', failure: timeout },
  refused: { ...opening, name: 'not_opened', failure: tooMuch },
  'rate changed': { ...opening, name: 'rate_changed', offered: better },
  form: { ...open, name: 'form', problem: null, change: { is: 'idle' } },
  'form, changing': { ...open, requests: 2, name: 'form', problem: null, change: { is: 'asking', to: changed } },
  confirming: { ...open, name: 'confirming', slow: false },
  'confirming, slow': { ...open, name: 'confirming', slow: true },
  checking: { ...open, name: 'checking', problem: declined },
  recording: { ...open, name: 'recording', processing: false },
  'recording, processing': { ...open, name: 'recording', processing: true },
  paid: { ...open, name: 'paid' },
  'not made': { ...open, name: 'not_made', status: 'requires_payment_method' },
  'not made, over': { ...open, name: 'not_made', status: 'canceled' },
  'not recorded': { ...open, name: 'not_recorded', gaveUp: 'status' },
  'outcome unknown': { ...open, name: 'outcome_unknown' },
  'session ended, held': { ...open, name: 'session_ended', held: true },
  'session ended, not known': { ...open, name: 'session_ended', held: false },
} as const satisfies Record<string, PaymentState>;
type StateName = keyof typeof states;

/** Every event, with each of its contents that matters. */
const events = {
  opened: { type: 'opened', payment: payment(1) },
  'open failed': { type: 'open_failed', failure: timeout },
  'rate moved': { type: 'rate_moved', offered: better },
  'quote accepted': { type: 'quote_accepted' },
  retried: { type: 'retried' },
  'form failed': { type: 'form_failed' },
  submitted: { type: 'submitted' },
  'card held': { type: 'card_answered', outcome: { kind: 'held' } },
  'card declined': { type: 'card_answered', outcome: { kind: 'declined', problem: declined } },
  'payment gone': { type: 'card_answered', outcome: { kind: 'gone' } },
  'answer lost': { type: 'card_answered', outcome: { kind: 'unknown', problem: declined } },
  'card slow': { type: 'card_slow' },
  'found held': { type: 'outcome_found', outcome: 'held' },
  'found declined': { type: 'outcome_found', outcome: 'declined' },
  'found gone': { type: 'outcome_found', outcome: 'gone' },
  'outcome refused': { type: 'outcome_refused' },
  processing: { type: 'processing' },
  recorded: { type: 'recorded' },
  'not made': { type: 'not_made', status: 'requires_payment_method' },
  'record failed': { type: 'record_failed', gaveUp: 'status' },
  'session ended': { type: 'session_ended' },
  'change asked': { type: 'change_asked', quote: better },
  'change opened': { type: 'change_opened', payment: payment(2) },
  'change failed': { type: 'change_failed', failure: 'moved_again' },
} as const satisfies Record<string, PaymentEvent>;
type EventName = keyof typeof events;

const declinedForm = { ...states.form, problem: declined } as const;
const formMissing = { ...opening, name: 'not_opened', failure: { code: 'form_not_loaded' } } as const;
const next = { quote: sampleQuote, request: 2, opened: null };
const renewed = { accepted: next, requests: 2, name: 'opening', expired: true } as const;

/** What follows in which state; every event that is not listed leaves its state as it is. */
const moves: Record<StateName, Partial<Record<EventName, PaymentState>>> = {
  opening: {
    opened: states.form,
    'open failed': states['not opened'],
    'rate moved': states['rate changed'],
    'form failed': formMissing,
  },
  'not opened': { retried: states.opening },
  refused: {},
  'rate changed': { 'quote accepted': { accepted: changed, requests: 2, name: 'opening', expired: false } },
  form: {
    submitted: states.confirming,
    'form failed': formMissing,
    'change asked': states['form, changing'],
    'found held': states.recording,
    'found gone': renewed,
  },
  'form, changing': {
    'form failed': { ...formMissing, requests: 2 },
    'change opened': { ...states.form, accepted: changed, requests: 2, payment: payment(2) },
    'change failed': { ...states.form, requests: 2, change: { is: 'failed', failure: 'moved_again' } },
    'found held': { ...states.recording, requests: 2 },
    'found gone': { ...renewed, accepted: { ...next, request: 3 }, requests: 3 },
  },
  confirming: {
    'card held': states.recording,
    'card declined': declinedForm,
    'payment gone': renewed,
    'answer lost': states.checking,
    'card slow': states['confirming, slow'],
    'found held': states.recording,
    'found gone': renewed,
    'session ended': states['session ended, not known'],
  },
  'confirming, slow': {
    'card held': states.recording,
    'card declined': declinedForm,
    'payment gone': renewed,
    'answer lost': states.checking,
    'found held': states.recording,
    'found gone': renewed,
    'session ended': states['session ended, not known'],
  },
  checking: {
    'found held': states.recording,
    'found declined': declinedForm,
    'found gone': renewed,
    'outcome refused': states['outcome unknown'],
    'session ended': states['session ended, not known'],
  },
  recording: {
    processing: states['recording, processing'],
    recorded: states.paid,
    'not made': states['not made'],
    'record failed': states['not recorded'],
    'session ended': states['session ended, held'],
  },
  'recording, processing': {
    recorded: states.paid,
    'not made': states['not made'],
    'record failed': states['not recorded'],
    'session ended': states['session ended, held'],
  },
  paid: {},
  'not made': { retried: states.opening },
  'not made, over': { retried: renewed },
  'not recorded': {},
  'outcome unknown': {},
  'session ended, held': {},
  'session ended, not known': {},
};

describe.each(Object.keys(states) as StateName[])('a payment in the state "%s"', (state) => {
  it.each(Object.keys(events) as EventName[])('takes the event "%s"', (event) => {
    const after = moves[state][event];
    if (after) expect(paymentReducer(states[state], events[event])).toEqual(after);
    else expect(paymentReducer(states[state], events[event])).toBe(states[state]);
  });
});

it('a payment begins by opening what the sender accepted, or what they left unpaid', () => {
  const offer = { recipient: null, quote: sampleQuote, birthDate: null };
  expect(beginPayment(offer)).toEqual(states.opening);
  expect(beginPayment({ ...offer, payment: payment(1) }).accepted.opened).toEqual(payment(1));
});

it('a change to a better rate that failed leaves its request number used, so that no key stands for two quotes', () => {
  const failed = paymentReducer(states['form, changing'], events['change failed']);
  expect(paymentReducer(failed, events['change asked'])).toMatchObject({ change: { to: { request: 3 } } });
});

it('the card stays on screen from when it is asked, and leaving is forbidden only while an answer is about to come', () => {
  const those = (holds: (state: PaymentState) => boolean) =>
    (Object.keys(states) as StateName[]).filter((name) => holds(states[name]));
  expect(those(mustStay)).toEqual(['confirming', 'recording']);
  expect(those(isUnresolved)).toEqual([
    'confirming',
    'confirming, slow',
    'checking',
    'recording',
    'recording, processing',
  ]);
  expect(those((state) => !isAfterCard(state))).toEqual([
    'opening',
    'not opened',
    'refused',
    'rate changed',
    'form',
    'form, changing',
  ]);
  expect([timeout, tooMuch, { code: 'form_not_loaded' } as const].map(canRetry)).toEqual([true, false, true]);
});

it.each([
  ['name_not_confirmed', 'recipient'],
  ['account_blocked', 'none'],
  ['second_factor_stale', 'retry'],
  ['idempotency_key_reused', 'change'],
  ['day_limit_reached', 'change'],
  ['internal', 'retry'],
] as const)('after the failure %s a sender can go on by: %s', (code, way) => {
  expect(wayOn({ code, message: '' })).toBe(way);
});

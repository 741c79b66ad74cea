import { z } from 'zod';
import type { SendCurrency } from '../../money/money.ts';
import { isTimeZone, rhythms, usualHour } from '../../repeats/schedule.ts';
import { fieldSentences } from '../field-problems.ts';
import { accountRoutes } from './account-routes.ts';
import { endpoint } from './endpoint.ts';
import { amountInput, amountText, currency, currencyInput, id, pageOf, pageQuery, timestamp } from './values.ts';

/** Repeating transfers that one person may have at a time. */
export const maxRepeats = 10;

/** The fixed side of a repeating transfer: the amount charged to the card, or the bolivianos to deliver. */
export const fixedSides = ['pay', 'receive'] as const;
export type FixedSide = (typeof fixedSides)[number];

/** What keeps today's transfer from being made, said in the reminder. */
export const reminderProblems = [
  'rate_unavailable',
  'payments_paused',
  'recipient_gone',
  'amount_too_small',
  'amount_too_large',
  'day_limit_reached',
  'month_limit_reached',
] as const;
export type ReminderProblem = (typeof reminderProblems)[number];

/** What became of a reminder. An open one can be paid; nothing is ever charged without that. */
export const reminderStates = ['open', 'paid', 'skipped', 'lapsed'] as const;
export type ReminderState = (typeof reminderStates)[number];

const reminder = z.object({
  id,
  /** The day it is about, by the clock of its plan. */
  period: z.iso.date(),
  at: timestamp,
  /** Until when it can be paid: then the next one comes. */
  lapsesAt: timestamp,
  state: z.enum(reminderStates),
  /** The problem at the time of the reminder. */
  problem: z.enum(reminderProblems).nullable(),
  /** The transfer paid for this reminder; null if not paid. */
  transferId: id.nullable(),
});

export const repeatView = z.object({
  id,
  state: z.enum(['active', 'paused', 'ended']),
  recipient: z.object({
    id,
    /** Empty once the recipient was taken off the list. */
    name: z.string(),
    bankName: z.string(),
    removed: z.boolean(),
  }),
  fixed: z.enum(fixedSides),
  /** In `currency` if the card's amount is fixed, else in bolivianos. */
  amount: amountText,
  currency,
  every: z.enum(rhythms),
  day: z.int().min(1).max(31).nullable(),
  hour: z.int().min(0).max(23),
  zone: z.string(),
  /** The next reminder: its day in `zone`, and its moment. */
  nextDay: z.iso.date(),
  nextAt: timestamp,
  /** The reminder that can be paid now. */
  reminder: reminder.nullable(),
  createdAt: timestamp,
});
export type RepeatView = z.infer<typeof repeatView>;

/** A reminder with its repeating transfer. */
export const reminderView = reminder.extend({ repeat: repeatView });
export type ReminderView = z.infer<typeof reminderView>;

/** What a sender asks to be reminded of, validated. */
export interface RepeatRequest {
  readonly recipientId: string;
  readonly fixed: FixedSide;
  /** Minor units of `currency`, or centavos where what arrives is fixed. */
  readonly amountMinor: bigint;
  readonly currency: SendCurrency;
  readonly every: (typeof rhythms)[number];
  readonly day: number | null;
  /** The start of the two-week periods. */
  readonly from: string | null;
  readonly hour: number;
  readonly zone: string;
}

const repeatInput = z
  .object({
    recipientId: id,
    amount: amountInput.optional(),
    receive: amountInput.optional(),
    currency: currencyInput,
    every: z.enum(rhythms),
    /** With `month`. */
    day: z.int().min(1).max(31).optional(),
    /** With `two_weeks`. */
    from: z.iso.date().regex(/^20/).optional(),
    hour: z.int().min(0).max(23).default(usualHour.hour),
    zone: z.string().max(60).refine(isTimeZone, fieldSentences.zone_unknown).default(usualHour.zone),
  })
  .transform(({ amount, receive, day, from, ...rest }, context): RepeatRequest => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (amount !== undefined && receive !== undefined) refuse('amount', fieldSentences.amount_ambiguous);
    const amountMinor = amount ?? receive;
    if (amountMinor === undefined) refuse('amount', fieldSentences.amount_malformed);
    if (rest.every === 'month' && day === undefined) refuse('day', fieldSentences.day_required);
    if (rest.every === 'two_weeks' && from === undefined) refuse('from', fieldSentences.day_required);
    return {
      ...rest,
      ...{ fixed: amount === undefined ? 'receive' : 'pay', amountMinor: amountMinor ?? 0n },
      day: rest.every === 'month' ? (day ?? null) : null,
      from: rest.every === 'two_weeks' ? (from ?? null) : null,
    };
  });

const savingFailures = ['not_found', 'rate_unavailable', 'amount_too_small', 'amount_too_large'] as const;

export const repeatEndpoints = {
  listRepeats: endpoint({
    ...accountRoutes.listRepeats,
    summary: 'Tus envíos que se repiten, los más nuevos primero, cada uno con su recordatorio abierto',
    access: 'sender',
    query: pageQuery,
    response: pageOf(repeatView),
  }),
  createRepeat: endpoint({
    ...accountRoutes.createRepeat,
    summary: 'Pide un recordatorio de un envío cada mes o cada dos semanas; nada se cobra sin que lo pagues',
    access: 'sender',
    body: repeatInput,
    response: repeatView,
    status: 201,
    failures: [...savingFailures, 'too_many_repeats'],
  }),
  changeRepeat: endpoint({
    ...accountRoutes.changeRepeat,
    summary: 'Cambia un envío que se repite',
    access: 'sender',
    params: z.object({ id }),
    body: repeatInput,
    response: repeatView,
    failures: savingFailures,
  }),
  pauseRepeat: endpoint({
    ...accountRoutes.pauseRepeat,
    summary: 'Pone en pausa un envío que se repite, o lo retoma desde la próxima fecha',
    access: 'sender',
    params: z.object({ id }),
    body: z.object({ paused: z.boolean() }),
    response: repeatView,
    failures: ['not_found'],
  }),
  skipRepeat: endpoint({
    ...accountRoutes.skipRepeat,
    summary: 'Salta una fecha: la del recordatorio abierto o la próxima; la siguiente llega a su hora',
    access: 'sender',
    params: z.object({ id }),
    body: z.object({ period: z.iso.date().regex(/^20/) }),
    response: repeatView,
    failures: ['not_found'],
  }),
  endRepeat: endpoint({
    ...accountRoutes.endRepeat,
    summary: 'Termina un envío que se repite',
    access: 'sender',
    params: z.object({ id }),
    failures: ['not_found'],
  }),
  getReminder: endpoint({
    ...accountRoutes.getReminder,
    summary: 'Un recordatorio y su envío, con lo que fue de él',
    access: 'sender',
    params: z.object({ id }),
    response: reminderView,
    failures: ['not_found'],
  }),
};

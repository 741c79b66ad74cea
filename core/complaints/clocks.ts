import {
  afterBusinessDays,
  afterDays,
  type BusinessCalendar,
  endOfDayAfter,
  euroDays,
  unitedStatesDays,
} from '../time/business-days.ts';
import { dayMs, hourMs, latest } from '../time/time.ts';
import type { ComplaintState, PaidFrom, Regime, Remedy } from './complaint.ts';

/** Each clock of a report, with the law that sets it. */
export const clocks = {
  investigate: 'Finding out whether there was an error, 90 days from the report: 12 CFR 1005.33(c)(1).',
  tell: 'Telling the sender the result, 3 business days from finding it: 12 CFR 1005.33(c)(1).',
  answer:
    'Answering all points, 15 business days from the report, 35 after a reply that says why it takes longer: PSD2, article 101(2).',
  correct:
    'Correcting the error, 1 business day from the result, because the sender has chosen the remedy before: 12 CFR 1005.33(c)(2). PSD2, article 89, says "without undue delay": the same.',
} as const;
export type ClockName = keyof typeof clocks;
export const clockNames = Object.keys(clocks) as [ClockName, ...ClockName[]];

const investigateDays = 90;
const tellBusinessDays = 3;
const answerBusinessDays = 15;
const heldAnswerBusinessDays = 35;
const correctBusinessDays = 1;

/** How long after the disclosed date of availability an error may be reported: 12 CFR 1005.33(b)(1)(i). */
const reportDays = 180;
/** Days to report an error after receiving requested documents: 12 CFR 1005.33(b)(1)(ii). */
const reportDaysAfterDocuments = 60;

const calendars: Readonly<Record<PaidFrom, BusinessCalendar>> = { united_states: unitedStatesDays, europe: euroDays };

/** The calendar for the deadlines of a report. */
export function calendarOf(from: PaidFrom): BusinessCalendar {
  return calendars[from];
}

/**
 * Until when an error of a transfer is reported in time; what comes later is a complaint without Regulation E's clocks. The last day counts
 * as a whole.
 */
export function reportableUntil(input: { availableAt: Date; documentsGivenAt: Date | null; from: PaidFrom }): Date {
  const { availableAt, documentsGivenAt, from } = input;
  const calendar = calendarOf(from);
  const until = endOfDayAfter(availableAt, reportDays, calendar);
  return documentsGivenAt ? latest(until, endOfDayAfter(documentsGivenAt, reportDaysAfterDocuments, calendar)) : until;
}

/** What of a report decides about its clocks. */
export interface ClockFacts {
  readonly regime: Regime;
  readonly from: PaidFrom;
  readonly state: ComplaintState;
  readonly reportedAt: Date;
  /** When the sender was written why the answer takes longer. */
  readonly heldAt: Date | null;
  /** When the result was found. */
  readonly foundAt: Date | null;
  /** When the sender was written the result. */
  readonly toldAt: Date | null;
  readonly remedy: Remedy | null;
  readonly closedAt: Date | null;
}

/** One clock of a report. */
export interface Clock {
  readonly name: ClockName;
  readonly dueAt: Date;
  /** Null while it runs, or has not begun. */
  readonly doneAt: Date | null;
  /** False: it begins when the clock before it ends, and this is the latest it can come to. */
  readonly begun: boolean;
}

/** All clocks of a report, in the order they end. */
export function clocksOf(facts: ClockFacts): readonly Clock[] {
  const { regime, from, state, reportedAt, heldAt, foundAt, toldAt, remedy, closedAt } = facts;
  // A withdrawn report has no deadlines.
  const withdrawnAt = state === 'withdrawn' ? closedAt : null;
  const calendar = calendarOf(from);
  const after = (at: Date, days: number) => afterBusinessDays(at, days, calendar);
  const correct: Clock[] =
    toldAt && remedy && remedy !== 'none'
      ? [{ name: 'correct', dueAt: after(toldAt, correctBusinessDays), doneAt: closedAt, begun: true }]
      : [];
  if (regime === 'reg_e') {
    const investigateBy = afterDays(reportedAt, investigateDays, calendar);
    const tellBy = after(foundAt ?? investigateBy, tellBusinessDays);
    return [
      { name: 'investigate', dueAt: investigateBy, doneAt: foundAt ?? withdrawnAt, begun: true },
      { name: 'tell', dueAt: tellBy, doneAt: toldAt ?? withdrawnAt, begun: foundAt !== null },
      ...correct,
    ];
  }
  const days = heldAt ? heldAnswerBusinessDays : answerBusinessDays;
  return [{ name: 'answer', dueAt: after(reportedAt, days), doneAt: toldAt ?? withdrawnAt, begun: true }, ...correct];
}

/** The running clock that ends next, or null. */
export function nextClock(facts: ClockFacts): Clock | null {
  const running = clocksOf(facts).filter(({ begun, doneAt }) => begun && !doneAt);
  return running.reduce<Clock | null>((first, one) => (first && first.dueAt <= one.dueAt ? first : one), null);
}

/** Whether a clock ended too late, or has not ended and should have. */
export function isOverdue({ dueAt, doneAt }: Pick<Clock, 'dueAt' | 'doneAt'>, at: Date): boolean {
  return (doneAt ?? at) > dueAt;
}

/** Deadline for a reply that explains a delay of the answer; null if the rules allow none. */
export function holdableUntil(facts: ClockFacts): Date | null {
  const { regime, from, state, reportedAt, heldAt } = facts;
  if (regime === 'reg_e' || state !== 'investigating' || heldAt) return null;
  return afterBusinessDays(reportedAt, answerBusinessDays, calendarOf(from));
}

/** The reminders to admins about a clock: it ends soon, and it is overdue. */
export const reminderStages = ['near', 'overdue'] as const;
export type ReminderStage = (typeof reminderStages)[number];

/** How long before its end admins are warned about a clock, in ms. */
const warnMs: Readonly<Record<ClockName, number>> = {
  investigate: 10 * dayMs,
  tell: dayMs,
  answer: 3 * dayMs,
  correct: 4 * hourMs,
};

/** The times of the reminders to admins about a clock. */
export function remindersOf({ name, dueAt }: Pick<Clock, 'name' | 'dueAt'>): Readonly<Record<ReminderStage, Date>> {
  return { near: new Date(dueAt.getTime() - warnMs[name]), overdue: dueAt };
}

/**
 * The reminder due for a report at a moment, and when to check again; null: not before the report changes. `sent`: the
 * stages already sent for this clock and deadline. An overdue clock gets no "near" reminder any more.
 */
export function reminderDue(
  facts: ClockFacts,
  sent: readonly ReminderStage[],
  at: Date,
): { readonly clock: Clock | null; readonly stage: ReminderStage | null; readonly nextAt: Date | null } {
  const clock = nextClock(facts);
  if (!clock || sent.includes('overdue')) return { clock, stage: null, nextAt: null };
  const moments = remindersOf(clock);
  if (at > moments.overdue) return { clock, stage: 'overdue', nextAt: null };
  // A moment later, when it is over and not only reached.
  const over = new Date(moments.overdue.getTime() + 1);
  if (sent.includes('near')) return { clock, stage: null, nextAt: over };
  return at >= moments.near ? { clock, stage: 'near', nextAt: over } : { clock, stage: null, nextAt: moments.near };
}

import { describe, expect, test } from 'vitest';
import {
  type ClockFacts,
  clocksOf,
  holdableUntil,
  isOverdue,
  nextClock,
  type ReminderStage,
  reminderDue,
  reportableUntil,
} from './clocks.ts';

const at = (text: string) => new Date(`${text}:00Z`);
/** A Monday morning in New York and afternoon in Madrid. */
const reportedAt = at('2026-11-23T14:00');
const nothing = { heldAt: null, foundAt: null, toldAt: null, remedy: null, closedAt: null };
const american: ClockFacts = { regime: 'reg_e', from: 'united_states', state: 'investigating', reportedAt, ...nothing };
const european: ClockFacts = { ...american, regime: 'psd2', from: 'europe' };
const own: ClockFacts = { ...american, regime: 'own' };

const shown = (facts: ClockFacts) =>
  clocksOf(facts).map(({ name, dueAt, doneAt, begun }) =>
    [name, dueAt.toISOString().slice(0, 16), ...(doneAt ? ['done'] : []), ...(begun ? [] : ['later'])].join(' '),
  );

describe('what is due when', () => {
  const foundAt = at('2026-12-23T20:00');
  const toldAt = at('2026-12-24T16:00');
  test.each<[string, ClockFacts, string[]]>([
    [
      '90 days and 3 business days from a report',
      american,
      ['investigate 2027-02-21T22:00', 'tell 2027-02-24T22:00 later'],
    ],
    [
      '3 business days from the result, over Christmas',
      { ...american, foundAt },
      ['investigate 2027-02-21T22:00 done', 'tell 2026-12-29T22:00'],
    ],
    [
      'one business day from telling it, over Christmas',
      { ...american, state: 'correcting', foundAt, toldAt, remedy: 'refund' },
      ['investigate 2027-02-21T22:00 done', 'tell 2026-12-29T22:00 done', 'correct 2026-12-28T22:00'],
    ],
    [
      'nothing is to be corrected',
      { ...american, state: 'closed', foundAt, toldAt, remedy: 'none', closedAt: toldAt },
      ['investigate 2027-02-21T22:00 done', 'tell 2026-12-29T22:00 done'],
    ],
    ['15 business days in Europe', european, ['answer 2026-12-14T16:00']],
    ['35 business days after a reply that says why', { ...european, heldAt: toldAt }, ['answer 2027-01-13T16:00']],
    [
      'one business day from telling it in Europe, over both days of Christmas',
      { ...european, state: 'correcting', foundAt, toldAt, remedy: 'refund' },
      ['answer 2026-12-14T16:00 done', 'correct 2026-12-28T16:00'],
    ],
    ['15 business days of the United States where no law says anything', own, ['answer 2026-12-15T22:00']],
  ])('%s', (_, facts, expected) => {
    expect(shown(facts)).toEqual(expected);
  });

  test('the next one is the one that runs and ends first', () => {
    expect(nextClock(american)?.name).toBe('investigate');
    expect(nextClock({ ...american, foundAt })?.name).toBe('tell');
    expect(nextClock({ ...american, foundAt, toldAt, remedy: 'refund' })?.name).toBe('correct');
    expect(nextClock({ ...american, foundAt, toldAt, remedy: 'none', closedAt: toldAt })).toBeNull();
  });

  test('a reply that says why it takes longer can be written once, in Europe, before the result', () => {
    expect(holdableUntil(european)).toEqual(at('2026-12-14T16:00'));
    expect(holdableUntil(own)).toEqual(at('2026-12-15T22:00'));
    expect(holdableUntil({ ...european, heldAt: toldAt })).toBeNull();
    expect(holdableUntil({ ...european, state: 'awaiting_approval' })).toBeNull();
    expect(holdableUntil(american)).toBeNull();
  });
});

describe('what is overdue', () => {
  const dueAt = at('2026-12-14T16:00');
  const after = new Date(dueAt.getTime() + 1);
  test.each<[string, Date | null, Date, boolean]>([
    ['not at its last moment', null, dueAt, false],
    ['a moment later', null, after, true],
    ['never again when it was done in time', dueAt, at('2027-12-14T16:00'), false],
    ['for ever when it was done too late', after, at('2027-12-14T16:00'), true],
  ])('%s', (_, doneAt, now, overdue) => {
    expect(isOverdue({ dueAt, doneAt }, now)).toBe(overdue);
  });
});

describe('how long an error can be reported', () => {
  /** By the clock of New York still the evening of 23 November. */
  const availableAt = at('2026-11-24T04:30');
  test.each<[string, Parameters<typeof reportableUntil>[0], string]>([
    [
      '180 days, the last one as a whole',
      { availableAt, documentsGivenAt: null, from: 'united_states' },
      '2027-05-23T04:00',
    ],
    [
      'the same moment is another day in Madrid',
      { availableAt, documentsGivenAt: null, from: 'europe' },
      '2027-05-23T22:00',
    ],
    [
      '60 days after documents were given, where that is later',
      { availableAt, documentsGivenAt: at('2027-05-10T15:00'), from: 'united_states' },
      '2027-07-10T04:00',
    ],
    [
      'not less for documents that were given early',
      { availableAt, documentsGivenAt: at('2026-12-10T15:00'), from: 'united_states' },
      '2027-05-23T04:00',
    ],
  ])('%s', (_, input, until) => {
    expect(reportableUntil(input)).toEqual(at(until));
  });
});

describe('reminders to admins, and the time of the next check', () => {
  const near = '2026-12-11T16:00';
  const due = '2026-12-14T16:00';
  const over = new Date(at(due).getTime() + 1);
  test.each<[string, readonly ReminderStage[], Date, ReminderStage | null, Date | null]>([
    ['nothing yet', [], at('2026-12-11T15:59'), null, at(near)],
    ['that it ends soon', [], at(near), 'near', over],
    ['that once', ['near'], at('2026-12-12T16:00'), null, over],
    ['nothing more at the last moment', ['near'], at(due), null, over],
    ['that it has ended', ['near'], over, 'overdue', null],
    ['only that it has ended, when the earlier warning was missed', [], over, 'overdue', null],
    ['that once, too', ['near', 'overdue'], at('2026-12-20T16:00'), null, null],
  ])('%s', (_, sent, now, stage, nextAt) => {
    expect(reminderDue(european, sent, now)).toMatchObject({ stage, nextAt });
  });

  test('nothing about a report that is closed', () => {
    const closed = { ...european, foundAt: at(near), toldAt: at(near), remedy: 'none', closedAt: at(near) } as const;
    expect(reminderDue(closed, [], at('2027-12-20T16:00'))).toEqual({ clock: null, stage: null, nextAt: null });
  });
});

test('no clock of a report that its sender took back runs on', () => {
  const closedAt = new Date('2026-11-25T15:00:00Z');
  for (const regime of ['reg_e', 'psd2', 'own'] as const) {
    const facts: ClockFacts = {
      ...{ regime, from: 'europe', state: 'withdrawn', reportedAt: new Date('2026-11-23T15:00:00Z'), heldAt: null },
      ...{ foundAt: null, toldAt: null, remedy: null, closedAt },
    };
    expect(nextClock(facts)).toBeNull();
    expect(clocksOf(facts)[0]?.doneAt).toEqual(closedAt);
  }
});

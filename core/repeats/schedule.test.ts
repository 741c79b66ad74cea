import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, laPazZone } from '../time/time.ts';
import { dayIn, dueAt, firstAfter, following, isTimeZone, type Schedule } from './schedule.ts';

const zones = [
  laPazZone,
  'Europe/Madrid',
  'America/New_York',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
];
const monthly = (day: number, zone = laPazZone, hour = 9): Schedule => ({ every: 'month', day, hour, zone });
const days = (schedule: Schedule, from: string, count: number) => {
  const found = [firstAfter(schedule, new Date(from))];
  for (let index = 1; index < count; index += 1) found.push(following(schedule, found.at(-1)?.day ?? ''));
  return found.map(({ day }) => day);
};

describe('the day of a monthly reminder', () => {
  test('is the last one of months that are too short, and the wanted one again after them', () => {
    expect(days(monthly(31), '2026-12-31T20:00:00Z', 5)).toEqual([
      ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31'],
    ]);
    expect(days(monthly(30), '2028-01-30T20:00:00Z', 2)).toEqual(['2028-02-29', '2028-03-30']);
  });

  test('is today only before the hour of the reminder', () => {
    // 9:00 in La Paz.
    expect(days(monthly(5), '2026-12-05T12:59:59Z', 1)).toEqual(['2026-12-05']);
    expect(days(monthly(5), '2026-12-05T13:00:00Z', 1)).toEqual(['2027-01-05']);
  });
});

describe('the hour of a reminder', () => {
  const at = (schedule: Schedule, from: string) => firstAfter(schedule, new Date(from)).at.toISOString();

  test('is by the clock of its zone, in summer and in winter', () => {
    expect(at(monthly(5, 'Europe/Madrid'), '2026-12-01T00:00:00Z')).toBe('2026-12-05T08:00:00.000Z');
    expect(at(monthly(5, 'Europe/Madrid'), '2026-07-01T00:00:00Z')).toBe('2026-07-05T07:00:00.000Z');
    expect(at(monthly(5), '2026-07-01T00:00:00Z')).toBe('2026-07-05T13:00:00.000Z');
  });

  test('comes an hour later where the clock leaves it out, and the first time where it comes twice', () => {
    expect(at(monthly(29, 'Europe/Madrid', 2), '2026-03-20T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(at(monthly(25, 'Europe/Madrid', 2), '2026-10-20T00:00:00Z')).toBe('2026-10-25T00:00:00.000Z');
  });
});

test('who is late is reminded of the latest one only, and nothing is due before its time', () => {
  const late = dueAt(monthly(5), '2026-12-05', new Date('2027-03-20T00:00:00Z'));
  expect([late?.due.day, late?.next.day]).toEqual(['2027-03-05', '2027-04-05']);
  expect(dueAt(monthly(5), '2026-12-05', new Date('2026-12-05T12:59:59Z'))).toBeNull();
});

test('only names of time zones are time zones', () => {
  for (const zone of zones) expect(isTimeZone(zone)).toBe(true);
  for (const text of ['', 'Mars/Olympus', 'x'.repeat(60)]) expect(isTimeZone(text)).toBe(false);
});

/** Any schedule, with the day its two weeks count from. */
const schedules = fc.record({
  schedule: fc.record({
    every: fc.constantFrom('month' as const, 'two_weeks' as const),
    day: fc.integer({ min: 1, max: 31 }),
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom(...zones),
  }),
  from: fc.date({ min: new Date('2026-01-01'), max: new Date('2029-12-31'), noInvalidDate: true }),
  moment: fc.date({ min: new Date('2026-01-01'), max: new Date('2032-12-31'), noInvalidDate: true }),
});

test('reminders come one by one, each on its day and at its hour, whatever month, zone and moment', () => {
  const local = (zone: string, at: Date) =>
    Number(new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(at));
  fc.assert(
    fc.property(schedules, ({ schedule, from, moment }) => {
      const start = from.toISOString().slice(0, 10);
      const first = firstAfter(schedule, moment, start);
      expect(first.at.getTime()).toBeGreaterThan(moment.getTime());
      // None was passed over: the one before it has come, or would be before the start.
      const most = schedule.every === 'month' ? 31 : 14;
      if (schedule.every === 'month' || first.day !== start)
        expect(first.at.getTime() - moment.getTime()).toBeLessThanOrEqual(most * dayMs + hourMs);
      let last = first;
      for (let index = 0; index < 14; index += 1) {
        expect(dayIn(schedule.zone, last.at)).toBe(last.day);
        const skipped = local(schedule.zone, last.at) - schedule.hour;
        // Where the clock leaves the hour out.
        expect([0, 1]).toContain(skipped);
        const next = following(schedule, last.day);
        const apart = (Date.parse(next.day) - Date.parse(last.day)) / dayMs;
        if (schedule.every === 'two_weeks') expect(apart).toBe(14);
        else {
          const [year = 0, month = 0, day] = next.day.split('-').map(Number);
          expect(day).toBe(Math.min(schedule.day, new Date(Date.UTC(year, month, 0)).getUTCDate()));
          expect([28, 29, 30, 31]).toContain(apart);
        }
        expect(dueAt(schedule, last.day, last.at)).toEqual({ due: last, next });
        expect(dueAt(schedule, last.day, new Date(next.at.getTime() - 1))).toEqual({ due: last, next });
        last = next;
      }
      expect(dueAt(schedule, first.day, last.at)?.due).toEqual(last);
    }),
    { numRuns: 60, seed: 20_261_123 },
  );
});

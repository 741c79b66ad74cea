import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SendCurrency } from '#core/money';
import { parseRate, type Rate } from '#core/rate';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { seeMarket, testEveryMs } from '../testing/market.ts';
import { createTestUser } from '../testing/people.ts';
import { testMoment } from '../testing/transfers.ts';
import { Database } from './database.ts';
import {
  activateDueRateChange,
  confirmationMs,
  confirmRateChange,
  declineRateChange,
  dueRateChanges,
  expireRateChanges,
  proposeRateChange,
} from './rate-changes.ts';
import { currentRate, setRate } from './rates.ts';
import { Mail, OutboxRow } from './schema/events.ts';
import type { User } from './schema/people.ts';
import { RateChange, RateEntry } from './schema/rates.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const dayMs = 24 * hourMs;
const rules = { everyMs: testEveryMs, maxStepBasisPoints: 300n };
const rateOf = (text: string) => parseRate(text) as Rate;
const later = (ms: number) => new Date(testMoment.getTime() + ms);

let testDatabase: TestDatabase;
let database: Database;
let ana: User;
let luis: User;
let eva: User;

// Rates cannot be deleted, so each test has its own database.
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.open(testDatabase.url, { poolMax: 6 });
  ana = await createTestUser(database, { role: 'admin', name: 'Ana' });
  luis = await createTestUser(database, { role: 'admin', name: 'Luis' });
  eva = await createTestUser(database, { role: 'admin', name: 'Eva' });
  await setDirectly('USD', '11.50', later(-2 * dayMs));
  await market('12.00');
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const setDirectly = (currency: SendCurrency, rate: string, at: Date) =>
  database.transaction((em) => setRate(em, { currency, rate: rateOf(rate), setById: ana.id, at }));
const market = (rate: string, at = testMoment) => seeMarket(database, { rate: rateOf(rate), at });

interface Wish {
  currency?: SendCurrency;
  reason?: string | null;
  activateAt?: Date | null;
  by?: User;
  at?: Date;
}
const propose = (rate: string, { currency = 'USD', reason = null, activateAt = null, by = ana, at }: Wish = {}) =>
  database.transaction((em) =>
    proposeRateChange(em, rules, {
      currency,
      rate: rateOf(rate),
      reason,
      activateAt,
      proposedById: by.id,
      at: at ?? testMoment,
    }),
  );
const confirm = ({ id }: { id: bigint }, by: User, at = testMoment) =>
  database.transaction((em) => confirmRateChange(em, rules, { changeId: id, personId: by.id, at }));
const decline = ({ id }: { id: bigint }, by: User, at = testMoment) =>
  database.transaction((em) => declineRateChange(em, { changeId: id, personId: by.id, at }));
const activate = ({ id }: { id: bigint }, at: Date) =>
  database.transaction((em) => activateDueRateChange(em, rules, { changeId: id, at }));
const expire = (at: Date) => database.transaction((em) => expireRateChanges(em, at));
const stored = ({ id }: { id: bigint }) => database.read().findOneOrFail(RateChange, { id });
const inForce = async (currency: SendCurrency = 'USD') =>
  (await currentRate(database.read(), currency, { now: testMoment, pauseAfterMs: dayMs }))?.rate;
const outbox = (name: string) => database.read().find(OutboxRow, { name }, { orderBy: { id: 'asc' } });

/** How each attempt ended: a failure's code, or the state the change is in. */
async function ends(attempts: Promise<RateChange>[]): Promise<string[]> {
  const settled = await Promise.allSettled(attempts);
  return settled.map((one) => (one.status === 'fulfilled' ? one.value.state : one.reason.code)).sort();
}

describe('a rate within the guard-rails', () => {
  test('is in force at once, by one person and without a reason', async () => {
    const change = await propose('11.60');
    expect(await stored(change)).toMatchObject({
      state: 'activated',
      rate: rateOf('11.60'),
      previousRate: rateOf('11.50'),
      proposedById: ana.id,
      guardRails: [],
      reason: null,
      decidedById: null,
      activatedAt: testMoment,
    });
    const [entry] = await database.read().find(RateEntry, {}, { orderBy: { id: 'desc' }, limit: 1 });
    expect(entry).toMatchObject({ rate: rateOf('11.60'), setById: ana.id, createdAt: testMoment, changeId: change.id });
    expect((await outbox('rate-desk-changed')).map(({ data }) => data)).toEqual([{ changeId: String(change.id) }]);
    expect(await database.read().count(Mail)).toBe(0);
  });

  test('set past the desk leaves a change that says so, with what was in force before', async () => {
    await setDirectly('USD', '11.70', testMoment);
    const changes = await database.read().find(RateChange, {}, { orderBy: { id: 'asc' } });
    expect(changes).toMatchObject([
      { rate: rateOf('11.50'), previousRate: null, state: 'activated', guardRails: [] },
      { rate: rateOf('11.70'), previousRate: rateOf('11.50'), state: 'activated', proposedById: ana.id },
    ]);
    const entries = await database.read().find(RateEntry, {}, { orderBy: { id: 'asc' } });
    expect(entries.map(({ changeId }) => changeId)).toEqual(changes.map(({ id }) => id));
  });
});

describe('a rate beyond a guard-rail', () => {
  test.each([
    ['11.90', '12.00', ['step_too_large']],
    ['11.60', '11.59', ['above_reference']],
    ['11.60', null, ['stale_sources']],
    ['12.10', '12.00', ['step_too_large', 'above_reference']],
  ])('%s with the market at %s needs a reason', async (rate, reference, guardRails) => {
    // The market of the beginning is no longer fresh then.
    const at = later(3 * hourMs);
    if (reference !== null) await market(reference, at);
    await expect(propose(rate, { at })).rejects.toMatchObject({
      code: 'rate_reason_required',
      details: { guardRails },
    });
    expect(await database.read().count(RateChange, { rate: rateOf(rate) })).toBe(0);
    expect((await propose(rate, { at, reason: 'El mercado subió' })).state).toBe('awaiting_confirmation');
    expect(await inForce()).toBe(rateOf('11.50'));
  });

  test('waits for somebody else, who hears of it by e-mail, and both are on record', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const mails = await database.read().find(Mail, { kind: 'rate_change_waiting' });
    expect(new Set(mails.map(({ userId }) => userId))).toEqual(new Set([luis.id, eva.id]));

    await expect(confirm(change, ana)).rejects.toMatchObject({ code: 'second_person_needed' });
    expect(await inForce()).toBe(rateOf('11.50'));

    const at = later(hourMs);
    await confirm(change, luis, at);
    expect(await stored(change)).toMatchObject({
      state: 'activated',
      reason: 'El mercado subió',
      proposedById: ana.id,
      decidedById: luis.id,
      decidedAt: at,
      activatedAt: at,
      guardRails: ['step_too_large'],
    });
    expect(await inForce()).toBe(rateOf('11.90'));
    expect(await outbox('rate-desk-changed')).toHaveLength(2);
  });

  test('is confirmed with the guard-rails of that moment as well', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    await market('11.80', later(hourMs));
    await confirm(change, luis, later(hourMs));
    expect((await stored(change)).guardRails).toEqual(['step_too_large', 'above_reference']);
  });

  test('cannot be put in force alone past the code either', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    for (const decider of [ana.id, null]) {
      const forced = database
        .read()
        .execute(
          `update rate_change set state = 'activated', activated_at = now(), decided_by_id = ?::uuid where id = ?`,
          [decider, String(change.id)],
        );
      await expect(forced).rejects.toThrow('rate_change_second_person');
    }
  });
});

describe('many small steps', () => {
  test('count as one within a day, up or down', async () => {
    await propose('11.70');
    await propose('11.84', { at: later(hourMs) });
    await expect(propose('11.86', { at: later(2 * hourMs) })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
    // Within the step of the rate in force, but not of the first one.
    await propose('11.50', { at: later(2 * hourMs) });
    await expect(propose('11.48', { at: later(2 * hourMs) })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
  });

  test('count from the rate that two agreed on, and by the day', async () => {
    await confirm(await propose('11.90', { reason: 'El mercado subió' }), luis);
    await propose('11.95');
    await propose('11.60', { at: later(minuteMs) });
    await expect(propose('11.54', { at: later(2 * minuteMs) })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
    const nextDay = later(dayMs + minuteMs);
    await market('12.00', nextDay);
    // In force when the day began: 11,60. What was before it is forgotten.
    expect((await propose('11.26', { at: nextDay })).state).toBe('activated');
  });

  test('cannot be taken by way of the dollar that a euro without a rate of its own follows', async () => {
    await seeMarket(database, { rate: 1_200_000n, at: testMoment, pair: 'EUR/USD' });
    expect(await inForce('EUR')).toBe(rateOf('13.80'));
    await propose('11.80');
    expect(await inForce('EUR')).toBe(rateOf('14.16'));
    // Within the step of 14,16, not of 13,80.
    await expect(propose('14.30', { currency: 'EUR' })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
    expect((await propose('14.20', { currency: 'EUR' })).previousRate).toBe(rateOf('14.16'));
    await expect(propose('14.30', { currency: 'EUR', at: later(1) })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
  });
});

describe('a scheduled change', () => {
  const hour = later(2 * hourMs);

  test('needs a reason, and nothing happens before its hour, nor twice after it', async () => {
    await expect(propose('11.60', { activateAt: hour })).rejects.toMatchObject({
      code: 'rate_reason_required',
      message: 'Un cambio programado necesita un motivo.',
    });
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    expect(change.state).toBe('scheduled');
    expect(await outbox('activate-rate-change')).toMatchObject([
      { data: { changeId: String(change.id) }, runAt: hour },
    ]);
    const early = new Date(hour.getTime() - 1);
    await activate(change, early);
    expect(await dueRateChanges(database.read(), early)).toEqual([]);
    expect(await inForce()).toBe(rateOf('11.50'));

    expect(await dueRateChanges(database.read(), hour)).toEqual([change.id]);
    await Promise.all([activate(change, hour), activate(change, hour)]);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({ state: 'activated', activatedAt: hour, decidedById: null });
    expect(await database.read().count(RateEntry, { changeId: change.id })).toBe(1);
    expect(await inForce()).toBe(rateOf('11.60'));
  });

  test('beyond a guard-rail is scheduled by the second person, or in force at once when its hour has passed', async () => {
    const first = await propose('11.90', { activateAt: hour, reason: 'Feriado' });
    expect(first.state).toBe('awaiting_confirmation');
    expect(await outbox('activate-rate-change')).toEqual([]);
    expect((await confirm(first, luis, later(hourMs))).state).toBe('scheduled');
    expect(await outbox('activate-rate-change')).toMatchObject([{ runAt: hour }]);
    await market('12.00', hour);
    await activate(first, hour);
    expect(await stored(first)).toMatchObject({ state: 'activated', decidedById: luis.id, activatedAt: hour });

    const late = await propose('12.50', { activateAt: later(3 * hourMs), reason: 'Feriado', at: hour });
    expect((await confirm(late, eva, later(4 * hourMs))).state).toBe('activated');
  });

  test('whose market fell meanwhile waits for a second person, for a day from then on', async () => {
    const change = await propose('11.60', { activateAt: later(2 * dayMs), reason: 'Feriado' });
    const due = later(2 * dayMs);
    await market('11.55', due);
    await activate(change, due);
    expect(await stored(change)).toMatchObject({ state: 'awaiting_confirmation', guardRails: ['above_reference'] });
    expect(await inForce()).toBe(rateOf('11.50'));
    expect(await database.read().count(Mail, { kind: 'rate_change_waiting' })).toBe(2);
    await expect(confirm(change, ana, due)).rejects.toMatchObject({ code: 'second_person_needed' });

    const last = new Date(due.getTime() + confirmationMs - 1);
    await expire(last);
    expect((await confirm(change, luis, last)).state).toBe('activated');
  });

  test('is not asked about again for what a second person agreed to, but for anything else', async () => {
    const change = await propose('11.90', { activateAt: hour, reason: 'Feriado' });
    await confirm(change, luis);
    await market('11.80', hour);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({
      state: 'awaiting_confirmation',
      guardRails: ['step_too_large', 'above_reference'],
      decidedById: null,
      decidedAt: null,
    });
    await confirm(change, eva, hour);
    expect(await stored(change)).toMatchObject({ state: 'activated', decidedById: eva.id });
  });

  test('does not outlive being given up', async () => {
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    await decline(change, luis);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({ state: 'declined', decidedById: luis.id });
    expect(await inForce()).toBe(rateOf('11.50'));
  });
});

describe('an open change', () => {
  test('is the only one of its currency', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const details = { changeId: String(change.id) };
    await expect(propose('11.51')).rejects.toMatchObject({ code: 'rate_change_open', details });
    await expect(propose('11.51', { reason: 'Otro', activateAt: later(hourMs), by: luis })).rejects.toMatchObject({
      code: 'rate_change_open',
    });
    await propose('13.00', { currency: 'EUR', reason: 'El euro es otro' });
    await decline(change, luis);
    expect((await propose('11.51')).state).toBe('activated');
  });

  test('is cancelled by who asked for it and declined by anybody else, and over then', async () => {
    const cancelled = await propose('11.90', { reason: 'El mercado subió' });
    expect((await decline(cancelled, ana)).state).toBe('cancelled');
    const declined = await propose('11.90', { reason: 'El mercado subió' });
    expect(await decline(declined, eva, later(1))).toMatchObject({ state: 'declined', decidedById: eva.id });
    for (const over of [cancelled, declined]) {
      const refusal = { code: 'rate_change_closed', details: { changeId: String(over.id) } };
      await expect(confirm(over, luis)).rejects.toMatchObject(refusal);
      await expect(decline(over, luis)).rejects.toMatchObject(refusal);
    }
    await expect(confirm({ id: 999n }, luis)).rejects.toMatchObject({ code: 'not_found' });
    await expect(decline({ id: 999n }, luis)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('can be confirmed for a day and not a moment longer', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const end = later(confirmationMs);
    await expire(new Date(end.getTime() - 1));
    expect((await stored(change)).state).toBe('awaiting_confirmation');
    await expect(confirm(change, luis, end)).rejects.toMatchObject({ code: 'rate_change_closed' });
    await expect(decline(change, luis, end)).rejects.toMatchObject({ code: 'rate_change_closed' });
    await expire(end);
    await expire(end);
    expect((await stored(change)).state).toBe('expired');
    expect(await outbox('rate-desk-changed')).toHaveLength(2);
  });

  test('that is late is in nobody’s way, also before it was closed', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const next = await propose('11.90', { reason: 'Otra vez', at: later(confirmationMs) });
    expect((await stored(change)).state).toBe('expired');
    expect(next.state).toBe('awaiting_confirmation');
  });
});

describe('at the same moment', () => {
  test('several ask: one change is open, the others hear of it', async () => {
    const asked = [ana, luis, eva, ana].map((by, index) => propose(`11.9${index}`, { by, reason: 'El mercado subió' }));
    const lost = Array(3).fill('rate_change_open');
    expect(await ends(asked)).toEqual(['awaiting_confirmation', ...lost]);
  });

  test('several take a step each: together they stay within one', async () => {
    const asked = ['11.80', '11.84', '11.20', '11.16'].map((rate) => propose(rate));
    const done = await ends(asked);
    expect(done).toContain('activated');
    const rates = (await database.read().find(RateEntry, {})).map(({ rate }) => Number(rate));
    // A step down of 3 % is a little more seen from below.
    expect(Math.max(...rates) / Math.min(...rates)).toBeLessThanOrEqual(1 / 0.97);
  });

  test('several confirm and decline: exactly one decides', async () => {
    for (let round = 0; round < 5; round++) {
      const change = await propose('11.90', { reason: 'El mercado subió' });
      const attempts = [
        confirm(change, luis),
        decline(change, eva),
        decline(change, ana),
        confirm(change, eva),
        decline(change, luis),
      ];
      const done = await ends(attempts);
      const { state } = await stored(change);
      expect(done).toEqual([state, ...Array(4).fill('rate_change_closed')].sort());
      expect(await database.read().count(RateEntry, { changeId: change.id })).toBe(state === 'activated' ? 1 : 0);
      if (state === 'activated') return;
    }
  });

  test('its hour comes and somebody gives it up: either, and never both', async () => {
    const hour = later(hourMs);
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    const [, given] = await Promise.allSettled([activate(change, hour), decline(change, luis, hour)]);
    const { state } = await stored(change);
    expect(state).toBe(given.status === 'fulfilled' ? 'declined' : 'activated');
    expect(await inForce()).toBe(rateOf(state === 'activated' ? '11.60' : '11.50'));
  });
});

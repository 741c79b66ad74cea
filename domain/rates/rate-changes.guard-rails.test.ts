import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#core/time/time';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { observeMarket } from '../../testing/market.ts';
import { later, rateOf, useRateChanges } from '../../testing/rate-changes.ts';
import { testMoment } from '../../testing/transfers.ts';
import { Email } from '../emails/email.entity.ts';
import { RateChange, RateEntry } from './rate.entity.ts';

const fixture = useRateChanges(createTestDatabase);
const { setDirectly, market, propose, confirm, stored, inForce, outbox } = fixture;

describe('a rate change within the guard-rails', () => {
  test('is in force at once, by one person and without a reason', async () => {
    const change = await propose('11.60');
    expect(await stored(change)).toMatchObject({
      state: 'activated',
      rate: rateOf('11.60'),
      previousRate: rateOf('11.50'),
      proposedById: fixture.ana.id,
      guardRails: [],
      reason: null,
      decidedById: null,
      activatedAt: testMoment,
    });
    const [entry] = await fixture.database.fork().find(RateEntry, {}, { orderBy: { id: 'desc' }, limit: 1 });
    expect(entry).toMatchObject({
      rate: rateOf('11.60'),
      setById: fixture.ana.id,
      createdAt: testMoment,
      changeId: change.id,
    });
    expect((await outbox('rate-change-updated')).map(({ data }) => data)).toEqual([{ changeId: String(change.id) }]);
    expect(await fixture.database.fork().count(Email)).toBe(0);
  });

  test('without an author is recorded with the previous rate', async () => {
    await setDirectly('USD', '11.70', testMoment);
    const changes = await fixture.database.fork().find(RateChange, {}, { orderBy: { id: 'asc' } });
    expect(changes).toMatchObject([
      { rate: rateOf('11.50'), previousRate: null, state: 'activated', guardRails: [] },
      { rate: rateOf('11.70'), previousRate: rateOf('11.50'), state: 'activated', proposedById: fixture.ana.id },
    ]);
    const entries = await fixture.database.fork().find(RateEntry, {}, { orderBy: { id: 'asc' } });
    expect(entries.map(({ changeId }) => changeId)).toEqual(changes.map(({ id }) => id));
  });
});

describe('a rate change beyond a guard-rail', () => {
  test.each([
    ['11.90', '12.00', ['step_too_large']],
    ['11.60', '11.59', ['above_reference']],
    ['11.60', null, ['stale_sources']],
    ['12.10', '12.00', ['step_too_large', 'above_reference']],
  ])('to %s with the market at %s needs a reason', async (rate, reference, guardRails) => {
    // The market's first figures are no longer fresh then.
    const at = later(3 * hourMs);
    if (reference !== null) await market(reference, at);
    await expect(propose(rate, { at })).rejects.toMatchObject({
      code: 'rate_reason_required',
      details: { guardRails },
    });
    expect(await fixture.database.fork().count(RateChange, { rate: rateOf(rate) })).toBe(0);
    expect((await propose(rate, { at, reason: 'El mercado subió' })).state).toBe('awaiting_confirmation');
    expect(await inForce()).toBe(rateOf('11.50'));
  });

  test('awaits another admin, who is notified by e-mail, and records both', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const mails = await fixture.database.fork().find(Email, { kind: 'rate_change_waiting' });
    expect(new Set(mails.map(({ userId }) => userId))).toEqual(new Set([fixture.luis.id, fixture.eva.id]));

    await expect(confirm(change, fixture.ana)).rejects.toMatchObject({ code: 'second_person_needed' });
    expect(await inForce()).toBe(rateOf('11.50'));

    const at = later(hourMs);
    await confirm(change, fixture.luis, at);
    expect(await stored(change)).toMatchObject({
      state: 'activated',
      reason: 'El mercado subió',
      proposedById: fixture.ana.id,
      decidedById: fixture.luis.id,
      decidedAt: at,
      activatedAt: at,
      guardRails: ['step_too_large'],
    });
    expect(await inForce()).toBe(rateOf('11.90'));
    expect(await outbox('rate-change-updated')).toHaveLength(2);
  });

  test('records the guard-rails that are hit when it is confirmed as well', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    await market('11.80', later(hourMs));
    await confirm(change, fixture.luis, later(hourMs));
    expect((await stored(change)).guardRails).toEqual(['step_too_large', 'above_reference']);
  });

  test('is also rejected by the database when one person activates it alone', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    for (const decider of [fixture.ana.id, null]) {
      const forced = fixture.database
        .fork()
        .execute(
          `update rate_change set state = 'activated', activated_at = now(), decided_by_id = ?::uuid where id = ?`,
          [decider, String(change.id)],
        );
      await expect(forced).rejects.toThrow('rate_change_second_person');
    }
  });
});

describe('several small rate changes', () => {
  test('count as one step within a day, up or down', async () => {
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

  test('are measured from the rate that two people approved, within 24 hours', async () => {
    await confirm(await propose('11.90', { reason: 'El mercado subió' }), fixture.luis);
    await propose('11.95');
    await propose('11.60', { at: later(minuteMs) });
    await expect(propose('11.54', { at: later(2 * minuteMs) })).rejects.toMatchObject({
      details: { guardRails: ['step_too_large'] },
    });
    const nextDay = later(dayMs + minuteMs);
    await market('12.00', nextDay);
    // In force 24 hours before: 11,60. Earlier rates no longer count.
    expect((await propose('11.26', { at: nextDay })).state).toBe('activated');
  });

  test('of the dollar count for the euro that follows it', async () => {
    await observeMarket(fixture.database, { rate: 1_200_000n, at: testMoment, pair: 'EUR/USD' });
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

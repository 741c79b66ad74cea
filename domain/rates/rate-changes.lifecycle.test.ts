import { describe, expect, test } from 'vitest';
import { confirmationMs } from '#core/rates/guard-rails';
import { dayMs, hourMs } from '#core/time/time';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { ends, later, rateOf, useRateChanges } from '../../testing/rate-changes.ts';
import { Email } from '../emails/email.entity.ts';
import { RateEntry } from './rate.entity.ts';
import { dueRateChanges } from './rate-changes.ts';

const fixture = useRateChanges(createTestDatabase);
const { market, propose, confirm, decline, activate, expire, stored, inForce, outbox } = fixture;

describe('a scheduled rate change', () => {
  const hour = later(2 * hourMs);

  test('needs a reason and is activated once, at its time and not before', async () => {
    await expect(propose('11.60', { activateAt: hour })).rejects.toMatchObject({
      code: 'rate_reason_required',
      details: { scheduled: true },
    });
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    expect(change.state).toBe('scheduled');
    expect(await outbox('activate-rate-change')).toMatchObject([
      { data: { changeId: String(change.id) }, runAt: hour },
    ]);
    const early = new Date(hour.getTime() - 1);
    await activate(change, early);
    expect(await dueRateChanges(fixture.database.fork(), early)).toEqual([]);
    expect(await inForce()).toBe(rateOf('11.50'));

    expect(await dueRateChanges(fixture.database.fork(), hour)).toEqual([change.id]);
    await Promise.all([activate(change, hour), activate(change, hour)]);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({ state: 'activated', activatedAt: hour, decidedById: null });
    expect(await fixture.database.fork().count(RateEntry, { changeId: change.id })).toBe(1);
    expect(await inForce()).toBe(rateOf('11.60'));
  });

  test('beyond a guard-rail is scheduled by the second person, or activated at once when its time has passed', async () => {
    const first = await propose('11.90', { activateAt: hour, reason: 'Feriado' });
    expect(first.state).toBe('awaiting_confirmation');
    expect(await outbox('activate-rate-change')).toEqual([]);
    expect((await confirm(first, fixture.luis, later(hourMs))).state).toBe('scheduled');
    expect(await outbox('activate-rate-change')).toMatchObject([{ runAt: hour }]);
    await market('12.00', hour);
    await activate(first, hour);
    expect(await stored(first)).toMatchObject({ state: 'activated', decidedById: fixture.luis.id, activatedAt: hour });

    const late = await propose('12.50', { activateAt: later(3 * hourMs), reason: 'Feriado', at: hour });
    expect((await confirm(late, fixture.eva, later(4 * hourMs))).state).toBe('activated');
  });

  test('above a market that has since fallen awaits a second person for a day from its due time', async () => {
    const change = await propose('11.60', { activateAt: later(2 * dayMs), reason: 'Feriado' });
    const due = later(2 * dayMs);
    await market('11.55', due);
    await activate(change, due);
    expect(await stored(change)).toMatchObject({ state: 'awaiting_confirmation', guardRails: ['above_reference'] });
    expect(await inForce()).toBe(rateOf('11.50'));
    expect(await fixture.database.fork().count(Email, { kind: 'rate_change_waiting' })).toBe(2);
    await expect(confirm(change, fixture.ana, due)).rejects.toMatchObject({ code: 'second_person_needed' });

    const last = new Date(due.getTime() + confirmationMs - 1);
    await expire(last);
    expect((await confirm(change, fixture.luis, last)).state).toBe('activated');
  });

  test('awaits another confirmation only for guard-rails that no second person has accepted', async () => {
    const change = await propose('11.90', { activateAt: hour, reason: 'Feriado' });
    await confirm(change, fixture.luis);
    await market('11.80', hour);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({
      state: 'awaiting_confirmation',
      guardRails: ['step_too_large', 'above_reference'],
      decidedById: null,
      decidedAt: null,
    });
    await confirm(change, fixture.eva, hour);
    expect(await stored(change)).toMatchObject({ state: 'activated', decidedById: fixture.eva.id });
  });

  test('that was declined is not activated at its time', async () => {
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    await decline(change, fixture.luis);
    await activate(change, hour);
    expect(await stored(change)).toMatchObject({ state: 'declined', decidedById: fixture.luis.id });
    expect(await inForce()).toBe(rateOf('11.50'));
  });
});

describe('an open rate change', () => {
  test('is the only one of its currency', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const details = { changeId: String(change.id) };
    await expect(propose('11.51')).rejects.toMatchObject({ code: 'rate_change_open', details });
    await expect(
      propose('11.51', { reason: 'Otro', activateAt: later(hourMs), by: fixture.luis }),
    ).rejects.toMatchObject({
      code: 'rate_change_open',
    });
    await propose('13.00', { currency: 'EUR', reason: 'El euro es otro' });
    await decline(change, fixture.luis);
    expect((await propose('11.51')).state).toBe('activated');
  });

  test('is cancelled by its author, declined by any other admin, and then closed', async () => {
    const cancelled = await propose('11.90', { reason: 'El mercado subió' });
    expect((await decline(cancelled, fixture.ana)).state).toBe('cancelled');
    const declined = await propose('11.90', { reason: 'El mercado subió' });
    expect(await decline(declined, fixture.eva, later(1))).toMatchObject({
      state: 'declined',
      decidedById: fixture.eva.id,
    });
    for (const over of [cancelled, declined]) {
      const refusal = { code: 'rate_change_closed', details: { changeId: String(over.id) } };
      await expect(confirm(over, fixture.luis)).rejects.toMatchObject(refusal);
      await expect(decline(over, fixture.luis)).rejects.toMatchObject(refusal);
    }
    await expect(confirm({ id: 999n }, fixture.luis)).rejects.toMatchObject({ code: 'not_found' });
    await expect(decline({ id: 999n }, fixture.luis)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('can be confirmed for a day and not a millisecond longer', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const end = later(confirmationMs);
    await expire(new Date(end.getTime() - 1));
    expect((await stored(change)).state).toBe('awaiting_confirmation');
    await expect(confirm(change, fixture.luis, end)).rejects.toMatchObject({ code: 'rate_change_closed' });
    await expect(decline(change, fixture.luis, end)).rejects.toMatchObject({ code: 'rate_change_closed' });
    await expire(end);
    await expire(end);
    expect((await stored(change)).state).toBe('expired');
    expect(await outbox('rate-change-updated')).toHaveLength(2);
  });

  test('that was not confirmed within a day does not block the next one, even before a job expires it', async () => {
    const change = await propose('11.90', { reason: 'El mercado subió' });
    const next = await propose('11.90', { reason: 'Otra vez', at: later(confirmationMs) });
    expect((await stored(change)).state).toBe('expired');
    expect(next.state).toBe('awaiting_confirmation');
  });
});

describe('concurrent rate changes', () => {
  test('several requests: one change is open, the others fail with rate_change_open', async () => {
    const proposals = [fixture.ana, fixture.luis, fixture.eva, fixture.ana].map((by, index) =>
      propose(`11.9${index}`, { by, reason: 'El mercado subió' }),
    );
    const lost = Array(3).fill('rate_change_open');
    expect(await ends(proposals)).toEqual(['awaiting_confirmation', ...lost]);
  });

  test('several requests within one step: the rates in force stay within that step', async () => {
    const proposals = ['11.80', '11.84', '11.20', '11.16'].map((rate) => propose(rate));
    const done = await ends(proposals);
    expect(done).toContain('activated');
    const rates = (await fixture.database.fork().find(RateEntry, {})).map(({ rate }) => Number(rate));
    // A step down of 3 % is a little more than 3 % of the lower rate.
    expect(Math.max(...rates) / Math.min(...rates)).toBeLessThanOrEqual(1 / 0.97);
  });

  test('several confirmations and declines of one change: exactly one decides', async () => {
    for (let round = 0; round < 5; round++) {
      const change = await propose('11.90', { reason: 'El mercado subió' });
      const attempts = [
        confirm(change, fixture.luis),
        decline(change, fixture.eva),
        decline(change, fixture.ana),
        confirm(change, fixture.eva),
        decline(change, fixture.luis),
      ];
      const done = await ends(attempts);
      const { state } = await stored(change);
      expect(done).toEqual([state, ...Array(4).fill('rate_change_closed')].sort());
      expect(await fixture.database.fork().count(RateEntry, { changeId: change.id })).toBe(
        state === 'activated' ? 1 : 0,
      );
      if (state === 'activated') return;
    }
  });

  test('activation and decline at once: either happens, never both', async () => {
    const hour = later(hourMs);
    const change = await propose('11.60', { activateAt: hour, reason: 'Feriado' });
    const [, given] = await Promise.allSettled([activate(change, hour), decline(change, fixture.luis, hour)]);
    const { state } = await stored(change);
    expect(state).toBe(given.status === 'fulfilled' ? 'declined' : 'activated');
    expect(await inForce()).toBe(rateOf(state === 'activated' ? '11.60' : '11.50'));
  });
});

import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StopScope } from '#core/money-stops/money-stop';
import { hourMs } from '#core/time/time';
import type { EntityManager } from '#platform/database/database';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { refusal } from '../../testing/desk-fixture.ts';
import { attemptDue } from '../../testing/operations.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { setAdminRole } from '../account-oversight/admin-role.ts';
import { AuditEntry } from '../audit/audit.entity.ts';
import { Email } from '../emails/email.entity.ts';
import { sweepLostJobs } from '../row-jobs/lost-jobs.ts';
import { MoneyStop } from './money-stop.entity.ts';
import { findActiveStops } from './money-stop.repository.ts';
import { confirmLift, declineLift, requestLift, setMoneyStop, setSystemStop, viewActiveStops } from './money-stops.ts';

const fixture = usePaymentFixture();
let [ana, luis, eva] = ['', '', ''];

beforeAll(async () => {
  const admin = async (name: string) => (await createTestUser(fixture.database, { role: 'admin', name })).id;
  [ana, luis, eva] = [await admin('Ana'), await admin('Luis'), await admin('Eva')];
});

afterEach(async () => {
  fixture.bank.clearFaults();
  for (const { id } of await findActiveStops(fixture.database.fork())) await lift(id);
  // Carries out what was waiting, so that the next test only has its own transfers.
  later(hourMs);
  await runDue();
  await runDue();
});

const commit = <Result>(work: (em: EntityManager) => Promise<Result>) => fixture.database.transaction(work);
const reason = 'El banco paga dos veces';

async function stop(scope: StopScope, rail: 'bank' | null = null): Promise<string> {
  return (await commit((em) => setMoneyStop(em, { scope, rail, reason, personId: ana, at: fixture.now }))).id;
}
const request = (stopId: string, personId = ana) =>
  commit((em) => requestLift(em, { stopId, personId, reason: 'El banco responde bien', at: fixture.now }));
const confirm = (stopId: string, personId = luis) =>
  commit((em) => confirmLift(em, { stopId, personId, at: fixture.now }));

/** Two people lift a stop, whatever was requested before. */
async function lift(stopId: string): Promise<void> {
  if ((await view(stopId))?.lift) await commit((em) => declineLift(em, { stopId }));
  await request(stopId);
  await confirm(stopId);
}
const view = async (stopId: string) =>
  (await viewActiveStops(fixture.database.fork())).find(({ id }) => id === stopId) ?? null;

/** Sets a role with fewer permissions. */
const roleOf = (userId: string, role: 'support') =>
  commit((em) => setAdminRole(em, { userId, role, ownerId: ana, at: fixture.now }));
/** Sets a role as if it had always been held: a new one would await a second owner. */
const restoreRole = (userId: string, role: 'treasurer' | 'owner') =>
  commit(async (em) => {
    await em.execute('update app_user set admin_role = ? where id = ?', [role, userId]);
  });

/** Runs every due operation once, as the worker does. */
const runDue = () => attemptDue(fixture.context);

const later = (ms: number) => {
  fixture.now = new Date(fixture.now.getTime() + ms);
};

describe('a stop of captures', () => {
  it.each(['captures', 'everything'] as const)(
    'holds the capture of an approved transfer until it is lifted (%s)',
    async (scope) => {
      const stopId = await stop(scope);
      const id = await fixture.create();
      await runDue();
      expect((await fixture.intent(id)).status).toBe('requires_capture');
      expect((await fixture.see(id)).state).toBe('approved');
      expect(await fixture.operations(id, 'capture')).toMatchObject([
        { status: 'in_flight', attempts: 0, attemptStartedAt: null, lastError: 'held: money_stop' },
      ]);
      expect(await fixture.openCases(id)).toEqual([]);
      await lift(stopId);
      await runDue();
      await runDue();
      await fixture.expectOutcome(id, 'completed');
    },
  );

  it('lets payouts continue', async () => {
    const id = await fixture.create({ state: 'captured' });
    await stop('captures');
    await runDue();
    await fixture.expectOutcome(id, 'completed');
  });

  it('still voids authorizations of cancelled and rejected transfers', async () => {
    await stop('everything');
    const cancelled = await fixture.create();
    await runDue();
    await fixture.cancel(cancelled);
    const rejected = await fixture.create({ state: 'in_review' });
    await fixture.reject(rejected);
    await runDue();
    await fixture.expectOutcome(cancelled, 'cancelled');
    await fixture.expectOutcome(rejected, 'rejected');
  });
});

describe('a stop of payouts', () => {
  it.each([
    ['payouts', null],
    ['payouts', 'bank'],
    ['everything', null],
  ] as const)('keeps a charged transfer unpaid until it is lifted (%s, rail %s)', async (scope, rail) => {
    const id = await fixture.create({ state: 'captured' });
    const stopId = await stop(scope, rail);
    await runDue();
    later(60_000);
    await runDue();
    expect(fixture.payouts(id)).toEqual([]);
    expect(await fixture.see(id)).toMatchObject({ state: 'captured', payoutStartedAt: null });
    expect(await fixture.operations(id, 'payout')).toMatchObject([{ status: 'in_flight', attempts: 0 }]);
    await lift(stopId);
    await runDue();
    await fixture.expectOutcome(id, 'completed');
  });

  it('holds a payout attempted by its job', async () => {
    const id = await fixture.create({ state: 'captured' });
    await stop('payouts');
    await fixture.run(id, 'payout');
    expect(fixture.payouts(id)).toEqual([]);
    expect((await fixture.see(id)).payoutStartedAt).toBeNull();
  });

  it('lets captures and the refund of a cancelled transfer continue', async () => {
    await stop('payouts', 'bank');
    const id = await fixture.create();
    await runDue();
    expect((await fixture.see(id)).state).toBe('captured');
    await runDue();
    await fixture.cancel(id);
    await runDue();
    await fixture.expectOutcome(id, 'refunded');
  });

  it('finds out about a payout made before the stop whose answer was lost', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'do_then_drop', path: '^/bank/' });
    await runDue();
    await stop('payouts');
    later(2_000);
    await runDue();
    await fixture.expectOutcome(id, 'completed');
  });

  it('does not repeat a payout that was already sent, and pays it once after the stop', async () => {
    const id = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/' });
    await runDue();
    const stopId = await stop('payouts');
    later(2_000);
    await runDue();
    expect(fixture.payouts(id)).toEqual([]);
    await lift(stopId);
    await runDue();
    await fixture.expectOutcome(id, 'completed');
  });

  it('stays while another stop covers the same movement', async () => {
    const id = await fixture.create({ state: 'captured' });
    const [all, payouts] = [await stop('everything'), await stop('payouts')];
    await runDue();
    await lift(all);
    await runDue();
    expect(fixture.payouts(id)).toEqual([]);
    await lift(payouts);
    await runDue();
    await fixture.expectOutcome(id, 'completed');
  });

  it('does not count a waiting payout as an answer of the bank', async () => {
    const id = await fixture.create({ state: 'captured' });
    const failures = async () => {
      const [circuit] = await fixture.database
        .fork()
        .execute<{ failures: number }[]>(`select failures from provider_circuit where provider = 'bank'`);
      return circuit?.failures ?? 0;
    };
    const other = await fixture.create({ state: 'captured' });
    fixture.bank.failNext({ kind: 'drop', path: '^/bank/' });
    await fixture.run(other, 'payout');
    const before = await failures();
    expect(before).toBeGreaterThan(0);
    await stop('payouts');
    await fixture.run(id, 'payout');
    expect(await failures()).toBe(before);
  });
});

it('outlives the queues and every process: it is stored in PostgreSQL only', async () => {
  const id = await fixture.create({ state: 'captured' });
  const stopId = await stop('payouts');
  await runDue();
  // Every queue is emptied, and another process starts.
  await fixture.database.fork().nativeDelete(OutboxRow, {});
  const database = await openDatabase(fixture.databaseUrl);
  const context = { ...fixture.context, database };
  try {
    later(fixture.context.sweepEveryMs + 60_000);
    await sweepLostJobs(context);
    await attemptDue(context);
    expect(fixture.payouts(id)).toEqual([]);
    await lift(stopId);
    await fixture.database.fork().nativeDelete(OutboxRow, {});
    await sweepLostJobs(context);
    await attemptDue(context);
    await fixture.expectOutcome(id, 'completed');
  } finally {
    await database.close();
  }
});

describe('lifting a stop', () => {
  it('takes two people: a requester cannot confirm their own request', async () => {
    const stopId = await stop('captures');
    await expect(confirm(stopId, luis)).rejects.toEqual(refusal('lift_not_requested'));
    await request(stopId, luis);
    await expect(request(stopId, eva)).rejects.toEqual(refusal('lift_already_requested'));
    await expect(confirm(stopId, luis)).rejects.toEqual(refusal('own_request'));
    expect((await view(stopId))?.lift).toMatchObject({ requested_by: 'Luis', reason: 'El banco responde bien' });
    // The admin who set it may be the second one.
    await confirm(stopId, ana);
    expect(await view(stopId)).toBeNull();
    await expect(request(stopId)).rejects.toEqual(refusal('money_stop_lifted'));
    await expect(confirm(stopId)).rejects.toEqual(refusal('money_stop_lifted'));
  });

  it('is confirmed once, even by concurrent confirmations', async () => {
    const stopId = await stop('captures');
    await request(stopId);
    const results = await Promise.allSettled([confirm(stopId, luis), confirm(stopId, eva)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('is void once the author of the request has lost the role, and another person may request it', async () => {
    const stopId = await stop('payouts', 'bank');
    await request(stopId, luis);
    await roleOf(luis, 'support');
    expect((await view(stopId))?.lift).toBeNull();
    await expect(confirm(stopId, eva)).rejects.toEqual(refusal('lift_not_requested'));
    await request(stopId, eva);
    expect((await view(stopId))?.lift).toMatchObject({ requested_by: 'Eva' });
    await restoreRole(luis, 'treasurer');
    await confirm(stopId, luis);
    expect(await view(stopId)).toBeNull();
    await restoreRole(luis, 'owner');
  });

  it('is void once the author of the request is blocked', async () => {
    const stopId = await stop('captures');
    await request(stopId, luis);
    await fixture.asOwner(`update app_user set blocked_at = now() where id = '${luis}'`);
    await expect(confirm(stopId, eva)).rejects.toEqual(refusal('lift_not_requested'));
    await fixture.asOwner(`update app_user set blocked_at = null where id = '${luis}'`);
    await confirm(stopId, eva);
  });

  it('stays stopped when the request is withdrawn or declined', async () => {
    const stopId = await stop('captures');
    await request(stopId, luis);
    await commit((em) => declineLift(em, { stopId }));
    await expect(confirm(stopId, eva)).rejects.toEqual(refusal('lift_not_requested'));
    await expect(commit((em) => declineLift(em, { stopId }))).rejects.toEqual(refusal('lift_not_requested'));
    expect(await view(stopId)).toMatchObject({ scope: 'captures', lift: null });
  });

  it('does not affect other stops', async () => {
    const stopId = '0199b2d0-0000-4000-8000-0000000000ff';
    await expect(request(stopId)).rejects.toEqual(refusal('not_found'));
  });
});

describe('setting a stop', () => {
  it('fails while the same one is active, and is possible again once that was lifted', async () => {
    const stopId = await stop('payouts', 'bank');
    await expect(stop('payouts', 'bank')).rejects.toEqual(refusal('money_stop_active'));
    await stop('payouts');
    await lift(stopId);
    expect(await stop('payouts', 'bank')).not.toBe(stopId);
  });

  it('by the system happens once, with a cause and no author', async () => {
    const set = () =>
      commit((em) =>
        setSystemStop(em, { scope: 'payouts', rail: 'bank', cause: 'insufficient_funds', at: fixture.now }),
      );
    expect([await set(), await set()]).toEqual([true, false]);
    const [known] = await viewActiveStops(fixture.database.fork());
    expect(known).toMatchObject({
      scope: 'payouts',
      rail: 'bank',
      reason: null,
      cause: 'insufficient_funds',
      set_by: null,
    });
  });

  it('notifies every admin who may act, like lifting, but not support', async () => {
    const stopId = await stop('captures');
    await request(stopId, ana);
    await confirm(stopId, luis);
    const readers = async (kind: string) => {
      const mails = await fixture.database.fork().find(Email, { kind, key: { $like: `${kind}-${stopId}%` } });
      return mails.map(({ userId }) => userId).toSorted();
    };
    expect(await readers('money_stopped')).toEqual([ana, luis, eva].toSorted());
    expect(await readers('money_stop_lift_waiting')).toEqual([luis, eva].toSorted());
    expect(await readers('money_stop_lifted')).toEqual([ana, luis, eva].toSorted());
  });

  it('is recorded with all later events, and the record is immutable', async () => {
    const stopId = await stop('payouts', 'bank');
    await request(stopId);
    await commit((em) => declineLift(em, { stopId }));
    await lift(stopId);
    const entries = await fixture.database.fork().find(AuditEntry, { subject: stopId }, { orderBy: { at: 'asc' } });
    expect(entries.map(({ kind }) => kind)).toEqual([
      ...['money_stop_set', 'money_stop_lift_requested', 'money_stop_lift_declined'],
      ...['money_stop_lift_requested', 'money_stop_lifted'],
    ]);
    expect(JSON.parse(entries[0]?.detail ?? '')).toEqual({ scope: 'payouts', rail: 'bank', cause: null });
    const stored = fixture.database.fork();
    await expect(stored.nativeUpdate(MoneyStop, { id: stopId }, { liftedAt: null })).rejects.toThrow('is a record');
    const active = await stop('captures');
    await expect(stored.nativeUpdate(MoneyStop, { id: active }, { reason: 'Otro' })).rejects.toThrow('is a record');
    const alone = { liftRequestedById: ana, liftRequestedAt: fixture.now, liftReason: 'x', liftedById: ana };
    await expect(stored.nativeUpdate(MoneyStop, { id: active }, { ...alone, liftedAt: fixture.now })).rejects.toThrow(
      'money_stop_two_people_check',
    );
    await expect(stored.nativeDelete(MoneyStop, { id: active })).rejects.toThrow('permission denied');
  });
});

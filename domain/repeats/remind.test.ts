import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { RepeatRequest } from '#core/contracts/http/repeats';
import { defaultFeeSchedule } from '#core/money/fee';
import type { Rate } from '#core/rates/rate';
import { dayMs, hourMs } from '#core/time/time';
import type { Database, EntityManager } from '#platform/database/database';
import { createLogger } from '#platform/logging';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, openTestTransfer, testTarget } from '../../testing/transfers.ts';
import { Email } from '../emails/email.entity.ts';
import { listNews } from '../notifications/news.ts';
import { setRate } from '../rates/set-rate.ts';
import { addRecipient, removeRecipient } from '../recipients/recipient.repository.ts';
import { changeRepeat, createRepeat, noteAnswer, pauseRepeat, refuseClosed, skipRepeat } from './plans.ts';
import { remindOfRepeats } from './remind.ts';
import { RepeatPlan, RepeatReminder } from './repeat.entity.ts';
import { findPlan } from './repeat.repository.ts';
import { toRepeatView } from './repeat-views.ts';

let testDatabase: TestDatabase;
let database: Database;
let userId: string;
let recipientId: string;
let now: Date;
const fee = defaultFeeSchedule;
const rates = { pauseAfterMs: dayMs };
let limits: { dayUsdMinor: bigint; monthUsdMinor: bigint };

let adminId: string;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url, { poolMax: 8 });
  adminId = (await createTestUser(database, { role: 'admin' })).id;
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  now = new Date('2026-12-01T15:00:00Z');
  limits = { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n };
  userId = (await createTestUser(database)).id;
  const input = { ...testTarget, email: '', relationship: 'Mamá' };
  recipientId = (await database.transaction((em) => addRecipient(em, { userId, input, at: now }))).id;
  await updateRates();
});
// Ends every plan, so that no other test sends its reminders.
afterEach(() => database.fork().nativeUpdate(RepeatPlan, {}, { state: 'ended' }));

async function updateRates() {
  await database.transaction(async (em) => {
    for (const currency of ['USD', 'EUR'] as const)
      await setRate(em, { currency, rate: 13_380_000n as Rate, setById: adminId, at: now });
  });
}
const remind = (changes: Partial<Parameters<typeof remindOfRepeats>[0]> = {}) =>
  remindOfRepeats({
    ...{ database, fee, limits, log: createLogger('worker', 'silent'), now: () => now, ...rates },
    ...changes,
  });
const monthly = (day: number, changes: Partial<RepeatRequest> = {}): RepeatRequest => ({
  ...{ recipientId, fixed: 'pay', amountMinor: 10_000n, currency: 'EUR', every: 'month', day, from: null },
  ...{ hour: 9, zone: 'America/La_Paz', ...changes },
});
const create = (request: RepeatRequest) =>
  database.transaction((em) => createRepeat(em, { fee, rates }, { userId, request, at: now }));
const own = (id: string) => ({ userId, id, at: now });
const see = async (id: string) => toRepeatView(database.fork(), await findPlan(database.fork(), userId, id), now);
const emails = async () => {
  const rows = await database.fork().find(Email, { kind: 'repeat_reminder', userId });
  return rows.map(({ data }) => data);
};
const reminders = () => database.fork().find(RepeatReminder, { userId }, { orderBy: { period: 'asc' } });
/** 9:00 in La Paz on a day, and a minute. */
const afterNine = (day: string) => new Date(Date.parse(`${day}T13:01:00Z`));
async function remindOn(day: string) {
  now = afterNine(day);
  await updateRates();
  await remind();
}

test('a reminder is sent once on its day, with today’s figures by e-mail and as news, however many workers run', async () => {
  const { id } = await create(monthly(5));
  now = new Date('2026-12-05T12:59:59Z');
  await remind();
  expect(await reminders()).toEqual([]);
  now = afterNine('2026-12-05');
  await updateRates();
  await Promise.all([remind(), remind(), remind()]);
  await remind();
  const [reminder, ...others] = await reminders();
  expect(others).toEqual([]);
  expect(await emails()).toEqual([
    {
      ...{ reminderId: reminder?.id, every: 'month', currency: 'EUR', problem: null, availableAt: null },
      figures: {
        ...{ amount: '100.00', fee: '3.50', rate: '13.38', bolivianos: '1291.17' },
        arrival: '2026-12-07T13:01:00.000Z',
      },
      ...{ bank: testTarget.bankName, account: '5678', measured: null, lapsesAt: '2027-01-05T13:00:00.000Z' },
    },
  ]);
  expect(await see(id)).toMatchObject({
    nextDay: '2027-01-05',
    reminder: { id: reminder?.id, period: '2026-12-05', state: 'open', transferId: null },
  });
  const news = () => listNews(database.fork(), { userId, isAdmin: false }, { limit: 5, now });
  expect((await news()).items).toMatchObject([
    {
      ...{ id: reminder?.id, kind: 'repeat_due', current: true, transfer: null },
      repeat: { person: testTarget.name, fixed: 'pay', amount: '100.00', currency: 'EUR', problem: null },
    },
  ]);
  now = new Date(now.getTime() + hourMs);
  await database.transaction((em) => skipRepeat(em, { ...own(id), period: '2026-12-05' }));
  expect((await news()).items).toMatchObject([{ current: false }]);
  expect(await database.fork().count(OutboxRow, { name: 'repeats-changed', data: { userId } })).toBe(3);
});

test('a worker that is months late sends the latest reminder only, and one that crashed leaves nothing half done', async () => {
  const { id } = await create(monthly(31));
  now = afterNine('2027-03-05');
  await updateRates();
  const crashing: Database = Object.assign(Object.create(database), {
    transaction: (work: (em: EntityManager) => Promise<unknown>) =>
      database.transaction(async (em) => {
        await work(em);
        throw new Error('the worker crashed');
      }),
  });
  const error = vi.fn();
  const crashed = remind({ database: crashing, log: Object.assign(createLogger('worker', 'silent'), { error }) });
  await expect(crashed).rejects.toThrow('1 of 1');
  expect(error).toHaveBeenCalledOnce();
  expect(await reminders()).toEqual([]);
  expect(await see(id)).toMatchObject({ nextDay: '2026-12-31' });
  await remind();
  expect((await reminders()).map(({ period }) => period)).toEqual(['2027-02-28']);
  expect(await emails()).toHaveLength(1);
  expect(await see(id)).toMatchObject({ nextDay: '2027-03-31' });
});

test('an unanswered reminder lapses, and the next one is sent on time', async () => {
  const { id } = await create(monthly(5));
  await remindOn('2026-12-05');
  await remindOn('2027-01-05');
  expect((await see(id)).reminder).toMatchObject({ period: '2027-01-05' });
  const [first] = await reminders();
  const answer = (reminderId: string) =>
    database.transaction((em) => refuseClosed(em, { userId, reminderId, at: now }));
  await expect(answer(first?.id ?? '')).rejects.toMatchObject({ code: 'reminder_closed' });
});

test('a reminder is paid once: an abandoned payment may be opened again, a completed one may not', async () => {
  const { id } = await create(monthly(5));
  await remindOn('2026-12-05');
  const reminderId = (await see(id)).reminder?.id ?? '';
  const open = () =>
    database.transaction(async (em) => {
      await refuseClosed(em, { userId, reminderId, at: now });
      const transfer = openTestTransfer(em, { userId });
      await noteAnswer(em, { userId, reminderId, transferId: transfer.id });
      return transfer.id;
    });
  const left = await open();
  await open();
  expect((await see(id)).reminder).toMatchObject({ state: 'open', transferId: null });
  await makeMove(database, left, 'hold');
  await expect(open()).rejects.toMatchObject({ code: 'reminder_closed' });
  expect((await see(id)).reminder).toBeNull();
  // The payment ended without a charge.
  await makeMove(database, left, 'expire_authorization');
  expect((await see(id)).reminder).toMatchObject({ state: 'open', transferId: left });
  await open();
});

test('a period can be skipped once before its day, and a paused plan sends no reminder until it is resumed', async () => {
  const { id } = await create(monthly(5));
  const skip = () => database.transaction((em) => skipRepeat(em, { ...own(id), period: '2026-12-05' }));
  await skip();
  await skip();
  expect(await see(id)).toMatchObject({ nextDay: '2027-01-05', reminder: null });
  await remindOn('2026-12-05');
  expect(await emails()).toEqual([]);
  const pause = (paused: boolean) => database.transaction((em) => pauseRepeat(em, { ...own(id), paused }));
  await pause(true);
  await remindOn('2027-01-05');
  expect(await emails()).toEqual([]);
  now = new Date('2027-01-20T00:00:00Z');
  await pause(false);
  expect(await see(id)).toMatchObject({ state: 'active', nextDay: '2027-02-05' });
});

test('a plan that is changed on its day does not remind a second time', async () => {
  const { id } = await create(monthly(5));
  await remindOn('2026-12-05');
  const request = monthly(5, { hour: 20, amountMinor: 20_000n });
  const change = () => database.transaction((em) => changeRepeat(em, { fee, rates }, { ...own(id), request }));
  await change();
  expect(await see(id)).toMatchObject({ amount: '200.00', nextDay: '2027-01-05' });
});

test('a user has at most ten plans, and creating an identical one returns the existing one', async () => {
  const first = await create(monthly(5));
  const again = await Promise.all([create(monthly(5)), create(monthly(5))]);
  expect(again.map(({ id }) => id)).toEqual([first.id, first.id]);
  for (const day of [6, 7, 8, 9, 10, 11, 12, 13, 14]) await create(monthly(day));
  await expect(create(monthly(15))).rejects.toMatchObject({ code: 'too_many_repeats' });
});

test.each([
  ['payments_paused', async () => (now = new Date(now.getTime() + 2 * dayMs))],
  ['recipient_gone', () => database.transaction((em) => removeRecipient(em, { userId, id: recipientId, at: now }))],
  ['day_limit_reached', async () => (limits = { ...limits, dayUsdMinor: 1n })],
  ['amount_too_large', () => database.fork().nativeUpdate(RepeatPlan, { userId }, { amountMinor: 400_000n })],
] as const)('a reminder of an impossible transfer states the reason: %s', async (problem, happen) => {
  const { id } = await create(monthly(5));
  now = afterNine('2026-12-05');
  await updateRates();
  await happen();
  await remind();
  const [email] = await emails();
  expect(email).toMatchObject({ problem });
  const isGone = problem === 'recipient_gone';
  expect(await see(id)).toMatchObject({ state: isGone ? 'paused' : 'active' });
  expect((await see(id)).reminder?.problem).toBe(isGone ? undefined : problem);
});

test('a plan in bolivianos is priced at the rate of the day', async () => {
  await create(monthly(5, { fixed: 'receive', amountMinor: 200_000n }));
  await remindOn('2026-12-05');
  const [email] = await emails();
  expect(email).toMatchObject({ figures: { amount: '154.91', bolivianos: '2000.04' } });
});

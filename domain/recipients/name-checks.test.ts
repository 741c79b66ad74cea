import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { maxNameCheckAttempts, maxNameChecksPerDay } from '#core/recipients/name-check';
import { dayMs, secondMs } from '#core/time/time';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { dispatchAgain } from '#platform/outbox/row-jobs';
import { NonRetryableError } from '#platform/queues/retry';
import { startBank, type TestBank } from '../../sandbox/testing/start-bank.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { createTestContext } from '../../testing/job-context.ts';
import { reviewPolicy } from '../../testing/review-fixture.ts';
import { askDueNames } from '../../testing/row-jobs.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, testTarget } from '../../testing/transfers.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { viewReview } from '../review/reviews.ts';
import { NameCheck } from './name-check.entity.ts';
import { nameCheckRows } from './name-check.repository.ts';
import { checkAccountName, checkRecipientName, confirmRecipientName } from './name-checks.ts';
import { addRecipient, changeRecipient, findRecipient, removeRecipient } from './recipient.repository.ts';
import { targetOf, toRecipientView } from './recipient-views.ts';

const transfers = useTransferFixture();
let bank: TestBank;
let context: JobContext;
let now = testMoment;
/** Each test has a separate sender. */
let userId: string;

beforeAll(async () => {
  bank = await startBank();
  const options = { databaseUrl: 'postgresql://unused', env: bank.env, now: () => now };
  context = createTestContext(transfers.database, options).context;
});
afterAll(() => bank?.close());
afterEach(async () => {
  bank.clearFaults();
  bank.setMode({});
  bank.calls.length = 0;
  // Discards queries that a previous test left open.
  await transfers.database
    .fork()
    .execute(`update name_check set status = 'withdrawn', next_attempt_at = null where status = 'pending'`);
});

const input = { ...testTarget, email: '', relationship: '' };
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
async function add(changes: object = {}): Promise<string> {
  userId = (await createTestUser(transfers.database)).id;
  const added = { userId, input: { ...input, ...changes }, at: now };
  return (await transfers.database.transaction((em) => addRecipient(em, added))).id;
}
async function see(id: string) {
  const em = transfers.database.fork();
  return toRecipientView(em, await findRecipient(em, userId, id));
}
const change = (id: string, changes: object) =>
  transfers.database.transaction((em) => changeRecipient(em, { userId, id, input: { ...input, ...changes }, at: now }));

/** The last query about a recipient. */
const questionOf = (recipientId: string) =>
  transfers.database.fork().findOneOrFail(NameCheck, { recipientId }, { orderBy: { askedAt: 'desc' } });

test('the bank is queried once about a new account, and browsers get the answer', async () => {
  const id = await add();
  const { id: checkId } = await questionOf(id);
  const jobs = await transfers.database.fork().find(OutboxRow, { name: 'check-account-name', data: { id: checkId } });
  expect(jobs).toMatchObject([{ jobKey: `check-account-name-${checkId}-1`, runAt: null }]);
  const { version } = await see(id);
  const job = { id: checkId, dispatch: 1 };
  expect(await checkAccountName(context, job)).toBeUndefined();
  expect(await checkAccountName(context, job)).toBeUndefined();
  expect(bank.calls).toHaveLength(1);
  expect(await see(id)).toMatchObject({
    version: version + 1,
    nameCheck: { status: 'match', bankSays: 'M*** R***', confirmed: false },
  });
  const pushes = await transfers.database.fork().find(OutboxRow, { name: 'recipient-changed' });
  expect(pushes.map(({ data }) => data)).toEqual([{ recipientId: id }]);
});

test('an attempt that another attempt or job has overtaken writes nothing', async () => {
  const overtakenBy = (other: () => Promise<unknown>): JobContext => {
    const askName: JobContext['bank']['askName'] = async (inquiry, key) => {
      await other();
      bank.clearFaults();
      return context.bank.askName(inquiry, key);
    };
    return { ...context, bank: { ...context.bank, askName } };
  };
  const id = await add();
  const job = { id: (await questionOf(id)).id, dispatch: 1 };
  // Its process seemed dead, and its job was given to another one.
  bank.failCalls(() => ({ kind: 'error', status: 503 }));
  const again = () => checkAccountName(context, job);
  expect(await checkAccountName(overtakenBy(again), job)).toBeUndefined();
  expect(await questionOf(id)).toMatchObject({ status: 'pending', attempts: 2 });

  const other = await add();
  const replaced = { id: (await questionOf(other)).id, dispatch: 1 };
  const added = { at: now, now };
  const sweep = () => transfers.database.transaction((em) => dispatchAgain(em, nameCheckRows, replaced.id, added));
  expect(await checkAccountName(overtakenBy(sweep), replaced)).toBeUndefined();
  bank.calls.length = 0;
  expect(await checkAccountName(context, replaced)).toBeUndefined();
  expect(bank.calls).toEqual([]);
  expect((await see(other)).nameCheck?.status).toBe('pending');
  await checkAccountName(context, { ...replaced, dispatch: 2 });
  expect((await see(other)).nameCheck?.status).toBe('match');
});

test('a query whose every attempt crashed the process is given up', async () => {
  const id = await add();
  const { id: checkId } = await questionOf(id);
  await transfers.database.fork().nativeUpdate(NameCheck, { id: checkId }, { attempts: maxNameCheckAttempts });
  await expect(checkAccountName(context, { id: checkId, dispatch: 1 })).rejects.toThrow(NonRetryableError);
  expect((await see(id)).nameCheck?.status).toBe('unavailable');
  expect(bank.calls).toEqual([]);
});

test.each([
  ['match', 'match', 'R*** M***'],
  ['close_match', 'close', 'R*** Q***'],
  ['no_match', 'different', 'J*** R*** T***'],
  ['not_supported', 'unsupported', null],
] as const)(
  'a bank that answers %s has the account %s, and only initials are stored',
  async (names, status, bankSays) => {
    bank.setMode({ names });
    const id = await add();
    await askDueNames(context);
    expect((await see(id)).nameCheck).toMatchObject({ status, bankSays });
  },
);

test('a query whose process died after sending it is repeated by another one under the same key', async () => {
  const id = await add();
  const { id: checkId } = await questionOf(id);
  const job = { id: checkId, dispatch: 1 };
  const dying: JobContext['database'] = Object.create(context.database);
  let transactions = 0;
  dying.transaction = ((work: Parameters<typeof dying.transaction>[0]) => {
    transactions += 1;
    return transactions > 1 ? Promise.reject(new Error('killed')) : context.database.transaction(work);
  }) as typeof dying.transaction;
  await expect(checkAccountName({ ...context, database: dying }, job)).rejects.toThrow('killed');
  await checkAccountName(context, job);
  expect((await see(id)).nameCheck?.status).toBe('match');
  expect(bank.calls).toHaveLength(2);
  expect(new Set(bank.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('a failing query is retried until the attempts are used up, and then only at the sender’s request', async () => {
  const id = await add();
  const job = { id: (await questionOf(id)).id, dispatch: 1 };
  bank.failCalls(() => ({ kind: 'error', status: 503 }));
  for (let attempt = 1; attempt < maxNameCheckAttempts; attempt += 1) {
    const again = await checkAccountName(context, job);
    expect(again).toEqual({ at: expect.any(Date), error: expect.any(String) });
    const at = again?.at as Date;
    expect(at > now).toBe(true);
    // Too early, it does nothing.
    expect(await checkAccountName(context, job)).toEqual({ at });
    expect((await see(id)).nameCheck?.status).toBe('pending');
    now = at;
  }
  await expect(checkAccountName(context, job)).rejects.toThrow(NonRetryableError);
  expect((await see(id)).nameCheck).toEqual({ status: 'unavailable', bankSays: null, confirmed: false });
  await checkAccountName(context, job);
  expect(bank.calls).toHaveLength(maxNameCheckAttempts);
  bank.clearFaults();
  later(secondMs);
  await transfers.database.transaction((em) => checkRecipientName(em, { userId, id, at: now }));
  await askDueNames(context);
  expect((await see(id)).nameCheck?.status).toBe('match');
});

test('a slow answer about a changed or removed account is not applied to the new one', async () => {
  const id = await add();
  const slow: JobContext['bank'] = {
    ...context.bank,
    async askName(inquiry, key) {
      later(secondMs);
      await change(id, { bankAccount: '99000012345678' });
      bank.setMode({ names: 'no_match' });
      return context.bank.askName(inquiry, key);
    },
  };
  const job = { id: (await questionOf(id)).id, dispatch: 1 };
  expect(await checkAccountName({ ...context, bank: slow }, job)).toBeUndefined();
  const withdrawn = await transfers.database.fork().findOneOrFail(NameCheck, { id: job.id });
  expect(withdrawn).toMatchObject({ status: 'withdrawn', bankSays: null });
  expect((await see(id)).nameCheck?.status).toBe('pending');
  bank.setMode({});
  await askDueNames(context);
  expect((await see(id)).nameCheck?.status).toBe('match');
  later(secondMs);
  await change(id, { name: 'Rosa Mamani Condori', bankAccount: '99000012345678' });
  const last = await questionOf(id);
  await transfers.database.transaction((em) => removeRecipient(em, { userId, id, at: now }));
  bank.calls.length = 0;
  expect(await checkAccountName(context, { id: last.id, dispatch: 1 })).toBeUndefined();
  expect(bank.calls).toEqual([]);
});

test('only a new name or account is queried, and an account changed back keeps its answer', async () => {
  const id = await add();
  await askDueNames(context);
  await change(id, { phone: '71111111' });
  await change(id, { name: 'Rosa Mamani Condori' });
  await change(id, {});
  await askDueNames(context);
  expect((await see(id)).nameCheck?.status).toBe('match');
  expect(bank.calls).toHaveLength(1);
});

test('the number of queries per sender and day is limited', async () => {
  const id = await add();
  for (let count = 1; count < maxNameChecksPerDay + 2; count += 1) {
    later(secondMs);
    await change(id, { bankAccount: `9900001234${5000 + count}` });
  }
  expect((await see(id)).nameCheck).toBeNull();
  const ask = () => transfers.database.transaction((em) => checkRecipientName(em, { userId, id, at: now }));
  await expect(ask()).rejects.toMatchObject({ code: 'too_many_requests', details: { retryAfterSeconds: 86_379 } });
  later(dayMs);
  expect((await ask()).nameCheck?.status).toBe('pending');
});

test('admins reviewing a transfer see that its account is in another name, as soon as the bank reports it', async () => {
  bank.setMode({ names: 'no_match' });
  const id = await add();
  const recipient = await findRecipient(transfers.database.fork(), userId, id);
  const of = { userId, recipient: { id, target: await targetOf(transfers.database.fork(), recipient) } };
  const transfer = await transfers.database.transaction(async (em) => openTestTransfer(em, of));
  await makeMove(transfers.database, transfer.id, 'hold');
  const review = () => viewReview(transfers.database.fork(), transfer.id, reviewPolicy, now);
  const before = await review();
  await askDueNames(context);
  const reason = { code: 'account_name', severity: 'serious', typed: 'Rosa Mamani', bank_says: 'J*** R*** T***' };
  const after = await review();
  expect(after.version).toBeGreaterThan(before.version);
  expect(after.reasons).toContainEqual({ ...reason, confirmed: false });
  const { version } = await see(id);
  await transfers.database.transaction((em) => confirmRecipientName(em, { userId, id, version, at: now }));
  expect((await review()).reasons).toContainEqual({ ...reason, confirmed: true });
});

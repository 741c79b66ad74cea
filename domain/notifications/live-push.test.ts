import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maskPersonal } from '#core/accounts/roles';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { TransferView } from '#core/contracts/http/transfers';
import { liveEvents } from '#core/contracts/live';
import type { LiveEventName } from '#core/contracts/live-events';
import { parseRate, type Rate } from '#core/rates/rate';
import { dayMs } from '#core/time/time';
import { statusOf, transferStateNames } from '#core/transfers/states';
import { Database } from '#platform/database/database';
import type { Emit } from '#platform/live/push';
import { addPush } from '#platform/outbox/outbox';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { runForRequest } from '#platform/request-id';
import { createTestDatabase, type TestDatabase } from '../../infra/testing/database.ts';
import { createTestUser } from '../../testing/accounts.ts';
import { openDatabase } from '../../testing/database.ts';
import { makeMove, testMoment, testTarget, transferIn } from '../../testing/transfers.ts';
import type { User } from '../accounts/account.entity.ts';
import { advanceCryptoOrder, attachOnrampSession, openCryptoOrder } from '../crypto/crypto-order.repository.ts';
import { openCase } from '../desk/desk-case.repository.ts';
import { hideTarget } from '../personal-data/payout-target.ts';
import { RateAlert } from '../rates/rate.entity.ts';
import { setRate } from '../rates/set-rate.ts';
import { claimReview } from '../review/claim.ts';
import { toAdminTransferViews, toTransferViews } from '../transfer-views/transfer-views.ts';
import { findTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { createPush } from './live-push.ts';

let testDatabase: TestDatabase;
let database: Database;
let sender: User;
let admin: User;
let emitted: { room: string; event: LiveEventName; payload: unknown }[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openDatabase(testDatabase.url);
  sender = await createTestUser(database, { name: 'Lucía Mamani' });
  admin = await createTestUser(database, { role: 'admin', name: 'Ana Quispe' });
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});
beforeEach(async () => {
  emitted = [];
  await database.fork().nativeDelete(OutboxRow, {});
});

const pauseAfterMs = dayMs;
const review = {
  limits: { dayUsdMinor: 500_000n, monthUsdMinor: 1_000_000n },
  screens: false,
  screeningWaitMs: 0,
  twoPersonsUsdMinor: 100_000n,
  newDeviceUsdMinor: 50_000n,
  prices: null,
};
const push = createPush((room, event, payload) => emitted.push({ room, event, payload }), { pauseAfterMs, review });
/** Sends every push in the outbox, as the relay would. */
const pushAll = async () => push(database.fork(), await database.fork().find(OutboxRow, { kind: 'push' }));
const addTransferPush = (transferId: string) =>
  database.transaction(async (em) => addPush(em, 'transfer-changed', { transferId }));

describe('a changed transfer', () => {
  test('is pushed with the last request that changed it and its trace, if any', async () => {
    const [{ id: one }, { id: other }] = [
      await transferIn(database, 'approved', { userId: sender.id }),
      await transferIn(database, 'approved', { userId: sender.id }),
    ];
    await database.fork().nativeDelete(OutboxRow, {});
    const causes: unknown[] = [];
    const noting = createPush(
      (room, _event, payload, cause) => {
        if (room === 'admins') causes.push([(payload as AdminTransferView).id, cause]);
      },
      { pauseAfterMs, review },
    );
    await runForRequest('THE-FIRST-ONE', () => addTransferPush(one));
    await addTransferPush(other);
    await runForRequest('THE-LAST-ONE', () => addTransferPush(one));
    const rows = await database.fork().find(OutboxRow, { kind: 'push' }, { orderBy: { id: 'asc' } });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    for (const { data } of rows.slice(-1)) data.traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await noting(database.fork(), rows);
    expect(causes).toHaveLength(2);
    expect(causes).toEqual(
      expect.arrayContaining([
        [one, { requestId: 'THE-LAST-ONE', traceId }],
        [other, undefined],
      ]),
    );
  });

  test('is pushed to its sender, to the admins and masked to support, once for all its changes, in its current state', async () => {
    const { id } = await transferIn(database, 'approved', { userId: sender.id });
    await pushAll();
    expect(emitted.map(({ room, event }) => [room, event])).toEqual([
      [`user:${sender.id}`, 'transfer:changed'],
      ['admins', 'admin:transfer-changed'],
      ['support', 'admin:transfer-changed'],
    ]);
    for (const { event, payload } of emitted) {
      expect(liveEvents[event].parse(payload)).toEqual(payload);
      expect(payload).toMatchObject({ id, state: 'approved', status: 'pending', version: 3 });
    }
    // Lists use a different query.
    const transfer = await findTransfer(database.fork(), id);
    const [view] = await toTransferViews(database.fork(), [transfer as Transfer], new Date());
    const [adminView] = await toAdminTransferViews(database.fork(), [transfer as Transfer]);
    expect(emitted.map(({ payload }) => payload)).toEqual([view, adminView, maskPersonal(adminView)]);
  });

  test('of an unknown transfer is not pushed', async () => {
    await addTransferPush(randomUUID());
    await pushAll();
    expect(emitted).toEqual([]);
  });

  test('of one sender is never pushed to another', async () => {
    const other = await createTestUser(database);
    await transferIn(database, 'in_review', { userId: sender.id });
    await transferIn(database, 'in_review', { userId: other.id });
    await pushAll();
    const pushed = emitted.filter(({ room }) => room === `user:${other.id}`);
    expect(pushed).toHaveLength(1);
    expect(JSON.stringify(pushed)).not.toContain(sender.id);
    expect(emitted).toHaveLength(6);
  });
});

test('review data is pushed to admins only, once for all its changes', async () => {
  const { id } = await transferIn(database, 'in_review', { userId: sender.id });
  await database.fork().nativeDelete(OutboxRow, {});
  const claim = { transferId: id, adminId: admin.id, mine: true, at: new Date() };
  for (const mine of [true, false, true]) await claimReview(database, { ...claim, mine }, review);
  await pushAll();
  expect(emitted.map(({ room, event }) => [room, event])).toEqual([['admins', 'admin:review-changed']]);
  const pushed = liveEvents['admin:review-changed'].parse(emitted[0]?.payload);
  expect(pushed).toMatchObject({ id, version: 4, claim: { by_id: admin.id }, screening: { status: 'off' } });
});

test('a changed rate is pushed to everyone, once, and only if there is one', async () => {
  const pushRate = () => database.transaction(async (em) => addPush(em, 'rate-changed', {}));
  await pushRate();
  await pushAll();
  expect(emitted).toEqual([]);
  await database.transaction((em) =>
    setRate(em, { currency: 'USD', rate: parseRate('11.60') as Rate, setById: admin.id, at: testMoment }),
  );
  await pushRate();
  await pushAll();
  expect(emitted.map(({ room, event }) => [room, event])).toEqual([['everyone', 'rate:changed']]);
  expect(liveEvents['rate:changed'].parse(emitted[0]?.payload)).toMatchObject({ rate: '11.60' });
});

test('a case is pushed to the admins and to support when it opens and when its transfer settles it, in its current state', async () => {
  const { id: transferId } = await transferIn(database, 'captured', { userId: sender.id });
  await makeMove(database, transferId, 'reject_payout');
  await database.fork().nativeDelete(OutboxRow, {});
  const reason = 'payout_rejected' as const;
  await database.transaction((em) => openCase(em, { transferId, reason, details: 'Cuenta cerrada.', at: testMoment }));
  await pushAll();
  const [opened] = emitted;
  expect(emitted.map(({ room, event }) => [room, event])).toEqual([
    ['admins', 'admin:case-changed'],
    ['support', 'admin:case-changed'],
  ]);
  const view = liveEvents['admin:case-changed'].parse(opened?.payload);
  expect(opened?.payload).toEqual(view);
  expect(view).toMatchObject({ reason, details: 'Cuenta cerrada.', version: 1, transaction: { id: transferId } });
  // Without a recipient, payment by hand is impossible.
  expect(view.actions).toEqual(['give_up_and_refund']);
  emitted = [];
  await database.fork().nativeDelete(OutboxRow, {});
  await makeMove(database, transferId, 'ask_money_back');
  await pushAll();
  const settled = emitted.find(({ event }) => event === 'admin:case-changed')?.payload;
  expect(settled).toMatchObject({
    id: view.id,
    version: 2,
    actions: [],
    outcome: 'refunding',
  });
});

test('a fired alert is pushed to its owner only, and a waiting or deleted one is not pushed', async () => {
  const alert = (overrides: Partial<RateAlert>) => ({
    id: randomUUID(),
    userId: sender.id,
    currency: 'EUR' as const,
    rate: 13_200_000n as Rate,
    createdAt: testMoment,
    firedAt: null,
    firedRate: null,
    ...overrides,
  });
  const fired = alert({ firedAt: testMoment, firedRate: 13_250_000n as Rate });
  const waiting = alert({});
  await database.transaction(async (em) => {
    for (const one of [fired, waiting]) em.persist(em.create(RateAlert, one));
    for (const alertId of [fired.id, fired.id, waiting.id, randomUUID()]) addPush(em, 'rate-alert-fired', { alertId });
  });
  await pushAll();
  const view = {
    id: fired.id,
    currency: 'EUR',
    rate: '13.20',
    createdAt: testMoment.toISOString(),
    firedAt: testMoment.toISOString(),
    firedRate: '13.25',
  };
  expect(emitted).toEqual([{ room: `user:${sender.id}`, event: 'rate-alert:fired', payload: view }]);
  expect(liveEvents['rate-alert:fired'].parse(view)).toEqual(view);
});

test('a failing push does not block the others of its batch, and the failure is reported', async () => {
  const at = new Date(Date.now() - 60_000);
  const rate = parseRate('11.61') as Rate;
  await database.transaction((em) => setRate(em, { currency: 'USD', rate, setById: admin.id, at }));
  const [rateChanged] = await database.fork().find(OutboxRow, { kind: 'push', name: 'rate-changed' });
  const broken = { ...rateChanged, name: 'transfer-changed', data: { transferId: 'not an id' } } as OutboxRow;
  const emit: Emit = (room, event, payload) => emitted.push({ room, event, payload });
  const push = createPush(emit, { pauseAfterMs: 90_000, review });
  await expect(push(database.fork(), [broken, rateChanged as OutboxRow])).rejects.toThrow(AggregateError);
  expect(emitted.map(({ event }) => event)).toEqual(['rate:changed']);
});

test('a changed rate is pushed with whether payments pause', async () => {
  const at = new Date(Date.now() - 60_000);
  const rate = parseRate('11.60') as Rate;
  await database.transaction((em) => setRate(em, { currency: 'USD', rate, setById: admin.id, at }));
  const rows = await database.fork().find(OutboxRow, { kind: 'push' });
  const emit: Emit = (room, event, payload) => emitted.push({ room, event, payload });
  for (const pauseAfterMs of [30_000, 90_000]) await createPush(emit, { pauseAfterMs, review })(database.fork(), rows);
  const boards = emitted.map(({ payload }) => liveEvents['rate:changed'].parse(payload));
  expect(boards.map(({ rates }) => rates.USD.paused)).toEqual([true, false]);
});

test('a changed crypto order is pushed to its buyer alone, once for all its changes, in its current state', async () => {
  const { id } = await database.transaction(async (em) =>
    openCryptoOrder(em, {
      userId: sender.id,
      amountMinor: 5000n,
      walletAddress: 'wallet',
      inputHash: 'x',
      idempotencyKey: null,
      at: testMoment,
    }),
  );
  await database.transaction((em) => attachOnrampSession(em, id, 'cos_1', testMoment));
  await database.transaction((em) => attachOnrampSession(em, id, 'cos_2', testMoment));
  const facts = {
    paidMinor: 5000n,
    usdcMillionths: null,
    networkFeeMinor: null,
    transactionFeeMinor: null,
    transactionId: null,
  };
  await database.transaction((em) =>
    advanceCryptoOrder(em, id, { ...facts, status: 'fulfillment_processing' }, testMoment),
  );
  await pushAll();
  expect(emitted.map(({ room, event }) => [room, event])).toEqual([[`user:${sender.id}`, 'crypto-order:changed']]);
  const payload = emitted[0]?.payload;
  expect(liveEvents['crypto-order:changed'].parse(payload)).toEqual(payload);
  expect(payload).toMatchObject({ id, version: 3, status: 'fulfillment_processing', paidAmount: '50.00', fees: null });
});

describe('the views of a transfer', () => {
  test.each(transferStateNames)('that is %s fit their contracts, with its whole timeline', async (state) => {
    const transfer = await transferIn(database, state, { userId: sender.id });
    const [view] = await toTransferViews(database.fork(), [transfer], new Date());
    const [adminView] = await toAdminTransferViews(database.fork(), [transfer]);
    expect(liveEvents['transfer:changed'].parse(view)).toEqual(view);
    expect(liveEvents['admin:transfer-changed'].parse(adminView)).toEqual(adminView);
    for (const one of [view, adminView]) {
      expect(one).toMatchObject({ state, status: statusOf[state], version: transfer.version });
      expect(one?.timeline.map((step) => step.state)).toHaveLength(transfer.version);
      expect(one?.timeline[0]?.state).toBe('awaiting_payment');
      expect(one?.timeline.at(-1)?.state).toBe(state);
    }
  });

  test('show amounts, people and decision as they were kept', async () => {
    const referenceRate = parseRate('13.40') as Rate;
    const transfer = await transferIn(database, 'in_review', { userId: sender.id, referenceRate });
    const captureBefore = new Date('2026-11-27T15:00:00.000Z');
    await database.transaction((em) =>
      em.execute(
        `update transfer set payout_target = ?::jsonb, capture_before = ?
         where id = ?`,
        [JSON.stringify(hideTarget(em, transfer.id, testTarget)), captureBefore, transfer.id],
      ),
    );
    const decision = { decidedAt: testMoment, decidedById: admin.id, reason: 'No coincide el CI.' };
    const rejected = await makeMove(database, transfer.id, 'reject', decision);
    const [view] = (await toTransferViews(database.fork(), [rejected as never], new Date())) as [TransferView];
    const [adminView] = (await toAdminTransferViews(database.fork(), [rejected as never])) as [AdminTransferView];
    expect(view).toMatchObject({
      recipient: 'Rosa Mamani',
      bankName: 'Banco Unión',
      currency: 'EUR',
      amount: '100.00',
      fee: '3.50',
      netAmount: '96.50',
      rate: '13.38',
      bolivianos: '1291.17',
      card: { brand: 'visa', last4: '4242' },
      reason: 'No coincide el CI.',
    });
    expect(adminView).toMatchObject({
      user: 'Lucía Mamani',
      user_email: sender.email,
      user_blocked: false,
      recipient_details: { ci: '•••90', bank_account: '•••5678' },
      amount_bs: '1291.17',
      markup_percent: '0.14',
      // Relative to the exact reference; the 14 basis points would make it 0.13.
      margin: '0.14',
      capture_before: captureBefore.toISOString(),
      decided_by: 'Ana Quispe',
      decided_at: testMoment.toISOString(),
    });
    // The sender sees the decision but not its author.
    expect(JSON.stringify(view)).not.toMatch(/Ana Quispe/);
    expect(JSON.stringify(view)).not.toContain(admin.id);
  });

  test('of several transfers keep the requested order, each with its timeline', async () => {
    const transfers = await Promise.all(
      Array.from({ length: 5 }, () => transferIn(database, 'in_review', { userId: sender.id })),
    );
    const views = await toTransferViews(database.fork(), transfers, new Date());
    expect(views.map((view) => [view.id, view.timeline.length])).toEqual(transfers.map(({ id }) => [id, 2]));
    expect(await toTransferViews(database.fork(), [], new Date())).toEqual([]);
    expect(await toAdminTransferViews(database.fork(), [])).toEqual([]);
  });
});

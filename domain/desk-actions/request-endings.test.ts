import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Failure } from '#core/contracts/failures';
import { isReport } from '#core/operations/desk-request';
import { dayMs } from '#core/time/time';
import { createTestUser } from '../../testing/accounts.ts';
import { byHand, refundByHand, useDeskFixture } from '../../testing/desk-fixture.ts';
import { setBlocked } from '../account-oversight/account-oversight.repository.ts';
import { setAdminRole } from '../account-oversight/admin-role.ts';
import { User } from '../accounts/account.entity.ts';
import { DeskCase } from '../desk/desk-case.entity.ts';
import { closeCase } from '../desk/desk-case.repository.ts';
import { DeskRequest } from '../desk/desk-request.entity.ts';
import { closeAccount } from '../own-account/close-account.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { correctAccount } from '../payouts/correct-account.ts';
import { expireCorrections } from '../payouts/expire-corrections.ts';

// Which events end a waiting request: each kind with each event.

const desk = useDeskFixture();
const { payments: fixture } = desk;
const now = fixture.now;
/** The requester; a new account for each test, because some lose their role. */
let author: string;
beforeEach(async () => {
  fixture.now = now;
  author = (await createTestUser(fixture.database, { role: 'admin', name: 'Marta' })).id;
});
afterEach(() => {
  fixture.now = now;
});

const large = { twoPersonsUsdMinor: 0n };

interface Waiting {
  readonly transferId: string;
  readonly requestId: string;
}

/** Creates a transfer with a waiting request of the author's. */
const kinds = {
  async permission(): Promise<Waiting> {
    const transferId = await desk.createRejected();
    const { request } = await desk.act(transferId, 'give_up_and_refund', { ...large, adminId: author });
    return { transferId, requestId: request?.id ?? '' };
  },
  async reservation(): Promise<Waiting> {
    const transferId = await desk.createRejected();
    return { transferId, requestId: await desk.reserve(transferId, 'pay_by_hand', { adminId: author }) };
  },
  async 'report of a payout'(): Promise<Waiting> {
    const reserved = await kinds.reservation();
    await desk.report(reserved.requestId, { ...large, ...byHand, adminId: author });
    return reserved;
  },
  async 'report of a refund'(): Promise<Waiting> {
    const transferId = await desk.createUnrefunded();
    const requestId = await desk.reserve(transferId, 'refund_by_hand', { adminId: author });
    await desk.report(requestId, { ...large, ...refundByHand, adminId: author });
    return { transferId, requestId };
  },
  async refutation(): Promise<Waiting> {
    const transferId = await desk.createRejected();
    const { refutation } = await desk.refute(await desk.reserve(transferId), author);
    return { transferId, requestId: refutation?.id ?? '' };
  },
} as const;
type Kind = keyof typeof kinds;

const setRole = (role: 'support' | null) =>
  fixture.database.transaction((em) => setAdminRole(em, { userId: author, role, ownerId: desk.ana, at: fixture.now }));

const dispute = async (transferId: string) => {
  const { id } = fixture.stripe.openDispute(await fixture.intentId(transferId));
  await syncDisputes(fixture.context, transferId);
  return id;
};

const correct = async (transferId: string) => {
  const { userId, recipientId } = await fixture.see(transferId);
  const rules = { newDeviceUsdMinor: 10n ** 9n, sessions: { stepUpMs: dayMs }, desk: { reviewTwoPersonsUsdMinor: 0n } };
  const input = { userId, provenAt: fixture.now, transferId, recipientId: recipientId ?? '', at: fixture.now };
  await fixture.database.transaction((em) => correctAccount(em, rules, input));
};

/** Events while a request waits. */
const events = {
  async 'the state changes'({ transferId }: Waiting) {
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(transferId) });
    await syncPayment(fixture.context, transferId);
    expect((await fixture.see(transferId)).state).not.toBe('payout_failed');
  },
  'its author becomes support': () => setRole('support'),
  'its author loses the role': () => setRole(null),
  async 'its author is blocked'() {
    await setRole(null);
    const block = { userId: author, blocked: true, reason: 'Sospecha de fraude', adminId: desk.ana, at: fixture.now };
    await fixture.database.transaction((em) => setBlocked(em, block));
  },
  async 'the account of its author is closed'() {
    await setRole(null);
    const verified = await fixture.database.fork().findOneOrFail(User, { id: author });
    await closeAccount(fixture.database, { verified, at: fixture.now });
  },
  async 'every other case closes'({ transferId }: Waiting) {
    await fixture.database.transaction(async (em) => {
      const open = { transferId, resolvedAt: null, reason: { $ne: 'settlement_by_hand' } } as const;
      for (const one of await em.find(DeskCase, open))
        await closeCase(em, one, { resolution: 'Hecho', personId: desk.ana, at: fixture.now });
    });
  },
  async 'a dispute is opened'({ transferId }: Waiting) {
    await dispute(transferId);
  },
  async 'a dispute is lost'({ transferId }: Waiting) {
    fixture.stripe.decideDispute(await dispute(transferId), 'lost');
    await syncDisputes(fixture.context, transferId);
  },
  async 'its sender cancels'({ transferId }: Waiting) {
    const { outcome } = await fixture.cancel(transferId);
    return outcome.kind === 'refused' ? outcome.code : undefined;
  },
  'its sender corrects the account': ({ transferId }: Waiting) => correct(transferId),
  async 'the deadline of the correction passes'() {
    fixture.now = new Date(now.getTime() + 9 * dayMs);
    await expireCorrections(fixture.context);
  },
  async 'a second person approves'({ requestId }: Waiting) {
    await desk.decide(requestId, desk.luis);
  },
  async 'a second person declines'({ requestId }: Waiting) {
    await desk.decide(requestId, desk.luis, false);
  },
  async 'a second person refutes'({ requestId }: Waiting) {
    await desk.refute(requestId, desk.luis);
  },
  async 'its author approves'({ requestId }: Waiting) {
    await desk.decide(requestId, author);
  },
} as const;
type Event = keyof typeof events;

/** The failure code of the event's call, if it failed, and the state of the request afterwards. */
type Cell = 'waits' | 'obsolete' | 'approved' | 'declined' | readonly [refusal: string, 'waits'];

const stays = {
  'the state changes': 'waits',
  'its author becomes support': 'waits',
  'its author loses the role': 'waits',
  'its author is blocked': 'waits',
  'the account of its author is closed': 'waits',
  'every other case closes': 'waits',
  'a dispute is opened': 'waits',
  'a dispute is lost': 'waits',
  'its sender cancels': ['settlement_in_progress', 'waits'],
  'its sender corrects the account': ['settlement_in_progress', 'waits'],
  'the deadline of the correction passes': 'waits',
  'its author approves': ['own_request', 'waits'],
} as const;

const table: Record<Kind, Record<Event, Cell>> = {
  permission: {
    'the state changes': 'obsolete',
    'its author becomes support': 'obsolete',
    'its author loses the role': 'obsolete',
    'its author is blocked': 'obsolete',
    'the account of its author is closed': 'obsolete',
    'every other case closes': 'obsolete',
    'a dispute is opened': 'obsolete',
    'a dispute is lost': 'obsolete',
    'its sender cancels': 'obsolete',
    'its sender corrects the account': 'obsolete',
    'the deadline of the correction passes': 'waits',
    'a second person approves': 'approved',
    'a second person declines': 'declined',
    'a second person refutes': ['not_found', 'waits'],
    'its author approves': ['own_request', 'waits'],
  },
  reservation: {
    ...stays,
    'a second person approves': ['action_not_possible', 'waits'],
    'a second person declines': ['proof_missing', 'waits'],
    'a second person refutes': 'waits',
  },
  'report of a payout': {
    ...stays,
    'a second person approves': 'approved',
    'a second person declines': ['proof_missing', 'waits'],
    'a second person refutes': 'waits',
  },
  'report of a refund': {
    ...stays,
    // The refund is already under way, so the sender cannot change anything.
    'its sender cancels': ['already_returning', 'waits'],
    'its sender corrects the account': ['account_not_correctable', 'waits'],
    'a second person approves': 'approved',
    'a second person declines': ['proof_missing', 'waits'],
    'a second person refutes': 'waits',
  },
  refutation: {
    ...stays,
    'its author becomes support': 'obsolete',
    'its author loses the role': 'obsolete',
    'its author is blocked': 'obsolete',
    'the account of its author is closed': 'obsolete',
    'a second person approves': 'approved',
    'a second person declines': 'declined',
    'a second person refutes': ['not_found', 'waits'],
  },
};

describe.each(Object.keys(table) as Kind[])('a %s that waits', (kind) => {
  test.each(Object.entries(table[kind]) as [Event, Cell][])('when %s: %j', async (event, cell) => {
    const waiting = await kinds[kind]();
    const refused = await Promise.resolve(events[event](waiting)).catch((error: Failure) => error.code);
    const { outcome, action } = await fixture.database.fork().findOneOrFail(DeskRequest, { id: waiting.requestId });
    const state = outcome ?? 'waits';
    expect(refused === undefined ? state : [refused, state]).toEqual(cell);
    // While a settlement by hand waits, its own case is open.
    const open = await fixture.openCases(waiting.transferId);
    if (state === 'waits' && isReport(action)) expect(open).toContain('settlement_by_hand');
  });
});

test('N5: requests of a demoted and blocked author become void, but a reported payment stays on record', async () => {
  const permission = await kinds.permission();
  const report = await kinds['report of a payout']();
  await events['its author is blocked']();
  const decide = (requestId: string) => desk.decide(requestId, desk.luis).catch((error: Failure) => error.code);
  expect(await decide(permission.requestId)).toBe('request_ended');
  expect((await fixture.see(permission.transferId)).state).toBe('payout_failed');
  expect(await decide(report.requestId)).toMatchObject({ transaction: { state: 'completed' } });
});

test('a request whose author lost the role unnoticed is rejected when it is decided', async () => {
  const { transferId, requestId } = await kinds.permission();
  await fixture.database.fork().execute(`update app_user set admin_role = 'support' where id = ?`, [author]);
  await expect(desk.decide(requestId, desk.luis)).rejects.toMatchObject({ code: 'request_ended' });
  expect((await fixture.see(transferId)).state).toBe('payout_failed');
  expect(await desk.decide(requestId, desk.luis, false)).toMatchObject({ request: null });
});

test('a new role that still permits it keeps a request', async () => {
  const { requestId } = await kinds.permission();
  const role = { userId: author, role: 'reviewer', ownerId: desk.ana, at: fixture.now } as const;
  await fixture.database.transaction((em) => setAdminRole(em, role));
  expect(await desk.decide(requestId, desk.luis)).toMatchObject({ transaction: { state: 'refunding' } });
});

test('a concurrent approval and removal of the role run one after the other', async () => {
  const { transferId, requestId } = await kinds.permission();
  await Promise.allSettled([desk.decide(requestId, desk.luis), setRole(null)]);
  const { outcome } = await fixture.database.fork().findOneOrFail(DeskRequest, { id: requestId });
  expect((await fixture.see(transferId)).state).toBe(outcome === 'approved' ? 'refunding' : 'payout_failed');
  expect(['approved', 'obsolete']).toContain(outcome);
});

test('a payout that waits for a request resumes once the request is declined or its author is blocked', async () => {
  for (const end of ['decline', 'bar'] as const) {
    const transferId = await desk.createRefused();
    await desk.act(transferId, 'retry', { reason: '' });
    const requested = await desk.act(transferId, 'give_up_and_refund', { ...large, adminId: author });
    await fixture.run(transferId, 'payout');
    expect(await desk.payoutsOf(transferId)).toMatchObject([{}, { lastError: 'held: request_waiting' }]);
    expect(await fixture.dueKinds(transferId)).toEqual([]);
    if (end === 'decline') await desk.decide(requested.request?.id ?? '', desk.luis, false);
    else await setRole(null);
    expect(await fixture.dueKinds(transferId)).toEqual(['payout']);
  }
});

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { adminNews, newsOfSteps, senderNews } from '#core/notifications/news';
import { dayMs, minuteMs } from '#core/time/time';
import { type MoveName, transferMoves } from '#core/transfers/states';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestUser } from '../../testing/accounts.ts';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment, testTarget, transferIn } from '../../testing/transfers.ts';
import { findOpenReasonsOf, openCase } from '../desk/desk-case.repository.ts';
import {
  insertApprovalRequest,
  insertProof,
  insertRequest,
  noteReport,
  type Settlement,
} from '../desk/desk-request.repository.ts';
import { answerQuestion, askSender } from '../review/questions.ts';
import { changeWithinState, moveTransfer } from '../transfers/move-transfer.ts';
import { lockTransfer } from '../transfers/transfer.repository.ts';
import { createPush } from './live-push.ts';
import { listNews, readNews } from './news.ts';

const fixture = useTransferFixture();
const now = new Date(testMoment.getTime() + 5 * minuteMs);
let userId = '';

beforeEach(async () => {
  userId = (await createTestUser(fixture.database)).id;
  await neverRead(userId);
});

/** Accounts of tests are created now, their transfers in the past. */
const neverRead = (id: string) =>
  fixture.asOwner(`update app_user set news_read_until = '2026-01-01' where id = '${id}'`);

const admin = async () => {
  const { id } = await createTestUser(fixture.database, { role: 'admin' });
  await neverRead(id);
  return { userId: id, isAdmin: true };
};

const list = (reader = { userId, isAdmin: false }, page: { cursor?: string; limit?: number; now?: Date } = {}) =>
  listNews(fixture.database.fork(), reader, { limit: 20, now, ...page });
const kindsOf = async (reader?: { userId: string; isAdmin: boolean }) =>
  (await list(reader)).items.map(({ kind }) => kind);

/** Makes a move some minutes after the test's moment. */
const moveAt = (id: string, name: MoveName, minutes: number) =>
  fixture.database.transaction((em) =>
    moveTransfer(em, id, name, { at: new Date(testMoment.getTime() + minutes * minuteMs) }),
  );

test('every kind of news but reminders comes from a step, and a sender’s own moves are not news', () => {
  const kinds = Object.values(newsOfSteps).map(({ kind }) => kind);
  expect(new Set(kinds)).toEqual(new Set(senderNews.filter((kind) => kind !== 'repeat_due')));
  for (const name of Object.keys(newsOfSteps)) {
    if (name in transferMoves) expect(transferMoves[name as MoveName].owner).not.toBe('sender');
  }
});

test('a sender gets news of every step by others, newest first, and only the latest state is current', async () => {
  const recipient = { id: null, target: testTarget } as unknown as Parameters<typeof openTestTransfer>[1]['recipient'];
  const { id } = await fixture.database.transaction(async (em) => openTestTransfer(em, { userId, recipient }));
  await makeMove(fixture.database, id, 'hold');
  expect(await list()).toEqual({ items: [], nextCursor: null, unread: 0 });
  await moveAt(id, 'approve', 1);
  expect((await list()).items).toMatchObject([{ kind: 'approved', unread: true, current: true }]);
  await moveAt(id, 'capture', 2);
  await moveAt(id, 'pay_out', 3);
  const { items, unread } = await list();
  expect(items.map(({ kind, current }) => [kind, current])).toEqual([
    ['deposited', true],
    ['approved', false],
  ]);
  expect(unread).toBe(2);
  expect(items[0]).toEqual({
    ...{ id: expect.stringMatching(new RegExp(`^${id}:\\d+$`)), kind: 'deposited', unread: true, current: true },
    ...{ at: '2026-11-20T15:03:00.000Z', subject: null, repeat: null },
    transfer: {
      ...{ id, reference: expect.stringMatching(/^TR\d{15}$/), person: 'Rosa Mamani' },
      ...{ amount: '100.00', currency: 'EUR', bolivianos: '1291.17', returned: '0.00', payoutReturned: '0.00' },
    },
  });
});

test('the recipient’s confirmation is news and leaves the deposit current, for this sender only', async () => {
  const { id } = await transferIn(fixture.database, 'completed', { userId });
  await fixture.database.transaction(async (em) => {
    const locked = await lockTransfer(em, id);
    if (!locked) throw new Error('no transfer');
    const step = { name: 'confirm_received', owner: 'family', at: now } as const;
    await changeWithinState(em, locked, { receivedAt: now }, step);
  });
  const { items } = await list();
  expect(items.slice(0, 2).map(({ kind, current }) => [kind, current])).toEqual([
    ['received', true],
    ['deposited', true],
  ]);
  const { id: other } = await createTestUser(fixture.database);
  await neverRead(other);
  expect(await kindsOf({ userId: other, isAdmin: false })).toEqual([]);
});

test('a payout that failed twice asks for the account once: the first request is past', async () => {
  const { id } = await transferIn(fixture.database, 'payout_failed', { userId });
  await moveAt(id, 'pay_again', 1);
  await moveAt(id, 'reject_payout', 2);
  const needed = (await list()).items.filter(({ kind }) => kind === 'account_needed');
  expect(needed.map(({ current }) => current)).toEqual([true, false]);
});

test('reading marks existing items once, updates other browsers, and leaves later items unread', async () => {
  const { id } = await transferIn(fixture.database, 'in_review', { userId });
  await moveAt(id, 'approve', 1);
  const [approved] = (await list()).items;
  const until = new Date(approved?.at ?? 0);
  const read = () => fixture.database.transaction((em) => readNews(em, { userId, until, now }));
  await read();
  await read();
  expect(await list()).toMatchObject({ unread: 0, items: [{ kind: 'approved', unread: false }] });
  const pushes = await fixture.database.fork().find(OutboxRow, { name: 'news-read', data: { userId } });
  expect(pushes.map(({ data }) => data)).toEqual([{ userId }]);
  const emitted: unknown[] = [];
  const push = createPush((room, event, payload) => void emitted.push([room, event, payload]), {} as never);
  await push(fixture.database.fork(), pushes);
  expect(emitted).toEqual([[`user:${userId}`, 'news:read', { until: until.toISOString() }]]);
  await moveAt(id, 'capture', 2);
  await moveAt(id, 'pay_out', 3);
  expect(await list()).toMatchObject({ unread: 1, items: [{ unread: true }, { unread: false }] });
});

test('a future time counts as now, so that later news stays unread', async () => {
  const { id } = await transferIn(fixture.database, 'in_review', { userId });
  const until = new Date(now.getTime() + dayMs);
  await fixture.database.transaction((em) => readNews(em, { userId, until, now }));
  await moveAt(id, 'approve', 6);
  expect((await list(undefined, { now: new Date(until) })).unread).toBe(1);
});

test('news is paged without duplicates and ends after 90 days', async () => {
  for (let count = 0; count < 3; count += 1) await transferIn(fixture.database, 'completed', { userId });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(undefined, { limit: 2, ...(cursor && { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toHaveLength(6);
  expect(new Set(seen).size).toBe(6);
  expect((await list(undefined, { now: new Date(testMoment.getTime() + 91 * dayMs) })).items).toEqual([]);
  await expect(list(undefined, { cursor: 'eA' })).rejects.toMatchObject({ code: 'invalid_input' });
});

test('an admin sees pending items of others only, for as long as they are pending', async () => {
  const reader = await admin();
  const { id } = await transferIn(fixture.database, 'in_review', { userId });
  const own = await transferIn(fixture.database, 'in_review', { userId: reader.userId });
  const ofTransfer = async () =>
    (await list(reader)).items
      .filter(({ transfer }) => transfer?.id === id)
      .map(({ kind, subject }) => [kind, subject]);
  expect(await ofTransfer()).toEqual([['to_decide', null]]);
  expect((await list(reader)).items.some(({ transfer }) => transfer?.id === own.id)).toBe(false);
  const colleague = await admin();
  const request = { transferId: id, senderId: userId, adminId: colleague.userId, at: now };
  await fixture.database.transaction((em) => insertApprovalRequest(em, request));
  expect(await ofTransfer()).toEqual([['second_person', 'approval']]);
  expect((await list(colleague)).items.some(({ transfer }) => transfer?.id === id)).toBe(false);
  await moveAt(id, 'reject', 3);
  expect(await ofTransfer()).toEqual([]);
  expect(await kindsOf()).toEqual(['rejected']);
  expect(adminNews).not.toContain('rejected');
});

test('a settlement by hand awaits a second person once it is reported, not while it is only reserved', async () => {
  const reader = await admin();
  const { userId: adminId } = await admin();
  const { id: transferId } = await transferIn(fixture.database, 'captured', { userId });
  const settlement = await fixture.database.transaction(async (em) => {
    await openCase(em, { transferId, reason: 'settlement_by_hand', at: now });
    const caseId = (await findOpenReasonsOf(em, [transferId])).get(transferId)?.get('settlement_by_hand') ?? '';
    const money = { movesMoney: true, amountMinor: 129_117n, currency: 'BOB' };
    const fields = { caseId, transferId, senderId: userId, action: 'pay_by_hand', reason: '', ...money } as const;
    return (await insertRequest(em, { ...fields, requestedById: adminId, outcome: null, at: now })) as Settlement;
  });
  const ofTransfer = async () =>
    (await list(reader)).items.filter(({ transfer }) => transfer?.id === transferId).map(({ kind }) => kind);
  expect(await ofTransfer()).toEqual(['case']);
  await fixture.database.transaction(async (em) => {
    const proof = { name: 'pago.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4') } as const;
    const proofId = await insertProof(em, { transferId, proof, personId: adminId, at: now });
    const report = { bankReference: 'B-1', proofId, reason: 'Pagado', requestedById: adminId, at: now };
    await noteReport(em, settlement, report);
  });
  expect((await ofTransfer()).sort()).toEqual(['case', 'second_person']);
});

test('a question is news to the sender, and the answer to admins until the decision', async () => {
  const reader = await admin();
  const { id } = await transferIn(fixture.database, 'in_review', { userId });
  const question = {
    transferId: id,
    adminId: reader.userId,
    id: randomUUID(),
    code: 'purpose',
    note: null,
    at: now,
  } as const;
  await askSender(fixture.database, question);
  expect((await list()).items).toMatchObject([{ kind: 'question', current: true, transfer: { id } }]);
  const ofTransfer = async () =>
    (await list(reader)).items.filter(({ transfer }) => transfer?.id === id).map(({ kind }) => kind);
  expect(await ofTransfer()).toEqual(['to_decide']);
  const answer = { userId, transferId: id, questionId: question.id, text: 'El alquiler', at: now };
  await answerQuestion(fixture.database, answer);
  expect(await ofTransfer()).toEqual(['answered', 'to_decide']);
  await moveAt(id, 'reject', 6);
  expect(await ofTransfer()).toEqual([]);
  expect((await list()).items).toMatchObject([{ kind: 'rejected' }, { kind: 'question', current: false }]);
});

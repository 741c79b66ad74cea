import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findApprovalRequest, insertApprovalRequest } from '#domain/desk/desk-request.repository';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';

let app: TestApp;
let transferId: string;
let recipientId: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
});

afterAll(() => app?.close());

beforeEach(async () => {
  const body = { amount: '20', currency: 'eur', recipientId: '' };
  transferId = (await app.sender.send('POST', '/api/create-payment-intent', body)).body.transferId;
  recipientId = (await app.sender.send('POST', '/api/recipients', sampleRecipient)).body.id;
});

const hold = () =>
  app.api.database.transaction((em) =>
    moveTransfer(em, transferId, 'hold', { at: new Date(), changes: { paidAt: new Date() } }),
  );
const choose = (id: string, by = app.sender) =>
  by.send('PUT', `/api/transactions/${transferId}/recipient`, { recipientId: id });
const approve = () => app.admin.send('POST', `/api/admin/transactions/${transferId}/approve`);
const stored = () => app.api.database.fork().findOneOrFail(Transfer, { id: transferId });

describe('a transfer paid without a recipient', () => {
  it('a transfer without a recipient cannot be approved until its sender assigns one', async () => {
    await hold();
    expectFailure(await approve(), 422, 'recipient_missing');
    const before = await stored();
    const { status, body } = await choose(recipientId);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      recipient: sampleRecipient.name,
      recipientId,
      bankName: sampleRecipient.bankName,
      version: before.version + 1,
      state: 'in_review',
      bolivianos: '258.23',
    });
    expect(body.timeline.map(({ state }: { state: string }) => state)).toEqual(['awaiting_payment', 'in_review']);
    expect((await approve()).status).toBe(200);
  });

  it('a recipient who is assigned later ends the first of two approvals', async () => {
    await hold();
    const { userId: senderId } = await stored();
    const { id: adminId } = (await app.api.person('admin')).user;
    const first = { transferId, senderId, adminId, at: new Date() };
    await app.api.database.transaction((em) => insertApprovalRequest(em, first));
    expect((await choose(recipientId)).status).toBe(200);
    expect(await findApprovalRequest(app.api.database.fork(), transferId)).toBeNull();
  });

  it('the history of a transfer shows who assigned the recipient and when', async () => {
    await choose(recipientId);
    const { userId } = await stored();
    const steps = await app.api.database.fork().find(TransferStep, { transferId, move: 'assign_recipient' });
    expect(steps).toMatchObject([{ owner: 'sender', actorId: userId, state: 'awaiting_payment', version: 3 }]);
  });

  it('a recipient is assigned once, also by concurrent requests', async () => {
    await hold();
    const javier = { ...sampleRecipient, name: 'Javier Rojas', saveAnyway: true };
    const other = (await app.sender.send('POST', '/api/recipients', javier)).body;
    const answers = await Promise.all([recipientId, other.id, recipientId, other.id].map((id) => choose(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const [winner] = answers.filter(({ status }) => status === 200);
    expect((await stored()).recipientId).toBe(winner?.body.recipientId);
    expectFailure(await choose(recipientId), 409, 'recipient_not_open');
  });

  it('a recipient cannot be assigned to another sender’s transfer, nor another sender’s recipient be assigned', async () => {
    await hold();
    const stranger = await app.api.person();
    const theirs = (await stranger.browser.send('POST', '/api/recipients', sampleRecipient)).body.id;
    expectFailure(await choose(theirs, stranger.browser), 404, 'not_found');
    expectFailure(await choose(theirs), 404, 'not_found');
    expectFailure(await choose(randomUUID()), 404, 'not_found');
    expect((await stored()).recipientId).toBeNull();
  });

  it('an account in another name is assigned only once the sender confirms the name', async () => {
    await hold();
    await app.api.database
      .fork()
      .execute(`update name_check set status = 'different', next_attempt_at = null where recipient_id = ?`, [
        recipientId,
      ]);
    expectFailure(await choose(recipientId), 409, 'name_not_confirmed');
    expect((await stored()).recipientId).toBeNull();
    const [seen] = (await app.sender.send('GET', '/api/recipients')).body.items;
    await app.sender.send('PUT', `/api/recipients/${recipientId}/name-check`, { version: seen.version });
    expect((await choose(recipientId)).status).toBe(200);
  });

  it('a recipient cannot be assigned to a transfer that has ended', async () => {
    await hold();
    await app.api.database.transaction((em) => moveTransfer(em, transferId, 'reject', { at: new Date() }));
    expectFailure(await choose(recipientId), 409, 'recipient_not_open');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#domain/accounts/account.entity';
import { RateRun } from '#domain/rate-observations/rate-run.entity';
import { moveTransfer } from '#domain/transfers/move-transfer';
import { Transfer, TransferStep } from '#domain/transfers/transfer.entity';
import { readApiConfiguration } from '#platform/configuration/api';
import { OutboxRow } from '#platform/outbox/outbox.entity';
import { createTestDatabase } from '../../infra/testing/database.ts';
import { testEnvironment } from '../../infra/testing/environment.ts';
import { sampleRecipient } from '../testing/request-fixtures.ts';
import { expectFailure, TestApp } from '../testing/test-app.ts';
import type { TestBrowser } from '../testing/test-browser.ts';

let app: TestApp;
let ana: { browser: TestBrowser; user: User };
let luis: { browser: TestBrowser; user: User };
let transferId: string;
let _databaseUrl: string;

beforeAll(async () => {
  const { url } = await createTestDatabase();
  _databaseUrl = url;
  app = await TestApp.open(readApiConfiguration({ ...testEnvironment, DATABASE_URL: url }));
  ana = await app.api.person('admin', 'Ana');
  luis = await app.api.person('admin', 'Luis');
});

afterAll(() => app?.close());

beforeEach(async () => {
  transferId = (await app.call('createPaymentIntent', app.sender)).body.transferId;
});

const decide = (by: { browser: TestBrowser }, decision: 'approve' | 'reject', reason?: string) =>
  by.browser.send(
    'POST',
    `/api/admin/transactions/${transferId}/${decision}`,
    reason === undefined ? undefined : { reason },
  );
const hold = () =>
  app.api.database.transaction((em) =>
    moveTransfer(em, transferId, 'hold', { at: new Date(), changes: { paidAt: new Date() } }),
  );
const stored = () => app.api.database.fork().findOneOrFail(Transfer, { id: transferId });

describe('a decision', () => {
  it('a decision is refused before the card is held', async () => {
    const early = await decide(ana, 'approve');
    expectFailure(early, 409, 'not_awaiting_decision');
    expect(early.body.transaction).toMatchObject({ id: transferId, state: 'awaiting_payment' });
  });

  it('a decision records who made it, when and why', async () => {
    await hold();
    const { body } = await decide(luis, 'reject', ' No pudimos confirmar la cuenta. ');
    expect(body.transaction).toMatchObject({
      state: 'rejected',
      status: 'rejected',
      decided_by: 'Luis',
      reason: 'No pudimos confirmar la cuenta.',
    });
    expect(await stored()).toMatchObject({ decidedById: luis.user.id, reason: 'No pudimos confirmar la cuenta.' });
    const steps = await app.api.database.fork().find(TransferStep, { transferId, state: 'rejected' });
    expect(steps).toMatchObject([{ owner: 'admin', actorId: luis.user.id, move: 'reject' }]);
  });

  it('a rejection is kept by its code and note, and says both in Spanish to those who read no codes', async () => {
    await hold();
    const body = { code: 'duplicate', note: ' Llámanos. ' };
    const answer = await luis.browser.send('POST', `/api/admin/transactions/${transferId}/reject`, body);
    expect(answer.body.transaction).toMatchObject({
      reason: 'Este envío parece repetido: ya hiciste otro igual. Llámanos.',
      rejection: { code: 'duplicate', note: 'Llámanos.' },
    });
    expect(await stored()).toMatchObject({ rejectionCode: 'duplicate', reason: 'Llámanos.' });
  });

  it('of several concurrent decisions exactly one is made, and the others answer who made it', async () => {
    await hold();
    const answers = await Promise.all([
      decide(ana, 'approve'),
      decide(luis, 'reject'),
      decide(ana, 'approve'),
      decide(luis, 'approve'),
      decide(luis, 'reject', 'x'),
    ]);
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const decided = await stored();
    const [who, other] = decided.decidedById === ana.user.id ? ['Ana', 'Luis'] : ['Luis', 'Ana'];
    const did = decided.state === 'rejected' ? ['rechazó', 'rechazaste'] : ['aprobó', 'aprobaste'];
    for (const late of answers.filter(({ status }) => status !== 200)) {
      expectFailure(late, 409, 'already_decided');
      expect([`${who} ya ${did[0]} esta transferencia.`, `Ya ${did[1]} esta transferencia.`]).toContain(
        late.body.message,
      );
      expect(late.body.message).not.toContain(other);
      expect(late.body.transaction.decided_by).toBe(who);
    }
    const decisions = { transferId, move: { $in: ['approve', 'reject'] } };
    expect(await app.api.database.fork().count(TransferStep, decisions)).toBe(1);
  });

  it('approving is refused while the transfer has no recipient', async () => {
    const opened = await app.sender.send('POST', '/api/new-account/create-payment-intent', {
      amount: '10',
      currency: 'usd',
    });
    transferId = opened.body.transferId;
    await hold();
    expectFailure(await decide(ana, 'approve'), 422, 'recipient_missing');
    expect((await decide(ana, 'reject')).status).toBe(200);
  });
});

describe("a decision about the admin's own transfer", () => {
  it.each(['approve', 'reject'] as const)(
    'the decision to %s an admin’s own transfer is refused, and another admin can make it',
    async (decision) => {
      const opened = await ana.browser.send('POST', '/api/new-account/create-payment-intent', {
        amount: '10',
        currency: 'usd',
        recipientId: (await ana.browser.send('POST', '/api/recipients', sampleRecipient)).body.id,
      });
      transferId = opened.body.transferId;
      await hold();
      const refused = await decide(ana, decision);
      expectFailure(refused, 403, 'own_transfer');
      expect(refused.body.message).toBe('Esta transferencia es tuya: la tiene que decidir otra persona.');
      expect(await stored()).toMatchObject({ state: 'in_review', decidedById: null });
      const listed = await luis.browser.send('GET', `/api/admin/transactions?search=${transferId}`);
      expect(listed.body.items[0].user_id).toBe(ana.user.id);
      expect((await decide(luis, decision)).status).toBe(200);
    },
  );
});

describe('refreshing the admin list', () => {
  it('refreshing the admin list requests a payment sync for every open transfer, and a rate run', async () => {
    await hold();
    const { body } = await ana.browser.send('POST', '/api/admin/refresh');
    const open = await app.api.database.fork().count(Transfer, {
      state: { $in: ['awaiting_payment', 'in_review', 'approved'] },
      paymentIntentId: { $ne: null },
    });
    expect(body).toEqual({
      success: true,
      count: open,
      sourcesAsked: true,
      message: `Se revisan ${open} transferencias abiertas. Se consultan las fuentes de tasas.`,
    });
    expect(await app.api.database.fork().find(RateRun, {})).toMatchObject([{ trigger: 'forced' }]);
    expect(open).toBeGreaterThan(2);
    // The relay delivers them at once, so only check that nothing is left.
    await expect
      .poll(() => app.api.database.fork().count(OutboxRow, { name: 'sync-payment' }), { timeout: 10_000 })
      .toBe(0);
  });
});

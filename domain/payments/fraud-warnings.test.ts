import { describe, expect, it } from 'vitest';
import { createTestUser } from '../../testing/accounts.ts';
import { usePaymentFixture } from '../../testing/payment-fixture.ts';
import { handleStoredEvent } from '../../testing/row-jobs.ts';
import { DeskCase } from '../desk/desk-case.entity.ts';
import { findApprovalRequest, insertApprovalRequest } from '../desk/desk-request.repository.ts';
import { actOnCase } from '../desk-actions/act-on-case.ts';
import { decideDeskRequest } from '../desk-actions/decide-request.ts';
import { Email } from '../emails/email.entity.ts';
import { toAdminTransferView } from '../transfer-views/transfer-views.ts';
import { syncFraudWarnings } from './fraud-warnings.ts';
import { storeStripeEvent } from './stripe-event.repository.ts';
import { syncDisputes } from './sync-disputes.ts';

const fixture = usePaymentFixture();
const paymentMethod = 'pm_card_createIssuerFraudRecord';

const adminSees = async (id: string) =>
  (await toAdminTransferView(fixture.database.fork(), await fixture.see(id))).fraud_warning;

/** Handles Stripe's events about the warning, twice, because they may be repeated. */
async function receiveWarning(id: string, type: 'created' | 'updated' = 'created'): Promise<void> {
  await fixture.stripe.idle();
  const events = await fixture.events(id, `radar.early_fraud_warning.${type}`);
  expect(events).toHaveLength(1);
  for (const event of [...events, ...events]) {
    await fixture.database.transaction((em) => storeStripeEvent(em, event, fixture.now));
    await handleStoredEvent(fixture.context, event.id);
  }
}

describe('a fraud warning by the card’s bank', () => {
  it('of a transfer in review is shown to the admin who decides, without a case until it holds the charge', async () => {
    const id = await fixture.create({ state: 'in_review', paymentMethod });
    expect(await adminSees(id)).toBeNull();
    await receiveWarning(id);
    expect(await adminSees(id)).toBe('made_with_stolen_card');
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.approve(id);
    await syncFraudWarnings(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual([]);
    // Two approvals would have released it.
    await fixture.run(id, 'capture');
    expect(await fixture.operations(id, 'capture')).toMatchObject([{ lastError: 'held: fraud_warning' }]);
    expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
  });

  it('of a transfer in review invalidates the first of two approvals, whose author did not know of it', async () => {
    const id = await fixture.create({ state: 'in_review', paymentMethod });
    const { id: adminId } = await createTestUser(fixture.database, { role: 'admin' });
    const { userId: senderId } = await fixture.see(id);
    const first = { transferId: id, senderId, adminId, at: fixture.now };
    await fixture.database.transaction((em) => insertApprovalRequest(em, first));
    await receiveWarning(id);
    expect(await findApprovalRequest(fixture.database.fork(), id)).toBeNull();
  });

  it('of a completed transfer is one case, which closes when the charge is disputed anyway', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod });
    await fixture.run(id, 'payout');
    const { id: adminId } = await createTestUser(fixture.database, { role: 'admin' });
    await receiveWarning(id);
    expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
    const { id: caseId } = await fixture.database.fork().findOneOrFail(DeskCase, { transferId: id });
    const mails = await fixture.database.fork().find(Email, { key: `case_opened-${caseId}-${adminId}` });
    expect(mails.map(({ data }) => data)).toEqual([
      { reason: 'fraud_warning', amount: '100.00', currency: 'EUR', transferId: id, caseId },
    ]);
    fixture.stripe.openDispute(await fixture.intentId(id));
    await receiveWarning(id, 'updated');
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    const warned = (await fixture.cases(id)).find(({ reason }) => reason === 'fraud_warning');
    expect(warned).toMatchObject({ resolution: null, outcome: 'warning_past' });
    expect(await adminSees(id)).toBeNull();
  });

  it('of a completed transfer closes its case when two admins refund it at our expense, and the recipient keeps the money', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod });
    await fixture.run(id, 'payout');
    await receiveWarning(id);
    const { id: caseId } = await fixture.database.fork().findOneOrFail(DeskCase, { transferId: id });
    const [first, second] = [
      await createTestUser(fixture.database, { role: 'admin' }),
      await createTestUser(fixture.database, { role: 'admin' }),
    ];
    const limits = { twoPersonsUsdMinor: 100_000n, reviewTwoPersonsUsdMinor: 200_000n };
    const act = { action: 'refund_at_loss', reason: 'Tarjeta robada.', ...limits } as const;
    const response = await actOnCase(fixture.database, { ...act, caseId, adminId: first.id, at: fixture.now });
    expect(response.request).toMatchObject({ action: 'refund_at_loss', amount: '100.00', currency: 'EUR' });
    expect(await fixture.operations(id, 'refund')).toEqual([]);
    const approval = { requestId: response.request?.id ?? '', adminId: second.id, approve: true, at: fixture.now };
    expect((await decideDeskRequest(fixture.database, approval)).actions).toEqual(['resolve']);
    await fixture.run(id, 'refund');
    expect(await fixture.operations(id, 'refund')).toMatchObject([{ status: 'succeeded', amountMinor: 10_000n }]);
    expect(await fixture.see(id)).toMatchObject({ state: 'completed', returnedMinor: 10_000n });
    expect(await fixture.balances(id)).toMatchObject({ 'bank BOB': '129117', 'loss EUR': '-10000' });
    // A refund that we requested opens no case.
    expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
    await receiveWarning(id, 'updated');
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('of a failed payout closes its case with the refund', async () => {
    const id = await fixture.create({ state: 'captured', paymentMethod });
    fixture.bank.setMode({ rejectNext: 1 });
    await fixture.run(id, 'payout');
    await receiveWarning(id);
    expect(await fixture.openCases(id)).toEqual(['fraud_warning', 'payout_rejected']);
    await fixture.cancel(id);
    expect(await fixture.openCases(id)).toEqual([]);
    await fixture.run(id, 'refund');
    await receiveWarning(id, 'updated');
    expect(await adminSees(id)).toBeNull();
    await fixture.expectOutcome(id, 'refunded');
  });

  it('of an approved transfer closes its case when the authorization is voided, although Stripe still calls the warning actionable', async () => {
    const id = await fixture.create({ state: 'approved', paymentMethod });
    await receiveWarning(id);
    expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
    await fixture.cancel(id);
    await fixture.run(id, 'void');
    await fixture.expectOutcome(id, 'cancelled');
    expect(await fixture.openCases(id)).toEqual([]);
    const { data } = await fixture.stripe.sdk.radar.earlyFraudWarnings.list({
      payment_intent: await fixture.intentId(id),
    });
    expect(data).toMatchObject([{ actionable: true }]);
    await syncFraudWarnings(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('is not stored by a reading that another change overtook', async () => {
    const id = await fixture.create({ state: 'in_review', paymentMethod });
    await fixture.stripe.idle();
    const { stripe } = fixture.context;
    const list = async () => {
      const page = await stripe.radar.earlyFraudWarnings.list({ payment_intent: await fixture.intentId(id) });
      if ((await fixture.see(id)).state === 'in_review') await fixture.reject(id);
      return page;
    };
    const slow = new Proxy(stripe, {
      get: (target, key) => (key === 'radar' ? { earlyFraudWarnings: { list } } : Reflect.get(target, key)),
    });
    await syncFraudWarnings({ ...fixture.context, stripe: slow }, id);
    expect(await fixture.steps(id)).toEqual([null, 'attach_intent', 'hold', 'reject', 'warn_of_fraud']);
  });
});

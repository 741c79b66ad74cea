import { expect, test } from 'vitest';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { Email } from '../emails/email.entity.ts';
import { syncFraudWarnings } from './fraud-warnings.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

/** An approved transfer with an unanswered capture and a later fraud warning. `made`: whether Stripe captured it. */
async function warned({ made }: { made: boolean }): Promise<string> {
  const id = await fixture.create({ state: 'approved', paymentMethod: 'pm_card_createIssuerFraudRecord' });
  fixture.stripe.failNext({ kind: made ? 'do_then_drop' : 'drop', path: '/capture$', method: 'POST', times: 3 });
  await fixture.run(id, 'capture');
  fixture.stripe.clearFaults();
  await fixture.stripe.idle();
  await syncFraudWarnings(fixture.context, id);
  expect(await fixture.openCases(id)).toEqual(['fraud_warning']);
  fixture.later(60_000);
  return id;
}

const emailKinds = async (id: string) => {
  const { userId } = await fixture.see(id);
  const emails = await fixture.database.fork().find(Email, { userId, data: { transferId: id } });
  return emails.map(({ kind }) => kind);
};

test('an unanswered capture that Stripe made is refunded as a charge, not given up as uncharged', async () => {
  const id = await warned({ made: true });
  await expect(desk.act(id, 'give_up_and_refund')).rejects.toEqual(refusal('action_not_possible'));
  await fixture.run(id, 'capture');
  expect((await fixture.see(id)).state).toBe('captured');
  await desk.act(id, 'give_up_and_refund');
  await fixture.run(id, 'refund');
  expect((await fixture.see(id)).state).toBe('refunded');
  expect(await emailKinds(id)).toContain('transfer_refunded');
  expect(await emailKinds(id)).not.toContain('transfer_rejected');
});

test('an authorization that Stripe did not capture is voided once that is confirmed', async () => {
  const id = await warned({ made: false });
  await expect(desk.act(id, 'give_up_and_refund')).rejects.toEqual(refusal('action_not_possible'));
  await fixture.run(id, 'capture');
  await desk.act(id, 'give_up_and_refund');
  await fixture.run(id, 'void');
  await fixture.expectOutcome(id, 'rejected');
});

import { expect, test } from 'vitest';
import { setBlocked } from '../accounts/account-oversight.repository.ts';
import { findRequest } from '../operations/desk-request.repository.ts';
import { syncRefunds } from '../payments/refund.ts';
import { createTestUser } from '../testing/accounts.ts';
import { useDeskFixture } from '../testing/desk-fixture.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

test('a new block of a sender is not covered by the release of the old one', async () => {
  const { id: userId } = await createTestUser(fixture.database);
  const id = await fixture.create({ state: 'captured', userId });
  const block = (blocked: boolean, reason: string) =>
    fixture.database.transaction((em) =>
      setBlocked(em, { userId, blocked, reason, adminId: desk.ana, at: fixture.now }),
    );
  await block(true, 'Tarjeta robada');
  await fixture.run(id, 'payout');
  const requested = await desk.act(id, 'release_hold');
  await desk.decide(requested.request?.id ?? '', desk.luis);
  await block(false, 'Era un error');
  fixture.later(60_000);
  await block(true, 'Lavado de dinero');
  await fixture.run(id, 'payout');
  expect(fixture.payouts(id)).toEqual([]);
});

test('a refund by hand of more than is owed by now is confirmed by a second person', async () => {
  const id = await desk.createUnrefunded();
  const requestId = await desk.reserve(id, 'refund_by_hand');
  const real = fixture.context.stripe;
  const { data: known } = await fixture.stripe.sdk.refunds.list({ payment_intent: await fixture.intentId(id) });
  // As a refund of 40.00 in the dashboard looks that succeeded.
  const outside = {
    ...known[0],
    id: 're_outside',
    amount: 4_000,
    status: 'succeeded',
    metadata: {},
    failure_reason: null,
  };
  const list = async () => ({ data: [outside, ...known] });
  const stripe = Object.assign(Object.create(real), { refunds: { list } });
  await syncRefunds({ ...fixture.context, stripe }, await fixture.see(id));
  expect(await fixture.see(id)).toMatchObject({ state: 'refunding', returnedMinor: 4_000n });
  await desk.report(requestId, { amount: '100.00' });
  expect(await findRequest(fixture.database.fork(), requestId)).toMatchObject({ outcome: null });
});

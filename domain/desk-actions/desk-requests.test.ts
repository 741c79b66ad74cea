import { describe, expect, it } from 'vitest';
import type { Failure } from '#core/contracts/failures';
import { createTestUser } from '../../testing/accounts.ts';
import { refusal, useDeskFixture } from '../../testing/desk-fixture.ts';
import { DeskRequest } from '../desk/desk-request.entity.ts';
import { Email } from '../emails/email.entity.ts';
import { syncPayment } from '../payments/sync-payment.ts';
import { Operation } from '../provider-calls/operation.entity.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { viewCase } from './desk.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;

describe('two persons', () => {
  const limit = { twoPersonsUsdMinor: 11_000n };

  it('are needed from the configured amount: nothing happens before a colleague approves', async () => {
    const id = await desk.createRefused();
    const requested = await desk.act(id, 'give_up_and_refund', limit);
    expect(requested).toMatchObject({ actions: [], request: { requested_by: 'Ana', has_proof: false, outcome: null } });
    expect(requested.request).toMatchObject({ amount: '100.00', currency: 'EUR', reserved: false });
    expect((await fixture.see(id)).state).toBe('captured');
    const requestId = requested.request?.id ?? '';
    const emails = await fixture.database.fork().find(Email, { key: { $like: `desk_request_waiting-${requestId}%` } });
    expect(emails.map(({ userId }) => userId)).toContain(desk.luis);
    expect(emails.map(({ userId }) => userId)).not.toContain(desk.ana);
    expect(emails[0]?.data).toMatchObject({ requestedBy: 'Ana', amount: '100.00', currency: 'EUR' });
    await expect(desk.act(id, 'give_up_and_refund', { adminId: desk.luis })).rejects.toEqual(
      refusal('request_pending'),
    );
    await expect(desk.decide(requestId, desk.ana)).rejects.toEqual(refusal('own_request'));
    const done = await desk.decide(requestId, desk.luis);
    expect(done.transaction).toMatchObject({ state: 'refunding' });
    expect(done).toMatchObject({ request: null, decided: [{ decided_by: 'Luis', outcome: 'approved' }] });
    const again = await desk.decide(requestId, desk.luis).catch((error: Failure) => error);
    expect(again).toMatchObject({
      code: 'already_decided',
      details: { case: { request: null, resolution: null, outcome: 'refunding', decided: [{ decided_by: 'Luis' }] } },
    });
  });

  it('end after a refund in Stripe’s dashboard, because the owed amount changes', async () => {
    const id = await desk.createRefused();
    const { request } = await desk.act(id, 'give_up_and_refund', limit);
    expect(request).toMatchObject({ amount: '100.00', currency: 'EUR' });
    await fixture.stripe.sdk.refunds.create({ payment_intent: await fixture.intentId(id), amount: 4_000 });
    await syncPayment(fixture.context, id);
    await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
    expect((await fixture.see(id)).state).toBe('captured');
    expect((await desk.act(id, 'give_up_and_refund', limit)).request).toMatchObject({
      amount: '60.00',
      currency: 'EUR',
    });
  });

  it('may disagree: the colleague declines, and another request can be made', async () => {
    const id = await desk.createRefused();
    const requested = await desk.act(id, 'give_up_and_refund', limit);
    const declined = await desk.decide(requested.request?.id ?? '', desk.luis, false);
    expect(declined.actions).toContain('give_up_and_refund');
    expect((await fixture.see(id)).state).toBe('captured');
    expect((await desk.act(id, 'give_up_and_refund', limit)).request).not.toBeNull();
  });

  it('are needed for any amount once money of the transfer was moved before', async () => {
    const id = await desk.createUnrefunded();
    const [refund] = await fixture.operations(id, 'refund');
    await fixture.database.fork().nativeUpdate(Operation, { id: refund?.id ?? '' }, { status: 'abandoned' });
    expect((await desk.act(id, 'retry')).request).toBeNull();
    await fixture.run(id, 'refund');
    fixture.stripe.advanceClock(86_400);
    await fixture.stripe.idle();
    await syncPayment(fixture.context, id);
    const [first] = await fixture.database.fork().find(DeskRequest, { transferId: id });
    expect(first).toMatchObject({ movesMoney: true, outcome: 'done' });
    expect((await fixture.see(id)).state).toBe('refunding');
    const { request } = await desk.settle(id, 'refund_by_hand');
    expect(request).toMatchObject({ amount: '100.00', currency: 'EUR', bank_reference: 'BNB-991', reserved: false });
  });

  it('who approve too late change nothing: conditions are checked again, and settled requests no longer wait', async () => {
    const late = await desk.createRefused();
    const { request } = await desk.act(late, 'give_up_and_refund', limit);
    const [payout] = await desk.payoutsOf(late);
    await fixture.database.fork().nativeUpdate(Operation, { id: payout?.id ?? '' }, { status: 'unknown' });
    await expect(desk.decide(request?.id ?? '', desk.luis)).rejects.toEqual(refusal('action_not_possible'));
    const settled = await desk.createRejected();
    const requested = await desk.act(settled, 'give_up_and_refund', limit);
    await fixture.database.transaction((em) => moveTransfer(em, settled, 'pay_again', { at: fixture.now }));
    await expect(desk.decide(requested.request?.id ?? '', desk.luis)).rejects.toEqual(refusal('request_ended'));
    expect(await fixture.openCases(settled)).toEqual([]);
    expect((await fixture.see(settled)).state).toBe('captured');
  });

  it('who act concurrently: one succeeds and the other gets an error', async () => {
    const id = await desk.createRefused();
    const both = [desk.act(id, 'give_up_and_refund'), desk.act(id, 'pay_by_hand', { adminId: desk.luis })];
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [lost] = results.filter((one) => one.status === 'rejected');
    expect(['case_resolved', 'request_pending']).toContain(lost?.reason.code);
    expect(lost?.reason).toMatchObject({ details: { case: { actions: [] } } });
    expect(await fixture.database.fork().count(DeskRequest, { transferId: id })).toBe(1);
  });

  it('who approve concurrently carry it out once', async () => {
    const id = await desk.createRefused();
    const { request } = await desk.act(id, 'give_up_and_refund', limit);
    const marta = (await createTestUser(fixture.database, { role: 'admin' })).id;
    const results = await Promise.allSettled([desk.luis, marta].map((admin) => desk.decide(request?.id ?? '', admin)));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fixture.operations(id, 'refund')).toHaveLength(1);
  });
});

describe('admins cannot act on their own transfers', () => {
  it('neither requesting nor deciding, also enforced by the database', async () => {
    const id = await desk.createRefused();
    const { userId: sender } = await fixture.see(id);
    await expect(desk.act(id, 'give_up_and_refund', { adminId: sender })).rejects.toEqual(refusal('own_transfer'));
    const { request, id: caseId } = await desk.act(id, 'give_up_and_refund', { twoPersonsUsdMinor: 0n });
    await expect(desk.decide(request?.id ?? '', sender)).rejects.toEqual(refusal('own_transfer'));
    const em = fixture.database.fork();
    expect((await viewCase(em, caseId, { viewerId: sender, at: fixture.now })).actions).toEqual([]);
    const own = (column: string, person: string) =>
      em.execute(
        `update desk_request set ${column} = ?, decided_by_id = coalesce(decided_by_id, ?), outcome = 'approved', decided_at = now() where id = ?`,
        [...[person, desk.luis, request?.id ?? '']],
      );
    await expect(own('requested_by_id', sender)).rejects.toThrow('desk_request_own_transfer_check');
    await expect(own('requested_by_id', desk.luis)).rejects.toThrow('desk_request_two_persons_check');
    // The database overwrites it with the transfer's sender.
    await em.execute('update desk_request set sender_id = ? where id = ?', [desk.ana, request?.id ?? '']);
    expect((await em.findOneOrFail(DeskRequest, { id: request?.id ?? '' })).senderId).toBe(sender);
  });
});

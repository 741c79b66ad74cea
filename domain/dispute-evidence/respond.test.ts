import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { Rate } from '#core/rates/rate';
import { betterTerms } from '#core/transfers/better-rate';
import { createTestUser } from '../../testing/accounts.ts';
import { useDeskFixture } from '../../testing/desk-fixture.ts';
import { attemptNow } from '../../testing/operations.ts';
import { DeskCase } from '../desk/desk-case.entity.ts';
import { type Dispute, findDisputes } from '../disputes/dispute.repository.ts';
import { syncDisputes } from '../payments/sync-disputes.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { collectEvidence, evidencePdf } from './evidence.ts';
import { submitDisputeEvidence } from './respond.ts';

const desk = useDeskFixture();
const { payments: fixture } = desk;
afterEach(() => fixture.stripe.clearFaults());

const disputeOf = async (id: string) => (await findDisputes(fixture.database.fork(), id))[0]!;
const atStripe = (disputeId: string) => fixture.stripe.sdk.disputes.retrieve(disputeId);
const later = (ms: number) => {
  fixture.now = new Date(fixture.now.getTime() + ms);
};

/** A completed transfer with a stored dispute. */
async function createDisputed(options: Parameters<typeof fixture.stripe.openDispute>[1] = {}) {
  const id = await fixture.create({ state: 'captured' });
  await fixture.run(id, 'payout');
  const disputeId = fixture.stripe.openDispute(await fixture.intentId(id), options).id;
  await syncDisputes(fixture.context, id);
  return { id, disputeId };
}

/** The outcomes of the cases about its responses. */
const responseCases = async (transferId: string) => {
  const cases = await fixture.database.fork().find(DeskCase, { transferId, reason: 'operation_refused' });
  return cases.map(({ outcome }) => outcome);
};

const submit = async (disputeId: string, text: string, adminId?: string) => {
  const admin = adminId ?? (await createTestUser(fixture.database)).id;
  return fixture.database.transaction((em) =>
    submitDisputeEvidence(em, { disputeId, adminId: admin, text, at: fixture.now }),
  );
};

test('evidence contains the accepted rate, and the better one that was applied', async () => {
  const id = await fixture.create({ state: 'in_review', takesBetterRate: true });
  const published = { rate: 13_500_000n as Rate, since: fixture.now, paused: false, reference: null };
  const better = betterTerms(await fixture.see(id), published) ?? {};
  await fixture.database.transaction((em) => moveTransfer(em, id, 'approve', { at: fixture.now, changes: better }));
  const dispute = { id: 'dp_1', transferId: id, amountMinor: 10_000n, reason: 'fraudulent' } as Dispute;
  const { sections, product } = await collectEvidence(fixture.database.fork(), fixture.context.stripe, dispute);
  const factsOf = (start: string) =>
    Object.fromEntries(sections.find(({ title }) => title.startsWith(start))?.facts ?? []);
  expect(factsOf('Quote')).toMatchObject({
    ...{ 'Exchange rate': '1 EUR = 13.38 BOB', 'Promised to the recipient': '1291.17 BOB' },
  });
  expect(factsOf('Better rate')).toMatchObject({
    ...{ 'Exchange rate': '1 EUR = 13.50 BOB', 'Promised to the recipient': '1302.75 BOB' },
  });
  expect(product).toContain('1302.75 BOB promised to');
});

describe('evidence that an admin submits', () => {
  it('reaches Stripe once as a PDF with the text, and a won dispute is closed', async () => {
    const { id, disputeId } = await createDisputed();
    expect(await submit(disputeId, 'winning_evidence')).toMatchObject({ can_respond: true, submitted_at: null });
    await Promise.all([fixture.run(id, 'dispute_response'), fixture.run(id, 'dispute_response')]);
    await fixture.run(id, 'dispute_response');
    await fixture.stripe.idle();
    const { evidence, evidence_details } = await atStripe(disputeId);
    expect(evidence_details.submission_count).toBe(1);
    expect(evidence).toMatchObject({ uncategorized_text: 'winning_evidence' });
    const file = fixture.stripe.fileContent(evidence.uncategorized_file as string);
    expect(file.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await fixture.operations(id, 'dispute_response')).toMatchObject([
      { status: 'succeeded', providerReference: disputeId },
    ]);
    await syncDisputes(fixture.context, id);
    expect(await disputeOf(id)).toMatchObject({ status: 'won', booking: 'none' });
    expect((await disputeOf(id)).submittedAt).not.toBeNull();
    expect(await fixture.openCases(id)).toEqual([]);
  });

  it('leaves a case while Stripe can still accept it, until the dispute is decided', async () => {
    const { id, disputeId } = await createDisputed({ amount: 8_000 });
    await submit(disputeId, 'winning_evidence');
    fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/disputes/', method: 'POST' });
    await fixture.run(id, 'dispute_response');
    const other = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 1_000 }).id;
    await syncDisputes(fixture.context, id);
    fixture.stripe.decideDispute(other, 'won');
    await syncDisputes(fixture.context, id);
    expect(await responseCases(id)).toEqual([null]);
    fixture.stripe.decideDispute(disputeId, 'lost');
    await syncDisputes(fixture.context, id);
    expect(await responseCases(id)).toEqual(['dispute_lost']);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
  });

  it('that fails leaves a loss and a case', async () => {
    const { id, disputeId } = await createDisputed();
    await submit(disputeId, 'losing_evidence');
    await fixture.run(id, 'dispute_response');
    await fixture.stripe.idle();
    await syncDisputes(fixture.context, id);
    expect(await fixture.openCases(id)).toEqual(['dispute_lost']);
    expect((await fixture.balances(id))['loss EUR']).toBe('-10000');
  });

  it('answers an inquiry, too', async () => {
    const { id, disputeId } = await createDisputed({ inquiry: true });
    await submit(disputeId, 'Pagamos a la familia.');
    await fixture.run(id, 'dispute_response');
    expect((await atStripe(disputeId)).status).toBe('warning_under_review');
    expect(await disputeOf(id)).toMatchObject({ status: 'warning_under_review' });
  });

  it.each(['drop', 'do_then_drop'] as const)('is submitted once when the answer to it is lost (%s)', async (kind) => {
    const { id, disputeId } = await createDisputed();
    await submit(disputeId, 'Pagamos.');
    const path = new RegExp(`^/v1/disputes/${disputeId}$`);
    fixture.stripe.failCalls((call) => (call.method === 'POST' && path.test(call.path) ? { kind } : undefined));
    await fixture.run(id, 'dispute_response');
    fixture.stripe.clearFaults();
    later(5_000);
    await fixture.run(id, 'dispute_response');
    expect((await atStripe(disputeId)).evidence_details.submission_count).toBe(1);
    expect((await fixture.operations(id, 'dispute_response')).at(-1)).toMatchObject({ status: 'succeeded' });
  });

  it('is rejected a second time, after the decision, for an unknown dispute and for the admin’s own transfer', async () => {
    const { id, disputeId } = await createDisputed();
    const { userId } = await fixture.see(id);
    await expect(submit(disputeId, 'x', userId)).rejects.toMatchObject({ code: 'own_transfer' });
    await submit(disputeId, 'Pagamos.');
    await expect(submit(disputeId, 'Otra vez.')).rejects.toMatchObject({ code: 'action_not_possible' });
    await fixture.run(id, 'dispute_response');
    await expect(submit(disputeId, 'Otra vez.')).rejects.toMatchObject({ code: 'action_not_possible' });
    await expect(submit(`du_${randomUUID()}`, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is recorded when it was submitted in Stripe’s dashboard', async () => {
    const { id, disputeId } = await createDisputed();
    await fixture.stripe.sdk.disputes.update(disputeId, { evidence: { uncategorized_text: 'A mano.' } });
    await syncDisputes(fixture.context, id);
    await syncDisputes(fixture.context, id);
    expect(await fixture.operations(id, 'dispute_response')).toMatchObject([{ status: 'succeeded' }]);
    await expect(submit(disputeId, 'x')).rejects.toMatchObject({ code: 'action_not_possible' });
  });

  it('reaches its dispute even if another one of the charge is answered in Stripe’s dashboard first', async () => {
    const { id, disputeId: first } = await createDisputed({ amount: 1_000 });
    const second = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 8_000 }).id;
    await syncDisputes(fixture.context, id);
    await submit(second, 'winning_evidence');
    const [response] = await fixture.operations(id, 'dispute_response');
    await fixture.stripe.sdk.disputes.update(first, { evidence: { uncategorized_text: 'A mano.' }, submit: true });
    await syncDisputes(fixture.context, id);
    await attemptNow(fixture.context, response?.id ?? '');
    expect((await atStripe(second)).evidence_details.submission_count).toBe(1);
    const responses = await fixture.operations(id, 'dispute_response');
    expect(responses.map(({ status, providerReference }) => [status, providerReference])).toEqual([
      ['succeeded', second],
      ['succeeded', first],
    ]);
  });

  it.each([
    ['first', 0],
    ['second', 1],
  ] as const)(
    'reaches the %s of two disputes from the case after Stripe rejected the responses to both',
    async (_, last) => {
      const { id, disputeId: first } = await createDisputed({ amount: 1_000 });
      const second = fixture.stripe.openDispute(await fixture.intentId(id), { amount: 8_000 }).id;
      await syncDisputes(fixture.context, id);
      const [meant, other] = last === 0 ? [first, second] : [second, first];
      for (const disputeId of [other, meant]) {
        await submit(disputeId, 'winning_evidence');
        fixture.stripe.failNext({ kind: 'error', status: 400, path: '^/v1/disputes/', method: 'POST' });
        await fixture.run(id, 'dispute_response');
      }
      await desk.act(id, 'retry', { reason: '' });
      await fixture.run(id, 'dispute_response');
      expect((await atStripe(meant)).evidence_details.submission_count).toBe(1);
      expect((await atStripe(other)).evidence_details.submission_count).toBe(0);
      // The other one can still be answered: its dispute keeps its case.
      expect(await responseCases(id)).toEqual(['evidence_submitted']);
      expect(await fixture.openCases(id)).toEqual(['dispute_opened']);
    },
  );
});

it('the evidence can be previewed before it is submitted, and is the same every time', async () => {
  const { id } = await createDisputed();
  const dispute = await disputeOf(id);
  const look = () => evidencePdf(fixture.database.fork(), fixture.context.stripe, dispute);
  const first = await look();
  expect(first.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await look()).equals(first)).toBe(true);
});

import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SandboxClient } from '../testing/sandbox-client.ts';
import { RESPONSE_SECONDS } from './dispute-object.ts';

// Long timeouts for a busy machine; they are not waited for.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 30_000 });

let client: SandboxClient;
beforeAll(async () => {
  client = await SandboxClient.start();
});
afterAll(() => client.close());

async function captured(card = 'pm_card_visa'): Promise<string> {
  const { id } = await client.pay(card);
  await client.stripe.paymentIntents.capture(id);
  await client.idle();
  return id;
}

async function disputesOf(intentId: string): Promise<Stripe.Dispute[]> {
  return (await client.stripe.disputes.list({ payment_intent: intentId })).data;
}

async function disputed(card = 'pm_card_createDispute'): Promise<Stripe.Dispute & { payment_intent: string }> {
  const [dispute] = await disputesOf(await captured(card));
  return dispute as Stripe.Dispute & { payment_intent: string };
}

const submit = async (id: string, uncategorized_text: string) => {
  const dispute = await client.stripe.disputes.update(id, { evidence: { uncategorized_text } });
  await client.idle();
  return dispute;
};
const read = (id: string) => client.stripe.disputes.retrieve(id);
const disputeEvents = async (intentId: string) =>
  (await client.eventTypes(intentId)).filter((type) => type.startsWith('charge.dispute.'));
const movements = ({ balance_transactions }: Stripe.Dispute) => balance_transactions.map(({ net }) => net);
const decide = (id: string, decision: string) => client.control('POST', `/stripe/disputes/${id}/decide`, { decision });
const counteredFees = async (source: string) => {
  const { data } = await client.stripe.balanceTransactions.list({ source, type: 'stripe_fee' });
  return data.map(({ net }) => net).reverse();
};
const open = (intentId: string, options: object) =>
  client.control<{ id: string }>('POST', `/stripe/payment_intents/${intentId}/dispute`, options);

describe('a card whose charges are disputed automatically', () => {
  test.each([
    ['pm_card_createDispute', 'fraudulent'],
    ['pm_card_createDisputeProductNotReceived', 'product_not_received'],
  ])('%s opens a dispute for %s after the capture and takes the amount and a fee', async (card, reason) => {
    const dispute = await disputed(card);
    expect(dispute).toMatchObject({ amount: 10_000, reason, status: 'needs_response', is_charge_refundable: false });
    expect(movements(dispute)).toEqual([-11_500]);
    expect((await client.stripe.charges.retrieve(dispute.charge as string)).disputed).toBe(true);
    expect(await disputeEvents(dispute.payment_intent)).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ]);
  });

  test('pm_card_createDisputeInquiry opens an inquiry that takes nothing', async () => {
    const dispute = await disputed('pm_card_createDisputeInquiry');
    expect(dispute).toMatchObject({ status: 'warning_needs_response', is_charge_refundable: true });
    expect(movements(dispute)).toEqual([]);
    expect(await disputeEvents(dispute.payment_intent)).toEqual(['charge.dispute.created']);
  });

  test('pm_card_createMultipleDisputes opens two disputes that together are the charge', async () => {
    const disputes = await disputesOf(await captured('pm_card_createMultipleDisputes'));
    expect(disputes.map(({ amount }) => amount)).toEqual([5_000, 5_000]);
  });
});

describe('evidence', () => {
  test('staged dispute evidence is stored, and submitted evidence cannot be changed', async () => {
    const { id } = await disputed();
    const staged = await client.stripe.disputes.update(id, { evidence: { customer_name: 'Ana' }, submit: false });
    expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } });
    expect(await submit(id, 'Pagamos a la familia.')).toMatchObject({
      status: 'under_review',
      evidence: { customer_name: 'Ana', uncategorized_text: 'Pagamos a la familia.' },
      evidence_details: { submission_count: 1, submission_method: 'manual' },
    });
    await expect(submit(id, 'más')).rejects.toMatchObject({ code: 'status_transition_invalid' });
  });

  test('evidence that was staged is handed in by submit alone', async () => {
    const { id } = await disputed();
    await expect(client.stripe.disputes.update(id, { submit: true })).rejects.toMatchObject({ param: 'submit' });
    await client.stripe.disputes.update(id, { evidence: { customer_name: 'Ana' }, submit: false });
    expect((await client.stripe.disputes.update(id, { metadata: { note: 'listo' } })).status).toBe('needs_response');
    expect(await client.stripe.disputes.update(id, { submit: true })).toMatchObject({
      status: 'under_review',
      evidence: { customer_name: 'Ana' },
      evidence_details: { submission_count: 1 },
    });
  });

  test('the way of submitting evidence can be chosen while it is due', async () => {
    const { id } = await disputed();
    const choose = (intended_submission_method: 'manual' | 'smart_disputes') =>
      client.stripe.disputes.update(id, { intended_submission_method });
    expect((await choose('manual')).intended_submission_method).toBe('manual');
    await expect(choose('smart_disputes')).rejects.toMatchObject({ code: 'smart_disputes_not_available' });
    await submit(id, 'Pagamos.');
    await expect(choose('manual')).rejects.toMatchObject({ code: 'status_transition_invalid' });
  });

  test.each([
    ['won', [-1_500, 1_500]],
    ['lost', [-1_500]],
  ] as const)(
    'countering a chargeback costs a fee that is returned only when it is won: %s',
    async (decision, fees) => {
      const { id } = await disputed();
      expect(await counteredFees(id)).toEqual([]);
      await submit(id, 'Pagamos.');
      expect(await counteredFees(id)).toEqual([-1_500]);
      await decide(id, decision);
      expect(await counteredFees(id)).toEqual(fees);
    },
  );

  test('answering an inquiry costs nothing', async () => {
    const { id } = await disputed('pm_card_createDisputeInquiry');
    await submit(id, 'Pagamos.');
    await decide(id, 'won');
    expect(await counteredFees(id)).toEqual([]);
  });

  test('dispute evidence that wins gives the amount back, but not the fee', async () => {
    const { id, payment_intent } = await disputed();
    await submit(id, 'winning_evidence');
    const dispute = await read(id);
    expect(dispute).toMatchObject({ status: 'won', is_charge_refundable: true });
    expect(movements(dispute)).toEqual([-11_500, 10_000]);
    expect((await disputeEvents(payment_intent)).slice(2)).toEqual([
      ...['charge.dispute.updated', 'charge.dispute.closed', 'charge.dispute.funds_reinstated'],
    ]);
  });

  test('dispute evidence that loses leaves the amount with the cardholder', async () => {
    const { id } = await disputed();
    await submit(id, 'losing_evidence');
    const dispute = await read(id);
    expect(dispute.status).toBe('lost');
    expect(movements(dispute)).toEqual([-11_500]);
  });

  test('dispute evidence that escalates an inquiry makes it a chargeback with new time to answer', async () => {
    const { id, payment_intent } = await disputed('pm_card_createDisputeInquiry');
    await submit(id, 'escalate_inquiry_evidence');
    expect(await read(id)).toMatchObject({ status: 'needs_response', evidence_details: { submission_count: 0 } });
    expect(await disputeEvents(payment_intent)).toContain('charge.dispute.funds_withdrawn');
  });

  test('dispute evidence may be a PDF, PNG or JPEG file that was uploaded', async () => {
    const { id } = await disputed();
    const bytes = Buffer.from('%PDF-1.7\n\u0000\u00ff', 'latin1');
    const upload = (data: Buffer, purpose = 'dispute_evidence') =>
      client.stripe.files.create({ purpose, file: { data, name: 'pruebas.pdf', type: 'application/pdf' } });
    const file = await upload(bytes);
    expect(file).toMatchObject({ filename: 'pruebas.pdf', size: bytes.length, type: 'pdf' });
    expect(await client.stripe.files.retrieve(file.id)).toMatchObject({ id: file.id });
    const dispute = await client.stripe.disputes.update(id, { evidence: { uncategorized_file: file.id } });
    expect(dispute.evidence.uncategorized_file).toBe(file.id);
    await expect(upload(Buffer.from('texto'))).rejects.toMatchObject({ param: 'file' });
    await expect(upload(bytes, 'pci_document')).rejects.toMatchObject({ param: 'purpose' });
    const other = await disputed();
    await expect(
      client.stripe.disputes.update(other.id, { evidence: { receipt: 'file_nothing' } }),
    ).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('a disputed charge', () => {
  test('a disputed charge cannot be refunded while the dispute is open or lost, and can again once it is won', async () => {
    const { id, payment_intent } = await disputed();
    const refund = () => client.stripe.refunds.create({ payment_intent, amount: 100 });
    await expect(refund()).rejects.toMatchObject({ code: 'charge_disputed', statusCode: 400 });
    await submit(id, 'winning_evidence');
    expect((await refund()).status).toBe('succeeded');
    const lost = await disputed();
    await client.stripe.disputes.close(lost.id);
    await expect(client.stripe.refunds.create({ payment_intent: lost.payment_intent })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
  });

  test('a disputed charge can be refunded while it is only inquired about, which closes the inquiry', async () => {
    const { id, payment_intent } = await disputed('pm_card_createDisputeInquiry');
    await client.stripe.refunds.create({ payment_intent });
    expect((await read(id)).status).toBe('warning_closed');
  });
});

describe('a prevented dispute', () => {
  test('that was resolved takes the amount without a fee and leaves nothing to refund', async () => {
    const payment_intent = await captured();
    const { id } = await open(payment_intent, { prevented: 'resolution' });
    const dispute = await read(id);
    expect(dispute).toMatchObject({
      ...{ status: 'prevented', amount: 10_000, is_charge_refundable: false },
      ...{ evidence_details: { due_by: null }, payment_method_details: { card: { case_type: 'resolution' } } },
    });
    expect(movements(dispute)).toEqual([-10_000]);
    expect(await disputeEvents(payment_intent)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    await expect(client.stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_disputed' });
    await expect(submit(id, 'Pagamos.')).rejects.toMatchObject({ code: 'status_transition_invalid' });
  });

  test('that was blocked moves nothing, and the charge can be refunded', async () => {
    const payment_intent = await captured();
    const { id } = await open(payment_intent, { prevented: 'block' });
    const dispute = await read(id);
    expect(dispute).toMatchObject({ status: 'prevented', payment_method_details: { card: { case_type: 'block' } } });
    expect(movements(dispute)).toEqual([]);
    expect(await disputeEvents(payment_intent)).toEqual(['charge.dispute.created']);
    expect((await client.stripe.refunds.create({ payment_intent })).status).toBe('succeeded');
  });

  test('stays open: there is no decision and no deadline', async () => {
    const { id } = await open(await captured(), { prevented: 'resolution' });
    for (const decision of ['won', 'lost', 'expired', 'appealable', 'appealed']) await decide(id, decision);
    expect((await read(id)).status).toBe('prevented');
  });
});

describe('an appeal', () => {
  const lost = async () => {
    const dispute = await disputed();
    await submit(dispute.id, 'losing_evidence');
    return dispute;
  };
  const appeal = async (id: string) => {
    const data = Buffer.from('%PDF-1.7\n');
    const file = { data, name: 'apelacion.pdf', type: 'application/pdf' };
    const { id: fileId } = await client.stripe.files.create({ purpose: 'dispute_evidence', file });
    const card = { reason_for_filing: 'La familia cobró.', supporting_files: [fileId] };
    return client.stripe.disputes.update(id, { evidence: { appeal: { card } } });
  };

  test('of a lost dispute requires new evidence and leaves the amount with the cardholder', async () => {
    const { id, payment_intent } = await lost();
    await expect(appeal(id)).rejects.toMatchObject({ code: 'status_transition_invalid' });
    await decide(id, 'appealable');
    const offered = await read(id);
    expect(offered).toMatchObject({ status: 'appeal_needs_response', is_charge_refundable: false });
    expect(movements(offered)).toEqual([-11_500]);
    await expect(submit(id, 'más')).rejects.toMatchObject({ code: 'status_transition_invalid', param: 'evidence' });
    expect(await appeal(id)).toMatchObject({
      status: 'appeal_under_review',
      evidence: { appeal: { card: { reason_for_filing: 'La familia cobró.' } } },
      evidence_details: { submission_count: 2 },
    });
    await expect(appeal(id)).rejects.toMatchObject({ code: 'status_transition_invalid' });
    expect((await disputeEvents(payment_intent)).slice(-3)).toEqual([
      ...['charge.dispute.closed', 'charge.dispute.updated', 'charge.dispute.updated'],
    ]);
  });

  test.each([
    ['won', [-11_500, 10_000], [-1_500, 1_500]],
    ['lost', [-11_500], [-1_500]],
  ] as const)('that is heard ends the dispute as %s', async (decision, moved, fees) => {
    const { id } = await lost();
    await decide(id, 'appealable');
    await appeal(id);
    await decide(id, decision);
    const dispute = await read(id);
    expect(dispute).toMatchObject({ status: decision, is_charge_refundable: decision === 'won' });
    expect(movements(dispute)).toEqual(moved);
    expect(await counteredFees(id)).toEqual(fees);
  });

  test('that is not filed in time leaves the dispute lost', async () => {
    const { id } = await lost();
    await decide(id, 'appealable');
    await client.control('POST', '/clock/advance', { seconds: RESPONSE_SECONDS + 2 });
    await client.idle();
    expect((await read(id)).status).toBe('lost');
  });

  test('is not offered for a dispute that is open', async () => {
    const { id } = await disputed();
    await decide(id, 'appealable');
    expect((await read(id)).status).toBe('needs_response');
  });
});

describe('the control routes', () => {
  test.each([
    [false, 'won', 'won'],
    [false, 'lost', 'lost'],
    [false, 'expired', 'lost'],
    [true, 'won', 'warning_closed'],
    [true, 'escalated', 'needs_response'],
  ])(
    'the control routes open a dispute (inquiry: %s) and decide it: %s makes it %s',
    async (inquiry, decision, status) => {
      const intentId = await captured();
      const { id } = await client.control<{ id: string }>('POST', `/stripe/payment_intents/${intentId}/dispute`, {
        inquiry,
        reason: 'unrecognized',
      });
      expect(await read(id)).toMatchObject({ reason: 'unrecognized' });
      await client.control('POST', `/stripe/disputes/${id}/decide`, { decision });
      expect((await read(id)).status).toBe(status);
      const { data } = await client.control<{ data: { id: string }[] }>('GET', '/stripe/disputes');
      expect(data[0]?.id).toBe(id);
    },
  );

  test('the control routes do not dispute an uncharged payment', async () => {
    const { id } = await client.pay('pm_card_visa');
    await expect(client.control('POST', `/stripe/payment_intents/${id}/dispute`)).rejects.toThrow();
  });
});

test('a dispute without an answer is lost when its time is over, one with an answer waits', async () => {
  const silent = await disputed();
  const answered = await disputed();
  await submit(answered.id, 'Pagamos.');
  await client.control('POST', '/clock/advance', { seconds: RESPONSE_SECONDS + 2 });
  await client.idle();
  expect(await read(silent.id)).toMatchObject({ status: 'lost', evidence_details: { past_due: true } });
  expect((await read(answered.id)).status).toBe('under_review');
});

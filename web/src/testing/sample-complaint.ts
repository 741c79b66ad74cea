import type { AdminComplaintView, ComplaintView, LetterView } from '#core/contracts/http/complaints';
import { sampleTransfer } from './sample-admin-transfer.ts';
import { paidTransfer } from './sample-transfer.ts';

const acknowledgement: LetterView = {
  id: '0199b2d0-0000-4000-8000-0000000000d1',
  kind: 'received',
  at: '2026-11-21T15:00:00.000Z',
  texts: [
    {
      language: 'es',
      subject: 'Recibimos tu reporte: llegó otro monto',
      paragraphs: ['Lo mira una persona de Chasqui.'],
      details: [['Motivo', 'Llegó otro monto']],
    },
    {
      language: 'en',
      subject: 'We received your report: another amount arrived',
      paragraphs: ['A person at Chasqui looks at it.'],
      details: [['Reason', 'Another amount arrived']],
    },
  ],
};

let samples = 0;
const nextId = () => `0199b2d0-0000-4000-9000-${String(++samples).padStart(12, '0')}`;

/** A report for tests as its sender sees it, each with an id of its own; changed by `changes`. */
export function sampleComplaint(changes: Partial<ComplaintView> = {}): ComplaintView {
  return {
    ...{ id: nextId(), version: 1, transferId: paidTransfer.id, reason: 'wrong_amount', wants: 'refund' },
    ...{ description: 'XYZ 123', regime: 'psd2', inTime: true, reportedAt: '2026-11-21T15:00:00.000Z' },
    ...{ state: 'investigating', nextDue: { clock: 'answer', at: '2026-12-14T16:00:00.000Z' }, finding: null },
    ...{
      explanation: null,
      remedy: null,
      amount: null,
      currency: 'EUR',
      payout: null,
      closedAt: null,
      letters: [acknowledgement],
      files: [],
    },
    ...changes,
  };
}

/** A report for tests as admins see it, each with an id of its own; changed by `changes`. */
export function sampleAdminComplaint(changes: Partial<AdminComplaintView> = {}): AdminComplaintView {
  const answer = { name: 'answer', due_at: '2026-12-14T16:00:00.000Z', done_at: null, begun: true } as const;
  return {
    ...{ id: nextId(), version: 1, reason: 'wrong_amount', wants: 'refund', description: 'XYZ 123', regime: 'psd2' },
    ...{ in_time: true, reported_at: '2026-11-21T15:00:00.000Z', state: 'investigating', clocks: [answer] },
    ...{ next_due: { clock: 'answer', at: answer.due_at }, held_at: null, hold_reason: null, assigned_to: null },
    ...{
      assigned_to_id: null,
      language: 'es',
      left: '100.00',
      repayable: '1291.17',
      owes_fee: false,
      findings: ['error', 'no_error'],
    },
    ...{
      remedies: ['refund', 'fee_refund', 'pay_again', 'none'],
      actions: ['hold', 'conclude'],
      finding: null,
      explanation: null,
    },
    ...{
      remedy: null,
      amount: null,
      payout: null,
      second_payout: null,
      found_by: null,
      found_by_id: null,
      found_at: null,
      approved_by: null,
    },
    ...{
      told_at: null,
      closed_at: null,
      operation: null,
      notes: [],
      letters: [acknowledgement],
      files: [],
      reminders: [],
    },
    transaction: sampleTransfer({ state: 'completed', status: 'completed' }),
    ...changes,
  };
}

import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type ClockName, clockNames, reminderStages } from '#core/complaints/clocks';
import {
  complaintReasonNames,
  complaintStateNames,
  complaintWants,
  findings,
  regimeNames,
  remedies,
} from '#core/complaints/complaint';
import { type LetterView, letterKinds } from '#core/contracts/http/complaints';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/** A problem of a transfer that its sender reported. Only `complaint.repository.ts` changes it; what was reported the database keeps as it was. */
export const Complaint = defineEntity({
  name: 'Complaint',
  tableName: 'complaint',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    /** The transfer's sender, who can decide nothing about it; the database fills it in and refuses. */
    senderId: p.uuid(),
    reason: p.enum(complaintReasonNames),
    wants: p.enum(complaintWants),
    description: p.text(),
    /** What decides about calendar and law, as it was when it was reported. */
    paidFrom: p.enum(['united_states', 'europe'] as const),
    regime: p.enum(regimeNames),
    inTime: p.boolean(),
    reportedAt: p.datetime(),
    state: p.enum(complaintStateNames),
    /** Raised by every change; browsers keep the highest they saw. */
    version: p.integer(),
    assignedToId: p.uuid().nullable(),
    /** When and with which words the sender was written why the answer takes longer. */
    heldAt: p.datetime().nullable(),
    holdReason: p.text().nullable(),
    finding: p.enum(findings).nullable(),
    /** What the sender reads of the result. */
    explanation: p.text().nullable(),
    /** With a finding of an error only. */
    remedy: p.enum(remedies).nullable(),
    /** What goes back to the card, in minor units of the transfer's currency. */
    amountMinor: p.bigint().nullable(),
    /** What a family that was paid is paid a second time, in centavos, and to which account. */
    payoutMinor: p.bigint().nullable(),
    payoutTarget: p.json<PayoutTarget>().nullable(),
    foundById: p.uuid().nullable(),
    foundAt: p.datetime().nullable(),
    /** The second person, where one was needed. */
    approvedById: p.uuid().nullable(),
    toldAt: p.datetime().nullable(),
    /** The refund that corrects it, or returns the fee beside a payout. A second payout names the report itself. */
    operationId: p.uuid().nullable(),
    closedAt: p.datetime().nullable(),
    /** End of the clock that ends next (core/complaints/clocks.ts); null once it is closed. */
    nextDueAt: p.datetime().nullable(),
    /** When admins are to be written about it; null: not before it changes. */
    remindAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'complaint_transfer_id_reported_at', properties: ['transferId', 'reportedAt'] },
    { name: 'complaint_sender_id_reported_at_id', properties: ['senderId', 'reportedAt', 'id'] },
  ],
});
export type Complaint = InferEntity<typeof Complaint>;

/** A letter to the sender as it was sent; never changed. */
export const ComplaintLetter = defineEntity({
  name: 'ComplaintLetter',
  tableName: 'complaint_letter',
  properties: {
    id: p.uuid().primary(),
    complaintId: p.uuid(),
    kind: p.enum(letterKinds),
    /** Counts the letters of a kind, from 1: a result that could not be carried out is followed by another. */
    number: p.integer(),
    texts: p.json<LetterView['texts']>(),
    at: p.datetime(),
  },
});
export type ComplaintLetter = InferEntity<typeof ComplaintLetter>;

/** What a person wrote about a report for colleagues; never changed. */
export const ComplaintNote = defineEntity({
  name: 'ComplaintNote',
  tableName: 'complaint_note',
  properties: {
    id: p.uuid().primary(),
    complaintId: p.uuid(),
    authorId: p.uuid(),
    text: p.text(),
    at: p.datetime(),
  },
  indexes: [{ name: 'complaint_note_complaint_id_at', properties: ['complaintId', 'at'] }],
});
export type ComplaintNote = InferEntity<typeof ComplaintNote>;

/** Whom we wrote about a deadline; never changed. */
export const ComplaintReminder = defineEntity({
  name: 'ComplaintReminder',
  tableName: 'complaint_reminder',
  properties: {
    complaintId: p.uuid().primary(),
    clock: p.enum(clockNames).$type<ClockName>().primary(),
    dueAt: p.datetime().primary(),
    stage: p.enum(reminderStages).primary(),
    at: p.datetime(),
    /** Ids of the admins. */
    told: p.json<readonly string[]>(),
  },
});
export type ComplaintReminder = InferEntity<typeof ComplaintReminder>;

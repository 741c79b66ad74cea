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

/**
 * A problem that a sender reported about a transfer. Only `complaint.repository.ts` changes it; the database keeps the
 * reported fields immutable.
 */
export const Complaint = defineEntity({
  name: 'Complaint',
  tableName: 'complaint',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    /** The transfer's sender, who can decide nothing about it; set and enforced by the database. */
    senderId: p.uuid(),
    reason: p.enum(complaintReasonNames),
    wants: p.enum(complaintWants),
    description: p.text(),
    /** The country of payment at the time of the report; sets calendar and law. */
    paidFrom: p.enum(['united_states', 'europe'] as const),
    regime: p.enum(regimeNames),
    inTime: p.boolean(),
    reportedAt: p.datetime(),
    state: p.enum(complaintStateNames),
    /** Incremented by every change; browsers keep the highest they saw. */
    version: p.integer(),
    assignedToId: p.uuid().nullable(),
    /** When the sender was notified that the answer takes longer, and the text of that letter. */
    heldAt: p.datetime().nullable(),
    holdReason: p.text().nullable(),
    finding: p.enum(findings).nullable(),
    /** The explanation that the sender reads. */
    explanation: p.text().nullable(),
    /** With a finding of an error only. */
    remedy: p.enum(remedies).nullable(),
    /** Refund to the card, in minor units of the transfer's currency. */
    amountMinor: p.bigint().nullable(),
    /** Second payout in centavos, and its account. */
    payoutMinor: p.bigint().nullable(),
    payoutTarget: p.json<PayoutTarget>().nullable(),
    foundById: p.uuid().nullable(),
    foundAt: p.datetime().nullable(),
    /** The second person, where one was needed. */
    approvedById: p.uuid().nullable(),
    toldAt: p.datetime().nullable(),
    /**
     * The refund that corrects it, or returns the fee in addition to a payout. A second payout references the report
     * instead.
     */
    operationId: p.uuid().nullable(),
    closedAt: p.datetime().nullable(),
    /** The earliest running deadline (core/complaints/clocks.ts); null once it is closed. */
    nextDueAt: p.datetime().nullable(),
    /** When to remind admins; null: not before it changes. */
    remindAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'complaint_transfer_id_reported_at', properties: ['transferId', 'reportedAt'] },
    { name: 'complaint_sender_id_reported_at_id', properties: ['senderId', 'reportedAt', 'id'] },
  ],
});
export type Complaint = InferEntity<typeof Complaint>;

/** A letter as sent to the sender; immutable. */
export const ComplaintLetter = defineEntity({
  name: 'ComplaintLetter',
  tableName: 'complaint_letter',
  properties: {
    id: p.uuid().primary(),
    complaintId: p.uuid(),
    kind: p.enum(letterKinds),
    /**
     * Number among the letters of its kind, from 1: a result that could not be carried out is followed by another
     * letter.
     */
    number: p.integer(),
    texts: p.json<LetterView['texts']>(),
    at: p.datetime(),
  },
});
export type ComplaintLetter = InferEntity<typeof ComplaintLetter>;

/** An internal note about a report; immutable. */
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

/** A deadline reminder and its recipients; immutable. */
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

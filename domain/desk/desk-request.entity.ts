import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { requestActions } from '#core/operations/desk-request';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/** Something a person did about a case, or asked to do while a second person has to agree. */
export const DeskRequest = defineEntity({
  name: 'DeskRequest',
  tableName: 'desk_request',
  properties: {
    id: p.uuid().primary(),
    /** Null for the approval of a transfer, which is about no case. */
    caseId: p.uuid().nullable(),
    transferId: p.uuid(),
    /** The transfer's sender, who may neither ask nor decide; the database fills it in and refuses both. */
    senderId: p.uuid(),
    action: p.enum(requestActions),
    /** Whether it pays somebody: the next one about the transfer then needs a second person. */
    movesMoney: p.boolean(),
    reason: p.text(),
    bankReference: p.text().nullable(),
    /** The amount that it moves or reserves, in minor units of `currency`; null when it moves no money. */
    amountMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    /** Whom `pay_rest` pays; null for any other action. */
    payoutTarget: p.json<PayoutTarget>().nullable(),
    /** Of a settlement by hand null until it is reported. */
    proofId: p.uuid().nullable(),
    /** The report that it refutes; null for every other request. */
    aboutId: p.uuid().nullable(),
    /** Of a settlement by hand who reserved the transfer, and once it is reported who reported it. */
    requestedById: p.uuid(),
    requestedAt: p.datetime(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /**
     * Null while it waits. `done`: at once, by one person. `obsolete`: something else ended it (core/operations/desk-request.ts). Of a settlement
     * by hand also `dropped`: its author sent nothing, and `refuted`: two people agreed that nothing was sent.
     */
    outcome: p.enum(['done', 'approved', 'declined', 'obsolete', 'dropped', 'refuted'] as const).nullable(),
  },
});
export type DeskRequest = InferEntity<typeof DeskRequest>;

/** The file that proves a payment by other means; never changed. */
export const DeskProof = defineEntity({
  name: 'DeskProof',
  tableName: 'desk_proof',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    name: p.text(),
    type: p.enum(['application/pdf', 'image/png', 'image/jpeg'] as const),
    bytes: p.blob(),
    /** In hexadecimal. */
    sha256: p.text(),
    uploadedById: p.uuid(),
    uploadedAt: p.datetime(),
  },
});
export type DeskProof = InferEntity<typeof DeskProof>;

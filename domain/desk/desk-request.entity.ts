import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { requestActions } from '#core/operations/desk-request';
import type { PayoutTarget } from '../personal-data/payout-target.ts';

/** An action on a case: carried out by one person, or awaiting a second person's approval. */
export const DeskRequest = defineEntity({
  name: 'DeskRequest',
  tableName: 'desk_request',
  properties: {
    id: p.uuid().primary(),
    /** Null for the approval of a transfer, which concerns no case. */
    caseId: p.uuid().nullable(),
    transferId: p.uuid(),
    /** The transfer's sender, who may neither request nor decide; set and enforced by the database. */
    senderId: p.uuid(),
    action: p.enum(requestActions),
    /** Whether it pays money out: the next request about the transfer then needs a second person. */
    movesMoney: p.boolean(),
    reason: p.text(),
    bankReference: p.text().nullable(),
    /** The amount that it moves or reserves, in minor units of `currency`; null when it moves no money. */
    amountMinor: p.bigint().nullable(),
    currency: p.text().nullable(),
    /** The payee of `pay_rest`; null for any other action. */
    payoutTarget: p.json<PayoutTarget>().nullable(),
    /** Null for a settlement by hand until it is reported. */
    proofId: p.uuid().nullable(),
    /** The report that it refutes; null for every other request. */
    aboutId: p.uuid().nullable(),
    /** For a settlement by hand, who reserved the transfer; once it is reported, who reported it. */
    requestedById: p.uuid(),
    requestedAt: p.datetime(),
    decidedById: p.uuid().nullable(),
    decidedAt: p.datetime().nullable(),
    /**
     * Null while it waits. `done`: carried out at once, by one person. `obsolete`: ended by something else
     * (core/operations/desk-request.ts). For a settlement by hand also `dropped`: its author sent nothing, and
     * `refuted`: two people agreed that nothing was sent.
     */
    outcome: p.enum(['done', 'approved', 'declined', 'obsolete', 'dropped', 'refuted'] as const).nullable(),
  },
});
export type DeskRequest = InferEntity<typeof DeskRequest>;

/** The file that proves a payment by other means; immutable. */
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

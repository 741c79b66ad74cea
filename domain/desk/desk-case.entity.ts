import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { caseOutcomes, caseReasonNames } from '#core/operations/desk-case';

/** Something about a transfer that a person has to settle. Only `desk-case.repository.ts` changes it. */
export const DeskCase = defineEntity({
  name: 'DeskCase',
  tableName: 'desk_case',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    /** The operation it is about, when it is about one. */
    operationId: p.uuid().nullable(),
    reason: p.enum(caseReasonNames),
    /** What the provider said, for admins. */
    details: p.text().nullable(),
    openedAt: p.datetime(),
    assignedToId: p.uuid().nullable(),
    /** When admins were reminded that it is still open. */
    remindedAt: p.datetime().nullable(),
    /** Null while it is open. */
    resolvedAt: p.datetime().nullable(),
    /** Null when it was resolved without a person. */
    resolvedById: p.uuid().nullable(),
    /** As a person wrote it. */
    resolution: p.text().nullable(),
    /** How it ended by itself; where one of the two is, the other is null. */
    outcome: p.enum(caseOutcomes).nullable(),
    /** Raised by every change; browsers keep the highest they saw. */
    version: p.integer(),
  },
});
export type DeskCase = InferEntity<typeof DeskCase>;

/** What a person wrote about a case; never changed. */
export const DeskNote = defineEntity({
  name: 'DeskNote',
  tableName: 'desk_note',
  properties: {
    id: p.uuid().primary(),
    caseId: p.uuid(),
    authorId: p.uuid(),
    text: p.text(),
    at: p.datetime(),
  },
});
export type DeskNote = InferEntity<typeof DeskNote>;

import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { caseOutcomes, caseReasonNames } from '#core/operations/desk-case';

/** A matter about a transfer that a person has to settle. Only `desk-case.repository.ts` changes it. */
export const DeskCase = defineEntity({
  name: 'DeskCase',
  tableName: 'desk_case',
  properties: {
    id: p.uuid().primary(),
    transferId: p.uuid(),
    /** Its operation, if any. */
    operationId: p.uuid().nullable(),
    reason: p.enum(caseReasonNames),
    /** The provider's message, for admins. */
    details: p.text().nullable(),
    openedAt: p.datetime(),
    assignedToId: p.uuid().nullable(),
    /** When admins were reminded that it is still open. */
    remindedAt: p.datetime().nullable(),
    /** Null while it is open. */
    resolvedAt: p.datetime().nullable(),
    /** Null when it was resolved automatically. */
    resolvedById: p.uuid().nullable(),
    /** The person's explanation. */
    resolution: p.text().nullable(),
    /** The outcome if it was resolved automatically; otherwise null, and `resolution` is set. */
    outcome: p.enum(caseOutcomes).nullable(),
    /** Incremented by every change; browsers keep the highest they saw. */
    version: p.integer(),
  },
});
export type DeskCase = InferEntity<typeof DeskCase>;

/** An internal note about a case; immutable. */
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

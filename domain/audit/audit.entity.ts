import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditKind } from '#core/audit/kinds';

/**
 * What somebody did that matters for trust: append-only. At commit a trigger gives it a place in the chain of hashes (`audit_chain`,
 * decision 45). It names people and things by their ids alone.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime(),
    kind: p.text().$type<AuditKind>(),
    /** Who did it; null: nobody who was signed in, or the system. */
    actorId: p.uuid().nullable(),
    /** What they were allowed to do then. */
    actorRole: p.text().nullable(),
    /** Id of what it is about (core/audit/kinds.ts says of which kind). */
    subject: p.text().nullable(),
    /** JSON as it was written: codes and figures. */
    detail: p.text(),
    /** The network of the caller, without the part that names one connection. */
    network: p.text().nullable(),
  },
  indexes: [
    { name: 'audit_entry_at_id', properties: ['at', 'id'] },
    { name: 'audit_entry_actor_id_at_id', properties: ['actorId', 'at', 'id'] },
    { name: 'audit_entry_kind_at_id', properties: ['kind', 'at', 'id'] },
    { name: 'audit_entry_subject_at_id', properties: ['subject', 'at', 'id'] },
  ],
});
export type AuditEntry = InferEntity<typeof AuditEntry>;

import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditKind } from '#core/audit/kinds';

/**
 * An action that matters for trust: append-only. At commit a trigger appends it to the hash chain (`audit_chain`,
 * decision 45). It refers to people and things by id only.
 */
export const AuditEntry = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime(),
    kind: p.text().$type<AuditKind>(),
    /** The actor; null: the system, or a caller who was not signed in. */
    actorId: p.uuid().nullable(),
    /** The actor's role at the time. */
    actorRole: p.text().nullable(),
    /** Id of its subject (core/audit/kinds.ts gives the kind). */
    subject: p.text().nullable(),
    /** JSON as written: codes and figures. */
    detail: p.text(),
    /** The caller's network, truncated so that it does not identify one connection. */
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

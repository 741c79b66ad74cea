import { z } from 'zod';
import { auditKinds } from '../../audit/kinds.ts';
import { line } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { id, pageOf, pageQuery, timestamp } from './values.ts';

const day = z.iso.date().regex(/^20/).meta({ description: 'Día de La Paz, "2026-11-21"', example: '2026-11-21' });

/** Which entries of the audit log are wanted; all without any of these. */
const auditFilter = z.object({
  actor: id.optional(),
  kind: z.enum(auditKinds).optional(),
  /** Id of their subject. */
  subject: line(100).optional(),
  from: day.optional(),
  to: day.optional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

export const auditEntryView = z.object({
  id,
  /** Its place in the chain. */
  position: z.int().nullable(),
  at: timestamp,
  kind: z.enum(auditKinds),
  /** Null for the system or a caller who was not signed in. */
  actor_id: id.nullable(),
  actor_name: z.string().nullable(),
  actor_role: z.string().nullable(),
  subject: z.string().nullable(),
  /** JSON, verbatim. */
  detail: z.string(),
  network: z.string().nullable(),
});
export type AuditEntryView = z.infer<typeof auditEntryView>;

/** What checking the chain found. */
export const auditVerification = z.object({
  /** Links that are whole, from the first on. */
  checked: z.int(),
  /** Hash of the last entry. Stored elsewhere, it later proves that nothing before it was rewritten. */
  head_hash: z.string().nullable(),
  /** The first row that does not fit; null when all do. */
  broken: z
    .object({
      position: z.int().nullable(),
      entry_id: id.nullable(),
      problem: z.enum(['changed', 'entry_missing', 'link_missing', 'unlinked', 'rewritten']),
    })
    .nullable(),
});
export type AuditVerification = z.infer<typeof auditVerification>;

export const auditEndpoints = {
  auditLog: endpoint({
    ...adminRoutes.auditLog,
    summary: 'Registro de auditoría, lo último primero',
    access: 'admin',
    query: pageQuery.extend(auditFilter.shape),
    response: pageOf(auditEntryView),
  }),
  verifyAudit: endpoint({
    ...adminRoutes.verifyAudit,
    summary: 'Comprueba la cadena del registro de auditoría y nombra la primera fila que no encaja',
    access: 'admin',
    audit: 'audit_verified',
    response: auditVerification,
    failures: ['too_many_requests'],
  }),
  exportAudit: endpoint({
    ...adminRoutes.exportAudit,
    summary: 'Registro de auditoría como archivo CSV',
    access: 'admin',
    audit: 'list_exported',
    query: auditFilter,
    answersFile: true,
    status: 200,
    failures: ['too_many_requests'],
  }),
};

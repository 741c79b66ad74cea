import { z } from 'zod';
import { adminRoles, revealReasons } from '../../accounts/admin-roles.ts';
import { tiers } from '../../accounts/tiers.ts';
import { fieldSentences } from '../field-problems.ts';
import { line, paragraph } from '../text.ts';
import { adminRoutes } from './admin-routes.ts';
import { endpoint } from './endpoint.ts';
import { fileView } from './files.ts';
import { identityCheckView } from './identity-views.ts';
import { amountText, id, pageOf, pageQuery, timestamp } from './values.ts';

export const adminUserView = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(['user', 'admin']),
  /** The admin's role; null for everyone else. */
  adminRole: z.enum(adminRoles).nullable(),
  transactionsCount: z.int(),
  /** In USD. */
  totalVolume: amountText,
  lastActive: timestamp.nullable(),
  /** When its person closed the account. */
  closedAt: timestamp.nullable(),
  /** When an admin blocked the account; null if it is not blocked. */
  blockedAt: timestamp.nullable(),
});
export type AdminUserView = z.infer<typeof adminUserView>;

/** A person with the data for an admin's decisions; blocks and notes newest first. */
export const adminUserDetail = adminUserView.extend({
  /** Its end (`revealPhone`). */
  phone: z.string().nullable(),
  city: z.string().nullable(),
  birthDate: z.iso.date().nullable(),
  createdAt: timestamp,
  /** A role that an owner requested for them, which waits for another one. */
  roleRequest: z
    .object({ role: z.enum(adminRoles), requestedById: id, requestedBy: z.string(), at: timestamp })
    .nullable(),
  /** From when on they can be the second person of a decision; null: not limited. */
  secondPersonFrom: timestamp.nullable(),
  /** Since when they sign in in two steps; null: they do not. */
  secondFactorSince: timestamp.nullable(),
  /** Their verification tier, and the checks for it, newest first. */
  tier: z.enum(tiers),
  identityChecks: z.array(
    identityCheckView.extend({
      id,
      /** Note and name of the admin who decided; null if the verifier decided or the decision is pending. */
      note: z.string().nullable(),
      by: z.string().nullable(),
      /** Other accounts with the same document: for which it was accepted, or where it waits. */
      sameDocument: z.array(z.object({ userId: id, name: z.string(), accepted: z.boolean() })),
      files: z.array(fileView),
    }),
  ),
  /** Their sending limits and what is left of them, in USD over 24 hours and 30 days. */
  limits: z.object({ dayLimit: amountText, dayLeft: amountText, monthLimit: amountText, monthLeft: amountText }),
  /** Each time the account was blocked, or the block taken back. */
  blocks: z.array(z.object({ blocked: z.boolean(), reason: z.string(), by: z.string(), at: timestamp })),
  /** History of legal holds; null for admins who may not set one. */
  holds: z.array(z.object({ held: z.boolean(), reason: z.string(), by: z.string(), at: timestamp })).nullable(),
  notes: z.array(z.object({ text: z.string(), author: z.string(), at: timestamp })),
});
export type AdminUserDetail = z.infer<typeof adminUserDetail>;

const params = z.object({ id });
const response = z.object({ user: adminUserDetail });
/** Text stored in an immutable record. */
const written = (most: number, error: string) => paragraph(most).min(1, error);

const roleFailures = ['not_found', 'forbidden', 'account_closed', 'account_blocked'] as const;

export const adminUserEndpoints = {
  adminUsers: endpoint({
    ...adminRoutes.adminUsers,
    summary: 'Usuarios con su actividad',
    access: 'admin',
    query: pageQuery.extend({ search: line(100).optional() }),
    response: pageOf(adminUserView),
  }),
  adminUser: endpoint({
    ...adminRoutes.adminUser,
    summary: 'Una persona con sus límites, sus bloqueos y las notas sobre su cuenta',
    access: 'admin',
    params,
    response,
    failures: ['not_found'],
  }),
  revealPhone: endpoint({
    ...adminRoutes.revealPhone,
    summary: 'Muestra el teléfono de una persona, que en todo lo demás solo se ve en parte; queda en la auditoría',
    access: 'admin',
    freshFactor: true,
    audit: 'account_phone_revealed',
    params,
    body: z.object({ reason: z.enum(revealReasons) }),
    response: z.object({ value: z.string() }),
    failures: ['not_found'],
  }),
  blockUser: endpoint({
    ...adminRoutes.blockUser,
    summary: 'Bloquea una cuenta o la desbloquea; lo que está en curso sigue',
    access: 'admin',
    audit: 'account_block_changed',
    params,
    body: z.object({ blocked: z.boolean(), reason: written(500, fieldSentences.reason_required) }),
    response,
    failures: ['not_found', 'admin_not_blockable', 'account_closed'],
  }),
  holdUser: endpoint({
    ...adminRoutes.holdUser,
    summary: 'Retiene los datos de una persona por razones legales, sin avisarle, o deja de retenerlos',
    access: 'admin',
    freshFactor: true,
    audit: 'legal_hold_changed',
    params,
    body: z.object({ held: z.boolean(), reason: written(500, fieldSentences.reason_required) }),
    response,
    failures: ['not_found', 'forbidden'],
  }),
  /** For people who lost both phone and recovery codes. The admin must have verified their identity. */
  resetSecondFactor: endpoint({
    ...adminRoutes.resetSecondFactor,
    summary: 'Quita la verificación en dos pasos de otra persona que perdió sus códigos, y cierra sus sesiones',
    access: 'admin',
    freshFactor: true,
    audit: 'second_factor_changed',
    params,
    body: z.object({ reason: written(500, fieldSentences.reason_required) }),
    response,
    failures: ['not_found', 'forbidden', 'second_factor_changed'],
  }),
  setRole: endpoint({
    ...adminRoutes.setRole,
    summary:
      'Pide un rol de administración para una persona, que otro dueño confirma; si solo quita permisos, vale enseguida',
    access: 'admin',
    freshFactor: true,
    audit: 'role_requested',
    params,
    body: z.object({ adminRole: z.enum(adminRoles).nullable() }),
    response,
    failures: [...roleFailures, 'email_unproven', 'second_owner_missing'],
  }),
  decideRole: endpoint({
    ...adminRoutes.decideRole,
    summary: 'Confirma un rol que pidió otro dueño, o lo rechaza; se cierran las sesiones de la persona',
    access: 'admin',
    freshFactor: true,
    audit: 'role_changed',
    params,
    /** `role`: the one that was seen. */
    body: z.object({ role: z.enum(adminRoles), approve: z.boolean() }),
    response,
    failures: [...roleFailures, 'own_request', 'role_too_new', 'request_ended'],
  }),
  noteUser: endpoint({
    ...adminRoutes.noteUser,
    summary: 'Escribe una nota sobre una cuenta; la ven los administradores',
    access: 'admin',
    audit: 'account_noted',
    params,
    body: z.object({ text: written(1000, fieldSentences.note_required) }),
    response,
    failures: ['not_found'],
  }),
};

import { z } from 'zod';
import { revealReasons } from '../../accounts/admin-roles.ts';
import { documentTypes, identityDeclineReasons, identityLevels, tiers } from '../../accounts/tiers.ts';
import { fieldSentences } from '../field-problems.ts';
import { line, paragraph, personName } from '../text.ts';
import { accountRoutes } from './account-routes.ts';
import { adminRoutes } from './admin-routes.ts';
import { adminUserDetail } from './admin-users.ts';
import { endpoint } from './endpoint.ts';
import { fileInput } from './files.ts';
import { identityCheckView, tierView } from './identity-views.ts';
import { amountText, id, pageOf, pageQuery, timestamp } from './values.ts';

/** A person's verification tier with its limits and their use, in USD. */
export const identityView = z.object({
  tier: z.enum(tiers),
  tiers: z.array(tierView),
  sent: z.object({ day: amountText, month: amountText }),
  /** The newest check of each level; null before the first. */
  identity: identityCheckView.nullable(),
  document: identityCheckView.nullable(),
});
export type IdentityView = z.infer<typeof identityView>;

/** A check that waits for an admin. */
const waitingCheck = z.object({
  id,
  userId: id,
  name: z.string(),
  level: z.enum(identityLevels),
  documentType: z.enum(documentTypes),
  country: z.string(),
  /** Whether another account says that the document is theirs. */
  sameDocument: z.boolean(),
  createdAt: timestamp,
});
export type WaitingCheck = z.infer<typeof waitingCheck>;

/** What a person says of themselves, by a document. */
export const identityInput = z.object({
  documentType: z.enum(documentTypes),
  country: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, fieldSentences.country_required),
  number: line(40)
    .regex(/^([ .-]*[\p{L}\d]){5}/u, fieldSentences.document_too_short)
    .regex(/^[\p{L}\d .-]*$/u, fieldSentences.ci_malformed),
  legalName: personName(100, fieldSentences.name_required).min(2, fieldSentences.name_too_short),
  birthDate: z.iso.date(fieldSentences.birth_date_missing),
});
export type IdentityInput = z.input<typeof identityInput>;

const params = z.object({ id });

export const identityEndpoints = {
  getIdentity: endpoint({
    ...accountRoutes.getIdentity,
    summary: 'Qué nivel de verificación tiene la persona y cuánto puede enviar con cada uno',
    access: 'sender',
    response: identityView,
  }),
  submitIdentity: endpoint({
    ...accountRoutes.submitIdentity,
    summary: 'Envía los datos de identidad de la persona para verificarlos',
    access: 'sender',
    audit: 'identity_submitted',
    body: identityInput,
    response: identityView,
    status: 201,
    failures: ['too_many_requests', 'email_unproven', 'account_blocked', 'identity_settled', 'under_age'],
  }),
  submitDocument: endpoint({
    ...accountRoutes.submitDocument,
    summary: 'Envía imágenes del documento con que la persona se identificó: PDF, PNG o JPEG de hasta 2 MB',
    access: 'sender',
    audit: 'identity_submitted',
    body: z.object({ front: fileInput, back: fileInput.optional() }),
    bodyBytesMax: 6_000_000,
    response: identityView,
    status: 201,
    failures: ['too_many_requests', 'email_unproven', 'account_blocked', 'identity_settled', 'identity_missing'],
  }),
  identityChecks: endpoint({
    ...adminRoutes.identityChecks,
    summary: 'Verificaciones de identidad que esperan una decisión, las más antiguas primero',
    access: 'admin',
    query: pageQuery,
    response: pageOf(waitingCheck),
  }),
  decideIdentity: endpoint({
    ...adminRoutes.decideIdentity,
    summary: 'Acepta o rechaza una verificación de identidad; la persona recibe el resultado por correo',
    access: 'admin',
    freshFactor: true,
    audit: 'identity_decided',
    params,
    body: z.object({
      /** Why not; null: it is accepted. */
      reason: z.enum(identityDeclineReasons).nullable(),
      note: paragraph(500).min(1, fieldSentences.reason_required),
    }),
    response: z.object({ user: adminUserDetail }),
    failures: ['not_found', 'forbidden', 'identity_settled', 'document_in_use', 'account_closed'],
  }),
  revealDocument: endpoint({
    ...adminRoutes.revealDocument,
    summary: 'Muestra el número de un documento, que en todo lo demás solo se ve en parte; queda en la auditoría',
    access: 'admin',
    freshFactor: true,
    audit: 'document_number_revealed',
    params,
    body: z.object({ reason: z.enum(revealReasons) }),
    response: z.object({ value: z.string() }),
    failures: ['not_found'],
  }),
};

import { z } from 'zod';
import { nameCheckStatusNames } from '../../recipients/name-check.ts';
import { recipientInput } from '../../recipients/recipient.ts';
import { sameByNames } from '../../recipients/same.ts';
import { endpoint } from './endpoint.ts';
import { senderRoutes } from './sender-routes.ts';
import { id, pageOf, pageQuery, timestamp } from './values.ts';

export const recipientView = z.object({
  id,
  /** A higher one replaces a lower one. */
  version: z.int(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  ci: z.string(),
  bankName: z.string(),
  bankAccount: z.string(),
  address: z.string(),
  city: z.string(),
  relationship: z.string(),
  createdAt: timestamp,
  /** When its sender last paid a transfer to it; null: never. */
  lastSentAt: timestamp.nullable(),
  /** When its account was changed, where the last transfer to it went to another one; null otherwise. */
  accountChangedAt: timestamp.nullable(),
  /** The bank's answer about the account holder; null if this name and account were not checked. */
  nameCheck: z
    .object({
      status: z.enum(nameCheckStatusNames),
      /** The holder's name according to the bank, reduced to initials. */
      bankSays: z.string().nullable(),
      /** The sender confirmed the typed name despite the difference. */
      confirmed: z.boolean(),
    })
    .nullable(),
});
export type RecipientView = z.infer<typeof recipientView>;

/** `saveAnyway`: save although the sender already has a recipient with this account or CI (see `recipient_exists`). */
const saved = recipientInput.extend({ saveAnyway: z.boolean().optional() });

/** The sender's existing recipient that this one may duplicate, and the field that matches. */
export const knownRecipient = z.object({ recipientId: id, name: z.string(), sameBy: z.enum(sameByNames) });
export type KnownRecipient = z.infer<typeof knownRecipient>;

const params = z.object({ id });

export const recipientEndpoints = {
  listRecipients: endpoint({
    ...senderRoutes.listRecipients,
    summary: 'Tus destinatarios, los más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(recipientView),
  }),
  createRecipient: endpoint({
    ...senderRoutes.createRecipient,
    summary: 'Añade un destinatario',
    access: 'sender',
    body: saved,
    response: recipientView,
    status: 201,
    failures: ['too_many_requests', 'too_many_recipients', 'recipient_exists'],
  }),
  updateRecipient: endpoint({
    ...senderRoutes.updateRecipient,
    summary: 'Cambia un destinatario; los envíos ya hechos conservan sus datos',
    access: 'sender',
    params,
    body: saved,
    response: recipientView,
    failures: ['too_many_requests', 'not_found', 'recipient_exists'],
  }),
  checkRecipientName: endpoint({
    ...senderRoutes.checkRecipientName,
    summary: 'Pregunta al banco si la cuenta está a nombre del destinatario, si no se le preguntó o no respondió',
    access: 'sender',
    params,
    response: recipientView,
    failures: ['too_many_requests', 'not_found'],
  }),
  confirmRecipientName: endpoint({
    ...senderRoutes.confirmRecipientName,
    summary:
      'Confirma el nombre aunque el banco tenga otro; no cambia nada si el destinatario ya no es el de esa versión',
    access: 'sender',
    params,
    body: z.object({ version: z.int().positive() }),
    response: recipientView,
    failures: ['not_found'],
  }),
  deleteRecipient: endpoint({
    ...senderRoutes.deleteRecipient,
    summary: 'Quita un destinatario de tu lista',
    access: 'sender',
    params,
    failures: ['not_found'],
  }),
};

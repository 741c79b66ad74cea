import { z } from 'zod';
import { recipientInput } from '../../recipients/recipient.ts';
import { endpoint } from './endpoint.ts';
import { id, pageOf, pageQuery, timestamp } from './values.ts';

export const recipientView = z.object({
  id,
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
});
export type RecipientView = z.infer<typeof recipientView>;

const params = z.object({ id });

export const recipientEndpoints = {
  listRecipients: endpoint({
    method: 'GET',
    path: '/api/recipients',
    summary: 'Tus destinatarios, los más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(recipientView),
  }),
  createRecipient: endpoint({
    method: 'POST',
    path: '/api/recipients',
    summary: 'Añade un destinatario',
    access: 'sender',
    body: recipientInput,
    response: recipientView,
    status: 201,
    failures: ['too_many_requests', 'too_many_recipients'],
  }),
  updateRecipient: endpoint({
    method: 'PUT',
    path: '/api/recipients/{id}',
    summary: 'Cambia un destinatario; los envíos ya hechos conservan sus datos',
    access: 'sender',
    params,
    body: recipientInput,
    response: recipientView,
    failures: ['too_many_requests', 'not_found'],
  }),
  deleteRecipient: endpoint({
    method: 'DELETE',
    path: '/api/recipients/{id}',
    summary: 'Quita un destinatario de tu lista',
    access: 'sender',
    params,
    failures: ['not_found'],
  }),
};

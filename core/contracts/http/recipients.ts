import { z } from 'zod';
import { recipientInput } from '../../recipients/recipient.ts';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';
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
    ...routes.listRecipients,
    summary: 'Tus destinatarios, los más recientes primero',
    access: 'sender',
    query: pageQuery,
    response: pageOf(recipientView),
  }),
  createRecipient: endpoint({
    ...routes.createRecipient,
    summary: 'Añade un destinatario',
    access: 'sender',
    body: recipientInput,
    response: recipientView,
    status: 201,
    failures: ['too_many_requests', 'too_many_recipients'],
  }),
  updateRecipient: endpoint({
    ...routes.updateRecipient,
    summary: 'Cambia un destinatario; los envíos ya hechos conservan sus datos',
    access: 'sender',
    params,
    body: recipientInput,
    response: recipientView,
    failures: ['too_many_requests', 'not_found'],
  }),
  deleteRecipient: endpoint({
    ...routes.deleteRecipient,
    summary: 'Quita un destinatario de tu lista',
    access: 'sender',
    params,
    failures: ['not_found'],
  }),
};

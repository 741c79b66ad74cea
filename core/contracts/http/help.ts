import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { routes } from './routes.ts';

/** How to reach a person of ours; null where nothing is configured, and then nothing is offered. */
export const helpContactView = z.object({
  /** International number in digits only, as wa.me addresses want it. */
  whatsapp: z
    .string()
    .regex(/^\d{8,15}$/)
    .nullable(),
  email: z.email().nullable(),
});
export type HelpContactView = z.infer<typeof helpContactView>;

export const helpEndpoints = {
  helpContact: endpoint({
    ...routes.helpContact,
    summary: 'WhatsApp y correo de ayuda, si los hay',
    access: 'public',
    response: helpContactView,
  }),
};

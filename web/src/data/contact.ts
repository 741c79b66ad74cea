import { queryOptions } from '@tanstack/react-query';
import { call } from '../lib/http.ts';
import { helpKeys } from './sender-query-keys.ts';

/** How to reach a person of ours. */
export const contactQuery = queryOptions({
  queryKey: helpKeys.contact,
  queryFn: ({ signal }) => call('helpContact', { signal }),
});

/** Opens WhatsApp with a message to us, of digits as `helpContactView` has them. */
export const whatsappTo = (number: string, message?: string): string =>
  `https://wa.me/${number}${message ? `?text=${encodeURIComponent(message)}` : ''}`;

/** Opens the person's mail program with an e-mail to us. */
export const mailTo = (address: string, message?: { subject: string; text: string }): string =>
  `mailto:${address}${message ? `?subject=${encodeURIComponent(message.subject)}&body=${encodeURIComponent(message.text)}` : ''}`;

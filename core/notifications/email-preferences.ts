/** E-mails a person may do without; every other one tells of money or of their account. */
export const optionalEmails = [
  'transfer_held',
  'transfer_approved',
  'transfer_received',
  'rate_alert',
  'repeat_reminder',
] as const;
export type OptionalEmail = (typeof optionalEmails)[number];

/** Whether a person may do without a kind of e-mail. */
export function isOptional(kind: string): kind is OptionalEmail {
  return (optionalEmails as readonly string[]).includes(kind);
}

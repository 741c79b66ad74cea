import { z } from 'zod';
import { documentTypes, identityDeclineReasons, identityLevels, tiers } from '../../accounts/tiers.ts';
import { amountText, timestamp } from './values.ts';

/** What a person may send with a tier, in USD: most of one payment, of 24 hours and of 30 days. */
export const tierView = z.object({ tier: z.enum(tiers), payment: amountText, day: amountText, month: amountText });
export type TierView = z.infer<typeof tierView>;

/** A check of who a person is, as they see it. */
export const identityCheckView = z.object({
  level: z.enum(identityLevels),
  state: z.enum(['waiting', 'accepted', 'declined']),
  documentType: z.enum(documentTypes),
  country: z.string(),
  /** Its end. */
  number: z.string(),
  legalName: z.string(),
  birthDate: z.iso.date(),
  /** Why it was declined. */
  reason: z.enum(identityDeclineReasons).nullable(),
  at: timestamp,
  decidedAt: timestamp.nullable(),
});
export type IdentityCheckView = z.infer<typeof identityCheckView>;

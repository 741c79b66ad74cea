/**
 * What who works with the admin panel may do: `support` sees (personal data masked) and writes notes, a `reviewer` decides about people and
 * transfers, a `treasurer` about rates and the books, an `owner` about everything, also who has which role.
 */
export const adminRoles = ['support', 'reviewer', 'treasurer', 'owner'] as const;
export type AdminRole = (typeof adminRoles)[number];

/** Why an admin reveals a masked number. */
export const revealReasons = ['payout', 'identity', 'question', 'authority'] as const;
export type RevealReason = (typeof revealReasons)[number];

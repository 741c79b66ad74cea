import type { Recipient } from '#platform/database/schema/people';
import type { PayoutTarget } from '#platform/database/schema/transfers';

/** The copy of a recipient that a transfer keeps. */
export function payoutTargetOf(recipient: Recipient): PayoutTarget {
  const { name, ci, phone, bankName, bankAccount, address, city } = recipient;
  return { name, ci, phone, bankName, bankAccount, address, city };
}

import type { PayoutTarget } from '../transfers/transfer.repository.ts';
import type { Recipient } from './recipient.entity.ts';

/** The copy of a recipient that a transfer keeps. */
export function payoutTargetOf(recipient: Recipient): PayoutTarget {
  const { name, ci, phone, bankName, bankAccount, address, city } = recipient;
  return { name, ci, phone, bankName, bankAccount, address, city };
}

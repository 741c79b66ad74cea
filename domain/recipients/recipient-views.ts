import type { RecipientView } from '#core/contracts/http/recipients';
import type { PayoutTarget } from '../transfers/transfer.repository.ts';
import type { Recipient } from './recipient.repository.ts';

/** A recipient as its sender sees it. */
export function toRecipientView(recipient: Recipient): RecipientView {
  const { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const createdAt = recipient.createdAt.toISOString();
  return { id, name, phone, email, ci, bankName, bankAccount, address, city, relationship, createdAt };
}

/** The copy of a recipient that a transfer keeps, so that later edits never redirect it. */
export function payoutTargetOf(recipient: Recipient): PayoutTarget {
  const { name, ci, phone, bankName, bankAccount, address, city } = recipient;
  return { name, ci, phone, bankName, bankAccount, address, city };
}

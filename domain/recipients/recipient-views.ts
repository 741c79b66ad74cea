import type { RecipientView } from '#core/contracts/http/recipients';
import { isSameAccount } from '#core/recipients/same';
import type { EntityManager } from '#platform/database/database';
import { findLastPaid, type LastPaid, type PayoutTarget } from '../transfers/transfer.repository.ts';
import { findNameChecks, type NameCheck } from './name-check.repository.ts';
import type { Recipient } from './recipient.repository.ts';

/** Recipients of one sender as they see them, with when and to which account they were last sent something and what the bank says of the name. */
export async function toRecipientViews(em: EntityManager, recipients: readonly Recipient[]): Promise<RecipientView[]> {
  const [userId] = new Set(recipients.map((recipient) => recipient.userId));
  const ids = recipients.map(({ id }) => id);
  const last = userId ? await findLastPaid(em, userId, ids) : new Map<string, LastPaid>();
  const checks = await findNameChecks(em, ids);
  return recipients.map((recipient) => toView(recipient, last.get(recipient.id), checks.get(recipient.id)));
}

/** One recipient as its sender sees it. */
export async function toRecipientView(em: EntityManager, recipient: Recipient): Promise<RecipientView> {
  return (await toRecipientViews(em, [recipient]))[0] as RecipientView;
}

function toView(recipient: Recipient, last: LastPaid | undefined, check: NameCheck | undefined): RecipientView {
  const { id, version, name, phone, email, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const changed = last && !isSameAccount(last, recipient) ? recipient.accountChangedAt : null;
  return {
    ...{ id, version, name, phone, email, ci, bankName, bankAccount, address, city, relationship },
    createdAt: recipient.createdAt.toISOString(),
    lastSentAt: last?.paidAt.toISOString() ?? null,
    accountChangedAt: changed?.toISOString() ?? null,
    nameCheck: check
      ? { status: check.status, bankSays: check.bankSays ?? null, confirmed: check.confirmedAt != null }
      : null,
  };
}

/** The copy of a recipient that a transfer keeps, so that later edits never redirect it. */
export function payoutTargetOf(recipient: Recipient): PayoutTarget {
  const { name, ci, phone, bankName, bankAccount, address, city } = recipient;
  return { name, ci, phone, bankName, bankAccount, address, city };
}

import type { RecipientView } from '#core/contracts/http/recipients';
import type { EntityManager } from '#platform/database/database';
import type { OpenTarget } from '../personal-data/payout-target.ts';
import { accountHash, type PersonNumbers } from '../personal-data/personal-data.ts';
import { findLastPaid, type LastPaid } from '../transfers/transfer.repository.ts';
import { findNameChecks, type NameCheck } from './name-check.repository.ts';
import { openReadable, openRecipient, type Recipient } from './recipient.repository.ts';

/**
 * A sender's recipients as they see them, with the last paid transfer and account, and the bank's verdict on the name.
 */
export async function toRecipientViews(em: EntityManager, recipients: readonly Recipient[]): Promise<RecipientView[]> {
  const [userId] = new Set(recipients.map((recipient) => recipient.userId));
  const ids = recipients.map(({ id }) => id);
  const last = userId ? await findLastPaid(em, userId, ids) : new Map<string, LastPaid>();
  const checks = await findNameChecks(em, ids);
  const open = await Promise.all(recipients.map((recipient) => openReadable(em, recipient)));
  return open.map((recipient) => toView(em, recipient, last.get(recipient.id), checks.get(recipient.id)));
}

/** One recipient as its sender sees it. */
export async function toRecipientView(em: EntityManager, recipient: Recipient): Promise<RecipientView> {
  return (await toRecipientViews(em, [recipient]))[0] as RecipientView;
}

function toView(
  em: EntityManager,
  recipient: Recipient & PersonNumbers,
  last: LastPaid | undefined,
  check: NameCheck | undefined,
): RecipientView {
  const { id, version, name, phone, email, ci, bankName, bankAccount, address, city, relationship } = recipient;
  const isLast = last?.bankName === bankName && last.accountHash === accountHash(em, bankAccount);
  const changed = last && !isLast ? recipient.accountChangedAt : null;
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

/** The payee copied to a transfer, so that later edits of the recipient never redirect it. */
export async function targetOf(em: EntityManager, recipient: Recipient): Promise<OpenTarget> {
  const { name, ci, phone, bankName, bankAccount, address, city } = await openRecipient(em, recipient);
  return { name, ci, phone, bankName, bankAccount, address, city };
}

import { formatMinor } from '#core/money/money';
import type { CaseReason } from '#core/operations/desk-case';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { addEmailToAdmins } from '../emails/email.repository.ts';
import type { EmailData } from '../emails/email-kinds.ts';
import { findTransfer } from '../transfers/transfer.repository.ts';
import type { CaseRequest } from './desk-request.repository.ts';

type MovedCurrency = EmailData<'desk_request_waiting'>['currency'];

interface Opened {
  readonly id: string;
  readonly transferId: string;
  readonly reason: CaseReason;
  /** When it was opened, or the time of the reminder. */
  readonly at: Date;
}

/** E-mails every admin that a case was opened; once per case. */
export async function emailOpenedCase(em: EntityManager, { id, transferId, reason, at }: Opened): Promise<void> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) return;
  const { currency } = transfer;
  const amount = formatMinor(transfer.amountMinor);
  const data = { reason, amount, currency, transferId, caseId: id };
  await addEmailToAdmins(em, { kind: 'case_opened', key: `case_opened-${id}`, data, at });
}

/**
 * E-mails every admin except the requester that an action awaits a second person; once per request. `money`: the amount
 * concerned if the request itself moves none.
 */
export async function emailWaitingRequest(
  em: EntityManager,
  request: CaseRequest,
  { amountMinor, currency }: Pick<CaseRequest, 'amountMinor' | 'currency'> = request,
): Promise<void> {
  const { id, caseId, transferId, reason, requestedById, requestedAt: at } = request;
  if (amountMinor == null) return;
  const requestedBy = (await findUser(em, requestedById))?.name ?? '';
  const money = { amount: formatMinor(amountMinor), currency: currency as MovedCurrency };
  const data = { requestedBy, reason, ...money, transferId, caseId };
  const key = `desk_request_waiting-${id}`;
  await addEmailToAdmins(em, { kind: 'desk_request_waiting', key, data, at, exceptIds: [requestedById] });
}

/** Reminds every admin of a case that is still open; once per case. */
export async function emailOldCase(em: EntityManager, { id, transferId, reason, at }: Opened): Promise<void> {
  const transfer = await findTransfer(em, transferId);
  if (!transfer) return;
  const amount = formatMinor(transfer.amountMinor);
  const data = { reason, amount, currency: transfer.currency, transferId, caseId: id };
  await addEmailToAdmins(em, { kind: 'case_old', key: `case_old-${id}`, data, at });
}

import { type Clock, clocksOf, nextClock, type ReminderStage } from '#core/complaints/clocks';
import type { LetterView } from '#core/contracts/http/complaints';
import { locales } from '#core/locale/locale';
import { formatMinor } from '#core/money/money';
import { arrivedMinor } from '#core/transfers/arrived';
import { returnedByBank } from '#core/transfers/refund';
import type { EntityManager } from '#platform/database/database';
import { findUser } from '../accounts/account.repository.ts';
import { addEmail, addEmailToAdmins } from '../emails/email.repository.ts';
import type { EmailData } from '../emails/email-kinds.ts';
import { emailTextOf } from '../emails/email-templates.ts';
import { findOperations, type Operation } from '../provider-calls/operation.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';
import { type Complaint, clockFactsOf, insertLetter } from './complaint.repository.ts';

// E-mails to the sender and admins about a report. A letter is an e-mail in the reader's language whose text is also
// stored, in every language, in the same transaction.

type LetterKind = LetterView['kind'];
/** Data of every letter. */
type Common = 'complaintId' | 'transferId' | 'amount' | 'currency' | 'reason' | 'regime' | 'reportedAt';
type LetterData<Kind extends LetterKind> = Omit<EmailData<`complaint_${Kind}`>, Common>;

/** Writes a letter to the sender, in the transaction of `em`. */
async function writeLetter<Kind extends LetterKind>(
  em: EntityManager,
  { complaint, transfer, at }: { complaint: Complaint; transfer: Transfer; at: Date },
  kind: Kind,
  rest: LetterData<Kind>,
): Promise<void> {
  const { id: complaintId, senderId, reportedAt } = complaint;
  const name = `complaint_${kind}` as const;
  const data = {
    ...aboutOf(complaint, transfer),
    reportedAt: reportedAt.toISOString(),
    ...rest,
  } as unknown as EmailData<typeof name>;
  const texts = locales.map((language) => {
    const { subject, paragraphs, details = [] } = emailTextOf(name, data, language);
    return {
      language,
      subject,
      paragraphs: [...paragraphs],
      details: details.map(([a, b]): [string, string] => [a, b]),
    };
  });
  const number = await insertLetter(em, { complaintId, kind, texts, at });
  const key = `${name}-${complaintId}${number > 1 ? `-${number}` : ''}`;
  await addEmail(em, { kind: name, key, data, at, userId: senderId });
}

interface About {
  readonly complaint: Complaint;
  readonly transfer: Transfer;
  readonly at: Date;
}

/** Acknowledges the report with our deadline, and notifies admins. */
export async function acknowledge(em: EntityManager, about: About): Promise<void> {
  const { complaint, transfer, at } = about;
  const { id, wants, description, inTime } = complaint;
  const answerBy = dueAtOf(complaint);
  await writeLetter(em, about, 'received', { wants, description, inTime, answerBy });
  const data = { ...aboutOf(complaint, transfer), dueAt: answerBy };
  await addEmailToAdmins(em, {
    kind: 'complaint_opened',
    key: `complaint_opened-${id}`,
    data,
    at,
    exceptIds: [transfer.userId],
  });
}

/** Explains why the answer takes longer, with the new deadline. */
export async function explainDelay(em: EntityManager, about: About): Promise<void> {
  const { complaint } = about;
  await writeLetter(em, about, 'delayed', { delay: complaint.holdReason ?? '', answerBy: dueAtOf(complaint) });
}

/** Sends the result. */
export async function tellResult(em: EntityManager, about: About): Promise<void> {
  const { finding, explanation, remedy = null } = about.complaint;
  if (!finding) throw new RangeError('a report without a result');
  const correct = clocksOf(clockFactsOf(about.complaint)).find(({ name }) => name === 'correct');
  const result = {
    finding,
    explanation: explanation ?? '',
    remedy,
    refund: refundOf(about.complaint),
    ...payoutOf(about.complaint),
  };
  await writeLetter(em, about, 'result', { ...result, correctBy: correct?.dueAt.toISOString() ?? null });
}

/** Confirms the correction with the final payout and refund. */
export async function tellCorrection(em: EntityManager, about: About): Promise<void> {
  const { complaint, transfer } = about;
  const { id, remedy, operationId } = complaint;
  if (!remedy) throw new RangeError('a correction without a remedy');
  const operations = await findOperations(em, transfer.id);
  const byBank = formatMinor(returnedByBank(operations.filter(({ kind }) => kind === 'refund')));
  if (transfer.state === 'refunded') {
    // Regardless of the announcement, the payout failed and the whole charge was refunded.
    const refund = formatMinor(transfer.amountMinor);
    const nothingPaid = { payout: null, bank: null, account: null, reference: null, missing: null };
    return writeLetter(em, about, 'corrected', { remedy: 'refund', refund, announced: null, byBank, ...nothingPaid });
  }
  const done = operations.filter(({ status }) => status === 'succeeded');
  const paid = done.findLast(({ kind, complaintId }) => kind === 'payout' && complaintId === id);
  // Less than announced if the rest was refunded another way.
  const refunded = done.find((one) => one.id === operationId);
  const missingMinor = transfer.bolivianosMinor - arrivedMinor(transfer);
  const isLess = refunded && refunded.amountMinor !== complaint.amountMinor;
  await writeLetter(em, about, 'corrected', {
    ...{ remedy, refund: refunded ? formatMinor(refunded.amountMinor) : null },
    announced: isLess ? refundOf(complaint) : null,
    byBank: refunded?.provider === 'manual' ? formatMinor(refunded.amountMinor) : '0.00',
    missing: missingMinor > 0n ? formatMinor(missingMinor) : null,
    ...{ ...payoutOf(complaint), reference: paid?.providerReference ?? null },
  });
}

/** Confirms that the sender withdrew the report. */
export async function confirmWithdrawal(em: EntityManager, about: About): Promise<void> {
  await writeLetter(em, about, 'withdrawn', {});
}

/** Announces that the promised second payout or refund failed, so another result follows. */
export async function tellReopening(
  em: EntityManager,
  about: About,
  { amountMinor, payoutTarget }: Pick<Operation, 'amountMinor' | 'payoutTarget'>,
): Promise<void> {
  const answerBy = dueAtOf(about.complaint);
  const payout = payoutOf({ payoutMinor: payoutTarget ? amountMinor : null, payoutTarget });
  const refund = payoutTarget ? null : formatMinor(amountMinor);
  await writeLetter(em, about, 'reopened', { refund, ...payout, answerBy });
}

/** E-mails every admin but the author that a result awaits a second person; once each time. */
export async function askForApproval(em: EntityManager, { complaint, transfer, at }: About): Promise<void> {
  const { id, foundById, foundAt } = complaint;
  const foundBy = (foundById && (await findUser(em, foundById))?.name) || '';
  const data = { ...aboutOf(complaint, transfer), foundBy, refund: refundOf(complaint), ...payoutOf(complaint) };
  const key = `complaint_waiting-${id}-${foundAt?.getTime()}`;
  const exceptIds = foundById ? [foundById] : [];
  await addEmailToAdmins(em, { kind: 'complaint_waiting', key, data, at, exceptIds });
}

/** E-mails every admin that a deadline is near or was missed; once per deadline and stage. */
export async function remindAdmins(
  em: EntityManager,
  { complaint, transfer, at }: About,
  { clock, stage }: { clock: Clock; stage: ReminderStage },
): Promise<void> {
  const dueAt = clock.dueAt.toISOString();
  const data = { ...aboutOf(complaint, transfer), clock: clock.name, stage, dueAt };
  const key = `complaint_due-${complaint.id}-${clock.name}-${clock.dueAt.getTime()}-${stage}`;
  await addEmailToAdmins(em, { kind: 'complaint_due', key, data, at });
}

function aboutOf({ id, reason, regime }: Complaint, { id: transferId, amountMinor, currency }: Transfer) {
  return { complaintId: id, transferId, amount: formatMinor(amountMinor), currency, reason, regime };
}

function refundOf({ amountMinor }: Complaint): string | null {
  return amountMinor == null ? null : formatMinor(amountMinor);
}

/** The amount of a second payout, and the last digits of its account. */
function payoutOf({ payoutMinor, payoutTarget }: Pick<Complaint, 'payoutMinor' | 'payoutTarget'>) {
  return {
    payout: payoutMinor == null ? null : formatMinor(payoutMinor),
    bank: payoutTarget?.bankName ?? null,
    account: payoutTarget?.bankAccount.slice(-4) ?? null,
  };
}

function dueAtOf(complaint: Complaint): string {
  const next = nextClock(clockFactsOf(complaint));
  if (!next) throw new RangeError('a report without a deadline');
  return next.dueAt.toISOString();
}

import { type HoldFacts, holdsOf } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import type { CaseReason } from '#core/operations/desk-case';
import { reminderDue } from '#core/transfers/account-correction';
import { ownReasons } from '#core/transfers/own-reasons';
import type { EntityManager } from '#platform/database/database';
import { isBarred } from '../accounts/account.repository.ts';
import { findOpenReasons } from '../desk/desk-case.repository.ts';
import { addEmail } from '../emails/email.repository.ts';
import { readHoldFacts } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { sweepEach } from '../jobs/sweep-each.ts';
import { partsOf } from '../transfer-views/transfer-views.ts';
import { moveTransfer } from '../transfers/move-transfer.ts';
import { findUncorrected, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';

/** Maximum transfers per sweep, nearest deadline first. */
const most = 500;

/** Cases that a correction or a refund settles; any other case is decided by a person. */
const aboutTheAccount: ReadonlySet<CaseReason> = new Set<CaseReason>([
  'payout_rejected',
  'payout_returned',
  'recipient_changed',
  'fraud_warning',
]);

/**
 * Reminds senders of accounts that the bank rejected, and refunds those not corrected in time. Idempotent and safe to
 * run concurrently.
 */
export async function expireCorrections(context: JobContext): Promise<void> {
  const at = context.now();
  const uncorrected = await findUncorrected(context.database.fork(), most);
  await sweepEach(context, 'account to correct', uncorrected, ({ id }) =>
    context.database.transaction((em) => expireOrRemind(em, id, { at, correctAccountMs: context.correctAccountMs })),
  );
}

async function expireOrRemind(
  em: EntityManager,
  id: string,
  { at, correctAccountMs }: { at: Date; correctAccountMs: number },
): Promise<void> {
  const transfer = await lockTransfer(em, id, { state: 'payout_failed' });
  const until = transfer?.correctAccountBy;
  if (!until) return;
  const holds = await readHoldFacts(em, transfer);
  if (await isHeld(em, transfer, holds)) return;
  // Senders who may not change the account, or cannot sign in, get no reminder and no e-mail about a missed deadline.
  const mayCorrect = holdsOf(holds, 'account_correction').length === 0 && !(await isBarred(em, transfer.userId));
  if (until <= at) await refundSender(em, transfer, { mayCorrect, at });
  else if (mayCorrect) await remind(em, transfer, { since: new Date(until.getTime() - correctAccountMs), until, at });
}

/** Whether the card's bank or a person decides about the money. */
async function isHeld(em: EntityManager, transfer: Transfer, holds: HoldFacts): Promise<boolean> {
  if (holdsOf(holds, 'refund').length > 0) return true;
  return (await findOpenReasons(em, transfer.id)).some((reason) => !aboutTheAccount.has(reason));
}

async function refundSender(
  em: EntityManager,
  transfer: Transfer,
  { mayCorrect, at }: { mayCorrect: boolean; at: Date },
): Promise<void> {
  const reason = mayCorrect ? ownReasons.not_corrected : ownReasons.not_paid_out;
  const { id, userId, currency, correctAccountBy } = transfer;
  await moveTransfer(em, id, 'expire_correction', { at, changes: { reason } });
  const data = {
    ...{ amount: formatMinor(transfer.amountMinor), currency, transferId: id },
    ...{ mayCorrect, parts: partsOf(transfer) },
  };
  const key = `account_not_corrected-${id}-${correctAccountBy?.getTime()}`;
  await addEmail(em, { kind: 'account_not_corrected', key, data, at, userId });
  await em.flush();
}

async function remind(
  em: EntityManager,
  transfer: Transfer,
  { since, until, at }: { since: Date; until: Date; at: Date },
): Promise<void> {
  const reminder = reminderDue({ since, until }, at);
  if (!reminder) return;
  const { id, userId, currency } = transfer;
  await addEmail(em, {
    kind: 'account_reminder',
    key: `account_reminder-${id}-${reminder.getTime()}`,
    data: {
      ...{ amount: formatMinor(transfer.amountMinor), currency },
      ...{ bolivianos: formatMinor(transfer.bolivianosMinor), correctBy: until.toISOString(), transferId: id },
    },
    at,
    userId,
  });
  await em.flush();
}

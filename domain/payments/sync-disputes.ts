import type { Stripe } from 'stripe';
import type { CaseReason } from '#core/operations/desk-case';
import { type DisputeBooking, isDecidedAgainstUs, isInquiry, isOpenDispute } from '#core/operations/dispute';
import type { TransferState } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { addPush } from '#platform/outbox/outbox';
import { NonRetryableError } from '#platform/queues/retry';
import { releaseKeptRest } from '../corrections/rest.ts';
import { bumpCaseVersions, closeCasesAbout, closeCasesOfDone, openCase } from '../desk/desk-case.repository.ts';
import { endWaitingRequests } from '../desk/desk-request.repository.ts';
import { type Dispute, findDisputes, insertDispute, updateDispute } from '../disputes/dispute.repository.ts';
import { isAnswerable } from '../disputes/dispute-view.ts';
import { hasUnknownPayout } from '../holds/holds.repository.ts';
import type { JobContext } from '../jobs/job-context.ts';
import { settleAttemptedPayout } from '../payouts/ask-bank.ts';
import {
  endOperation,
  findOpenOperation,
  findOperationsOf,
  insertOperation,
  resumeHeldOperations,
} from '../provider-calls/operation.repository.ts';
import { postDispute } from '../transfers/ledger.repository.ts';
import { findTransfer, lockTransfer, type Transfer } from '../transfers/transfer.repository.ts';
import { applyRefunds, chargedStates, recordChargeback, reverseChargeback } from './refund.ts';

/** States before the payout, in which a lost dispute has simply returned the money to the sender. */
const unpaidStates: readonly TransferState[] = ['captured', 'payout_failed', 'refunding'];

/** After this many readings, a dispute that keeps changing is left to the next event. */
const maxReadings = 3;

/**
 * Reads a transfer's disputes from Stripe and updates books and cases accordingly. Idempotent and safe to run
 * concurrently: a reading that was overtaken is repeated.
 */
export async function syncDisputes(context: JobContext, transferId: string): Promise<void> {
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const transfer = await findTransfer(context.database.fork(), transferId);
    if (!transfer?.paymentIntentId) return;
    const before = await findDisputes(context.database.fork(), transferId);
    // One page is all there can be: a payment has very few disputes.
    const { data } = await context.stripe.disputes.list({ payment_intent: transfer.paymentIntentId, limit: 100 });
    if (data.some(({ status }) => isDecidedAgainstUs(status))) await settleAttemptedPayout(context, transferId);
    const seen = new Map(before.map(({ id, version }) => [id, version]));
    if (data.length === 0 || (await applyAll(context, transferId, data.toReversed(), seen))) return;
  }
  throw new Error('the disputes of a transfer changed while they were read');
}

/** Returns false, with nothing written, when a dispute has changed since it was `seen`, or a payout was sent. */
function applyAll(
  context: JobContext,
  transferId: string,
  disputes: readonly Stripe.Dispute[],
  seen: ReadonlyMap<string, number>,
): Promise<boolean> {
  const at = context.now();
  return context.database.transaction(async (em) => {
    const transfer = await lockTransfer(em, transferId);
    if (!transfer) return true;
    const stored = new Map((await findDisputes(em, transferId)).map((one) => [one.id, one]));
    if ([...stored].some(([id, { version }]) => seen.get(id) !== version)) return false;
    // The effect of a lost dispute depends on whether the payout was sent, possibly after the bank was queried.
    const isDecided = disputes.some(({ status }) => isDecidedAgainstUs(status));
    if (isDecided && (await hasUnknownPayout(em, transfer))) return false;
    let changed = false;
    for (const dispute of disputes) {
      changed = (await apply(em, transferId, { dispute, stored: stored.get(dispute.id) ?? null, at })) || changed;
    }
    if (!changed) return true;
    await endWaitingRequests(em, transferId, { event: 'facts_changed', at });
    await settleCases(em, transferId, at);
    await releaseKeptRest(em, transferId, at);
    await resumeHeldOperations(em, transferId, at);
    addPush(em, 'transfer-changed', { transferId });
    await em.flush();
    return true;
  });
}

/** Stores and books one dispute. Returns whether anything is new. */
async function apply(
  em: EntityManager,
  transferId: string,
  { dispute, stored, at }: { dispute: Stripe.Dispute; stored: Dispute | null; at: Date },
): Promise<boolean> {
  // The previous dispute may have moved it.
  const transfer = await lockTransfer(em, transferId);
  if (!transfer) return false;
  if (dispute.currency !== transfer.currency.toLowerCase())
    throw new NonRetryableError('a dispute in another currency');
  // The code below may read the disputes again, which refreshes the stored one.
  const { status: statusBefore, booking: from = 'none', submittedAt: submittedBefore } = stored ?? {};
  const booking = from === 'refund' && isTaken(dispute) ? from : bookingOf(transfer, dispute);
  const values = { ...valuesOf(dispute, at), booking };
  const same =
    stored != null &&
    statusBefore === values.status &&
    from === booking &&
    stored.refundable === values.refundable &&
    stored.feeMinor === values.feeMinor &&
    stored.evidenceDueBy?.getTime() === values.evidenceDueBy?.getTime() &&
    (submittedBefore != null || values.submittedAt == null);
  if (same) return false;
  const openedAt = new Date(dispute.created * 1000);
  const fixed = { id: dispute.id, transferId, currency: transfer.currency, responseText: null, respondedById: null };
  if (stored) await updateDispute(em, stored, { ...values, submittedAt: submittedBefore ?? values.submittedAt });
  else await insertDispute(em, { ...fixed, ...values, openedAt });
  const amountMinor = BigInt(dispute.amount);
  await postDispute(em, transfer, { from, to: booking, amountMinor, at });
  if (booking !== from && (booking === 'refund' || from === 'refund')) {
    if (booking === 'refund') await recordChargeback(em, transfer, { disputeId: dispute.id, amountMinor, at });
    else await reverseChargeback(em, transfer, { disputeId: dispute.id, at });
    await applyRefunds(em, transfer, at);
  }
  // The evidence was submitted by us or in Stripe's dashboard.
  if (values.submittedAt && !submittedBefore) await endResponse(em, transfer, { disputeId: dispute.id, at });
  const reason = caseOf({ status: dispute.status, booking });
  if (reason && statusBefore !== dispute.status) {
    await openCase(em, { transferId, reason, details: `${dispute.id}: ${dispute.reason}`, at });
  }
  return true;
}

/** Ends the response to a dispute. A response for another open dispute of the transfer stays open. */
async function endResponse(em: EntityManager, transfer: Transfer, { disputeId, at }: { disputeId: string; at: Date }) {
  const ended = { status: 'succeeded', providerReference: disputeId, at } as const;
  const open = await findOpenOperation(em, transfer.id, 'dispute_response');
  const isAnother = open?.providerReference != null && open.providerReference !== disputeId;
  if (isAnother) await insertOperation(em, transfer, 'dispute_response', ended);
  else await endOperation(em, transfer, 'dispute_response', ended);
}

/** The booking of a dispute. The books do not contain charges made outside our system. */
function bookingOf({ state }: Transfer, dispute: Stripe.Dispute): DisputeBooking {
  if (!isTaken(dispute) || !chargedStates.has(state)) return 'none';
  if (!isDecidedAgainstUs(dispute.status)) return 'withdrawn';
  return unpaidStates.includes(state) ? 'refund' : 'lost';
}

/** Whether Stripe's balance transactions show the amount as withdrawn. */
function isTaken({ balance_transactions }: Stripe.Dispute): boolean {
  return balance_transactions.reduce((sum, { amount }) => sum + amount, 0) < 0;
}

/**
 * Called when the bank has returned the payment of a locked transfer: amounts that the sender already got back at our
 * expense, by lost disputes or in Stripe's dashboard, are no longer losses. If that covers everything, the transfer
 * ends as refunded.
 */
export async function applyEarlierRefunds(em: EntityManager, transfer: Transfer, at: Date): Promise<void> {
  const lost = (await findDisputes(em, transfer.id)).filter(({ booking }) => booking === 'lost');
  for (const dispute of lost) {
    const { id: disputeId, amountMinor } = dispute;
    await updateDispute(em, dispute, { booking: 'refund', changedAt: at });
    await postDispute(em, transfer, { from: 'lost', to: 'refund', amountMinor, at });
    await recordChargeback(em, transfer, { disputeId, amountMinor, at });
  }
  await applyRefunds(em, transfer, at);
}

function valuesOf(dispute: Stripe.Dispute, at: Date) {
  const { status, reason, amount, balance_transactions, evidence_details, is_charge_refundable } = dispute;
  const { due_by: dueBy, submission_count: submissions } = evidence_details;
  return {
    status,
    reason,
    amountMinor: BigInt(amount),
    feeMinor: BigInt(
      Math.max(
        0,
        balance_transactions.reduce((sum, { fee }) => sum + fee, 0),
      ),
    ),
    feeCurrency: balance_transactions[0]?.currency.toUpperCase() ?? null,
    refundable: is_charge_refundable,
    evidenceDueBy: dueBy === null ? null : new Date(dueBy * 1000),
    submittedAt: submissions > 0 ? at : null,
    changedAt: at,
  };
}

function caseOf({ status, booking }: Pick<Dispute, 'status' | 'booking'>): CaseReason | null {
  // Stripe may block a dispute before it takes anything.
  if (status === 'prevented' && booking === 'none') return null;
  if (isDecidedAgainstUs(status)) return 'dispute_lost';
  // A won dispute may return only a part of the withdrawn amount.
  if (!isOpenDispute(status)) return booking === 'none' ? null : 'dispute_lost';
  return isInquiry(status) ? 'dispute_inquiry' : 'dispute_opened';
}

/**
 * Closes cases that no dispute of the transfer justifies any more, and those about responses that were submitted or are
 * too late.
 */
async function settleCases(em: EntityManager, transferId: string, at: Date): Promise<void> {
  const disputes = await findDisputes(em, transferId);
  const justified = new Set(disputes.map(caseOf));
  const about = ['dispute_inquiry', 'dispute_opened', 'dispute_lost'] as const;
  const reasons = about.filter((reason) => !justified.has(reason));
  const ended = (as: string) => disputes.some(({ status }) => status === as);
  const outcome = justified.has('dispute_lost') ? 'dispute_lost' : ended('won') ? 'dispute_won' : 'dispute_dropped';
  await closeCasesAbout(em, { transferId, reasons, outcome, at });
  for (const operation of await findOperationsOf(em, [transferId])) {
    const answered =
      operation.kind === 'dispute_response' && disputes.find(({ id }) => id === operation.providerReference);
    if (!answered || isAnswerable(answered)) continue;
    await closeCasesOfDone(em, operation, { outcome: answered.submittedAt ? 'evidence_submitted' : outcome, at });
  }
  await bumpCaseVersions(em, transferId);
}

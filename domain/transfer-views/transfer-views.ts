import type { AdminTransferView } from '#core/contracts/http/admin';
import type { AcceptedTermsView, TransferView } from '#core/contracts/http/transfers';
import { type HoldFacts, holdsOf } from '#core/holds/holds';
import { formatMinor } from '#core/money/money';
import { formatBasisPoints } from '#core/money/percent';
import { formatRate } from '#core/rates/rate';
import { rejectionReason } from '#core/review/rejection';
import { cancellation, isCancelPending } from '#core/transfers/cancellation';
import { exchangeMargin } from '#core/transfers/quote';
import { statusOf } from '#core/transfers/states';
import type { EntityManager } from '#platform/database/database';
import { findReserved } from '../desk/desk-request.repository.ts';
import { readHoldFactsOf } from '../holds/holds.repository.ts';
import { unshownSteps } from '../transfers/move-transfer.ts';
import { findSurroundings, type Surroundings } from '../transfers/shown-transfers.repository.ts';
import type { Transfer } from '../transfers/transfer.repository.ts';

/** One transfer as its sender sees it at a moment. */
export async function toTransferView(em: EntityManager, transfer: Transfer, at: Date): Promise<TransferView> {
  const [view] = await toTransferViews(em, [transfer], at);
  return view as TransferView;
}

/** One transfer as admins see it. */
export async function toAdminTransferView(em: EntityManager, transfer: Transfer): Promise<AdminTransferView> {
  const [view] = await toAdminTransferViews(em, [transfer]);
  return view as AdminTransferView;
}

/** Transfers as their senders see them at a moment; one query for all their histories. */
export async function toTransferViews(
  em: EntityManager,
  transfers: readonly Transfer[],
  at: Date,
  known?: Pick<Surroundings, 'timelines' | 'refunds'>,
): Promise<TransferView[]> {
  const { timelines, refunds } = known ?? (await findSurroundings(em, transfers, { without: unshownSteps }));
  const charged = transfers.filter(({ state }) => state === 'captured' || state === 'payout_failed');
  const failed = charged.filter(({ state }) => state === 'payout_failed');
  const holds = failed.length > 0 ? await readHoldFactsOf(em, failed) : null;
  const reserved = await findReserved(
    em,
    charged.map(({ id }) => id),
  );
  return transfers.map((transfer) => ({
    id: transfer.id,
    version: transfer.version,
    date: transfer.createdAt.toISOString(),
    recipient: transfer.payoutTarget?.name ?? '',
    recipientId: transfer.recipientId ?? null,
    bankName: transfer.payoutTarget?.bankName ?? '',
    ...amountsOf(transfer),
    netAmount: formatMinor(transfer.netMinor),
    bolivianos: formatMinor(transfer.bolivianosMinor),
    accepted: acceptedOf(transfer),
    status: statusOf[transfer.state],
    state: transfer.state,
    paymentIntentId: transfer.paymentIntentId ?? null,
    card: cardOf(transfer),
    quoteExpiresAt: transfer.quoteExpiresAt.toISOString(),
    estimatedDelivery: transfer.estimatedDelivery.toISOString(),
    ...returnedOf(transfer),
    paidAgain: formatMinor(transfer.paidAgainMinor),
    refund: refunds.get(transfer.id) ?? null,
    restPaid: formatMinor(transfer.restPaidMinor),
    restRefunded: formatMinor(transfer.restRefundedMinor + transfer.restKeptMinor),
    restTo: transfer.restTo ?? null,
    // Only for a completed deposit: any other one was returned by the bank.
    payoutReference: transfer.state === 'completed' ? (transfer.payoutReference ?? null) : null,
    ...reasonOf(transfer),
    ...(reserved.has(transfer.id) ? settledByHand : changeableOf(transfer, { holds: holds?.get(transfer.id), at })),
    cancelRequested: transfer.cancelRequestedAt != null,
    cancelPending: isCancelPending(transfer),
    paidAt: transfer.paidAt?.toISOString() ?? null,
    receivedAt: transfer.receivedAt?.toISOString() ?? null,
    questions: questionsOf(transfer),
    decideBy: transfer.state === 'in_review' ? (transfer.captureBefore?.toISOString() ?? null) : null,
    timeline: timelines.get(transfer.id) ?? [],
  }));
}

type Changeable = Pick<TransferView, 'correctAccountBy' | 'cancellable' | 'cancellableUntil'>;

/** During a settlement by hand the sender cannot change anything. */
const settledByHand: Changeable = { correctAccountBy: null, cancellable: false, cancellableUntil: null };

/** `holds`: of a transfer whose payout failed. */
function changeableOf(transfer: Transfer, { holds, at }: { holds: HoldFacts | undefined; at: Date }): Changeable {
  const { correctAccountBy } = transfer;
  const isCorrectable =
    holds && correctAccountBy && correctAccountBy > at && holdsOf(holds, 'account_correction').length === 0;
  return {
    correctAccountBy: isCorrectable ? correctAccountBy.toISOString() : null,
    ...cancellingOf(transfer, at),
  };
}

function cancellingOf(transfer: Transfer, at: Date): Pick<TransferView, 'cancellable' | 'cancellableUntil'> {
  const outcome = cancellation(transfer, at);
  if (outcome.kind === 'request') return { cancellable: true, cancellableUntil: outcome.until.toISOString() };
  return { cancellable: outcome.kind === 'withdraw' || outcome.kind === 'money_back', cancellableUntil: null };
}

/** Transfers as admins see them; one query for all histories and accounts. */
export async function toAdminTransferViews(
  em: EntityManager,
  transfers: readonly Transfer[],
  known?: Surroundings,
): Promise<AdminTransferView[]> {
  const {
    timelines,
    refunds,
    people: users,
  } = known ?? (await findSurroundings(em, transfers, { without: unshownSteps }));
  return transfers.map((transfer) => ({
    id: transfer.id,
    version: transfer.version,
    date: transfer.createdAt.toISOString(),
    user_id: transfer.userId,
    user: users.get(transfer.userId)?.name ?? '',
    user_email: users.get(transfer.userId)?.email ?? '',
    user_blocked: users.get(transfer.userId)?.blocked ?? false,
    recipient: transfer.payoutTarget?.name ?? '',
    recipient_id: transfer.recipientId ?? null,
    recipient_details: {
      bank_name: transfer.payoutTarget?.bankName ?? '',
      bank_account: transfer.payoutTarget?.bankAccount ?? '',
      city: transfer.payoutTarget?.city ?? '',
      phone: transfer.payoutTarget?.phone ?? '',
      address: transfer.payoutTarget?.address ?? '',
      ci: transfer.payoutTarget?.ci ?? '',
    },
    payment_id: transfer.paymentIntentId ?? null,
    payment_method: 'card',
    card: cardOf(transfer),
    ...amountsOf(transfer),
    net_amount: formatMinor(transfer.netMinor),
    amount_usd: formatMinor(transfer.usdMinor),
    amount_bs: formatMinor(transfer.bolivianosMinor),
    accepted: acceptedOf(transfer),
    takes_better_rate: transfer.takesBetterRate,
    markup_percent: transfer.markupBasisPoints == null ? null : formatBasisPoints(transfer.markupBasisPoints),
    margin: marginOf(transfer),
    status: statusOf[transfer.state],
    state: transfer.state,
    capture_before: transfer.captureBefore?.toISOString() ?? null,
    fraud_warning: transfer.fraudWarning ?? null,
    card_risk: transfer.cardRisk ?? null,
    correct_account_by: transfer.state === 'payout_failed' ? (transfer.correctAccountBy?.toISOString() ?? null) : null,
    decided_at: transfer.decidedAt?.toISOString() ?? null,
    decided_by: transfer.decidedById ? (users.get(transfer.decidedById)?.name ?? null) : null,
    ...reasonOf(transfer),
    payout_reference: transfer.payoutReference ?? null,
    cancel_requested: transfer.cancelRequestedAt != null,
    refund: refunds.get(transfer.id) ?? null,
    returned: formatMinor(transfer.returnedMinor),
    payout_returned: formatMinor(transfer.payoutReturnedMinor),
    paid_again: formatMinor(transfer.paidAgainMinor),
    rest_paid: formatMinor(transfer.restPaidMinor),
    rest_refunded: formatMinor(transfer.restRefundedMinor),
    rest_kept: formatMinor(transfer.restKeptMinor),
    questions: questionsOf(transfer),
    timeline: timelines.get(transfer.id) ?? [],
  }));
}

function amountsOf(transfer: Transfer): Pick<TransferView, 'currency' | 'amount' | 'fee' | 'rate'> {
  return {
    currency: transfer.currency,
    amount: formatMinor(transfer.amountMinor),
    fee: formatMinor(transfer.feeMinor),
    rate: formatRate(transfer.rate),
  };
}

/** The terms that the sender accepted, if a better rate applies. */
export function acceptedOf({ acceptedRate, acceptedBolivianosMinor }: Transfer): AcceptedTermsView | null {
  if (acceptedRate == null || acceptedBolivianosMinor == null) return null;
  return { rate: formatRate(acceptedRate), bolivianos: formatMinor(acceptedBolivianosMinor) };
}

/** The amounts returned to the sender, and by the bank. */
export function returnedOf(transfer: Transfer): Pick<TransferView, 'returned' | 'payoutReturned'> {
  return {
    returned: formatMinor(transfer.returnedMinor),
    payoutReturned: formatMinor(transfer.payoutReturnedMinor),
  };
}

/** The part of the charge returned to the sender, and the rest; null: nothing was returned. */
export function partsOf({ amountMinor, returnedMinor }: Transfer): { back: string; left: string } | null {
  if (returnedMinor === 0n) return null;
  return { back: formatMinor(returnedMinor), left: formatMinor(amountMinor - returnedMinor) };
}

/** The reason for its end: in Spanish for everyone, and by code if an admin gave one. */
function reasonOf({ reason = null, rejectionCode: code }: Transfer): Pick<TransferView, 'reason' | 'rejection'> {
  if (!code) return { reason, rejection: null };
  const rejection = { code, note: reason };
  return { reason: rejectionReason(rejection), rejection };
}

/** Questions to the sender are relevant until the decision. */
function questionsOf({ state, questionStatus }: Transfer): TransferView['questions'] {
  return state === 'in_review' ? (questionStatus ?? null) : null;
}

function marginOf({ netMinor, rate, referenceRate, markupBasisPoints }: Transfer): AdminTransferView['margin'] {
  if (referenceRate != null) return formatMinor(exchangeMargin({ netMinor, rate, referenceRate }));
  // Opened before the reference rate was stored.
  return markupBasisPoints == null ? null : formatMinor((netMinor * markupBasisPoints) / 10_000n);
}

function cardOf(transfer: Transfer): TransferView['card'] {
  return transfer.cardBrand && transfer.cardLast4 ? { brand: transfer.cardBrand, last4: transfer.cardLast4 } : null;
}

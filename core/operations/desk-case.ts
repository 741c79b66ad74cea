import { type TransferState, underWayStates } from '../transfers/states.ts';
import type { OperationKind } from './operation.ts';

/** Why a transfer needs a person. The texts appear in the admins' documentation. */
export const caseReasons = {
  operation_slow: 'An effect has been attempted many times without a certain answer; the attempts go on.',
  operation_abandoned: 'An effect was attempted as often as the policy allows; nothing is attempted any more.',
  operation_refused: 'A provider called the request itself wrong, so repeating it is of no use.',
  names_not_cleared:
    'A payout is not sent: a name of it is like one on a sanctions list, or could not be checked. A person says which it is.',
  payout_not_allowed: 'The bank refused to pay this person; compliance decides.',
  payout_unexplained: 'The bank refused a payout with a code that we do not know; the money stays with us.',
  payout_rejected: 'The bank refused the account or its holder; the sender must correct it.',
  payout_returned: 'The bank returned a payment after it had been completed.',
  payout_returned_in_part: 'The bank returned a part of a payment; the family received the rest.',
  refund_failed: 'The card did not take the refund; the sender is owed the money.',
  refund_outside: 'Money was returned to the card without our asking for it.',
  captured_in_part: 'Less than the agreed amount was captured; it cannot be paid out as if it were whole.',
  sender_blocked: 'The account of the sender was blocked while money of the transfer was under way.',
  recipient_changed: 'After a failed payout the sender named another recipient, whom no admin has approved.',
  settlement_by_hand: 'An admin has reserved the transfer to settle it by hand, or has reported that it was.',
  fraud_warning: 'The card’s bank reports the payment as fraud; a refund may keep it from becoming a dispute.',
  dispute_inquiry: 'The card’s bank asks about the payment; an answer or a refund may keep it from becoming a dispute.',
  dispute_opened: 'The holder of the card disputes the payment; evidence is due by a date.',
  dispute_lost: 'A dispute was lost: the amount stays with the holder of the card.',
  correction_failed:
    'A payment or refund that corrects a reported problem was not made; another way is decided on in the report.',
  books_differ: 'Stripe or the bank has other figures for the transfer than our books (core/reconciliation).',
  contradiction: 'A provider says what cannot be true while the transfer is where it is.',
} as const;

/** Outcome of a case without a written resolution, derived from its transfer's state or the card's bank's decision. */
export const caseOutcomes = [
  'account_corrected',
  'bank_could_not_pay',
  'paid',
  'refunding',
  'refunded',
  'uncharged',
  'dispute_lost',
  'dispute_won',
  'dispute_dropped',
  'evidence_submitted',
  'warning_past',
  'sender_unblocked',
  'books_settled',
  'complaint_decided',
  'recipient_approved',
  'settlement_dropped',
  'settlement_refuted',
] as const;
export type CaseOutcome = (typeof caseOutcomes)[number];

export type CaseReason = keyof typeof caseReasons;
export const caseReasonNames = Object.keys(caseReasons) as [CaseReason, ...CaseReason[]];

/** States of a transfer that wait for an operation of a kind. */
export const statesAwaiting: Readonly<Record<OperationKind, readonly TransferState[]>> = {
  authorization: ['awaiting_payment'],
  capture: ['approved'],
  // Before its end, where the quote ran out or the sender cancelled after the approval.
  void: ['awaiting_payment', 'approved', 'rejected', 'cancelled', 'failed', 'expired'],
  // At our loss, where the family was paid.
  refund: ['refunding', 'completed'],
  payout: ['captured'],
  dispute_response: ['captured', 'payout_failed', 'completed', 'refunding', 'refunded'],
};

/** What of a transfer says whether a case is settled. */
export interface SettlementFacts {
  readonly state: TransferState;
  /** The card has no authorization left. */
  readonly voided: boolean;
}

/**
 * Whether the transfer's current state settles a case; `kind` is that of the case's operation. Cases that only a person
 * can close are never settled automatically.
 */
export function isSettled(reason: CaseReason, kind: OperationKind | null, { state, voided }: SettlementFacts): boolean {
  switch (reason) {
    case 'operation_slow':
    case 'operation_abandoned':
    case 'operation_refused':
    case 'names_not_cleared':
    case 'payout_not_allowed':
    case 'payout_unexplained':
      if (!kind) return false;
      return kind === 'void' ? voided || !statesAwaiting.void.includes(state) : !statesAwaiting[kind].includes(state);
    case 'payout_rejected':
    case 'payout_returned':
      return state !== 'payout_failed';
    case 'refund_failed':
      return state === 'refunded';
    case 'captured_in_part':
      return voided || state === 'refunded';
    case 'sender_blocked':
      return !underWayStates.includes(state);
    // A later bank answer may fail the payout again while the new recipient is still unapproved.
    case 'recipient_changed':
      return !underWayStates.includes(state) || state === 'refunding';
    case 'fraud_warning':
      return !['approved', 'captured', 'payout_failed', 'completed'].includes(state);
    case 'payout_returned_in_part':
      return state !== 'completed';
    case 'refund_outside':
    // Closed by the card's bank's decision (domain/payments/sync-disputes.ts).
    case 'dispute_inquiry':
    case 'dispute_opened':
    case 'dispute_lost':
    // The next result of the report closes it (domain/complaints).
    case 'correction_failed':
    // Closed together with its exceptions (domain/reconciliation).
    case 'books_differ':
    // The end of its request closes it (domain/desk-actions/settlement.ts).
    case 'settlement_by_hand':
    case 'contradiction':
      return false;
  }
}

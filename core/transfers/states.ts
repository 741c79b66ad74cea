/** The states of a transfer. The database type and every SQL guard are derived from this table. */
export const transferStates = {
  awaiting_payment: 'The quote is frozen and the card form is open; nothing is held yet.',
  in_review: 'The card is held for the full amount, not charged; an admin has to decide.',
  approved: 'An admin said yes; the hold is about to be captured.',
  captured: 'The card was charged; the payout to the family is on its way.',
  payout_failed:
    'The card was charged and the bank refused or returned the payout; the account is corrected or the money goes back.',
  completed: 'The bank confirmed the payout with a reference.',
  rejected: 'An admin said no; the authorization is voided and nothing is charged.',
  cancelled: 'The sender withdrew before the money was charged; the authorization, if any, is voided.',
  failed:
    'The payment went beyond a limit or paid a reminder twice, or the approved one could not be captured; nothing was charged.',
  expired: 'Not paid in time, declined too often, or not decided before the authorization ended; nothing was charged.',
  refunding: 'The card was charged but nothing is paid out; the money is going back to the card.',
  refunded: 'The full amount, fee included, was returned to the card.',
} as const;

export type TransferState = keyof typeof transferStates;
export const transferStateNames = Object.keys(transferStates) as [TransferState, ...TransferState[]];

/**
 * Who may make a move: the sender, an admin, or the worker acting on facts from the card, the bank or the clock. The
 * family only confirms receipt, which does not change the state.
 */
export type MoveOwner = 'sender' | 'admin' | 'payments' | 'payouts' | 'clock' | 'family';

export interface Move {
  readonly from: readonly TransferState[];
  readonly to: TransferState;
  readonly owner: MoveOwner;
  readonly reason: string;
}

/** Every move there is, by name. A move not listed cannot be made: the guarded UPDATE finds no row. */
export const transferMoves = {
  hold: {
    from: ['awaiting_payment'],
    to: 'in_review',
    owner: 'payments',
    reason: 'Stripe holds the full amount on the card.',
  },
  expire_quote: {
    from: ['awaiting_payment'],
    to: 'expired',
    owner: 'clock',
    reason: 'The quote ran out unpaid and its payment intent is cancelled.',
  },
  stop_declined: {
    from: ['awaiting_payment'],
    to: 'expired',
    owner: 'payments',
    reason: 'The card was declined so often that no further attempt is taken.',
  },
  refuse_over_limit: {
    from: ['awaiting_payment'],
    to: 'failed',
    owner: 'payments',
    reason: 'The card holds an amount with which its sender would have paid more than a limit allows.',
  },
  refuse_repeated: {
    from: ['awaiting_payment'],
    to: 'failed',
    owner: 'payments',
    reason: 'The card holds an amount for a reminder that another transfer paid already.',
  },
  withdraw: {
    from: ['awaiting_payment', 'in_review'],
    to: 'cancelled',
    owner: 'sender',
    reason: 'The sender changed their mind before any charge.',
  },
  approve: {
    from: ['in_review'],
    to: 'approved',
    owner: 'admin',
    reason: 'An admin checked the transfer and approved it.',
  },
  reject: { from: ['in_review'], to: 'rejected', owner: 'admin', reason: 'An admin declined the transfer.' },
  expire_authorization: {
    from: ['in_review'],
    to: 'expired',
    owner: 'clock',
    reason: 'The authorization came near its end without a decision.',
  },
  lose_authorization: {
    from: ['in_review'],
    to: 'expired',
    owner: 'payments',
    reason: 'Stripe no longer holds the amount.',
  },
  revoke_approval: {
    from: ['approved'],
    to: 'rejected',
    owner: 'admin',
    reason: 'A hold was found after the approval, and an admin decided not to charge the card.',
  },
  capture: {
    from: ['approved'],
    to: 'captured',
    owner: 'payments',
    reason: 'Stripe, read fresh, says the full amount was received.',
  },
  cancel_authorization: {
    from: ['approved'],
    to: 'cancelled',
    owner: 'payments',
    reason: 'The sender cancelled in time, and the authorization was voided uncaptured.',
  },
  fail_capture: {
    from: ['approved'],
    to: 'failed',
    owner: 'payments',
    reason: 'The authorization was gone before it could be captured.',
  },
  pay_out: { from: ['captured'], to: 'completed', owner: 'payouts', reason: 'The bank paid and gave a reference.' },
  reject_payout: {
    from: ['captured'],
    to: 'payout_failed',
    owner: 'payouts',
    reason: 'The bank refused the account or its holder: the sender must correct it.',
  },
  return_payout: {
    from: ['completed'],
    to: 'payout_failed',
    owner: 'payouts',
    reason: 'The bank returned the whole payment that it had made.',
  },
  pay_again: {
    from: ['payout_failed'],
    to: 'captured',
    owner: 'sender',
    reason: 'The account was corrected; the payout is sent to the bank again.',
  },
  give_up_payout: {
    from: ['captured', 'payout_failed'],
    to: 'refunding',
    owner: 'admin',
    reason: 'An admin decided to return the money, because the bank does not pay it out.',
  },
  ask_money_back: {
    from: ['payout_failed'],
    to: 'refunding',
    owner: 'sender',
    reason: 'The sender wants the money back instead of another payout.',
  },
  expire_correction: {
    from: ['payout_failed'],
    to: 'refunding',
    owner: 'clock',
    reason: 'The sender named no other account in time.',
  },
  pay_by_hand: {
    from: ['captured', 'payout_failed'],
    to: 'completed',
    owner: 'admin',
    reason: 'An admin paid the family by other means and left a proof.',
  },
  book_hand_payout: {
    from: ['refunding', 'refunded'],
    to: 'completed',
    owner: 'admin',
    reason: 'The family was paid by hand before the money went back to the sender; the loss is ours.',
  },
  cancel_charge: {
    from: ['captured'],
    to: 'refunding',
    owner: 'payments',
    reason: 'The sender cancelled in time, and it is certain that nothing was paid out.',
  },
  refund_outside: {
    from: ['captured', 'payout_failed'],
    to: 'refunding',
    owner: 'payments',
    reason: "The whole amount was returned in the card processor's own dashboard.",
  },
  refund: { from: ['refunding'], to: 'refunded', owner: 'payments', reason: 'The whole amount reached the sender.' },
  bounce_refund: {
    from: ['refunded'],
    to: 'refunding',
    owner: 'payments',
    reason: 'A refund that had succeeded came back: the sender is owed the money again.',
  },
} as const satisfies Record<string, Move>;

export type MoveName = keyof typeof transferMoves;

/** Moves that reopen a transfer which had ended, because of something that happened outside of the product. */
export const reopeningMoves: ReadonlySet<string> = new Set<MoveName>([
  'return_payout',
  'bounce_refund',
  'book_hand_payout',
]);

/**
 * States in which the transfer has ended as far as the product can tell. Only the outside world reopens one: a bank that
 * returns a payment, a card that does not take a refund, an admin who had paid the family by hand.
 */
export const finalStates = transferStateNames.filter(
  (state) =>
    !Object.entries<Move>(transferMoves).some(([name, move]) => move.from.includes(state) && !reopeningMoves.has(name)),
);

/** States of a paid transfer that has not ended, so that someone waits for money. */
export const underWayStates = transferStateNames.filter(
  (state) => state !== 'awaiting_payment' && !finalStates.includes(state),
);

/** The API's coarse status (product specification, section 4) with the label each has in the sender's list. */
export const transferStatuses = {
  awaiting_payment: 'Por pagar',
  pending: 'En proceso',
  completed: 'Completado',
  rejected: 'Rechazado',
  cancelled: 'Cancelado',
  failed: 'Fallido',
  expired: 'Vencido',
  refunded: 'Reembolsado',
} as const;

export type TransferStatus = keyof typeof transferStatuses;
export const transferStatusNames = Object.keys(transferStatuses) as [TransferStatus, ...TransferStatus[]];

/** Folds the finer state into the status that lists show; while money is on its way back the transfer counts as refunded. */
export const statusOf: Readonly<Record<TransferState, TransferStatus>> = {
  awaiting_payment: 'awaiting_payment',
  in_review: 'pending',
  approved: 'pending',
  captured: 'pending',
  payout_failed: 'pending',
  completed: 'completed',
  rejected: 'rejected',
  cancelled: 'cancelled',
  failed: 'failed',
  expired: 'expired',
  refunding: 'refunded',
  refunded: 'refunded',
};

/** The states that map to a status. */
export function statesOf(status: TransferStatus): TransferState[] {
  return transferStateNames.filter((state) => statusOf[state] === status);
}

/** States of paid transfers that were not refunded: they count towards a sender's limits. */
export const paidStates: readonly TransferState[] = ['in_review', 'approved', 'captured', 'payout_failed', 'completed'];

/** States in which a transfer that was never paid is a draft that ended: its sender's list shows it only on request. */
export const abandonedStates: readonly TransferState[] = ['cancelled', 'expired'];

/** States of transfers whose card is held or charged, until the money is where it belongs. */
export const statesUnderWay: readonly TransferState[] = transferStateNames.filter(
  (state) => state !== 'awaiting_payment' && !finalStates.includes(state),
);

/** States of transfers that ended without a charge: whatever is still authorized on the card is voided. */
export const endedUnpaidStates: readonly TransferState[] = ['rejected', 'cancelled', 'failed', 'expired'];

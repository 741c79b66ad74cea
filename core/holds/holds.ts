import { type DisputeBooking, isDecidedAgainstUs, isInquiry, isOpenDispute } from '../operations/dispute.ts';
import type { OperationKind } from '../operations/operation.ts';

/** The ways in which the money of a transfer can move. */
export const movements = {
  capture: 'Charge the card that holds the amount.',
  payout: 'Pay the family what was promised.',
  second_payout:
    'Pay the family once more: at our expense, to resolve a complaint, or what the bank returned of its payout.',
  refund: 'Return charged money to the card.',
  cancellation: 'Record that the sender cancels.',
  account_correction: 'Replace the account to be paid, after a failed payout.',
  hand_payout: 'Pay the family by other means than the payout rail.',
  hand_refund: 'Return the money to the sender by other means than the card.',
} as const;

export type Movement = keyof typeof movements;
export const movementNames = Object.keys(movements) as [Movement, ...Movement[]];

/** Reasons for which a movement has to wait. */
export const holdReasons = {
  dispute_open: 'The cardholder disputes the charge and the card’s bank has not decided.',
  dispute_lost: 'A lost or prevented dispute took charged money, so what is left no longer covers the payout.',
  charged_back: 'The card’s bank took the charge back after the family had been paid.',
  inquiry_open: 'The card’s bank asks about the charge; it may become a dispute.',
  fraud_warning: 'The card’s bank reports the charge as fraud.',
  refund_outside: 'Charged money was returned, or is being returned, without our request.',
  refund_made:
    'Our own refund returned charged money, or may have, before the bank returned the payout: what is left no longer covers it.',
  captured_in_part: 'Less than the agreed amount was captured.',
  sender_blocked: 'The account of the sender is blocked.',
  request_waiting: 'An action of an admin waits for a second person.',
  settlement_by_hand: 'An admin has reserved the transfer to settle it by hand, or has reported that it was.',
  payout_unknown: 'The bank may have executed a payout and has not confirmed how it ended.',
  names_not_cleared: 'A name was not cleared of the sanctions lists.',
  recipient_changed: 'The sender named another recipient after the approval, and no admin has approved it.',
  money_stop: 'An admin or the system has stopped movements of this kind.',
} as const;

export type HoldReason = keyof typeof holdReasons;
export const holdReasonNames = Object.keys(holdReasons) as [HoldReason, ...HoldReason[]];

const toFamily = ['payout', 'second_payout', 'hand_payout'] as const satisfies readonly Movement[];
const toSender: readonly Movement[] = ['refund', 'hand_refund'];
const isToSender = (movement: Movement) => toSender.includes(movement);

/**
 * The movements that each reason blocks; all others may continue. Money may return to a sender wherever that cannot pay
 * anyone twice. A cancellation is only recorded, so hardly anything blocks it.
 */
const held: Readonly<Record<HoldReason, readonly Movement[]>> = {
  dispute_open: ['capture', ...toFamily, ...toSender],
  dispute_lost: [...toFamily, 'account_correction'],
  charged_back: ['second_payout', ...toSender],
  inquiry_open: ['capture', ...toFamily],
  fraud_warning: ['capture', ...toFamily, 'account_correction'],
  refund_outside: [...toFamily, 'account_correction'],
  // A second payout and the refunds of reports are weighed against each other when they are decided on.
  refund_made: ['payout', 'hand_payout', 'account_correction'],
  captured_in_part: ['capture', ...toFamily, 'account_correction'],
  sender_blocked: ['capture', ...toFamily, 'account_correction'],
  // The request may be for any of them. The sender's own decision takes precedence: it ends the request.
  request_waiting: ['capture', ...toFamily, ...toSender],
  settlement_by_hand: [...toFamily, ...toSender, 'account_correction', 'cancellation'],
  // Another payout is another order; the unknown one itself is repeated under its own id.
  payout_unknown: [...toFamily, ...toSender, 'account_correction'],
  names_not_cleared: toFamily,
  recipient_changed: toFamily,
  money_stop: ['capture', 'payout', 'second_payout'],
};

/** Whether a reason holds a movement permanently: Stripe does not refund a charge that the card's bank has taken back. */
export function neverEnds(reason: HoldReason, movement: Movement): boolean {
  return reason === 'charged_back' && movement === 'refund';
}

/** Whether a reason holds a movement. */
export function isHeldBy(reason: HoldReason, movement: Movement): boolean {
  return held[reason].includes(movement);
}

/** A reason for which a movement waits. `subject` tells holds with one reason apart: the id of a dispute, a request or a stop. */
export interface Hold {
  readonly reason: HoldReason;
  readonly subject: string;
}

/** What of a transfer decides about holds; amounts in minor units. */
export interface HoldFacts {
  readonly disputes: readonly {
    readonly id: string;
    readonly status: string;
    readonly amountMinor: bigint;
    /** How it is booked. */
    readonly booking: DisputeBooking;
    /** Whether Stripe accepts refunds of the charge. */
    readonly refundable: boolean;
  }[];
  /** Stripe's id of an actionable warning, or null: a later warning is another hold. */
  readonly fraudWarning: string | null;
  /** Pending or completed refunds that were not requested here. */
  readonly outsideRefunds: readonly string[];
  /** Refunds of ours that returned money, or may have. */
  readonly ownRefunds: readonly string[];
  readonly capturedInPart: boolean;
  /** When the account of the sender was blocked (ISO 8601), or null: a new block is another hold. */
  readonly senderBlocked: string | null;
  /** Requests that wait for a second person. `settles`: it reports or reserves a settlement by hand. */
  readonly requests: readonly { readonly id: string; readonly settles: boolean }[];
  /** Payouts that the bank may have executed. */
  readonly unknownPayouts: readonly string[];
  /** The last payout, where its names were not cleared when it was attempted, or null. Only its own next attempt may find that they are. */
  readonly namesNotCleared: string | null;
  /** The open case about a recipient whom no admin has approved, or null. */
  readonly recipientChanged: string | null;
  /** Active stops that apply to a movement. */
  readonly stops: readonly { readonly id: string; readonly movements: readonly Movement[] }[];
  /** Holds that two people have overruled. */
  readonly releases: readonly Hold[];
}

/**
 * The reasons for which a movement of a transfer has to wait; none: it may go on. `requestedBy`: the request or operation that asks for
 * the movement and so does not hold it.
 */
export function holdsOf(facts: HoldFacts, movement: Movement, requestedBy?: string): Hold[] {
  const { disputes, fraudWarning, outsideRefunds, ownRefunds, requests, unknownPayouts, stops, releases } = facts;
  const ofDisputes = disputes.flatMap(({ id: subject, status, booking, refundable }): Hold[] => {
    if (isInquiry(status)) return isOpenDispute(status) ? [{ reason: 'inquiry_open', subject }] : [];
    if (isOpenDispute(status) && !isDecidedAgainstUs(status) && !refundable)
      return [{ reason: 'dispute_open', subject }];
    if (booking === 'none') return [];
    return [{ reason: booking === 'lost' ? 'charged_back' : 'dispute_lost', subject }];
  });
  const holds: Hold[] = [
    ...ofDisputes,
    ...(fraudWarning === null ? [] : [{ reason: 'fraud_warning', subject: fraudWarning } as const]),
    ...outsideRefunds.map((subject) => ({ reason: 'refund_outside', subject }) as const),
    ...ownRefunds.map((subject) => ({ reason: 'refund_made', subject }) as const),
    ...(facts.capturedInPart ? [{ reason: 'captured_in_part', subject: 'charge' } as const] : []),
    ...(facts.senderBlocked ? [{ reason: 'sender_blocked', subject: facts.senderBlocked } as const] : []),
    ...requests.map(
      ({ id: subject, settles }): Hold => ({ reason: settles ? 'settlement_by_hand' : 'request_waiting', subject }),
    ),
    ...unknownPayouts.map((subject) => ({ reason: 'payout_unknown', subject }) as const),
    ...(facts.namesNotCleared ? [{ reason: 'names_not_cleared', subject: facts.namesNotCleared } as const] : []),
    ...(facts.recipientChanged ? [{ reason: 'recipient_changed', subject: facts.recipientChanged } as const] : []),
    ...stops
      .filter((stop) => stop.movements.includes(movement))
      .map(({ id: subject }): Hold => ({ reason: 'money_stop', subject })),
  ];
  return holds.filter(
    ({ reason, subject }) =>
      isHeldBy(reason, movement) &&
      subject !== requestedBy &&
      // A release accepts a payment to the family; it never returns money as well.
      (isToSender(movement) || !releases.some((release) => release.reason === reason && release.subject === subject)),
  );
}

/** The movement that an operation makes. Freeing a card waits for open disputes as a refund does, because it may have to be one. */
export function movementOf({
  kind,
  complaintId,
  restRequestId,
}: {
  kind: OperationKind;
  complaintId?: string | null;
  restRequestId?: string | null;
}): Movement {
  if (kind === 'payout') return complaintId || restRequestId ? 'second_payout' : 'payout';
  return kind === 'capture' ? 'capture' : 'refund';
}

/** The last error of an operation that waits for holds, for admins and for the query that resumes it. */
export function heldError(holds: readonly Hold[]): string {
  return `${heldPrefix}${[...new Set(holds.map(({ reason }) => reason))].join(', ')}`;
}

/** How the last error of an operation that waits for a hold begins. */
export const heldPrefix = 'held: ';

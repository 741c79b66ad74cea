import { type Hold, type HoldFacts, type HoldReason, holdsOf, type Movement } from '../holds/holds.ts';
import { finalStates, type TransferState } from '../transfers/states.ts';
import { type CaseReason, statesAwaiting } from './desk-case.ts';
import { leftOfCharge } from './left-of-charge.ts';
import { isCertainlyUndone, type OperationKind, type OperationStatus, openStatuses } from './operation.ts';
import { canKeepRest, canPayRest, canRefundRest, restOf } from './rest-actions.ts';

/** The actions that a person can take in a case. */
export const deskActionDescriptions = {
  retry: 'Attempt the operation again.',
  give_up_and_refund: 'Return the money instead of paying it out.',
  refund_at_loss:
    'Return the money to the card although the family was paid, so that it is not disputed; the loss is ours.',
  pay_by_hand:
    'Reserve the transfer to pay the family by other means; what was paid is reported afterwards, with proof.',
  refund_by_hand:
    'Reserve the transfer to pay the sender back by other means; what was paid is reported afterwards, with proof.',
  pay_rest: 'Pay the family again what the bank returned of its payout.',
  refund_rest: 'Return to the sender the share of the charge that the bank returned of the payout.',
  keep_rest: 'The sender has its share of the charge back already, so that what the bank returned covers our loss.',
  release_hold:
    'Let the money go on although something speaks against it; a loss would be ours. Or approve another recipient.',
  resolve: 'Nothing more has to be done.',
} as const;

export type DeskAction = keyof typeof deskActionDescriptions;
export const deskActions = Object.keys(deskActionDescriptions) as [DeskAction, ...DeskAction[]];

/** Operation fields that determine which actions are allowed; amounts in minor units. */
export interface OperationFacts {
  readonly id: string;
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  /** Whether it was sent to its provider, or its provider knows it. */
  readonly sent: boolean;
  /** Whether we began it, rather than a person in Stripe's dashboard or a lost dispute. */
  readonly ours: boolean;
  readonly amountMinor: bigint;
  /** Its next attempt lies in the future. */
  readonly waiting: boolean;
  /** The report that it corrects, where it is a second payout to a family that was paid; null for any other. */
  readonly complaintId: string | null;
  /** What of a payout the bank returned. */
  readonly returnedMinor: bigint;
  /** The request about the rest that it executes, or null. */
  readonly restRequestId: string | null;
  /** Bolivianos whose share of the charge a refund returns, in centavos; null for any other operation. */
  readonly restMinor: bigint | null;
}

/** What of a case and its transfer decides about actions. */
export interface DeskFacts<Operation extends OperationFacts = OperationFacts> {
  readonly reason: CaseReason;
  /** The operation that the case is about, or null. */
  readonly operationId: string | null;
  readonly state: TransferState;
  readonly hasRecipient: boolean;
  readonly cancelRequested: boolean;
  readonly holds: HoldFacts;
  /** The charged amount, in minor units of its currency. */
  readonly amountMinor: bigint;
  /** What of the charge was exchanged, without the fee, in minor units of its currency. */
  readonly netMinor: bigint;
  /** The payout to the family, in centavos. */
  readonly bolivianosMinor: bigint;
  /** The part of the rest that covers a loss of ours, in centavos (`keep_rest`). */
  readonly keptMinor: bigint;
  /** The kind of operation the case is about, or null. */
  readonly kind: OperationKind | null;
  /** The report that this operation corrects, or null. */
  readonly complaintId: string | null;
  /** The request about the rest that this operation carries out, or null. */
  readonly restRequestId: string | null;
  /** All operations of the transfer, each kind in the order of its sequence. */
  readonly operations: readonly Operation[];
}

/** The kind of operation that a case concerns if it has no operation itself. */
export const kindOfReason: Readonly<Record<CaseReason, OperationKind | null>> = {
  operation_slow: null,
  operation_abandoned: null,
  operation_refused: null,
  names_not_cleared: 'payout',
  payout_not_allowed: 'payout',
  payout_unexplained: 'payout',
  payout_rejected: 'payout',
  payout_returned: 'payout',
  payout_returned_in_part: 'payout',
  refund_failed: 'refund',
  refund_outside: null,
  captured_in_part: null,
  sender_blocked: null,
  recipient_changed: null,
  settlement_by_hand: null,
  fraud_warning: null,
  dispute_inquiry: 'dispute_response',
  dispute_opened: 'dispute_response',
  dispute_lost: null,
  correction_failed: null,
  books_differ: null,
  contradiction: null,
};

/** Case reasons with money still owed to someone until the transfer has ended. */
const aboutMoney: ReadonlySet<CaseReason> = new Set<CaseReason>([
  'operation_abandoned',
  'operation_refused',
  'names_not_cleared',
  'payout_not_allowed',
  'payout_unexplained',
  'captured_in_part',
  'recipient_changed',
  'payout_rejected',
  'payout_returned',
  'refund_failed',
]);

/** Cases closed by the card's bank's decision, by a decision in the reconciliation, or by their own request. */
const decidedOutside: ReadonlySet<CaseReason> = new Set<CaseReason>([
  'dispute_inquiry',
  'dispute_opened',
  'books_differ',
  'settlement_by_hand',
]);

/** States in which a transfer makes no progress without an open operation. */
const waitingStates: readonly TransferState[] = ['approved', 'captured', 'payout_failed', 'refunding'];

const isOpen = ({ status }: OperationFacts) => openStatuses.includes(status);

/** Whether it was ordered by a report or a request about the rest instead of following from the transfer's state. */
const isOrdered = ({ complaintId, restRequestId }: Pick<OperationFacts, 'complaintId' | 'restRequestId'>) =>
  complaintId !== null || restRequestId !== null;

/** Whether the bank may have executed a payout and has not confirmed how it ended. */
function isUnknownPayout(operation: OperationFacts): boolean {
  return operation.kind === 'payout' && operation.status !== 'succeeded' && !isCertainlyUndone(operation);
}

/** Whether an operation was given up although it may have had its effect. */
function isUnknown(operation: OperationFacts): boolean {
  return operation.status === 'abandoned' && !isCertainlyUndone(operation);
}

/** Whether nothing holds a movement, apart from the request that asks for it. */
function isFree({ holds }: DeskFacts, movement: Movement, requestId?: string): boolean {
  return holdsOf(holds, movement, requestId).length === 0;
}

/** The operation that a retry would attempt again, or null. */
export function operationToRetry<Operation extends OperationFacts>(facts: DeskFacts<Operation>): Operation | null {
  const { kind, state, complaintId, restRequestId } = facts;
  if (!kind) return null;
  // After the payout there may be refunds for several reasons; a retry keeps the amount that was decided on.
  const about = facts.operations.find(({ id }) => id === facts.operationId);
  const amountMinor = kind === 'refund' && state === 'completed' ? about?.amountMinor : undefined;
  const last = facts.operations.findLast(
    (one) =>
      one.kind === kind &&
      one.ours &&
      one.complaintId === complaintId &&
      one.restRequestId === restRequestId &&
      (amountMinor === undefined || one.amountMinor === amountMinor),
  );
  if (!last) return null;
  const ordered = isOrdered(facts);
  const wanted = ordered
    ? state === 'completed' &&
      // A hold does not prevent an inquiry about an earlier attempt.
      (isUnknown(last) || isFree(facts, kind === 'payout' ? 'second_payout' : 'refund', last.id))
    : statesAwaiting[kind].includes(state);
  if (!wanted) return null;
  // A new payout is another order for the bank: none while an earlier one may have been executed.
  if (kind === 'payout' && last.status === 'failed' && facts.operations.some(isUnknownPayout)) return null;
  const stopped = last.status === 'failed' || last.status === 'abandoned';
  if (!stopped && !(last.status === 'unknown' && last.waiting)) return null;
  // A correction or an order about the rest that had no effect is decided again, in its report or case.
  if (ordered && stopped && isCertainlyUndone(last)) return null;
  if (kind !== 'refund' || !isCertainlyUndone(last)) return last;
  if (facts.operations.some((one) => one.kind === 'refund' && one.id !== last.id && one.ours && isOpen(one)))
    return null;
  // The money may have been returned in another way since.
  const left = state === 'completed' ? leftOfCharge(facts).leftMinor - last.amountMinor : owedMinor(facts) - 1n;
  if (left < 0n) return null;
  return last;
}

/** The unreturned part of a charge being refunded, in minor units. */
export function owedMinor({ amountMinor, operations }: Pick<DeskFacts, 'amountMinor' | 'operations'>): bigint {
  const returned = operations.filter(({ kind, status }) => kind === 'refund' && status === 'succeeded');
  return returned.reduce((owed, refund) => owed - refund.amountMinor, amountMinor);
}

/** Whether the family was not paid for certain, so that the money may go another way than by the payout. */
function isUnpaid({ state, operations }: DeskFacts): boolean {
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  return (state === 'captured' || state === 'payout_failed') && payouts.every(isCertainlyUndone);
}

/** Whether the card of an approved transfer was charged, as far as is known: only a reading of Stripe tells. In part it certainly was. */
function mayBeCharged({ operations, holds }: DeskFacts): boolean {
  const capture = operations.findLast(({ kind }) => kind === 'capture');
  return capture !== undefined && !isCertainlyUndone(capture) && !holds.capturedInPart;
}

/**
 * Whether Stripe confirmed that the card of an approved transfer was not charged, and no further attempt will be made.
 */
function isUncaptured({ state, operations }: DeskFacts): boolean {
  return state === 'approved' && operations.findLast(({ kind }) => kind === 'capture')?.status === 'failed';
}

/**
 * The case in which two people may overrule a hold; the case about the rest works as well. Other holds end with their
 * cause: a decision of the card's bank or of a second person, the end of a stop, another screening, the bank's answer
 * about an earlier payout.
 */
export const caseOfHold: Partial<Readonly<Record<HoldReason, CaseReason>>> = {
  dispute_lost: 'dispute_lost',
  charged_back: 'dispute_lost',
  inquiry_open: 'dispute_inquiry',
  fraud_warning: 'fraud_warning',
  refund_outside: 'refund_outside',
  refund_made: 'payout_returned',
  sender_blocked: 'sender_blocked',
  recipient_changed: 'recipient_changed',
};

/** Whether a case is about a partial return of a payout while the transfer stays completed. */
function isAboutRest({ reason, state }: DeskFacts): boolean {
  return reason === 'payout_returned_in_part' && state === 'completed';
}

/**
 * Whether the rest may be paid. Uncleared names block the payout itself, not the order: the worker checks them again.
 */
function isPayable({ holds, hasRecipient }: DeskFacts, requestId?: string): boolean {
  return (
    hasRecipient && holdsOf(holds, 'second_payout', requestId).every(({ reason }) => reason === 'names_not_cleared')
  );
}

/** The next movement of money to the family; null when none is due. */
function nextToFamily(facts: DeskFacts): Movement | null {
  switch (facts.state) {
    case 'approved':
      return 'capture';
    case 'captured':
    case 'payout_failed':
      return 'payout';
    case 'completed':
      return secondPayoutMinor(facts) > 0n ? 'second_payout' : null;
    default:
      return null;
  }
}

/** The amount of an ordered, unpaid second payout, or else the rest, in centavos. */
function secondPayoutMinor(facts: DeskFacts): bigint {
  const ordered = facts.operations.find((one) => one.kind === 'payout' && isOrdered(one) && isOpen(one));
  if (ordered) return ordered.amountMinor;
  const { owedMinor: restMinor, leftMinor } = restOf(facts);
  return leftMinor > 0n ? restMinor : 0n;
}

/** The holds on the next movement to the family that two people may overrule from this case. */
export function releasableHolds(facts: DeskFacts): Hold[] {
  const movement = nextToFamily(facts);
  if (!movement) return [];
  return holdsOf(facts.holds, movement).filter(({ reason }) => {
    const releasedIn = caseOfHold[reason];
    return releasedIn !== undefined && (releasedIn === facts.reason || isAboutRest(facts));
  });
}

const isHeldBack = (facts: DeskFacts) => releasableHolds(facts).length > 0;

/** Whether a retry would query the provider about an operation that may have moved money. */
function hasUnknownOutcome(facts: DeskFacts): boolean {
  const operation = operationToRetry(facts);
  return operation !== null && operation.kind !== 'dispute_response' && isUnknown(operation);
}

/** Each action's condition; `requestId`: the request that asks for it. */
const conditions: Readonly<Record<DeskAction, (facts: DeskFacts, requestId?: string) => boolean>> = {
  retry: (facts) => operationToRetry(facts) !== null,
  give_up_and_refund: (facts, requestId) =>
    isFree(facts, 'refund', requestId) &&
    (isUnpaid(facts) ||
      isUncaptured(facts) ||
      (facts.state === 'approved' && !isFree(facts, 'capture', requestId) && !mayBeCharged(facts))),
  refund_at_loss: (facts, requestId) =>
    facts.reason === 'fraud_warning' &&
    facts.state === 'completed' &&
    isFree(facts, 'refund', requestId) &&
    !facts.operations.some((one) => one.kind === 'refund' && isOpen(one)) &&
    !facts.operations.some((one) => isOrdered(one) && (isOpen(one) || isUnknownPayout(one))) &&
    owedMinor(facts) > 0n,
  pay_by_hand: (facts, requestId) =>
    isUnpaid(facts) && facts.hasRecipient && !facts.cancelRequested && isFree(facts, 'hand_payout', requestId),
  refund_by_hand: (facts, requestId) => {
    const refunds = facts.operations.filter(({ kind, status }) => kind === 'refund' && status !== 'succeeded');
    const failed = refunds.some(({ status }) => status === 'failed');
    return (
      isFree(facts, 'hand_refund', requestId) &&
      facts.state === 'refunding' &&
      failed &&
      refunds.every(isCertainlyUndone) &&
      owedMinor(facts) > 0n
    );
  },
  pay_rest: (facts, requestId) => isAboutRest(facts) && canPayRest(facts) && isPayable(facts, requestId),
  refund_rest: (facts, requestId) =>
    isAboutRest(facts) &&
    canRefundRest(facts) &&
    holdsOf(facts.holds, 'refund', requestId).every(
      // Where the family keeps nothing, what a lost dispute took is a part of the refund.
      ({ reason }) => reason === 'charged_back' && restOf(facts).keepsNothing,
    ),
  keep_rest: (facts) => isAboutRest(facts) && canKeepRest(facts),
  release_hold: isHeldBack,
  resolve: (facts) => {
    const { reason, state, operations } = facts;
    if (decidedOutside.has(reason) || isHeldBack(facts) || hasUnknownOutcome(facts)) return false;
    if (isAboutRest(facts) && restOf(facts).owedMinor > 0n) return false;
    if (finalStates.includes(state)) return true;
    const standsStill = waitingStates.includes(state) && !operations.some(isOpen);
    return !standsStill && !aboutMoney.has(reason);
  },
};

/** Whether a person can do this about an open case now. `requestId`: the request that asks for it, which does not hold it. */
export function isPossible(action: DeskAction, facts: DeskFacts, requestId?: string): boolean {
  return conditions[action](facts, requestId);
}

/** Everything a person can do about an open case now. */
export function possibleActions(facts: DeskFacts): DeskAction[] {
  return deskActions.filter((action) => isPossible(action, facts));
}

/** Money paid by an action or by hand: bolivianos to the family, or the sender's currency back to them. */
export interface MoneyMoved {
  readonly to: 'family' | 'sender';
  readonly amountMinor: bigint;
}

/**
 * What an action pays, or null when it pays nothing. A retry counts as a payment when its operation was abandoned,
 * since nothing would be paid otherwise.
 */
export function moneyMoved(action: DeskAction, facts: DeskFacts): MoneyMoved | null {
  switch (action) {
    case 'release_hold':
      // Approving another recipient only lets the approved payout go on; it adds no payment.
      if (facts.reason === 'recipient_changed') return null;
      return {
        to: 'family',
        amountMinor: facts.state === 'completed' ? secondPayoutMinor(facts) : facts.bolivianosMinor,
      };
    case 'pay_by_hand':
      return { to: 'family', amountMinor: facts.bolivianosMinor };
    case 'give_up_and_refund':
      return facts.state === 'approved' ? null : { to: 'sender', amountMinor: owedMinor(facts) };
    case 'refund_at_loss':
    case 'refund_by_hand':
      return { to: 'sender', amountMinor: owedMinor(facts) };
    case 'pay_rest':
      return { to: 'family', amountMinor: restOf(facts).owedMinor };
    case 'refund_rest': {
      const { refundMinor: amountMinor } = restOf(facts);
      return amountMinor > 0n ? { to: 'sender', amountMinor } : null;
    }
    case 'retry': {
      const operation = operationToRetry(facts);
      if (operation?.status !== 'abandoned') return null;
      if (operation.kind === 'payout') return { to: 'family', amountMinor: operation.amountMinor };
      return operation.kind === 'refund' ? { to: 'sender', amountMinor: operation.amountMinor } : null;
    }
    case 'keep_rest':
    case 'resolve':
      return null;
  }
}

/**
 * Actions on a completed transfer that move money for the first time: it came back from the bank.
 */
export const restActions: ReadonlySet<DeskAction> = new Set<DeskAction>(['pay_rest', 'refund_rest']);

/** Whether a second person has to agree: to a loss that is risked, to money of at least the limit (US cents), or moved by hand a second time. */
export function needsTwoPersons(input: {
  risksLoss?: boolean;
  movesMoney: boolean;
  usdMinor: bigint;
  limitUsdMinor: bigint;
  movedBefore: boolean;
}): boolean {
  return input.risksLoss || (input.movesMoney && (input.movedBefore || input.usdMinor >= input.limitUsdMinor));
}

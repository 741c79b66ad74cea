import { finalStates, type TransferState } from '../transfers/states.ts';
import { type CaseReason, statesAwaiting } from './desk-case.ts';
import { type OperationKind, type OperationStatus, openStatuses } from './operation.ts';

/** What a person can do about a case, a sentence each. */
export const deskActionDescriptions = {
  retry: 'Attempt the operation again.',
  give_up_and_refund: 'Return the money instead of paying it out.',
  refund_at_loss:
    'Return the money to the card although the family was paid, so that it is not disputed; the loss is ours.',
  pay_by_hand: "The family was paid by other means, with the bank's number, the exact amount and a proof.",
  refund_by_hand: "The sender was paid back by other means, with the bank's number, the exact amount and a proof.",
  resolve: 'Nothing more has to be done.',
} as const;

export type DeskAction = keyof typeof deskActionDescriptions;
export const deskActions = Object.keys(deskActionDescriptions) as [DeskAction, ...DeskAction[]];

/** What of an operation decides about actions; amounts in minor units. */
export interface OperationFacts {
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly amountMinor: bigint;
  /** Its next attempt lies in the future. */
  readonly waiting: boolean;
  /** The report that it corrects, where it is a second payout to a family that was paid; null for any other. */
  readonly complaintId: string | null;
}

/** What of a case and its transfer decides about actions. */
export interface DeskFacts<Operation extends OperationFacts = OperationFacts> {
  readonly reason: CaseReason;
  readonly state: TransferState;
  /** Whether there is a recipient who may be paid: the names of the last payout were not what kept it from being sent. */
  readonly payable: boolean;
  readonly cancelRequested: boolean;
  /** A dispute keeps its money where it is. */
  readonly disputed: boolean;
  /** The charged amount, in minor units of its currency. */
  readonly amountMinor: bigint;
  /** What the family is to be paid, in centavos. */
  readonly bolivianosMinor: bigint;
  /** The kind of operation the case is about, or null. */
  readonly kind: OperationKind | null;
  /** The report that this operation corrects, or null. */
  readonly complaintId: string | null;
  /** All operations of the transfer, each kind in the order of its sequence. */
  readonly operations: readonly Operation[];
}

/** The kind of operation that a case without one of its own is about. */
export const kindOfReason: Readonly<Record<CaseReason, OperationKind | null>> = {
  operation_slow: null,
  operation_abandoned: null,
  operation_refused: null,
  names_not_cleared: 'payout',
  payout_rejected: 'payout',
  payout_returned: 'payout',
  payout_returned_in_part: 'payout',
  refund_failed: 'refund',
  refund_outside: null,
  fraud_warning: null,
  dispute_inquiry: 'dispute_response',
  dispute_opened: 'dispute_response',
  dispute_lost: null,
  correction_failed: null,
  books_differ: null,
  contradiction: null,
};

/** Reasons for which somebody is still owed money, until the transfer has reached its end. */
const aboutMoney: ReadonlySet<CaseReason> = new Set<CaseReason>([
  'operation_abandoned',
  'operation_refused',
  'names_not_cleared',
  'payout_rejected',
  'payout_returned',
  'refund_failed',
]);

/** What the card's bank ends, by its decision, and what is decided where the books are compared. */
const decidedOutside: ReadonlySet<CaseReason> = new Set<CaseReason>([
  'dispute_inquiry',
  'dispute_opened',
  'books_differ',
]);

/** States in which a transfer stands still unless an operation of it is open. */
const waitingStates: readonly TransferState[] = ['approved', 'captured', 'payout_failed', 'refunding'];

const isOpen = ({ status }: OperationFacts) => openStatuses.includes(status);
const neverAttempted = ({ attempts, lastError }: OperationFacts) => attempts === 0 && lastError === null;

/** Whether it is certain that an operation had no effect: its provider refused it, or it was never attempted. */
export function isCertainlyUndone(operation: OperationFacts): boolean {
  const { status } = operation;
  return status === 'failed' || ((status === 'pending' || status === 'abandoned') && neverAttempted(operation));
}

/** The operation that a retry would attempt again, or null. */
export function operationToRetry<Operation extends OperationFacts>(facts: DeskFacts<Operation>): Operation | null {
  const { kind, state, complaintId, disputed } = facts;
  if (!kind) return null;
  const wanted = complaintId ? state === 'completed' && !disputed : statesAwaiting[kind].includes(state);
  const last = facts.operations.findLast((one) => one.kind === kind && one.complaintId === complaintId);
  if (!wanted || !last) return null;
  // What the bank refused of a correction is decided on anew, in the report.
  if (complaintId && last.status === 'failed') return null;
  const stopped = last.status === 'failed' || last.status === 'abandoned';
  if (!stopped && !(last.status === 'unknown' && last.waiting)) return null;
  if (kind === 'refund' && last.status === 'failed' && owedMinor(facts) <= 0n) return null;
  return last;
}

/** What the sender is still owed of a charge that goes back, in minor units. */
export function owedMinor({ amountMinor, operations }: Pick<DeskFacts, 'amountMinor' | 'operations'>): bigint {
  const returned = operations.filter(({ kind, status }) => kind === 'refund' && status === 'succeeded');
  return returned.reduce((owed, refund) => owed - refund.amountMinor, amountMinor);
}

/** Whether the money may go another way than to the family: every payout had no effect for certain. */
function mayGoAnotherWay({ state, disputed, operations }: DeskFacts): boolean {
  if (disputed) return false;
  const payouts = operations.filter(({ kind }) => kind === 'payout');
  return (state === 'captured' || state === 'payout_failed') && payouts.every(isCertainlyUndone);
}

/** Each action's condition. */
const conditions: Readonly<Record<DeskAction, (facts: DeskFacts) => boolean>> = {
  retry: (facts) => operationToRetry(facts) !== null,
  give_up_and_refund: mayGoAnotherWay,
  refund_at_loss: ({ reason, state, disputed, operations, amountMinor }) =>
    reason === 'fraud_warning' &&
    state === 'completed' &&
    !disputed &&
    !operations.some((one) => one.kind === 'refund' && isOpen(one)) &&
    owedMinor({ amountMinor, operations }) > 0n,
  pay_by_hand: (facts) => mayGoAnotherWay(facts) && facts.payable && !facts.cancelRequested,
  refund_by_hand: (facts) => {
    const refunds = facts.operations.filter(({ kind, status }) => kind === 'refund' && status !== 'succeeded');
    const failed = refunds.some(({ status }) => status === 'failed');
    return (
      !facts.disputed &&
      facts.state === 'refunding' &&
      failed &&
      refunds.every(isCertainlyUndone) &&
      owedMinor(facts) > 0n
    );
  },
  resolve: ({ reason, state, operations }) => {
    if (decidedOutside.has(reason)) return false;
    if (finalStates.includes(state)) return true;
    const standsStill = waitingStates.includes(state) && !operations.some(isOpen);
    return !standsStill && !aboutMoney.has(reason);
  },
};

/** Whether a person can do this about an open case now. */
export function isPossible(action: DeskAction, facts: DeskFacts): boolean {
  return conditions[action](facts);
}

/** Everything a person can do about an open case now. */
export function possibleActions(facts: DeskFacts): DeskAction[] {
  return deskActions.filter((action) => isPossible(action, facts));
}

/** Money that an action pays, or that was paid by hand: bolivianos to the family, or what the sender paid with back to them. */
export interface MoneyMoved {
  readonly to: 'family' | 'sender';
  readonly amountMinor: bigint;
}

/**
 * What an action pays, or null when it pays nobody. A retry pays when what it attempts was given up, so that nothing would be
 * paid otherwise.
 */
export function moneyMoved(action: DeskAction, facts: DeskFacts): MoneyMoved | null {
  switch (action) {
    case 'pay_by_hand':
      return { to: 'family', amountMinor: facts.bolivianosMinor };
    case 'give_up_and_refund':
    case 'refund_at_loss':
    case 'refund_by_hand':
      return { to: 'sender', amountMinor: owedMinor(facts) };
    case 'retry': {
      const operation = operationToRetry(facts);
      if (operation?.status !== 'abandoned') return null;
      if (operation.kind === 'payout') return { to: 'family', amountMinor: operation.amountMinor };
      return operation.kind === 'refund' ? { to: 'sender', amountMinor: operation.amountMinor } : null;
    }
    case 'resolve':
      return null;
  }
}

/** Whether a second person has to agree: money of at least the limit (US cents), or money moved by hand a second time. */
export function needsTwoPersons(input: {
  movesMoney: boolean;
  usdMinor: bigint;
  limitUsdMinor: bigint;
  movedBefore: boolean;
}): boolean {
  return input.movesMoney && (input.movedBefore || input.usdMinor >= input.limitUsdMinor);
}

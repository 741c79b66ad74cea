import type { TransferState } from './states.ts';

/** What of a transfer decides how much of the promise its family has; amounts in centavos. */
export interface ArrivedFacts {
  readonly state: TransferState;
  readonly bolivianosMinor: bigint;
  readonly payoutReturnedMinor: bigint;
  readonly paidAgainMinor: bigint;
  readonly restPaidMinor: bigint;
}

/**
 * How much of the promised amount the family has, in centavos: zero before the deposit or after a full return, and
 * otherwise minus the returned part that was not paid again. Payments beyond the promise correct errors of the first
 * payout.
 */
export function arrivedMinor(transfer: ArrivedFacts): bigint {
  if (transfer.state !== 'completed') return 0n;
  const missing = transfer.payoutReturnedMinor - transfer.paidAgainMinor - transfer.restPaidMinor;
  return missing > 0n ? transfer.bolivianosMinor - missing : transfer.bolivianosMinor;
}

/** When the bank confirmed a deposit, and its reference of it. */
export interface Deposit {
  readonly at: Date;
  readonly reference: string | null;
}

/**
 * The deposit that completed a transfer, or null unless it is completed; a deposit that the bank returned in full does
 * not count. `steps`: the history in order, including steps that do not change the state.
 */
export function depositOf(
  { state, payoutReference = null }: { readonly state: TransferState; readonly payoutReference?: string | null },
  steps: readonly Entry[],
): Deposit | null {
  const at = lastEntry(steps, ['completed']);
  return state === 'completed' && at ? { at, reference: payoutReference } : null;
}

interface Entry {
  readonly state: TransferState;
  readonly at: Date;
}

/** When a transfer last entered one of these states, by its history in order, or null. */
export function lastEntry(steps: readonly Entry[], states: readonly TransferState[]): Date | null {
  const entry = steps.findLast(({ state }, index) => states.includes(state) && steps[index - 1]?.state !== state);
  return entry?.at ?? null;
}

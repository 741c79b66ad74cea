import type { Difference } from './movement.ts';

/** A return that the bank reported and our books do not have. What of it cannot be read is null. */
export interface UnbookedReturn {
  /** The bank's id of it, or one of ours. */
  readonly id: string;
  /** The bank's id of the payment. */
  readonly externalId: string | null;
  /** In centavos. */
  readonly amountMinor: bigint | null;
  readonly day: string;
}

/**
 * The difference that a person has to explain. Its money is in the bank's statement and compared there, so this difference has no amount.
 */
export function unbookedReturn({ id, externalId, amountMinor, day }: UnbookedReturn): Difference {
  return {
    ...{ cause: 'return_unknown', side: 'bank', transferId: null, subject: `return ${id}`, reference: externalId },
    ...{ expectedMinor: null, actualMinor: amountMinor, differenceMinor: 0n, currency: 'BOB', day },
  };
}

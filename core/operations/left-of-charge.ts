import { leftForRemedies } from '../complaints/complaint.ts';
import type { HoldFacts } from '../holds/holds.ts';
import { mayMoveMoney, type OperationKind, type OperationStatus } from './operation.ts';

/** Operation fields that determine how much of a charge is left; amounts in minor units. */
interface GivenOperation {
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  readonly sent: boolean;
  readonly amountMinor: bigint;
  readonly returnedMinor: bigint;
  readonly complaintId: string | null;
}

/** Fields of a paid-out transfer that determine how much of its charge is left. */
interface ChargeFacts {
  /** The charged amount, and what of it was exchanged, in minor units of its currency. */
  readonly amountMinor: bigint;
  readonly netMinor: bigint;
  /** The amount promised to the family, in centavos. */
  readonly bolivianosMinor: bigint;
  readonly holds: Pick<HoldFacts, 'disputes'>;
  readonly operations: readonly GivenOperation[];
}

/**
 * The rest of a charge after every refund, lost dispute and second payout that has or may have moved money, and how
 * much of it can be paid to the family again (core/complaints/complaint.ts).
 */
export function leftOfCharge({ operations, holds, amountMinor, ...sent }: ChargeFacts) {
  const counted = operations.filter(mayMoveMoney);
  const refunded = counted.reduce((sum, one) => (one.kind === 'refund' ? sum + one.amountMinor : sum), 0n);
  const lost = holds.disputes.reduce((sum, one) => (one.booking === 'lost' ? sum + one.amountMinor : sum), 0n);
  const again = counted.filter(({ kind, complaintId }) => kind === 'payout' && complaintId !== null);
  const againMinor = again.reduce((sum, one) => sum + one.amountMinor - one.returnedMinor, 0n);
  return leftForRemedies({ keptMinor: amountMinor - refunded - lost, againMinor }, sent);
}

import type { TransferView } from '#core/contracts/http/transfers';
import { formatMinor, parseMinor } from '#core/money/money';
import { arrivedMinor } from '#core/transfers/arrived';

/** What the family gets or has got, decimal text in bolivianos. */
export function arriving(
  transfer: Pick<TransferView, 'state' | 'bolivianos' | 'payoutReturned' | 'paidAgain' | 'restPaid'>,
): string {
  if (transfer.state !== 'completed') return transfer.bolivianos;
  return formatMinor(
    arrivedMinor({
      state: transfer.state,
      bolivianosMinor: minor(transfer.bolivianos),
      payoutReturnedMinor: minor(transfer.payoutReturned),
      paidAgainMinor: minor(transfer.paidAgain),
      restPaidMinor: minor(transfer.restPaid),
    }),
  );
}

const minor = (amount: string) => parseMinor(amount) ?? 0n;

/**
 * What the family of a completed transfer has of what it was promised, in centavos: less what the bank gave back, unless it was paid again.
 * What was paid beyond that corrects what went wrong with the first payout.
 */
export function arrivedMinor(transfer: {
  readonly bolivianosMinor: bigint;
  readonly payoutReturnedMinor: bigint;
  readonly paidAgainMinor: bigint;
  readonly restPaidMinor: bigint;
}): bigint {
  const missing = transfer.payoutReturnedMinor - transfer.paidAgainMinor - transfer.restPaidMinor;
  return missing > 0n ? transfer.bolivianosMinor - missing : transfer.bolivianosMinor;
}

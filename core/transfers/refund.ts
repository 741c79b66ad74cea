import { formatMinor, parseMinor } from '../money/money.ts';
import { type OperationStatus, openStatuses, type Provider } from '../operations/operation.ts';
import type { TransferState } from './states.ts';

/** How money went back to a sender: to the card, or to a bank account because the card did not take it. */
export const refundChannels = ['card', 'bank'] as const;

/** How far the refund of a transfer is. `failed`: some of it did not stay on the card, and the sender is owed the money. */
export const refundStates = ['under_way', 'done', 'failed'] as const;

/** What of a refund is shown to its sender; the amount in minor units. */
export interface RefundFacts {
  readonly status: OperationStatus;
  readonly provider: Provider;
  readonly amountMinor: bigint;
}

/**
 * How far the refund of a transfer in a state is, by its refunds in the order they were made; null without one. While all of it goes back,
 * one that failed is owed although others succeeded. Otherwise each refund is about another part of the charge, and the newest is shown.
 */
export function refundStateOf(
  state: TransferState,
  refunds: readonly RefundFacts[],
): (typeof refundStates)[number] | null {
  const made = refunds.filter(({ status }) => status !== 'abandoned');
  const newest = made.at(-1);
  if (!newest) return null;
  if (state === 'refunded') return 'done';
  const decisive = state === 'refunding' ? made : [newest];
  if (decisive.some(({ status }) => openStatuses.includes(status))) return 'under_way';
  return decisive.some(({ status }) => status === 'failed') ? 'failed' : 'done';
}

/** What of the charge went back by bank transfer and not to the card, in minor units. */
export function returnedByBank(refunds: readonly RefundFacts[]): bigint {
  const paid = refunds.filter(({ status, provider }) => status === 'succeeded' && provider === 'manual');
  return paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The part of the returned amount that went to the card, as decimal text; `byBank`: the part by bank transfer. */
export function returnedToCard({ returned, byBank }: { readonly returned: string; readonly byBank: string }): string {
  return formatMinor((parseMinor(returned) ?? 0n) - (parseMinor(byBank) ?? 0n));
}

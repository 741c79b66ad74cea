import type { CryptoOrderView } from '#core/contracts/http/crypto';
import { cryptoSale, formatUsdc } from '#core/crypto/crypto-order';
import { formatMinor } from '#core/money/money';
import type { CryptoOrder } from './crypto-order.repository.ts';

/** A purchase as its buyer sees it. */
export function toCryptoOrderView(order: CryptoOrder): CryptoOrderView {
  const { networkFeeMinor: network, transactionFeeMinor: transaction } = order;
  const known = network !== null && network !== undefined && transaction !== null && transaction !== undefined;
  return {
    ...cryptoSale,
    id: order.id,
    version: order.version,
    date: order.createdAt.toISOString(),
    amount: formatMinor(order.amountMinor),
    paidAmount: orNull(order.paidMinor, formatMinor),
    walletAddress: order.walletAddress,
    destinationAmount: orNull(order.usdcMillionths, formatUsdc),
    fees: known ? { network: formatMinor(network), transaction: formatMinor(transaction) } : null,
    status: order.status,
    transactionId: order.transactionId ?? null,
    changedAt: order.changedAt.toISOString(),
  };
}

function orNull(value: bigint | null | undefined, format: (value: bigint) => string): string | null {
  return value === null || value === undefined ? null : format(value);
}

import { maximumUsdMinor, minimumMinor } from '../transfers/limits.ts';

/** The one thing sold: USDC on Solana, for dollars (specification, sections 2 and 9). */
export const cryptoSale = { currency: 'usd', destinationCurrency: 'usdc', destinationNetwork: 'solana' } as const;

/** Least and most of one purchase, in US cents: the bounds of a transfer. */
export const cryptoMinimumMinor = minimumMinor;
export const cryptoMaximumMinor = maximumUsdMinor;

/**
 * The statuses of a purchase by rank. A status is only ever replaced by one of a higher rank, so late or reordered
 * events are harmless. `created` is ours (no session at the provider yet), the others are Stripe's. A declined card
 * leaves the purchase in `requires_payment`.
 */
export const cryptoStatusRanks = {
  created: 0,
  initialized: 1,
  requires_payment: 2,
  fulfillment_processing: 3,
  fulfillment_complete: 4,
  rejected: 4,
} as const;
export type CryptoStatus = keyof typeof cryptoStatusRanks;
export const cryptoStatuses = Object.keys(cryptoStatusRanks) as [CryptoStatus, ...CryptoStatus[]];

const finalRank = Math.max(...Object.values(cryptoStatusRanks));

/** Final states: the USDC was delivered, or the provider refused the purchase. */
export function isFinalCryptoStatus(status: CryptoStatus): boolean {
  return cryptoStatusRanks[status] === finalRank;
}

/** Whether a purchase may go from one status to another: onwards only, never out of a final one. */
export function mayFollow(before: CryptoStatus, after: CryptoStatus): boolean {
  return cryptoStatusRanks[after] > cryptoStatusRanks[before];
}

/** The statuses of purchases that may still change. */
export const openCryptoStatuses: readonly CryptoStatus[] = cryptoStatuses.filter(
  (status) => !isFinalCryptoStatus(status),
);

/** USDC is kept in millionths, as the token itself is. */
const usdcDecimals = 6;

/**
 * Reads a decimal amount of USDC ("98.52") into millionths; further decimals are dropped. Null if the text is not an
 * amount.
 */
export function parseUsdc(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text);
  if (!match) return null;
  return BigInt(`${match[1]}${(match[2] ?? '').slice(0, usdcDecimals).padEnd(usdcDecimals, '0')}`);
}

/** An amount of USDC as the api sends it: at least two decimals, at most six, "98.52". */
export function formatUsdc(millionths: bigint): string {
  const digits = millionths.toString().padStart(usdcDecimals + 1, '0');
  const fraction = digits.slice(-usdcDecimals).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -usdcDecimals)}.${fraction}`;
}

/** A wallet's address as people recognise it: its two ends, "9xQe…VFin". */
export function shortWallet(address: string): string {
  return address.length <= 12 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
}

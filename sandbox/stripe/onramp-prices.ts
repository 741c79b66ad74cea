/** Currencies, networks and prices of the onramp. Prices are constant. */

/** Source amount of a session that was created without one. */
export const AMOUNT_DEFAULT = '100.00';

/** Price of one unit in US cents, and the number of its decimals. */
const CRYPTO_CURRENCIES: Record<string, { usdCents: bigint; decimals: number }> = {
  usdc: { usdCents: 100n, decimals: 6 },
  sol: { usdCents: 15_000n, decimals: 9 },
  eth: { usdCents: 300_000n, decimals: 18 },
  btc: { usdCents: 9_000_000n, decimals: 8 },
  matic: { usdCents: 40n, decimals: 18 },
  xlm: { usdCents: 25n, decimals: 7 },
  avax: { usdCents: 2_000n, decimals: 18 },
};

/** Currencies of each network, and its fee in US cents. */
const NETWORKS: Record<string, { currencies: readonly string[]; feeCents: bigint }> = {
  solana: { currencies: ['usdc', 'sol'], feeCents: 1n },
  ethereum: { currencies: ['usdc', 'eth'], feeCents: 250n },
  bitcoin: { currencies: ['btc'], feeCents: 180n },
  polygon: { currencies: ['usdc', 'matic'], feeCents: 2n },
  stellar: { currencies: ['usdc', 'xlm'], feeCents: 1n },
  avalanche: { currencies: ['avax'], feeCents: 5n },
  base_network: { currencies: ['usdc', 'eth'], feeCents: 3n },
};

export const NETWORK_NAMES = Object.keys(NETWORKS);
export const CRYPTO_CURRENCY_NAMES = Object.keys(CRYPTO_CURRENCIES);

/** US cents per unit of the source currency. */
const USD_PER_SOURCE: Record<string, bigint> = { usd: 100n, eur: 108n };
/** The seller's fee, in basis points of the amount. */
const TRANSACTION_FEE_BASIS_POINTS = 150n;

export function isSold(destination: string, network: string): boolean {
  return NETWORKS[network]?.currencies.includes(destination) ?? false;
}

/** The currencies sold on a network. */
export function currenciesOn(network: string): readonly string[] {
  return NETWORKS[network]?.currencies ?? [];
}

export interface OnrampPrice {
  source_amount: string;
  destination_amount: string;
  fees: { network_fee_amount: string; transaction_fee_amount: string };
  /** Amount plus fees: the charge to the card. */
  source_total_amount: string;
}

function upwards(numerator: bigint, divisor: bigint): bigint {
  return (numerator + divisor - 1n) / divisor;
}

function decimalText(units: bigint, decimals: number, least = decimals): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  let fraction = digits.slice(-decimals);
  while (fraction.length > least && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return `${digits.slice(0, -decimals)}.${fraction}`;
}

/** A decimal text in units of `decimals` places; null unless it is a positive amount. */
export function unitsOf(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,9})(?:\.(\d+))?$/.exec(text);
  if (!match || (match[2] ?? '').length > decimals) return null;
  const units = BigInt(match[1] + (match[2] ?? '').padEnd(decimals, '0'));
  return units > 0n ? units : null;
}

export interface OnrampPriceRequest {
  currency: string;
  destination: string;
  network: string;
  /** Decimal text; one of the two is given. */
  source_amount?: string | null;
  destination_amount?: string | null;
}

/** Price of a purchase; null for an invalid amount. */
export function priceOf(request: OnrampPriceRequest): OnrampPrice | null {
  const destination = CRYPTO_CURRENCIES[request.destination];
  const network = NETWORKS[request.network];
  const perSource = USD_PER_SOURCE[request.currency];
  if (!destination || !network || !perSource) return null;
  const scale = 10n ** BigInt(destination.decimals);
  let cents: bigint | null;
  let units: bigint | null;
  if (request.destination_amount) {
    units = unitsOf(request.destination_amount, destination.decimals);
    cents = units && upwards(units * destination.usdCents * 100n, scale * perSource);
  } else {
    cents = unitsOf(request.source_amount ?? '', 2);
    units = cents && (cents * perSource * scale) / (destination.usdCents * 100n);
  }
  if (!cents || !units) return null;
  const transactionFee = upwards(cents * TRANSACTION_FEE_BASIS_POINTS, 10_000n);
  const networkFee = upwards(network.feeCents * 100n, perSource);
  return {
    source_amount: decimalText(cents, 2),
    destination_amount: decimalText(units, destination.decimals, 2),
    fees: { network_fee_amount: decimalText(networkFee, 2), transaction_fee_amount: decimalText(transactionFee, 2) },
    source_total_amount: decimalText(cents + transactionFee + networkFee, 2),
  };
}

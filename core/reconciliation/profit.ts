/**
 * What each account of profit and loss is counted as. In the ledger income has received and costs have given, so the sums of their
 * balances are what we earned.
 */
export const profitParts = {
  fee_income: 'fee',
  exchange_margin: 'margin',
  processor_fees: 'processor',
  loss: 'loss',
  gain: 'loss',
} as const;
export type ProfitAccount = keyof typeof profitParts;
export const profitAccounts = Object.keys(profitParts) as ProfitAccount[];

/** Profit in minor units of one currency: costs and losses are negative. */
export interface Profit {
  readonly fee: bigint;
  /** The exchange margin over the market's reference rate. */
  readonly margin: bigint;
  readonly processor: bigint;
  readonly loss: bigint;
  /** The sum of the others. */
  readonly total: bigint;
}

/** Profit by what accounts of one currency received (negative: gave); other accounts are none of it. */
export function profitOf(balances: readonly { readonly account: string; readonly amountMinor: bigint }[]): Profit {
  const sums = { fee: 0n, margin: 0n, processor: 0n, loss: 0n };
  for (const { account, amountMinor } of balances) {
    if (!Object.hasOwn(profitParts, account)) continue;
    sums[profitParts[account as ProfitAccount]] += amountMinor;
  }
  return withTotal(sums);
}

/** The one definition of what we earn: all parts of a profit, of which costs and losses are negative, added up. */
export function withTotal(parts: Omit<Profit, 'total'>): Profit {
  return { ...parts, total: parts.fee + parts.margin + parts.processor + parts.loss };
}

/** Parts of a transfer's profit that are estimated until the reconciliation books them. */
export const estimatedParts = ['margin', 'processor'] as const;
export type EstimatedPart = (typeof estimatedParts)[number];

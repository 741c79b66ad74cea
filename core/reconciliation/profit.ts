/**
 * The profit part of each profit and loss account. Ledger balances of income are positive and of costs negative, so
 * their sum is our profit.
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

/** Profit from the balances of one currency (negative for costs); ignores other accounts. */
export function profitOf(balances: readonly { readonly account: string; readonly amountMinor: bigint }[]): Profit {
  const sums = { fee: 0n, margin: 0n, processor: 0n, loss: 0n };
  for (const { account, amountMinor } of balances) {
    if (!Object.hasOwn(profitParts, account)) continue;
    sums[profitParts[account as ProfitAccount]] += amountMinor;
  }
  return withTotal(sums);
}

/** The single definition of our total profit: the sum of all parts, with negative costs and losses. */
export function withTotal(parts: Omit<Profit, 'total'>): Profit {
  return { ...parts, total: parts.fee + parts.margin + parts.processor + parts.loss };
}

/** Parts of a transfer's profit that are estimated until the reconciliation books them. */
export const estimatedParts = ['margin', 'processor'] as const;
export type EstimatedPart = (typeof estimatedParts)[number];

/** Transfers of 24 hours that have something in common: how many, their sum and the largest of them, in US cents. */
export interface DaySum {
  readonly count: number;
  readonly usdMinor: bigint;
  readonly largestUsdMinor: bigint;
}

/** What transfers of 24 hours have in common: who pays, the account that is paid, or the browser. */
export const dayGroups = ['sender', 'account', 'device'] as const;
export type DayGroup = (typeof dayGroups)[number];

/** The transfers of the last 24 hours around one transfer, grouped by what they share with it. */
export type LastDay = Readonly<Record<DayGroup, DaySum>>;

/** What a transfer counts as (US cents) where a threshold applies: a larger sum is not to be split into transfers below it. */
export function countedUsdMinor(transfer: { readonly usdMinor: bigint; readonly lastDay: LastDay }): bigint {
  let counted = transfer.usdMinor;
  for (const group of dayGroups) {
    const { usdMinor } = transfer.lastDay[group];
    if (usdMinor > counted) counted = usdMinor;
  }
  return counted;
}

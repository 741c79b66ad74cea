import type { Movement } from '../holds/holds.ts';

/** What a money stop halts. Voids and refunds always continue because they return money. */
export const stopScopes = {
  captures: 'No card is charged.',
  payouts: 'No family is paid: on one rail, or on all of them.',
  everything: 'No card is charged and no family is paid.',
} as const;

export type StopScope = keyof typeof stopScopes;
export const stopScopeNames = Object.keys(stopScopes) as [StopScope, ...StopScope[]];

/** The ways in which payouts reach families. */
export const payoutRails = ['bank'] as const;
export type PayoutRail = (typeof payoutRails)[number];

/** Why the system sets a stop automatically. */
export const stopCauses = {
  insufficient_funds: 'The bank has too little of our money for the payouts.',
  daily_limit: 'The bank has a daily limit for our payouts, and it is used up.',
} as const;

export type StopCause = keyof typeof stopCauses;
export const stopCauseNames = Object.keys(stopCauses) as [StopCause, ...StopCause[]];

/** What a stop covers. `rail` is null except for payouts, where null means every rail. */
export interface StopReach {
  readonly scope: StopScope;
  readonly rail: PayoutRail | null;
}

/** The movements that a stop holds on a rail (core/holds). */
export function stoppedMovements({ scope, rail }: StopReach, usedRail: PayoutRail): Movement[] {
  const holdsPayouts = scope === 'everything' || (scope === 'payouts' && (rail === null || rail === usedRail));
  return [
    ...(scope === 'payouts' ? [] : (['capture'] as const)),
    ...(holdsPayouts ? (['payout', 'second_payout'] as const) : []),
  ];
}

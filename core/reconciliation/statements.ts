import type { Difference } from './movement.ts';

/** A statement of an account at a bank. */
export interface BalancedStatement {
  readonly account: string;
  /** A statement that is imported again has the same number. */
  readonly number: string;
  readonly currency: string;
  readonly day: string;
  /** In minor units. */
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
}

/** Statements of an account that do not begin where the one before ended; they are given in the order of their days. */
export function balanceGaps(statements: readonly BalancedStatement[]): Difference[] {
  const newest = new Map(statements.map((one) => [`${one.account} ${one.number}`, one]));
  return [...Map.groupBy(newest.values(), ({ account }) => account).values()].flatMap((ofAccount) =>
    ofAccount.flatMap((one, index): Difference[] => {
      const before = ofAccount[index - 1];
      if (!before || before.closingMinor === one.openingMinor) return [];
      const { number, account, currency, day } = one;
      return [
        {
          ...{ cause: 'bank_balance_gap', side: 'bank', transferId: null, subject: `${account} ${number}` },
          ...{ reference: number, expectedMinor: before.closingMinor, actualMinor: one.openingMinor },
          ...{ differenceMinor: 0n, currency, day },
        },
      ];
    }),
  );
}

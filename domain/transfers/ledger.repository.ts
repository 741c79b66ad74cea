import type { Currency } from '#core/money/money';
import type { EntityManager } from '#platform/database/database';
import { Posting } from './posting.entity.ts';
import type { Transfer } from './transfer.repository.ts';

/**
 * Accounts of the ledger. Money enters from `card_processor` (which owes us what it charged) and leaves to `bank`; between
 * them it stands in accounts of our own. An exchange is two legs through `exchange`; the fee is its own line.
 */
export type Account = 'card_processor' | 'sender_funds' | 'fee_income' | 'exchange' | 'payout_due' | 'bank';

export type Entry = 'charge' | 'payout' | 'refund';

interface Line {
  readonly source: Account;
  readonly destination: Account;
  readonly amountMinor: bigint;
  readonly currency: Currency;
}

function chargeLines(transfer: Transfer): Line[] {
  const { currency, amountMinor, feeMinor, netMinor, bolivianosMinor } = transfer;
  return [
    { source: 'card_processor', destination: 'sender_funds', amountMinor, currency },
    { source: 'sender_funds', destination: 'fee_income', amountMinor: feeMinor, currency },
    { source: 'sender_funds', destination: 'exchange', amountMinor: netMinor, currency },
    { source: 'exchange', destination: 'payout_due', amountMinor: bolivianosMinor, currency: 'BOB' },
  ];
}

/** The lines of each entry. A refund is the charge backwards, fee included. */
const linesOf: Readonly<Record<Entry, (transfer: Transfer) => Line[]>> = {
  charge: chargeLines,
  payout: (transfer) => [
    { source: 'payout_due', destination: 'bank', amountMinor: transfer.bolivianosMinor, currency: 'BOB' },
  ],
  refund: (transfer) =>
    chargeLines(transfer)
      .reverse()
      .map((line) => ({ ...line, source: line.destination, destination: line.source })),
};

/**
 * Books an entry of a transfer in the transaction of `em`. The primary key refuses the same entry twice, and the database
 * refuses the commit when the books do not say what the transfer's state says. Lines of zero are left out.
 */
export function post(em: EntityManager, transfer: Transfer, entry: Entry, at: Date): void {
  const lines = linesOf[entry](transfer).filter((line) => line.amountMinor > 0n);
  lines.forEach((line, index) => {
    em.persist(em.create(Posting, { transferId: transfer.id, entry, line: index + 1, ...line, at }));
  });
}

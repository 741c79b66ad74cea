import { Migration } from '@mikro-orm/migrations';

/** In place of an index each: with what a review asks for in it, in the order in which it is asked. */
const indexes = [
  // The newest payments of a sender, with their amounts.
  [
    'transfer_user_id_paid_at_amounts',
    'transfer (user_id, paid_at) include (usd_minor, state, amount_minor, id) where paid_at is not null',
    'transfer_user_id_paid_at',
  ],
  // The newest ones to an account and by a card.
  [
    'transfer_account_paid_at',
    `transfer ((payout_target -> 'hashes' ->> 'account'), paid_at) where paid_at is not null`,
    'transfer_account',
  ],
  ['transfer_card_paid_at', 'transfer (card_last4, card_brand, paid_at) where paid_at is not null', 'transfer_card'],
] as const;

/** Indexes of what a review says of a sender, an account and a card. Made while everything goes on; what an interrupted run left is made anew. */
export class ReviewIndexes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, columns, replaced] of indexes) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
      this.addSql(`drop index concurrently if exists ${replaced}`);
    }
  }
}

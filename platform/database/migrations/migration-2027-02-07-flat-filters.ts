import { Migration } from '@mikro-orm/migrations';

/** What a search by an amount looks for: each amount as it is, and its whole part with the point. */
const amountKeys = `
create or replace function search_amount_keys(amounts text) returns text[] immutable parallel safe
  return (
    select array_agg(key)
    from unnest(string_to_array(ltrim(amounts, '='), '=')) as amount
      cross join lateral (values (amount), (split_part(amount, '.', 1) || '.')) as keys (key)
  );
`;

/** Each takes the place of the one beside it, which the version before uses until then. */
const indexes = [
  // The amount stands in it, so that rows between others in time are passed without being read.
  ['transfer_created_at_id_amount_minor', 'transfer (created_at, id, amount_minor)', 'transfer_created_at_id'],
  [
    'transfer_search_amount_minor',
    'transfer_search (amount_minor) include (transfer_id) where amount_minor is not null',
    'transfer_search_amount',
  ],
  // Ten keys for a transfer instead of three letters each: what is found is what was asked for, and less is written.
  [
    'transfer_search_amount_keys',
    'transfer_search using gin (search_amount_keys(search_amounts)) where part = 0',
    'transfer_search_amount_trigrams',
  ],
  // The newest price of each source, competitor and amount.
  [
    'rate_observation_newest_price',
    `rate_observation (pair, source, competitor, amount_minor, observed_at, id) where kind = 'price' and not outlier`,
    null,
  ],
] as const;

/**
 * Indexes of filters and prices that grew with the tables, made while everything goes on. What an interrupted run left is made anew. A
 * search by an amount in a version before reads the table meanwhile.
 */
export class FlatFilters extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(amountKeys);
    for (const [name, columns, before] of indexes) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${columns}`);
      if (before) this.addSql(`drop index concurrently if exists ${before}`);
    }
  }
}

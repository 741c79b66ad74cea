import { Migration } from '@mikro-orm/migrations';

/**
 * What a binding quote was made of is kept with its transfer: since when its rate was in force, the dollars per euro that its
 * limits were computed with, and the market's reference its margin is measured against. Transfers from before get the first
 * two as they were then; their exact reference is not known.
 */
export class FrozenTerms extends Migration {
  override up(): void {
    this.addSql(`
      alter table transfer
        add column rate_since timestamptz null,
        add column eur_usd bigint null check (eur_usd > 0),
        add column reference_rate bigint null check (reference_rate > 0)
    `);
    // For the next statement alone: without it every transfer would read all rates of its currency.
    this.addSql('create index frozen_terms_rate on rate (currency, created_at)');
    // A euro without a rate of its own followed the dollar's.
    this.addSql(`
      update transfer set
        rate_since = coalesce(
          (select max(created_at) from rate where rate.currency = transfer.currency and created_at <= transfer.created_at),
          (select max(created_at) from rate where rate.currency = 'USD' and created_at <= transfer.created_at),
          transfer.created_at
        ),
        eur_usd = coalesce(
          (select rate from rate_observation where kind = 'reference' and pair = 'EUR/USD' and source = 'ecb' and not outlier
             and observed_at <= transfer.created_at order by observed_at desc, id desc limit 1),
          1100000
        )
    `);
    this.addSql('drop index frozen_terms_rate');
    this.addSql('alter table transfer alter column rate_since set not null, alter column eur_usd set not null');
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Counts of the api's rate limits, in the form that rate-limiter-flexible writes them; `expire` is in ms since 1970. Unlogged:
 * a crash of PostgreSQL may forget them, and they change with most calls.
 */
export class RateLimits extends Migration {
  override up(): void {
    this.addSql(`
      create unlogged table rate_limit (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )
    `);
    this.addSql('create index rate_limit_expire on rate_limit (expire)');
  }
}

import { Migration } from '@mikro-orm/migrations';

/** What has gone back of a transfer, to its sender and from the bank, stands in its own row: senders see it with every version. */
export class ReturnedAmounts extends Migration {
  override up(): void {
    this.addSql(`
alter table transfer
  add column returned_minor bigint not null default 0 check (returned_minor >= 0),
  add column payout_returned_minor bigint not null default 0
    check (payout_returned_minor >= 0 and payout_returned_minor <= bolivianos_minor);
alter table transfer alter column returned_minor drop default, alter column payout_returned_minor drop default;
update transfer as t set returned_minor = o.sum
  from (select transfer_id, sum(amount_minor) as sum from operation where kind = 'refund' and status = 'succeeded' group by 1) as o
  where o.transfer_id = t.id and t.state in ('captured', 'payout_failed', 'completed', 'refunding', 'refunded');
update transfer as t set payout_returned_minor = o.returned_minor
  from operation as o
  where o.transfer_id = t.id and o.kind = 'payout' and o.status = 'succeeded' and o.returned_minor > 0 and t.state = 'completed';
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

const foldTotals = `
create or replace function fold_totals(before date) returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  with free as materialized (
    select day, shard, paid_usd_minor, completed, rejected from transfer_day_total
    where day < before and day in (select day from transfer_day_total where day < before group by day having count(*) > 1)
    for update skip locked
  ),
  kept as (
    select day, min(shard) as shard, sum(paid_usd_minor) as paid_usd_minor, sum(completed) as completed, sum(rejected) as rejected
    from free group by day having count(*) > 1
  ),
  gone as (
    delete from transfer_day_total as total using free join kept using (day)
    where total.day = free.day and total.shard = free.shard and free.shard <> kept.shard
  )
  update transfer_day_total as total
  set paid_usd_minor = kept.paid_usd_minor, completed = kept.completed, rejected = kept.rejected
  from kept where total.day = kept.day and total.shard = kept.shard;
  with free as materialized (
    select day, shard, senders from active_total
    where day < before and day in (select day from active_total where day < before group by day having count(*) > 1)
    for update skip locked
  ),
  kept as (select day, min(shard) as shard, sum(senders) as senders from free group by day having count(*) > 1),
  gone as (
    delete from active_total as total using free join kept using (day)
    where total.day = free.day and total.shard = free.shard and free.shard <> kept.shard
  )
  update active_total as total set senders = kept.senders from kept where total.day = kept.day and total.shard = kept.shard;
end $$;
`;

/**
 * Adding up the rows of past days waited for commits that were changing one, while it held others that those commits were to change: a
 * deadlock now and then. It takes only what nobody is changing, and so never waits; what is left is added up an hour later.
 */
export class TotalsWithoutWaiting extends Migration {
  override up(): void {
    this.addSql(foldTotals);
  }
}

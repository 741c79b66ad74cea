import { Migration } from '@mikro-orm/migrations';

/** The lock of senders and the sums of what they paid, which a payment that is held waits for, as one statement. */
export class LockedSums extends Migration {
  override up(): void {
    this.addSql(sums);
  }
}

const sums = `
-- Each statement of a function sees what is committed when it begins: the sums see what those wrote whom the lock waited for.
create function lock_and_sum_sent(senders uuid[], since_day timestamptz, since_month timestamptz, paid_states text[])
returns table (user_id uuid, day text, month text) language plpgsql volatile set search_path = public, pg_temp as $$
begin
  perform from app_user as u where u.id = any (senders) order by u.id for no key update;
  return query
    select t.user_id, coalesce(sum(t.usd_minor) filter (where t.paid_at > since_day), 0)::text, sum(t.usd_minor)::text
    from transfer as t
    where t.user_id = any (senders) and t.paid_at > since_month and t.state = any (paid_states)
    group by t.user_id;
end $$;
`;

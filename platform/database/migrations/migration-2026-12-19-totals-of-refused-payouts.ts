import { Migration } from '@mikro-orm/migrations';
import { fillTotals } from './migration-2026-12-02-transfer-totals.ts';

/**
 * Money that went back to its sender after the bank had refused the payout stayed in the totals: the trigger's own list of states in
 * which a transfer counts as paid lacked `payout_failed`. There is one list now, and the totals are counted anew.
 */
export class TotalsOfRefusedPayouts extends Migration {
  override up(): void {
    for (const part of [paidState, trigger, `truncate transfer_day_total, sender_total; ${fillTotals}`])
      this.addSql(part);
  }
}

// Without `set`, so that PostgreSQL writes it into the condition instead of calling it for every row.
const paidState = `
create function is_paid_state(state text) returns boolean language sql immutable as $$
  select state in ('in_review', 'approved', 'captured', 'payout_failed', 'completed')
$$;

-- As operations created it.
create or replace function transfer_share(t transfer)
returns table (day date, user_id uuid, paid_at timestamptz, paid int, paid_usd_minor bigint, day_usd_minor bigint,
  completed int, rejected int)
language sql stable set search_path = public, pg_temp as $$
  select (coalesce(t.paid_at, t.created_at) at time zone 'America/La_Paz')::date, t.user_id, t.paid_at,
    paid::int, paid::int * t.usd_minor, (paid and t.paid_at is not null)::int * t.usd_minor,
    (t.state = 'completed')::int, (t.state = 'rejected')::int
  from (select is_paid_state(t.state) as paid) as state
  where t.id is not null
$$;
`;

const trigger = `
drop trigger transfer_totals on transfer;
create constraint trigger transfer_totals after update of state, user_id, paid_at, usd_minor on transfer
  deferrable initially deferred for each row when (
    (old.user_id, old.paid_at, old.usd_minor, is_paid_state(old.state), old.state = 'completed', old.state = 'rejected')
      is distinct from
    (new.user_id, new.paid_at, new.usd_minor, is_paid_state(new.state), new.state = 'completed', new.state = 'rejected')
  ) execute function keep_transfer_totals();
`;

import { Migration } from '@mikro-orm/migrations';

/** The names of a second payout are checked, too. What an earlier check of the same transfer came to stays written down. */
export class SecondPayoutNames extends Migration {
  override up(): void {
    this.addSql(`
create table past_screening (
  screening_key text primary key,
  transfer_id uuid not null references transfer (id),
  screening_status text not null,
  names jsonb not null,
  hits jsonb not null,
  checked_at timestamptz not null,
  note text null,
  noted_by_id uuid null references app_user (id)
);
create index past_screening_transfer_id on past_screening (transfer_id, checked_at);
create trigger past_screening_append_only before update or delete on past_screening for each row execute function refuse_change();
create trigger past_screening_kept_whole before truncate on past_screening execute function refuse_change();

create function keep_past_screening() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into past_screening (screening_key, transfer_id, screening_status, names, hits, checked_at, note, noted_by_id)
    values (old.screening_key, old.transfer_id, old.screening_status, old.names, old.hits, old.checked_at, old.note, old.noted_by_id);
  return null;
end $$;
create trigger review_past_screening after update of screening_key on review
  for each row when (old.screening_key <> new.screening_key and old.checked_at is not null) execute function keep_past_screening();
`);
  }
}

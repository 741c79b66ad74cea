import { Migration } from '@mikro-orm/migrations';

/** Stops of captures and payouts, which one person sets and two people lift. */
export class MoneyStops extends Migration {
  override up(): void {
    this.addSql(`
create table money_stop (
  id uuid primary key,
  version int not null,
  scope text not null,
  rail text null,
  -- A person gives a reason, the system a cause.
  reason text null,
  cause text null,
  set_by_id uuid null references app_user (id),
  set_at timestamptz not null,
  lift_requested_by_id uuid null references app_user (id),
  lift_requested_at timestamptz null,
  lift_reason text null,
  lifted_by_id uuid null references app_user (id),
  lifted_at timestamptz null,
  constraint money_stop_scope_check check (scope in ('captures', 'payouts', 'everything')),
  constraint money_stop_rail_check check (rail is null or (rail in ('bank') and scope = 'payouts')),
  constraint money_stop_author_check check (
    (set_by_id is null) = (reason is null) and (set_by_id is null) = (cause is not null) and reason is distinct from ''
  ),
  constraint money_stop_request_check check (
    (lift_requested_by_id is null) = (lift_requested_at is null) and (lift_requested_by_id is null) = (lift_reason is null)
      and lift_reason is distinct from ''
  ),
  constraint money_stop_two_people_check check (
    (lifted_by_id is null) = (lifted_at is null)
      and (lifted_at is null or (lift_requested_by_id is not null and lifted_by_id <> lift_requested_by_id))
  )
);
create unique index money_stop_active on money_stop (scope, coalesce(rail, '')) where lifted_at is null;

-- What a stop was set for, by whom and when never changes, and one that was lifted stays lifted.
create function money_stop_keep_record() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.lifted_at is not null or (old.id, old.scope, old.rail, old.reason, old.cause, old.set_by_id, old.set_at)
    is distinct from (new.id, new.scope, new.rail, new.reason, new.cause, new.set_by_id, new.set_at) then
    raise exception 'a money stop is a record';
  end if;
  return new;
end $$;
create trigger money_stop_kept before update on money_stop for each row execute function money_stop_keep_record();
`);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Roles of admins that wait for a second owner, and since when an admin has the role. */
export class RoleRequests extends Migration {
  override up(): void {
    this.addSql(`
-- Null: the role was given on the command line, or before this was recorded.
alter table app_user add column admin_role_since timestamptz null;
create table role_request (
  id uuid primary key,
  user_id uuid not null references app_user (id),
  role text not null constraint role_request_role_check check (role in ('support', 'reviewer', 'treasurer', 'owner')),
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid null references app_user (id),
  decided_at timestamptz null,
  outcome text null constraint role_request_outcome_check check (outcome in ('granted', 'declined', 'replaced')),
  constraint role_request_decided_check check ((outcome is null) = (decided_at is null) and (outcome <> 'granted' or decided_by_id is not null)),
  constraint role_request_two_people_check check (
    user_id <> requested_by_id and (outcome is distinct from 'granted' or decided_by_id not in (user_id, requested_by_id))
  )
);
create unique index role_request_open on role_request (user_id) where outcome is null;
create index role_request_requested_by_id on role_request (requested_by_id) where outcome is null;
`);
  }
}

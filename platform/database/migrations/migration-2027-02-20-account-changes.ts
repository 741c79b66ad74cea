import { Migration } from '@mikro-orm/migrations';

/** Security changes of an account that its owner can undo from the e-mail about them, each with the second factors as they were before. */
export class AccountChanges extends Migration {
  override up(): void {
    for (const part of [tables, takeOver, admins]) this.addSql(part);
  }
}

const tables = `
create table account_change (
  id uuid primary key,
  user_id uuid not null references app_user (id) deferrable initially deferred,
  kind text not null constraint account_change_kind_check check (kind in ('email', 'password', 'factor', 'device')),
  email text not null,
  factors jsonb not null,
  at timestamptz not null,
  undo_until timestamptz not null,
  ended_at timestamptz null
);
create index account_change_user_id_at on account_change (user_id, at);
create index account_change_at on account_change (at);
create index account_change_email on account_change (email) where kind = 'email';
create table account_change_link (
  token_hash text primary key,
  change_id uuid not null references account_change (id) on delete cascade deferrable initially deferred
);
create index account_change_link_change_id on account_change_link (change_id);

-- The second factors of an account, as rows of their tables.
create function account_factors(of_user uuid) returns jsonb language sql stable set search_path = public, pg_temp as $$
  select jsonb_build_object(
    'apps', (select coalesce(jsonb_agg(to_jsonb(f)), '[]') from second_factor as f where f.user_id = of_user and f.confirmed_at is not null),
    'passkeys', (select coalesce(jsonb_agg(to_jsonb(w)), '[]') from webauthn_credential as w where w.user_id = of_user),
    'codes', (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from recovery_code as c where c.user_id = of_user))
$$;
`;

const takeOver = `
-- E-mail changes that can still be undone, also those that the version before makes while this one is deployed.
create function take_over_email_change() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into account_change (id, user_id, kind, email, factors, at, undo_until)
  values (new.id, new.user_id, 'email', new.old_email, account_factors(new.user_id), new.changed_at, new.undo_until)
  on conflict do nothing;
  return null;
end $$;
create trigger email_change_taken_over after update of undo_until on email_change
  for each row when (new.undo_until is not null and new.ended_at is null) execute function take_over_email_change();
update email_change set undo_until = undo_until where undo_until > now() and ended_at is null;

create function take_over_email_link() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into account_change_link (token_hash, change_id)
  select new.token_hash, c.id from account_change as c where c.id = new.change_id
  on conflict do nothing;
  return null;
end $$;
create trigger email_change_link_taken_over after insert or update on email_change_link
  for each row when (new.purpose = 'undo') execute function take_over_email_link();
update email_change_link set purpose = purpose where purpose = 'undo';
`;

const admins = `
-- The operator vouches for the addresses of admins: second factors are for proven addresses only.
update app_user set email_verified_at = created_at where role = 'admin' and email_verified_at is null;
`;

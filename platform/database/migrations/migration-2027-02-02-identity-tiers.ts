import { Migration } from '@mikro-orm/migrations';

const text = `
alter table app_user add column tier text not null default 'email';
alter table app_user add constraint app_user_tier_check check (tier in ('email', 'identity', 'document'));

create table identity_check (
  id uuid primary key,
  user_id uuid not null,
  level text not null,
  state text not null default 'waiting',
  document_type text not null,
  country text not null,
  number text not null,
  sealed text null,
  number_hash text null,
  legal_name text not null,
  birth_date date not null,
  reason text null,
  note text null,
  decided_by_id uuid null,
  created_at timestamptz not null,
  decided_at timestamptz null,
  constraint identity_check_user_id_fkey foreign key (user_id) references app_user (id) deferrable initially deferred,
  constraint identity_check_decided_by_id_fkey foreign key (decided_by_id) references app_user (id) deferrable initially deferred,
  constraint identity_check_level_check check (level in ('identity', 'document')),
  constraint identity_check_document_type_check check (document_type in ('passport', 'id_card', 'residence_permit')),
  constraint identity_check_state_check check (state in ('waiting', 'accepted', 'declined')),
  constraint identity_check_reason_check check (reason in ('unreadable', 'expired', 'mismatch', 'not_accepted', 'in_use')),
  constraint identity_check_decided_check check ((state = 'waiting') = (decided_at is null) and (state = 'declined') = (reason is not null))
);
create index identity_check_user_id_created_at on identity_check (user_id, created_at);
create index identity_check_waiting on identity_check (created_at, id) where state = 'waiting';
create unique index identity_check_open on identity_check (user_id, level) where state <> 'declined';
create unique index identity_check_document on identity_check (number_hash) where state = 'accepted';
create index identity_check_number_hash on identity_check (number_hash);

-- As with files: kept until it is not known any more who their person was.
create function refuse_kept_identity() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from app_user where id = old.user_id and closed_at is not null and name = '') then
    raise exception 'the check % is kept until its person is erased', old.id;
  end if;
  return old;
end $$;
create trigger identity_check_kept before delete on identity_check for each row execute function refuse_kept_identity();

alter table attachment alter column transfer_id drop not null;
alter table attachment add column identity_check_id uuid null references identity_check (id);
alter table attachment drop constraint attachment_subject_check;
alter table attachment add constraint attachment_subject_check check (
  num_nonnulls(complaint_id, question_id, identity_check_id) = 1 and (transfer_id is null) = (identity_check_id is not null));
create unique index attachment_identity_check_id_sha256 on attachment (identity_check_id, sha256) where identity_check_id is not null;

alter table transfer add column card_fingerprint text null;
create index transfer_card_fingerprint on transfer (card_fingerprint) where card_fingerprint is not null;
`;

/** Tiers of accounts by what is known of their person, the checks that lead to them, and which card a transfer was paid with (decision 50). */
export class IdentityTiers extends Migration {
  override up(): void {
    this.addSql(text);
  }
}

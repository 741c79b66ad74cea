import { Migration } from '@mikro-orm/migrations';

/** What people do about cases: requests, of which some wait for a second person, proofs and notes. */
export class OperationsDesk extends Migration {
  override up(): void {
    this.addSql(`
alter table desk_case add column reminded_at timestamptz null;
create index desk_case_resolved_at_id on desk_case (resolved_at, id) where resolved_at is not null;

create table desk_proof (
  id uuid primary key,
  transfer_id uuid not null references transfer (id),
  name text not null,
  type text not null,
  bytes bytea not null,
  sha256 text not null,
  uploaded_by_id uuid not null references app_user (id),
  uploaded_at timestamptz not null,
  constraint desk_proof_type_check check (type in ('application/pdf', 'image/png', 'image/jpeg')),
  constraint desk_proof_size_check check (octet_length(bytes) between 1 and 2097152)
);

create table desk_request (
  id uuid primary key,
  case_id uuid not null references desk_case (id),
  transfer_id uuid not null references transfer (id),
  sender_id uuid not null references app_user (id),
  action text not null,
  moves_money boolean not null,
  reason text not null,
  bank_reference text null,
  amount_minor bigint null,
  proof_id uuid null references desk_proof (id),
  requested_by_id uuid not null references app_user (id),
  requested_at timestamptz not null,
  decided_by_id uuid null references app_user (id),
  decided_at timestamptz null,
  outcome text null,
  constraint desk_request_action_check check (action in ('retry', 'give_up_and_refund', 'pay_by_hand', 'refund_by_hand', 'resolve')),
  constraint desk_request_outcome_check check (outcome in ('done', 'approved', 'declined', 'obsolete')),
  constraint desk_request_decided_check check ((outcome is null) = (decided_at is null)),
  constraint desk_request_decider_check check ((decided_by_id is not null) = coalesce(outcome in ('approved', 'declined'), false)),
  constraint desk_request_own_transfer_check check (sender_id <> requested_by_id and sender_id is distinct from decided_by_id),
  constraint desk_request_two_persons_check check (requested_by_id is distinct from decided_by_id)
);
create unique index desk_request_one_waiting on desk_request (transfer_id) where outcome is null;
create index desk_request_transfer_id_requested_at on desk_request (transfer_id, requested_at);

-- The sender is who the transfer says, whatever was written: the check above rests on it.
create function set_desk_request_sender() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  select user_id into new.sender_id from transfer where id = new.transfer_id;
  return new;
end $$;
create trigger desk_request_sender before insert or update on desk_request
  for each row execute function set_desk_request_sender();

create table desk_note (
  id uuid primary key,
  case_id uuid not null references desk_case (id),
  author_id uuid not null references app_user (id),
  text text not null,
  at timestamptz not null
);
create index desk_note_case_id_at on desk_note (case_id, at);

-- Proofs and notes are evidence.
create trigger desk_proof_append_only before update or delete on desk_proof for each row execute function refuse_change();
create trigger desk_proof_kept_whole before truncate on desk_proof execute function refuse_change();
create trigger desk_note_append_only before update or delete on desk_note for each row execute function refuse_change();
create trigger desk_note_kept_whole before truncate on desk_note execute function refuse_change();
`);
  }
}
